"""Minimal puzzles within puzzles: redundant clues removed."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterator
from typing import Any, Literal

from unidoku import kernel
from unidoku._arguments import seed_of
from unidoku._compat import NDArray, np
from unidoku._native.clues.reduction import Reduction, order_of
from unidoku._native.text.columns import interleave
from unidoku._table.batch import Batch
from unidoku._table.column import Column
from unidoku._table.forms import PuzzlesLike
from unidoku._table.puzzles import PuzzleResult, Puzzles
from unidoku._threads import Cancel, begun, call_to_end, cancel_of, within
from unidoku._verdict import ImproperPuzzleError, Verdict
from unidoku.counting import unique_solutions
from unidoku.craft._seeds import row_bits
from unidoku.errors import Reason, SearchStoppedError
from unidoku.grid import Grid, PuzzleLike
from unidoku.kernel import (
    are_proper,
    first_solutions,
    solution_of,
    solution_search,
    solve_proposals,
    verdict_of,
)

IMPROPER = Reason("not_proper", "not a proper puzzle, so it cannot be minimized")

_CAPACITY = 512  # puzzles in progress; their unavoidable sets stay in the cache
_FEW = 6  # puzzles that are reduced faster one by one, each clue with a search of its own
_SETS = 50  # sets of cells that are kept for each clue; more take longer to look through than a search
_CELLS = bytes(range(81))


def minimize(
    puzzle: PuzzleLike, *, seed: int | None = None, cancel: Cancel | None = None, timeout: float | None = None
) -> Grid:
    """Remove redundant clues from a proper puzzle until it is minimal.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it.
    seed : int, optional
        The clues are tried in a random order of the seed and the puzzle, each redundant one is removed; by
        default the seed is a fresh one.
    cancel, timeout
        As for `unidoku.check`.

    Returns
    -------
    Grid
        A minimal puzzle: without any one of its clues it has several solutions.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle.
    ImproperPuzzleError
        `puzzle` has no solution, or several.
    SearchStoppedError
        `cancel` ended the work.
    ValueError
        `seed` is not 0 to 2**64 - 1.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> minimize(puzzle, seed=0).clues
    23
    """
    cancel = within(cancel, timeout)
    cells = _proper(puzzle, cancel)
    return Grid(bytes(reduce_clues(cells, row_bits(cells, seed_of(seed)), cancel=cancel)))


def _proper(puzzle: PuzzleLike, cancel: Cancel | None) -> bytes:
    """Return the cells of a proper puzzle; refuse any other puzzle."""
    cells = Grid(puzzle).cells
    verdict = verdict_of(cells, cancel=cancel)
    if verdict == Verdict.UNKNOWN:
        raise SearchStoppedError(0, "results")
    if verdict != Verdict.UNIQUE:
        raise ImproperPuzzleError(IMPROPER, verdict)
    return cells


def minimal_puzzles(
    puzzle: PuzzleLike, *, cancel: Cancel | None = None, timeout: float | None = None
) -> Iterator[Grid]:
    """Find all minimal puzzles within a proper puzzle: its clues without some of them.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it.
    cancel, timeout
        As for `unidoku.check`.

    Returns
    -------
    iterator of Grid
        In the ascending order of their lines, as they are found. A puzzle with ten clues to spare has
        thousands, a full grid more than anybody can count. Memory does not grow with their number.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle; raised by the call, not by the iterator.
    ImproperPuzzleError
        `puzzle` has no solution, or several; raised by the call.
    SearchStoppedError
        `cancel` ended the work; raised by the call or the iterator.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> small = list(minimal_puzzles(puzzle))
    >>> len(small), min(grid.clues for grid in small)
    (416, 20)
    """
    cancel = within(cancel, timeout)
    return map(Grid, minimal_cells(_proper(puzzle, cancel), cancel_of(cancel)))


def minimal_cells(cells: bytes, cancel: Cancel) -> Iterator[bytes]:
    """Yield the cells of all minimal puzzles within a proper puzzle, in ascending order.

    A clue is necessary if another grid differs from the solution there and at no other clue. Clues are taken
    in order: first the puzzles without the clue, then those in which it is necessary. For that, such a grid
    must remain when only the clues that are kept for certain count.
    """
    solution = solution_of(cells, cancel=cancel)
    order = [cell for cell in range(81) if cells[cell]]
    bits = [1 << cell for cell in range(81)]
    differences: list[deque[int]] = [deque(maxlen=_SETS) for _ in bits]  # by clue: where grids differ

    def puzzle_of(clues: int) -> bytes:
        return bytes([digit if clues & bit else 0 for bit, digit in zip(bits, solution, strict=True)])

    def difference(clues: int, cell: int) -> int:
        """Return where a grid differs from `clues` only at this cell; 0 if no grid does."""
        for places in differences[cell]:
            if places & clues == bits[cell]:
                return places
        masks = [511] * 81
        masks[cell] ^= 1 << solution[cell] - 1
        search = solution_search(puzzle_of(clues ^ bits[cell]), masks=masks)
        grid = kernel.chunk_of(search, 1, cancel)
        others = [clue for clue in order if grid and grid[clue] != solution[clue]]
        places = sum(bits[clue] for clue in others)
        for clue in others:
            differences[clue].appendleft(places)
        return places

    # the clues, those undecided, and for each that was kept by choice the difference that makes it necessary
    stack: list[tuple[int, list[int], dict[int, int]]] = [(sum(bits[cell] for cell in order), order, {})]
    while stack:
        cancel.raise_if_set()
        clues, undecided, chosen = stack.pop()
        redundant = [cell for cell in undecided if not difference(clues, cell)]
        kept = clues ^ sum(bits[cell] for cell in redundant)
        reasons = {}
        for cell, reason in chosen.items():
            reasons[cell] = reason if reason & kept == bits[cell] else difference(kept, cell)
            if not reasons[cell]:
                break
        else:
            if not redundant:
                yield puzzle_of(clues)
                continue
            cell, *rest = redundant
            stack.append((clues, rest, {**reasons, cell: 0}))
            stack.append((clues ^ bits[cell], rest, reasons))


def minimize_many(
    puzzles: PuzzlesLike,
    *,
    seed: int | None = None,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> PuzzleResult:
    """Remove redundant clues from many proper puzzles until each is minimal.

    Parameters
    ----------
    puzzles, threads, errors, cancel, timeout
        As for `unidoku.check_many`.
    seed : int, optional
        As for `minimize`: a puzzle has the same result there, in any row and in a file.

    Returns
    -------
    Result
        The column ``puzzle`` has the minimal puzzles: uint8[n, 81], cells 0 to 9.  It is the same for any
        number of threads and on any machine.

    Raises
    ------
    InvalidPuzzleError
        A row is not a proper puzzle; its attribute ``index`` is the number, from 0.
    SearchStoppedError
        `cancel` ended the work.
    ValueError
        `seed`, `threads` or `errors` is not allowed.

    Examples
    --------
    >>> import unidoku
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> [unidoku.Grid(cells).clues for cells in minimize_many([puzzle], seed=1).puzzle]
    [21]
    """
    cancel = begun(cancel, timeout)
    seed = seed_of(seed)
    inputs = Puzzles.of(puzzles, errors=errors, cancel=cancel)
    results = np.zeros((len(inputs.batch), 81), np.uint8)

    def work(part: slice, stop: Cancel) -> dict[int, Reason]:
        puzzles, reasons = minimal_rows(inputs.batch.part(part), seed, stop)
        results[part] = np.frombuffer(puzzles, np.uint8).reshape(-1, 81)
        return reasons

    reasons = inputs.map_slices(work, threads=threads, cancel=cancel)
    return inputs.result({"puzzle": Column(results)}, reasons)  # type: ignore[return-value]


def minimal_rows(batch: Batch, seed: int, cancel: Cancel) -> tuple[bytearray, dict[int, Reason]]:
    """Reduce the puzzles of a batch on the calling thread, without arrays.

    Return 81 values for each, and why some, which are empty there, cannot be minimized.
    """
    found, order = unique_solutions(batch, cancel), array("q", [-1]) * len(batch)
    proper = array("q", (k for k in range(len(batch)) if found[81 * k]))
    for place, k in enumerate(proper):
        order[k] = place
    cells, solutions = (interleave(one, b"", 81, proper) for one in (batch.values(), found))
    puzzles = reduce_clues(cells, row_bits(cells, seed), solutions=solutions, cancel=cancel)
    reasons = {k: IMPROPER for k, place in enumerate(order) if place < 0}
    return interleave(puzzles, b"", 81, order), reasons


def reduce_clues(
    clues: Any,
    seeds: Any,
    fewest: Any = None,
    units: bytes = _CELLS,
    *,
    solutions: Any = None,
    cancel: Cancel | None = None,
) -> bytearray:
    """Remove redundant clues of proper puzzles, each in the random order of its seed; return the puzzles.

    These are 81 values each, and so are their solutions, if they are known.  `fewest` clues are left; clues
    in cells with the same number in `units` are removed together.  If `cancel` ends the work, it is an error.
    """
    n, results = len(seeds), bytearray(clues)
    if fewest is None:
        fewest = array("q", bytes(8 * n))
    if n <= _FEW:
        native = kernel.lanes()
        for k, (word, least) in enumerate(zip(seeds.tolist(), fewest.tolist(), strict=True)):
            puzzle = memoryview(results)[81 * k : 81 * k + 81]
            order = order_of(puzzle, units, word)
            call_to_end(native.remove_clues, puzzle, order, units, least, cancel=cancel)
        return results
    if solutions is None:
        solutions = first_solutions(clues, cancel)
    capacity = min(n, _CAPACITY)
    solve_proposals(Reduction(capacity, solutions, clues, units, seeds, fewest, results), capacity, cancel)
    return results


def are_minimal(rows: NDArray[np.uint8], cancel: Cancel | None = None) -> NDArray[np.bool_]:
    """Test which proper puzzles, uint8[n, 81], are minimal: no clue of them can be removed; bool[n]."""
    puzzles, cells = np.nonzero(rows)
    variants = rows[puzzles]
    variants[np.arange(len(cells)), cells] = 0
    minimal = np.ones(len(rows), np.bool_)
    minimal[puzzles[are_proper(variants, cancel)]] = False
    return minimal
