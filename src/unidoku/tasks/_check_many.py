"""Many puzzles in memory: check, count and solve them.

They are apart from `unidoku.tasks._check`, so that a check of files starts without NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import numpy as np

from unidoku import counting, kernel
from unidoku._arguments import positive
from unidoku._table.column import Column
from unidoku._table.forms import PuzzlesLike
from unidoku._table.puzzles import Puzzles, Result, with_reason
from unidoku._threads import CANCELLED, Cancel, cancel_of, map_parts, parts_of, thread_count, within
from unidoku._verdict import VERDICTS, Verdict
from unidoku.kernel import SearchOutputs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unidoku.errors import Reason

    class CheckRow(NamedTuple):
        """A row; a solution is a field only if it is requested."""

        verdict: str
        count: int | None  # type: ignore[assignment]  # tuple has a method of this name
        complete: bool | None
        solution: str | None
        second_solution: str | None
        reason: Reason | None

    class CheckResult(Result):
        """The types of the columns and rows."""

        verdict: NDArray[np.object_]
        verdict_codes: NDArray[np.uint8]
        none: int
        unique: int
        multiple: int
        unknown: int
        invalid: int
        count: NDArray[np.uint64]
        complete: NDArray[np.bool_]
        solution: NDArray[np.uint8]
        second_solution: NDArray[np.uint8]
        solutions: list[str | None]

        def __getitem__(self, row: int) -> CheckRow: ...
        def __iter__(self) -> Iterator[CheckRow]: ...

    class SolveRow(NamedTuple):
        """A row of `solve_many`."""

        solved: bool | None
        complete: bool | None
        solution: str | None
        reason: Reason | None

    class SolveResult(Result):
        """The types of the columns and rows."""

        solved: NDArray[np.bool_]
        complete: NDArray[np.bool_]
        solution: NDArray[np.uint8]
        solutions: list[str | None]

        def __getitem__(self, row: int) -> SolveRow: ...
        def __iter__(self) -> Iterator[SolveRow]: ...


_SLICE = 8192  # rows a thread takes at a time: their text and answers stay in its cache


_COUNT, _CODE, _FLAG = map(np.dtype, (np.uint64, np.uint8, np.bool_))  # NumPy takes a class for longer


def _new_arrays(n: int, solutions: bool, second_solutions: bool, new: Callable[..., Any] = np.empty) -> Any:
    """Return arrays for the answers of `n` puzzles, as the fields of `SearchOutputs`; none has to be zero."""
    return (
        new(n, _COUNT),
        new(n, _CODE),
        new(n, _FLAG),
        new((n, 81), _CODE) if solutions else None,
        new((n, 81), _CODE) if second_solutions else None,
    )


def _columns(answers: tuple[Any, ...]) -> dict[str, Column]:
    """Return the columns of the arrays that the kernel has filled; an empty grid is a missing value."""
    counts, verdicts, complete, solutions, witnesses = answers
    columns = {
        "verdict": Column(verdicts, VERDICTS, is_dictionary=True),
        "count": Column(counts),
        "complete": Column(complete),
    }
    for name, grids in (("solution", solutions), ("second_solution", witnesses)):
        if grids is not None:
            columns[name] = Column(grids, states=grids[:, 0] > 0)
    return columns


def _result(answers: tuple[Any, ...]) -> CheckResult:
    """Return answers without reasons; the arrays are the arrays of the columns, which few callers read."""
    counts, verdicts, complete, solutions, witnesses = answers
    result: CheckResult = Result(partial(_columns, answers))  # type: ignore[assignment]
    result.count, result.verdict_codes, result.complete = counts, verdicts, complete
    if solutions is not None:
        result.solution = solutions
    if witnesses is not None:
        result.second_solution = witnesses
    return result


def check_many(
    puzzles: PuzzlesLike,
    *,
    limit: int | None = 2,
    threads: int | None = None,
    solutions: bool = True,
    second_solutions: bool = False,
    budget: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> CheckResult:
    """Check many puzzles: find the verdict, the number of solutions up to a limit, and a solution of each.

    Parameters
    ----------
    puzzles : array, bytes, sequence or Arrow column
        The puzzles, in one of these forms:

        - an array of numbers with 81 cells a puzzle, such as (n, 81) or (n, 9, 9): 0 to 9 with 0 for an empty
          cell. ASCII codes are accepted as well, with 0 or the code of a character for an empty cell

        - an array of n strings (``U81``, ``S81``, ``StringDType``, objects), or of single characters with
          shape (n, 81) or (n, 9, 9)

        - ``bytes`` with a puzzle on each line, in UTF-8 or Windows-1252

        - a sequence of anything that `Grid` accepts: strings, ``bytes``, `Grid`, nested lists, arrays

        - a column of strings, bytes or lists from PyArrow, Polars, pandas or DuckDB (the Arrow PyCapsule
          interface), or a table with one column of strings; strings are read in place

        None, NaN, pandas' ``NA`` and a null are rows that are not puzzles.
    limit : int or None, optional
        Largest number of solutions to count for each puzzle; None counts all.
    threads : int, optional
        Worker threads; by default one per available core.
    solutions, second_solutions : bool, optional
        Whether to return the first solution of each puzzle, and the second.
    budget : int, optional
        Largest number of guesses for each puzzle.  A puzzle that needs more is not complete, and its verdict
        is UNKNOWN unless two solutions have been found.
    errors : {"raise", "invalid"}, optional
        How to treat a row that is not a puzzle: raise an error, or set its verdict to INVALID and report the
        reason.
    cancel : Cancel, optional
        Set it to end the call.  Puzzles that are not done are not complete and have the reason
        ``cancelled``; their count is a lower bound, and the verdict UNKNOWN unless two solutions were found.
    timeout : float, optional
        Cancel it after this number of seconds.

    Returns
    -------
    Result
        The same for any number of threads, on any machine, unless it is cancelled.  Its columns:

        ``verdict`` : object[n]
            Words of `unidoku.Verdict`; ``invalid`` for a row that is not a puzzle, which has no other values.
            ``verdict_codes`` has the same as codes, uint8[n].
        ``count`` : uint64[n]
            Solutions found, at most the limit; 2**64 - 1 and not complete if there are more.
        ``complete`` : bool[n]
            Whether all solutions were counted, or the limit was reached.  If false, the budget or a `Cancel`
            ended the search, or there are more than 2**64 - 1 solutions; the count is a lower bound.
        ``solution`` : uint8[n, 81]
            The first solution in the order of the search, cells 1 to 9; zeros without a solution.  Only with
            `solutions`.
        ``second_solution`` : uint8[n, 81]
            The second solution, which proves that there are several.  Only with `second_solutions`.

    Raises
    ------
    InvalidPuzzleError
        `puzzles` has a wrong shape or type; or a row is not a puzzle and `errors` is ``"raise"``: the
        attribute ``index`` is its number, from 0, and ``reason`` what is wrong.
    MissingExtraError
        `puzzles` is an Arrow column and PyArrow is not installed.
    ValueError
        `limit`, `threads` or `budget` is below 1 or too large; `errors` is not one of these.

    Notes
    -----
    With ``limit=1`` the search ends at the first solution: a puzzle that has a solution is complete, and its
    verdict is UNKNOWN because a second solution was not searched for.

    The search is the kernel of docs/kernel.md.  Without a limit or with one above 1,024, and without a
    budget, puzzles with many solutions are counted as a sum: see docs/kernel.md.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> result = check_many([puzzle, puzzle[:80] + "!"], errors="invalid")
    >>> result
    <Result of 2 rows: verdict, count, complete, solution, 1 unique, 1 invalid>
    >>> result[0].solution[:9], result.reasons[1]
    ('534678912', "expected a digit or an empty cell (. 0 * _ - x X ?), found '!' in r9c9")
    """
    if budget is None and cancel is None and timeout is None and errors == "raise":
        answers = kernel.quick_check_many(puzzles, limit, threads, solutions, second_solutions, _new_arrays)
        if answers is not None:
            return _result(answers)
    cancel = within(cancel, timeout)
    solution_limit, guesses = positive("limit", limit), positive("budget", budget)
    valid_puzzles = Puzzles.of(puzzles, errors=errors, cancel=cancel)
    batch = valid_puzzles.batch
    answers = SearchOutputs(*_new_arrays(len(batch), solutions, second_solutions, np.zeros))
    answers.verdicts.fill(int(Verdict.UNKNOWN))
    is_done = np.zeros(len(batch), np.bool_)

    def work(part: slice, stop: Cancel) -> None:
        outputs = SearchOutputs(*(array if array is None else array[part] for array in answers))
        bounds = {"limit": solution_limit, "budget": guesses}
        counting.solve(batch.part(part), outputs, **bounds, stop=stop.flag, zero_out=0)
        is_done[part] = not stop

    map_parts(work, parts_of(len(batch), _SLICE), thread_count(threads), cancel_of(cancel))
    if not valid_puzzles.reasons:
        result = _result(answers)
    else:
        invalid = {"verdict": int(Verdict.INVALID)}
        result = cast("CheckResult", valid_puzzles.result(partial(_columns, answers), for_invalid=invalid))
    is_left = ~(is_done | answers.complete)
    if is_left.any():  # what they have is a lower bound
        result.reasons = with_reason(valid_puzzles.reasons, valid_puzzles.rows[is_left], CANCELLED)
    return result


def count_many(
    puzzles: PuzzlesLike,
    *,
    limit: int | None = None,
    threads: int | None = None,
    budget: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> CheckResult:
    """Count all solutions of each of many puzzles.

    Parameters
    ----------
    puzzles, threads, budget, errors, cancel, timeout
        As for `check_many`.
    limit : int, optional
        Largest number of solutions to count for each puzzle; by default all are counted.

    Returns
    -------
    Result
        As for `check_many`, without solutions.

    Raises
    ------
    InvalidPuzzleError, MissingExtraError, ValueError
        As for `check_many`.

    Examples
    --------
    >>> count_many(["." * 80 + "1"], limit=5000).count.tolist()
    [5000]
    """
    cancel = within(cancel, timeout)
    return check_many(
        puzzles, limit=limit, threads=threads, solutions=False, budget=budget, errors=errors, cancel=cancel
    )


def solve_many(
    puzzles: PuzzlesLike,
    *,
    threads: int | None = None,
    budget: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> SolveResult:
    """Find one solution of each of many puzzles.

    Parameters
    ----------
    puzzles, threads, budget, errors, cancel, timeout
        As for `check_many`.

    Returns
    -------
    Result
        The search ends at the first solution, so there is no verdict.  The columns:

        ``solved`` : bool[n]
            Whether a solution was found.
        ``complete`` : bool[n]
            Whether the search ended by itself.  If false, the budget or a `Cancel` ended it, and there may be
            a solution.
        ``solution`` : uint8[n, 81]
            The first solution in the order of the search, cells 1 to 9; zeros where there is none.

    Raises
    ------
    InvalidPuzzleError, MissingExtraError, ValueError
        As for `check_many`.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> result = solve_many([puzzle, "55" + "." * 79])
    >>> result
    <Result of 2 rows: solved, complete, solution, 1 solved>
    >>> result.solution[0].reshape(9, 9)[0].tolist()
    [5, 3, 4, 6, 7, 8, 9, 1, 2]
    """
    answers = check_many(
        puzzles,
        limit=1,
        threads=threads,
        budget=budget,
        errors=errors,
        cancel=cancel,
        timeout=timeout,
    )
    result: SolveResult = Result(partial(_solved_columns, answers), answers.reasons)  # type: ignore[assignment]
    return result


def _solved_columns(answers: Result) -> dict[str, Column]:
    """Return the columns of a search for one solution, of answers with a limit of 1."""
    columns = answers.columns
    count = columns["count"]
    solved = Column(count.array() > 0, states=count.states)
    return {"solved": solved, "complete": columns["complete"], "solution": columns["solution"]}
