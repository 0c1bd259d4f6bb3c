"""The benchmark of ``unidoku bench``."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import islice
from statistics import median
from threading import Timer, local
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from unidoku import kernel
from unidoku.benchmark.comparison import Comparison, compare
from unidoku.benchmark.peers import PEERS, Absent, is_installed
from unidoku.benchmark.puzzles import (
    are_solutions,
    easy_puzzles,
    lines_of,
    middle_puzzles,
    random_images,
)
from unidoku.benchmark.timing import alternate
from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.files.puzzles import read_puzzles
from unidoku.kernel import MAX_THREADS, Cancel, positive, positive_ratio, run_tasks, whole
from unidoku.run.sample import SAMPLE, recorded_verdicts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from unidoku.files.inputs import Input

__all__ = ["LARGEST_LIMIT", "PUZZLES", "BenchmarkReport", "Row", "run"]

PUZZLES = 30_000
"""Number of puzzles; a smaller input is repeated, and only the first puzzles of a larger one are used."""

LARGEST_LIMIT = 1000
"""The largest limit: above it, the library counts many solutions as a sum instead of searching."""

_PEER_PUZZLES = 1000  # of each set, for the solvers in Python
_FOR_CHOICE = 0.05  # fraction of the time for choosing the number of puzzles
_FOR_KERNELS = 0.5  # fraction of the time after which the solvers in Python begin
_LEAST = 0.05  # seconds for a solver in Python if no time is left
_SLICE = 8192  # puzzles per task of a thread


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
        Kernels only.
    comparisons : tuple of Comparison
        Each solver in Python beside the kernel in use: on an easy and on a middle set, or on the input.
    skipped : dict of str to str
        Solvers without a comparison, and the reason.
    """

    machine: dict[str, Any]
    source: str
    different: int
    puzzles: int
    limit: int
    threads: int
    seconds: float
    rows: tuple[Row, ...]
    comparisons: tuple[Comparison, ...]
    skipped: Mapping[str, str]

    def as_dict(self) -> dict[str, Any]:
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
        Options of `unidoku.files.puzzles.read_puzzles`.

    Returns
    -------
    BenchmarkReport

    Raises
    ------
    UnidokuError
        An input cannot be read or has no puzzle of 81 cells, a kernel gives a wrong answer, or the time is
        too short to solve a puzzle.
    ValueError
        `seconds`, `limit` or `threads` is out of range.

    Notes
    -----
    Each puzzle is replaced by a random image.  Each work runs once before it is timed, and all answers of
    that run are checked: solutions against the rules and the clues, counts against the other kernels and, for
    the sample, against the recorded verdicts.  Then all works run in turn.  Solvers in Python run in separate
    processes, see `Comparison`.
    """
    begin = perf_counter()
    seconds = positive_ratio("seconds", seconds) or float("inf")
    if seconds == float("inf"):
        raise ValueError("seconds must be finite")
    limit = whole("limit", limit, 1, LARGEST_LIMIT)
    workers = positive("threads", threads, MAX_THREADS) or kernel.default_threads()
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

    works: list[_Batch | _Single] = []
    for isa in kernel.usable():
        works += [_Batch(puzzles, isa, count) for count in sorted({1, workers})]
        works.append(_Single(puzzles, isa))
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
    sets = {"easy": easy_puzzles(_PEER_PUZZLES), "middle": middle_puzzles(_PEER_PUZZLES)}
    if inputs is not None:
        sets = {source: puzzles.rows[:_PEER_PUZZLES]}
    installed = [name for name in PEERS if is_installed(name)]
    skipped = dict.fromkeys((name for name in PEERS if name not in installed), "not installed")
    comparisons: list[Comparison] = []
    # the backtracker has as much time as all packages together, and the middle set three parts of four
    parts = {name: 1 if name != "naive" else max(1, len(installed) - 1) for name in installed}
    weights = {each: 1 if each == "easy" else 3 for each in sets}
    for name in installed:
        left = (seconds - (perf_counter() - begin)) * parts[name] / sum(parts.values())
        del parts[name]
        try:
            comparisons += [
                compare(name, each, rows, max(left * weights[each] / sum(weights.values()), _LEAST))
                for each, rows in sets.items()
            ]
        except Absent as reason:
            skipped[name] = str(reason)
    reference = next(
        row.per_second
        for row in found
        if row.isa == facts["isa"] and row.call == "batch" and row.threads == 1
    )
    return BenchmarkReport(
        facts,
        source,
        different,
        len(puzzles),
        limit,
        workers,
        perf_counter() - begin,
        tuple(replace(row, ratio=reference / row.per_second) for row in found),
        tuple(comparisons),
        skipped,
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
                error = InvalidPuzzleError(
                    "a puzzle of 81 cells is needed, not pencil marks", file=each.source, line=each.line
                )
            if on_failure is not None:
                on_failure(error)

    found = list(islice(puzzles(), PUZZLES))
    if not found:
        raise UnidokuError("the input has no puzzle of 81 cells")
    text = "".join(cells for _, cells in found).replace(".", "0").encode("ascii")
    source = found[0][0] + (" and others" if len({name for name, _ in found}) > 1 else "")
    return np.frombuffer(text, np.uint8).reshape(-1, 81) - np.uint8(48), source


class _Puzzles:
    """The puzzles of a benchmark in the forms that solvers accept, and their correct counts."""

    def __init__(self, rows: NDArray[np.uint8], counts: NDArray[np.uint64], limit: int) -> None:
        self.rows = rows
        self.lines = lines_of(rows)
        self.cells = rows.reshape(-1)
        self.counts = counts
        self.limit = limit

    def __len__(self) -> int:
        return len(self.rows)

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
            for begin in range(0, n, _SLICE):
                part = slice(begin, begin + _SLICE)
                if cancel:
                    break
                kernel.form(isa).solve_cells(
                    rows[part].reshape(-1),
                    np.arange(0, 81 * len(rows[part]), 81, dtype=np.int64),
                    zero=0,
                    limit=limit,
                    counts=counts[part],
                    complete=complete[part],
                    solutions=solutions[part].reshape(-1),
                    witnesses=witnesses[part].reshape(-1),
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


class _Batch:
    """A kernel that solves all puzzles in slices, as `unidoku.check_many` does.

    With several threads, a run solves all puzzles several times so that the start of the threads is
    negligible.
    """

    call: Literal["batch", "single"] = "batch"

    def __init__(self, puzzles: _Puzzles, isa: str, threads: int) -> None:
        self.isa = isa
        self.threads = threads
        self._puzzles = puzzles
        self._solve = kernel.form(isa).solve_cells
        self._starts = np.arange(0, 81 * len(puzzles), 81, dtype=np.int64)
        self._outputs = local()
        size = min(_SLICE, -(-len(puzzles) // threads))
        self._parts = [slice(k, k + size) for k in range(0, len(puzzles), size)] * threads

    @property
    def puzzles(self) -> int:
        """Puzzles per run."""
        return len(self._puzzles) * self.threads

    def run(self) -> None:
        """Solve all puzzles."""
        run_tasks(self._work, self._parts, self.threads, Cancel())

    def check(self) -> None:
        """Run once, and raise an error if an answer is wrong."""
        run_tasks(partial(self._work, check=True), self._parts, self.threads, Cancel())

    def _work(self, part: slice, *, check: bool = False) -> None:
        """Solve a slice into the arrays of this thread."""
        starts = self._starts[part]
        outputs = self._outputs
        if not hasattr(outputs, "counts"):
            outputs.counts, outputs.verdicts = np.empty(_SLICE, np.uint64), np.empty(_SLICE, np.uint8)
            outputs.solutions = np.empty((_SLICE, 81), np.uint8)
        n = len(starts)
        counts, solutions = outputs.counts[:n], outputs.solutions[:n]
        self._solve(
            self._puzzles.cells,
            starts,
            zero=0,
            limit=self._puzzles.limit,
            counts=counts,
            verdicts=outputs.verdicts[:n],
            solutions=solutions.reshape(-1),
        )
        if check:
            rows, expected = self._puzzles.rows[part], self._puzzles.counts[part]
            right = (counts == expected) & _solved(rows, solutions, expected > 0)
            _require(right, rows, f"kernel {self.isa}, batch")


class _Single:
    """A kernel that solves one puzzle per call: `unidoku.check` for limit 2, else `unidoku.count`."""

    call: Literal["batch", "single"] = "single"
    threads = 1

    def __init__(self, puzzles: _Puzzles, isa: str) -> None:
        self.isa = isa
        self._puzzles = puzzles
        form = kernel.form(isa)
        self._check = form.native_check(_not_native)
        self._count = form.native_count(_not_native)

    @property
    def puzzles(self) -> int:
        """Puzzles per run."""
        return len(self._puzzles)

    def run(self) -> None:
        """Solve all puzzles."""
        if self._puzzles.limit == 2:
            check = self._check
            for line in self._puzzles.lines:
                check(line)
        else:
            count, limit = self._count, self._puzzles.limit
            for line in self._puzzles.lines:
                count(line, limit=limit)

    def check(self) -> None:
        """Run once, and raise an error if an answer is wrong."""
        limit = self._puzzles.limit
        found = [
            int(self._check(line)) if limit == 2 else self._count(line, limit=limit)
            for line in self._puzzles.lines
        ]
        _require(np.array(found) == self._puzzles.counts, self._puzzles.rows, f"kernel {self.isa}, single")


def _not_native(*_: object, **__: object) -> object:
    raise AssertionError("the compiled function returned a puzzle to Python")
