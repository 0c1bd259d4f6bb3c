"""Parquet files and Arrow IPC files and streams (Feather 2), read piece by piece through PyArrow.

The kernel reads Arrow's own buffers; other columns go to an Arrow output as they are.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Any

from unidoku.arrow import plain, pyarrow, validated
from unidoku.batch import Batch
from unidoku.column import Column
from unidoku.errors import FormatError, InputError, UnidokuError, first_line, naming, without_frames
from unidoku.files.base import Chunk, Reader, distinct, puzzle_column, ready
from unidoku.files.source import PUZZLE_BYTES, Source
from unidoku.options import Options
from unidoku.parse_many import batch_of_arrow

_BUFFER = 1 << 16  # bytes of a column of a row group that are read at once
_SPOOLED = 1 << 20  # bytes copied at once from an input that is not a file
ROWS_MOST = 1 << 18  # a row group with more rows is decoded by the reading thread in batches
ROWS = 6_400  # of a batch: half a mebibyte of puzzles, and no more than tasks take at once
_BYTES = 1 << 23  # of a batch whose rows are wide


class _ArrayReader(Reader):
    """A reader of a file that PyArrow opens; the puzzles are in column number `index`."""

    def __init__(self, source: Source, options: Options) -> None:
        super().__init__(source, options)
        with _named_errors(source), ExitStack() as stack:
            head = source.peek(6)
            self.file = _seekable_file(source)
            stack.callback(self.file.close)
            self.opened, names = self.open(head)
            self.index = puzzle_column(names, options.column, lone=True)
            self.given = distinct(names)
            stack.pop_all()

    def open(self, head: bytes) -> tuple[Any, list[str]]:
        """Open the file that begins with these bytes; return it with the names of its columns."""
        raise NotImplementedError

    def batch(self, record: Any, first: int) -> Batch:
        """Make a batch of rows that are `first` records after the beginning."""
        batch = batch_of_arrow(record.column(self.index), first)
        others: dict[str, Column] = {}
        if self.keeps:
            for number, (name, other) in enumerate(zip(self.given, record.columns, strict=True)):
                if number != self.index:
                    others[name] = Column(plain(other))
        return replace(batch, source=self.source.name, columns=others)

    def cut(
        self, record: Any, first: int, place: range, target: Callable[[], int], most: int = ROWS
    ) -> Iterator[Chunk]:
        """Cut a table, whose place in the file is known, into chunks of at most `most` rows."""
        begin = 0
        while begin < record.num_rows:
            piece = record.slice(begin, max(1, min(most, target() // PUZZLE_BYTES)))
            end = begin + piece.num_rows
            self.reached(place.start + len(place) * end // record.num_rows, piece.num_rows)
            yield ready(self.batch(piece, first + begin))
            begin = end

    def reached(self, position: int, rows: int) -> None:
        """Count rows that are read up to this position of the file, whose columns may be compressed."""
        if self.source.path is not None:
            self.source.reached(position, PUZZLE_BYTES * rows)


@contextmanager
def _named_errors(source: Source) -> Iterator[None]:
    """Convert PyArrow's errors to our own, with the name of the file."""
    pa = pyarrow()
    try:
        with naming(source.name):
            yield
    except UnidokuError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, MemoryError) as error:
        text = first_line(error)
        if isinstance(error, pa.ArrowInvalid):
            text = f"expected Arrow or Parquet data: {text}"
        is_format = isinstance(error, pa.ArrowException) and not isinstance(error, MemoryError)
        raise (FormatError if is_format else InputError)(text, file=source.name) from error


def _local_file(path: str) -> Any:
    """Open a file by its name, which need not be UTF-8."""
    # never mapped into memory: the process would be killed (SIGBUS) if another one shortened the file
    return pyarrow().OSFile(os.fsencode(path))


def _seekable_file(source: Source) -> Any:
    """Return a file in which PyArrow can seek: the source's own, or a temporary copy of a stream."""
    pa = pyarrow()
    if source.path is not None:
        return _local_file(source.path)
    if source.seekable():
        source.seek(0)
        return pa.PythonFile(source, "r")
    import shutil
    import tempfile

    spool = tempfile.TemporaryFile()  # noqa: SIM115 - closed by the reader
    try:
        shutil.copyfileobj(source, spool, _SPOOLED)
        spool.seek(0)
    except BaseException:
        spool.close()
        raise
    return pa.PythonFile(spool, "r")


class ArrowReader(_ArrayReader):
    """Record batches of an Arrow IPC file or stream."""

    def open(self, head: bytes) -> tuple[Any, list[str]]:
        """Open the file or stream."""
        if head.startswith(b"FEA1"):
            raise FormatError("expected Arrow IPC (Feather version 2), found Feather version 1")
        ipc = pyarrow().ipc
        opened = (ipc.open_file if head.startswith(b"ARROW1") else ipc.open_stream)(self.file)
        return opened, opened.schema.names

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Read on; see `Reader`."""
        source, first, before = self.source, 0, 0
        total = getattr(self.opened, "num_record_batches", None)
        with closing(self.file), _named_errors(source):
            for number, record in enumerate(record_batches(self.opened), 1):
                after = 0
                if source.path is not None:
                    after = self.file.tell() if total is None else (source.size or 0) * number // total
                most = _fitting(record.num_rows, record.get_total_buffer_size())
                yield from self.cut(record, first, range(before, after), target, most)
                first, before = first + record.num_rows, after


def _fitting(rows: int, size: int) -> int:
    """Return how many rows a batch may have, of so many rows of this size in bytes."""
    return max(1, _BYTES * rows // max(1, size))


def record_batches(opened: Any) -> Iterator[Any]:
    """Return the record batches of an open Arrow IPC file or stream, each validated."""
    records = opened
    if hasattr(opened, "num_record_batches"):
        records = (opened.get_batch(number) for number in range(opened.num_record_batches))
    return map(validated, records)


class ParquetReader(_ArrayReader):
    """Row groups of a Parquet file; small ones are decoded by the workers."""

    def __init__(self, source: Source, options: Options) -> None:
        super().__init__(source, options)
        self.names: list[str] | None = None  # all columns
        if not self.keeps:
            self.names, self.index = [self.opened.schema_arrow.names[self.index]], 0
        with _named_errors(source):
            data = self.opened.metadata
            self._rows = [data.row_group(number).num_rows for number in range(data.num_row_groups)]
        self._firsts = [0, *accumulate(self._rows)]

    def open(self, head: bytes = b"") -> tuple[Any, list[str]]:
        """Open the file, for the calling thread."""
        opened = self._opened()
        return opened, opened.schema_arrow.names

    def _opened(self, metadata: Any = None) -> Any:
        file, options = self.file, dict[str, Any]()
        if self.source.path is not None:
            file = _local_file(self.source.path)
            # Each column in small pieces; elsewhere a piece may be a request, so a row group is read at once.
            options = {"pre_buffer": False, "buffer_size": _BUFFER}
        return import_parquet().ParquetFile(file, metadata=metadata, **options)

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Read on; see `Reader`."""
        size, every = self.source.size or 0, max(1, self._firsts[-1])
        with closing(self.file), _named_errors(self.source):
            scratch = dict[str, Any]()
            for group in range(len(self._rows)):
                if self.source.path is not None and self._rows[group] <= ROWS_MOST:
                    rows = self._firsts[group + 1]
                    self.reached(size * rows // every, self._rows[group])
                    yield partial(self._found, group)
                    continue
                for record, first in self._records(group, scratch):
                    place = range(size * first // every, size * (first + record.num_rows) // every)
                    yield from self.cut(record, first, place, target)

    def _found(self, group: int, scratch: dict[str, Any]) -> Iterator[Batch | UnidokuError]:
        """Decode a row group in a worker."""
        try:
            with _named_errors(self.source):
                for record, first in self._records(group, scratch):
                    yield self.batch(record, first)
        except UnidokuError as error:
            yield without_frames(error)

    def _records(self, group: int, scratch: dict[str, Any]) -> Iterator[tuple[Any, int]]:
        """Decode a row group in tables, each with its first row; each thread has a file of its own."""
        first, rows = self._firsts[group], self._rows[group]
        opened = self.kept(scratch, lambda: self._opened(self.opened.metadata))
        # not from the metadata of its columns: PyArrow ends the process where these are damaged
        most = min(ROWS, _fitting(rows, opened.metadata.row_group(group).total_byte_size))
        for record in opened.iter_batches(most, row_groups=[group], columns=self.names, use_threads=False):
            yield validated(record), first
            first += record.num_rows


def import_parquet() -> Any:
    """PyArrow's Parquet module."""
    pyarrow()
    from pyarrow import parquet  # type: ignore[import-untyped, import-not-found, unused-ignore]

    return parquet
