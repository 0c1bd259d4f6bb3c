"""The steps of a record that HoDoKu has a name for, as lines of its library.

Theorem 4 is its full house, theorem 3 its hidden single, theorem 2 its naked single; extended zeroing is
locked candidates, type 1 (pointing) out of a box, type 2 (claiming) out of a row or column.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unidoku.files.formats.library import LibraryLine
from unidoku.method.events import groups
from unidoku.method.state import UNITS, UNITS_OF, column_of, row_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unidoku.method.events import Event
    from unidoku.method.record import Record
    from unidoku.method.state import State

_SINGLES = {"theorem4": "0000", "theorem3": "0002", "theorem2": "0003"}
_POINTING, _CLAIMING = "0100", "0101"
_FIRST_BOX = 19


def library_lines(record: Record) -> Iterator[LibraryLine]:
    """Singles and locked candidates of a record, each with the position in which it was found.

    Parameters
    ----------
    record : Record
        The record to convert.

    Yields
    ------
    LibraryLine
        In the order of the record; `unidoku.files.formats.library.format_line` formats it. The
        position consists of the givens, the digits placed since, and, as deleted candidates, those removed by
        a rule and not by a digit in their row, column or box.

    Notes
    -----
    Subsets and refuted presets have no lines; the components that they zero are deleted candidates in the
    lines that follow. Steps inside a preset have no lines, because their position is assumed.
    """
    replay = record.replay()
    for group in groups(record.events):
        event, cells = group[0], [one.cell for one in group]
        if event.level == 0 and event.kind == "convert":
            if event.digit in _seen(replay.state, cells[0]):
                return  # theorem 4 before the zeroing, in a puzzle without solution: the digit clashes
            yield _line(record, replay.state, event, _SINGLES[event.rule], placed=cells)
        elif event.level == 0 and event.rule == "extended":
            technique = _POINTING if event.unit >= _FIRST_BOX else _CLAIMING
            yield _line(record, replay.state, event, technique, zeroed=cells)
        for _ in cells:
            replay.forward()


def _line(
    record: Record,
    state: State,
    event: Event,
    technique: str,
    *,
    placed: Iterable[int] = (),
    zeroed: Iterable[int] = (),
) -> LibraryLine:
    return LibraryLine(
        technique,
        record.puzzle.line,
        "".join(str(value or ".") for value in state.NA.tolist()),
        str(event.digit),
        deleted=" ".join(_deleted(state)),
        eliminations=" ".join(_triple(event.digit, cell) for cell in zeroed),
        placements=" ".join(_triple(event.digit, cell) for cell in placed),
    )


def _deleted(state: State) -> Iterator[str]:
    """Zeroed components that the values alone do not rule out, by cell, then by digit."""
    for cell, value in enumerate(state.NA.tolist(), 1):
        if not value:
            there = {*state.components(cell), *_seen(state, cell)}
            yield from (_triple(digit, cell) for digit in range(1, 10) if digit not in there)


def _seen(state: State, cell: int) -> set[int]:
    """Values in the units of a cell."""
    return {int(state.NA[peer - 1]) for unit in UNITS_OF[cell] for peer in UNITS[unit - 1]}


def _triple(digit: int, cell: int) -> str:
    return f"{digit}{row_of(cell)}{column_of(cell)}"
