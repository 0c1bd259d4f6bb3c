"""Links that open a puzzle on a web site."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from unidoku.arguments import one_of
from unidoku.cli.command import Command
from unidoku.grid import Grid, PuzzleLike
from unidoku.options import choice, option
from unidoku.parse.links import SITES
from unidoku.task import Report


class Link(Report):
    """For each puzzle, print a link that opens it on a web site.

    Nothing is sent anywhere. Links of these sites are also read where a single PUZZLE is given, but not in
    files.
    """

    formats: ClassVar[tuple[str, ...]] = ("text", "json")
    site: str = option("sudokuwiki", f"Print links to this site: {', '.join(SITES)}.", choice(SITES))

    def text(self, cells: str, title: str) -> Iterator[str]:
        """Yield a link."""
        yield link(cells, site=self.site)

    def json(self, cells: str, title: str) -> Iterator[dict[str, str]]:
        """Yield the puzzle and a link."""
        yield {"puzzle": Grid(cells).line, "link": link(cells, site=self.site)}


def link(puzzle: PuzzleLike, *, site: str = "sudokuwiki") -> str:
    """Return a link that opens a puzzle on a web site.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `unidoku.Grid` accepts it.
    site : {"sudokuwiki", "sudoku.coach", "sudokuexchange"}, optional
        The site that the link opens.

    Returns
    -------
    str

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle.
    ValueError
        The site is unknown.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> link(puzzle, site="sudoku.coach")[:46]
    'https://sudoku.coach/en/play/53007000060019500'
    """
    return SITES[one_of("site", site, SITES)] + Grid(puzzle).line.replace(".", "0")


COMMAND = Command(
    Link,
    examples=(
        "unidoku link quiz.txt",
        "unidoku link puzzles.txt --site sudoku.coach -o links.txt",
    ),
)
