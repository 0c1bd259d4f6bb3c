"""One puzzle per line: the main format, scanned natively.

A puzzle line has 81 cells row by row from the first non-blank character: digits 1 to 9, empties ``. 0 * _ - x
X ?``. After the cells the line ends, or a separator follows (a blank, tab or one of ``, ; : # | "``) and then
anything. If a second puzzle follows, the user says which one is meant. The cells may also be separated by
blanks, commas, semicolons or tabs.

``#``, ``;`` and ``//`` begin a comment. Two exceptions are puzzles: ``;`` right before 81 cells, and ``#``
with a number before 81 cells. Empty lines are ignored. Everything else is rejected, with its position, and
the run continues.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from unidoku._native.text import scan
from unidoku._native.text.columns import REJECT_AFTER, REJECT_CELL, REJECT_FIELDS, REJECT_LENGTH, REJECT_LONG
from unidoku._parse.text import decode_line
from unidoku._table.batch import Batch, PuzzleRecord, Reject, Roles
from unidoku.cell import EXPECTED, fault, size_message, wrong_size
from unidoku.errors import FormatError, Message, Reason
from unidoku.files._chunks import LINE_LIMIT, Field, Reading
from unidoku.files._recognition import LIBRARY, significant_lines
from unidoku.files._records import is_damaged_puzzle, usual_line
from unidoku.files._roles import columns_with_puzzles, first_record, several_puzzles
from unidoku.files._source import Source
from unidoku.files._text_reader import TextReader, quote_character

_FIELD = rb'([ \t,;:#|"]*+)([^ \t,;:#|"]++)'
_COUNTED = 729  # larger numbers of cells are "more"


class LinesReader(TextReader):
    """Reads puzzle lines in constant memory."""

    texts: frozenset[int]
    column: int

    line_max = 1 << 20
    counts_line = True
    texts = frozenset({REJECT_AFTER, REJECT_CELL, REJECT_FIELDS, REJECT_LENGTH})

    def __init__(self, source: Source, settings: Reading) -> None:
        super().__init__(source, settings)
        self.keeps_text: bool = settings.needed.has_rest
        head, column = self.head, settings.column
        if settings.has_positions and re.match(LIBRARY, b"".join(significant_lines(head[self.skip :])[:1])):
            self.roles = Roles("before", names=("before", "candidates"))
        if column is None:
            self.column = _column_of_puzzles(significant_lines(head[self.skip :]))
        elif re.fullmatch("[0-9]+", column) and 0 < int(column) <= LINE_LIMIT:
            self.column, self.texts = int(column), frozenset()
        else:
            text = "the column of a line file must be a field number from 1, not {column}"
            raise FormatError(Message(text, column=repr(column)))

    def scanner(self) -> scan.Scanner:
        """Return a scanner that finds the puzzle in each line."""
        return scan.Scanner()

    def parse(self, scanner: scan.Scanner, text: bytearray, end: int, line: int) -> Batch:
        """Find the puzzles of lines, and the texts after them; rejects have no texts."""
        scanner.scan(
            text,
            0,
            end,
            line=line,
            column=self.column,
            keep=self.settings.needed.has_rest,
            line_max=self.line_max,
            separated=True,
        )
        fields: list[Field] = []
        if scanner.before is not None and self.column:
            fields.append(("before", scanner.before, None))
        if scanner.rest is not None:
            fields.append(("rest", scanner.rest, None))
        items = self.items(scanner, text)
        batch = self.batch(scanner, text, fields, items)
        if self.roles.puzzles:
            from unidoku._table.column import Column  # not at the top: a check starts faster

            marks = {each.line: each.extra.get("candidates") for _, each in items}
            order = range(len(batch)) if batch.order is None else batch.order
            lines = (batch.lines[place] if place >= 0 else 0 for place in order)
            batch.columns["candidates"] = Column.of(marks.get(line) for line in lines)
        return batch

    def item(self, text: bytearray, numbers: list[int]) -> PuzzleRecord | Reject | None:
        """Return the same; a line of HoDoKu's library is a position, if positions are asked for."""
        found = super().item(text, numbers)
        if self.roles.puzzles and isinstance(found, PuzzleRecord):
            from unidoku._parse.contents import library_line_in  # not at the top: a check starts faster

            position = library_line_in(decode_line(bytes(text[numbers[6] : numbers[7]])))
            if position is not None:
                return PuzzleRecord(found.line, position.digits, {"candidates": position.marks})
        return found

    def reason(self, code: int, count: int, here: bytes) -> Reason:
        """Describe the fault of a line."""
        character = quote_character(here)
        if code == REJECT_LENGTH:
            if count > _COUNTED:
                return fault("wrong_length", size_message(), Message("more than {n}", n=_COUNTED))
            return wrong_size(count)
        if code == REJECT_AFTER:
            expected = Message("the end of the line or a separator after {n} cells", n=count)
            return fault("wrong_length", expected, character)
        if code == REJECT_FIELDS:
            found = Message("{n} field", n=count) if count == 1 else Message("{n} fields", n=count)
            return fault("no_puzzle", Message("a puzzle in field {n}", n=self.column), found)
        if code == REJECT_LONG:
            most = Message("at most {n} bytes in a line", n=self.line_max)
            return fault("too_long", most, Message("more"))
        return fault("wrong_symbol", EXPECTED, character)


def _column_of_puzzles(lines: Sequence[bytes]) -> int:
    """Return the number of the field with the puzzles, from 1, by the first record; 0 for the first field."""
    if lines and _is_puzzle(lines[0].decode("latin-1")):
        return 0
    row = first_record(map(_fields_of, lines))  # it says where the puzzles are
    choices = columns_with_puzzles(range(len(row)), row)
    texts = {number: text for number, text in enumerate(row) if not usual_line(text)}
    choices = choices or [number for number, text in texts.items() if is_damaged_puzzle(text)]
    if len(choices) > 1 and _is_puzzle(row[choices[0]]):
        raise several_puzzles([f"column{number + 1}" for number in choices])
    first = choices[0] if choices else 0
    return first + 1 if first else 0


def _is_puzzle(text: str) -> bool:
    """Return whether a text is a puzzle with empty cells."""
    return "." in (usual_line(text) or "")


def _fields_of(line: bytes) -> list[str]:
    """Return the texts between separators; two commas, semicolons or tabs in a row enclose an empty text.

    81 cells with separators are one.
    """
    if cells := scan.separated_cells(line):
        return [cells.decode()]
    fields = list[str]()
    for match in re.finditer(_FIELD, line):
        separators = len(match[1]) - len(match[1].translate(None, b",;\t"))
        fields += [""] * (separators - (match.start() > 0))  # one of them ends the field before
        fields.append(match[2].decode("latin-1"))
    return fields
