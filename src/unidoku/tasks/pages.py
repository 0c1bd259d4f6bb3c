"""Options of printed pages, and the puzzles on them."""

from __future__ import annotations

from typing import NamedTuple

import click

from unidoku.grid import Grid
from unidoku.options import Option, choice
from unidoku.rating.scale import Rating

BELOW = 9.0
"""Largest rating on pages: the search for harder steps takes seconds."""

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""

PER_PAGE = {1: (1, 1), 2: (1, 2), 4: (2, 2), 6: (2, 3), 12: (3, 4)}
"""Puzzles on a page: columns and rows."""


class PrintedPuzzle(NamedTuple):
    """A puzzle to print.

    Attributes
    ----------
    grid : Grid
    name : str
        Shown after its number.
    rating : Rating or None
        As `unidoku.rate` returns it; its difficulty and ER are shown after the name.
    solution : Grid or None
        PrintedPuzzle at the end.
    number : int or None
        By default its position, from 1.
    group : str
        Heading of its pages; each group begins on a new page.
    """

    grid: Grid
    name: str = ""
    rating: Rating | None = None
    solution: Grid | None = None
    number: int | None = None
    group: str = ""


SHEETS = (
    Option(
        "per_page",
        "Put this number of puzzles on a page.",
        type=click.Choice([*PER_PAGE]),
        show_default="6, and 1 with --blank and --worked",
    ),
    Option("paper", "Lay out the pages for this paper.", type=choice(PAPERS), default="a4"),
    Option("title", "Put this title on every page.", show_default="Sudoku"),
)
"""The options of printed puzzles."""
