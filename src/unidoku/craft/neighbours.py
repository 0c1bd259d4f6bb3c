"""Find the proper puzzles that differ from a puzzle in a few clues: the {-n+m} neighbourhood."""

from __future__ import annotations

from itertools import combinations, islice
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku.arguments import MAX_THREADS, positive
from unidoku.craft.canonical import canonical_many
from unidoku.craft.rows import Table, are_proper, solve_rows
from unidoku.errors import InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.kernel import default_threads
from unidoku.parallel import Cancel, ordered
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unidoku.grid import PuzzleLike
    from unidoku.rows import Rows

__all__ = ["neighbours", "neighbours_many"]

_AT_ONCE = 16  # puzzles per batch
_CELLS = np.arange(81)
_BOX = _CELLS // 27 * 3 + _CELLS % 9 // 3


def neighbours(puzzle: PuzzleLike, remove: int = 1, add: int = 1) -> Iterator[Grid]:
    """Find the proper puzzles that result from removing some clues of a puzzle and adding others.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it; it need not be proper.
    remove, add : int, optional
        Number of clues to remove, then to add; a removed clue may be added again.

    Returns
    -------
    iterator of Grid
        All of them except the puzzle itself, one of each class of equivalent puzzles, as they are found.

    Raises
    ------
    InvalidPuzzleError
        It is not a puzzle, or two clues clash; raised by the call, not by the iterator.
    ValueError
        `remove` or `add` is below 0, or exceeds the number of clues or empty cells.
    """
    cells = np.frombuffer(Grid(puzzle).cells, np.uint8)
    _check(cells, index(remove), index(add))
    seen: set[bytes] = set()
    return (Grid(row) for rows in _found(cells, remove, add) for row in _new(rows, seen))


def neighbours_many(
    rows: Rows, remove: int = 1, add: int = 1, *, threads: int | None = None, cancel: Cancel | None = None
) -> Iterator[NDArray[np.uint8]]:
    """Find the neighbours of many puzzles.

    Parameters
    ----------
    rows : array, bytes, sequence or Arrow column
        As `unidoku.check_many` accepts them.
    remove, add : int, optional
        As for `neighbours`.
    threads : int, optional
        Worker threads; by default one per available core.
    cancel : Cancel, optional
        Ends the iteration when it is set.

    Yields
    ------
    uint8[k, 81]
        The neighbours of each puzzle in turn that are not equivalent to a neighbour yielded before.

    Raises
    ------
    InvalidPuzzleError, ValueError
        As for `neighbours`.
    """
    puzzles = Table(rows).cells(threads)
    for cells in puzzles:
        _check(cells, index(remove), index(add))
    seen: set[bytes] = set()

    def work(cells: NDArray[np.uint8], _: Any) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        found = [np.empty((0, 81), np.uint8), *_found(cells, remove, add)]
        every = np.concatenate(found)
        return every, canonical_many(every, threads=1)

    workers = positive("threads", threads, MAX_THREADS) or default_threads()
    with (Cancel() if cancel is None else cancel).child() as stop:
        for every, forms in ordered(iter(puzzles), work, workers, cancel=stop):
            yield _unseen(every, forms, seen)


def _check(cells: NDArray[np.uint8], remove: int, add: int) -> None:
    clues = int(np.count_nonzero(cells))
    if not 0 <= remove <= clues:
        raise ValueError(f"remove must be 0 to {clues}, the number of clues, not {remove}")
    if not 0 <= add <= 81 - clues + remove:
        raise ValueError(f"add must be 0 to {81 - clues + remove}, the number of empty cells, not {add}")
    clashes = Grid(cells).clashes()
    if clashes:
        raise InvalidPuzzleError(f"two clues clash: digit {clashes[0].digit} in {clashes[0].house}")


def _found(cells: NDArray[np.uint8], remove: int, add: int) -> Iterator[NDArray[np.uint8]]:
    """Find all proper neighbours, equivalent ones included."""
    clues = np.flatnonzero(cells).tolist()
    subsets = combinations(clues, remove)
    while some := list(islice(subsets, _AT_ONCE)):
        rows = np.repeat(cells[None], len(some), axis=0)
        for row, removed in zip(rows, some, strict=True):
            row[list(removed)] = 0
        for found in _with_clues(rows, np.zeros(len(rows), np.int64), add):
            different = found[(found != cells).any(axis=1)]
            if len(different):
                yield different


def _with_clues(rows: NDArray[np.uint8], first: NDArray[np.int64], add: int) -> Iterator[NDArray[np.uint8]]:
    """Add `add` clues to puzzles, in cells from `first` on; yield the proper puzzles."""
    if add == 0:
        yield rows[are_proper(rows)]
        return
    verdicts, solutions, witnesses = solve_rows(rows)
    solvable = verdicts != Verdict.NONE
    rows, first, unique = rows[solvable], first[solvable], verdicts[solvable] == Verdict.UNIQUE
    solutions, witnesses = solutions[solvable], witnesses[solvable]
    for begin in range(0, len(rows), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        possible = _possible(rows[part])
        possible &= (first[part, None] <= _CELLS)[:, :, None]
        right = solutions[part][:, :, None] == np.arange(1, 10)
        # a proper puzzle stays solvable only with digits of its solution; a last clue must separate the two
        # solutions of any other puzzle
        shared = right & (witnesses[part][:, :, None] == np.arange(1, 10))
        possible &= np.where(unique[part, None, None], right, ~shared if add == 1 else True)
        parents, places, values = np.nonzero(possible)
        more = rows[part][parents]
        more[np.arange(len(more)), places] = values + 1
        yield from _with_clues(more, places + 1, add - 1)


def _possible(rows: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the candidates of each empty cell: bool[n, 81, 9]."""
    has = rows[:, :, None] == np.arange(1, 10)
    grid = has.reshape(-1, 9, 9, 9)
    in_row = grid.any(axis=2)[:, _CELLS // 9]
    in_column = grid.any(axis=1)[:, _CELLS % 9]
    in_box = has.reshape(-1, 3, 3, 3, 3, 9).any(axis=(2, 4)).reshape(-1, 9, 9)[:, _BOX]
    possible: NDArray[np.bool_] = ~(in_row | in_column | in_box) & (rows == 0)[:, :, None]
    return possible


def _new(rows: NDArray[np.uint8], seen: set[bytes]) -> NDArray[np.uint8]:
    return _unseen(rows, canonical_many(rows, threads=1), seen)


def _unseen(rows: NDArray[np.uint8], forms: NDArray[np.uint8], seen: set[bytes]) -> NDArray[np.uint8]:
    """Return the rows whose form is not in `seen`, and add their forms to it."""
    keep = []
    for form in forms:
        key = form.tobytes()
        keep.append(key not in seen)
        seen.add(key)
    return rows[np.array(keep, np.bool_)]
