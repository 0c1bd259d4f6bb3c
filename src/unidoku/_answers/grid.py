"""The grid in a text of a person or a language model, without objects and thoughts."""

from __future__ import annotations

import re
from contextlib import suppress
from operator import attrgetter

from unidoku._parse.board import Board
from unidoku._parse.boards import NAME_FIRST, ParsedText
from unidoku._parse.errors import error_at
from unidoku._parse.forms import SeenLayouts
from unidoku._parse.lines import BLANK, CELLS, LABEL, MANY, ROW_NAME, TEXT
from unidoku._parse.lists import CELL
from unidoku._parse.rows import board_of_rows, unlabelled
from unidoku.cell import CELL_CODES, HOUSES, NO_GRID, ONLY_COPY
from unidoku.errors import InvalidPuzzleError, Reason

_CELLS = 81
_PROSE = re.compile(r"\n(?=([^\n]*?[^\W\d_]{3}[^\n]*)\n)")
"""The begin of a line with words, which is prose if it has fewer digits than a row."""
_TAIL = 1000
"""Characters at the end of an answer that are read first, at most."""
_SEEN = SeenLayouts()
_NINE_DIGITS = re.compile(  # with one separator, and their sum after them
    r"\W{0,4}[1-9]([ ]?[|,;&+][ ]?|[ \t]{0,3})[1-9](?:\1[1-9]){7}(?i:[ |,.;&\t()\]}\\✓✔✅=:]|45|sum|total)*"
)
_COUNT = "123456789"
_ONE_ROW = range(9, 18)  # cells, perhaps with its number and its sum
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
    others = (puzzle, _COUNT * 9)
    boards = [*parsed.boards, *_apart(parsed)]
    boards = [board for board in boards if not board.marks and board.cells not in others]
    boards.sort(key=attrgetter("first"))
    damaged = [board.first for board in boards if parsed.beside(board) or parsed.follows_row(board)]
    whole = [board for board in boards if board.first not in damaged]
    full = [board for board in whole if board.is_full]
    if full and not puzzle:
        whole = full
    last = whole[-1] if whole else None
    begin, grid = (last.last, last.cells) if last else (0, "")
    after = range(begin, len(parsed.lines))
    marked = {line for line in after if parsed.kinds[line] == TEXT and _is_marked(parsed.lines[line])}
    lines = sorted(marked.union(line for line in parsed.left if line >= begin))
    faults = [*_rows_of_another(parsed, lines, grid, puzzle), *(line for line in damaged if line >= begin)]
    if faults:
        text = "the last grid of the answer is damaged: {reason}"
        raise InvalidPuzzleError(Reason("no_grid", text, reason=error_at(parsed, faults[0]).message))
    if last is None or (parsed.left and not full):
        if parsed.left:
            raise InvalidPuzzleError(error_at(parsed, parsed.left[-1]).message)
        has_copy = any(board.cells == puzzle for board in parsed.boards)
        raise InvalidPuzzleError(ONLY_COPY if has_copy else NO_GRID)
    return last, [*parsed.boards, *parsed.left, *lines] == [last]


def _houses_of(cells: str) -> list[str]:
    """Return the cells of each house of a grid; nothing without one."""
    return ["".join(map(cells.__getitem__, house)) for house in HOUSES] if cells else []


def _rows_of_another(parsed: ParsedText, lines: list[int], grid: str, puzzle: str) -> list[int]:
    """Return the lines after the last grid that are meant as another grid, or as a row that corrects it.

    The rows, columns and boxes of the grid, the rows of the puzzle, and lists of digits are neither.
    """
    houses, rows, corrections = _houses_of(grid), dict[int, str](), list[int]()
    again = list[str]()
    for number in lines:
        line = parsed.lines[number]
        cells = "".join(re.findall("[1-9]" if parsed.kinds[number] == TEXT else CELL, line)).translate(_DOTS)
        may_be_row = len(cells) in _ONE_ROW  # only these are looked at, so that work is linear
        is_named_row = may_be_row and ROW_NAME.search(line) is not None
        is_house = may_be_row and any(house in cells for house in houses[9:])
        if (is_house and not is_named_row) or _ascends(cells):
            continue
        rows[number] = cells
        digits = (_row_in(line) or _row_in(LABEL.sub("", line, 1))) if may_be_row else ""
        again.append(digits)
        is_row = len({*digits}) == 9 and digits not in (*houses, _COUNT, _COUNT[::-1])
        if is_row and (is_named_row or not NAME_FIRST.match(line)):
            corrections.append(number)
    if again == houses[:9] or "".join(rows.values()) in (grid, puzzle):
        return []
    sizes = [*map(len, rows.values())]
    if sum(size >= _SHORT for size in sizes) >= _FEWEST_ROWS or sum(sizes) >= _LONG:
        return [*rows]
    return corrections if grid else []


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
    if not {*parsed.kinds[first:last]} <= {CELLS, TEXT, BLANK}:
        return []  # more than text is between them
    bodies = unlabelled([parsed.lines[number] for number in rows])
    if bodies is None:
        return []
    board = board_of_rows([body.rstrip(" .;✓") for body in bodies], first, last + 1)
    if board is None:
        return []
    parsed.left[:] = [number for number in parsed.left if number not in rows]
    return [board]
