"""The events of a record: zeroings, conversions, presets, contradictions, retractions; and their marks.

A mark says why a component became zero or how a cell got its value. The book has ``I<k>``, ``J<m>``,
``G<n>`` (zeroed by the valued cell k, m, n of the same row, column, box), ``*`` (the cell itself got a
value), ``⊙`` (theorem 2) and ``⊙I``, ``⊙J``, ``⊙G`` (theorem 3). unidoku adds ``④I``, ``④J``, ``④G``
(theorem 4), ``XI5``, ``XJ2``, ``XG4`` (extended rule, by the unit that confines the digit), ``S`` (subset),
``P1`` (preset that opens level 1) and ``R1`` (component refuted when that preset is retracted).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from unidoku.method.state import UNITS, UNITS_OF, unit_name

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
        letter = "IJG"[(self.unit - 1) // 9] if self.unit else ""
        match self.kind, self.rule:
            case "zero", "own":
                return "*"
            case "zero", "theorem1":
                return f"{letter}{self.cause[0]}"
            case "zero", "extended":
                return f"X{letter}{(self.unit - 1) % 9 + 1}"
            case "zero", "subset":
                return "S"
            case "convert", "theorem4":
                return f"④{letter}"
            case "convert", _:
                return f"⊙{letter}"
            case "preset", _:
                return f"P{self.level}"
            case "retract", _:
                return f"R{self.level}"
        return ""

    @property
    def big_unit(self) -> str:
        """The band or stack in which extended zeroing works, such as ``band 1``; empty for other events."""
        if self.rule != "extended":
            return ""
        lines = set(UNITS_OF[self.cell][:2]).intersection(*(UNITS_OF[cell][:2] for cell in self.cause))
        stack, number = divmod(((self.unit if self.unit < 19 else min(lines)) - 1) // 3, 3)
        return f"{'stack' if stack else 'band'} {number + 1}"

    @property
    def sentence(self) -> str:
        """The kind of the sentence that tells the event."""
        return self.rule if self.rule in {"extended", "subset"} else self.kind

    def as_dict(self) -> dict[str, object]:
        """Return the event as a JSON object; keys without meaning are omitted."""
        out = {
            "kind": self.kind,
            "cell": self.cell,
            "digit": self.digit,
            "rule": self.rule,
            "unit": unit_name(self.unit) if self.unit else "",
            "big_unit": self.big_unit,
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


def groups(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Yield the events of each sentence: zeroings that belong together, or a single event."""
    for _, group in groupby(events, lambda event: group_of(event) if event.kind == "zero" else event):
        yield list(group)
