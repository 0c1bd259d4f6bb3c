"""JSON lines: on each line an object with the puzzle under a well-known name, or the puzzle itself.

A puzzle is a string of 81 (or 729) characters, a list of 81 cells, or 9 lists or strings of 9 cells. A cell
of a list is a number from 0 to 9, a string of one character, an empty string or null.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import suppress

from unidoku.errors import FormatError, naming
from unidoku.files.base import PUZZLE_NAMES, Batch, Column, Fit, Head, PuzzleRecord, Reject, other_size, shown
from unidoku.files.source import ReadOptions, Source
from unidoku.files.text import (
    LINE_LIMIT,
    TextChunk,
    TextReader,
    batches,
    cells_of,
    decoded,
    marks_of,
    numbered_lines,
    reject_at,
)
from unidoku.native.text.objects import ObjectScanner

_decode = json.JSONDecoder().decode  # json.loads asks first whether it has bytes
_EXPECTED = "a JSON object or a JSON array of cells"


class JsonlReader(TextReader):
    """JSON lines; native code reads objects with puzzles of 81 characters, and Python all others."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        with naming(source.name):
            self.column, carried = self._names(self.head[self.skip :])
        self._columns = carried if options.carry else ()

    @classmethod
    def fit(cls, head: Head) -> Fit:
        """Whether the first line is an object, a list of rows or a list of 81 values."""
        first = head.first
        cells = first[:1] == b"[" and first[-1:] == b"]" and first.count(b",") == 80
        return Fit.YES if cells or first.startswith((b"{", b"[[", b"[ [", b'["')) else Fit.NO

    def _names(self, head: bytes) -> tuple[str, tuple[str, ...]]:
        """Return the puzzle's name and the others, in the first object with 81 cells or else in the first."""
        column, first = self.options.column, None
        for number, line in enumerate(head.splitlines(), 1):
            value: object = None
            with suppress(ValueError, RecursionError):
                value = _decode(decoded(line))
            if not isinstance(value, dict) or not value:
                continue
            column = column or _column(value, number)
            puzzle = value.pop(column, None)
            first = tuple(value) if first is None else first
            if isinstance(puzzle, str) and cells_of(puzzle):
                return column, tuple(value)
        return column or PUZZLE_NAMES[0], first or ()

    def scanner(self) -> ObjectScanner:
        """Return a scanner of the names."""
        names = [name.encode("utf-8", "surrogatepass") for name in (self.column, *self._columns)]
        return ObjectScanner(names, 0, LINE_LIMIT - 1)

    def batches(self, scanner: ObjectScanner, chunk: TextChunk) -> Iterator[Batch]:
        """Find the objects; where others than these are puzzles too, Python reads the whole chunk."""
        content = bytes(memoryview(chunk.buffer)[: chunk.end])
        wide = content.isascii()
        if not wide:
            with suppress(UnicodeDecodeError):
                wide = bool(content.decode())
        scanner.scan(chunk.buffer, 0, chunk.end, chunk.line, wide=wide)
        rejects = []
        left = scanner.rejects
        for k in range(0, len(left), 7):
            before, line, _, begin, end = left[k : k + 5]
            item = self._read(line, decoded(content[begin : min(end, begin + LINE_LIMIT)]))
            if isinstance(item, PuzzleRecord):
                yield from self.in_python(chunk, content)  # the scanner has decoded values in the buffer
                return
            if item is not None:
                item.before = before
                rejects.append(item)
        columns = [Column(name, chunk.buffer, *scanner.column(k)) for k, name in enumerate(self._columns, 1)]
        yield Batch(
            self.source.name, chunk.buffer, scanner.starts, scanner.lines, rejects=rejects, columns=columns
        )

    def in_python(self, chunk: TextChunk, content: bytes) -> Iterator[Batch]:
        """Read every line of a chunk in Python."""
        items = (
            self._read(chunk.line + number, line) for number, line in numbered_lines(io.BytesIO(content))
        )
        return batches(filter(None, items), self.source.name, self._columns, lambda: chunk.end)

    def _read(self, number: int, line: str) -> PuzzleRecord | Reject | None:
        """Read a line; every other value of an object comes with its puzzle, as text or as JSON."""
        if not line.strip():
            return None
        try:
            value = _decode(line)
        except (ValueError, RecursionError) as error:
            expected = _EXPECTED if len(line) < LINE_LIMIT else f"{_EXPECTED} of at most {LINE_LIMIT} bytes"
            return reject_at(number, getattr(error, "pos", 0) + 1, line, expected, shown(line))
        puzzle = value
        if isinstance(value, dict):
            puzzle = value.pop(self.column, None)
        elif not isinstance(value, list):
            return reject_at(number, 1, line, _EXPECTED, shown(line))
        text = _cells_text(puzzle)
        cells = marks_of(text) if len(text) == 729 else cells_of(text)
        if cells is None:
            where = f" in {self.column!r}" if isinstance(value, dict) else ""
            found = shown(_text(puzzle)) if puzzle is not None else "null"
            return reject_at(number, 1, line, f"81 cells{where}", f"{found}{other_size(text)}")
        others = value if self.options.carry and isinstance(value, dict) else {}
        return PuzzleRecord(number, cells, {name: _text(other) for name, other in others.items()})


def _cells_text(puzzle: object) -> str:
    """Return the cells of a puzzle as one string; ``!`` for anything that is not a cell."""
    if isinstance(puzzle, str):
        return puzzle
    if not isinstance(puzzle, list):
        return ""
    nested = len(puzzle) in (9, 16) and all(isinstance(row, list | str) for row in puzzle)
    return "".join(_symbol(cell) for row in (puzzle if nested else [puzzle]) for cell in row)


def _symbol(cell: object) -> str:
    if cell is None or cell == "":
        return "."
    symbol = str(cell) if isinstance(cell, int | str) and not isinstance(cell, bool) else "!"
    return symbol if len(symbol) == 1 else "!"


def _column(value: dict[str, object], line: int) -> str:
    known = [name for name in value if name.lower() in PUZZLE_NAMES]
    if len(known) != 1:
        found = ", ".join(known[:20] or map(shown, list(value)[:20])) or "none"
        raise FormatError(f"expected one of the names {', '.join(PUZZLE_NAMES)}, found {found}", line=line)
    return known[0]


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    try:
        # faster for whole numbers, true and false
        return str(value).lower() if isinstance(value, int) else json.dumps(value)
    except RecursionError:
        return "…"
