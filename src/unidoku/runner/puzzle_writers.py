"""Writers of formats that hold puzzles alone, one after the other."""

from __future__ import annotations

from typing import Any

from unidoku.errors import FormatError
from unidoku.parse.reader import keeps_clues
from unidoku.runner.writer import FileWriter
from unidoku.table.rows import Rows


class SdkWriter(FileWriter):
    """Nine rows and a blank line."""

    head = tail = b""

    def puzzle(self, cells: str) -> str:
        """Return a puzzle as text."""
        return "".join(cells[i : i + 9] + "\n" for i in range(0, 81, 9)) + "\n"

    def render(self, rows: Rows) -> list[Any]:
        """Return the cells of the puzzles."""
        return rows.puzzles().columns["puzzle"].to_list()

    def write(self, content: list[Any]) -> None:
        """Append the puzzles."""
        text = "".join(map(self.puzzle, content)).encode()
        self.file.write(text if self.has_begun else self.head + text)
        self.file.flush()
        self.has_begun = True

    def close(self) -> None:
        """Write what comes after the last puzzle."""
        self.write([])
        self.file.write(self.tail)


class OpenSudokuWriter(SdkWriter):
    """The XML of OpenSudoku, version 1."""

    head = b'<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n'
    tail = b"</opensudoku>\n"

    def puzzle(self, cells: str) -> str:
        """Return a puzzle as a game."""
        data = cells.replace(".", "0")
        return f'  <game data="{data}"/>\n'


class SsWriter(SdkWriter):
    """Framed grids; none may look like the state of the one before it."""

    optional_columns = ("line",)
    last_puzzle = ""

    def render(self, rows: Rows) -> list[Any]:
        """Return the cells of the puzzles, each with its input and line."""
        puzzles, lines = (column.to_list() for column in rows.puzzles().select(("puzzle", "line")))
        return [(cells, rows.source, line) for cells, line in zip(puzzles, lines, strict=True)]

    def write(self, content: list[Any]) -> None:
        """Append the puzzles; raise an error if a reader would take one for the state of the last."""
        for cells, source, line in content:
            if self.last_puzzle and cells != self.last_puzzle and keeps_clues(self.last_puzzle, cells):
                message = "in .ss this puzzle would be read as the state of the one before it"
                raise FormatError(message, file=source, line=line)
            self.last_puzzle = cells
        super().write([cells for cells, _, _ in content])

    def puzzle(self, cells: str) -> str:
        """Return a puzzle in a frame."""
        rows = [
            f"|{cells[i : i + 3]}|{cells[i + 3 : i + 6]}|{cells[i + 6 : i + 9]}|\n" for i in range(0, 81, 9)
        ]
        bands = ["".join(rows[i : i + 3]) for i in (0, 3, 6)]
        frame = "*-----------*\n"
        return frame + "|---+---+---|\n".join(bands) + frame + "\n"
