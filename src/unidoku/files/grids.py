"""Boards in texts of any kind: drawn, in sheets and tables, in source code, in the dialects of programs.

A file is a sequence of boards, as `unidoku.parse.uses` finds them; other text is left out, and what is
like a board is one reject. Of a position the clues are the puzzle, if they alone give it. Two rules of
dialects are added: under ``[Puzzle]`` (SadMan), boards of other sections are none, but its ``[State]`` makes
it a position; and in .ss (Simple Sudoku, HoDoKu) a grid after its puzzle with more cells filled is its state,
and a full one after that its solution.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterator

from unidoku.cell import VALUES, symbols_of
from unidoku.errors import InvalidPuzzleError, Message
from unidoku.files.chunks import BOM, HEAD, Reader
from unidoku.files.decoding import check_text
from unidoku.native.text import scan
from unidoku.parse.board import Board, Fault, keeps_clues
from unidoku.parse.lines import WORD, count_of
from unidoku.parse.plain import DIGITS
from unidoku.parse.text import decode_line
from unidoku.parse.uses import clues_above, clues_in, records_in
from unidoku.table.batch import KEPT, PuzzleRecord, Reject

_PIECE = 1 << 17  # bytes that are read at a time
_NINE_LINES = 8  # ends of lines
_OVERLAP = 1 << 14  # characters: boards that begin in the last ones of a piece are read with the next
_ABOVE = 1000  # records of which a grid may be the solution
_LONGEST = 1 << 22  # characters of rows that are read without a blank line or words between boards
_TOO_LONG = Message("no gaps", "more than 4 MB of rows with nothing between boards: part them by blank lines")
# what ends lines that follow each other, and bands that do
_BLANK_LINE = re.compile(r"(?<=\n)[ \t]*\n|(?<=\n)[^\n]*[A-Za-z]{2}")
_BLANK_LINES = re.compile(r"(?<=\n)[ \t]*\n[ \t]*\n|(?<=\n)[^\n]*[A-Za-z]{2}")
_STATE = Message("state", "the damaged puzzle above with more cells filled: write that puzzle whole")
_KEPT_ROWS = 4
_NO_FRAME = str.maketrans("0", ".", "|+-* \t")
_SECTION = re.compile(r"^[ \t]*\[([A-Za-z ]+)\][ \t]*$", re.MULTILINE)


class GridReader(Reader):
    """Reader of the boards of a text."""

    pastes = False
    """Whether a grid and the same grid with more cells filled are one puzzle and its state."""

    def records(self) -> Iterator[PuzzleRecord | Reject]:
        """Read every board."""
        check_text(self.source.peek(HEAD))
        self.source.read(len(BOM) * self.source.peek(len(BOM)).startswith(BOM))
        waiting: tuple[int, str, Board] | None = None  # its candidates or its state may follow
        state = ""  # the digits of the last one
        for line, text, record, is_next in self._boards():
            board = record if isinstance(record, Board) else None
            if waiting and board and is_next and keeps_clues(waiting[2].cells, board.digits):
                number, first, puzzle = waiting
                if board.marks and not puzzle.marks:
                    waiting = number, first, puzzle._replace(marks=board.marks)
                    continue
                is_later = not state or ("." not in board.cells and keeps_clues(state, board.cells))
                if self.pastes and board.cells != puzzle.cells and is_later:  # a state, or the solution
                    state = board.cells
                    continue
            if waiting is not None:
                yield _record_of(*waiting)
            waiting, state = None, ""
            if board is None:
                yield _record_of(line, text, record)
            else:
                waiting = line, text, board
        if waiting is not None:
            yield _record_of(*waiting)

    def _boards(self) -> Iterator[tuple[int, str, Board | Fault, bool]]:
        """Yield boards and faults: the line, its text, the record, and whether no words stand before it."""
        line, rest, section, has_puzzle_section = 1, "", "", False
        skip: re.Pattern[str] | None = None  # what ends lines that were refused
        above = deque[str](maxlen=_ABOVE)
        for piece, is_last in self._pieces():
            text = rest + piece
            if not is_last and not skip and len(text) < _LONGEST and not _has_part(text):
                rest = text  # a row that is missing shows only where all rows are counted
                continue
            begin = 0
            if skip:
                begin, skip = _after(skip, text, 0)
            line, text = line + text.count("\n", 0, begin), text[begin:]
            latest = max(0, len(text) - _OVERLAP)
            begin = len(text) if is_last else text.rfind("\n", 0, latest) + 1 or latest
            end = place = 0
            sections = [(match.start(), match[1].lower()) for match in _SECTION.finditer(text)]
            known, found = self.known or ("", [])
            records = found if found and text == known else _records_in(text, above, is_last=is_last)
            fault: Fault | None = None  # the last record before the overlap
            for start, stop, record in records:
                if start >= begin and not is_last and not (fault and isinstance(record, Fault)):
                    begin, fault = start if fault else begin, None
                    break
                one: Board | Fault = record
                if self.pastes and fault and isinstance(record, Board) and _is_state(text[end:start], record):
                    one = Fault(_STATE, record.start, 81)
                fault = record if isinstance(record, Fault) else None
                while sections and sections[0][0] < start:
                    section = sections.pop(0)[1]
                    has_puzzle_section = has_puzzle_section or section == "puzzle"
                line += text.count("\n", place, start)
                is_next = WORD.search(text, end, start) is None
                place, end = start, max(end, stop)
                above.append(clues_above(record))
                if not has_puzzle_section or section == "puzzle":
                    yield line, text[start : start + KEPT].partition("\n")[0], one, is_next
            begin = max(begin, end)
            if fault and not is_last:  # the rest of its lines may begin within a board
                is_parted = "\n\n" not in text[-_OVERLAP:] or _has_nine_lines(text)
                skip = _BLANK_LINE if is_parted else _BLANK_LINES
                begin, skip = _after(skip, text, max(begin, fault.start + 1))
            line += text.count("\n", place, begin)
            rest = text[begin:]

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


def _is_state(damaged: str, board: Board) -> bool:
    """Return whether a board keeps most rows of two clues or more of a damaged one: it is its state."""
    rows = [line.translate(_NO_FRAME) for line in damaged.split("\n")]
    rows = [row for row in rows if len(row) == 9 and sum(map(DIGITS.__contains__, row)) > 1]
    states = [board.cells[k : k + 9] for k in range(0, 81, 9)]
    kept = sum(any(keeps_clues(row, state) for state in states) for row in rows)
    return kept >= max(_KEPT_ROWS, len(rows) - 1)


def text_of_piece(data: bytes) -> str:
    """Decode whole lines, with one kind of end."""
    return decode_line(data).replace("\r\n", "\n").replace("\r", "\n")


def _after(skip: re.Pattern[str], text: str, begin: int) -> tuple[int, re.Pattern[str] | None]:
    """Return where refused lines end in a text; its end, and what is to end them, if they go on."""
    match = skip.search(text, begin)
    return (match.start(), None) if match else (len(text), skip)


def _has_part(text: str) -> bool:
    """Return whether line ends, words, blank lines or lines of no cells part the last boards of a text."""
    last = text[-_OVERLAP:]
    if any(len(line) > 80 and count_of(line) > 80 for line in last.split("\n")):
        return True
    has_words = WORD.search(last) or DIGITS.isdisjoint(last)
    return bool(has_words) or "\n\n\n" in last or _has_nine_lines(last)


def _has_nine_lines(text: str) -> bool:
    """Return whether blank lines near the end of a text part boards: nine lines stand between two."""
    parts = text[-_OVERLAP:].split("\n\n")
    return any(part.count("\n") >= _NINE_LINES for part in parts[1:-1])


def _records_in(text: str, above: Collection[str], *, is_last: bool) -> list[tuple[int, int, Board | Fault]]:
    """Return the records of a text; of one that goes on without a part, that it is too long."""
    if not is_last and len(text) >= _LONGEST and not _has_part(text):
        return [(0, 0, Fault(_TOO_LONG, 0, len(text)))]
    return records_in(text, is_cut=not is_last, above=above)


def _record_of(line: int, text: str, record: Board | Fault) -> PuzzleRecord | Reject:
    """Return a board as a puzzle, or why it is none."""
    if isinstance(record, Fault):
        return Reject(line, _place_of(record, text) + 1, text.encode(errors="replace"), record.message)
    if record.doubt:
        return Reject(line, 1, text.encode(errors="replace"), record.doubt)
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
