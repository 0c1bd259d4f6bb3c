"""The grid in a text of a person or a language model, without objects and thoughts."""

from __future__ import annotations

import re
from itertools import chain
from string import ascii_letters

from unidoku._parse.board import Board
from unidoku._parse.boards import ParsedText
from unidoku._parse.errors import error_at
from unidoku._parse.forms import SeenLayouts
from unidoku._parse.lines import LABEL, MANY, ROW_NAME, cells_shown
from unidoku._parse.lists import CALL, CELL, EMPTY_WORDS
from unidoku._parse.rows import board_of_rows, unlabelled
from unidoku._parse.signs import SIGNS
from unidoku.cell import CELL_CODES, HOUSES, NO_GRID, ONLY_COPY
from unidoku.errors import InvalidPuzzleError, Reason

_CELLS = 81
_LONGEST_SEEN = 1000  # characters of a text whose form is kept
_SEEN = SeenLayouts()
_NINE_DIGITS = re.compile(  # with one separator, and their sum after them
    r"\W{0,4}[1-9]([ ]?[|,;&+][ ]?|[ \t]{0,3})[1-9](?:\1[1-9]){7}(?i:[ |,.;&\t()\]}\\✓✔✅=:]|45|sum|total)*"
)
_NONE = Board("", 0, 0, (0,))
"""No board, before the first one."""
_FEWEST_ROWS, _SHORT, _LONG = 4, 5, 60
"""Lines of what is meant as a board, cells of one of them, and cells of all."""


class _Shown(dict[int, str | None]):
    """The kinds of characters: 5 for a cell, ``a`` for a letter, ``|`` in tables, ``!`` for markup.

    A letter that no heading of columns has is ``w``. Others are marks around cells, or between them.
    """

    def __missing__(self, code: int) -> str:
        sign = SIGNS[code]
        self[code] = kind = sign.translate(self) if sign.isascii() else "w" * sign.isalpha()
        return kind


_SHOWN = _Shown(
    {
        **dict.fromkeys(range(128)),
        **dict.fromkeys(ascii_letters.encode(), "w"),
        **dict.fromkeys(b"abcdefghinrABCDEFGHINR", "a"),
        **dict.fromkeys(b"0123456789.*_-?xX", "5"),
        **dict.fromkeys(b"&[]|", "|"),
        **dict.fromkeys(b"<\\\x1b", "!"),
        ord("\n"): "\n",
    }
)
_OTHERS = re.compile(r"[^\x00-\x7f]+")
"""Signs that are shown first: a text without them is shown ten times as fast."""
_EMPTY = re.compile(rf"{EMPTY_WORDS}|\"\"|''")
_CELLS_ALONE = re.compile(r"[5|]+").fullmatch
_MARKS = dict.fromkeys(b"*_`$~=!()[]")
_DEPENDENT = ("[*]", "_", "`", "[$]", r"[\[(]\d[\])]|[~=]\d|\d[*!]", r"[^\x00-\x7f]")
"""Marks around words or digits, which other lines with the same mark can make cells."""
_CODE = re.compile(r"\w\(\s*\d,?\s*\)|Just \d|\[\s*\Z|\d\[/").search
"""A name called on one digit, as programs write cells, the beginning of a list, or a digit in a tag."""
_NEAR = re.compile(".{,2}c(?:.{,2}c)*.{,2}")
"""Lines with cells and two on each side, by the kinds of `_kind_of`."""
_DOUBTS = [  # something in these lines, and what elsewhere may change its meaning
    (re.compile(mark).search, re.compile(elsewhere).search)
    for mark, elsewhere in (
        ("", r"<|\\|shape:[ ]|(?:matrix|array|structure)\("),
        (r"[\[({\"']", rf"{CALL}|(?:[\[({{]|(?<!\*)\*)\s*\0|\0[)\s]*'"),
        *zip(_DEPENDENT, _DEPENDENT, strict=True),
    )
]
_BARE_ROWS = re.compile(r"[1-9 |,+\n-]*").fullmatch
_DOTS = str.maketrans("0_-*?xX", "." * 7)


def grid_in(text: str, puzzle: str) -> bytes:
    """Return the cells of the last grid of a text, or of the last full grid if no puzzle is known.

    Candidates and copies of the puzzle are skipped.
    """
    near, last = _near_cells(text)
    if not near:
        raise InvalidPuzzleError(NO_GRID)
    cells = _SEEN.cells_in(last)
    if not cells or "." in cells:
        board, is_alone = _last_grid(ParsedText(near, MANY), puzzle)
        cells = board.cells
        if is_alone and 0 < len(last) < _LONGEST_SEEN:
            _SEEN.learn(last, cells)
    return cells.encode().translate(CELL_CODES)


def _near_cells(text: str) -> tuple[str, str]:
    """Return a text without lines of words that are not near a line that may have cells, and its last part.

    That is what is between lines of words, where most answers have their grid; nothing if something around it
    may change how it is read.
    """
    lines = text.split("\n")
    shown = _EMPTY.sub("x", text)
    shown = shown if shown.isascii() else _OTHERS.sub(lambda signs: signs[0].translate(_SHOWN), shown)
    shown = shown.replace(" **", " ").replace("** ", " ").replace("**\n", "\n").translate(_SHOWN)  # not bold
    kinds = "".join(map(_kind_of, lines, shown.split("\n")))
    parts = [slice(*part.span()) for part in _NEAR.finditer(kinds)]
    kinds, lines = (
        "".join(map(kinds.__getitem__, parts)),
        [*chain.from_iterable(map(lines.__getitem__, parts))],
    )
    at = kinds.rfind("c")
    begin, end = kinds.rfind("w", 0, at) + 1, f"{kinds}w".find("w", at)
    last = "\n".join(lines[begin:end]).strip("\n").removeprefix("```\n").removesuffix("\n```")
    around = "\n".join((*lines[:begin], "\0", *lines[end:]))
    is_clear = not any(mark(last) and elsewhere(around) for mark, elsewhere in _DOUBTS)
    is_only = "c" not in kinds[:begin] or _BARE_ROWS(last)
    return "\n".join(lines), last if is_clear and is_only else ""


def _kind_of(line: str, shown: str) -> str:
    """Return ``c`` for a line that may have cells, ``w`` for words, ``b`` for another one.

    Cells are all of a line, or `MANY` among words, perhaps with marks.
    """
    if "!" in shown or _CELLS_ALONE(shown) or ("|" in shown and _CODE(line)):
        return "c"
    if "5555555" in shown.replace("|", ""):
        plain = cells_shown(line.translate(SIGNS))
        if MANY.search(plain) or MANY.search(plain.translate(_MARKS)) or _row_in(line):
            return "c"
    return "w" if "w" in shown else "b"


def has_cells(text: str) -> bool:
    """Return whether a text has as many digits as a grid."""
    return sum(map(text.count, "123456789")) >= _CELLS


def _last_grid(parsed: ParsedText, puzzle: str) -> tuple[Board, bool]:
    """Return the grid of an answer, and whether it is the only grid; the text after it can repeat it."""
    boards = [board for board in (*parsed.boards, *_apart(parsed)) if not board.marks]
    # first copies of the puzzle, which may itself be the last board; if none is known, unfinished boards
    boards.sort(key=lambda board: (board.cells != puzzle if puzzle else board.is_full, board.first))
    whole, damaged = [_NONE], {*parsed.left}
    for board in boards:
        if parsed.beside(board) or parsed.follows_row(board):
            damaged.update(range(board.first, board.last))
        else:
            whole.append(board)
    last = whole[-1]
    lines = [
        line for line in range(last.last, len(parsed.lines)) if line in damaged or _row_in(parsed.lines[line])
    ]
    faults = _rows_of_another(parsed, lines, last.cells, puzzle)
    if faults:
        text = "the last grid of the answer is damaged: {reason}"
        raise InvalidPuzzleError(Reason("no_grid", text, reason=error_at(parsed, faults[0]).message))
    if last.cells in ("", puzzle):
        raise InvalidPuzzleError(ONLY_COPY if last.cells else NO_GRID)
    return last, parsed.boards == [last] and not parsed.left


def _rows_of_another(parsed: ParsedText, lines: list[int], grid: str, puzzle: str) -> list[int]:
    """Return the lines after the last grid that are meant as another grid, or as a row that corrects it.

    The rows, columns and boxes of the grid, the rows of the puzzle, and lists of digits are neither.
    """
    houses = ["".join(map(grid.ljust(_CELLS).__getitem__, house)) for house in HOUSES]
    rows, corrections = dict[int, str](), list[int]()
    for number in lines:
        line = parsed.lines[number]
        cells = "".join(re.findall(CELL, line)).translate(_DOTS)
        is_house = not ROW_NAME.search(line) and any(house in cells for house in houses[9:])
        if is_house or _ascends(cells):
            continue
        digits = _row_in(line)
        rows[number] = digits or cells
        if len({*digits}) == 9 and digits not in houses:
            corrections.append(number)
    if "".join(rows.values()) in (grid, puzzle):
        return []
    sizes = [*map(len, rows.values())]
    if sum(size >= _SHORT for size in sizes) >= _FEWEST_ROWS or sum(sizes) >= _LONG:
        return [*rows]
    return corrections


def _ascends(row: str) -> bool:
    """Return whether the digits of a line, perhaps after a number, are a list of digits: they ascend."""
    if len(row) < _SHORT:
        return False
    digits = row.replace(".", "")
    return any([*digits[k:]] == sorted({*digits[k:]}) for k in (0, 1))


def _row_in(line: str) -> str:
    """Return the nine digits of a row, if nothing else but its label, its sum or a remark is with them."""
    label = LABEL.match(line)
    match = _NINE_DIGITS.fullmatch(line) or (label and _NINE_DIGITS.fullmatch(line, label.end()))
    return re.sub("[^1-9]", "", match[0])[:9] if match else ""


def _apart(parsed: ParsedText) -> list[Board]:
    """Return a board of rows that labels count, with sentences between."""
    rows = [number for number in parsed.left if LABEL.match(parsed.lines[number])][-9:]
    bodies = unlabelled([parsed.lines[number] for number in rows])
    others = {*parsed.left}.difference(rows)
    if bodies is None or not others.isdisjoint(range(rows[0] - 1, rows[-1] + 2)):
        return []
    board = board_of_rows([body.rstrip(" .;✓") for body in bodies], rows[0], rows[-1] + 1)
    if board is None:
        return []
    parsed.left[:] = sorted(others)
    return [board]
