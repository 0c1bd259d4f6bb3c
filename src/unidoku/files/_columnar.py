"""Parquet files and Arrow IPC files and streams (Feather 2), read by PyArrow in record batches.

The kernel reads Arrow's own buffers; other columns go to an Arrow output as they are.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from unidoku._compat import np, pyarrow
from unidoku._native.text.columns import places, scan_strings
from unidoku._table import arrow
from unidoku._table.batch import Batch, Reject, Roles
from unidoku._table.column import ArrowColumn, Column
from unidoku._table.forms import cells_of_lists
from unidoku._table.json_values import as_text
from unidoku._threads import cancel_of
from unidoku.cell import MISSING, fault
from unidoku.errors import FormatError, Message, UnidokuError, arrow_errors, without_frames
from unidoku.files._chunks import Chunk, Partition, Reader, Reading
from unidoku.files._paths import Path
from unidoku.files._records import excerpt_of, merged, read_again, reason_of_text
from unidoku.files._roles import first_record, first_rows, puzzle_column, roles_of, unique_names
from unidoku.files._source import PUZZLE_BYTES, Source
from unidoku.files._storage import reading

_MAGIC = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"  # an older stream begins with a length, which has zeros
_BUFFER = 1 << 16  # bytes of one read of a column of a row group
ROWS = 6_400  # of a batch: half a mebibyte of puzzles, and the batch size of most tasks
_BYTES = 1 << 23  # of a batch with wide rows


class ColumnarReader(Reader):
    """Reader with PyArrow; the puzzles are in column number `index`."""

    names: tuple[str, ...]

    def __init__(self, source: Source, settings: Reading) -> None:
        super().__init__(source, settings)
        head = source.peek(6)
        self.arrow_reader: Any
        self.columns: list[str] | None = None
        """The columns of Parquet that are decoded; None for all."""
        self._read: list[tuple[Any, int]] = []
        """The first record batch of a stream, if it has said where the puzzles are."""
        if not head.startswith(_MAGIC) and b"\0" not in head:
            raise FormatError(fault("wrong_format", Message("Parquet or Arrow"), Message("other content")))
        self.is_parquet: bool = head.startswith(b"PAR1")
        with reading(source.name), arrow_errors(source.name):
            self.file: Any = _seekable_file(source)
            try:
                names = self._open(head)
                self.index: int = puzzle_column(names, settings.column, row=self._first_row)
            except BaseException:
                self.file.close()  # perhaps a temporary copy
                raise
        self.columns = self._choose(names)

    def _open(self, head: bytes) -> list[str]:
        """Open the file with PyArrow; return the names of its columns."""
        if self.is_parquet:
            from pyarrow import parquet  # type: ignore[import-untyped, import-not-found, unused-ignore]

            # Each column in small pieces; elsewhere a row group is read at once.
            is_local = self.source.path is not None
            pieces = {"pre_buffer": False, "buffer_size": _BUFFER} if is_local else {}
            self.arrow_reader = parquet.ParquetFile(self.file, **pieces)
            self.row_groups: tuple[int, int] = 0, self.arrow_reader.metadata.num_row_groups
            return [*self.arrow_reader.schema_arrow.names]
        ipc = pyarrow().ipc
        if head == b"ARROW1":
            self.arrow_reader = ipc.open_file(self.file)
        else:
            self.arrow_reader = ipc.open_stream(self.file)
        return [*self.arrow_reader.schema.names]

    def _first_row(self) -> Sequence[str]:
        """Return the texts of the first record with a puzzle, of all columns."""
        self._read = [*islice(self.tables(), 1)]
        for record, _ in self._read:
            arrow.validate(record)
            return first_record(first_rows(map(_values, record.columns)))
        return ()

    def _choose(self, names: list[str]) -> list[str] | None:
        """Find the other columns that are needed; return the names of all that Parquet has to decode."""
        self.names = unique = unique_names(names)
        self.puzzle: str = unique[self.index]
        others = {k: name for k, name in enumerate(unique) if k != self.index}
        needed = {*self.settings.needed.among([*others.values()])}
        self.others: dict[int, str] = {k: name for k, name in others.items() if name in needed}
        chosen = sorted([self.index, *self.others])
        # PyArrow chooses by names; for "a" it also reads columns whose names begin with "a."
        is_ambiguous = len({*names}) < len(names) or "." in "".join(names)
        if not self.is_parquet or len(chosen) == len(names) or is_ambiguous:
            return None
        self.others = {chosen.index(k): name for k, name in self.others.items()}
        self.index = chosen.index(self.index)
        return [names[k] for k in chosen]

    def partitions(self, size: int) -> list[Partition]:
        """Return partitions of whole row groups of Parquet."""
        found, line = list[Partition](), 0
        if not self.is_parquet:
            return found
        metadata, total = self.arrow_reader.metadata, self.file.size()
        begin = rows = 0
        for number in range(metadata.num_row_groups):
            rows += metadata.row_group(number).num_rows
            bytes_read = total * rows // max(1, metadata.num_rows)
            if bytes_read >= size or number + 1 == metadata.num_row_groups:
                found.append(Partition(self.source.name, begin, number + 1, bytes_read, line))
                begin, line, rows = number + 1, line + rows, 0
        return found

    def limit(self, partition: Partition) -> None:
        """Read only the row groups of a partition; the first one says what the columns are."""
        with closing(self.tables()) as tables:
            for record, _ in tables:
                self.roles = self._roles(record)
                break
        self.row_groups, self.line = (partition.begin, partition.end), partition.line or 0
        if self.source.path is not None:  # for the progress
            rows = max(1, self.arrow_reader.metadata.num_rows)
            self.source.seek(self.file.size() * self.line // rows)

    def tables(self) -> Generator[tuple[Any, int]]:
        """Yield record batches, and the position in the file after each."""
        reader, size, row = self.arrow_reader, self.file.size(), self.line
        if self.is_parquet:
            for number in range(*self.row_groups):
                group = reader.metadata.row_group(number)
                # not from the metadata of its columns: PyArrow ends the process where these are damaged
                max_rows = max(1, min(ROWS, _BYTES * group.num_rows // max(1, group.total_byte_size)))
                columns = {"columns": self.columns, "use_threads": False}
                for record in reader.iter_batches(max_rows, row_groups=[number], **columns):
                    row += record.num_rows
                    yield record, size * row // max(1, reader.metadata.num_rows)
        elif hasattr(reader, "num_record_batches"):
            for number in range(reader.num_record_batches):
                yield reader.get_batch(number), size * (number + 1) // reader.num_record_batches
        else:
            yield from self._read
            for record in reader:
                yield record, self.file.tell()

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Slice the record batches; workers read the puzzles in the slices."""
        with closing(self.file), reading(self.source.name), arrow_errors(self.source.name):
            for record, position in self.tables():
                arrow.validate(record)
                if self.roles is Reader.roles:
                    self.roles = self._roles(record)
                begin, size = 0, record.get_total_buffer_size()
                max_rows = max(1, min(ROWS, _BYTES * record.num_rows // max(1, size)))
                last_position = self.source.position
                while begin < record.num_rows:
                    piece = record.slice(begin, max(1, min(max_rows, target() // PUZZLE_BYTES)))
                    end = begin + piece.num_rows
                    if self.source.path is not None:  # for the progress
                        self.source.seek(last_position + (position - last_position) * end // record.num_rows)
                    row, self.line = self.line, self.line + piece.num_rows
                    yield partial(self._batches, piece, row)
                    begin = end

    def _roles(self, record: Any) -> Roles:
        """Decide the roles of the columns, by the first of these records that has a puzzle."""
        names = {self.puzzle: self.index} | {name: k for k, name in self.others.items()}
        found = {name: record.column(k) for name, k in names.items()}
        columns = (_values(found[name]) if name in found else () for name in self.names)
        roles = roles_of(self.names, self.names.index(self.puzzle), [*first_rows(columns)], self.settings)
        if roles.is_deep and self.settings.needed.has_any:
            self.others[self.index] = self.puzzle
        return roles

    def _batches(self, record: Any, row: int) -> Iterator[Batch | UnidokuError]:
        """Yield batches of a record batch whose first row is row number `row` of the file."""
        try:
            with reading(self.source.name), arrow_errors(self.source.name):
                passthrough: dict[str, Column] = {
                    name: ArrowColumn(arrow.flat(record.column(k))) for k, name in self.others.items()
                }
                puzzles = record.column(self.index)
                if self.roles.is_deep:
                    values, path = puzzles.to_pylist(), Path.of(self.names, self.settings.column or "")
                    texts = (value and (path.puzzle(value).cells or value) for value in values)
                    puzzles = Column.of(texts).to_arrow()
                batch = batch_of_arrow(puzzles, row)
                batch = replace(batch, source=self.source.name, columns=passthrough)
                batch.roles = self.roles
                yield batch
        except UnidokuError as error:
            yield without_frames(error)


def _values(column: Any) -> Iterator[Any]:
    """Yield the values of a column of Arrow."""
    return (value.as_py() for value in column)


def _seekable_file(source: Source) -> Any:
    """Return a file in which PyArrow can seek: the file of the source, or a temporary copy of a stream."""
    pa = pyarrow()
    if source.path is not None:
        # Never mapped into memory: the process would be killed (SIGBUS) if another one shortened the file.
        return pa.OSFile(os.fsencode(source.path))  # a name that need not be UTF-8
    if source.seekable():
        source.seek(0)
        return pa.PythonFile(source, "r")
    spool = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the file
    shutil.copyfileobj(source, spool)
    spool.seek(0)
    return pa.PythonFile(spool, "r")


def batch_of_arrow(array: Any, begin: int = 0) -> Batch:
    """Find the puzzles of a validated Arrow array; there are `begin` rows before them."""
    if arrow.is_list(arrow.stored_type(array.type)):
        cells, reasons = cells_of_lists(array, cancel_of(None))
        rejects = [
            Reject(begin + row + 1, None, excerpt_of(array[row].as_py()), why) for row, why in reasons.items()
        ]
        return Batch.of_cells(cells, rejects, begin)
    strings = arrow.strings_of(array)
    validity, offsets, text = map(arrow.content, strings.buffers())
    starts, rows = np.empty((2, len(array)), np.int64)
    limits = strings.offset, len(array), validity if strings.null_count else b""
    count, rejected = scan_strings(text, offsets, arrow.offset_size(strings), *limits, starts, rows)
    rejects = []
    for _, row, *_ in rejected:
        reject, value = Reject(begin + row + 1, None, None, MISSING), array[row].as_py()
        if value is not None:
            text_of_row = as_text(value)
            reject.text, reject.reason = text_of_row.encode(errors="replace"), reason_of_text(text_of_row)
        rejects.append(reject)
    before = np.array([puzzles for puzzles, *_ in rejected], np.int64)
    order = places(count, before) if rejects else None
    batch = Batch("", text, starts[:count], rows[:count] + (begin + 1), order=order)
    return merged(batch, [*map(read_again, rejects)])
