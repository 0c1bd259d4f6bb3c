"""Remove redundant clues: one minimal puzzle within a puzzle, all of them, or one with the fewest clues."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Literal, overload

import numpy as np

from unidoku.arguments import positive
from unidoku.craft.seeds import seed_of, words
from unidoku.errors import InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.kernel import are_proper, flat, solve_proposals, solve_rows
from unidoku.native.clues.fewest import Fewest
from unidoku.native.clues.reduction import Reduction
from unidoku.parse_many import CellsResult, Puzzles
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unidoku.batch import Batch
    from unidoku.grid import PuzzleLike
    from unidoku.parse_many import Places, PuzzlesLike
    from unidoku.threads import Cancel

IMPROPER = "not a proper puzzle, so it cannot be minimized"

_CAPACITY = 512  # puzzles in progress; their unavoidable sets stay in the cache
_CELLS = np.arange(81, dtype=np.uint8)
_BUDGET = 1_000_000  # branches of the search for the fewest clues
_STARTS = 1024  # minimal puzzles at its start, of which the best is the first result


def minimize(puzzle: PuzzleLike, *, seed: int | None = None) -> Grid:
    """Remove redundant clues from a proper puzzle until it is minimal.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it.
    seed : int, optional
        The clues are tried in a random order of this seed, by default a fresh one; each redundant clue is
        removed.

    Returns
    -------
    Grid

    Raises
    ------
    InvalidPuzzleError
        It is not a proper puzzle.
    ValueError
        `seed` is not an integer of 0 to 2**64 - 1.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> minimize(puzzle, seed=0).clue_count
    23
    """
    cells = Grid(puzzle).to_array().reshape(1, 81)
    found = minimize_many(cells, seed=seed, threads=1, errors="invalid")
    for reason in found.reasons.values():
        raise InvalidPuzzleError(reason)
    return Grid(found.cells[0])


@overload
def minimize_many(
    puzzles: PuzzlesLike,
    *,
    seed: int | None = None,
    threads: int | None = None,
    errors: Literal["raise"] = "raise",
    cancel: Cancel | None = None,
) -> NDArray[np.uint8]: ...
@overload
def minimize_many(
    puzzles: PuzzlesLike,
    *,
    seed: int | None = None,
    threads: int | None = None,
    errors: Literal["invalid"],
    cancel: Cancel | None = None,
) -> CellsResult: ...
def minimize_many(
    puzzles: PuzzlesLike,
    *,
    seed: int | None = None,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> NDArray[np.uint8] | CellsResult:
    """Remove redundant clues from many proper puzzles until each is minimal.

    Parameters
    ----------
    puzzles, threads, errors
        As for `unidoku.check_many`.
    seed : int, optional
        Seed of the orders in which clues are tried, by default a fresh one; each row has its own order.
    cancel : Cancel, optional
        Set it to stop.

    Returns
    -------
    uint8[n, 81]
        Cells 0 to 9; the same for any number of threads and on any machine.  With ``errors="invalid"`` these
        and the reasons, as a `CellsResult`.

    Raises
    ------
    InvalidPuzzleError
        A row is not a proper puzzle; its attribute ``row`` is the number, from 0.
    SearchStoppedError
        `cancel` ended the work.
    ValueError
        `seed`, `threads` or `errors` is not allowed.
    """
    given = Puzzles.of(puzzles, cancel)
    seeds = words(seed_of(seed), 0, len(given))
    found = minimized(given, seeds, errors=errors, threads=threads, cancel=cancel)
    return found.cells if errors == "raise" else found


def minimized(
    given: Puzzles,
    seeds: NDArray[np.uint64],
    *,
    errors: str = "raise",
    threads: int | None = None,
    cancel: Cancel | None = None,
) -> CellsResult:
    """Return a minimal puzzle within each of many proper puzzles, for given orders of the clues."""
    results = np.zeros((len(given), 81), np.uint8)

    def work(part: Batch, rows: Places, stop: Cancel) -> dict[int, str]:
        cells = part.cells
        found = solve_rows(cells, grids=1, cancel=stop)
        proper = found.verdicts == int(Verdict.UNIQUE)
        small = np.zeros_like(cells)
        given = found.solutions[proper], cells[proper], seeds[rows][proper]
        small[proper] = reduce_clues(*given, cancel=stop)
        results[rows] = small
        return dict.fromkeys(np.flatnonzero(~proper).tolist(), IMPROPER)

    return CellsResult(results, given.each_part(work, errors=errors, threads=threads, cancel=cancel))


def reduce_clues(
    solutions: NDArray[np.uint8],
    clues: NDArray[np.uint8],
    seeds: NDArray[np.uint64],
    fewest: NDArray[np.int64] | None = None,
    units: NDArray[np.uint8] = _CELLS,
    *,
    cancel: Cancel | None = None,
) -> NDArray[np.uint8]:
    """Remove redundant clues of proper puzzles, uint8[n, 81], in the random order of a seed for each.

    `fewest` clues are left; clues in cells with the same number in `units`, uint8[81], are removed together.
    If `cancel` ends the work, it is an error.
    """
    n = len(solutions)
    results = np.empty((n, 81), np.uint8)
    if fewest is None:
        fewest = np.zeros(n, np.int64)
    capacity = max(1, min(n, _CAPACITY))
    grids, cells = flat(solutions)[0], flat(clues)[0]
    reduction = Reduction(capacity, grids, cells, units, seeds, fewest, results.reshape(-1))
    solve_proposals(reduction, capacity, cancel)
    return results


def are_minimal(rows: NDArray[np.uint8], cancel: Cancel | None = None) -> NDArray[np.bool_]:
    """Test which proper puzzles, uint8[n, 81], are minimal: bool[n]."""
    puzzles, cells = np.nonzero(rows)
    less = rows[puzzles]
    less[np.arange(len(cells)), cells] = 0
    minimal = np.ones(len(rows), np.bool_)
    minimal[puzzles[are_proper(less, cancel)]] = False
    return minimal


def minimal_puzzles(puzzle: PuzzleLike, *, count: int | None = None) -> Iterator[Grid]:
    """Find all minimal puzzles within a proper puzzle, each once.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it.
    count : int, optional
        Largest number of puzzles to yield; by default all: a puzzle with many clues can contain too
        many to list.

    Returns
    -------
    iterator of Grid
        In an order that depends on the puzzle only.

    Raises
    ------
    InvalidPuzzleError
        It is not a proper puzzle; raised by the call, not by the iterator.
    ValueError
        `count` is below 1.

    Notes
    -----
    For a redundant clue, the minimal puzzles without it and those with it are searched in turn.  Those with
    it exist only if the clue is needed after all other redundant clues are removed.
    """
    most = positive("count", count)
    cells = np.frombuffer(Grid(puzzle).cells, np.uint8).copy()
    if not are_proper(cells[None])[0]:
        raise InvalidPuzzleError(IMPROPER)
    return islice(every_minimal(cells), most or None)


def every_minimal(cells: NDArray[np.uint8]) -> Iterator[Grid]:
    """Search a proper puzzle depth first; the stack holds such puzzles and the clues that must be kept."""
    stack: list[tuple[NDArray[np.uint8], frozenset[int]]] = [(cells, frozenset())]
    while stack:
        row, kept = stack.pop()
        clues = np.flatnonzero(row)
        redundant = redundant_clues(row, clues)
        if not redundant:
            yield Grid(row)
            continue
        # a kept clue that is redundant now must be needed without all other redundant clues
        removable = sorted(redundant - kept)
        reduced = row.copy()
        reduced[removable] = 0
        kept_redundant = np.array(sorted(redundant & kept), np.intp)
        if not removable or (kept_redundant.size and redundant_clues(reduced, kept_redundant)):
            continue
        first = removable[0]
        stack.append((row, kept | {first}))
        without = row.copy()
        without[first] = 0
        stack.append((without, kept))


def redundant_clues(row: NDArray[np.uint8], clues: NDArray[np.intp]) -> set[int]:
    """Return those of the clues whose removal leaves one solution."""
    less = np.repeat(row[None], len(clues), axis=0)
    less[np.arange(len(clues)), clues] = 0
    return {int(cell) for cell in clues[are_proper(less)]}


@dataclass(frozen=True, slots=True)
class FewestResult:
    """The result of `fewest_clues`.

    Attributes
    ----------
    grid : Grid
        The minimal puzzle with the fewest clues found.
    at_least : int
        Proved lower bound of the number of clues.
    """

    grid: Grid
    at_least: int

    @property
    def complete(self) -> bool:
        """Whether the result is proved to have the fewest clues."""
        return self.grid.clue_count == self.at_least


def fewest_clues(
    puzzle: PuzzleLike,
    *,
    budget: int | None = None,
    seed: int | None = None,
    cancel: Cancel | None = None,
) -> FewestResult:
    """Find a minimal puzzle with the fewest clues within a proper puzzle.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it.
    budget : int, optional
        Largest number of branches to search; by default a million, which takes one to three seconds.
    seed : int, optional
        Seed of the minimal puzzles at the start of the search; by default a fresh one.
    cancel : Cancel, optional
        Set it to stop.

    Returns
    -------
    FewestResult
        The same for a seed on any machine.

    Raises
    ------
    InvalidPuzzleError
        It is not a proper puzzle.
    SearchStoppedError
        `cancel` ended the search.
    ValueError
        `budget` or `seed` is out of range.

    Notes
    -----
    A set of clues is a proper puzzle if it hits every unavoidable set of the solution. Branch and bound finds
    the smallest hitting set; second solutions of the puzzles that it tries give the unavoidable sets. The
    default budget is enough for most puzzles of up to 45 clues; for a full grid the search does not end.
    """
    most = positive("budget", budget) or _BUDGET
    cells = np.frombuffer(Grid(puzzle).cells, np.uint8)
    found = solve_rows(cells[None])
    if int(found.verdicts[0]) != Verdict.UNIQUE:
        raise InvalidPuzzleError(IMPROPER)
    minimal = reduce_clues(
        np.repeat(found.solutions, _STARTS, axis=0),
        np.repeat(cells[None], _STARTS, axis=0),
        words(seed_of(seed), 0, _STARTS),
        cancel=cancel,
    )
    best = minimal[np.argmin(np.count_nonzero(minimal, axis=1))]
    search = Fewest(found.solutions[0], cells, best, most)
    solve_proposals(search, 1, cancel)
    row = np.empty(81, np.uint8)
    search.best(row)
    return FewestResult(Grid(row), search.at_least)
