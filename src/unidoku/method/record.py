"""The record of a puzzle: all events, with their replay; what of it proves a contradiction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unidoku.arguments import whole
from unidoku.errors import UnidokuError
from unidoku.grid import Grid
from unidoku.method.state import UNITS, Event, State, decode, drawn_cells, groups
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray


CONVERSIONS = ("theorem2", "theorem3", "theorem4")
"""The rules of conversion, as the keys of `Record.conversions`."""
ZEROINGS = ("own", "theorem1", "extended", "subset")
"""The rules of zeroing, as the keys of `Record.zeroings`."""

OUTCOMES = ("solved", "stuck", "contradiction")
"""How a run ends, by the status of the native engine."""
SOLVED, STUCK, CONTRADICTION = range(3)


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

    theorems: tuple[int, int, int] = (4, 2, 3)
    units: tuple[str, str, str] = ("row", "column", "box")
    sweep: bool = False
    extended: bool = True
    subsets: bool = True

    def __post_init__(self) -> None:
        if sorted(self.theorems) != [2, 3, 4]:
            raise UnidokuError(f"theorems must be 2, 3 and 4 in some order, not {self.theorems}")
        if sorted(self.units) != ["box", "column", "row"]:
            raise UnidokuError(f"units must be row, column and box in some order, not {self.units}")

    @property
    def native(self) -> tuple[bytes, bytes, bool, bool, bool]:
        """The order in the form of the native engine."""
        kinds = bytes(("row", "column", "box").index(unit) for unit in self.units)
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


class Record:
    """All events of the method on one puzzle.

    Parameters
    ----------
    puzzle, order, verdict
        See the attributes.
    run : tuple
        The result of ``unidoku.native.method.trace``.

    Attributes
    ----------
    puzzle : Grid
        The givens.
    rows : numpy.ndarray, int16[n, 8]
        The events as the native engine writes them (see `unidoku.method.state.decode`); read-only.
    order : Order
        The order of work.
    verdict : Verdict
        Whether the puzzle has no, one or several solutions.
    outcome : str
        ``solved``; ``stuck`` if only (further) presets could continue; ``contradiction`` if the puzzle has no
        solution.
    solution : Grid or None
        The solution, if it was reached.
    conversions : dict of str to int
        Conversions by ``theorem2``, ``theorem3``, ``theorem4``.
    zeroings : dict of str to int
        Components zeroed by ``own``, ``theorem1``, ``extended``, ``subset``.
    saved : int
        Zeroings that theorem 4 saved: components of the ninth cell of a unit that were not yet zeroed.
    presets : int
        Presets on the way from the givens to the result, kept or retracted; presets inside a retracted preset
        do not count. 0 if the result was not reached.
    presets_made, presets_taken_back : int
        Number of all presets, and of all retracted presets.
    deepest_level : int
        Largest number of presets in effect at the same time.
    rounds : int
        Number of rounds; a round is zeroing and conversion until nothing converts.
    """

    def __init__(
        self,
        puzzle: Grid,
        order: Order,
        verdict: Verdict,
        run: tuple[int, bytes, bytes, dict[str, int]],
    ) -> None:
        status, values, rows, totals = run
        self.rows = np.frombuffer(rows, np.int16).reshape(-1, 8)
        self.puzzle = puzzle
        self.order = order
        self.verdict = verdict
        self.outcome = OUTCOMES[status]
        self.solution = Grid(values) if self.outcome == "solved" else None
        self.conversions = {name: totals[name] for name in CONVERSIONS}
        self.zeroings = {name: totals[name] for name in ZEROINGS}
        self.saved = totals["saved"]
        self.presets_made, self.presets_taken_back = totals["presets_made"], totals["presets_taken_back"]
        self.deepest_level, self.rounds = totals["deepest_level"], totals["rounds"]
        self.presets = totals["presets"] if self.outcome == "solved" else 0

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """All events in order; event n is ``events[n - 1]``."""
        return tuple(decode(self.rows.tolist()))

    @property
    def difficulty(self) -> int | None:
        """The class 1..4, as in `Classification`; None if the puzzle is not proper."""
        if self.verdict is not Verdict.UNIQUE:
            return None
        if self.outcome != "solved" or self.presets_made:
            return 4
        return 3 if self.zeroings["subset"] else 2 if self.zeroings["extended"] else 1

    def replay(self) -> Replay:
        """Return a replay at its beginning, after the expansion."""
        return Replay(self)

    def after(self, step: int) -> Replay:
        """Return a replay after a step, see `step_ends`: -1 or the number of a later step is the end."""
        replay, ends = self.replay(), self.step_ends
        replay.seek(ends[max(-len(ends), min(step, len(ends) - 1))])
        return replay

    def state(self, number: int | None = None) -> State:
        """Return the arrays after an event.

        Parameters
        ----------
        number : int, optional
            Number of the event from 1; 0 is the expansion. Default: the last event.

        Returns
        -------
        State

        Raises
        ------
        IndexError
            There is no such event.
        """
        replay = self.replay()
        replay.seek(len(self.events) if number is None else number)
        return replay.state

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

    def matrices(self, step: int | None = None) -> Matrices:
        """Return the matrices NA, KH, MMK and NAK after a step.

        Parameters
        ----------
        step : int, optional
            0 to ``len(record.step_ends) - 1``, see `step_ends`; negative numbers count from the end, which is
            the default.

        Returns
        -------
        Matrices
            Copies.

        Raises
        ------
        IndexError
            There is no such step.
        """
        ends = self.step_ends
        try:
            end = ends[-1 if step is None else step]
        except IndexError:
            raise IndexError(f"step {step} of {len(ends) - 1}") from None
        return _matrices(self.state(end))

    def as_dict(self, *, matrices: bool = False) -> dict[str, object]:
        """Return the record as a JSON object: ``puzzle``, ``solution``, ``class``, ``presets``, ``events``.

        Parameters
        ----------
        matrices : bool, optional
            Also ``steps``: for each step the number of its last event, ``event``, and the matrices after it.

        Returns
        -------
        dict
        """
        found: dict[str, Any] = {
            "puzzle": self.puzzle.line,
            "solution": self.solution.line if self.solution else None,
            "class": self.difficulty,
            "presets": self.presets,
            "events": [event.as_dict() for event in self.events],
        }
        if matrices:
            replay, found["steps"] = self.replay(), []
            for end in self.step_ends:
                replay.seek(end)
                arrays = _matrices(replay.state)._asdict()
                lists = {name: array.tolist() for name, array in arrays.items()}
                found["steps"].append({"event": end, **lists})
        return found

    def _repr_svg_(self) -> str:
        """Return the picture for notebooks: the last state."""
        return self.state()._repr_svg_()

    def __repr__(self) -> str:
        return f"<Record of {self.puzzle.line}: {self.outcome}, {len(self.rows)} events>"


def _matrices(state: State) -> Matrices:
    na, kh, mmk = (array.reshape(9, 9).copy() for array in (state.NA, state.KH, state.MMK))
    return Matrices(na, kh, mmk, state.NAK.T.reshape(9, 9, 9).copy())


class Replay:
    """Replays a record; ``state`` holds the arrays at the current position.

    Attributes
    ----------
    record : Record
        The record to replay.
    state : State
        NA, NAK, MMK and KH after ``position`` events.
    position : int
        Number of events applied.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.state = State(record.puzzle.cells)
        self.position = 0

    def __repr__(self) -> str:
        number, filled = len(self.record.events), int((self.state.NA != 0).sum())
        return (
            f"<Replay of {self.record.puzzle.line}: event {self.position} of {number}, {filled} cells filled>"
        )

    def forward(self) -> Event | None:
        """Apply the next event and return it; None at the end."""
        if self.position == len(self.record.events):
            return None
        event = self.record.events[self.position]
        self.position += 1
        self.state.apply(event, self.position)
        return event

    def seek(self, number: int) -> None:
        """Go to the state after an event; to go back, a new `state` is built from the beginning.

        Parameters
        ----------
        number : int
            Number of the event from 1; 0 is the beginning.

        Raises
        ------
        IndexError
            There is no such event.
        """
        number = index(number)
        if not 0 <= number <= len(self.record.events):
            raise IndexError(f"event {number} of {len(self.record.events)}")
        if number < self.position:
            self.state, self.position = State(self.record.puzzle.cells), 0
        while self.position < number:
            self.forward()

    def __iter__(self) -> Iterator[Event]:
        while (event := self.forward()) is not None:
            yield event

    def mark(self, cell: int, digit: int) -> str:
        """Return the mark of the event that zeroed a component.

        Parameters
        ----------
        cell : int
            1..81.
        digit : int
            1..9.

        Returns
        -------
        str
            Empty for a component that is not 0.

        Raises
        ------
        ValueError
            There is no such cell or digit.
        """
        number = int(self.state.why[whole("digit", digit, 1, 9) - 1, whole("cell", cell, 1, 81) - 1])
        if number == 0:
            return ""
        if number < 0 or self.record.events[number - 1].kind == "convert":
            return "*"
        return self.record.events[number - 1].mark


def needed(record: Record) -> set[int]:
    """Numbers (from 1) of the events that justify the last event of a record, including the last event."""
    events = record.events
    rests_on: list[tuple[int, ...]] = [()]
    replay = record.replay()
    origin = [0] * 82  # event that gave a cell its value
    presets: list[tuple[int, list[int]]] = []
    for number, event in enumerate(events, 1):
        if event.kind == "retract":
            opened, origin = presets.pop()
            rests_on.append((number - 1, opened))
        else:
            rests_on.append(tuple(k for k in _reasons(event, replay, origin) if k > 0))
        if event.kind == "preset":
            presets.append((number, origin[:]))
        if event.kind in {"preset", "convert"}:
            origin[event.cell] = number
        replay.forward()
    found: set[int] = set()
    waiting = [len(events)] if events else []
    while waiting:
        number = waiting.pop()
        if number not in found:
            found.add(number)
            waiting.extend(rests_on[number])
    return found


def _reasons(event: Event, replay: Replay, origin: list[int]) -> Iterator[int]:
    """Numbers of the events that justify the next event; 0 or less for none."""

    def zeros(components: Iterable[tuple[int, int]]) -> Iterator[int]:
        return (int(replay.state.why[digit - 1, cell - 1]) for cell, digit in components)

    cell, digit = event.cell, event.digit
    unit = UNITS[event.unit - 1] if event.unit else ()
    match event.kind, event.rule:
        case "zero", "own":
            yield origin[cell]
        case "zero", "theorem1":
            yield origin[event.cause[0]]
        case "zero", "extended":
            yield from zeros((c, digit) for c in unit if c not in event.cause)
        case "zero", "subset" if cell in event.cause:
            outside = [c for c in unit if c not in event.cause]
            confined = [
                d for d in range(1, 10) if not any(c in outside for c in replay.state.places(event.unit, d))
            ]
            yield from zeros((c, d) for d in confined for c in outside)
        case "zero", "subset":
            yield from zeros((c, d) for c in event.cause for d in range(1, 10))
        case "convert", "theorem2":
            yield from zeros((cell, d) for d in range(1, 10))
        case "convert", "theorem3":
            yield from zeros((c, digit) for c in unit)
        case "convert", "theorem4":
            yield from (origin[c] for c in unit)
        case "contradiction", _:
            # a cell of the unit with another value is excluded even if its zeroing is not done yet
            yield from zeros((c, digit) for c in unit) if unit else zeros((cell, d) for d in range(1, 10))
            yield from (origin[c] for c in unit if replay.state.NAK[digit - 1, c - 1])


def marks_picture(replay: Replay) -> list[str]:
    """Draw the figures of the book: each small cell holds its digit, or the mark of the event that zeroed it.

    A given is written in brackets, another value with the mark of its conversion.
    """
    state = replay.state
    given = replay.record.puzzle.cells
    how = {e.cell: e.mark for e in replay.record.events[: replay.position] if e.kind in {"convert", "preset"}}

    def small(cell: int, digit: int) -> str:
        if digit == state.NA[cell - 1]:
            return f"({digit})" if given[cell - 1] else f"{digit}{how[cell]}"
        return replay.mark(cell, digit) or str(digit)

    return drawn_cells(small, 3)
