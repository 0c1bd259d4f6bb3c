"""The capability `count`: the number of solutions of a puzzle, or of many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from unidoku import kernel
from unidoku.arguments import MAX_COUNT, positive
from unidoku.column import Column
from unidoku.errors import SearchStoppedError
from unidoku.grid import puzzle_cells
from unidoku.options import option
from unidoku.tasks.check import CheckResult, Search, answer_columns, check_many, solved
from unidoku.threads import flag_of, thread_count

if TYPE_CHECKING:
    from collections.abc import Callable

    from unidoku.batch import Batch
    from unidoku.grid import PuzzleLike
    from unidoku.parse_many import PuzzlesLike
    from unidoku.task import Need
    from unidoku.threads import Cancel


@dataclass(frozen=True, eq=False, repr=False)
class Count(Search):
    """Print the number of solutions of each puzzle.

    A line per puzzle: the number, "960+" if the budget ended the count at 960, or "invalid" if the
    record is no puzzle.
    """

    name: ClassVar[str] = "count"
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku count puzzles.txt --limit 1000",
        "unidoku count puzzles.txt --budget 10000 -o counts.txt",
    )
    lines: ClassVar[tuple[str, ...]] = ("count",)
    for_invalid: ClassVar[Mapping[str, Any]] = {"verdict": "invalid", "count": "invalid"}
    limit: int | None = option(
        None, "Stop at N solutions of a puzzle.", least=1, absent="all", unbounded="all"
    )
    budget: int | None = option(
        None,
        "End the count of a puzzle after this many guesses.",
        least=1,
        metavar="GUESSES",
        absent="no bound",
    )

    def work(self, batch: Batch, need: Need) -> dict[str, Any] | None:
        """Count the solutions; puzzles with more than 64 bits can count are then counted one at a time."""
        found = solved(batch, need, limit=self.limit, budget=self.budget, grids=False)
        if found is None:
            return None
        columns = answer_columns(found, batch)
        if MAX_COUNT in found.counts:  # all that fits in 64 bits: or more
            columns["count"] = Column.values_of(
                f"{number}{'' if complete else '+'}"
                if number < MAX_COUNT
                else str(count(puzzle, cancel=need.cancel))
                for puzzle, number, complete in zip(batch.texts(), found.counts, found.complete, strict=True)
            )
        return columns


@kernel.with_native("count")
def count(
    puzzle: PuzzleLike,
    *,
    limit: int | None = None,
    threads: int | None = None,
    budget: int | None = None,
    cancel: Cancel | None = None,
    progress: Callable[[float], object] | None = None,
) -> int:
    """Count the solutions of a puzzle exactly.

    Parameters
    ----------
    puzzle, cancel
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
        It is not a puzzle.
    ValueError
        `limit`, `threads` or `budget` is not an integer, below 1 or too large.
    SearchStoppedError
        `budget` or `cancel` ended the count; its ``count`` is the number of solutions found so far.  Use
        `examine` to get such a count without an exception.

    Notes
    -----
    A search counts up to a few solutions.  A larger number is computed as a sum over the configurations of
    bands and stacks, in milliseconds to seconds for any puzzle: see docs/counting.md.  Pencil marks that say
    more than the clues are counted by the search alone.

    Examples
    --------
    >>> count("." * 81)
    6670903752021072936960
    """
    from unidoku.counting import count_solutions

    cells, threads = puzzle_cells(puzzle), thread_count(threads)
    if budget is None:
        found, complete = count_solutions(cells, limit, threads=threads, cancel=cancel, progress=progress)
    else:
        guesses = positive("budget", budget)
        _, found, complete = kernel.search(cells, positive("limit", limit), guesses, flag_of(cancel))
    if not complete:
        raise SearchStoppedError(found)
    return found


def count_many(
    puzzles: PuzzlesLike,
    *,
    limit: int | None = None,
    threads: int | None = None,
    budget: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> CheckResult:
    """Count the solutions of many puzzles.

    Parameters
    ----------
    puzzles, threads, budget, errors, cancel
        As for `check_many`.
    limit : int, optional
        Largest number of solutions to count for each puzzle; by default all are counted.

    Returns
    -------
    CheckResult
        ``counts`` and ``complete`` have the numbers; there are no ``solutions``.

    Raises
    ------
    InvalidPuzzleError, MissingExtraError, ValueError
        As for `check_many`.

    Examples
    --------
    >>> count_many(["." * 80 + "1"], limit=5000).counts.tolist()
    [5000]
    """
    return check_many(
        puzzles, limit=limit, threads=threads, solutions=False, budget=budget, errors=errors, cancel=cancel
    )
