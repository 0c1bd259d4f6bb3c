"""Make: Write new proper puzzles.

The task `generate`: new puzzles, made while a run takes them, and their ratings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any, ClassVar

import click

from unidoku._arguments import seed_of, whole_number
from unidoku._cli.call import Call
from unidoku._cli.command import Command
from unidoku._cli.inputs import grid_named, text_named
from unidoku._cli.run import CommandResult, timed_out_error
from unidoku._clue_symmetry import SYMMETRIES
from unidoku._columns import ColumnSpec
from unidoku._conditions import Condition
from unidoku._options import POSITIVE, TABLE, Choice, CommandOptions, Conditions, Option, option
from unidoku._table.batch import Batch
from unidoku._table.column import CellValues, Column
from unidoku._task import ResultBatch, Task, Work
from unidoku._threads import Cancel
from unidoku.counting import unique_solutions
from unidoku.craft._generate import VAIN_ATTEMPTS, PuzzleMaker
from unidoku.craft._request import REQUEST_COLUMNS, UNIFORM, Request, shares_of
from unidoku.errors import ArgumentError, FormatError, Message, SearchStoppedError, UnidokuError
from unidoku.files._formats import output_format
from unidoku.files._inputs import MemoryInput
from unidoku.files._output import is_folder
from unidoku.rating._columns import EFFORT, RATINGS
from unidoku.rating._ratings import effort_column
from unidoku.rating._scale import DIFFICULTIES, SCALE
from unidoku.runner._run import run
from unidoku.runner._summary import Summary
from unidoku.tasks._rate import rating_columns
from unidoku.tasks._shared import SEED, SOLUTIONS

DIFFICULTY_WORDS = ("beginner", *DIFFICULTIES)
"""The words that --difficulty accepts."""


def fields_of(conditions: Iterable[Condition]) -> dict[str, Any]:
    """Return the parameters of a `Request` for conditions on `REQUEST_COLUMNS`."""
    fields = dict[str, Any]()
    for condition in conditions:
        name = condition.column
        value: Any = condition.value
        column = REQUEST_COLUMNS.get(name)
        if column is None:
            choices = ", ".join(REQUEST_COLUMNS)
            text = "invalid condition {condition}; write one of {choices}, with = and a value"
            raise ArgumentError(Message(text, condition=repr(str(condition)), choices=choices))
        if column.bounds:  # two ends
            value = condition.number_range(0.1 if column.type == "float64" else 1)
        elif column.type == "string":
            value, *more = condition.words
            if more:
                text = "{name}: expected one word, not {value}"
                raise ArgumentError(Message(text, name=name, value=repr(condition.value)))
        fields[name] = value
    return fields


class RequestConditions(Conditions):
    """Conditions on the columns of new puzzles, as parameters of a `Request`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the parameters."""
        try:
            return fields_of(super().convert(value, param, ctx))
        except UnidokuError as error:
            self.fail(Message("{text}.", text=error), param, ctx)


_ROUNDED = 1e-6  # of a sum of percent


def _difficulty(text: str) -> Any:
    """Return the word, or the shares of several by word: ``easy=40%,hard=60%``."""
    if "=" not in text:
        return text
    mixture = dict[str, float]()
    items = [item.partition("=") for item in text.split(",")]
    try:
        for word, _, share in items:
            if word.strip() in mixture:
                raise ArgumentError(Message("a word occurs twice"))
            mixture[word.strip()] = _share(share)
        total = sum(mixture.values())
        if "%" in text and abs(total - 100) > _ROUNDED:
            text_of_sum = "the shares add up to {total}%; change them to add up to 100%"
            raise ArgumentError(Message(text_of_sum, total=f"{total:g}"))
        shares_of(mixture)
    except ValueError as error:
        message = Message(
            "{text} is not a mixture such as easy=40%,hard=40%,expert=20%: {error}",
            text=repr(text[:60]),
            error=error,
        )
        raise click.BadParameter(message) from None
    return mixture


def _share(text: str) -> float:
    """Return a share of a mixture, which may have a percent sign."""
    try:
        return float(text.strip().removesuffix("%"))
    except ValueError:
        raise ArgumentError(Message("{text} is not a number", text=repr(text[:60]))) from None


def _clues(text: str) -> Any:
    """Return the fewest and the most clues."""
    try:
        return fields_of([Condition("clues", (text.strip(),))])["clues"]
    except UnidokuError as error:
        raise click.BadParameter(error.message) from None


CLUES = Option(
    "clues",
    "Make puzzles with N clues, or with A to B.",
    type=_clues,
    metavar="N|A-B",
)
SYMMETRY = Option(
    "symmetry",
    f"Make the pattern of clues symmetric: {', '.join(SYMMETRIES)}.",
    type=Choice(SYMMETRIES),
    metavar="WORD",
    default="none",
)
DIFFICULTY = Option(
    "difficulty",
    "Choose by difficulty: beginner (hidden singles in boxes, 30 clues or more), "
    "easy, medium, hard, expert, extreme; or a mixture: easy=40%,hard=60%.",
    type=_difficulty,
    metavar="WORD",
)


class Generate(Task):
    """Write new proper puzzles.

    Without -n, one puzzle is written. Without --clues, clues are removed as long as the puzzle stays proper;
    --symmetry removes them in symmetric sets.

    Formats with columns also have the ratings of rate; --columns puzzle omits them. Choose puzzles with
    --difficulty by their hardest step, or with --where by columns of rate: --where effort=150-250 chooses by
    how long a person takes.

    The exit code is 0, or 1 if too few puzzles were found, or 2 after an error.

    Parameters
    ----------
    request : unidoku.craft.Request
        The properties of the puzzles. The input of a run has the puzzles: see `puzzles`.
    seed, count, attempts
        As for `unidoku.generate`.
    solutions, ratings : bool
        Whether to write the solutions and the ratings as well.
    """

    columns: ClassVar[Mapping[str, ColumnSpec]] = {
        "puzzle": ColumnSpec("cells", "the puzzle"),
        **RATINGS,
        **EFFORT,
        "solution": ColumnSpec("cells", "its solution, with --solutions"),
    }
    summary_counts: ClassVar[tuple[str, ...]] = ("attempts",)
    batch_size: ClassVar[int] = 1024  # rating takes long
    request: Request = field(default_factory=Request)
    seed: int | None = None
    count: int = 1
    attempts: int | None = None
    solutions: bool = False
    ratings: bool = False
    difficulty: Any = None
    """A mixture of difficulties, by word."""

    def values(self) -> dict[str, Any]:
        """Check the numbers, and draw a seed if there is none."""
        return {
            "seed": seed_of(self.seed),
            "count": whole_number("count", self.count),
            "attempts": None if self.attempts is None else whole_number("attempts", self.attempts, 1),
        }

    @property
    def default_columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """The columns that it makes."""
        return ("puzzle", *(RATINGS if self.ratings else ()), *(["solution"] if self.solutions else []))

    def to_json(self) -> dict[str, Any]:
        """Return the parameters, and the scale of the ratings."""
        return {**super().to_json(), **({"scale": SCALE} if self.ratings else {})}

    @property
    def line_columns(self) -> tuple[str, ...] | None:  # type: ignore[override]
        """The columns of lines; with solutions, these also."""
        if self.solutions:
            return ("puzzle", "solution")
        return None

    def maker(self, *, threads: int | None = None, cancel: Cancel | None = None) -> PuzzleMaker:
        """Return what makes the puzzles."""
        fields: Any = dict(self.request.fields)
        if self.difficulty is not None:
            fields["difficulty"] = self.difficulty
        limits: Any = {"attempts": self.attempts or 0, "threads": threads, "cancel": cancel}
        return PuzzleMaker(fields, self.count, self.seed or 0, **limits)

    def puzzles(self, *, threads: int | None = None, cancel: Cancel | None = None) -> MemoryInput:
        """Return the puzzles as the input of a run, which makes them."""
        return MemoryInput(self.maker(threads=threads, cancel=cancel), self.count)

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Solve and rate the puzzles."""
        columns = {"puzzle": batch.puzzles(), **rating_columns(batch, work, cancel)}
        if "effort" in work.columns:
            columns["effort"] = effort_column(batch, cancel=cancel)
        if "solution" in work.columns:
            solutions = unique_solutions(batch, cancel)
            columns["solution"] = Column(CellValues(solutions, range(0, len(solutions), 81), 0))
        yield ResultBatch(batch, columns)


def write(
    task: Generate,
    _: object,
    output: str,
    *,
    to: str | None,
    columns: tuple[str, ...] | None,
    threads: int | None,
    puzzle_timeout: float | None,
    cancel: Cancel,
    **running: Any,
) -> Summary:
    """Write puzzles, as many as there is time for, with ratings if the format has columns.

    Too few are an error.
    """
    if is_folder(output):
        return run(task, task.puzzles(), output)  # which refuses it
    form = output_format(output, to, rows=False)
    if task.solutions and not (form.has_columns or form.suffix == ".txt"):
        text = "{suffix} cannot hold solutions; use txt, csv, tsv, jsonl, parquet or arrow"
        file = "<stdout>" if output == "-" else output
        raise FormatError(Message(text, suffix=form.suffix), file=file)
    solutions = task.solutions or form.format.name == "npz"  # arrays are for training
    task = replace(task, solutions=solutions, ratings=columns is None and form.has_columns)
    with cancel.limited(puzzle_timeout) as stop:
        maker = task.maker(threads=threads, cancel=stop)

        def in_time() -> Iterator[bytes]:
            """Yield puzzles until there are no more, or their time is over; a `cancel` is an error."""
            try:
                yield from maker
            except SearchStoppedError:
                cancel.raise_if_set()

        puzzles: Any = MemoryInput(in_time(), task.count)
        summary = run(
            task, puzzles, output, to=to, columns=columns, threads=threads, cancel=cancel, **running
        )
        is_late = bool(stop)
    summary.task_counts["attempts"] = maker.attempts
    if not summary.complete or summary.written >= task.count:
        return summary
    if maker.attempts and not (is_late and summary.written):
        shortage = maker.error()
    else:
        numbers = {"total": f"{summary.written:,}", "count": f"{task.count:,}"}
        reason = timed_out_error(puzzle_timeout or 0)
        text = "only {total} of {count} puzzles found; {reason}"
        shortage = maker.error(Message(text, **numbers, reason=reason))
    shortage.summary = summary
    raise shortage


class _GenerateOptions(CommandOptions):
    count: int | None = option(None, "Write N puzzles.", POSITIVE, flags=("-n", "--count"))
    seed: int | None = SEED.field()
    clues: Any = CLUES.field()
    symmetry: str = SYMMETRY.field()
    pattern: str | None = option(
        None,
        "Put clues into exactly these cells: 81 characters, . for none, or a file.",
        metavar="CELLS",
        callback=lambda _, __, value: text_named(value),
    )
    minimal: bool = option(False, "Make only puzzles without redundant clues.")
    solution: str | None = option(
        None,
        "Give all puzzles this solution, or the solution in a file. With uniform, draw solutions from all "
        "grids evenly, which is slower.",
        show_default="random",
        metavar="GRID",
        callback=lambda _, __, value: value if str(value).lower() == UNIFORM else grid_named(value),
    )
    difficulty: Any = DIFFICULTY.field()
    where: dict[str, Any] | None = option(
        None,
        "Choose puzzles by columns of rate, such as er=3.0-4.4,technique=x-wing: "
        f"{', '.join(REQUEST_COLUMNS)}.",
        RequestConditions(),
        metavar="COLUMN=VALUE",
    )
    attempts: int | None = option(
        None,
        "Make at most N attempts in all.",
        POSITIVE,
        show_default=f"no limit; {VAIN_ATTEMPTS:,} if no puzzle is found",
    )
    solutions: bool = SOLUTIONS.field()


def command(call: Call[Generate, _GenerateOptions]) -> CommandResult:
    """Write puzzles."""
    own = call.own
    names = ("clues", "symmetry", "pattern", "minimal", "solution", "difficulty")
    fields: dict[str, Any] = {name: getattr(own, name) for name in names} | (own.where or {})
    mixture = None
    if isinstance(fields["difficulty"], dict):
        mixture = fields.pop("difficulty")
    request = Request(**fields)
    call.about = Generate(request, own.seed, own.count or 1, own.attempts, own.solutions, difficulty=mixture)
    call.inputs = []
    summary = call.run(write)
    outcome = call.counted(summary)
    if own.count is None and call.output == "-":
        return outcome._replace(fields=None)
    return outcome._replace(fields={"files": [], "seed": call.about.seed})


COMMAND = Command(
    Generate,
    examples=(
        "unidoku generate -n 100 --seed 1 --clues 24-28 -o new.txt",
        "unidoku generate -n 3 --where er=3.0-4.4 --solutions --to csv",
    ),
    function=command,
    own=_GenerateOptions,
    options=(
        TABLE["puzzle_timeout"].replace(help="Give up after this time."),
        *("output", "to"),
        TABLE["columns"].replace(help="Comma-separated columns: puzzle or any above."),
        *("threads", "quiet"),
    ),
    argument=None,
)
