"""Puzzles as text for a prompt, in three common layouts, and the grid in the text of an answer."""

from __future__ import annotations

from typing import Literal, TypeAlias

from unidoku.arguments import one_of
from unidoku.craft.verification import read_answer
from unidoku.grid import Grid, PuzzleLike

Layout: TypeAlias = Literal["line", "rows", "boxes"]

LAYOUTS: tuple[Layout, ...] = ("line", "rows", "boxes")
"""The layouts: 81 cells in one line, nine rows with blanks, nine rows with lines between the boxes."""

RULES = "Fill the empty cells (.) so that every row, every column and every 3x3 box has the digits 1 to 9."


def drawn(puzzle: PuzzleLike, layout: Layout = "rows") -> str:
    """Return a puzzle in one of `LAYOUTS`.

    Examples
    --------
    >>> print(drawn("." * 80 + "7", "rows").splitlines()[-1])
    . . . . . . . . 7
    """
    grid = Grid(puzzle)
    one_of("layout", layout, LAYOUTS)
    if layout == "line":
        return grid.line
    if layout == "boxes":
        return str(grid)
    return "\n".join(" ".join(grid.line[start : start + 9]) for start in range(0, 81, 9))


def prompt(puzzle: PuzzleLike, layout: Layout = "rows") -> str:
    """Return the rules, the puzzle, and how to answer: in the same layout, between two tags."""
    answer = "Give the full grid in the same layout between <answer> and </answer>."
    return f"{RULES}\n\n{drawn(puzzle, layout)}\n\n{answer}"


def grid_of(answer: object) -> str | None:
    """Return the 81 cells of the grid in an answer, with ``.`` for an empty cell; None without a grid.

    It is the grid that `unidoku.verify` judges.
    """
    cells, reason = read_answer(answer)
    return None if reason else Grid(bytes(cells)).line
