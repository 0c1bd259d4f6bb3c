"""Neighbours of a puzzle, proper puzzles that differ from it in a few clues ({-n+m}); hard puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import TYPE_CHECKING

from unidoku.arguments import integer
from unidoku.compat import np
from unidoku.craft.canonical import canonical_many
from unidoku.errors import InvalidPuzzleError, Message, UnidokuError
from unidoku.grid import Grid, PuzzleLike, refuse_clashes
from unidoku.kernel import are_proper, solve_proposals
from unidoku.native.clues.additions import Additions
from unidoku.table.batch import Batch
from unidoku.table.forms import PuzzlesLike, read_cells
from unidoku.threads import Cancel, cancel_of, thread_count, within

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BATCH = 1024  # puzzles per batch


def neighbours(
    puzzle: PuzzleLike,
    *,
    remove: int = 1,
    add: int = 1,
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Iterator[Grid]:
    """Find the proper puzzles that result from removing some clues of a puzzle and adding different clues.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it; it need not be proper.
    remove, add : int, optional
        Number of clues to remove, then to add; a removed clue may be added again.
    cancel, timeout
        As for `unidoku.check`.

    Returns
    -------
    iterator of Grid
        All of them except the puzzle itself, one of each class of equivalent puzzles, as they are found.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle, or two clues clash; raised by the call, not by the iterator.
    SearchStoppedError
        `cancel` ended the work; raised by the iterator.
    ValueError
        `remove` or `add` is below 0, or exceeds the number of clues or empty cells.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> len(list(neighbours(puzzle, remove=1, add=0)))
    22
    """
    cancel = within(cancel, timeout)
    cells = np.frombuffer(Grid(puzzle).cells, np.uint8)
    remove, add = integer("remove", remove), integer("add", add)
    _check(cells, remove, add)
    stop = cancel_of(cancel)
    batches = _distinct_neighbours(cells[None], remove, add, 1, stop)
    return (Grid(row) for _, rows in batches for row in stop.watch(rows))


def neighbours_of(
    puzzles: NDArray[np.uint8], remove: int, add: int, threads: int, cancel: Cancel
) -> tuple[NDArray[np.intp], NDArray[np.uint8], dict[int, str]]:
    """Find the neighbours of each of many puzzles, uint8[n, 81]; `threads` is for their canonical forms.

    Returns the puzzle of each neighbour, ascending, and the neighbours; no two of one puzzle are equivalent.
    And why other puzzles have none, by puzzle. If `cancel` ends the work, it is an error.
    """
    reasons = {}
    for row, cells in enumerate(puzzles):
        try:
            _check(cells, remove, add)
        except UnidokuError as error:
            reasons[row] = error.message
    good = np.delete(np.arange(len(puzzles)), [*reasons])
    batches = list(_distinct_neighbours(puzzles[good], remove, add, threads, cancel))
    owners = good[np.concatenate([np.empty(0, np.intp), *(owners for owners, _ in batches)])]
    return owners, np.concatenate([np.empty((0, 81), np.uint8), *(rows for _, rows in batches)]), reasons


def _check(cells: NDArray[np.uint8], remove: int, add: int) -> None:
    clues = int(np.count_nonzero(cells))
    if not 0 <= remove <= clues:
        text = "remove must be 0 to {clues}, the number of clues, not {remove}"
        raise UnidokuError(Message(text, clues=clues, remove=remove))
    if not 0 <= add <= 81 - clues + remove:
        text = "add must be 0 to {cells}, the number of empty cells, not {add}"
        raise UnidokuError(Message(text, cells=81 - clues + remove, add=add))
    refuse_clashes(Grid(cells))


def _distinct_neighbours(
    puzzles: NDArray[np.uint8], remove: int, add: int, threads: int, cancel: Cancel
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.uint8]]]:
    """Yield batches of neighbours, no two of one puzzle equivalent, and the puzzle of each."""
    keys: set[tuple[int, bytes]] = set()
    for owners, rows in _without_clues(puzzles, remove):
        for parents, proper in _with_clues(rows, np.zeros(len(rows), np.int64), add, cancel):
            different = (proper != puzzles[owners[parents]]).any(axis=1)
            sources, neighbours = owners[parents[different]], proper[different]
            forms = canonical_many(neighbours, threads=threads, cancel=cancel).puzzle
            is_new = np.zeros(len(neighbours), np.bool_)
            for place, key in enumerate(zip(sources.tolist(), map(bytes, forms), strict=True)):
                is_new[place] = key not in keys
                keys.add(key)
            yield sources[is_new], neighbours[is_new]


def _without_clues(
    puzzles: NDArray[np.uint8], remove: int
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.uint8]]]:
    """Remove `remove` clues in every way; yield batches, with the puzzle of each row."""
    ways = (
        (owner, subset)
        for owner, cells in enumerate(puzzles)
        for subset in combinations(np.flatnonzero(cells).tolist(), remove)
    )
    while batch := list(islice(ways, _BATCH)):
        owners = np.array([owner for owner, _ in batch], np.intp)
        removed = np.array([subset for _, subset in batch], np.intp).reshape(len(batch), remove)
        rows = puzzles[owners]
        rows[np.arange(len(rows))[:, None], removed] = 0
        yield owners, rows


def _with_clues(
    rows: NDArray[np.uint8], start_cells: NDArray[np.int64], add: int, cancel: Cancel
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.uint8]]]:
    """Add `add` clues to puzzles, in cells from `start_cells` on; yield proper puzzles and their rows."""
    if add == 0:
        proper = np.flatnonzero(are_proper(rows, cancel))
        yield proper, rows[proper]
        return
    masks = np.empty((len(rows), 81), np.uint16)
    capacity = min(len(rows), _BATCH)
    additions = Additions(capacity, rows.reshape(-1), start_cells, add == 1, masks.reshape(-1))
    solve_proposals(additions, capacity, cancel)
    parents, cells = np.nonzero(masks)
    places, digits = np.nonzero(masks[parents, cells][:, None] >> np.arange(9, dtype=np.uint16) & 1)
    parents, cells = parents[places], cells[places]
    children = rows[parents]
    children[np.arange(len(children)), cells] = digits + 1
    if add == 1:
        yield parents, children
        return
    for begin in range(0, len(children), _BATCH):
        part = slice(begin, begin + _BATCH)
        for places, grandchildren in _with_clues(children[part], cells[part] + 1, add - 1, cancel):
            yield parents[part][places], grandchildren


def hard_puzzles_near(
    seeds: PuzzlesLike,
    er: float = 9.5,
    *,
    remove: int = 1,
    add: int = 1,
    threads: int | None = None,
    cancel: Cancel | None = None,
) -> Iterator[Grid]:
    """Find puzzles at least as hard as requested: near known puzzles, then near the puzzles found, and so on.

    Puzzles at random are nearly never so hard: `unidoku.generate` finds none of ER 9.5 in a minute.  But of
    the proper puzzles next to one of ER 11, about a third have ER 9.5 or more.

    Parameters
    ----------
    seeds : array, bytes, sequence or Arrow column
        Proper puzzles that are hard, perhaps ten; published lists have many.
    er : float, optional
        The least ER.
    remove, add : int, optional
        As for `unidoku.neighbours`: how many clues differ from one puzzle to the next.
    threads : int, optional
        Threads for the ratings; by default one per available core.
    cancel : Cancel, optional
        Set it to end the search.

    Yields
    ------
    Grid
        Puzzles other than the seeds, no two of them images of each other, until there are no more near them;
        so take as many as are needed, or for as long as there is time.  The same seeds give the same puzzles.

    Raises
    ------
    InvalidPuzzleError
        A seed is not a puzzle.
    ValueError
        `er` is not above 1 and at most 20, or `remove` or `add` is too large.

    Examples
    --------
    >>> from itertools import islice
    >>> import unidoku
    >>> seed = "12.3.....4.....3....3.5......42..5......8...9.6...5.7...15..2......9..6......7..8"
    >>> [unidoku.rate(puzzle).er >= 9.5 for puzzle in islice(hard_puzzles_near([seed]), 2)]
    [True, True]
    """
    if not 1 < er <= 20:
        raise UnidokuError(f"er must be above 1 and at most 20, not {er!r}")
    cells, _ = read_cells(seeds)
    return _hard_puzzles_near(
        [*map(Grid, cells)], er, (remove, add), thread_count(threads), cancel_of(cancel)
    )


def _hard_puzzles_near(
    waiting: list[Grid], er: float, changes: tuple[int, int], threads: int, cancel: Cancel
) -> Iterator[Grid]:
    """Take the puzzles that wait in turn; add hard neighbours to them."""
    from unidoku.rating.ratings import rate_columns  # not at the top: `neighbours` needs no ratings

    forms = {bytes(form) for form in canonical_many(waiting, threads=1).puzzle}
    for puzzle in waiting:  # which grows
        _, near, reasons = neighbours_of(puzzle.to_array().reshape(1, 81), *changes, threads, cancel)
        for reason in reasons.values():
            raise InvalidPuzzleError(reason)
        is_new = [
            form not in forms and not forms.add(form)  # type: ignore[func-returns-value]
            for form in map(bytes, canonical_many(near, threads=threads, cancel=cancel).puzzle)
        ]
        near = near[is_new]
        # a bound is cheaper than a rating: the hardest steps are the slowest
        columns, _ = rate_columns(Batch.of_cells(near), below=er, threads=threads, cancel=cancel)
        cancel.raise_if_set()
        for row in near[columns["at_least"].array()]:
            grid = Grid(row)
            waiting.append(grid)
            yield grid
