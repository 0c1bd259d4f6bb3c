"""Solve and explain: Print the first solution of each puzzle, or all.

The command `solve`: the first solutions of puzzles in files, or with ``--all`` a row for each.

`unidoku.solve` is in `unidoku.tasks._single`, `unidoku.solve_many` in `unidoku.tasks._check_many`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from math import inf
from time import process_time
from typing import Any, ClassVar, NamedTuple

import click

from unidoku import kernel
from unidoku._arguments import MAX_COUNT
from unidoku._cli.call import Call
from unidoku._cli.command import Command
from unidoku._cli.run import CommandResult
from unidoku._cli.terminal import print_message, print_report
from unidoku._columns import ColumnSpec
from unidoku._compat import np, view
from unidoku._options import PARTS, RUNNING, SEARCHING, TABLE, CommandOptions, option
from unidoku._table.batch import Batch
from unidoku._task import PuzzleReport, ResultBatch, Task, Work
from unidoku._threads import Cancel
from unidoku._verdict import ImproperPuzzleError, Verdict
from unidoku._words import language, say, translatable
from unidoku.errors import Message
from unidoku.files._formats import output_format
from unidoku.grid import Grid
from unidoku.tasks._check import Check
from unidoku.tasks._search import Search
from unidoku.tasks._shared import SOLUTION_COUNT, examined
from unidoku.tasks._single import check, solve

_FEW = 64  # solutions in the first step of the search of a puzzle
_CHUNK = 1024  # solutions in a later step, and rows in a piece
_CALLS = 8  # the fastest is timed
_NAIVE_SECONDS = 10.0
"""How long the backtracker of the article may search, unless --timeout says it."""


class Solve(PuzzleReport, Search):
    """Print the first solution of each puzzle, or all.

    Each puzzle gets a line: 81 digits, "none" if it has no solution, or "invalid" if the record is not a
    puzzle. Formats other than txt have the columns of check. For one PUZZLE, a note says if it has no or
    several solutions. A terminal shows its solution as a board, and -o solved.svg draws it.

    With --all, each solution gets a line, puzzle by puzzle. Formats with columns have its number from 1,
    whether it is the last solution of its puzzle, and the solution. A puzzle without solutions has a reason
    there.

    The exit code is 0 if every puzzle has a solution, 1 if not, 2 after an error. With --all it is 1 only if
    a record is not a puzzle.
    """

    line_columns: ClassVar[tuple[str, ...]] = ("solution",)
    takes_positions: ClassVar[bool] = True

    limit = 1

    def svg(self, puzzle: bytes | str) -> str:
        """Return the solution of a puzzle as a picture."""
        solution = solve(puzzle)
        if solution is None:
            raise _error(puzzle, Verdict.NONE)
        return view("svg.svg", solution, givens=puzzle, labels="rc", lang=language())


class _Chunk(NamedTuple):
    """Solutions of the puzzle of a row, the number of solutions before, and whether they are the last."""

    row: int
    begin: int
    is_last: bool
    digits: bytes


class SolutionsTask(Task):
    """Every solution of each puzzle, or the first `count` of them.

    Parameters
    ----------
    count : int, optional
        Largest number of solutions of each puzzle; by default all.
    """

    columns: ClassVar[Mapping[str, ColumnSpec]] = {
        "number": ColumnSpec("uint64", "number of the solution, from 1"),
        "last": ColumnSpec("bool", "whether the puzzle has no further solution"),
        "solution": ColumnSpec("cells", "the solution"),
    }
    line_columns: ClassVar[tuple[str, ...]] = ("solution",)
    batch_size: ClassVar[int] = 2048
    count: int | None = SOLUTION_COUNT.field()

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Yield the solutions in pieces: a puzzle may have more than memory holds."""
        chunks: list[_Chunk] = []
        begin = rows = 0
        for row, puzzle in enumerate(batch.cells):
            for chunk in _chunks(puzzle.tobytes(), row, self.count or MAX_COUNT, cancel):
                if rows >= _CHUNK:
                    last_row = chunks[-1].row
                    yield _results(batch, chunks, begin, last_row)
                    begin, rows, chunks = last_row + 1, 0, []
                if chunk.digits:
                    chunks.append(chunk)
                    rows += len(chunk.digits) // 81
        yield _results(batch, chunks, begin, len(batch))


def _chunks(puzzle: bytes, row: int, limit: int, cancel: Cancel) -> Iterator[_Chunk]:
    """Yield the first solutions of a puzzle; the last one of each search step comes with the next chunk."""
    search, digits, begin, size = kernel.solution_search(puzzle), b"", 0, _FEW
    remainder = limit + 1  # with one more, the last is not written
    while remainder:
        size = min(remainder, size)
        grids = kernel.chunk_of(search, size, cancel)
        is_last, digits, remainder = len(grids) < 81 * size, digits + grids, remainder - size
        count = len(digits) // 81 - (not is_last)
        yield _Chunk(row, begin, is_last, digits[: 81 * count])
        if is_last:
            return
        digits, begin, size = digits[-81:], begin + count, _CHUNK


def _results(batch: Batch, chunks: list[_Chunk], begin: int, end: int) -> ResultBatch:
    """Return some solutions; the other puzzles from `begin` to before `end` have none."""
    sizes = np.array([len(chunk.digits) // 81 for chunk in chunks], np.int64)
    ends = np.cumsum(sizes)
    rows = np.repeat(np.array([chunk.row for chunk in chunks], np.int64), sizes)
    offsets = np.array([chunk.begin for chunk in chunks], np.int64) - (ends - sizes)
    is_last = np.zeros(len(rows), np.bool_)
    is_last[ends - 1] = [chunk.is_last for chunk in chunks]
    digits = np.frombuffer(b"".join(chunk.digits for chunk in chunks), np.uint8)
    columns: dict[str, Any] = {
        "number": np.arange(1, len(rows) + 1) + np.repeat(offsets, sizes),
        "last": is_last,
        "solution": digits.reshape(-1, 81),
    }
    from unidoku.rating._scale import REASONS  # not at the top: a puzzle with a solution starts faster

    unsolved = np.setdiff1d(np.arange(begin, end), rows).tolist()
    return ResultBatch(batch, columns, rows, dict.fromkeys(unsolved, REASONS[Verdict.NONE]), done=end)


def _error(puzzle: bytes | str, verdict: Verdict) -> ImproperPuzzleError:
    """Return the error for a puzzle without a solution."""
    from unidoku.rating._scale import improper_error  # not at the top: a puzzle with a solution starts faster

    return improper_error(Grid(puzzle), verdict)


_SAYS = {True: translatable("exactly one solution"), False: translatable("not exactly one solution")}
"""The answer of a program to a puzzle."""


def _compare(puzzle: bytes | str, seconds: float, *, as_json: bool) -> CommandResult:
    """Return the answers of unidoku and of the article's program to a puzzle, and their times.

    The line of unidoku is printed before the other program begins, which may take all its seconds.
    """
    from unidoku.naive import try_article  # not at the top: few ask

    line, best = Grid(puzzle).line, inf
    is_unique = check(line) is Verdict.UNIQUE
    for _ in range(_CALLS):
        begin = process_time()
        check(line)
        best = min(best, process_time() - begin)
    if not as_json:
        first = say("unidoku: {answer}, {time} ms", answer=say(_SAYS[is_unique]), time=_milliseconds(best))
        print_report([first], sys.stdout)
        sys.stdout.flush()
    found, article_seconds, corrected_seconds = try_article(line, seconds)
    article, corrected = say("the article's program"), say("corrected")
    lines = [
        _trial(article, seconds, found.article, found.article_states, article_seconds),
        _trial(corrected, seconds, found.corrected, found.corrected_states, corrected_seconds),
    ]
    times = {"article_seconds": article_seconds, "corrected_seconds": corrected_seconds}
    row = {"unidoku": is_unique, "unidoku_seconds": best, **found._asdict(), **times}
    return CommandResult(text=lines, rows=[row], is_right=None not in found)


def _trial(name: str, limit: float, answer: bool | None, states: int, seconds: float) -> str:
    """Return the answer of a program to a puzzle, or that it had none in time."""
    fields = {"name": name, "n": f"{states:,}"}
    if answer is None:
        text = "{name}: no answer after {seconds} s, {n} boards; --timeout SECONDS allows more"
        return say(text, seconds=f"{limit:g}", **fields)
    text = "{name}: {answer}, {n} boards, {time} ms"
    return say(text, answer=say(_SAYS[answer]), time=_milliseconds(seconds), **fields)


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:,.3g}"


class _SolveOptions(CommandOptions):
    all: bool = option(False, "Write every solution.")
    count: int | None = SOLUTION_COUNT.field()
    naive: bool = option(
        False,
        "Run the backtracker of an article (docs/zh.md) on one puzzle and time it, for 10 seconds at most.",
    )


def command(call: Call[Task, _SolveOptions]) -> CommandResult:
    """Write the solutions; on a terminal, draw the solution of one puzzle."""
    own = call.own
    if own.naive:
        if call.puzzle is None or own.all:
            text = "--naive works on one PUZZLE, and not with --all; type its 81 characters"
            raise click.UsageError(Message(text))
        seconds = call.options.puzzle_timeout or _NAIVE_SECONDS
        return _compare(call.puzzle, seconds, as_json=call.show.json)
    if own.all:
        call.about, call.shows = SolutionsTask(own.count), {}
        return call.answer()
    if call.puzzle is not None and call.show.for_people:
        verdict = check(call.puzzle)
        if verdict is Verdict.NONE:
            call.note(_error(call.puzzle, verdict))
        elif verdict is Verdict.MULTIPLE:
            print_message(say("note: this is one of several solutions; unidoku diagnose shows why"))
    if not call.picture:
        options = call.rows[1]
        is_table = options.columns or call.path.endswith("/")
        if is_table or output_format(call.path, options.to, rows=True).suffix != ".txt":
            call.about = Check()
    return call.answer(lambda summary: call.told(summary, is_right=not summary.none))


COMMAND = Command(
    Solve,
    examples=(
        "unidoku solve puzzles.txt -o solved.txt",
        "unidoku solve puzzles.txt --all -n 3 -o solutions.parquet",
    ),
    function=command,
    own=_SolveOptions,
    options=(
        *("output", "to"),
        TABLE["columns"].replace(
            help="Comma-separated columns: puzzle, file, line, solution, reason, columns of check, "
            "number and last with --all, or input columns.",
            show_default="all; for txt solution",
        ),
        *("where", "keep", *PARTS, *SEARCHING, *RUNNING),
    ),
    shows={
        "json": examined(lambda answer: answer.solution is not None),
        "terminal": lambda _, puzzle: CommandResult(text=[str(grid)]) if (grid := solve(puzzle)) else None,
    },
)
