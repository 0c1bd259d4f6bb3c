"""Rows to Parquet and to Arrow IPC files and streams."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from unidoku.arrow import grid_array, number_array, pyarrow, verdict_words
from unidoku.errors import FormatError, UnidokuError
from unidoku.files.base import Column
from unidoku.files.formats import OutputFormat
from unidoku.files.formats.columnar import ArrowColumn, import_parquet
from unidoku.files.output import OutputFile
from unidoku.native.text import columns as native
from unidoku.run.loop import RunOptions
from unidoku.run.stage import Made, Sink, Table, different_columns

ROW_GROUP = 1 << 17  # rows
_PAGE = 1 << 19  # bytes; what is written at once
_STEP = 1 << 13  # rows encoded at once
_DISTINCT = ("line", "puzzle", "solution", "given_puzzle", "given_solution")


class ArrowSink(Sink):
    """Rows as Arrow columns, to Parquet, an Arrow IPC file or an Arrow IPC stream."""

    file: OutputFile

    def __init__(self, file: OutputFile, output: OutputFormat, options: RunOptions) -> None:
        self._pa = pyarrow()
        self.file = file  # pyright: ignore[reportIncompatibleVariableOverride]
        self.output = output
        self.record = options.record()
        self.columns, self.carries = options.written(text=False)
        self.shows_batches = True
        verdict = self._pa.dictionary(self._pa.int8(), self._pa.string())
        kinds = {name: verdict if kind == "verdict" else kind for name, kind in options.stage.columns.items()}
        self._own = self._pa.schema([(name, kinds.get(name, "string")) for name in self.columns])
        self._parquet = output.format.name == "parquet"
        self._stream = file.arrow()
        self._schema: Any = None
        self._writer: Any = None
        self._waiting: list[Any] = []
        self._buffers: list[bytearray] = []  # that the waiting batches use
        self._rows = 0

    def render(self, table: Table) -> Any:
        """One table as a record batch that owns its memory."""
        pa = self._pa
        n, kept = len(table), list[bytearray]()
        arrays = [self._array(column, n, table, kept) for column in table.columns]
        for k, kind in enumerate(self._own.types):
            if not isinstance(table.columns[k], ArrowColumn):
                arrays[k] = arrays[k].cast(kind)
        mask = None if table.mask is None else np.frombuffer(table.mask, np.bool_)
        if table.rejected is not None:
            before = np.array([reject.before for reject in table.batch.rejects], np.int64)
            arrays = self._with_rejected(table, arrays, before)
            mask = None if mask is None else np.insert(mask, before, True)
        record = pa.RecordBatch.from_arrays(arrays, [column.name for column in table.columns])
        return (record if mask is None else record.filter(pa.array(mask))), kept

    def _array(self, column: Made | Column, n: int, table: Table, kept: list[bytearray]) -> Any:
        """Return a column as an Arrow array that owns its memory, or uses a buffer that is kept."""
        pa = self._pa
        if isinstance(column, ArrowColumn):
            return column.array
        if isinstance(column, Column):
            return _texts(pa, column)
        kind, buffers = column.kind, column.buffers
        if kind == "reasons":
            return _texts(pa, Column(column.name, *buffers), empty=None)
        if kind == "same":
            return pa.repeat(buffers[0].decode("utf-8", "backslashreplace"), n)
        if kind in ("absent", "nothing") or column.type == "null":
            return pa.nulls(n)
        if kind == "words":
            codes = number_array(np.array(np.frombuffer(buffers[0], np.int8, n)))
            return pa.DictionaryArray.from_arrays(codes, verdict_words())
        if kind == "cells":
            batch = table.batch
            if len(batch.marked):
                return pa.array(list(batch.texts()), pa.string())
            kept.append(self.pool.allocate(81 * n))
            rows = np.frombuffer(kept[-1], np.uint8, 81 * n)
            native.gather(batch.text, batch.starts, rows, batch.zero)
            return grid_array(rows)
        if kind == "grids":
            rows = np.frombuffer(buffers[0], np.uint8, 81 * n)
            valid = rows[::81] != 0
            if buffers[1] == 0:
                np.bitwise_or(rows, 48, out=rows)
            kept.append(table.scratch.pop("solutions"))
            table.scratch["solutions"] = self.pool.allocate(len(kept[-1]))
            return grid_array(rows, valid)
        values = np.array(np.asarray(buffers[0])[:n])
        valid = np.frombuffer(buffers[1], np.bool_, n) if len(buffers) > 1 and kind != "counts" else None
        return number_array(values.view(np.bool_) if kind == "flags" else values, valid)

    def _with_rejected(self, table: Table, arrays: list[Any], before: Any) -> list[Any]:
        """Return the rows with those of invalid records between them."""
        pa = self._pa
        n, more = len(table), len(before)
        take = pa.array(np.insert(np.arange(n), before, np.arange(n, n + more)))
        added = [
            self._array(column, more, table, []).cast(array.type)
            for column, array in zip(table.rejected or (), arrays, strict=True)
        ]
        return [pa.concat_arrays([a, b]).take(take) for a, b in zip(arrays, added, strict=True)]

    def write(self, piece: Any) -> None:
        """Append the rows; Parquet collects them to row groups."""
        piece, buffers = piece
        if self._schema is None:
            self._begin(piece.schema)
        elif not piece.schema.equals(self._schema):
            kinds = (map(_typed, schema) for schema in (self._schema, piece.schema))
            raise different_columns(kinds, self.file.path)
        self._waiting.append(piece)
        self.file.has_rows |= piece.num_rows > 0
        self._buffers += buffers
        self._rows += piece.num_rows
        if self._rows >= (ROW_GROUP if self._parquet else _STEP):
            self.flush()

    def _begin(self, schema: Any) -> None:
        schema = schema.with_metadata({"unidoku": self.record})
        try:
            with self.file.errors():
                self._writer = self._parquet_writer(schema) if self._parquet else self._ipc_writer(schema)
        except UnidokuError:
            raise
        except (self._pa.ArrowException, ValueError) as error:
            raise FormatError(str(error).splitlines()[0], file=self.file.path) from error
        self.file.flush()
        self._schema = schema
        self.carried = tuple(map(_typed, schema))[len(self.columns) :]

    def _parquet_writer(self, schema: Any) -> Any:
        # Puzzles and solutions do not repeat: a dictionary or bounds would only cost.
        others = [field.name for field in schema if field.name not in _DISTINCT]
        texts = [field.name for field in schema if self._pa.types.is_string(field.type)]
        return import_parquet().ParquetWriter(
            self._stream,
            schema,
            compression=self.output.codec or "zstd",
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

    def flush(self) -> None:
        """Write the rows that wait."""
        if not self._waiting:
            return
        waiting, self._waiting, self._rows = self._waiting, [], 0
        table = self._pa.Table.from_batches(waiting, self._schema)
        try:
            with self.file.errors():
                if self._parquet:
                    self._writer.write_table(table, row_group_size=max(ROW_GROUP, table.num_rows))
                else:
                    self._writer.write_table(table if len(waiting) == 1 else table.combine_chunks())
                self.file.flush()
        except BaseException:
            with suppress(Exception):
                self._writer.close()
            self._writer = None  # its file is not valid
            raise
        for buffer in self._buffers:
            self.pool.release(buffer)
        self._buffers.clear()

    def close(self) -> None:
        """End the rows; without any, there are only the columns."""
        with self.file.errors():
            if self._schema is None:
                self._begin(self._own)
            self.flush()
            self._writer.close()
            self._stream.flush()


def _typed(field: Any) -> str:
    return f"{field.name}: {field.type}"


def _texts(pa: Any, column: Column, empty: str | None = "") -> Any:
    """Return a column of texts as an Arrow array that owns its memory; `empty` stands for an empty text."""
    starts, ends = np.asarray(column.starts), np.asarray(column.ends)
    text = memoryview(column.text)
    places = zip(starts.tolist(), ends.tolist(), strict=True)
    values = [str(text[s:e], "utf-8", "replace") for s, e in places]
    if column.kind == "string":
        return pa.array([value or empty for value in values], pa.string())
    return pa.array([value or None for value in values]).cast(column.kind)
