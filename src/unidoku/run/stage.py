"""What works on the puzzles between reading and writing, what it makes of a batch, and where that goes.

A stage makes named columns with a value for each puzzle of a batch; `Rows.table` lays them into the rows,
among which there are records that are no puzzles.  A sink has two sides: :meth:`Sink.render` runs in the
worker threads, several at a time, and turns one table into a piece of output; :meth:`Sink.write` takes the
pieces in input order, in the calling thread.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType, TracebackType
from typing import Any, ClassVar, Self

from unidoku.column import Column
from unidoku.errors import FormatError, InvalidPuzzleError
from unidoku.files.base import Batch, BufferPool, Need
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
class Table:
    """The rows that a sink gets: the columns of a batch, with a value for each of its rows."""

    batch: Batch
    names: tuple[str, ...]
    """Those of the sink, and after them those of the input that it carries."""
    columns: list[Column]
    mask: Any = None
    """Rows where it is 0 are left out."""
    scratch: dict[str, Any] = field(default_factory=dict)
    """That of the worker; a sink that needs a buffer for longer takes it, and leaves another one."""

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.batch.rows


class StoppedError(Exception):
    """Ends the sinks of a run that does not come to its end: a run that is cancelled, or has bad inputs."""


class Sink:
    """Takes the rows of a run; this one drops them.

    As a context manager it is closed at the end, also after an error: the rows before it are whole.  A file
    appears only without an error; what an unfinished run has written is kept under another name.  Where an
    error comes before the first rows, nothing is written, no header either.

    Attributes
    ----------
    file : OutputFile or None
    columns : tuple of str
        The columns that it gets, of the stage or of the input.
    more : tuple of str
        Columns after all others, which only rows with a value have.
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
                if error is None or self.file is None or self.carried is not None:
                    self.close()  # a header alone would say that there are no rows
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
    """What a stage returns: columns with a value for each puzzle of a batch."""

    batch: Batch
    """The puzzles of the rows, and the columns that they carry."""
    columns: dict[str, Column] = field(default_factory=dict)
    """All but file, line and puzzle, which every stage may have."""
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
        otherwise: Mapping[str, Any],
        only: Collection[Verdict] | None = None,
    ) -> Table:
        """Lay the columns into the rows of the batch; choose what a sink gets.

        `made` are those of its columns that are of the stage, `own` the names that columns of the input
        cannot have. Rows that are no puzzles have the values `otherwise`.
        """
        batch = self.batch
        place, rejects = batch.place, batch.rejects
        columns = {name: column for name, column in self.columns.items() if name in made}
        columns |= _places(batch, made)
        if place is not None:
            others = _rejects(batch, made)
            for name, value in otherwise.items():
                if name in columns:
                    others[name] = columns[name].filled(value, len(rejects))
            columns = {name: column.lay(place, others.get(name)) for name, column in columns.items()}
        given = carried(batch.columns, own)
        names = [*sink.columns, *(given if sink.carries else ()), *sink.more]
        chosen = [self._named(name, columns, given, own) for name in names]
        table = Table(batch, tuple(names), chosen)
        if only is not None:
            wanted = bytes(code in only for code in range(256))
            table.mask = columns["verdict"].codes().translate(wanted)
        return table

    def _named(
        self, name: str, columns: dict[str, Column], given: dict[str, Column], own: Collection[str]
    ) -> Column:
        found = columns.get(name, given.get(name))
        if found is None:
            known = ", ".join([*own, *given])
            raise FormatError(f"no column {name!r}; choose from: {known}", file=self.batch.source)
        return found


def carried(columns: Mapping[str, Column], own: Iterable[str]) -> dict[str, Column]:
    """Return the columns of an input; those with the name of an `own` column are renamed to ``given_…``."""
    names = set(own)
    renamed = {}
    for given, column in columns.items():
        name = given
        while name in names:
            name = f"given_{name}"
        names.add(name)
        renamed[name] = column
    return renamed


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
    otherwise: Mapping[str, Any] = MappingProxyType({})
    """The values of columns in rows that are no puzzles; by default they have none."""
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


def _places(batch: Batch, names: Collection[str]) -> dict[str, Column]:
    """Return those columns of file, line and puzzle that are asked for."""
    made: dict[str, Callable[[], Column]] = {
        "file": lambda: Column.same(batch.source, len(batch.starts)),
        "line": lambda: Column.numbers(batch.lines, "int64"),
        "puzzle": lambda: batch.puzzles,
    }
    return {name: column() for name, column in made.items() if name in names}


def _rejects(batch: Batch, names: Collection[str]) -> dict[str, Column]:
    """Return file, line, text and reason of the records that are no puzzles."""
    rejects = list(batch.rejects)  # each is described when it is read
    made: dict[str, Callable[[], Column]] = {
        "file": lambda: Column.same(batch.source, len(rejects)),
        "line": lambda: Column.numbers(array("q", [each.line for each in rejects]), "int64"),
        "puzzle": lambda: Column.values_of(
            None if each.text is None else each.text.decode("utf-8", "backslashreplace") for each in rejects
        ),
        "reason": lambda: Column.values_of(each.reason for each in rejects),
    }
    return {name: column() for name, column in made.items() if name in names}
