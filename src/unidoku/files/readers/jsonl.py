"""JSON lines: an object a line, the puzzle under a well-known name."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from unidoku.errors import FormatError
from unidoku.files.detect import CSV_NAMES
from unidoku.files.readers.records import (
    Fault,
    NumberedLine,
    PuzzleRecord,
    RecordReader,
    cells_of,
    marks_of,
)
from unidoku.files.readers.text import shown

__all__ = ["JsonlReader", "read_jsonl"]


def read_jsonl(lines: Iterable[NumberedLine], column: str | None = None) -> Iterator[PuzzleRecord | Fault]:
    """Read objects; every other value comes with the puzzle, as text or as JSON.

    Parameters
    ----------
    lines : iterable of (int, str)
    column : str, optional
        The puzzle's name; by default a well-known one.

    Raises
    ------
    FormatError
        When the first object has no such name, or more than one.
    """
    for number, line in lines:
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield Fault(number, getattr(error, "pos", 0) + 1, line, "a JSON object", shown(line))
            continue
        if not isinstance(value, dict):
            yield Fault(number, 1, line, "a JSON object", shown(line))
            continue
        if column is None:
            column = _column(value, number)
        puzzle = value.pop(column, None)
        cells = None
        if isinstance(puzzle, str):
            cells = marks_of(puzzle) if len(puzzle) == 729 else cells_of(puzzle)
        if cells is None:
            found = shown(puzzle) if isinstance(puzzle, str) else json.dumps(puzzle)[:40]
            yield Fault(number, 1, line, f"81 cells in {column!r}", found)
            continue
        yield PuzzleRecord(number, cells, {name: _text(other) for name, other in value.items()})


def _column(value: dict[str, object], line: int) -> str:
    known = [name for name in value if name.lower() in CSV_NAMES]
    if len(known) != 1:
        found = ", ".join(known or map(shown, list(value)[:20])) or "none"
        raise FormatError(f"expected one of the names {', '.join(CSV_NAMES)}, found {found}", line=line)
    return known[0]


def _text(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


class JsonlReader(RecordReader):
    """JSON lines."""

    def records(self) -> Iterator[PuzzleRecord | Fault]:
        """Parse the content."""
        return read_jsonl(self.lines(), self.options.column)
