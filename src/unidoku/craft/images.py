"""Images of records and traces under the symmetry group: the same reasoning on the image of a puzzle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku.geometry import HOUSE_NAMES, HOUSES
from unidoku.method.record import COUNTERS, OUTCOMES, Record
from unidoku.stepper.events import Cell, CellCandidates, Event, GuessLevel, Mark

if TYPE_CHECKING:
    from unidoku.craft.transform import Transformation

__all__ = ["record_image", "trace_image"]


def record_image(record: Record, transformation: Transformation) -> Record:
    """Return the image of a record of the numerical-analysis method.

    Parameters
    ----------
    record : Record
    transformation : Transformation

    Returns
    -------
    Record
        A record of the image of the puzzle: event k is the image of event k of `record`.
        `unidoku.method.check` accepts it, but `unidoku.method.explain` of the image may give another order of
        events.

    Examples
    --------
    >>> from unidoku import Transformation, method
    >>> record = method.explain(method.WORKED_PUZZLE)
    >>> turned = record_image(record, Transformation.rotation(90))
    >>> method.check(turned.puzzle, turned.events) == turned.solution.line
    True
    """
    cells = np.array([0, *(transformation.cell(k) + 1 for k in range(81))], np.int16)
    digits = np.array([0, *transformation.digits], np.int16)
    houses = [0, *(_house(house, transformation) + 1 for house in range(27))]
    rows = record.rows.copy()
    rows[:, 1], rows[:, 2], rows[:, 5] = cells[rows[:, 1]], digits[rows[:, 2]], cells[rows[:, 5]]
    for row in np.flatnonzero(rows[:, 4]):
        unit = houses[rows[row, 4]]
        places = int(rows[row, 6])
        if places:  # the bits of the places in the unit
            source = HOUSES[rows[row, 4] - 1]
            moved = {transformation.cell(cell) for k, cell in enumerate(source) if places >> k & 1}
            rows[row, 6] = sum(1 << k for k, cell in enumerate(HOUSES[unit - 1]) if cell in moved)
        rows[row, 4] = unit
    order = record.order
    if transformation.transposed:
        turned = {"row": "column", "column": "row"}
        first, second, third = (turned.get(unit, unit) for unit in order.units)
        order = replace(order, units=(first, second, third))
    solution = bytes(81) if record.solution is None else transformation(record.solution).cells
    totals = {name: getattr(record, name) for name in COUNTERS} | record.conversions | record.zeroings
    run = (OUTCOMES.index(record.outcome), solution, rows.tobytes(), totals)
    return Record(transformation(record.puzzle), order, record.verdict, run)


def trace_image(events: Iterable[Event], transformation: Transformation) -> list[Event]:
    """Return the images of the events of the step engine.

    Parameters
    ----------
    events : iterable of unidoku.stepper.Event
    transformation : Transformation

    Returns
    -------
    list of Event
        Cells, digits, houses and grids are replaced by their images; steps, levels, counts and the number of
        a guess among the candidates of its cell are those of the original search.
    """
    return [_moved_event(event, transformation) for event in events]


def _house(house: int, t: Transformation) -> int:
    """Return the number 0..26 of the image of a house."""
    return HOUSES.index(tuple(sorted(t.cell(cell) for cell in HOUSES[house])))


def _moved_event(event: Event, t: Transformation) -> Event:
    names = [each.name for each in fields(event)]
    return replace(event, **{name: _moved(name, getattr(event, name), t) for name in names})


def _moved(name: str, value: Any, t: Transformation) -> Any:
    """Return the image of a field of an event; a name means the same in every event."""
    if isinstance(value, Cell):
        return Cell.of_number(t.cell(value.number - 1) + 1)
    if isinstance(value, Mark | CellCandidates):
        return type(value)(*(_moved(part, each, t) for part, each in value._asdict().items()))
    if isinstance(value, GuessLevel):
        return replace(value, cell=_moved("cell", value.cell, t), digit=t.digit(value.digit))
    if isinstance(value, tuple):
        moved = tuple(_moved("digit" if name == "digits" else "", each, t) for each in value)
        return moved if name == "levels" else tuple(sorted(moved))
    if name == "digit":
        return None if value is None else t.digit(value)
    if name == "house" and value in HOUSE_NAMES:
        return HOUSE_NAMES[_house(HOUSE_NAMES.index(value), t)]
    if name == "grid":
        return t(value).line
    return value
