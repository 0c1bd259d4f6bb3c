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
from collections.abc import Callable, Iterator, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from unidoku.cell import OTHER_SIZE, symbols_of
from unidoku.errors import FormatError
from unidoku.files.base import HEAD, LINES, Fit, Reader, Writer, holds_puzzle, is_puzzle_line, quote
from unidoku.files.records import decode_line, reject_at
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

if TYPE_CHECKING:
    from unidoku.table.rows import Rows


class Kind(Enum):
    """Kinds of lines; in brackets the value that ``classify`` returns too."""

    BLANK = auto()  # nothing (None)
    BORDER = auto()  # a frame or a line between bands (None)
    SECTION = auto()  # ``[Name]`` (the name)
    COMMENT = auto()  # begins with ``#``, ``;`` or ``//`` (None)
    TEXT = auto()  # a heading or a remark (None)
    ROW = auto()  # 9, 18, … 81 cells (str of ``1`` to ``9``, ``.``, or ``-`` as the line has it)
    MAYBE = auto()  # nine hyphens: a row of empty cells or a border (None)
    GROUPS = auto()  # 9 or 81 groups of candidates (list of str)
    MALFORMED = auto()  # another line (column from 1, its symbols, whether it resembles a row)


_LETTER = re.compile(r"[^\W\d_xX]")


def classify(line: str) -> tuple[Kind, Any]:
    """Return the kind of a line without its end, and the value for the kind."""
    text = line.strip()
    if not text and line.count("\t") != 8:
        return Kind.BLANK, None
    if text[:1] == "[" and text[-1:] == "]":
        return Kind.SECTION, text[1:-1].strip()
    text = plain(line)
    is_sheet = text.count(",") == 8
    if not is_sheet and (text[0] in "#;" or text.startswith("//")):
        return Kind.COMMENT, None
    if text == "---------":
        return Kind.MAYBE, None
    if not is_sheet and is_border(text):
        return Kind.BORDER, None
    row = row_of(text)
    if row is not None:
        return (Kind.ROW if isinstance(row, str) else Kind.GROUPS), row
    if _LETTER.search(text):
        return Kind.TEXT, None
    return Kind.MALFORMED, _complaint(text)


def _complaint(text: str) -> tuple[int, str, bool]:
    symbols, strange = without_separators(text), wrong_symbol(text)
    actual = f"{len(symbols)}" if strange is None else quote(text[strange])
    column = 1 if strange is None else strange + 1
    size = f" ({OTHER_SIZE})" if len(symbols) == 16 else ""
    return column, f"{actual}{size}", 6 <= len(symbols) <= 12


def kind_of_grids(lines: list[bytes], content: bytes) -> str:
    """Return the format of the grids at the beginning of a content (grid or ss), or an empty text."""
    puzzles = sum(is_puzzle_line(line) or holds_puzzle(line) for line in lines)
    if 2 * puzzles > len(lines):
        return ""
    rows, framed = 0, False
    texts = content[: 1 << 14].decode("utf-8", "replace").splitlines()[:LINES]
    if _has_blanks(texts):
        return "grid"
    for line in texts:
        if is_puzzle_line(line.strip().encode()):
            continue  # a whole puzzle: no sign of a grid among bad lines
        kind, row = classify(line)
        if kind in (Kind.ROW, Kind.MAYBE, Kind.GROUPS):
            rows += len(row or "---------") // 9
        elif kind is Kind.BORDER:
            framed = framed or line.strip().startswith("*-")
    if rows < 3:
        return ""
    return "ss" if framed else "grid"


def _has_blanks(lines: list[str]) -> bool:
    """Return whether a text begins with a board with blanks for empty cells."""
    begin = next((number for number, line in enumerate(lines) if line.strip()), 0)
    return blank_board(lines[begin : begin + 9]) is not None or blank_board(lines[:9]) is not None


class GridReader(Reader):
    """Reader of grids over several lines, in any frame: lines become rows, rows grids, grids records."""

    name = "grid"
    divided = False
    """Whether a comment ends a grid."""
    pastes = False
    """Whether a grid and the same grid with more cells filled are one puzzle and its state."""

    def __init__(self, source: Source, options: Options) -> None:
        super().__init__(source, options)
        self._out: list[PuzzleRecord | Reject] = []
        self._rows: list[str | list[str] | None] = []  # None is "---------": a border or an empty row
        self._begun = 0, ""  # the first line
        self._fault: Reject | None = None
        self._gaps: list[int] = []  # numbers of rows before blank lines
        self._skips = False  # in a section that is no puzzle
        self._last = ""  # the puzzle of which the next grid may be a state, or have the candidates
        self._has_state = False  # that state has been read

    @classmethod
    def fit(cls, lines: list[bytes], content: bytes) -> Fit:
        """Look for grids of this kind."""
        return Fit.MAYBE if kind_of_grids(lines, content) == cls.name else Fit.NO

    def records(self) -> Iterator[PuzzleRecord | Reject]:
        """Read every grid."""
        head = self.source.peek(HEAD).decode("utf-8", "replace").removeprefix("\ufeff")
        if _has_blanks(head.splitlines()):
            yield from self._blank_boards(len(head.splitlines()) == 9)
            return
        for number, line in self.lines():
            self._feed(number, line)
            if self._out:
                yield from self._out
                self._out.clear()
        self._end_grid()
        yield from self._out

    def _blank_boards(self, is_one: bool) -> Iterator[PuzzleRecord | Reject]:
        """Read boards of nine lines with blanks for empty cells, with blank lines between two boards.

        Of one board alone, the first lines may be blank, too.
        """
        rows: list[str] = []
        begin = 0
        for number, line in self.lines():
            if not (rows or line.strip() or is_one):
                continue
            begin = begin if rows else number
            rows.append(line)
            if len(rows) == 9:
                cells = blank_board(rows)
                if cells is None:
                    yield reject_at(begin, 1, rows[0], "9 lines of digits and blanks", "others")
                else:
                    yield PuzzleRecord(begin, cells)
                rows = []
        if rows:
            yield reject_at(begin, 1, rows[0], "a grid of 9 rows", str(len(rows)))

    def _feed(self, number: int, line: str) -> None:
        kind, payload = classify(line)
        if kind is Kind.SECTION:
            self._end_grid()
            self._skips = payload.lower() != "puzzle"
        elif self._skips:
            pass
        elif kind is Kind.BLANK:
            self._blank()
        elif kind is Kind.TEXT or (kind is Kind.COMMENT and self.divided):
            self._end_grid()
            self._last = ""
        elif kind is Kind.MALFORMED:
            column, symbols, is_like_row = payload
            fault = reject_at(number, column, line, "a row of 9 cells", symbols)
            if self._rows or is_like_row:
                self._fault = self._fault or fault
                self._add(number, line, ["........."])
            else:
                self._out.append(fault)
        elif kind is Kind.MAYBE:
            self._add(number, line, [None])
        elif kind in (Kind.ROW, Kind.GROUPS):
            self._add(number, line, [payload[i : i + 9] for i in range(0, len(payload), 9)])

    def _add(self, number: int, line: str, rows: Sequence[str | list[str] | None]) -> None:
        """Add rows, and complete a grid when there are nine."""
        if not self._rows:
            self._begun = number, line
        self._rows += rows
        certain = [row for row in self._rows if row is not None]
        symbols = "".join("." if isinstance(row, list) else row for row in certain)
        # With another symbol for empty cells, rows of hyphens are borders.
        if len(certain) == 9 or ("." in symbols and "-" not in symbols):
            self._rows[:] = certain
        if self._gaps and len(self._rows) > 6 and self._gaps not in ([3, 6], list(range(1, len(self._rows)))):
            # Blank lines that do not separate bands separate two grids.
            cut = self._gaps[-1]
            rest = self._rows[cut:]
            self._rows = self._rows[:cut]
            self._end_grid()
            self._rows, self._begun = rest, (number - len(rest) + 1, line)
        if len(self._rows) >= 9:
            self._end_grid()

    def _blank(self) -> None:
        if self._rows:
            if not self._gaps or self._gaps[-1] != len(self._rows):
                self._gaps.append(len(self._rows))
            if len(self._rows) % 3 and self._gaps != list(range(1, len(self._rows) + 1)):
                self._end_grid()

    def _end_grid(self) -> None:
        """Make a record of the rows so far, or a reject."""
        rows, fault = self._rows, self._fault
        self._rows, self._fault = [], None
        self._gaps.clear()
        if not rows:
            return
        if fault is None and len(rows) != 9:
            fault = reject_at(self._begun[0], 1, self._begun[1], "a grid of 9 rows", str(len(rows)))
        if fault is not None:
            self._out.append(fault)
            return
        groups = [group.replace("-", ".") for row in rows for group in row or "---------"]
        has_candidates = any(len(group) > 1 for group in groups)
        cells = "".join(groups)
        if has_candidates:
            cells = symbols_of(clues_of(groups))
        has_more_cells = bool(self._last) and self._last != "".join(groups) and _within(self._last, groups)
        if has_more_cells and has_candidates:
            self._last = ""
        elif has_more_cells and self.pastes and not self._has_state:
            self._last, self._has_state = cells, True
        else:
            self._last, self._has_state = cells, False
            self._out.append(PuzzleRecord(self._begun[0], cells))


class BoardReader(Reader):
    """A text that is one board."""

    def records(self) -> Iterator[PuzzleRecord | Reject]:
        """Read it."""
        (cells,) = boards_of(decode_line(self.source.read()))
        yield PuzzleRecord(1, cells)


class SdkReader(GridReader):
    """Reader of .sdk of SudoCue and SadMan."""

    name = "sdk"
    divided = True


class SsReader(GridReader):
    """Reader of .ss of Simple Sudoku, and of pastes from it and from HoDoKu."""

    name = "ss"
    pastes = True


def _within(clues: str, cells: Sequence[str]) -> bool:
    """Return whether 81 cells have all of the clues."""
    return all(a in (".", b) for a, b in zip(clues, cells, strict=True))


class SdkWriter(Writer):
    """Writer of nine rows and a blank line."""

    def puzzle(self, cells: str) -> str:
        """Render a grid."""
        return "".join(cells[i : i + 9] + "\n" for i in range(0, 81, 9)) + "\n"


class SsWriter(Writer):
    """Writer of framed grids."""

    in_order = True
    _last = ""  # puzzle

    def puzzles(
        self, rows: Rows, names: tuple[str, ...], allocate: Callable[[int], Any]
    ) -> bytes | memoryview:
        """Render framed grids; an error has the line of the puzzle."""
        puzzles, lines = (column.to_list() for column in rows.named(["puzzle", "line"]))
        grids = []
        for cells, line in zip(puzzles, lines, strict=True):
            try:
                grids.append(self.puzzle(cells))
            except FormatError as error:
                raise FormatError(error.message, file=rows.source, line=line) from None
        return "".join(grids).encode()

    def puzzle(self, cells: str) -> str:
        """Render a grid; raise an error if a reader would take it for the state of the last one."""
        if self._last and cells != self._last and _within(self._last, cells):
            raise FormatError("in .ss this puzzle would be read as the state of the one before it")
        self._last = cells
        rows = [
            f"|{cells[i : i + 3]}|{cells[i + 3 : i + 6]}|{cells[i + 6 : i + 9]}|\n" for i in range(0, 81, 9)
        ]
        bands = ["".join(rows[i : i + 3]) for i in (0, 3, 6)]
        frame = "*-----------*\n"
        return frame + "|---+---+---|\n".join(bands) + frame + "\n"
