"""The rules of the method and their order; ``unidoku._native.method`` executes them.

1. Expansion: every open cell gets nine components.
2. Zeroing (theorem 1) by each cell with a value, in KH order: its digit in its row, its column, its box.
3. Conversion: the first that theorem 4, theorem 2 or theorem 3 finds. With its value, the other components of
   the cell become 0. Then 2 again, until nothing converts. Theorem 4 is also tried before each zeroing of
   step 2: the ninth cell of a unit takes its value, and need not be zeroed by the eight other cells. It takes
   no value that a cell of its other units has.
4. Extended zeroing in big units, our reading of the book's sections 3.1 and 3.2 (only their titles were at
   hand). If all components of a digit that are left in a unit are also in another unit, the rest of that
   other unit loses the digit. Then 2 again.
5. Subsets: naked and hidden pairs, triplets, quads. Then 2 again.
6. Presets: the first cell with the fewest components is assumed to have its smallest one. A contradiction
   retracts the preset, and zeroes its component in the state before it.

Only the title of the book's section on difficulty classes (3.4) was at hand; unidoku defines the classes.
Class 1: theorems 1 to 4 are enough. Class 2: extended zeroing is needed. Class 3: subsets. Class 4: presets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unidoku._arguments import whole_number, wrong_type
from unidoku._compat import NDArray, np
from unidoku._lazy import public
from unidoku._native import method as analysis
from unidoku._threads import Cancel, begun, call_to_end, cancel_of, run_in_worker
from unidoku._verdict import Verdict
from unidoku.errors import SearchStoppedError
from unidoku.grid import Grid, PuzzleLike, refuse_clashes
from unidoku.kernel import verdict_of, with_starts
from unidoku.method._record import (
    CONVERSIONS,
    OUTCOMES,
    ZEROINGS,
    Order,
    Record,
    decode,
)

MAX_PRESETS = 2**63 - 1  # the native engine counts in 64 bits
_BUDGET = 20_000  # guesses that the kernel may use for the verdict

_TOTALS = [(name, "i4") for name in analysis.TOTAL_NAMES]
"""The native totals of a puzzle, by name."""


def _order_of(order: Order | None) -> Order:
    """Return the order that a caller gives, or the usual one."""
    if not isinstance(order, Order | None):
        raise wrong_type("order", "an Order", order)
    return order or Order()


@public
def explain(
    puzzle: PuzzleLike,
    order: Order | None = None,
    *,
    presets: int = 10_000,
    verdict: Verdict | None = None,
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Record:
    """Solve a puzzle by the numerical-analysis method and keep a record of every step.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array
        As `Grid` accepts it.
    order : Order, optional
        The order of work and the rules in use.
    presets : int
        Largest number of presets. None is made for a puzzle with several solutions: its record ends before
        the first preset.
    verdict : Verdict, optional
        The verdict of the puzzle, if the caller knows it; by default it is computed when it is needed.
    cancel, timeout
        As for `unidoku.check`.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle, or two givens of a unit are equal; the message names the two cells and the
        unit.
    SearchStoppedError
        `cancel` ended the work.

    Notes
    -----
    Source: Jin Jianming, "九宫格数独游戏的数值分析解法" (2012): chapter 1 and what the text at hand has of
    2.1 and 2.2. docs/method.md lists what unidoku adds.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> record = explain(puzzle)
    >>> record.outcome, record.book_class, record.solution[:9]
    ('solved', 1, '534678912')
    """
    cancel = begun(cancel, timeout)
    whole_number("presets", presets, maximum=MAX_PRESETS)
    grid, order, cancel = Grid(puzzle), _order_of(order), cancel_of(cancel)
    refuse_clashes(grid)
    native = order.native
    status, values, rows, totals = analysis.trace(grid.cells, native)
    if status != analysis.STUCK:
        verdict = Verdict.UNIQUE if status == analysis.SOLVED else Verdict.NONE
    else:
        if verdict is None:
            verdict = verdict_of(grid.cells, _BUDGET, cancel)
        if verdict is not Verdict.MULTIPLE and presets:
            status, values, rows, totals = run_in_worker(
                lambda stop: call_to_end(analysis.trace, grid.cells, native, presets=presets, cancel=stop),
                cancel,
            )
        if verdict is Verdict.UNKNOWN:
            if status == analysis.CONTRADICTION:
                verdict = Verdict.NONE
            else:
                verdict = verdict_of(grid.cells, cancel=cancel)
    if verdict is Verdict.UNKNOWN:
        raise SearchStoppedError(0, "results")
    solved = status == analysis.SOLVED
    return Record(
        puzzle=grid.line,
        order=order,
        verdict=str(verdict),
        outcome=OUTCOMES[status],
        solution=Grid(values).line if solved else None,
        book_class=int(classes_of(totals)) if verdict is Verdict.UNIQUE else None,
        conversions={rule: totals[rule] for rule in CONVERSIONS},
        zeroings={rule: totals[rule] for rule in ZEROINGS},
        saved=totals["saved"],
        presets=totals["presets"] if solved else 0,
        presets_made=totals["presets_made"],
        presets_retracted=totals["presets_taken_back"],
        deepest_level=totals["deepest_level"],
        rounds=totals["rounds"],
        events=tuple(cancel.watch(decode(np.frombuffer(rows, np.int16).reshape(-1, 8).tolist()))),
    )


def run_classify(
    cells: NDArray[np.uint8], *, presets: int, cancel: Cancel, order: Order | None = None
) -> NDArray[np.void]:
    """Run the native engine on puzzles, uint8[n, 81], on this thread; return the totals of each.

    If `cancel` ends the work, it is an error.
    """
    totals = np.zeros(len(cells), _TOTALS)
    options: dict[str, Any] = {"zero": 0, "presets": presets, "cancel": cancel}
    call_to_end(
        analysis.classify, *with_starts(cells), totals.view(np.int32), _order_of(order).native, **options
    )
    return totals


def classes_of(totals: NDArray[np.void] | Mapping[str, int]) -> NDArray[np.uint8]:
    """Return preliminary classes from only the totals."""
    status = totals["status"]
    uses_presets = (status == analysis.STUCK) | ((status == analysis.SOLVED) & (totals["presets_made"] > 0))
    rules = [status == analysis.CONTRADICTION, uses_presets, totals["subset"] > 0, totals["extended"] > 0]
    return np.select(rules, [0, 4, 3, 2], 1).astype(np.uint8)
