"""Outputs of a run as text, and the choice of an output by its suffix."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from unidoku.errors import escape
from unidoku.files.base import Writer
from unidoku.files.formats import OutputFormat, output_format
from unidoku.files.output import OutputFile
from unidoku.native.text.render import render
from unidoku.options import Options
from unidoku.runner.sink import Sink, columns_to_write, different_columns
from unidoku.table.column import Column
from unidoku.table.rows import Rows
from unidoku.task import Task


class TextSink(Sink):
    """Rows as text, perhaps compressed."""

    file: OutputFile
    skips_empty_rows = False
    """Whether rows without any value have no line."""

    def __init__(self, file: OutputFile, output: OutputFormat, task: Task, options: Options) -> None:
        self.form, self.writer = _form(output, task)
        self.has_header = output.format.headed or self.form == "tsv"
        self.columns, self.has_passthrough = columns_to_write(task, options, output)
        self.only = options.only
        self.in_order = self.writer is not None and self.writer.in_order
        if self.form == "txt" and options.columns is None:
            if "puzzle" in self.columns and not task.replaces:
                self.optional_columns = ("reason",)
            # otherwise a line says something of every record
            self.skips_empty_rows = "verdict" not in task.columns and "puzzle" not in self.columns
        self.file = file  # pyright: ignore[reportIncompatibleVariableOverride]

    def render(self, rows: Rows) -> tuple[tuple[str, ...], bytes | memoryview]:
        """Return the rows as text; formats that hold puzzles alone leave out the records that are none."""
        names = self.passthrough_of(rows)
        text: bytes | memoryview
        if self.writer is None:
            text = self._table(rows)
        else:
            if self.in_order:
                self.begin(names)
            text = self.writer.puzzles(rows.puzzles(), names, self.pool.allocate)
        return names, text

    def _table(self, rows: Rows) -> memoryview:
        """Return the rows as text."""
        if self.form == "txt" and rows.is_puzzle is not None and "puzzle" in rows.columns:
            rows = _escaped(rows, rows.is_puzzle)
        columns = self.columns_of(rows) | dict(
            zip(self.optional_columns, rows.named(self.optional_columns), strict=True)
        )
        mask = None if self.only is None else rows.among(self.only)
        if self.skips_empty_rows:
            has_value = np.any([column.has_value() for column in columns.values()], axis=0)
            mask = has_value if mask is None else has_value & mask
        return render(
            self.form,
            len(rows),
            [(name, column.native()) for name, column in columns.items()],
            optional=len(self.optional_columns),
            mask=None if mask is None else mask.view(np.uint8),
            allocate=self.pool.allocate,
        )

    def write(self, content: tuple[tuple[str, ...], bytes | memoryview]) -> None:
        """Append the rows; on standard output they appear at once."""
        names, text = content
        self.begin(names)
        if len(text):
            self.file.write(text)
            self.file.flush()
        self._release(text)

    def close(self) -> None:
        """End the rows; without any, there is only a header."""
        if self.passthrough_names is None:
            self.begin(())
        if self.writer is not None:
            self._put(self.writer.end())

    def _release(self, text: bytes | memoryview) -> None:
        """Return the buffer of rows to the pool."""
        if isinstance(text, memoryview):
            self.pool.release(text.obj)

    def begin(self, names: tuple[str, ...]) -> None:
        """Write the header before the first row; `names` are the columns of the input."""
        if self.passthrough_names == names:
            return
        before, self.passthrough_names = self.passthrough_names, names
        if before is not None and self.has_header:
            raise different_columns((before, names), self.file.path)
        if before is None:
            head = b"" if self.writer is None else self.writer.begin(names)
            if self.has_header:
                columns = [(name, Column.constant(name, 1).native()) for name in (*self.columns, *names)]
                head = bytes(render(self.form, 1, columns))
            self._put(head)
            self.file.flush()

    def _put(self, text: bytes) -> None:
        if text:
            self.file.write(text)


def _escaped(rows: Rows, is_puzzle: NDArray[np.bool_]) -> Rows:
    """Escape what is no printable character in the texts of records that are no puzzles."""
    rejects, puzzles = np.flatnonzero(~is_puzzle), rows.columns["puzzle"]
    texts = zip(rejects.tolist(), puzzles.take(rejects).to_list(), strict=True)
    escaped = Column.sparse({row: escape(text) for row, text in texts if text is not None}, len(puzzles))
    puzzles = puzzles.take(np.where(is_puzzle, np.arange(len(puzzles)), -1)).fallback(escaped)
    return replace(rows, columns=rows.columns | {"puzzle": puzzles})


def _form(output: OutputFormat, task: Task) -> tuple[str, Writer | None]:
    """Return the form of the rows, or the writer of puzzles in another format."""
    if output.suffix == ".txt" and task.lines is not None:
        return "txt", None
    if output.suffix == ".tsv" or (output.suffix == ".txt" and not task.replaces):
        return "tsv", None
    if not output.format.write:
        return output.format.name, None
    return "", output.format.writer()(output.suffix)


def sink_for(file: OutputFile, task: Task, options: Options) -> Sink:
    """Return the sink for an output, chosen by suffix."""
    output = output_format(file.path, options.to, rows=not task.replaces)
    if output.format.columnar:
        from unidoku.runner.arrow_sink import ArrowSink

        return ArrowSink(file, output, task, options)
    if output.format.arrays:
        from unidoku.runner.array_sink import ArraySink

        return ArraySink(file, output, task, options)
    return TextSink(file, output, task, options)
