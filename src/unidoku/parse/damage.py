"""Damage that nine lines of one shape do not show: at the edges of rows, in their widths, in a heading.

Reads nothing: a row without the sign that the others have, a sheet whose columns may be cut or exchanged, a
digit at a place where no other one is. A person sees these, and the cells alone do not have them. Each kind
is a rule in a table, at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from os.path import commonprefix

from unidoku.errors import Message
from unidoku.parse.board import Fault
from unidoku.parse.faults import other_form, row_twice
from unidoku.parse.lines import CELLS, HEAD_RULE, SEGMENT, SIGNS, Line, has_head_rule
from unidoku.parse.plain import DIGITS, MINUS
from unidoku.parse.shapes import Row, Shape, cells_of

_SIGNS = frozenset(SIGNS)
_BEGINS = "[({\"'`>"  # before the cells of a row in a list, a text or an answer to a mail
_JOINT = "\\"
_END_SIGNS = " \r\"'`*,;)]}"  # behind a full stop
_ENDS = f"])}}\"'`{_JOINT}"
_CLOSERS = "])};"
_BAND = 3
RULE_PLACES: tuple[list[int], ...] = [], [3], [6], [3, 6]
"""The rows of a board below which rules stand, if not below all alike."""


def damage_of(shape: Shape, rows: Sequence[Row], lines: Sequence[Line]) -> Fault | None:
    """Return the fault of nine rows of one shape, by the first rule that finds one."""
    return next(filter(None, (rule(shape, rows, lines) for rule in _RULES)), None)


def _other_edge(shape: Shape, rows: Sequence[Row], lines: Sequence[Line]) -> Fault | None:
    """Return the fault of a row without the sign that stands before or behind all others, or with more.

    A sign at one row alone is a speck of a scan. A sign that joins lines is not behind the last one. A list
    ends behind the last row, or behind each three.
    """
    texts = [lines[row.line].text for row in rows]
    if shape.kind != "segment" or all(text[:1] in _SIGNS and text[-1:] in _SIGNS for text in texts):
        return None
    sides = [_sides_of(row, text) for row, text in zip(rows, texts, strict=True)]
    before = [sign if (sign := text.rstrip()[-1:]) in _BEGINS else "" for text, _ in sides]
    behind = [sign if (sign := text.lstrip()[:1]) in _ENDS else "" for _, text in sides]
    for signs, step in ((before, 1), (behind[::-1], -1)):
        usual = max(signs[1:], key=signs[1:].count)
        odd = next((place for place in range(usual == _JOINT, 9) if signs[place] != usual), 9)
        if usual and odd < 9:
            row = odd + 1 if step > 0 else 9 - odd
            return other_form(lines[rows[row - 1].line], row, 81)
    ends = (text[: len(text) - len(text.lstrip(f"|{_END_SIGNS}"))] for _, text in sides)
    counts = [sum(map(end.count, _CLOSERS)) for end in ends][:8]
    more = [row for row, count in enumerate(counts, 1) if count > max(counts, key=counts.count)]
    return other_form(lines[rows[more[0] - 1].line], more[0], 81) if more not in ([], [3, 6]) else None


def _again(shape: Shape, rows: Sequence[Row], lines: Sequence[Line]) -> Fault | None:
    """Return the fault of a row that is there twice: no puzzle has it, but for empty rows.

    Of boards with nothing between them all are refused (`unidoku.parse.runs`).
    """
    first, last = rows[0].line, rows[-1].line
    if any(line.kind == "cells" for line in (*lines[max(0, first - 1) : first], *lines[last + 1 : last + 2])):
        return None
    is_puzzle = any(DIGITS.isdisjoint(cell) for row in rows for cell in row.cells)
    for number, row in enumerate(rows):
        others = rows[:number] if is_puzzle else rows[max(0, number - 1) : number]  # an answer may be wrong
        if sum(map(DIGITS.__contains__, row.cells)) > 1 and row.cells in [other.cells for other in others]:
            first = next(place for place, other in enumerate(rows, 1) if other.cells == row.cells)
            return Fault(row_twice(first), lines[row.line].start, 81, number + 1, lines=9)
    return None


def _sides_of(row: Row, text: str) -> tuple[str, str]:
    """Return what stands before and behind the cells of a row of a segment."""
    for match in SEGMENT.finditer(text):
        cells = CELLS.findall(match[0])
        if len(cells) > 8 and row.cells in ((*cells[:9],), (*cells[-9:],)):
            return text[: match.start()], text[match.end() :]
    return "", ""


def _lost_labels(shape: Shape, rows: Sequence[Row], lines: Sequence[Line]) -> Fault | None:
    """Return the fault of ten fields, of which the last are empty, and the first may be damaged labels."""
    is_behind = shape.kind == "fields" and not shape.is_labelled and shape.gaps[0].strip() == "behind"
    if not is_behind or not any(" " in row.cells for row in rows):
        return None  # nine columns are there
    column = [row.cells[0] for row in rows]
    above = lines[rows[0].line - 1].text.split(shape.words) if rows[0].line else []
    has_names = len(above) == 10 and all(name.strip() for name in above[1:])
    digits = [cell for cell in column if cell != " "]
    counts = sum(cell == str(count) for count, cell in enumerate(column, 1))
    if not (has_names or counts > _BAND or len(digits) in {0, 8, 9} or len({*digits}) < len(digits)):
        return None
    text = "the first column may be labels: the rows have 10 fields, of which the last is empty"
    return Fault(Message("first column", text), lines[rows[0].line].start, 81, lines=9)


def _few_names(shape: Shape, rows: Sequence[Row], lines: Sequence[Line]) -> Fault | None:
    """Return the fault of a sheet whose heading names fewer than nine columns, or in another order."""
    above = lines[rows[0].line - 1].text if shape.kind == "fields" and rows[0].line else ""
    start = lines[rows[0].line].start
    columns = above.replace("|", " ").split() if HEAD_RULE.fullmatch(above) else []
    if columns and len(columns) < 9 + shape.is_labelled:
        return _of_names(len(columns), start)
    names = [name for name in map(str.strip, above.split(shape.words or None)) if name]
    if not _BAND < len(names) < 10 or not all(map(str.isidentifier, names)):
        return None
    if len(names) == 9:
        stem = commonprefix(names).rstrip("0123456789")  # noqa: RUF071
        numbers = [name[len(stem) :] for name in names]
        counts = [[str(first + place) for place in range(9)] for first in (0, 1)]
        are_numbered = any(sum(map(str.__eq__, numbers, count)) > _BAND for count in counts)
        if not are_numbered or numbers in counts:
            return None
        text = "the columns are named {names}: one may be in the place of another"
        return Fault(Message("names", text, names=" ".join(names)), start, 81, lines=9)
    return _of_names(len(names), start)


def _of_names(count: int, start: int) -> Fault:
    """Return the fault of a heading with too few names."""
    text = "the heading names {count} columns of 9: the lines may be cut off"
    return Fault(Message("few names", text, count=count), start, 81, lines=9)


def odd_field(texts: Sequence[str], separator: str) -> int:
    """Return the row whose empty field has a blank, where other empty fields have none; 0 for none.

    The first and the last field of a line may have lost theirs; a blank in the first one is odd, too, if the
    lines have no margin.
    """
    inner = [[field for field in text.split(separator)[1:-1] if not field.strip()] for text in texts]
    kinds = {field == "" for fields in inner for field in fields}
    if kinds == {True} and not all(text[:1] == " " for text in texts):
        return next((row for row, text in enumerate(texts, 1) if text.startswith(f" {separator}")), 0)
    return next((row for row, fields in enumerate(inner, 1) if any(fields)), 0) if len(kinds) == 2 else 0


def _odd_gaps(shape: Shape, rows: Sequence[Row], lines: Sequence[Line]) -> Fault | None:
    """Return the fault of rules or blank lines within nine rows that are not between boxes or all rows."""
    between = [[line.kind for line in lines[before.line + 1 : row.line]] for before, row in pairwise(rows)]
    top = lines[rows[0].line : rows[1].line]
    has_head = has_head_rule(top) and top[0].text.strip("| \t\r") != ""  # models write a blank heading
    for kind, name in (("rule", Message("rules", "rules")), ("blank", Message("blank lines", "blank lines"))):
        counts = [kinds.count(kind) for kinds in between]
        places = [row for row, count in enumerate(counts, 1) if count > min(counts)]
        is_head = kind == "rule" and places == [1] and has_head
        if is_head or (
            places in RULE_PLACES if kind == "rule" else places in ([], [3, 6]) and counts[2] == counts[5]
        ):
            continue
        text = (
            "{name} stand below the rows {rows}, expected 3 and 6: a row may be missing, or of another board"
        )
        message = Message("lines below", text, name=name, rows=", ".join(map(str, places)))
        return Fault(message, lines[rows[0].line].start, 81, lines=9)
    return None


def _odd_blank(shape: Shape, rows: Sequence[Row], lines: Sequence[Line]) -> Fault | None:
    """Return the fault of an empty field of a sheet that has a blank, where others have none."""
    texts = [lines[row.line].text for row in rows]
    odd = odd_field(texts, shape.words) if shape.kind == "fields" and shape.words in "\t;," else 0
    text = "an empty field of row {row} has a blank, and others have none: a digit may be lost"
    message = Message("odd field", text, row=odd)
    return Fault(message, lines[rows[odd - 1].line].start, 81, odd, lines=9) if odd else None


def _odd_width(shape: Shape, rows: Sequence[Row], lines: Sequence[Line]) -> Fault | None:
    """Return the fault of padded fields of which one row, or a blank column, is not as wide as the others."""
    if shape.words == "||" or shape.kind != "fields":
        return None
    texts = [lines[row.line].text for row in rows]
    are_blank = _blank_columns(rows)
    bars = [(*map(len, text.split(shape.words)),)[:-1] for text in texts]  # the distance of each to the last
    usual = max(bars, key=bars.count)
    is_double = "between boxes" in shape.gaps[0]  # a bar between boxes
    widths = [width for width in usual[1:] if width or not is_double][-9:]  # behind a label
    is_drawn = bars.count(usual) > 7  # bars below each other: fields of tags and of code are not padded
    blank = are_blank if len(widths) == 9 else are_blank[1:8]  # the outer fields have edges of their own
    if is_drawn and len(widths) == len(blank):
        is_narrow = any(
            width < max(widths) for width, is_blank in zip(widths, blank, strict=True) if is_blank
        )
        if is_narrow:
            message = Message("narrow", "a blank column is narrower than the others")
            return Fault(message, lines[rows[0].line].start, 81, lines=9)
    if bars.count(usual) != 8 or sum(widths) < len(widths):
        return None
    row = next(place for place, places in enumerate(bars, 1) if places != usual)
    message = Message("other length", "row {row} is not as long as the others", row=row)
    return Fault(message, lines[rows[row - 1].line].start, 81, row, lines=9)


def _odd_minus(shape: Shape, rows: Sequence[Row], lines: Sequence[Line]) -> Fault | None:
    """Return the fault of a digit that may have lost its minus: it alone has no blank for it before it."""
    if shape.kind != "segment" or not any(MINUS in row.cells for row in rows):
        return None
    signs, digits = dict[int, set[int]](), list[tuple[int, int, int]]()
    for number, row in enumerate(rows, 1):
        text = lines[row.line].text
        segment = max(SEGMENT.finditer(text), key=lambda match: len(match[0]))
        cells, _, sizes = cells_of(segment[0])
        margin = segment.start() - len(text[: segment.start()].rstrip(" "))
        for place, (cell, size) in enumerate(zip(cells[-9:], [margin, *sizes][-9:], strict=True)):
            kind = min(place, 1) + (place in {3, 6})  # before the first cell, a box or another one
            if cell in DIGITS:
                digits.append((kind, size, number))
            else:
                signs.setdefault(kind, set()).add(size)
    by_gap = {True: set[int](), False: set[int]()}  # the rows of digits with the gap of a sign, or with more
    for kind, size, number in digits:
        if len(signs.get(kind, ())) == 1:
            by_gap[size in signs[kind]].add(number)
    odd = min(sorted(by_gap.values(), key=len)[0], default=0)
    if not odd:
        return None
    message = "a digit of row {row} stands where others have a blank or a minus: its -1 may be damaged"
    return Fault(Message("odd minus", message, row=odd), lines[rows[odd - 1].line].start, 81, odd, lines=9)


def _cut_columns(shape: Shape, rows: Sequence[Row], lines: Sequence[Line]) -> Fault | None:
    """Return the fault of a blank column at an end of a table, or of its last field, that may be cut off."""
    if shape.kind != "fields" or shape.words not in {"|", "||", "&"}:
        return None
    columns, last = _blank_columns(rows), lines[rows[8].line]
    is_open = "behind" not in shape.gaps[0]
    if shape.words == "&":  # of LaTeX: a line end stands behind the end of a row
        is_open = any(line.kind != "blank" for row in rows for line in lines[row.line + 1 : row.line + 2])
    if is_open and (columns[0] or columns[8]) and not all(columns):
        message = Message("blank column", "a column at an end is blank: the frame may be cut off")
        return Fault(message, lines[rows[0].line].start, 81)
    if shape.words == "&" and rows[8].cells[8] == " " and last is lines[-1]:
        text = "row 9 ends with an empty field, and nothing behind it: it may be cut off"
        return Fault(Message("row 9 cut", text), last.start, 81, 9, lines=9)
    return None


def _blank_columns(rows: Sequence[Row]) -> list[bool]:
    """Return which columns have no sign."""
    return [not "".join(cells).strip() for cells in zip(*(row.cells for row in rows), strict=True)]


def _blank_rows(shape: Shape, rows: Sequence[Row], lines: Sequence[Line]) -> Fault | None:
    """Return the fault of blank rows that may stand between the boxes of a sheet that is cut off."""
    are_blank = [not "".join(row.cells).strip() for row in rows]
    if not (are_blank[3] and are_blank[7]) or all(are_blank):
        return None
    message = Message("blank rows", "rows 4 and 8 are blank: they may stand between boxes")
    return Fault(message, lines[rows[0].line].start, 81, 4)


def _other_end(shape: Shape, rows: Sequence[Row], lines: Sequence[Line]) -> Fault | None:
    """Return the fault of a dot at the end of a row that is a cell, or the full stop of a sentence."""
    cells = [cell for row in rows for cell in row.cells]
    stops = [lines[row.line].text.rstrip(_END_SIGNS)[-1:] == "." != row.cells[8] for row in rows]
    is_end = cells[80] == "." and cells.count(".") == 1 and shape.kind == "segment" and not shape.gaps[0]
    if not (is_end or (any(stops) and "." in cells)):
        return None
    row = stops.index(False) + 1 if False in stops else 9
    text = "row {row} has another end than the others: a full stop, or a dot for an empty cell"
    return Fault(Message("other end", text, row=row), lines[rows[row - 1].line].start, 81, row, lines=9)


Rule = Callable[[Shape, Sequence[Row], Sequence[Line]], Fault | None]
"""What finds a kind of damage in nine rows of one shape."""

_RULES: tuple[Rule, ...] = (
    _other_edge,
    _again,
    _lost_labels,
    _few_names,
    _odd_gaps,
    _cut_columns,
    _blank_rows,
    _other_end,
    _odd_minus,
    _odd_blank,
    _odd_width,
)
