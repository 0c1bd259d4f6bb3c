"""The choice of a reader: by the name of a format, the suffix of a file, or its first bytes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator
from contextlib import closing, suppress
from io import BytesIO
from itertools import islice

from unidoku.cell import EMPTY_SYMBOLS
from unidoku.errors import FormatError, UnidokuError
from unidoku.files.chunks import BOM, HEAD, LINES, Reader, Reading
from unidoku.files.codecs import without_compression
from unidoku.files.column_names import PUZZLE_NAMES, columns_with_puzzles, quote
from unidoku.files.formats import FORMATS, SUFFIXES, Format, format_named
from unidoku.files.records import is_puzzle_line, puzzle_in
from unidoku.files.source import Source, open_source
from unidoku.native.text.scan import separated_cells
from unidoku.parse.text import decode_line
from unidoku.table.batch import Batch
from unidoku.table.json_values import text_of_lists

_PUZZLE = b"[1-9%b]{81}" % re.escape(EMPTY_SYMBOLS).encode()
_MARKS = b"(?:(?![.0]{9})%b){9}" % b"".join(b"[%d.0]" % digit for digit in range(1, 10))
"""A row of candidates: nine signs for each cell, which has at least one."""
_RUN = re.compile(b"(?<![0-9A-Za-z.])%b(?![0-9A-Za-z.])" % _PUZZLE)
_OBJECT = re.compile(rb"\{(?!\s*[0-9.])")
_NAME = re.compile(r" *[^\W\d][^.*]{0,40} *")  # of a column; most puzzles have other signs, or digits alone
_SHORTEST = 60  # bytes of what may be meant as a puzzle in a line
_HEAD_RECORDS = 1000  # at the beginning, in which a column that the user named must have a puzzle
_HEAD_BYTES = 1 << 18  # in which these records must be


def open_reader(source: Source, settings: Reading) -> Reader:
    """Return the reader of an open input."""
    format = choose_format(source, settings)
    if settings.column is not None:
        _check_column(source, settings, format)
    return format.reader()(source, settings)


def choose_format(source: Source, settings: Reading) -> Format:
    """Choose the format of an input by its name in the options, otherwise by suffix and content."""
    if settings.format is not None:
        return format_named(settings.format)[0]
    if source.format is None:
        source.format = FORMATS[recognise(source.peek(HEAD), source.name, settings.column)]
    format: Format = source.format
    return format


def recognise(content: bytes, name: str = "", column: str | None = None) -> str:
    """Return the format that a file has by its suffix and first bytes."""
    lines = significant_lines(content)
    format = _by_name(content, name, lines) or (_by_lines(lines) if lines else "")
    is_table = format in ("csv", "jsonl") and column is None
    is_named = _has_known_name(lines) and not _is_title(lines)
    if is_table and not (is_named or _are_records(lines) or _reads_puzzle(content, format)):
        format = "grid" if _is_drawn(content) else format
    # Other text is read as boards if it has some, or rows of one; else each line is a record.
    return format or ("grid" if _is_drawn(content, has_lines=any(map(is_puzzle_line, lines))) else "lines")


def _by_name(content: bytes, name: str, lines: list[bytes]) -> str:
    """Return the format of a suffix, except ``.txt``, or of the first bytes; "" for other text."""
    file, _ = without_compression(name)
    for suffix, format in SUFFIXES.items():
        if file.endswith(suffix) and suffix != ".txt":  # of any format
            is_line = format.name == "csv" and lines and separated_cells(lines[0]) is not None
            return "lines" if is_line else format.name
    names = [format.name for format in FORMATS.values() if format.magic and content.startswith(format.magic)]
    return next(iter(names), "")


def _by_lines(lines: list[bytes]) -> str:
    """Return the format of the records on its first significant lines; "" if they have none."""
    if all(map(is_puzzle_line, lines)):
        return "" if re.match(_MARKS, lines[0]) else "lines"
    if _is_header(lines[0]):
        return "csv"
    if _is_json(lines[0]) or 2 * sum(map(_is_object, lines)) > len(lines):  # perhaps the first one is damaged
        return "jsonl"
    if lines[0].startswith(b"<") and b"<opensudoku" in b"".join(lines[:9]):
        return "opensudoku"
    if lines[0].startswith(b"*-") and b"|" in b"".join(lines[:4]):
        return "ss"
    if 2 * sum(map(_holds_puzzle, lines)) > len(lines):
        return "csv" if not _holds_puzzle(lines[0]) and _is_table(lines) else "lines"
    return ""


def _is_drawn(content: bytes, *, has_lines: bool = False) -> bool:
    """Return whether a text has boards, or rows of one; beside lines of 81 cells, drawn boards."""
    from unidoku.parse.uses import is_drawn  # not at the top: a check of lines starts faster

    return is_drawn(decode_line(content), has_lines=has_lines)


def _is_table(lines: list[bytes]) -> bool:
    """Return whether the first lines are a header and records of as many fields, one of them a puzzle.

    A line of one field, of numbers or of what is nearly a puzzle is no header, but a record.
    """
    import csv  # not at the top: a check of lines starts faster

    separator = max((",", ";", "\t"), key=lambda sign: lines[0].count(sign.encode()))
    names, *rows = csv.reader((line.decode("latin-1") for line in lines), delimiter=separator)
    if len(names) < 2 or not all(map(_NAME.fullmatch, names)):
        return False
    whole = [row for row in rows if len(row) == len(names)]
    return 2 * len(whole) > len(rows) and bool(columns_with_puzzles(range(len(names)), rows))


def _is_title(lines: list[bytes]) -> bool:
    """Return whether a name stands alone above rows of a board, which no field of a puzzle is as short as."""
    rows = lines[1:]
    return len(rows) > 8 and not re.search(rb"[,;\t]", lines[0]) and max(map(len, rows)) < _SHORTEST


def _are_records(lines: list[bytes]) -> bool:
    """Return whether each of several lines is an object, or some line has a puzzle: all are records then."""
    return len(lines) > 1 and (all(map(_is_object, lines)) or any(map(_RUN.search, lines)))


def _is_object(line: bytes) -> bool:
    """Return whether a line is in braces, and no row of digits."""
    return _OBJECT.match(line) is not None and line.endswith(b"}")


def _has_known_name(lines: list[bytes]) -> bool:
    """Return whether the first record has a name of the puzzles' column between separators."""
    names = re.findall(rb"""(?:^|[,;\t{]) *["']?([A-Za-z_]{1,20})["']? *(?=$|[,;\t:])""", b"".join(lines[:1]))
    is_title = re.fullmatch(rb"[^,;\t]*[,;\t]{2,}", b"".join(lines[:1]))
    return not is_title and any(name.lower().decode() in PUZZLE_NAMES for name in names)


def _reads_puzzle(content: bytes, format: str) -> bool:
    """Return whether the reader of a format finds a puzzle in the first bytes; a long array is not tried."""
    if len(content) >= HEAD and format == "jsonl":
        return True
    with suppress(UnidokuError):
        for batch in _read(FORMATS[format], Source(BytesIO(content), ""), Reading(keeps=False), HEAD):
            return len(batch) > 0
    return False


def _is_header(line: bytes) -> bool:
    """Return whether a line has a name of the puzzles' column, and no puzzle."""
    if _RUN.search(line):
        return False
    for separator in (b",", b";", b"\t"):
        names = line.split(separator)
        if any(name.strip(b" \"'").lower().decode("latin-1") in PUZZLE_NAMES for name in names):
            return True
    return False


def _is_json(line: bytes) -> bool:
    """Return whether a line begins an object, an array of records, or a puzzle as a list or a string."""
    if line.startswith(b"["):
        start = line[1:].lstrip()[:1]
        return not start or start in b'[{"]' or (line.endswith(b"]") and line.count(b",") == 80)
    return _OBJECT.match(line) is not None or (line[:1] == line[82:83] == b'"' and not line[83:].strip())


def significant_lines(content: bytes) -> list[bytes]:
    """Return the first complete lines that are neither blank nor comments."""
    pieces = content.removeprefix(BOM).splitlines(keepends=True)
    if len(content) >= HEAD and len(pieces) > 1 and not pieces[-1].endswith((b"\n", b"\r")):
        pieces.pop()
    lines = map(bytes.strip, pieces)
    return [*islice((line for line in lines if line and not line.startswith((b"#", b";", b"//"))), LINES)]


def _holds_puzzle(line: bytes) -> bool:
    """Return whether a line begins with a puzzle, or some field of it is one."""
    fields = line.replace(b",", b" ").replace(b";", b" ").split()
    return is_puzzle_line(line) or any(puzzle_in(field.strip(b'"').decode("latin-1")) for field in fields)


def _check_column(source: Source, settings: Reading, format: Format) -> None:
    """Refuse a named column without a puzzle in the first records if another column has puzzles."""
    if format.columnar:
        head = None if source.path is None else open_source(source.path)
    else:
        head = Source(BytesIO(source.peek(_HEAD_BYTES)), source.name)
    if head is None or format.name in ("npz", "npy"):
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
        message = f"none of the first {records} records has a puzzle in column {quote(str(settings.column))}"
        raise FormatError(f"{message}; the puzzles are in {names}")


def _read(format: Format, source: Source, settings: Reading, size: int) -> Generator[Batch]:
    """Read batches of about `size` bytes in a format."""
    for chunk in format.reader()(source, settings).chunks(lambda: size):
        for batch in chunk():
            if isinstance(batch, UnidokuError):
                raise batch
            yield batch
