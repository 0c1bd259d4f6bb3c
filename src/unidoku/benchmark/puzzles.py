"""Transform the puzzles of a benchmark randomly, and check solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unidoku.craft.generate import generate
from unidoku.craft.transform import random_numbers, transform_many
from unidoku.native.clues.prediction import compare

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.rows import Rows

__all__ = ["EASY", "are_solutions", "easy_puzzles", "lines_of", "middle_puzzles", "random_images"]

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
"""A newspaper puzzle with 30 clues."""

_IMAGES = 10  # of each puzzle of the middle set


def random_images(rows: Rows, seed: int = 1) -> NDArray[np.uint8]:
    """Return a random image of each puzzle, so that no solver profits from the order of cells and digits."""
    identity = transform_many(rows, np.zeros(1, np.int64))
    return transform_many(identity, random_numbers(len(identity), seed))


def easy_puzzles(count: int, seed: int = 1) -> NDArray[np.uint8]:
    """Return random images of `EASY`, which any backtracker can solve."""
    return random_images([EASY] * count, seed)


def middle_puzzles(count: int, seed: int = 1) -> NDArray[np.uint8]:
    """Return random images of random minimal puzzles, which have 22 to 27 clues; ten images of each."""
    some = generate(-(-count // _IMAGES), seed=seed, minimal=True)
    return random_images(np.resize(some, (count, 81)), seed)


def lines_of(rows: NDArray[np.uint8]) -> list[str]:
    """Convert puzzles to lines of text, ``.`` for an empty cell."""
    text = np.where(rows == 0, ord("."), rows + ord("0")).astype(np.uint8).tobytes().decode("ascii")
    return [text[81 * k : 81 * k + 81] for k in range(len(rows))]


def are_solutions(puzzles: NDArray[np.uint8], grids: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Test which grids are solutions of their puzzles, without a solver."""
    solved, changed, broken, empty = np.empty((4, len(puzzles)), np.uint8)
    compare(
        np.ascontiguousarray(puzzles).reshape(-1),
        np.ascontiguousarray(grids).reshape(-1),
        solved,
        changed,
        broken,
        empty,
    )
    return solved.view(np.bool_)
