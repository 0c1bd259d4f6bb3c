"""The choice of a reader: by the name of a format, the suffix of a file, its first bytes or lines."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from functools import lru_cache
from itertools import filterfalse, islice

from unidoku._native.text.scan import separated_cells
from unidoku._parse.links import is_link
from unidoku._parse.text import decode_line
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
_CELLS = re.compile(b"(?=[^1-9]*[1-9])[^\n]*?[0-9%b]{60,120}" % _EMPTY)
"""A puzzle in a line, perhaps a damaged one."""
LIBRARY = rb":\d{4}(?:-\w+)?:"  # of HoDoKu, where a plus is before digits that are no clues
_OTHER_NAME = rb"[#*\s]*([A-Za-z]+)[^,;\t\n]{0,60}[:=][^\n]*\n(?![#*\s]*\1)"
"""A line with a name before a colon, such as ``Solution:``, and another line without this name."""
_OPENERS = (b"[", b"{", b"(", b":")
"""Last signs of a line above a list, and of a title."""
_PAIRS = (b"[]", b"{}", b"()")
"""First and last signs of a list or an object."""
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
_RECORDS = rb"(?s).+\{|\[.*?%b" % _PUZZLE
"""An object in a list or an object, or a puzzle in a list."""
# ``;`` right before 81 cells is an empty field, and ``#`` with a number a count, if 81 cells follow
_NO_RECORD = re.compile(rb"\s*(?:\Z|#(?!\d+[ \t,;:#|\"]+%b)|//|;(?!%b))" % (_PUZZLE, _PUZZLE))
"""A blank line, or a comment."""
_FIELD = rb"[^,;\t\n]{0,4}"
_ROWS_OF_TABLE = rb"(?:%b[,;\t]){7,10}%b(?:\n(?:%b[,;\t]){0,10}%b)*" % (4 * (_FIELD,))
"""Rows of a board in a table: each field has few signs."""
_MAGIC = re.compile(
    rb"(?P<parquet>PAR1)|(?P<arrow>ARROW1|FEA1|\xff\xff\xff\xff)|(?P<npz>PK\x03\x04)|(?P<npy>\x93NUMPY)"
)
"""The first bytes of every content of a format, with a group for each."""
_BEGINNINGS = rb"(?P<opensudoku>(?:<[?!][^>]*>\s*)*<opensudoku)|(?P<grid><)|(?P<ss>\*-[^|]*\|)"
"""The same of texts."""
_NAMES = {suffix: format.name for suffix, format in SUFFIXES.items()} | {".json": "jsonl"}
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
        source.format = FORMATS[format_seen(source) or _format_of_texts(source)]
    format: Format = source.format
    return format


def _format_of_texts(source: Source) -> str:
    """Return the format of a text in which no line says one."""
    # without a sign of a puzzle: each line is a record, and none a puzzle
    return "grid" if re.search(rb"[1-9\x80-\xff]", source.peek(HEAD)) else "lines"


def shows_puzzles(source: Source) -> bool:
    """Return whether the first bytes of an input, or its first lines, say that it has puzzles."""
    content = source.peek(HEAD)
    return bool(_MAGIC.match(content)) or (shows_text(content) and format_seen(source) is not None)


def format_seen(source: Source) -> str | None:
    """Return the format of an input by its name, its first bytes, or the first line that says one."""
    content, suffix = source.peek(HEAD), os.path.splitext(without_compression(source.name)[0])[1]
    named = _NAMES.get(suffix, "")
    if named not in ("", *_TEXTS):
        return named
    if magic := _MAGIC.match(content):
        return magic.lastgroup
    lines, text = significant_lines(content), content.removeprefix(BOM).lstrip()
    if named == "csv":
        if any(map(separated_cells, lines[:2])):  # perhaps below names
            return "lines"
        return "grid" if re.fullmatch(_ROWS_OF_TABLE, b"\n".join(lines[:9])) else "csv"
    if named == "jsonl" or _may_be_json(text):
        return "grid" if _is_board(text) else "jsonl"
    if beginning := re.match(_BEGINNINGS, text):
        return beginning.lastgroup
    for number, line in enumerate(lines, 1):
        if kind := _kind_of(line, b"".join(lines[number : number + 1])):
            return "grid" if any(above.endswith(_OPENERS) for above in lines[: number - 1]) else kind
    return None


def _may_be_json(text: bytes) -> bool:
    """Return whether a text begins as JSON; few texts need the pattern, which takes long to compile."""
    return text.startswith((b"{", b"[", b'"')) and re.match(_JSON, text) is not None


def _is_board(text: bytes) -> bool:
    """Return whether a text is a list or one object in a language other than JSON."""
    ends = text.rstrip(b" \t\r\n,;")
    if ends[:1] + ends[-1:] not in _PAIRS or re.match(_RECORDS, ends):  # damaged, or all of JSON
        return False
    import json  # not at the top: lines and tables start faster

    shown = decode_line(text)
    with suppress(ValueError, RecursionError):
        json.loads(shown)
        return False
    return reading_of(shown)[0] is not None


def _kind_of(line: bytes, below: bytes) -> str | None:
    """Return the format of a line with a puzzle or a row of one, if need be by the line below; or None."""
    fields = _fields_of(line)
    if not _CELLS.match(line) and not separated_cells(line):
        return "csv" if _are_names(fields, below) else _kind_without_cells(line)
    if sum(usual_line(field) is not None for field in fields) > 1:
        return "csv"
    return "grid" if re.match(_OTHER_NAME, b"%b\n%b" % (below, line)) else "lines"


def _fields_of(line: bytes) -> list[str]:
    """Return the fields of a line of a table."""
    return [field.strip(b" \"'").decode("latin-1") for field in re.split(rb"[,;\t]", line)]


def _are_names(fields: list[str], below: bytes) -> bool:
    """Return whether the fields of a line name the puzzles' column, or as many as a line with cells has."""
    if len(fields) == 1:
        return False
    if any(map(declares_puzzle, fields)):
        return True
    return _CELLS.match(below) is not None and len(fields) == len(_fields_of(below))


def _kind_without_cells(line: bytes) -> str | None:
    """Return the format of a line without 81 cells; None for a text."""
    text = line.decode("utf-8", "replace")
    if re.match(LIBRARY, line) or is_link(text):
        return "lines"
    from unidoku._parse.lines import TEXT, kind_of_line  # not at the top: a check of lines starts faster

    return None if kind_of_line(text) == TEXT else "grid"  # a number may be a title, or damage


@lru_cache(1)  # the reader of lines looks at the same ones
def significant_lines(content: bytes) -> tuple[bytes, ...]:
    """Return the first lines that are neither blank nor comments."""
    lines = filterfalse(_NO_RECORD.match, content.removeprefix(BOM).splitlines())
    return (*map(bytes.strip, islice(lines, LINES)),)
