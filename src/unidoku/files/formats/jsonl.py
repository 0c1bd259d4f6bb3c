"""JSON lines: on each line an object with the puzzle under a well-known name, or the puzzle itself.

A puzzle is a string of 81 (or 729) characters, a list of 81 cells, or 9 lists or strings of 9 cells. A cell
of a list is a number from 0 to 9, a string of one character, an empty string or null.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from unidoku.errors import FormatError
from unidoku.files.base import PUZZLE_NAMES, PuzzleRecord, Reject
from unidoku.files.head import Fit, Head
from unidoku.files.records import LINE_LIMIT, NumberedLine, RecordReader, cells_of, marks_of, reject_at
from unidoku.files.text import other_size, shown

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
