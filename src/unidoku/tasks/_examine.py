"""The answer to one puzzle: its verdict, the number of its solutions, and up to two of them.

Unlike `unidoku.tasks._single`, this module imports dataclasses and the counts of many solutions.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from unidoku import kernel
from unidoku._arguments import MAX_COUNT, positive
from unidoku._guesses import NamedFields
from unidoku._table.json_values import json_schema
from unidoku._threads import Cancel, flag_of, run_in_worker, within
from unidoku._verdict import Verdict
from unidoku.counting import MAX_LIMIT, count_solutions
from unidoku.grid import Grid, PuzzleLike


@dataclass(frozen=True, slots=True)
class Answer(NamedFields):
    """The result of a search for the solutions of one puzzle.

    Attributes
    ----------
    verdict : Verdict
        ``none``, ``unique``, ``multiple`` or ``unknown``.
    count : int
        Solutions found, at most the limit.
    complete : bool
        True if all solutions were counted or the limit was reached: `count` is exact up to the limit.  False
        if the budget or a `Cancel` ended the search: `count` is a lower bound.
    solution : str or None
        The first solution in the order of the search, 81 digits.
    second_solution : str or None
        The second solution, which proves that the puzzle is not unique.
    guesses : int
        The number of guesses of the search: its effort, for the metrics of a service.  If neither the budget
        nor a `Cancel` ended the search, it depends only on the puzzle, the limit and the version of unidoku.
        A count without a search makes no guesses; then these are the guesses for the first two solutions.

    Examples
    --------
    >>> import unidoku
    >>> answer = unidoku.examine("." * 81)
    >>> answer.verdict, answer.count, answer.complete
    (Verdict.MULTIPLE, 2, True)
    """

    __get_pydantic_json_schema__ = json_schema

    verdict: Verdict
    count: int
    complete: bool
    solution: str | None = None
    second_solution: str | None = None
    guesses: int = 0


def examine(
    puzzle: PuzzleLike,
    *,
    limit: int | None = 2,
    budget: int | None = None,
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Answer:
    """Examine a puzzle: find its verdict, the number of its solutions, and up to two of them.

    Parameters
    ----------
    puzzle, budget, cancel, timeout
        As for `check`.
    limit : int or None, optional
        Largest number of solutions to count; None counts all.  With 1 the search ends at the first solution:
        the answer is complete, and the verdict of a puzzle that has a solution is UNKNOWN.

    Returns
    -------
    Answer
        Its ``complete`` tells whether the count is exact up to the limit.

    Raises
    ------
    InvalidPuzzleError, ValueError
        As for `count`.

    Examples
    --------
    >>> answer = examine("." * 81, limit=None, budget=1000)
    >>> answer.verdict, answer.complete, answer.guesses
    (Verdict.MULTIPLE, False, 1000)
    """
    cancel = within(cancel, timeout)
    max_count = positive("limit", limit, MAX_LIMIT)
    by_search = budget is not None or 0 < max_count <= 2
    cells, grids = Grid(puzzle).cells, (bytearray(81), bytearray(81))
    search_limit = 2
    if by_search:
        search_limit = min(max_count, MAX_COUNT)
    guesses = array("Q", [0])
    verdict, count, complete = kernel.search(
        cells, search_limit, positive("budget", budget), stop=flag_of(cancel), grids=grids, guesses=guesses
    )
    if count > 1 and not by_search:
        full_count, complete = count_solutions(cells, limit, cancel=cancel)
        count = max(count, full_count)
    solution, second_solution = (Grid(bytes(grid)).line if grid[0] else None for grid in grids)
    return Answer(verdict, count, complete, solution, second_solution, guesses[0])


def answer_to(puzzle: bytes | str, **bounds: int | None) -> Answer:
    """Return the answer to the one puzzle of a command; Ctrl-C ends the search."""
    stop = within(None, None) or Cancel()
    return run_in_worker(lambda cancel: examine(puzzle, cancel=cancel, **bounds), stop)
