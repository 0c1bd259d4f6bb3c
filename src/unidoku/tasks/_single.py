"""One puzzle: its verdict, a solution, the number of its solutions, and all of them one by one.

These functions are apart from the capabilities `check`, `solve`, `count` and `solutions`, so that the first
call of a process does not wait for what reads and writes files.
"""

from __future__ import annotations

from unidoku import kernel
from unidoku._arguments import callback, positive
from unidoku._lazy import explain_error, quickly
from unidoku._threads import Cancel, begun, cancel_of, flag_of, thread_count, within
from unidoku._verdict import Verdict
from unidoku.errors import InvalidPuzzleError, SearchStoppedError
from unidoku.grid import Grid, PuzzleLike

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Literal

    from unidoku._native.lanes.base import SolutionSearch

_LARGEST_CHUNK = 256  # solutions per call of the search, after the first few of an iterator


_WRONG_CALL = (InvalidPuzzleError, TypeError)


def _cells_of(puzzle: PuzzleLike) -> bytes:
    return puzzle._cells if type(puzzle) is Grid else Grid(puzzle)._cells


def _quick_check(function: Callable[..., Verdict]) -> Callable[..., Verdict]:
    def check(puzzle: PuzzleLike, **options: Any) -> Verdict:
        try:
            if options:
                return function(puzzle, **options)
            verdict = kernel.quick_check(puzzle)
            if verdict is None:
                verdict = kernel.quick_check(_cells_of(puzzle))
        except _WRONG_CALL as error:
            explain_error(error, function, options)
            raise
        return verdict  # type: ignore[return-value]  # the cells of a grid have one

    return check


def _quick_solve(function: Callable[..., Grid | None]) -> Callable[..., Grid | None]:
    def solve(puzzle: PuzzleLike, **options: Any) -> Grid | None:
        try:
            if options:
                return function(puzzle, **options)
            grid: Grid | Literal[False] | None = kernel.quick_solve(puzzle, Grid)
            if grid is None:
                grid = kernel.quick_solve(_cells_of(puzzle), Grid)
        except _WRONG_CALL as error:
            explain_error(error, function, options)
            raise
        return None if grid is False else grid

    return solve


def _quick_count(function: Callable[..., int]) -> Callable[..., int]:
    def count(puzzle: PuzzleLike, limit: int | None = None, **options: Any) -> int:
        try:
            if not options:
                number = kernel.quick_count(puzzle, limit)
                if number is None and type(puzzle) is not str:
                    number = kernel.quick_count(_cells_of(puzzle), limit)
                if number is not None:
                    return number
            return function(puzzle, limit=limit, **options)
        except _WRONG_CALL as error:
            explain_error(error, function, options)
            raise

    return count


@quickly(_quick_check)
def check(
    puzzle: PuzzleLike,
    *,
    budget: int | None = None,
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Verdict:
    """Determine whether a puzzle has no solution, exactly one, or several.

    Parameters
    ----------
    puzzle : Grid, str, bytes, array or nested list
        As `Grid` accepts it.
    budget : int, optional
        Largest number of guesses, the same on every machine; by default no limit.
    cancel : Cancel, optional
        Set it in another thread to end the search.
    timeout : float, optional
        Cancel it after this number of seconds.

    Returns
    -------
    Verdict
        NONE, UNIQUE or MULTIPLE; UNKNOWN only if `budget` or `cancel` ended the search.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle.  Contradictory clues are not an error: the verdict is NONE.
    ValueError
        `budget` is below 1 or too large.

    Examples
    --------
    >>> check("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    Verdict.UNIQUE
    """
    return kernel.verdict_of(Grid(puzzle).cells, positive("budget", budget), within(cancel, timeout))


@quickly(_quick_solve)
def solve(
    puzzle: PuzzleLike,
    *,
    budget: int | None = None,
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Grid | None:
    """Find one solution of a puzzle; return None if it has no solution.

    Parameters
    ----------
    puzzle, budget, cancel, timeout
        As for `check`.

    Returns
    -------
    Grid or None
        The first solution in the order of the search, or None if the puzzle has no solution.

    Raises
    ------
    InvalidPuzzleError, ValueError
        As for `check`.
    SearchStoppedError
        `budget` or `cancel` ended the search before a solution was found.

    Examples
    --------
    >>> solve("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79").line
    '534678912672195348198342567859761423426853791713924856961537284287419635345286179'
    """
    cancel = within(cancel, timeout)
    solution = kernel.solution_of(Grid(puzzle).cells, positive("budget", budget), cancel)
    return Grid(solution) if solution else None


@quickly(_quick_count)
def count(
    puzzle: PuzzleLike,
    limit: int | None = None,
    *,
    threads: int | None = None,
    budget: int | None = None,
    cancel: Cancel | None = None,
    timeout: float | None = None,
    progress: Callable[[float], object] | None = None,
) -> int:
    """Count the solutions of a puzzle exactly, all of them or up to a limit.

    Parameters
    ----------
    puzzle, cancel, timeout
        As for `check`.
    limit : int, optional
        Largest number of solutions to count; by default all are counted.
    threads : int, optional
        Largest number of threads; by default one per available core.
    budget : int, optional
        Largest number of guesses.  With a budget, only the search counts, one solution at a time.
    progress : callable, optional
        Called by each thread about every 10 milliseconds with the completed fraction of the work, 0 to 1; not
        called for puzzles that take less time.

    Returns
    -------
    int
        The number of solutions, or `limit` if there are more.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle.
    ValueError
        `limit`, `threads` or `budget` is below 1 or too large.
    SearchStoppedError
        `budget` or `cancel` ended the count; its ``count`` is the number of solutions found so far.  Use
        `examine` to get such a count without an exception.

    Notes
    -----
    A search counts up to a few solutions.  A larger number is computed as a sum over the configurations of
    bands and stacks, in milliseconds to seconds for any puzzle: see docs/kernel.md.

    Examples
    --------
    >>> count("." * 81)
    6670903752021072936960
    """
    cancel = cancel_of(begun(cancel, timeout))
    from unidoku.counting import count_solutions

    cells, threads = Grid(puzzle).cells, thread_count(threads)
    callback("progress", progress)
    if budget is None:
        number, complete = count_solutions(cells, limit, threads=threads, cancel=cancel, progress=progress)
    else:
        guesses = positive("budget", budget)
        _, number, complete = kernel.search(cells, positive("limit", limit), guesses, stop=flag_of(cancel))
    if not complete:
        raise SearchStoppedError(number)
    return number


def solutions(
    puzzle: PuzzleLike,
    *,
    budget: int | None = None,
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Iterator[Grid]:
    """Find the solutions of a puzzle one by one, while you iterate.

    Parameters
    ----------
    puzzle, budget, cancel, timeout
        As for `check`; the budget is for the whole search.

    Returns
    -------
    iterator of Grid
        In the order of the search; the first one is the result of `solve`.  Memory use does not grow with
        their number.

    Raises
    ------
    InvalidPuzzleError, ValueError
        As for `check`; raised by the call, not by the iterator.
    SearchStoppedError
        `budget` or `cancel` ended the search; raised by the iterator after the solutions found.

    Examples
    --------
    >>> from itertools import islice
    >>> [grid.line[:9] for grid in islice(solutions("." * 81), 2)]
    ['315789246', '315789246']
    """
    cancel = within(cancel, timeout)
    return _grids(kernel.solution_search(Grid(puzzle).cells, positive("budget", budget)), flag_of(cancel))


def _grids(search: SolutionSearch, stop: bytearray | None) -> Iterator[Grid]:
    """Yield the solutions; they are found a few at a time, but the first one by itself."""
    number, size = 0, 1
    while True:
        chunk = search.chunk(size, stop=stop)
        number += len(chunk) // 81
        for begin in range(0, len(chunk), 81):
            yield Grid(chunk[begin : begin + 81])
        if len(chunk) < 81 * size:
            break
        size = min(2 * size, _LARGEST_CHUNK)
    if not search.complete:
        raise SearchStoppedError(number)
