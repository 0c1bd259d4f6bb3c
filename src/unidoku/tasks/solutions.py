"""The capability `solutions`: all solutions of puzzles, a row for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from unidoku.arguments import MAX_COUNT
from unidoku.options import option
from unidoku.task import Task

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.files.base import Need
    from unidoku.puzzles import Batch

    Rows: TypeAlias = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]
    """Some solutions: the puzzle of each, and the columns."""

_FEW = 64  # solutions of each puzzle that are found for all together
_TOGETHER = 1024  # rows in a piece, and solutions of one puzzle that are found at once


@dataclass(frozen=True)
class Solutions(Task):
    """Write every solution of each puzzle.

    A line per solution: 81 digits. The solutions of one puzzle follow those of the puzzle before it. Formats
    with columns have a row per solution; a puzzle that has none has a reason there.
    """

    name: ClassVar[str] = "solutions"
    columns: ClassVar[Mapping[str, tuple[str, str]]] = {
        "number": ("uint64", "number of the solution, from 1"),
        "last": ("bool", "whether the puzzle has no further solution"),
        "solution": ("cells", "the solution"),
    }
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku solutions puzzles.txt -n 3",
        "unidoku solutions puzzles.txt -o solutions.parquet",
    )
    lines: ClassVar[tuple[str, ...]] = ("solution",)
    marks: ClassVar[bool] = True
    at_once: ClassVar[tuple[int, int, int]] = (100, 2048, 2048)  # each may have `_FEW` solutions in memory
    count: int | None = option(
        None, "Write N solutions of each puzzle.", least=1, absent="all", flags=("-n", "--count")
    )

    def pieces(self, batch: Batch, need: Need) -> Iterator[dict[str, Any] | None]:
        """Find the solutions, piece by piece: a puzzle may have more than memory holds."""
        held: list[Rows] = []
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
        yield _piece(held, begin, len(batch))

    def _found(self, batch: Batch, need: Need) -> Iterator[Rows]:
        """Yield all solutions in order, those of a puzzle with many some at a time."""
        import numpy as np

        from unidoku.batch import solutions_many

        few = min(self.count or _FEW, _FEW)
        found = solutions_many(batch.cells, limit=few, threads=1, cancel=need.cancel)
        counts = np.diff(found.offsets)
        of = np.repeat(np.arange(len(found)), counts)
        number = np.arange(1, len(of) + 1) - found.offsets[of]
        rows = of, number, found.complete[of] & (number == counts[of]), found.solutions
        ended = found.complete | (few == self.count)
        ended[list(batch.marked)] = False
        end = 0
        for row in np.flatnonzero(~ended).tolist():
            begin, end = end, int(found.offsets[row])
            if begin < end:
                yield _at(rows, slice(begin, end))
            yield from _searched(next(batch.only(slice(row, row + 1)).texts()), row, self.count, need)
            end = int(found.offsets[row + 1])
        yield _at(rows, slice(end, None))


def _at(rows: Rows, places: slice) -> Rows:
    of, number, last, solution = rows
    return of[places], number[places], last[places], solution[places]


def _searched(puzzle: str, row: int, count: int | None, need: Need) -> Iterator[Rows]:
    """Yield the solutions of one puzzle, some at a time; the last of these waits for the next ones."""
    import numpy as np

    from unidoku import kernel
    from unidoku.parse import cells_or_marks

    search, text, number = kernel.solution_search(cells_or_marks(puzzle)), b"", 1
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


def _piece(held: list[Rows], begin: int, end: int) -> dict[str, Any]:
    """Return solutions as rows; of the puzzles from `begin` to before `end`, the others have none."""
    import numpy as np

    of, number, last, solution = (
        each[0] if len(each) == 1 else np.concatenate(each) for each in zip(*held, strict=True)
    )
    without = np.setdiff1d(np.arange(begin, end), of)
    columns = {"number": number, "last": last, "solution": solution}
    return {**columns, "of": of, "reason": dict.fromkeys(without.tolist(), "no solution")}
