"""Sudoku boards as people draw and paste them: lines of text as rows, and a text as a board.

Rows may have bars, blanks, commas, semicolons or tabs between their cells, and a blank or nothing in place
of an empty cell; lines between bands are borders.  A whole text is read in several ways; it is a board if
all readings that find one find the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from unidoku.cell import EMPTY_SYMBOLS, FEWEST_CLUES, VALUES

# Box-drawing characters to ASCII: first the horizontal ones, then all that have a bar.
_PLAIN = str.maketrans(
    {**dict.fromkeys("─━═╌╍┄┅┈┉‐‑–—", "-"), **dict.fromkeys("│┃║╎╏┆┇┊┋¦", "|")}
    | {chr(code): "+" for code in range(0x250C, 0x254C)}
    | {chr(code): "+" for code in range(0x2552, 0x256D)}
    | {"\u00a0": " ", "\t": " ", "·": "."}
)
# The same for a whole text, and full-width characters, dots, squares, and the rest of digits that are emoji.
_PASTED = _PLAIN | str.maketrans(
    {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)}
    | {"\t": "\t", "&": "|", "\u3000": " ", **dict.fromkeys("•∙○□▢⬜", ".")}
    | dict.fromkeys("\ufeff\ufe0f\u20e3")
)
_BORDER = frozenset("-=+*.:'`,| ")
_CELLS = str.maketrans(dict.fromkeys(EMPTY_SYMBOLS.replace("-", ""), "."))
_SYMBOLS = frozenset(VALUES)
_DIGITS = frozenset("123456789")
_BLANKS = _DIGITS | {" "}
_LINE_MAX = 2000  # characters of a row: 81 groups of nine digits, and the frame
_SEPARATOR = re.compile(r"[|,;:/\\\s]+")
_FIELD_END = re.compile(r"[|,;]")
_GROUP = re.compile(r"(?:[1-9]{1,9}|[.0-])\Z")
_MARKUP = re.compile(r"(?<=\d)[*#+@%&!?-]+|(?<![*#+@%&!?-])[*#+@%&!?-]+(?=\d)")  # linear: from run starts
_REMARK = re.compile(r"\s#.*\Z")
_LETTER = re.compile(r"[^\W\d_xX]")
_WORD = re.compile(r"[^\W\d_]{2}")
_TAG = re.compile(r"\\\\|\\[a-zA-Z]+(?:\{[^{}]*\})*|\[/?[a-z]+\]|, dtype=\w+")  # LaTeX, forums, NumPy
_NO_VALUE = re.compile(r"\b(?:None|null)\b|(?<![^\s,;\[({])([\"'])[ ]?\1(?![^\s,;\])}])")
_BRACKETS = str.maketrans(dict.fromkeys("[](){}<>\"'`", " "))
_LABEL = re.compile(r"[ |]*(?:[Rr](?:ow )?)?([0-9A-Ia-i])(?=[\s|:.,;])[:.]?(?: *[|,;\t])?")
_LABELS = ("123456789", "012345678", "ABCDEFGHI")

TEXT_MAX = 1 << 14
"""Characters of a text that is read as one board in every way."""


def plain(line: str) -> str:
    """Return a line with ASCII in place of drawn frames and dots, and commas between nine fields."""
    for separator in "\t;,":
        if line.count(separator) == 8:  # a row of a sheet, perhaps with empty fields
            return line.replace(separator, ",").replace('"', "").translate(_PLAIN)
    return line.translate(_PLAIN).strip()


def is_border(text: str) -> bool:
    """Return whether a plain line is a part of a frame, or between two bands."""
    if not (("---" in text or "===" in text) and _BORDER.issuperset("".join(text.split()))):
        return not text.strip("-=+|: ") and not (text.count("-") == 9 and not text.strip("- |"))
    # "..---...." is a row of empties, and so is "- - - - - - - - -"
    symbols = without_separators(text)
    return len(symbols) != 9 or not _SYMBOLS.issuperset(symbols)


def without_separators(text: str) -> str:
    """Return a plain line without bars, blanks and other separators."""
    return _SEPARATOR.sub("", text)


def wrong_symbol(text: str) -> int | None:
    """Return the place of the first character of a plain line that no row has."""
    return next((i for i, c in enumerate(text) if c not in _SYMBOLS and not _SEPARATOR.match(c)), None)


def row_of(text: str) -> str | list[str] | None:
    """Return the 9, 18, … 81 cells in a plain line, or 9 or 81 groups of candidates; None for another line.

    A cell is ``1`` to ``9``, ``.``, or ``-`` where that is the symbol used.
    """
    row = _row(text) if len(text) <= _LINE_MAX else None
    if row is None and " #" in text[:_LINE_MAX]:
        return _row(_REMARK.sub("", text)[:_LINE_MAX])
    return row


def _row(text: str) -> str | list[str] | None:
    if text.count(",") == 8:
        return _of_fields(text.split(","))
    tokens = _tokens(text)
    if _are_fields(tokens):
        return None
    joined = "".join(tokens)
    symbols = _SYMBOLS.issuperset(joined)
    groups = _groups(tokens, joined)
    if groups is None and symbols and 9 <= len(joined) <= 81 and len(joined) % 9 == 0:
        return joined.translate(_CELLS)
    if groups is None and _MARKUP.search(text):
        bare = [_MARKUP.sub("", token) for token in tokens]
        groups = _groups(bare, "".join(bare))
    if groups is None and symbols and _FIELD_END.search(text):
        return _between_bars(text)
    return groups


def _tokens(text: str) -> list[str]:
    """Split a plain line at its separators."""
    return [token for token in _SEPARATOR.split(text) if token]


def _are_fields(tokens: list[str]) -> bool:
    """Return whether tokens are fields of a record: no board has more than 27 cells in one of several."""
    return len(tokens) > 1 and max(map(len, tokens)) > 27


def _groups(tokens: list[str], joined: str) -> list[str] | None:
    """Return 9 or 81 groups of digits, at least one with several."""
    if len(tokens) not in (9, 81) or len(joined) <= len(tokens) or not all(map(_GROUP.match, tokens)):
        return None
    return [token.replace("0", ".").replace("-", ".") for token in tokens]


def _of_fields(fields: list[str]) -> str | list[str] | None:
    """Return the cells in nine fields; some may be empty."""
    cells = [field.strip() or "." for field in fields]
    if all(cell in _SYMBOLS for cell in cells):
        return "".join(cells).translate(_CELLS)
    return _groups(cells, "".join(cells))


def _between_bars(text: str) -> str | None:
    """Return a row between bars in which an empty cell is left blank."""
    fields = _FIELD_END.split(text.removeprefix("|").removesuffix("|"))
    widths = set(map(len, fields))
    if len(fields) == 9:
        cells = [field.strip() or "." for field in fields]
    elif len(fields) == 3 and widths == {3}:
        cells = list("".join(fields))
    elif len(fields) == 3 and widths <= {5, 7}:  # with blanks between the cells
        cells = [cell for field in fields for cell in field[len(field) // 6 :: 2][:3]]
    else:
        return None
    row = "".join(cells).replace(" ", ".")
    return row.translate(_CELLS) if len(row) == 9 and _SYMBOLS.issuperset(row) else None


def blank_board(lines: Sequence[str]) -> str | None:
    """Return the 81 cells of nine lines that have a blank, or nothing at the end, for an empty cell."""
    texts = [line.replace("\u00a0", " ").rstrip() for line in lines]
    width = max(map(len, texts), default=0)
    symbols = "".join(texts)
    if len(texts) != 9 or width > 17 or not _BLANKS.issuperset(symbols):
        return None
    if width > 9:  # blanks between the cells
        if any(text[1::2].strip() for text in texts):
            return None
        texts = [text[::2] for text in texts]
    cells = "".join(text.ljust(9) for text in texts).replace(" ", ".")
    return cells if "." in cells and 81 - cells.count(".") >= FEWEST_CLUES else None


def boards_of(text: str) -> set[str]:
    """Return the different boards of 81 cells that a drawn or pasted text may be: none, one, or several."""
    cells = _drawn(text)
    if cells is not None:
        return {cells}
    boards = set[str]()
    for rows in _row_choices(text) if len(text) <= TEXT_MAX else ():
        boards.update(_in_symbols(rows))
        blanks = filter(_may_be_puzzle, (*_in_fields(rows), *_in_places(rows)))
        boards.update(board.replace(" ", ".") for board in blanks)
    return boards


def _drawn(text: str) -> str | None:
    """Return the board whose lines are rows, borders or blank, as the readers of files take it."""
    lines = text.splitlines()
    cells = blank_board(lines) or blank_board(text.strip("\r\n").splitlines())
    if cells is not None:
        return cells
    rows = []
    for line in map(plain, lines):
        if line.strip() and not is_border(line):
            row = row_of(line)
            if not isinstance(row, str) or len(row) not in (9, 81):
                return None
            rows.append(row.replace("-", "."))
    cells = "".join(rows)
    return cells if len(cells) == 81 else None


def bare_lines(text: str) -> list[str]:
    """Return the lines of a text without the signs of programs, LaTeX and forums, and without names."""
    text = _NO_VALUE.sub(".", _TAG.sub("", text.translate(_PASTED)))
    return [_without_name(line).translate(_BRACKETS).rstrip(" ") for line in text.splitlines()]


def _without_name(line: str) -> str:
    """Return a line without the name before its cells, such as ``grid = [[``."""
    end = max((match.end() for match in _LETTER.finditer(line)), default=0)
    name, cells = line[:end], line[end:].lstrip()
    is_name = cells[:1] in {*"=:([{)\"'"} and _count(name) < 9 <= _count(cells)
    return cells.lstrip("=:)\"' ") if is_name else line


def _count(line: str) -> int:
    """Return how many cells a line may have."""
    return sum(symbol in _SYMBOLS for symbol in line)


def _row_choices(text: str) -> Iterator[list[str]]:
    """Yield the lines that may be the rows of a board: without borders, headings, labels and other texts."""
    lines = bare_lines(text)
    unlabelled = _without_labels(lines)
    for choice, border in product((lines, unlabelled), ("---", "-")):  # nine hyphens may be a row
        rows = [
            line for line in choice if not (border in line.replace("=", "-") and _BORDER.issuperset(line))
        ]
        while rows and not _is_like_row(rows[-1]):
            del rows[-1]
        while rows and not _is_like_row(rows[0]):
            del rows[0]
        for begin in range(1 + (rows != [] and _is_heading(rows[0]))):
            filled = [row for row in rows[begin:] if row.strip()]
            if len(filled) == 9 or choice is lines:
                yield filled
                yield rows[begin:]


def _is_like_row(line: str) -> bool:
    """Return whether a line has cells or separators alone, and no word; or a whole puzzle beside words."""
    if _WORD.search(line):
        return any(_count(part) >= 81 for part in _LETTER.split(line))
    return _count(line) > 0 or bool(line.strip(" ") and not without_separators(line))


def _is_heading(line: str) -> bool:
    """Return whether a first row may be the numbers of columns, or empty cells of a table's heading."""
    return without_separators(_LETTER.sub("", line)) in ("", *_LABELS)


def _without_labels(lines: list[str]) -> list[str]:
    """Return lines with blanks in place of labels; none if there are not nine, one after the other."""
    labels = [(number, match) for number, line in enumerate(lines) if (match := _LABEL.match(line))]
    sequence = "".join(match[1].upper() for _, match in labels)
    begin = max(map(sequence.find, _LABELS))
    lines = [*lines] if begin >= 0 else []
    for number, match in labels[begin : begin + 9] if lines else ():
        lines[number] = " " * match.end() + lines[number][match.end() :]
    return lines


def _in_symbols(rows: list[str]) -> Iterator[str]:
    """Yield the board with a symbol for each cell, however it is divided into lines."""
    symbols = without_separators("".join(rows))
    is_board = len(symbols) == 81 and _SYMBOLS.issuperset(symbols)
    if is_board and not any(_are_fields(_tokens(row)) for row in rows):
        yield symbols.translate(_CELLS).replace("-", ".")


def _in_fields(rows: list[str]) -> Iterator[str]:
    """Yield the boards, blanks for empty cells, with a field for each cell; a row may lack the last ones."""
    rows = [row.strip(" ") for row in rows]
    if all(row.startswith("|") for row in rows):
        rows = [row[1:] for row in rows]
    if all(row.endswith("|") for row in rows):
        rows = [row[:-1] for row in rows]
    for separator in "|,;\t":
        table = [[field.strip() or " " for field in row.split(separator)] for row in rows]
        if len(table) == 1 and len(table[0]) == 81:
            table = [table[0][begin : begin + 9] for begin in range(0, 81, 9)]
        widths = set(map(len, table))
        are_whole = len(widths) == 1 or all(fields == [" "] or fields[-1] != " " for fields in table)
        if len(table) == 9 and are_whole and all(map({*_SYMBOLS, " "}.issuperset, table)):
            width = max(9, *widths)
            lines = ["".join(fields).ljust(width) for fields in table]
            columns = [place for place in range(width) if any(line[place] in _DIGITS for line in lines)]
            # outer columns without a clue may be no part of the board
            for begin in range(max(0, columns[-1] - 8), min(columns[0], width - 9) + 1) if columns else ():
                yield "".join(line[begin : begin + 9] for line in lines)


def _in_places(rows: list[str]) -> Iterator[str]:
    """Yield the boards, blanks for empty cells, whose columns and perhaps boxes are at equal distances."""
    rows = [row.rstrip(" ,;") for row in rows]
    places = {place for row in rows for place, sign in enumerate(row) if sign in _DIGITS}
    bars = {place for row in rows for place, sign in enumerate(row) if sign == "|"}
    if len(rows) != 9 or not 6 <= len(places) <= 9 or not {*_DIGITS, "|", " "}.issuperset("".join(rows)):
        return
    # the first column may have no clue
    for distance, gap, column in product(range(1, 7), range(7), (0, 1)):
        begin = min(places) - column * distance
        columns = [begin + distance * column + gap * (column // 3) for column in range(9)]
        if begin >= 0 and places.issubset(columns) and bars.isdisjoint(columns):
            yield "".join(row[place : place + 1] or " " for row in rows for place in columns)


def _may_be_puzzle(board: str) -> bool:
    """Return whether a board with blanks may be a puzzle with one solution: not with too few clues or rows.

    With another symbol for empty cells, a blank is a cell that is missing.
    """
    empty = " " * 9
    rows = [board[begin : begin + 9] == empty for begin in range(0, 81, 9)]
    columns = [board[begin::9] == empty for begin in range(9)]
    are_empty = (sum(lines[begin : begin + 3]) for lines in (rows, columns) for begin in (0, 3, 6))
    return _BLANKS.issuperset(board) and 81 - board.count(" ") >= FEWEST_CLUES and max(are_empty) < 2


def symbols_in(text: str) -> str:
    """Return the symbols of all cells of a text that is no board, for the message."""
    return without_separators("".join(line for line in bare_lines(text) if not is_border(line)))
