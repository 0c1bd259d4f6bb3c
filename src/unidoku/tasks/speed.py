"""Measurements of `bench`: puzzles per second of each kernel, and of the textbook backtracker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from ctypes import c_ulong, py_object, pythonapi
from dataclasses import dataclass
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
from unidoku.craft.verification import verify_rows
from unidoku.errors import UnidokuError
from unidoku.kernel import solve_rows
from unidoku.naive import count_solutions
from unidoku.table.puzzles import Puzzles, PuzzlesLike, lines, read_cells
from unidoku.tasks.info import facts
from unidoku.tasks.sample import SAMPLE
from unidoku.tasks.tables import aligned
from unidoku.threads import Cancel, thread_count
from unidoku.words import table

Call: TypeAlias = Literal["batch", "single"]

Work: TypeAlias = Callable[[], tuple[Sequence[int] | NDArray[np.uint64], NDArray[np.uint8] | None]]
"""A timed call: returns the counts of all puzzles, and the solutions of a batch."""

__all__ = ["BenchmarkReport", "Row", "run"]

PUZZLES = 30_000  # a smaller input is repeated, and only the first puzzles of a larger one are used
_FOR_CHOICE = 0.02  # fraction of the time for choosing the number of puzzles
_FOR_KERNELS = 0.5  # fraction of the time after which the backtracker begins
_SETS = {"easy": 0.25, "middle": 0.75}  # of the backtracker: fractions of its time
_SLICE = 8192  # puzzles in a step of a thread
_BACKTRACKER_PUZZLES = 1000  # of each set
_EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"  # newspaper


@dataclass(frozen=True, slots=True)
class Row:
    """The speed of a solver on a set of puzzles, in one kind of call.

    Attributes
    ----------
    set : str
        ``sample`` or ``inputs``; for the comparison with the backtracker ``easy`` and ``middle``, or
        ``first`` for the first of the inputs.
    puzzles : int
        How many puzzles a thread solved in a run.
    solver : str
        The instruction set of a kernel, or ``naive`` for the textbook backtracker.
    call : {"batch", "single"}
        Whether a call solves many puzzles or one.
    threads : int
        The number of threads.
    per_second : float
        Puzzles per second of wall time in the best run; of processor time for the backtracker.
    processor_seconds : float
        Processor time per puzzle, over all threads; the minimum of all runs.
    cut_off : int
        Puzzles that the backtracker did not finish in time. Their time until then counts, so that the time
        per puzzle is a lower bound if there are any.
    """

    set: str
    puzzles: int
    solver: str
    call: Call
    threads: int
    per_second: float
    processor_seconds: float
    cut_off: int = 0


@dataclass(frozen=True, slots=True)
class BenchmarkReport:
    """The result of a benchmark.

    Attributes
    ----------
    machine : dict
        The values of ``unidoku info --json``.
    different : int
        Number of puzzles of the caller, or of the sample; those of a run are random images of these.
    limit : int
        Largest number of solutions to count; 2 in the comparison with the backtracker.
    rows : tuple of Row
        The speed of each instruction set; then of the kernel in use and of the backtracker, on an easy and a
        middle set, or on the puzzles of the caller.
    """

    machine: dict[str, Any]
    different: int
    limit: int
    rows: tuple[Row, ...]

    def __str__(self) -> str:
        """Return the table of ``unidoku bench``."""
        return "\n".join(self.lines())

    def lines(self, lang: str = "en") -> list[str]:
        """Return the lines of the table in a language."""
        facts, base, words = self.machine, self.rows[0], table(lang)["bench"]
        headings = ("set", "puzzles", "solver", "call", "threads", "puzzles/s", "CPU us", "ratio")
        rows = [[words[heading] for heading in headings]]
        notes, bounds = [], []
        for row in self.rows:
            if row.set != base.set:
                base = row
                rows.append([""] * len(headings))
            ratio = row.processor_seconds / base.processor_seconds
            figures = map(_figures, (row.per_second, 1e6 * row.processor_seconds, ratio))
            names = (words[row.set], f"{row.puzzles:,}", words.get(row.solver, row.solver), words[row.call])
            rows.append([*names, str(row.threads), *figures])
            if row.solver == "naive":
                single = next(one for one in self.rows if (one.set, one.call) == (row.set, "single"))
                values = {"batch": ratio, "single": row.processor_seconds / single.processor_seconds}
                texts = {name: _figures(value) for name, value in values.items()}
                notes.append(words["times"].format(set=words[row.set], **texts))
            if row.cut_off:
                bounds.append(words["cut off"].format(set=words[row.set], n=row.cut_off))
        sample = {"set": words[self.rows[0].set], "n": f"{self.different:,}", "limit": self.limit}
        return [
            facts["processor"],
            words["machine"].format(**facts),
            words["images"].format(**sample),
            "",
            *aligned(rows, *(words[heading] for heading in ("set", "solver", "call"))),
            "",
            words["ratios"],
            *notes,
            *bounds,
        ]


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
    ways: list[tuple[str, Call, int]] = []
    for isa in kernel.usable():
        ways.extend((isa, "batch", count) for count in sorted({1, workers}))
        ways.append((isa, "single", 1))
    time_left = seconds * _FOR_KERNELS - (perf_counter() - begin)
    name, sets = ("inputs", {"first": 1.0}) if recorded is None else ("sample", _SETS)
    measured = _measure(name, rows, counts, ways, limit=limit, seconds=time_left)
    time_left = seconds - (perf_counter() - begin)
    for name, share in sets.items():
        images = rows if name == "first" else benchmark_set(name, _BACKTRACKER_PUZZLES)
        measured += compare(name, images[:_BACKTRACKER_PUZZLES], max(time_left * share, 0.05))
    return BenchmarkReport(facts(), len(cells), limit, tuple(measured))


def _measure(
    name: str,
    rows: NDArray[np.uint8],
    counts: NDArray[np.uint64],
    ways: Iterable[tuple[str, Call, int]],
    *,
    limit: int,
    seconds: float,
) -> list[Row]:
    """Check and time kernels on puzzles with these counts, in some calls and numbers of threads."""
    works: dict[tuple[str, Call, int], Work] = {}
    for isa, call, threads in ways:
        # so many that the start of the threads is negligible
        many, reference = np.tile(rows, (threads, 1)), np.tile(counts, threads)
        work = _batch(isa, many, limit, threads) if call == "batch" else _single(isa, many, limit)
        works[isa, call, threads] = work
        answers, solutions = work()
        right = np.asarray(answers) == reference
        if solutions is not None:
            solved = verify_rows(many, solutions, is_known=False)["solved"]
            right &= np.where(reference > 0, solved, ~solutions.any(axis=1))
        _refuse_wrong(f"kernel {isa}, {call}", many, right)
    times = alternate(list(works.values()), seconds).min(axis=0).tolist()
    return [
        Row(name, len(rows), *way, len(rows) * way[2] / wall, processor / (len(rows) * way[2]))
        for way, (processor, wall) in zip(works, times, strict=True)
    ]


def _refuse_wrong(solver: str, rows: NDArray[np.uint8], right: NDArray[np.bool_]) -> None:
    """Raise an error that names the first puzzle whose answer is wrong."""
    if not right.all():
        raise UnidokuError(f"{solver}: wrong answer to the puzzle {lines(rows[~right][:1])[0]}")


def _batch(isa: str, cells: NDArray[np.uint8], limit: int, threads: int) -> Work:
    """Return a call that solves puzzles in slices, as `unidoku.check_many` does."""
    solve = kernel.isa_module(isa).solve_cells
    counts, solutions = np.empty(len(cells), np.uint64), np.empty_like(cells)

    def work(part: slice, _: Cancel) -> None:
        out: dict[str, Any] = {"counts": counts[part], "solutions": solutions[part]}
        solve(*kernel.flat(cells[part]), zero=0, limit=limit, **out)

    def run() -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
        Puzzles.of_cells(cells).map_slices(work, threads=threads, size=min(_SLICE, len(cells) // threads))
        return counts, solutions

    return run


def _single(isa: str, rows: NDArray[np.uint8], limit: int) -> Work:
    """Return a call that solves the puzzles one by one: by `unidoku.check` for limit 2, otherwise `count`."""
    native = kernel.isa_module(isa)
    solve = native.quick_check if limit == 2 else lambda puzzle: native.quick_count(puzzle, limit)
    puzzles = lines(rows)
    return lambda: ([solve(puzzle) for puzzle in puzzles], None)


def compare(name: str, rows: NDArray[np.uint8], seconds: float) -> list[Row]:
    """Measure the kernel in use and the backtracker on the puzzles that the backtracker has time for."""
    limit = min(seconds / 3, 10.0)  # so that it begins at least three puzzles
    results = timed(count_naive, lines(rows), seconds, limit)
    number, isa = len(results), kernel.isa()
    counts = solve_rows(rows[:number], 2, grids=0).counts
    right = [answer in {None, count} for (answer, _), count in zip(results, counts.tolist(), strict=True)]
    _refuse_wrong("the backtracker", rows[:number], np.array(right))
    many, reference = np.resize(rows[:number], (PUZZLES, 81)), np.resize(counts, PUZZLES)
    ways: list[tuple[str, Call, int]] = [(isa, "batch", 1), (isa, "single", 1)]
    kernels = _measure(name, many, reference, ways, limit=2, seconds=0.1)
    spent = sum(seconds for _, seconds in results)
    cut_off = sum(answer is None for answer, _ in results)
    return [*kernels, Row(name, number, "naive", "single", 1, number / spent, spent / number, cut_off)]


def timed(
    solve: Callable[[str], object], puzzles: Iterable[str], seconds: float, limit: float
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
    for number, line in enumerate(puzzles, 1):
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
