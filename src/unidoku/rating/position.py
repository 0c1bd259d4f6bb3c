"""A position: the digits in the cells, and the candidates that a player has left in the empty ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from unidoku.cell import PEERS, SYMBOLS, VALUES, cell_name, cell_number, fault, wrong_mark
from unidoku.errors import InvalidPuzzleError
from unidoku.grid import Grid

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from numpy.typing import NDArray

    from unidoku.cell import Cell

    Marks: TypeAlias = str | bytes | NDArray[Any] | Mapping[Cell, Collection[int]]


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a puzzle, as a player sees it.

    Attributes
    ----------
    values : bytes
        81 values 0 to 9, row by row, 0 for an empty cell.
    masks : tuple of int
        The candidates of the 81 cells, bit d - 1 for digit d; 0 for a filled cell.
    clues : bytes
        The 81 values of the puzzle.
    """

    values: bytes
    masks: tuple[int, ...]
    clues: bytes

    @property
    def line(self) -> str:
        """The digits as 81 characters, ``.`` for an empty cell."""
        return "".join(SYMBOLS[value] for value in self.values)

    @property
    def marks(self) -> str:
        """The candidates as 729 characters, nine a cell; a filled cell has its digit."""
        masks = [1 << value >> 1 | mask for value, mask in zip(self.values, self.masks, strict=True)]
        return "".join(
            str(digit) if mask >> digit - 1 & 1 else "." for mask in masks for digit in range(1, 10)
        )

    def candidates(self, cell: Cell) -> tuple[int, ...]:
        """Return the candidates of a cell, ascending; none for a filled cell."""
        mask = self.masks[cell_number(cell)]
        return tuple(digit for digit in range(1, 10) if mask >> digit - 1 & 1)

    def drawn_state(self) -> tuple[bytes, bytes, dict[int, tuple[int, ...]]]:
        """Return what `unidoku.view.svg` draws: values, clues, candidates."""
        return (
            self.values,
            self.clues,
            {cell: self.candidates(cell) for cell in range(81) if self.masks[cell]},
        )

    def after(
        self, placements: Iterable[tuple[int, int]], eliminations: Iterable[tuple[int, int]]
    ) -> Position:
        """Return the position after some cells are filled and some candidates are removed."""
        values, masks = bytearray(self.values), list(self.masks)
        for cell, digit in eliminations:
            masks[cell] &= ~(1 << digit - 1)
        for cell, digit in placements:
            values[cell] = digit
            masks[cell] = 0
            for peer in PEERS[cell]:
                masks[peer] &= ~(1 << digit - 1)
        return Position(bytes(values), tuple(masks), self.clues)


def position_of(grid: Grid, marks: Marks | None = None, clues: Grid | None = None) -> Position:
    """Return the position of the digits of a grid.

    An empty cell has those of its marks that its peers leave; all that they leave if it has no marks.
    """
    own = [0] * 81 if marks is None else _masks_of(marks)
    masks = []
    for cell in range(81):
        mask = own[cell] or 0b111_111_111
        for peer in PEERS[cell]:
            mask &= ~(1 << grid.cells[peer] >> 1)
        masks.append(0 if grid.cells[cell] else mask)
    return Position(grid.cells, tuple(masks), (clues or grid).cells)


def _masks_of(marks: Marks) -> list[int]:
    """Return the candidates of pencil marks in any form."""
    masks = [0] * 81
    if isinstance(marks, bytes):
        marks = marks.decode("latin-1")
    if isinstance(marks, str):
        text = "".join(marks.split())
        if len(text) != 729:
            raise InvalidPuzzleError(fault("729 pencil marks", str(len(text))))
        for place, symbol in enumerate(text):
            value = VALUES.get(symbol)
            if value is None or value not in {0, place % 9 + 1}:
                raise InvalidPuzzleError(wrong_mark(symbol, place))
            masks[place // 9] |= 1 << value >> 1
        return masks
    if isinstance(marks, Mapping):
        for cell, digits in marks.items():
            number = cell_number(cell)
            for digit in digits:
                if isinstance(digit, bool) or digit not in range(1, 10):
                    raise InvalidPuzzleError(fault("digits 1 to 9", f"{digit!r} in {cell_name(number)}"))
                masks[number] |= 1 << int(digit) - 1
        return masks
    array = np.asarray(marks)
    if array.size != 729 or array.dtype.kind not in "biu":
        raise InvalidPuzzleError(
            f"pencil marks are text of 729 characters, a mapping from cells to digits, or an array of 729 "
            f"numbers, not {type(marks).__name__} of shape {array.shape}"
        )
    bits = (array.reshape(81, 9) != 0) @ (1 << np.arange(9))
    return [int(mask) for mask in bits]
