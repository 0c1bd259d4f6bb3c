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
    n = len(rows)
    solved, broken, changed, empty = np.empty((4, n), np.uint8)
    wrong = np.zeros(n, np.int16)

    def work(begin: int) -> None:
        part = slice(begin, begin + _SLICE)
        flat = rows[part].reshape(-1), grids[part].reshape(-1)
        compare(*flat, solved[part], changed[part], broken[part], empty[part])
        failed = np.flatnonzero(solved[part] == 0) + begin
        if failed.size:
            found = solve(rows[failed], grids=1)
            different = np.count_nonzero(found.solutions != grids[failed], axis=1)
            wrong[failed] = np.where(found.verdicts == Verdict.UNIQUE, different, -1)

    count = positive("threads", threads, MAX_THREADS) or default_threads()
    run_tasks(work, range(0, n, _SLICE), count, Cancel())
    return VerifyResult(solved.view(np.bool_), wrong, broken, changed, empty)
