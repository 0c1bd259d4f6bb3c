"""The events of a record: zeroings, conversions, presets, contradictions, retractions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from unidoku.method.marks import mark_of
from unidoku.method.state import UNITS, UNITS_OF, BigUnit, big_unit_of, unit_name

#: Kinds of events; the index is the code of the native engine.
KINDS = ("zero", "convert", "preset", "contradiction", "retract")
#: Rules that justify an event; the index is the code of the native engine.
RULES = ("", "own", "theorem1", "theorem2", "theorem3", "theorem4", "extended", "subset")


class Event(NamedTuple):
    """One entry of a record.

    Attributes
    ----------
    kind : str
        ``zero``: a component became 0. ``convert``: the cell got the value; by theorem 4, its other
        components are then 0 without an event. ``preset``: the value is
        assumed, which opens a level. ``contradiction``: a cell has no component, or a unit has no place for
        a digit. ``retract``: the preset of the level is retracted: the state before it is restored, and
        the refuted component is zeroed.
    cell : int
        1..81; 0 if the event concerns a unit.
    digit : int
        1..9; 0 if the event concerns a cell as a whole.
    rule : str
        One of `RULES`; empty for presets, contradictions and retractions.
    unit : int
        1..9 rows, 10..18 columns, 19..27 boxes; 0 for none.
    cause : tuple of int
        Cells: the valued cell (theorem 1); the cells of the unit that still hold the digit (extended
        rule); the cells of the subset.
    level : int
        Number of presets in effect at the event; a preset and its retraction have the level that they open
        and close.
    """

    kind: str
    cell: int = 0
    digit: int = 0
    rule: str = ""
    unit: int = 0
    cause: tuple[int, ...] = ()
    level: int = 0

    @property
    def mark(self) -> str:
        """The book's mark of the event, for example ``J39`` or ``⊙G``; empty for a contradiction."""
        cause = self.cause[0] if self.cause else 0
        return mark_of(self.kind, self.rule, self.unit, cause, self.level)

    @property
    def big_unit(self) -> BigUnit | None:
        """The band or stack in which extended zeroing works; None for all other events."""
        if self.rule != "extended":
            return None
        lines = set(UNITS_OF[self.cell][:2]).intersection(*(UNITS_OF[cell][:2] for cell in self.cause))
        return big_unit_of(self.unit if self.unit < 19 else min(lines))

    def as_dict(self) -> dict[str, object]:
        """Return the event as a JSON object; keys without meaning are omitted."""
        big = self.big_unit
        out = {
            "kind": self.kind,
            "cell": self.cell,
            "digit": self.digit,
            "rule": self.rule,
            "unit": unit_name(self.unit) if self.unit else "",
            "big_unit": big.name if big else "",
            "cause": self.cause[0] if self.rule == "theorem1" else list(self.cause),
            "mark": self.mark,
        }
        return {**{key: value for key, value in out.items() if value}, "level": self.level}


def decode(rows: Sequence[Sequence[int]]) -> Iterator[Event]:
    """Events of the native engine's rows: kind, cell, digit, rule, unit, cause, positions, level."""
    for kind, cell, digit, rule, unit, cause, positions, level in rows:
        cells: tuple[int, ...] = (cause,) if cause else ()
        if positions:
            cells = tuple(c for p, c in enumerate(UNITS[unit - 1]) if positions >> p & 1)
        yield Event(KINDS[kind], cell, digit, RULES[rule], unit, cells, level)


def group_of(event: Event) -> tuple[str, int, tuple[int, ...], int]:
    """Return what zeroings of one sentence share: the cell with a value, or the rule, its unit and cells."""
    if event.rule == "own":
        return "cell", event.cell, (), 0
    if event.rule == "theorem1":
        return "cell", event.cause[0], (), 0
    return event.rule, event.unit, event.cause, event.digit if event.rule == "extended" else 0


def opens_step(event: Event, before: Event | None) -> bool:
    """Return whether a step begins with an event: anything but the zeroing that follows a value."""
    if event.kind != "zero":
        return True
    if event.rule not in {"extended", "subset"}:
        return False
    return before is None or before.kind != "zero" or group_of(before) != group_of(event)
