"""Measure puzzles per second on this machine: every kernel, and the textbook backtracker.

`run` implements ``unidoku bench``.  Compare only rows of the same report, because other load on the machine
differs from run to run.
"""

from __future__ import annotations

from ctypes import c_ulong, py_object, pythonapi
from dataclasses import dataclass
from functools import partial
from threading import Lock, Thread, Timer
from time import perf_counter, process_time, sleep, thread_time
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from unidoku import kernel
from unidoku.arguments import MAX_TIMED, positive_ratio, whole
from unidoku.batch import check_many, flat, solve_rows
from unidoku.craft.generate import generate
from unidoku.craft.transform import random_numbers, transform_many
from unidoku.craft.verify import verify_rows
from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.files.base import PuzzleRecord
from unidoku.files.inputs import read_puzzles
from unidoku.naive import count_solutions
from unidoku.parse_many import MARKS, puzzles_of
from unidoku.run.check import SAMPLE
from unidoku.threads import Cancel, run_tasks, thread_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from unidoku.files.inputs import Input
    from unidoku.kernel import Facts

    # solves all puzzles with one kernel, and returns the counts, and the solutions of a batch
    Work = Callable[[], tuple[Sequence[int] | NDArray[np.uint64], NDArray[np.uint8] | None]]

__all__ = ["BenchmarkReport", "Comparison", "Row", "run"]

_PUZZLES = 30_000  # a smaller input is repeated, and only the first puzzles of a larger one are used
_FOR_CHOICE = 0.04  # fraction of the time for choosing the number of puzzles
_FOR_KERNELS = 0.5  # fraction of the time after which the backtracker begins
_LEAST = 0.05  # seconds for the backtracker if no time is left
_SLICE = 8192  # puzzles per task of a thread
_BACKTRACKER_PUZZLES = 1000  # of each set
_LIMITS = 3  # limits of a puzzle in the time of the backtracker, so that it begins at least as many puzzles
_LONGEST = 10.0  # seconds: largest limit of a puzzle
_EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"  # of a newspaper
_IMAGES = 10  # of each puzzle of the middle set
_BESIDE = 4096  # puzzles per run of the kernel beside it: the finished ones, repeated

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Row:
    """The speed of one kernel for one kind of call.

    Attributes
    ----------
    isa : str
        The instruction set of the kernel.
    call : {"batch", "single"}
        Whether a call solves many puzzles or one.
    threads : int
    per_second : float
        Puzzles per second of wall time in the best run.
    median_per_second : float
        The same in the median run.
    processor_seconds : float
        Processor time per puzzle, over all threads; the minimum of all runs.
    """

    isa: str
    call: Literal["batch", "single"]
    threads: int
    per_second: float
    median_per_second: float
    processor_seconds: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """The processor time of the textbook backtracker and of the kernel in use, on the same puzzles.

    Both count solutions up to 2.

    Attributes
    ----------
    set : str
        ``easy``, ``middle``, or the name of the input.
    puzzles : int
        Puzzles that the backtracker finished.
    cut_off : int
        Puzzles that it began and did not finish within `limit`.
    limit : float
        Seconds after which a puzzle is cut off.
    seconds : float or None
        Mean processor time of the backtracker for a finished puzzle; None if it finished none.
    ratio, single_ratio : float or None
        `seconds` divided by that of the kernel for these puzzles, many per call and one per call.
    at_least : float or None
        Least ratio, many puzzles per call, over all puzzles that the backtracker began: one that was cut off
        counts the time until then. None if none was cut off; `ratio` is then exact.
    """

    set: str
    puzzles: int
    cut_off: int
    limit: float
    seconds: float | None
    ratio: float | None
    single_ratio: float | None
    at_least: float | None


@dataclass(frozen=True, slots=True)
class BenchmarkReport:
    """The result of a benchmark.

    Attributes
    ----------
    machine : dict
        As `unidoku.kernel.facts` returns it.
    source : str
        The input, or ``sample``.
    different : int
        Number of different puzzles of the input.
    puzzles : int
        Puzzles per run: random images of these.
    limit : int
        Largest number of solutions to count.
    rows : tuple of Row
    comparisons : tuple of Comparison
        The backtracker beside the kernel in use: on an easy and on a middle set, or on the input.
    """

    machine: Facts
    source: str
    different: int
    puzzles: int
    limit: int
    rows: tuple[Row, ...]
    comparisons: tuple[Comparison, ...]


def run(
    inputs: Input | Iterable[Input] | None = None,
    *,
    seconds: float = 10.0,
    limit: int = 2,
    threads: int | None = None,
    on_failure: Callable[[UnidokuError], object] | None = None,
    **reading: Any,
) -> BenchmarkReport:
    """Measure the speed of this machine.

    Parameters
    ----------
    inputs : path or binary file, or several, optional
        Puzzles to use; by default the bundled sample.
    seconds : float, optional
        Approximate duration of the whole benchmark.
    limit : int, optional
        Largest number of solutions to count, 1 to 1,000.
    threads : int, optional
        Threads of the rows with several; by default one per available core.
    on_failure : callable, optional
        Called with the error of each record that is not a puzzle; by default such records are skipped.
    **reading
        Options of `unidoku.files.inputs.read_puzzles`.

    Returns
    -------
    BenchmarkReport

    Raises
    ------
    UnidokuError
        An input cannot be read or has no puzzle of 81 cells, a solver gives a wrong answer, or the time is
        too short to solve a puzzle.
    ValueError
        `seconds`, `limit` or `threads` is out of range.

    Notes
    -----
    Each puzzle is replaced by a random image.  Each work runs once before it is timed, and all answers of
    that run are checked: solutions against the rules and the clues, counts against the other kernels and, for
    the sample, against the recorded ones.  Then all works run in turn.  The backtracker, which can take
    hours for a puzzle, is cut off, see `Comparison`.
    """
    begin = perf_counter()
    positive_ratio("seconds", seconds)
    limit = whole("limit", limit, 1, MAX_TIMED)
    workers = thread_count(threads)
    if inputs is None:
        rows, _ = _read(SAMPLE)
        source, recorded = "sample", np.resize(np.loadtxt(SAMPLE, np.uint64, skiprows=2, usecols=1), _PUZZLES)
    else:
        rows, source = _read(inputs, on_failure, **reading)
        recorded = None
    different = len(rows)
    rows = random_images(np.resize(rows, (_PUZZLES, 81)))
    rows, counts = _answered(rows, recorded, limit, seconds * _FOR_CHOICE)

    works: dict[tuple[str, Literal["batch", "single"], int], Work] = {}
    for isa in kernel.usable():
        for count in sorted({1, workers}):
            works[isa, "batch", count] = _batch(isa, rows, limit, count)
        works[isa, "single", 1] = _single(isa, rows, limit)
    for (isa, call, count), work in works.items():
        found, solutions = work()
        expected = np.tile(counts, count)
        right = np.asarray(found) == expected
        _check(f"kernel {isa}, {call}", np.tile(rows, (count, 1)), right, (solutions, expected > 0))
    times = alternate(list(works.values()), seconds * _FOR_KERNELS - (perf_counter() - begin))
    best, middle = times.min(axis=0).tolist(), np.median(times, axis=0).tolist()
    speeds = []
    for (isa, call, count), (processor, wall), (_, usual) in zip(works, best, middle, strict=True):
        puzzles = len(rows) * count
        speeds.append(Row(isa, call, count, puzzles / wall, puzzles / usual, processor / puzzles))

    sets = [(source, rows[:_BACKTRACKER_PUZZLES], 1.0)]
    if inputs is None:
        shares = {"easy": 0.25, "middle": 0.75}
        sets = [(name, made_set(name, _BACKTRACKER_PUZZLES), share) for name, share in shares.items()]
    left = seconds - (perf_counter() - begin)
    comparisons = tuple(compare(name, some, max(left * share, _LEAST)) for name, some, share in sets)
    return BenchmarkReport(kernel.facts(), source, different, len(rows), limit, tuple(speeds), comparisons)


def _read(
    inputs: Input | Iterable[Input],
    on_failure: Callable[[UnidokuError], object] | None = None,
    **reading: Any,
) -> tuple[NDArray[np.uint8], str]:
    """Read the first puzzles of inputs, as cells 0 to 9, and the name of the first input."""
    found: list[PuzzleRecord] = []
    for each in read_puzzles(inputs, **reading):
        if isinstance(each, PuzzleRecord) and len(each.cells) == 81:
            found.append(each)
            if len(found) == _PUZZLES:
                break
            continue
        if isinstance(each, PuzzleRecord):
            each = InvalidPuzzleError(MARKS, file=each.source, line=each.line)  # noqa: PLW2901
        if not isinstance(each, InvalidPuzzleError):
            raise each
        if on_failure is not None:
            on_failure(each)
    if not found:
        raise UnidokuError("the input has no puzzle of 81 cells")
    source = found[0].source + (" and others" if len({each.source for each in found}) > 1 else "")
    return puzzles_of([each.cells for each in found]).cells(), source


def _answered(
    rows: NDArray[np.uint8], recorded: NDArray[np.uint64] | None, limit: int, seconds: float
) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    """Return as many puzzles as the kernel in use solves in a time, and their checked counts."""
    cancel = Cancel()
    timer = Timer(seconds, cancel.set)
    timer.start()
    try:
        found = check_many(rows, limit=limit, threads=1, witnesses=True, cancel=cancel)
    finally:
        timer.cancel()
    done = found.complete
    rows, counts = rows[done], found.counts[done]
    if not len(rows):
        raise UnidokuError(f"{seconds:g} seconds are too short to solve a puzzle; increase the time")
    first, second = np.array([found.solutions, found.witnesses])[:, done]
    right = (counts < 2) | np.any(first != second, axis=1)
    if recorded is not None:
        right &= counts == np.minimum(recorded[done], np.uint64(limit))
    _check(f"kernel {kernel.isa()}, batch", rows, right, (first, counts > 0), (second, counts > 1))
    return rows, counts


def _check(
    solver: str,
    rows: NDArray[np.uint8],
    right: NDArray[np.bool_],
    *answers: tuple[NDArray[np.uint8] | None, NDArray[np.bool_]],
) -> None:
    """Raise an error that names the first puzzle whose answer is wrong.

    Answers are solutions, and for which puzzles one is expected; no solver checks them.
    """
    for solutions, expected in answers:
        if solutions is not None:
            solved = verify_rows(rows, solutions, known=False).solved
            right = right & np.where(expected, solved, ~solutions.any(axis=1))
    if not right.all():
        line = lines_of(rows[[int(np.argmin(right))]])[0]
        raise UnidokuError(f"{solver}: wrong answer to the puzzle {line}")


def _batch(isa: str, rows: NDArray[np.uint8], limit: int, threads: int) -> Work:
    """Return the work of solving all puzzles in slices, as `unidoku.check_many` does.

    A run solves all puzzles once per thread, so that the start of the threads is negligible.
    """
    solve = kernel.form(isa).solve_cells
    cells, starts = flat(rows)
    size = min(_SLICE, -(-len(rows) // threads))
    starts = np.tile(starts, threads)
    n = len(starts)
    counts, verdicts, solutions = np.empty(n, np.uint64), np.empty(n, np.uint8), np.empty((n, 81), np.uint8)
    parts = [slice(k, k + size) for k in range(0, n, size)]

    def work(part: slice) -> None:
        out = kernel.Solved(counts[part], verdicts[part], None, solutions[part])
        solve(cells, starts[part], zero=0, limit=limit, **out._asdict())

    def run() -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
        run_tasks(work, parts, threads, Cancel())
        return counts, solutions

    return run


def _single(isa: str, rows: NDArray[np.uint8], limit: int) -> Work:
    """Return the work of solving one puzzle per call: `unidoku.check` for limit 2, else `unidoku.count`."""
    form = kernel.form(isa)
    solve = form.native_check(None)  # no Python behind it: the lines are valid
    if limit != 2:
        solve = partial(form.native_count(None), limit=limit)
    lines = lines_of(rows)
    return lambda: ([solve(line) for line in lines], None)


def compare(name: str, rows: NDArray[np.uint8], seconds: float) -> Comparison:
    """Compare the backtracker with the kernel in use, on a set with a name."""
    limit = min(seconds / _LIMITS, _LONGEST)
    done = timed(count_naive, lines_of(rows), seconds, limit)
    rows = rows[: len(done)]
    counts = solve_rows(rows, 2, grids=0).counts.tolist()
    right = [answer in {None, count} for (answer, _), count in zip(done, counts, strict=True)]
    _check("the backtracker", rows, np.array(right))
    finished = np.array([answer is not None for answer, _ in done], np.bool_)
    spent = np.array([seconds for _, seconds in done])
    mean = ratio = single_ratio = at_least = None
    if finished.any():
        mean = float(spent[finished].mean())
        ratio, single_ratio = (mean / each for each in _kernel_seconds(rows[finished]))
    if not finished.all():
        at_least = float(spent.mean()) / _kernel_seconds(rows)[0]
    puzzles = int(finished.sum())
    return Comparison(name, puzzles, len(done) - puzzles, limit, mean, ratio, single_ratio, at_least)


def _kernel_seconds(rows: NDArray[np.uint8]) -> tuple[float, float]:
    """Return processor seconds per puzzle, the mean of the runs: many puzzles per call, and one per call."""
    rows = np.resize(rows, (max(len(rows), _BESIDE), 81))
    works = [_batch(kernel.isa(), rows, 2, 1), _single(kernel.isa(), rows, 2)]
    works[0]()
    batch, single = alternate(works, 0.1, least=5)[:, :, 0].mean(axis=0).tolist()
    return batch / len(rows), single / len(rows)


def timed(
    solve: Callable[[str], Answer], lines: Iterable[str], seconds: float, limit: float
) -> list[tuple[Answer | None, float]]:
    """Solve puzzles in turn; return the answer and the processor time in seconds of each.

    A puzzle is cut off at its limit and has no answer then; only a solver in Python can be.  After the time
    is up, none is begun.
    """
    done: list[tuple[Answer | None, float]] = []
    errors: list[Exception] = []

    def work(line: str, ended: Lock) -> None:
        answer = None
        begin = thread_time()
        try:
            answer = solve(line)
            while not ended.acquire(blocking=False):
                sleep(0)  # what cuts this puzzle off is raised here at the latest
        except SystemExit:
            answer = None
        except Exception as error:
            errors.append(error)
        done.append((answer, thread_time() - begin))

    end = perf_counter() + seconds
    for line in lines:
        ended = Lock()  # taken by what ends the puzzle: its solution, or its limit
        thread = Thread(target=work, args=(line, ended), daemon=True)
        thread.start()
        try:
            thread.join(limit)
        finally:
            if ended.acquire(blocking=False):
                pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread.ident or 0), py_object(SystemExit))
        thread.join()
        if errors:
            raise errors[0]
        if perf_counter() >= end:
            break
    return done


def count_naive(line: str) -> int:
    """Count the solutions of a puzzle up to 2, with the backtracker."""
    return count_solutions([line[k : k + 9] for k in range(0, 81, 9)], 2)


def random_images(rows: NDArray[np.uint8] | list[str], seed: int = 1) -> NDArray[np.uint8]:
    """Return a random image of each puzzle, so that no solver profits from the order of cells and digits."""
    return transform_many(rows, random_numbers(len(rows), seed))


def made_set(name: str, count: int) -> NDArray[np.uint8]:
    """Return images of an easy puzzle, or for ``middle`` of random minimal ones of 22 to 27 clues."""
    if name == "easy":
        return random_images([_EASY] * count)
    some = generate(-(-count // _IMAGES), seed=1, minimal=True)
    return random_images(np.resize(some, (count, 81)))


def lines_of(rows: NDArray[np.uint8]) -> list[str]:
    """Convert puzzles to lines of text, ``.`` for an empty cell."""
    text = np.where(rows == 0, ord("."), rows + ord("0")).astype(np.uint8).tobytes().decode("ascii")
    return [text[81 * k : 81 * k + 81] for k in range(len(rows))]


def alternate(works: Sequence[Callable[[], object]], seconds: float, least: int = 1) -> NDArray[np.float64]:
    """Time several works in turn, so that other load on the machine affects all of them.

    Returns seconds of processor time and of wall time for each round and work: shape (rounds, works, 2).
    """
    rounds: list[list[tuple[float, float]]] = []
    end = perf_counter() + seconds
    while len(rounds) < least or perf_counter() < end:
        rounds.append([])
        for work in works:
            begin, wall = process_time(), perf_counter()
            work()
            rounds[-1].append((process_time() - begin, perf_counter() - wall))
    return np.array(rounds)
