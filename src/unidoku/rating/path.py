"""The path of a puzzle: the steps that solve it, in the order of the scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from unidoku.arguments import positive
from unidoku.cell import cell_name
from unidoku.errors import InvalidPuzzleError, SearchStoppedError
from unidoku.grid import Grid
from unidoku.rating.position import Position, position_of
from unidoku.rating.roles import step_of
from unidoku.rating.se121 import REASONS, engine
from unidoku.rating.step import Step
from unidoku.single import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unidoku.grid import PuzzleLike
    from unidoku.threads import Cancel


@dataclass(frozen=True, slots=True, repr=False)
class Steps(Sequence[Step]):
    """The steps that solve a puzzle, a sequence of `Step`.

    Attributes
    ----------
    puzzle : Grid
    """

    puzzle: Grid
    _steps: tuple[Step, ...]

    @overload
    def __getitem__(self, number: int) -> Step: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Step]: ...
    def __getitem__(self, number: int | slice) -> Step | Sequence[Step]:
        """Return a step by its number from 0."""
        return self._steps[number]

    def __len__(self) -> int:
        return len(self._steps)

    @property
    def rating(self) -> tuple[float, float, float]:
        """ER, EP and ED; 20.0 where no technique finds the step that decides it."""
        ratings = [step.rating for step in self._steps] + [20.0] * (not self.solved)
        first = next((k for k, step in enumerate(self._steps) if step.placements), len(ratings) - 1)
        return max(ratings, default=0.0), max(ratings[: first + 1], default=0.0), (ratings or [0.0])[0]

    @property
    def solved(self) -> bool:
        """Whether the steps fill the grid: the techniques of the scale solve nearly every puzzle."""
        return 0 not in (self._steps[-1].after.values if self._steps else self.puzzle.cells)

    def __str__(self) -> str:
        return "\n".join(map(str, self._steps))

    def __repr__(self) -> str:
        return f"<Steps: {len(self)} of {self.puzzle.line}>"


def steps(puzzle: PuzzleLike, *, budget: int | None = None, cancel: Cancel | None = None) -> Steps:
    """Find the steps that solve a puzzle, as Sudoku Explainer 1.2.1 takes them.

    Parameters
    ----------
    puzzle : Grid, str, bytes, array or nested list
        As `Grid` accepts it.
    budget : int, optional
        Largest number of candidates from which chains are searched; by default no limit.
    cancel : Cancel, optional
        Set it in another thread to stop.

    Returns
    -------
    Steps
        A sequence of `Step`. It ends before the grid is full if no technique finds a further step.

    Raises
    ------
    InvalidPuzzleError
        It is not a puzzle, or has no or several solutions.
    SearchStoppedError
        `budget` or `cancel` ended the search.
    ValueError
        `budget` is not an integer, below 1 or too large.

    Examples
    --------
    >>> found = steps("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    >>> print(found[0], len(found))
    Hidden single: in box 2 the digit 8 fits only in r1c6. 51
    """
    grid = proper(puzzle)
    return Steps(grid, tuple(walk(position_of(grid), budget=budget, cancel=cancel)))


def proper(puzzle: PuzzleLike) -> Grid:
    """Return a puzzle that has exactly one solution; refuse others."""
    grid = Grid(puzzle)
    for clash in grid.clashes():
        cells = f"{cell_name(clash.first)} and {cell_name(clash.second)}"
        raise InvalidPuzzleError(f"no solution: {cells} both hold {clash.digit} in {clash.house}")
    if reason := REASONS.get(check(grid)):
        raise InvalidPuzzleError(reason)
    return grid


def walk(position: Position, *, budget: int | None = None, cancel: Cancel | None = None) -> Iterator[Step]:
    """Yield the steps from a position to the solution, as far as the techniques find them."""
    bounded = left = positive("budget", budget)
    stop = None if cancel is None else cancel.flag
    while 0 in position.values:
        raw, left = engine().find_step(*native_position(position), budget=left, stop=stop)
        if cancel or (raw is None and left < 0):
            raise SearchStoppedError(0, "steps")
        if raw is None:
            return
        left = max(left, 1) if bounded else 0
        step = step_of(position, raw)
        yield step
        position = step.after


def native_position(position: Position) -> tuple[bytes, Any]:
    """Return the position for native code."""
    return position.values, np.array(position.masks, np.uint16)
