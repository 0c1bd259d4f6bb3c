"""Events of a step-by-step search, as immutable values.

Every line that SudokuSolver 2.6 prints about a search belongs to one event.  It prints nothing for some
events ("not printed" below).  `unidoku.stepper.report` produces the text.

Cells are numbers 0..80, row by row, and ``"r4c2"`` in JSON; houses are ``"row 3"``, ``"column 7"``,
``"box 1"``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from unidoku._native import steps as native
from unidoku.cell import HOUSE_NAMES, cell_name, digits_of
from unidoku.grid import Grid

if TYPE_CHECKING:
    from unidoku._native.steps import Entry, StepSearch

__all__ = [
    "CellCandidates",
    "CompleteShrink",
    "Consequence",
    "Contradiction",
    "Event",
    "FilterAgain",
    "ForwardGuess",
    "GuessAsked",
    "GuessLevel",
    "GuessMade",
    "IncompleteShrink",
    "LevelsShown",
    "LineShrink",
    "Loss",
    "Mark",
    "NoMoreSolution",
    "NoShrink",
    "Peak",
    "QuizLoaded",
    "RunEnded",
    "SinglePlaced",
    "SinglesPlaced",
    "SolutionFound",
    "Started",
    "StateShown",
    "UpwardGuess",
    "WentWrong",
    "WhyShown",
]


def cell_text(cell: int) -> str:
    """Return a cell 0..80 as the program prints it: ``[1,1]`` to ``[9,9]``."""
    return f"[{cell // 9 + 1},{cell % 9 + 1}]"


class Mark(NamedTuple):
    """A cell and a digit: a candidate, or the only candidate that remains."""

    cell: int
    digit: int


class CellCandidates(NamedTuple):
    """The candidates of an empty cell, ascending."""

    cell: int
    digits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GuessLevel:
    """One level of the guess stack."""

    level: int
    """Number of the level, from 1 for the oldest."""
    cell: int
    digit: int
    """The value under trial."""
    position: int
    """Position of the digit among the candidates of the cell, from 1, in trial order."""
    count: int
    """Number of candidates of the cell."""


class Peak(NamedTuple):
    """The biggest guess level at which a value was placed; all 0 if nothing was guessed."""

    level: int
    step: int
    """The step counter when a value was first placed at this level."""
    times: int
    """How often the search came to this level from below."""


@dataclass(frozen=True, slots=True)
class Event:
    """Base class of all events.

    Attributes
    ----------
    step : int
        The step counter at the time of the event.
    level : int
        The guess level.
    kind : str
        Name of the event class in JSON.
    """

    kind: ClassVar[str] = ""

    step: int
    level: int

    def __init_subclass__(cls, kind: str = "") -> None:
        cls.kind = kind or cls.kind  # dataclass makes a class with slots anew, without the name

    def as_dict(self) -> dict[str, Any]:
        """Return the event as a JSON object, with its kind and with cells as ``r4c2``."""
        values = {field.name: _plain(field.name, getattr(self, field.name)) for field in fields(self)[2:]}
        return {"step": self.step, "kind": self.kind, "level": self.level, **values}

    def json_line(self) -> str:
        """Return `as_dict` as JSON without blanks."""
        return json.dumps(self.as_dict(), separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Started(Event, kind="started"):
    """The candidates of all empty cells were computed (not printed)."""


@dataclass(frozen=True, slots=True)
class SinglePlaced(Event, kind="single"):
    """A cell with one candidate is filled; the step is counted at the end of the pass (not printed)."""

    cell: int
    digit: int


@dataclass(frozen=True, slots=True)
class SinglesPlaced(Event, kind="singles"):
    """A pass over all cells with one candidate succeeded (not printed)."""

    placed: int
    """Number of cells filled."""


@dataclass(frozen=True, slots=True)
class CompleteShrink(Event, kind="complete_shrink"):
    """In one house, each cell that is the only place of a digit keeps only this digit."""

    house: str
    cuts: tuple[Mark, ...]
    """Cells in house order, each with the candidate that it keeps."""


@dataclass(frozen=True, slots=True)
class IncompleteShrink(Event, kind="incomplete_shrink"):
    """A subset (as many cells as digits) removed candidates from a house."""

    house: str
    way: str
    """``"1GW"`` equal sets of candidates, ``"2GW"`` equal sets of places, ``"3GW"`` a union."""
    cells: tuple[int, ...]
    digits: tuple[int, ...]
    removed: tuple[Mark, ...]
    """Cells in house order, digits ascending."""


@dataclass(frozen=True, slots=True)
class LineShrink(Event, kind="line_shrink"):
    """Ply: in a row or column, some digits fit only into the cells of one box (not printed)."""

    house: str
    policy: int
    """1: both other boxes contain the digits; 2: one does, and the line's part of the other is full."""
    cells: tuple[int, ...]
    digits: tuple[int, ...]
    removed: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class FilterAgain(Event, kind="filter_again"):
    """Ply removed candidates, so the filter restarts."""


@dataclass(frozen=True, slots=True)
class Contradiction(Event, kind="contradiction"):
    """A filter found a contradiction (not printed)."""

    house: str
    digit: int | None
    """The digit without a place in the house; None where ply found more digits than cells."""


@dataclass(frozen=True, slots=True)
class NoShrink(Event, kind="no_shrink"):
    """A filter removed nothing (printed on request only)."""


@dataclass(frozen=True, slots=True)
class WentWrong(Event, kind="went_wrong"):
    """Placing a digit would have removed the last candidate of a cell."""

    house: str
    """The house under scan."""
    cell: int
    digit: int


@dataclass(frozen=True, slots=True)
class GuessAsked(Event, kind="guess_asked"):
    """The user is asked for a guess; the default is the first candidate of the foremost cell."""

    cell: int
    digit: int


@dataclass(frozen=True, slots=True)
class _Guess(Event):
    cell: int
    digit: int
    position: int
    """Position of the digit among the candidates of the cell, from 1."""
    count: int
    """Number of candidates of the cell."""


@dataclass(frozen=True, slots=True)
class GuessMade(_Guess, kind="guess"):
    """A new guess level was opened."""


@dataclass(frozen=True, slots=True)
class ForwardGuess(_Guess, kind="forward_guess"):
    """The newest level tries its next candidate."""


@dataclass(frozen=True, slots=True)
class UpwardGuess(_Guess, kind="upward_guess"):
    """Exhausted levels were dropped; an older level tries its next candidate."""


@dataclass(frozen=True, slots=True)
class SolutionFound(Event, kind="solution"):
    """The grid is full (not printed: `StateShown` reports it)."""

    solution_sum: int
    """Solutions so far, including this one."""
    grid: str
    """81 digits."""


@dataclass(frozen=True, slots=True)
class NoMoreSolution(Event, kind="no_more_solution"):
    """All guesses have been tried."""

    solution_sum: int


@dataclass(frozen=True, slots=True)
class StateShown(Event, kind="state"):
    """The state at the end of an order."""

    state: str
    """``"loaded"``, ``"valid"``, ``"fine"`` (a solution was just found) or ``"invalid"`` (exhausted)."""
    grid: str
    """81 characters, ``.`` for an empty cell."""
    candidates: tuple[CellCandidates, ...]
    """Candidates of every empty cell, in order; empty before the first step."""
    foremost: int | None
    """The first of the cells with fewest candidates, while the state is valid."""
    guess: GuessLevel | None
    """The newest guess level."""
    solution_sum: int


@dataclass(frozen=True, slots=True)
class LevelsShown(Event, kind="levels"):
    """The guess stack."""

    levels: tuple[GuessLevel, ...]
    """The oldest first."""
    peak: Peak
    """The biggest guess level since the puzzle was loaded."""


@dataclass(frozen=True, slots=True)
class RunEnded(Event, kind="run_ended"):
    """Time and guess levels of a run."""

    milliseconds: int
    solution_sum: int
    biggest_level: int
    """The biggest guess level at which this run placed a value."""
    peak: Peak
    """This level, and when it was reached."""


class Loss(NamedTuple):
    """A candidate that was lost since the guess, and why."""

    cell: int
    digit: int
    by: int
    """The link that took it, as its number from 1; 0 is the guess."""


class Consequence(NamedTuple):
    """A link of the chain from a guess to a contradiction."""

    round: int
    """1 if the guess is the only reason, otherwise one more than the latest of its reasons."""
    kind: str
    """The event: ``"single"``, ``"complete_shrink"``, ``"incomplete_shrink"``, ``"line_shrink"``."""
    house: str | None
    """The house of a shrink."""
    cells: tuple[int, ...]
    digits: tuple[int, ...]
    """The digit of the cell; for an incomplete shrink, the digits that fit nowhere else or only fit there."""
    losses: tuple[Loss, ...]
    """The reasons: what the cells, or the other cells of the house, have lost."""


@dataclass(frozen=True, slots=True)
class WhyShown(Event, kind="why"):
    """The chain from a guess to the contradiction that refuted it, with the step of the contradiction."""

    guess: GuessLevel | None
    """None if the quiz itself is contradictory."""
    links: tuple[Consequence, ...]
    """By round; without fills that the contradiction does not need."""
    cells: tuple[int, ...]
    """The cell left without a candidate, after the one that took its last; empty for a house."""
    digit: int | None
    """The last candidate, or the digit without a place in the house; None for more digits than cells."""
    house: str | None
    losses: tuple[Loss, ...]
    """The reasons: what the cell, or the cells of the house, have lost before."""


@dataclass(frozen=True, slots=True)
class QuizLoaded(Event, kind="quiz_loaded"):
    """A quiz was loaded into the console."""

    grid: str
    """81 characters, ``.`` for an empty cell."""


_EVENTS: dict[int, type[Event]] = {
    native.STARTED: Started,
    native.SINGLE: SinglePlaced,
    native.PASSED: SinglesPlaced,
    native.COMPLETE: CompleteShrink,
    native.INCOMPLETE: IncompleteShrink,
    native.LINE: LineShrink,
    native.AGAIN: FilterAgain,
    native.CONTRADICTION: Contradiction,
    native.FRUITLESS: NoShrink,
    native.FAILED: WentWrong,
    native.GUESS: GuessMade,
    native.FORWARD: ForwardGuess,
    native.UPWARD: UpwardGuess,
    native.SOLUTION: SolutionFound,
    native.EXHAUSTED: NoMoreSolution,
}
NATIVE = tuple(map(_EVENTS.__getitem__, range(native.ENTRIES)))
"""The events by the codes of the native engine."""

_CELLS = {"cell", "cells", "foremost"}
"""Fields whose values are cells."""


def _plain(name: str, value: Any) -> Any:
    """Return the value of a field for JSON; a field name means the same in every event."""
    if isinstance(value, (Mark, CellCandidates, GuessLevel, Peak, Consequence, Loss)):
        parts = asdict(value) if isinstance(value, GuessLevel) else value._asdict()
        return {key: _plain(key, part) for key, part in parts.items()}
    if isinstance(value, tuple):
        return [_plain(name, item) for item in value]
    if name in _CELLS and value is not None:
        return cell_name(value)
    return value


def _marks_of(_: StepSearch, entry: Entry) -> tuple[Mark, ...]:
    return tuple(
        Mark(cell, digit)
        for cell, bits in zip(entry.cells, entry.sets, strict=True)
        for digit in digits_of(bits)
    )


def _cells_of(_: StepSearch, entry: Entry) -> tuple[int, ...]:
    return tuple(cell for place, cell in enumerate(entry.cells) if entry.chosen >> place & 1)


# How a field of an event is read; a field name means the same in every event.
_VALUES: dict[str, Callable[[StepSearch, Entry], Any]] = {
    "cell": lambda _, entry: entry.cell,
    "cells": _cells_of,
    "count": lambda _, entry: entry.total,
    "cuts": _marks_of,
    "digit": lambda _, entry: entry.value or None,
    "digits": lambda _, entry: digits_of(entry.digits),
    "grid": lambda search, _: Grid(search.cells()).line,
    "house": lambda _, entry: HOUSE_NAMES[entry.house],
    "placed": lambda _, entry: entry.total,
    "policy": lambda _, entry: entry.way,
    "position": lambda _, entry: entry.position,
    "removed": _marks_of,
    "solution_sum": lambda search, _: search.solutions,
    "way": lambda _, entry: f"{entry.way}GW",
}
_READERS: list[tuple[Callable[..., Event], list[Callable[[StepSearch, Entry], Any]]]] = [
    (event, [_VALUES[field.name] for field in fields(event)[2:]]) for event in NATIVE
]


def read_events(search: StepSearch) -> list[Event]:
    """Return the events logged since the last call.

    A solution must be the last event: its grid is read from the current state of the search.
    """
    events = []
    for entry in search.drain():
        event, values = _READERS[entry.kind]
        events.append(event(entry.step, entry.level, *[value(search, entry) for value in values]))
    return events
