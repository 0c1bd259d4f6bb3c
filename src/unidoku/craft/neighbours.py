"""Find the proper puzzles that differ from a puzzle in a few clues: the {-n+m} neighbourhood."""

from __future__ import annotations

from contextlib import closing
from itertools import combinations, islice, takewhile
from math import comb
from typing import TYPE_CHECKING, Literal, overload

import numpy as np

from unidoku.arguments import whole
from unidoku.craft.canonical import canonical_many
from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.grid import Grid
from unidoku.kernel import are_proper, solve_proposals
from unidoku.native.clues.additions import Additions
from unidoku.parse_many import Puzzles
from unidoku.threads import cancel_of, child_of, ordered, thread_count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unidoku.grid import PuzzleLike
    from unidoku.parse_many import PuzzlesLike
    from unidoku.threads import Cancel

_BATCH = 1024  # puzzles per batch


def neighbours(puzzle: PuzzleLike, *, remove: int = 1, add: int = 1) -> Iterator[Grid]:
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
    remove, add = whole("remove", remove), whole("add", add)
    _check(cells, remove, add)
    seen: set[bytes] = set()
    return (
        Grid(row)
        for _, rows in _found(cells[None], remove, add)
        for row in rows[_unseen(canonical_many(rows, threads=1), seen)]
    )


@overload
def neighbours_many(
    puzzles: PuzzlesLike,
    *,
    remove: int = 1,
    add: int = 1,
    threads: int | None = None,
    errors: Literal["raise"] = "raise",
    cancel: Cancel | None = None,
) -> Iterator[NDArray[np.uint8]]: ...
@overload
def neighbours_many(
    puzzles: PuzzlesLike,
    *,
    remove: int = 1,
    add: int = 1,
    threads: int | None = None,
    errors: Literal["invalid"],
    cancel: Cancel | None = None,
) -> Iterator[NDArray[np.uint8] | InvalidPuzzleError]: ...
def neighbours_many(
    puzzles: PuzzlesLike,
    *,
    remove: int = 1,
    add: int = 1,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> Iterator[NDArray[np.uint8]] | Iterator[NDArray[np.uint8] | InvalidPuzzleError]:
    """Find the neighbours of many puzzles.

    Parameters
    ----------
    puzzles, threads
        As for `unidoku.check_many`.
    remove, add : int, optional
        As for `neighbours`.
    errors : {"raise", "invalid"}, optional
        What to do with a row that is not a puzzle or has no neighbours of this kind: raise an error, or yield
        the error in the place of the neighbours.
    cancel : Cancel, optional
        Ends the iteration when it is set.

    Yields
    ------
    uint8[k, 81]
        The neighbours of each puzzle in turn that are not equivalent to a neighbour yielded before; with
        ``errors="invalid"`` also `InvalidPuzzleError`, which has ``row``, from 0, and ``reason``.

    Raises
    ------
    InvalidPuzzleError
        As for `neighbours`, or `remove` or `add` is out of range for a puzzle; raised by the call, not by the
        iterator. Its attribute ``row`` is the number, from 0.
    ValueError
        `remove` or `add` is not an integer or below 0, or `threads` or `errors` is not allowed.
    """
    workers = thread_count(threads)
    remove, add = whole("remove", remove), whole("add", add)
    every, reasons = Puzzles.of(puzzles, cancel).cells(errors=errors, threads=workers, cancel=cancel)
    for row, reason in _unfit(every, remove, add, cancel):
        if errors == "raise":
            raise InvalidPuzzleError(reason, row=row)
        reasons.setdefault(row, reason)
    good = np.delete(every, list(reasons), axis=0)
    seen: set[bytes] = set()
    ways = comb(int(np.count_nonzero(good[:1])), remove) or 1
    size = max(1, _BATCH // ways)
    parts = (good[begin : begin + size] for begin in range(0, len(good), size))

    def found() -> Iterator[NDArray[np.uint8] | InvalidPuzzleError]:
        with child_of(cancel) as stop:
            neighbours_of_each = ordered(
                parts, lambda part, _: _with_forms(part, remove, add, 1, stop), workers, cancel=stop
            )
            with closing(neighbours_of_each):
                for row in range(len(every)):
                    if row in reasons:
                        yield InvalidPuzzleError(reasons[row], row=row)
                        continue
                    for some, forms in islice(neighbours_of_each, 1):
                        yield some[_unseen(forms, seen)]
                    if stop:
                        return

    return found()


def neighbours_of(
    puzzles: NDArray[np.uint8], remove: int, add: int, threads: int, cancel: Cancel
) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """Find the neighbours of each of many puzzles, uint8[n, 81]; `threads` is for their canonical forms.

    Returns the puzzle of each neighbour, ascending, and the neighbours; no two of one puzzle are equivalent.
    If `cancel` ends the work, it is an error.
    """
    for row, reason in _unfit(puzzles, remove, add, cancel):
        raise InvalidPuzzleError(reason, row=row)
    every = _with_forms(puzzles, remove, add, threads, cancel)
    found = [rows[_unseen(forms, set())] for rows, forms in every]
    owners = np.repeat(np.arange(len(puzzles)), [len(rows) for rows in found])
    return owners, np.concatenate([np.empty((0, 81), np.uint8), *found])


def _with_forms(
    puzzles: NDArray[np.uint8], remove: int, add: int, threads: int, cancel: Cancel
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
    """Return all proper neighbours of each puzzle, and their canonical forms."""
    found = list(_found(puzzles, remove, add, cancel))
    owners = np.concatenate([np.empty(0, np.intp), *(owners for owners, _ in found)])
    rows = np.concatenate([np.empty((0, 81), np.uint8), *(rows for _, rows in found)])
    ends = np.searchsorted(owners, np.arange(1, len(puzzles)))
    forms = canonical_many(rows, threads=threads, cancel=cancel)
    return zip(np.split(rows, ends), np.split(forms, ends), strict=True)


def _unfit(
    every: NDArray[np.uint8], remove: int, add: int, cancel: Cancel | None
) -> Iterator[tuple[int, str]]:
    """Yield the puzzles that can have no such neighbours, and why."""
    cancel = cancel_of(cancel)
    for row, cells in takewhile(lambda _: not cancel, enumerate(every)):
        try:
            _check(cells, remove, add)
        except UnidokuError as error:
            yield row, str(error)


def _check(cells: NDArray[np.uint8], remove: int, add: int) -> None:
    clues = int(np.count_nonzero(cells))
    if not 0 <= remove <= clues:
        raise UnidokuError(f"remove must be 0 to {clues}, the number of clues, not {remove}")
    if not 0 <= add <= 81 - clues + remove:
        raise UnidokuError(f"add must be 0 to {81 - clues + remove}, the number of empty cells, not {add}")
    clashes = Grid(cells).clashes()
    if clashes:
        raise InvalidPuzzleError(f"two clues clash: digit {clashes[0].digit} in {clashes[0].house}")


def _found(
    puzzles: NDArray[np.uint8], remove: int, add: int, cancel: Cancel | None = None
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.uint8]]]:
    """Find all proper neighbours of puzzles, equivalent ones included, and the puzzle of each."""
    for owners, rows in _without_clues(puzzles, remove):
        for parents, found in _with_clues(rows, np.zeros(len(rows), np.int64), add, cancel):
            different = (found != puzzles[owners[parents]]).any(axis=1)
            if different.any():
                yield owners[parents[different]], found[different]


def _without_clues(
    puzzles: NDArray[np.uint8], remove: int
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.uint8]]]:
    """Remove `remove` clues in every way; yield batches, with the puzzle of each row."""
    ways = (
        (owner, subset)
        for owner, cells in enumerate(puzzles)
        for subset in combinations(np.flatnonzero(cells).tolist(), remove)
    )
    while some := list(islice(ways, _BATCH)):
        owners = np.array([owner for owner, _ in some], np.intp)
        removed = np.array([subset for _, subset in some], np.intp).reshape(len(some), remove)
        less = puzzles[owners]
        less[np.arange(len(some))[:, None], removed] = 0
        yield owners, less


def _with_clues(
    rows: NDArray[np.uint8], first: NDArray[np.int64], add: int, cancel: Cancel | None
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.uint8]]]:
    """Add `add` clues to puzzles, in cells from `first` on; yield proper puzzles and the row of each."""
    if add == 0:
        proper = np.flatnonzero(are_proper(rows, cancel))
        yield proper, rows[proper]
        return
    masks = np.empty((len(rows), 81), np.uint16)
    capacity = min(len(rows), _BATCH)
    additions = Additions(capacity, rows.reshape(-1), first, add == 1, masks.reshape(-1))
    solve_proposals(additions, capacity, cancel)
    parents, cells = np.nonzero(masks)
    places, digits = np.nonzero(masks[parents, cells][:, None] >> np.arange(9, dtype=np.uint16) & 1)
    parents, cells = parents[places], cells[places]
    more = rows[parents]
    more[np.arange(len(more)), cells] = digits + 1
    if add == 1:
        yield parents, more
        return
    for begin in range(0, len(more), _BATCH):
        part = slice(begin, begin + _BATCH)
        for places, found in _with_clues(more[part], cells[part] + 1, add - 1, cancel):
            yield parents[part][places], found


def _unseen(forms: NDArray[np.uint8], seen: set[bytes]) -> NDArray[np.bool_]:
    """Test which forms are not in `seen`, and add them to it."""
    keep = []
    for form in forms:
        key = form.tobytes()
        keep.append(key not in seen)
        seen.add(key)
    return np.array(keep, np.bool_)
