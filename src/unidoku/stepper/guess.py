"""Guesses that are right or wrong on purpose; the lowest and the highest guess level over all choices."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from unidoku.arguments import whole
from unidoku.errors import DIAGNOSE, InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.kernel import solution_of, verdict_of
from unidoku.native.steps import guess_levels
from unidoku.threads import cancel_of, child_of, in_worker

if TYPE_CHECKING:
    from unidoku.grid import PuzzleLike
    from unidoku.stepper.controller import Guesser, Session
    from unidoku.threads import Cancel

BUDGET = 1_000_000
"""How many guesses `level_range` tries by default, for each of its two questions."""


def guess_solution(session: Session, cell: int, digit: int) -> tuple[int, int] | None:
    """Guess the digit of the solution; the search's own guess if the grid has none any more.

    A value for `Session.guess`. Of several solutions, the one that `unidoku.solve` finds first counts.
    """
    solution = solution_of(session.grid.cells)
    return None if solution is None else (cell, solution[cell])


def guess_wrong(session: Session, cell: int, digit: int) -> tuple[int, int] | None:
    """First guess a digit of the cell that is not in the solution, if it has any."""
    solution = solution_of(session.grid.cells)
    if solution is None or solution[cell] != digit:
        return None
    return cell, next((other for other in session.candidates[cell] if other != digit), digit)


GUESSERS: dict[str, Guesser] = {"solution": guess_solution, "wrong": guess_wrong}
"""Ways to guess by their names."""


class LevelBounds(NamedTuple):
    """Bounds of a guess level, and the guesses that show one of them."""

    at_least: int
    at_most: int
    guesses: tuple[tuple[int, int], ...]
    """Cell 0 to 80 and digit, for each guess to the lowest of the least levels found, or the highest."""

    @property
    def exact(self) -> bool:
        """Whether the search ended before its budget."""
        return self.at_least == self.at_most


class LevelRange(NamedTuple):
    """The lowest and the highest guess level over all choices of guesses."""

    least: LevelBounds
    most: LevelBounds


def level_range(
    puzzle: PuzzleLike, *, mode: int = 0, budget: int = BUDGET, cancel: Cancel | None = None
) -> LevelRange:
    """Find the lowest and the highest guess level of a run to the solution, over all choices of guesses.

    A guess may be any candidate of any empty cell, as in the interactive guess mode. The lowest level needs
    right guesses only; the highest is that of the longest series of guesses that meets no contradiction
    before its last one.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array
        With exactly one solution.
    mode : {0, 1, 2}, optional
        Working mode, as for `Session`.
    budget : int, optional
        Try at most this many guesses for each of the two. If that is too few, the bounds differ: the lowest
        level is proved to be at least one number, and found to be at most the other.
    cancel : Cancel, optional
        Set it to stop.

    Returns
    -------
    LevelRange

    Raises
    ------
    InvalidPuzzleError
        It is not a puzzle with exactly one solution.
    SearchStoppedError
        `cancel` ended the search.
    ValueError
        `mode` or `budget` is out of range.

    Examples
    --------
    >>> quiz = "005300000800000020070010500400005300010070006003200080060500009004000030000009700"
    >>> found = level_range(quiz, budget=100_000)
    >>> found.least.at_least, found.least.at_most, found.most.at_least > 11
    (2, 2, True)
    """
    grid = Grid(puzzle)
    mode, budget = whole("mode", mode, most=2), whole("budget", budget, 1)
    is_proper = verdict_of(grid.cells, cancel=cancel)
    solution = solution_of(grid.cells, cancel=cancel) if is_proper else None
    if solution is None:
        raise InvalidPuzzleError(f"the puzzle does not have exactly one solution; {DIAGNOSE}")
    cells, asked = (grid.cells, solution), cancel_of(cancel)

    def bounds(*, most: bool) -> LevelBounds:
        with child_of(asked) as stop:  # a worker sets it at the end
            low, high, guesses, _ = in_worker(
                lambda: guess_levels(*cells, most=most, mode=mode, budget=budget, stop=stop.flag), stop
            )
        asked.raise_if_set()
        return LevelBounds(low, high, tuple(guesses))

    return LevelRange(bounds(most=False), bounds(most=True))
