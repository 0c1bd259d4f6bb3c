"""Make: Write the canonical forms of puzzles.

The task `canonical`: canonical forms of puzzles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

from unidoku._cli.command import Command
from unidoku._columns import REASON, ColumnSpec
from unidoku._table.batch import Batch
from unidoku._task import ResultBatch, Task, Work
from unidoku._threads import Cancel
from unidoku.craft._canonical import forms_of
from unidoku.tasks._shared import SOLUTION


class Canonical(Task):
    """Write the canonical forms of puzzles.

    All symmetric copies of a puzzle have the same canonical form, the smallest of them. Solutions in input
    columns are also transformed. Input ratings become input_er and so on, because the ratings of the form can
    differ.

    A puzzle with two equal clues in a house has no form: it has a reason in formats with columns, and other
    formats omit it. --columns adds the columns below.

    Parameters
    ----------
    solution : str, optional
        As for `Transform`.
    """

    columns: ClassVar[Mapping[str, ColumnSpec]] = {
        "puzzle": ColumnSpec("cells", "the form"),
        "original": ColumnSpec("cells", "the puzzle"),
        "symmetry": ColumnSpec("int64", "the number of a symmetry that maps the puzzle to its form"),
        "automorphisms": ColumnSpec("int64", "how many symmetries map the puzzle to itself"),
    }
    searches: ClassVar[bool] = False
    default_columns: ClassVar[tuple[str, ...]] = ("puzzle", *REASON)
    summary_counts: ClassVar[tuple[str, ...]] = ("unmoved",)
    rare_counts: ClassVar[tuple[str, ...]] = summary_counts
    solution: str | None = SOLUTION.field()

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Find the forms."""
        columns, reasons = forms_of(batch, threads=work.threads, cancel=cancel)
        if "original" in work.columns:
            columns["original"] = replace(batch.puzzles(), states=columns["puzzle"].states)
        yield ResultBatch(batch, columns, reasons=reasons)


COMMAND = Command(
    Canonical,
    examples=(
        "unidoku canonical puzzles.txt -o canonical.txt",
        "unidoku canonical puzzles.txt --columns puzzle,original --to csv",
    ),
)
