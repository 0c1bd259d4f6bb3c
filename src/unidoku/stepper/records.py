"""Events out of the compact records of the native engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

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
    from unidoku.native.steps.levels import StepSearch

__all__ = ["CELLS", "HOUSES", "digits_of", "line_of", "read_events"]

CELLS = [Cell(row, column) for row in range(1, 10) for column in range(1, 10)]
"""The cells by the engine's index 0..80."""

HOUSES = [f"{kind} {number}" for kind in ("row", "column", "box") for number in range(1, 10)]
"""The names of the houses by the engine's index 0..26."""

_DIGITS = [tuple(digit for digit in range(1, 10) if bits >> (digit - 1) & 1) for bits in range(512)]


def digits_of(bits: int) -> tuple[int, ...]:
    """The digits of a set of bits, ascending."""
    return _DIGITS[bits]


def line_of(cells: bytes) -> str:
    """The 81 values as text, ``.`` for an empty cell."""
    return "".join(".123456789"[value] for value in cells)


def read_events(search: StepSearch) -> list[Event]:
    """The events of everything that was recorded since the last call.

    A solution must be the last of them: its grid is the one that stands there now.
    """
    return [_READERS[record[0]](search, *record[1:]) for record in search.drain()]


def _marks(cells: Sequence[int], sets: Sequence[int]) -> tuple[Mark, ...]:
    return tuple(
        Mark(CELLS[cell], digit) for cell, bits in zip(cells, sets, strict=True) for digit in _DIGITS[bits]
    )


def _chosen(cells: Sequence[int], chosen: int) -> tuple[Cell, ...]:
    return tuple(CELLS[cell] for place, cell in enumerate(cells) if chosen >> place & 1)


# A record is: step, level, cell, value, position, count, house, way, chosen, digits, cells, sets.


def _bare(event: type[Event]) -> Callable[..., Event]:
    return lambda _search, step, level, *_: event(step, level)


def _single(_: StepSearch, step: int, level: int, cell: int, value: int, *_rest: Any) -> Event:
    return SinglePlaced(step, level, CELLS[cell], value)


def _singles(_: StepSearch, step: int, level: int, *rest: Any) -> Event:
    return SinglesPlaced(step, level, rest[3])


def _complete(_: StepSearch, step: int, level: int, *rest: Any) -> Event:
    _cell, _value, _position, _count, house, _way, _chosen, _digits, cells, sets = rest
    return CompleteShrink(step, level, HOUSES[house], _marks(cells, sets))


def _incomplete(_: StepSearch, step: int, level: int, *rest: Any) -> Event:
    _cell, _value, _position, _count, house, way, chosen, digits, cells, sets = rest
    return IncompleteShrink(
        step, level, HOUSES[house], f"{way}GW", _chosen(cells, chosen), _DIGITS[digits], _marks(cells, sets)
    )


def _line(_: StepSearch, step: int, level: int, *rest: Any) -> Event:
    _cell, _value, _position, _count, house, policy, chosen, digits, cells, sets = rest
    return LineShrink(
        step, level, HOUSES[house], policy, _chosen(cells, chosen), _DIGITS[digits], _marks(cells, sets)
    )


def _contradiction(_: StepSearch, step: int, level: int, *rest: Any) -> Event:
    return Contradiction(step, level, HOUSES[rest[4]], rest[1] or None)


def _wrong(_: StepSearch, step: int, level: int, cell: int, value: int, *rest: Any) -> Event:
    return WentWrong(step, level, HOUSES[rest[2]], CELLS[cell], value)


def _guess(event: Callable[[int, int, Cell, int, int, int], Event]) -> Callable[..., Event]:
    return lambda _search, step, level, cell, value, position, count, *_: event(
        step, level, CELLS[cell], value, position, count
    )


def _solution(search: StepSearch, step: int, level: int, *_: Any) -> Event:
    return SolutionFound(step, level, search.solutions, line_of(search.cells()))


def _exhausted(search: StepSearch, step: int, level: int, *_: Any) -> Event:
    return NoMoreSolution(step, level, search.solutions)


_SPECIAL: dict[type[Event], Callable[..., Event]] = {
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
