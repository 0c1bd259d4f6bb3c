"""The steps that solve a puzzle, in the order of the scale; hints: the next step, or all possible ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from unidoku.arguments import positive
from unidoku.cell import cell_name
from unidoku.errors import InvalidPuzzleError, SearchStoppedError
from unidoku.grid import Grid
from unidoku.kernel import solution_of, verdict_of
from unidoku.rating.scale import REASONS, difficulty_of, engine
from unidoku.rating.step import Hint, Position, Step, position_of, step_of
from unidoku.threads import child_of, flag_of, in_worker
from unidoku.words import table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unidoku.grid import PuzzleLike
    from unidoku.rating.step import Marks
    from unidoku.threads import Cancel
    from unidoku.words import Language


@dataclass(frozen=True, slots=True, repr=False)
class Steps(Sequence[Step]):
    """The steps that solve a puzzle, a sequence of `Step`.

    Attributes
    ----------
    puzzle : Grid
        The puzzle that they solve.
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
        ratings = [step.rating for step in self._steps]
        if not self.solved:
            ratings.append(20.0)
        first = next((k for k, step in enumerate(self._steps) if step.placements), len(ratings) - 1)
        return max(ratings, default=0.0), max(ratings[: first + 1], default=0.0), (ratings or [0.0])[0]

    @property
    def difficulty(self) -> str | None:
        """The word for the difficulty of the puzzle, as in `Rating`; None without steps."""
        return difficulty_of(self.rating[0]) if self._steps else None

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
    with child_of(cancel) as stop:
        found = walk(position_of(grid), budget=budget, cancel=stop)
        return Steps(grid, in_worker(lambda: tuple(found), stop))


def proper(puzzle: PuzzleLike) -> Grid:
    """Return a puzzle that has exactly one solution; refuse others."""
    grid = Grid(puzzle)
    for clash in grid.clashes():
        cells = f"{cell_name(clash.first)} and {cell_name(clash.second)}"
        raise InvalidPuzzleError(f"no solution: {cells} both hold {clash.digit} in {clash.house}")
    if reason := REASONS.get(verdict_of(grid.cells)):
        raise InvalidPuzzleError(reason)
    return grid


def walk(position: Position, *, budget: int | None = None, cancel: Cancel | None = None) -> Iterator[Step]:
    """Yield the steps from a position to the solution, as far as the techniques find them."""
    bounded = left = positive("budget", budget)
    stop = flag_of(cancel)
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


def hint(
    puzzle: PuzzleLike,
    marks: Marks | None = None,
    *,
    filled: PuzzleLike | None = None,
    lang: Language = "en",
    budget: int | None = None,
    cancel: Cancel | None = None,
) -> Hint | None:
    """Give a hint for the position that a player sees.

    Parameters
    ----------
    puzzle : Grid, str, bytes, array or nested list
        The puzzle, as `Grid` accepts it. It may also have digits filled in since, if they are right.
    marks : str, array or mapping, optional
        The player's pencil marks: 729 characters or numbers, nine a cell, or a mapping from cells to digits.
        An empty cell without marks has every digit that its houses do not have yet.
    filled : Grid, str, bytes, array or nested list, optional
        The clues and the digits filled in since, right or wrong; by default those of `puzzle`.
    lang : {"en", "zh"}
        The language of the texts.
    budget, cancel
        As for `unidoku.steps`.

    Returns
    -------
    Hint or None
        A mistake comes before any step. None if the grid is full and right.

    Raises
    ------
    InvalidPuzzleError
        The puzzle, the marks or the filled digits cannot be read, the puzzle has no or several solutions, or
        a clue of the puzzle is not among the filled digits.
    SearchStoppedError
        `budget` or `cancel` ended the search.
    ValueError
        `budget` is not an integer, below 1 or too large, or there is no such language.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> found = hint(puzzle)
    >>> found.where
    'Look at box 2.'
    >>> found.pattern
    'Hidden single (rated 1.2): where does 8 fit in box 2?'
    >>> found.whole
    'Hidden single: in box 2 the digit 8 fits only in r1c6.'
    >>> print(hint(puzzle, filled=puzzle.replace("53.", "532", 1)))
    These digits are wrong: r1c3=2.
    """
    table(lang)
    position, solution = _position(puzzle, marks, filled, budget=budget, cancel=cancel)
    digits = tuple((c, value) for c, value in enumerate(position.values) if value and value != solution[c])
    lacking = () if digits else _lacking(position, solution)  # wrong digits make marks wrong, too
    if digits or lacking:
        return Hint(position, None, digits, lacking, lang)
    if 0 not in position.values:
        return None
    return Hint(position, next(_first(position, budget, cancel), None), lang=lang)


def all_steps(
    puzzle: PuzzleLike, marks: Marks | None = None, *, budget: int | None = None, cancel: Cancel | None = None
) -> list[Step]:
    """Find every step that is possible in a position, the easiest first.

    Techniques up to forcing chains and aligned triplet exclusion are searched to the end, except that only
    the first cycle through each candidate is found. If they find nothing, the list is the one step that
    Sudoku Explainer 1.2.1 takes, if any.

    Parameters
    ----------
    puzzle, marks, budget, cancel
        As for `unidoku.hint`.

    Returns
    -------
    list of Step
        Ordered by rating, then in the order of the scale. If several steps of one technique have the same
        conclusion, only the first is listed; cycles and forcing chains count as one technique here.

    Raises
    ------
    InvalidPuzzleError
        As for `unidoku.hint`; also if the pencil marks exclude the solution.
    SearchStoppedError
        `budget` or `cancel` ended the search.
    ValueError
        As for `unidoku.steps`.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> print(all_steps(puzzle)[1])
    Hidden single: in box 3 the digit 5 fits only in r3c7.
    """
    position, solution = _position(puzzle, marks, None, budget=budget, cancel=cancel)
    if _lacking(position, solution):
        raise InvalidPuzzleError("the pencil marks exclude the solution; unidoku.hint says which")
    found: dict[tuple[object, ...], Step] = {}
    for raw in sorted(engine().find_steps(*native_position(position)), key=lambda raw: raw[1]):
        step = step_of(position, raw)
        name = "chain" if step.chains else step.technique
        found.setdefault((name, step.placements, step.eliminations), step)
    return list(found.values() or _first(position, budget, cancel))


def _first(position: Position, budget: int | None, cancel: Cancel | None) -> Iterator[Step]:
    """Return the next step, if the techniques find one."""
    with child_of(cancel) as stop:
        found = islice(walk(position, budget=budget, cancel=stop), 1)
        return iter(in_worker(lambda: list(found), stop))


def _position(
    puzzle: PuzzleLike,
    marks: Marks | None,
    filled: PuzzleLike | None,
    *,
    budget: int | None,
    cancel: Cancel | None,
) -> tuple[Position, bytes]:
    """Return the position and the solution; the limits of the search are checked, which may not be needed."""
    positive("budget", budget)
    flag_of(cancel)
    clues = proper(puzzle)
    grid = clues if filled is None else Grid(filled)
    for cell, value in enumerate(clues.cells):
        if value and grid.cells[cell] != value:
            raise InvalidPuzzleError(f"the clue {value} in {cell_name(cell)} is not among the filled digits")
    return position_of(grid, marks, clues), solution_of(clues.cells) or clues.cells


def _lacking(position: Position, solution: bytes) -> tuple[int, ...]:
    """Return the empty cells whose pencil marks lack the digit of the solution."""
    return tuple(
        cell
        for cell, mask in enumerate(position.masks)
        if not position.values[cell] and not mask >> solution[cell] - 1 & 1
    )
