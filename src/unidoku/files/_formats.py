"""The table of file formats, and the choice of an output's format by its name.

A reader is a class of a module of this folder. Its row here has the facts that are needed before the module
is imported; `unidoku.files._recognition` chooses the format of an input.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any, NamedTuple

from unidoku._compat import pyarrow
from unidoku.errors import FormatError, Message, naming
from unidoku.files._chunks import Reader
from unidoku.files._codecs import COMPRESSIONS, without_compression

_ARCHIVES = (".zip", ".eval", ".tar", ".tgz", ".tbz2", ".txz")
_RECORD = r"(?:^|-)(?:plan|part-[-0-9a-f]+)\.json$"  # of a run in parts
_PARQUET, _ARROW = (".parquet", ".pq"), (".arrow", ".feather", ".ipc", ".arrows")
_CODECS = ("brotli", "gzip", "lz4", "none", "snappy", "zstd")  # selected by a name like out.lz4.parquet


class Format(NamedTuple):
    """One file format."""

    name: str  # as in ``--from`` and ``--to``
    read: str  # "module:class" of the reader, imported when it is needed
    suffixes: tuple[str, ...] = ()  # of file names, without compression; the first one belongs to the name
    write: str = ""  # "module:class" of the writer, in `unidoku.runner`; empty if it cannot be written
    rows: bool = False  # whether tables can be written, and not only puzzles

    @property
    def columnar(self) -> bool:
        """Whether it holds Arrow columns, compressed one by one, and needs PyArrow."""
        return self.write == "columnar_writer:ArrowWriter"

    def reader(self) -> type[Reader]:
        """Import the reader's class."""
        module, _, name = self.read.partition(":")
        reader: type[Reader] = getattr(import_module(f"unidoku.files._{module}"), name)
        return reader


FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        Format("lines", "lines:LinesReader", (".txt", ".sdm"), "writer:TextWriter", rows=True),
        Format("csv", "csv:CsvReader", (".csv", ".tsv"), "writer:TextWriter", rows=True),
        Format("jsonl", "jsonl:JsonlReader", (".jsonl", ".ndjson"), "writer:TextWriter", rows=True),
        Format("parquet", "columnar:ColumnarReader", _PARQUET, "columnar_writer:ArrowWriter", rows=True),
        Format("arrow", "columnar:ColumnarReader", _ARROW, "columnar_writer:ArrowWriter", rows=True),
        Format("npz", "arrays:ArraysReader", (".npz",), "columnar_writer:ArrayWriter", rows=True),
        Format("npy", "arrays:ArraysReader", (".npy",), "columnar_writer:ArrayWriter"),
        Format("grid", "grids:GridReader"),
        Format("sdk", "grids:SdkReader", (".sdk",), "writer:GridWriter"),
        Format("ss", "grids:SsReader", (".ss",)),
        Format("opensudoku", "opensudoku:OpenSudokuReader", (".opensudoku",), "writer:OpenSudokuWriter"),
    )
}

SUFFIXES: dict[str, Format] = {suffix: format for format in FORMATS.values() for suffix in format.suffixes}
"""Formats by suffix."""


class OutputFormat(NamedTuple):
    """The format and compression of an output, from its name or ``--to``."""

    format: Format
    suffix: str  # ``.tsv`` is CSV with tabs, ``.sdm`` has no rest, ``.arrows`` is an Arrow IPC stream
    compression: str = ""  # key of `COMPRESSIONS`, or empty
    codec: str = ""  # compression of the columns of Parquet; empty for zstd

    @property
    def has_columns(self) -> bool:
        """Whether puzzles have named columns next to them."""
        return self.format.rows and self.suffix not in (".txt", ".sdm")

    @property
    def ending(self) -> str:
        """The suffix of a file name with the same format."""
        return f"{'.' if self.codec else ''}{self.codec}{self.suffix}{self.compression}"


def formats() -> list[dict[str, Any]]:
    """List the formats of files, and whether unidoku reads and writes them.

    Returns
    -------
    list of dict
        For each format:

        - ``name``: the name for ``--from`` and ``--to``
        - ``suffixes``: suffixes of file names; the suffix of a compression can follow
        - ``reads``: whether it can be read
        - ``writes``: ``puzzles``, ``rows``, both or nothing
        - ``needs``: the extra that installs its library, or None

    Examples
    --------
    >>> formats()[1]["name"], formats()[1]["suffixes"], formats()[1]["writes"]
    ('csv', ['.csv', '.tsv'], ['puzzles', 'rows'])
    """
    return [
        {
            "name": format.name,
            "suffixes": [*format.suffixes],
            "reads": bool(format.read),
            "writes": [content for content, can in (("puzzles", format.write), ("rows", format.rows)) if can],
            "needs": "arrow" if format.columnar else None,
        }
        for format in FORMATS.values()
    ]


def names_in_help(*, rows: bool) -> str:
    """Return what ``--to`` takes where rows or puzzles are written: one suffix of a format, or two."""
    firsts = {format.suffixes[0] for format in SUFFIXES.values()} | {".sdm", ".tsv"}
    return ", ".join(suffix.removeprefix(".") for suffix in choices(rows=rows) if suffix in firsts)


def choices(*, rows: bool) -> dict[str, Format]:
    """Return the formats that rows or puzzles can be written in, by suffix."""
    if not rows:
        return {suffix: format for suffix, format in SUFFIXES.items() if format.write}
    return {suffix: format for suffix, format in SUFFIXES.items() if format.rows and suffix != ".sdm"}


def is_readable(file: str) -> bool:
    """Return whether a file in a folder or an archive is read, by its path there."""
    # tar archives often have "./" before each name
    parts = file.replace(os.sep, "/").lower().removeprefix("./").split("/")
    if any(part.startswith((".", "_")) for part in parts):
        return False
    name, _ = without_compression(parts[-1])
    if re.search(_RECORD, name):
        return False
    return "." not in name or name.endswith((*SUFFIXES, ".json"))


def has_container_suffix(file: str) -> bool:
    """Return whether a name has the suffix of a zip or tar archive, or of a spreadsheet (a zip)."""
    return without_compression(file.lower())[0].endswith((".zip", ".tar", ".tgz", ".xlsx", ".ods"))


def has_archive_suffix(file: str) -> bool:
    """Return whether the name of a file has the suffix of an archive."""
    return without_compression(file.lower())[0].endswith(_ARCHIVES)


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
    raise FormatError(
        Message("unknown format {word}; choose from: {choices}", word=repr(word), choices=", ".join(choices))
    )


PAGES: dict[str, tuple[str, ...]] = {
    ".pdf": ("print", "explain", "hint", "trace", "diagnose"),
    ".html": ("print", "explain", "hint", "trace", "diagnose"),
    ".svg": ("print", "solve", "hint", "explain"),
    ".png": ("print", "solve", "hint", "explain", "trace", "diagnose"),
}
"""The commands that write a page or a picture, by its suffix."""


def _refuse_page(name: str, suffixes: Iterable[str] = ()) -> None:
    """Refuse an output that only some commands write, or none, if these suffixes are only of rows."""
    writes_rows = PAGES.keys().isdisjoint(suffixes)
    for suffix, commands in PAGES.items():
        if writes_rows and name.endswith(suffix):
            text = (
                "only {commands} write {suffix}, with -o {name}; after another command, type | unidoku print "
                "-o {name}"
            )
            fields = {"commands": ", ".join(commands), "suffix": suffix, "name": f"board{suffix}"}
            raise FormatError(Message(text, **fields))


def suffix_of(name: str, suffixes: Iterable[str], advice: str = "") -> str:
    """Return the suffix of the name of an output; the error for another name lists all, with advice."""
    for suffix in suffixes:
        if name.lower().endswith(suffix):
            return suffix
    _refuse_page(name.lower(), suffixes)
    text = "the name of the output must end with {choices}{advice}"
    raise FormatError(Message(text, choices=", ".join(suffixes), advice=advice))


def output_format(
    path: str, to: str | None = None, *, rows: bool, default: str | None = None
) -> OutputFormat:
    """Choose the format of an output; check that it can be written, and that its library is installed.

    The format is chosen by the name or suffix `to`, otherwise by the suffix of the path, otherwise by
    `default`; standard output (``-``) has lines. `rows` says whether a table is written, and not only
    puzzles. `default` is the format of parts in a folder.
    """
    writable = choices(rows=rows)
    format, suffix = FORMATS["lines"], ".txt"
    if to is not None:
        _refuse_page(f".{to.lower().removeprefix('.')}")
        format, suffix = format_named(to, _without_dots(writable))
    name, compression = without_compression(path)
    need = ""
    with naming("<stdout>" if path == "-" else path):
        if to is None and path != "-":
            if default is not None and not name.endswith(tuple(writable)):
                name, compression = without_compression(default)
                text = (
                    "the parts in a folder are Parquet by default, which needs PyArrow (or write another "
                    "format, such as --to csv)"
                )
                need = Message(text)
            text = ", with or without {suffixes}; for another name, add --to FORMAT"
            suffix = suffix_of(name, writable, Message(text, suffixes=", ".join(COMPRESSIONS)))
            format = writable[suffix]
        if suffix not in writable:
            text = "cannot write {content} as {to}; choose from: {choices}"
            content = Message("a table") if rows else Message("puzzles")
            choices_left = ", ".join(_without_dots(writable))
            raise FormatError(Message(text, content=content, to=to, choices=choices_left))
        if compression and format.columnar:
            text = "{suffix} compresses its own columns; omit {compression}"
            raise FormatError(Message(text, suffix=suffix, compression=compression))
        if path == "-" and format.name == "parquet":
            raise FormatError(
                Message("{name} cannot be written to standard output; name a file", name=format.name)
            )
        if format.columnar:
            pyarrow(need)
    return OutputFormat(format, suffix, compression, _codec_of(name, format, suffix))


def _without_dots(suffixes: Iterable[str]) -> list[str]:
    """Return suffixes as `--to` takes them."""
    return [suffix.removeprefix(".") for suffix in suffixes]


def _codec_of(name: str, format: Format, suffix: str) -> str:
    """Return the codec of the columns of Parquet, as the name of a file says it: ``out.zstd.parquet``."""
    if format.name != "parquet":
        return ""
    codec = name.removesuffix(suffix).rpartition(".")[2]
    return codec if codec in _CODECS else ""
