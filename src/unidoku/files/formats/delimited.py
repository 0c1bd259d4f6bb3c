"""Formats with one record per line and fields around the puzzle; the base of CSV.

=============  ==========================================================================
tdoku          ``puzzle:count`` or ``puzzle:1:solution`` (tdoku's test files)
stevehjohn     ``puzzle,solution`` or ``puzzle,count,reason`` (test files of that solver)
exchange       12 hexadecimal digits, puzzle, rating (Sudoku Exchange puzzle bank)
gsf            ``q1,q2,sx9,sxt,puzzle,name,time,min,path…`` (gsf's q2 taxonomy)
=============  ==========================================================================

Native code finds the records; other fields are passed on unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from unidoku.errors import FormatError
from unidoku.files.base import Batch, Chunk, Column, ReadOptions, Reject
from unidoku.files.formats.lines import TextChunk, TextReader
from unidoku.files.head import HEAD, Fit, Head, is_puzzle, is_puzzle_line
from unidoku.files.source import Source
from unidoku.files.text import BOM, EMPTIES, KEPT, check_text, other_size, shown
from unidoku.native.text import fields, scan

__all__ = [
    "DelimitedReader",
    "ExchangeReader",
    "GsfReader",
    "Layout",
    "StevehjohnReader",
    "TdokuReader",
]

RECORD_MAX = 1 << 24  # bytes of a record; only a quote that is never closed makes a longer one


@dataclass(frozen=True)
class Layout:
    """The layout of records; of `names`, number `puzzle` is the column of the puzzles."""

    names: tuple[str, ...]
    puzzle: int
    separator: str = ","
    """One character; a blank means any run of blanks and tabs."""
    least: int = 0
    """The least number of fields of a record."""
    rest: bool = False
    """The last field is the rest of the record."""
    comments: bool = True
    quotes: bool = False

    @property
    def code(self) -> int:
        """The separator as native code takes it."""
        return 0 if self.separator == " " else ord(self.separator)

    def scanner(self, keep: bool) -> fields.FieldScanner:
        """Make a scanner for such records."""
        width, least = len(self.names), self.least or len(self.names)
        flags = {"rest": self.rest, "comments": self.comments, "quotes": self.quotes}
        return fields.FieldScanner(self.code, width, least, self.puzzle, keep=keep, **flags)


class DelimitedReader(TextReader):
    """Records of a fixed layout."""

    layout: Layout

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        head = source.part.head or source.peek(HEAD)
        check_text(head, source.name)
        self._head = head
        self._skip = len(BOM) * head.startswith(BOM)
        self._skipped_lines = 0

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Read on; see `Reader`."""
        layout = self.layout
        middle = self.source.part.head is not None
        line = self.source.line if middle else self._skipped_lines
        self.source.readinto(memoryview(bytearray(0 if middle else self._skip)))
        rest = b""
        final = False
        while not final:
            size = max(4096, target(), 2 * len(rest))
            buffer = self._take(size)
            filled, final, failure = self._fill(buffer, rest, size)
            end = filled
            if not final:
                end = fields.record_end(buffer, 0, filled, layout.code, quotes=layout.quotes)
            rest = bytes(memoryview(buffer)[end:filled])
            if end:
                count = scan.count_lines(buffer, 0, end)
                yield FieldsChunk(self, buffer, 0, end, line)
                self.source.line = line = line + count
            else:
                self.give(buffer)
            if failure is not None:
                raise failure
            if len(rest) >= RECORD_MAX:
                message = f"expected a record of at most {RECORD_MAX} bytes: is a quoted field not closed?"
                raise FormatError(message, file=self.source.name, line=line + 1)


class FieldsChunk(TextChunk):
    """Records, scanned by a worker."""

    __slots__ = ()
    reader: DelimitedReader

    def parse(self, scratch: dict[str, Any]) -> Batch:
        """Find the puzzles."""
        reader = self.reader
        layout = reader.layout
        kept = scratch.get("fields")
        if kept is None or kept[0] is not reader:
            kept = scratch["fields"] = (reader, layout.scanner(reader.options.carries))
        scanner: fields.FieldScanner = kept[1]
        text = self.buffer
        scanner.scan(text, self.begin, self.end, self.line)
        columns = [
            Column(name, text, *scanner.column(number))
            for number, name in enumerate(layout.names)
            if reader.options.carries and number != layout.puzzle
        ]
        numbers = scanner.rejects
        rejects = [_reject(text, numbers[i : i + 7], layout) for i in range(0, len(numbers), 7)]
        return Batch(
            reader.source.name,
            text,
            scanner.starts,
            scanner.lines,
            marked=scanner.marked,
            rejects=rejects,
            columns=columns,
        )


def _reject(text: bytearray, numbers: Any, layout: Layout) -> Reject:
    before, line, offset, begin, end, code, extra = numbers
    name = layout.names[layout.puzzle]
    column = offset + 1
    raw = bytes(text[begin : min(end, begin + KEPT)])
    place = begin + offset
    here = bytes(text[place : place + 100])
    if code == fields.REJECT_FIELDS:
        width = len(layout.names)
        least = layout.least or width
        expected = f"{width} fields" if least == width else f"{least} to {width} fields"
        found = str(extra)
    elif code == fields.REJECT_LENGTH:
        expected = f"81 cells in {name!r}"
        size = (
            other_size(bytes(text[place : place + extra]).decode("utf-8", "replace")) if extra < 1000 else ""
        )
        found = f"{extra} characters: {_shown(here[:extra])}{size}" if extra else "nothing"
    elif code == fields.REJECT_CELL:
        expected, found = f"a digit or one of {EMPTIES} in {name!r}", _shown(here[:1])
    elif code == fields.REJECT_UNCLOSED:
        expected, found = "a closing quote", f"none after {_shown(here)}"
    else:
        expected, found = "a separator or the end of the record after a quoted field", _shown(here[:1])
    return Reject(before, line, column, raw, expected=expected, found=found)


def _shown(text: bytes) -> str:
    return shown(text.decode("utf-8", "backslashreplace"))


class _DialectReader(DelimitedReader):
    """Puzzle lines that all go on in the same way."""

    remainder: ClassVar[bytes]  # a pattern of all that follows the 81 cells

    @classmethod
    def fit(cls, head: Head) -> Fit:
        """Whether every line goes on in this way."""
        same = all(
            is_puzzle_line(line) and re.fullmatch(cls.remainder, line[81:], re.DOTALL) for line in head.lines
        )
        return Fit.YES if same else Fit.NO


class TdokuReader(_DialectReader):
    """``puzzle:count[:solution]``."""

    layout = Layout(("puzzle", "expected_count", "solution"), 0, ":", least=1)
    remainder = rb":[0-9]{1,19}(:[1-9]{81}(:.*)?)?"


class StevehjohnReader(_DialectReader):
    """``puzzle,solution`` or ``puzzle,count,reason``; the second field is called ``expected``."""

    layout = Layout(("puzzle", "expected", "reason"), 0, ",", least=1)
    remainder = rb",([1-9]{81}|[0-9]+,[A-Za-z]+)"


class ExchangeReader(DelimitedReader):
    """``hash puzzle rating``."""

    layout = Layout(("hash", "puzzle", "rating"), 1, " ")

    @classmethod
    def fit(cls, head: Head) -> Fit:
        """Whether a line has three such fields."""
        records = (line.split() for line in head.lines)
        found = any(len(each) == 3 and len(each[0]) == 12 and is_puzzle(each[1]) for each in records)
        return Fit.MAYBE if found else Fit.NO


class GsfReader(DelimitedReader):
    """gsf's one-liners."""

    layout = Layout(
        ("q1", "q2", "sx9", "sxt", "puzzle", "name", "time", "min", "path"), 4, ",", least=7, rest=True
    )

    @classmethod
    def fit(cls, head: Head) -> Fit:
        """Whether a line has the puzzle in its fifth field."""
        records = (line.split(b",") for line in head.lines)
        found = any(len(each) >= 7 and is_puzzle(each[4].strip()) for each in records)
        return Fit.MAYBE if found else Fit.NO
