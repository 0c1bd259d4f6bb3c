"""Find in a text one puzzle, or the records of a file; `answers` finds the grid of an answer."""

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
from unidoku.parse.board import NO_PUZZLE, Board, clues_of, keeps_clues, mask_of
from unidoku.parse.boards import ParsedText
from unidoku.parse.errors import error_at, error_in, is_row
from unidoku.parse.forms import PUZZLES

_MARKS = 729
_COLUMN = 20  # lines of a cell each
_FULL = 7  # digits of a line of a damaged full grid, at least
_LONG = 60  # characters of a line that is a record by itself
_ABOVE = 1000  # puzzles that a grid may solve
_LOST = "x" * 81  # a puzzle that no grid solves
_NAME = r"the|my|a|here|is|so|final|completed?|solved|solution|answer|grid|board|sudoku|result|boxed"
_VARIABLE = r"(?:grid|board|sudoku|puzzle|solution|solved|answer|field)\w{0,8}(?:\[\w*\])*"
_TAG = r"</?[a-z|][^<>\n]{0,30}>"
_GRID_CAPTION = re.compile(
    rf"""(?i)(?:[\s\#*"'`\[({{$\\]|{_TAG}|\b(?:{_NAME})\b(?:[ ]?\#?\d{{1,5}}\b)?[:=]?|```[a-z]*
    |[\w \[\]<>*&,:]{{0,40}}?{_VARIABLE}\s*:?=(?=[^=\w]*(?:\0|\Z))
    |(?:array|tensor|matrix)\(|(?:\{{\s*)?"\w{{1,12}}":(?=\s*[\["]*\s*(?:\0|\Z)))*(?:\0|\Z)(?:[\s"'`\])}}.,$*]|{_TAG})*""",
    re.VERBOSE,
)
"""The text allowed next to a full grid that is read as a puzzle: its name, and characters of its form."""


class BoardRecord(NamedTuple):
    """A board of a file, or why lines are none."""

    line: int
    """The number of its first line, from 1."""
    record: Board | InvalidPuzzleError
    first: int
    """The same from 0, in the text of plain signs."""
    is_full: bool
    """Whether it has no empty cells, perhaps damaged."""
    is_alone: bool = True
    """Whether only its name is above it, so that a full grid is a puzzle."""
    text: str = ""
    """The beginning of the line, in a file."""


def is_grid_caption(text: str) -> bool:
    """Return whether a text next to a full grid only says that it is a grid."""
    return _GRID_CAPTION.fullmatch(text) is not None


def puzzle_in(text: str) -> Board:
    """Return the only board of a text; a puzzle with its solution or its candidates is one."""
    if board := links.board_in(text) or marks_in(text):
        return board
    parsed = ParsedText(text)
    if (parsed.left and parsed.others) or not parsed.boards:
        raise error_in(parsed)
    found = _one(parsed.boards, parsed)
    if isinstance(found, InvalidPuzzleError):
        raise found
    beside = (parsed.rests.get(k, line) for k, line in enumerate(parsed.lines) if parsed.kinds[k] in "tl")
    if found.is_full and not all(map(is_grid_caption, beside)):
        raise InvalidPuzzleError(NO_PUZZLE, line=parsed.numbers[found.first])
    if len(parsed.boards) == 1 and not (found.marks or parsed.left):
        PUZZLES.learn(text, found.cells)
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


def _one(boards: Sequence[Board], parsed: ParsedText) -> Board | InvalidPuzzleError:
    """Return the one board of several: equal boards, or a puzzle and its solution or candidates."""
    positions, puzzles, grids = _different(boards)
    if max(len(positions), len(puzzles), len(grids)) > 1:
        return _two(boards, parsed)
    position, puzzle, solution = (found[0] if found else None for found in (positions, puzzles, grids))
    if puzzle and solution:
        if not puzzle.cells.strip("."):
            return InvalidPuzzleError(NO_PUZZLE, line=parsed.numbers[solution.first])
        if not keeps_clues(puzzle.cells, solution.cells):
            return _two(boards, parsed)
    if position:
        clues = puzzle.cells if puzzle else position.cells
        return position._replace(cells=clues) if _allows(position, clues) else _two(boards, parsed)
    return puzzle or grids[0]


def _different(boards: Sequence[Board]) -> tuple[list[Board], list[Board], list[Board]]:
    """Return the different positions, puzzles and full grids among boards."""
    positions = {board.marks: board for board in boards if board.marks}
    puzzles = {board.cells: board for board in reversed(boards) if not (board.is_full or board.marks)}
    grids = {board.cells: board for board in boards if board.is_full}
    if len(puzzles) > 1:
        puzzles.pop("." * 81, None)  # the form of an answer
    return [*positions.values()], [*puzzles.values()], [*grids.values()]


def _allows(position: Board, clues: str) -> bool:
    """Return whether each clue is among the candidates of its cell."""
    pairs = zip(clues, position.marks or (), strict=True)
    return all(clue == "." or mask >> int(clue) - 1 & 1 for clue, mask in pairs)


def _two(boards: Sequence[Board], parsed: ParsedText) -> InvalidPuzzleError:
    """Return the error of two boards in one text."""
    first = boards[0]
    second = next((board for board in boards if board.cells != first.cells), boards[-1])
    at, below = (parsed.numbers[board.first] for board in (first, second))
    text = "the text has two different puzzles, at line {at} and at line {below}: {first} and {second}"
    message = Message(text, at=at, below=below, first=first.cells, second=second.cells)
    return InvalidPuzzleError(message, line=below)


def records_in(parsed: ParsedText, end: int | None = None) -> list[BoardRecord]:
    """Return the boards of a part of a file up to a line, and the blocks that are none."""
    records, used = list[BoardRecord](), set[int]()  # lines next to boards, which belong to their blocks
    for first, group in groupby(parsed.boards, key=attrgetter("first")):
        boards = [*group]
        is_line = parsed.kinds[first] == "l"
        one = _one(boards, parsed) if is_line else boards[0]
        if parsed.left and (near := {*parsed.beside(boards[0])} - used):
            one = error_at(parsed, min(near))
            used |= near
        line = parsed.numbers[first] if isinstance(one, Board) else one.line
        is_alone = is_grid_caption(parsed.rests[first] if is_line else parsed.heading(first))
        records.append(BoardRecord(line or 1, one, first, all(board.is_full for board in boards), is_alone))
    records += _faults_in(parsed, used)
    records = [record for record in records if end is None or record.first < end]
    return sorted(records, key=attrgetter("first"))


def _faults_in(parsed: ParsedText, used: set[int]) -> Iterator[BoardRecord]:
    """Yield why lines of cells are not a board: a record for each block, and for each line of many cells."""
    for block in filter(used.isdisjoint, filter(None, _blocks_in(parsed))):
        texts = [parsed.lines[k] for k in block]
        if len(block) < _COLUMN and not any(map(is_row, texts)):  # a number of a page, or text without cells
            continue
        digits = sum(text.count(digit) for text in texts for digit in "123456789")
        is_full = digits >= _FULL * len(texts)
        are_alone = all(len(text) > _LONG for text in texts)
        for number in block if are_alone else block[:1]:
            fault = error_at(parsed, number, (number if are_alone else block[-1]) + 1)
            yield BoardRecord(fault.line or 1, fault, number, is_full)


def _blocks_in(parsed: ParsedText) -> Iterator[list[int]]:
    """Yield the lines of each block that no board explains, with only rules and damaged rows between."""
    block = list[int]()
    for number in parsed.left:
        between = range(block[-1] + 1, number) if block else range(0)
        texts = [parsed.lines[k] for k in between if re.search(r"\w", parsed.lines[k])]
        if not all(map(is_row, texts)) or any(parsed.kinds[k] in "bcl" for k in between):
            yield block
            block = []
        block.append(number)
    yield block


def without_solutions(records: Iterable[BoardRecord]) -> Iterator[BoardRecord]:
    """Yield the records of a file without full grids that solve a puzzle above: each puzzle owns one of them.

    Another full grid is a fault where any puzzle is in the file, or was lost.
    """
    above, full, is_below = deque[str](maxlen=_ABOVE), list[BoardRecord](), False  # puzzles that own none yet
    for one in records:
        board = one.record
        if not one.is_full:
            yield from map(_without_puzzle, full)
            full.clear()
            above.append(board.cells if isinstance(board, Board) else _LOST)
            is_below = True
            yield one
        elif not is_below:  # whether a puzzle is below is not known yet
            full.append(one if one.is_alone else _without_puzzle(one))
            if len(full) > _ABOVE:
                yield from full
                full.clear()
        elif not isinstance(board, Board):
            yield one
        elif above and above[-1] == _LOST:  # its solution
            above.pop()
        else:
            places = range(len(above) - 1, -1, -1)
            owner = next((k for k in places if keeps_clues(above[k], board.cells)), None)
            if owner is None:
                yield _without_puzzle(one)
            else:
                del above[owner]
    yield from full


def _without_puzzle(one: BoardRecord) -> BoardRecord:
    """Return a full grid whose puzzle is missing as a fault."""
    return one._replace(record=InvalidPuzzleError(NO_PUZZLE)) if isinstance(one.record, Board) else one
