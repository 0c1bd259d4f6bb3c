"""Boards in texts of any kind: drawn, in sheets and tables, in source code, in the dialects of programs.

A file is a sequence of boards and of lines of 81 cells; titles and blank lines separate blocks. A block that
is a board by itself is read as a board, mostly by a form that was read before. The blocks between two boards
are read together, as `_parse.contents` finds boards in a text. Each block that nothing explains is one
reject.

The puzzle of a position is its clues, if they are enough to give it. In .ss (Simple Sudoku, HoDoKu), a grid
after its puzzle with more filled cells is its state, and a full grid after that is its solution.
"""

from __future__ import annotations

import re
from array import array
from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from unidoku._native.text import scan
from unidoku._parse.board import NO_PUZZLE, Board, clues_in
from unidoku._parse.boards import ParsedText
from unidoku._parse.contents import BoardRecord, is_grid_caption, records_in
from unidoku._parse.errors import error_in
from unidoku._parse.forms import SeenLayouts
from unidoku._parse.lines import BLANK, LINE, NOT_ROWS, TEXT, kind_of_line
from unidoku._parse.signs import plain
from unidoku._table.batch import KEPT, Batch, PuzzleRecord, Reject
from unidoku.cell import keeps_clues, symbols_of, wrong_size
from unidoku.errors import InvalidPuzzleError, Reason
from unidoku.files._chunks import BOM, HEAD, Reader, check_text, utf8_of

_PIECE = 1 << 18  # bytes that are read at a time
_MARGIN = 40  # lines of a board and the text below it: the last lines of a piece are read with the next
_LONGEST = 1 << 23  # characters that are read without a board
_TOO_LONG = Reason("too_long", "more than 8 MB of rows without a separator; write blank lines between boards")
_NUMBERS = str.maketrans("12345678", "9" * 8)
_WORD = re.compile(r"(?![xX]{2})[^\W\d_]{2}")
_OPENERS = frozenset("[({=,\"'`|+<\\")  # of a list, at the end of the line above it
_LONGEST_TITLE = 4096  # characters
_ROWS = 9  # lines of a board, and cells of one of them
_LOST = "x" * 81  # a puzzle that no grid solves
_ABOVE = 1000  # puzzles that a grid may solve


_BETWEEN = re.compile(rb"(?m)^(?:[\0-\x09\x0b-\x20]*+|[^\nA-Za-z\x80-\xff]*+[A-Za-z\x80-\xff][^\n]*+)\n")
"""A blank line, or one with a letter, which may be a title."""


class _Run(NamedTuple):
    """Puzzles that were read together; each has an empty cell."""

    lines: range
    """The numbers of their first lines, from 1."""
    puzzles: list[str]
    """81 characters each."""
    record: Board | InvalidPuzzleError | None = None
    is_full: bool = False
    is_alone: bool = True
    """A run has no single board, and no full grid, unlike a `BoardRecord`."""


class GridReader(Reader):
    """Reader of the boards of a text."""

    pastes = False
    """Whether a grid and the same grid with more cells filled are one puzzle and its state."""

    def records(self) -> Iterator[PuzzleRecord | Reject | Batch]:
        """Read every board; a batch has many of one form."""
        check_text(self.source.peek(HEAD))
        self.source.read(len(BOM) * self.source.peek(len(BOM)).startswith(BOM))
        found = self._without_solutions(self._found())
        for first in islice(found, 1):
            waiting = first  # its candidates or its state may follow
            for one in found:
                joined = self._joined(waiting, one)
                if not joined:
                    yield self._record_of(waiting)
                waiting = joined or one
            yield self._record_of(waiting)
        if self.source.failure is not None:
            raise self.source.failure

    def _without_solutions(self, records: Iterator[BoardRecord | _Run]) -> Iterator[BoardRecord | _Run]:
        """Yield the records without full grids that are the solution of a puzzle."""
        return without_solutions(records)

    def _joined(self, one: BoardRecord | _Run, below: BoardRecord | _Run) -> BoardRecord | _Run | None:
        """Return a puzzle and its candidates, or its state, as one record."""
        puzzle, board = one.record, below.record
        if not isinstance(puzzle, Board) or not isinstance(board, Board):
            return None
        if not keeps_clues(puzzle.cells, board.digits if board.marks else board.cells):
            return None
        if board.marks and not puzzle.marks:
            return one._replace(record=puzzle._replace(marks=board.marks))
        is_state = self.pastes and board.cells != puzzle.cells
        return one if is_state else None

    def _record_of(self, one: BoardRecord | _Run) -> PuzzleRecord | Reject | Batch:
        """Return a board as a puzzle, or why it is none."""
        if isinstance(one, _Run):
            text = "".join(one.puzzles).encode()
            return Batch(self.source.name, text, range(0, len(text), 81), array("q", one.lines))
        board = one.record
        if not isinstance(board, Board):
            return _reject_of(one, board)
        try:
            return PuzzleRecord(one.line, symbols_of(clues_in(board)))
        except InvalidPuzzleError as error:
            return _reject_of(one, error)

    def _found(self) -> Iterator[BoardRecord | _Run]:
        """Yield boards and faults, with the lines of the file."""
        unread = _Unread(has_states=self.pastes)
        for piece, is_last in self._pieces():
            unread.text += piece
            yield from unread.blocks_alone(is_last=is_last)
            least = unread.least if unread.has_others else _LONGEST
            if is_last or len(unread.text) > least:
                yield from unread.together(is_last=is_last)

    def _pieces(self) -> Iterator[tuple[bytes, bool]]:
        """Yield the text in pieces of whole lines with one kind of end, and whether one is the last."""
        rest, is_last = b"", False
        while not is_last:
            wanted = max(_PIECE, len(rest))  # so that a long line is not copied again and again
            more = self.source.read(wanted)
            data, is_last = rest + more, len(more) < wanted
            if is_last or len(data) > _LONGEST:  # no line of a board is so long
                data += b"\n\n"
            size = scan.last_line_end(data, 0, len(data))
            rest = data[size:]
            yield bytes(utf8_of(data[:size])[0]).replace(b"\r\n", b"\n").replace(b"\r", b"\n"), is_last


def without_solutions(records: Iterable[BoardRecord | _Run]) -> Iterator[BoardRecord | _Run]:
    """Yield the records of a file without full grids that solve a puzzle above: each puzzle owns one of them.

    Another full grid is a fault where any puzzle is in the file, or was lost.
    """
    above, full = deque[str](maxlen=_ABOVE), list[BoardRecord | _Run]()  # puzzles that own none yet
    is_below = False
    for one in records:
        if not one.is_full:
            yield from map(_without_puzzle, full)
            full.clear()
            above += one.puzzles if isinstance(one, _Run) else [getattr(one.record, "cells", _LOST)]
            is_below = True
            yield one
        elif not is_below:  # whether a puzzle is below is not known yet
            full.append(one if one.is_alone else _without_puzzle(one))
            if len(full) > _ABOVE:
                yield from full
                full.clear()
        elif not isinstance(board := one.record, Board):
            yield one
        elif above and above[-1] == _LOST:  # its solution
            above.pop()
        elif owner := next((puzzle for puzzle in reversed(above) if keeps_clues(puzzle, board.cells)), ""):
            above.remove(owner)
        else:
            yield _without_puzzle(one)
    yield from full


def _without_puzzle(one: BoardRecord | _Run) -> BoardRecord | _Run:
    """Return a full grid whose puzzle is missing as a fault."""
    if not isinstance(one.record, Board):
        return one
    return one._replace(record=InvalidPuzzleError(NO_PUZZLE))


class _Unread:
    """The lines of a file that are of no record yet."""

    def __init__(self, *, has_states: bool) -> None:
        self.text = b""
        """Whole lines."""
        self.least = _PIECE
        """How many bytes are read together: no line is read again and again."""
        self.before = 0
        """The number of lines of the file before them."""
        self.is_new = True
        """Whether nothing was read yet."""
        self._layouts, self._has_states = SeenLayouts(), has_states
        self.has_others = False
        """Whether a block is read with its neighbours."""
        self._first, self._seen, self._title = 0, 0, ""
        """Where the next block begins, what was looked at, and the title above."""

    def _take(self, size: int, lines: int) -> None:
        """Take the first lines away, which were read."""
        self.text, self.before = self.text[size:], self.before + lines
        self._first, self._seen = max(0, self._first - size), max(0, self._seen - size)

    def _blocks(self) -> Iterator[tuple[int, int, str]]:
        """Yield where a block between titles and blank lines begins and ends, and the title above it.

        The lines after the last title or blank line are not a block yet.
        """
        while between := _BETWEEN.search(self.text, self._seen):
            last, self._seen = between.span()
            title = _title_of(between[0].decode()[:-1])
            if title is None:
                continue
            first, self._first = self._first, self._seen
            above, self._title = self._title, title or self._title
            if first < last:
                self._title = title
                yield first, last, above
        self._seen = len(self.text)

    def blocks_alone(self, *, is_last: bool) -> Iterator[BoardRecord | _Run]:
        """Yield the records of blocks that are boards by themselves, and of the lines between two."""
        begin, line = 0, self.before
        for first, last, title in self._blocks():
            block = self.text[first : last - 1].decode()
            records = _records_of(block, title, self._layouts)
            if records is None:
                self.has_others = True
                continue
            is_alone = is_grid_caption(title)
            if is_last and self.is_new and records[-1].is_full:  # perhaps the only board
                is_alone = is_alone and _is_alone(self.text[last:].decode())
            above, boards, ends = self.text[begin:first], list[str](), list[int]()
            if self.has_others:
                text = above.decode()
                yield from _numbered(records_in(ParsedText(text[:-1])), text, line)
            elif not self._has_states:
                form, below = self._layouts.form_of(block), memoryview(self.text)[last:]
                boards, ends = form.boards_in(below, above, block, _goes_on)
                del boards[-1:], ends[-1:]  # candidates may follow
            gap, step = above.count(b"\n"), above.count(b"\n") + block.count("\n") + 1
            yield from _numbered(records, block, line + gap, is_alone=is_alone)
            row, line = line + step + gap + records[0].line, line + step * (1 + len(boards))
            if boards:
                yield _Run(range(row, row + step * len(boards), step), boards)
            begin = self._first = self._seen = last + sum(ends[-1:])
            self._title, self.has_others, self.is_new = "", False, False
        self._take(begin, line - self.before)

    def together(self, *, is_last: bool) -> Iterator[BoardRecord]:
        """Yield the records of all lines, up to the last board that no line below can change."""
        text = self.text.decode()
        parsed = ParsedText(text[:-1])
        end = len(parsed.lines) if is_last else _cut_of(parsed)
        records = records_in(parsed, end) if end else []
        if not end and len(text) > _LONGEST:
            end, records = len(parsed.lines), [_fault_on_first_line(InvalidPuzzleError(_TOO_LONG))]
        elif self.is_new and is_last and not records:
            error = error_in(parsed)
            if error.message != wrong_size(0):  # or there is nothing to read
                records = [_fault_on_first_line(error)]
        yield from _numbered(records, text, self.before)
        if not end:
            self.least = 2 * len(self.text)
            return
        self.is_new, self.least, lines = False, _PIECE, parsed.numbers[end] - 1
        self._take(len("\n".join(text.split("\n", lines)[:lines]).encode()) + 1, lines)
        self._first, self._seen, self._title, self.has_others = 0, 0, "", False


def _title_of(line: str) -> str | None:
    """Return the title that a line between blocks is, nothing of a blank line; None for a line of a block."""
    if not line.strip():
        return ""
    if _WORD.search(line, 0, _LONGEST_TITLE) and _is_title(line.translate(_NUMBERS)):
        return line
    return None


@lru_cache(64)
def _is_title(line: str) -> bool:
    """Return whether a line is text, and no beginning or end of a list; its numbers do not matter."""
    if line.rstrip()[-1] in _OPENERS or line.lstrip()[0] in ")]}":
        return False
    return kind_of_line(plain(line)) == TEXT


def _is_of_board(title: str) -> bool:
    """Return whether a title may open a list, or name columns: it is read with the block below it."""
    return title[:1] in _OPENERS or NOT_ROWS.search(title) is not None


@lru_cache(256)
def _goes_on(line: bytes) -> bool:
    """Return whether a line is a title below which a board is read by itself."""
    title = _title_of(line.decode()[:-1])
    return bool(title and not _is_of_board(title))


def _records_of(block: str, title: str, forms: SeenLayouts) -> list[BoardRecord] | None:
    """Return the records of a block that is read by itself; None if it is read with its neighbours."""
    if block.count("\n") < _ROWS - 1 or _is_of_board(title):
        return None
    if known := forms.board_in(block):
        return [BoardRecord(known.first + 1, known, known.first, known.is_full)]
    parsed = ParsedText(block)
    if parsed.left or not parsed.boards:
        return None
    board = parsed.boards[0]
    if len(parsed.boards) == 1 and not board.marks:
        forms.learn(block, board.cells, parsed.numbers[board.first] - 1)
    return records_in(parsed)


def _is_alone(below: str) -> bool:
    """Return whether the only board of a file is a full grid with no words after it but its name."""
    shown = [line for line in below.split("\n") if line.strip()]
    return not all(map(_title_of, shown)) or is_grid_caption(" ".join(shown))


def _numbered(
    records: Iterable[BoardRecord], text: str, before: int, *, is_alone: bool = True
) -> Iterator[BoardRecord]:
    """Yield the records of a text below some lines with their numbers in the file, and their own texts.

    Words above the text are words above each board.
    """
    lines = text.split("\n")
    for one in records:
        shown = lines[one.line - 1][:KEPT]
        yield one._replace(line=before + one.line, text=shown, is_alone=one.is_alone and is_alone)


def _cut_of(parsed: ParsedText) -> int:
    """Return the end of the last board of a piece that no following line can change; 0 if there is none."""
    last, numbers = len(parsed.lines) - _MARGIN, parsed.numbers
    if not (parsed.boards or parsed.left):
        return max(last, 0)  # only words
    for end in (board.last for board in reversed(parsed.boards) if board.last < last):
        is_apart = parsed.kinds[end - 1] == LINE or parsed.kinds[end] in BLANK + TEXT
        below = "\n".join(parsed.lines[end : end + _MARGIN]).strip()
        goes_on = end in parsed.bands or below[:1] in _OPENERS  # a list, or [State]
        if is_apart and numbers[end - 1] < numbers[end] and not goes_on:
            return end
    return 0


def _reject_of(one: BoardRecord, error: InvalidPuzzleError) -> Reject:
    """Return a record that is not a puzzle."""
    return Reject(one.line, None, one.text.encode(errors="replace"), error.message)


def _fault_on_first_line(error: InvalidPuzzleError) -> BoardRecord:
    """Return the error about a whole text as its only record."""
    return BoardRecord(error.line or 1, error, 0, is_full=False)


class SsReader(GridReader):
    """Reader of .ss of Simple Sudoku, and of pastes from it and from HoDoKu."""

    pastes = True


class SdkReader(GridReader):
    """Reader of .sdk of SudoCue and SadMan, which have no solutions."""

    def _without_solutions(self, records: Iterator[BoardRecord | _Run]) -> Iterator[BoardRecord | _Run]:
        """Yield the same: a full grid is a record."""
        return records
