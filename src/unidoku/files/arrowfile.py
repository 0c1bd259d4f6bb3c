"""Parquet files and Arrow IPC files and streams (Feather), read batch by batch through PyArrow.

The kernel reads Arrow's own buffers; other columns go to an Arrow output as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku.arrow import Piece, describe_reject, pieces, puzzle_column, pyarrow, text_of
from unidoku.errors import FormatError, InputError, UnidokuError
from unidoku.files.base import Batch, Chunk, Column, Reader, ReadOptions, Reject

if TYPE_CHECKING:
    from unidoku.files.source import Source

__all__ = ["ArrowColumn", "ArrowReader", "ParquetReader"]

ROWS_MOST = 1 << 18  # a row group of more rows is read by the reading thread and shared out
ROWS = 12_500  # of a batch: a mebibyte of puzzles
_SPOOLED = 1 << 20  # bytes copied at once from an input that is no file


class ArrowColumn(Column):
    """A carried column that is an Arrow array; its text is made only where text is written.

    Attributes
    ----------
    array : pyarrow.Array
        One value a puzzle.
    """

    __slots__ = ("_made", "array")

    def __init__(self, name: str, array: Any) -> None:
        self.name = name
        self.array = array
        self._made: tuple[Any, Any, Any] | None = None

    def renamed(self, name: str) -> ArrowColumn:
        """The same column under another name."""
        return ArrowColumn(name, self.array)

    def _text(self) -> tuple[Any, Any, Any]:
        if self._made is None:
            self._made = _as_text(self.array)
        return self._made

    @property
    def text(self) -> Any:
        """All values as text; null is empty."""
        return self._text()[0]

    @property
    def starts(self) -> Any:
        """Where each begins."""
        return self._text()[1]

    @property
    def ends(self) -> Any:
        """Where each ends."""
        return self._text()[2]


def _as_text(array: Any) -> tuple[Any, Any, Any]:
    pa = pyarrow()
    try:
        strings = array.cast(pa.large_string())
    except pa.ArrowException:
        # Lists, structs, bytes that are no UTF-8: as Python shows them.
        strings = pa.array([None if v is None else str(v) for v in array.to_pylist()], pa.large_string())
    if strings.null_count:
        strings = strings.fill_null("")
    _, offsets, text = strings.buffers()
    if not len(strings) or offsets is None:
        none = np.zeros(len(strings), np.int64)
        return b"", none, none
    places = np.frombuffer(offsets, np.int64)[strings.offset : strings.offset + len(strings) + 1]
    return b"" if text is None else memoryview(text).cast("B"), places[:-1], places[1:]


def batch_of(
    source: str, columns: Sequence[Any], names: Sequence[str], index: int, *, first: int, carry: bool
) -> Batch:
    """Make a batch of the rows of some arrays.

    Parameters
    ----------
    source : str
        For messages.
    columns : sequence of pyarrow.Array
    names : sequence of str
    index : int
        Which column holds the puzzles.
    first : int
        How many records stand before.
    carry : bool
        Whether the other columns are handed on.
    """
    pa = pyarrow()
    array = columns[index]
    found = list(pieces(array))
    if len(found) > 1:
        # Views into several buffers; a batch has one.
        array = array.cast(pa.large_binary() if pa.types.is_binary_view(array.type) else pa.large_string())
        found = list(pieces(array))
    piece = found[0] if found else Piece(0, 0, b"", np.empty(0, np.int64), np.empty(0, np.int64), [], [])
    rejects = []
    for before, row, code, extra in piece.rejects:
        text = text_of(array, row)
        expected, what = describe_reject(code, extra, text)
        shown = text[:4096].encode("utf-8", "backslashreplace")
        rejects.append(Reject(before, first + row + 1, 1, shown, expected=expected, found=what))
    others = []
    if carry:
        rows = pa.array(piece.rows) if rejects else None
        for number, (name, other) in enumerate(zip(names, columns, strict=True)):
            if number != index:
                others.append(ArrowColumn(name, other if rows is None else other.take(rows)))
    return Batch(
        source,
        piece.text,
        piece.starts,
        piece.rows + (first + 1),
        wide=piece.wide,
        rejects=rejects,
        columns=others,
    )


@contextmanager
def _named(source: Source) -> Iterator[None]:
    """Turn PyArrow's errors into ours."""
    pa = pyarrow()
    try:
        yield
    except UnidokuError as error:
        error.file = error.file or source.name
        raise
    except pa.ArrowInvalid as error:
        raise FormatError(
            f"expected Arrow or Parquet data: {_first_line(error)}", file=source.name
        ) from error
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        raise InputError(_first_line(error), file=source.name) from error


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _file_of(source: Source) -> Any:
    """A file PyArrow can seek in: the source's own, or a copy on disk of a stream."""
    pa = pyarrow()
    if source.path is not None and source.compression is None:
        return pa.memory_map(source.path)
    import tempfile

    spool = tempfile.TemporaryFile()  # noqa: SIM115 - closed by the reader
    try:
        view = memoryview(bytearray(_SPOOLED))
        while count := source.readinto(view):
            spool.write(view[:count])
        spool.seek(0)
    except BaseException:
        spool.close()
        raise
    return pa.PythonFile(spool, "r")


class ParquetReader(Reader):
    """Row groups of a Parquet file; small ones are decoded by the workers.

    Parameters
    ----------
    source : Source
    options : ReadOptions
    groups : sequence of int, optional
        Which row groups; by default all.
    file : object, optional
        A seekable file to read instead of the source's path, for one thread only.
    """

    def __init__(
        self, source: Source, options: ReadOptions, groups: Sequence[int] | None = None, file: Any = None
    ) -> None:
        super().__init__(source, options)
        import_parquet()
        groups = source.groups if groups is None else groups
        file = source.file if file is None else file
        with _named(source), ExitStack() as stack:
            self._file = _file_of(source) if file is None else file
            stack.callback(self._file.close)
            self._shared = file is None and source.path is not None and source.compression is None
            self.parquet = self.open()
            schema = self.parquet.schema_arrow
            self.index = puzzle_column(schema.names, options.column)
            wanted = range(len(schema.names)) if options.carries else [self.index]
            self.names = [schema.names[i] for i in wanted]
            self.index = self.names.index(schema.names[self.index])
            rows = [self.parquet.metadata.row_group(i).num_rows for i in range(self.parquet.num_row_groups)]
            stack.pop_all()
        self._firsts = np.cumsum([0, *rows]).tolist()
        self._rows = rows
        self.groups = range(len(rows)) if groups is None else groups

    def open(self) -> Any:
        """A Parquet file of the calling thread's own."""
        parquet = import_parquet()
        return parquet.ParquetFile(self.source.path if self._shared else self._file, memory_map=self._shared)

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Read on; see `Reader`."""
        try:
            yield from self._chunks(target)
        finally:
            self._file.close()

    def _chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        size, total = self.source.size or 0, max(1, self._firsts[-1])
        for group in self.groups:
            if self._shared:
                self.source.reached(size * self._firsts[group + 1] // total)
            if self._shared and self._rows[group] <= ROWS_MOST:
                yield GroupChunk(self, group)
                continue
            yield from self.group_batches(group, self.parquet, max(1, min(ROWS, target() // 82)))

    def group_batches(self, group: int, parquet: Any, rows: int = ROWS) -> Iterator[Batch]:
        """One row group as batches of so many rows."""
        first = self._firsts[group]
        with _named(self.source):
            records = parquet.iter_batches(rows, row_groups=[group], columns=self.names, use_threads=False)
        while True:
            with _named(self.source):
                record = next(records, None)
                if record is None:
                    return
                batch = self._batch(record.columns, record.schema.names, first)
            first += record.num_rows
            yield batch

    def read_group(self, group: int, parquet: Any) -> Batch:
        """One row group as a batch."""
        with _named(self.source):
            table = parquet.read_row_group(group, columns=self.names, use_threads=False).combine_chunks()
            arrays = [_one_array(column) for column in table.columns]
            return self._batch(arrays, table.schema.names, self._firsts[group])

    def _batch(self, columns: Sequence[Any], names: Sequence[str], first: int) -> Batch:
        index = list(names).index(self.names[self.index])
        return batch_of(self.source.name, columns, names, index, first=first, carry=self.options.carries)


def _one_array(column: Any) -> Any:
    pa = pyarrow()
    if column.num_chunks == 1:
        return column.chunk(0)
    return pa.array([], column.type) if column.num_chunks == 0 else pa.concat_arrays(column.chunks)


class GroupChunk(Chunk):
    """A row group, decoded by the thread that will solve it."""

    __slots__ = ("group", "reader")

    def __init__(self, reader: ParquetReader, group: int) -> None:
        self.reader = reader
        self.group = group

    def parse(self, scratch: dict[str, Any]) -> Batch:
        """Decode the row group."""
        return self.reader.read_group(self.group, self._opened(scratch))

    def batches(self, scratch: dict[str, Any]) -> Iterator[Batch]:
        """Decode the row group piece by piece."""
        return self.reader.group_batches(self.group, self._opened(scratch))

    def _opened(self, scratch: dict[str, Any]) -> Any:
        """The file, opened by this thread."""
        mine = scratch.get("parquet")
        if mine is None or mine[0] is not self.reader:
            with _named(self.reader.source):
                mine = scratch["parquet"] = (self.reader, self.reader.open())
        return mine[1]


class ArrowReader(Reader):
    """Record batches of an Arrow IPC file or stream."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        pa = pyarrow()
        with _named(source), ExitStack() as stack:
            head = source.peek(6)
            self._file = _file_of(source)
            stack.callback(self._file.close)
            if head.startswith(b"ARROW1"):
                self._opened = pa.ipc.open_file(self._file)
            elif head.startswith(b"FEA1"):
                raise FormatError("expected Arrow IPC (Feather version 2), found Feather version 1")
            else:
                self._opened = pa.ipc.open_stream(self._file)
            self.index = puzzle_column(self._opened.schema.names, options.column)
            stack.pop_all()

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Read on; see `Reader`."""
        try:
            yield from self._chunks(target)
        finally:
            self._file.close()

    def _chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        first = 0
        for record in self._records():
            begin = 0
            while begin < record.num_rows:
                piece = record.slice(begin, max(1, target() // 82))
                with _named(self.source):
                    batch = batch_of(
                        self.source.name,
                        piece.columns,
                        piece.schema.names,
                        self.index,
                        first=first + begin,
                        carry=self.options.carries,
                    )
                begin += piece.num_rows
                yield batch
            first += record.num_rows

    def _records(self) -> Iterator[Any]:
        opened = self._opened
        if hasattr(opened, "num_record_batches"):
            for number in range(opened.num_record_batches):
                with _named(self.source):
                    record = opened.get_batch(number)
                    # The content may be anything: offsets are not to be trusted unseen.
                    record.validate(full=self.options.carries)
                yield record
            return
        while True:
            with _named(self.source):
                record = next(opened, None)
                if record is None:
                    return
                record.validate(full=self.options.carries)
            yield record


def import_parquet() -> Any:
    """PyArrow's Parquet module.

    Raises
    ------
    MissingExtraError
        When PyArrow is not installed.
    """
    pyarrow()
    from pyarrow import parquet  # type: ignore[import-untyped, import-not-found, unused-ignore]

    return parquet
