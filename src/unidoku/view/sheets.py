"""Lay out puzzles to print, as HTML with a style for paper."""

from __future__ import annotations

from html import escape
from itertools import count, islice
from typing import TYPE_CHECKING, NamedTuple

from unidoku.view.board import board
from unidoku.view.form import ARRANGEMENT, expansion_form

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeVar

    from unidoku.grid import Grid

    T = TypeVar("T")

__all__ = ["PAPERS", "PER_PAGE", "Printed", "sheets"]

PAPERS = {"a4": "A4", "letter": "Letter"}
#: Puzzles on a page: width of a board in millimetres.
PER_PAGE = {1: 170, 2: 114, 4: 84, 6: 72}
_ANSWERS = 9  # on a page

_STYLE = """
@page { size: %(paper)s portrait; margin: 14mm; }
:root { color-scheme: light; }
body { margin: 0; font: 11pt/1.3 system-ui, sans-serif; color: #000; background: #fff; }
section { display: flex; flex-wrap: wrap; gap: 7mm; justify-content: center; align-content: flex-start;
  break-after: page; }
section:last-child { break-after: auto; }
h1 { flex-basis: 100%%; font-size: 13pt; margin: 0; text-align: center; }
figure { margin: 0; width: %(width)dmm; break-inside: avoid; }
.answers figure { width: 50mm; }
figcaption { text-align: center; margin-bottom: 1mm; overflow-wrap: anywhere; }
figcaption small { color: #555; }
svg { width: 100%%; height: auto; display: block; }
@media screen { body { max-width: 210mm; margin: 1rem auto; } section { padding: 0 1rem 2rem; } }
@media screen and (max-width: 600px) { figure, .answers figure { width: 100%%; } }
"""
# paper is white, whatever color scheme the reader prefers
_INK = {
    "paper": "#fff",
    "thin": "#999",
    "thick": "#000",
    "given": "#000",
    "found": "#333",
    "mark": "#999",
    "label": "#777",
}


class Printed(NamedTuple):
    """A puzzle to print.

    Attributes
    ----------
    grid : Grid
    caption : str
        Shown after its number.
    solution : Grid or None
        Printed at the end.
    """

    grid: Grid
    caption: str = ""
    solution: Grid | None = None


def sheets(
    puzzles: Iterable[Printed],
    *,
    per_page: int = 4,
    candidates: bool = False,
    blank: bool = False,
    arrangement: str = ARRANGEMENT,
    few_digits: bool = False,
    paper: str = "a4",
    title: str = "Sudoku",
) -> Iterator[str]:
    """Lay out puzzles on pages, their solutions at the end.

    Parameters
    ----------
    puzzles : iterable of Printed
        They are numbered from 1.
    per_page : {1, 2, 4, 6}
    candidates : bool
        Print the candidates of the empty cells.
    blank : bool
        Print the expansion form of the numerical-analysis method, to work by hand.
    arrangement, few_digits
        Of the expansion form, see `unidoku.view.form.expansion_form`.
    paper : {"a4", "letter"}
    title : str

    Yields
    ------
    str
        Pieces of one self-contained HTML page.

    Raises
    ------
    ValueError
        `per_page` or `paper` is not one of these, or `arrangement` does not have the nine digits.
    """
    if per_page not in PER_PAGE:
        raise ValueError(f"invalid number of puzzles per page {per_page}; choose from: 1, 2, 4, 6")
    if paper not in PAPERS:
        raise ValueError(f"invalid paper {paper!r}; choose from: {', '.join(PAPERS)}")
    style = _STYLE % {"paper": PAPERS[paper], "width": PER_PAGE[per_page]}
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n"
    )
    answers: list[tuple[int, Printed]] = []
    numbers = count(1)
    for page in _groups(puzzles, per_page):
        yield "<section>\n"
        for puzzle in page:
            number = next(numbers)
            if puzzle.solution is not None:
                answers.append((number, puzzle))
            name = f"Puzzle {number}"
            if blank:
                drawn = expansion_form(
                    puzzle.grid.cells, arrangement=arrangement, few_digits=few_digits, title=name
                )
            else:
                marks = _candidates(puzzle.grid) if candidates else {}
                drawn = board(puzzle.grid.cells, candidates=marks, colors=_INK, title=name)
            yield _puzzle(number, puzzle.caption, drawn)
        yield "</section>\n"
    for answered in _groups(answers, _ANSWERS):
        yield '<section class="answers">\n<h1>Solutions</h1>\n'
        for number, puzzle in answered:
            assert puzzle.solution is not None
            drawn = board(puzzle.solution.cells, puzzle.grid.cells, colors=_INK, title=f"Solution {number}")
            yield f"<figure><figcaption>{number}</figcaption>{drawn}</figure>\n"
        yield "</section>\n"
    yield "</html>\n"


def _groups(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while group := list(islice(rest, size)):
        yield group


def _candidates(grid: Grid) -> dict[int, tuple[int, ...]]:
    return {cell: grid.candidates(cell) for cell, value in enumerate(grid) if not value}


def _puzzle(number: int, caption: str, drawn: str) -> str:
    small = f" <small>{escape(caption)}</small>" if caption else ""
    return f"<figure><figcaption>{number}{small}</figcaption>{drawn}</figure>\n"
