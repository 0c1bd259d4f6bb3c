"""Grids over several lines: SudoCue's ``.sdk`` and Simple Sudoku's ``.ss``."""

from __future__ import annotations

from unidoku.errors import FormatError
from unidoku.files.readers.grid import META, within
from unidoku.files.readers.records import PuzzleRecord
from unidoku.files.writers.base import Writer, one_line, plain_cells

__all__ = ["SdkWriter", "SsWriter"]


class SdkWriter(Writer):
    """Lines of metadata, nine rows, a blank line."""

    def puzzle(self, record: PuzzleRecord) -> str:
        """One grid."""
        cells = plain_cells(record, ".sdk")
        metadata = [
            f"#{letter}{one_line(line)}\n"
            for letter, name in META.items()
            for line in record.extra.get(name, "").splitlines()
            if line.strip()
        ]
        return "".join(metadata) + "".join(cells[i : i + 9] + "\n" for i in range(0, 81, 9)) + "\n"


class SsWriter(Writer):
    """A framed grid a puzzle."""

    in_order = True

    def __init__(self, suffix: str = "") -> None:
        super().__init__(suffix)
        self._last = ""

    def puzzle(self, record: PuzzleRecord) -> str:
        """One grid.

        Raises
        ------
        FormatError
            When a reader would take the puzzle for a state of the one before it.
        """
        cells = plain_cells(record, ".ss")
        if self._last and cells != self._last and within(self._last, cells):
            raise FormatError(
                f"line {record.line}: in .ss this puzzle would be read as the state of the one before it"
            )
        self._last = cells
        rows = [
            f"|{cells[i : i + 3]}|{cells[i + 3 : i + 6]}|{cells[i + 6 : i + 9]}|\n" for i in range(0, 81, 9)
        ]
        bands = ["".join(rows[i : i + 3]) for i in (0, 3, 6)]
        frame = "*-----------*\n"
        return frame + "|---+---+---|\n".join(bands) + frame + "\n"
