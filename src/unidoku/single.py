"""One puzzle: check, solve, count, all its solutions."""

from __future__ import annotations

from array import array

from unidoku import kernel
from unidoku.grid import EMPTY_SYMBOLS, Grid
from unidoku.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from unidoku.grid import PuzzleLike

__all__ = ["check", "count", "solutions", "solve"]

_START = array("q", [0])
_MOST_AT_ONCE = 256  # solutions fetched from the search at a time, once an iterator is under way

_WRONG = 255
_VALUE_OF = bytes(0 if chr(c) in EMPTY_SYMBOLS else c - 48 if 49 <= c <= 57 else _WRONG for c in range(256))


def check(puzzle: PuzzleLike, *, budget: int | None = None) -> Verdict:
    """Has a puzzle no solution, exactly one, or several?

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` takes it.
    budget : int, optional
        Guesses the search may make; without it the search goes on until the question is settled.

    Returns
    -------
    Verdict
        NONE, UNIQUE or MULTIPLE; UNKNOWN only when the budget is used up.

    Raises
    ------
    InvalidPuzzleError
        It is no puzzle.  Clues that contradict each other are one, with verdict NONE.

    Examples
    --------
    >>> check("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    <Verdict.UNIQUE: 1>
    """
    verdict = bytearray(1)
    _run(puzzle, limit=2, budget=_at_least_one("budget", budget), verdicts=verdict)
    return Verdict(verdict[0])


def solve(puzzle: PuzzleLike) -> Grid | None:
    """A solution of a puzzle.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` takes it.

    Returns
    -------
    Grid or None
        The first solution in the order of the search, which is the only one of a proper puzzle; None if
        there is none.

    Raises
    ------
    InvalidPuzzleError
        It is no puzzle.

    Examples
    --------
    >>> solve("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79").line
    '534678912672195348198342567859761423426853791713924856961537284287419635345286179'
    """
    solution = bytearray(81)
    return Grid(bytes(solution)) if _run(puzzle, limit=1, solutions=solution) else None


def count(puzzle: PuzzleLike, limit: int | None = None) -> int:
    """The number of solutions of a puzzle.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` takes it.
    limit : int, optional
        Stop there; by default all are counted, however long it takes (Ctrl-C ends it).

    Returns
    -------
    int
        Exact up to the limit.

    Raises
    ------
    InvalidPuzzleError
        It is no puzzle.
    ValueError
        `limit` is below 1.
    """
    return _run(puzzle, limit=_at_least_one("limit", limit))


def solutions(puzzle: PuzzleLike) -> Iterator[Grid]:
    """All solutions of a puzzle, found while you ask for them.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` takes it.

    Returns
    -------
    iterator of Grid
        In the order of the search, so that the first is the one `solve` returns.  Memory does not grow
        with their number.

    Raises
    ------
    InvalidPuzzleError
        It is no puzzle; at once, not when the first solution is asked for.
    """
    return _grids(kernel.SolutionSearch(_cells_of(puzzle), zero=0))


def _grids(search: kernel.SolutionSearch) -> Iterator[Grid]:
    size = 1
    while True:
        chunk = search.chunk(size)
        for begin in range(0, len(chunk), 81):
            yield Grid(chunk[begin : begin + 81])
        if len(chunk) < 81 * size:
            return
        size = min(2 * size, _MOST_AT_ONCE)


def _run(puzzle: PuzzleLike, **options: Any) -> int:
    found = array("Q", [0])
    kernel.solve_cells(_cells_of(puzzle), _START, zero=0, counts=found, **options)
    return found[0]


def _cells_of(puzzle: PuzzleLike) -> bytes:
    """The 81 values 0..9; the usual forms without the detour over a Grid."""
    if isinstance(puzzle, str) and len(puzzle) == 81 and puzzle.isascii():
        cells = puzzle.encode("ascii").translate(_VALUE_OF)
        if _WRONG not in cells:
            return cells
    return Grid(puzzle).cells


def _at_least_one(name: str, value: int | None) -> int:
    if value is None:
        return 0
    if value < 1:
        raise ValueError(f"{name} must be at least 1, not {value}")
    return value
