"""Compare the kernel with a solver in Python: the same finished puzzles for both, in processor time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from unidoku import kernel
from unidoku.benchmark.peers import PEERS, Absent, run_peer
from unidoku.benchmark.puzzles import are_solutions, lines_of
from unidoku.benchmark.timing import alternate
from unidoku.single import check, solve

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Comparison", "compare"]

_LIMITS = 3  # limits of a puzzle in the time of a solver, so that it begins at least as many puzzles
_LONGEST = 10.0  # seconds: largest limit of a puzzle
_KERNEL_PUZZLES = 4096  # puzzles per call of the kernel: the finished ones, repeated
_KERNEL_SECONDS = 0.1
_LEAST_RUNS = 5


@dataclass(frozen=True, slots=True)
class Comparison:
    """The processor time of a solver in Python and of the kernel in use, on the same puzzles.

    Attributes
    ----------
    solver : str
        ``naive`` or the name of a package.
    set : str
        ``easy``, ``middle``, or the name of the input.
    task : {"count", "solve"}
        What both do: count solutions up to 2, or find the first solution.
    puzzles : int
        Puzzles that the solver finished.
    cut_off : int
        Puzzles that it began and did not finish within `limit`.
    limit : float
        Seconds after which a puzzle is cut off.
    seconds : float or None
        Mean processor time of the solver for a finished puzzle; None if it finished none.
    batch_seconds, single_seconds : float or None
        The same of the kernel for these puzzles, many per call and one per call.
    ratio, single_ratio : float or None
        `seconds` divided by `batch_seconds` and by `single_seconds`.
    at_least : float or None
        Least ratio, many puzzles per call, over all puzzles that the solver began: one that was cut off
        counts the time until then. None if none was cut off; `ratio` is then exact.
    """

    solver: str
    set: str
    task: Literal["count", "solve"]
    puzzles: int
    cut_off: int
    limit: float
    seconds: float | None
    batch_seconds: float | None
    single_seconds: float | None
    ratio: float | None
    single_ratio: float | None
    at_least: float | None


def compare(name: str, set_name: str, rows: NDArray[np.uint8], seconds: float) -> Comparison:
    """Compare one solver with the kernel in use."""
    task = PEERS[name].task
    most = 2 if task == "count" else 1
    if task == "solve":
        # packages differ in what they do for a puzzle without solution; all find a first solution
        rows = rows[_counts(rows, 1) > 0]
    lines = lines_of(rows)
    limit = min(seconds / _LIMITS, _LONGEST)
    done = run_peer(name, lines, seconds, limit)
    began = rows[: len(done.answers)]
    counts = _counts(began, 2)
    for k, answer in enumerate(done.answers):
        if answer is not None and not _is_right(task, began[k], int(counts[k]), answer):
            raise Absent(f"wrong answer to the puzzle {lines[k]}")
    if done.error:
        raise Absent(f"failed after {len(done.answers)} puzzles: {done.error}")
    finished = np.array([answer is not None for answer in done.answers], np.bool_)
    spent = np.array(done.seconds)
    cut_off = int((~finished).sum())
    theirs = batch = single = at_least = None
    if finished.any():
        theirs = float(spent[finished].mean())
        batch, single = _kernel_seconds(began[finished], most)
    if cut_off:
        at_least = float(spent.mean()) / _kernel_seconds(began, most)[0]
    return Comparison(
        name,
        set_name,
        task,
        int(finished.sum()),
        cut_off,
        limit,
        theirs,
        batch,
        single,
        theirs / batch if theirs and batch else None,
        theirs / single if theirs and single else None,
        at_least,
    )


def _counts(rows: NDArray[np.uint8], limit: int) -> NDArray[np.uint64]:
    """Return numbers of solutions, of the kernel in use."""
    counts = np.zeros(len(rows), np.uint64)
    starts = np.arange(0, 81 * len(rows), 81, dtype=np.int64)
    kernel.solve_cells(np.ascontiguousarray(rows).reshape(-1), starts, zero=0, limit=limit, counts=counts)
    return counts


def _kernel_seconds(rows: NDArray[np.uint8], limit: int) -> tuple[float, float]:
    """Return processor seconds per puzzle, the mean of the runs: many puzzles per call, and one per call."""
    many = np.resize(rows, (max(len(rows), _KERNEL_PUZZLES), 81))
    lines = lines_of(many)
    call = check if limit == 2 else solve
    cells, starts = many.reshape(-1), np.arange(0, 81 * len(many), 81, dtype=np.int64)
    counts, solutions = np.empty(len(many), np.uint64), np.empty(81 * len(many), np.uint8)

    def batch() -> None:
        kernel.solve_cells(cells, starts, zero=0, limit=limit, counts=counts, solutions=solutions)

    def single() -> None:
        for line in lines:
            call(line)

    batch()
    runs = alternate([batch, single], _KERNEL_SECONDS, least=_LEAST_RUNS)
    seconds = [sum(run.processor for run in each) / (len(each) * len(many)) for each in runs]
    return seconds[0], seconds[1]


def _is_right(task: str, row: NDArray[np.uint8], count: int, answer: str) -> bool:
    if task == "count":
        return answer == str(count)
    if len(answer) != 81 or not (answer.isascii() and answer.isdigit()):
        return False
    grid = np.frombuffer(answer.encode("ascii"), np.uint8).reshape(1, 81) - np.uint8(48)
    return bool(are_solutions(row.reshape(1, 81), grid)[0])
