"""The book's variables I, II, JJ, KG, NA, NAK, MMK and KH, and the events that change them.

Cells are numbered ``I = 1..81`` row by row: ``II = (I - 1) // 9 + 1`` is the row, ``JJ = (I - 1) % 9 + 1``
the column. This corrects the book's formula a2 (section 1.1, for I that is not a multiple of 9), which
exchanges rows and columns. Formula a1, for the multiples of 9, and all the examples agree with the numbers
here: cells 1, 2, 3, 7 and 9 are in row 1, cell 39 is in column 3, and box 3 consists of cells 7, 8, 9, 16,
17, 18, 25, 26, 27.

Units are numbered 1..27: rows 1..9, columns 10..18, boxes 19..27.

A mark says why a component became zero or how a cell got its value. The book has ``I<k>``, ``J<m>``,
``G<n>`` (zeroed by the value of cell k, m, n of the same row, column, box), ``*`` (the cell itself got a
value), ``⊙`` (theorem 2) and ``⊙I``, ``⊙J``, ``⊙G`` (theorem 3). unidoku adds ``④I``, ``④J``, ``④G`` (theorem
4), ``XI5``, ``XJ2``, ``XG4`` (extended rule, by the unit that confines the digit), ``S`` (subset), ``P1``
(preset that opens level 1) and ``R1`` (component refuted when that preset is retracted).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from unidoku.cell import HOUSE_NAMES, HOUSES, HOUSES_OF
from unidoku.compat import np
from unidoku.native import method as native
from unidoku.views import view

if TYPE_CHECKING:
    from numpy.typing import NDArray

_KINDS = {
    native.ZERO: "zero",
    native.CONVERT: "convert",
    native.PRESET: "preset",
    native.CONTRADICTED: "contradiction",
    native.RETRACT: "retract",
}
#: Kinds of events, by the codes of the native engine.
KINDS = tuple(map(_KINDS.__getitem__, range(native.KINDS)))
_RULES = {
    native.NO_RULE: "",
    native.THEOREM1: "theorem1",
    native.THEOREM2: "theorem2",
    native.THEOREM3: "theorem3",
    native.THEOREM4: "theorem4",
    native.EXTENDED: "extended",
    native.SUBSET: "subset",
}
#: Rules that justify an event, by the codes of the native engine.
RULES = tuple(map(_RULES.__getitem__, range(native.RULES)))

#: Cells of the 27 units, ascending; ``UNITS[u - 1]`` belongs to unit u.
UNITS: tuple[tuple[int, ...], ...] = tuple(tuple(cell + 1 for cell in house) for house in HOUSES)
#: Numbers of the row, the column and the box of a cell; ``UNITS_OF[I]``, entry 0 is empty.
UNITS_OF: tuple[tuple[int, ...], ...] = (
    (),
    *(tuple(house + 1 for house in houses) for houses in HOUSES_OF),
)


def row_of(cell: int) -> int:
    """II: the row 1..9 of cell I."""
    return UNITS_OF[cell][0]


def column_of(cell: int) -> int:
    """JJ: the column 1..9 of cell I."""
    return UNITS_OF[cell][1] - 9


def box_of(cell: int) -> int:
    """KG: the box 1..9 of cell I, from left to right, then downwards."""
    return UNITS_OF[cell][2] - 18


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of a record.

    Attributes
    ----------
    kind : str
        ``zero``: a component became 0. ``convert``: the cell got the value, and with it its other components
        became 0. ``preset``: the value is assumed, with the same effect, which opens a level.
        ``contradiction``: a cell has no component, or a unit has no place for a digit. ``retract``: the
        preset of the level is retracted: the state before it is restored, and the refuted component is
        zeroed.
    cell : int
        1..81; 0 if the event concerns a unit.
    digit : int
        1..9; 0 if the event concerns a cell as a whole.
    rule : str
        One of `RULES`; empty for presets, contradictions and retractions.
    unit : int
        1..9 rows, 10..18 columns, 19..27 boxes; 0 for none.
    cause : tuple of int
        Cells: the cell with the value (theorem 1); the cells of the unit that still hold the digit (extended
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
        """The kind of the sentence about the event."""
        return self.rule if self.rule in {"extended", "subset"} else self.kind

    def as_dict(self) -> dict[str, object]:
        """Return the event as a JSON object; keys without meaning are omitted."""
        out = {
            "kind": self.kind,
            "cell": self.cell,
            "digit": self.digit,
            "rule": self.rule,
            "unit": HOUSE_NAMES[self.unit - 1] if self.unit else "",
            "big_unit": self.big_unit,
            "cause": self.cause[0] if self.rule == "theorem1" else list(self.cause),
            "mark": self.mark,
        }
        return {**{key: value for key, value in out.items() if value}, "level": self.level}


def decode(rows: Sequence[Sequence[int]]) -> Iterator[Event]:
    """Yield the events of native rows: kind, cell, digit, rule, unit, cause, positions, level."""
    for kind, cell, digit, rule, unit, cause, positions, level in rows:
        cells: tuple[int, ...] = (cause,) if cause else ()
        if positions:
            cells = tuple(c for p, c in enumerate(UNITS[unit - 1]) if positions >> p & 1)
        yield Event(KINDS[kind], cell, digit, RULES[rule], unit, cells, level)


def group_of(event: Event) -> tuple[str, int, tuple[int, ...], int]:
    """Return the key of a sentence of zeroings: the cell with a value, or the rule, its unit and cells."""
    if event.rule == "theorem1":
        return "cell", event.cause[0], (), 0
    return event.rule, event.unit, event.cause, event.digit if event.rule == "extended" else 0


def groups(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Yield the events of each sentence: zeroings that belong together, or a single event."""
    for _, group in groupby(events, lambda event: group_of(event) if event.kind == "zero" else event):
        yield list(group)


class State:
    """The arrays of the method, which events change.

    Parameters
    ----------
    givens : bytes
        81 values 0..9, 0 for an open cell.

    Attributes
    ----------
    NA : numpy.ndarray, uint8[81]
        ``NA[I - 1]``: value of cell I, 0 while it is open.
    NAK : numpy.ndarray, uint8[9, 81]
        ``NAK[MNK - 1, I - 1]``: MNK while that value is possible in cell I, otherwise 0.
    MMK : numpy.ndarray, uint8[81]
        Number of components of cell I that are not 0; 1 for a cell with a value.
    KH : numpy.ndarray, uint16[81]
        Order in which the cells got their values: the givens 1, 2, … row by row, then each conversion or
        preset; 0 while the cell is open.
    why : numpy.ndarray, int32[9, 81]
        First cause of each zero: number (from 1) of the event that zeroed the component, -1 where the cell
        is a given (it never had the component), 0 for a component that is not 0.
    level : int
        Number of presets in effect.

    """

    def __init__(self, givens: bytes) -> None:
        values = np.frombuffer(givens, np.uint8).copy()
        digits, filled = np.arange(1, 10, dtype=np.uint8)[:, None], values != 0
        self.NA = values
        self.NAK = np.where(filled & (digits != values), np.uint8(0), digits)
        self.MMK = np.where(filled, 1, 9).astype(np.uint8)
        self.KH = np.where(filled, np.cumsum(filled), 0).astype(np.uint16)
        self.why = np.where(self.NAK == 0, -1, 0).astype(np.int32)
        self.level = 0
        self._snapshots: list[tuple[NDArray[Any], ...]] = []

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return self.NA, self.NAK, self.MMK, self.KH, self.why

    def components(self, cell: int) -> tuple[int, ...]:
        """Return the values still possible in a cell, ascending."""
        return tuple(int(d) for d in self.NAK[:, cell - 1] if d)

    def places(self, unit: int, digit: int) -> tuple[int, ...]:
        """Return the cells of a unit that still have this component, ascending."""
        return tuple(c for c in UNITS[unit - 1] if self.NAK[digit - 1, c - 1])

    def drawn_state(self) -> tuple[bytes, bytes, dict[int, tuple[int, ...]]]:
        """Values, givens and components by cell 0 to 80, as `unidoku.view.svg` draws them."""
        is_given = (self.why == -1).any(axis=0)  # a given has no other components from the start
        components = {cell: self.components(cell + 1) for cell in range(81) if not self.NA[cell]}
        return self.NA.tobytes(), (self.NA * is_given).tobytes(), components

    def _repr_svg_(self) -> str:
        """Return the picture for notebooks."""
        return view("svg.svg", self, size=360)

    def apply(self, event: Event, number: int) -> None:
        """Apply an event; its number in the record, from 1, becomes the cause in `why`."""
        cell, digit = event.cell - 1, event.digit
        match event.kind:
            case "convert" | "preset":
                if event.kind == "preset":
                    self._snapshots.append(tuple(array.copy() for array in self._arrays()))
                    self.level += 1
                self.NA[cell] = digit
                self.KH[cell] = self.KH.max() + 1
                self._zero((self.NAK[:, cell] != 0) & (self.NAK[:, cell] != digit), cell, number)
            case "retract":
                for array, old in zip(self._arrays(), self._snapshots.pop(), strict=True):
                    array[...] = old
                self.level -= 1
                self._zero(digit - 1, cell, number)
            case "zero":
                self._zero(digit - 1, cell, number)
        if event.cell:
            value = self.NA[cell]
            self.MMK[cell] = self.NAK[value - 1, cell] > 0 if value else np.count_nonzero(self.NAK[:, cell])

    def _zero(self, components: Any, cell: int, number: int) -> None:
        self.NAK[components, cell] = 0
        self.why[components, cell] = number
