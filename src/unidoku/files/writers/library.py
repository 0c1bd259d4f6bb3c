"""HoDoKu's library lines."""

from __future__ import annotations

from unidoku.errors import FormatError
from unidoku.files.readers.library import TRIPLES, LibraryLine, format_line
from unidoku.files.readers.records import PuzzleRecord
from unidoku.files.writers.base import Writer, plain_cells

__all__ = ["LibraryWriter"]


class LibraryWriter(Writer):
    """A line is one step, so the puzzles must come with the columns of the steps."""

    def puzzle(self, record: PuzzleRecord) -> str:
        """One line.

        Raises
        ------
        FormatError
            When the puzzle has no step, or a field cannot be written.
        """
        extra = record.extra
        if "technique" not in extra:
            raise FormatError(
                f"line {record.line}: a library line is one step; expected the columns technique, digits, "
                f"state and so on, found {', '.join(extra) or 'none'}"
            )
        cells = plain_cells(record, "a library line")
        deleted, eliminations, placements = (tuple(extra.get(name, "").split()) for name in TRIPLES)
        state, digits, rest = extra.get("state", cells), extra.get("digits", ""), extra.get("extra", "")
        line = LibraryLine(extra["technique"], cells, state, digits, deleted, eliminations, placements, rest)
        return format_line(line) + "\n"
