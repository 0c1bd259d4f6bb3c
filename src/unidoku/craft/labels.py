"""All solutions of many puzzles, for example as labels of puzzles with several solutions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku import kernel
from unidoku.kernel import MAX_LISTED, positive
from unidoku.many import Table, cells_of_text, solve

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.rows import Rows

__all__ = ["AllSolutions", "all_solutions"]


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
        Whether these are all solutions of the puzzle; false if it has more than `most`.
    """

    offsets: NDArray[np.int64]
    solutions: NDArray[np.uint8]
    complete: NDArray[np.bool_]

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
        """Return an Arrow table: ``solutions`` (lists of strings of 81 digits) and ``complete``."""
        from unidoku.arrow import pyarrow

        pa = pyarrow()
        m = len(self.solutions)
        ends = pa.py_buffer(np.arange(0, 81 * m + 1, 81, dtype=np.int64))
        text = pa.py_buffer(np.ascontiguousarray(self.solutions | np.uint8(48)))
        grids = pa.Array.from_buffers(pa.large_string(), m, [None, ends, text])
        offsets = pa.py_buffer(np.ascontiguousarray(self.offsets))
        kind = pa.large_list(pa.large_string())
        lists = pa.Array.from_buffers(kind, len(self), [None, offsets], children=[grids])
        table: Any = pa.table({"solutions": lists, "complete": pa.array(self.complete)})
        stream: object = table.__arrow_c_stream__(requested_schema)
        return stream


def all_solutions(puzzles: Rows, most: int = 64, *, threads: int | None = None) -> AllSolutions:
    """Find the solutions of many puzzles, up to `most` for each.

    Parameters
    ----------
    puzzles : array, bytes, sequence or Arrow column
        As `unidoku.check_many` accepts them, without pencil marks.
    most : int, optional
        Largest number of solutions of one puzzle, 1 to 2**24 - 1.
    threads : int, optional
        Worker threads; by default one per available core.

    Returns
    -------
    AllSolutions
        The same for any number of threads and on any machine.  A puzzle without a solution has no rows and is
        complete.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle, or has pencil marks; the message names the row, from 0.
    ValueError
        `most` or `threads` is out of range.

    Notes
    -----
    All puzzles are solved as one batch for their counts and first two solutions; a puzzle with more solutions
    is searched a second time.

    Examples
    --------
    >>> puzzle = "5.2...4.....71...3..............46...7.2......1.......6....2.......3..1.4........"
    >>> found = all_solutions([puzzle], most=5)
    >>> found[0].shape, found.complete.tolist()
    ((5, 81), [False])
    """
    limit = positive("most", most, MAX_LISTED)
    if not limit:
        raise ValueError("most must be an integer and at least 1, not None")
    table = Table(puzzles)
    counts = np.zeros(len(table), np.uint64)
    pieces: dict[int, NDArray[np.uint8]] = {}

    def work(text: Any, starts: NDArray[np.int64], zero: int, part: slice) -> None:
        pieces[part.start] = _solutions(cells_of_text(text, starts, zero), limit, counts[part])

    table.run(work, threads)
    kept = np.minimum(counts, np.uint64(limit)).astype(np.int64)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])
    parts = [pieces[first] for first in sorted(pieces)]
    solutions = np.concatenate(parts) if parts else np.empty((0, 81), np.uint8)
    return AllSolutions(offsets, solutions, counts <= np.uint64(limit))


def _solutions(cells: NDArray[np.uint8], most: int, counts: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Find the solutions of some puzzles, in their order; fill their counts, up to `most` + 1."""
    n = len(cells)
    found = solve(cells, most + 1)
    counts[:] = found.counts
    kept = np.minimum(counts, np.uint64(most)).astype(np.int64)
    ends = np.cumsum(kept)
    solutions = np.empty((int(ends[-1]) if n else 0, 81), np.uint8)
    firsts = ends - kept
    for k, grids in enumerate((found.solutions, found.witnesses)):
        some = kept > k
        solutions[firsts[some] + k] = grids[some]
    for row in np.flatnonzero(kept > 2).tolist():
        every = kernel.SolutionSearch(cells[row], zero=0).chunk(int(kept[row]))
        solutions[firsts[row] : ends[row]] = np.frombuffer(every, np.uint8).reshape(-1, 81)
    return solutions
