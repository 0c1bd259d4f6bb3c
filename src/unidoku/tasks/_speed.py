"""The speed of this machine: each instruction set and the textbook backtracker, on sets of puzzles.

There is one measurement: works run in turn until the time is up, so that a slow machine slows all of them,
and the least run of each counts. ``pytest bench/`` of a checkout compares other solvers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from math import ceil, floor, inf, log10
from time import perf_counter, process_time
from typing import Any, Literal, NamedTuple

from unidoku import kernel
from unidoku._arguments import whole_number
from unidoku._compat import NDArray, np
from unidoku._table.batch import Batch
from unidoku._table.forms import PuzzlesLike, read_cells
from unidoku._table.puzzles import Puzzles, lines
from unidoku._threads import Cancel, thread_count
from unidoku._words import table
from unidoku.craft._generate import generate
from unidoku.craft._transform import random_numbers, transform_many
from unidoku.craft._verification import verify_rows
from unidoku.errors import ArgumentError, Message, UnidokuError
from unidoku.grid import Grid
from unidoku.naive import count_in_time, count_solutions
from unidoku.tasks._info import facts
from unidoku.tasks._program import SolverProgram, counts_and_solutions
from unidoku.tasks._search import SAMPLE
from unidoku.tasks._shared import aligned
from unidoku.tasks._single import check, count, solve
from unidoku.view._pages import template

__all__ = ["BenchmarkReport", "Difficulty", "Row", "measure_speed"]

PUZZLES = 30_000  # of the caller that are used
MOST_TIMED = 1000  # solutions: above, many are counted as a sum instead of searched
_SIZE, _FEW = 10_000, 1_000  # puzzles of a set; puzzles that are solved one by one
_SLICE = 8_192  # puzzles in a step of a thread
_SLOWEST = 10  # puzzles of the caller that are named
_EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"  # newspaper


@dataclass(frozen=True)
class Row:
    """The speed of a solver on puzzles of a set, in one kind of call.

    Attributes
    ----------
    set : str
        The name of the set; ``inputs`` for the puzzles of the caller.
    solver : str
        ``unidoku`` with an instruction set, or ``naive`` for the textbook backtracker.
    call : {"batch", "single"}
        Whether a call solves many puzzles or one, from text to answer.
    threads : int
        The number of threads.
    limit : int
        The largest number of solutions to find: 1 is the first solution, 2 tells whether a puzzle is proper.
    puzzles : int
        How many puzzles were solved in a run.
    seconds : float or None
        Processor time a puzzle, over all threads: the least of all runs.
    spread : float or None
        How far above the least run a quarter of the runs ends, as a fraction.
    ratio : float or None
        `seconds` divided by the seconds of unidoku with the same kind of call on the same puzzles, or on many
        images of them if they are few.
    runs : int
        How often the puzzles were solved.
    cut_off : int
        Puzzles that were not finished in time.  Their time until then counts, so that `seconds` and `ratio`
        are lower bounds if there are any.
    stop : float or None
        The seconds after which a puzzle was cut off, if any was.
    remark : str
        Why there are no figures: the first wrong answer of the caller's program, or its failure.
    """

    set: str
    solver: str
    call: Literal["batch", "single"]
    threads: int = 1
    limit: int = 2
    puzzles: int = 0
    seconds: float | None = None
    spread: float | None = None
    ratio: float | None = None
    runs: int = 0
    cut_off: int = 0
    stop: float | None = None
    remark: str = ""


@dataclass(frozen=True)
class Difficulty:
    """How much a puzzle of the caller takes: its place among the puzzles, from 1 on, and the puzzle."""

    number: int
    puzzle: str
    guesses: int
    rounds: int


@dataclass(frozen=True)
class BenchmarkReport:
    """The result of a benchmark; its text is the tables.

    Attributes
    ----------
    machine : dict
        The values of ``unidoku info --json``.
    date : str
        The day of the measurement, as ``2026-11-26``.
    sources : dict of str to str
        The sets, and where their puzzles come from; for the caller's puzzles, their number.
    rows : tuple of Row
        Set by set.
    typical : dict of str to dict
        Of the puzzles of the caller: the median, the 90th and the 99th percentile and the maximum of
        ``guesses`` and ``rounds``.
    slowest : tuple of Difficulty
        Those of the caller with the most guesses and rounds.
    """

    machine: dict[str, Any]
    date: str
    sources: dict[str, str]
    rows: tuple[Row, ...]
    typical: dict[str, dict[str, float]] = field(default_factory=dict)
    slowest: tuple[Difficulty, ...] = ()

    def __str__(self) -> str:
        """Return the tables as text."""
        return "\n".join(self.lines())

    def lines(self, lang: str = "en") -> list[str]:
        """Return the tables as lines of text in a language."""
        words = table(lang)["bench"]
        names = ("solver", "call", "puzzles", "time", "spread", "ratio")
        text = [*self.head(words), ""]
        for title, rows in self.groups(words):
            cells, bounds = [[words[name] for name in names]], list[str]()
            for row in rows:
                bound = "> " * bool(row.cut_off)
                time = f"{bound}{figures(1e6 * (row.seconds or 0))}" * (not row.remark)
                spread = "" if row.spread is None else f"{100 * row.spread:.0f} %"
                ratio = "" if row.ratio is None else f"{bound}{figures(row.ratio)}"
                cells.append([*name_of(row, words), f"{row.puzzles:,}", time, spread, ratio])
                bounds += filter(None, [row.remark])
                if row.cut_off:
                    numbers = {"n": row.cut_off, "puzzles": row.puzzles, "stop": figures(row.stop or 0)}
                    bounds.append(f"> {words['cut off'].format(**numbers)}")
            text += [title, *aligned(cells, words["solver"], words["call"]), *bounds, ""]
        for name, values in self.typical.items():
            text.append(
                words["typical"].format(what=words[name], **{k: figures(v) for k, v in values.items()})
            )
        if self.slowest:
            cells = [[words[name] for name in ("number", "guesses", "rounds", "puzzle")]]
            cells += [[str(x.number), str(x.guesses), str(x.rounds), x.puzzle] for x in self.slowest]
            text += ["", words["slowest"], *aligned(cells, words["puzzle"]), ""]
        return [*text, words["ratios"], words["spreads"]]

    def svg(self, lang: str = "en") -> str:
        """Return a picture: a bar for each row, on one logarithmic axis."""
        words = table(lang)["bench"]
        return bars(self.head(words)[:2], self.groups(words), words)

    def head(self, words: Mapping[str, str]) -> list[str]:
        """Return the subject, the place and the time of the measurement."""
        machine = {name: value for name, value in self.machine.items() if isinstance(value, str)}
        return [machine["processor"], words["machine"].format(date=self.date, **machine), words["units"]]

    def groups(self, words: Mapping[str, str]) -> list[tuple[str, list[Row]]]:
        """Return the title of each set, and its rows."""
        return [
            (
                f"{words[name]}: {words[f'source {name}'].format(n=source)}",
                [row for row in self.rows if row.set == name],
            )
            for name, source in self.sources.items()
        ]


def name_of(row: Row, words: Mapping[str, str]) -> tuple[str, str]:
    """Return the solver of a row and the kind of its calls in words."""
    call = words[row.call]
    if row.threads != 1:
        call = words["threads"].format(call=call, n=row.threads)
    return words.get(row.solver, row.solver), call


def figures(number: float) -> str:
    """Return a number with three significant digits."""
    return f"{float(f'{number:.3g}'):,.15g}"


_LEFT, _RIGHT, _WIDTH = 230, 205, 900  # of a picture: what the axis leaves, and the whole
_UNITS = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}


def bars(head: Sequence[str], groups: Sequence[tuple[str, Sequence[Row]]], words: Mapping[str, str]) -> str:
    """Return the rows of each set as SVG, below the head."""
    times = [row.seconds for _, rows in groups for row in rows if row.seconds] or [1e-9, 1.0]
    low, high = floor(log10(min(times))), ceil(log10(max(times) * 1.0001))

    def x(seconds: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (log10(seconds) - low) / max(high - low, 1)

    def bar(row: Row) -> dict[str, Any]:
        name, bound = ", ".join(name_of(row, words)), "> " * bool(row.cut_off)
        if row.seconds is None:
            return {"name": name}
        label = f"{bound}{_time(row.seconds, words)}"
        if row.ratio is not None:
            label += f", {bound}{figures(row.ratio)} ×"
        kind = {"unidoku": "ours", "naive": "naive"}.get(row.solver.partition(" ")[0], "peer")
        end = max(x(row.seconds or min(times)), _LEFT + 1)
        return {"name": name, "kind": kind, "end": end, "label": label}

    marks = [(x(10.0**power), _time(10.0**power, words)) for power in range(low, high + 1)]
    sets = [(title, [*map(bar, rows)]) for title, rows in groups]
    places = {"left": _LEFT, "width": _WIDTH}
    return template("speed.svg").render(head=head, sets=sets, marks=marks, words=words, **places)


def _time(seconds: float, words: Mapping[str, str]) -> str:
    """Return a time in the unit that suits it."""
    unit = next((unit for unit, factor in _UNITS.items() if seconds * factor >= 0.9995), "ns")
    return f"{figures(seconds * _UNITS[unit])} {words[f'unit {unit}']}"


class TimedAnswers(NamedTuple):
    """The answers of a solver: the numbers of solutions up to the limit, and perhaps solutions."""

    counts: Sequence[int] | NDArray[np.uint64]
    solutions: NDArray[np.uint8] | None = None


class TimedCall(NamedTuple):
    """A timed call of a solver, and the row that its times make."""

    start: Row
    run: Callable[[], TimedAnswers]


def measure_speed(
    puzzles: PuzzlesLike | None = None,
    *,
    seconds: float = 10.0,
    limit: int = 2,
    threads: int | None = None,
    program: str | None = None,
) -> BenchmarkReport:
    """Measure the speed of this machine, and for comparison the textbook backtracker.

    Parameters
    ----------
    puzzles : optional
        As for `unidoku.check_many`; by default the puzzles of the bundled sample. The first 30,000 are used.
    seconds : float, optional
        Approximate duration of the whole benchmark.
    limit : int, optional
        Largest number of solutions to find, 1 to 1,000.
    threads : int, optional
        Number of threads for the rows that use several; by default one per available core.
    program : str, optional
        The command of another solver. It reads a puzzle on each line, and prints for each the number of
        solutions up to the limit, or a solution.

    Returns
    -------
    BenchmarkReport

    Raises
    ------
    InvalidPuzzleError, MissingExtraError
        As for `unidoku.check_many`.
    UnidokuError
        The puzzles are empty, `program` does not start, or unidoku gives a wrong answer.
    ValueError
        `seconds`, `limit` or `threads` is out of range.

    Notes
    -----
    Each puzzle is replaced by a random image. Before anything is timed, all answers are checked: solutions
    against the rules and the clues, and counts against the recorded counts. The counts of the caller's
    puzzles are checked against the kernel in use. The backtracker, which can take hours for a puzzle, is cut
    off.
    """
    if not 0 < seconds < inf:
        raise ArgumentError(Message("seconds must be above 0, not {seconds}", seconds=repr(seconds)))
    limit = whole_number("limit", limit, 1, MOST_TIMED)
    workers, cells = thread_count(threads), None
    other = None if program is None else SolverProgram(program)
    effort: tuple[Any, ...] = ()
    if puzzles is not None:
        cells = read_cells(puzzles)[0][:PUZZLES]
        if not len(cells):
            raise ArgumentError(Message("the inputs have no puzzle of 81 cells"))
        effort = _effort(cells, limit)
    sources, rows = dict[str, str](), list[Row]()
    for name, share, some, counts in _sets(cells):
        is_first, left = not sources, seconds * share
        images = _images(some, limit, left / 80)
        if counts is None:
            known = kernel.solve_rows(images, limit, grids=0).counts
        else:
            known = counts
        known = np.minimum(known[: len(images)], np.uint64(limit))
        isas, numbers = (kernel.usable(), sorted({1, workers})) if is_first else ([kernel.isa()], [1])
        works = [
            TimedCall(
                Row(name, f"unidoku {isa}", "batch", number, limit, len(images)),
                batch_call(isa, images, limit, number),
            )
            for isa in isas
            for number in numbers
        ]
        works.append(_one_by_one(name, images[:_FEW], limit))
        for work in works:
            _refuse_wrong(work.start, images, work.run(), known)
        is_sample = name == "sample"  # which is too hard for the backtracker
        measured = run_in_turn(works, left if is_sample else left / 2)
        rows += measured
        if other is not None:
            rows.append(_of_program(other, measured[0], images, known, left / 4))
        if not is_sample:
            rows.append(_backtracker(name, images[:_FEW], known, limit, left / 2))
        sources[name] = f"{len(some):,}"
    today = datetime.now(UTC).date().isoformat()
    return BenchmarkReport(facts(), today, sources, tuple(rows), *effort)


def run_in_turn(works: Sequence[TimedCall], seconds: float) -> list[Row]:
    """Let works run in turn until the time is up, at least twice; return the row of each.

    The measure is the work of the kernel in use with one thread and the same kind of call.
    """
    times: list[list[float]] = [[] for _ in works]
    end = perf_counter() + seconds
    while len(times[0]) < 2 or perf_counter() < end:
        for work, spent in zip(works, times, strict=True):
            begin = process_time()
            work.run()
            spent.append((process_time() - begin) / (work.start.puzzles * work.start.threads))
    best = {
        work.start.call: min(spent)
        for work, spent in zip(works, times, strict=True)
        if (work.start.solver, work.start.threads) == (f"unidoku {kernel.isa()}", 1)
    }
    return [
        replace(
            work.start,
            seconds=min(spent),
            spread=spread_of(spent),
            ratio=min(spent) / best[work.start.call],
            runs=len(spent),
        )
        for work, spent in zip(works, times, strict=True)
    ]


def spread_of(times: Sequence[float]) -> float:
    """Return how far above the least time a quarter of them ends: whether more than one run was as quick."""
    ordered = sorted(times)
    return ordered[ceil((len(times) - 1) / 4)] / ordered[0] - 1


def _sets(
    cells: NDArray[np.uint8] | None,
) -> Iterator[tuple[str, float, NDArray[np.uint8], NDArray[np.uint64] | None]]:
    """Yield sets of puzzles: the name, the share of the time, puzzles, numbers of solutions if recorded."""
    if cells is not None:
        yield "inputs", 1, cells, None
        return
    sample, one = np.loadtxt(SAMPLE, "S81,u8", skiprows=2), np.ones(_SIZE, np.uint64)
    yield "sample", 0.5, read_cells(sample["f0"])[0], np.resize(sample["f1"], _SIZE).astype(np.uint64)
    yield "easy", 0.25, read_cells([_EASY])[0], one
    yield "middle", 0.25, generate(_SIZE, seed=1, minimal=True), one


def _images(rows: NDArray[np.uint8], limit: int, seconds: float) -> NDArray[np.uint8]:
    """Return random images, so that the order of cells helps no solver; as many as are solved in the time."""
    images = random_images(np.resize(rows, (_SIZE, 81)))
    return images[: number_in(lambda n: kernel.solve_rows(images[:n], limit, grids=0), _SIZE, seconds)]


def number_in(work: Callable[[int], object], most: int, seconds: float) -> int:
    """Return how many puzzles are solved in the time, at most `most`: one, two, four and so on."""
    number = 1
    while True:
        begin = process_time()
        work(number)
        if number == most or process_time() - begin > seconds:
            return number
        number = min(2 * number, most)


def random_images(rows: NDArray[np.uint8] | list[str], seed: int = 1) -> NDArray[np.uint8]:
    """Return a random image of each puzzle: no solver should profit from the order of cells or digits."""
    images: NDArray[np.uint8] = transform_many(rows, random_numbers(len(rows), seed)).puzzle
    return images


def batch_call(isa: str, rows: NDArray[np.uint8], limit: int, threads: int) -> Callable[[], TimedAnswers]:
    """Return a call that solves puzzles in slices, as `unidoku.check_many` does."""
    native = kernel.isa_module(isa)
    cells = np.tile(rows, (threads, 1))  # so many that the start of threads is negligible
    counts, solutions = np.empty(len(cells), np.uint64), np.empty_like(cells)

    def work(part: slice, _: Cancel) -> None:
        out: dict[str, Any] = {"counts": counts[part], "solutions": solutions[part]}
        native.solve_cells(*kernel.with_starts(cells[part]), zero=0, limit=limit, **out)

    def answers() -> TimedAnswers:
        Puzzles(Batch.of_cells(cells)).map_slices(
            work, threads=threads, size=min(_SLICE, len(cells) // threads)
        )
        return TimedAnswers(counts[: len(rows)], solutions[: len(rows)])

    return answers


def _one_by_one(name: str, rows: NDArray[np.uint8], limit: int) -> TimedCall:
    """Return calls that solve the puzzles one by one, as a user of Python does."""
    calls: Mapping[int, Callable[[str], Any]] = {1: lambda line: solve(line) is not None, 2: check}
    call, text = calls.get(limit, partial(count, limit=limit)), lines(rows)
    start = Row(name, f"unidoku {kernel.isa()}", "single", 1, limit, len(rows))
    return TimedCall(start, lambda: TimedAnswers([*map(int, map(call, text))]))


def _backtracker(
    name: str, rows: NDArray[np.uint8], known: NDArray[np.uint64], limit: int, seconds: float
) -> Row:
    """Return the row of the backtracker on as many puzzles as it has time for, with unidoku in turn.

    If it takes more than a third of the time, it does not run again.
    """
    text, stop, spent, done, cut_off = lines(rows), max(seconds / 3, 0.02), 0.0, 0, 0
    start = Row(name, "naive", "single", 1, limit)
    while done < len(text) and spent < stop and not cut_off:
        answer, time = count_in_time(text[done], limit, stop)
        spent, done, cut_off = spent + time, done + 1, int(answer is None)
        if answer is not None:
            _refuse_wrong(start, rows[done - 1 : done], TimedAnswers([answer]), known[done - 1 :])
    start = replace(start, puzzles=done, cut_off=cut_off, stop=stop if cut_off else None)
    ours = _one_by_one(name, random_images(np.resize(rows[:done], (_FEW, 81))), limit)
    if cut_off:
        (measured,) = run_in_turn([ours], stop / 10)
        assert measured.seconds
        ratio = spent / done / measured.seconds if done > 1 else None  # one puzzle says nothing
        return replace(start, seconds=spent / done, ratio=ratio, runs=1)
    naive = TimedCall(start, lambda: TimedAnswers([count_solutions(line, limit) for line in text[:done]]))
    return run_in_turn([ours, naive], seconds - spent)[1]


def _of_program(
    program: SolverProgram, ours: Row, rows: NDArray[np.uint8], known: NDArray[np.uint64], seconds: float
) -> Row:
    """Return the row of a program on as many puzzles as it has time for, compared with unidoku.

    A run with one puzzle tells how long its start takes, which does not count.
    """
    text, stop, number = lines(rows), max(4 * seconds, 2.0), 1
    start = Row(ours.set, program.command, "batch", 1, ours.limit)
    answers, first = program.run(text[:1], stop)
    spent = first
    try:
        while answers is not None:
            _refuse_wrong(start, rows[:number], TimedAnswers(*counts_and_solutions(answers, known)), known)
            if number == len(text) or spent - first > seconds / 2:
                break
            number = min(4 * number, len(text))
            answers, spent = program.run(text[:number], stop)
    except UnidokuError as error:
        return replace(start, puzzles=number, remark=error.message)
    row = replace(start, puzzles=number, seconds=spent, runs=1)
    if answers is None:
        row = replace(row, cut_off=number, stop=stop)
    if number == 1:  # nothing to compare
        return row
    each = max(spent - first, 0) / (number - 1)
    return replace(row, seconds=each, ratio=each / (ours.seconds or inf))


def _refuse_wrong(
    row: Row, rows: NDArray[np.uint8], answers: TimedAnswers, known: NDArray[np.uint64]
) -> None:
    """Raise an error about the first wrong answer: its puzzle, what is right, and what was found."""
    given = np.minimum(np.asarray(answers.counts, np.uint64), np.uint64(row.limit))
    counts = known[: len(given)]
    right = given == counts
    if answers.solutions is not None:
        solved = verify_rows(rows, answers.solutions, is_known=False)["solved"]
        right &= np.where(counts > 0, solved, ~answers.solutions.any(axis=1))
    if not right.all():
        wrong = int(np.flatnonzero(~right)[0])
        puzzle, expected, found = lines(rows[wrong : wrong + 1])[0], int(counts[wrong]), int(given[wrong])
        values: tuple[object, object] = (expected, found)
        if answers.solutions is not None and expected:
            values = (solve(puzzle) or Grid("." * 81)).line, lines(answers.solutions[wrong : wrong + 1])[0]
        text = "{solver}: wrong answer to the puzzle {puzzle}: expected {expected}, found {found}"
        fields = {"solver": f"{row.solver}, {row.call}", "puzzle": puzzle}
        raise UnidokuError(Message(text, **fields, expected=values[0], found=values[1]))


def _effort(
    cells: NDArray[np.uint8], limit: int
) -> tuple[dict[str, dict[str, float]], tuple[Difficulty, ...]]:
    """Return typical figures of the search for these puzzles, and the puzzles with the most guesses."""
    counts, guesses, rounds = np.zeros((3, len(cells)), np.uint64)
    efforts = {"guesses": guesses, "rounds": rounds}
    kernel.isa_module().solve_cells(*kernel.with_starts(cells), zero=0, limit=limit, counts=counts, **efforts)
    places = {"median": 50, "most90": 90, "most99": 99, "most": 100}
    typical = {
        name: {key: float(np.percentile(values, place)) for key, place in places.items()}
        for name, values in efforts.items()
    }
    order = np.lexsort((-rounds.astype(np.int64), -guesses.astype(np.int64)))[:_SLOWEST]
    named = zip(order.tolist(), lines(cells[order]), strict=True)
    return typical, tuple(Difficulty(k + 1, line, int(guesses[k]), int(rounds[k])) for k, line in named)
