"""The speed of solvers: the one clock, the match of two solvers on the same puzzles, and `bench`.

``pytest bench/`` of a checkout compares other solvers by the same `Match`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from ctypes import c_ulong, py_object, pythonapi
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import inf
from statistics import median
from threading import Thread
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from unidoku import kernel
from unidoku.arguments import MAX_TIMED, whole
from unidoku.compat import np
from unidoku.craft.verification import verify_rows
from unidoku.errors import Message, UnidokuError
from unidoku.kernel import solve_rows
from unidoku.naive import count_solutions, solve_sudoku
from unidoku.table.puzzles import Puzzles, PuzzlesLike, lines, read_cells
from unidoku.tasks.info import facts
from unidoku.tasks.single import check, count, solve
from unidoku.tasks.speed_report import BenchmarkReport, Call, Difficulty, Row
from unidoku.tasks.speed_sets import SAMPLE_SET, SETS, PuzzleSet, image_set, random_images
from unidoku.threads import Cancel, thread_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["BenchmarkReport", "Difficulty", "Row", "run"]

PUZZLES = 30_000  # of the caller that are used
SIZE = 10_000  # puzzles of a set
STOP = 5.0  # seconds after which a puzzle is cut off
_FEW = 2_000  # images of the puzzles of a slow solver that unidoku solves beside it
_SLICE = 8192  # puzzles in a step of a thread
_SLOW = 0.05  # seconds of a run that needs none before it to fill the caches
_ENOUGH = 30  # puzzles of a slow solver
_EQUAL = 0.1  # seconds of a run of unidoku beside a slow solver
_SLOWEST = 10  # puzzles of the caller that are named


class Answers(NamedTuple):
    """What a solver says about puzzles: the numbers of solutions up to the limit, or solutions, or both.

    A solution is a line of 81 digits, "" where there is none, or a row of an array of values or characters.
    """

    counts: Sequence[int] | NDArray[np.uint64] | None = None
    solutions: Sequence[str] | NDArray[np.uint8] | None = None


Work: TypeAlias = Callable[[], Answers]
"""A timed call: solves all its puzzles."""


@dataclass(frozen=True)
class Solver:
    """A solver: `prepare` returns its work for puzzles (lines with dots) and a limit.

    `limits` are what it can do: 1 finds a solution, 2 tells whether a puzzle is proper; `remark` says why it
    lacks one. A batch is solved by one call. `isa` is the instruction set of unidoku to compare with, if it
    is not the one in use. `guesses` returns the mean number of them for puzzles and a limit, and of rounds of
    propagation, if they are known.
    """

    name: str
    prepare: Callable[[list[str], int], Work]
    call: Call = "single"
    limits: tuple[int, ...] = (2, 1)
    remark: str = ""
    isa: str = ""
    threads: int = 1
    guesses: Callable[[list[str], int], tuple[float | None, float | None]] = lambda *_: (None, None)


def one_by_one(
    find: Callable[[str], str] | None = None, tell: Callable[[str, int], int] | None = None
) -> Callable[[list[str], int], Work]:
    """Return `prepare` for functions of one line: a solution, and the number of solutions up to a limit."""

    def prepare(puzzles: list[str], limit: int) -> Work:
        solve, count = find, tell
        if limit == 1 and solve is not None:
            return lambda: Answers(None, [solve(line) for line in puzzles])
        assert count is not None
        return lambda: Answers([count(line, limit) for line in puzzles])

    return prepare


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


def time_works(
    parts: Iterable[Callable[[], object]], seconds: float, limit: float
) -> list[tuple[object, float]]:
    """Do works until the time is up; return what each returned and its processor time in seconds.

    A work that takes more processor time than the limit is cut off, with the answer None; this needs a work
    in Python.
    """
    results: list[tuple[object, float]] = []
    errors: list[Exception] = []

    def do(work: Callable[[], object]) -> None:
        begin = process_time()
        try:
            results.append((work(), process_time() - begin))
        except SystemExit:
            pass  # cut off
        except Exception as error:
            errors.append(error)

    end = perf_counter() + seconds
    for number, work in enumerate(parts, 1):
        thread = Thread(target=do, args=(work,), daemon=True)
        begin, wall = process_time(), perf_counter()
        thread.start()
        try:
            while thread.is_alive() and process_time() < begin + limit and perf_counter() < wall + 20 * limit:
                thread.join(min(limit / 10, 0.05))  # by the processor's time: a machine may be busy
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


class Pair:
    """A work and another one beside it, usually that of unidoku, which run in turn.

    Parameters
    ----------
    row : Row
        What is measured: set, solver, call, limit, and how many puzzles a run of the work solves.
    work, beside : callable
        The two works; without the second, the first is the measure itself.
    number : int, optional
        How many puzzles a run of the second work solves; by default as many.
    seconds : float
        About how much processor time both take.
    """

    def __init__(
        self,
        row: Row,
        work: Callable[[], object],
        beside: Callable[[], object] | None = None,
        number: int | None = None,
        *,
        seconds: float = 2.0,
    ) -> None:
        self.start, self.work, self.beside, self.seconds = row, work, beside, seconds
        self.number = number or row.puzzles
        self.times: list[float] = []  # of the work, seconds a puzzle
        self.others: list[float] = []
        self.doubt = 0.0  # relative standard error of the mean of the puzzles, if they are a part of a set
        self.again = 0  # how often the second work is done in a run
        self.repeats = True

    def round(self) -> float:
        """Run both works once; return the seconds of the first, a puzzle."""
        if self.beside and not self.again:
            self._calibrate(self.beside)
        quick = bool(self.times) and self.times[0] * self.start.puzzles <= _SLOW
        # of two runs of a work, the first finds the caches as the other work left them
        works: list[Callable[[], object]] = [self._run_reference] * 2 if self.beside and quick else []
        works += [self._run_reference] * bool(self.beside and not quick)
        others = len(works)
        works += [self.work] * (0 if not self.repeats else 2 if quick else 1)
        spent = alternate(works, 0)[0, :, 0].tolist()
        if others:
            self.others.append(spent[others - 1] / (self.number * self.again))
        if self.repeats:
            self.times.append(spent[-1] / (self.start.puzzles * self.start.threads))
        return self.times[-1]

    def _calibrate(self, beside: Callable[[], object]) -> None:
        """Let a run of the second work take as long as one of the first: other load hits both alike."""
        own = max(alternate([beside], 0)[0, 0, 0], 1e-6)
        spent = self.times[0] * self.start.puzzles if self.times else alternate([self.work], 0)[0, 0, 0]
        self.again = max(int(min(spent, _EQUAL) / own), 1)

    def _run_reference(self) -> None:
        assert self.beside
        for _ in range(self.again):
            self.beside()

    def rounds(self) -> Iterator[float]:
        """Run both until their processor time is up, at least twice."""
        begin, wall = process_time(), perf_counter()
        while True:
            yield self.round()
            is_over = process_time() >= begin + self.seconds or perf_counter() >= wall + 3 * self.seconds
            if not self.repeats or (is_over and len(self.times) > 1):
                return

    def play(self) -> Row:
        """Run both until the time is up; return the row."""
        for _ in self.rounds():
            pass
        return self.row()

    def row(self) -> Row:
        """Return the row of the runs until now."""
        best = min(self.times)
        spreads = [median(times) / min(times) - 1 for times in (self.times, self.others) if times]
        return replace(
            self.start,
            seconds=best,
            spread=max(spreads) + self.doubt if self.repeats and len(self.times) > 1 else None,
            ratio=best / min(self.others) if self.others else 1.0,
            runs=len(self.times),
        )


class Match(Pair):
    """A solver and unidoku on the same puzzles of a set, of which it gets as many as its time allows.

    The answers are checked before anything is timed that counts; a wrong one is an error.

    Parameters
    ----------
    name : str
        The set.
    solver : Solver
    limit : int
    puzzles : NDArray
        Cells 0 to 9 of the puzzles of the set, uint8[n, 81].
    counts : NDArray, optional
        The numbers of their solutions; by default those of the kernel in use.
    seconds : float
        About how much processor time the match takes.
    stop : float
        Seconds after which a puzzle is cut off.
    """

    def __init__(
        self,
        name: str,
        solver: Solver,
        limit: int,
        puzzles: NDArray[np.uint8],
        counts: NDArray[np.uint64] | None = None,
        *,
        seconds: float = 2.0,
        stop: float = STOP,
    ) -> None:
        text = lines(puzzles)
        begin = process_time()
        number, spent, cut_off, doubt = len(text), 0.0, 0, 0.0
        own = solver.name.startswith("unidoku")
        if not own and solver.call == "batch":
            number = _number(lambda n: solver.prepare(text[:n], limit)(), len(text), seconds / 8)
        elif not own:
            number, spent, cut_off, doubt = _first_run(
                solver, limit, puzzles, counts, seconds=seconds, stop=stop
            )
        rows, text = puzzles[:number], text[:number]
        work = solver.prepare(text, limit)
        if not spent:
            known = _counts_of(rows, limit, None if counts is None else counts[:number])
            _refuse_wrong(solver, rows, work(), known, limit)
        guesses, rounds = solver.guesses(text, limit)
        row = Row(
            name, solver.name, solver.call, solver.threads, limit, number, guesses=guesses, rounds=rounds
        )
        isa = solver.isa or kernel.isa()
        many = rows if number >= _FEW else random_images(np.resize(rows, (_FEW, 81)))
        is_measure = solver.name == f"unidoku {isa}" and solver.threads == 1
        beside = None if is_measure else unidoku_solver(isa, solver.call).prepare(lines(many), limit)
        left = max(seconds - (process_time() - begin), 0.0)
        super().__init__(row, work, beside, len(many), seconds=left)
        self.doubt = doubt
        if cut_off or spent > seconds / 8:
            self.times.append(spent / number)  # a run that was long enough to count
        if cut_off:
            self.start = replace(row, cut_off=cut_off, stop=stop)
        self.repeats = not cut_off and spent <= 3 * seconds  # a second run gives a spread


def rows_of(puzzle_set: PuzzleSet, solver: Solver, limit: int, size: int = SIZE, **options: float) -> Row:
    """Return the row of a solver on a set; without a figure, but with the reason, if it cannot do it."""
    match = match_of(puzzle_set, solver, limit, size, **options)
    return match if isinstance(match, Row) else match.play()


def match_of(
    puzzle_set: PuzzleSet, solver: Solver, limit: int, size: int = SIZE, **options: float
) -> Match | Row:
    """Return the match of a solver on a set, or the row that says why it cannot be measured."""
    if limit not in solver.limits:
        return Row(puzzle_set.name, solver.name, solver.call, solver.threads, limit, remark=solver.remark)
    rows = puzzle_set.rows(size)
    try:
        return Match(puzzle_set.name, solver, limit, rows, puzzle_set.counts(len(rows)), **options)
    except Exception as error:
        if solver.name.startswith(("unidoku", "naive")):
            raise
        remark = str(error) if isinstance(error, WrongAnswerError) else f"{type(error).__name__}: {error}"
        return Row(puzzle_set.name, solver.name, solver.call, solver.threads, limit, remark=remark)


class WrongAnswerError(UnidokuError):
    """A solver gave a wrong answer."""


def _counts_of(rows: NDArray[np.uint8], limit: int, counts: NDArray[np.uint64] | None) -> NDArray[np.uint64]:
    """Return the numbers of solutions up to a limit."""
    found: Any = solve_rows(rows, limit, grids=0).counts if counts is None else counts
    least: NDArray[np.uint64] = np.minimum(found, np.uint64(limit))
    return least


def _first_run(
    solver: Solver,
    limit: int,
    puzzles: NDArray[np.uint8],
    counts: NDArray[np.uint64] | None,
    *,
    seconds: float,
    stop: float,
) -> tuple[int, float, int, float]:
    """Let a solver of one puzzle a call begin, check its answers, and cut off what takes too long.

    Return how many puzzles it began, their processor time, how many were cut off, and the relative standard
    error of the mean time.
    """
    done, spent, begin, text = 0, 0.0, process_time(), lines(puzzles)
    parts: list[tuple[int, float]] = []  # puzzles and seconds
    while done < len(text):
        passed = process_time() - begin
        if done and (passed > seconds or (passed > seconds / 4 and done >= _ENOUGH)):
            break
        size = min(len(text) - done, max(1, min(2 * done, int(_SLOW * done / spent)))) if done else 1
        some = puzzles[done : done + size]
        ((answers, time),) = time_works([solver.prepare(text[done : done + size], limit)], inf, stop)
        done, spent = done + size, spent + time
        parts.append((size, time))
        if not isinstance(answers, Answers):
            return done, spent, 1, 0.0
        known = _counts_of(some, limit, None if counts is None else counts[done - size : done])
        _refuse_wrong(solver, some, answers, known, limit)
    return done, spent, 0, _doubt(parts) if done < len(text) else 0.0


def _doubt(parts: Sequence[tuple[int, float]]) -> float:
    """Return the relative standard error of the mean time of puzzles that were timed in parts of a set."""
    sizes, times = np.array(parts).T
    squares = (times - sizes * times.sum() / sizes.sum()) ** 2
    return float(np.sqrt(squares.sum() * len(parts) / max(len(parts) - 1, 1)) / times.sum())


def _number(work: Callable[[int], object], most: int, seconds: float) -> int:
    """Return how many puzzles are solved in the time, at most `most`: one, two, four and so on."""
    number = 1
    while True:
        begin = process_time()
        work(number)
        if number == most or process_time() - begin > seconds:
            return number
        number = min(2 * number, most)


def _refuse_wrong(
    solver: Solver, rows: NDArray[np.uint8], answers: Answers, counts: NDArray[np.uint64], limit: int
) -> None:
    """Raise an error that names the first puzzle whose answer is wrong."""
    right = np.ones(len(rows), bool)
    if answers.counts is not None:
        right &= np.minimum(np.asarray(answers.counts, np.uint64), np.uint64(limit)) == counts
    if answers.solutions is not None:
        grids = answers.solutions
        if not isinstance(grids, np.ndarray):
            text = "".join(line if len(line) == 81 else "0" * 81 for line in grids).encode()
            grids = (np.frombuffer(text, np.uint8).reshape(-1, 81) - ord("0")).astype(np.uint8)
        elif grids.max(initial=0) > 9:
            grids = np.where(grids > ord("0"), grids - ord("0"), 0).astype(np.uint8)
        solved = verify_rows(rows, grids, is_known=False)["solved"]
        right &= np.where(counts > 0, solved, ~grids.any(axis=1))
    if not right.all():
        wrong = lines(rows[~right][:1])[0]
        raise WrongAnswerError(f"{solver.name}, {solver.call}: wrong answer to the puzzle {wrong}")


def unidoku_solver(isa: str, call: Call = "batch", threads: int = 1) -> Solver:
    """Return unidoku as a solver: of a batch with any instruction set, of one puzzle with that in use."""
    name = f"unidoku {isa}"
    if call == "batch":
        return Solver(
            name,
            lambda text, limit: _batch(isa, text, limit, threads),
            "batch",
            threads=threads,
            guesses=lambda text, limit: _guesses(isa, text, limit, "batch"),
        )
    return Solver(name, _single, guesses=lambda text, limit: _guesses(isa, text, limit, "single"))


def _batch(isa: str, text: list[str], limit: int, threads: int) -> Work:
    """Return a call that solves puzzles in slices, as `unidoku.check_many` does."""
    native = kernel.isa_module(isa)
    cells = np.tile(read_cells(text)[0], (threads, 1))  # so many that the start of threads is negligible
    counts, solutions = np.empty(len(cells), np.uint64), np.empty_like(cells)

    def work(part: slice, _: Cancel) -> None:
        out: dict[str, Any] = {"counts": counts[part], "solutions": solutions[part]}
        native.solve_cells(*kernel.flat(cells[part]), zero=0, limit=limit, **out)

    def run() -> Answers:
        Puzzles.of_cells(cells).map_slices(work, threads=threads, size=min(_SLICE, len(cells) // threads))
        return Answers(counts[: len(text)], solutions[: len(text)])

    return run


def _single(text: list[str], limit: int) -> Work:
    """Return a call that solves the puzzles one by one, as a user of Python does."""
    if limit == 1:
        return lambda: Answers(None, [grid.line if (grid := solve(line)) else "" for line in text])
    if limit == 2:
        return lambda: Answers([check(line) for line in text])
    return lambda: Answers([count(line, limit=limit) for line in text])


def _guesses(isa: str, text: list[str], limit: int, call: Call) -> tuple[float | None, float | None]:
    """Return the mean guesses, and for one puzzle a call the mean rounds of propagation."""
    guesses, rounds = search_effort(read_cells(text)[0], limit, isa, with_rounds=call == "single")
    return float(guesses.mean()), None if rounds is None else float(rounds.mean())


def search_effort(
    rows: NDArray[np.uint8], limit: int, isa: str | None = None, *, with_rounds: bool = True
) -> tuple[NDArray[np.uint64], NDArray[np.uint64] | None]:
    """Return the guesses of each puzzle, and the rounds of propagation."""
    counts, guesses, rounds = np.zeros((3, len(rows)), np.uint64)
    kernel.isa_module(isa).solve_cells(
        *kernel.flat(rows),
        zero=0,
        limit=limit,
        counts=counts,
        guesses=guesses,
        rounds=rounds if with_rounds else None,
    )
    return guesses, rounds if with_rounds else None


def _naive_find(line: str) -> str:
    board = [[*line[k : k + 9]] for k in range(0, 81, 9)]
    return "".join(map("".join, board)) if solve_sudoku(board) else ""


NAIVE = Solver("naive", one_by_one(_naive_find, count_solutions))
"""The textbook backtracker."""


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
    limit = whole("limit", limit, 1, MAX_TIMED)
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
    return _number(lambda n: solve_rows(rows[:n], limit, grids=0), len(rows), seconds / 4)


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
