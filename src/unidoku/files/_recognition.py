"""The choice of a reader: by the name of a format, the suffix of a file, or its first bytes."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain, islice

from unidoku._native.text.scan import separated_cells
from unidoku._parse.links import is_link
from unidoku._parse.text import decode_line
from unidoku._table.batch import KEPT
from unidoku.cell import EMPTY_SYMBOLS
from unidoku.errors import FormatError, Message
from unidoku.files._chunks import BOM, HEAD, LINES, Reader, Reading, shows_text
from unidoku.files._codecs import without_compression
from unidoku.files._column_names import declares_puzzle
from unidoku.files._formats import FORMATS, SUFFIXES, Format, format_named
from unidoku.files._records import reading_of, usual_line
from unidoku.files._source import Source, decoded

_EMPTY = re.escape(EMPTY_SYMBOLS).encode()
_PUZZLE = b"[1-9%b]{81}" % _EMPTY
_CELLS = re.compile(b"[0-9%b]{60,120}" % _EMPTY)
"""A puzzle in a line, perhaps a damaged one."""
LIBRARY = rb":\d{4}(?:-\w+)?:"  # of HoDoKu, where a plus is before digits that are no clues
_NAMED = rb"(?:([A-Za-z][^,;\t]{0,60}[:=])\s*[\"']?)?[0-9%b]{5}" % _EMPTY
"""Cells, perhaps with a name before them, such as the name of a solution."""
_BY_NAME = rb'(?:\[\s*)?\{\s*"[Rr](?:ow)?_?1"'
_ROWS = rb"\[\[(?:[^\[\],\n]{1,9},){8}[^\[\],\n]{1,9}\],?[ \r]*\n|%b" % _BY_NAME
"""The beginning of a list of nine rows, on several lines or by name: a board, as in other languages."""
_VALUES = rb'[{\]]|"[^"\n]{2}|\[\s*(?:[\["\]]|[\w.-]+\s*[,\]])|(?:[^\[\],]{1,9},){9}'
_JSON = rb'\s*(?!%b)(?:\{\s*"(?:[^"\\\n]|\\.)*"\s*:|\[\s*(?!\x27)(?:%b)|"%b"[ \t]*(?![^\r\n]))' % (
    _ROWS,
    _VALUES,
    _PUZZLE,
)
"""The beginning of JSON: an object, an array of values, or a puzzle in quotes on a line of its own."""
# ``;`` right before 81 cells is an empty field, and ``#`` with a number a count, if 81 cells follow
_COMMENT = re.compile(rb"#(?!\d+[ \t,;:#|\"]+%b)|//|;(?!%b)" % (_PUZZLE, _PUZZLE))
_OF_TEXT = re.compile(rb"[\[{(]\Z|(?i:\A[#*: 0-9]*(?:solution|answer)s?[#*: 0-9]*:\Z)")
"""A line of source code, or a title of a solution that is on the line below."""
_PAIRS = (b"[]", b"{}", b"()")
"""First and last signs of a list or an object."""
_NAME = re.compile(rb"[^(){}\[\]<>=|]{0,60}")  # of a column
_TO_COMMAS = bytes.maketrans(b";\t", b",,")
_FEW = 4  # signs of a cell in a table


_MAGIC = re.compile(
    rb"(?P<parquet>PAR1)|(?P<arrow>ARROW1|FEA1|\xff\xff\xff\xff)|(?P<npz>PK\x03\x04)|(?P<npy>\x93NUMPY)"
)
"""The first bytes of every content of a format, with a group for each."""
_TEXTS = ("lines", "csv", "jsonl")
"""Formats whose suffix does not say enough."""


def open_reader(source: Source, settings: Reading) -> Reader:
    """Return the reader of an open input."""
    if settings.encoding is not None and not _MAGIC.match(source.peek(HEAD)):
        source = decoded(source, settings.encoding)
    format = choose_format(source, settings)
    if settings.column is not None and not format.rows:
        text = "{format} has no columns; omit column (--column)"
        raise FormatError(Message(text, format=format.name))
    return format.reader()(source, settings)


def choose_format(source: Source, settings: Reading) -> Format:
    """Choose the format of an input by its name in the options, otherwise by its suffix and content."""
    if settings.format is not None:
        return format_named(settings.format)[0]
    if source.format is None:
        # without a sign of a puzzle: each line is a record, and none a puzzle
        of_texts = "grid" if re.search(rb"[1-9\x80-\xff]", source.peek(HEAD)) else "lines"
        source.format = FORMATS[format_seen(source) or of_texts]
    format: Format = source.format
    return format


def format_seen(source: Source) -> str | None:
    """Return the format of an input by its name, its first bytes, or its first record that has a puzzle."""
    content, suffix = source.peek(HEAD), os.path.splitext(without_compression(source.name)[0])[1]
    named = SUFFIXES[suffix].name if suffix in SUFFIXES else ""
    if name := _format_of_magic(content) if named in ("", *_TEXTS) else named:
        return name
    text = content.removeprefix(BOM)
    if _is_board(text):
        return "grid"
    if named == "jsonl" or suffix == ".json":
        return "jsonl"
    lines = significant_lines(content)
    if named == "csv" and not _are_rows(lines[:9]):
        return "lines" if any(map(separated_cells, lines[:2])) else "csv"  # perhaps below names
    first, more = b"".join(lines[:1]), b"".join(lines[:9])
    if first.startswith(b"<"):
        return "opensudoku" if b"<opensudoku" in more else "grid"
    if first.startswith(b"*-") and b"|" in more:
        return "ss"
    # few texts need the pattern, which takes long to compile
    if text.lstrip().startswith((b"{", b"[", b'"')) and re.match(_JSON, text):
        return "jsonl"
    kind = next(filter(None, map(_kind_of, lines, [*lines, b""][1:])), None)
    ends = (line for line in lines if line.endswith((b"[", b"{", b"(", b":")))  # the pattern takes long
    return "grid" if kind == "lines" and any(map(_OF_TEXT.search, ends)) else kind


def shows_puzzles(source: Source) -> bool:
    """Return whether the first bytes of an input, or its first record, say that it has puzzles."""
    content = source.peek(HEAD)
    if _format_of_magic(content):
        return True
    return shows_text(content) and format_seen(source) is not None


def _format_of_magic(content: bytes) -> str | None:
    """Return the format whose contents always have these first bytes."""
    found = _MAGIC.match(content)
    return found.lastgroup if found else None


def _kind_of(line: bytes, below: bytes) -> str | None:
    """Return the format of a line with a puzzle or a row of one, if need be by the line below; or None."""
    if _is_table(line, below):
        return "csv"
    if re.match(LIBRARY, line) or is_link(line.decode("utf-8", "replace")):
        return "lines"
    if _has_cells(line):
        return "grid" if _have_names(line, below) else "lines"
    from unidoku._parse.lines import boards_on, kind_of_line  # not at the top: a check of lines starts faster

    text = line.decode("utf-8", "replace")
    if boards_on(text)[0]:
        return "lines"
    if kind_of_line(text) == "t":  # a number may be a title, or damage
        return None
    return "grid"


def _is_board(text: bytes) -> bool:
    """Return whether a text is a list or one object in a language other than JSON."""
    ends = text.strip(b" \t\r\n,;")
    if ends[:1] + ends[-1:] not in _PAIRS or len(text) >= KEPT:
        return False
    is_object = ends.startswith(b"{")
    if text.count(b"{") > is_object or (not is_object and _CELLS.search(text)):  # damaged records of JSON
        return False
    import json  # not at the top: lines and tables start faster

    shown = decode_line(text)
    with suppress(ValueError, RecursionError):
        json.loads(shown)
        return False
    return reading_of(shown)[0] is not None


def _have_names(line: bytes, below: bytes) -> bool:
    """Return whether two lines with cells have different names before them, or only one has a name."""
    named = (re.search(_NAMED, one) for one in (line, below))
    return len({re.sub(rb"[0-9]", b"", found[1] or b"") for found in named if found}) > 1


def _are_rows(lines: Sequence[bytes]) -> bool:
    """Return whether lines are rows of a board: eight to eleven fields in the first, all of few signs."""
    rows = [line.translate(_TO_COMMAS).split(b",") for line in lines] or [[]]
    if len(rows[0]) < 8 or max(map(len, rows)) > 11:
        return False
    return all(len(field.strip(b" \"'")) <= _FEW for field in chain(*rows))


def _has_cells(line: bytes) -> bool:
    """Return whether a line has a puzzle, perhaps a damaged one, and not a rule of a frame."""
    if _CELLS.search(line) and re.search(rb"[1-9]", line):
        return True
    return separated_cells(line) is not None


def _is_table(line: bytes, below: bytes) -> bool:
    """Return whether a line names the puzzles' column, or as many as one below has, or has two grids."""
    return any(_has_table_fields(line, below, separator) for separator in (b",", b";", b"\t"))


def _has_table_fields(line: bytes, below: bytes, separator: bytes) -> bool:
    """Return the same for fields with this separator; a name of puzzles may also be a title."""
    fields = [field.strip(b" \"'") for field in line.split(separator)]
    texts = [field.decode("latin-1") for field in fields]
    if sum(usual_line(text) is not None for text in texts) > 1:
        return True
    if not all(map(_NAME.fullmatch, fields)):
        return False
    if any(map(declares_puzzle, texts)):
        return len(fields) > 1 or below.startswith(b'"') or _has_cells(below)
    return len(fields) == below.count(separator) + 1 > 1 and _CELLS.search(below) is not None


@lru_cache(1)  # the reader of lines looks at the same ones
def significant_lines(content: bytes) -> tuple[bytes, ...]:
    """Return the first lines that are neither blank nor comments."""
    lines = map(bytes.strip, content.removeprefix(BOM).splitlines())
    return (*islice((line for line in lines if line and not _COMMENT.match(line)), LINES),)
