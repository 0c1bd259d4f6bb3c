"""Measurements of `bench`: puzzles per second of each kernel, and of the textbook backtracker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from ctypes import c_ulong, py_object, pythonapi
from dataclasses import dataclass
from functools import partial
from math import inf
from threading import Thread
from time import perf_counter, process_time, thread_time
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from unidoku import kernel
from unidoku.arguments import MAX_TIMED, whole
from unidoku.craft.generate import generate
from unidoku.craft.transform import random_numbers, transform_many
from unidoku.craft.verify import verify_rows
from unidoku.errors import UnidokuError
from unidoku.kernel import solve_rows
from unidoku.naive import count_solutions
from unidoku.table.puzzles import Puzzles, PuzzlesLike, read_cells
from unidoku.tasks.columns import aligned
from unidoku.tasks.sample import SAMPLE
from unidoku.threads import Cancel, thread_count

Work: TypeAlias = Callable[[], tuple[Sequence[int] | NDArray[np.uint64], NDArray[np.uint8] | None]]
"""A timed call: returns the counts of all puzzles, and the solutions of a batch."""

__all__ = ["BenchmarkReport", "Comparison", "Row", "run"]

PUZZLES = 30_000  # a smaller input is repeated, and only the first puzzles of a larger one are used
_FOR_CHOICE = 0.02  # fraction of the time for choosing the number of puzzles
_FOR_KERNELS = 0.5  # fraction of the time after which the backtracker begins
_SLICE = 8192  # puzzles in a step of a thread
_BACKTRACKER_PUZZLES = 1000  # of each set
_INPUTS = "puzzles"  # name of the set of the inputs
_EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"  # newspaper


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
        The number of threads.
    per_second : float
        Puzzles per second of wall time in the best run.
    processor_seconds : float
        Processor time per puzzle, over all threads; the minimum of all runs.
    """

    isa: str
    call: Literal["batch", "single"]
    threads: int
    per_second: float
    processor_seconds: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """The processor time of the textbook backtracker and of the kernel in use, on the same puzzles.

    Both count solutions up to 2.

    Attributes
    ----------
    set : str
        ``easy`` or ``middle``; ``puzzles`` for puzzles of the caller.
    puzzles : int
        Puzzles that the backtracker began.
    cut_off : int
        Puzzles that it did not finish within `limit`; their time until then counts, so that `seconds` and the
        ratios are lower bounds if there are any.
    limit : float
        Seconds after which a puzzle is cut off.
    seconds : float
        Mean processor time of the backtracker per puzzle.
    ratio, single_ratio : float
        `seconds` divided by that of the kernel, many puzzles per call and one per call.
    """

    set: str
    puzzles: int
    cut_off: int
    limit: float
    seconds: float
    ratio: float
    single_ratio: float


@dataclass(frozen=True, slots=True)
class BenchmarkReport:
    """The result of a benchmark.

    Attributes
    ----------
    machine : dict
        As `unidoku.kernel.facts` returns it.
    different : int
        Number of puzzles of the caller, or of the sample.
    puzzles : int
        Puzzles per run: random images of these.
    limit : int
        Largest number of solutions to count.
    rows : tuple of Row
        The speed of each instruction set, by kind of call.
    comparisons : tuple of Comparison
        The backtracker and the kernel in use, on an easy and a middle set, or on the puzzles of the caller.
    """

    machine: dict[str, Any]
    different: int
    puzzles: int
    limit: int
    rows: tuple[Row, ...]
    comparisons: tuple[Comparison, ...]

    def __str__(self) -> str:
        """Return the tables of ``unidoku bench``."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        facts = self.machine
        isa, version = facts["isa"], facts["version"]
        is_input = self.comparisons[0].set == _INPUTS
        source = "the inputs" if is_input else "the bundled sample"
        yield facts["processor"]
        yield f"instruction set {isa}, {facts['compiler']}, Python {facts['python']}, unidoku {version}"
        yield f"{self.puzzles:,} puzzles, made of {self.different:,} of {source} by random symmetries"
        yield f"counting solutions up to {self.limit}, best of the runs"
        yield ""
        used = next(row for row in self.rows if row.isa == isa)  # its batch on one thread
        speeds = [["kernel", "call", "threads", "puzzles/s", "CPU us", "ratio"]]
        for row in self.rows:
            numbers = (row.per_second, 1e6 * row.processor_seconds, used.per_second / row.per_second)
            speeds.append([row.isa, row.call, str(row.threads), *map(_figures, numbers)])
        yield from aligned(speeds, "kernel", "call")
        yield ""
        yield f"ratio: speed of {isa}, batch, 1 thread / speed of the row"
        yield ""
        yield "the textbook backtracker (unidoku.naive), counting solutions up to 2, and"
        yield f"{isa}, the same puzzles: processor time per puzzle, and ratio to each call"
        yield ""
        ratios = [["puzzles", "begun", "cut off", "naive ms", "batch ratio", "single ratio"]]
        for each in self.comparisons:
            figures = map(_figures, (1e3 * each.seconds, each.ratio, each.single_ratio))
            ratios.append([each.set, f"{each.puzzles:,}", str(each.cut_off), *figures])
        yield from aligned(ratios, "puzzles")
        for each in self.comparisons:
            if each.cut_off:
                yield f"{each.set}: cut off after {each.limit:.2g} s; time and ratios are lower bounds"


def _figures(number: float) -> str:
    """Return a number with three significant digits."""
    return f"{float(f'{number:.3g}'):,.15g}"


def run(
    puzzles: PuzzlesLike | None = None, *, seconds: float = 10.0, limit: int = 2, threads: int | None = None
) -> BenchmarkReport:
    """Measure the speed of this machine.

    Parameters
    ----------
    puzzles : optional
        As for `unidoku.check_many`; by default those of the bundled sample. The first 30,000 are used.
    seconds : float, optional
        Approximate duration of the whole benchmark.
    limit : int, optional
        Largest number of solutions to count, 1 to 1,000.
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
    against the rules and the clues, counts against the other kernels or, for the sample, the recorded ones.
    The backtracker, which can take hours for a puzzle, is cut off.
    """
    begin = perf_counter()
    if not 0 < seconds < inf:
        raise UnidokuError(f"seconds must be above 0, not {seconds!r}")
    limit = whole("limit", limit, 1, MAX_TIMED)
    workers = thread_count(threads)
    recorded = None
    if puzzles is None:
        sample = np.loadtxt(SAMPLE, "S81,u8", skiprows=2)
        puzzles, recorded = sample["f0"], sample["f1"]
    cells = read_cells(puzzles)[0][:PUZZLES]
    if not len(cells):
        raise UnidokuError("there is no puzzle of 81 cells")
    rows = random_images(np.resize(cells, (PUZZLES, 81)))
    counts = solve_rows(rows[:1], limit, grids=0).counts
    end = perf_counter() + seconds * _FOR_CHOICE
    while len(counts) < PUZZLES and perf_counter() < end:
        counts = solve_rows(rows[: 2 * len(counts)], limit, grids=0).counts
    rows = rows[: len(counts)]
    if recorded is not None:
        counts = np.minimum(np.resize(recorded, len(rows)), np.uint64(limit))

    works: dict[tuple[str, Literal["batch", "single"], int], Work] = {}
    for isa in kernel.usable():
        for count in sorted({1, workers}):
            works[isa, "batch", count] = _batch(isa, rows, limit, count)
        works[isa, "single", 1] = _single(isa, rows, limit)
    for (isa, call, count), work in works.items():
        answers, solutions = work()
        many, expected = np.tile(rows, (count, 1)), np.tile(counts, count)
        right = np.asarray(answers) == expected
        if solutions is not None:
            solved = verify_rows(many, solutions, known=False)["solved"]
            right &= np.where(expected > 0, solved, ~solutions.any(axis=1))
        _refuse_wrong(f"kernel {isa}, {call}", many, right)
    times = alternate(list(works.values()), seconds * _FOR_KERNELS - (perf_counter() - begin)).min(axis=0)
    speeds = [
        Row(isa, call, count, len(rows) * count / wall, processor / (len(rows) * count))
        for (isa, call, count), (processor, wall) in zip(works, times.tolist(), strict=True)
    ]

    sets = [(_INPUTS, rows[:_BACKTRACKER_PUZZLES], 1.0)]
    if recorded is not None:
        shares = {"easy": 0.25, "middle": 0.75}  # of the time
        sets = [(name, benchmark_set(name, _BACKTRACKER_PUZZLES), share) for name, share in shares.items()]
    left = seconds - (perf_counter() - begin)
    comparisons = tuple(compare(name, some, max(left * share, 0.05)) for name, some, share in sets)
    return BenchmarkReport(kernel.facts(), len(cells), len(rows), limit, tuple(speeds), comparisons)


def _refuse_wrong(solver: str, rows: NDArray[np.uint8], right: NDArray[np.bool_]) -> None:
    """Raise an error that names the first puzzle whose answer is wrong."""
    if not right.all():
        raise UnidokuError(f"{solver}: wrong answer to the puzzle {lines_of(rows[~right][:1])[0]}")


def _batch(isa: str, rows: NDArray[np.uint8], limit: int, threads: int) -> Work:
    """Return a call that solves all puzzles once per thread in slices, as `unidoku.check_many` does."""
    solve = kernel.form(isa).solve_cells
    cells = np.tile(rows, (threads, 1))  # so many that the start of the threads is negligible
    counts, solutions = np.empty(len(cells), np.uint64), np.empty_like(cells)

    def work(part: slice, _: Cancel) -> None:
        out: dict[str, Any] = {"counts": counts[part], "solutions": solutions[part]}
        solve(*kernel.flat(cells[part]), zero=0, limit=limit, **out)

    def run() -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
        Puzzles(cells).map_slices(work, threads=threads, size=min(_SLICE, len(rows)))
        return counts, solutions

    return run


def _single(isa: str, rows: NDArray[np.uint8], limit: int) -> Work:
    """Return a call that solves the puzzles one by one: by `unidoku.check` for limit 2, otherwise `count`."""
    form = kernel.form(isa)
    # without the function in Python for wrong puzzles: the lines are valid
    solve = form.native_check(None) if limit == 2 else partial(form.native_count(None), limit=limit)
    lines = lines_of(rows)
    return lambda: ([solve(line) for line in lines], None)


def compare(name: str, rows: NDArray[np.uint8], seconds: float) -> Comparison:
    """Compare the backtracker with the kernel in use on a set of puzzles."""
    limit = min(seconds / 3, 10.0)  # so that it begins at least three puzzles
    results = timed(count_naive, lines_of(rows), seconds, limit)
    rows = rows[: len(results)]
    answers = [answer for answer, _ in results]
    counts = solve_rows(rows, 2, grids=0).counts.tolist()
    right = [answer in {None, count} for answer, count in zip(answers, counts, strict=True)]
    _refuse_wrong("the backtracker", rows, np.array(right))
    many = np.resize(rows, (PUZZLES, 81))
    works = [_batch(kernel.isa(), many, 2, 1), _single(kernel.isa(), many, 2)]
    works[0]()
    batch, single = (alternate(works, 0.1, least=5)[:, :, 0].mean(axis=0) / PUZZLES).tolist()
    mean = sum(spent for _, spent in results) / len(results)
    return Comparison(name, len(rows), answers.count(None), limit, mean, mean / batch, mean / single)


def timed(
    solve: Callable[[str], object], lines: Iterable[str], seconds: float, limit: float
) -> list[tuple[object, float]]:
    """Solve puzzles until the time is up; return the answers and their processor times in seconds.

    A puzzle that takes longer than the limit is cut off, with the answer None; this needs a solver in Python.
    """
    results: list[tuple[object, float]] = []
    errors: list[Exception] = []

    def work(line: str) -> None:
        begin = thread_time()
        try:
            results.append((solve(line), thread_time() - begin))
        except SystemExit:
            pass  # cut off
        except Exception as error:
            errors.append(error)

    end = perf_counter() + seconds
    for number, line in enumerate(lines, 1):
        thread = Thread(target=work, args=(line,), daemon=True)
        thread.start()
        begin = process_time()
        try:
            thread.join(limit)
        finally:  # also after Ctrl-C
            if thread.is_alive():
                pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread.ident or 0), py_object(SystemExit))
        thread.join()
        if errors:
            raise errors[0]
        if len(results) < number:
            results.append((None, process_time() - begin))
        if perf_counter() >= end:
            break
    return results


def count_naive(line: str) -> int:
    """Count the solutions of a puzzle up to 2, with the backtracker."""
    return count_solutions([line[k : k + 9] for k in range(0, 81, 9)], 2)


def random_images(rows: NDArray[np.uint8] | list[str], seed: int = 1) -> NDArray[np.uint8]:
    """Return a random image of each puzzle: no solver should profit from the order of cells or digits."""
    return transform_many(rows, random_numbers(len(rows), seed)).puzzle


def benchmark_set(name: str, count: int) -> NDArray[np.uint8]:
    """Return images of an easy puzzle, or for ``middle`` of random minimal ones of 22 to 27 clues."""
    return random_images([_EASY] * count) if name == "easy" else generate(count, seed=1, minimal=True)


def lines_of(rows: NDArray[np.uint8]) -> list[str]:
    """Convert puzzles to lines of text, ``.`` for an empty cell."""
    text = np.where(rows == 0, ord("."), rows + ord("0")).astype(np.uint8).tobytes().decode("ascii")
    return [text[81 * k : 81 * k + 81] for k in range(len(rows))]


def alternate(works: Sequence[Callable[[], object]], seconds: float, least: int = 1) -> NDArray[np.float64]:
    """Time works in turn; return seconds of processor and of wall time: float64[rounds, works, 2]."""
    rounds: list[list[tuple[float, float]]] = []
    end = perf_counter() + seconds
    while len(rounds) < least or perf_counter() < end:
        rounds.append([])
        for work in works:
            begin, wall = process_time(), perf_counter()
            work()
            rounds[-1].append((process_time() - begin, perf_counter() - wall))
    return np.array(rounds)
