"""The writers of puzzles alone, as text: rows of nine cells, and the file of an app."""

from __future__ import annotations

from typing import Any

from unidoku.runner.writer import FileWriter
from unidoku.table.rows import Rows

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n'
_END = "</opensudoku>\n"


class GridWriter(FileWriter):
    """Nine rows and a blank line."""

    def render(self, rows: Rows) -> str:
        """Return the puzzles as text."""
        puzzles = rows.puzzles().columns["puzzle"].to_list()
        return "".join(_nine_rows(cells) for cells in puzzles)

    def write(self, content: Any) -> None:
        """Append the puzzles."""
        self.file.write(content.encode())
        self.file.flush()
        self.has_begun = True


def _nine_rows(cells: str) -> str:
    return "".join(cells[i : i + 9] + "\n" for i in range(0, 81, 9)) + "\n"


class OpenSudokuWriter(FileWriter):
    """A file of the app OpenSudoku, version 1: a ``game`` for each puzzle, with 0 for an empty cell."""

    def render(self, rows: Rows) -> str:
        """Return the puzzles as elements."""
        puzzles = rows.puzzles().columns["puzzle"].to_list()
        return "".join(f'<game data="{cells.replace(".", "0")}"/>\n' for cells in puzzles)

    def write(self, content: Any) -> None:
        """Append the puzzles, the first ones behind the beginning of the document."""
        self.file.write(("" if self.has_begun else _HEAD).encode() + content.encode())
        self.file.flush()
        self.has_begun = True

    def close(self) -> None:
        """Write the end of the document."""
        if not self.has_begun:
            self.write("")
        self.file.write(_END.encode())
