"""Lay out puzzles to print, as HTML with a style for paper."""

from __future__ import annotations

from html import escape
from itertools import count, islice
from typing import TYPE_CHECKING, NamedTuple

from unidoku.view.form import ARRANGEMENT, expansion_form
from unidoku.view.svg import svg

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeVar

    from unidoku.grid import Grid
    from unidoku.rating.se121 import Rating

    T = TypeVar("T")

__all__ = ["PAPERS", "PER_PAGE", "Printed", "sheets"]

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""

PER_PAGE = {1: (1, 1), 2: (1, 2), 4: (2, 2), 6: (2, 3), 12: (3, 4)}
"""Puzzles on a page: columns and rows."""

_ANSWERS = (4, 5)
_MARGIN, _GAP, _TITLE, _CAPTION = 12, 6, 12, 6.5  # millimetres

_STYLE = """
@page { size: %(paper)s portrait; margin: %(margin)dmm; }
:root { color-scheme: light; }
body { margin: 0; font: 11pt/1.3 system-ui, sans-serif; color: #000; background: #fff; }
h1 { font-size: 15pt; line-height: 8mm; margin: 0; text-align: center; overflow-wrap: anywhere; }
h1, .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
section { break-after: page; }
section:last-child { break-after: auto; }
section > div { display: flex; flex-wrap: wrap; gap: %(gap)dmm; justify-content: center; }
figure { margin: 0; width: %(width).1fmm; break-inside: avoid; }
.answers figure { width: %(answer).1fmm; }
figcaption { display: flex; justify-content: center; gap: .4em; line-height: 5.5mm; margin-bottom: 1mm; }
figcaption small { color: #444; font-size: 9pt; flex: none; }
figcaption .name { flex: initial; }
svg { width: 100%%; height: auto; display: block; }
@media print {
  h1 { height: %(title)dmm; }
  section > div { display: grid; height: %(height).1fmm; place-items: center;
    grid-template: repeat(%(rows)d, 1fr) / repeat(%(columns)d, 1fr); }
  .answers > div { grid-template: repeat(%(down)d, 1fr) / repeat(%(across)d, 1fr); }
}
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
    name : str
        Shown after its number.
    rating : Rating or None
        As `unidoku.rate` returns it; its difficulty and ER are shown after the name.
    solution : Grid or None
        Printed at the end.
    """

    grid: Grid
    name: str = ""
    rating: Rating | None = None
    solution: Grid | None = None


def sheets(
    puzzles: Iterable[Printed],
    *,
    per_page: int = 6,
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
    per_page : {1, 2, 4, 6, 12}
    candidates : bool
        Print the candidates of the empty cells.
    blank : bool
        Print the expansion form of the numerical-analysis method, to work by hand.
    arrangement, few_digits
        Of the expansion form, see `unidoku.view.form.expansion_form`.
    paper : {"a4", "letter"}
    title : str
        Stands at the top of every page.

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
        choices = ", ".join(map(str, PER_PAGE))
        raise ValueError(f"invalid number of puzzles per page {per_page}; choose from: {choices}")
    if paper not in PAPERS:
        raise ValueError(f"invalid paper {paper!r}; choose from: {', '.join(PAPERS)}")
    width, height = (side - 2 * _MARGIN for side in PAPERS[paper])
    height -= _TITLE + 1  # rounding must not begin another page
    columns, rows = PER_PAGE[per_page]
    style = _STYLE % {
        **{"paper": paper, "margin": _MARGIN, "gap": _GAP, "title": _TITLE, "height": height},
        "width": _board_width(width, height, columns, rows),
        "answer": _board_width(width, height, *_ANSWERS),
        **{"columns": columns, "rows": rows, "across": _ANSWERS[0], "down": _ANSWERS[1]},
    }
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
        yield f"<section>\n<h1>{escape(title)}</h1>\n<div>\n"
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
                drawn = svg(puzzle.grid, candidates=candidates, colors=_INK, size=None, title=name)
            yield f"<figure>{_caption(number, puzzle)}{drawn}</figure>\n"
        yield "</div>\n</section>\n"
    for answered in _groups(answers, _ANSWERS[0] * _ANSWERS[1]):
        yield f'<section class="answers">\n<h1>{escape(title)}: solutions</h1>\n<div>\n'
        for number, puzzle in answered:
            assert puzzle.solution is not None
            solution, name = puzzle.solution, f"Solution {number}"
            drawn = svg(solution, givens=puzzle.grid, colors=_INK, size=None, title=name)
            yield f"<figure><figcaption>{number}</figcaption>{drawn}</figure>\n"
        yield "</div>\n</section>\n"
    yield "</html>\n"


def _board_width(width: float, height: float, columns: int, rows: int) -> float:
    """Return how wide boards can be in so many columns and rows of a page, in millimetres."""
    across = (width - (columns - 1) * _GAP) / columns
    down = (height - (rows - 1) * _GAP) / rows - _CAPTION
    return min(across, down) - 0.1  # rounding must not make it wider than its place


def _groups(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while group := list(islice(rest, size)):
        yield group


def _caption(number: int, puzzle: Printed) -> str:
    parts = [f"<b>{number}</b>"]
    if puzzle.name:
        parts.append(f'<small class="name">{escape(puzzle.name)}</small>')
    if puzzle.rating is not None:
        more = "+" if puzzle.rating.at_least else ""
        parts.append(f"<small>{puzzle.rating.difficulty} · ER {puzzle.rating.er}{more}</small>")
    return f"<figcaption>{''.join(parts)}</figcaption>"
