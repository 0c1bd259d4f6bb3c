"""All solutions of each puzzle, a row for each: what `solve --all` writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from unidoku import kernel
from unidoku.arguments import MAX_COUNT
from unidoku.batch import Batch
from unidoku.grid import Grid
from unidoku.options import shared
from unidoku.task import Need, Task
from unidoku.tasks.columns import SOLUTION_COUNT

SolutionRows: TypeAlias = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]
"""Solutions: the puzzle of each, and the columns."""

_FEW = 64  # solutions of each puzzle that are found for all together
_TOGETHER = 1024  # rows in a piece, and solutions of one puzzle that are found at once


@dataclass(frozen=True)
class Solutions(Task):
    """Every solution of each puzzle, or the first `count` of them.

    Parameters
    ----------
    count : int, optional
        Largest number of solutions of each puzzle; by default all.
    """

    name: ClassVar[str] = "solve --all"
    columns: ClassVar[Mapping[str, tuple[str, str]]] = {
        "number": ("uint64", "number of the solution, from 1"),
        "last": ("bool", "whether the puzzle has no further solution"),
        "solution": ("cells", "the solution"),
    }
    lines: ClassVar[tuple[str, ...]] = ("solution",)
    batch_size: ClassVar[int] = 2048  # each may have `_FEW` solutions in memory
    count: int | None = shared(SOLUTION_COUNT)

    def iter_work(self, batch: Batch, need: Need) -> Iterator[dict[str, Any] | None]:
        """Find the solutions, piece by piece: a puzzle may have more than memory holds."""
        held: list[SolutionRows] = []
        begin = 0
        for rows in self._found(batch, need):
            if need.cancel:
                yield None
                return
            if sum(len(of) for of, *_ in held) >= _TOGETHER:
                last = int(held[-1][0][-1])
                yield _piece(held, begin, last)
                begin, held = last + 1, []
            held.append(rows)
        yield None if need.cancel else _piece(held, begin, len(batch))

    def _found(self, batch: Batch, need: Need) -> Iterator[SolutionRows]:
        """Yield all solutions in order, those of a puzzle with many some at a time."""
        few = min(self.count or _FEW, _FEW)
        offsets, grids, complete = _first(batch.cells, few, need)
        if need.cancel:
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
                yield _at(rows, slice(begin, end))
            (puzzle,) = batch.puzzles().take(np.array([row])).to_list()
            yield from _searched(puzzle, row, self.count, need)
            end = int(offsets[row + 1])
        yield _at(rows, slice(end, None))


def _first(
    cells: NDArray[np.uint8], limit: int, need: Need
) -> tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.bool_]]:
    """Find up to `limit` solutions of each puzzle.

    Puzzle i has the solutions from ``offsets[i]`` to before ``offsets[i + 1]``; the last array says whether
    these are all.  All puzzles are solved at once for their first two; one with more is searched again.
    """
    found = kernel.solve_rows(cells, min(limit + 1, 3), cancel=need.cancel)
    counts = found.counts.astype(np.int64)
    more: dict[int, NDArray[np.uint8]] = {}
    for row in np.flatnonzero((counts > 2) & (limit > 2)).tolist():
        grids = kernel.solution_search(cells[row].tobytes()).chunk(limit + 1, stop=need.cancel.flag)
        more[row] = np.frombuffer(grids, np.uint8).reshape(-1, 81)
        counts[row] = len(more[row])
    kept = np.minimum(counts, limit)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])
    solutions = np.empty((int(offsets[-1]), 81), np.uint8)
    for k, first in enumerate((found.solutions, found.witnesses)):
        has = kept > k
        solutions[offsets[:-1][has] + k] = first[has]
    for row, every in more.items():
        solutions[offsets[row] : offsets[row + 1]] = every[:limit]
    return offsets, solutions, counts <= limit


def _at(rows: SolutionRows, places: slice) -> SolutionRows:
    of, number, last, solution = rows
    return of[places], number[places], last[places], solution[places]


def _searched(puzzle: str, row: int, count: int | None, need: Need) -> Iterator[SolutionRows]:
    """Yield the solutions of one puzzle, some at a time; the last of these waits for the next ones."""
    search, text, number = kernel.solution_search(Grid(puzzle).cells), b"", 1
    left = (count or MAX_COUNT) + 1  # with one more, the last is not written
    while True:
        size = min(left, _TOGETHER)
        more = search.chunk(size, stop=need.cancel.flag)
        ended, left = len(more) < 81 * size, left - size
        text += more
        grids = np.frombuffer(text, np.uint8).reshape(-1, 81)[: None if ended else -1]
        last = np.zeros(len(grids), np.bool_)
        last[-1:] = ended
        yield np.full(len(grids), row), np.arange(number, number + len(grids)), last, grids
        if ended or not left:
            return
        text, number = text[-81:], number + len(grids)


def _piece(held: list[SolutionRows], begin: int, end: int) -> dict[str, Any]:
    """Return solutions as rows; of the puzzles from `begin` to before `end`, the others have none."""
    of, number, last, solution = (
        each[0] if len(each) == 1 else np.concatenate(each) for each in zip(*held, strict=True)
    )
    without = np.setdiff1d(np.arange(begin, end), of)
    columns = {"number": number, "last": last, "solution": solution}
    return {**columns, "of": of, "reason": dict.fromkeys(without.tolist(), "no solution")}
