"""Convert the log of the native step engine to events."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from unidoku.geometry import HOUSE_NAMES
from unidoku.stepper.events import (
    NATIVE,
    Cell,
    CompleteShrink,
    Contradiction,
    Event,
    ForwardGuess,
    GuessMade,
    IncompleteShrink,
    LineShrink,
    Mark,
    NoMoreSolution,
    SinglePlaced,
    SinglesPlaced,
    SolutionFound,
    UpwardGuess,
    WentWrong,
)

if TYPE_CHECKING:
    from unidoku.native.steps.levels import Entry, StepSearch

__all__ = ["CELLS", "digits_of", "line_of", "read_events"]

CELLS = [Cell(row, column) for row in range(1, 10) for column in range(1, 10)]
"""The cells in the order of the engine's index 0..80."""

_DIGITS = [tuple(digit for digit in range(1, 10) if bits >> (digit - 1) & 1) for bits in range(512)]


def digits_of(bits: int) -> tuple[int, ...]:
    """Return the digits of a set of bits, ascending."""
    return _DIGITS[bits]


def line_of(cells: bytes) -> str:
    """Return the 81 values as text, ``.`` for an empty cell."""
    return "".join(".123456789"[value] for value in cells)


def read_events(search: StepSearch) -> list[Event]:
    """Return the events logged since the last call.

    A solution must be the last event: its grid is read from the current state of the search.
    """
    return [_READERS[entry.kind](search, entry) for entry in search.drain()]


_Reader: TypeAlias = "Callable[[StepSearch, Entry], Event]"


def _marks(entry: Entry) -> tuple[Mark, ...]:
    return tuple(
        Mark(CELLS[cell], digit)
        for cell, bits in zip(entry.cells, entry.sets, strict=True)
        for digit in _DIGITS[bits]
    )


def _chosen(entry: Entry) -> tuple[Cell, ...]:
    return tuple(CELLS[cell] for place, cell in enumerate(entry.cells) if entry.chosen >> place & 1)


def _bare(event: type[Event]) -> _Reader:
    return lambda _, entry: event(entry.step, entry.level)


def _single(_: StepSearch, entry: Entry) -> Event:
    return SinglePlaced(entry.step, entry.level, CELLS[entry.cell], entry.value)


def _singles(_: StepSearch, entry: Entry) -> Event:
    return SinglesPlaced(entry.step, entry.level, entry.total)


def _complete(_: StepSearch, entry: Entry) -> Event:
    return CompleteShrink(entry.step, entry.level, HOUSE_NAMES[entry.house], _marks(entry))


def _incomplete(_: StepSearch, entry: Entry) -> Event:
    way, digits = f"{entry.way}GW", _DIGITS[entry.digits]
    return IncompleteShrink(
        entry.step, entry.level, HOUSE_NAMES[entry.house], way, _chosen(entry), digits, _marks(entry)
    )


def _line(_: StepSearch, entry: Entry) -> Event:
    digits = _DIGITS[entry.digits]
    return LineShrink(
        entry.step, entry.level, HOUSE_NAMES[entry.house], entry.way, _chosen(entry), digits, _marks(entry)
    )


def _contradiction(_: StepSearch, entry: Entry) -> Event:
    return Contradiction(entry.step, entry.level, HOUSE_NAMES[entry.house], entry.value or None)


def _wrong(_: StepSearch, entry: Entry) -> Event:
    return WentWrong(entry.step, entry.level, HOUSE_NAMES[entry.house], CELLS[entry.cell], entry.value)


def _guess(event: Callable[[int, int, Cell, int, int, int], Event]) -> _Reader:
    return lambda _, entry: event(
        entry.step, entry.level, CELLS[entry.cell], entry.value, entry.position, entry.total
    )


def _solution(search: StepSearch, entry: Entry) -> Event:
    return SolutionFound(entry.step, entry.level, search.solutions, line_of(search.cells()))


def _exhausted(search: StepSearch, entry: Entry) -> Event:
    return NoMoreSolution(entry.step, entry.level, search.solutions)


_SPECIAL: dict[type[Event], _Reader] = {
    SinglePlaced: _single,
    SinglesPlaced: _singles,
    CompleteShrink: _complete,
    IncompleteShrink: _incomplete,
    LineShrink: _line,
    Contradiction: _contradiction,
    WentWrong: _wrong,
    GuessMade: _guess(GuessMade),
    ForwardGuess: _guess(ForwardGuess),
    UpwardGuess: _guess(UpwardGuess),
    SolutionFound: _solution,
    NoMoreSolution: _exhausted,
}
_READERS = [_SPECIAL.get(event) or _bare(event) for event in NATIVE]
