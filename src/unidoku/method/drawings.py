"""Grids, pencil marks, marks and matrices drawn with characters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from unidoku.method.record import Replay
from unidoku.method.state import State, box_of, column_of, row_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_RULES = {0: ("┏┳┓", "┯", "━"), 3: ("┣╋┫", "┿", "━"), 6: ("┣╋┫", "┿", "━"), 9: ("┗┻┛", "┷", "━")}
"""The thick lines by the row below them: left end, crossing and right end; joints of cells; strokes."""
_THIN = "┠╂┨", "┼", "─"


def matrix(values: NDArray[Any]) -> list[str]:
    """Return an 81-element array as a 9 x 9 matrix, nine lines."""
    width = len(str(int(values.max())))
    return [
        " ".join(str(int(values[9 * row + column])).rjust(width) for column in range(9)) for row in range(9)
    ]


def components_matrix(state: State, row: int) -> list[str]:
    """NAK of the cells of row 1..9: a line per cell, a column per digit."""
    return [" ".join(str(int(state.NAK[d, 9 * (row - 1) + c])) for d in range(9)) for c in range(9)]


def pencil_picture(state: State) -> list[str]:
    """Draw each cell as 3 x 3 small cells with its components; a value is shown alone, in the middle."""

    def small(cell: int, digit: int) -> str:
        value = int(state.NA[cell - 1])
        if value:
            return str(value) if digit == 5 else " "
        return str(digit) if state.NAK[digit - 1, cell - 1] else "·"

    return drawn_cells(small, 1)


def numbers_picture() -> list[str]:
    """Draw the number I of each cell above its II, JJ and KG (the book's figure 1-1)."""

    def small(cell: int, place: int) -> str:
        numbers = {2: cell, 7: row_of(cell), 8: column_of(cell), 9: box_of(cell)}
        return str(numbers.get(place, ""))

    return drawn_cells(small, 2)


def values_picture(values: bytes) -> list[str]:
    """Return a grid of values 0..9 with box lines, 13 lines."""
    out = []
    for row in range(10):
        if row % 3 == 0:
            ends, _, stroke = _RULES[row]
            out.append(_line(ends, [stroke * 7] * 3))
        cells = [str(value or "·") for value in values[9 * row : 9 * row + 9]]
        if cells:
            out.append(_line("┃┃┃", [f" {' '.join(cells[k : k + 3])} " for k in (0, 3, 6)]))
    return out


def _line(ends: str, boxes: Iterable[str]) -> str:
    """Return a line through three boxes, with its left end, its crossing of box lines and its right end."""
    return ends[0] + ends[1].join(boxes) + ends[2]


def drawn_cells(small: Callable[[int, int], str], width: int) -> list[str]:
    """Draw each cell as 3 x 3 small cells of a width."""
    gap = " " if width > 1 else ""
    out = []
    for row in range(10):
        ends, joint, stroke = _RULES.get(row, _THIN)
        out.append(_line(ends, [joint.join([stroke * (3 * width + 2 * len(gap) + 2)] * 3)] * 3))
        for sub in range(3 if row < 9 else 0):
            parts = [
                f" {gap.join(small(9 * row + column + 1, 3 * sub + k + 1).center(width) for k in range(3))} "
                for column in range(9)
            ]
            out.append(_line("┃┃┃", ["│".join(parts[k : k + 3]) for k in (0, 3, 6)]))
    return out


def marks_picture(replay: Replay) -> list[str]:
    """Draw a table of the book: each small cell has its digit, or the mark of the event that zeroed it.

    A given is written in brackets, another value with the mark of its conversion.
    """
    state = replay.state
    conversions = replay.conversions()

    def small(cell: int, digit: int) -> str:
        if digit == state.NA[cell - 1]:
            return f"{digit}{conversions[cell].mark}" if cell in conversions else f"({digit})"
        return replay.mark(cell, digit) or str(digit)

    return drawn_cells(small, 3)
