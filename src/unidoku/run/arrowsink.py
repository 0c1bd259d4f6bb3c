"""Results and puzzles to Parquet and to Arrow IPC files and streams."""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku.arrow import answer_arrays, pyarrow, result_schema, verdict_words
from unidoku.errors import FormatError, UnidokuError
from unidoku.files.base import Batch, Column, carried
from unidoku.files.formats import OutputFormat
from unidoku.files.formats.columnar import ArrowColumn
from unidoku.files.formats.parquet import import_parquet
from unidoku.files.output import OutputFile
from unidoku.native.text import columns as native
from unidoku.run.sink import EVERY, RESULT_COLUMNS, Sink
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["ArrowSink", "ArrowTable", "PuzzleSink"]

ROW_GROUP = 1 << 17  # rows
_PAGE = 1 << 19  # bytes; what is written at once
_STEP = 1 << 13  # rows encoded at once


class ArrowSink(Sink):
    """Results as Arrow columns, to Parquet, an Arrow IPC file or an Arrow IPC stream.

    The columns are ``line`` (int64), ``puzzle``, ``verdict``, ``count`` (uint64) and ``complete`` (bool),
    both null for an invalid record, ``solution`` (null where there is none), ``reason`` (of an invalid
    record) and those carried from the input; a carried column with such a name is called ``given_…``.
    """

    file: OutputFile
    own = len(RESULT_COLUMNS)  # columns before the carried ones

    def __init__(
        self,
        file: OutputFile,
        output: OutputFormat,
        verdict_mask: int = EVERY,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self._pa = pyarrow()
        self.file = file  # pyright: ignore[reportIncompatibleVariableOverride]
        self.output = output
        self.verdict_mask = verdict_mask
        self.options = options
        self.solutions = self.carries = self.shows_lines = self.shows_batches = True
        self._parquet = output.format.name == "parquet"
        self._stream = file.arrow()
        self._schema: Any = None
        self._writer: Any = None
        self._waiting: list[Any] = []
        self._buffers: list[bytearray] = []  # that the waiting batches use
        self._rows = 0

    def _empty(self) -> Any:
        """Return the schema of an output without rows."""
        return _schema(self._pa, [], [])

    def render(self, batch: Batch, results: Any) -> Any:
        """One batch as a record batch that owns its memory."""
        pa = self._pa
        n = len(batch.starts)
        columns = carried(batch, RESULT_COLUMNS)
        kept = results.keep(self.pool)
        counts, verdicts = np.frombuffer(results.counts, np.uint64), np.frombuffer(results.verdicts, np.uint8)
        complete = np.frombuffer(results.complete, np.bool_)
        solutions = np.frombuffer(results.solutions, np.uint8).reshape(n, 81)
        if batch.zero == 0:
            solutions[solutions != 0] += 48
        buffer = self.pool.allocate(89 * n)
        lines = np.frombuffer(buffer, np.int64, n)
        lines[:] = np.asarray(batch.lines)
        arrays = [
            pa.Array.from_buffers(pa.int64(), n, [None, pa.py_buffer(lines)]),
            self._puzzles(batch, np.frombuffer(buffer, np.uint8, 81 * n, 8 * n)),
            *answer_arrays(counts, verdicts, complete, solutions),
            pa.nulls(n, pa.string()),
            *(_array(pa, column) for column in columns),
        ]
        names = [column.name for column in columns]
        schema = _schema(pa, names, [array.type for array in arrays[self.own :]])
        if len(batch.rejects) and self.verdict_mask >> Verdict.INVALID & 1:
            arrays = self._with_rejects(batch, arrays, columns)
            verdicts = arrays[2].indices.to_numpy(zero_copy_only=False).astype(np.uint8)
        record = pa.RecordBatch.from_arrays(arrays, schema=schema)
        if self.verdict_mask & EVERY != EVERY:
            record = record.filter(pa.array((self.verdict_mask >> verdicts.astype(np.int64)) & 1 == 1))
        return record, [*kept, buffer]

    def _puzzles(self, batch: Batch, rows: Any) -> Any:
        pa = self._pa
        n = len(batch.starts)
        if len(batch.marked):
            return pa.array(list(batch.texts()), pa.string())
        native.gather(batch.text, batch.starts, rows, batch.zero)
        offsets = np.arange(0, 81 * n + 1, 81, dtype=np.int32)
        return pa.Array.from_buffers(pa.string(), n, [None, pa.py_buffer(offsets), pa.py_buffer(rows)])

    def _with_rejects(self, batch: Batch, arrays: list[Any], columns: Sequence[Column]) -> list[Any]:
        """Return the rows with those of invalid records between them."""
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
            pa.nulls(more, pa.uint64()),
            pa.nulls(more, pa.bool_()),
            pa.nulls(more, pa.string()),
            pa.array([reject.reason for reject in bad], pa.string()),
            *(
                pa.nulls(more, array.type) if column.constant is None else pa.repeat(column.constant, more)
                for column, array in zip(columns, arrays[self.own :], strict=True)
            ),
        ]
        take = pa.array(order)
        return [pa.concat_arrays([a, b]).take(take) for a, b in zip(arrays, added, strict=True)]

    def write(self, piece: Any) -> None:
        """Append the rows; Parquet collects them to row groups."""
        piece, buffers = piece
        if self._schema is None:
            self._begin(piece.schema)
        elif not piece.schema.equals(self._schema):
            had, has = (", ".join(f"{f.name}: {f.type}" for f in s) for s in (self._schema, piece.schema))
            raise FormatError(
                f"the inputs carry different columns ({had} and {has}); "
                "one file needs the same columns in all rows",
                file=self.file.path,
            )
        self._waiting.append(piece)
        self._buffers += buffers
        self._rows += piece.num_rows
        if self._rows >= ROW_GROUP or not self._parquet:
            self._flush()

    def _begin(self, schema: Any) -> None:
        if self.options is not None:
            from unidoku import __version__

            about = {"version": __version__, "options": self.options}
            schema = schema.with_metadata({"unidoku": dumps(about, sort_keys=True)})
        try:
            with self.file.errors():
                self._writer = self._parquet_writer(schema) if self._parquet else self._ipc_writer(schema)
        except UnidokuError:
            raise
        except (self._pa.ArrowException, ValueError) as error:
            raise FormatError(str(error).splitlines()[0], file=self.file.path) from error
        self._schema = schema
        self.columns = tuple(f"{field.name}: {field.type}" for field in schema)[self.own :]

    def _parquet_writer(self, schema: Any) -> Any:
        # Puzzles and solutions do not repeat: a dictionary or bounds would only cost.
        others = [field.name for field in schema if field.name not in _DISTINCT]
        texts = [field.name for field in schema if self._pa.types.is_string(field.type)]
        return import_parquet().ParquetWriter(
            self._stream,
            schema,
            compression=self.output.codec or "none",
            use_dictionary=others,
            write_statistics=others,
            column_encoding={name: "PLAIN" for name in texts if name in _DISTINCT},
            data_page_size=_PAGE,
            write_batch_size=_STEP,
        )

    def _ipc_writer(self, schema: Any) -> Any:
        # Standard output is read before it is complete, but the footer of a file format comes last.
        ipc = self._pa.ipc
        stream = self.file.path == "-" or self.output.suffix == ".arrows"
        return (ipc.new_stream if stream else ipc.new_file)(self._stream, schema)

    def _flush(self) -> None:
        if not self._waiting:
            return
        waiting, self._waiting, self._rows = self._waiting, [], 0
        table = self._pa.Table.from_batches(waiting, self._schema)
        with self.file.errors():
            if self._parquet:
                self._writer.write_table(table, row_group_size=max(ROW_GROUP, table.num_rows))
            else:
                self._writer.write_table(table)
        for buffer in self._buffers:
            self.pool.release(buffer)
        self._buffers.clear()

    def close(self) -> None:
        """Finish the file; without rows it has only the columns."""
        with self.file, self.file.errors():
            if self._schema is None:
                self._begin(self._empty())
            self._flush()
            self._writer.close()
            self._stream.flush()


class PuzzleSink(ArrowSink):
    """Puzzles and what came with them, without answers."""

    own = 1

    def _empty(self) -> Any:
        return self._pa.schema([("puzzle", self._pa.string())])

    def render(self, batch: Batch, results: Any) -> Any:
        """One batch as a record batch."""
        pa = self._pa
        n = len(batch.starts)
        columns = carried(batch, ("puzzle",))
        buffer = self.pool.allocate(81 * n)
        arrays = [
            self._puzzles(batch, np.frombuffer(buffer, np.uint8, 81 * n)),
            *(_array(pa, column) for column in columns),
        ]
        names = ["puzzle", *(column.name for column in columns)]
        return pa.RecordBatch.from_arrays(arrays, names=names), [buffer]


class ArrowTable(ArrowSink):
    """A table of Python values; see :func:`unidoku.run.tables.open_table`."""

    def __init__(
        self,
        file: OutputFile,
        output: OutputFormat,
        columns: Mapping[str, str],
        options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(file, output, options=options)
        pa = self._pa
        self._types = pa.schema([(name, pa.type_for_alias(kind)) for name, kind in columns.items()])
        self._pending: list[Mapping[str, Any]] = []

    def _empty(self) -> Any:
        return self._types

    def write(self, piece: Sequence[Mapping[str, Any]]) -> None:
        """Append rows."""
        self._pending += piece
        if len(self._pending) >= _STEP:
            self._append()

    def close(self) -> None:
        """Finish the file."""
        if self._pending:
            self._append()
        super().close()

    def _append(self) -> None:
        pa = self._pa
        arrays = [
            pa.array([row.get(field.name) for row in self._pending], field.type) for field in self._types
        ]
        self._pending = []
        super().write((pa.RecordBatch.from_arrays(arrays, schema=self._types), []))


_DISTINCT = ("line", "puzzle", "solution", "given_puzzle", "given_solution")


def _schema(pa: Any, names: list[str], types: list[Any]) -> Any:
    own = result_schema(pa.schema([("line", pa.int64()), ("puzzle", pa.string())]), solutions=True)
    return pa.schema([*own, *(pa.field(name, kind) for name, kind in zip(names, types, strict=True))])


def _array(pa: Any, column: Column) -> Any:
    """Return a carried column as an Arrow array that owns its memory."""
    if isinstance(column, ArrowColumn):
        return column.array
    if column.constant is not None:
        return pa.repeat(column.constant, len(column.starts))
    starts, ends = np.asarray(column.starts), np.asarray(column.ends)
    text = memoryview(column.text)
    places = zip(starts.tolist(), ends.tolist(), strict=True)
    values = [str(text[s:e], "utf-8", "replace") for s, e in places]
    if column.kind == "string":
        return pa.array(values, pa.string())
    return pa.array([value or None for value in values]).cast(column.kind)
