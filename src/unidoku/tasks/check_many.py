"""The answers of `check` in memory.

They are apart from `unidoku.tasks.check`, so that a check of files starts without them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from unidoku import counting, kernel
from unidoku.arguments import positive
from unidoku.column import Column
from unidoku.grid import Grid
from unidoku.kernel import Solved
from unidoku.parse_many import Puzzles
from unidoku.result import Result
from unidoku.tasks.examine import Answer
from unidoku.threads import Cancel
from unidoku.verdict import VERDICTS, Verdict

if TYPE_CHECKING:
    import numpy.typing as npt

    from unidoku.batch import Batch
    from unidoku.parse_many import Places, PuzzlesLike

_SLICE = 8192  # rows a thread takes at a time: their text and answers stay in its cache


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CheckResult(Result[Answer]):
    """The answers for many puzzles, in the order of the puzzles.

    ``len(result)`` is the number of puzzles and ``result[i]`` the `Answer` for one of them.  Iteration yields
    an `Answer` for each puzzle.

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
            "count": Column(self.counts, states=valid),
            "complete": Column(self.complete, states=valid),
        }
        for name, grids in (("solution", self.solutions), ("witness", self.witnesses)):
            columns[name] = (
                Column.sparse({}, len(self)) if grids is None else Column(grids, states=grids[:, 0] > 0)
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


def _grid(rows: npt.NDArray[np.uint8] | None, row: int) -> Grid | None:
    return Grid(rows[row].tobytes()) if rows is not None and rows[row, 0] else None


def _allocated(n: int, solutions: bool, witnesses: bool) -> CheckResult:
    """Return the result of `n` puzzles, whose answers are to be filled in."""
    return CheckResult(
        np.zeros(n, np.uint64),
        np.zeros(n, np.uint8),
        np.zeros(n, np.bool_),
        np.zeros((n, 81), np.uint8) if solutions else None,
        np.zeros((n, 81), np.uint8) if witnesses else None,
    )


@kernel.with_native("check_many", _allocated)
def check_many(
    puzzles: PuzzlesLike,
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
        - a column of strings, bytes or lists with the Arrow PyCapsule interface (PyArrow, Polars, pandas,
          DuckDB); strings are read in place.

        Empty cells in text are any of ``. 0 * _ - x X ?``.  None, NaN, pandas' ``NA`` and a null are rows
        that are not puzzles.
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

    The search is the kernel of docs/kernel.md.  Without a limit or with one above 1,024, and without a
    budget, puzzles with many solutions are counted as a sum: see docs/kernel.md.

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
    given = Puzzles.of(puzzles, cancel)
    result = _allocated(len(given), solutions, witnesses)
    result.verdicts.fill(Verdict.UNKNOWN)
    answers = Solved(result.counts, result.verdicts, result.complete, result.solutions, result.witnesses)

    def work(part: Batch, rows: Places, stop: Cancel) -> None:
        found = Solved(*(each if each is None else each[rows] for each in answers))
        counting.solve(part, found, limit=most, budget=guesses, stop=stop.flag)
        for grids in (found.solutions, found.witnesses):
            if grids is not None and part.empty_code:
                np.bitwise_and(grids, 15, out=grids)
        if not isinstance(rows, slice):  # copies
            for each, some in zip(answers, found, strict=True):
                if each is not None:
                    each[rows] = some

    limits: dict[str, Any] = {"errors": errors, "threads": threads, "cancel": cancel}
    reasons = given.each_part(work, size=_SLICE, whole=False, **limits)
    result.verdicts[list(reasons)] = Verdict.INVALID
    return CheckResult(*answers, reasons=reasons)
