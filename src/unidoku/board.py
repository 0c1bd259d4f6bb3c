"""Sudoku boards as people draw and paste them: a line of text as a row of nine cells.

Rows may have bars, blanks, commas, semicolons or tabs between their cells, and a blank or nothing in place
of an empty cell; lines between bands are borders.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from unidoku.cell import EMPTY_SYMBOLS, FEWEST_CLUES, VALUES

# Box-drawing characters to ASCII: first the horizontal ones, then all that have a bar.
_PLAIN = str.maketrans(
    {**dict.fromkeys("─━═╌╍┄┅┈┉‐‑–—", "-"), **dict.fromkeys("│┃║╎╏┆┇┊┋¦", "|")}
    | {chr(code): "+" for code in range(0x250C, 0x254C)}
    | {chr(code): "+" for code in range(0x2552, 0x256D)}
    | {"\u00a0": " ", "\t": " ", "·": "."}
)
_BORDER = frozenset("-=+*.:'`,| ")
_CELLS = str.maketrans(dict.fromkeys(EMPTY_SYMBOLS.replace("-", ""), "."))
_SYMBOLS = frozenset(VALUES)
_BLANKS = frozenset("123456789 ")
_LINE_MAX = 2000  # characters of a row: 81 groups of nine digits, and the frame
_SEPARATOR = re.compile(r"[|,;:/\\\s]+")
_FIELD_END = re.compile(r"[|,;]")
_GROUP = re.compile(r"(?:[1-9]{1,9}|[.0-])\Z")
_MARKUP = re.compile(r"(?<=\d)[*#+@%&!?-]+|(?<![*#+@%&!?-])[*#+@%&!?-]+(?=\d)")  # linear: from run starts
_REMARK = re.compile(r"\s#.*\Z")


def plain(line: str) -> str:
    """Return a line with ASCII in place of drawn frames and dots, and commas between nine fields."""
    for separator in "\t;,":
        if line.count(separator) == 8:  # a row of a sheet, of which some fields may be empty
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
    tokens = [token for token in _SEPARATOR.split(text) if token]
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


def _groups(tokens: list[str], joined: str) -> list[str] | None:
    """Return 9 or 81 groups of digits of which one at least has several."""
    if len(tokens) not in (9, 81) or len(joined) <= len(tokens) or not all(map(_GROUP.match, tokens)):
        return None
    return [token.replace("0", ".").replace("-", ".") for token in tokens]


def _of_fields(fields: list[str]) -> str | list[str] | None:
    """Return the cells in nine fields, of which some may be empty."""
    cells = [field.strip() or "." for field in fields]
    if all(cell in _SYMBOLS for cell in cells):
        return "".join(cells).translate(_CELLS)
    return _groups(cells, "".join(cells))


def _between_bars(text: str) -> str | None:
    """Return a row between bars in which an empty cell is left blank."""
    fields = _FIELD_END.split(text)
    if text[0] == "|":
        del fields[0]
    if fields and text[-1] == "|":
        del fields[-1]
    if len(fields) == 9:
        cells = [field.strip() or "." for field in fields]
    elif len(fields) == 3 and all(len(field) == 3 for field in fields):
        cells = list("".join(fields))
    elif len(fields) == 3 and all(len(field) in (5, 7) for field in fields):  # with blanks between the cells
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


def board_of(text: str) -> str | None:
    """Return the 81 cells of a drawn or pasted board; None if it is none."""
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
