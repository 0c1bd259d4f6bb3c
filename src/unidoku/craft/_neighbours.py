"""Neighbours of a puzzle, proper puzzles that differ from it in a few clues ({-n+m}); hard puzzles."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Any, TypeAlias

from unidoku._arguments import integer, one_of
from unidoku._clue_symmetry import SYMMETRIES, has_all
from unidoku._native.clues.additions import Additions
from unidoku._native.text.columns import interleave
from unidoku._table.batch import Batch
from unidoku._table.forms import PuzzlesLike, read_cells
from unidoku._threads import Cancel, cancel_of, thread_count, within
from unidoku._verdict import Verdict
from unidoku.cell import grids_in
from unidoku.counting import verdicts_of
from unidoku.craft._canonical import forms_of
from unidoku.errors import ArgumentError, InvalidPuzzleError, Message, Reason, UnidokuError
from unidoku.grid import Grid, PuzzleLike, refuse_clashes
from unidoku.kernel import solve_proposals

_BATCH = 1024  # puzzles per batch


Changes: TypeAlias = tuple[int, int, str]
"""How many clues are removed, then added, and the symmetry of the clues of a neighbour."""


def neighbours(
    puzzle: PuzzleLike,
    *,
    remove: int = 1,
    add: int = 1,
    symmetry: str = "none",
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
    symmetry : str, optional
        As for `unidoku.generate`: only neighbours whose clues have this symmetry.
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
        `remove` or `add` is below 0, or exceeds the number of clues or empty cells, or `symmetry` is unknown.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> len(list(neighbours(puzzle, remove=1, add=0)))
    22
    """
    cancel = within(cancel, timeout)
    cells = Grid(puzzle).cells
    remove, add = integer("remove", remove), integer("add", add)
    _check(cells, remove, add)
    changes = (remove, add, one_of("symmetry", symmetry, SYMMETRIES))
    stop = cancel_of(cancel)
    batches = _distinct_neighbours({0: cells}, changes, 1, stop)
    return (Grid(row) for batch in batches for _, row in stop.watch(batch))


def neighbours_of(
    puzzles: Iterable[bytes], changes: Changes, threads: int, cancel: Cancel
) -> tuple[array[int], Batch, dict[int, Reason]]:
    """Find the neighbours of each of many puzzles, 81 values each; `threads` is for their canonical forms.

    Returns the puzzle of each neighbour, ascending, and the neighbours; no two of one puzzle are equivalent.
    And why other puzzles have none, by puzzle. If `cancel` ends the work, it is an error.
    """
    reasons, good = dict[int, Reason](), dict[int, bytes]()
    for row, cells in enumerate(puzzles):
        try:
            _check(cells, *changes[:2])
        except UnidokuError as error:
            reasons[row] = error.message
        else:
            good[row] = cells
    owners, rows = array("q"), bytearray()
    for found in _distinct_neighbours(good, changes, threads, cancel):
        owners.extend(owner for owner, _ in found)
        rows += b"".join(cells for _, cells in found)
    return owners, _batch_of(rows), reasons


def _check(cells: bytes, remove: int, add: int) -> None:
    clues = 81 - cells.count(0)
    if not 0 <= remove <= clues:
        text = "remove must be 0 to {clues}, the number of clues, not {remove}"
        raise ArgumentError(Message(text, clues=clues, remove=remove))
    if not 0 <= add <= 81 - clues + remove:
        text = "add must be 0 to {cells}, the number of empty cells, not {add}"
        raise ArgumentError(Message(text, cells=81 - clues + remove, add=add))
    refuse_clashes(Grid(cells))


def _batch_of(rows: bytes | bytearray) -> Batch:
    """Return puzzles of 81 values each as a batch."""
    return Batch.of_text(rows, range(0, len(rows), 81), empty_code=0)


def _forms(puzzles: Batch, threads: int, cancel: Cancel) -> Iterator[bytes]:
    """Return the canonical form of each puzzle."""
    columns, _ = forms_of(puzzles, symmetries=False, threads=threads, cancel=cancel)
    return _cells_of(columns["puzzle"].values.text)


def _cells_of(rows: Any) -> Iterator[bytes]:
    """Yield the cells of each puzzle, of 81 values each."""
    return map(bytes, grids_in(rows))


def _distinct_neighbours(
    puzzles: Mapping[int, bytes], changes: Changes, threads: int, cancel: Cancel
) -> Iterator[list[tuple[int, bytes]]]:
    """Yield batches of neighbours, no two of one puzzle equivalent, each after the number of its puzzle."""
    remove, add, symmetry = changes
    keys = set[tuple[int, bytes]]()
    for owners, rows in _without_clues(puzzles, remove):
        for parents, proper in _with_clues(rows, memoryview(array("q", bytes(8 * len(owners)))), add, cancel):
            pairs = zip((owners[parent] for parent in parents), _cells_of(proper), strict=True)
            different = [
                (owner, cells)
                for owner, cells in pairs
                if cells != puzzles[owner] and (symmetry == "none" or has_all(cells, SYMMETRIES[symmetry]))
            ]
            forms = _forms(_batch_of(b"".join(cells for _, cells in different)), threads, cancel)
            found = []
            for (owner, cells), form in zip(different, forms, strict=True):
                key = owner, form
                if key not in keys:
                    keys.add(key)
                    found.append((owner, cells))
            yield found


def _without_clues(puzzles: Mapping[int, bytes], remove: int) -> Iterator[tuple[list[int], bytearray]]:
    """Remove `remove` clues in every way; yield batches, with the puzzle of each row."""
    ways = (
        (owner, removed)
        for owner, cells in puzzles.items()
        for removed in combinations([cell for cell in range(81) if cells[cell]], remove)
    )
    while batch := list(islice(ways, _BATCH)):
        rows = bytearray(b"".join(puzzles[owner] for owner, _ in batch))
        for begin, (_, removed) in zip(range(0, len(rows), 81), batch, strict=True):
            for cell in removed:
                rows[begin + cell] = 0
        yield [owner for owner, _ in batch], rows


def _with_clues(
    rows: bytes | bytearray, first: memoryview[int], add: int, cancel: Cancel
) -> Iterator[tuple[Sequence[int], bytearray]]:
    """Add `add` clues to puzzles, each in cells from `first` on; yield proper puzzles and their rows."""
    if add == 0:
        verdicts = verdicts_of(_batch_of(rows), 1, cancel)
        cancel.raise_if_set()
        proper = array("q", (row for row, verdict in enumerate(verdicts) if verdict == int(Verdict.UNIQUE)))
        yield proper, interleave(rows, b"", 81, proper)
        return
    capacity = min(len(first), _BATCH)
    additions = Additions(capacity, rows, first, add == 1)
    solve_proposals(additions, capacity, cancel)
    parents, next_cells, children = additions.puzzles()
    if add == 1:
        yield parents, children
        return
    for begin in range(0, len(parents), _BATCH):
        part = slice(begin, begin + _BATCH)
        own = children[81 * begin : 81 * (begin + _BATCH)]
        for places, grandchildren in _with_clues(own, next_cells[part], add - 1, cancel):
            yield [parents[begin + place] for place in places], grandchildren


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
        raise ArgumentError(f"er must be above 1 and at most 20, not {er!r}")
    cells, _ = read_cells(seeds)
    return _hard_puzzles_near(
        [*map(Grid, cells)], er, (remove, add, "none"), thread_count(threads), cancel_of(cancel)
    )


def _hard_puzzles_near(
    waiting: list[Grid], er: float, changes: Changes, threads: int, cancel: Cancel
) -> Iterator[Grid]:
    """Take the puzzles that wait in turn; add hard neighbours to them."""
    from unidoku.rating._ratings import rate_columns  # not at the top: `neighbours` needs no ratings

    forms = {*_forms(_batch_of(b"".join(puzzle.cells for puzzle in waiting)), 1, cancel)}
    for puzzle in waiting:  # which grows
        _, near, reasons = neighbours_of([puzzle.cells], changes, threads, cancel)
        for reason in reasons.values():
            raise InvalidPuzzleError(reason)
        new_puzzles = array("q")
        for place, form in enumerate(_forms(near, threads, cancel)):
            if form not in forms:
                forms.add(form)
                new_puzzles.append(place)
        near = near.take(new_puzzles)
        # a bound is cheaper than a rating: the hardest steps are the slowest
        columns, _ = rate_columns(near, below=er, threads=threads, cancel=cancel)
        for cells, is_hard in zip(near.grids(), columns["at_least"].to_list(), strict=True):
            if is_hard:
                grid = Grid(cells)
                waiting.append(grid)
                yield grid
