"""The book's matrices and pencil-mark grids as plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from unidoku.method.marks import ascii_mark
from unidoku.method.state import box_of, column_of, row_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.method.record import Replay
    from unidoku.method.state import State


class Lines(NamedTuple):
    """The characters of drawn lines: thin between cells, thick around boxes."""

    thin_across: str
    thick_across: str
    thin_down: str
    thick_down: str
    thin_cross: str
    thick_cross: str
    thin_meets_thick: str
    thick_meets_thin: str
    corners: str
    thin_ends: str
    thick_ends: str
    dot: str

    def border(self, row: int, boxes: Iterable[str]) -> str:
        """Return the thick line above row 0, 3 or 6, or below the grid (9), of its strokes at three boxes."""
        ends = self.thick_ends
        between = ends[0] + self.thick_cross + ends[1]
        left, middle, right = [*{0: self.corners[:3], 9: self.corners[4:7]}.get(row, between)]
        return left + middle.join(boxes) + right


UNICODE = Lines("─", "━", "│", "┃", "┼", "╋", "╂", "┿", "┏┳┓┯┗┻┛┷", "┠┨", "┣┫", "·")
ASCII = Lines("-", "=", ":", "|", "+", "#", "+", "+", "++++++++", "++", "++", ".")


def matrix(values: NDArray[Any]) -> list[str]:
    """Return an 81-element array as a 9 x 9 matrix, nine lines."""
    width = len(str(int(values.max())))
    return [
        " ".join(str(int(values[9 * row + column])).rjust(width) for column in range(9)) for row in range(9)
    ]


def components_matrix(state: State, row: int) -> list[str]:
    """NAK of the cells of row 1..9: a line per cell, a column per digit."""
    return [" ".join(str(int(state.NAK[d, 9 * (row - 1) + c])) for d in range(9)) for c in range(9)]


def pencil_picture(state: State, lines: Lines = UNICODE) -> list[str]:
    """Draw each cell as 3 x 3 small cells with its components; a value is shown alone, in the middle."""

    def small(cell: int, digit: int) -> str:
        value = int(state.NA[cell - 1])
        if value:
            return str(value) if digit == 5 else " "
        return str(digit) if state.NAK[digit - 1, cell - 1] else lines.dot

    return _draw(small, 1, lines)


def numbers_picture(lines: Lines = UNICODE) -> list[str]:
    """Draw the number I of each cell above its II, JJ and KG (the book's figure 1-1)."""

    def small(cell: int, place: int) -> str:
        numbers = {2: cell, 7: row_of(cell), 8: column_of(cell), 9: box_of(cell)}
        return str(numbers.get(place, ""))

    return _draw(small, 2, lines)


def marks_picture(replay: Replay, lines: Lines = UNICODE) -> list[str]:
    """Draw the figures of the book: each small cell holds its digit, or the mark of the event that zeroed it.

    A given is written in brackets, another value with the mark of its conversion.
    """
    state = replay.state
    given = replay.record.puzzle.cells
    how = {e.cell: e.mark for e in replay.record.events[: replay.position] if e.kind in {"convert", "preset"}}

    def small(cell: int, digit: int) -> str:
        if digit == state.NA[cell - 1]:
            text = f"({digit})" if given[cell - 1] else f"{digit}{how[cell]}"
        else:
            text = replay.mark(cell, digit) or str(digit)
        return ascii_mark(text) if lines is ASCII else text

    return _draw(small, 3, lines)


def values_picture(values: bytes, lines: Lines = UNICODE) -> list[str]:
    """Return a grid of values 0..9 with box lines, 13 lines."""
    strokes = [lines.thick_across * 7] * 3
    out = []
    for row in range(9):
        if row % 3 == 0:
            out.append(lines.border(row, strokes))
        cells = [str(v) if v else lines.dot for v in values[9 * row : 9 * row + 9]]
        boxes = [f" {' '.join(cells[k : k + 3])} " for k in (0, 3, 6)]
        out.append(lines.thick_down + lines.thick_down.join(boxes) + lines.thick_down)
    return [*out, lines.border(9, strokes)]


def _draw(small: Callable[[int, int], str], width: int, lines: Lines) -> list[str]:
    gap = " " if width > 1 else ""
    inner = 3 * width + 2 * len(gap) + 2

    def border(row: int, joint: str) -> str:
        return lines.border(row, [joint.join([lines.thick_across * inner] * 3)] * 3)

    box = lines.thin_cross.join([lines.thin_across * inner] * 3)
    thin = lines.thin_ends[0] + lines.thin_meets_thick.join([box] * 3) + lines.thin_ends[1]
    out = [border(0, lines.corners[3])]
    for row in range(9):
        if row:
            out.append(thin if row % 3 else border(row, lines.thick_meets_thin))
        for sub in range(3):
            parts = [
                " "
                + gap.join(small(9 * row + column + 1, 3 * sub + k + 1).center(width) for k in range(3))
                + " "
                for column in range(9)
            ]
            boxes = [lines.thin_down.join(parts[k : k + 3]) for k in (0, 3, 6)]
            out.append(lines.thick_down + lines.thick_down.join(boxes) + lines.thick_down)
    return [*out, border(9, lines.corners[7])]
