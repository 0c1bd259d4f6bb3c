"""Where the rows of a run go.

A sink has two sides: :meth:`Sink.render` runs in the worker threads, several at a time, and turns one batch
into a piece of output; :meth:`Sink.write` takes the pieces in input order, in the calling thread.
Text formats are formatters on top of one `TextSink`; Arrow and Parquet have a sink of their own.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from json import dumps
from typing import TYPE_CHECKING, Any

from unidoku import __version__
from unidoku.errors import FormatError
from unidoku.files.base import Batch, Column, Reject, Writer, carried
from unidoku.files.formats import OutputFormat, output_format
from unidoku.files.formats.csv import csv_record
from unidoku.files.formats.jsonl import json_line
from unidoku.files.output import OutputFile
from unidoku.files.text import escape
from unidoku.native.text.render import render
from unidoku.run.results import Results
from unidoku.run.sink import EVERY, RESULT_COLUMNS, Sink
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from unidoku.files.codecs import Encoder

__all__ = ["TextSink", "comment_of", "header_of", "open_sink", "solution_sink"]


class TextSink(Sink):
    """Rows as text, perhaps compressed."""

    file: OutputFile

    def __init__(
        self, file: OutputFile, formatter: Writer, encode: Encoder | None = None, comment: bytes = b""
    ) -> None:
        self.file = file.open()  # pyright: ignore[reportIncompatibleVariableOverride]
        self.formatter = formatter
        self.encode = encode
        self.comment = comment
        self.in_order = formatter.in_order
        self.carries = formatter.carries
        self.solutions = self.shows_lines = True
        self.shows_batches = self.steady = encode is not None

    def render(self, batch: Batch, results: Any) -> tuple[tuple[str, ...], list[Any]]:
        """Rows and rejected records in their order."""
        columns = carried(batch, self.formatter.own_columns)
        names = tuple(column.name for column in columns)
        if self.in_order:
            self._begin(names)
        pieces = self.formatter.pieces(batch, columns, results, self.pool.allocate)
        if len(pieces) > 1:
            pieces = self._used(pieces, [b"".join(pieces)])
        if self.encode is not None:
            pieces = self._used(pieces, [self.encode(piece) for piece in pieces if len(piece)])
        return names, pieces

    def write(self, piece: tuple[tuple[str, ...], list[Any]]) -> None:
        """Append the rows."""
        names, pieces = piece
        self._begin(names)
        for text in pieces:
            self.file.write(text)
        self._used(pieces)

    def close(self) -> None:
        """Finish the file; without rows it has only a header."""
        with self.file:
            if self.columns is None:
                self._begin(())
            self._put(self.formatter.end())

    def _used(self, pieces: list[Any], made: Sequence[Any] = ()) -> list[Any]:
        """Return the buffers of some pieces, and of pieces made from them, to the pool."""
        for piece in pieces:
            if isinstance(piece, memoryview):
                self.pool.release(piece.obj)
        return list(made)

    def _begin(self, names: tuple[str, ...]) -> None:
        """Write the header before the first row."""
        if self.columns == names:
            return
        first = self.columns is None
        if not first and self.formatter.one_header:
            had, has = (", ".join(each) or "none" for each in (self.columns or (), names))
            raise FormatError(
                f"the inputs carry different columns ({had} and {has}); a file with a header needs the same "
                "columns in all rows",
                file=self.file.path,
            )
        self.columns = names
        if first and self.header:
            self._put(self.comment + self.formatter.begin(names))

    def _put(self, text: bytes) -> None:
        if text:
            self.file.write(text if self.encode is None else self.encode(text))


class ResultRows(Writer):
    """Check results as text."""

    own_columns = RESULT_COLUMNS

    def __init__(self, form: str, verdict_mask: int = EVERY) -> None:
        self.form = form
        self.verdict_mask = verdict_mask
        self.carries = form not in ("txt", "solution")
        self.one_header = form in _SEPARATORS
        self._wanted = bytes(verdict_mask >> code & 1 if code < len(Verdict) else 0 for code in range(256))

    def begin(self, names: tuple[str, ...]) -> bytes:
        """Return the header of CSV."""
        return self._csv([*RESULT_COLUMNS, *names]) if self.one_header else b""

    def pieces(
        self, batch: Batch, columns: Sequence[Column], results: Results, allocate: Callable[[int], Any]
    ) -> list[Any]:
        """Return the rows of a batch."""
        n = len(batch.starts)
        form, own = self._own(batch, results)
        options: dict[str, Any] = {"allocate": allocate}
        if self.verdict_mask != EVERY:
            options["mask"] = bytes(results.verdicts[:n]).translate(self._wanted)
        rendered = own if self.form == "solution" else [*own, *(column.native() for column in columns)]
        rejects = batch.rejects if self.verdict_mask >> Verdict.INVALID & 1 else ()
        pieces: list[Any] = []
        at = 0
        for reject in rejects:
            if reject.before > at:
                pieces.append(render(form, n, rendered, first=at, last=reject.before, **options))
            pieces.append(self._rejected(reject, columns))
            at = reject.before
        if at < n:
            pieces.append(render(form, n, rendered, first=at, **options))
        return pieces

    def _own(self, batch: Batch, results: Results) -> tuple[str, list[tuple[Any, ...]]]:
        """Return the form in which rows are rendered, and the columns before the carried ones."""
        verdict = (results.verdicts, *_WORDS)
        if self.form == "solution":
            return "txt", [("solution", "grids", results.solutions, batch.zero, *verdict)]
        own: list[tuple[Any, ...]] = [
            ("line", "signed", batch.lines),
            batch.puzzles(),
            ("verdict", "words", *verdict),
            ("count", "counts", results.counts, results.complete),
            ("complete", "flags", results.complete),
            ("solution", "grids", results.solutions, batch.zero),
            ("reason", "absent"),
        ]
        return self.form, [own[k] for k in (1, 2, 3, 5)] if self.form == "txt" else own

    def _rejected(self, reject: Reject, columns: Sequence[Column]) -> bytes:
        """Return the row of a record that is not a puzzle."""
        if self.form == "solution":
            return b"invalid\n"
        text = reject.text.decode("utf-8", "backslashreplace")
        if self.form == "txt":
            files = [escape(column.constant) for column in columns if column.constant is not None]
            return ("\t".join([escape(text), "invalid", "0", "", *files, reject.reason]) + "\n").encode()
        row = (reject.line, text, "invalid", 0, None, None, reject.reason)
        if self.form == "jsonl":
            values = dict(zip(RESULT_COLUMNS, row, strict=True))
            constants = {each.name: each.constant for each in columns if each.constant is not None}
            return json_line(values | constants).encode()
        fields = ["" if value is None else str(value) for value in row]
        return self._csv([*fields, *(column.constant or "" for column in columns)])

    def _csv(self, fields: list[str]) -> bytes:
        return csv_record(fields, _SEPARATORS[self.form]).encode(errors="replace")


_SEPARATORS = {"csv": ",", "tsv": "\t"}


def _words() -> tuple[bytes, Any, Any]:
    """Return the words of the verdicts as `unidoku.native.text.render` takes them."""
    words = [str(verdict).encode() for verdict in Verdict]
    ends = array("q", accumulate(map(len, words)))
    return b"".join(words), array("q", [0, *ends[:-1]]), ends


_WORDS = _words()


def _writer(output: OutputFormat, puzzles: bool, verdict_mask: int = EVERY) -> Writer:
    if puzzles:
        return output.format.writer()(output.suffix)
    form = {".txt": "txt", ".tsv": "tsv"}.get(output.suffix, output.format.name)
    return ResultRows(form, verdict_mask)


def header_of(
    output: OutputFormat, path: str, names: tuple[str, ...], *, puzzles: bool, comment: bytes
) -> bytes:
    """Return the text before the first row of an output."""
    encode = output.encoder(path)
    text = comment + _writer(output, puzzles).begin(names)
    return text if encode is None or not text else encode(text)


def comment_of(output: OutputFormat, path: str, options: Mapping[str, Any] | None) -> bytes:
    """Return a comment line with the version and the options, as JSON."""
    if output.format.columnar:
        return b""  # the schema has them
    if output.format.name not in ("lines", "csv"):
        shown = "<stdout>" if path == "-" else path
        raise FormatError(f"the format {output.format.name} has no comments", file=shown)
    about = {"version": __version__, "options": options}
    return f"# unidoku: {dumps(about, sort_keys=True)}\n".encode()


def open_sink(
    path: str | os.PathLike[str] | OutputFile,
    verdict_mask: int = EVERY,
    *,
    to: str | None = None,
    puzzles: bool = False,
    atomic: bool = False,
    options: Mapping[str, Any] | None = None,
    comment: bool = False,
) -> Sink:
    """Return the sink for an output, chosen by suffix."""
    name = path.path if isinstance(path, OutputFile) else os.fspath(path)
    output = output_format(name, to, rows=not puzzles)
    encode = output.encoder(name)
    text = comment_of(output, name, options) if comment else b""
    file = path if isinstance(path, OutputFile) else OutputFile(name, atomic=atomic)
    if output.format.columnar:
        from unidoku.run.arrowsink import ArrowSink, PuzzleSink

        return (PuzzleSink if puzzles else ArrowSink)(file, output, verdict_mask, options)
    return TextSink(file, _writer(output, puzzles, verdict_mask), encode, text)


def solution_sink(path: str) -> Sink:
    """Solution lines, the verdict where there is no solution, as text that is compressed by its suffix."""
    encode = output_format(path, "txt", rows=True).encoder(path)
    return TextSink(OutputFile(path), ResultRows("solution"), encode)
