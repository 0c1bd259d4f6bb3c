"""Why lines of cells are not a board: the first line that differs, and how."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, takewhile
from typing import Any

from unidoku._parse.boards import ParsedText
from unidoku._parse.forms import doubt_of
from unidoku._parse.lines import (
    BLANKS,
    DASHES,
    HEADING,
    LABEL,
    NO_ROW_LABEL,
    ROWS,
    RULES,
    TABLE_RULE,
    TEXT,
    WORDED,
    cells_shown,
    dotted,
)
from unidoku._parse.lists import CELL
from unidoku._parse.patterns import pattern
from unidoku.cell import EXPECTED, OTHER_SIZES, fault, in_cell, rows_of, second_sign, size_message, wrong_size
from unidoku.errors import TYPE, InvalidPuzzleError, Message, Reason

_COUNTED = pattern(CELL)
_SIGNS = pattern(rf"{CELL}|[,;|]")  # of a row
_NO_CELL = pattern(r"[^\s0-9.*_xX?|,;:/&\\\[\](){}\"'`+=-]")
_NAME = r"""^\W*[^\W\d][\w ]*["']?[:=]\s*["']?"""  # of a board, before a row on its line
_LABEL_ORDER = "0123456789ABCDEFGHI一二三四五六七八九"
_LIKE = {"O": "0", "o": "0", "l": "1", "I": "1"}  # what is typed for a digit
_SHOWN = 40  # characters of a line in an error
_LENGTHS = 3  # by which the lines of rows differ in length, at most
_FEW = 4  # signs of a line of text, at most
_NO_ITEMS = str.maketrans(dict.fromkeys(",;|&:\"'()[]{}", " "))
_WIDEST = 2  # characters of a cell of any size
_RUN = 60  # signs without a blank that are meant as 81
_PAGE = Message("a web page (HTML) without a board")
_LONGEST = 4096  # characters of a line that is looked at closely
_LONGEST_FILE = 1 << 62  # lines
_BY_COLUMNS = Reason(
    "unclear", "R fills this matrix by columns; write matrix(c(...), nrow = 9, byrow = TRUE)"
)
_OTHER_GROUPS = fault(
    "wrong_length", Message("81 cells in a line or in 9 rows"), Message("81 cells in other groups")
)
_OTHER_LABELS = (
    "the lines are labelled {label}, so they could be columns or boxes; write Row 1 to Row 9, or no labels"
)
_OTHER_SHAPE = "row {row} has other separators than most rows: {shown}"
_FOREIGN = {  # by the first characters in lower case
    "version https://git-lfs": Message("a Git LFS pointer; run git lfs pull to get the file"),
    "%pdf-": Message("a PDF; copy the board from it as text"),
    **dict.fromkeys(("<!doctype", "<html"), _PAGE),
}


def error_at(parsed: ParsedText, number: int, end: int = _LONGEST_FILE) -> InvalidPuzzleError:
    """Say what is wrong with a line of cells: its size, the size of its block up to it, or a character."""
    return next(_errors_at(parsed, number, end))


def _errors_at(parsed: ParsedText, number: int, end: int) -> Iterator[InvalidPuzzleError]:
    """Yield what is wrong with a line of cells; the first error says most."""
    lines, line = parsed.lines, parsed.numbers[number]
    if parsed.is_by_columns:
        yield InvalidPuzzleError(_BY_COLUMNS, line=line)
    rows = _rows_of(parsed, number, end)
    texts = [cells_shown(lines[k]) for k in rows]
    named = [re.sub(_NAME, "", text) for text in texts]
    if other := other_size(named):
        yield InvalidPuzzleError(wrong_size(other), line=line)
    if parsed.kinds.count(WORDED) > _FEW:
        yield _other_labels(lines[parsed.kinds.index(WORDED)], line)
    bodies = _without_labels(texts) or named
    run = max(bodies[0].split(), key=len, default="")
    if len(run) == 81:
        bodies, rows = [*rows_of(run)], rows[:1] * 9
    cells = [*map(_cells_on, bodies)]
    if len(rows) > 1:
        yield from _errors_in_rows(parsed, rows, bodies, [*map(len, cells)])
    if len(rows) not in (1, 9):
        message = fault("wrong_length", Message("9 rows of 9 cells"), Message("{n} rows", n=len(rows)))
        yield InvalidPuzzleError(message, line=line)
    together = [*chain(*cells)]
    if len(together) == 81:
        numbers = [parsed.numbers[k] for k in rows]
        signs = ["" if sign in "123456789" else repr(sign) for sign in together]
        if second := second_sign(signs):
            place, requirement = second
            message = fault("wrong_symbol", requirement, in_cell(signs[place], place))
            yield _at(message, place, together[place], numbers[place // 9 % len(rows)])
        elif doubt := doubt_of(dotted("".join(together))):
            row, reason = doubt
            yield InvalidPuzzleError(reason, line=numbers[row % len(rows)], row=row + 1)
    shapes = [re.sub(CELL, "5", body.strip()) for body in bodies]
    usual = max(shapes, key=shapes.count)
    if shapes.count(usual) in range(5, 9):
        row = next(k for k, shape in enumerate(shapes) if shape != usual)
        message = Reason("wrong_length", _OTHER_SHAPE, row=row + 1, shown=lines[rows[row]].strip()[:_SHOWN])
        yield InvalidPuzzleError(message, line=parsed.numbers[rows[row]], row=row + 1)
    labels = filter(NO_ROW_LABEL.fullmatch, (parsed.heading(number), lines[number]))
    yield from (_other_labels(label, line) for label in labels)
    size = cells_on(lines[number])
    if len(rows) == 9 or size == 81:
        yield InvalidPuzzleError(_OTHER_GROUPS, line=line)
    yield InvalidPuzzleError(wrong_size(size), line=line)


def _other_labels(text: str, line: int) -> InvalidPuzzleError:
    """Return the error about a label that may name columns or boxes."""
    return InvalidPuzzleError(Reason("unclear", _OTHER_LABELS, label=text.strip()[:_SHOWN]), line=line)


def _errors_in_rows(
    parsed: ParsedText, rows: list[int], bodies: list[str], counts: list[int]
) -> Iterator[InvalidPuzzleError]:
    """Yield the errors about rows with a wrong sign or another number of cells."""
    most_have_nine = counts.count(9) * 2 > len(rows)
    for row, (number, body, count) in enumerate(zip(rows, bodies, counts, strict=True), 1):
        line = parsed.numbers[number]
        wrong = _NO_CELL.search(body)
        if wrong:
            before = body[: wrong.start()].strip(" ").removeprefix("|")
            column = max(len(_COUNTED.findall(before)), len(re.findall("[,;\t|]", before)))
            yield _wrong_sign(wrong[0], min(row, 9) * 9 - 9 + min(column, 8), line)
        is_of_blanks = "|" in body  # and its size is not known
        if count != 9 and len(rows) != 2 and (most_have_nine or not is_of_blanks):
            text, shown = "row {row} has {size} cells, expected 9: {shown}", parsed.lines[number].strip()
            sizes = Reason("wrong_length", text, row=row, size=count, shown=shown[:_SHOWN])
            yield InvalidPuzzleError(sizes, line=line, row=row)


def _at(message: Reason, place: int, sign: str, line: int) -> InvalidPuzzleError:
    """Return the error about a sign in the place of a cell."""
    return InvalidPuzzleError(message, row=place // 9 + 1, column=place % 9 + 1, found=sign, line=line)


def _wrong_sign(sign: str, place: int, line: int) -> InvalidPuzzleError:
    """Return the error about a character that is not a cell; a letter may be meant as a similar digit."""
    found = in_cell(repr(sign), place)
    if digit := _LIKE.get(sign):
        found = Message("{found}; did you mean {digit}?", found=found, digit=digit)
    return _at(fault("wrong_symbol", EXPECTED, found), place, sign, line)


def _rows_of(parsed: ParsedText, number: int, end: int) -> list[int]:
    """Return the numbers of the lines of cells around one, including rows that a letter turned into text.

    From `end` on only those are among them.
    """
    kinds, size = parsed.kinds, len(parsed.lines[number])

    def is_text(k: int) -> bool:
        is_alike = kinds[k] in TEXT + WORDED and abs(len(parsed.lines[k]) - size) < _LENGTHS
        return is_alike and is_row(parsed.lines[k])

    def is_below(k: int) -> bool:
        return (k < end and kinds[k] in ROWS + RULES + HEADING) or is_text(k)

    first = number
    while first and is_text(first - 1):
        first -= 1
    below = takewhile(is_below, range(first + 1, len(kinds)))
    rows = [first, *(k for k in below if kinds[k] in ROWS + DASHES + TEXT + WORDED)]
    has_heading = kinds.startswith(BLANKS + TABLE_RULE, first)
    return rows[has_heading:] or rows


def _items_of(line: str) -> list[str]:
    """Return the texts between the separators, brackets and quotes of a line."""
    return line.translate(_NO_ITEMS).split()


def other_size(lines: Sequence[str]) -> int:
    """Return how many cells a board of another size has, with a line or a text for each row; 0 if it is none.

    Its cells are characters, or have something between them. One row more or less than nine is damage.
    """
    rows: list[Any] = [*map(_items_of, lines)]
    if len(rows) == 1:
        rows = rows[0]
    side = len(rows)
    is_square = abs(side - 9) > 1 and all(side in {len(row), len("".join(row))} for row in rows)
    return side * side if is_square and side * side in OTHER_SIZES else 0


def cells_on(text: str) -> int:
    """Return how many cells a line has: its fields, the signs of its longest run, or cells of one sign."""
    bare = re.sub(_NAME, "", text).strip(" \t\r\n\"'[](){}")
    fields = re.split("[,;\t]", re.sub("[\"' ]", "", bare))
    if len(fields) > 9:
        are_rows = {*map(len, fields)} == {len(fields)}
        return len("".join(fields)) if are_rows else len(fields)
    items = _items_of(bare)
    longest = max(map(len, items), default=0)
    if longest >= _RUN:
        return longest
    counted = _COUNTED.findall(bare)
    return len(items) if counted and longest <= _WIDEST else len(counted)


def _cells_on(text: str) -> list[str]:
    """Return the cells of a row, or its fields: empty fields count, except for one at each end."""
    cells = _COUNTED.findall(text)
    text = re.sub(r"""^[ "'\[({]+|["'\])}][,;]?$|[ ]+$""", "", text)
    separator = next((sign for sign in ",;\t|" if sign in text), "|")
    body = text.removeprefix("|")
    if text.startswith("|") or text.count(separator) > 8:
        body = body.removesuffix(separator)
    fields = [field.strip() or " " for field in body.split(separator)]
    are_cells = max(map(len, fields)) == 1
    return fields if are_cells else cells


def is_row(text: str) -> bool:
    """Return whether a line of text may be a row that is cut, or has a letter in it."""
    return LABEL.match(text) is not None or len(_SIGNS.findall(text, 0, _LONGEST)) > _FEW


def _without_labels(texts: list[str]) -> list[str]:
    """Return the texts of rows without the labels that count them; nothing if these do not ascend."""
    labels = [*filter(None, map(LABEL.match, texts))]
    places = [_LABEL_ORDER.find(label["n"]) for label in labels]
    if len(labels) < len(texts) or places != sorted({*places}):
        return []
    if places[-1] - places[0] > len(texts):  # their first cells
        return []
    return [text[label.end() :] for text, label in zip(texts, labels, strict=True)]


def error_in(parsed: ParsedText) -> InvalidPuzzleError:
    """Return the error about a text: the first line of cells that nothing explains, or that it has none."""
    start = parsed.text[:99].lstrip().lower()
    for sign, name in _FOREIGN.items():
        if start.startswith(sign):
            return InvalidPuzzleError(Reason("no_puzzle", "not a puzzle: this is {name}", name=name))
    wrong = re.fullmatch(r"(?s)(?=.{81}\Z)[0-9.*_xX?-]*([^0-9.*_xX?-]).*", parsed.text)
    if parsed.left:
        error = error_at(parsed, parsed.left[0])
    elif wrong:
        error = _wrong_sign(wrong[1], wrong.start(1), 1)
    else:
        digits = sum(map(parsed.text.count, "0123456789"))
        error = InvalidPuzzleError(wrong_size(digits), line=1)
    is_about_size = error.message.startswith(f"expected {size_message()}")
    is_drawing = (
        len(parsed.left) != 1 or len(parsed.lines[parsed.left[0]]) < _RUN
    )  # which may have lost blanks
    error.advice = TYPE if is_about_size and is_drawing else ""
    return error
