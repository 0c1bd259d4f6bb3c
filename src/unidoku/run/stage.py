"""What a stage is: the work on the puzzles between reading and writing."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, ClassVar, NamedTuple

from unidoku.run.rows import Rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from unidoku.files.base import Batch
    from unidoku.run.sink import Sink, Table
    from unidoku.threads import Cancel

SMALLEST = 1 << 13  # bytes of text in a chunk: about 100 puzzles
LARGEST = 3 << 17  # several chunks are in progress, and their rows need two to four times as much

CELL_ERRORS = {
    "solved": "bool",
    "wrong_cells": "int16",
    "broken_houses": "uint8",
    "changed_clues": "uint8",
    "empty_cells": "uint8",
}
"""The columns of a comparison with a given answer, and their Arrow types; see `unidoku.VerifyResult`."""


class Need(NamedTuple):
    """What is asked of a stage."""

    columns: frozenset[str]
    """The columns to make; file, line and puzzle are made of the batch that it returns."""
    cancel: Cancel
    """Set once the run is cancelled."""


class Stage:
    """What is made of each batch; a value that can be pickled.

    The rows of a batch depend on the stage and the batch alone, so that inputs can be worked on in parts and
    in worker threads.  A stage that is `in_order` depends on the batches before, too.
    """

    name: ClassVar[str]
    columns: ClassVar[Mapping[str, str]]
    """The columns that it can make and their Arrow types, in the order in which they are written."""
    puzzles: ClassVar[bool] = False
    """Whether its rows are puzzles with the columns of the input, which all formats of puzzles hold."""
    header: ClassVar[bool] = False
    """Whether ``.txt`` is a table with tabs and the names of the columns, as ``.tsv``."""
    atomic: ClassVar[bool] = True
    """Whether a file appears when it is complete."""
    carries: ClassVar[bool] = False
    """Whether the columns of the input are written too, except in text."""
    reads_columns: bool = False
    """Whether it uses the columns of the input."""
    in_order: bool = False
    numbered: bool = True
    """Whether it needs the numbers of the lines."""
    chunk_bytes: tuple[int, int] = (SMALLEST, LARGEST)
    """The least and largest number of bytes of text worked on at once."""
    steady_bytes: int = 1 << 20
    """How many they are where the bytes of the output depend on it."""

    def shown(self, text: bool, several: bool) -> tuple[str, ...]:
        """Return the columns that are written by default: as ``text``, and for `several` files."""
        return tuple(name for name in self.columns if several or name != "file")

    def to_json(self) -> dict[str, Any]:
        """Return the name and the parameters as a JSON object."""
        given = (each.name for each in fields(self) if each.compare)  # type: ignore[arg-type]
        return {"command": self.name, **{name: getattr(self, name) for name in given}}

    def most_rows(self) -> int | None:
        """Return the number of rows after which the run ends; None for all."""
        return None

    def finish(self) -> None:
        """End the work after the last batch."""

    def __call__(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows | None:
        """Do the work; None if the run was cancelled.  ``scratch`` is that of a worker thread."""
        raise NotImplementedError


class PuzzleStage(Stage):
    """A stage whose rows are puzzles, with the columns of the input; this one changes nothing."""

    columns: ClassVar[Mapping[str, str]] = {"puzzle": "string"}
    puzzles: ClassVar[bool] = True
    carries: ClassVar[bool] = True

    def __call__(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows | None:
        """Return the puzzles of a batch, with their columns."""
        return self.rows(batch, batch)

    @staticmethod
    def rows(read: Batch, made: Batch) -> Rows:
        """Return the puzzles that were made of those that were read."""
        return Rows(made, counts={"unknown": len(read.starts), "written": len(made.starts)})

    @classmethod
    def table(cls, batch: Batch, sink: Sink) -> Table:
        """Return puzzles that are made elsewhere as a sink gets them."""
        return cls.rows(batch, batch).table(sink, PuzzleStage.columns, PuzzleStage.columns)
