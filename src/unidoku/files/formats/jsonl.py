"""JSON lines: on each line an object with the puzzle under a well-known name, or the puzzle itself.

A puzzle is a string of 81 (or 729) characters, a list of 81 cells, or 9 lists or strings of 9 cells. A cell
of a list is a number from 0 to 9, a string of one character, an empty string or null.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from unidoku.errors import FormatError
from unidoku.files.base import PUZZLE_NAMES, Batch, Chunk, Column, PuzzleRecord, ReadOptions, Reject
from unidoku.files.formats.lines import TextChunk, TextReader
from unidoku.files.records import (
    LINE_LIMIT,
    NumberedLine,
    RecordReader,
    batches,
    cells_of,
    decoded,
    marks_of,
    numbered_lines,
    reject_at,
)
from unidoku.files.source import Source
from unidoku.files.text import BOM, HEAD, Fit, Head, other_size, shown
from unidoku.native.text.objects import ObjectScanner

__all__ = ["JsonlReader"]

_decode = json.JSONDecoder().raw_decode
_EXPECTED = "a JSON object or a JSON array of cells"


def _read(lines: Iterable[NumberedLine], column: str | None, keep: bool) -> Iterator[PuzzleRecord | Reject]:
    """Read puzzles; if `keep`, every other value of an object comes with its puzzle, as text or as JSON."""
    for number, line in lines:
        if not line.strip():
            continue
        try:
            value = _load(line)
        except (ValueError, RecursionError) as error:
            expected = _EXPECTED if len(line) < LINE_LIMIT else f"{_EXPECTED} of at most {LINE_LIMIT} bytes"
            yield reject_at(number, getattr(error, "pos", 0) + 1, line, expected, shown(line))
            continue
        puzzle = value
        if isinstance(value, dict):
            if column is None:
                column = _column(value, number)
            puzzle = value.pop(column, None)
        elif not isinstance(value, list):
            yield reject_at(number, 1, line, _EXPECTED, shown(line))
            continue
        text = _cells_text(puzzle)
        cells = marks_of(text) if len(text) == 729 else cells_of(text)
        if cells is None:
            where = f" in {column!r}" if isinstance(value, dict) else ""
            found = shown(_text(puzzle)) if puzzle is not None else "null"
            yield reject_at(number, 1, line, f"81 cells{where}", f"{found}{other_size(text)}")
            continue
        others = value if keep and isinstance(value, dict) else {}
        yield PuzzleRecord(number, cells, {name: _text(other) for name, other in others.items()})


def _load(line: str) -> object:
    """Return what ``json.loads`` does, three times as fast where there are no blanks around the value."""
    try:
        value, end = _decode(line)
    except ValueError:  # also for blanks before the value
        return json.loads(line)
    return value if end == len(line) else json.loads(line)


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


class JsonlReader(RecordReader):
    """JSON lines."""

    @classmethod
    def fit(cls, head: Head) -> Fit:
        """Whether the first line is an object, a list of rows or a list of 81 values."""
        first = head.first
        cells = first[:1] == b"[" and first[-1:] == b"]" and first.count(b",") == 80
        return Fit.YES if cells or first.startswith((b"{", b"[[", b"[ [", b'["')) else Fit.NO

    def records(self) -> Iterator[PuzzleRecord | Reject]:
        """Parse the content."""
        return _read(self.lines(), self.options.column, self.options.carries)

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Read on; see `Reader`.  Native code reads objects with puzzles of 81 characters."""
        names = _names(self.source.peek(HEAD), self.options)
        if names is None:
            return super().chunks(target)
        return _ObjectReader(self.source, self.options, names).chunks(target)


def _names(head: bytes, options: ReadOptions) -> tuple[str, ...] | None:
    """Return the names of the puzzle and of what comes with it in the first object that has one.

    None if another line comes before it, or there is none at the beginning.
    """
    column = options.column
    lines = head.removeprefix(BOM).splitlines(keepends=True)
    for number, line in enumerate(lines[: -1 if len(head) == HEAD else None], 1):
        text = decoded(line.rstrip(b"\r\n"))
        try:
            value = _load(text) if text.strip() else {}
            if not isinstance(value, dict):
                return None
            if column is None and value:
                column = _column(value, number)
        except (ValueError, RecursionError):
            return None
        puzzle = value.pop(column, None)
        if isinstance(puzzle, str) and column is not None and cells_of(puzzle):
            return column, *(value if options.carries else ())
    return None


class _ObjectReader(TextReader):
    """An object per line; lines of another form are read in Python."""

    def __init__(self, source: Source, options: ReadOptions, names: tuple[str, ...]) -> None:
        super().__init__(source, options)
        self.names = names
        self.skip = len(BOM) * source.peek(len(BOM)).startswith(BOM)

    def scanner(self) -> ObjectScanner:
        """Return a scanner of the names."""
        names = [name.encode("utf-8", "surrogatepass") for name in self.names]
        return ObjectScanner(names, 0, LINE_LIMIT - 1)

    def batches(self, scanner: ObjectScanner, chunk: TextChunk) -> Iterator[Batch]:
        """Find the objects; where others than these are puzzles too, Python reads the whole chunk."""
        content = bytes(memoryview(chunk.buffer)[: chunk.end])
        wide = content.isascii()
        if not wide:
            with suppress(UnicodeDecodeError):
                wide = bool(content.decode())
        scanner.scan(chunk.buffer, 0, chunk.end, chunk.line, wide=wide)
        source, column, keep = self.source.name, self.names[0], self.options.carries
        rejects = []
        left = scanner.rejects
        for k in range(0, len(left), 7):
            before, line, _, begin, end = left[k : k + 5]
            cut = decoded(content[begin : min(end, begin + LINE_LIMIT)])
            for item in _read([(line, cut)], column, keep=False):
                if isinstance(item, PuzzleRecord):
                    lines = ((chunk.line + n, text) for n, text in numbered_lines(io.BytesIO(content)))
                    yield from batches(_read(lines, column, keep), source, self.names[1:], lambda: chunk.end)
                    return
                item.before = before
                rejects.append(item)
        columns = [
            Column(name, chunk.buffer, *scanner.column(number)) for number, name in enumerate(self.names)
        ]
        yield Batch(source, chunk.buffer, scanner.starts, scanner.lines, rejects=rejects, columns=columns[1:])

    def too_long(self, size: int, line: int) -> bool:
        """Return whether the rest of a line is skipped."""
        return size > LINE_LIMIT
