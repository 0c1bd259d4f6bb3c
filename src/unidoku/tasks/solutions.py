"""The capability `solutions`: all solutions of a puzzle, or of many, a row for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from unidoku import kernel
from unidoku.arguments import MAX_COUNT, whole
from unidoku.column import Column
from unidoku.grid import puzzle_cells
from unidoku.options import option
from unidoku.result import Result
from unidoku.task import Need, Task
from unidoku.threads import Cancel

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from numpy.typing import NDArray

    from unidoku.batch import Batch
    from unidoku.parse_many import Places, PuzzlesLike

    Found: TypeAlias = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]
    """Some solutions: the puzzle of each, and the columns."""

MAX_LISTED = (1 << 24) - 1
"""The largest number of solutions of one puzzle that are listed in a table or an array."""

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
        held: list[Found] = []
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

    def _found(self, batch: Batch, need: Need) -> Iterator[Found]:
        """Yield all solutions in order, those of a puzzle with many some at a time."""
        import numpy as np

        few = min(self.count or _FEW, _FEW)
        found = solutions_many(batch.cells, limit=few, threads=1, cancel=need.cancel)
        counts = np.diff(found.offsets)
        of = np.repeat(np.arange(len(found)), counts)
        number = np.arange(1, len(of) + 1) - found.offsets[of]
        rows = of, number, found.complete[of] & (number == counts[of]), found.solutions
        ended = found.complete | (few == self.count)
        ended[list(batch.puzzles.marked)] = False
        end = 0
        for row in np.flatnonzero(~ended).tolist():
            begin, end = end, int(found.offsets[row])
            if begin < end:
                yield _at(rows, slice(begin, end))
            (puzzle,) = Column(batch.puzzles.chosen(slice(row, row + 1))).to_list()
            yield from _searched(puzzle, row, self.count, need)
            end = int(found.offsets[row + 1])
        yield _at(rows, slice(end, None))


def _at(rows: Found, places: slice) -> Found:
    of, number, last, solution = rows
    return of[places], number[places], last[places], solution[places]


def _searched(puzzle: str, row: int, count: int | None, need: Need) -> Iterator[Found]:
    """Yield the solutions of one puzzle, some at a time; the last of these waits for the next ones."""
    import numpy as np

    search, text, number = kernel.solution_search(puzzle_cells(puzzle)), b"", 1
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


def _piece(held: list[Found], begin: int, end: int) -> dict[str, Any]:
    """Return solutions as rows; of the puzzles from `begin` to before `end`, the others have none."""
    import numpy as np

    of, number, last, solution = (
        each[0] if len(each) == 1 else np.concatenate(each) for each in zip(*held, strict=True)
    )
    without = np.setdiff1d(np.arange(begin, end), of)
    columns = {"number": number, "last": last, "solution": solution}
    return {**columns, "of": of, "reason": dict.fromkeys(without.tolist(), "no solution")}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AllSolutions(Result["npt.NDArray[np.uint8]"]):
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

    offsets: npt.NDArray[np.int64]
    solutions: npt.NDArray[np.uint8]
    complete: npt.NDArray[np.bool_]
    reasons: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.complete)

    def _record(self, row: int) -> npt.NDArray[np.uint8]:
        return self.solutions[self.offsets[row] : self.offsets[row + 1]]

    def __repr__(self) -> str:
        import numpy as np

        cut_off = int(np.count_nonzero(~self.complete))
        numbers = f"{len(self.solutions)} solutions, {cut_off} not complete"
        return f"<AllSolutions of {len(self)} puzzles: {numbers}>"

    def _table(self) -> dict[str, Column]:
        return {
            "solutions": Column(self.solutions, offsets=self.offsets),
            "complete": Column(self.complete),
        }


def solutions_many(
    puzzles: PuzzlesLike,
    *,
    limit: int = 64,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> AllSolutions:
    """Find the solutions of many puzzles, up to `limit` for each.

    Parameters
    ----------
    puzzles, threads, errors
        As for `check_many`, but a row of pencil marks is not a puzzle here.
    limit : int, optional
        Largest number of solutions of one puzzle, 1 to 2**24 - 1.
    cancel : Cancel, optional
        Set it to stop.

    Returns
    -------
    AllSolutions
        The same for any number of threads and on any machine.  A puzzle without a solution has no rows and is
        complete.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle, or has pencil marks; its attribute ``row`` is the number, from 0.
    SearchStoppedError
        `cancel` ended the search.
    ValueError
        `limit` or `threads` is out of range, or `errors` is not one of these.

    Notes
    -----
    Many puzzles are solved at once for their first two solutions; one with more is searched again.

    Examples
    --------
    >>> puzzle = "5.2...4.....71...3..............46...7.2......1.......6....2.......3..1.4........"
    >>> found = solutions_many([puzzle], limit=5)
    >>> found[0].shape, found.complete.tolist()
    ((5, 81), [False])
    """
    import numpy as np

    from unidoku.parse_many import Puzzles, numbers_of

    limit = whole("limit", limit, 1, MAX_LISTED)
    given = Puzzles.of(puzzles, cancel)
    n = len(given)
    counts, first_two = np.zeros(n, np.int64), np.zeros((2, n, 81), np.uint8)
    more: dict[int, npt.NDArray[np.uint8]] = {}

    def search(part: Batch, rows: Places, stop: Cancel) -> None:
        cells = part.cells
        found = kernel.solve_rows(cells, min(limit + 1, 3), cancel=stop)
        counts[rows], first_two[0, rows], first_two[1, rows] = found.counts, found.solutions, found.witnesses
        several = np.flatnonzero((found.counts > 2) & (limit > 2))
        for k, row in zip(several, numbers_of(rows)[several].tolist(), strict=True):
            grids = kernel.solution_search(cells[k].tobytes()).chunk(limit + 1, stop=stop.flag)
            stop.raise_if_set()
            more[row] = np.frombuffer(grids, np.uint8).reshape(-1, 81)

    reasons = given.each_part(search, errors=errors, threads=threads, cancel=cancel)
    for row, every in more.items():
        counts[row] = len(every)
    kept = np.minimum(counts, limit)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])
    solutions = np.empty((int(offsets[-1]), 81), np.uint8)
    for k, grids in enumerate(first_two):
        some = kept > k
        solutions[offsets[:-1][some] + k] = grids[some]
    for row, every in more.items():
        solutions[offsets[row] : offsets[row + 1]] = every[:limit]
    complete = counts <= limit
    complete[list(reasons)] = False
    return AllSolutions(offsets, solutions, complete, reasons)
