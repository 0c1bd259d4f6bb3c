"""What happens in a step-by-step search, as values.

Every line that SudokuSolver 2.6 prints belongs to one event; some events are silent there (a placed
single, a filter that found nothing). `unidoku.stepper.report` makes the text.

Cells are `Cell` (row and column from 1, as the program prints them); houses are ``"row 3"``,
``"column 7"``, ``"box 1"``. In JSON a cell is its number 1..81, row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple

from unidoku.errors import FormatError

__all__ = [
    "KINDS",
    "Cell",
    "CellCandidates",
    "CompleteShrink",
    "Contradiction",
    "Event",
    "FilterAgain",
    "ForwardGuess",
    "GuessAsked",
    "GuessLevel",
    "GuessMade",
    "GuessModeShown",
    "IncompleteShrink",
    "LevelsShown",
    "LineShrink",
    "Mark",
    "NoMoreSolution",
    "NoShrink",
    "OrdersShown",
    "QuizLoaded",
    "QuizRefused",
    "RunEnded",
    "RunModeShown",
    "SinglePlaced",
    "SinglesPlaced",
    "SolutionFound",
    "Started",
    "StateShown",
    "UpwardGuess",
    "WentWrong",
    "from_json",
]


class Cell(NamedTuple):
    """A cell by its row and column, both 1..9."""

    row: int
    column: int

    @property
    def number(self) -> int:
        """1..81, row by row."""
        return 9 * (self.row - 1) + self.column

    @classmethod
    def of_number(cls, number: int) -> Cell:
        """The cell of a number 1..81."""
        if not 1 <= number <= 81:
            raise FormatError(f"a cell is 1 to 81, not {number}")
        return cls((number - 1) // 9 + 1, (number - 1) % 9 + 1)

    def __str__(self) -> str:
        return f"[{self.row},{self.column}]"


class Mark(NamedTuple):
    """A digit of a cell: a candidate, or the value it is cut to."""

    cell: Cell
    digit: int


class CellCandidates(NamedTuple):
    """The candidates of an empty cell, ascending."""

    cell: Cell
    digits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GuessLevel:
    """One level of the guess stack."""

    level: int
    """From 1, the oldest."""
    cell: Cell
    digit: int
    """The value that is being tried."""
    position: int
    """Its place among the candidates of the cell, from 1, in the order in which they are tried."""
    count: int
    """How many candidates the cell has."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened.

    Attributes
    ----------
    step : int
        The step counter as it stood.
    level : int
        The guess level.
    kind : str
        The name of the event in JSON; one for each class.
    """

    kind: ClassVar[str] = ""

    step: int
    level: int

    def to_json(self) -> dict[str, Any]:
        """The event as a dictionary of plain values, for ``json.dumps``; see `from_json`."""
        plain: dict[str, Any] = {"step": self.step, "kind": self.kind, "level": self.level}
        for field in fields(self)[2:]:
            plain[field.name] = _plain(getattr(self, field.name))
        return plain


@dataclass(frozen=True, slots=True)
class Started(Event):
    """The candidates of all empty cells were computed (silent)."""

    kind: ClassVar[str] = "started"


@dataclass(frozen=True, slots=True)
class SinglePlaced(Event):
    """A cell with one candidate is filled; the step is counted at the end of the pass (silent)."""

    kind: ClassVar[str] = "single"
    cell: Cell
    digit: int


@dataclass(frozen=True, slots=True)
class SinglesPlaced(Event):
    """A pass over all cells with one candidate went through (silent)."""

    kind: ClassVar[str] = "singles"
    placed: int
    """How many cells it filled."""


@dataclass(frozen=True, slots=True)
class CompleteShrink(Event):
    """Every digit with one place left in the house took it."""

    kind: ClassVar[str] = "complete_shrink"
    house: str
    cuts: tuple[Mark, ...]
    """Cells in house order, each with the digit it was cut to."""


@dataclass(frozen=True, slots=True)
class IncompleteShrink(Event):
    """A set of cells and a set of digits as large took candidates away."""

    kind: ClassVar[str] = "incomplete_shrink"
    house: str
    way: str
    """``"1GW"`` equal sets of candidates, ``"2GW"`` equal sets of places, ``"3GW"`` a union."""
    cells: tuple[Cell, ...]
    digits: tuple[int, ...]
    removed: tuple[Mark, ...]
    """Cells in house order, digits ascending."""


@dataclass(frozen=True, slots=True)
class LineShrink(Event):
    """Ply: in a row or column, digits that stand beside it fit into three cells only (silent)."""

    kind: ClassVar[str] = "line_shrink"
    house: str
    policy: int
    """1: the digits stand in both other boxes; 2: in one, and the line's part of the other is full."""
    cells: tuple[Cell, ...]
    digits: tuple[int, ...]
    removed: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class FilterAgain(Event):
    """Ply took candidates away, so the filter starts again."""

    kind: ClassVar[str] = "filter_again"


@dataclass(frozen=True, slots=True)
class Contradiction(Event):
    """A filter saw that the grid cannot be filled (silent)."""

    kind: ClassVar[str] = "contradiction"
    house: str
    digit: int | None
    """The digit that has no place in the house; none where ply found too many digits for its cells."""


@dataclass(frozen=True, slots=True)
class NoShrink(Event):
    """A filter found nothing (silent)."""

    kind: ClassVar[str] = "no_shrink"


@dataclass(frozen=True, slots=True)
class WentWrong(Event):
    """Placing a digit would have taken the last candidate of a cell."""

    kind: ClassVar[str] = "went_wrong"
    house: str
    """The house that was being scanned."""
    cell: Cell
    digit: int


@dataclass(frozen=True, slots=True)
class GuessAsked(Event):
    """A guess is wanted from outside; the default is the first candidate of the foremost cell."""

    kind: ClassVar[str] = "guess_asked"
    cell: Cell
    digit: int


@dataclass(frozen=True, slots=True)
class _Guess(Event):
    cell: Cell
    digit: int
    position: int
    """Place of the digit among the candidates of the cell, from 1."""
    count: int
    """Candidates of the cell."""


@dataclass(frozen=True, slots=True)
class GuessMade(_Guess):
    """A new guess level was opened."""

    kind: ClassVar[str] = "guess"


@dataclass(frozen=True, slots=True)
class ForwardGuess(_Guess):
    """The newest level goes on to its next candidate."""

    kind: ClassVar[str] = "forward_guess"


@dataclass(frozen=True, slots=True)
class UpwardGuess(_Guess):
    """Exhausted levels were dropped, an older one goes on to its next candidate."""

    kind: ClassVar[str] = "upward_guess"


@dataclass(frozen=True, slots=True)
class SolutionFound(Event):
    """The grid is full (silent: the state display tells it)."""

    kind: ClassVar[str] = "solution"
    solution_sum: int
    """Solutions so far, this one counted."""
    grid: str
    """81 digits."""


@dataclass(frozen=True, slots=True)
class NoMoreSolution(Event):
    """Every guess has been tried out."""

    kind: ClassVar[str] = "no_more_solution"
    solution_sum: int


@dataclass(frozen=True, slots=True)
class StateShown(Event):
    """The state at the end of an order."""

    kind: ClassVar[str] = "state"
    state: str
    """``"loaded"``, ``"valid"``, ``"fine"`` (a solution was just found) or ``"invalid"`` (exhausted)."""
    grid: str
    """81 characters, ``.`` for an empty cell."""
    candidates: tuple[CellCandidates, ...]
    """Of every empty cell in order; none before the first step."""
    foremost: Cell | None
    """The first of the cells with fewest candidates, while the state is valid."""
    guess: GuessLevel | None
    """The newest guess level."""
    solution_sum: int


@dataclass(frozen=True, slots=True)
class LevelsShown(Event):
    """The guess stack."""

    kind: ClassVar[str] = "levels"
    levels: tuple[GuessLevel, ...]
    """The oldest first."""


@dataclass(frozen=True, slots=True)
class RunEnded(Event):
    """What a run took."""

    kind: ClassVar[str] = "run_ended"
    milliseconds: int
    solution_sum: int
    biggest_level: int
    """The biggest guess level at which this run placed a value."""


@dataclass(frozen=True, slots=True)
class OrdersShown(Event):
    """The console named itself and its orders."""

    kind: ClassVar[str] = "orders"


@dataclass(frozen=True, slots=True)
class QuizLoaded(Event):
    """A quiz was loaded into the console."""

    kind: ClassVar[str] = "quiz_loaded"
    grid: str
    """81 characters, ``.`` for an empty cell."""


@dataclass(frozen=True, slots=True)
class QuizRefused(Event):
    """No quiz was loaded, for one of the reasons that the original knows."""

    kind: ClassVar[str] = "quiz_refused"
    reason: str
    """``"loaded_before"``, ``"no_file"``, ``"open_failed"`` or ``"invalid_line"``."""
    name: str = ""
    """The file, where it could not be opened."""
    number: int = 0
    """The number of the operating system's error, or of the line."""
    text: str = ""
    """The operating system's words, or the line."""


@dataclass(frozen=True, slots=True)
class RunModeShown(Event):
    """The working mode."""

    kind: ClassVar[str] = "run_mode"
    mode: int
    """1: groups only; 2: ply only; any other: both."""


@dataclass(frozen=True, slots=True)
class GuessModeShown(Event):
    """The guessing mode."""

    kind: ClassVar[str] = "guess_mode"
    mode: int
    """0: the search guesses; any other: it asks."""


NATIVE: tuple[type[Event], ...] = (
    Started,
    SinglePlaced,
    SinglesPlaced,
    CompleteShrink,
    IncompleteShrink,
    LineShrink,
    FilterAgain,
    Contradiction,
    NoShrink,
    WentWrong,
    GuessMade,
    ForwardGuess,
    UpwardGuess,
    SolutionFound,
    NoMoreSolution,
)
"""The events of the native engine, in the order of its numbers."""

_SHOWN: tuple[type[Event], ...] = (
    GuessAsked,
    StateShown,
    LevelsShown,
    RunEnded,
    OrdersShown,
    QuizLoaded,
    QuizRefused,
    RunModeShown,
    GuessModeShown,
)

KINDS: dict[str, type[Event]] = {event.kind: event for event in (*NATIVE, *_SHOWN)}
"""Every class of events by its name in JSON."""


def _plain(value: Any) -> Any:
    if isinstance(value, Cell):
        return value.number
    if isinstance(value, (Mark, CellCandidates)):
        return {name: _plain(part) for name, part in zip(value._fields, value, strict=True)}
    if isinstance(value, GuessLevel):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value


def _marks(plain: Any) -> tuple[Mark, ...]:
    return tuple(Mark(Cell.of_number(mark["cell"]), mark["digit"]) for mark in plain)


def _guess_level(plain: Any) -> GuessLevel:
    return GuessLevel(**{**plain, "cell": Cell.of_number(plain["cell"])})


# How the fields that are no plain values are read back; a name means the same in every event.
_READERS: dict[str, Callable[[Any], Any]] = {
    "cell": Cell.of_number,
    "cells": lambda plain: tuple(Cell.of_number(number) for number in plain),
    "digits": tuple,
    "cuts": _marks,
    "removed": _marks,
    "candidates": lambda plain: tuple(
        CellCandidates(Cell.of_number(entry["cell"]), tuple(entry["digits"])) for entry in plain
    ),
    "foremost": lambda plain: None if plain is None else Cell.of_number(plain),
    "guess": lambda plain: None if plain is None else _guess_level(plain),
    "levels": lambda plain: tuple(_guess_level(entry) for entry in plain),
}


def from_json(plain: Mapping[str, Any]) -> Event:
    """The event that `Event.to_json` turned into ``plain``.

    Raises
    ------
    FormatError
        If it is no event: the kind is unknown, or something is missing or left over.
    """
    try:
        event = KINDS[plain["kind"]]
        values = {
            name: _READERS[name](value) if name in _READERS else value
            for name, value in plain.items()
            if name != "kind"
        }
        return event(**values)
    except (AttributeError, KeyError, TypeError) as error:
        raise FormatError(f"no event of a search: {error}") from error
