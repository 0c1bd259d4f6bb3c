"""The table of file formats, and the choice of a format by name, suffix or content.

A format is a module of this folder: its reader, its writer, and how it is recognised.  Its row here
has what must be known before the module is imported.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from importlib import import_module
from io import BytesIO
from typing import Any, NamedTuple, cast

from unidoku.errors import FormatError, UnidokuError, naming
from unidoku.files.base import BOM, HEAD, Fit, Reader, quote, significant_lines
from unidoku.files.codecs import COMPRESSIONS, without_compression
from unidoku.files.records import decode_line, puzzle_in
from unidoku.files.source import PUZZLE_BYTES, Source, open_source
from unidoku.native.text.scan import separated_cells
from unidoku.options import Options
from unidoku.parse.board import TEXT_MAX, boards_of
from unidoku.table.batch import Batch
from unidoku.table.json_values import text_of_lists

_ARCHIVES = (".zip", ".tar", ".tgz", ".tbz2", ".txz")  # they may hold files of any format
_ROW_OF_CELLS = rb'(?:\xef\xbb\xbf)?"?[0-9.]?"?([,;\t])(?:"?[0-9.]?"?\1){7}"?[0-9.]?"?\r?\n'
_RECORD = re.compile(r"(?:^|-)(?:plan|part-[-0-9a-f]+)\.json$")  # of a run in parts
_HEAD_RECORDS = 1000  # at the beginning, in which a column that the user named must have a puzzle
_HEAD_BYTES = 1 << 18  # in which these records must be
_CODECS = ("brotli", "gzip", "lz4", "none", "snappy", "zstd")  # selected by a name like out.lz4.parquet


class Format(NamedTuple):
    """One file format."""

    name: str  # as in ``--from`` and ``--to``
    read: str  # "module:class" of the reader, imported when it is needed
    suffixes: tuple[str, ...] = ()  # of file names, without compression; the first one belongs to the name
    write: str = ""  # "module:class" of the writer, in `unidoku.runner`; empty if it cannot be written
    rows: bool = False  # whether tables can be written, and not puzzles alone
    magic: tuple[bytes, ...] = ()  # first bytes of every content
    columnar: bool = False  # whether it holds Arrow columns, compressed one by one, and needs PyArrow
    streams: bool = True  # whether it can be written to standard output

    def reader(self) -> type[Reader]:
        """Import the reader's class."""
        return cast("type[Reader]", _import(self.read))


def _import(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"unidoku.files.{module}"), name)


FORMATS = {
    format.name: format
    for format in (
        Format("lines", "lines:LinesReader", (".txt", ".sdm"), "text_writer:TextWriter", rows=True),
        Format("csv", "csv:CsvReader", (".csv", ".tsv"), "text_writer:TextWriter", rows=True),
        Format("jsonl", "jsonl:JsonlReader", (".jsonl", ".ndjson"), "text_writer:TextWriter", rows=True),
        Format(
            "parquet",
            "columnar:ColumnarReader",
            (".parquet", ".pq"),
            "arrow_writer:ArrowWriter",
            rows=True,
            magic=(b"PAR1",),
            columnar=True,
            streams=False,
        ),
        Format(
            "arrow",
            "columnar:ColumnarReader",
            (".arrow", ".feather", ".ipc", ".arrows"),
            "arrow_writer:ArrowWriter",
            rows=True,
            magic=(b"ARROW1", b"FEA1", b"\xff\xff\xff\xff"),
            columnar=True,
        ),
        Format(
            "npz",
            "arrays:ArraysReader",
            (".npz",),
            "array_writer:ArrayWriter",
            rows=True,
            magic=(b"PK\x03\x04",),
        ),
        Format("npy", "arrays:ArraysReader", (".npy",), "array_writer:ArrayWriter", magic=(b"\x93NUMPY",)),
        Format("tdoku", "csv:TdokuReader"),
        Format("stevehjohn", "csv:StevehjohnReader"),
        Format("exchange", "csv:ExchangeReader"),
        Format("gsf", "csv:GsfReader"),
        Format("grid", "grids:GridReader"),
        Format("sdk", "grids:SdkReader", (".sdk",), "puzzle_writers:SdkWriter"),
        Format("ss", "grids:SsReader", (".ss",), "puzzle_writers:SsWriter"),
        Format(
            "opensudoku", "opensudoku:OpenSudokuReader", (".opensudoku",), "puzzle_writers:OpenSudokuWriter"
        ),
    )
}

SUFFIXES = {suffix: format for format in FORMATS.values() for suffix in format.suffixes}
"""Formats by suffix."""


def recognise(content: bytes) -> list[str]:
    """Return the possible formats of a content by its first bytes; only one if it is certain."""
    for format in FORMATS.values():
        if format.magic and content.startswith(format.magic):
            return [format.name]
    lines, possible = significant_lines(content), []
    for format in FORMATS.values():
        fit = Fit.NO if format.magic or not lines else format.reader().fit(lines, content.removeprefix(BOM))
        if fit is Fit.YES:
            return [format.name]
        if fit is Fit.MAYBE:
            possible.append(format.name)
    return possible


def choose_format(source: Source, name: str | None = None) -> Format:
    """Choose the format of an input by a name, otherwise by its suffix, otherwise by its content."""
    if name is not None:
        return format_named(name)[0]
    file, _ = without_compression(source.name)
    for suffix, format in SUFFIXES.items():
        if file.endswith(suffix) and suffix != ".txt":  # of any format
            if format.name != "csv":
                return format
            # Spreadsheets write a cell per field: a puzzle in each line, or nine lines of nine fields.
            content = source.peek(HEAD)
            if re.match(_ROW_OF_CELLS, content):
                return FORMATS["grid"]
            line = b"".join(significant_lines(content)[:1])
            return FORMATS["lines"] if separated_cells(line) is not None else format
    names = recognise(source.peek(HEAD))
    if len(names) > 1:
        listed = ", ".join(names)
        raise FormatError(f"could be any of {listed}; name the format with --from")
    # Text in none of the other formats is read as lines; each line that is not a puzzle is reported.
    return FORMATS[names[0] if names else "lines"]


def open_reader(source: Source, options: Options) -> Reader:
    """Return the reader of an open input: of its format, or of a text that is one board."""
    if options.format is None and options.column is None and _is_board(source, options):
        return cast("type[Reader]", _import("grids:BoardReader"))(source, options)
    format = choose_format(source, options.format)
    if options.column is not None:
        _check_column(source, options, format)
    return format.reader()(source, options)


def _is_board(source: Source, options: Options) -> bool:
    """Return whether a text is one board, and its format finds no puzzle, or one among invalid rows."""
    content = source.peek(HEAD)
    if len(content) > TEXT_MAX or source.failure is not None:
        return False
    puzzles = rejects = 0
    with suppress(UnidokuError):
        copy = Source(BytesIO(content), source.name)
        format = choose_format(copy)
        if format.magic:
            return False
        for batch in _read(format, copy, options, 2 * PUZZLE_BYTES):
            puzzles += len(batch)
            rejects += len(batch.rejects)
            if puzzles > (format.name == "grid"):
                return False
    return (not puzzles or rejects > 0) and len(boards_of(decode_line(content))) == 1


def _check_column(source: Source, options: Options, format: Format) -> None:
    """Refuse a named column without a puzzle in the first records if another column has puzzles."""
    if (format.columnar and source.path is None) or format.name in ("npz", "npy"):
        return
    puzzles, records = Counter[str](), 0
    with suppress(UnidokuError), ExitStack() as stack:
        head = Source(BytesIO(source.peek(_HEAD_BYTES)), source.name)
        if format.columnar and source.path is not None:
            head = stack.enter_context(open_source(source.path))
        batches = _read(format, head, replace(options, keep="columns"), _HEAD_BYTES)
        stack.enter_context(closing(batches))
        for batch in batches:
            part = batch.records(0, min(batch.size, _HEAD_RECORDS - records))
            if len(part):
                return
            for name, column in part.columns.items():
                texts = (text_of_lists(value).strip() for value in column.to_list())
                puzzles[name] += sum(puzzle_in(text) is not None for text in texts)
            records += part.size
            if records == _HEAD_RECORDS:
                break
    names = ", ".join(quote(name) for name, count in puzzles.items() if 2 * count > records)
    if records == _HEAD_RECORDS and names:
        message = f"none of the first {records} records has a puzzle in column {quote(str(options.column))}"
        raise FormatError(f"{message}; the puzzles are in {names}")


def _read(format: Format, source: Source, options: Options, size: int) -> Generator[Batch]:
    """Read batches of about `size` bytes in a format."""
    for chunk in format.reader()(source, options).chunks(lambda: size):
        for batch in chunk():
            if isinstance(batch, UnidokuError):
                raise batch
            yield batch


class OutputFormat(NamedTuple):
    """The format and compression of an output, from its name or ``--to``."""

    format: Format
    suffix: str  # ``.tsv`` is CSV with tabs, ``.sdm`` has no rest, ``.arrows`` is an Arrow IPC stream
    compression: str = ""  # key of `COMPRESSIONS`, or empty
    codec: str = ""  # compression of the columns of Parquet; empty for zstd

    @property
    def has_columns(self) -> bool:
        """Whether puzzles have named columns beside them."""
        return self.format.rows and self.suffix not in (".txt", ".sdm")

    @property
    def ending(self) -> str:
        """The suffix of a file name with the same format."""
        return f"{'.' if self.codec else ''}{self.codec}{self.suffix}{self.compression}"


def is_readable(file: str) -> bool:
    """Return whether a file in a folder or an archive is read, by its path there."""
    # tar archives often have "./" before each name
    parts = file.replace(os.sep, "/").lower().removeprefix("./").split("/")
    if any(part.startswith((".", "_")) for part in parts):
        return False
    name, _ = without_compression(parts[-1])
    if _RECORD.search(name):
        return False
    return "." not in name or name.endswith((*_ARCHIVES, *SUFFIXES, ".json"))


def format_named(word: str, choices: Iterable[str] = FORMATS) -> tuple[Format, str]:
    """Return the format of a name or suffix (``csv``, ``tsv``, ``.pq``), and its suffix.

    The error for another word names the `choices`.
    """
    word = str(word).lower()
    suffix = f".{word.removeprefix('.')}"
    if suffix in SUFFIXES:
        return SUFFIXES[suffix], suffix
    if word in FORMATS:
        return FORMATS[word], next(iter(FORMATS[word].suffixes), "")
    raise FormatError(f"unknown format {word!r}; choose from: {', '.join(choices)}")


def is_columnar(word: str) -> bool:
    """Return whether a name or suffix is of a format with Arrow columns."""
    try:
        return format_named(word)[0].columnar
    except FormatError:
        return False


def suffix_of(name: str, suffixes: Iterable[str], advice: str = "") -> str:
    """Return the suffix of the name of an output; the error for another name lists all, with advice."""
    for suffix in suffixes:
        if name.lower().endswith(suffix):
            return suffix
    raise FormatError(f"expected an output name ending in {', '.join(suffixes)}{advice}")


def output_format(
    path: str, to: str | None = None, *, rows: bool, default: str | None = None
) -> OutputFormat:
    """Choose the format of an output; check that it can be written, and that its library is installed.

    It has the name or suffix `to`, otherwise the suffix of the path, otherwise `default`; standard output
    (``-``) has lines. `rows`: whether a table is written, not puzzles alone.
    """
    shown_path = "<stdout>" if path == "-" else path
    choices = {
        suffix: format
        for suffix, format in SUFFIXES.items()
        if (format.rows and suffix != ".sdm" if rows else format.write)
    }
    words = [suffix.removeprefix(".") for suffix in choices]
    name, compression = without_compression(path)
    if to is not None:
        format, suffix = format_named(to, words)
    elif path == "-":
        format, suffix = FORMATS["lines"], ".txt"
    else:
        if default is not None and not name.endswith(tuple(choices)):
            name, compression = without_compression(default)
        advice = f", perhaps followed by {', '.join(COMPRESSIONS)}, or --to FORMAT"
        with naming(shown_path):
            suffix = suffix_of(name, choices, advice)
        format = choices[suffix]
    if suffix not in choices:
        content = "a table" if rows else "puzzles"
        raise FormatError(f"cannot write {content} as {to}; choose from: {', '.join(words)}", file=shown_path)
    if compression and format.columnar:
        raise FormatError(f"{suffix} compresses its own columns; leave out {compression}", file=shown_path)
    if path == "-" and not format.streams:
        raise FormatError(f"{format.name} cannot be written to standard output", file=shown_path)
    if format.columnar:
        from unidoku.table.arrow import pyarrow

        with naming(path):
            pyarrow()
    codec = name.removesuffix(suffix).rpartition(".")[2] if format.name == "parquet" else ""
    return OutputFormat(format, suffix, compression, codec if codec in _CODECS else "")
