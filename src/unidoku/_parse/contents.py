"""Find in a text one puzzle, or the records of a file; `_answers` finds the grid of an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from operator import attrgetter
from typing import NamedTuple

from unidoku._parse import links
from unidoku._parse.board import NO_PUZZLE, Board, agree, clues_of, mask_of
from unidoku._parse.boards import ParsedText
from unidoku._parse.errors import error_at, error_in, is_row
from unidoku._parse.forms import PUZZLES
from unidoku._parse.lines import BLANK, LINE, TEXT
from unidoku._parse.patterns import pattern
from unidoku.cell import PEERS, VALUES, wrong_mark
from unidoku.errors import InvalidPuzzleError, Reason

_MARKS, _DIGITS = 729, "123456789"
_COLUMN = 20  # lines of a cell each
_FULL = 7  # digits of a line of a damaged full grid, at least
_LONGEST_FILE = 1 << 62  # lines
_LONG = 60  # characters of a line that is a record by itself
_SIGN = pattern(r"\w")
_NOTHING = "." * 81
_NAME = r"the|my|a|here|is|so|final|completed?|solved|solution|answer|grid|board|sudoku|result"
_VARIABLE = r"(?:grid|board|sudoku|puzzle|solution|solved|answer|field)\w{0,8}(?:\[\w*\])*"
_TAG = r"<[a-z|/][^<>\n]{0,30}>"
_LIBRARY_LINE = pattern(r"\s*:\d{4}(?:-\w+)?:[\dx ]*:((?:\+?[0-9.]){81}):((?:[1-9]{3}(?: |(?=:)))*):.*\s*")
_END = r"\[[a-z_/]{2,12}\]"  # of a generation, such as [EOS]
_GRID_CAPTION = pattern(  # the first part is atomic: there is no other way to read it
    rf"""(?i)(?>(?:[\w \[\]<>*&,:]{{0,40}}?{_VARIABLE}\s*:?=|"\w{{1,12}}":(?=[\s\["]*(?:\0|\Z))|`{{3,}}[a-z]*
    |[\s\#*"'`\[({{$\\]|{_TAG}|\b(?:{_NAME})\b(?:[ \#]{{,2}}\d{{1,5}}\b)?[:=]?)*)
    (?:\0|\Z)(?:[\s"'`\])}}.!?…。✓,$*]|{_TAG}|{_END})*""",
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


def only_board(text: str) -> Board:
    """Return the only board of a text; a puzzle with its solution or its candidates is one."""
    for read in (links.board_in, marks_in, library_line_in):
        if board := read(text):
            return board
    parsed = ParsedText(text)
    if parsed.others or not parsed.boards:
        raise error_in(parsed)
    found = _one(parsed.boards, parsed)
    if isinstance(found, InvalidPuzzleError):
        raise found
    texts = (
        parsed.rests.get(k, line) for k, line in enumerate(parsed.lines) if parsed.kinds[k] in TEXT + LINE
    )
    if found.is_full and not all(map(is_grid_caption, texts)):
        raise InvalidPuzzleError(NO_PUZZLE, line=parsed.numbers[found.first])
    if len(parsed.boards) + len(parsed.left) == 1:
        PUZZLES.learn(text, found.cells)
    return found


def marks_in(text: str) -> Board | None:
    """Return the position of 729 signs, nine a cell; None for another text."""
    symbols = "".join(text.split())
    if len(symbols) != _MARKS or symbols.strip("123456789.0"):
        return None
    for place, symbol in enumerate(symbols):
        if VALUES[symbol] not in {0, place % 9 + 1}:
            raise InvalidPuzzleError(wrong_mark(symbol, place))
    marks = (*(mask_of(symbols[k : k + 9]) for k in range(0, _MARKS, 9)),)
    return Board(clues_of(marks), 0, 1, marks)


def library_line_in(text: str) -> Board | None:
    """Return the position of a line of HoDoKu's library; None for another text.

    The fields are a technique, digits, the cells (a plus before a digit that is not a clue), candidates that
    are removed (digit, row, column), and what the technique does there.
    """
    line = _LIBRARY_LINE.fullmatch(text)
    if line is None:
        return None
    cells, marks = line[1].replace("+", ""), list[int]()
    for cell, digit in enumerate(cells):
        candidates = {*_DIGITS}.difference(map(cells.__getitem__, PEERS[cell]))
        marks.append(mask_of(digit if digit in _DIGITS else "".join(candidates)))
    for digit, row, column in map(tuple, line[2].split()):
        marks[9 * int(row) + int(column) - 10] &= ~mask_of(digit)
    return Board(re.sub(r"\+[0-9]|0", ".", line[1]), 0, 1, (*marks,))


def _one(boards: Sequence[Board], parsed: ParsedText) -> Board | InvalidPuzzleError:
    """Return the one board of several: equal boards, or a puzzle and its solution or candidates."""
    clues: dict[object, Board] = {}
    positions: dict[object, Board] = {}
    grids: dict[object, Board] = {}
    for board in boards:
        kind = positions if board.marks else grids if board.is_full else clues
        kind.setdefault((board.cells, board.marks), board)
    if len(clues) > 1:
        clues.pop((_NOTHING, None), None)  # the form of an answer
    found = [*clues.values(), *positions.values(), *grids.values()]
    are_alike = max(map(len, (clues, positions, grids))) == 1
    if not are_alike or not all(agree(found[0].masks, one.masks) for one in found[1:]):
        first, second, *_ = sorted(found, key=attrgetter("first"))
        at, below = parsed.numbers[first.first], parsed.numbers[second.first]
        text = (
            "the text has two different puzzles, {first} at line {at} and {second} at line {below}; "
            "keep one of them"
        )
        message = Reason("two_boards", text, at=at, below=below, first=first.cells, second=second.cells)
        return InvalidPuzzleError(message, line=below)
    shown = next(iter(positions.values()), found[0])
    return Board(found[0].cells, *shown[1:])


def records_in(parsed: ParsedText, end: int = _LONGEST_FILE) -> list[BoardRecord]:
    """Return the boards of a part of a file up to a line, and the blocks that are none."""
    records, used = list[BoardRecord](), set[int]()  # lines next to boards, which belong to their blocks
    for first, group in groupby(parsed.boards, key=attrgetter("first")):
        boards = [*group]
        is_full = all(board.is_full for board in boards)
        one, caption = _one(boards, parsed), parsed.rests.get(first) or parsed.heading(first)
        near = {*parsed.beside(boards[0])} - used
        if near:
            used |= near
            one = error_at(parsed, min(near))
        line = parsed.numbers[min(near, default=first)]
        records.append(BoardRecord(line, one, first, is_full, is_grid_caption(caption)))
    records = [one for one in chain(records, _faults_in(parsed, used)) if one.first < end]
    return sorted(records, key=attrgetter("first"))


def _faults_in(parsed: ParsedText, used: set[int]) -> Iterator[BoardRecord]:
    """Yield why lines of cells are not a board: a record for each block, and for each line of many cells.

    Only rules and damaged rows are between the lines of a block.
    """
    blocks = list[list[int]]()
    last = -1
    for number in parsed.left:
        between = slice(last + 1, number)
        words = filter(_SIGN.search, parsed.lines[between])
        goes_on = {BLANK, LINE}.isdisjoint(parsed.kinds[between]) and all(map(is_row, words))
        if last < 0 or not goes_on:
            blocks.append([])
        blocks[-1].append(number)
        last = number
    for block in filter(used.isdisjoint, blocks):
        texts = [parsed.lines[k] for k in block]
        if len(block) < _COLUMN and not any(map(is_row, texts)):  # a number of a page, or text without cells
            continue
        is_full = len(re.findall("[1-9]", "".join(texts))) >= _FULL * len(texts)
        are_records = min(map(len, texts)) > _LONG
        for number in block if are_records else block[:1]:
            fault = error_at(parsed, number, (number if are_records else block[-1]) + 1)
            yield BoardRecord(fault.line or 1, fault, number, is_full)
