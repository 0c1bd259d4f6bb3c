"""The grid in a text of a person or a language model, without objects and thoughts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from unidoku.cell import CELL_CODES, HOUSES, NO_GRID, ONLY_COPY
from unidoku.errors import InvalidPuzzleError, Reason
from unidoku.parse.board import Board
from unidoku.parse.boards import NAME_FIRST, ParsedText
from unidoku.parse.errors import error_at
from unidoku.parse.forms import SeenLayouts
from unidoku.parse.lines import LABEL, MANY, ROW_NAME
from unidoku.parse.lists import CELL
from unidoku.parse.rows import board_of_rows, unlabelled

_CELLS = 81
_PROSE = re.compile(r"\n(?=([^\n]*?[^\W\d_]{3}[^\n]*)\n)")
"""The begin of a line with words, which is prose if it has fewer digits than a row."""
_TAIL = 1000
"""Characters at the end of an answer that are read first, at most."""
_SEEN = SeenLayouts()
_NINE_DIGITS = re.compile(  # with one separator, and their sum after them
    r"\W{0,4}[1-9]([ ]?[|,;&+][ ]?|[ \t]{0,3})[1-9](?:\1[1-9]){7}(?i:[ |,.;&\t()\]}\\✓✔✅=:]|45|sum|total)*"
)
_COLUMNS = re.compile(  # a heading of columns or boxes
    r"(?i)\W*(?:[^\W\d]+\W+){0,3}(?:col(?:umn)?|box|block|region|square)e?s(?:\W+check\w*)?\W*"
    r"|\W*[每各所有检查验证]*[列宫]\W*"
)
_COUNT = "123456789"
_TWO_ROWS = 18  # cells
_FEWEST_ROWS, _SHORT, _LONG = 4, 5, 60
"""Lines of what is meant as a board, cells of one of them, and cells of all."""
_WORD, _DOTS = re.compile(r"[^\W\d_]{2,}"), str.maketrans("0_-*?xX", "." * 7)
_NAME = re.compile(r"[^\W\d_]\d|\A\W*[^\W\d_]+ ?\d")  # of a cell, or of a column or box before its cells
_ROW_DIGITS = range(8, 13)  # of a row with signs around cells, perhaps its number and its sum


def grid_in(text: str, puzzle: str) -> bytes:
    """Return the cells of the last grid of a text, or of the last full grid if no puzzle is known.

    Candidates and copies of the puzzle are skipped. The end is read first, where most answers have the grid.
    """
    cells = _SEEN.cells_in(text)
    if not cells or "." in cells or cells == puzzle:
        cells = _full_grid_at_end(text, puzzle)
    if not cells:
        parsed = ParsedText(text, MANY)
        board, is_alone = _last_grid(parsed, puzzle)
        cells = board.cells
        if is_alone and len(text) < _TAIL:
            _SEEN.learn(text, cells)
    return cells.encode().translate(CELL_CODES)


def _full_grid_at_end(text: str, puzzle: str) -> str:
    """Return the full grid after the last line of words before it; nothing if that is not certain."""
    for match in [*_PROSE.finditer(text, max(0, len(text) - _TAIL))][::-1]:
        if sum(map(str.isdigit, match[1])) >= 9 or not has_cells(text[match.end() :]):
            continue
        with suppress(InvalidPuzzleError):
            board, _ = _last_grid(ParsedText(text[match.end() :], MANY), puzzle)
            return board.cells if board.is_full else ""
        break
    return ""


def has_cells(text: str) -> bool:
    """Return whether a text has as many digits as a grid."""
    return sum(map(text.count, "123456789")) >= _CELLS


def _last_grid(parsed: ParsedText, puzzle: str) -> tuple[Board, bool]:
    """Return the grid of an answer, and whether it is the only grid; the text after it can repeat it."""
    boards = _boards_of_answer(parsed, puzzle)
    damaged = [board.first for board in boards if parsed.beside(board) or parsed.follows_row(board)]
    whole = [board for board in boards if board.first not in damaged]
    full = [board for board in whole if board.is_full]
    if full and not puzzle:
        whole = full
    last = whole[-1] if whole else None
    lines = _lines_after(parsed, last)
    _refuse_damage(parsed, last, lines, damaged, puzzle)
    has_only_parts = parsed.left and not full
    if last is None or has_only_parts:
        raise InvalidPuzzleError(_why_no_grid(parsed, puzzle))
    return last, [*parsed.boards, *parsed.left, *lines] == [last]


def _boards_of_answer(parsed: ParsedText, puzzle: str) -> list[Board]:
    """Return the boards that may be the answer: no candidates, no copy of the puzzle, no nine counts to 9."""
    others = (puzzle, _COUNT * 9)
    boards = [*parsed.boards, *_apart(parsed)]
    boards = [board for board in boards if not board.marks and board.cells not in others]
    return sorted(boards, key=attrgetter("first"))


def _refuse_damage(
    parsed: ParsedText, last: Board | None, lines: list[int], damaged: list[int], puzzle: str
) -> None:
    """Refuse an answer whose last grid is damaged, by the first line that shows it."""
    for number in _faults_after(parsed, last, lines, damaged, puzzle):
        text = "the last grid of the answer is damaged: {reason}"
        raise InvalidPuzzleError(Reason("no_grid", text, reason=error_at(parsed, number).message))


def _faults_after(
    parsed: ParsedText, last: Board | None, lines: list[int], damaged: list[int], puzzle: str
) -> Iterator[int]:
    """Yield the lines after the last grid that are meant as another grid, or as a tenth row."""
    if last is None:
        yield from _others(parsed, lines, "", puzzle)
        yield from damaged
        return
    yield from _others(parsed, lines, last.cells, puzzle)
    yield from (first for first in damaged if first >= last.last)
    if lines and _is_tenth(parsed, last, lines[0]):
        yield lines[0]


def _why_no_grid(parsed: ParsedText, puzzle: str) -> Reason:
    """Return why an answer has no grid: its last damaged line, or that it only repeats the puzzle."""
    if parsed.left:
        return error_at(parsed, parsed.left[-1]).message
    if any(board.cells == puzzle for board in parsed.boards):
        return ONLY_COPY
    return NO_GRID


def _houses_of(cells: str) -> list[str]:
    """Return the cells of each house of a grid; nothing without one."""
    return ["".join(map(cells.__getitem__, house)) for house in HOUSES] if cells else []


def _lines_after(parsed: ParsedText, board: Board | None) -> list[int]:
    """Return the lines after a board that have cells, perhaps with signs around them, and belong to none."""
    begin = board.last if board else 0
    left = parsed.left
    marked = (
        number
        for number, line in enumerate(parsed.lines[begin:], begin)
        if parsed.kinds[number] == "t" and _is_marked(line)
    )
    return sorted({number for number in left if number >= begin}.union(marked))


def _is_tenth(parsed: ParsedText, board: Board, number: int) -> bool:
    """Return whether a line of cells has this number, or is apart from a board as its bands are."""
    line, joints = parsed.lines[number], {*parsed.kinds[board.first : board.last]} & {*"b-="}
    if name := ROW_NAME.match(line):
        return line[name.end() :][:1].isdigit()
    if parsed.kinds[number] not in "cne":
        return False
    if NAME_FIRST.match(line):
        return False
    return joints.issuperset(parsed.kinds[board.last : number])


def _others(parsed: ParsedText, lines: list[int], grid: str, puzzle: str) -> list[int]:
    """Return lines that are meant as another grid: no columns or boxes of this one, nor its rows again."""
    if not lines:
        return []
    houses = _houses_of(grid)
    evidence = [*_evidence_on(parsed, lines, houses)]
    rows = [line for line in evidence if line.may_be_row]
    rows = _without_copy(rows, puzzle)
    if _is_grid(rows):
        if _are_again(parsed, rows, houses[:9]):
            return []
        return [row.number for row in rows]
    if not grid:
        return []
    return [line.number for line in evidence if line.is_correction]


def _is_grid(rows: list[_Evidence]) -> bool:
    """Return whether rows are as many as of a grid, perhaps a damaged one, or have as many cells."""
    sizes = [len(row.cells) for row in rows]
    if sum(size >= _SHORT for size in sizes) >= _FEWEST_ROWS:
        return True
    return sum(sizes) >= _LONG


class _Evidence(NamedTuple):
    """How a line after the last grid of an answer relates to the grid (law 21)."""

    number: int
    cells: str
    is_house: bool = False
    """Whether it is a column or a box of the grid, under a name."""
    is_correction: bool = False
    """Whether it is nine digits without a name that do not match a house of the grid."""

    @property
    def may_be_row(self) -> bool:
        """Whether it may be a row of another grid."""
        if not self.cells or self.is_house:
            return False
        return not _ascends(self.cells)


def _evidence_on(parsed: ParsedText, lines: list[int], houses: list[str]) -> Iterator[_Evidence]:
    """Yield what each line says; a heading of columns or boxes holds for the lines below it."""
    is_below_heading = False
    for before, number in pairwise((-1, *lines)):
        line = parsed.lines[number]
        cells = _cells_on(line, is_text=parsed.kinds[number] == "t")
        if not 9 <= len(cells) < _TWO_ROWS:
            yield _Evidence(number, cells)
            continue
        if number - before > 1:
            is_below_heading = _COLUMNS.fullmatch(parsed.heading(number)) is not None
        has_name = is_below_heading or NAME_FIRST.match(line) is not None
        if has_name and not ROW_NAME.search(line):
            yield _Evidence(number, cells, is_house=any(house in cells for house in houses[9:]))
        else:
            yield _Evidence(number, cells, is_correction=_is_correction(line, houses))


def _cells_on(line: str, *, is_text: bool) -> str:
    """Return the cells of a line, with dots for empty cells; of a line of text only its digits."""
    return "".join(re.findall("[1-9]" if is_text else CELL, line)).translate(_DOTS)


def _is_correction(line: str, houses: list[str]) -> bool:
    """Return whether a line is the nine digits in an order that no house has, and not a count."""
    digits = _row_in(line) or _row_in(LABEL.sub("", line, 1))
    if len({*digits}) != 9:
        return False
    return digits not in (*houses, _COUNT, _COUNT[::-1])


def _without_copy(rows: list[_Evidence], puzzle: str) -> list[_Evidence]:
    """Return rows without the rows of a whole copy of the puzzle."""
    given = _houses_of(puzzle)[:9]
    copy = [row for row in rows if any(own in row.cells for own in given)]
    if len(copy) != 9:
        return rows
    return [row for row in rows if row not in copy]


def _are_again(parsed: ParsedText, rows: list[_Evidence], grid: list[str]) -> bool:
    """Return whether nine rows, or as many cells, repeat the grid."""
    if "".join(row.cells for row in rows) == "".join(grid):
        return True
    if len(rows) != 9:
        return False
    first = rows[0].number
    texts = parsed.lines[first : first + 9]
    return [*map(_row_in, unlabelled(texts) or texts)] == grid


def _ascends(row: str) -> bool:
    """Return whether the digits of a line, perhaps after a number, are a list of digits: they ascend."""
    if len(row) < _SHORT:
        return False
    digits = row.replace(".", "")
    return any([*digits[k:]] == sorted({*digits[k:]}) for k in (0, 1))


def _row_in(line: str) -> str:
    """Return the nine digits of a row, if nothing else but its sum or a remark is with them."""
    match = _NINE_DIGITS.fullmatch(line)
    if not match:
        return ""
    return re.sub("[^1-9]", "", match[0])[:9]


def _is_marked(line: str) -> bool:
    """Return whether a line of text is more than prose: a row's digits, no names of cells, few words."""
    label = LABEL.match(line)
    body = line[label.end() :] if label else line
    if _NAME.search(body):
        return False
    digits = sum(map(str.isdigit, body))
    if digits in _ROW_DIGITS or digits >= _LONG:
        return len({*_WORD.findall(body)}) < 3
    if not 0 < digits < _ROW_DIGITS[0]:
        return False
    return not re.search(r"[^\W\d_]", body)


def _apart(parsed: ParsedText) -> list[Board]:
    """Return a board of rows that labels count, with sentences between."""
    rows = [number for number in parsed.left if LABEL.match(parsed.lines[number])][-9:]
    if len(rows) < 9:
        return []
    first, last = rows[0], rows[-1]
    around = {number for number in parsed.left if first - 1 <= number <= last + 1}
    if around != {*rows}:
        return []
    if not {*parsed.kinds[first:last]} <= {*"ctb"}:
        return []  # more than text is between them
    bodies = unlabelled([parsed.lines[number] for number in rows])
    if bodies is None:
        return []
    board = board_of_rows([body.rstrip(" .;✓") for body in bodies], first, last + 1)
    if board is None:
        return []
    parsed.left[:] = [number for number in parsed.left if number not in rows]
    return [board]
