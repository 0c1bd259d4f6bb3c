"""The task of `solve --all`: a row for each solution of each puzzle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from unidoku import kernel
from unidoku.arguments import MAX_COUNT
from unidoku.grid import Grid
from unidoku.options import shared
from unidoku.table.batch import Batch
from unidoku.task import ResultBatch, Task
from unidoku.tasks.columns import SOLUTION_COUNT
from unidoku.threads import Cancel

SolutionRows: TypeAlias = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]
"""Solutions: the puzzle of each, its number, whether it is the last one, and its digits."""

_FEW = 64  # solutions of each puzzle in the first search, over all puzzles of a batch
_CHUNK = 1024  # rows in a piece, and solutions in a step of the search of one puzzle


@dataclass(frozen=True)
class Solutions(Task):
    """Every solution of each puzzle, or the first `count` of them.

    Parameters
    ----------
    count : int, optional
        Largest number of solutions of each puzzle; by default all.
    """

    columns: ClassVar[Mapping[str, tuple[str, str]]] = {
        "number": ("uint64", "number of the solution, from 1"),
        "last": ("bool", "whether the puzzle has no further solution"),
        "solution": ("cells", "the solution"),
    }
    lines: ClassVar[tuple[str, ...]] = ("solution",)
    batch_size: ClassVar[int] = 2048  # each may have `_FEW` solutions in memory
    count: int | None = shared(SOLUTION_COUNT)

    def work(self, batch: Batch, cancel: Cancel) -> Iterator[ResultBatch]:
        """Yield the solutions in pieces: a puzzle may have more than memory holds."""
        pending: list[SolutionRows] = []
        begin = 0
        for rows in self._chunks(batch, cancel):
            if cancel:
                return
            if sum(len(of) for of, *_ in pending) >= _CHUNK:
                last = int(pending[-1][0][-1])
                yield _piece(batch, pending, begin, last)
                begin, pending = last + 1, []
            pending.append(rows)
        if not cancel:
            yield _piece(batch, pending, begin, len(batch))

    def _chunks(self, batch: Batch, cancel: Cancel) -> Iterator[SolutionRows]:
        """Yield all solutions in order; those of a puzzle with many in several chunks."""
        few = min(self.count or _FEW, _FEW)
        offsets, grids, complete = _first_solutions(batch.cells, few, cancel)
        if cancel:
            return
        counts = np.diff(offsets)
        of = np.repeat(np.arange(len(counts)), counts)
        number = np.arange(1, len(of) + 1) - offsets[of]
        rows = of, number, complete[of] & (number == counts[of]), grids
        ended = complete | (few == self.count)
        end = 0
        for row in np.flatnonzero(~ended).tolist():
            begin, end = end, int(offsets[row])
            if begin < end:
                yield _slice(rows, slice(begin, end))
            (puzzle,) = batch.puzzles().take(np.array([row])).to_list()
            yield from _search(puzzle, row, self.count, cancel)
            end = int(offsets[row + 1])
        yield _slice(rows, slice(end, None))


def _first_solutions(
    cells: NDArray[np.uint8], limit: int, cancel: Cancel
) -> tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.bool_]]:
    """Find up to `limit` solutions of each puzzle.

    Puzzle i has the solutions from ``offsets[i]`` to before ``offsets[i + 1]``; the last array is true if
    these are all.  The first search has up to two solutions; a puzzle with more is searched again.
    """
    outputs = kernel.solve_rows(cells, min(limit + 1, 3), cancel=cancel)
    counts = outputs.counts.astype(np.int64)
    solutions_by_row: dict[int, NDArray[np.uint8]] = {}
    for row in np.flatnonzero((counts > 2) & (limit > 2)).tolist():
        digits = kernel.solution_search(cells[row].tobytes()).chunk(limit + 1, stop=cancel.flag)
        solutions_by_row[row] = np.frombuffer(digits, np.uint8).reshape(-1, 81)
        counts[row] = len(solutions_by_row[row])
    numbers = np.minimum(counts, limit)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(numbers)])
    solutions = np.empty((int(offsets[-1]), 81), np.uint8)
    for k, grids in enumerate((outputs.solutions, outputs.witnesses)):
        has = numbers > k
        solutions[offsets[:-1][has] + k] = grids[has]
    for row, grids in solutions_by_row.items():
        solutions[offsets[row] : offsets[row + 1]] = grids[:limit]
    return offsets, solutions, counts <= limit


def _slice(rows: SolutionRows, part: slice) -> SolutionRows:
    of, number, last, solution = rows
    return of[part], number[part], last[part], solution[part]


def _search(puzzle: str, row: int, count: int | None, cancel: Cancel) -> Iterator[SolutionRows]:
    """Yield the solutions of one puzzle in chunks; the last solution of each comes with the next chunk."""
    search, text, number = kernel.solution_search(Grid(puzzle).cells), b"", 1
    left = (count or MAX_COUNT) + 1  # with one more, the last is not written
    while True:
        size = min(left, _CHUNK)
        chunk = search.chunk(size, stop=cancel.flag)
        at_end, left = len(chunk) < 81 * size, left - size
        text += chunk
        grids = np.frombuffer(text, np.uint8).reshape(-1, 81)[: None if at_end else -1]
        last = np.zeros(len(grids), np.bool_)
        last[-1:] = at_end
        yield np.full(len(grids), row), np.arange(number, number + len(grids)), last, grids
        if at_end or not left:
            return
        text, number = text[-81:], number + len(grids)


def _piece(batch: Batch, pending: list[SolutionRows], begin: int, end: int) -> ResultBatch:
    """Return the columns of some rows; the other puzzles from `begin` to before `end` have no solution."""
    of, number, last, solution = (
        arrays[0] if len(arrays) == 1 else np.concatenate(arrays) for arrays in zip(*pending, strict=True)
    )
    unsolved = np.setdiff1d(np.arange(begin, end), of)
    columns = {"number": number, "last": last, "solution": solution}
    return ResultBatch(batch, columns, of, dict.fromkeys(unsolved.tolist(), "no solution"))
