"""Check many puzzles at once, and list their solutions: arrays, lines, strings or Arrow columns in.

The last functions solve rows of cells on the calling thread, for modules that are built on the kernel.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from unidoku import counting, kernel
from unidoku.answer import Answer
from unidoku.arguments import MAX_LISTED, positive
from unidoku.column import Column
from unidoku.errors import UnidokuError
from unidoku.grid import Grid
from unidoku.kernel import Solved
from unidoku.parse_many import batches_of, each_part, numbers_of, rows_in
from unidoku.result import Result
from unidoku.threads import Cancel, flag_of
from unidoku.verdict import VERDICTS, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from unidoku.parse_many import Places, Rows
    from unidoku.puzzles import Batch

_SLICE = 8192  # rows a thread takes at a time: their text and answers stay in its cache


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CheckResult(Result[Answer]):
    """The answers for many puzzles, in the order of the puzzles.

    ``len(result)`` is the number of puzzles and ``result[i]`` the `Answer` for one of them.  Iteration yields
    an `Answer` for each puzzle, and ``==`` compares all arrays.

    Attributes
    ----------
    counts : uint64[n]
        Solutions found, at most the limit; 2**64 - 1 and not complete if there are more.
    verdicts : uint8[n]
        Codes of `unidoku.Verdict`.
    complete : bool[n]
        Whether all solutions were counted, or the limit was reached.  If false, the budget or a `Cancel`
        ended the search, or there are more than 2**64 - 1 solutions; the count is a lower bound.
    solutions : uint8[n, 81] or None
        The first solution of each puzzle in the order of the search, cells 1 to 9; zeros for a puzzle without
        solution.  None if not requested.
    witnesses : uint8[n, 81] or None
        The second solution of each puzzle with several; zeros for others.  None if not requested.
    reasons : dict of int to str
        The rows, from 0, that are not puzzles (verdict INVALID), and why.
    """

    counts: npt.NDArray[np.uint64]
    verdicts: npt.NDArray[np.uint8]
    complete: npt.NDArray[np.bool_]
    solutions: npt.NDArray[np.uint8] | None = None
    witnesses: npt.NDArray[np.uint8] | None = None
    reasons: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.verdicts)

    def _record(self, row: int) -> Answer:
        return Answer(
            Verdict(int(self.verdicts[row])),
            int(self.counts[row]),
            bool(self.complete[row]),
            _grid(self.solutions, row),
            _grid(self.witnesses, row),
            self.reasons.get(row),
        )

    def __repr__(self) -> str:
        numbers = [f"{getattr(self, name)} {name}" for name in ("unique", "multiple", "none", "unknown")]
        if self.invalid:
            numbers.append(f"{self.invalid} invalid")
        cut_off = int(np.count_nonzero(~self.complete)) - self.invalid
        if cut_off:
            numbers.append(f"{cut_off} not complete")
        return f"<CheckResult of {len(self)} puzzles: {', '.join(numbers)}>"

    def _table(self) -> dict[str, Column]:
        """Return the attributes of `Answer`; without values where the grids were not requested."""
        valid = self.verdicts != int(Verdict.INVALID)
        columns = {
            "verdict": Column(self.verdicts, VERDICTS, type="words"),
            "count": Column(self.counts, valid=valid),
            "complete": Column(self.complete, valid=valid),
        }
        for name, grids in (("solution", self.solutions), ("witness", self.witnesses)):
            columns[name] = (
                Column.nothing(len(self)) if grids is None else Column(grids, valid=grids[:, 0] > 0)
            )
        return columns

    @property
    def unique(self) -> int:
        """Number of puzzles with exactly one solution."""
        return self._number_of(Verdict.UNIQUE)

    @property
    def multiple(self) -> int:
        """Number of puzzles with several solutions."""
        return self._number_of(Verdict.MULTIPLE)

    @property
    def none(self) -> int:
        """Number of puzzles without a solution."""
        return self._number_of(Verdict.NONE)

    @property
    def unknown(self) -> int:
        """Number of puzzles without a known verdict, because their search was ended."""
        return self._number_of(Verdict.UNKNOWN)

    @property
    def invalid(self) -> int:
        """Number of rows that are not puzzles."""
        return self._number_of(Verdict.INVALID)

    def _number_of(self, verdict: Verdict) -> int:
        return int(np.count_nonzero(self.verdicts == int(verdict)))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AllSolutions(Result["npt.NDArray[np.uint8]"]):
    """The solutions of many puzzles, in the order of the puzzles.

    ``len(result)`` is the number of puzzles, and ``result[i]`` the solutions of puzzle i: uint8[k, 81].

    Attributes
    ----------
    offsets : int64[n + 1]
        Puzzle i has the solutions ``offsets[i]`` to ``offsets[i + 1] - 1``.
    solutions : uint8[m, 81]
        Cells 1 to 9, the solutions of each puzzle in the order of `unidoku.solutions`.
    complete : bool[n]
        Whether these are all solutions of the puzzle; false if it has more than the limit.
    reasons : dict of int to str
        Why rows are not puzzles, by row, from 0.
    """

    offsets: npt.NDArray[np.int64]
    solutions: npt.NDArray[np.uint8]
    complete: npt.NDArray[np.bool_]
    reasons: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.complete)

    def _record(self, row: int) -> npt.NDArray[np.uint8]:
        return self.solutions[self.offsets[row] : self.offsets[row + 1]]

    def __repr__(self) -> str:
        cut_off = int(np.count_nonzero(~self.complete))
        numbers = f"{len(self.solutions)} solutions, {cut_off} not complete"
        return f"<AllSolutions of {len(self)} puzzles: {numbers}>"

    def _table(self) -> dict[str, Column]:
        return {
            "solutions": Column(self.solutions, offsets=self.offsets),
            "complete": Column(self.complete),
        }


def _grid(rows: npt.NDArray[np.uint8] | None, row: int) -> Grid | None:
    return Grid(rows[row].tobytes()) if rows is not None and rows[row, 0] else None


def _answers(n: int, solutions: bool, witnesses: bool) -> Solved:
    """Allocate the answers for `n` puzzles."""
    return Solved(
        np.zeros(n, np.uint64),
        np.zeros(n, np.uint8),
        np.zeros(n, np.bool_),
        np.zeros((n, 81), np.uint8) if solutions else None,
        np.zeros((n, 81), np.uint8) if witnesses else None,
    )


@kernel.native_check_many(lambda *asked: CheckResult(*_answers(*asked)))
def check_many(
    puzzles: Rows,
    *,
    limit: int | None = 2,
    threads: int | None = None,
    solutions: bool = True,
    witnesses: bool = False,
    budget: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> CheckResult:
    """Count the solutions of many puzzles, each up to a limit.

    Parameters
    ----------
    puzzles : array, bytes, sequence or Arrow column
        In any of these forms:

        - an array of integers, shape (n, 81) or (n, 9, 9): numbers 0 to 9 (0: empty), or ASCII codes;
        - an array of n strings (``U81``, ``S81``, ``StringDType``, objects), or of single characters with
          shape (n, 81) or (n, 9, 9);
        - ``bytes`` of lines with 81 characters each;
        - a sequence of puzzles, each of them anything that `Grid` takes: strings, ``bytes``, `Grid`, nested
          lists (with None for empty cells), arrays;
        - a column of strings with the Arrow PyCapsule interface (PyArrow, Polars, pandas, DuckDB), which is
          read in place.

        Empty cells in text are any of ``. 0 * _ - x X ?``.  A string, a line or a value of a column may also
        have 729 pencil marks.
    limit : int or None, optional
        Largest number of solutions to count for each puzzle; None counts all.
    threads : int, optional
        Worker threads; by default one per available core.
    solutions, witnesses : bool, optional
        Whether to return the first solution of each puzzle, and the second.
    budget : int, optional
        Largest number of guesses for each puzzle.  A puzzle that needs more is not complete, and its verdict
        is UNKNOWN unless two solutions have been found.
    errors : {"raise", "invalid"}, optional
        What to do with a row that is not a puzzle: raise an error, or set its verdict to INVALID and report
        the reason.
    cancel : Cancel, optional
        Set it to end the call.  Unfinished puzzles are not complete; puzzles not begun have count 0 and
        verdict UNKNOWN.

    Returns
    -------
    CheckResult
        The same for any number of threads, on any machine, unless it is cancelled.

    Raises
    ------
    InvalidPuzzleError
        `puzzles` has a wrong shape or type; or a row is not a puzzle and `errors` is ``"raise"``: the
        attribute ``row`` is its number, from 0, and ``reason`` what is wrong.
    MissingExtraError
        `puzzles` is an Arrow column and PyArrow is not installed.
    ValueError
        `limit`, `threads` or `budget` is not an integer, below 1 or too large; `errors` is not one of these.

    Notes
    -----
    With ``limit=1`` the search ends at the first solution: a puzzle that has a solution is complete, and its
    verdict is UNKNOWN because a second solution was not searched for.

    The search is the lanes kernel: see docs/kernel.md.  Without a limit or with one above 1,024, and without
    a budget, puzzles with many solutions are counted as a sum: see docs/counting.md.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> result = check_many([puzzle, puzzle[:80] + "!"], errors="invalid")
    >>> result
    <CheckResult of 2 puzzles: 1 unique, 0 multiple, 0 none, 0 unknown, 1 invalid>
    >>> result[0].solution.line[:9], result.reasons[1]
    ('534678912', "expected a digit or an empty cell (. 0 * _ - x X ?), found '!' in r9c9")
    """
    most, guesses = positive("limit", limit), positive("budget", budget)
    batches = batches_of(puzzles, cancel)
    answers = _answers(rows_in(batches), solutions, witnesses)
    answers.verdicts.fill(Verdict.INVALID)

    def work(part: Batch, rows: Places, stop: Cancel) -> None:
        found = Solved(*(each if each is None else each[rows] for each in answers))
        counting.solve(part, found, limit=most, budget=guesses, stop=stop.flag)
        for grids in (found.solutions, found.witnesses):
            if grids is not None and part.zero:
                np.bitwise_and(grids, 15, out=grids)
        if not isinstance(rows, slice):  # copies
            for each, some in zip(answers, found, strict=True):
                if each is not None:
                    each[rows] = some

    limits: dict[str, Any] = {"errors": errors, "threads": threads, "cancel": cancel}
    reasons = each_part(batches, work, size=_SLICE, marks=True, whole=False, **limits)
    if cancel:
        left = answers.verdicts == int(Verdict.INVALID)
        left[list(reasons)] = False
        answers.verdicts[left] = Verdict.UNKNOWN
    return CheckResult(*answers, reasons=reasons)


def solve_many(
    puzzles: Rows,
    *,
    threads: int | None = None,
    budget: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> CheckResult:
    """Find a solution of many puzzles.

    Parameters
    ----------
    puzzles, threads, budget, errors, cancel
        As for `check_many`.

    Returns
    -------
    CheckResult
        ``solutions`` has a row for each puzzle, zeros where there is none.  A second solution is not searched
        for: the verdict of a puzzle with a solution is UNKNOWN.

    Raises
    ------
    InvalidPuzzleError, MissingExtraError, ValueError
        As for `check_many`.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> solve_many([puzzle]).solutions[0, :9].tolist()
    [5, 3, 4, 6, 7, 8, 9, 1, 2]
    """
    return check_many(puzzles, limit=1, threads=threads, budget=budget, errors=errors, cancel=cancel)


def count_many(
    puzzles: Rows,
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


def solutions_many(
    puzzles: Rows,
    *,
    limit: int = 64,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> AllSolutions:
    """Find the solutions of many puzzles, up to `limit` for each.

    Parameters
    ----------
    puzzles, threads, errors
        As for `check_many`, but a row of pencil marks is not a puzzle here.
    limit : int, optional
        Largest number of solutions of one puzzle, 1 to 2**24 - 1.
    cancel : Cancel, optional
        Set it to stop.

    Returns
    -------
    AllSolutions
        The same for any number of threads and on any machine.  A puzzle without a solution has no rows and is
        complete.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle, or has pencil marks; its attribute ``row`` is the number, from 0.
    SearchStoppedError
        `cancel` ended the search.
    ValueError
        `limit` or `threads` is out of range.

    Notes
    -----
    Many puzzles are solved at once for their first two solutions; one with more is searched again.

    Examples
    --------
    >>> puzzle = "5.2...4.....71...3..............46...7.2......1.......6....2.......3..1.4........"
    >>> found = solutions_many([puzzle], limit=5)
    >>> found[0].shape, found.complete.tolist()
    ((5, 81), [False])
    """
    if not positive("limit", limit, MAX_LISTED):
        raise UnidokuError("limit must be an integer and at least 1, not None")
    batches = batches_of(puzzles, cancel)
    n = rows_in(batches)
    counts, first_two = np.zeros(n, np.int64), np.zeros((2, n, 81), np.uint8)
    more: dict[int, npt.NDArray[np.uint8]] = {}

    def search(part: Batch, rows: Places, stop: Cancel) -> None:
        cells = part.cells
        found = solve_rows(cells, min(limit + 1, 3), cancel=stop)
        counts[rows], first_two[0, rows], first_two[1, rows] = found.counts, found.solutions, found.witnesses
        several = np.flatnonzero((found.counts > 2) & (limit > 2))
        for k, row in zip(several, numbers_of(rows)[several].tolist(), strict=True):
            grids = kernel.SolutionSearch(cells[k], zero=0).chunk(limit + 1, stop=stop.flag)
            stop.raise_if_set()
            more[row] = np.frombuffer(grids, np.uint8).reshape(-1, 81)

    reasons = each_part(batches, search, errors=errors, threads=threads, cancel=cancel)
    for row, every in more.items():
        counts[row] = len(every)
    kept = np.minimum(counts, limit)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])
    solutions = np.empty((int(offsets[-1]), 81), np.uint8)
    for k, grids in enumerate(first_two):
        some = kept > k
        solutions[offsets[:-1][some] + k] = grids[some]
    for row, every in more.items():
        solutions[offsets[row] : offsets[row + 1]] = every[:limit]
    complete = counts <= limit
    complete[list(reasons)] = False
    return AllSolutions(offsets, solutions, complete, reasons)


def solve_rows(
    rows: npt.NDArray[np.uint8],
    limit: int = 2,
    budget: int = 0,
    *,
    grids: int = 2,
    cancel: Cancel | None = None,
) -> Solved:
    """Solve rows of cells 0 to 9 on the calling thread; return `grids` solutions of each, as arrays.

    If `cancel` ends the work, it is an error.
    """
    n = len(rows)
    found = Solved(np.zeros(n, np.uint64), *np.zeros((2, n), np.uint8), *np.zeros((grids, n, 81), np.uint8))
    bounds: dict[str, Any] = {"limit": limit, "budget": budget, "stop": flag_of(cancel)}
    text, starts = flat(rows)
    kernel.solve_cells(text, starts, zero=0, **bounds, **found._asdict())
    if cancel is not None:
        cancel.raise_if_set()
    return found


def are_proper(rows: npt.NDArray[np.uint8], cancel: Cancel | None = None) -> npt.NDArray[np.bool_]:
    """Test which rows of cells 0 to 9 are proper puzzles, on the calling thread: bool[n]."""
    proper: npt.NDArray[np.bool_] = solve_rows(rows, grids=0, cancel=cancel).verdicts == int(Verdict.UNIQUE)
    return proper


class _Proposer(Protocol):
    """Native work that proposes puzzles and learns from their solutions."""

    def propose(self, rows: Any) -> int: ...
    def learn(self, solutions: Any, witnesses: Any) -> None: ...


def solve_proposals(proposer: _Proposer, capacity: int, cancel: Cancel | None = None) -> None:
    """Solve the proposals of native work until there are none, on the calling thread.

    If `cancel` ends the work, it is an error.
    """
    rows, first, second = np.empty((3, capacity * 81), np.uint8)
    counts, starts = np.empty(capacity, np.uint64), np.arange(0, 81 * capacity, 81, dtype=np.int64)
    stop = flag_of(cancel)
    while count := proposer.propose(rows):
        grids = (each[: 81 * count] for each in (first, second))
        found = Solved(counts[:count], None, None, *grids)
        kernel.solve_cells(rows, starts[:count], zero=0, stop=stop, **found._asdict())
        if cancel is not None:
            cancel.raise_if_set()
        proposer.learn(first, second)


def flat(rows: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Return rows of 81 cells one after the other, and where each begins."""
    return np.ascontiguousarray(rows).reshape(-1), np.arange(0, rows.size, 81, dtype=np.int64)
