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
from unidoku.parse.forms import FEWEST_COLUMNS, NO_GAPS, is_sure
from unidoku.parse.lines import LABELS, dotted
from unidoku.parse.lists import BETWEEN, CELL, SIGNS
from unidoku.parse.patterns import pattern

_COUNTS = ("123456789", "012345678", "ABCDEFGHI", "一二三四五六七八九")
_LABEL_BEHIND = pattern(r"(?P<row>.*\|) *(?P<n>[0-9A-I一二三四五六七八九]) *")
_REMARK = pattern(
    r"""[ ]+(?:\([^()|\d]*(?:[Rr](?:ow)?[ ]?[1-9]|45)?\)|[✓✔✅]|(?:\#|//|<-+)[ ]?[Rr](?:ow)?[ ]?[1-9])$
        |\.$(?<=[1-9]\.)""",
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
    *[("|", "", "", "|"), ("| ", " ", " ", " |"), ("|", " ", " ", "|"), ("", " ", " | ", ""), ("", "", "|", "")],
    ("", " ", " || ", ""),
    *[("", " ", "  ", ""), ("", " ", " ", ""), ("", "", "", ""), ("", "", " ", "")],
]
_FEWEST_GROUPS = 3  # cells with several candidates


def board_of_rows(lines: Sequence[str], first: int, last: int) -> Board | None:
    """Return the board of nine lines that one form explains, and whose empty cells have one sign."""
    for bodies in filter(None, (unlabelled(lines), lines)):
        cells = _cells_of_bodies(bodies, may_end_empty=bodies is lines)
        if cells:
            return Board(cells, first, last)
        marks = _candidates(bodies)
        if marks is None:
            continue
        clues = clues_of(marks)
        if is_sure(clues, False, may_end_empty=True):
            return Board(clues, first, last, marks)
    return None


def _cells_of_bodies(bodies: Sequence[str], *, may_end_empty: bool) -> str:
    """Return the cells of nine rows without labels; nothing if no form explains them for sure."""
    for rows in _unwrapped(bodies):
        for body in (_signs, _fields, _drawn):
            signs = body(rows)
            cells = dotted(signs)
            if cells and is_sure(cells, " " in signs, may_end_empty=may_end_empty):
                return cells
    return ""


def unlabelled(lines: Sequence[str]) -> list[str] | None:
    """Return nine lines without labels that count them."""
    behind = [*filter(None, map(_LABEL_BEHIND.fullmatch, lines))]
    if len(behind) == 9 and "".join(match["n"] for match in behind) in _COUNTS:
        rows = [match["row"] for match in behind]
        return unlabelled(rows) or rows
    match = LABELS.fullmatch("\n".join(lines))
    if not match:
        return None
    _, first, _, *others = match.groups()
    if "".join((first, *others[1::2])) not in _COUNTS:
        return None
    bodies = others[::2]
    begins = {body[:1] for body in bodies}
    if begins in ({","}, {";"}, {"\t"}):  # labels are fields
        return [body[1:] for body in bodies]
    return bodies


def _unwrapped(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield nine lines as they are, and without the comma, the brackets or the bullet that all have."""
    indent = min(len(line) - len(line.lstrip(" ")) for line in lines)  # of fields, a tab is not an indent
    if not indent or len({*map(len, lines)}) == 1:  # or the first column of a drawing is empty
        yield lines
    if indent:
        yield [line[indent:] for line in lines]
    rows = [line.strip() for line in lines]
    if rows != lines:
        yield rows
    if _have_one_remark(rows):
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
    openings, ends = {match[1] for match in matches}, {match[3] for match in matches[:8]}
    if len(openings) > 1 or len(ends) > 1:  # the last row may lack the comma
        return []
    bodies = [match[2] for match in matches]
    shared = {*matches[0][1]} & {*"".join(bodies)}
    return bodies if shared.isdisjoint(EMPTY_SYMBOLS) else []  # the bullet may be an empty cell


def _have_one_remark(rows: Sequence[str]) -> bool:
    """Return whether the same remark follows the cells of all rows."""
    remarks = {_remark_of(row, str(number)) for number, row in enumerate(rows, 1)}
    return len(remarks) == 1 and "" not in remarks


def _remark_of(row: str, number: str) -> str:
    """Return the remark that follows the cells of a row, without its number."""
    match = _REMARK.search(row)
    if not match:
        return ""
    return match[0].replace(f"w {number}", "w").replace(f"r{number}", "r")


def _signs_form() -> re.Pattern[str]:
    """Return the form of nine rows of signs: what they have alike is named in the first one."""
    first = _ROW
    for name, part in _SAME.items():
        first = first.replace(f"(?P={name})", f"(?P<{name}>{part})", 1)
    return pattern(rf"{first}(?:\n{_ROW}){{8}}")


_SIGNS = _signs_form()


def _signs(rows: Sequence[str]) -> str:
    """Explain rows of nine signs with one separator, and one between boxes."""
    match = _SIGNS.fullmatch("\n".join(rows))
    if not match:
        return ""
    opening, separator, box_separator, end = match.group("o", "s", "g", "c")
    if "|" in separator and "|" in end and "|" not in opening:
        return ""  # if bars separate cells, a bar after them has one before: a column may be lost
    step, box_step = len(separator) + 1, len(box_separator) - len(separator)
    if not box_step:
        cells = slice(len(opening), len(opening) + 9 * step, step)
        return "".join([row[cells] for row in rows])
    places = [len(opening) + step * k + box_step * (k // 3) for k in range(9)]
    return "".join(chain(*map(itemgetter(*places), rows)))


_SEPARATORS = (",", ";", "\t", "|", "&", "/", "][", "] [", ")(", ") (", None)  # of fields; None are blanks


def _fields(rows: Sequence[str]) -> str:
    """Explain rows of nine fields: numbers, words for empty cells, or nothing."""
    for separator in _SEPARATORS:
        if separator is None or separator in rows[0]:
            cells = _cells_of_fields(_split(rows, separator))
            if cells:
                return cells
    return ""


def _split(rows: Sequence[str], separator: str | None) -> list[list[str]]:
    """Split each row into nine fields; nothing if a row has fewer or more, or a field may be two cells."""
    fields = [row.split(separator) for row in rows]
    if separator == "|" and _are_eight_cells(fields):
        return []
    if separator:
        fields = _without_ends(fields)
    if {*map(len, fields)} != {9}:
        return []
    if separator not in {",", ";", "\t", "/", None} and _may_be_two_cells(rows, fields, separator):
        return []
    return fields


def _may_be_two_cells(rows: Sequence[str], fields: list[list[str]], separator: str | None) -> bool:
    """Return whether a wide blank between two fields may be a cell and its separator."""
    blanks = {len(field) for row in fields for field in row[1:8] if field.isspace()}
    if not blanks:
        return False
    if len(blanks) > 1:
        return True
    return separator == "|" and len({*map(len, rows)}) > 1


def _are_eight_cells(fields: list[list[str]]) -> bool:
    """Return whether a bar begins or ends all rows of nine fields, so that they have eight cells."""
    if {*map(len, fields)} != {9}:
        return False
    starts_with_bar = not any(row[0] for row in fields)
    ends_with_bar = not any(row[8] for row in fields)
    return starts_with_bar or ends_with_bar


def _cells_of_fields(fields: list[list[str]]) -> str:
    """Return the signs of 81 fields; nothing if a field is not a cell."""
    cells = [SIGNS.get(field.strip()) for field in chain(*fields)]
    if None in cells:
        return ""
    return "".join(filter(None, cells))


def _without_ends(rows: list[list[str]]) -> list[list[str]]:
    """Return rows of fields without empty fields at both ends, or between boxes."""
    columns = [*zip(*rows, strict=False)]
    blank = {k for k, column in enumerate(columns) if not any(map(str.strip, column))}
    if {0, 3, 7, 10} <= blank:
        return rows  # which two are not cells
    sizes = {*map(len, rows)}
    for ends in ({0, 10}, {3, 7}, {0, 4, 8, 12}, {0}, {9}):
        if sizes != {9 + len(ends)}:
            continue
        if not ends <= blank:
            continue
        if ends == {0} and 9 in blank:  # a row begins or ends with an empty cell
            continue
        others = [[field for k, field in enumerate(row) if k not in ends] for row in rows]
        if ends == {9} and _may_have_labels(columns[0], others):
            return rows
        return others
    return rows


def _may_have_labels(column: Sequence[str], fields: list[list[str]]) -> bool:
    """Return whether a first column is alike, or no field is an empty cell, so that it may have labels."""
    if len({*column}) == 1:
        return True
    return not all(map(str.strip, chain(*fields)))


class _Drawing(NamedTuple):
    """A drawing with blanks for empty cells."""

    rows: re.Pattern[str]
    at: list[int]
    """The places of the nine cells of a row."""
    width: int
    is_open: bool
    """Whether nothing ends a row, and blanks at its end may be cut."""

    def may_hold(self, longest: int, sizes: set[int]) -> bool:
        """Return whether rows of these sizes reach the last column, which may be empty if none was cut."""
        if longest > self.width:
            return False
        return longest > self.at[8] or self.is_whole(sizes)

    def is_whole(self, sizes: set[int]) -> bool:
        """Return whether no blank at the end of a row was cut, though nothing ends it."""
        return self.is_open and sizes == {self.width}

    def may_be_cut(self, sizes: set[int]) -> bool:
        """Return whether rows of these sizes may have lost blanks at their ends."""
        if not self.is_open:
            return False
        return self.width <= NO_GAPS or not self.is_whole(sizes)

    def columns_of(self, bodies: list[str]) -> list[str]:
        """Return the nine columns of rows that are drawn like this; nothing for other rows."""
        if self.is_open:
            bodies = [row.ljust(self.width) for row in bodies]
        drawn = "\n".join(bodies)
        if not self.rows.fullmatch(drawn):
            return []
        return [drawn[place :: self.width + 1] for place in self.at]


def _drawing_of(opens: str, gap: str, box_gap: str, closes: str) -> _Drawing:
    """Return the drawing of these parts."""
    row = opens + box_gap.join([gap.join("555")] * 3) + closes
    form = re.escape(row).replace("5", "[1-9 ]")
    at = [place for place, sign in enumerate(row) if sign == "5"]
    return _Drawing(pattern(rf"{form}(?:\n{form}){{8}}"), at, len(row), not closes.strip())


_DRAWINGS = [_drawing_of(*parts) for parts in _DRAWN]


def _drawn(rows: Sequence[str]) -> str:
    """Explain rows with blanks for empty cells, by the columns of a frame or only of the cells."""
    bodies = [row.rstrip() for row in rows]
    longest, sizes = max(map(len, bodies)), {*map(len, rows)}
    for drawing in _DRAWINGS:
        if not drawing.may_hold(longest, sizes):
            continue
        columns = drawing.columns_of(bodies)
        if columns:
            return _cells_drawn(columns, may_be_cut=drawing.may_be_cut(sizes))
    return ""


def _cells_drawn(columns: list[str], *, may_be_cut: bool) -> str:
    """Return the cells of nine columns of a drawing; nothing if too few have digits, or blanks were lost."""
    if sum(any(map(str.isdigit, column)) for column in columns) < FEWEST_COLUMNS:
        return ""
    cells = "".join(map("".join, zip(*columns, strict=True)))
    # lines that lost their blanks do not have exactly one solution
    if may_be_cut and not solution_of(dotted(cells) or "." * 81):
        return ""
    return cells


def _candidates(lines: Sequence[str]) -> tuple[int, ...] | None:
    """Return the marks of nine lines with nine groups of digits that ascend."""
    rows = [re.split(r"[|, \t]+", line.strip("| \t")) for line in lines]
    if {*map(len, rows)} != {9}:
        return None
    groups = _without_brackets([*chain(*rows)])
    if sum(len(group) > 1 for group in groups) < _FEWEST_GROUPS:
        return None
    if not all(map(_are_marks, groups)):
        return None
    return (*map(mask_of, groups),)


def _without_brackets(groups: list[str]) -> list[str]:
    """Return groups without the brackets or braces that all groups of several characters have."""
    for brackets in ("{}", "[]"):
        if all(group[0] + group[-1] == brackets for group in groups if len(group) > 1):
            groups = [group.strip(brackets) for group in groups]
    return groups


def _are_marks(group: str) -> bool:
    """Return whether a group is digits that ascend, or a dot for any digit."""
    if group == ".":
        return True
    if not group.isdigit():
        return False
    return [*group] == sorted({*group} - {"0"})
