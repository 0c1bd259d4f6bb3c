"""The task of `solve --all`: a row for each solution of each puzzle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from unidoku import kernel
from unidoku.arguments import MAX_COUNT
from unidoku.compat import np
from unidoku.options import shared_option
from unidoku.table.batch import Batch
from unidoku.task import ResultBatch, Task, Work
from unidoku.tasks.shared_options import SOLUTION_COUNT
from unidoku.threads import Cancel

_FEW = 64  # solutions in the first step of the search of a puzzle
_CHUNK = 1024  # solutions in a later step, and rows in a piece


class _Chunk(NamedTuple):
    """Solutions of the puzzle of a row, the number of those before them, and whether no other one follows."""

    row: int
    begin: int
    is_last: bool
    digits: bytes


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
    line_columns: ClassVar[tuple[str, ...]] = ("solution",)
    batch_size: ClassVar[int] = 2048
    count: int | None = shared_option(SOLUTION_COUNT)

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Yield the solutions in pieces: a puzzle may have more than memory holds."""
        chunks: list[_Chunk] = []
        begin = rows = 0
        for row, puzzle in enumerate(batch.cells):
            for chunk in _chunks(puzzle.tobytes(), row, self.count or MAX_COUNT, cancel):
                if rows >= _CHUNK:
                    last_row = chunks[-1].row
                    yield _results(batch, chunks, begin, last_row)
                    begin, rows, chunks = last_row + 1, 0, []
                if chunk.digits:
                    chunks.append(chunk)
                    rows += len(chunk.digits) // 81
        yield _results(batch, chunks, begin, len(batch))


def _chunks(puzzle: bytes, row: int, limit: int, cancel: Cancel) -> Iterator[_Chunk]:
    """Yield the first solutions of a puzzle; the last one of each search step comes with the next chunk."""
    search, digits, begin, size = kernel.solution_search(puzzle), b"", 0, _FEW
    remainder = limit + 1  # with one more, the last is not written
    while remainder:
        size = min(remainder, size)
        grids = search.chunk(size, stop=cancel.flag)
        is_last, digits, remainder = len(grids) < 81 * size, digits + grids, remainder - size
        count = len(digits) // 81 - (not is_last)
        yield _Chunk(row, begin, is_last, digits[: 81 * count])
        if is_last:
            return
        digits, begin, size = digits[-81:], begin + count, _CHUNK


def _results(batch: Batch, chunks: list[_Chunk], begin: int, end: int) -> ResultBatch:
    """Return some solutions; the other puzzles from `begin` to before `end` have none."""
    sizes = np.array([len(chunk.digits) // 81 for chunk in chunks], np.int64)
    ends = np.cumsum(sizes)
    rows = np.repeat(np.array([chunk.row for chunk in chunks], np.int64), sizes)
    offsets = np.array([chunk.begin for chunk in chunks], np.int64) - (ends - sizes)
    is_last = np.zeros(len(rows), np.bool_)
    is_last[ends - 1] = [chunk.is_last for chunk in chunks]
    digits = np.frombuffer(b"".join(chunk.digits for chunk in chunks), np.uint8)
    columns: dict[str, Any] = {
        "number": np.arange(1, len(rows) + 1) + np.repeat(offsets, sizes),
        "last": is_last,
        "solution": digits.reshape(-1, 81),
    }
    unsolved = np.setdiff1d(np.arange(begin, end), rows).tolist()
    return ResultBatch(batch, columns, rows, dict.fromkeys(unsolved, "no solution"), done=end)
