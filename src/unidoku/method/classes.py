"""Difficulty classes, and the method over many puzzles at once.

The book has only the title (section 3.4); the classes are ours. Class 1: theorems 1 to 4 are enough. Class 2:
extended zeroing is needed. Class 3: subsets are needed. Class 4: presets are needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku import kernel
from unidoku.batch import bad_row, in_threads, parts_of
from unidoku.method.rules import Order
from unidoku.native.method import analysis as native
from unidoku.native.text.rows import first_bad
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.batch import Cells, Rows

__all__ = ["Classification", "classes_of", "classify_many", "run_classify"]

TOTALS = 14  # columns of the native totals
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
    rows: Rows,
    order: Order | None = None,
    *,
    presets: int = 1000,
    threads: int | None = None,
) -> Classification:
    """Class and totals of many puzzles; native, without the GIL.

    Parameters
    ----------
    rows : array of uint8[n, 81], bytes of lines, sequence of strings, or Arrow column of strings
        As for `unidoku.check_many`.
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
    parts = parts_of(rows)
    n = sum(len(cells.starts) for cells in parts)
    totals = np.zeros((n, TOTALS), dtype=np.int32)
    classes = np.zeros(n, dtype=np.uint8)
    stop = bytearray(1)

    def work(task: tuple[Cells, int]) -> None:
        cells, begin = task
        starts = cells.starts[begin : begin + _BLOCK]
        bad = first_bad(cells.text, starts, cells.zero)
        if bad >= 0:
            raise bad_row(cells, begin + bad)
        part = slice(cells.first + begin, cells.first + begin + len(starts))
        run_classify(cells.text, starts, totals[part], zero=cells.zero, order=order, presets=presets)
        classes[part] = _classes(cells, starts, totals[part])

    tasks = [(cells, begin) for cells in parts for begin in range(0, len(cells.starts), _BLOCK)]
    in_threads(work, tasks, threads or kernel.default_threads(), stop)
    solved = totals[:, 0] == 0
    return Classification(
        classes=classes,
        conversions=totals[:, 1:4],
        zeroings=totals[:, 4:8],
        presets=np.where(solved, totals[:, 10], 0).astype(np.int32),
        deepest_level=totals[:, 11],
        rounds=totals[:, 12],
        solved=solved,
    )


def run_classify(
    text: Any,
    starts: NDArray[np.int64],
    totals: NDArray[np.int32],
    *,
    zero: int,
    order: Order | None = None,
    presets: int,
) -> None:
    """One call of the native engine; totals are int32[n, 14]."""
    order = order or Order()
    theorems, kinds = order.codes
    native.classify(
        text,
        starts.data,
        totals.reshape(-1).data,
        zero=zero,
        theorems=theorems,
        kinds=kinds,
        early=order.early,
        sweep=order.sweep,
        extended=order.extended,
        subsets=order.subsets,
        presets=presets,
    )


def classes_of(totals: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Classes as far as the totals tell: 0 for a contradiction; class 4 may have several solutions."""
    rules = [totals[:, 7] > 0, totals[:, 6] > 0]
    classes = np.select(rules, [3, 2], 1).astype(np.uint8)
    classes[totals[:, 0] == 2] = 0
    classes[(totals[:, 0] == 1) | ((totals[:, 0] == 0) & (totals[:, 8] > 0))] = 4
    return classes


def _classes(cells: Cells, starts: NDArray[np.int64], totals: NDArray[np.int32]) -> NDArray[np.uint8]:
    classes = classes_of(totals)
    asked = np.flatnonzero(classes == 4)
    if len(asked):
        verdicts = np.zeros(len(asked), dtype=np.uint8)
        counts = np.zeros(len(asked), dtype=np.uint64)
        kernel.solve_cells(
            cells.text, starts[asked], zero=cells.zero, limit=2, counts=counts, verdicts=verdicts
        )
        classes[asked[verdicts != Verdict.UNIQUE]] = 0
    return classes
