"""Nine lines as a board by one form: all have one label, one wrapping and one of four bodies.

A body is signs with one separator, fields, a drawing with blanks for empty cells, or groups of candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from unidoku.cell import EMPTY_SYMBOLS
from unidoku.parse.board import Board, clues_of, mask_of, solution_of
from unidoku.parse.forms import NO_GAPS, is_sure
from unidoku.parse.lines import LABEL, dotted
from unidoku.parse.lists import BETWEEN, CELL, SIGNS
from unidoku.parse.patterns import pattern

_COUNTS = ("123456789", "012345678", "ABCDEFGHI", "一二三四五六七八九")
_LABEL_BEHIND = pattern(r"(?P<row>.*\|) *(?P<n>[0-9A-I一二三四五六七八九]) *")
_REMARK = pattern(
    r"""[ ]+(?:\([^()|\d]*(?:[Rr](?:ow)?[ ]?[1-9]|45)?\)|[✓✔✅]|(?:\#|//|<-+)[ ]?[Rr](?:ow)?[ ]?[1-9])$
        |\.$(?<=[1-9]\.)|$""",
    re.VERBOSE,
)
_WRAPPINGS = [  # the text that all rows have before and after their cells
    pattern(wrapping)
    for wrapping in (
        r"(;;? |//|[#+%]|[^\w\s.?|,;&\[({\"'\\]{1,3}(?=[ ]|$)) ?(.*)()",  # a bullet, or the sign of a comment
        r"()(.*?) *([,;+\\]?)",  # nothing after the last row
        r"(\.?[A-Za-z][\w.]*(?:[ \t]+|\())(.*?)(\)?[,;+\\]?)",  # a word or a call before each row
        *["([\\[({\"'])(.*)([\\])}\"'])"] * 2,
    )
]
_SAME = {  # what all rows of signs have alike: opening, separator, separator of boxes, end
    "o": f"{BETWEEN}{{0,4}}[ ]*",
    "s": f"{BETWEEN}{{0,5}}",
    "g": f"{BETWEEN}{{0,6}}|[ ]?--?[ ]?",
    "c": f"[|][.]|{BETWEEN}{{0,4}}",
}
_ROW = "".join(f"(?P={part})" if part in _SAME else CELL for part in "oxsxsxgxsxsxgxsxsxc")
_DRAWN = [  # open, between cells, between boxes, close
    *[("| ", " ", " | ", " |"), ("|", "", "|", "|"), ("|", " ", "|", "|"), ("|", "|", "|", "|.")],
    *[
        ("|", "", "", "|"),
        ("| ", " ", " ", " |"),
        ("|", " ", " ", "|"),
        ("", " ", " | ", ""),
        ("", "", "|", ""),
    ],
    ("", " ", " || ", ""),
    *[("", " ", "  ", ""), ("", " ", " ", ""), ("", "", "", ""), ("", "", " ", "")],
]
_FEWEST_GROUPS = 3  # cells with several candidates


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
    """Return nine lines without labels that count them."""
    behind = [*filter(None, map(_LABEL_BEHIND.fullmatch, lines))]
    if "".join(match["n"] for match in behind) in _COUNTS:
        rows = [match["row"] for match in behind]
        return unlabelled(rows) or rows
    labels = [*filter(None, map(LABEL.match, lines))]
    are_alike = len({label.group("mark", "end") for label in labels}) == 1
    if not are_alike or "".join(label["n"] for label in labels) not in _COUNTS:
        return None
    return [line[label.end() :] for line, label in zip(lines, labels, strict=True)]


def _unwrapped(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield nine lines as they are, and without the comma, the brackets or the bullet that all have."""
    indent = min(len(line) - len(line.lstrip(" ")) for line in lines)  # of fields, a tab is not an indent
    yield lines  # of a drawing the first column may be empty
    if indent:
        yield [line[indent:] for line in lines]
    rows = [line.strip() for line in lines]
    if rows != lines:
        yield rows
    numbered = enumerate((_REMARK.findall(row)[0] for row in rows), 1)
    remarks = {remark.replace(f"w {number}", "w").replace(f"r{number}", "r") for number, remark in numbered}
    if len(remarks) == 1:
        rows = [_REMARK.sub("", row) for row in rows]
        yield rows
    for wrapping in _WRAPPINGS:
        bodies = _without_wrapping(rows, wrapping)
        if bodies not in ([], rows):
            yield bodies
            rows = [body.strip() for body in bodies]
            yield rows


def _without_wrapping(rows: Sequence[str], wrapping: re.Pattern[str]) -> list[str]:
    """Return nine rows without the wrapping that all share; nothing if they share none, or it has cells."""
    matches = [*filter(None, map(wrapping.fullmatch, rows))]
    if len(matches) != 9:
        return []
    if len({match[1] for match in matches}) > 1:
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


_SEPARATORS = (",", ";", "\t", "|", "&", "/", "][", "] [", ")(", ") (", None)  # of fields; None are blanks


def _fields(rows: Sequence[str]) -> str:
    """Explain rows of nine fields: numbers, words for empty cells, or nothing."""
    for separator in _SEPARATORS:
        fields = _without_ends([row.split(separator) for row in rows])
        if {*map(len, fields)} != {9}:
            continue
        blanks = {len(field) for row in fields for field in row[1:8] if field.isspace()}
        if len(blanks) > 1 or (blanks and separator == "|" and len({*map(len, rows)}) > 1):
            continue  # a wide blank may be a cell and its separator
        cells = [SIGNS.get(field.strip()) for field in chain(*fields)]
        if None not in cells:
            return "".join(filter(None, cells))
    return ""


def _without_ends(rows: list[list[str]]) -> list[list[str]]:
    """Return rows of fields without empty fields at both ends, or between boxes."""
    columns = [*zip(*rows, strict=False)]
    blank = {k for k, column in enumerate(columns) if not any(map(str.strip, column))}
    sizes = {*map(len, rows)}
    for ends in ({0, 10}, {3, 7}, {0, 4, 8, 12}, {0}, {9}):
        if sizes != {9 + len(ends)} or not ends <= blank:
            continue
        if ends == {0} and 9 in blank:  # a row begins or ends with an empty cell
            continue
        others = [[field for k, field in enumerate(row) if k not in ends] for row in rows]
        may_have_labels = len({*columns[0]}) == 1 or not all(map(str.strip, chain(*others)))
        return rows if ends == {9} and may_have_labels else others
    return rows


class _Drawing(NamedTuple):
    """A drawing with blanks for empty cells."""

    rows: re.Pattern[str]
    at: list[int]
    """The places of the nine cells of a row."""
    width: int
    is_open: bool
    """Whether nothing ends a row, and blanks at its end may be cut."""


def _drawing_of(opens: str, gap: str, box_gap: str, closes: str) -> _Drawing:
    """Return the drawing of these parts."""
    row = opens + box_gap.join([gap.join("555")] * 3) + closes
    form = re.escape(row).replace("5", "[1-9 ]")
    at = [place for place, sign in enumerate(row) if sign == "5"]
    return _Drawing(pattern(rf"{form}(?:\n{form}){{8}}"), at, len(row), not closes.strip())


_DRAWINGS = [_drawing_of(*parts) for parts in _DRAWN]


def _drawn(rows: Sequence[str]) -> str:
    """Explain rows with blanks for empty cells, by the columns of a frame or only of the cells.

    Blanks at the end of a row may be cut if nothing ends it; then the board must have exactly one solution.
    """
    bodies = [row.rstrip() for row in rows]
    sizes = {*map(len, rows)}
    for drawing in _DRAWINGS:
        is_whole = drawing.is_open and sizes == {drawing.width}
        drawn = "\n".join([row.ljust(drawing.width) for row in bodies] if drawing.is_open else bodies)
        if not drawing.rows.fullmatch(drawn):
            continue
        columns = [drawn[place :: drawing.width + 1] for place in drawing.at]
        cells = "".join(map("".join, zip(*columns, strict=True)))
        may_be_cut = drawing.is_open and (drawing.width <= NO_GAPS or not is_whole)
        return "" if may_be_cut and not solution_of(dotted(cells) or "." * 81) else cells
    return ""


def _candidates(lines: Sequence[str]) -> tuple[int, ...] | None:
    """Return the marks of nine lines with nine groups of digits that ascend, or a dot for any digit.

    All groups of several digits may be in brackets or braces.
    """
    rows = [re.split(r"[|, \t]+", line.strip("| \t")) for line in lines]
    if {*map(len, rows)} != {9}:
        return None
    groups = [group.strip("{}[]") for group in chain(*rows)]
    if sum(len(group) > 1 for group in groups) < _FEWEST_GROUPS:
        return None
    if not all(
        group == "." or (group.isdigit() and [*group] == sorted({*group} - {"0"})) for group in groups
    ):
        return None
    return (*map(mask_of, groups),)
