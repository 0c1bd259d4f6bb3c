"""CSV: a header names the columns; ``,``, ``;`` or tab between them; fields may be quoted.

Native code finds the records; other fields are passed on unchanged.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from contextlib import suppress
from io import StringIO
from itertools import islice

from unidoku.cell import EXPECTED, fault, size_message, wrong_size
from unidoku.errors import FormatError, Message
from unidoku.files.chunks import COLUMN_BYTES, HEAD, LINES, WIDEST, Field, Reading
from unidoku.files.column_names import columns_with_puzzles, puzzle_column, unique_names
from unidoku.files.decoding import utf8_of
from unidoku.files.records import is_part_of_puzzle, puzzle_in
from unidoku.files.source import Source
from unidoku.files.text_reader import TextReader, has_lone_grids, quote_character
from unidoku.native.text import columns, fields, scan
from unidoku.parse.names import NO_VALUES, PUZZLE_NAMES
from unidoku.table.batch import Batch

_BEFORE_HEADER = re.compile(rb"\A(?:[ \t\v\f]*(?:#[^\r\n]*)?(?:\r\n?|\n))+")  # blank lines and comments
_NUMBER = re.compile(r"[-+]?[0-9.]+")
RECORD_MAX = 1 << 24  # bytes of a record; only a quote that is never closed makes a longer one


class CsvReader(TextReader):
    """CSV with a header, or without one if a field of the first record is a puzzle, or nearly one."""

    texts = frozenset({columns.REJECT_LENGTH, columns.REJECT_CELL})

    def __init__(self, source: Source, settings: Reading) -> None:
        super().__init__(source, settings)
        head, column = self.head, settings.column
        begin = len(head) - len(_BEFORE_HEADER.sub(b"", head[self.skip :]))
        line = scan.count_lines(head, self.skip, begin) + 1
        if begin == len(head) or head[begin:].lstrip().startswith(b"#"):
            line = max(1, scan.count_lines(head, self.skip, len(head)))
            raise FormatError(Message("no record", "expected a header or a record, found none"), line=line)
        records = [self._split(begin, separator) for separator in b",;\t"]
        if not any(names for names, _ in records):
            raise FormatError(
                Message(
                    "long header",
                    "expected a header that ends within the first {most} bytes",
                    most=f"{HEAD:,}",
                ),
                line=line,
            )
        (names, end), self.separator = max(
            zip(records, b",;\t", strict=True), key=lambda choice: self._rating(choice[0][0])
        )
        has_name = column in names or any(name.strip().lower() in PUZZLE_NAMES for name in names)
        parts = _parts(names, damaged=not has_name)
        rows = [] if has_name and not parts else self._rows(begin)
        below = [] if has_name or parts else columns_with_puzzles(range(len(names)), rows[1:])
        if parts or not (has_name or _are_names(names, below)):
            sizes = Counter(map(len, filter(None, rows))) or Counter([len(names)])
            [(width, _)] = sizes.most_common(1)
            end, names = begin, [f"column{number}" for number in range(1, width + 1)]
            self.doubts = column is None
        else:
            stripped = [name.strip() for name in names]
            names = stripped if len({*stripped}) == len({*names}) else names  # differ by more than blanks
        if self.doubts:
            choices = columns_with_puzzles(range(len(names)), rows) or parts or below
            self.puzzle = choices[0] if choices[0] < len(names) else 0
        else:
            self.puzzle = puzzle_column(names, column, line=line, rows=lambda: self._rows(end))
            if column is None and names[self.puzzle].lower() not in PUZZLE_NAMES:
                sign, rows = chr(self.separator), self._rows(end)
                self.doubts = has_lone_grids(
                    (sign.join(row), row[self.puzzle].strip()) for row in rows if self.puzzle < len(row)
                )
        self.names = unique_names(names)
        self.least_bytes = min(COLUMN_BYTES * len(names) if self.settings.keeps else 1, WIDEST)
        self.skip, self.line = end, line - 1 + scan.count_lines(head, begin, end)

    def has_puzzles(self) -> bool:
        """Return whether most of the first records have a puzzle."""
        return bool(columns_with_puzzles([self.puzzle], self._rows(self.skip)))

    def last_end(self, buffer: bytearray, end: int) -> int:
        """Return the end of the last complete record; 0 if there is none."""
        return fields.record_end(buffer, 0, end, self.separator)

    def too_long(self, size: int, line: int) -> bool:
        """Refuse a record that is too long."""
        if size < RECORD_MAX:
            return False
        message = Message(
            "long record",
            "expected a record of at most {most} bytes: is a quoted field not closed?",
            most=RECORD_MAX,
        )
        raise FormatError(message, line=line)

    def scanner(self) -> fields.FieldScanner:
        """Return a scanner for such records."""
        return fields.FieldScanner(self.separator, len(self.names), self.puzzle, keep=self.settings.keeps)

    def parse(self, scanner: fields.FieldScanner, text: bytearray, end: int, line: int) -> Batch:
        """Find the puzzles of records, and the fields beside them."""
        scanner.scan(text, 0, end, line)
        has_rejects = len(scanner.rejects) > 0
        passthrough: list[Field] = [
            (name, scanner.column(number), scanner.column_aside(number) if has_rejects else None)
            for number, name in enumerate(self.names)
            if self.settings.keeps and number != self.puzzle
        ]
        return self.batch(scanner, text, passthrough, end=end)

    def reason(self, code: int, count: int, here: bytes) -> str:
        """Describe the fault of a record."""
        name, character = self.names[self.puzzle], quote_character(here)
        if code == columns.REJECT_FIELDS:
            return fault(Message("n fields", "{n} fields", n=len(self.names)), count)
        if code == columns.REJECT_LENGTH:
            where = Message("in column", " in {column}", column=repr(name))
            return (
                wrong_size(count, where)
                if count
                else fault(size_message(where), Message("nothing there", "nothing"))
            )
        if code == columns.REJECT_CELL:
            return fault(
                Message("what in column", "{what} in {column}", what=EXPECTED, column=repr(name)), character
            )
        if code == columns.REJECT_UNCLOSED:
            return fault(Message("closing quote", "a closing quote"), Message("none", "none"))
        return fault(
            Message("after quoted", "a separator or the end of the record after a quoted field"), character
        )

    def _rows(self, begin: int) -> list[list[str]]:
        """Return the fields of the first records."""
        text = self.head[begin:].decode("utf-8", "replace")
        records = csv.reader(StringIO(text, newline=""), delimiter=chr(self.separator))
        with suppress(csv.Error):  # a field of the last record may be cut off
            return [*islice(records, LINES)]
        return []

    def _split(self, begin: int, separator: int) -> tuple[list[str], int]:
        """Return the fields of the first record, which may have line ends in quotes, and its end.

        There are no fields if it does not end in the first bytes.
        """
        size = len(self.head)
        end = fields.record_end(self.head, begin, size, separator, last=False, final=size < HEAD)
        if end == begin and size < HEAD:
            end = size
        content, first = utf8_of(self.head[begin:end])
        if first is not None:
            self.legacy_line = scan.count_lines(self.head, self.skip, begin) + first + 1
        text = content.decode().rstrip("\r\n")
        return next(csv.reader(StringIO(text, newline=""), delimiter=chr(separator)), []), end

    def _rating(self, names: list[str]) -> tuple[bool, int]:
        """Rate the split of the first record by a separator."""
        choices = {self.settings.column, *PUZZLE_NAMES}
        fits = any(name.strip().lower() in choices or puzzle_in(name.strip()) for name in names)
        return fits, len(names)


def _parts(fields: list[str], *, damaged: bool) -> list[int]:
    """Return which fields of the first record are puzzles, or parts of one if it may be `damaged`."""
    puzzles = [number for number, field in enumerate(fields) if puzzle_in(field.strip())]
    parts = [number for number, field in enumerate(fields) if damaged and is_part_of_puzzle(field)]
    return puzzles or parts


def _are_names(fields: list[str], puzzles: list[int]) -> bool:
    """Return whether the first record has the names of columns, of which `puzzles` have some below.

    The column has a word, and none a number, but for pandas, which numbers columns from 0.
    """
    names = [field.strip() for field in fields]
    counted = names if names[0] else names[1:]  # pandas leaves the column of the index without a name
    if not puzzles or counted == [*map(str, range(len(counted)))]:
        return True
    words = [name.lower() not in NO_VALUES and not _NUMBER.fullmatch(name) for name in names]
    return bool(names[puzzles[0]]) and all(words)
