"""Outputs of a run, chosen by suffix: text here, Arrow and Parquet in a module of their own."""

from __future__ import annotations

import os
from array import array
from typing import Any

from unidoku.errors import FormatError
from unidoku.files.base import Writer, escape
from unidoku.files.formats import OutputFormat, output_format
from unidoku.files.output import OutputFile
from unidoku.native.text.render import render
from unidoku.run.loop import RunOptions
from unidoku.run.stage import Made, Sink, Table, different_columns, text_column


class TextSink(Sink):
    """Rows as text, perhaps compressed."""

    file: OutputFile

    def __init__(self, file: OutputFile, output: OutputFormat, options: RunOptions) -> None:
        stage = options.stage
        self.file = file.open()  # pyright: ignore[reportIncompatibleVariableOverride]
        self.comment = comment_of(output, file.path, options)
        self.encode = output.encoder(file.path)
        self.shows_batches = self.encode is not None
        self.form, self.writer = _form(output, options)
        self.headed = output.format.headed or self.form == "tsv"
        text = output.suffix == ".txt" and not stage.puzzles  # which has fewer columns
        self.columns, self.carries = options.written(text=text)
        self.in_order = self.writer is not None and self.writer.in_order
        if self.form == "txt" and options.columns is None and "reason" not in self.columns:
            self.more = ("reason",) if "reason" in stage.columns else ()

    def render(self, table: Table) -> tuple[tuple[str, ...], bytes | memoryview]:
        """Rows and rejected records in their order."""
        others = table.columns[len(self.columns) :]
        names = tuple(column.name for column in others)
        text: bytes | memoryview
        if self.writer is None:
            text = self._rows(table)
        else:
            if self.in_order:
                self.begin(names)
            text = self.writer.puzzles(table.batch, others, self.pool.allocate)
        if self.encode is None or not len(text):
            return names, text
        encoded = self.encode(text)
        self._release(text)
        return names, encoded

    def _rows(self, table: Table) -> memoryview:
        """Return the rows as text."""
        as_json = self.form == "jsonl"
        rejected = None
        if table.rejected is not None:
            added = [_escaped(each) for each in table.rejected] if self.form == "txt" else table.rejected
            before = array("q", [reject.before for reject in table.batch.rejects])
            rejected = before, [column.native(as_json) for column in added]
        return render(
            self.form,
            len(table),
            [column.native(as_json) for column in table.columns],
            rejected=rejected,
            mask=table.mask,
            allocate=self.pool.allocate,
        )

    def write(self, piece: tuple[tuple[str, ...], bytes | memoryview]) -> None:
        """Append the rows; on standard output they appear at once."""
        names, text = piece
        self.begin(names)
        if len(text):
            self.file.write(text)
            self.file.flush()
            self.file.has_rows = True
        self._release(text)

    def close(self) -> None:
        """End the rows; without any, there is only a header."""
        if self.carried is None:
            self.begin(())
        if self.writer is not None:
            self._put(self.writer.end())

    def _release(self, text: bytes | memoryview) -> None:
        """Return the buffer of rows to the pool."""
        if isinstance(text, memoryview):
            self.pool.release(text.obj)

    def begin(self, names: tuple[str, ...]) -> None:
        """Write the header before the first row; `names` are the columns of the input."""
        if self.carried == names:
            return
        first = self.carried is None
        if not first and self.headed:
            raise different_columns((self.carried or (), names), self.file.path)
        self.carried = names
        if first and self.header:
            head = b"" if self.writer is None else self.writer.begin(names)
            if self.headed:
                columns = [(name, "same", name.encode(errors="replace")) for name in (*self.columns, *names)]
                head = bytes(render(self.form, 1, columns))
            self._put(self.comment + head)
            self.file.flush()

    def _put(self, text: bytes) -> None:
        if text:
            self.file.write(text if self.encode is None else self.encode(text))


def _form(output: OutputFormat, options: RunOptions) -> tuple[str, Writer | None]:
    """Return the form of the rows, or the writer of puzzles in another format."""
    if output.suffix == ".tsv" or (output.suffix == ".txt" and options.stage.header):
        return "tsv", None
    if not output.format.write:
        return output.format.name, None
    return ("", output.format.writer()(output.suffix)) if options.stage.puzzles else ("txt", None)


def _escaped(column: Any) -> Any:
    """Return a column of texts without control characters."""
    if isinstance(column, Made):
        return column
    ends = zip(column.starts, column.ends, strict=True)
    texts = (bytes(column.text[start:end]).decode("utf-8", "backslashreplace") for start, end in ends)
    return text_column(column.name, map(escape, texts))


def comment_of(output: OutputFormat, path: str, options: RunOptions) -> bytes:
    """Return a comment line with the version and the options, as JSON, if one is asked for."""
    if not options.comment or output.format.columnar:
        return b""  # the schema has them
    if not output.format.by_lines:
        shown = "<stdout>" if path == "-" else path
        raise FormatError(f"the format {output.format.name} has no comments", file=shown)
    return f"# unidoku: {options.record()}\n".encode()


def open_sink(
    path: str | os.PathLike[str] | OutputFile,
    options: RunOptions,
    *,
    to: str | None = None,
) -> Sink:
    """Return the sink for an output, chosen by suffix."""
    name = path.path if isinstance(path, OutputFile) else os.fspath(path)
    output = output_format(name, to, rows=not options.stage.puzzles)
    comment_of(output, name, options)  # before a file is made
    file = path if isinstance(path, OutputFile) else OutputFile(name)
    if output.format.columnar:
        from unidoku.run.arrowsink import ArrowSink

        return ArrowSink(file, output, options)
    return TextSink(file, output, options)
