"""JSON: lines with an object each that has the puzzle under a well-known name, or with the puzzle itself.

A puzzle is a string of 81 characters, a list of 81 cells, or 9 lists or strings of 9 cells. A cell
of a list is a number from 0 to 9, a string of one character, an empty string or null.

Other JSON is a document: it is read as a whole, and its records as if each was a line.
"""

from __future__ import annotations

import json
import re
from array import array
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

from unidoku.cell import fault
from unidoku.errors import FormatError, Message, Reason
from unidoku.files.chunks import COLUMN_BYTES, HEAD, LINES, WIDEST, Field, Reading, utf8_of
from unidoku.files.column_names import PUZZLE_NAMES
from unidoku.files.documents import (
    Entry,
    is_cells,
    is_record,
    is_row,
    members,
    places_of_records,
    records_of,
    records_on,
    whole_value,
)
from unidoku.files.paths import Path
from unidoku.files.records import excerpt_of, reading_of_value, reject_at
from unidoku.files.roles import NoPuzzlesError, first_record, puzzle_column, roles_of
from unidoku.files.source import MemoryFile, Source
from unidoku.files.text_reader import Item, TextReader, quote_character
from unidoku.native.text.objects import MOST_KEYS, ObjectScanner, split_elements
from unidoku.parse.text import decode_line
from unidoku.table.batch import KEPT, Batch, PuzzleRecord, Reject
from unidoku.table.json_values import NO_VALUE, JsonLiteral

_decode = json.JSONDecoder().decode  # json.loads asks first whether it has bytes
_CHANGES = re.compile(r"(?:^|[:\[,\s])(?:-0|-?[0-9]+[.eE]|-?[0-9]{4300})")
"""Numbers that Python may write in another way, or cannot read."""
_WHOLE, _PIECE = 1 << 26, 1 << 20  # bytes of a text that is read as a whole, and of one read
_EXPECTED = Message("a JSON object or a JSON array of cells")
_TOO_DEEP = (Message("at most a few hundred nested lists or objects"), Message("deeper nesting"))


class JsonlReader(TextReader):
    """JSON lines, or a document; native code reads objects with puzzles of 81 characters, Python the rest."""

    column: str
    line_max = 1 << 24

    def __init__(self, source: Source, settings: Reading) -> None:
        super().__init__(source, settings)
        self._numbers = array("q")  # lines of records
        self._puzzle = Path()
        """The path to the puzzle in its column, if the user named it."""
        self._steps = settings.column.split(".") if settings.column else []
        self._looks_inside = False
        """Whether the records are inside the values of lines, or rows of values."""
        lines, is_cut = self._first_lines()
        if _is_document(lines, is_cut=is_cut):
            content = self._records()
            self.stream: MemoryFile = MemoryFile(content)
            lines = bytes(content[:HEAD]).splitlines()
            values = [_value_of(line) if line.startswith(b"{") else None for line in lines]
        else:
            values = [*map(_value_of, lines)]
            is_own = partial(is_record, names=self._steps, in_list=True)
            first = next(filter(is_own, values), None)
            self._has_rows = is_row(first)
            if first is None or self._has_rows:
                records = [record for line in lines for record in self._records_on(line)]
                self._looks_inside = self._has_rows or any(record.rank for record in records)
                values = [_value_of(record.line.encode()) for record in records]
        self.column, self._names = self._names_in(values)
        self._late: dict[str, None] = {}
        """Keys that the first bytes lack, in the order in which any thread has found them."""
        self.least_bytes: int = min(max(1, COLUMN_BYTES * len(self._names)), WIDEST)
        _refuse_many(len(self._names), 1)

    def _first_lines(self) -> tuple[list[bytes], bool]:
        """Return the first lines, and whether more follow; a document in one line is not read to its end."""
        head, size = self.head[self.skip :], HEAD
        while len(head) + self.skip == size < self.line_max and _is_line_cut(head):
            size *= 4
            head = self.source.peek(size)[self.skip :]
        is_cut = len(head) + self.skip == size
        return (head[:HEAD] if _is_line_cut(head) else head).splitlines(), is_cut

    def _records_on(self, line: bytes) -> list[Entry]:
        """Return the records in the value of a line, so that no line is lost; none of a blank line."""
        text = decode_line(line)
        if not text.strip():
            return []
        try:
            return records_on(text, self._steps, is_in_rows=self._has_rows)
        except (ValueError, RecursionError):  # the reader of a line says why
            return [Entry(0, text)]

    def _records(self) -> memoryview | bytes:
        """Read the whole document; return its records as lines."""
        content = bytearray()
        while len(content) <= _WHOLE and (piece := self.source.read(_PIECE)):
            content += piece
        if len(content) > _WHOLE:
            text = (
                "expected a JSON array of at most {most} bytes; write JSON lines instead, which have no limit"
            )
            raise FormatError(Message(text, most=_WHOLE))
        del content[: self.skip]
        utf8, first = utf8_of(content)
        self.legacy_line = None
        if first is not None:
            content, self.legacy_line = bytearray(utf8), first + 1
        places = places_of_records(content, self._steps)
        if places is None:
            return self._lines_along(content)
        return self._lines_at(content, places)

    def _lines_at(self, content: bytearray, places: memoryview) -> memoryview:
        """Return the records that begin at these places as lines, in the memory of the content."""
        size = split_elements(content, places)
        numbers = places[:-1]
        if len(numbers) == 1 or numbers[0] != numbers[-1]:  # on one line their own numbers say more
            self._numbers = array("q", numbers)
        return memoryview(content)[:size]

    def _lines_along(self, content: bytearray) -> bytes:
        """Return the records on the path to them as lines."""
        text = content.decode().replace("\r\n", "\n").replace("\r", "\n")
        lines, at, last = list[str](), 0, 1
        try:
            for record in records_of(text, self._steps):
                last += text.count("\n", at, record.begin)
                self._numbers.append(last)
                lines.append(record.line.replace("\n", " "))  # which JSON has between values only
                at = record.begin
        except json.JSONDecodeError as error:
            reason = Message("expected a JSON array or object: {error}", error=error)
            raise FormatError(reason, line=error.lineno) from error
        except RecursionError as error:
            raise FormatError(fault("wrong_format", *_TOO_DEEP)) from error
        if len(lines) > 1 and self._numbers[0] == self._numbers[-1]:
            del self._numbers[:]  # all are on one line: their numbers say more
        return "".join(f"{line}\n" for line in lines).encode()

    def _names_in(self, values: list[Any]) -> tuple[str, list[str]]:
        """Find the key of the puzzle, and the keys of the values to keep, in the first bytes."""
        numbered = enumerate(values, 1)
        objects = {number: value for number, value in numbered if value and isinstance(value, dict)}
        named = self.settings.column
        if not objects:
            return named or PUZZLE_NAMES[0], []
        if named is None:
            column = _puzzle_key_in(objects, are_bare=any(map(is_cells, values)))
        else:
            column = self._key_named(named, objects)
        # without half a pair of surrogates, which UTF-8 lacks
        keys = {key: None for value in objects.values() for key in value if _is_text(key)}
        names = [column, *(key for key in keys if key != column)]
        rows = [[value.get(name, "") for name in names] for value in islice(objects.values(), LINES)]
        self.roles = roles_of(names, 0, rows, self.settings)
        if not self.settings.needed.has_any:
            return column, []
        return column, names[not self.roles.is_deep :]

    def _key_named(self, path: str, objects: dict[int, dict[str, Any]]) -> str:
        """Return the key to which a path leads that the user named; the rest of the path is kept.

        In front of it may be names of the document that has the records.
        """
        keys = [*dict.fromkeys(key for value in objects.values() for key in value)]
        ends = (path.split(".", k)[-1] for k in range(path.count(".") + 1))
        path = next((end for end in ends if Path.of(keys, end)[0] in keys), path)
        self.settings: Reading = self.settings._replace(column=path)
        self._puzzle = Path.of(keys, path)
        return self._puzzle[0]

    def scanner(self) -> ObjectScanner:
        """Return a scanner of these keys."""
        column = f"{self.column}[]" if self.roles.is_deep else self.column  # Python reads each record
        names = [name.encode("utf-8", "surrogatepass") for name in (column, *self._names, *list(self._late))]
        options = {"lists": not self.roles.is_deep, "finds_others": self.settings.needed.has_any}
        return ObjectScanner(names, 0, self.line_max - 1, **options)

    def free_scanner(self) -> ObjectScanner:
        """Return a scanner that no thread uses, of all keys that are known by now."""
        scanner: ObjectScanner = super().free_scanner()
        if scanner.width == 1 + len(self._names) + len(self._late):
            return scanner
        return self.scanner()

    def parse(self, scanner: ObjectScanner, text: bytearray, end: int, line: int) -> Batch:
        """Find the puzzles of lines; records of a document, or on a path, have the lines of its text."""
        numbers = self._numbers
        if self._looks_inside:
            lines = enumerate(bytes(memoryview(text)[:end]).splitlines(), line + 1)
            records = [(number, record.line) for number, text in lines for record in self._records_on(text)]
            numbers = array("q", (number for number, _ in records))
            text, line = bytearray("".join(f"{record}\n" for _, record in records).encode()), 0
            end = len(text)
        batch = self._parse(scanner, text, end, line)
        if numbers:
            batch.lines = array("q", (numbers[number - 1] for number in batch.lines))
            for reject in batch.rejects:
                reject.line, reject.column = numbers[reject.line - 1], None
        return batch

    def _parse(self, scanner: ObjectScanner, text: bytearray, end: int, line: int) -> Batch:
        """Find objects natively, and read all other lines in Python."""
        content = bytes(memoryview(text)[:end])
        wide = content.isascii()
        if not wide:
            with suppress(UnicodeDecodeError):
                wide = bool(content.decode())
        while True:
            scanner.scan(text, 0, end, line, wide=wide)
            names = [*self._names, *list(self._late)[: scanner.width - 1 - len(self._names)]]
            items = self.items(scanner, text)
            late = self._late_keys(scanner, content, items, names)
            if not late:
                break
            self._late.update(dict.fromkeys(late))
            _refuse_many(len(self._names) + len(self._late), line + 1)
            scanner = self.scanner()
            text[:end] = content  # in which the scanner has replaced escapes and lists
        added = scanner.added
        text[end : end + len(added)] = added
        passthrough = list[Field]()
        for number, name in enumerate(names, 1):
            values = [item.extra.get(name, NO_VALUE) for _, item in items] if items else None
            passthrough.append((name, scanner.column(number), values))
        batch = self.batch(scanner, text, passthrough, items)
        for name in names[len(self._names) :]:
            if batch.columns[name].is_absent:
                del batch.columns[name]
        batch.late = tuple(name for name in names[len(self._names) :] if name in batch.columns)
        return batch

    def _late_keys(
        self, scanner: ObjectScanner, content: bytes, items: list[Item], names: list[str]
    ) -> list[str]:
        """Return the keys in a chunk that are none of the names, if there are any."""
        if not self.settings.needed.has_any:
            return []
        found = [content[begin:end].decode("utf-8", "surrogatepass") for begin, end in scanner.others]
        found += [key for _, item in items for key in item.extra]
        known = {self.column, *names}
        return [key for key in dict.fromkeys(found) if key not in known and _is_text(key)]

    def item(self, text: bytearray, numbers: list[int]) -> PuzzleRecord | Reject | None:
        """Read a line: a puzzle or a reject, with the other values of an object."""
        number, _, begin, end, *_ = numbers
        if end - begin >= self.line_max:
            excerpt = decode_line(bytes(text[begin : begin + KEPT]))
            most = Message("at most {n} bytes in a line", n=self.line_max)
            return reject_at(number, 1, excerpt, most, Message("more"))
        line = decode_line(bytes(text[begin:end]))
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
            actual = quote_character(line[at : at + 1].encode())
            return reject_at(number, at + 1, line, _EXPECTED, actual)
        puzzle: Any = value
        extra = {}
        if isinstance(value, dict):
            puzzle = value.get(self.column)
            if not self.roles.is_deep:
                value.pop(self.column, None)
            if self.settings.needed.has_any:
                extra = value
        cells = self._reading_of(puzzle)
        if isinstance(cells, Reason):
            return Reject(number, None, excerpt_of(puzzle), cells, extra)
        return PuzzleRecord(number, cells, extra)

    def _reading_of(self, puzzle: Any) -> str | Reason:
        """Return the cells of a value, in which the puzzle may be deep; or why it has none."""
        if self.roles.is_deep:
            cells = self._puzzle.puzzle(puzzle).cells
            if cells:
                return cells
        return reading_of_value(puzzle)


def _puzzle_key_in(objects: dict[int, dict[str, Any]], *, are_bare: bool) -> str:
    """Return the key of the puzzle in the first of some objects that has one; they are by their lines.

    Objects without a puzzle are an error, unless other lines are puzzles themselves: `are_bare`.
    """
    rows = {number: [*value.values()] for number, value in objects.items()}
    first = [*first_record([*rows.values()])]
    line = next(number for number, row in rows.items() if row == first)
    keys = [*objects[line]]
    try:
        return keys[puzzle_column(keys, None, line=line, row=lambda: first)]
    except NoPuzzlesError:
        if are_bare:
            return PUZZLE_NAMES[0]
        raise


def _value_of(line: bytes) -> Any:
    """Return the value on a line; None if there is none."""
    with suppress(ValueError, RecursionError):
        return _decode(decode_line(line))
    return None


def _refuse_many(count: int, line: int) -> None:
    """Refuse records with more keys, apart from the puzzle's, than native code looks for."""
    if count >= MOST_KEYS:
        text = "expected at most {most} keys besides the puzzle's, found {n}"
        raise FormatError(Message(text, most=MOST_KEYS - 1, n=count), line=line)


def _is_text(name: str) -> bool:
    """Return whether a name can be written as UTF-8."""
    return name.encode(errors="ignore").decode() == name


def _is_line_cut(head: bytes) -> bool:
    """Return whether the first bytes may be one line that does not end in them; a list is a document."""
    return not head.lstrip().startswith(b"[") and len(head.strip().splitlines()) == 1


def _is_document(lines: list[bytes], *, is_cut: bool) -> bool:
    """Return whether lines are one value, or values over several lines, and not a value each."""
    texts = [line for line in lines if line.strip(b" \t")]
    if len(texts) < 2 or _value_of(texts[0]) is not None:
        return len(texts) == 1
    first = texts[0].strip(b" \t")
    if first[-1:] in b"[{,:":  # what is open is closed below, where no line is a value
        return any(_value_of(line) is None for line in texts[1 : len(texts) - is_cut])
    if first[:1] not in b'[{"':
        return False
    # below a damaged first line a value may begin
    return all(_value_of(line) is None for line in texts if line[:1] in b'[{"')


def _as_written(line: str, column: str) -> Any:
    """Decode JSON; keep values as they are written, except the puzzle, if Python might change them."""
    at, value = whole_value(line)
    if isinstance(value, dict):
        for name, item, begin, end in members(line, at):
            text = line[begin:end]
            value[name] = item  # the last value of a name counts
            may_change = name != column and not isinstance(item, str)
            if may_change and _changes(text):
                value[name] = JsonLiteral(text)
    return value


def _changes(text: str) -> bool:
    """Return whether Python may write a value in another way; it reads NaN and Infinity as numbers."""
    if "NaN" in text or "Infinity" in text:
        return False
    return _CHANGES.search(text) is not None
