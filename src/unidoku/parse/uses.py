"""What a text is read for: one puzzle, or the records of a file; the grid of an answer is in `answers`."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from unidoku.cell import VALUES, wrong_mark
from unidoku.errors import InvalidPuzzleError, Message
from unidoku.parse import links
from unidoku.parse.board import NO_PUZZLE, Board, Fault, clues_of, keeps_clues, mask_of
from unidoku.parse.boards import Page, block_of, is_doubtful
from unidoku.parse.faults import error_of, fault_of
from unidoku.parse.forms import Forms
from unidoku.parse.lists import CELL

_MARKS = 729
_LEAST = 8  # cells of lines of a file that are reported if they are no board
_LONG = 60  # characters of a line that is a record by itself
_NAME = r"the|my|a|here|is|so|final|completed?|solved|solution|answer|grid|board|sudoku|result|boxed"
_VARIABLE = r"(?:grid|board|sudoku|puzzle|solution|solved|answer|field)\w{0,8}(?:\[\w*\])*"
_ITS_OWN = re.compile(
    rf"""(?i)(?:[\s\#*"'`\[({{$\\]|\b(?:{_NAME})\b[:=]?|```[a-z]*
    |[\w \[\]<>*&,:]{{0,40}}?{_VARIABLE}\s*:?=(?=[^=\w]*(?:\0|\Z))
    |(?:array|tensor|matrix)\(|\{{\s*"\w{{1,12}}":(?=\s*[\["]*\s*(?:\0|\Z)))*(?:\0|\Z)[\s"'`\])}}.$*]*""",
    re.VERBOSE,
)
"""What may stand beside a full grid that is read as a puzzle: its name, and the signs of its form."""

_FORMS = Forms()


class Record(NamedTuple):
    """A board of a file, or why lines are none."""

    line: int
    """The number of its first line, from 1."""
    record: Board | Fault
    first: int
    """The same from 0, in the text of plain signs."""


def puzzle_in(text: str) -> Board:
    """Return the only board of a text; a puzzle with its solution or its candidates is one."""
    cells = _FORMS.cells_in(text)
    if cells and not is_doubtful(cells):
        return Board(cells, 0, 9)
    if board := links.board_in(text) or marks_in(text):
        return board
    page = Page(text)
    if page.left or not page.boards:
        raise error_of(page)
    found = _one(page.boards, page, range(len(page.lines)))
    if isinstance(found, Fault):
        raise found.error(page.numbers[found.line])
    if len(page.boards) == 1 and not found.marks:
        _FORMS.learn(text, found.cells)
    return found


def marks_in(text: str) -> Board | None:
    """Return the position of 729 signs, nine a cell; None for another text."""
    symbols = "".join(text.split()) if len(text) >= _MARKS else ""
    if len(symbols) != _MARKS or symbols.strip("123456789.0"):
        return None
    for place, symbol in enumerate(symbols):
        if VALUES[symbol] not in {0, place % 9 + 1}:
            raise InvalidPuzzleError(wrong_mark(symbol, place))
    marks = (*(mask_of(symbols[k : k + 9]) for k in range(0, _MARKS, 9)),)
    return Board(clues_of(marks), 0, 1, marks)


def _one(boards: Sequence[Board], page: Page, numbers: Iterable[int]) -> Board | Fault:
    """Return the one board of several: equal ones, or a puzzle and its solution or candidates."""
    marks = {board.marks: board for board in boards if board.marks}
    puzzles = {board.cells: board for board in reversed(boards) if not (board.is_full or board.marks)}
    full = {board.cells: board for board in boards if board.is_full}
    puzzle = next(iter(puzzles.values()), None)
    if len(puzzles) > 1 or len(full) > 1 or len(marks) > 1:
        return _two(boards, page)
    for grid in full.values():
        if puzzle and not puzzle.cells.strip("."):
            return Fault(NO_PUZZLE, grid.first)
        if puzzle and not keeps_clues(puzzle.cells, grid.cells):
            return _two(boards, page)
    for board in marks.values():
        cells = puzzle.cells if puzzle else board.cells
        if not all(
            clue == "." or mask >> int(clue) - 1 & 1
            for clue, mask in zip(cells, board.marks or (), strict=True)
        ):
            return _two(boards, page)
        return board._replace(cells=cells)
    if puzzle:
        return puzzle
    grid = full.popitem()[1]
    beside = (page.rests.get(k, page.lines[k]) for k in numbers if page.kinds[k] in "tl")
    return grid if all(map(_ITS_OWN.fullmatch, beside)) else Fault(NO_PUZZLE, grid.first)


def _two(boards: Sequence[Board], page: Page) -> Fault:
    """Return the fault of two boards in one text."""
    first = boards[0]
    second = next((board for board in boards if board.cells != first.cells), boards[-1])
    lines = [page.numbers[board.first] for board in (first, second)]
    if lines[0] == lines[1]:
        where = Message("in line", "in line {first}", first=lines[0])
    else:
        where = Message("at lines", "at line {first} and at line {second}", first=lines[0], second=lines[1])
    text = "the text has two different puzzles, {where}: {first} and {second}"
    message = Message("two puzzles", text, where=where, first=first.cells, second=second.cells)
    return Fault(message, second.first)


def boards_in(text: str) -> list[Board]:
    """Return the boards of a text that are records of a file; none if a record is damaged."""
    records = [one.record for one in records_in(Page(text, is_file=True), deque())]
    boards = [board for board in records if isinstance(board, Board)]
    return boards if len(boards) == len(records) else []


def records_in(page: Page, above: deque[str], end: int | None = None) -> list[Record]:
    """Return the boards of a file up to a line, and the lines that are none.

    A full grid below a puzzle that it solves is its solution, and no record; where any puzzle has empty
    cells, a full grid that solves none above it is a fault.  `above` has the puzzles before; those of the
    page are added.
    """
    records = [*_faults_in(page)]
    for _, group in groupby(page.boards, key=attrgetter("first")):
        boards = [*group]
        first = boards[0].first
        one = _one(boards, page, [first]) if page.kinds[first] == "l" else boards[0]
        records.append(Record(page.numbers[first], one, first))
    records = [record for record in records if end is None or record.first < end]
    return [*_without_solutions(sorted(records, key=attrgetter("first")), above)]


def _faults_in(page: Page) -> Iterator[Record]:
    """Yield why lines of cells are no board: a record for each block, and for each line of many cells."""
    for block in block_of(page.left):
        if sum(len(re.findall(CELL, page.lines[k])) for k in block) < _LEAST:
            continue
        for number in block if all(len(page.lines[k]) > _LONG for k in block) else block[:1]:
            fault = fault_of(page, number)
            yield Record(page.numbers[fault.line], fault, number)


def _without_solutions(records: Sequence[Record], above: deque[str]) -> Iterator[Record]:
    """Yield records without full grids that solve a puzzle above."""
    boards = [one.record for one in records if isinstance(one.record, Board)]
    # a full grid below a damaged part may be its solution
    are_full = not above and all(board.is_full for board in boards) and 2 * len(boards) > len(records)
    for one in records:
        board = one.record
        if isinstance(board, Board) and board.is_full and not are_full:
            if not any(keeps_clues(puzzle, board.cells) for puzzle in reversed(above)):
                yield one._replace(record=Fault(NO_PUZZLE, board.first))
            continue
        if isinstance(board, Board) and not board.is_full:
            above.append(board.cells)
        yield one
