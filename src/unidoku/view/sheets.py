"""Puzzles on paper: sheets to print, and two pictures of the numerical-analysis method.

They are the expansion form and the numbers of the cells. In the book's figure 2-1, nine small cells stand
along three sides of a cell, in the shape of a Pi. The fourth side leaves room for the value and its mark.
The text at hand lacks the figure; the sizes are ours.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from unidoku.method.state import box_of, column_of, row_of
from unidoku.view.pages import environment
from unidoku.view.svg import grid_lines, svg

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from unidoku.grid import Grid
    from unidoku.rating.se121 import Rating

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""

PER_PAGE = {1: (1, 1), 2: (1, 2), 4: (2, 2), 6: (2, 3), 12: (3, 4)}
"""Puzzles on a page: columns and rows."""

_ANSWER = 40  # millimetres that a solution takes across the page, about
_ANSWER_ROWS = 5
_MARGIN, _GAP, _TITLE, _CAPTION = 12, 6, 12, 6.5  # millimetres

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

ARRANGEMENT = "123456789"
"""The default digits of the nine places: the top from left to right, then down the two sides in turn."""

FEW = (1, 5, 9)
"""The cells that have digits in the form for practised readers."""

_CELL = 60  # units of the view box
_SIDE = 9 * _CELL
_LEG, _ROW = 19, 15  # width of the two sides, height of a small cell
_ROOM = _CELL - 2 * _LEG
_PLACES = [  # left edge, top edge and width of the nine small cells
    (0, 0, _LEG),
    (_LEG, 0, _ROOM),
    (_LEG + _ROOM, 0, _LEG),
    *((x, _ROW * row, _LEG) for row in (1, 2, 3) for x in (0, _LEG + _ROOM)),
]
_EDGE = 2
_STYLE = (
    "text{font-family:system-ui,sans-serif}.paper{fill:#fff}"
    ".given,.narrow{font-size:17px;font-weight:600;text-anchor:middle}.narrow{font-size:12px}"
    ".digit{font-size:7.5px;fill:#555}.number{font-size:6px;fill:#777;text-anchor:middle}"
    ".cell{font-size:22px;text-anchor:middle}.of{font-size:8px;fill:#444;text-anchor:middle}"
    ".side{font-size:9px;fill:#444;text-anchor:middle}"
    ".small{stroke:#bbb;stroke-width:.5;fill:none}.thin{stroke:#666;stroke-width:.8;fill:none}"
    ".thick{stroke:#000;stroke-width:2;fill:none}"
)


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
        Of the expansion form, see `expansion_form`.
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
    board = _board_width(width, height, columns, rows)
    extent = width - (width - (columns - 1) * _GAP) / columns + board  # solutions have the same margins
    across = int((extent + _GAP) / _ANSWER)
    solved: list[tuple[int, Grid, Grid]] = []

    def boards() -> Iterator[tuple[int, Printed, str]]:
        for number, puzzle in enumerate(puzzles, 1):
            if puzzle.solution is not None:
                solved.append((number, puzzle.grid, puzzle.solution))
            name = f"Puzzle {number}"
            if blank:
                drawn = expansion_form(
                    puzzle.grid.cells, arrangement=arrangement, few_digits=few_digits, title=name
                )
            else:
                drawn = svg(puzzle.grid, candidates=candidates, colors=_INK, size=None, title=name)
            yield number, puzzle, drawn

    def answers() -> Iterator[tuple[int, str]]:
        for number, grid, solution in solved:
            yield number, svg(solution, givens=grid, colors=_INK, size=None, title=f"Solution {number}")

    template = environment().get_template("sheets.html")
    yield from template.generate(
        title=title,
        boards=boards(),
        answers=answers(),
        paper={
            "name": paper,
            "width": extent,
            "height": height,
            "margin": _MARGIN,
            "gap": _GAP,
            "heading": _TITLE,
        },
        puzzle={"columns": columns, "rows": rows, "width": board},
        answer={
            "columns": across,
            "rows": _ANSWER_ROWS,
            "width": _board_width(extent, height, across, _ANSWER_ROWS),
        },
    )


def _board_width(width: float, height: float, columns: int, rows: int) -> float:
    """Return how wide boards can be in so many columns and rows of a page, in millimetres."""
    across = (width - (columns - 1) * _GAP) / columns
    down = (height - (rows - 1) * _GAP) / rows - _CAPTION
    return min(across, down) - 0.1  # rounding must not make it wider than its place


def expansion_form(
    values: Sequence[int],
    *,
    arrangement: str = ARRANGEMENT,
    few_digits: bool = False,
    title: str = "Expansion form",
) -> str:
    """Draw the form on which a puzzle is worked by hand (the book's figures 2-1 and 2-2).

    Each open cell has nine small cells along three sides, in the shape of a Pi, for the marks of the zeroed
    components. Below the bar of the Pi is room for the value and its mark. A given is in brackets, as in the
    book, and each cell has its number.

    Parameters
    ----------
    values : sequence of 81 int
        0 for an open cell.
    arrangement : str
        The nine digits in the order of the small cells: the top from left to right, then down the two sides,
        left and right in turn. ``456372819`` runs around the Pi from the foot of the left side.
    few_digits : bool
        Print the digits in cells 1, 5 and 9 only (also if they are givens), as a key for practised readers.
    title : str

    Returns
    -------
    str
        One ``<svg>`` element.

    Raises
    ------
    ValueError
        `arrangement` does not have the nine digits.
    """
    if sorted(arrangement) != sorted(ARRANGEMENT):
        raise ValueError(f"invalid arrangement {arrangement!r}; give the digits 1 to 9 in any order")
    out: list[str] = []
    for cell, value in enumerate(values, 1):
        x, y = _corner(cell)
        with_digits = cell in FEW if few_digits else not value
        if with_digits or not value:
            out.append(f'<path class="small" d="{_pi(x, y)}"/>')
        if with_digits:
            out += [
                f'<text class="digit" x="{x + left + 2:g}" y="{y + top + 8:g}">{digit}</text>'
                for digit, (left, top, _) in zip(arrangement, _PLACES, strict=True)
            ]
        if value:
            size = "narrow" if with_digits else "given"
            out.append(f'<text class="{size}" x="{x + _CELL / 2:g}" y="{y + 40}">({value})</text>')
        out.append(f'<text class="number" x="{x + _CELL / 2:g}" y="{y + _CELL - 3}">{cell}</text>')
    return _picture([*out, *grid_lines(_CELL)], title, margin=_EDGE)


def numbers_of_cells() -> str:
    """Draw the numbers I of the cells, with their row II, column JJ and box KG (the book's figure 1-1).

    Returns
    -------
    str
        One ``<svg>`` element.
    """
    out: list[str] = []
    for cell in range(1, 82):
        x, y = _corner(cell)
        middle = x + _CELL / 2
        out += [
            f'<text class="cell" x="{middle:g}" y="{y + 27}">{cell}</text>',
            f'<text class="of" x="{middle:g}" y="{y + 41}">II={row_of(cell)} JJ={column_of(cell)}</text>',
            f'<text class="of" x="{middle:g}" y="{y + 53}">KG={box_of(cell)}</text>',
        ]
    for k in range(9):
        middle = _CELL * k + _CELL / 2
        out.append(f'<text class="side" x="{middle:g}" y="-6">JJ={k + 1}</text>')
        out.append(f'<text class="side" x="-15" y="{middle + 3:g}">II={k + 1}</text>')
    return _picture([*out, *grid_lines(_CELL)], "Numbers of the cells, rows, columns and boxes", margin=30)


def _picture(parts: Iterable[str], title: str, *, margin: int) -> str:
    edge, extent, drawn = -margin, _SIDE + margin + _EDGE, "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="unidoku-form" role="img" '
        f'viewBox="{edge} {edge} {extent} {extent}"><title>{escape(title)}</title><style>{_STYLE}</style>'
        f'<rect class="paper" x="{edge}" y="{edge}" width="{extent}" height="{extent}"/>{drawn}</svg>'
    )


def _corner(cell: int) -> tuple[int, int]:
    return _CELL * (column_of(cell) - 1), _CELL * (row_of(cell) - 1)


def _pi(x: int, y: int) -> str:
    """Return the path of the lines between the small cells, and between them and the room."""
    return "".join(f"M{x + left} {y + top}h{width}v{_ROW}h{-width}z" for left, top, width in _PLACES)
