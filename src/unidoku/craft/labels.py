"""All solutions of many puzzles, for example as labels of puzzles with several solutions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from unidoku import kernel
from unidoku.arguments import MAX_LISTED, positive
from unidoku.many import solve
from unidoku.parse_many import puzzles_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from unidoku.parse_many import Rows, RowSlice

__all__ = ["AllSolutions", "solutions_many"]


@dataclass(frozen=True, slots=True, eq=False)
class AllSolutions:
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

    offsets: NDArray[np.int64]
    solutions: NDArray[np.uint8]
    complete: NDArray[np.bool_]
    reasons: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.complete)

    def __getitem__(self, row: int) -> NDArray[np.uint8]:
        row = range(len(self))[row]
        return self.solutions[self.offsets[row] : self.offsets[row + 1]]

    def __repr__(self) -> str:
        cut_off = int(np.count_nonzero(~self.complete))
        numbers = f"{len(self.solutions)} solutions, {cut_off} not complete"
        return f"<AllSolutions of {len(self)} puzzles: {numbers}>"

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return an Arrow table: ``solutions`` (lists of 81 digits), ``complete`` and ``reason``."""
        from unidoku.arrow import pyarrow, reason_array

        pa = pyarrow()
        m = len(self.solutions)
        ends = pa.py_buffer(np.arange(0, 81 * m + 1, 81, dtype=np.int64))
        text = pa.py_buffer(np.ascontiguousarray(self.solutions | np.uint8(48)))
        grids = pa.Array.from_buffers(pa.large_string(), m, [None, ends, text])
        offsets = pa.py_buffer(np.ascontiguousarray(self.offsets))
        kind = pa.large_list(pa.large_string())
        lists = pa.Array.from_buffers(kind, len(self), [None, offsets], children=[grids])
        table: Any = pa.table(
            {
                "solutions": lists,
                "complete": pa.array(self.complete),
                "reason": reason_array(self.reasons, len(self)),
            }
        )
        stream: object = table.__arrow_c_stream__(requested_schema)
        return stream


def solutions_many(
    puzzles: Rows,
    *,
    limit: int = 64,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
) -> AllSolutions:
    """Find the solutions of many puzzles, up to `limit` for each.

    Parameters
    ----------
    puzzles : array, bytes, sequence or Arrow column
        As `unidoku.check_many` accepts them, without pencil marks.
    limit : int, optional
        Largest number of solutions of one puzzle, 1 to 2**24 - 1.
    threads : int, optional
        Worker threads; by default one per available core.
    errors : {"raise", "invalid"}, optional
        What to do with a row that is not a puzzle: raise an error, or give a reason for it.

    Returns
    -------
    AllSolutions
        The same for any number of threads and on any machine.  A puzzle without a solution has no rows and is
        complete.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle, or has pencil marks; its attribute ``row`` is the
        number, from 0.
    ValueError
        `limit` or `threads` is out of range.

    Notes
    -----
    All puzzles are solved as one batch for their counts and first two solutions; a puzzle with more solutions
    is searched a second time.

    Examples
    --------
    >>> puzzle = "5.2...4.....71...3..............46...7.2......1.......6....2.......3..1.4........"
    >>> found = solutions_many([puzzle], limit=5)
    >>> found[0].shape, found.complete.tolist()
    ((5, 81), [False])
    """
    if not positive("limit", limit, MAX_LISTED):
        raise ValueError("limit must be an integer and at least 1, not None")
    rows = puzzles_of(puzzles, errors)
    counts = np.zeros(rows.count, np.uint64)
    pieces: dict[int, NDArray[np.uint8]] = {}

    def work(part: RowSlice) -> None:
        counts[part.rows], pieces[part.row(0)] = _solutions(part.cells(), limit)

    rows.run(work, threads=threads)
    kept = np.minimum(counts, np.uint64(limit)).astype(np.int64)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])
    parts = [pieces[first] for first in sorted(pieces)]
    solutions = np.concatenate(parts) if parts else np.empty((0, 81), np.uint8)
    complete = counts <= np.uint64(limit)
    complete[list(rows.reasons)] = False
    return AllSolutions(offsets, solutions, complete, rows.reasons)


def _solutions(cells: NDArray[np.uint8], most: int) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """Count the solutions of some puzzles, up to `most` + 1, and find up to `most`, in their order."""
    found = solve(cells, most + 1)
    kept = np.minimum(found.counts, np.uint64(most)).astype(np.int64)
    ends = np.cumsum(kept)
    solutions = np.empty((int(kept.sum()), 81), np.uint8)
    firsts = ends - kept
    for k, grids in enumerate((found.solutions, found.witnesses)):
        some = kept > k
        solutions[firsts[some] + k] = grids[some]
    for row in np.flatnonzero(kept > 2).tolist():
        every = kernel.SolutionSearch(cells[row], zero=0).chunk(int(kept[row]))
        solutions[firsts[row] : ends[row]] = np.frombuffer(every, np.uint8).reshape(-1, 81)
    return found.counts, solutions
