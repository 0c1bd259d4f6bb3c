"""Hints: the next step from a position as a player sees it, and all steps that are possible there."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from unidoku.cell import cell_name
from unidoku.errors import InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.rating.path import native_position, proper, walk
from unidoku.rating.position import Position, position_of
from unidoku.rating.roles import step_of
from unidoku.rating.se121 import engine
from unidoku.single import solve

if TYPE_CHECKING:
    from unidoku.grid import PuzzleLike
    from unidoku.rating.position import Marks
    from unidoku.rating.step import Language, Step
    from unidoku.threads import Cancel


@dataclass(frozen=True, slots=True, repr=False)
class Hint:
    """What helps a player next: mistakes, or a step.

    Attributes
    ----------
    position : Position
        The position that the hint is for.
    step : Step or None
        The next step; None if there are mistakes, or if no technique of the scale finds one.
    wrong_digits : tuple of tuple of int
        The digits that are not those of the solution, as pairs (cell, digit).
    wrong_marks : tuple of int
        The cells 0 to 80 whose pencil marks lack the digit of the solution.
    lang : {"en", "zh"}
        The language of the texts.
    """

    position: Position
    step: Step | None = None
    wrong_digits: tuple[tuple[int, int], ...] = ()
    wrong_marks: tuple[int, ...] = ()
    lang: Language = "en"

    @property
    def where(self) -> str:
        """Where to look."""
        return self._texts()[0]

    @property
    def what(self) -> str:
        """What is to be found there."""
        return self._texts()[1]

    @property
    def whole(self) -> str:
        """The whole step, or all mistakes."""
        return self._texts()[2]

    def _texts(self) -> tuple[str, str, str]:
        from unidoku.rating.report import Sentences

        return Sentences(self.lang).hint(self)

    def __str__(self) -> str:
        return self.whole

    def __repr__(self) -> str:
        return f"<Hint {self.what}>"

    def _repr_svg_(self) -> str:
        """Return the picture for a notebook."""
        from unidoku.view.svg import svg

        if self.step is not None:
            return self.step._repr_svg_()
        wrong = [*(cell for cell, _ in self.wrong_digits), *self.wrong_marks]
        return svg(self.position, fill=dict.fromkeys(wrong, "red"), labels="rc")


def hint(
    puzzle: PuzzleLike,
    marks: Marks | None = None,
    *,
    placed: PuzzleLike | None = None,
    lang: Language = "en",
    budget: int | None = None,
    cancel: Cancel | None = None,
) -> Hint | None:
    """Give a hint for the position that a player sees.

    Parameters
    ----------
    puzzle : Grid, str, bytes, array or nested list
        The puzzle, as `Grid` accepts it; digits that were placed since may stand in it if they are right.
    marks : str, array or mapping, optional
        The player's pencil marks: 729 characters or numbers, nine a cell, or a mapping from cells to digits.
        An empty cell without marks has every digit that the digits in its houses leave.
    placed : Grid, str, bytes, array or nested list, optional
        The clues and the digits placed since, right or wrong; by default those of `puzzle`.
    lang : {"en", "zh"}
    budget, cancel
        As for `unidoku.steps`.

    Returns
    -------
    Hint or None
        A mistake comes before any step. None if the grid is full and right.

    Raises
    ------
    InvalidPuzzleError
        The puzzle, the marks or the placed digits cannot be read, the puzzle has no or several solutions, or
        a clue of the puzzle is not among the placed digits.
    SearchStoppedError
        `budget` or `cancel` ended the search.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> found = hint(puzzle)
    >>> found.where
    'Look at box 2.'
    >>> found.whole
    'Hidden single: in box 2 the digit 8 fits only in r1c6.'
    >>> print(hint(puzzle, placed=puzzle.replace("53.", "532", 1)))
    These digits are wrong: r1c3=2.
    """
    position, solution = _position(puzzle, marks, placed)
    digits = tuple((c, value) for c, value in enumerate(position.values) if value and value != solution[c])
    lacking = () if digits else _lacking(position, solution)  # wrong digits make marks wrong, too
    if digits or lacking:
        return Hint(position, None, digits, lacking, lang)
    if 0 not in position.values:
        return None
    return Hint(position, next(walk(position, budget=budget, cancel=cancel), None), lang=lang)


def all_steps(
    puzzle: PuzzleLike, marks: Marks | None = None, *, budget: int | None = None, cancel: Cancel | None = None
) -> list[Step]:
    """Find every step that is possible in a position, the easiest first.

    Techniques up to forcing chains and aligned triplet exclusion are searched to the end, but only the first
    cycle through each candidate. Only where they find nothing, the list is the one step that Sudoku Explainer
    1.2.1 takes, if any.

    Parameters
    ----------
    puzzle, marks, budget, cancel
        As for `unidoku.hint`.

    Returns
    -------
    list of Step
        Ordered by rating, then as the scale looks for them. Of the steps of one technique, and of all cycles
        and forcing chains, with the same conclusion only the first.

    Raises
    ------
    InvalidPuzzleError
        As for `unidoku.hint`; also if the pencil marks exclude the solution.
    SearchStoppedError
        `budget` or `cancel` ended the search.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> print(all_steps(puzzle)[1])
    Hidden single: in box 3 the digit 5 fits only in r3c7.
    """
    position, solution = _position(puzzle, marks, None)
    if _lacking(position, solution):
        raise InvalidPuzzleError("the pencil marks exclude the solution; unidoku.hint says which")
    found: dict[tuple[object, ...], Step] = {}
    for raw in sorted(engine().find_steps(*native_position(position)), key=lambda raw: raw[1]):
        step = step_of(position, raw)
        name = "chain" if step.chains else step.technique
        found.setdefault((name, step.placements, step.eliminations), step)
    return list(found.values() or islice(walk(position, budget=budget, cancel=cancel), 1))


def _position(puzzle: PuzzleLike, marks: Marks | None, placed: PuzzleLike | None) -> tuple[Position, bytes]:
    """Return the position and the solution."""
    clues = proper(puzzle)
    grid = clues if placed is None else Grid(placed)
    for cell, value in enumerate(clues.cells):
        if value and grid.cells[cell] != value:
            raise InvalidPuzzleError(f"the clue {value} in {cell_name(cell)} is not among the placed digits")
    solution = solve(clues) or clues
    return position_of(grid, marks, clues), solution.cells


def _lacking(position: Position, solution: bytes) -> tuple[int, ...]:
    """Return the empty cells whose pencil marks lack the digit of the solution."""
    return tuple(
        cell
        for cell, mask in enumerate(position.masks)
        if not position.values[cell] and not mask >> solution[cell] - 1 & 1
    )
