"""The houses of the grid and the peers of each cell.

Cells are 0..80, row by row; houses are 0..26: nine rows, nine columns, nine boxes (left to right, then down).
Native code has the same numbering in ``native/houses.pxd``.  The proof checker (`unidoku.method.checker`) has
its own table on purpose, because it must share nothing with the code it checks.
"""

from __future__ import annotations

__all__ = ["HOUSES", "HOUSES_OF", "HOUSE_NAMES", "PEERS"]

_BOX_CORNERS = [27 * band + 3 * stack for band in range(3) for stack in range(3)]

HOUSES: tuple[tuple[int, ...], ...] = (
    *(tuple(range(9 * row, 9 * row + 9)) for row in range(9)),
    *(tuple(range(column, 81, 9)) for column in range(9)),
    *(tuple(corner + 9 * row + column for row in range(3) for column in range(3)) for corner in _BOX_CORNERS),
)
"""The cells of each house, ascending."""

HOUSE_NAMES: tuple[str, ...] = tuple(
    f"{kind} {number}" for kind in ("row", "column", "box") for number in range(1, 10)
)
"""The name of each house, such as ``row 3``."""

HOUSES_OF: tuple[tuple[int, int, int], ...] = tuple(
    (cell // 9, 9 + cell % 9, 18 + cell // 27 * 3 + cell % 9 // 3) for cell in range(81)
)
"""The row, the column and the box of each cell."""

PEERS: tuple[frozenset[int], ...] = tuple(
    frozenset(cell for house in houses for cell in HOUSES[house]) - {own}
    for own, houses in enumerate(HOUSES_OF)
)
"""The twenty cells that share a house with each cell."""
