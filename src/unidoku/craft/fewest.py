"""Find a minimal puzzle with the fewest clues within a puzzle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unidoku.arguments import positive
from unidoku.craft.minimize import IMPROPER, reduce_clues
from unidoku.craft.seeds import seed_of, words
from unidoku.errors import InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.many import solve, solve_proposals
from unidoku.native.clues.fewest import Fewest
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from unidoku.grid import PuzzleLike

_BUDGET = 1_000_000
_STARTS = 1024  # minimal puzzles at the start, of which the best is the first result


@dataclass(frozen=True, slots=True)
class FewestResult:
    """The result of `fewest_clues`.

    Attributes
    ----------
    grid : Grid
        The minimal puzzle with the fewest clues found.
    at_least : int
        Proved lower bound of the number of clues.
    """

    grid: Grid
    at_least: int

    @property
    def complete(self) -> bool:
        """Whether the result is proved to have the fewest clues."""
        return self.grid.clue_count == self.at_least


def fewest_clues(puzzle: PuzzleLike, *, budget: int | None = None, seed: int | None = None) -> FewestResult:
    """Find a minimal puzzle with the fewest clues within a proper puzzle.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it.
    budget : int, optional
        Largest number of branches to search; by default a million, which takes one to three seconds.
    seed : int, optional
        Seed of the minimal puzzles at the start of the search; by default a fresh one.

    Returns
    -------
    FewestResult
        The same for a seed on any machine.

    Raises
    ------
    InvalidPuzzleError
        It is not a proper puzzle.
    ValueError
        `budget` or `seed` is out of range.

    Notes
    -----
    A set of clues is a proper puzzle if it hits every unavoidable set of the solution. Branch and bound finds
    the smallest hitting set; second solutions of the puzzles that it tries give the unavoidable sets. The
    default budget is enough for most puzzles of up to 45 clues; for a full grid the search does not end.
    """
    most = positive("budget", budget) or _BUDGET
    cells = np.frombuffer(Grid(puzzle).cells, np.uint8)
    found = solve(cells[None])
    if found.verdicts[0] != Verdict.UNIQUE:
        raise InvalidPuzzleError(IMPROPER)
    minimal = reduce_clues(
        np.repeat(found.solutions, _STARTS, axis=0),
        np.repeat(cells[None], _STARTS, axis=0),
        words(seed_of(seed), 0, _STARTS),
    )
    best = minimal[np.argmin(np.count_nonzero(minimal, axis=1))]
    search = Fewest(found.solutions[0], cells, best, most)
    solve_proposals(search, 1)
    row = np.empty(81, np.uint8)
    search.best(row)
    return FewestResult(Grid(row), search.at_least)
