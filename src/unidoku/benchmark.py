"""Measure puzzles per second on this machine: every kernel, and the textbook backtracker.

`run` implements ``unidoku bench``.  Compare only rows of the same report, because other load on the machine
differs from run to run.
"""

from __future__ import annotations

import subprocess
import sys
from _thread import interrupt_main
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import islice
from statistics import median
from threading import Timer, local
from time import perf_counter, process_time, sleep
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from unidoku import kernel, many
from unidoku.arguments import positive_ratio, whole
from unidoku.craft.generate import generate
from unidoku.craft.transform import random_numbers, transform_many
from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.files.inputs import read_puzzles
from unidoku.naive import count_solutions
from unidoku.native.clues.prediction import compare as compare_grids
from unidoku.parse_many import MARKS, puzzles_of
from unidoku.run.sample import SAMPLE, recorded_verdicts
from unidoku.threads import Cancel, run_tasks, thread_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from unidoku.files.inputs import Input

__all__ = ["BenchmarkReport", "Comparison", "Row", "run"]

PUZZLES = 30_000
"""Number of puzzles; a smaller input is repeated, and only the first puzzles of a larger one are used."""

LARGEST_LIMIT = 1000
"""The largest limit: above it, the library counts many solutions as a sum instead of searching."""

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
"""A newspaper puzzle with 30 clues."""

_FOR_CHOICE = 0.05  # fraction of the time for choosing the number of puzzles
_FOR_KERNELS = 0.5  # fraction of the time after which the backtracker begins
_LEAST = 0.05  # seconds for the backtracker if no time is left
_SLICE = 8192  # puzzles per task of a thread
_IMAGES = 10  # of each puzzle of the middle set

_BACKTRACKER_PUZZLES = 1000  # of each set
_LIMITS = 3  # limits of a puzzle in the time of the backtracker, so that it begins at least as many puzzles
_LONGEST = 10.0  # seconds: largest limit of a puzzle
_GRACE = 10.0  # seconds that its process may take to start and to end
_BESIDE = 4096  # puzzles per run of the kernel beside it: the finished ones, repeated


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
    puzzles : int
        Puzzles per run.
    runs : int
    per_second : float
        Puzzles per second of wall time in the best run.
    median_per_second : float
        The same in the median run.
    processor_seconds : float
        Processor time per puzzle, over all threads; the minimum of all runs.
    ratio : float
        Speed of the kernel in use (batch, one thread) divided by the speed of this row.
    """

    isa: str
    call: Literal["batch", "single"]
    threads: int
    puzzles: int
    runs: int
    per_second: float
    median_per_second: float
    processor_seconds: float
    ratio: float = 1.0


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
    batch_seconds, single_seconds : float or None
        The same of the kernel for these puzzles, many per call and one per call.
    ratio, single_ratio : float or None
        `seconds` divided by `batch_seconds` and by `single_seconds`.
    at_least : float or None
        Least ratio, many puzzles per call, over all puzzles that the backtracker began: one that was cut off
        counts the time until then. None if none was cut off; `ratio` is then exact.
    """

    set: str
    puzzles: int
    cut_off: int
    limit: float
    seconds: float | None
    batch_seconds: float | None
    single_seconds: float | None
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
    threads : int
        Threads of the rows with several.
    seconds : float
        Wall time of the whole benchmark.
    rows : tuple of Row
    comparisons : tuple of Comparison
        The backtracker beside the kernel in use: on an easy and on a middle set, or on the input.
    """

    machine: dict[str, object]
    source: str
    different: int
    puzzles: int
    limit: int
    threads: int
    seconds: float
    rows: tuple[Row, ...]
    comparisons: tuple[Comparison, ...]

    def as_dict(self) -> dict[str, object]:
        """Return the report as a JSON object."""
        return asdict(self)


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
        An input cannot be read or has no puzzle of 81 cells, a solver gives a wrong answer, the time is too
        short to solve a puzzle, or no process can be started.
    ValueError
        `seconds`, `limit` or `threads` is out of range.

    Notes
    -----
    Each puzzle is replaced by a random image.  Each work runs once before it is timed, and all answers of
    that run are checked: solutions against the rules and the clues, counts against the other kernels and, for
    the sample, against the recorded verdicts.  Then all works run in turn.  The backtracker, which can take
    hours for a puzzle, runs in a process of its own, see `Comparison`.
    """
    begin = perf_counter()
    seconds = positive_ratio("seconds", seconds) or float("inf")
    if seconds == float("inf"):
        raise ValueError("seconds must be finite")
    limit = whole("limit", limit, 1, LARGEST_LIMIT)
    workers = thread_count(threads)
    facts = kernel.facts()
    recorded = None
    if inputs is None:
        rows, _ = _read(SAMPLE, None, {})
        source, recorded = "sample", np.resize(np.frombuffer(recorded_verdicts(), np.uint8), PUZZLES)
    else:
        rows, source = _read(inputs, on_failure, reading)
    different = len(rows)
    rows = random_images(np.resize(rows, (PUZZLES, 81)))
    puzzles = _Puzzles.chosen(rows, recorded, limit, seconds * _FOR_CHOICE)

    works: list[_Work] = []
    for isa in kernel.usable():
        works += [_batch(puzzles, isa, count) for count in sorted({1, workers})]
        works.append(_single(puzzles, isa))
    for work in works:
        work.check()
    left = seconds * _FOR_KERNELS - (perf_counter() - begin)
    found = [
        Row(
            work.isa,
            work.call,
            work.threads,
            work.puzzles,
            len(times_of),
            work.puzzles / min(each.wall for each in times_of),
            work.puzzles / median(each.wall for each in times_of),
            min(each.processor for each in times_of) / work.puzzles,
        )
        for work, times_of in zip(works, alternate([work.run for work in works], left), strict=True)
    ]
    sets = {"easy": easy_puzzles(_BACKTRACKER_PUZZLES), "middle": middle_puzzles(_BACKTRACKER_PUZZLES)}
    if inputs is not None:
        sets = {source: puzzles.rows[:_BACKTRACKER_PUZZLES]}
    weights = {each: 1 if each == "easy" else 3 for each in sets}
    left = (seconds - (perf_counter() - begin)) / sum(weights.values())
    comparisons = [compare(name, of, max(left * weights[name], _LEAST)) for name, of in sets.items()]
    used = facts["isa"], "batch", 1
    reference = next(row.per_second for row in found if (row.isa, row.call, row.threads) == used)
    return BenchmarkReport(
        facts,
        source,
        different,
        len(puzzles.rows),
        limit,
        workers,
        perf_counter() - begin,
        tuple(replace(row, ratio=reference / row.per_second) for row in found),
        tuple(comparisons),
    )


def _read(
    inputs: Input | Iterable[Input],
    on_failure: Callable[[UnidokuError], object] | None,
    reading: Mapping[str, Any],
) -> tuple[NDArray[np.uint8], str]:
    """Read the first puzzles of inputs, as cells 0 to 9, and the name of the first input."""

    def puzzles() -> Iterable[tuple[str, str]]:
        for each in read_puzzles(inputs, **reading):
            if isinstance(each, UnidokuError):
                if not isinstance(each, InvalidPuzzleError):
                    raise each
                error = each
            elif len(each.cells) == 81:
                yield each.source, each.cells
                continue
            else:
                error = InvalidPuzzleError(MARKS, file=each.source, line=each.line)
            if on_failure is not None:
                on_failure(error)

    found = list(islice(puzzles(), PUZZLES))
    if not found:
        raise UnidokuError("the input has no puzzle of 81 cells")
    source = found[0][0] + (" and others" if len({name for name, _ in found}) > 1 else "")
    return puzzles_of([cells for _, cells in found]).cells(), source


class _Puzzles:
    """The puzzles of a benchmark in the forms that kernels accept, and their correct counts."""

    def __init__(self, rows: NDArray[np.uint8], counts: NDArray[np.uint64], limit: int) -> None:
        self.rows = rows
        self.lines = lines_of(rows)
        self.counts = counts
        self.limit = limit

    @classmethod
    def chosen(
        cls, rows: NDArray[np.uint8], recorded: NDArray[np.uint8] | None, limit: int, seconds: float
    ) -> _Puzzles:
        """Return as many puzzles as the slowest kernel solves in a time, with its checked answers."""
        isa = kernel.usable()[-1]
        n = len(rows)
        counts, complete = np.zeros(n, np.uint64), np.zeros(n, np.uint8)
        solutions, witnesses = np.zeros((2, n, 81), np.uint8)
        cancel = Cancel()
        timer = Timer(seconds, cancel.set)
        timer.start()
        try:
            kernel.form(isa).solve_cells(
                *many.flat(rows),
                zero=0,
                limit=limit,
                counts=counts,
                complete=complete,
                solutions=solutions,
                witnesses=witnesses,
                stop=cancel.flag,
            )
        finally:
            timer.cancel()
        done = complete.view(np.bool_)
        if not done.any():
            raise UnidokuError(f"{seconds:g} seconds are too short to solve a puzzle; increase the time")
        rows, counts = rows[done], counts[done]
        solutions, witnesses = solutions[done], witnesses[done]
        right = _solved(rows, solutions, counts > 0) & _solved(rows, witnesses, counts > 1)
        right &= (solutions != witnesses).any(axis=1) | (counts < 2)
        if recorded is not None:
            right &= np.minimum(counts, 2) == np.minimum(recorded[done], limit)
        _require(right, rows, f"kernel {isa}, batch")
        return cls(rows, counts, limit)


def _solved(
    rows: NDArray[np.uint8], grids: NDArray[np.uint8], expected: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Test which puzzles have a solution if and only if one is expected."""
    right: NDArray[np.bool_] = np.where(expected, are_solutions(rows, grids), ~grids.any(axis=1))
    return right


def _require(right: NDArray[np.bool_], rows: NDArray[np.uint8], solver: str) -> None:
    """Raise an error that names the first puzzle whose answer is wrong."""
    if not right.all():
        line = lines_of(rows[[int(np.argmin(right))]])[0]
        raise UnidokuError(f"{solver}: wrong answer to the puzzle {line}")


@dataclass(frozen=True, slots=True)
class _Work:
    """A way to solve all puzzles with one kernel."""

    isa: str
    call: Literal["batch", "single"]
    threads: int
    puzzles: int  # per run
    run: Callable[[], object]
    check: Callable[[], object]  # runs once, and raises an error if an answer is wrong


def _batch(puzzles: _Puzzles, isa: str, threads: int) -> _Work:
    """Return the work of solving all puzzles in slices, as `unidoku.check_many` does.

    With several threads, a run solves all puzzles several times so that the start of the threads is
    negligible.
    """
    solve = kernel.form(isa).solve_cells
    cells, starts = many.flat(puzzles.rows)
    outputs = local()
    n = len(puzzles.rows)
    size = min(_SLICE, -(-n // threads))
    parts = [slice(k, k + size) for k in range(0, n, size)] * threads

    def work(part: slice, *, check: bool = False) -> None:
        if not hasattr(outputs, "counts"):
            outputs.counts, outputs.verdicts = np.empty(_SLICE, np.uint64), np.empty(_SLICE, np.uint8)
            outputs.solutions = np.empty((_SLICE, 81), np.uint8)
        some = starts[part]
        counts, solutions = outputs.counts[: len(some)], outputs.solutions[: len(some)]
        solve(
            cells,
            some,
            zero=0,
            limit=puzzles.limit,
            counts=counts,
            verdicts=outputs.verdicts[: len(some)],
            solutions=solutions.reshape(-1),
        )
        if check:
            expected = puzzles.counts[part]
            right = (counts == expected) & _solved(puzzles.rows[part], solutions, expected > 0)
            _require(right, puzzles.rows[part], f"kernel {isa}, batch")

    def run(*, check: bool = False) -> None:
        run_tasks(partial(work, check=check), parts, threads, Cancel())

    return _Work(isa, "batch", threads, n * threads, run, partial(run, check=True))


def _single(puzzles: _Puzzles, isa: str) -> _Work:
    """Return the work of solving one puzzle per call: `unidoku.check` for limit 2, else `unidoku.count`."""
    form = kernel.form(isa)
    limit = puzzles.limit
    solve = form.native_check(_not_native)
    if limit != 2:
        solve = partial(form.native_count(_not_native), limit=limit)

    def run() -> None:
        for line in puzzles.lines:
            solve(line)

    def check() -> None:
        right = np.array([int(solve(line)) for line in puzzles.lines]) == puzzles.counts
        _require(right, puzzles.rows, f"kernel {isa}, single")

    return _Work(isa, "single", 1, len(puzzles.rows), run, check)


def _not_native(*_: object, **__: object) -> object:
    raise AssertionError("the compiled function returned a puzzle to Python")


def compare(name: str, rows: NDArray[np.uint8], seconds: float) -> Comparison:
    """Compare the backtracker with the kernel in use, on a set with a name."""
    lines = lines_of(rows)
    limit = min(seconds / _LIMITS, _LONGEST)
    # -P: no module is imported from the current folder
    code = f"from {__name__} import count_naive, serve; serve(count_naive, {seconds}, {limit})"
    done = run_apart(["-P", "-c", code], lines, seconds + limit)
    rows = rows[: len(done)]
    counts = many.solve(rows, 2, grids=0).counts
    finished = np.array([answer is not None for answer, _ in done], np.bool_)
    right = [answer is None or answer == str(count) for (answer, _), count in zip(done, counts, strict=True)]
    _require(np.array(right), rows, "the backtracker")
    spent = np.array([seconds for _, seconds in done])
    theirs = batch = single = at_least = None
    if finished.any():
        theirs = float(spent[finished].mean())
        batch, single = _kernel_seconds(rows[finished], counts[finished])
    if not finished.all():
        at_least = float(spent.mean()) / _kernel_seconds(rows, counts)[0]
    return Comparison(
        name,
        int(finished.sum()),
        int((~finished).sum()),
        limit,
        theirs,
        batch,
        single,
        theirs / batch if theirs and batch else None,
        theirs / single if theirs and single else None,
        at_least,
    )


def _kernel_seconds(rows: NDArray[np.uint8], counts: NDArray[np.uint64]) -> tuple[float, float]:
    """Return processor seconds per puzzle, the mean of the runs: many puzzles per call, and one per call."""
    n = max(len(rows), _BESIDE)
    puzzles = _Puzzles(np.resize(rows, (n, 81)), np.resize(counts, n), 2)
    batch, single = _batch(puzzles, kernel.isa(), 1), _single(puzzles, kernel.isa())
    batch.run()
    runs = alternate([batch.run, single.run], 0.1, least=5)
    seconds = [sum(run.processor for run in each) / (len(each) * n) for each in runs]
    return seconds[0], seconds[1]


def run_apart(command: Sequence[str], lines: Sequence[str], seconds: float) -> list[tuple[str | None, float]]:
    """Run a command of Python that calls `serve`; return its answers, None if cut off, and their seconds."""
    try:
        text = subprocess.run(
            [sys.executable, *command],
            input="\n".join(lines),
            stdout=subprocess.PIPE,
            encoding="ascii",
            timeout=seconds + _GRACE,
            check=True,
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise UnidokuError(f"a solver in a process of its own failed: {error}") from error
    return [
        (answer or None, float(spent)) for spent, answer in (line.split("\t") for line in text.splitlines())
    ]


def serve(solve: Callable[[str], object], seconds: float, limit: float) -> None:
    """Solve the puzzles of standard input; write processor time and answer of each as a line.

    A puzzle is cut off at its limit and has no answer then; after the time is up, none is begun.
    """
    end = perf_counter() + seconds
    for line in sys.stdin.read().split():
        begin = process_time()
        try:
            timer = Timer(limit, interrupt_main)
            timer.start()
            try:
                answer = solve(line)
                spent = process_time() - begin
            finally:
                timer.cancel()
            timer.join()
            sleep(0)  # an interrupt that came just now is raised here
        except KeyboardInterrupt:
            answer, spent = "", process_time() - begin
        print(spent, answer, sep="\t")
        if perf_counter() >= end:
            break


def count_naive(line: str) -> int:
    """Count the solutions of a puzzle up to 2, with the backtracker."""
    return count_solutions([line[k : k + 9] for k in range(0, 81, 9)], 2)


def random_images(rows: NDArray[np.uint8] | list[str], seed: int = 1) -> NDArray[np.uint8]:
    """Return a random image of each puzzle, so that no solver profits from the order of cells and digits."""
    return transform_many(rows, random_numbers(len(rows), seed))


def easy_puzzles(count: int, seed: int = 1) -> NDArray[np.uint8]:
    """Return random images of `EASY`, which any backtracker can solve."""
    return random_images([EASY] * count, seed)


def middle_puzzles(count: int, seed: int = 1) -> NDArray[np.uint8]:
    """Return random images of random minimal puzzles, which have 22 to 27 clues; ten images of each."""
    some = generate(-(-count // _IMAGES), seed=seed, minimal=True)
    return random_images(np.resize(some, (count, 81)), seed)


def lines_of(rows: NDArray[np.uint8]) -> list[str]:
    """Convert puzzles to lines of text, ``.`` for an empty cell."""
    text = np.where(rows == 0, ord("."), rows + ord("0")).astype(np.uint8).tobytes().decode("ascii")
    return [text[81 * k : 81 * k + 81] for k in range(len(rows))]


def are_solutions(puzzles: NDArray[np.uint8], grids: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Test which grids are solutions of their puzzles, without a solver."""
    found = np.empty((4, len(puzzles)), np.uint8)
    compare_grids(many.flat(puzzles)[0], many.flat(grids)[0], *found)
    solved: NDArray[np.bool_] = found[0].view(np.bool_)
    return solved


class Seconds(NamedTuple):
    """The time of a call, in seconds."""

    processor: float
    wall: float


def measured(work: Callable[[], object]) -> Seconds:
    """Measure processor time and wall time of a call."""
    begin, wall = process_time(), perf_counter()
    work()
    return Seconds(process_time() - begin, perf_counter() - wall)


def alternate(
    works: Sequence[Callable[[], object]], seconds: float, *, least: int = 1, most: int = 1000
) -> list[list[Seconds]]:
    """Time several works in turn, so that other load on the machine affects all of them."""
    found: list[list[Seconds]] = [[] for _ in works]
    end = perf_counter() + seconds
    rounds = 0
    while rounds < least or (rounds < most and perf_counter() < end):
        for work, times in zip(works, found, strict=True):
            times.append(measured(work))
        rounds += 1
    return found
