"""The match of two solvers on the same puzzles, which run in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from ctypes import c_ulong, py_object, pythonapi
from dataclasses import replace
from threading import Thread
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

from report import MOST_SPREAD, Row
from speed_sets import PuzzleSet

from unidoku import kernel
from unidoku._compat import np
from unidoku._table.puzzles import lines
from unidoku.craft._verification import verify_rows
from unidoku.errors import UnidokuError
from unidoku.kernel import solve_rows
from unidoku.tasks._speed import number_in, random_images, spread_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
from solvers import Answers, Solver, unidoku_solver

SIZE = 10_000  # puzzles of a set
STOP = 5.0  # seconds after which a puzzle is cut off
_FEW = 2_000  # images of the puzzles of a slow solver that unidoku solves beside it
_SLOW = 0.05  # seconds of a run that needs none before it to fill the caches
_ENOUGH = 30  # puzzles of a slow solver
_EQUAL = 0.1  # seconds of a run of unidoku beside a slow solver
_LONGER = 3  # times as long until the spread is small


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
        self.spent = 0.0  # seconds that were needed before
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
        """Run both until their processor time is up, at least twice, and longer while the spread is large."""
        begin, wall, spent, self.spent = process_time(), perf_counter(), self.spent, 0.0
        while True:
            yield self.round()
            passed = spent + max(process_time() - begin, (perf_counter() - wall) / 3)
            enough = self.seconds * (1 if self.spread() <= MOST_SPREAD else _LONGER)
            if not self.repeats or (passed >= enough and len(self.times) > 1):
                return

    def spread(self) -> float:
        """Return the larger spread of the two."""
        return max(spread_of(times) for times in (self.times, self.others) if times)

    def play(self) -> Row:
        """Run both until the time is up; return the row."""
        for _ in self.rounds():
            pass
        return self.row()

    def row(self) -> Row:
        """Return the row of the runs until now."""
        best = min(self.times)
        return replace(
            self.start,
            seconds=best,
            spread=self.spread() if self.repeats and len(self.times) > 1 else None,
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
        number, spent, cut_off, error = len(text), 0.0, 0, None
        own = solver.name.startswith("unidoku")
        if not own and solver.call == "batch":
            number = number_in(lambda n: solver.prepare(text[:n], limit)(), len(text), seconds / 8)
        elif not own:
            number, spent, cut_off, error = _first_run(
                solver, limit, puzzles, counts, seconds=seconds, stop=stop
            )
        rows, text = puzzles[:number], text[:number]
        work = solver.prepare(text, limit)
        if not spent:
            known = _counts_of(rows, limit, None if counts is None else counts[:number])
            _refuse_wrong(solver, rows, work(), known, limit)
        guesses, rounds = solver.guesses(text, limit)
        row = Row(
            *(name, solver.name, solver.call, solver.threads, limit, number),
            guesses=guesses,
            rounds=rounds,
            error=error,
        )
        isa = solver.isa or kernel.isa()
        many = rows if number >= _FEW else random_images(np.resize(rows, (_FEW, 81)))
        is_measure = solver.name == f"unidoku {isa}" and solver.threads == 1
        beside = None if is_measure else unidoku_solver(isa, solver.call).prepare(lines(many), limit)
        super().__init__(row, work, beside, len(many), seconds=seconds)
        self.spent = process_time() - begin
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
) -> tuple[int, float, int, float | None]:
    """Let a solver of one puzzle a call begin, check its answers, and cut off what takes too long.

    Return how many puzzles it began, their processor time, how many were cut off, and the relative standard
    error of the mean time, if they are a part of the set.
    """
    done, spent, begin, text = 0, 0.0, process_time(), lines(puzzles)
    parts: list[tuple[int, float]] = []  # puzzles and seconds
    while done < len(text):
        passed = process_time() - begin
        if done and (passed > seconds or (passed > seconds / 4 and done >= _ENOUGH)):
            break
        size = min(len(text) - done, max(1, min(2 * done, int(_SLOW * done / spent)))) if done else 1
        some = puzzles[done : done + size]
        answers, time = in_time(solver.prepare(text[done : done + size], limit), stop)
        done, spent = done + size, spent + time
        parts.append((size, time))
        if not isinstance(answers, Answers):
            return done, spent, 1, None
        known = _counts_of(some, limit, None if counts is None else counts[done - size : done])
        _refuse_wrong(solver, some, answers, known, limit)
    return done, spent, 0, _error(parts) if done < len(text) else None


def in_time(work: Callable[[], Any], seconds: float) -> tuple[Any, float]:
    """Do a work of Python; return its answer, None if it is cut off after some seconds, and its time."""
    found: list[tuple[Any, float]] = []
    errors: list[Exception] = []

    def do() -> None:
        with suppress(SystemExit):  # cut off
            begin = process_time()
            try:
                found.append((work(), process_time() - begin))
            except Exception as error:
                errors.append(error)

    thread, begin, wall = Thread(target=do, daemon=True), process_time(), perf_counter()
    thread.start()
    try:
        while thread.is_alive() and process_time() < begin + seconds and perf_counter() < wall + 20 * seconds:
            thread.join(min(seconds / 10, 0.05))  # by the processor's time: a machine may be busy
    finally:  # also after Ctrl-C
        if thread.is_alive():
            pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread.ident or 0), py_object(SystemExit))
    thread.join()
    if errors:
        raise errors[0]
    if found:
        return found[0]
    return (None, process_time() - begin)


def _error(parts: Sequence[tuple[int, float]]) -> float:
    """Return the relative standard error of the mean time of puzzles that were timed in parts of a set."""
    sizes, times = np.array(parts).T
    squares = (times - sizes * times.sum() / sizes.sum()) ** 2
    return float(np.sqrt(squares.sum() * len(parts) / max(len(parts) - 1, 1)) / times.sum())


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
