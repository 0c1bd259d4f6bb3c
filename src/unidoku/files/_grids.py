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
from functools import lru_cache, partial
from itertools import repeat, takewhile
from operator import contains
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
from unidoku.files._chunks import BOM, HEAD, Reader, check_text, utf8_of, with_usual_ends

_PIECE = 1 << 18  # bytes that are read at a time
_MARGIN = 40  # lines of a board and the text below it: the last lines of a piece are read with the next
_LONGEST = 1 << 23  # characters that are read without a board
_TOO_LONG = Reason("too_long", "more than 8 MB of rows without a separator; write blank lines between boards")
_NUMBERS = str.maketrans("12345678", "9" * 8)
_WORD, _SIGNS = re.compile(r"(?![xX]{2})[^\W\d_]{2}"), re.compile("[0-9.]")
_OPENERS = frozenset("[({=,\"'`|+<\\")  # of a list, at the end of the line above it
_TITLE, _BLANK = "title", "blank"
_MOST_GAP = 5  # lines between boards that are read many at a time
_FEWEST, _MOST_ALIKE = 4, 512  # boards that are read at a time
_LONGEST_TITLE = 4096  # characters
_ROWS = 9  # lines of a board, and cells of one of them
_LOST = "x" * 81  # a puzzle that no grid solves
_ABOVE = 1000  # puzzles that a grid may solve


class _Run(NamedTuple):
    """Puzzles that were read together; each has an empty cell."""

    lines: range
    """The numbers of their first lines, from 1."""
    puzzles: list[str]
    """81 characters each."""


class GridReader(Reader):
    """Reader of the boards of a text."""

    pastes = False
    """Whether a grid and the same grid with more cells filled are one puzzle and its state."""
    solutions = True
    """Whether a full grid below its puzzle is read as a solution and not as a record."""

    def records(self) -> Iterator[PuzzleRecord | Reject | Batch]:
        """Read every board; a batch has many of one form."""
        check_text(self.source.peek(HEAD))
        self.source.read(len(BOM) * self.source.peek(len(BOM)).startswith(BOM))
        found = without_solutions(self._found()) if self.solutions else self._found()
        waiting: BoardRecord | _Run | None = None  # its candidates or its state may follow
        for one in found:
            if waiting and (joined := self._joined(waiting, one)):
                waiting = joined
                continue
            if waiting:
                yield self._record_of(waiting)
            waiting = one
        if waiting:
            yield self._record_of(waiting)
        if self.source.failure is not None:
            raise self.source.failure

    def _joined(self, one: BoardRecord | _Run, below: BoardRecord | _Run) -> BoardRecord | None:
        """Return a puzzle and its candidates, or its state, as one record."""
        if isinstance(one, _Run) or isinstance(below, _Run):
            return None
        puzzle, board = one.record, below.record
        if not isinstance(puzzle, Board) or not isinstance(board, Board):
            return None
        if not keeps_clues(puzzle.cells, board.digits):
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
        cells = board.cells
        if board.marks:
            try:
                cells = symbols_of(clues_in(board))
            except InvalidPuzzleError as error:
                return _reject_of(one, error)
        return PuzzleRecord(one.line, cells)

    def _found(self) -> Iterator[BoardRecord | _Run]:
        """Yield boards and faults, with the lines of the file."""
        unread = _Unread(has_states=self.pastes)
        for piece, is_last in self._pieces():
            unread.add(piece, is_last=is_last)
            yield from unread.blocks_alone(is_last=is_last)
            if is_last or unread.are_many():
                yield from unread.together(is_last=is_last)

    def _pieces(self) -> Iterator[tuple[str, bool]]:
        """Yield the text in pieces of whole lines with one kind of end, and whether one is the last."""
        rest = b""
        while True:
            wanted = max(_PIECE, len(rest))  # so that a long line is not copied again and again
            more = self.source.read(wanted)
            data, is_last = rest + more, len(more) < wanted
            size = len(data)
            if not is_last:
                if size > _LONGEST:
                    data += b"\n"  # no line of a board is so long
                size = scan.last_line_end(data, 0, len(data))
            rest = data[size:]
            text = utf8_of(data[:size])[0].decode()
            yield with_usual_ends(text), is_last
            if is_last:
                return


def without_solutions(records: Iterable[BoardRecord | _Run]) -> Iterator[BoardRecord | _Run]:
    """Yield the records of a file without full grids that solve a puzzle above: each puzzle owns one of them.

    Another full grid is a fault where any puzzle is in the file, or was lost.
    """
    above, full, is_below = deque[str](maxlen=_ABOVE), list[BoardRecord](), False  # puzzles that own none yet
    for one in records:
        if isinstance(one, _Run) or not one.is_full:
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


def _without_puzzle(one: BoardRecord) -> BoardRecord:
    """Return a full grid whose puzzle is missing as a fault."""
    if not isinstance(one.record, Board):
        return one
    return one._replace(record=InvalidPuzzleError(NO_PUZZLE))


class _Unread:
    """The lines of a file that are of no record yet."""

    def __init__(self, *, has_states: bool) -> None:
        self.lines = list[str]()
        self.before = 0
        """The number of lines of the file before them."""
        self.size = 0
        """Their characters."""
        self.is_new = True
        """Whether nothing was read yet."""
        self._blocks, self._layouts, self._has_states = _Blocks(), SeenLayouts(), has_states
        self._least = _PIECE  # characters that are read together: no line is read again and again

    def add(self, piece: str, *, is_last: bool) -> None:
        """Add a piece of the file."""
        self.lines += piece.split("\n")
        if not is_last:
            self.lines.pop()  # about which nothing is known
        self.size += len(piece)

    def _leave(self, count: int) -> None:
        """Take the first lines away, which were read."""
        self.before += count
        self._blocks.leave(count)
        if count:
            del self.lines[:count]
            self.size = sum(map(len, self.lines))

    def blocks_alone(self, *, is_last: bool) -> Iterator[BoardRecord | _Run]:
        """Yield the records of blocks that are boards by themselves, and of the lines between two."""
        lines, begin = self.lines, 0
        for first, last, title in self._blocks.of(lines, is_last=is_last):
            records = _records_of(lines[first:last], title, self._layouts)
            if records is None:
                self._blocks.others = last
                continue
            if is_last and self.is_new and records[-1].is_full and not _is_alone(lines[last:]):
                records[-1] = records[-1]._replace(is_alone=False)
            if self._blocks.others > begin:
                parsed = ParsedText("\n".join(lines[begin:first]))
                yield from _numbered(records_in(parsed), lines, self.before, begin)
            yield from _numbered(records, lines, self.before, first)
            begin, self.is_new = last, False
            for end, numbers, boards, titles in _boards_alike(lines, first, last, self._layouts):
                if self._has_states or not all(map(contains, boards, repeat("."))):
                    records = [
                        BoardRecord(line, Board(cells, 0, _ROWS), 0, "." not in cells, is_grid_caption(title))
                        for line, cells, title in zip(numbers, boards, titles, strict=False)
                    ]
                    yield from _numbered(records, lines, self.before, 0)
                else:
                    first_line, last_line = (self.before + end for end in (numbers.start, numbers.stop))
                    yield _Run(range(first_line, last_line, numbers.step), boards)
                begin = end
                self._blocks.skip(end)
            self._blocks.others = begin
        self._leave(begin)

    def are_many(self) -> bool:
        """Return whether so many lines are left that they are read before the file ends."""
        if self.size > _LONGEST:
            return True
        return self.size > self._least and self._blocks.others > 0

    def together(self, *, is_last: bool) -> Iterator[BoardRecord]:
        """Yield the records of all lines, up to the last board that no line below can change."""
        parsed = ParsedText("\n".join(self.lines))
        whole = len(parsed.lines)
        end = whole if is_last else _cut_of(parsed)
        records = records_in(parsed, end) if end else []
        if not end and self.size > _LONGEST:
            end, records = whole, [_fault_on_first_line(InvalidPuzzleError(_TOO_LONG))]
        elif self.is_new and is_last and not records:
            error = error_in(parsed)
            if error.message != wrong_size(0):  # or there is nothing to read
                records = [_fault_on_first_line(error)]
        yield from _numbered(records, self.lines, self.before, 0)
        if not end:
            self._least = 2 * self.size
            return
        self.is_new, self._least = False, _PIECE
        self._leave(len(self.lines) if end == whole else parsed.numbers[end] - 1)


class _Blocks:
    """Where blocks between titles and blank lines begin and end; no line is looked at twice."""

    def __init__(self) -> None:
        self.first, self.title, self.seen = 0, "", 0
        self.others = 0
        """The end of the last block that is read with its neighbours."""

    def of(self, lines: list[str], *, is_last: bool) -> Iterator[tuple[int, int, str]]:
        """Yield for each block its first line, the line after it, and the title above it.

        If more lines follow, the last block may not be whole.
        """
        while self.seen < len(lines) + is_last:
            k = self.seen
            self.seen += 1
            line = lines[k] if k < len(lines) else ""
            kind = _gap_of(line)
            if not kind:
                continue
            first, title = self.first, self.title
            self.first = k + 1
            if kind == _TITLE:
                self.title = line
            elif first < k:
                self.title = ""
            if first < k:
                yield first, k, title
        self.seen = len(lines)

    def skip(self, end: int) -> None:
        """Continue after a block that ends here."""
        self.first, self.seen, self.title = end, end, ""

    def leave(self, count: int) -> None:
        """Take the first lines away."""
        self.first, self.seen, self.others = (max(0, k - count) for k in (self.first, self.seen, self.others))


def _gap_of(line: str) -> str:
    """Return the kind of a line between blocks, `_TITLE` or `_BLANK`; nothing for a line of a block."""
    if not line.strip():
        return _BLANK
    if _WORD.search(line, 0, _LONGEST_TITLE) and _is_title(line.translate(_NUMBERS)):
        return _TITLE
    return ""


@lru_cache(64)
def _is_title(line: str) -> bool:
    """Return whether a line is text, and no beginning or end of a list; its numbers do not matter."""
    if line.rstrip()[-1] in _OPENERS or line.lstrip()[0] in ")]}":
        return False
    if len(_SIGNS.findall(line)) >= _ROWS:
        return False
    return kind_of_line(plain(line)) == TEXT


def _is_of_board(title: str) -> bool:
    """Return whether a title may open a list, or name columns: it is read with the block below it."""
    return title[:1] in _OPENERS or NOT_ROWS.search(title) is not None


def _records_of(lines: list[str], title: str, forms: SeenLayouts) -> list[BoardRecord] | None:
    """Return the records of a block that is read by itself; None if it is read with its neighbours."""
    if len(lines) < _ROWS:
        return None
    if _is_of_board(title):
        return None
    text = "\n".join(lines)
    known = forms.board_in(text)
    if known:
        is_alone = not known.is_full or is_grid_caption(title)
        return [BoardRecord(known.first + 1, known, known.first, known.is_full, is_alone)]
    parsed = ParsedText(text)
    if parsed.left or not parsed.boards:
        return None
    board = parsed.boards[0]
    if len(parsed.boards) == 1 and not board.marks:
        forms.learn(text, board.cells, parsed.numbers[board.first] - 1)
    return [one._replace(is_alone=one.is_alone and is_grid_caption(title)) for one in records_in(parsed)]


def _boards_alike(
    lines: list[str], first: int, last: int, forms: SeenLayouts
) -> Iterator[tuple[int, range, list[str], list[str]]]:
    """Yield the boards that follow a block in its form and at one distance, with their lines and titles.

    The line after some boards is first.

    They are read many at a time, if `_records_of` would read them by this form; it reads all other boards,
    and the last one: candidates may follow, or a line without a gap.
    """
    text = "\n".join(lines[first:last])
    form = forms.form_of(text)
    gap = [*takewhile(bool, map(_gap_of, lines[last : last + _MOST_GAP]))]
    title_at = max((k for k, kind in enumerate(gap) if kind == _TITLE), default=0)  # of the nearest
    height, step, count = last - first, len(gap) + last - first, _FEWEST if gap else 0
    while count:
        wanted = count = min(count, (len(lines) - 1 - last) // step)
        part = lines[last : last + step * count]
        for place, kind in enumerate(gap):
            between = part[place : step * count : step]
            if kind == _TITLE or any(between):  # nearly all gaps are empty lines
                shown = "\n".join(between).translate(_NUMBERS).split("\n")
                count = len([*takewhile(partial(_goes_on, kind=kind), shown)])
        titles = part[title_at::step] if _TITLE in gap else [""] * count
        del part[step * count :]
        for width in range(step, height, -1):
            del part[::width]
        boards = [*form.boards_in("\n".join([*part, ""]), text)]
        at = last + len(gap) + form.line
        count = min(16 * count, _MOST_ALIKE) if 1 < len(boards) == wanted else 0
        del boards[-1:]
        last += step * len(boards)
        if boards:
            yield last, range(at + 1, at + 1 + step * len(boards), step), boards, titles


@lru_cache(64)
def _goes_on(line: str, kind: str) -> bool:
    """Return whether a line is a gap of this kind between boards, each read by itself."""
    return _gap_of(line) == kind and not _is_of_board(line)


def _is_alone(lines: list[str]) -> bool:
    """Return whether the only board of a file is a full grid with no words after it but its name."""
    shown = [line for line in lines if line.strip()]
    if any(_gap_of(line) != _TITLE for line in shown):
        return True
    return is_grid_caption(" ".join(shown))


def _numbered(
    records: Iterable[BoardRecord], lines: list[str], before: int, first: int
) -> Iterator[BoardRecord]:
    """Yield the records of lines from the first on with their numbers in the file, and their texts."""
    for one in records:
        at = first + one.line
        yield one._replace(line=before + at, text=lines[at - 1][:KEPT])


def _cut_of(parsed: ParsedText) -> int:
    """Return the end of the last board of a piece that no following line can change; 0 if there is none."""
    if not (parsed.boards or parsed.left) and len(parsed.lines) > _MARGIN:
        return len(parsed.lines) - 1  # only words
    ends = (board.last for board in reversed(parsed.boards) if board.last < len(parsed.lines) - _MARGIN)
    return next((end for end in ends if _is_border(parsed, end)), 0)


def _is_border(parsed: ParsedText, end: int) -> bool:
    """Return whether the text below a board is another record."""
    is_line, is_above_text = parsed.kinds[end - 1] == LINE, parsed.kinds[end] in BLANK + TEXT
    if not is_line and not is_above_text:
        return False
    if end in parsed.bands:
        return False
    if parsed.numbers[end - 1] == parsed.numbers[end]:
        return False
    below = next((parsed.lines[k] for k in range(end, len(parsed.lines)) if parsed.lines[k].strip()), "")
    return below.strip()[:1] not in _OPENERS  # as [State]


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

    solutions = False
