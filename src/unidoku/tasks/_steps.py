"""Solve and explain: Solve each puzzle step by step, like Sudoku Explainer.

The capability `steps`: how puzzles are solved, step by step.

`unidoku.steps` is in `unidoku.rating._steps`, `unidoku.steps_many` in `unidoku.rating._paths`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import field
from typing import Any, ClassVar

from unidoku._cli.call import Call
from unidoku._cli.command import Command
from unidoku._cli.run import CommandResult
from unidoku._cli.terminal import in_words
from unidoku._columns import REASON, ColumnSpec
from unidoku._options import LANG, option
from unidoku._table.batch import Batch
from unidoku._task import ResultBatch, Task, Work
from unidoku._threads import Cancel
from unidoku.grid import Grid
from unidoku.rating._columns import STEP
from unidoku.rating._deduction import Deduction
from unidoku.rating._names import barred_by
from unidoku.rating._scale import SCALE, stuck
from unidoku.rating._sentences import Sentences
from unidoku.rating._steps import steps
from unidoku.tasks._shared import every_step

FAST = tuple(name for name in STEP if name != "candidates")
"""Columns of a step that no other column implies."""


class StepsTask(Task):
    """Solve each puzzle step by step, like Sudoku Explainer.

    Each step gets a row. A puzzle with several or no solutions has a reason instead. A puzzle that no
    technique solves has a reason in each of its rows. On a terminal, the steps of one PUZZLE are sentences.

    Parameters
    ----------
    techniques, without : str, optional
        As for `unidoku.steps`. A puzzle that they do not solve has a reason in each of its rows.
    lang : {"en", "zh"}
        The language of the sentences.
    """

    columns: ClassVar[Mapping[str, ColumnSpec]] = {
        "step": ColumnSpec("uint16", "number of the step, from 1"),
        **STEP,
        "further_eliminations": ColumnSpec("words[]", "further candidates that its reason rules out"),
        "sentence": ColumnSpec("string", "the step in words"),
        "solved": ColumnSpec("bool", "whether the techniques solve the puzzle"),
        "cells_left": ColumnSpec("uint8", "empty cells after the last step"),
    }
    default_columns: ClassVar[tuple[str, ...]] = ("puzzle", "file", "step", *FAST, *REASON)
    # a row takes 350 bytes, a puzzle has 60 rows, and may take seconds: its rows do not wait for many rows
    batch_size: ClassVar[int] = 256
    techniques: str | None = option(
        None,
        "Use only these techniques, such as singles,x-wing (docs/rating.md).",
        metavar="NAMES",
        show_default="all",
    )
    without: str | None = option(None, "Do not use these techniques.", metavar="NAMES")
    lang: str = LANG.field()
    scale: str = field(default=SCALE, init=False)

    @property
    def columns_read(self) -> Collection[str]:
        """The candidates, in addition to the digits ``before``."""
        return ("candidates",)

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Find the steps, and write sentences if requested."""
        barred = barred_by(self.techniques, self.without)
        yield step_results(batch, work, cancel, None, Sentences(self.lang).line, barred=barred)

    def __post_init__(self) -> None:
        """Check the parameters."""
        super().__post_init__()
        barred_by(self.techniques, self.without)


def step_results(
    batch: Batch,
    work: Work,
    cancel: Cancel,
    limit: int | None,
    sentence: Callable[[Deduction], str],
    *,
    barred: int = 0,
) -> ResultBatch:
    """Find the steps of each puzzle or position, or at most `limit` of them.

    Return the columns that are written. A hint, for which the limit is 1, removes all that its pattern rules
    out.

    These are columns of `STEP`, ``step`` with the number of the step, ``sentence``, ``solved`` and
    ``cells_left``.
    """
    from unidoku._table.column import Column
    from unidoku.rating._paths import ALL, first_steps  # not at the top: one puzzle needs none

    removed = {"eliminations"} if limit == 1 else {"further_eliminations"}
    paths = first_steps(
        batch,
        limit or ALL,
        marks=batch.marks(),
        barred=barred,
        candidates=not work.columns.isdisjoint({"candidates", "sentence", *removed}),
        cancel=cancel,
    )
    every = paths.columns(candidates="candidates" in work.columns)
    columns: dict[str, Any] = {name: column for name, column in every.items() if name in work.columns}
    if not work.columns.isdisjoint(removed):
        every = paths.eliminations()
        columns |= {name: every[name] for name in removed}
    if "sentence" in work.columns:
        columns["sentence"] = Column.of(map(sentence, paths.deductions()))
    if not work.columns.isdisjoint({"solved", "cells_left"}):
        solved, left = (bytes(map(end.__getitem__, paths.source_rows)) for end in paths.ends())
        columns |= {"solved": Column(memoryview(solved).cast("?")), "cells_left": Column(left)}
    return ResultBatch(batch, columns, paths.source_rows, paths.reasons)


def result(task: StepsTask, puzzle: bytes | str) -> Any:
    """Return the steps that solve one puzzle."""
    return steps(puzzle, techniques=task.techniques, without=task.without, lang=task.lang)


def as_json(call: Call[StepsTask, None], puzzle: bytes | str) -> CommandResult:
    """Return the steps of one puzzle as an object."""
    found = result(call.about, puzzle)
    return CommandResult(rows=[found.to_json()], is_right=found.complete)


def show(call: Call[StepsTask, None], puzzle: bytes | str) -> CommandResult:
    """Return the steps of one puzzle in words."""
    task = call.about
    found = result(task, puzzle)
    text = every_step(found, task.lang, is_full=Grid(puzzle).clues == 81)
    if found.solved:
        return CommandResult(text=[text])
    is_chosen = (task.techniques, task.without) != (None, None)
    reason = in_words(stuck(is_chosen=is_chosen)).capitalize()
    return CommandResult(text=[text] * bool(found) + [f"{reason}."])


COMMAND = Command(
    StepsTask,
    examples=(
        "unidoku steps puzzles.txt -o steps.parquet",
        "unidoku steps puzzles.txt --techniques singles --to csv",
    ),
    shows={"json": as_json, "terminal": show},
)
