"""JSON: lines with an object each that has the puzzle under a well-known name, or with the puzzle itself.

A puzzle is a string of 81 characters, a list of 81 cells, or 9 lists or strings of 9 cells. A cell
of a list is a number from 0 to 9, a string of one character, an empty string or null.

Other JSON is a document: it is read as a whole, and its records as if each was a line.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import accumulate, chain, pairwise
from typing import Any

from unidoku._native.text.objects import MOST_KEYS, ObjectScanner, split_elements
from unidoku._native.text.scan import count_lines
from unidoku._parse.text import decode_line
from unidoku._table.batch import KEPT, Batch, PuzzleRecord, Reject
from unidoku._table.column import Column
from unidoku._table.json_values import NO_VALUE
from unidoku.cell import fault
from unidoku.errors import FormatError, Message, Reason
from unidoku.files._chunks import (
    COLUMN_BYTES,
    HEAD,
    LINES,
    WIDEST,
    Chunk,
    Field,
    Reading,
    utf8_of,
    with_usual_ends,
)
from unidoku.files._column_names import PUZZLE_NAMES, declares_puzzle
from unidoku.files._documents import (
    FULL,
    PUZZLE,
    Decoder,
    FoundRecord,
    literals_of,
    long_list,
    records_of_document,
    records_on,
)
from unidoku.files._paths import STEP, Path, literal_value
from unidoku.files._records import batch_of, excerpt_of, reading_of_value, reject_at
from unidoku.files._roles import puzzle_column, roles_of, several_puzzles
from unidoku.files._source import PUZZLE_BYTES, MemoryFile, Source
from unidoku.files._text_reader import Item, TextReader, quote_character

_decode = json.JSONDecoder().decode  # json.loads asks first whether it has bytes
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
        self._steps = re.findall(STEP, settings.column or "")
        """The path of the user to the puzzles."""
        self._above = dict[str, Any]()
        """Single values next to the list of records of a document: each is a column with one value."""
        self._found = list[FoundRecord]()
        """The records of a document, those before a long list that is read as lines."""
        self._behind = list[FoundRecord]()
        """The records after the list."""
        self._decoder = Decoder()  # of a document
        self._inner = ""
        """The name of the inner object that has the puzzles."""
        begun, lines = self._first_lines()
        if _is_document(lines, is_cut=bool(source.peek(1))):
            listed = self._listed(begun)
            self.stream = MemoryFile(listed)
            lines = bytes(listed[:HEAD]).splitlines()
        else:
            source.unread(begun)
        self.column, self._names = self._names_in(lines)
        self._late: dict[str, None] = {}
        """Keys that the first bytes lack, in the order in which any thread has found them."""
        self.least_bytes: int = min(max(1, COLUMN_BYTES * len(self._names)), WIDEST)
        _refuse_many(len(self._names), 1)

    def _first_lines(self) -> tuple[bytearray, list[bytes]]:
        """Read the beginning of the input; return it, and its lines.

        A single line is read to its end, as it may be a document.
        """
        begun = bytearray(piece := self.source.read(HEAD))
        while (is_single := len(piece.splitlines()) < 2) and len(begun) < self.line_max and piece:
            begun += (piece := self.source.read(_PIECE))
        end = HEAD if is_single else len(begun)
        return begun, bytes(begun[self.skip : end]).splitlines()

    def _listed(self, content: bytearray) -> memoryview:
        """Read the rest of a document, whose beginning is `content`; return its longest list as lines.

        The other records are found, or all if it has no such list.
        """
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
        size = 0
        if found := long_list(content, self._steps):
            places, self._above, beside = found
            ends = (count_lines(content, last, at + 1) - 1 for last, at in pairwise((0, *beside)))
            numbers = [*accumulate(ends, initial=1)][1:]
            before, records = sum(at < places[0] for at in beside), [*beside.values()]
            self._found, self._behind = records[:before], records[before:]
            size = split_elements(content, places)
            self._numbers.extend(numbers[:before])
            self._numbers.frombytes(places[:-1].cast("B"))
            self._numbers.extend(numbers[before:])
        else:
            self._found = self._records_of(with_usual_ends(content.decode()))
        if self._numbers[:1] == self._numbers[-1:] != self._numbers:
            del self._numbers[:]  # all are on one line: their own numbers say more
        return memoryview(content)[:size]

    def _records_of(self, text: str) -> list[FoundRecord]:
        """Return the records of a document, and keep the lines of its text on which they begin."""
        found, at, line = list[FoundRecord](), 0, 1
        try:
            for begin, record in records_of_document(text, self._steps, self._decoder):
                line += text.count("\n", at, begin)
                self._numbers.append(line)
                found.append(record)
                at = begin
        except json.JSONDecodeError as error:
            del self._numbers[:]
            value = literal_value(text)  # perhaps as Python writes it
            if isinstance(value, list | dict):
                return self._records_of(json.dumps(value))
            reason = Message("expected a JSON array or object: {error}", error=error)
            raise FormatError(reason, line=error.lineno) from error
        except RecursionError as error:
            raise FormatError(fault("wrong_format", *_TOO_DEEP)) from error
        return found

    def _names_in(self, lines: list[bytes]) -> tuple[str, list[str]]:
        """Find the key of the puzzle, and the keys of the values to keep, in the first lines."""
        records, known = [*self._found], set[str]()
        for value in map(_value_of, lines):
            if not isinstance(value, dict) or not value.keys() <= known:  # says no more than one before it
                some = self._records_on(value)
                known.update(*(record.members for record in some if record.rank == PUZZLE))
                records += some
        records += self._behind
        values = [record.whole for record in records if isinstance(record.value, dict)]
        keys = [*dict.fromkeys(chain.from_iterable(values))]
        named = self.settings.column
        if not keys:
            return named or PUZZLE_NAMES[0], []
        first = max(records, key=lambda record: (min(record.rank, FULL + 1), isinstance(record.value, dict)))
        self._inner = "".join(map(str, first.place[:1]))
        if named is not None:
            column = self._key_named(named, [first.name] if first.name else keys)
        elif first.rank > FULL or declares_puzzle(first.puzzle_name):
            column = first.puzzle_name
        else:
            own, line = [*first.whole], records.index(first) + 1
            column = own[puzzle_column(own, None, line=line, row=lambda: [*first.whole.values()])]
        # without half a pair of surrogates, which UTF-8 lacks
        names = [*dict.fromkeys([column, *filter(_is_text, keys)])]
        rows = [[value.get(name, "") for name in names] for value in values[:LINES]]
        self.roles = roles_of(names, 0, rows, self.settings)
        self._above = {f"outer_{key}" if key in names else key: one for key, one in self._above.items()}
        self.roles = self.roles._replace(names=(*self.roles.names, *self._above))
        if not self.settings.needed.has_any:
            self._above = {}
            return column, [*filter(declares_puzzle, names[1:])]
        return column, names[not self.roles.is_deep :]

    @property
    def _is_declared(self) -> bool:
        """Whether the user or the name of the column says that it has the puzzles."""
        return self.settings.column is not None or declares_puzzle(self.column)

    def _records_on(self, value: Any) -> list[FoundRecord]:
        """Return the records in the value of a line; the value itself if it is nested too deeply."""
        try:
            return records_on(value, self._steps)
        except RecursionError:
            return [FoundRecord(value)]

    def _key_named(self, path: str, keys: list[str]) -> str:
        """Return the key to which a path leads that the user named; the rest of the path is kept.

        In front of it may be names of the document that has the records.
        """
        ends = (path.split(".", k)[-1] for k in range(path.count(".") + 1))
        path = next((end for end in ends if Path.of(keys, end)[0] in keys), path)
        self.settings: Reading = self.settings._replace(column=path)
        self._puzzle = Path.of(keys, path)
        return self._puzzle[0]

    def scanner(self) -> ObjectScanner:
        """Return a scanner of these keys; one that leaves each record to Python looks for no puzzle."""
        keys = [*self._names, *self._late]
        has_rival = any(map(declares_puzzle, keys))
        is_native = not self.roles.is_deep and (self._is_declared or not has_rival)
        column = self.column if is_native else f"{self.column}[]"
        # a name of puzzles above another name gets a prefix in Python
        inner = self._inner * (declares_puzzle(self.column) or not has_rival)
        inner_name, *names = [name.encode("utf-8", "surrogatepass") for name in (inner, column, *keys)]
        options = {
            "lists": not self.roles.is_deep,
            "rows": self.settings.column is None,
            "keeps_items": self.settings.needed.has_any,
            "is_only": self.settings.column is None and (has_rival or not self._is_declared),
        }
        return ObjectScanner(names, 0, self.line_max - 1, inner=inner_name, **options)

    def free_scanner(self) -> ObjectScanner:
        """Return a scanner that no thread uses, of all keys that are known by now."""
        scanner: ObjectScanner = super().free_scanner()
        if scanner.width == 1 + len(self._names) + len(self._late):
            return scanner
        return self.scanner()

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Read lines, or the records of a document."""
        yield from self._chunks_of(self._found, target)
        yield from super().chunks(target)
        yield from self._chunks_of(self._behind, target)

    def _chunks_of(self, records: list[FoundRecord], target: Callable[[], int]) -> Iterator[Chunk]:
        """Yield chunks of records that were found."""
        begin = 0
        while begin < len(records):
            some = records[begin : begin + max(1, target() // PUZZLE_BYTES)]
            yield partial(self._batches_of, some, self.line)
            begin += len(some)
            self.line += len(some)

    def _batches_of(self, records: list[FoundRecord], line: int) -> Iterator[Batch]:
        """Yield the batch of records of a document."""
        is_written = self._decoder.has_written
        items = [
            self._item(number, one, is_written=is_written) for number, one in enumerate(records, line + 1)
        ]
        batch = batch_of(items, self.source.name, self._names)
        batch.roles, batch.legacy_line = self.roles, self.legacy_line
        yield self._in_document(batch)

    def _in_document(self, batch: Batch) -> Batch:
        """Return a batch with the lines of a document's text, and the values next to its list as columns."""
        if numbers := self._numbers:
            batch.lines = array("q", (numbers[number - 1] for number in batch.lines))
            for reject in batch.rejects:
                reject.line, reject.column = numbers[reject.line - 1], None
        above = {name: Column.of([value] * batch.size) for name, value in self._above.items()}
        batch.columns = above | batch.columns
        return batch

    def parse(self, scanner: ObjectScanner, text: bytearray, end: int, line: int) -> Batch:
        """Find the puzzles of lines, which may be the items of a list in a document."""
        return self._in_document(self._parse(scanner, text, end, line))

    def _parse(self, scanner: ObjectScanner, text: bytearray, end: int, line: int) -> Batch:
        """Find objects natively, and read all other lines in Python."""
        content = bytes(memoryview(text)[:end])
        wide = utf8_of(content)[1] is None
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
            values = [item.extra.get(name, NO_VALUE) for _, item in items]
            passthrough.append((name, scanner.column(number), values))
        batch = self.batch(scanner, text, passthrough, items)
        late = names[len(self._names) :]
        for name in late:
            if batch.columns[name].is_absent:
                del batch.columns[name]
        batch.late = tuple(filter(batch.columns.__contains__, late))
        return batch

    def _late_keys(
        self, scanner: ObjectScanner, content: bytes, items: list[Item], names: list[str]
    ) -> list[str]:
        """Return the keys in a chunk that are none of the names, if there are any.

        If no other column is wanted, only names of puzzles matter.
        """
        found = [content[begin:end].decode("utf-8", "surrogatepass") for begin, end in scanner.others]
        found += chain.from_iterable(item.extra for _, item in items)
        known = {self.column, *names}
        is_wanted = _is_text if self.settings.needed.has_any else declares_puzzle
        return [key for key in filter(is_wanted, dict.fromkeys(found)) if key not in known]

    def items(self, scanner: ObjectScanner, text: bytearray) -> list[Item]:
        """Return the records on the lines that a scanner has not read."""
        numbers = scanner.rejects.tolist()
        rows = (numbers[k : k + 9] for k in range(0, len(numbers), 9))
        decoder = Decoder()
        return [(before, record) for before, *row in rows for record in self._on_line(text, row, decoder)]

    def _on_line(
        self, text: bytearray, numbers: list[int], decoder: Decoder
    ) -> Iterator[PuzzleRecord | Reject]:
        """Yield the records on a line; none if it is blank."""
        number, _, begin, end, *_ = numbers
        if end - begin >= self.line_max:
            excerpt = decode_line(bytes(text[begin : begin + KEPT]))
            most = Message("at most {n} bytes in a line", n=self.line_max)
            yield reject_at(number, 1, excerpt, most, Message("more"))
            return
        line = decode_line(bytes(text[begin:end]))
        if not line.strip():
            return
        try:
            value = decoder.whole(line)
        except RecursionError:
            yield reject_at(number, 1, line, *_TOO_DEEP)
        except json.JSONDecodeError as error:
            actual = quote_character(line[error.pos : error.pos + 1].encode())
            yield reject_at(number, error.pos + 1, line, _EXPECTED, actual)
        else:
            for record in self._records_on(value):
                yield self._item(number, record, is_written=decoder.has_written)

    def _item(self, number: int, record: FoundRecord, *, is_written: bool) -> PuzzleRecord | Reject:
        """Return a record with a puzzle and its other values, as they are written, or a reject."""
        if len(record.rivals) > 1:
            error = several_puzzles(record.rivals, self._numbers[number - 1] if self._numbers else number)
            error.file = self.source.name
            raise error
        extra = dict[str, Any]()
        value = puzzle = record.whole
        if isinstance(value, dict):
            name = record.puzzle_name
            if record.rank <= FULL and not declares_puzzle(name):  # a full grid by another name is no puzzle
                name = self.column
            puzzle = value.get(name)
            if self.settings.needed.has_any:
                extra = literals_of(value) if is_written else {**value}
                extra.pop(name, None)
                if self.column in extra:  # has the name of the puzzle's column, but not the puzzle
                    extra[name] = extra.pop(self.column)
                if self.roles.is_deep:
                    extra[self.column] = puzzle
        cells = reading_of_value(puzzle)
        if isinstance(cells, Reason):  # the puzzle may be deep in it
            reason, cells = cells, self._puzzle.puzzle(puzzle).cells
            if not cells:
                return Reject(number, None, excerpt_of(puzzle), reason, extra)
        return PuzzleRecord(number, cells, extra)


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


def _is_document(lines: list[bytes], *, is_cut: bool) -> bool:
    """Return whether lines are one value, or values over several lines, and not a value each.

    In a document the line above a value goes on: it ends in a comma, a colon or an opening bracket.
    """
    texts = [text for line in lines if (text := line.strip(b" \t"))]
    if len(texts) < 2 or not texts[0].startswith((b"[", b"{")):
        return len(texts) == 1
    pairs = zip([b"", *texts], texts[: len(texts) - is_cut], strict=False)
    return all(
        _value_of(text) is None for above, text in pairs if not above.endswith((b",", b":", b"[", b"{"))
    )
