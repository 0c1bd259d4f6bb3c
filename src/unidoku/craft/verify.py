"""Verify predicted solutions of many puzzles and describe their errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku.kernel import MAX_THREADS, Cancel, default_threads, positive, run_tasks
from unidoku.many import Table, solve
from unidoku.native.clues.prediction import compare
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.rows import Rows

__all__ = ["COLUMNS", "VerifyResult", "verify_many"]

COLUMNS = ("solved", "wrong_cells", "broken_houses", "changed_clues", "empty_cells")
"""The attributes of `VerifyResult`."""

_SLICE = 8192  # rows per task of a thread


@dataclass(frozen=True, slots=True, eq=False)
class VerifyResult:
    """The errors of predicted solutions, in the order of the puzzles.

    Attributes
    ----------
    solved : bool[n]
        Whether the prediction is a solution of the puzzle.
    wrong_cells : int16[n]
        Number of cells that differ from the solution of a proper puzzle, empty ones included; 0 if `solved`;
        -1 if the puzzle is not proper and the prediction is not a solution.
    broken_houses : uint8[n]
        Number of rows, columns and boxes, of 27, that do not contain all nine digits.
    changed_clues : uint8[n]
        Number of clues of the puzzle that are missing from the prediction.
    empty_cells : uint8[n]
        Number of cells without a digit.
    """

    solved: NDArray[np.bool_]
    wrong_cells: NDArray[np.int16]
    broken_houses: NDArray[np.uint8]
    changed_clues: NDArray[np.uint8]
    empty_cells: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.solved)

    def __repr__(self) -> str:
        return f"<VerifyResult of {len(self)} predictions: {int(self.solved.sum())} solved>"

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the results as an Arrow table with a column for each attribute."""
        from unidoku.arrow import pyarrow

        table: Any = pyarrow().table({name: getattr(self, name) for name in COLUMNS})
        stream: object = table.__arrow_c_stream__(requested_schema)
        return stream


def verify_many(puzzles: Rows, predictions: Rows, *, threads: int | None = None) -> VerifyResult:
    """Verify predicted solutions of many puzzles.

    Parameters
    ----------
    puzzles, predictions : array, bytes, sequence or Arrow column
        In any form that `unidoku.check_many` accepts; a prediction for each puzzle.
    threads : int, optional
        Worker threads; by default one per available core.

    Returns
    -------
    VerifyResult

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle or a prediction of 81 cells; the message names the row, from 0.
    ValueError
        The numbers of puzzles and predictions differ.

    Notes
    -----
    Only puzzles with a wrong prediction are solved.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> import unidoku
    >>> right = unidoku.solve(puzzle).line
    >>> result = verify_many([puzzle, puzzle], [right, "1" + right[1:]])
    >>> result.solved.tolist(), result.wrong_cells.tolist(), result.changed_clues.tolist()
    ([True, False], [0, 1], [0, 1])
    """
    asked, given = Table(puzzles), Table(predictions)
    if len(asked) != len(given):
        raise ValueError(f"{len(asked):,} puzzles need {len(asked):,} predictions, not {len(given):,}")
    rows, grids = asked.cells(threads), given.cells(threads)
    parts: dict[int, VerifyResult] = {}

    def work(begin: int) -> None:
        parts[begin] = verify_rows(rows[begin : begin + _SLICE], grids[begin : begin + _SLICE])

    count = positive("threads", threads, MAX_THREADS) or default_threads()
    run_tasks(work, range(0, max(1, len(rows)), _SLICE), count, Cancel())
    results = [parts[begin] for begin in sorted(parts)]
    return VerifyResult(*(np.concatenate([getattr(each, name) for each in results]) for name in COLUMNS))


def verify_rows(
    rows: NDArray[np.uint8],
    grids: NDArray[np.uint8],
    verdicts: NDArray[np.uint8] | None = None,
    solutions: NDArray[np.uint8] | None = None,
) -> VerifyResult:
    """Verify predictions, uint8[n, 81], on the calling thread; without solutions, solve what is needed."""
    n = len(rows)
    solved, broken, changed, empty = np.empty((4, n), np.uint8)
    wrong = np.zeros(n, np.int16)
    compare(rows.reshape(-1), grids.reshape(-1), solved, changed, broken, empty)
    failed = np.flatnonzero(solved == 0)
    if failed.size:
        if verdicts is None or solutions is None:
            found = solve(rows[failed], grids=1)
            known, right = found.verdicts, found.solutions
        else:
            known, right = verdicts[failed], solutions[failed]
        different = np.count_nonzero(right != grids[failed], axis=1)
        wrong[failed] = np.where(known == Verdict.UNIQUE, different, -1)
    return VerifyResult(solved.view(np.bool_), wrong, broken, changed, empty)
