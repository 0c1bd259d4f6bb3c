"""The speed of this machine: solvers on sets of puzzles, and the puzzles that take longest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from unidoku import kernel
from unidoku.arguments import MAX_TIMED, whole_number
from unidoku.compat import np
from unidoku.errors import Message, UnidokuError
from unidoku.kernel import solve_rows
from unidoku.table.forms import PuzzlesLike, read_cells
from unidoku.table.puzzles import lines
from unidoku.tasks.info import facts
from unidoku.tasks.speed_match import SIZE, number_in, rows_of
from unidoku.tasks.speed_report import BenchmarkReport, Difficulty, Row
from unidoku.tasks.speed_sets import SAMPLE_SET, SETS, PuzzleSet, image_set
from unidoku.tasks.speed_solvers import NAIVE, Solver, search_effort, unidoku_solver
from unidoku.threads import thread_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["BenchmarkReport", "Difficulty", "Row", "run"]

PUZZLES = 30_000  # of the caller that are used
_SLOWEST = 10  # puzzles of the caller that are named


def run(
    puzzles: PuzzlesLike | None = None, *, seconds: float = 10.0, limit: int = 2, threads: int | None = None
) -> BenchmarkReport:
    """Measure the speed of this machine, and that of the textbook backtracker beside it.

    Parameters
    ----------
    puzzles : optional
        As for `unidoku.check_many`; by default those of the bundled sample. The first 30,000 are used.
    seconds : float, optional
        Approximate duration of the whole benchmark.
    limit : int, optional
        Largest number of solutions to find, 1 to 1,000.
    threads : int, optional
        Number of threads for the rows that use several; by default one per available core.

    Returns
    -------
    BenchmarkReport

    Raises
    ------
    InvalidPuzzleError, MissingExtraError
        As for `unidoku.check_many`.
    UnidokuError
        There is no puzzle, or a solver gives a wrong answer.
    ValueError
        `seconds`, `limit` or `threads` is out of range.

    Notes
    -----
    Each puzzle is replaced by a random image.  Before anything is timed, all answers are checked: solutions
    against the rules and the clues, counts against the recorded ones, or for the puzzles of the caller
    against those of the other kernels.  The backtracker, which can take hours for a puzzle, is cut off.
    """
    begin = perf_counter()
    if not 0 < seconds < inf:
        raise UnidokuError(
            Message("seconds", "seconds must be above 0, not {seconds}", seconds=repr(seconds))
        )
    limit = whole_number("limit", limit, 1, MAX_TIMED)
    workers = thread_count(threads)
    compared = [SETS["easy"], SETS["middle"]]
    first = SAMPLE_SET
    typical: dict[str, dict[str, float]] = {}
    slowest: tuple[Difficulty, ...] = ()
    if puzzles is not None:
        cells = read_cells(puzzles)[0][:PUZZLES]
        if not len(cells):
            raise UnidokuError(Message("no 81", "there is no puzzle of 81 cells"))
        first = image_set("inputs", f"{len(cells):,}", lambda: cells, solutions=None)
        compared = [first]
        typical, slowest = _effort(cells, limit)
    size = _size(first, limit, seconds / 20)
    kernels: list[Solver] = []
    for isa in kernel.usable():
        kernels += [unidoku_solver(isa, "batch", count) for count in sorted({1, workers})]
    kernels.append(unidoku_solver(kernel.isa(), "single"))
    rows = list(_rows(first, kernels, limit, size, max(seconds / 2 - (perf_counter() - begin), 0.0)))
    for number, puzzle_set in enumerate(compared):
        left = max((seconds - (perf_counter() - begin)) / (len(compared) - number), seconds / 10)
        best = (
            [unidoku_solver(kernel.isa(), "batch"), unidoku_solver(kernel.isa(), "single")]
            if puzzle_set is not first
            else []
        )
        rows += _rows(puzzle_set, best, limit, min(size, 1000) if left < 1 else SIZE, left / 10)
        stop = max(left / 3, 0.02)
        rows.append(rows_of(puzzle_set, NAIVE, limit, 1000, seconds=left / 2, stop=stop))
    sources = {each.name: each.source for each in (first, *compared)}
    today = datetime.now(UTC).date().isoformat()
    return BenchmarkReport(facts(), today, sources, tuple(rows), typical=typical, slowest=slowest)


def _rows(
    puzzle_set: PuzzleSet, solvers: Sequence[Solver], limit: int, size: int, seconds: float
) -> Iterator[Row]:
    for number, solver in enumerate(solvers):
        begin = perf_counter()
        yield rows_of(puzzle_set, solver, limit, size, seconds=seconds / (len(solvers) - number))
        seconds = max(seconds - (perf_counter() - begin), 0.0)


def _size(puzzle_set: PuzzleSet, limit: int, seconds: float) -> int:
    """Return how many puzzles of a set are solved in some seconds, at most `SIZE`."""
    rows = puzzle_set.rows(SIZE)
    return number_in(lambda n: solve_rows(rows[:n], limit, grids=0), len(rows), seconds / 4)


def _effort(
    cells: NDArray[np.uint8], limit: int
) -> tuple[dict[str, dict[str, float]], tuple[Difficulty, ...]]:
    """Return what is typical of the search for these puzzles, and those with the most guesses."""
    guesses, rounds = search_effort(cells, limit)
    assert rounds is not None
    places = {"median": 50, "most90": 90, "most99": 99, "most": 100}
    typical = {
        name: {key: float(np.percentile(values, place)) for key, place in places.items()}
        for name, values in (("guesses", guesses), ("rounds", rounds))
    }
    order = np.lexsort((-rounds.astype(np.int64), -guesses.astype(np.int64)))[:_SLOWEST]
    named = lines(cells[order])
    return typical, tuple(
        Difficulty(k + 1, line, int(guesses[k]), int(rounds[k]))
        for k, line in zip(order.tolist(), named, strict=True)
    )
