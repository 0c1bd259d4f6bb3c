"""Difficulty classes, and the method over many puzzles at once.

The book (section 3.4) gives only the title; unidoku defines the classes. Class 1: theorems 1 to 4 are
enough. Class 2: extended zeroing is needed. Class 3: subsets are needed. Class 4: presets are needed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from unidoku.arguments import whole
from unidoku.many import are_proper, flat
from unidoku.method.record import CONTRADICTION, CONVERSIONS, SOLVED, STUCK, ZEROINGS
from unidoku.method.rules import MAX_PRESETS, Order
from unidoku.native.method import analysis as native
from unidoku.parse_many import puzzles_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from unidoku.parse_many import Rows, RowSlice

_TOTALS = np.dtype([(name, np.int32) for name in native.TOTAL_NAMES])
"""The native totals of a puzzle, by name."""

_BLOCK = 512  # puzzles per work item of a thread: a few milliseconds of work


@dataclass(frozen=True)
class Classification:
    """Classes and totals of n puzzles.

    Attributes
    ----------
    classes : numpy.ndarray, uint8[n]
        1..4; 0 for a puzzle with no or several solutions, and for a row that is not a puzzle.
    conversions : numpy.ndarray, int32[n, 3]
        Conversions by theorems 2, 3, 4.
    zeroings : numpy.ndarray, int32[n, 4]
        Zeroings by own, theorem 1, extended, subset.
    presets : numpy.ndarray, int32[n]
        Presets on the way to the result, as in `Record`; 0 if it was not reached.
    deepest_level, rounds, saved : numpy.ndarray, int32[n]
        As in `Record`.
    solved : numpy.ndarray, bool[n]
        Whether the result was reached.
    reasons : dict of int to str
        Why rows are not puzzles, by row, from 0.
    """

    classes: NDArray[np.uint8]
    conversions: NDArray[np.int32]
    zeroings: NDArray[np.int32]
    presets: NDArray[np.int32]
    deepest_level: NDArray[np.int32]
    rounds: NDArray[np.int32]
    saved: NDArray[np.int32]
    solved: NDArray[np.bool_]
    reasons: Mapping[int, str] = field(default_factory=dict)


def classify_many(
    rows: Rows,
    order: Order | None = None,
    *,
    presets: int = 1000,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
) -> Classification:
    """Classify many puzzles with native threads; the GIL is released.

    Parameters
    ----------
    rows : array, bytes, sequence or Arrow column
        As for `unidoku.check_many`, without pencil marks.
    order : Order, optional
        As for `explain`.
    presets : int
        Limit of presets per puzzle; with 0, puzzles of class 4 stay unsolved.
    threads : int, optional
        Number of threads. Default: the cores available to this process.
    errors : {"raise", "invalid"}, optional
        What to do with a row that is not a puzzle: raise an error, or give a reason for it.

    Returns
    -------
    Classification
        In the order of the rows.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle; its attribute ``row`` is the number, from 0. Contradictory givens are not an
        error: such a puzzle has class 0.
    ValueError
        `presets` is negative, or `threads` below 1, or one of them is not an integer.

    Notes
    -----
    The engine also makes presets for puzzles with several solutions. The kernel then computes the verdict of
    every puzzle that needs presets; those without a unique solution get class 0.
    """
    allowed = whole("presets", presets, most=MAX_PRESETS)
    puzzles = puzzles_of(rows, errors)
    totals = np.zeros(puzzles.count, dtype=_TOTALS)
    classes = np.zeros(puzzles.count, dtype=np.uint8)

    def work(part: RowSlice) -> None:
        cells = part.cells()
        found = totals[part.rows] = run_classify(*flat(cells), zero=0, presets=allowed, order=order)
        some = classes_of(found)
        asked = np.flatnonzero(some == 4)
        some[asked[~are_proper(cells[asked])]] = 0
        classes[part.rows] = some

    puzzles.run(work, threads=threads, size=_BLOCK)
    solved = totals["status"] == SOLVED
    solved[list(puzzles.reasons)] = False
    return Classification(
        classes=classes,
        conversions=np.stack([totals[name] for name in CONVERSIONS], axis=1),
        zeroings=np.stack([totals[name] for name in ZEROINGS], axis=1),
        presets=np.where(solved, totals["presets"], 0).astype(np.int32),
        deepest_level=totals["deepest_level"],
        rounds=totals["rounds"],
        saved=totals["saved"],
        solved=solved,
        reasons=puzzles.reasons,
    )


def run_classify(
    text: Any, starts: NDArray[np.int64], *, zero: int, presets: int, order: Order | None = None
) -> NDArray[np.void]:
    """Run the native engine on this thread; return the totals of each puzzle."""
    totals = np.zeros(len(starts), _TOTALS)
    native_order = (order or Order()).native
    native.classify(text, starts.data, totals.view(np.int32).data, native_order, zero=zero, presets=presets)
    return totals


def classes_of(totals: NDArray[np.void]) -> NDArray[np.uint8]:
    """Return preliminary classes, from the totals alone."""
    status = totals["status"]
    rules = [totals["subset"] > 0, totals["extended"] > 0]
    classes = np.select(rules, [3, 2], 1).astype(np.uint8)
    classes[status == CONTRADICTION] = 0
    classes[(status == STUCK) | ((status == SOLVED) & (totals["presets_made"] > 0))] = 4
    return classes
