"""Nine lines as a board by one form: all have one label, one wrapping and one of four bodies.

A body is signs with one separator, fields, a drawing with blanks for empty cells, or groups of candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, takewhile
from operator import itemgetter
from typing import NamedTuple

from unidoku._parse.board import Board, clues_of, mask_of, unique_solution
from unidoku._parse.forms import NO_GAPS, is_sure
from unidoku._parse.lines import LABEL, dotted
from unidoku._parse.lists import BETWEEN, CELL, SIGNS
from unidoku._parse.patterns import pattern
from unidoku.cell import EMPTY_SYMBOLS

_ORDINALS = "FirstSecondThirdFourthFifthSixthSeventhEighthNinth"
_COUNTS = (_ORDINALS, "123456789", "012345678", "ABCDEFGHI", "一二三四五六七八九")
_LABEL_BEHIND = pattern(
    r"(?:(?<=\|) *|[ ]+(?P<mark>(?:\(|#|//|<-+)[ ]?[Rr](?:ow)?[ ]?)|[ ]+(?=[A-I])|[ ]{2,})"
    r"(?P<n>[0-9A-I])(?P<end>\)?)$"
)
_WRAPPINGS = [  # what all rows have alike before and after their cells, and what may stand after these
    pattern(wrapping)
    for wrapping in (
        r"()(.*?)([ ]+(?:\([^()|\d]*(?:45)?\)|[✓✔✅])|\.)",  # a remark, or a full stop
        r"([#%]|[^\w\s.?|\[({]{1,3}(?=[ ]))(.*)()",  # a bullet, or the sign of a comment
        r"()(.*?)()[,;+\\]?",  # nothing after the last row
        r"(\.?[A-Za-z][\w.]*(?:[ \t]+|\())(.*?)()\)?",  # a word or a call before each row
        *["([\\[({\"'])(.*)([\\])}\"'])"] * 2,
    )
]
_SAME = {  # what all rows of signs have alike: opening, separator, separator of boxes, end
    "o": f"{BETWEEN}{{0,4}}",
    "s": f"{BETWEEN}{{0,5}}",
    "g": f"{BETWEEN}{{0,6}}|[ ]?-[ ]?",
    "c": f"{BETWEEN}{{0,4}}",
}
_ROW = "".join(f"(?P={part})" if part in _SAME else CELL for part in "oxsxsxgxsxsxgxsxsxc")
_DRAWN = [  # open, between cells, between boxes, close
    *[("| ", " ", " | ", " |"), ("|", "", "|", "|"), ("|", " ", "|", "|"), ("|", "|", "|", "|.")],
    *[
        ("|", " ", " ", "|"),
        ("", " ", " | ", ""),
        ("", "", "|", ""),
    ],
    ("", " ", " || ", ""),
    *[("", " ", "  ", ""), ("", " ", " ", ""), ("", "", "", ""), ("", "", " ", "")],
]
_GROUP = pattern(r"(?!\Z)1?2?3?4?5?6?7?8?9?")
_FEWEST_DIGITS = 84  # of candidates: three more than cells


def board_of_rows(lines: Sequence[str], first: int, last: int) -> Board | None:
    """Return the board of nine lines that one form explains for sure, and whose empty cells have one sign."""
    for bodies in filter(None, (unlabelled(lines), lines)):
        for signs in (body(rows) for rows in _unwrapped(bodies) for body in (_signs, _fields, _drawn)):
            cells = dotted(signs)
            if cells and is_sure(cells, " " in signs, may_end_empty=bodies is lines):
                return Board(cells, first, last)
        marks = _candidates(bodies)
        if marks and is_sure(clues := clues_of(marks), False, may_end_empty=True):
            return Board(clues, first, last, marks)
    return None


def unlabelled(lines: Sequence[str]) -> list[str] | None:
    """Return nine lines without the labels before and after them that count them; None without any."""
    rows = [*lines]
    for label_in in (_LABEL_BEHIND.search, LABEL.match):
        labels = [*filter(None, takewhile(bool, map(label_in, rows)))]
        are_counted = "".join([label["n"] for label in labels]) in _COUNTS
        if are_counted and len({label.group("mark", "end") for label in labels}) == 1:
            rows = [row[: at.start()] + row[at.end() :] for row, at in zip(rows, labels, strict=True)]
    return None if rows == [*lines] else rows


def _unwrapped(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield nine lines as they are, and without the comma, the brackets or the bullet that all have."""
    indent = min(len(line) - len(line.lstrip(" ")) for line in lines)  # of fields, a tab is not an indent
    yield [line[indent:] for line in lines]  # of a drawing the first column may be empty
    rows: Sequence[str] = [line.strip() for line in lines]
    for wrapping in _WRAPPINGS:
        bodies = _without_wrapping(rows, wrapping)
        if bodies:
            yield bodies
            rows = bodies


def _without_wrapping(rows: Sequence[str], wrapping: re.Pattern[str]) -> list[str]:
    """Return nine rows without the wrapping that all share; nothing if they share none, or it has cells."""
    matches = [*filter(None, map(wrapping.fullmatch, rows))]
    if len(matches) != 9:
        return []
    if len({match.group(1, 3) for match in matches}) > 1:
        return []
    bodies = [match[2] for match in matches]
    shared = {*matches[0][1]} & {*"".join(bodies)}
    return bodies if shared.isdisjoint(EMPTY_SYMBOLS) else []  # the bullet may be an empty cell


_FIRST = _ROW
for _name, _part in _SAME.items():  # what all rows have alike is named in the first one
    _FIRST = _FIRST.replace(f"(?P={_name})", f"(?P<{_name}>{_part})", 1)
_SIGNS = pattern(rf"{_FIRST}(?:\n{_ROW}){{8}}")


def _signs(rows: Sequence[str]) -> str:
    """Explain rows of nine signs with one separator, and one between boxes."""
    match = _SIGNS.fullmatch("\n".join(rows))
    if not match:
        return ""
    opening, separator, box_separator = match.group("o", "s", "g")
    step, box_step = len(separator) + 1, len(box_separator) - len(separator)
    places = [len(opening) + step * k + box_step * (k // 3) for k in range(9)]
    return "".join(chain(*map(itemgetter(*places), rows)))


_SEPARATORS = (",", ";", "\t", "|", "&", "][", "] [", ") (", None)  # of fields; None are blanks
_MARGINS = {10: ({0}, {9}), 11: ({0, 10}, {3, 7}), 13: ({0, 4, 8, 12},)}
"""The columns at the ends and between boxes, by the number of columns."""


def _fields(rows: Sequence[str]) -> str:
    """Explain rows of nine fields: numbers, words for empty cells, or nothing."""
    for separator in _SEPARATORS:
        fields = _without_margins([row.split(separator) for row in rows])
        if {*map(len, fields)} != {9}:
            continue
        blanks = {len(field) for row in fields for field in row[1:8] if field.isspace()}
        if len(blanks) > 1 or (blanks and separator == "|" and len({*map(len, rows)}) > 1):
            continue  # a wide blank may be a cell and its separator; a digit may be lost
        return "".join([SIGNS.get(field.strip(), "") for field in chain(*fields)])
    return ""


def _without_margins(rows: list[list[str]]) -> list[list[str]]:
    """Return rows of fields without the blank columns that are not cells, if it is clear which these are."""
    columns = [*zip(*rows, strict=False)]
    blank = {k for k, column in enumerate(columns) if not any(map(str.strip, column))}
    margins = [margin for margin in _MARGINS.get(len(columns), ()) if margin <= blank]
    if len(margins) != 1:
        return rows
    return [[field for k, field in enumerate(row) if k not in margins[0]] for row in rows]


class _Drawing(NamedTuple):
    """A drawing with blanks for empty cells."""

    rows: re.Pattern[str]
    at: list[int]
    """The places of the nine cells of a row."""
    width: int


def _drawing_of(opens: str, gap: str, box_gap: str, closes: str) -> _Drawing:
    """Return the drawing of these parts."""
    row = opens + box_gap.join([gap.join("555")] * 3) + closes
    form = re.escape(row).replace("5", "[1-9 ]")
    at = [place for place, sign in enumerate(row) if sign == "5"]
    return _Drawing(pattern(rf"{form}(?:\n{form}){{8}}"), at, len(row))


_DRAWINGS = [_drawing_of(*parts) for parts in _DRAWN]


def _drawn(rows: Sequence[str]) -> str:
    """Explain rows with blanks for empty cells, by the columns of a frame or only of the cells.

    Blanks at the end of rows may be cut; then the board must have exactly one solution.
    """
    bodies = [row.rstrip() for row in rows]
    sizes = {*map(len, rows)}
    for drawing in _DRAWINGS:
        drawn = "\n".join([row.ljust(drawing.width) for row in bodies])
        if not drawing.rows.fullmatch(drawn):
            continue
        columns = [drawn[place :: drawing.width + 1] for place in drawing.at]
        cells = "".join(map("".join, zip(*columns, strict=True)))
        may_be_cut = drawing.width <= NO_GAPS or sizes != {drawing.width}
        return "" if may_be_cut and not unique_solution(cells) else cells
    return ""


def _candidates(lines: Sequence[str]) -> tuple[int, ...] | None:
    """Return the marks of nine lines with nine groups of digits that ascend.

    All groups of several digits may be in brackets or braces.
    """
    rows = [re.split(r"[|, \t]+", line.strip("| \t")) for line in lines]
    if {*map(len, rows)} != {9}:
        return None
    groups = [group.strip("{}[]") for group in chain(*rows)]
    if len("".join(groups)) < _FEWEST_DIGITS or not all(map(_GROUP.fullmatch, groups)):
        return None
    return (*map(mask_of, groups),)
