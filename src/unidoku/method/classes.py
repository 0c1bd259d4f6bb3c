"""Difficulty classes, and the method over many puzzles at once.

The book has only the title (section 3.4); the classes are ours. Class 1: theorems 1 to 4 are enough. Class 2:
extended zeroing is needed. Class 3: subsets are needed. Class 4: presets are needed.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unidoku.errors import InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.method.rules import Order
from unidoku.native import method as native

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unidoku.grid import PuzzleLike

__all__ = ["Classification", "classify_many"]

_TOTALS = 14
_BLOCK = 512  # puzzles a thread takes at once: some milliseconds of work


@dataclass(frozen=True)
class Classification:
    """The method's totals for n puzzles.

    Attributes
    ----------
    classes : numpy.ndarray, uint8[n]
        1..4; 0 for a puzzle with no or several solutions.
    conversions : numpy.ndarray, int32[n, 3]
        By theorems 2, 3, 4.
    zeroings : numpy.ndarray, int32[n, 4]
        Own, theorem 1, extended, subset.
    presets : numpy.ndarray, int32[n]
        Presets on the way to the result, as in `Record`; 0 where it was not reached.
    deepest_level, rounds : numpy.ndarray, int32[n]
        As in `Record`.
    solved : numpy.ndarray, bool[n]
        Whether the result was reached.
    """

    classes: NDArray[np.uint8]
    conversions: NDArray[np.int32]
    zeroings: NDArray[np.int32]
    presets: NDArray[np.int32]
    deepest_level: NDArray[np.int32]
    rounds: NDArray[np.int32]
    solved: NDArray[np.bool_]


def classify_many(
    rows: NDArray[np.uint8] | Sequence[PuzzleLike],
    order: Order | None = None,
    *,
    presets: int = 1000,
    threads: int | None = None,
) -> Classification:
    """Class and totals of many puzzles; native, without the GIL.

    Parameters
    ----------
    rows : array of uint8[n, 81], or a sequence of puzzles
        Values 0..9 or ASCII codes; a sequence may hold anything that `Grid` takes.
    order : Order, optional
        As for `explain`.
    presets : int
        Presets allowed a puzzle; 0 leaves class 4 puzzles unsolved.
    threads : int, optional
        Default: the cores this process may use.

    Returns
    -------
    Classification
        In the order of the rows.

    Raises
    ------
    InvalidPuzzleError
        If a row is no puzzle. Contradictory givens are no error here: such a puzzle has class 0.

    Notes
    -----
    Presets are made for puzzles with several solutions too, as nothing else is known of them; only the
    kernel's verdict, asked for those puzzles that need presets, sorts them out into class 0.
    """
    from unidoku import kernel

    cells = _values(rows)
    n = len(cells)
    order = order or Order()
    theorems, kinds = order.codes
    totals = np.zeros((n, _TOTALS), dtype=np.int32)

    def work(first: int) -> None:
        native.classify(
            cells[first : first + _BLOCK].reshape(-1).data,
            totals[first : first + _BLOCK].reshape(-1).data,
            theorems=theorems,
            kinds=kinds,
            early=order.early,
            sweep=order.sweep,
            extended=order.extended,
            subsets=order.subsets,
            presets=presets,
        )

    with ThreadPoolExecutor(threads or kernel.default_threads()) as pool:
        for _ in pool.map(work, range(0, n, _BLOCK)):
            pass
    return _classification(cells, totals)


def _classification(cells: NDArray[np.uint8], totals: NDArray[np.int32]) -> Classification:
    from unidoku import kernel

    solved = totals[:, 0] == 0
    classes = np.select([totals[:, 7] > 0, totals[:, 6] > 0], [3, 2], 1).astype(np.uint8)
    unsure = (totals[:, 0] == 1) | (totals[:, 8] > 0)
    asked = np.flatnonzero(unsure)
    verdicts = np.zeros(len(asked), dtype=np.uint8)
    if len(asked):
        counts = np.zeros(len(asked), dtype=np.uint64)
        starts = asked.astype(np.int64) * 81
        kernel.solve_cells(cells, starts, zero=0, limit=2, counts=counts, verdicts=verdicts)
    classes[asked] = np.where(verdicts == 1, 4, 0)
    classes[~solved & ~unsure] = 0
    return Classification(
        classes=classes,
        conversions=totals[:, 1:4],
        zeroings=totals[:, 4:8],
        presets=np.where(solved, totals[:, 10], 0).astype(np.int32),
        deepest_level=totals[:, 11],
        rounds=totals[:, 12],
        solved=solved,
    )


def _values(rows: NDArray[np.uint8] | Sequence[PuzzleLike]) -> NDArray[np.uint8]:
    """Rows as ``uint8[n, 81]`` of 0..9."""
    if isinstance(rows, np.ndarray) and rows.dtype == np.uint8 and rows.ndim == 2 and rows.shape[1] == 81:
        if rows.size and int(rows.max()) > 9:
            return _values([bytes(row).decode("ascii") for row in rows])
        return np.ascontiguousarray(rows)
    grids = []
    for number, row in enumerate(rows, 1):
        try:
            grids.append(Grid(row).cells)
        except InvalidPuzzleError as error:
            raise InvalidPuzzleError(error.message, line=number, column=error.column) from None
    return np.frombuffer(b"".join(grids), dtype=np.uint8).reshape(-1, 81)
