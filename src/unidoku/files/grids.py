"""Boards in texts of any kind: drawn, in sheets and tables, in source code, in the dialects of programs.

A file is a sequence of boards and of lines of 81 cells, as `unidoku.parse.uses` finds them; text stands
between, and each block of lines of cells that nothing explains is one reject.  Of a position the clues are
the puzzle, if they alone give it.  In .ss (Simple Sudoku, HoDoKu) a grid after its puzzle with more cells
filled is its state, and a full one after that its solution.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from unidoku.cell import VALUES, symbols_of, wrong_size
from unidoku.errors import InvalidPuzzleError, Message
from unidoku.files.chunks import BOM, HEAD, Reader
from unidoku.files.decoding import check_text
from unidoku.native.text import scan
from unidoku.parse.board import Board, Fault, clues_in, keeps_clues
from unidoku.parse.boards import Page
from unidoku.parse.faults import error_of
from unidoku.parse.text import decode_line
from unidoku.parse.uses import records_in
from unidoku.table.batch import KEPT, PuzzleRecord, Reject

_PIECE = 1 << 17  # bytes that are read at a time
_MARGIN = 40  # lines of a board and what may stand below it: the last ones of a piece are read with the next
_ABOVE = 1000  # puzzles of which a grid may be the solution
_LONGEST = 1 << 22  # characters that are read without a board
_TOO_LONG = Message("no gaps", "more than 4 MB of rows with nothing between boards: part them by blank lines")


class GridReader(Reader):
    """Reader of the boards of a text."""

    pastes = False
    """Whether a grid and the same grid with more cells filled are one puzzle and its state."""

    def records(self) -> Iterator[PuzzleRecord | Reject]:
        """Read every board."""
        check_text(self.source.peek(HEAD))
        self.source.read(len(BOM) * self.source.peek(len(BOM)).startswith(BOM))
        waiting: tuple[int, str, Board] | None = None  # its candidates or its state may follow
        for line, text, record in self._boards():
            if waiting and isinstance(record, Board) and keeps_clues(waiting[2].cells, record.digits):
                number, first, puzzle = waiting
                if record.marks and not puzzle.marks:
                    waiting = number, first, puzzle._replace(marks=record.marks)
                    continue
                if self.pastes and record.cells != puzzle.cells:  # a state, or the solution
                    continue
            if waiting is not None:
                yield _record_of(*waiting)
            waiting = None
            if isinstance(record, Board):
                waiting = line, text, record
            else:
                yield _record_of(line, text, record)
        if waiting is not None:
            yield _record_of(*waiting)

    def _boards(self) -> Iterator[tuple[int, str, Board | Fault]]:
        """Yield boards and faults: the line, its text, and the record."""
        before, rest, above = 0, "", deque[str](maxlen=_ABOVE)
        for piece, is_last in self._pieces():
            text = rest + piece
            page = Page(text, is_file=True)
            cut = len(page.lines) if is_last else _cut_of(page)
            if not cut and len(text) < _LONGEST:
                rest = text
                continue
            lines = text.split("\n")
            if not cut:
                yield before + 1, lines[0][:KEPT], Fault(_TOO_LONG)
                cut = len(page.lines)
            records = records_in(page, above, cut)
            if is_last and not (before or records) and (error := error_of(page)).message != wrong_size(0):
                yield error.line or 1, lines[(error.line or 1) - 1][:KEPT], Fault(error.message)
            for record in records:
                yield before + record.line, lines[record.line - 1][:KEPT], record.record
            number = len(lines) if cut == len(page.lines) else page.numbers[cut] - 1  # lines that are read
            rest = "\n".join(lines[number:])
            before += number

    def _pieces(self) -> Iterator[tuple[str, bool]]:
        """Yield the text in pieces of whole lines with one kind of end, and whether one is the last."""
        rest = b""
        while True:
            data = rest + self.source.read(_PIECE)
            is_last = len(data) - len(rest) < _PIECE
            size = len(data) if is_last else scan.last_line_end(data, 0, len(data)) or len(data)
            rest = data[size:]
            yield text_of_piece(data[:size]), is_last
            if is_last:
                if self.source.failure is not None:
                    raise self.source.failure
                return


def text_of_piece(data: bytes) -> str:
    """Decode whole lines, with one kind of end."""
    return decode_line(data).replace("\r\n", "\n").replace("\r", "\n")


def _cut_of(page: Page) -> int:
    """Return the end of the last board of a piece of a file that no line behind it can change; 0 for none."""
    if not (page.boards or page.left) and len(page.lines) > _MARGIN:
        return len(page.lines) - 1  # words alone
    ends = (board.last for board in reversed(page.boards) if board.last < len(page.lines) - _MARGIN)
    return next((end for end in ends if page.numbers[end - 1] < page.numbers[end]), 0)


def _record_of(line: int, text: str, record: Board | Fault) -> PuzzleRecord | Reject:
    """Return a board as a puzzle, or why it is none."""
    if isinstance(record, Fault):
        return Reject(line, _place_of(record, text) + 1, text.encode(errors="replace"), record.message)
    try:
        return PuzzleRecord(line, symbols_of(clues_in(record)))
    except InvalidPuzzleError as error:
        return Reject(line, 1, text.encode(errors="replace"), error.message)


def _place_of(fault: Fault, text: str) -> int:
    """Return where the wrong symbol of a line is: behind as many cells as it says; 0 if it names none."""
    symbol = re.escape(fault.symbol or "")
    places = [match.start() for match in re.finditer(symbol, text)] if symbol.strip() else []
    behind = (place for place in places if sum(map(text[:place].count, VALUES)) >= (fault.column or 1) - 1)
    return next(behind, places[0] if places else 0)


class SsReader(GridReader):
    """Reader of .ss of Simple Sudoku, and of pastes from it and from HoDoKu."""

    pastes = True
