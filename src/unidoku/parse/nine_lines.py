"""Nine lines of one form, or 81 symbols: the short way for the texts that most people and programs write.

It takes a text only if the reader of all layouts reads the same; everything else is left to that.
"""

from __future__ import annotations

import re
from itertools import accumulate, pairwise

from unidoku.cell import SYMBOL_OF, cells_in
from unidoku.parse.board import Board, are_counts
from unidoku.parse.damage import RULE_PLACES
from unidoku.parse.lines import HEAD_RULE, count_of, is_heading, line_of
from unidoku.parse.plain import signs_of
from unidoku.parse.shapes import readings

_LONGEST_FORM = 1000  # characters of nine lines in a frame
_HEAD = "12345678"  # of columns: a row that may be none
_TITLE = re.compile(r"(?:Grid|Puzzle|Sudoku) #?\d+:?\n")  # of Project Euler's problem 96, and books
_NINE_ROWS = 90
_LABEL = re.compile(r"(?:[Rr]ow|[Ll]ine) ([1-9]): ")  # as models answer
_NO_DIGITS = str.maketrans(dict.fromkeys("123456789"))
_FORM_SIGNS = ".0123456789"
_FORM = str.maketrans(dict.fromkeys(_FORM_SIGNS, "0"))
_NO_GAPS = str.maketrans(dict.fromkeys("| ,;"))
_BLANK_FIELD = re.compile(r"(?<=\|) {1,9}(?=\|)")
_ALL = [*range(1, 9)]
_RULE_SIGNS = "+-="
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
# rows and blank lines
_APART = re.compile("0*1(?P<a>0*)1(?P=a)1(?P<b>0*)1(?P=a)1(?P=a)1(?P=b)1(?P=a)1(?P=a)10*")


def ascii_signs(text: str) -> str:
    """Return a short text with the signs of ASCII; 81 characters are looked at as they are."""
    return text if text.isascii() or len(text) > _LONGEST_FORM or len(text) == 81 else signs_of(text)


def board_in(text: str) -> Board | None:
    """Return the board of a text that is 81 symbols, or nine lines of one form; None for any other text.

    Only texts that the reader reads the same are taken: one sign for empty cells, and no heading.
    """
    if len(text) > _LONGEST_FORM or not text.isascii():
        return None
    rows, start = [text], 0
    if len(text) != 81:
        rows = text.split()
        if text.count("\n") > 8 and _BLANK_LINE.search(text) and not _are_apart_alike(text):
            return None
        if len(rows) == 81 and text.count("\n") >= 8 and "\t" not in text:
            rows = ["".join(line.split()) for line in text.splitlines()]
        elif len(rows) != 9 or len(rows[0]) != 9 or " " in text or "\t" in text:
            rows, start = _rows_of_one_form(text)
        if len(rows) != 9 or {*map(len, rows)} != {9}:
            return None
    signs = "".join(rows)
    cells = cells_in(signs)
    is_doubtful = len(rows) > 1 and (_HEAD in signs or signs.find(".") in {8, 80})  # or full stops
    if cells is None or not any(cells) or is_doubtful:
        return None
    for column in (cells[::9], cells[8::9]):
        if column.count(0) < 5 and are_counts(column.translate(SYMBOL_OF).decode()):
            return None
    if len({*rows}) < len(rows) and any(row.strip(".0") and rows.count(row) > 1 for row in rows):
        return None  # a row may be there twice
    empty = cells.count(0)
    if (empty == 9 and 9 not in cells) or (
        empty % 9 == 0 and {len(row.translate(_NO_DIGITS)) for row in rows} == {0, 9}
    ):
        return None  # digits 0 to 8; a row of signs that no other row has may be a rule
    return Board(cells.translate(SYMBOL_OF).decode(), None, start, len(text), "rows")


def _are_apart_alike(text: str) -> bool:
    """Return whether blank lines within nine rows stand between boxes alike, between all rows, or nowhere."""
    boxes = text.strip().split("\n\n")
    if len(boxes) == 3 and {box.count("\n") for box in boxes} == {2} and "\n\n\n" not in text:
        return True
    lines = text.split("\n")
    rows = (line.strip() for line in lines[_heading_of(lines) :] if not _is_rule(line))
    return _APART.fullmatch("".join("01"[bool(row)] for row in rows)) is not None


def _rows_of_one_form(text: str) -> tuple[list[str], int]:
    """Return nine rows of lines that are the same but for digits, dots and rules, and where they begin."""
    if count_of(text, _FORM_SIGNS) < 81 and text.count("|") < 90:  # a drawing with blanks, or a list
        return [], 0
    lines = text.split("\n")
    heading = _heading_of(lines)
    lines = [*filter(None, lines[heading:])]
    places = [place for place, line in enumerate(lines) if _is_rule(line)]
    if [row for place in places if 0 < (row := place - places.index(place)) < 9] not in (*RULE_PLACES, _ALL):
        return [], 0
    lines = [line for line in lines if not _is_rule(line)]
    start = text.index(lines[0]) if lines else 0
    lines = _without_labels(lines)
    if len(lines) == 9 and lines[0].count("|") == 10 and len({*map(len, lines[0].split("|"))}) == 2:
        lines = _with_dots(lines)  # of fields of one width
    forms = {*map(_form_of, lines)}
    form = forms.pop() if len(lines) == 9 and len(forms) == 1 else ""
    if form.count("0") != 9 or form.strip("0| ,;"):
        return [], 0
    if heading and any(before == line for before, line in pairwise(lines)):
        return [], 0  # the heading may be a row, and one is there twice
    rows = [line.translate(_NO_GAPS) for line in lines]
    first = [
        (cells, label) for shape, cells, label in readings(line_of(0, lines[0])) if shape.kind != "groups"
    ]
    return (rows if ((*rows[0],), "") in first else []), start


def _heading_of(lines: list[str]) -> int:
    """Return how many lines the heading of a table takes, with the rule below it, and a rule above both."""
    first = next((place for place, line in enumerate(lines) if not _is_rule(line)), 0)
    below = lines[first + 1] if first + 1 < len(lines) else ""
    if below.count("|") != 10 or not HEAD_RULE.fullmatch(below):
        return 0
    return first + 2 if is_heading(lines[first]) or not lines[first].strip("| ") else 0


def _without_labels(lines: list[str]) -> list[str]:
    """Return nine lines without the labels of rows, if all have them."""
    labels = [*filter(None, map(_LABEL.match, lines))]
    names = {label[0].replace(label[1], "#") for label in labels}
    if len(lines) != 9 or len(names) != 1 or "".join(label[1] for label in labels) != "123456789":
        return lines
    size = len(names.pop())
    return [line[size:] for line in lines]


def _form_of(line: str) -> str:
    """Return a line with one sign for all digits and dots."""
    return line.translate(_FORM)


def _is_rule(line: str) -> bool:
    """Return whether a line has the signs of rules alone, and not only those of an empty row."""
    return not line.strip(f"{_RULE_SIGNS}| ") and len(line.strip("| ")) > 2


def _with_dots(lines: list[str]) -> list[str]:
    """Return the lines of a frame around all cells with dots for blanks, if these are its empty cells."""
    rows = [_BLANK_FIELD.sub(lambda blank: ".".center(len(blank[0])), line) for line in lines]
    is_drawn = not any("." in line for line in lines) and sum(map(str.count, rows, "." * 9)) > 9
    are_blank = [not line.strip("| ") for line in lines]  # such rows may stand between boxes, or be a heading
    return rows if is_drawn and not (are_blank[0] or (are_blank[3] and are_blank[7])) else lines


def boards_in(text: str) -> tuple[list[tuple[int, int, Board]], int]:
    """Return the boards at the beginning of a text that are nine lines of one form each, and where they end.

    Blank lines or titles part them, so that what stands between two is read by itself; the last part is left
    to what is behind it.
    """
    blocks, last = list[tuple[int, int, Board]](), 0
    own = 0  # of the last part
    begin = len(text) - len(text.lstrip("\n"))
    while begin < len(text):
        title = _TITLE.match(text, begin)
        first = title.end() if title else begin
        while text.startswith("\n", first):
            first += 1
        stop = text.find("\n\n", first)
        if _TITLE.match(text, first + _NINE_ROWS):
            stop = first + _NINE_ROWS - 1
        block = text[first : stop if stop >= 0 else len(text)].rstrip("\n")
        boards = _boards_of_one_form(block)
        if not boards:
            break
        own, last, begin = len(boards), begin, first + len(block)
        boards = [board._replace(start=board.start + first, end=board.end + first) for board in boards]
        blocks += ((board.start, board.end, board) for board in boards)
        while text.startswith("\n", begin):
            begin += 1
    if begin < len(text):
        del blocks[len(blocks) - own :]
        begin = last
    return blocks, begin


def _boards_of_one_form(block: str) -> list[Board]:
    """Return the boards of a part without blank lines: nine lines of one form each, which all have.

    Rules may stand before, between and behind them.
    """
    count = block.count("\n")
    board = board_in(block) if count >= 8 else None
    if board or count < 17:
        return [board] if board else []
    lines = block.split("\n")
    ends = [*accumulate(map(len, lines), lambda end, size: end + size + 1)]
    rows = [place for place, line in enumerate(lines) if not _is_rule(line)]
    forms = {_form_of(lines[place]) for place in rows}
    form = forms.pop() if forms else ""
    # a row of empty cells in groups beside a board is a doubt
    if not form or forms or len(rows) % 9 or (len(form.split()) not in {1, 9} and "|" not in form):
        return []
    boards = list[Board]()
    for first, last in zip(rows[::9], rows[8::9], strict=True):
        begin, end = ends[first] - len(lines[first]), ends[last]
        board = board_in(block[begin:end])
        if board is None:
            return []
        boards.append(board._replace(start=begin, end=end))
    return boards
