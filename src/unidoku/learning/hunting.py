"""Very hard puzzles on purpose: near hard puzzles there are others."""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.craft.canonical import canonical_many
from unidoku.craft.neighbours import neighbours_of
from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.grid import Grid
from unidoku.rating.ratings import rate_columns
from unidoku.table.forms import PuzzlesLike, read_cells
from unidoku.threads import Cancel, cancel_of, thread_count


def hunt(
    seeds: PuzzlesLike,
    er: float = 9.5,
    *,
    remove: int = 1,
    add: int = 1,
    threads: int | None = None,
    cancel: Cancel | None = None,
) -> Iterator[Grid]:
    """Find puzzles that are at least as hard as asked, near known ones, near the new ones, and so on.

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
    >>> [unidoku.rate(puzzle).er >= 9.5 for puzzle in islice(hunt([seed]), 2)]
    [True, True]
    """
    if not 1 < er <= 20:
        raise UnidokuError(f"er must be above 1 and at most 20, not {er!r}")
    cells, _ = read_cells(seeds)
    return _hunt([*map(Grid, cells)], er, (remove, add), thread_count(threads), cancel_of(cancel))


def _hunt(
    waiting: list[Grid], er: float, changes: tuple[int, int], threads: int, cancel: Cancel
) -> Iterator[Grid]:
    """Take the puzzles that wait in turn; add hard neighbours to them."""
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
        columns, _ = rate_columns(near, below=er, threads=threads, cancel=cancel)
        cancel.raise_if_set()
        for row in near[columns["at_least"].values & columns["at_least"].has_value()]:
            grid = Grid(row)
            waiting.append(grid)
            yield grid
