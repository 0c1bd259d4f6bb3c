"""Find unavoidable sets: sets of cells in which two full grids differ.

A proper puzzle has a clue in every unavoidable set of its solution.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unidoku.arguments import whole
from unidoku.errors import InvalidPuzzleError, SearchStoppedError
from unidoku.grid import Grid
from unidoku.kernel import solve_rows
from unidoku.native.clues.unavoidable import find
from unidoku.threads import child_of, flag_of, in_worker

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.grid import PuzzleLike
    from unidoku.threads import Cancel

MAX_SIZE = 18
"""The largest supported number of cells of a set; a grid has tens of thousands of larger sets."""

_SMALL = 12  # up to this many cells, `exchange_set` finds the smallest set, within milliseconds


def unavoidable_sets(grid: PuzzleLike, *, size: int = 12, cancel: Cancel | None = None) -> NDArray[np.bool_]:
    """Find all minimal unavoidable sets of a full grid up to a size.

    An unavoidable set is a set of cells in which the grid differs from some other full grid: a puzzle without
    a clue in it has at least two solutions. It is minimal if no proper subset of it is unavoidable.

    Parameters
    ----------
    grid : Grid, str, bytes or array of 81 integers
        A full and correct grid.
    size : int, optional
        The largest number of cells of a set, 1 to 18. The smallest sets have 4 cells.
    cancel : Cancel, optional
        Set it to stop.

    Returns
    -------
    bool[n, 81]
        A row for each set, true for its cells; in order of size, then of cells.

    Raises
    ------
    InvalidPuzzleError
        It is not a full and correct grid.
    SearchStoppedError
        `cancel` ended the search.
    ValueError
        `size` is out of range.

    Notes
    -----
    The list is complete: it has every minimal set of at most `size` cells. The search proceeds cell by cell;
    see `unidoku.native.clues.unavoidable` for the proof. McGuire, Tugemann and Civario ("There is no 16-clue
    Sudoku", 2012) find the sets of up to 12 cells with a list of patterns instead; Dobrichev's method solves
    the grid without the cells of some digits or of a band.

    Examples
    --------
    >>> import unidoku
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> sets = unavoidable_sets(unidoku.solve(puzzle))
    >>> len(sets)
    309
    >>> [cell + 1 for cell in range(81) if sets[0, cell]]
    [4, 5, 31, 32]
    """
    checked = Grid(grid)
    if not checked.is_solved():
        raise InvalidPuzzleError("not a full and correct grid")
    cells = np.frombuffer(checked.cells, np.uint8)
    most = whole("size", size, 1, MAX_SIZE)
    with child_of(cancel) as stop:
        return in_worker(lambda: _found(cells, np.ones(81, np.uint8), most, stop), stop)


def exchange_set(grid: NDArray[np.uint8], other: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Find a minimal unavoidable set of a full grid among the cells in which another one differs: bool[81].

    It is the smallest set if that has at most 12 cells, otherwise any minimal set.
    """
    differing: NDArray[np.bool_] = grid != other
    small = _found(grid, differing.view(np.uint8), _SMALL)
    if len(small):
        smallest: NDArray[np.bool_] = small[0]
        return smallest
    while True:
        # Each cell in turn becomes a clue; if there are still two solutions, they differ in a smaller set.
        cells = np.flatnonzero(differing)
        rows = np.repeat(np.where(differing, 0, grid)[None, :], len(cells), axis=0)
        rows[np.arange(len(cells)), cells] = grid[cells]
        found = solve_rows(rows)
        pairs = (found.solutions, found.witnesses)
        others = [row != grid for solutions in pairs for row in solutions if row[0] and (row != grid).any()]
        if not others:
            return differing
        differing = min(others, key=np.count_nonzero)


def _found(
    grid: NDArray[np.uint8], changeable: NDArray[np.uint8], size: int, cancel: Cancel | None = None
) -> NDArray[np.bool_]:
    found = find(grid, changeable, size, stop=flag_of(cancel))
    if found is None:
        raise SearchStoppedError(0, "sets")
    sets: NDArray[np.bool_] = np.frombuffer(found, np.bool_).reshape(-1, 81)
    return sets
