"""Records of the method: the book's variables, the events that change them, their replay.

The variables are I, II, JJ, KG, NA, NAK, MMK and KH.

Cells are numbered ``I = 1..81`` row by row: ``II = (I - 1) // 9 + 1`` is the row, and
``JJ = (I - 1) % 9 + 1`` the column. This corrects the book's formula a2 (section 1.1, for I that is not a
multiple of 9), which exchanges rows and columns. Formula a1, for the multiples of 9, and all the examples
agree with the numbers here.

Cells 1, 2, 3, 7 and 9 are in row 1, cell 39 is in column 3, and box 3 consists of cells 7, 8, 9, 16, 17, 18,
25, 26, 27.

Units are numbered 1..27: rows 1..9, columns 10..18, boxes 19..27.

A mark says why a component became zero or how a cell got its value. The book's marks:

- ``I<k>``, ``J<m>``, ``G<n>``: zeroed by the value of cell k, m, n of the same row, column, box
- ``*``: the cell itself got a value
- ``⊙``: theorem 2
- ``⊙I``, ``⊙J``, ``⊙G``: theorem 3

unidoku's marks:

- ``④I``, ``④J``, ``④G``: theorem 4
- ``XI5``, ``XJ2``, ``XG4``: extended rule, by the unit that confines the digit
- ``S``: subset
- ``P1``: preset that opens level 1
- ``R1``: component refuted when that preset is retracted
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from unidoku._arguments import whole_number
from unidoku._compat import cached_property, np, view
from unidoku._native import method as native
from unidoku.cell import HOUSE_NAMES, HOUSES, HOUSES_OF, cell_number
from unidoku.errors import ArgumentError, Message
from unidoku.grid import Grid, PuzzleLike

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.cell import Cell

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
class MethodEvent:
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
        The cells of the rule. Theorem 1: the cell with the value. Extended rule: the cells of the unit that
        still hold the digit. Subset: its cells.
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
        letter = ""
        if self.unit:
            letter = "IJG"[(self.unit - 1) // 9]
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
    def unit_cells(self) -> tuple[int, ...]:
        """The cells 1..81 of its unit; none without one."""
        return UNITS[self.unit - 1] if self.unit else ()

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
        if self.rule in {"extended", "subset"}:
            return self.rule
        return self.kind

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


def decode(rows: Sequence[Sequence[int]]) -> Iterator[MethodEvent]:
    """Yield the events of native rows: kind, cell, digit, rule, unit, cause, positions, level."""
    for kind, cell, digit, rule, unit, cause, positions, level in rows:
        cells: tuple[int, ...] = ()
        if cause:
            cells = (cause,)
        if positions:
            cells = tuple(c for p, c in enumerate(UNITS[unit - 1]) if positions >> p & 1)
        yield MethodEvent(KINDS[kind], cell, digit, RULES[rule], unit, cells, level)


def group_of(event: MethodEvent) -> tuple[str, int, tuple[int, ...], int]:
    """Return the key of a sentence of zeroings: the cell with a value, or the rule, its unit and cells."""
    if event.rule == "theorem1":
        return "cell", event.cause[0], (), 0
    return event.rule, event.unit, event.cause, event.digit if event.rule == "extended" else 0


def groups(events: Iterable[MethodEvent]) -> Iterator[list[MethodEvent]]:
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
        First cause of each zero: number (from 1) of the event that zeroed the component, -1 if the cell is a
        given (it never had the component), 0 for a component that is not 0.
    level : int
        Number of presets in effect.

    """

    __module__ = "unidoku.method"

    level: int

    def __init__(self, givens: bytes) -> None:
        values = np.frombuffer(givens, np.uint8).copy()
        digits, filled = np.arange(1, 10, dtype=np.uint8)[:, None], values != 0
        self.NA = values
        self.NAK = np.where(filled & (digits != values), np.uint8(0), digits)
        self.MMK = np.where(filled, 1, 9).astype(np.uint8)
        self.KH = np.where(filled, np.cumsum(filled), 0).astype(np.uint16)
        self.why: NDArray[np.int32] = np.where(self.NAK == 0, -1, 0).astype(np.int32)
        self.level = 0
        self._snapshots: list[tuple[NDArray[Any], ...]] = []

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return self.NA, self.NAK, self.MMK, self.KH, self.why

    def components(self, cell: Cell) -> tuple[int, ...]:
        """Return the values still possible in a cell, 1..81 or ``"r1c1"`` to ``"r9c9"``, ascending."""
        return tuple(int(d) for d in self.NAK[:, cell_number(cell, first=1)] if d)

    def places(self, unit: int, digit: int) -> tuple[int, ...]:
        """Return the cells of a unit 1..27 that still have this component, ascending."""
        unit, digit = whole_number("unit", unit, 1, 27), whole_number("digit", digit, 1, 9)
        return tuple(c for c in UNITS[unit - 1] if self.NAK[digit - 1, c - 1])

    def drawn_state(self) -> tuple[bytes, bytes, dict[int, tuple[int, ...]]]:
        """Values, givens and components by cell 0 to 80, as `unidoku.view.svg` draws them."""
        is_given = (self.why == -1).any(axis=0)  # a given has no other components from the start
        components = {cell: self.components(cell + 1) for cell in range(81) if not self.NA[cell]}
        return self.NA.tobytes(), (self.NA * is_given).tobytes(), components

    def _repr_svg_(self) -> str:
        """Return the picture for notebooks."""
        return view("svg.svg", self, size=360)

    def apply(self, event: MethodEvent, number: int) -> None:
        """Apply an event; its number in the record, from 1, becomes the cause in `why`."""
        cell, digit = event.cell - 1, event.digit
        if event.kind == "preset":
            self._snapshots.append(tuple(array.copy() for array in self._arrays()))
            self.level += 1
        if event.kind == "retract":
            for array, old in zip(self._arrays(), self._snapshots.pop(), strict=True):
                array[...] = old
            self.level -= 1
        if event.kind in {"convert", "preset"}:
            self.NA[cell] = digit
            self.KH[cell] = self.KH.max() + 1
            self._zero((self.NAK[:, cell] != 0) & (self.NAK[:, cell] != digit), cell, number)
        elif event.kind in {"zero", "retract"}:
            self._zero(digit - 1, cell, number)
        if event.cell:
            self.MMK[cell] = np.count_nonzero(self.NAK[:, cell])

    def _zero(self, components: Any, cell: int, number: int) -> None:
        self.NAK[components, cell] = 0
        self.why[components, cell] = number


_OUTCOMES = {native.SOLVED: "solved", native.STUCK: "stuck", native.CONTRADICTION: "contradiction"}
OUTCOMES = tuple(map(_OUTCOMES.__getitem__, range(native.STATUSES)))
"""How a run ends, by the status of the native engine."""

CONVERSIONS = ("theorem2", "theorem3", "theorem4")
"""The rules of conversion, as the keys of `Record.conversions`."""
ZEROINGS = ("own", "theorem1", "extended", "subset")
"""The rules of zeroing, as the keys of `Record.zeroings`."""

UNIT_KINDS = ("row", "column", "box")
"""The kinds of units; units 1 to 9 are of the first, 10 to 18 of the second, 19 to 27 of the third."""


@dataclass(frozen=True)
class Order:
    """The order of work; all figures published for unidoku use the default.

    Parameters
    ----------
    theorems : tuple of int
        Theorems 2, 3 and 4 in the order in which they are tried. If 4 is first, it is also tried before the
        zeroing by each value, and makes that zeroing unnecessary in the ninth cell (the book, 1.6.5).
    units : tuple of str
        ``row``, ``column`` and ``box`` in the order in which each rule visits them.
    sweep : bool
        After a conversion, continue the search at the same place and restart only at the end. Otherwise
        restart from the beginning after each conversion.
    extended, subsets : bool
        Whether to use the two rules beyond the theorems.

    Examples
    --------
    >>> Order().theorems, Order(theorems=(2, 3, 4), sweep=True).sweep
    ((4, 2, 3), True)
    """

    theorems: tuple[int, ...] = (4, 2, 3)
    units: tuple[str, ...] = UNIT_KINDS
    sweep: bool = False
    extended: bool = True
    subsets: bool = True

    def __post_init__(self) -> None:
        """Refuse other theorems and units."""
        for name, values, choices in (
            ("theorems", self.theorems, (2, 3, 4)),
            ("units", self.units, UNIT_KINDS),
        ):
            if sorted(values, key=str) != sorted(choices):  # the text "2" is no theorem
                text = "{name} must have each of {choices} once, not {values}"
                raise ArgumentError(
                    Message(text, name=name, choices=", ".join(map(str, choices)), values=values)
                )

    @property
    def native(self) -> tuple[bytes, bytes, bool, bool, bool]:
        """The order in the form of the native engine."""
        kinds = bytes(map(UNIT_KINDS.index, self.units))
        return bytes(self.theorems), kinds, self.sweep, self.extended, self.subsets


class Matrices(NamedTuple):
    """The book's variables as matrices (section 1.4).

    Attributes
    ----------
    NA, KH, MMK : numpy.ndarray, uint8[9, 9], uint16[9, 9], uint8[9, 9]
        A value for each cell, by row and column.
    NAK : numpy.ndarray, uint8[9, 9, 9]
        ``NAK[row, column]`` has the nine components of a cell: digit d at place d - 1, or 0.
    """

    NA: NDArray[Any]
    KH: NDArray[Any]
    MMK: NDArray[Any]
    NAK: NDArray[Any]

    @classmethod
    def of(cls, state: State) -> Matrices:
        """Copy the arrays of a state."""
        na, kh, mmk = (array.reshape(9, 9).copy() for array in (state.NA, state.KH, state.MMK))
        return cls(na, kh, mmk, state.NAK.T.reshape(9, 9, 9).copy())


@dataclass(frozen=True)
class Record:
    """All events of the method on one puzzle.

    Attributes
    ----------
    puzzle : str
        The givens: 81 cells, ``.`` for an open one.
    order : Order
        The order of work.
    verdict : str
        ``none``, ``unique`` or ``multiple``; ``unknown`` where presets that were forbidden would tell.
    outcome : str
        ``solved``, ``stuck`` if only (further) presets could continue, or ``contradiction`` if the puzzle has
        no solution.
    solution : str or None
        The solution, if it was reached.
    book_class : int or None
        The class 1 to 4; None if the puzzle does not have exactly one solution.
    conversions : dict of str to int
        Conversions by ``theorem2``, ``theorem3``, ``theorem4``.
    zeroings : dict of str to int
        Components zeroed by ``theorem1``, ``extended`` and ``subset``. ``own`` counts components of cells
        that got their values by theorem 2 or 3 or a preset, in the same event.
    saved : int
        Zeroings that theorem 4 saved: components of the ninth cell of a unit that were not yet zeroed.
    presets : int
        Presets on the way from the givens to the result, kept or retracted; presets inside a retracted preset
        do not count. 0 if the result was not reached.
    presets_made, presets_retracted : int
        Number of all presets, and of all retracted presets.
    deepest_level : int
        Largest number of presets in effect at the same time.
    rounds : int
        Number of rounds; a round is zeroing and conversion until nothing converts.
    events : tuple of MethodEvent
        All events in order; event n is ``events[n - 1]``.

    Examples
    --------
    >>> from unidoku.method import explain
    >>> record = explain("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    >>> record.verdict, record.outcome, record.events[0].kind
    ('unique', 'solved', 'zero')
    """

    puzzle: str
    order: Order
    verdict: str
    outcome: str
    solution: str | None
    book_class: int | None
    conversions: Mapping[str, int]
    zeroings: Mapping[str, int]
    saved: int
    presets: int
    presets_made: int
    presets_retracted: int
    deepest_level: int
    rounds: int
    events: tuple[MethodEvent, ...] = field(repr=False)

    def replay(self, number: int = 0) -> Replay:
        """Return a replay after an event, by its number from 1; at first after the expansion."""
        replay = Replay(self.puzzle, self.events)
        replay.seek(number)
        return replay

    def after(self, step: int) -> Replay:
        """Return a replay after a step, see `step_ends`; -1 is the last one, as in a list."""
        last = len(self.step_ends) - 1
        return self.replay(self.step_ends[whole_number("step", step, -1 - last, last)])

    def first_table(self) -> Replay:
        """Return a replay at the end of the book's table 2.2-A, which is the first part of this record.

        Its events are events of the record: the zeroing by the givens, and each conversion that this zeroing
        justifies without further zeroing, by the rule and in the unit of the record. The zeroing of other
        cells by these conversions is not in it yet. A component that such a conversion zeroes in its own cell
        may therefore have been zeroed by another value in the record.
        """
        end = 0  # the number of the last zeroing by a given; theorem 4 may convert a cell before it
        for number, event in enumerate(self.events, 1):
            if event.rule == "theorem1":
                if self.puzzle[event.cause[0] - 1] == ".":
                    break
                end = number
        replay = self.replay(end)
        conversions = []
        for event in self.events[end:]:
            if event.kind in {"preset", "contradiction"}:
                break
            if event.kind == "convert" and _is_justified(event, replay.state):
                conversions.append(event)
        replay.events = (*self.events[:end], *conversions)
        replay.seek(len(replay.events))
        return replay

    def state(self, number: int | None = None) -> State:
        """Return the arrays after an event, by its number from 1; 0 is the expansion, and None the end."""
        return self.replay(len(self.events) if number is None else number).state

    @cached_property
    def step_ends(self) -> tuple[int, ...]:
        """Number of the last event of each step.

        Step 0 is the zeroing by the givens. Each other step is a conversion, an extended zeroing, a subset, a
        preset, a contradiction or a retraction, with the zeroing that follows it.
        """
        ends, number = [], 0
        for group in groups(self.events):
            if group[0].sentence != "zero":
                ends.append(number)
            number += len(group)
        return (*ends, number)

    def matrices(self, step: int = -1) -> Matrices:
        """Copy the matrices NA, KH, MMK and NAK after a step, as for `after`; by default the last one."""
        return Matrices.of(self.after(step).state)

    def as_dict(self, *, matrices: bool = False) -> dict[str, Any]:
        """Return the JSON object of ``explain --to json``.

        With `matrices`, ``steps`` has for each step the number of its last event and the matrices after it.
        """
        data: dict[str, Any] = {
            "puzzle": self.puzzle,
            "solution": self.solution,
            "book_class": self.book_class,
            "presets": self.presets,
            "events": [event.as_dict() for event in self.events],
        }
        if matrices:
            replay, data["steps"] = self.replay(), []
            for end in self.step_ends:
                replay.seek(end)
                arrays = Matrices.of(replay.state)._asdict()
                lists = {name: array.tolist() for name, array in arrays.items()}
                data["steps"].append({"event": end, **lists})
        return data

    def _repr_svg_(self) -> str:
        """Return the picture for notebooks: the last state."""
        return self.state()._repr_svg_()


def _is_justified(conversion: MethodEvent, state: State) -> bool:
    """Test whether a state justifies a conversion, by its rule and in its unit."""
    cell, digit = conversion.cell, conversion.digit
    if conversion.rule == "theorem2":
        return state.components(cell) == (digit,)
    if conversion.rule == "theorem3":
        return state.places(conversion.unit, digit) == (cell,)
    return all(state.NA[peer - 1] for peer in UNITS[conversion.unit - 1] if peer != cell)


class Replay:
    """Replays the events of a record; `state` has the arrays after `position` events.

    Examples
    --------
    >>> from unidoku.method import explain
    >>> record = explain("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    >>> Replay(record.puzzle, record.events).position
    0
    """

    __module__ = "unidoku.method"

    state: State
    position: int

    def __init__(self, puzzle: PuzzleLike, events: tuple[MethodEvent, ...]) -> None:
        self.puzzle: Grid = Grid(puzzle)
        self.events = events
        self.state = State(self.puzzle.cells)
        self.position = 0

    def forward(self) -> MethodEvent | None:
        """Apply the next event and return it; None at the end."""
        if self.position == len(self.events):
            return None
        event = self.events[self.position]
        self.position += 1
        self.state.apply(event, self.position)
        return event

    def seek(self, number: int) -> None:
        """Go to the state after an event, by its number from 1; to go back, a new `state` is built."""
        if not 0 <= number <= len(self.events):
            raise IndexError(f"there is no event {number}; the record has {len(self.events)}")
        if number < self.position:
            self.state, self.position = State(self.puzzle.cells), 0
        while self.position < number:
            self.forward()

    def __iter__(self) -> Iterator[MethodEvent]:
        while (event := self.forward()) is not None:
            yield event

    def mark(self, cell: Cell, digit: int) -> str:
        """Return the mark of the event that zeroed a component; an empty text for one that is not 0.

        The cell is 1..81, or ``"r1c1"`` to ``"r9c9"``.
        """
        number = int(self.state.why[whole_number("digit", digit, 1, 9) - 1, cell_number(cell, first=1)])
        if number == 0:
            return ""
        if number > 0 and self.events[number - 1].kind in {"zero", "retract"}:
            return self.events[number - 1].mark
        return "*"

    def conversions(self) -> dict[int, MethodEvent]:
        """Return the conversion or preset in effect at the current position for each converted cell."""
        events = self.events[: self.position]
        latest = {event.cell: event for event in events if event.kind in {"convert", "preset"}}
        return {cell: event for cell, event in latest.items() if self.state.NA[cell - 1]}
