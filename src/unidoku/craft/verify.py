"""Predicted solutions of many puzzles: which are right, and what is wrong in the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku.arguments import MAX_THREADS, positive
from unidoku.craft.rows import Table, solve_rows
from unidoku.kernel import default_threads
from unidoku.native.clues.prediction import judge
from unidoku.parallel import Cancel, run_tasks
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.rows import Rows

__all__ = ["VerifyResult", "verify_many"]

_SLICE = 8192  # rows a thread takes at a time


@dataclass(frozen=True, slots=True, eq=False)
class VerifyResult:
    """What is wrong in predictions, in the order of the puzzles.

    Attributes
    ----------
    solved : bool[n]
        Whether the prediction is a full grid by the rules that keeps all clues.
    wrong_cells : int16[n]
        Cells that differ from the puzzle's only solution, empty ones included; 0 where the prediction is
        right; -1 where the puzzle has no solution or several and the prediction is none of them.
    broken_houses : uint8[n]
        Rows, columns and boxes, of 27, that do not have all nine digits.
    changed_clues : uint8[n]
        Clues of the puzzle that the prediction does not have.
    empty_cells : uint8[n]
        Cells without a digit.
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
        """The results as an Arrow table with a column per attribute.

        Raises
        ------
        MissingExtraError
            PyArrow is not installed.
        """
        from unidoku.arrow import pyarrow

        table: Any = pyarrow().table({name: getattr(self, name) for name in self.__slots__})
        stream: object = table.__arrow_c_stream__(requested_schema)
        return stream


def verify_many(puzzles: Rows, predictions: Rows, *, threads: int | None = None) -> VerifyResult:
    """Verify predicted solutions of many puzzles.

    Parameters
    ----------
    puzzles, predictions : array, bytes, sequence or Arrow column
        As many predictions as puzzles, each in any form that `unidoku.check_many` takes.
    threads : int, optional
        Worker threads; by default the cores this process may use.

    Returns
    -------
    VerifyResult

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle or a prediction of 81 cells; the message names the row, from 1.
    ValueError
        There are not as many predictions as puzzles.

    Notes
    -----
    Only the puzzles whose prediction is wrong are solved.

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
        raise ValueError(f"there are {len(given):,} predictions for {len(asked):,} puzzles")
    rows, grids = asked.cells(threads), given.cells(threads)
    n = len(rows)
    solved, broken, changed, empty = np.empty((4, n), np.uint8)
    wrong = np.zeros(n, np.int16)

    def work(begin: int) -> None:
        part = slice(begin, begin + _SLICE)
        flat = rows[part].reshape(-1), grids[part].reshape(-1)
        judge(*flat, solved[part], changed[part], broken[part], empty[part])
        failed = np.flatnonzero(solved[part] == 0) + begin
        if failed.size:
            verdicts, solutions, _ = solve_rows(rows[failed])
            different = np.count_nonzero(solutions != grids[failed], axis=1)
            wrong[failed] = np.where(verdicts == Verdict.UNIQUE, different, -1)

    count = positive("threads", threads, MAX_THREADS) or default_threads()
    run_tasks(work, range(0, n, _SLICE), count, Cancel())
    return VerifyResult(solved.view(np.bool_), wrong, broken, changed, empty)
