"""Tables of Python values, row by row, in any format that takes tables: for rows that are slow to make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unidoku.files.formats import OutputFormat, output_format
from unidoku.files.formats.csv import csv_record, separator_of
from unidoku.files.formats.jsonl import json_line
from unidoku.files.output import OutputFile
from unidoku.files.text import escape
from unidoku.run.sink import Sink

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["TextTable", "open_table"]

_PACKED = 1 << 16  # bytes of text compressed at once


def open_table(
    path: str,
    columns: Mapping[str, str],
    *,
    to: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Sink:
    """Open a table for writing; `Sink.write` takes lists of rows, each a mapping from column to value.

    A column that a row does not have is empty, in JSON lines absent.
    """
    output = output_format(path, to, rows=True)
    if output.format.columnar:
        from unidoku.run.arrowsink import ArrowTable

        return ArrowTable(OutputFile(path), output, columns, options)
    return TextTable(OutputFile(path), output, columns)


class TextTable(Sink):
    """A table as text; rows appear as soon as they are written, unless they are compressed."""

    file: OutputFile

    def __init__(self, file: OutputFile, output: OutputFormat, columns: Mapping[str, str]) -> None:
        self.file = file.open()  # pyright: ignore[reportIncompatibleVariableOverride]
        self._columns = columns
        self._output = output
        self._encode = output.encoder(file.path)
        self._waiting: list[bytes] = []
        if output.format.name != "jsonl":
            self._put([{name: name for name in columns}])

    def write(self, piece: Sequence[Mapping[str, Any]]) -> None:
        """Append rows."""
        self._put(piece)

    def close(self) -> None:
        """Finish the file."""
        with self.file:
            self._put([], last=True)

    def _record(self, row: Mapping[str, Any]) -> str:
        if self._output.format.name == "jsonl":
            return json_line(dict(row))
        values = [row.get(name) for name in self._columns]
        fields = [str(value).lower() if isinstance(value, bool) else value for value in values]
        if self._output.format.name == "csv":
            return csv_record(
                ("" if value is None else str(value) for value in fields), separator_of(self._output.suffix)
            )
        return "\t".join("-" if value is None else escape(str(value)) for value in fields) + "\n"

    def _put(self, rows: Sequence[Mapping[str, Any]], *, last: bool = False) -> None:
        self._waiting += [self._record(row).encode(errors="replace") for row in rows]
        if self._encode is None or last or sum(map(len, self._waiting)) >= _PACKED:
            text = b"".join(self._waiting)
            self._waiting.clear()
            if text:
                self.file.write(text if self._encode is None else self._encode(text))
            self.file.flush()
