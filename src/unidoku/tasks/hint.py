"""The capability `hint`: the next step of a puzzle, in words for one.

`unidoku.hint` is in `unidoku.rating.steps`, its sentences are in `unidoku.rating.sentences`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from unidoku.cli.command import Command
from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.grid import Grid
from unidoku.options import LANG, choice, option, shared
from unidoku.rating.deduction import Deduction, masks_of
from unidoku.rating.scale import SCALE
from unidoku.rating.sentences import Sentences
from unidoku.rating.steps import hint
from unidoku.table.batch import Batch
from unidoku.task import ResultBatch, Task
from unidoku.tasks.steps import FAST, STEP, STEP_WORDS, step_results
from unidoku.threads import Cancel
from unidoku.words import table


@dataclass(frozen=True)
class Hint(Task):
    """Give the next step of each puzzle.

    For one PUZZLE: name a mistake in --filled or --pencil-marks; if there is none, give the next step that
    Sudoku Explainer takes. Ask with --depth where first, then what and pattern, before the whole step. r4c2
    is the cell in row 4, column 2.

    For files, or with --to, --columns or --output: a row per puzzle. A puzzle with several or no solutions
    has a reason instead. `unidoku steps` gives all steps.

    Parameters
    ----------
    depth : {"step", "pattern", "what", "where"}
        How much of the step the column ``sentence`` says.
    pencil_marks, filled : str, optional
        For one puzzle on the command line.
    lang : {"en", "zh"}
        The language of the sentence.
    """

    columns: ClassVar[Mapping[str, tuple[str, str]]] = {
        **STEP,
        "sentence": ("string", "the hint in one line, as far as --depth says"),
    }
    column_words: ClassVar[Mapping[str, Mapping[str, str]]] = STEP_WORDS
    default_columns: ClassVar[tuple[str, ...]] = ("puzzle", "file", *FAST, "sentence", "reason")
    batch_size: ClassVar[int] = 256  # as for steps: one puzzle may take seconds
    depth: str = option(
        "step",
        "Say the whole step (step), its pattern, only what it is, or where to look (where).",
        choice(["step", "pattern", "what", "where"]),
    )
    pencil_marks: str | None = option(
        None,
        "Use these pencil marks: 729 characters, nine a cell.",
        show_default="what the digits leave",
        metavar="MARKS",
    )
    filled: str | None = option(
        None,
        "Use these digits filled in since, right or wrong: 81 characters.",
        show_default="those of PUZZLE",
        metavar="GRID",
    )
    lang: str = shared(LANG)
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
                raise UnidokuError(f"{name}: {error}") from error

    def work(self, batch: Batch, cancel: Cancel) -> Iterator[ResultBatch]:
        """Find the first step of each puzzle."""
        for name, value in (("--filled", self.filled), ("--pencil-marks", self.pencil_marks)):
            if value is not None:
                raise UnidokuError(f"{name} is for one PUZZLE, without --to, --columns and --output")
        say = Sentences(self.lang)

        def line(step: Deduction) -> str:
            return say.line(step) if self.depth == "step" else say.stages(step)[self.depth]

        yield step_results(batch, cancel, 1, line)


def result(task: Any, puzzle: bytes | str) -> Any:
    """Return the hint for a position of one puzzle."""
    return hint(puzzle, task.pencil_marks, filled=task.filled, lang=task.lang)


def show(task: Hint, puzzle: bytes | str) -> str:
    """Return the hint for a position of one puzzle in words, with a line for each chain."""
    next_step = result(task, puzzle)
    if next_step is None:
        return table(task.lang)["rating"]["full"]
    return str(next_step) if task.depth == "step" else str(getattr(next_step, task.depth))


COMMAND = Command(
    Hint,
    examples=(
        "unidoku hint puzzles.txt --depth pattern --columns puzzle,rating,sentence --to csv",
        "unidoku hint puzzles.txt -o hints.parquet",
    ),
    result=result,
    text=show,
    always_text=True,
)
