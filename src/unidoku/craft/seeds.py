"""Reproducible random numbers: the same on every machine, for any number of threads."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from unidoku.compat import np
from unidoku.native.clues.reduction import random_numbers, row_numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray


def random_bits(seed: int, position: int, count: int, stream: int = 0) -> NDArray[np.uint64]:
    """Return random 64-bit numbers by their position in a sequence."""
    numbers = np.empty(count, np.uint64)
    random_numbers(seed, position, stream, numbers)
    return numbers


def random_number(seed: int, position: int, stream: int = 0) -> int:
    """Return one of them."""
    numbers = array("Q", [0])
    random_numbers(seed, position, stream, numbers)
    return numbers[0]


def row_bits(rows: NDArray[np.uint8], seed: int, count: int = 1, position: int = 0) -> NDArray[np.uint64]:
    """Return random numbers by the cells of puzzles, the same wherever a puzzle is, in any file and order.

    Each puzzle has a sequence of them: `count` numbers from `position` on.
    """
    numbers = np.empty((len(rows), count), np.uint64)
    row_numbers(np.ascontiguousarray(rows).reshape(-1), seed, position, numbers.reshape(-1))
    return numbers


def row_number(cells: bytes, seed: int) -> int:
    """Return the first of them for one puzzle, 81 values."""
    numbers = array("Q", [0])
    row_numbers(cells, seed, 0, numbers)
    return numbers[0]
