"""Reproducible random numbers: the same on every machine, for any number of threads.

They are buffers without NumPy, which one puzzle does not need.
"""

from __future__ import annotations

from array import array
from typing import Any

from unidoku._native.clues.reduction import random_choices, random_numbers, row_numbers


def random_bits(seed: int, position: int, count: int = 1, stream: int = 0) -> array[int]:
    """Return random 64-bit numbers by their position in a sequence."""
    numbers = array("Q", bytes(8 * count))
    random_numbers(seed, position, stream, numbers)
    return numbers


def random_items(seed: int, position: int, count: int, stream: int, choices: range) -> array[int]:
    """Return items of a range that the random numbers choose."""
    numbers = array("q", bytes(8 * count))
    random_choices(seed, position, stream, choices.start, len(choices), numbers)
    return numbers


def row_bits(cells: Any, seed: int, count: int = 1, position: int = 0) -> array[int]:
    """Return random numbers by the cells of puzzles, the same wherever a puzzle is, in any file and order.

    Each puzzle, 81 of the `cells`, has a sequence of them: `count` numbers from `position` on.
    """
    numbers = array("Q", bytes(8 * count * (len(cells) // 81)))
    row_numbers(cells, seed, position, numbers)
    return numbers
