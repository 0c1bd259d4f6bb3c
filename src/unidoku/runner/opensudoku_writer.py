"""The writer of OpenSudoku's .opensudoku, which its app and others import: version 1, a ``game`` a puzzle."""

from __future__ import annotations

from typing import Any

from unidoku.runner.writer import FileWriter
from unidoku.table.rows import Rows

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n'
_END = "</opensudoku>\n"


class OpenSudokuWriter(FileWriter):
    """An XML document with the 81 digits of each puzzle, 0 for an empty cell."""

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
