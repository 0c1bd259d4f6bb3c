"""Two pictures of the numerical-analysis method for paper: the expansion form, and the numbers of the cells.

In the book's figure 2-1, nine small cells stand along three sides of a cell, in the shape of a Pi. The fourth
side leaves room for the value and its mark. The text at hand lacks the figure; the sizes are ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unidoku.method.state import box_of, column_of, row_of
from unidoku.view.pages import render

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
    return _picture([*out, *_grid()], title, margin=_EDGE)


def numbers_of_cells(*, title: str = "Numbers of the cells, rows, columns and boxes") -> str:
    """Draw the numbers I of the cells, with their row II, column JJ and box KG (the book's figure 1-1).

    Parameters
    ----------
    title : str

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
    return _picture([*out, *_grid()], title, margin=30)


def _picture(parts: Iterable[str], title: str, *, margin: int) -> str:
    extent = _SIDE + margin + _EDGE
    return render("form.svg", title=title, margin=margin, extent=extent, parts="".join(parts))


def _corner(cell: int) -> tuple[int, int]:
    return _CELL * (column_of(cell) - 1), _CELL * (row_of(cell) - 1)


def _pi(x: int, y: int) -> str:
    """Return the path of the lines between the small cells, and between them and the room."""
    return "".join(f"M{x + left} {y + top}h{width}v{_ROW}h{-width}z" for left, top, width in _PLACES)


def _grid() -> Iterable[str]:
    for kind, places in (("thin", range(1, 9)), ("thick", range(0, 10, 3))):
        lines = "".join(f"M{_CELL * k} 0V{_SIDE}M0 {_CELL * k}H{_SIDE}" for k in places)
        yield f'<path class="{kind}" d="{lines}"/>'
