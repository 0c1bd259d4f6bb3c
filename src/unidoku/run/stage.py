"""What works on the puzzles between reading and writing, what it makes of a batch, and where that goes.

A stage makes named columns: a row per puzzle, and perhaps a row per invalid record.  A sink has two sides:
:meth:`Sink.render` runs in the worker threads, several at a time, and turns one table into a piece of output;
:meth:`Sink.write` takes the pieces in input order, in the calling thread.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import accumulate
from types import TracebackType
from typing import Any, ClassVar, Self

from unidoku.errors import FormatError, InvalidPuzzleError
from unidoku.files.base import Batch, BufferPool, Column, Need, carried
from unidoku.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unidoku.files.output import OutputFile

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


@dataclass(slots=True, eq=False, repr=False)
class Made:
    """A column that a stage makes.

    ``kind`` and ``buffers`` are as `unidoku.native.text.render` takes them; ``type`` is the Arrow type,
    ``null`` for a column that has values in text only.
    """

    name: str
    type: str
    kind: str
    buffers: tuple[Any, ...] = ()

    def native(self, as_json: bool = False) -> tuple[Any, ...]:
        """Return the column as `unidoku.native.text.render` takes it."""
        return self.name, self.kind, *self.buffers


@dataclass(slots=True, eq=False, repr=False)
class Table:
    """The rows that a sink gets: columns, each `Made` or `Column`, for the puzzles of a batch."""

    batch: Batch
    columns: list[Any]
    """Those of the sink, and after them those of the input that it carries."""
    rejected: list[Any] | None = None
    """The same for the invalid records of the batch; each stands before the row ``reject.before``."""
    mask: bytes | None = None
    """Rows where it is 0 are left out."""
    scratch: dict[str, Any] = field(default_factory=dict)
    """That of the worker; a sink that needs a buffer for longer takes it, and leaves another one."""

    def __len__(self) -> int:
        """Return the number of puzzles."""
        return len(self.batch.starts)


class StoppedError(Exception):
    """Ends the sinks of a run that does not come to its end: a run that is cancelled, or has bad inputs."""


class Sink:
    """Takes the rows of a run; this one drops them.

    As a context manager it is closed at the end, also after an error: the rows before it are whole.  A file
    appears only without an error; what an unfinished run has written is kept under another name.

    Attributes
    ----------
    file : OutputFile or None
    columns : tuple of str
        The columns that it gets, of the stage or of the input.
    more : tuple of str
        Further columns of invalid records.
    carries : bool
        Whether it gets all columns of the input after these.
    in_order : bool
        Whether `render` must be called in input order, by one thread.
    shows_batches : bool
        Whether the bytes of the output depend on where the input is cut into batches.
    header : bool
        Whether to write a header; not in a part that will follow another one.
    carried : tuple of str or None
        The columns of the input in the rows so far.
    pool : BufferPool
        The pool that buffers come from; several sinks may share one.
    """

    file: OutputFile | None = None
    columns: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    carries = False
    in_order = False
    shows_batches = False
    header = True
    carried: tuple[str, ...] | None = None

    @cached_property
    def pool(self) -> BufferPool:
        """The buffer pool of this sink, unless another one is set."""
        return BufferPool()

    def render(self, table: Table) -> Any:
        """One table as a piece of output; called by the workers.

        It must not change the sink, unless that is `in_order`.
        """

    def write(self, piece: Any) -> None:
        """Take the next piece, in input order."""

    def close(self) -> None:
        """End the rows."""

    def kept(self) -> list[str]:
        """Return the names of the files that have what an unfinished run has written."""
        return [] if self.file is None or self.file.kept is None else [self.file.kept]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        reports = error is None or isinstance(error, StoppedError)  # otherwise there is an error to report
        with self.file or nullcontext():
            try:
                if error is not None and self.file is not None:
                    self.file.rewind()
                self.close()
                if self.file is not None:
                    self.file.flush()
            except BaseException as failure:
                if self.file is not None:
                    self.file.has_rows = False  # rows without their end are not valid
                if reports or not isinstance(failure, Exception):
                    raise
            if error is not None:
                raise error  # which the file gets too


def different_columns(kinds: Iterable[Iterable[str]], file: str) -> FormatError:
    """Return the error of an output whose inputs carry these kinds of columns."""
    shown = " and ".join(", ".join(kind) or "none" for kind in kinds)
    message = f"the inputs carry different columns ({shown}); all rows of an output must have the same"
    return FormatError(message, file=file)


@dataclass(slots=True, eq=False, repr=False)
class Rows:
    """What a stage returns: columns, each `Made` or `Column`, for the puzzles of a batch."""

    batch: Batch
    """The puzzles of the rows, and the columns that they carry."""
    columns: dict[str, Any] = field(default_factory=dict)
    """All but file, line and puzzle, which every stage may have."""
    rejected: dict[str, Any] | None = None
    """Those of the same columns that have values for the invalid records; None if these are no rows."""
    counts: dict[str, int] = field(default_factory=dict)
    """What is added to the summary."""
    mismatches: list[InvalidPuzzleError] = field(default_factory=list)
    """The first wrong answers."""
    more: bool = False
    """Whether further rows of the same batch follow."""

    def table(
        self,
        sink: Sink,
        made: Collection[str],
        own: Collection[str],
        *,
        only: Collection[Verdict] | None = None,
    ) -> Table:
        """Choose the columns, and by verdict the rows, that a sink gets.

        `made` are those of its columns that are of the stage, `own` the names that columns of the input
        cannot have.
        """
        batch = self.batch
        self.columns |= _place(batch, made, batch.lines)
        others = {column.name: column for column in carried(batch, own)}
        chosen = [self._named(name, others, own) for name in sink.columns]
        if sink.carries:
            chosen += others.values()
        table = Table(batch, chosen)
        if self.rejected is not None and len(batch.rejects):
            values = _rejects(batch, made) | self.rejected
            table.rejected = [
                values.get(name) or Made(name, "null", "nothing" if name in made else "absent")
                for name in (*(column.name for column in chosen), *sink.more)
                if name in made or not sink.more
            ]
        if only is not None:
            n = len(batch.starts)
            wanted = bytes(code in only for code in range(256))
            table.mask = bytes(self.columns["verdict"].buffers[0][:n]).translate(wanted)
            if Verdict.INVALID not in only:
                table.rejected = None
        return table

    def _named(self, name: str, others: dict[str, Column], own: Collection[str]) -> Any:
        found = self.columns.get(name) or others.get(name)
        if found is None:
            if len(self.batch.starts):
                known = ", ".join([*own, *others])
                raise FormatError(f"no column {name!r}; choose from: {known}", file=self.batch.source)
            found = Column(name, b"", array("q"), array("q"))
        return found


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
    carries: ClassVar[bool] = True
    """Whether the columns of the input are written too, except in text."""
    reads_columns: bool = False
    """Whether it uses the columns of the input."""
    in_order: bool = False
    streams: ClassVar[bool] = False
    """Whether the rows of one puzzle may be too many to hold; they are then made by the calling thread."""
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

    def pieces(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Iterator[Rows | None]:
        """Do the work; a stage that `streams` yields rows as soon as they are found."""
        yield self._work(batch, scratch, need)

    def _work(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows | None:
        """Do the work; None if the run was cancelled.  ``scratch`` is that of a worker thread."""
        raise NotImplementedError


class PuzzleStage(Stage):
    """A stage whose rows are puzzles, with the columns of the input; this one changes nothing."""

    columns: ClassVar[Mapping[str, str]] = {"puzzle": "string"}
    puzzles: ClassVar[bool] = True

    def _work(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows | None:
        return self.rows(batch, batch)

    @staticmethod
    def rows(read: Batch, made: Batch) -> Rows:
        """Return the puzzles that were made of those that were read."""
        return Rows(made, counts={"unknown": len(read.starts), "written": len(made.starts)})


def _place(batch: Batch, names: Collection[str], lines: Any) -> dict[str, Made | Column]:
    """Return those columns of file, line and puzzle that are asked for."""
    source = batch.source.encode("utf-8", "backslashreplace")
    made: tuple[Made, ...] = (
        Made("file", "string", "same", (source,)),
        Made("line", "int64", "signed", (lines,)),
        Made("puzzle", "string", "cells", batch.puzzles()[2:]),
    )
    return {column.name: column for column in made if column.name in names}


def _rejects(batch: Batch, names: Collection[str]) -> dict[str, Made | Column]:
    """Return file, line, text and reason of the invalid records."""
    texts = (each.text.decode("utf-8", "backslashreplace") for each in batch.rejects)
    lines = array("q", [each.line for each in batch.rejects])
    return _place(batch, names, lines) | {
        "puzzle": text_column("puzzle", texts),
        "reason": text_column("reason", (each.reason for each in batch.rejects)),
    }


def text_column(name: str, texts: Iterable[str], kind: str = "string") -> Column:
    """Return texts, one per puzzle, as a column."""
    parts = [text.encode("utf-8", "backslashreplace") for text in texts]
    ends = array("q", accumulate(map(len, parts)))
    return Column(name, b"".join(parts), array("q", [0, *ends])[: len(parts)], ends, kind=kind)


def numbers(name: str, kind: str, values: Any, known: Any = None) -> Made:
    """Return an array of numbers or truth values as a column of an Arrow type; without those not `known`."""
    import numpy as np

    form = "flags" if kind == "bool" else "unsigned" if kind.startswith("u") else "signed"
    whole = {"flags": np.uint8, "unsigned": np.uint64, "signed": np.int64}[form]
    valid = () if known is None else (np.ascontiguousarray(known, np.uint8),)
    return Made(name, kind, form, (np.ascontiguousarray(values, whole), *valid))
