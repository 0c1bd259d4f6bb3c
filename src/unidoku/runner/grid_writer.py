"""The writer of puzzles as rows of nine cells."""

from __future__ import annotations

from typing import Any

from unidoku.runner.writer import FileWriter
from unidoku.table.rows import Rows


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
