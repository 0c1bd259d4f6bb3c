"""Nine lines as a board by one form: all have one label, one wrapping and one of four bodies.

A body is signs with one separator, fields, a drawing with blanks for empty cells, or groups of candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from unidoku.cell import EMPTY_SYMBOLS
from unidoku.parse.board import Board, clues_of, mask_of, solution_of
from unidoku.parse.forms import FEWEST_COLUMNS, NO_GAPS, is_sure
from unidoku.parse.lines import LABELS, dotted
from unidoku.parse.lists import CELL, SIGNS

_COUNTS = ("123456789", "012345678", "ABCDEFGHI", "一二三四五六七八九")
_REMARK = re.compile(
    r"""[ ]+(?:\([^()|\d]*(?:[Rr](?:ow)?[ ]?[1-9]|45)?\)|[✓✔✅]|(?:\#|//|<-+)[ ]?[Rr](?:ow)?[ ]?[1-9])$
        |\.$(?<=[1-9]\.)""",
    re.VERBOSE,
)
_WRAPPINGS = [  # what all rows have alike before and behind their cells
    re.compile(wrapping)
    for wrapping in (
        r"(;;? |//|[#+%]|[^\w\s|,;&\[({\"'\\]{1,3}(?=[ ]|$)) ?(.*)()",  # a bullet, or the sign of a comment
        r"()(.*?) *([,;+\\]?)",  # nothing behind the last row
        *["([\\[({\"'])(.*)([\\])}\"'])"] * 2,
    )
]
_SAME = {  # what all rows of signs have alike: opening, separator, separator of boxes, end
    "o": "[|]?[ ]*",
    "s": "[ ]{1,5}|[ ]?[|][ ]?|",
    "g": "(?P=s)[ ]{0,3}|[ ]{0,3}[|]{1,2}[ ]{0,3}",
    "c": "[ ]?(?:[|][.]?)?",
}
_ROW = "".join(f"(?P={part})" if part in _SAME else CELL for part in "oxsxsxgxsxsxgxsxsxc")
_DRAWN = [  # open, between cells, between boxes, close
    *[("| ", " ", " | ", " |"), ("|", "", "|", "|"), ("|", " ", "|", "|"), ("|", "|", "|", "|.")],
    *[("|", "", "", "|"), ("| ", " ", " ", " |"), ("", " ", " | ", ""), ("", "", "|", "")],
    ("", " ", " || ", ""),
    *[("", " ", "  ", ""), ("", " ", " ", ""), ("", "", "", ""), ("", "", " ", "")],
]
_FEWEST_GROUPS = 3  # cells with several candidates


def explain(lines: Sequence[str], first: int, last: int) -> Board | None:
    """Return the board of nine lines that one form explains, and whose empty cells have one sign."""
    for bodies in filter(None, (unlabelled(lines), lines)):
        for rows in _unwrapped(bodies):
            for body in (_signs, _fields, _drawn):
                cells = body(rows)
                board_cells = dotted(cells) if cells else None
                if board_cells and is_sure(board_cells, " " in cells, may_end_empty=bodies is lines):
                    return Board(board_cells, first, last)
        if (marks := _candidates(bodies)) and is_sure(clues := clues_of(marks), False, may_end_empty=True):
            return Board(clues, first, last, marks)
    return None


def unlabelled(lines: Sequence[str]) -> list[str] | None:
    """Return nine lines without labels that count them."""
    match = LABELS.fullmatch("\n".join(lines))
    if not match:
        return None
    _, first, _, *others = match.groups()
    if "".join((first, *others[1::2])) not in _COUNTS:
        return None
    bodies = others[::2]
    is_field = len({body[:1] for body in bodies}) == 1 and bodies[0][:1] in {",", ";", "\t"}
    return [body[1:] for body in bodies] if is_field else bodies


def _unwrapped(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield nine lines as they are, and without the comma, the brackets or the bullet that all have."""
    indent = min(len(line) - len(line.lstrip(" ")) for line in lines)  # of fields, a tab is no indent
    if not indent or len({*map(len, lines)}) == 1:  # or the first column of a drawing is empty
        yield lines
    if indent:
        yield [line[indent:] for line in lines]
    rows = [line.strip() for line in lines]
    if rows != lines:
        yield rows
    remarks = {_remark_of(row, str(number)) for number, row in enumerate(rows, 1)}
    if remarks != {""} and len(remarks) == 1:
        rows = [_REMARK.sub("", row) for row in rows]
        yield rows
    for wrapping in _WRAPPINGS:
        found = [*filter(None, map(wrapping.fullmatch, rows))]
        bodies = [match[2] for match in found]
        are_alike = len(found) == 9 and len({match.group(1, 3) for match in found[:8]}) == 1
        if are_alike and bodies != rows and {*EMPTY_SYMBOLS}.isdisjoint({*found[0][1]} & {*"".join(bodies)}):
            yield bodies
            rows = [body.strip() for body in bodies]
            yield rows


def _remark_of(row: str, number: str) -> str:
    """Return what stands behind the cells of a row, without its number."""
    match = _REMARK.search(row)
    return match[0].replace(f"w {number}", "w").replace(f"r{number}", "r") if match else ""


def _signs_form() -> re.Pattern[str]:
    """Return the form of nine rows of signs: what they have alike is named in the first one."""
    first = _ROW
    for name, part in _SAME.items():
        first = first.replace(f"(?P={name})", f"(?P<{name}>{part})", 1)
    return re.compile(rf"{first}(?:\n{_ROW}){{8}}")


_SIGNS = _signs_form()
_NO_SIGNS = str.maketrans("", "", " |\n")


def _signs(rows: Sequence[str]) -> str:
    """Explain rows of nine signs with one separator, and one between boxes."""
    match = _SIGNS.fullmatch("\n".join(rows))
    # where bars part cells, one behind them has one before: a column may be lost
    if not match or ("|" in match["s"] and "|" in match["c"] and "|" not in match["o"]):
        return ""
    return "".join(row.removesuffix("|.") if "|." in match["c"] else row for row in rows).translate(_NO_SIGNS)


def _fields(rows: Sequence[str]) -> str:
    """Explain rows of nine fields: numbers, words for empty cells, or nothing."""
    for separator in (",", ";", "\t", "|", "&", "/", None):
        if separator is not None and separator not in rows[0]:
            continue
        fields = [row.split(separator) for row in rows]
        if (
            separator == "|"
            and {*map(len, fields)} == {9}
            and not all(map(any, (*zip(*fields, strict=True),)[::8]))
        ):
            continue  # bars begin or end the rows of eight cells
        if separator:
            fields = _without_ends(fields)
        if {*map(len, fields)} != {9}:
            continue
        blanks = {len(field) for row in fields for field in row[1:8] if field.isspace()}
        is_uneven = len(blanks) > 1 or (separator == "|" and blanks and len({*map(len, rows)}) > 1)
        if separator in {"|", "&"} and is_uneven:
            continue  # blanks as wide as a cell
        flat = [field.strip() for field in chain(*fields)]
        if None not in (cells := [*map(SIGNS.get, flat)]):
            return "".join(filter(None, cells))
    return ""


def _without_ends(rows: list[list[str]]) -> list[list[str]]:
    """Return rows of fields without the empty ones at both ends, or between boxes."""
    columns = [*zip(*rows, strict=False)]
    blank = {k for k, column in enumerate(columns) if not any(map(str.strip, column))}
    if {0, 3, 7, 10} <= blank:
        return rows  # which two are no cells
    for ends in ({0, 10}, {3, 7}, {0, 4, 8, 12}, {0}, {9}):
        if {*map(len, rows)} == {9 + len(ends)} and ends <= blank and (ends != {0} or 9 not in blank):
            others = [[field for k, field in enumerate(row) if k not in ends] for row in rows]
            # where nothing is an empty cell, the first column may be one of labels
            has_labels = len({*columns[0]}) == 1 or not all(map(str.strip, chain(*others)))
            return rows if ends == {9} and has_labels else others
    return rows


class _Frame(NamedTuple):
    """A drawing with blanks for empty cells."""

    rows: re.Pattern[str]
    at: list[int]
    """The places of the nine cells of a row."""
    width: int
    is_open: bool
    """Whether nothing ends a row, and blanks at its end may be cut."""


def _frame_of(opens: str, gap: str, box_gap: str, closes: str) -> _Frame:
    """Return the drawing of these parts."""
    row = opens + box_gap.join([gap.join("555")] * 3) + closes
    form = re.escape(row).replace("5", "[1-9 ]")
    at = [place for place, sign in enumerate(row) if sign == "5"]
    return _Frame(re.compile(rf"{form}(?:\n{form}){{8}}"), at, len(row), not closes.strip())


_FRAMES = [_frame_of(*parts) for parts in _DRAWN]


def _drawn(rows: Sequence[str]) -> str:
    """Explain rows with blanks for empty cells, by the columns of a frame or of the cells alone."""
    bodies = [row.rstrip() for row in rows]
    longest, sizes = max(map(len, bodies)), {*map(len, rows)}
    for form, at, width, is_open in _FRAMES:
        is_whole = is_open and sizes == {width}  # the last column may be empty
        if longest > width or not (longest > at[8] or is_whole):
            continue
        drawn = "\n".join([row.ljust(width) for row in bodies] if is_open else bodies)
        if form.fullmatch(drawn):
            columns = [drawn[place :: width + 1] for place in at]
            cells = "".join(map("".join, zip(*columns, strict=True)))
            is_cut = is_open and (not is_whole or width <= NO_GAPS)
            if sum(any(map(str.isdigit, column)) for column in columns) < FEWEST_COLUMNS:
                return ""
            # lines that lost their blanks have not one solution
            return cells if not is_cut or solution_of(dotted(cells) or "." * 81) else ""
    return ""


def _candidates(lines: Sequence[str]) -> tuple[int, ...] | None:
    """Return the marks of nine lines with nine groups of digits that ascend."""
    rows = [re.split(r"[|, \t]+", line.strip("| \t")) for line in lines]
    if {*map(len, rows)} != {9}:
        return None
    groups = [*chain(*rows)]
    for begin, end in ("{}", "[]"):
        if all(group[0] == begin and group[-1] == end for group in groups if len(group) > 1):
            groups = [group.strip(begin + end) for group in groups]
    if sum(len(group) > 1 for group in groups) < _FEWEST_GROUPS:
        return None
    are_marks = (
        group == "." or (group.isdigit() and [*group] == sorted({*group} - {"0"})) for group in groups
    )
    return (*map(mask_of, groups),) if all(are_marks) else None
