"""The kind of one line of a grid drawn in text: a row, a border, a heading …

`unidoku.files.formats.grid` combines the lines to grids.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import Any

from unidoku.cell import EMPTY_SYMBOLS, OTHER_SIZE, VALUES
from unidoku.files.formats.library import is_step
from unidoku.files.text import LINES, Head, holds_puzzle, is_puzzle_line, shown

META = {
    "A": "author",
    "D": "description",
    "C": "comment",
    "B": "created",
    "S": "source",
    "L": "level",
    "U": "url",
}
"""The letters of metadata lines in .sdk, and the columns they fill."""


class Kind(Enum):
    """The meaning of a line; in brackets what ``classify`` returns with it."""

    BLANK = auto()
    """Nothing (None)."""
    BORDER = auto()
    """A frame or a line between bands (None)."""
    SECTION = auto()
    """``[Name]`` (the name)."""
    COMMENT = auto()
    """Begins with ``#``, ``;`` or ``//`` (None)."""
    TEXT = auto()
    """A heading or a remark (None)."""
    ROW = auto()
    """9, 18, … 81 cells (str of ``1`` to ``9``, ``.``; ``-`` where that is the symbol used)."""
    MAYBE = auto()
    """Nine hyphens: a row of empty cells or a border (None)."""
    GROUPS = auto()
    """9 or 81 groups of candidates (list of str)."""
    MALFORMED = auto()
    """None of these (column from 1, what was found, whether it resembles a row)."""


# Box-drawing characters to ASCII: first the horizontal ones, then all that have a bar.
_PLAIN = str.maketrans(
    {**dict.fromkeys("─━═╌╍┄┅┈┉‐‑–—", "-"), **dict.fromkeys("│┃║╎╏┆┇┊┋¦", "|")}
    | {chr(code): "+" for code in range(0x250C, 0x254C)}
    | {chr(code): "+" for code in range(0x2552, 0x256D)}
    | {"\u00a0": " ", "\t": " ", "·": "."}
)
_BORDER = frozenset("-=+*.:'`,| ")
_LINE_MAX = 2000  # characters of a row: 81 groups of nine digits, and the frame
_EMPTY = dict.fromkeys(EMPTY_SYMBOLS.replace("-", ""), ".")
_CELLS = str.maketrans(_EMPTY)
_SYMBOLS = frozenset(VALUES)
_LETTER = re.compile(r"[^\W\d_xX]")
_SEPARATOR = re.compile(r"[|,;:/\\\s]+")
_FIELD_END = re.compile(r"[|,;]")
_GROUP = re.compile(r"(?:[1-9]{1,9}|[.0-])\Z")
_MARKUP = re.compile(r"(?<=\d)[*#+@%&!?-]+|(?<![*#+@%&!?-])[*#+@%&!?-]+(?=\d)")  # linear: from run starts
_REMARK = re.compile(r"\s#.*\Z")


def classify(line: str) -> tuple[Kind, Any]:
    """Return the kind of a line, given without its end, and what `Kind` says of it.

    >>> classify("| 5 3 . | . 7 . | . . . |")
    (<Kind.ROW: 6>, '53..7....')
    >>> classify("| 12 3 4 | 56 7 8 | 9 1 2 |")[1]
    ['12', '3', '4', '56', '7', '8', '9', '1', '2']
    """
    text = line.strip()
    if not text:
        return Kind.BLANK, None
    if text[0] == "[" and text[-1] == "]":
        return Kind.SECTION, text[1:-1].strip()
    if text[0] in "#;" or text.startswith("//"):
        return Kind.COMMENT, None
    text = text.translate(_PLAIN)
    if text == "---------":
        return Kind.MAYBE, None
    if _is_border(text):
        return Kind.BORDER, None
    found = _row(text) if len(text) <= _LINE_MAX else None
    if found is None and " #" in text[:_LINE_MAX]:
        found = _row(_REMARK.sub("", text)[:_LINE_MAX])
    if found is not None:
        return found
    if _LETTER.search(text):
        return Kind.TEXT, None
    return Kind.MALFORMED, _complaint(text)


def _is_border(text: str) -> bool:
    if not (("---" in text or "===" in text) and _BORDER.issuperset("".join(text.split()))):
        return not text.strip("-=+|: ") and not (text.count("-") == 9 and not text.strip("- |"))
    # "..---...." is a row of empties, and so is "- - - - - - - - -"
    symbols = _SEPARATOR.sub("", text)
    return len(symbols) != 9 or not _SYMBOLS.issuperset(symbols)


def _row(text: str) -> tuple[Kind, object] | None:
    tokens = [token for token in _SEPARATOR.split(text) if token]
    joined = "".join(tokens)
    symbols = _SYMBOLS.issuperset(joined)
    if symbols and 9 <= len(joined) <= 81 and len(joined) % 9 == 0 and _groups(tokens, joined) is None:
        return Kind.ROW, joined.translate(_CELLS)
    groups = _groups(tokens, joined)
    if groups is None and _MARKUP.search(text):
        bare = [_MARKUP.sub("", token) for token in tokens]
        groups = _groups(bare, "".join(bare))
    if groups is not None:
        return Kind.GROUPS, groups
    if symbols and _FIELD_END.search(text):
        cells = _blanks_as_cells(text)
        if cells is not None:
            return Kind.ROW, cells
    return None


def _groups(tokens: list[str], joined: str) -> list[str] | None:
    """9 or 81 groups of digits of which one at least has several."""
    if len(tokens) not in (9, 81) or len(joined) <= len(tokens) or not all(map(_GROUP.match, tokens)):
        return None
    return [token.replace("0", ".").replace("-", ".") for token in tokens]


def _blanks_as_cells(text: str) -> str | None:
    """Return a row between bars or commas in which an empty cell is left blank."""
    fields = _FIELD_END.split(text)
    if text[0] == "|":
        del fields[0]
    if fields and text[-1] == "|":
        del fields[-1]
    if len(fields) == 9:
        cells = [field.strip() or "." for field in fields]
    elif len(fields) == 3 and all(len(field) == 3 for field in fields):
        cells = list("".join(fields).replace(" ", "."))
    else:
        return None
    return "".join(cells).translate(_CELLS) if all(cell in _SYMBOLS for cell in cells) else None


def _complaint(text: str) -> tuple[int, str, bool]:
    joined = _SEPARATOR.sub("", text)
    strange = next((i for i, c in enumerate(text) if c not in _SYMBOLS and not _SEPARATOR.match(c)), None)
    what = f"{len(joined)}" if strange is None else shown(text[strange])
    column = 1 if strange is None else strange + 1
    size = f" ({OTHER_SIZE})" if len(joined) == 16 else ""
    return column, f"{what} in {shown(text)}{size}", 6 <= len(joined) <= 12


def kind_of_grids(head: Head) -> str:
    """Return the format of the grids that a content begins with (grid, sdk, ss, sdx), or an empty text."""
    puzzles = sum(is_puzzle_line(line) or is_step(line) or holds_puzzle(line) for line in head.lines)
    if 2 * puzzles > len(head.lines):
        return ""
    rows, framed, meta, sdx = 0, False, False, 0
    for line in head.content[: 1 << 14].decode("utf-8", "replace").splitlines()[:LINES]:
        if is_puzzle_line(line.strip().encode()):
            continue  # a whole puzzle: no sign of a grid among bad lines
        kind, _ = classify(line)
        if kind in (Kind.ROW, Kind.MAYBE, Kind.GROUPS):
            rows += 1
        elif kind is Kind.BORDER:
            framed = framed or line.strip().startswith("*-")
        elif kind is Kind.COMMENT and not rows:
            meta = meta or _is_metadata(line.strip())
        elif kind is Kind.TEXT:
            cells = line.split()
            sdx += len(cells) == 9 and all(cell.removeprefix("u").isdigit() for cell in cells)
    if sdx and rows + sdx >= 3:
        return "sdx"
    if rows < 3:
        return ""
    return "ss" if framed else "sdk" if meta else "grid"


def _is_metadata(line: str) -> bool:
    """Return whether a line is ``#``, one letter and a value, and not a comment that begins with a word."""
    return line[:1] == "#" and line[1:2] in META and not (line[2:3].islower() or line[2:3].isspace())
