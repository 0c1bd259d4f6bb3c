"""Records of the method: all events of a puzzle, their replay, the matrices after each step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from unidoku.arguments import one_of
from unidoku.errors import Message, UnidokuError
from unidoku.grid import Grid, PuzzleLike
from unidoku.method.state import UNITS, Event, State, groups
from unidoku.native import method as native

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
            for value in values:
                one_of(name, value, choices)
            if sorted(map(str, values)) != sorted(map(str, choices)):
                raise UnidokuError(
                    Message(
                        "{name} must have each of {choices} once, not {values}",
                        name=name,
                        choices=", ".join(map(str, choices)),
                        values=values,
                    )
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
        ``solved``; ``stuck`` if only (further) presets could continue; ``contradiction`` if the puzzle has no
        solution.
    solution : str or None
        The solution, if it was reached.
    difficulty : int or None
        The class 1 to 4, as in `classify_many`; None if the puzzle does not have exactly one solution.
    conversions : dict of str to int
        Conversions by ``theorem2``, ``theorem3``, ``theorem4``.
    zeroings : dict of str to int
        Components zeroed by ``theorem1``, ``extended``, ``subset``; ``own`` are those of cells that got their
        values by theorem 2 or 3 or a preset, in the same event.
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
    events : tuple of Event
        All events in order; event n is ``events[n - 1]``.
    """

    puzzle: str
    order: Order
    verdict: str
    outcome: str
    solution: str | None
    difficulty: int | None
    conversions: Mapping[str, int]
    zeroings: Mapping[str, int]
    saved: int
    presets: int
    presets_made: int
    presets_retracted: int
    deepest_level: int
    rounds: int
    events: tuple[Event, ...] = field(repr=False)

    def replay(self, number: int = 0) -> Replay:
        """Return a replay after an event, by its number from 1; at first after the expansion."""
        replay = Replay(self.puzzle, self.events)
        replay.seek(number)
        return replay

    def after(self, step: int) -> Replay:
        """Return a replay after a step, see `step_ends`: -1 or the number of a later step is the end."""
        ends = self.step_ends
        return self.replay(ends[max(-len(ends), min(step, len(ends) - 1))])

    def first_table(self) -> Replay:
        """Return a replay at the end of the book's table 2.2-A, which is the first part of this record.

        Its events are events of the record: the zeroing by the givens, and each conversion that this zeroing
        alone justifies, by the rule and in the unit of the record. The zeroing of other cells by these
        conversions is not in it yet; so a component that such a conversion zeroes in its own cell may have
        been zeroed by another value in the record.
        """
        end = self._end_of_givens()
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

    def _end_of_givens(self) -> int:
        """Return the number of the last zeroing by a given; theorem 4 may convert a cell before it."""
        number = 0
        for k, event in enumerate(self.events, 1):
            if event.rule == "theorem1":
                if self.puzzle[event.cause[0] - 1] == ".":
                    break
                number = k
        return number

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
            "class": self.difficulty,
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


def _is_justified(conversion: Event, state: State) -> bool:
    """Test whether a state justifies a conversion, by its rule and in its unit."""
    cell, digit = conversion.cell, conversion.digit
    if conversion.rule == "theorem2":
        return state.components(cell) == (digit,)
    if conversion.rule == "theorem3":
        return state.places(conversion.unit, digit) == (cell,)
    return all(state.NA[peer - 1] for peer in UNITS[conversion.unit - 1] if peer != cell)


class Replay:
    """Replays the events of a record; `state` has the arrays after `position` events."""

    def __init__(self, puzzle: PuzzleLike, events: tuple[Event, ...]) -> None:
        self.puzzle = Grid(puzzle)
        self.events = events
        self.state = State(self.puzzle.cells)
        self.position = 0

    def forward(self) -> Event | None:
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
            raise IndexError(f"event {number} of {len(self.events)}")
        if number < self.position:
            self.state, self.position = State(self.puzzle.cells), 0
        while self.position < number:
            self.forward()

    def __iter__(self) -> Iterator[Event]:
        while (event := self.forward()) is not None:
            yield event

    def mark(self, cell: int, digit: int) -> str:
        """Return the mark of the event that zeroed a component; an empty text for one that is not 0."""
        number = int(self.state.why[digit - 1, cell - 1])
        if number == 0:
            return ""
        event = self.events[number - 1] if number > 0 else None
        return event.mark if event and event.kind in {"zero", "retract"} else "*"

    def conversions(self) -> dict[int, Event]:
        """Return the conversion or preset in effect at the current position for each converted cell."""
        events = self.events[: self.position]
        latest = {event.cell: event for event in events if event.kind in {"convert", "preset"}}
        return {cell: event for cell, event in latest.items() if self.state.NA[cell - 1]}
