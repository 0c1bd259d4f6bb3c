"""Grids over several lines: plain, framed, with candidates, and in the dialects of programs.

The readers take nine lines of nine symbols with or without frames, blanks, bars and blank lines between
bands; candidate grids (nine groups of digits per line, in any frame); ``[Puzzle]`` sections (SadMan);
``.sdk`` (SudoCue); ``.ss`` and pastes of two or three grids (Simple Sudoku, HoDoKu); and texts with a heading
before each grid (Project Euler's problem 96). A file is a sequence of such grids; other lines are left out.

In a candidate grid a cell with one candidate is a clue unless another cell of its houses still has that
candidate (HoDoKu's rule).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from unidoku.cell import OTHER_SIZE, symbols_of
from unidoku.files.base import BOM, HEAD, LINES, Reader, quote
from unidoku.files.records import check_text, decode_line, is_puzzle_line, numbered_lines, reject_at
from unidoku.files.source import Source
from unidoku.options import Options
from unidoku.parse.board import (
    blank_board,
    boards_of,
    is_border,
    plain,
    row_of,
    without_separators,
    wrong_symbol,
)
from unidoku.parse.text import clues_of
from unidoku.table.batch import PuzzleRecord, Reject

_LETTER = re.compile(r"[^\W\d_xX]")
_HYPHENS = "---------"


class Row(NamedTuple):
    """A row of a grid, and the line that has it."""

    number: int
    line: str
    cells: str | list[str] | None
    """Nine symbols, or groups of candidates; None for nine hyphens: a row of empty cells or a border."""


def classify(line: str) -> tuple[str, Any]:
    """Return the kind of a line without its end, and of rows and other lines the value.

    A ``row`` has a list of rows, each nine symbols or groups of digits; a ``section`` has a name; a line of
    symbols that is no row, ``other``, is returned with ASCII in place of drawn frames.
    """
    text = line.strip()
    if not text and line.count("\t") != 8:
        return "blank", None
    if text[:1] == "[" and text[-1:] == "]":
        return "section", text[1:-1].strip().lower()
    text = plain(line)
    is_sheet = text.count(",") == 8
    if not is_sheet and (text[0] in "#;" or text.startswith("//")):
        return "comment", None
    if text == _HYPHENS:
        return "row", [None]
    if not is_sheet and is_border(text):
        return "border", None
    row = row_of(text)
    if row is not None:
        return "row", [row[i : i + 9] for i in range(0, len(row), 9)]
    return ("text", None) if _LETTER.search(text) else ("other", text)


def grid_format(content: bytes) -> list[str]:
    """Return the format of the grids at the beginning of a content: grid, ss or none."""
    rows, framed = 0, False
    texts = content.removeprefix(BOM)[: 1 << 14].decode("utf-8", "replace").splitlines()[:LINES]
    if _has_blanks(texts):
        return ["grid"]
    for line in texts:
        if is_puzzle_line(line.strip().encode()):
            continue  # a whole puzzle: no sign of a grid among bad lines
        kind, value = classify(line)
        rows += len(value) if kind == "row" else 0
        framed = framed or (kind == "border" and line.strip().startswith("*-"))
    if rows < 3:
        return []
    return ["ss" if framed else "grid"]


def _has_blanks(lines: list[str]) -> bool:
    """Return whether a text begins with a board with blanks for empty cells."""
    begin = next((number for number, line in enumerate(lines) if line.strip()), 0)
    return blank_board(lines[begin : begin + 9]) is not None or blank_board(lines[:9]) is not None


class GridReader(Reader):
    """Reader of grids over several lines, in any frame: lines become rows, rows grids, grids records."""

    divided = False
    """Whether a comment ends a grid."""
    pastes = False
    """Whether a grid and the same grid with more cells filled are one puzzle and its state."""

    def __init__(self, source: Source, options: Options) -> None:
        super().__init__(source, options)
        self._groups: list[list[Row]] = [[]]  # of rows between blank lines
        self._fault: Reject | None = None  # of a row
        self._puzzle = ""  # the puzzle before; the next grid may be its state, or its candidates
        self._has_state = False  # that state has been read

    def records(self) -> Iterator[PuzzleRecord | Reject]:
        """Read every grid."""
        check_text(self.source.peek(HEAD))
        self.source.read(len(BOM) * self.source.peek(len(BOM)).startswith(BOM))
        lines = self.source.peek(HEAD).decode("utf-8", "replace").splitlines()
        if _has_blanks(lines):
            yield from self._blank_boards(len(lines) == 9)
            return
        is_puzzle = True  # and not another section
        for number, line in numbered_lines(self.source):
            kind, value = classify(line)
            if kind in ("section", "text") or (kind == "comment" and self.divided):
                yield from self._end_grid()
            if kind == "section":
                is_puzzle = value == "puzzle"
            elif not is_puzzle:
                continue
            elif kind == "row":
                yield from self._add([Row(number, line, cells) for cells in value])
            elif kind == "blank" and self._groups[-1]:
                if {*map(len, self._groups)} in ({1}, {3}):  # blank lines between rows, or bands
                    self._groups.append([])
                else:
                    yield from self._end_grid()
            elif kind == "text" or (kind == "comment" and self.divided):
                self._puzzle = ""
            elif kind == "other":
                fault, size = _fault(number, line, value), len(without_separators(value))
                if self._groups[0] or 6 <= size <= 12:
                    self._fault = self._fault or fault
                    yield from self._add([Row(number, line, ".........")])
                else:
                    yield fault
        yield from self._end_grid()

    def _blank_boards(self, is_one: bool) -> Iterator[PuzzleRecord | Reject]:
        """Read boards of nine lines with blanks for empty cells, with blank lines between two boards.

        Of one board alone, the first lines may be blank, too.
        """
        lines: list[tuple[int, str]] = []
        for number, line in numbered_lines(self.source):
            if lines or line.strip() or is_one:
                lines.append((number, line))
            if len(lines) == 9:
                cells = blank_board([line for _, line in lines])
                begin, head = lines[0]
                if cells is None:
                    yield reject_at(begin, 1, head, "9 lines of digits and blanks", "others")
                else:
                    yield PuzzleRecord(begin, cells)
                lines = []
        for begin, head in lines[:1]:
            yield reject_at(begin, 1, head, "a grid of 9 rows", str(len(lines)))

    def _add(self, rows: list[Row]) -> Iterator[PuzzleRecord | Reject]:
        """Add rows, and complete a grid when there are nine."""
        self._groups[-1] += rows
        certain = [[row for row in group if row.cells is not None] for group in self._groups]
        cells = [row.cells for group in certain for row in group]
        symbols = "".join("." if isinstance(row, list) else row or "" for row in cells)
        # With another symbol for empty cells, rows of hyphens are borders.
        if len(cells) == 9 or ("." in symbols and "-" not in symbols):
            self._groups = [*filter(None, certain[:-1]), certain[-1]]
        *groups, last = self._groups
        if groups and len(last) > len(groups[0]):  # blank lines between two grids
            self._groups = groups
            yield from self._end_grid()
            self._groups = [last]
        if sum(map(len, self._groups)) >= 9:
            yield from self._end_grid()

    def _end_grid(self) -> Iterator[PuzzleRecord | Reject]:
        """Make a record of the rows so far, or a reject."""
        rows, fault = [row for group in self._groups for row in group], self._fault
        self._groups, self._fault = [[]], None
        if not rows:
            return
        if fault is not None or len(rows) != 9:
            yield fault or reject_at(rows[0].number, 1, rows[0].line, "a grid of 9 rows", str(len(rows)))
            return
        groups = [group.replace("-", ".") for row in rows for group in row.cells or _HYPHENS]
        has_candidates = any(len(group) > 1 for group in groups)
        cells = symbols_of(clues_of(groups)) if has_candidates else "".join(groups)
        has_more_cells = (
            bool(self._puzzle) and self._puzzle != "".join(groups) and is_within(self._puzzle, groups)
        )
        if has_more_cells and has_candidates:
            self._puzzle = ""
        elif has_more_cells and self.pastes and not self._has_state:
            self._puzzle, self._has_state = cells, True
        else:
            self._puzzle, self._has_state = cells, False
            yield PuzzleRecord(rows[0].number, cells)


def _fault(number: int, line: str, text: str) -> Reject:
    """Return why a line is no row; its text has ASCII in place of drawn frames."""
    symbols, strange = without_separators(text), wrong_symbol(text)
    size = f" ({OTHER_SIZE})" if len(symbols) == 16 else ""
    column = 1 if strange is None else strange + 1
    actual = str(len(symbols)) if strange is None else quote(text[strange])
    return reject_at(number, column, line, "a row of 9 cells", f"{actual}{size}")


class BoardReader(Reader):
    """A text that is one board."""

    def records(self) -> Iterator[PuzzleRecord | Reject]:
        """Read it."""
        (cells,) = boards_of(decode_line(self.source.read()))
        yield PuzzleRecord(1, cells)


class SdkReader(GridReader):
    """Reader of .sdk of SudoCue and SadMan."""

    divided = True


class SsReader(GridReader):
    """Reader of .ss of Simple Sudoku, and of pastes from it and from HoDoKu."""

    pastes = True


def is_within(clues: str, cells: Sequence[str]) -> bool:
    """Return whether 81 cells have all of the clues."""
    return all(a in (".", b) for a, b in zip(clues, cells, strict=True))
