"""JSON: lines with an object each that has the puzzle under a well-known name, or with the puzzle itself.

A puzzle is a string of 81 characters, a list of 81 cells, or 9 lists or strings of 9 cells. A cell
of a list is a number from 0 to 9, a string of one character, an empty string or null.

The elements of a JSON array of such objects or puzzles are read as if each was a line; so is an object that
is written over several lines.  Such a text is read as a whole.
"""

from __future__ import annotations

import io
import json
import re
from array import array
from collections.abc import Iterator
from contextlib import suppress
from math import inf
from typing import Any

from unidoku.cell import (
    VALUES,
    fault,
    size_message,
    with_lost_zeros,
    wrong_cell,
    wrong_signs,
    wrong_size,
)
from unidoku.errors import FormatError, Message
from unidoku.files.alone import cells_alone, says_more
from unidoku.files.chunks import COLUMN_BYTES, HEAD, WIDEST, Field, Reading
from unidoku.files.column_names import puzzle_column
from unidoku.files.decoding import LINE_LIMIT, numbered_lines, utf8_of
from unidoku.files.records import batch_of, puzzle_in, reject_at
from unidoku.files.source import Source
from unidoku.files.text_reader import TextReader, quote_character
from unidoku.native.text.objects import MOST_KEYS, ObjectScanner
from unidoku.parse.names import PUZZLE_NAMES
from unidoku.parse.text import decode_line
from unidoku.table.batch import KEPT, Batch, PuzzleRecord, Reject
from unidoku.table.json_values import NO_VALUE, JsonLiteral, items_of, json_text, text_of_lists

_MOST_DIGITS = 4300  # of a whole number that Python reads


def _whole_number(digits: str) -> float:
    """Return a whole number; one that is too long for Python only has to be kept as it is written."""
    return int(digits) if len(digits) < _MOST_DIGITS else inf


_decode_prefix = json.JSONDecoder(parse_int=_whole_number).raw_decode
_decode = json.JSONDecoder().decode  # json.loads asks first whether it has bytes
_BLANKS = re.compile(r"[ \t\r\n]*")
_FULL = re.compile("[1-9]{81}")
_NOTHING = re.compile(r"\[\s*\]\s*[^\s\]]")
"""An empty list before another value, perhaps the solution of the puzzle that is missing."""
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')
_CHANGES = re.compile(r"(?:^|[:\[,\s])(?:-0|-?[0-9]+[.eE]|-?[0-9]{4300})")
"""Numbers that Python may write in another way, or cannot read."""
_LEAST_RECORD = 2  # cells of an element; one is a cell
_WHOLE = 1 << 26  # bytes of a text that is read as a whole
_EXPECTED = Message("json value", "a JSON object or a JSON array of cells")
_TOO_DEEP = (
    Message("depth", "values in a few hundred lists or objects at most"),
    Message("deeper", "deeper ones"),
)


class JsonlReader(TextReader):
    """JSON lines; native code reads objects with puzzles of 81 characters, and Python all others.

    The elements of an array, and objects that are indented, are read as lines too.
    """

    def __init__(self, source: Source, settings: Reading) -> None:
        super().__init__(source, settings)
        head = self.head[self.skip :]
        self._numbers, self._margins = array("q"), array("q")  # lines of elements, and what is before them
        if _is_document(head.decode("utf-8", "replace")):
            self.stream = self._elements()
            head = self.stream.getvalue()[:HEAD]
        self.column, self._names = self._names_in(head)
        self.least_bytes = min(max(1, COLUMN_BYTES * len(self._names)), WIDEST)
        if len(self._names) >= MOST_KEYS:
            reason = Message(
                "many keys",
                "expected at most {most} keys beside the puzzle's, found {n}",
                most=MOST_KEYS - 1,
                n=len(self._names),
            )
            raise FormatError(reason, line=1)

    def _elements(self) -> io.BytesIO:
        """Read the whole text; return its values, and the elements of arrays among them, as lines."""
        content = b""
        while len(content) <= _WHOLE and (piece := self.source.read(_WHOLE)):
            content += piece
        if len(content) > _WHOLE:
            raise FormatError(
                Message(
                    "long json",
                    "expected a JSON array of at most {most} bytes; JSON lines have no limit",
                    most=_WHOLE,
                )
            )
        content, first = utf8_of(content[self.skip :])
        self.legacy_line = None if first is None else first + 1
        text = content.decode().replace("\r\n", "\n").replace("\r", "\n")
        lines, at = list[str](), 0
        try:
            for begin, end in _values(text):
                last = self._numbers[-1] if self._numbers else 1
                self._numbers.append(last + text.count("\n", at, begin))
                self._margins.append(begin - text.rfind("\n", 0, begin) - 1)
                lines.append(text[begin:end].replace("\n", " "))  # which JSON has between values only
                at = begin
        except json.JSONDecodeError as error:
            line = text.count("\n", 0, error.pos) + 1
            raise FormatError(
                Message("json", "expected a JSON array or object: {error}", error=error), line=line
            ) from error
        if len(lines) > 1 and self._numbers[0] == self._numbers[-1]:
            del self._numbers[:]  # all are on one line: their numbers say more
        return io.BytesIO("".join(f"{line}\n" for line in lines).encode())

    def _names_in(self, head: bytes) -> tuple[str, list[str]]:
        """Find the key of the puzzle, and the keys of the values to keep, in the first bytes."""
        column, names = self.settings.column, dict[str, None]()
        for number, line in enumerate(head.splitlines(), 1):
            value = _object_of(line)
            if not value:
                continue
            if column is None:
                keys = [*value]
                place = puzzle_column(
                    keys, None, line=number, row=[text_of_lists(value[key]) for key in keys]
                )
                column = keys[place]
            if not self.settings.keeps:
                break
            # without half a pair of surrogates, which UTF-8 lacks
            names |= {name: None for name in value if name.encode(errors="ignore").decode() == name}
        names.pop(column or "", None)
        return column or PUZZLE_NAMES[0], [*names]

    def scanner(self) -> ObjectScanner:
        """Return a scanner of these keys."""
        names = [name.encode("utf-8", "surrogatepass") for name in (self.column, *self._names)]
        return ObjectScanner(names, 0, LINE_LIMIT - 1)

    def parse(self, scanner: ObjectScanner, text: bytearray, end: int, line: int) -> Batch:
        """Find the puzzles of lines; those of the elements of an array are on the lines of its text."""
        batch = self._parse(scanner, text, end, line)
        if self._numbers:
            batch.lines = array("q", (self._numbers[number - 1] for number in batch.lines))
            for reject in batch.rejects:
                reject.column += self._margins[reject.line - 1]
                reject.line = self._numbers[reject.line - 1]
        return batch

    def _parse(self, scanner: ObjectScanner, text: bytearray, end: int, line: int) -> Batch:
        """Find objects natively; a chunk with another kind of puzzle is read in Python."""
        content = bytes(memoryview(text)[:end])
        wide = content.isascii()
        if not wide:
            with suppress(UnicodeDecodeError):
                wide = bool(content.decode())
        scanner.scan(text, 0, end, line, wide=wide)
        rejects, before = list[Reject](), array("q")
        numbers = scanner.rejects
        for k in range(0, len(numbers), 9):
            at, number, _, begin, stop = numbers[k : k + 5]
            item = self._read(number, decode_line(content[begin : min(stop, begin + LINE_LIMIT)]))
            if isinstance(item, PuzzleRecord):
                return self.in_python(content, line)  # the scanner has decoded values in the buffer
            if item is not None:
                rejects.append(item)
                before.append(at)
        passthrough = list[Field]()
        for number, name in enumerate(self._names, 1):
            values = [reject.extra.get(name, NO_VALUE) for reject in rejects] if rejects else None
            passthrough.append((name, scanner.column(number), values))
        return self.batch(scanner, text, passthrough, rejects, before)

    def in_python(self, content: bytes, line: int) -> Batch:
        """Read every line of a chunk in Python."""
        items = (self._read(line + number, text) for number, text in numbered_lines(io.BytesIO(content)))
        records = [item for item in items if item is not None]
        return batch_of(records, self.source.name, tuple(self._names))

    def _read(self, number: int, line: str) -> PuzzleRecord | Reject | None:
        """Read a line: a puzzle or a reject, with the other values of an object."""
        if not line.strip():
            return None
        value, at = None, 0
        try:
            value = _as_written(line, self.column) if _CHANGES.search(line) else _decode(line)
        except RecursionError:
            return reject_at(number, 1, line, *_TOO_DEEP)
        except ValueError as error:
            at = getattr(error, "pos", 0)
        if not isinstance(value, dict | list | str):
            expected = _EXPECTED
            if len(line) >= LINE_LIMIT:
                expected = Message("json size", "{value} of at most {n} bytes", value=_EXPECTED, n=LINE_LIMIT)
            actual = quote_character(line[at : at + 1].encode())
            return reject_at(number, at + 1, line, expected, actual)
        puzzle: Any = value
        extra = {}
        if isinstance(value, dict):
            puzzle = value.pop(self.column, None)
            extra = value if self.settings.keeps else {}
        text = text_of_lists(puzzle)
        cells, reason = puzzle_in(text), None
        puzzle_text = puzzle if isinstance(puzzle, str) else "" if cells else json_text(puzzle)
        if cells is None and puzzle is not None and len(puzzle_text.encode(errors="replace")) > 81:
            alone = cells_alone(puzzle_text)
            if isinstance(alone, str):
                cells = alone
            elif says_more(alone):
                reason = alone.message
        if cells is not None:
            return PuzzleRecord(number, cells, extra)
        excerpt = None if puzzle is None else puzzle_text[:KEPT].encode(errors="replace")
        column = _place_of(puzzle, line) + 1
        return Reject(number, column, excerpt, reason or _reason(puzzle, text), extra)


def _object_of(line: bytes) -> dict[str, Any]:
    """Return the object on a line; an empty one if there is none."""
    with suppress(ValueError, RecursionError):
        value = _decode(decode_line(line))
        if isinstance(value, dict):
            return value
    return {}


def _reason(puzzle: object, text: str) -> str:
    """Explain why a value, with its cells as a text, is no puzzle."""
    if not isinstance(puzzle, str | list):
        return fault(
            size_message(),
            "null" if puzzle is None else Message("no text or list", "neither a text nor a list"),
        )
    if len(text) != 81:
        return with_lost_zeros(wrong_size(len(text)), text)
    if wrong := wrong_signs(text):
        return wrong
    cells = puzzle if isinstance(puzzle, str) else items_of(puzzle)
    cell = next(cell for cell, symbol in enumerate(text) if symbol not in VALUES)
    return wrong_cell(cells[cell], cell)


def _place_of(puzzle: object, line: str) -> int:
    """Return where a text with a puzzle is in a line, or its first symbol that is no cell; 0 for a list."""
    if not isinstance(puzzle, str):
        return 0
    begin = line.find(f'"{puzzle[:9]}') + 1
    symbol = next((symbol for symbol in puzzle if symbol not in VALUES and not symbol.isspace()), "")
    return max(begin, line.find(symbol, begin)) if begin else 0


def _after_blanks(text: str, at: int) -> int:
    """Return the place of the next character that is no blank."""
    return _BLANKS.match(text, at).end()  # type: ignore[union-attr]


def _values(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the values of a text begin and end; of an array of records, its elements."""
    at = _after_blanks(text, 0)
    while at < len(text):
        closes = text[at] == "[" and _has_records(text[at + 1 : at + HEAD])
        at = _after_blanks(text, at + closes)
        is_empty = closes and text[at : at + 1] == "]"
        while not is_empty:
            end = _end_of(text, at)
            yield at, end
            at = _after_blanks(text, end)
            if not closes or text[at : at + 1] == "]":
                break
            if text[at : at + 1] != ",":
                raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
            at = _after_blanks(text, at + 1)
        at = _after_blanks(text, at + closes)


def _end_of(text: str, at: int) -> int:
    """Return the end of the JSON value that begins here, which may be too deep for Python."""
    try:
        return _decode_prefix(text, at)[1]
    except RecursionError:
        depth = 0
        for token in _TOKENS.finditer(text, at):
            depth += (token[0] in "[{") - (token[0] in "]}")
            if not depth:
                return token.end()
        raise json.JSONDecodeError("Expecting a closing bracket", text, at) from None


def _as_written(line: str, column: str) -> Any:
    """Decode JSON; values beside the puzzle that Python might change are kept as they are written."""
    value, end = _decode_prefix(line, _after_blanks(line, 0))
    if (end := _after_blanks(line, end)) < len(line):
        raise json.JSONDecodeError("Extra data", line, end)
    if not isinstance(value, dict):
        return value
    at = _after_blanks(line, line.index("{") + 1)
    while line[at] != "}":
        name, at = _decode_prefix(line, at)
        begin = _after_blanks(line, _after_blanks(line, at) + 1)
        item, end = _decode_prefix(line, begin)
        text = line[begin:end]
        is_json = "NaN" not in text and "Infinity" not in text  # names that Python reads as numbers
        changes = name != column and not isinstance(item, str) and is_json and _CHANGES.search(text)
        value[name] = JsonLiteral(text) if changes else item  # of two values with one name the last counts
        at = _after_blanks(line, end)
        at = _after_blanks(line, at + 1) if line[at] == "," else at
    return value


def _is_document(head: str) -> bool:
    """Return whether a text begins with an array of records or a value over several lines: no JSON lines."""
    start = head.lstrip()
    if _NOTHING.match(start):
        return False
    if start.startswith("[") and _has_records(start[1:]):
        return True
    try:
        end = _decode_prefix(start)[1] if start[:1] in ("{", "[") else 0
    except (ValueError, RecursionError):
        return False
    return bool(re.search(r"[\r\n]", start[:end]))


def _is_pair(text: str) -> bool:
    """Return whether the array before this text has two values, a full grid and perhaps its puzzle."""
    try:
        elements, _ = _decode_prefix(f"[{text}")
    except (ValueError, RecursionError):
        return False
    return (
        len(elements) == 2 and sum(bool(_FULL.fullmatch(text_of_lists(element))) for element in elements) == 1
    )


def _has_records(text: str) -> bool:
    """Return whether the array before this text has records, and not the cells or rows of a puzzle."""
    elements, at = text.lstrip(), 0
    if elements[:1] in ("]", ""):
        return True
    element: Any = None
    while len(text_of_lists(element)) < _LEAST_RECORD and elements[at : at + 1] not in ("{", "]"):
        try:  # the first elements may have nothing in the place of a puzzle
            element, end = _decode_prefix(elements, at)
        except (ValueError, RecursionError):
            return elements[at : at + 1] == '"'
        at = _after_blanks(elements, end)
        at = _after_blanks(elements, at + 1) if elements[at : at + 1] == "," else at
    if elements[at : at + 1] == "{" or isinstance(element, dict):
        return True
    if isinstance(element, str):
        return len(element) not in (0, 1, 9, 16) and not _is_pair(text)
    is_record = isinstance(element, list) and len(text_of_lists(element)) not in (0, 9, 16)
    if isinstance(element, list) and len(element) == 9 and all(isinstance(cell, str) for cell in element):
        is_record = max(map(len, element)) > 1  # and no row of characters
    return is_record and not _is_pair(text)
