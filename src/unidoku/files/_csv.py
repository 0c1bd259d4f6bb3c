"""CSV: a header names the columns; commas, semicolons or tabs separate fields, which may be quoted.

Native code finds the records; other fields are passed on unchanged.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from io import StringIO
from itertools import islice

from unidoku._native.text import columns, fields, scan
from unidoku._parse.text import decode_line
from unidoku._table.batch import Batch, PuzzleRecord, Reject
from unidoku.cell import EXPECTED, NO_VALUES, fault, size_message, wrong_size
from unidoku.errors import FormatError, Message, Reason
from unidoku.files._chunks import COLUMN_BYTES, HEAD, LINES, WIDEST, Field, Reading, utf8_of
from unidoku.files._column_names import declares_puzzle
from unidoku.files._paths import Path
from unidoku.files._records import usual_line
from unidoku.files._roles import first_record, puzzle_column, roles_of, unique_names
from unidoku.files._source import Source
from unidoku.files._text_reader import TextReader, quote_character

# blank lines and comments, but no record that begins with its number
_BEFORE_HEADER = re.compile(rb"\A(?:[ \t\v\f]*(?:#(?!\d+[\t,; ]+[^\s,;]{81})[^\r\n]*)?(?:\r\n?|\n))+")


class CsvReader(TextReader):
    """CSV with a header, or without one if a field of the first record is a puzzle, or nearly one."""

    texts: frozenset[int]
    separator: int
    skip: int
    line: int

    texts = frozenset({columns.REJECT_LENGTH, columns.REJECT_CELL})
    line_max = 1 << 24

    def __init__(self, source: Source, settings: Reading) -> None:
        super().__init__(source, settings)
        self._read_header()
        self.least_bytes: int = 1
        if settings.needed.has_any:
            self.least_bytes = min(COLUMN_BYTES * len(self.names), WIDEST)

    def _read_header(self) -> None:
        """Read the names and the first records, which say what the columns are."""
        head, column = self.head, self.settings.column
        begin = len(head) - len(_BEFORE_HEADER.sub(b"", head[self.skip :]))
        line = scan.count_lines(head, self.skip, begin) + 1
        if begin == len(head) or re.match(rb"\s*#[^\r\n]*\Z", head[begin:]):
            line = max(1, scan.count_lines(head, self.skip, len(head)))
            raise FormatError(Message("expected a header or a record, found none"), line=line)
        content, legacy = utf8_of(head[begin:], is_cut=True)
        text = content.decode(errors="ignore")
        sign = max(",;\t", key=lambda sign: self._rating(_records(text, sign, 2)))
        records, self.separator = _records(text, sign, LINES + 1), ord(sign)
        end = self._end_of_first(begin, line)
        if len(head) == HEAD and len(records) > 1:
            records.pop()  # it may be cut
        names = records[0]
        has_header = self._is_named(names)
        first = first_record(records[has_header:LINES]) or names
        are_words = all(
            any(map(str.isalpha, name)) and name.strip().lower() not in NO_VALUES for name in names
        )
        has_header = has_header or (are_words and first is not names)
        shown: Sequence[str] = ()
        if has_header:
            if legacy is not None and legacy < scan.count_lines(head, begin, end):
                self.legacy_line = line + legacy
            names = _stripped(names)
        else:
            if are_words:
                shown = names
            end, names = begin, [f"column{number}" for number in range(1, len(first) + 1)]
            self.texts |= {columns.REJECT_FIELDS}
        self.puzzle: int = puzzle_column(names, column, line=line, row=lambda: first, shown=shown)
        self.names: tuple[str, ...] = unique_names(names)
        self.roles = roles_of(self.names, self.puzzle, records[has_header:LINES], self.settings)
        self.path: Path = Path.of(self.names, column or "")
        self.skip, self.line = end, line - 1 + scan.count_lines(head, begin, end)

    def _end_of_first(self, begin: int, line: int) -> int:
        """Return the end of the first record, which begins at a place and is on a line."""
        head, is_cut = self.head, len(self.head) == HEAD
        end: int = fields.record_end(head, begin, len(head), self.separator, last=False, final=not is_cut)
        if end > begin:
            return end
        if is_cut:
            message = Message("expected a header that ends within the first {most} bytes", most=f"{HEAD:,}")
            raise FormatError(message, line=line)
        return len(head)

    def last_end(self, buffer: bytearray, end: int) -> int:
        """Return the end of the last complete record; 0 if there is none."""
        find_end = partial(fields.record_end, buffer, 0, separator=self.separator, lone=len(self.names) == 1)
        found = find_end(end)
        if found or end <= self.line_max:
            return found
        return find_end(end - 1, final=True)  # no quote closes its field

    def are_records(self, lines: bytes) -> bool:
        """Return whether no quoted field has a line end, and each quote belongs to a quoted field."""
        if b'"' not in lines:
            return True
        sign = re.escape(bytes([self.separator]))
        field = rb'(?:^|(?<=%b))"(?:[^"\r\n]|"")*+"(?=%b|\r?$)' % (sign, sign)
        return b'"' not in re.sub(field, b"", lines, flags=re.MULTILINE)

    def scanner(self) -> fields.FieldScanner:
        """Return a scanner for such records."""
        lists = not self.roles.is_deep
        return fields.FieldScanner(
            self.separator, len(self.names), self.puzzle, keep=self.settings.needed.has_any, lists=lists
        )

    def parse(self, scanner: fields.FieldScanner, text: bytearray, end: int, line: int) -> Batch:
        """Find the puzzles of records, and their other fields."""
        scanner.scan(text, 0, end, line)
        items = self.items(scanner, text)
        passthrough = list[Field]()
        for number in self._kept():
            aside = scanner.column_aside(number) if items else None
            passthrough.append((self.names[number], scanner.column(number), aside))
        return self.batch(scanner, text, passthrough, items)

    def _kept(self) -> list[int]:
        """Return the numbers of the kept columns, with the column of puzzles if they are deep in it."""
        if not self.settings.needed.has_any:
            return []
        if self.roles.is_deep:
            return [*range(len(self.names))]
        return [number for number in range(len(self.names)) if number != self.puzzle]

    def item(self, text: bytearray, numbers: list[int]) -> PuzzleRecord | Reject | None:
        """Return a record that Python reads; its puzzle may be deep in its field."""
        item = super().item(text, numbers)
        if not self.roles.is_deep:
            return item
        if not isinstance(item, Reject):
            return item
        field = decode_line(bytes(text[numbers[-2] : numbers[-1]]))
        cells = self.path.puzzle(field).cells or self.path.puzzle(field.replace('""', '"')).cells
        if not cells:
            return item
        return PuzzleRecord(item.line, cells)

    def reason(self, code: int, count: int, here: bytes) -> Reason:
        """Describe the fault of a record."""
        name, character = self.names[self.puzzle], quote_character(here)
        if code == columns.REJECT_FIELDS:
            return fault("damaged", Message("{n} fields", n=len(self.names)), count)
        if code == columns.REJECT_LENGTH:
            where = Message(" in {column}", column=repr(name))
            return (
                wrong_size(count, where)
                if count
                else fault("no_puzzle", size_message(where), Message("nothing"))
            )
        if code == columns.REJECT_CELL:
            expected = Message("{what} in {column}", what=EXPECTED, column=repr(name))
            return fault("wrong_symbol", expected, character)
        if code == columns.REJECT_UNCLOSED:
            return fault("damaged", Message("a closing quote"), Message("none"))
        expected = Message("a separator or the end of the record after a quoted field")
        return fault("damaged", expected, character)

    def _is_named(self, names: list[str]) -> bool:
        """Return whether one of the names is the name of the column of puzzles."""
        if self.settings.column in names:
            return True
        return any(declares_puzzle(name.strip()) for name in names)

    def _rating(self, rows: list[list[str]]) -> tuple[bool, int, int]:
        """Rate a separator by its first rows: known names, rows with a puzzle, and the number of fields."""
        if self._is_named(rows[0]):
            return True, 0, len(rows[0])
        count = sum(any(usual_line(field.strip()) for field in row) for row in rows)
        return False, count, len(rows[0])


def _records(text: str, separator: str, count: int | None) -> list[list[str]]:
    """Return the first records of a text, all without a `count`; one of an empty field if it has none."""
    records = list[list[str]]()
    with suppress(csv.Error):  # a field of the last record may be cut off
        rows = csv.reader(StringIO(text, newline=""), delimiter=separator)
        records += islice(filter(None, rows), count)
    return records or [[""]]


def _stripped(names: list[str]) -> list[str]:
    """Return names without blanks around them, unless some differ by these."""
    stripped = [name.strip() for name in names]
    if len({*stripped}) < len({*names}):
        return names
    return stripped
