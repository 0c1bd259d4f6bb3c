"""The forms of the book as pictures: the expansion form, blank or filled in, and the numbers of the cells.

In the book's figure 2-1, nine small cells follow three sides of a cell, in the shape of a Pi. The fourth side
leaves room for the value and its mark. Tables 2.2-A and 2.2-B show this form filled in. The text at hand
lacks the figures and the tables; the sizes are ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from unidoku._lazy import public
from unidoku.grid import PuzzleLike
from unidoku.method._record import Replay, box_of, column_of, row_of

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
    ".given,.found{font-size:17px;font-weight:600;text-anchor:middle}"
    ".digit{font-size:7.5px;fill:#555}.number{font-size:6px;fill:#777;text-anchor:middle}"
    ".mark,.conversion{font-size:8px;text-anchor:middle}.conversion{font-weight:600}"
    ".cell{font-size:22px;text-anchor:middle}.of{font-size:8px;fill:#444;text-anchor:middle}"
    ".side{font-size:9px;fill:#444;text-anchor:middle}"
    ".small{stroke:#bbb;stroke-width:.5;fill:none}.thin{stroke:#666;stroke-width:.8;fill:none}"
    ".thick{stroke:#000;stroke-width:2;fill:none}"
)


@public
def expansion_form(state: PuzzleLike | Replay, *, title: str = "Expansion form") -> str:
    """Draw the form on which a puzzle is worked by hand (the book's figure 2-1, tables 2.2-A and B).

    Each open cell has nine small cells along three sides, in the shape of a Pi, for the marks of the zeroed
    components. Digits 1 to 3 are at the top, 4 to 9 on the two sides, left and right in turn. Below the bar
    of the Pi is room for the value and its mark. A given is in brackets, as in the book, and each cell has
    its number.

    Parameters
    ----------
    state : PuzzleLike or Replay
        A puzzle, for the blank form; or a replay of a record, for the form filled in up to its position. Each
        small cell then has the mark of the zeroing of its component, or of the conversion to its digit, and
        the room has the value.
    title : str
        The title of the picture.

    Returns
    -------
    str
        One ``<svg>`` element.

    Examples
    --------
    >>> from unidoku import method
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> record = method.explain(puzzle)
    >>> form = expansion_form(record.first_table())  # table 2.2-A
    >>> form.count('class="mark"'), form.count('class="conversion"')
    (306, 2)
    >>> expansion_form(record.after(-1)).count('class="conversion"')  # table 2.2-B
    51
    """
    replay = state if isinstance(state, Replay) else Replay(state, ())
    conversions = replay.conversions()
    out: list[str] = []
    for cell, clue in enumerate(replay.puzzle.cells, 1):
        x, y = _corner(cell)
        room = f'x="{x + _CELL / 2:g}" y="{y + 40}"'
        number = f'<text class="number" x="{x + _CELL / 2:g}" y="{y + _CELL - 3}">{cell}</text>'
        if clue:
            out += [f'<text class="given" {room}>({clue})</text>', number]
            continue
        out.append(f'<path class="small" d="{_pi(x, y)}"/>')
        conversion = conversions.get(cell)
        for digit, (left, top, width) in enumerate(_PLACES, 1):
            kind, mark = "mark", replay.mark(cell, digit)
            if conversion is not None and digit == conversion.digit:
                kind, mark = "conversion", conversion.mark
            if mark:
                middle = f'x="{x + left + width / 2:g}" y="{y + top + 10:g}"'
                out.append(f'<text class="{kind}" {middle}>{mark}</text>')
            else:
                out.append(f'<text class="digit" x="{x + left + 2:g}" y="{y + top + 8:g}">{digit}</text>')
        if conversion is not None:
            out.append(f'<text class="found" {room}>{conversion.digit}</text>')
        out.append(number)
    return _picture(out, title, margin=_EDGE)


@public
def numbers_of_cells() -> str:
    """Draw the numbers I of the cells, with their row II, column JJ and box KG (the book's figure 1-1).

    Examples
    --------
    >>> numbers_of_cells().startswith("<svg")
    True
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
    return _picture(out, "Numbers of the cells, rows, columns and boxes", margin=30)


def _picture(parts: Iterable[str], title: str, *, margin: int) -> str:
    """Return a picture of these parts with the lines of the grid."""
    edge, extent, content = -margin, _SIDE + margin + _EDGE, "".join(parts)
    for kind, places in (("thin", range(1, 9)), ("thick", range(0, 10, 3))):
        lines = "".join(f"M{_CELL * k} 0V{_SIDE}M0 {_CELL * k}H{_SIDE}" for k in places)
        content += f'<path class="{kind}" d="{lines}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="unidoku-form" role="img" '
        f'viewBox="{edge} {edge} {extent} {extent}"><title>{escape(title)}</title><style>{_STYLE}</style>'
        f'<rect class="paper" x="{edge}" y="{edge}" width="{extent}" height="{extent}"/>{content}</svg>'
    )


def _corner(cell: int) -> tuple[int, int]:
    return _CELL * (column_of(cell) - 1), _CELL * (row_of(cell) - 1)


def _pi(x: int, y: int) -> str:
    """Return the path of the lines between the small cells, and between them and the room."""
    return "".join(f"M{x + left} {y + top}h{width}v{_ROW}h{-width}z" for left, top, width in _PLACES)
