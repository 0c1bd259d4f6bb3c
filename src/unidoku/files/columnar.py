"""Parquet files and Arrow IPC files and streams (Feather 2), read by PyArrow in record batches.

The kernel reads Arrow's own buffers; other columns go to an Arrow output as they are.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from unidoku.errors import FormatError, InputError, UnidokuError, first_line, naming, without_frames
from unidoku.files.base import Chunk, Reader, puzzle_column, unique_names
from unidoku.files.source import PUZZLE_BYTES, Source
from unidoku.options import Options
from unidoku.table.arrow import plain, pyarrow, validated
from unidoku.table.arrow_batch import batch_of_arrow
from unidoku.table.batch import Batch
from unidoku.table.column import Column

_BUFFER = 1 << 16  # bytes of one read of a column of a row group
_SPOOL_BYTES = 1 << 20  # of one copy from an input that is not a file
ROWS = 6_400  # of a batch: half a mebibyte of puzzles, and the batch size of most tasks
_BYTES = 1 << 23  # of a batch with wide rows


class ColumnarReader(Reader):
    """Base of the readers with PyArrow; the puzzles are in column number `index`."""

    def __init__(self, source: Source, options: Options) -> None:
        super().__init__(source, options)
        with _named_errors(source), ExitStack() as stack:
            head = source.peek(6)
            self.file = _seekable_file(source)
            stack.callback(self.file.close)
            self.arrow_reader = self.open(head)
            names = getattr(
                self.arrow_reader, "schema_arrow", self.arrow_reader.schema
            ).names  # of Parquet, of Arrow
            self.index = puzzle_column(names, options.column, lone=True)
            self.names = unique_names(names)
            stack.pop_all()

    def open(self, head: bytes) -> Any:
        """Open the file, whose first bytes are `head`."""
        raise NotImplementedError

    def tables(self) -> Iterator[tuple[Any, int]]:
        """Yield record batches, and the position in the file after each."""
        raise NotImplementedError

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Slice the record batches; workers read the puzzles in the slices."""
        row = 0
        with closing(self.file), _named_errors(self.source):
            for record, position in self.tables():
                validated(record)
                begin, size = 0, record.get_total_buffer_size()
                max_rows = max(1, min(ROWS, _BYTES * record.num_rows // max(1, size)))
                last_position = self.source.position
                while begin < record.num_rows:
                    piece = record.slice(begin, max(1, min(max_rows, target() // PUZZLE_BYTES)))
                    end = begin + piece.num_rows
                    if self.source.path is not None:
                        piece_position = last_position + (position - last_position) * end // record.num_rows
                        self.source.seek(piece_position)  # for the progress
                    yield partial(self._batches, piece, row + begin)
                    begin = end
                row += record.num_rows

    def _batches(self, record: Any, row: int) -> Iterator[Batch | UnidokuError]:
        """Yield a batch of the rows of a record batch, the first of which is row number `row` of the file."""
        others: dict[str, Column] = {}
        try:
            with _named_errors(self.source):
                if self.keeps:
                    columns = zip(self.names, record.columns, strict=True)
                    others = {name: Column(plain(column)) for name, column in columns}
                    del others[self.names[self.index]]
                puzzles = record.column(self.index if record.num_columns == len(self.names) else 0)
                yield replace(batch_of_arrow(puzzles, row), source=self.source.name, columns=others)
        except UnidokuError as error:
            yield without_frames(error)


class ArrowReader(ColumnarReader):
    """Record batches of an Arrow IPC file or stream."""

    def open(self, head: bytes) -> Any:
        """Open the file or stream."""
        if head.startswith(b"FEA1"):
            raise FormatError("expected Arrow IPC (Feather version 2), found Feather version 1")
        ipc = pyarrow().ipc
        return (ipc.open_file if head.startswith(b"ARROW1") else ipc.open_stream)(self.file)

    def tables(self) -> Iterator[tuple[Any, int]]:
        """Yield the record batches of the file or stream."""
        if hasattr(self.arrow_reader, "num_record_batches"):
            total, size = self.arrow_reader.num_record_batches, self.file.size()
            for number in range(total):
                yield self.arrow_reader.get_batch(number), size * (number + 1) // total
            return
        for record in self.arrow_reader:
            yield record, self.file.tell() if self.source.path is not None else 0


class ParquetReader(ColumnarReader):
    """Row groups of a Parquet file, in batches."""

    def open(self, head: bytes) -> Any:
        """Open the file."""
        from pyarrow import parquet  # type: ignore[import-untyped, import-not-found, unused-ignore]

        options: dict[str, Any] = {}
        if self.source.path is not None:
            # Each column in small pieces; elsewhere a piece may be a request, so a row group is read at once.
            options = {"pre_buffer": False, "buffer_size": _BUFFER}
        return parquet.ParquetFile(self.file, **options)

    def tables(self) -> Iterator[tuple[Any, int]]:
        """Yield the rows of each row group in batches."""
        data, size, row = self.arrow_reader.metadata, self.file.size(), 0
        names = None if self.keeps else [self.arrow_reader.schema_arrow.names[self.index]]
        for number in range(data.num_row_groups):
            group = data.row_group(number)
            # not from the metadata of its columns: PyArrow ends the process where these are damaged
            max_rows = max(1, min(ROWS, _BYTES * group.num_rows // max(1, group.total_byte_size)))
            for record in self.arrow_reader.iter_batches(
                max_rows, row_groups=[number], columns=names, use_threads=False
            ):
                row += record.num_rows
                yield record, size * row // max(1, data.num_rows)


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


def _seekable_file(source: Source) -> Any:
    """Return a file in which PyArrow can seek: the file of the source, or a temporary copy of a stream."""
    pa = pyarrow()
    if source.path is not None:
        # Never mapped into memory: the process would be killed (SIGBUS) if another one shortened the file.
        return pa.OSFile(os.fsencode(source.path))  # a name that need not be UTF-8
    if source.seekable():
        source.seek(0)
        return pa.PythonFile(source, "r")
    spool = tempfile.TemporaryFile()  # noqa: SIM115 - closed by the reader
    try:
        shutil.copyfileobj(source, spool, _SPOOL_BYTES)
        spool.seek(0)
    except BaseException:
        spool.close()
        raise
    return pa.PythonFile(spool, "r")
