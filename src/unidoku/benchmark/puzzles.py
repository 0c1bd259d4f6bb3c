"""Transform the puzzles of a benchmark randomly, and check solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unidoku.craft.transform import random_numbers, transform_many
from unidoku.native.clues.prediction import compare

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.rows import Rows

__all__ = ["are_solutions", "lines_of", "random_images"]


def random_images(rows: Rows, seed: int = 1) -> NDArray[np.uint8]:
    """Return a random image of each puzzle, so that no solver profits from the order of cells and digits.

    Parameters
    ----------
    rows : array, bytes, sequence or Arrow column
        Puzzles as `unidoku.check_many` accepts them.
    seed : int, optional
        The same seed gives the same images.

    Returns
    -------
    uint8[n, 81]
        Cells 0 to 9.
    """
    identity = transform_many(rows, np.zeros(1, np.int64))
    return transform_many(identity, random_numbers(len(identity), seed))


def lines_of(rows: NDArray[np.uint8]) -> list[str]:
    """Convert puzzles to lines of text, ``.`` for an empty cell."""
    text = np.where(rows == 0, ord("."), rows + ord("0")).astype(np.uint8).tobytes().decode("ascii")
    return [text[81 * k : 81 * k + 81] for k in range(len(rows))]


def are_solutions(puzzles: NDArray[np.uint8], grids: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Test which grids are solutions of their puzzles, without a solver.

    Parameters
    ----------
    puzzles, grids : uint8[n, 81]
        Cells 0 to 9.

    Returns
    -------
    bool[n]
    """
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
