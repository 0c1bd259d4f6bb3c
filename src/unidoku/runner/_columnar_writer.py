"""Writers of columns: to Parquet, to Arrow IPC files and streams, to NumPy files (``.npz``, ``.npy``)."""

from __future__ import annotations

import io
import json
from typing import Any, ClassVar

from unidoku import __version__
from unidoku._columns import REASON
from unidoku._compat import NDArray, np, pyarrow
from unidoku._options import Options
from unidoku._table import arrow
from unidoku._table.batch import Batch
from unidoku._table.column import Column, Rows
from unidoku._task import Task
from unidoku.errors import arrow_errors
from unidoku.files._formats import OutputFormat
from unidoku.files._output import OutputFile
from unidoku.runner._results import type_of_items, typed_column
from unidoku.runner._writer import FileWriter, different_columns

# Rows that are written together; fewer take less memory and more time.
_ROW_GROUP = 12_500
_RECORD_BATCH = 1 << 13
_BYTES = 1 << 25  # of fewer rows that are wide
_STEP = 1 << 13  # rows encoded at once
_DISTINCT = ("line", "puzzle", "solution", "before", "candidates")


class ArrowWriter(FileWriter):
    """Rows as Arrow columns, to Parquet, an Arrow IPC file or an Arrow IPC stream."""

    needs_end: ClassVar[bool] = True

    max_pending = 1  # with what waits for its row group, and the batch in work, there is always enough

    def __init__(
        self, file: OutputFile, output: OutputFormat, task: Task, options: Options, *, several: bool
    ) -> None:
        super().__init__(file, output, task, options, several=several)
        self._pa = pyarrow()
        self._is_parquet = output.format.name == "parquet"
        self._metadata = {"unidoku": _metadata(task, {**options.to_json(), "file": several})}
        kinds = self.schema.types(puzzle="string")
        self._types = {name: self._type(kinds[name]) for name in self.columns if name in kinds}
        self._stream: Any = None
        self._schema: Any = None
        self._writer: Any = None
        self._waiting: list[Any] = []  # record batches that are not written
        self._rows = 0  # of these
        self._bytes = 0

    def _type(self, declared: str) -> Any:
        """Return the Arrow type of a column of the stage."""
        pa = self._pa
        item, size = type_of_items(declared)
        kind = pa.type_for_alias({"cells": "string", "words": "string"}.get(item, item))
        if size is None:
            return pa.dictionary(pa.int8(), kind) if item == "words" else kind
        if self._is_parquet:
            return pa.list_(kind)
        if item == "words":
            kind = pa.dictionary(pa.int16(), kind)
        return pa.list_(kind, size or -1)

    def render(self, rows: Rows) -> Any:
        """Return the rows as a record batch that owns its memory."""
        arrays = {}
        for name, column in self.columns_of(rows).items():
            array = column.to_arrow()
            if self._is_parquet:
                array = arrow.for_parquet(array)
            kind = self._types.get(name, array.type)
            if name in rows.columns and array.type != kind:  # a column of the input keeps its type
                array = array.cast(kind)
            arrays[name] = array
        return self._pa.RecordBatch.from_arrays([*arrays.values()], [*arrays])

    def write(self, content: Any) -> None:
        """Append a record batch; as many rows are written together, however many the batches have."""
        if self._schema is None:
            self._begin(content.schema)
        elif not content.schema.equals(self._schema):
            kinds = ([f"{field.name}: {field.type}" for field in s] for s in (self._schema, content.schema))
            raise different_columns(kinds, self.file.path)
        self._waiting.append(content)
        self._rows += content.num_rows
        self._bytes += content.nbytes
        size = _ROW_GROUP if self._is_parquet else _RECORD_BATCH
        if self._bytes >= _BYTES:
            self._flush(self._rows)
        while self._rows >= size:
            self._flush(size)

    def _begin(self, schema: Any) -> None:
        self._schema = schema.with_metadata(self._metadata)
        self._stream = self._pa.PythonFile(self.file, "w")
        with arrow_errors(self.file.path):
            self._writer = (self._parquet_writer if self._is_parquet else self._ipc_writer)(self._schema)
        self.file.flush()
        self.has_begun = True

    def _parquet_writer(self, schema: Any) -> Any:
        # Puzzles and solutions do not repeat: a dictionary or bounds would only cost. Lines ascend.
        types = self._pa.types
        repetitive, encodings = list[str](), dict[str, str]()
        for field in schema:
            if types.is_list(field.type):
                repetitive.append(f"{field.name}.list.element")
            elif field.name not in _DISTINCT:
                repetitive.append(field.name)
            elif types.is_integer(field.type):
                encodings[field.name] = "DELTA_BINARY_PACKED"
        from pyarrow import parquet  # type: ignore[import-untyped, import-not-found, unused-ignore]

        return parquet.ParquetWriter(
            self._stream,
            schema,
            compression=self.output.codec or "zstd",
            use_dictionary=repetitive,  # pyright: ignore[reportArgumentType]
            write_statistics=repetitive,  # pyright: ignore[reportArgumentType]
            column_encoding=encodings,
            write_batch_size=_STEP,
        )

    def _ipc_writer(self, schema: Any) -> Any:
        # A stream is read before it is complete, but the footer of a file format comes last.
        ipc = self._pa.ipc
        stream = self.file.is_stream or self.output.suffix == ".arrows"
        return (ipc.new_stream if stream else ipc.new_file)(self._stream, schema)

    def _flush(self, count: int) -> None:
        """Write the first rows that wait."""
        table = self._pa.Table.from_batches(self._waiting, self._schema)
        self._waiting = table.slice(count).to_batches()
        self._rows -= count
        self._bytes = sum(batch.nbytes for batch in self._waiting)
        # in one piece, so that the bytes do not depend on the batches
        self._writer.write_table(table.slice(0, count).combine_chunks(), count)
        self.file.flush()

    def close(self) -> None:
        """End the rows; without any, there are only the columns."""
        if not self.has_begun:
            fields = [(name, self._types.get(name, self._pa.string())) for name in self.columns]
            self._begin(self._pa.schema(fields))
        if self._rows:
            self._flush(self._rows)
        self._writer.close()
        self._stream.flush()


def _metadata(task: Task, options: dict[str, Any]) -> str:
    """Return the version and the parameters of the task as JSON.

    If there are verdicts, which choose the rows, the options of the run are also there.
    """
    about = task.to_json()
    if "verdict" in task.columns:
        about = {**options, **about}
    return json.dumps({"version": __version__, "options": about}, sort_keys=True)


_PLURALS = {"puzzle": "puzzles", "solution": "solutions", "file": "files"}
"""Names of the arrays whose columns have another one; NumPy's own argument is called ``file``."""


class ArrayWriter(FileWriter):
    """Rows in memory until the end, since a file of NumPy begins with their number."""

    needs_end: ClassVar[bool] = True

    has_begun = True

    def __init__(
        self, file: OutputFile, output: OutputFormat, task: Task, options: Options, *, several: bool
    ) -> None:
        super().__init__(file, output, task, options, several=several)
        self.columns: tuple[str, ...] = tuple(name for name in self.columns if name not in REASON)
        self._kinds = self.schema.types(puzzle="cells")
        kinds = {name: self._kinds.get(name, "string") for name in self.columns}
        self._arrays = {name: [_array(typed_column(name, kinds[name], None), kinds[name])] for name in kinds}

    def render(self, rows: Rows) -> dict[str, NDArray[Any]]:
        """Return an array for each column, without records that are not puzzles."""
        columns = self.columns_of(rows.puzzles())
        return {name: _array(column, self._kinds.get(name, "")) for name, column in columns.items()}

    def write(self, content: dict[str, NDArray[Any]]) -> None:
        """Keep the arrays of a batch."""
        for name, array in content.items():
            self._arrays.setdefault(name, []).append(array)

    def close(self) -> None:
        """Write the arrays."""
        arrays = {_PLURALS.get(name, name): np.concatenate(parts) for name, parts in self._arrays.items()}
        content = io.BytesIO()
        if self.output.format.name == "npz":
            np.savez(content, **arrays)  # type: ignore[arg-type]
        else:
            np.save(content, arrays["puzzles"])
        self.file.write(content.getbuffer())


def _array(column: Column, kind: str) -> NDArray[Any]:
    """Copy a column to an array of numbers, of cells 0 to 9, or of texts: JSON for lists.

    A missing value is 0, NaN, False, or an empty text.
    """
    if column.categories is not None:
        column = column.plain()
    if kind == "cells":
        values = column.texts()
        cells = np.zeros((len(column), 81), np.uint8)
        has_value = column.has_value()
        cells[has_value] = Batch("", values.text, values.starts[has_value], ()).cells
        return cells
    if column.is_array:
        return np.array(column.array())  # its memory may belong to a scanner, which uses it again
    return np.array(Column(column.as_strings().values).to_list(), np.str_)
