"""Events of a step-by-step search, as immutable values.

Every line that SudokuSolver 2.6 prints belongs to one event.  It prints nothing for some events ("not
printed" below).  `unidoku.stepper.report` produces the text.

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
    "MoreOrdersShown",
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
        """Return the cell of a number.

        Parameters
        ----------
        number : int
            1..81, row by row.

        Raises
        ------
        FormatError
            There is no such cell.
        """
        if not 1 <= number <= 81:
            raise FormatError(f"a cell is 1 to 81, not {number}")
        return cls((number - 1) // 9 + 1, (number - 1) % 9 + 1)

    def __str__(self) -> str:
        return f"[{self.row},{self.column}]"


class Mark(NamedTuple):
    """A cell and a digit: a candidate, or the only candidate that remains."""

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
    """Number of the level, from 1 for the oldest."""
    cell: Cell
    digit: int
    """The value under trial."""
    position: int
    """Position of the digit among the candidates of the cell, from 1, in trial order."""
    count: int
    """Number of candidates of the cell."""


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
        if kind:  # dataclass makes a class with slots anew, without the name
            cls.kind = kind

    def to_json(self) -> dict[str, Any]:
        """Return the event as a dictionary of plain values, for ``json.dumps``; see `from_json`."""
        plain: dict[str, Any] = {"step": self.step, "kind": self.kind, "level": self.level}
        for field in fields(self)[2:]:
            plain[field.name] = _plain(getattr(self, field.name))
        return plain


@dataclass(frozen=True, slots=True)
class Started(Event, kind="started"):
    """The candidates of all empty cells were computed (not printed)."""


@dataclass(frozen=True, slots=True)
class SinglePlaced(Event, kind="single"):
    """A cell with one candidate is filled; the step is counted at the end of the pass (not printed)."""

    cell: Cell
    digit: int


@dataclass(frozen=True, slots=True)
class SinglesPlaced(Event, kind="singles"):
    """A pass over all cells with one candidate succeeded (not printed)."""

    placed: int
    """Number of cells filled."""


@dataclass(frozen=True, slots=True)
class CompleteShrink(Event, kind="complete_shrink"):
    """In one house, each cell that is the only place of a digit keeps this digit alone."""

    house: str
    cuts: tuple[Mark, ...]
    """Cells in house order, each with the candidate that it keeps."""


@dataclass(frozen=True, slots=True)
class IncompleteShrink(Event, kind="incomplete_shrink"):
    """A subset (as many cells as digits) removed candidates from a house."""

    house: str
    way: str
    """``"1GW"`` equal sets of candidates, ``"2GW"`` equal sets of places, ``"3GW"`` a union."""
    cells: tuple[Cell, ...]
    digits: tuple[int, ...]
    removed: tuple[Mark, ...]
    """Cells in house order, digits ascending."""


@dataclass(frozen=True, slots=True)
class LineShrink(Event, kind="line_shrink"):
    """Ply: in a row or column, some digits fit only into the cells of one box (not printed)."""

    house: str
    policy: int
    """1: both other boxes contain the digits; 2: one does, and the line's part of the other is full."""
    cells: tuple[Cell, ...]
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
    cell: Cell
    digit: int


@dataclass(frozen=True, slots=True)
class GuessAsked(Event, kind="guess_asked"):
    """The user is asked for a guess; the default is the first candidate of the foremost cell."""

    cell: Cell
    digit: int


@dataclass(frozen=True, slots=True)
class _Guess(Event):
    cell: Cell
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
    foremost: Cell | None
    """The first of the cells with fewest candidates, while the state is valid."""
    guess: GuessLevel | None
    """The newest guess level."""
    solution_sum: int


@dataclass(frozen=True, slots=True)
class LevelsShown(Event, kind="levels"):
    """The guess stack."""

    levels: tuple[GuessLevel, ...]
    """The oldest first."""


@dataclass(frozen=True, slots=True)
class RunEnded(Event, kind="run_ended"):
    """Time and guess levels of a run."""

    milliseconds: int
    solution_sum: int
    biggest_level: int
    """The biggest guess level at which this run placed a value."""


@dataclass(frozen=True, slots=True)
class OrdersShown(Event, kind="orders"):
    """The console printed its name and the list of orders of SudokuSolver 2.6."""


@dataclass(frozen=True, slots=True)
class MoreOrdersShown(Event, kind="more_orders"):
    """The console printed the orders that it has beyond SudokuSolver 2.6."""


@dataclass(frozen=True, slots=True)
class QuizLoaded(Event, kind="quiz_loaded"):
    """A quiz was loaded into the console."""

    grid: str
    """81 characters, ``.`` for an empty cell."""


@dataclass(frozen=True, slots=True)
class QuizRefused(Event, kind="quiz_refused"):
    """No quiz was loaded, for one of the reasons known to SudokuSolver 2.6."""

    reason: str
    """``"loaded_before"``, ``"no_file"``, ``"open_failed"`` or ``"invalid_line"``."""
    name: str = ""
    """Name of the file that could not be opened."""
    number: int = 0
    """The number of the operating system's error, or of the line."""
    text: str = ""
    """The operating system's message, or the content of the line."""


@dataclass(frozen=True, slots=True)
class RunModeShown(Event, kind="run_mode"):
    """The working mode."""

    mode: int
    """1: groups only; 2: ply only; any other: both."""


@dataclass(frozen=True, slots=True)
class GuessModeShown(Event, kind="guess_mode"):
    """The guessing mode."""

    mode: int
    """0: the search guesses; any other: it asks the user."""


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
"""The events of the native engine, indexed by its event codes."""

_SHOWN: tuple[type[Event], ...] = (
    GuessAsked,
    StateShown,
    LevelsShown,
    RunEnded,
    OrdersShown,
    MoreOrdersShown,
    QuizLoaded,
    QuizRefused,
    RunModeShown,
    GuessModeShown,
)

KINDS: dict[str, type[Event]] = {event.kind: event for event in (*NATIVE, *_SHOWN)}
"""Event classes by their name in JSON."""


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


# Converters for fields that are not plain values; a field name means the same in every event.
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
    """Return the event that `Event.to_json` turned into ``plain``.

    Parameters
    ----------
    plain : mapping of str to plain values

    Returns
    -------
    Event

    Raises
    ------
    FormatError
        If `plain` is not an event: the kind is unknown, or a field is missing or unknown.
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
        raise FormatError(f"not an event of a search: {error}") from error
