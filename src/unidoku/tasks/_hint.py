"""Solve and explain: Give the next step of each puzzle.

The capability `hint`: the next step of a puzzle, in words for one.

`unidoku.hint` is in `unidoku.rating._steps`, its sentences are in `unidoku.rating._sentences`.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, field
from typing import Any, ClassVar

from unidoku._cli.call import Call
from unidoku._cli.command import Command
from unidoku._cli.inputs import grid_named, text_named
from unidoku._cli.run import CommandResult
from unidoku._columns import REASON, ColumnSpec
from unidoku._options import LANG, Whole, option
from unidoku._table.batch import Batch
from unidoku._task import PuzzleReport, ResultBatch, Task, Work
from unidoku._threads import Cancel
from unidoku._words import Line, table
from unidoku.errors import ArgumentError, InvalidPuzzleError, Message
from unidoku.grid import Grid
from unidoku.rating._columns import STEP
from unidoku.rating._deduction import Deduction, masks_of
from unidoku.rating._names import is_technique_alone, words_for
from unidoku.rating._scale import SCALE
from unidoku.rating._sentences import Sentences
from unidoku.rating._steps import all_steps, hint, hint_of, path_of
from unidoku.tasks._shared import BLACK, every_step
from unidoku.tasks._steps import FAST, step_results

_EXERCISES = 4
"""The positions to solve on a sheet: with room for the answers they fill a page."""
_DEGREES = {1: "which", 2: "what", 3: "pattern"}
"""The fields of a hint by `--degree`."""
_ONE_DEGREE = Message(
    "--degree is for the sentence of a hint; JSON has every degree, and --all and pictures the whole steps"
)


class HintTask(PuzzleReport, Task):
    """Give the next step of each puzzle.

    For one PUZZLE, hint names a mistake in --filled or --pencil-marks, or gives the next step of Sudoku
    Explainer. The cell r4c2 is in row 4, column 2. Write -o hint.svg, .png, .html or .pdf to draw the step.
    With --technique, several puzzles make a worksheet for a class.

    For files, or with --to, --columns or -o, each puzzle gets a row with its next step or a reason.

    Parameters
    ----------
    all, pencil_marks, filled, technique, black : optional
        For one puzzle on the command line.
    degree : int, optional
        How much the sentence says.
    lang : {"en", "zh"}
        The language of the sentence.
    """

    columns: ClassVar[Mapping[str, ColumnSpec]] = {
        **STEP,
        "sentence": ColumnSpec("string", "the hint in one line"),
    }
    batch_size: ClassVar[int] = 256  # as for steps: one puzzle may take seconds
    takes_positions: ClassVar[bool] = True
    pencil_marks: str | None = option(
        None,
        "Read the pencil marks from this board or file.",
        show_default="all candidates",
        metavar="MARKS",
        callback=lambda _, __, value: text_named(value),
    )
    filled: str | None = option(
        None,
        "Read the digits filled in so far from this board or file.",
        show_default="the digits of PUZZLE",
        metavar="GRID",
        callback=lambda _, __, value: grid_named(value),
    )
    technique: str | None = option(None, "Give the first step by this technique.", metavar="NAME")
    degree: int | None = option(
        None,
        "Say only which technique (1), also in which house (2), or the pattern (3).",
        Whole(1, 3),
        show_default="the whole step",
        metavar="1|2|3",
    )
    all: bool = option(False, "List every step of one PUZZLE, easiest first.")
    black: bool = BLACK.field()
    lang: str = LANG.field()
    scale: str = field(default=SCALE, init=False)

    def __post_init__(self) -> None:
        """Check the parameters, and that filled digits and pencil marks can be read."""
        super().__post_init__()
        values = (("--filled", self.filled, Grid), ("--pencil-marks", self.pencil_marks, masks_of))
        for name, value, read in values:
            try:
                if value is not None:
                    read(value)
            except InvalidPuzzleError as error:
                raise ArgumentError(Message("{name}: {message}", name=name, message=error)) from error

    @property
    def default_columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """The columns of a step; with a degree only its sentence, because they would say more."""
        return ("puzzle", "file", *(() if self.degree else FAST), "sentence", *REASON)

    @property
    def has_sheets(self) -> bool:
        """Whether a PDF or page shows steps of several puzzles."""
        return self.technique is not None and self.filled is self.pencil_marks is None

    @property
    def columns_read(self) -> Collection[str]:
        """The candidates, in addition to the digits ``before``."""
        return ("candidates",)

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Find the first step of each puzzle."""
        self.refuse_black()
        if self.technique is not None:
            column = "technique" if is_technique_alone(self.technique) else "name"
            condition = _condition(column, self.technique)
            text = "--technique works on one PUZZLE; for rows, type unidoku steps FILE --where {condition}"
            raise ArgumentError(Message(text, condition=condition))
        for name in ("filled", "pencil_marks", "all"):
            if getattr(self, name) not in (None, False):
                text = "{option} works on one PUZZLE; omit --to, --columns and --output"
                raise ArgumentError(Message(text, option=f"--{name.replace('_', '-')}"))
        say = Sentences(self.lang)

        def line(part: Deduction) -> str:
            return say.stages(part.whole())[_DEGREES[self.degree]] if self.degree else say.line(part.whole())

        yield step_results(batch, work, cancel, 1, line)

    def svg(self, puzzle: bytes | str) -> str:
        """Return the picture of the hint."""
        return str(self._drawn("picture", puzzle, with_legend=True))

    def html(self, puzzle: bytes | str) -> str:
        """Return the page of the hint."""
        return str(self._drawn("hint_page", puzzle))

    def pdf(self, puzzle: bytes | str) -> bytes:
        """Return the page as a PDF."""
        return bytes(self._drawn("hint_pdf", puzzle))

    def _drawn(self, name: str, puzzle: bytes | str, **look: bool) -> Any:
        """Return the hint for a position of one puzzle, drawn by a function of `unidoku.view._step`."""
        from unidoku.view import _step as step  # not at the top: rows need no drawing

        found = result(self, puzzle)
        if self.all:
            raise ArgumentError(Message("--all prints text only; omit --output"))
        if found is None:
            raise ArgumentError(table(self.lang)["rating"]["full"])
        return getattr(step, name)(found, lang=self.lang, black=self.black, **look)

    def refuse_black(self) -> None:
        """Refuse the look of a picture for anything else."""
        if self.black:
            raise ArgumentError(
                Message("--black works only for pictures and pages; add -o hint.svg, .png, .html or .pdf")
            )


def _condition(column: str, word: str) -> str:
    """Return the condition on a column for a technique, as a shell takes it."""
    return f'"{column}={word}"'


def result(task: Any, puzzle: bytes | str) -> Any:
    """Return the hint for a position of one puzzle, or all its steps."""
    if task.technique is not None:
        return next(_by_technique(task, [puzzle]))
    find = all_steps if task.all else hint
    return find(puzzle, task.pencil_marks, filled=task.filled, lang=task.lang)


def as_json(call: Call[HintTask, None], puzzle: bytes | str) -> CommandResult:
    """Return the same as objects, which have the hint in all degrees."""
    task = call.about
    if task.degree:
        raise ArgumentError(_ONE_DEGREE)
    task.refuse_black()
    found = result(task, puzzle)
    if task.all:
        return CommandResult(rows=[[*map(asdict, found)]])
    return CommandResult(rows=[None if found is None else asdict(found)])


def _by_technique(task: Any, puzzles: Iterable[Any]) -> Iterator[Any]:
    """Yield the first step by the technique of each puzzle that has one; none at all is an error."""
    wanted, is_there = words_for("--technique", task.technique), False
    used = dict[str, float]()
    for puzzle in puzzles:
        steps = path_of(puzzle, marks=task.pencil_marks, filled=task.filled).deductions
        used |= {step.name: step.rating for step in steps}
        if step := next((step for step in steps if not wanted.isdisjoint((step.name, step.technique))), None):
            is_there = True
            yield hint_of(step.before, step, task.lang)
    if not is_there:
        words = table(task.lang)["names"]
        names = ", ".join(words[name] for name in sorted(used, key=used.__getitem__)) or Message("none")
        column = "technique" if is_technique_alone(task.technique) else "uses"
        text = (
            "no step of the solution is {name}, only {names}; to make a puzzle with one, type unidoku "
            "generate --where {condition}"
        )
        condition = _condition(column, task.technique)
        raise ArgumentError(Message(text, name=repr(task.technique), names=names, condition=condition))


def show(call: Call[HintTask, None], puzzle: bytes | str) -> CommandResult:
    """Return the hint for a position in words, with a line for each chain; on a terminal with the board."""
    task = call.about
    task.refuse_black()
    next_step = result(task, puzzle)
    lines: list[str] | list[Line] = [str(next_step)]
    if task.all:
        is_full = hint(puzzle, task.pencil_marks, filled=task.filled) is None
        lines = [every_step(next_step, task.lang, is_full=is_full)]
    elif next_step is None:
        lines = [table(task.lang)["rating"]["full"]]
    elif task.degree:
        lines = [str(getattr(next_step, _DEGREES[task.degree]))]
    elif sys.stdout.isatty():
        from rich.console import Console  # not at the top: it is needed seldom

        from unidoku.view import _step as step  # not at the top: a pipe needs no drawing

        console, width = Console(file=sys.stdout), shutil.get_terminal_size().columns
        color = console.color_system is not None and not console.no_color  # NO_COLOR forbids it
        text = str(next_step).split("\n")
        lines = step.drawn_hint(next_step, text, width=width, color=color, lang=task.lang)
    return CommandResult(text=lines)


def command(call: Call[HintTask, None]) -> CommandResult:
    """Print, draw or write the hints; several puzzles with a technique make a worksheet."""
    task = call.about
    if task.degree and any((call.picture, task.all)):
        raise ArgumentError(_ONE_DEGREE)
    if not task.has_sheets or call.picture in {"", "svg"} or call.only_puzzle() is not None:
        return call.answer()
    from unidoku.rating._answers import answers
    from unidoku.view import _step as step  # not at the top: rows need no drawing

    puzzles = (each.subject for each in call.puzzles())
    example = next(_by_technique(task, puzzles))
    exercises = list[Any]()
    for puzzle in puzzles:
        steps = (found for found in path_of(puzzle).deductions if found.name == example.name)
        if found := next(steps, None):
            own = answers(found.before, found.name) or [found.whole()]
            hints = [hint_of(found.before, answer, task.lang) for answer in own]
            exercises.append(step.Exercise(found.before, hints))
        if len(exercises) == _EXERCISES:
            break
    sheet = step.class_page if call.picture == "html" else step.class_pdf
    call.write(sheet(example, exercises, lang=task.lang, black=task.black), call.picture)
    return CommandResult()


COMMAND = Command(
    HintTask,
    examples=(
        "unidoku hint puzzles.txt --columns line,sentence --to csv",
        "unidoku hint puzzles.txt -o hints.parquet",
    ),
    function=command,
    shows={"json": as_json, "text": show},
)
