"""Rows to Parquet and to Arrow IPC files and streams."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from unidoku.errors import FormatError, UnidokuError
from unidoku.files.formats import OutputFormat
from unidoku.files.output import OutputFile
from unidoku.options import Options
from unidoku.runner.sink import Sink, columns_to_write, different_columns, record
from unidoku.table.arrow import for_parquet, number_array, pyarrow
from unidoku.table.column import Column, type_of_items
from unidoku.table.rows import Rows
from unidoku.task import Task

# Fewer rows take less memory and more time.
ROW_GROUP = 12_500  # rows: two batches, which wait until they are written together
_BYTES = 1 << 25  # of a row group whose rows are wide
_PAGE = 1 << 19  # bytes; what is written at once
_STEP = 1 << 13  # rows encoded at once
_DISTINCT = ("line", "puzzle", "solution", "before", "candidates")


class ArrowSink(Sink):
    """Rows as Arrow columns, to Parquet, an Arrow IPC file or an Arrow IPC stream."""

    file: OutputFile
    max_pending = 1  # with what waits for its row group, and the batch in work, there is always enough

    def __init__(self, file: OutputFile, output: OutputFormat, task: Task, options: Options) -> None:
        self._pa = pyarrow()
        self.file = file  # pyright: ignore[reportIncompatibleVariableOverride]
        self.output = output
        self.record = record(task, options)
        self.columns, self.has_passthrough = columns_to_write(task, options, output)
        self.only = options.only
        self.depends_on_batches = True
        self._parquet = output.format.name == "parquet"
        kinds = {**task.column_types, "puzzle": "string"}
        self._types = {name: self._type(kinds[name]) for name in self.columns if name in kinds}
        self._stream: Any = None
        self._schema: Any = None
        self._writer: Any = None
        self._batches: list[Any] = []  # that are not written
        self._rows = 0
        self._bytes = 0

    def _type(self, declared: str) -> Any:
        """Return the Arrow type of a column of the stage."""
        pa = self._pa
        item, size = type_of_items(declared)
        if item != "words":
            kind = pa.type_for_alias("string" if item == "cells" else item)
        elif size is None:
            kind = pa.dictionary(pa.int8(), pa.string())
        else:
            kind = pa.string() if self._parquet else pa.dictionary(pa.int16(), pa.string())
        if size is None:
            return kind
        return pa.list_(kind, size) if size and not self._parquet else pa.list_(kind)

    def _in_arrow(self, column: Column) -> Any:
        """Return a column as an Arrow array that the output can hold."""
        array = column.to_arrow()
        return for_parquet(array) if self._parquet else array

    def render(self, rows: Rows) -> Any:
        """Return the rows as a record batch that owns its memory."""
        pa = self._pa
        arrays = {name: self._in_arrow(column) for name, column in self.columns_of(rows).items()}
        for name in self.columns:
            kind = self._types.get(name, arrays[name].type)  # a column of the input keeps its type
            if name in rows.columns and arrays[name].type != kind:
                try:
                    arrays[name] = arrays[name].cast(kind)
                except pa.ArrowException as error:  # of a record that is no puzzle
                    message = (
                        f"column {name!r}: found a value of another type than {kind}; write it as .jsonl or "
                        ".csv, or leave it out with --columns"
                    )
                    raise FormatError(message, file=rows.source) from error
        record = pa.RecordBatch.from_arrays([*arrays.values()], [*arrays])
        if self.only is None:
            return record
        return record.filter(number_array(rows.among(self.only)))

    def write(self, content: Any) -> None:
        """Append a record batch; Parquet collects them to row groups."""
        if self._schema is None:
            self._begin(content.schema)
        elif not content.schema.equals(self._schema):
            kinds = (map(_typed, schema) for schema in (self._schema, content.schema))
            raise different_columns(kinds, self.file.path)
        self._batches.append(content)
        self._rows += content.num_rows
        self._bytes += content.nbytes
        if self._rows >= (ROW_GROUP if self._parquet else _STEP) or self._bytes >= _BYTES:
            self.flush()

    def _begin(self, schema: Any) -> None:
        schema = schema.with_metadata({"unidoku": self.record})
        self._stream = self._pa.PythonFile(self.file, "w")
        try:
            with self.file.errors():
                self._writer = self._parquet_writer(schema) if self._parquet else self._ipc_writer(schema)
        except UnidokuError:
            raise
        except ValueError as error:
            raise FormatError(str(error).splitlines()[0], file=self.file.path) from error
        self.file.flush()
        self._schema = schema
        self.passthrough_names = tuple(map(_typed, schema))[len(self.columns) :]

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
            elif types.is_string(field.type):
                encodings[field.name] = "PLAIN"
        from pyarrow import parquet  # type: ignore[import-untyped, import-not-found, unused-ignore]

        return parquet.ParquetWriter(
            self._stream,
            schema,
            compression=self.output.codec or "zstd",
            use_dictionary=repetitive,  # pyright: ignore[reportArgumentType]
            write_statistics=repetitive,  # pyright: ignore[reportArgumentType]
            column_encoding=encodings,
            data_page_size=_PAGE,
            write_batch_size=_STEP,
        )

    def _ipc_writer(self, schema: Any) -> Any:
        # A stream is read before it is complete, but the footer of a file format comes last.
        ipc = self._pa.ipc
        stream = self.file.is_stream or self.output.suffix == ".arrows"
        return (ipc.new_stream if stream else ipc.new_file)(self._stream, schema)

    def flush(self) -> None:
        """Write the rows that wait."""
        if not self._batches:
            return
        batches, self._batches, self._rows, self._bytes = self._batches, [], 0, 0
        table = self._pa.Table.from_batches(batches, self._schema)
        try:
            with self.file.errors():
                if self._parquet:
                    self._writer.write_table(table, row_group_size=max(ROW_GROUP, table.num_rows))
                else:
                    self._writer.write_table(table if len(batches) == 1 else table.combine_chunks())
                self.file.flush()
        except BaseException:
            with suppress(Exception):
                self._writer.close()
            self._writer = None  # its file is not valid
            raise

    def close(self) -> None:
        """End the rows; without any, there are only the columns."""
        with self.file.errors():
            if self._schema is None:
                fields = [(name, self._types.get(name, self._pa.string())) for name in self.columns]
                self._begin(self._pa.schema(fields))
            self.flush()
            self._writer.close()
            self._stream.flush()


def _typed(field: Any) -> str:
    return f"{field.name}: {field.type}"
