"""Results to Parquet and to Arrow IPC files."""

from __future__ import annotations

from typing import Any

import numpy as np

from unidoku.arrow import answer_arrays, pyarrow, result_schema, verdict_words
from unidoku.errors import FormatError, cannot_write
from unidoku.files.base import Batch, Column
from unidoku.files.readers.arrowdata import ArrowColumn
from unidoku.files.readers.parquet import import_parquet
from unidoku.native.text import columns as native
from unidoku.pipeline.packing import packing_of
from unidoku.pipeline.results import Results
from unidoku.pipeline.sinks import EVERY, OUTPUT_COLUMNS, Sink, carried
from unidoku.verdict import Verdict

__all__ = ["ArrowSink", "PuzzleSink"]

ROW_GROUP = 1 << 17  # rows
_PAGE = 1 << 19  # bytes; what is written at once
_STEP = 1 << 13  # rows encoded at once


class ArrowSink(Sink):
    """Rows as Arrow columns, to ``.parquet`` or to an Arrow IPC file by the path's suffix.

    The columns are ``line`` (int64), ``puzzle``, ``verdict``, ``count`` (int64) and ``complete`` (bool),
    both null for an invalid record, ``solution`` (null where there is none), ``reason`` (of an invalid
    record) and those carried from the input; one of these that has such a name is called ``given_…``.

    Parameters
    ----------
    path : str
    wanted : int
        Bit v is set when rows with verdict code v are wanted.
    compression : str, optional
        ``none``, ``lz4``, ``zstd``; for Parquet also ``snappy``, ``gzip``, ``brotli``. By default what
        the name says (``out.zstd.parquet``), else none, which is fastest.
    target : object, optional
        A writable binary file to use instead of opening the path.

    Raises
    ------
    FormatError
        When the batches do not all carry the same columns.
    InputError
        When the file cannot be written.
    MissingExtraError
        When PyArrow is not installed.
    """

    solutions = True
    steady = False
    carries = True

    def __init__(
        self, path: str, wanted: int = EVERY, compression: str | None = None, target: Any = None
    ) -> None:
        self._pa = pyarrow()
        self.path = path
        self.wanted = wanted
        self.compression = compression or packing_of(path)
        if path.lower().endswith((".gz", ".bz2", ".xz", ".zst")):
            raise FormatError("Arrow and Parquet files compress their own columns", file=path)
        self._parquet = path.lower().endswith((".parquet", ".pq"))
        self._file: Any = target
        if target is None:
            try:
                self._file = self._pa.OSFile(path, "wb")
            except OSError as error:
                raise cannot_write(error, path) from error
        self._schema: Any = None
        self._writer: Any = None
        self._waiting: list[Any] = []
        self._rooms: list[bytearray] = []  # their memory
        self._rows = 0

    def _empty(self) -> Any:
        """The schema of an output without rows."""
        return _schema(self._pa, [], [])

    def render(self, batch: Batch, results: Results | None) -> Any:
        """One batch as a record batch of its own memory."""
        assert results is not None
        pa = self._pa
        n = len(batch.starts)
        columns = carried(batch)
        kept = results.keep(self.memory)
        counts, verdicts = np.frombuffer(results.counts, np.uint64), np.frombuffer(results.verdicts, np.uint8)
        complete = np.frombuffer(results.complete, np.bool_)
        solutions = np.frombuffer(results.solutions, np.uint8).reshape(n, 81)
        if batch.zero == 0:
            solutions[solutions != 0] += 48
        room = self.memory.take(89 * n)
        lines = np.frombuffer(room, np.int64, n)
        lines[:] = np.asarray(batch.lines)
        arrays = [
            pa.Array.from_buffers(pa.int64(), n, [None, pa.py_buffer(lines)]),
            self._puzzles(batch, np.frombuffer(room, np.uint8, 81 * n, 8 * n)),
            *answer_arrays(counts, verdicts, complete, solutions),
            pa.nulls(n, pa.string()),
            *(_array(pa, column) for column in columns),
        ]
        names = [column.name for column in columns]
        schema = _schema(pa, names, [array.type for array in arrays[_OWN:]])
        if len(batch.rejects) and self.wanted >> Verdict.INVALID & 1:
            arrays = self._with_rejects(batch, arrays)
            verdicts = _codes(arrays[2])
        record = pa.RecordBatch.from_arrays(arrays, schema=schema)
        if self.wanted & EVERY != EVERY:
            record = record.filter(pa.array((self.wanted >> verdicts.astype(np.int64)) & 1 == 1))
        return record, [*kept, room]

    def _puzzles(self, batch: Batch, rows: Any) -> Any:
        pa = self._pa
        n = len(batch.starts)
        if len(batch.wide):
            text = memoryview(batch.text)
            wide = set(batch.wide)
            widths = (729 if i in wide else 81 for i in range(n))
            each = (bytes(text[s : s + w]) for s, w in zip(batch.starts, widths, strict=True))
            return pa.array([cells.decode("ascii") for cells in each], pa.string())
        native.gather(batch.text, batch.starts, rows, batch.zero)
        offsets = np.arange(0, 81 * n + 1, 81, dtype=np.int32)
        return pa.Array.from_buffers(pa.string(), n, [None, pa.py_buffer(offsets), pa.py_buffer(rows)])

    def _with_rejects(self, batch: Batch, arrays: list[Any]) -> list[Any]:
        """The rows with those of invalid records in their places."""
        pa = self._pa
        bad = list(batch.rejects)
        n, more = len(batch.starts), len(bad)
        places = np.array([reject.before for reject in bad]) + np.arange(more)
        order = np.empty(n + more, np.int64)
        is_bad = np.zeros(n + more, bool)
        is_bad[places] = True
        order[is_bad] = np.arange(n, n + more)
        order[~is_bad] = np.arange(n)
        added = [
            pa.array([reject.line for reject in bad], pa.int64()),
            pa.array([reject.text.decode("utf-8", "backslashreplace") for reject in bad], pa.string()),
            pa.DictionaryArray.from_arrays(
                pa.array([int(Verdict.INVALID)] * more, pa.int8()), verdict_words()
            ),
            pa.nulls(more, pa.int64()),
            pa.nulls(more, pa.bool_()),
            pa.nulls(more, pa.string()),
            pa.array([reject.reason for reject in bad], pa.string()),
            *(pa.nulls(more, array.type) for array in arrays[_OWN:]),
        ]
        take = pa.array(order)
        return [pa.concat_arrays([a, b]).take(take) for a, b in zip(arrays, added, strict=True)]

    def write(self, piece: Any) -> None:
        """Append the rows; Parquet gathers them to row groups."""
        piece, rooms = piece
        if self._schema is None:
            self._begin(piece.schema)
        elif not piece.schema.equals(self._schema):
            had, has = (", ".join(f"{f.name}: {f.type}" for f in s) for s in (self._schema, piece.schema))
            raise FormatError(
                f"expected the columns of the inputs before ({had}), found {has}; one file takes one kind",
                file=self.path,
            )
        self._waiting.append(piece)
        self._rooms += rooms
        self._rows += piece.num_rows
        if self._rows >= ROW_GROUP or not self._parquet:
            self._flush()

    def _begin(self, schema: Any) -> None:
        pa = self._pa
        self._schema = schema
        self.columns = tuple(f"{field.name}: {field.type}" for field in schema)[_OWN:]
        try:
            if self._parquet:
                texts = [field.name for field in schema if pa.types.is_string(field.type)]
                self._writer = import_parquet().ParquetWriter(
                    self._file,
                    schema,
                    compression=self.compression,
                    # Every puzzle and solution is another text: a dictionary or bounds would only cost.
                    use_dictionary=[field.name for field in schema if field.name not in _DISTINCT],
                    write_statistics=[field.name for field in schema if field.name not in _DISTINCT],
                    column_encoding={name: "PLAIN" for name in texts if name in _DISTINCT},
                    data_page_size=_PAGE,
                    write_batch_size=_STEP,
                )
            else:
                packed = None if self.compression == "none" else self.compression
                options = pa.ipc.IpcWriteOptions(compression=packed)
                self._writer = pa.ipc.new_file(self._file, schema, options=options)
        except (pa.ArrowException, ValueError) as error:
            raise FormatError(str(error).splitlines()[0], file=self.path) from error

    def _flush(self) -> None:
        if not self._waiting:
            return
        waiting, self._waiting, self._rows = self._waiting, [], 0
        table = self._pa.Table.from_batches(waiting, self._schema)
        try:
            if self._parquet:
                self._writer.write_table(table, row_group_size=max(ROW_GROUP, table.num_rows))
            else:
                self._writer.write_table(table)
        except OSError as error:
            raise cannot_write(error, self.path) from error
        for room in self._rooms:
            self.memory.give(room)
        self._rooms.clear()

    def close(self) -> None:
        """Finish the file; without rows it has the columns alone."""
        try:
            if self._schema is None:
                self._begin(self._empty())
            self._flush()
            self._writer.close()
            self._file.flush()
        except OSError as error:
            raise cannot_write(error, self.path) from error
        finally:
            self._file.close()


class PuzzleSink(ArrowSink):
    """Puzzles and what came with them, without answers."""

    def _empty(self) -> Any:
        return self._pa.schema([("puzzle", self._pa.string())])

    def render(self, batch: Batch, results: Results | None) -> Any:
        """One batch as a record batch."""
        pa = self._pa
        n = len(batch.starts)
        room = self.memory.take(81 * n)
        arrays = [
            self._puzzles(batch, np.frombuffer(room, np.uint8, 81 * n)),
            *(_array(pa, column) for column in batch.columns),
        ]
        names = ["puzzle"]
        for column in batch.columns:
            names.append(f"given_{column.name}" if column.name in names else column.name)
        return pa.RecordBatch.from_arrays(arrays, names=names), [room]


_OWN = len(OUTPUT_COLUMNS)  # columns before the carried ones
_DISTINCT = ("line", "puzzle", "solution", "given_puzzle", "given_solution")


def _schema(pa: Any, names: list[str], types: list[Any]) -> Any:
    own = result_schema(pa.schema([("line", pa.int64()), ("puzzle", pa.string())]), solutions=True)
    fields = [*own, pa.field("reason", pa.string())]
    fields += [pa.field(name, kind) for name, kind in zip(names, types, strict=True)]
    return pa.schema(fields)


def _codes(verdicts: Any) -> Any:
    return verdicts.indices.to_numpy(zero_copy_only=False).astype(np.uint8)


def _array(pa: Any, column: Column) -> Any:
    """A carried column as an Arrow array of its own memory."""
    if isinstance(column, ArrowColumn):
        return column.array
    starts, ends = np.asarray(column.starts), np.asarray(column.ends)
    text = memoryview(column.text)
    try:
        values = [str(text[s:e], "utf-8") for s, e in zip(starts.tolist(), ends.tolist(), strict=True)]
    except UnicodeDecodeError:
        values = [
            str(text[s:e], "utf-8", "replace") for s, e in zip(starts.tolist(), ends.tolist(), strict=True)
        ]
    return pa.array(values, pa.string())
