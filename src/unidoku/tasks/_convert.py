"""Files: Write puzzles in another format, with or without duplicates.

The capability `convert`: puzzles as they are, in another format, all or each only once.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import field
from itertools import compress
from typing import ClassVar

from unidoku._cli.command import Command
from unidoku._columns import ColumnSpec
from unidoku._native.text.keys import KeySet
from unidoku._options import Choice, option
from unidoku._table.batch import Batch
from unidoku._task import ResultBatch, Task, Work
from unidoku._threads import Cancel
from unidoku.tasks._keys import keys_of, random_seeds


class Convert(Task):
    """Write puzzles in another format, with or without duplicates.

    With --unique, only the first of several equal puzzles or symmetric copies is written. This needs up to 43
    bytes of memory per puzzle.

    Parameters
    ----------
    unique : {"text", "canonical"}, optional
        Write the first of equal puzzles, or of images. Puzzles with two equal clues in a house are compared
        cell by cell.
    """

    columns: ClassVar[Mapping[str, ColumnSpec]] = {"puzzle": ColumnSpec("cells", "")}
    searches: ClassVar[bool] = False
    summary_counts: ClassVar[tuple[str, ...]] = ("duplicates",)
    unique: str | None = option(
        None,
        "Write only the first of equal puzzles (text) or of symmetric copies (canonical).",
        Choice(["text", "canonical"]),
        is_flag=False,
        flag_value="text",
        show_default="all puzzles",
    )
    keys: KeySet = field(default_factory=KeySet, init=False, compare=False, repr=False)
    """Keys of the puzzles so far."""
    seeds: tuple[int, int] = field(default_factory=random_seeds, init=False, compare=False, repr=False)
    """Of the hashes."""

    @property
    def in_order(self) -> bool:  # type: ignore[override]
        """Whether a puzzle is written only if it is equal to none before it."""
        return self.unique is not None

    @property
    def report_counts(self) -> tuple[str, ...]:  # type: ignore[override]
        """The number of puzzles that are omitted."""
        if self.unique is not None:
            return self.summary_counts
        return ()

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Return the puzzles, or those whose keys are not in the set, and add these."""
        puzzles, rows, counts = batch.puzzles(), None, {}
        if self.unique is not None:
            is_new = bytearray(len(batch))
            way = "puzzle" if self.unique == "text" else self.unique
            self.keys.add(keys_of(batch, way, self.seeds, cancel), is_new)
            counts = {"duplicates": is_new.count(0)}
            if 0 in is_new:
                rows = array("q", compress(range(len(batch)), is_new))
                puzzles = puzzles.take(rows)
        yield ResultBatch(batch, {"puzzle": puzzles}, rows, counts=counts)


COMMAND = Command(
    Convert,
    examples=(
        "unidoku convert puzzles.txt -o puzzles.jsonl",
        "unidoku convert puzzles.txt --unique canonical -o different.txt",
    ),
)
