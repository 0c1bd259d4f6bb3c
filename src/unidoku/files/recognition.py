"""The choice of a reader: by the name of a format, the suffix of a file, or its first bytes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from functools import cached_property
from io import BytesIO
from itertools import islice
from typing import NamedTuple

from unidoku.cell import EMPTY_SYMBOLS
from unidoku.errors import FormatError, Message, UnidokuError
from unidoku.files.chunks import BOM, HEAD, LINES, Reader, Reading
from unidoku.files.codecs import without_compression
from unidoku.files.column_names import quote
from unidoku.files.formats import FORMATS, Format, format_named
from unidoku.files.records import cells_of_field, is_puzzle_line, puzzle_in
from unidoku.files.source import Source, open_source
from unidoku.native.text.scan import separated_cells
from unidoku.parse.names import PUZZLE_NAMES
from unidoku.table.batch import Batch
from unidoku.table.json_values import text_of_lists

_PUZZLE = b"[1-9%b]{81}" % re.escape(EMPTY_SYMBOLS).encode()
_CELLS = re.compile(b"[0-9%b]{60,120}" % re.escape(EMPTY_SYMBOLS).encode())
"""A puzzle in a line, perhaps a damaged one."""
_MARKS = b"(?:(?![.0]{9})%b){9}" % b"".join(b"[%d.0]" % digit for digit in range(1, 10))
"""A row of candidates: nine signs for each cell, which has at least one."""
_JSON = re.compile(
    rb'\s*(?:\{\s*"(?:[^"\\\n]|\\.)*"\s*:|\[\s*(?:[{"\]]|null\b|\[\s*(?:[\["\]]|[\w.-]+\s*[,\]])|-?\d+\s*[,\]])|"%b")'
    % _PUZZLE
)
"""The beginning of JSON: an object, an array of values, or a puzzle in quotes."""
# ``;`` right before 81 cells is an empty field, and ``#`` with a number a count, if 81 cells follow
_COMMENT = re.compile(rb"#(?!\d+[ \t,;:#|\"]+%b)|//|;(?!%b)" % (_PUZZLE, _PUZZLE))
_NAME = re.compile(rb"[^(){}\[\]<>=|]{0,60}")  # of a column
_SEPARATED = 160  # bytes of 81 cells with something between
_ROW, _WIDE = range(8, 12), 5  # fields of a row of a board, and the signs of one
_HEAD_RECORDS = 1000  # at the beginning, in which a column that the user named must have a puzzle
_HEAD_BYTES = 1 << 18  # in which these records must be


class Head:
    """What rules of recognition look at: the first bytes of an input, its name, and its first lines."""

    def __init__(self, source: Source) -> None:
        self.content = source.peek(HEAD)
        self.file, _ = without_compression(source.name)

    @cached_property
    def lines(self) -> list[bytes]:
        """The first lines, without comments and blank ones."""
        return significant_lines(self.content)

    def ends(self, name: str) -> bool:
        """Return whether the suffix is one of a format."""
        return self.file.endswith(FORMATS[name].suffixes)

    @cached_property
    def is_line(self) -> bool:
        """Whether the first line has a puzzle, perhaps a damaged one, in some field or in fields of one cell."""
        return bool(self.lines) and _is_line(self.lines[0])

    @cached_property
    def is_table(self) -> bool:
        """Whether the first line names the column of the puzzles, or names fields of which one below has some."""
        return bool(self.lines) and not self.is_line and _is_header(*self.lines)

    @cached_property
    def is_json(self) -> bool:
        """Whether the first line begins JSON that has the puzzles under a name."""
        begin = self.content.find(self.lines[0]) if self.lines else 0
        return _JSON.match(self.content, begin) is not None and _has_key(self.content[begin:])


class Rule(NamedTuple):
    """A rule of recognition: the format of an input for which it holds, and why."""

    format: str
    holds: Callable[[Head], bool]
    reason: str


def _has_suffix(format: Format) -> Rule:
    """Return the rule of the suffixes of a format."""
    return Rule(format.name, lambda head: head.file.endswith(format.suffixes), "its name ends so")


def _has_magic(format: Format) -> Rule:
    """Return the rule of the first bytes of a format."""
    return Rule(format.name, lambda head: head.content.startswith(format.magic), "its first bytes are these")


def _begins(head: Head, start: bytes, part: bytes, count: int) -> bool:
    """Return whether the first line begins so, and one of the first `count` has a part."""
    return head.lines[:1] != [] and head.lines[0].startswith(start) and part in b"".join(head.lines[:count])


_TEXTS = ("lines", "csv", "jsonl")  # of which a suffix does not say enough
RULES = (
    *(_has_suffix(format) for format in FORMATS.values() if format.suffixes and format.name not in _TEXTS),
    *(_has_magic(format) for format in FORMATS.values() if format.magic),
    Rule("jsonl", lambda head: head.is_json, "the first line begins JSON"),
    Rule(
        "lines",
        lambda head: head.ends("csv") and any(map(separated_cells, head.lines[:2])),
        "a .csv whose first line, perhaps below names, has 81 cells as fields",
    ),
    Rule(
        "csv",
        lambda head: head.is_table or (head.ends("csv") and not _is_row(head.lines)),
        "its suffix, where the first line is no row of a board, or the names of columns",
    ),
    Rule("opensudoku", lambda head: _begins(head, b"<", b"<opensudoku", 9), "OpenSudoku writes this element"),
    Rule("ss", lambda head: _begins(head, b"*-", b"|", 4), "Simple Sudoku and HoDoKu draw this frame"),
    Rule("lines", lambda head: head.is_line, "the first line has a puzzle in a field, or 81 fields"),
    Rule("grid", lambda head: bool(head.lines) and not (_are_words(head) or head.ends("jsonl")), "boards"),
    Rule("jsonl", lambda head: head.ends("jsonl"), "its suffix"),
    Rule("lines", lambda head: True, "nothing else: each line is a record"),
)
"""The first rule that holds is the format of an input that no option names."""


def open_reader(source: Source, settings: Reading) -> Reader:
    """Return the reader of an open input."""
    format = choose_format(source, settings)
    if settings.column is not None:
        _check_column(source, settings, format)
    return format.reader()(source, settings)


def choose_format(source: Source, settings: Reading) -> Format:
    """Choose the format of an input by its name in the options, otherwise by the first rule that holds."""
    if settings.format is not None:
        return format_named(settings.format)[0]
    if source.format is None:
        head = Head(source)
        source.format = FORMATS[next(rule.format for rule in RULES if rule.holds(head))]
    format: Format = source.format
    return format


def _is_line(line: bytes) -> bool:
    """Return whether a line has a puzzle, perhaps a damaged one."""
    if is_puzzle_line(line) or (_CELLS.search(line) and not re.match(_MARKS, line)):
        return not re.match(_MARKS, line)
    if len(line) < _SEPARATED // 2:
        return False
    from unidoku.parse.lines import kind_of  # not at the top: a check of lines starts faster

    return kind_of(line.decode("utf-8", "replace")).kind == "l"


def _is_header(names: bytes, first: bytes = b"", *_: bytes) -> bool:
    """Return whether a line has a known name of the puzzles' column, or as many fields as a puzzle's below."""
    for separator in b",;\t":
        fields = [name.strip(b" \"'") for name in names.split(bytes([separator]))]
        if not all(map(_NAME.fullmatch, fields)):
            continue
        if any(name.lower().decode("latin-1") in PUZZLE_NAMES for name in fields):
            return len(fields) > 1 or _is_line(first) or first.startswith(b'"')
        if len(fields) == first.count(separator) + 1 > 1 and all(fields) and _CELLS.search(first):
            return True
    return False


def _has_key(text: bytes) -> bool:
    """Return whether the first object of a text, if it is one, has a known name or a single puzzle."""
    if not text.startswith(b"{"):
        return True
    import json  # not at the top: a check of lines starts faster

    try:
        first = json.JSONDecoder().raw_decode(text.decode("utf-8", "replace"))[0]
    except (ValueError, RecursionError):
        return True
    puzzles = (cells_of_field(text_of_lists(value)) for value in first.values())
    return any(name.lower() in PUZZLE_NAMES for name in first) or sum(map(bool, puzzles)) == 1


def _is_row(lines: list[bytes]) -> bool:
    """Return whether the first lines are like the rows of a board: a few fields, with one sign or none each."""
    rows = [re.split(rb"[,;\t]", line) for line in lines[:9]]
    are_narrow = all(len(field.strip(b" \"'")) < _WIDE for row in rows for field in row)
    # rows that begin with ``;`` are no lines here
    return bool(rows) and are_narrow and max(map(len, rows)) in _ROW


def _are_words(head: Head) -> bool:
    """Return whether a short text has no cells at all."""
    return len(head.content) < HEAD and head.content.isascii() and not re.search(rb"[1-9]", head.content)


def significant_lines(content: bytes) -> list[bytes]:
    """Return the first complete lines that are neither blank nor comments."""
    pieces = content.removeprefix(BOM).splitlines(keepends=True)
    if len(content) >= HEAD and len(pieces) > 1 and not pieces[-1].endswith((b"\n", b"\r")):
        pieces.pop()
    lines = map(bytes.strip, pieces)
    return [*islice((line for line in lines if line and not _COMMENT.match(line)), LINES)]


def _check_column(source: Source, settings: Reading, format: Format) -> None:
    """Refuse a column where there is none, or without a puzzle in the first records if another has some."""
    if not format.rows:
        text = "{format} has no columns: leave out column (--column)"
        raise FormatError(Message("no columns", text, format=format.name))
    if format.columnar:
        head = None if source.path is None else open_source(source.path)
    else:
        head = Source(BytesIO(source.peek(_HEAD_BYTES)), source.name)
    if head is None or format.name == "npz":
        return
    puzzles, records = Counter[str](), 0
    batches = _read(format, head, settings._replace(keeps=True, needed=None), _HEAD_BYTES)
    with suppress(UnidokuError), head, closing(batches):
        for batch in batches:
            count = min(batch.size, _HEAD_RECORDS - records)
            if (batch.puzzle_rows < count).any():
                return
            for name, column in batch.columns.items():
                texts = (text_of_lists(value).strip() for value in column.to_list()[:count])
                puzzles[name] += sum(puzzle_in(text) is not None for text in texts)
            records += count
            if records == _HEAD_RECORDS:
                break
    names = ", ".join(quote(name) for name, count in puzzles.items() if 2 * count > records)
    if records == _HEAD_RECORDS and names:
        text = "none of the first {n} records has a puzzle in column {column}"
        message = Message("none in column", text, n=records, column=quote(str(settings.column)))
        raise FormatError(
            Message("puzzles in", "{message}; the puzzles are in {names}", message=message, names=names)
        )


def _read(format: Format, source: Source, settings: Reading, size: int) -> Generator[Batch]:
    """Read batches of about `size` bytes in a format."""
    for chunk in format.reader()(source, settings).chunks(lambda: size):
        for batch in chunk():
            if isinstance(batch, UnidokuError):
                raise batch
            yield batch
