"""Why lines of cells are not a board: the first line that differs, and how."""

from __future__ import annotations

import re
from itertools import chain

from unidoku.cell import EXPECTED, fault, in_cell, second_sign, size_message, wrong_size
from unidoku.errors import TYPE, InvalidPuzzleError, Message
from unidoku.parse.boards import ParsedText
from unidoku.parse.forms import doubt_of
from unidoku.parse.lines import LABEL, cells_shown, dotted
from unidoku.parse.lists import CELL, is_filled_by_columns

_COUNTED = re.compile(CELL)
_SIGNS = re.compile(rf"{CELL}|[,;|]")  # of a row
_NO_CELL = re.compile(r"[^\s0-9.*_xX?|,;:/&\\\[\](){}\"'`+=-]")
_NAME = r"""^\W*[^\W\d][\w ]*["']?\s*[:=]\s*["']?"""  # of a board, before a row on its line
_BOX_DASH = r"(?<=[0-9.*_xX?]) ?--? ?(?=[0-9.*_xX?])"
_LABEL_ORDER = "0123456789ABCDEFGHI一二三四五六七八九"
_LIKE = {"O": "0", "o": "0", "l": "1", "I": "1"}  # what is typed for a digit
_SHOWN = 40  # characters of a line in an error
_LENGTHS = 3  # by which the lines of rows differ in length, at most
_FEW = 4  # signs of a line of text, at most
_RUN = 60  # signs without a blank that are meant as 81
_PAGE = Message("a web page (HTML) without a board")
_LONGEST = 4096  # characters of a line that is looked at closely
_MATRIX = 14  # lines of a matrix in R
_BY_COLUMNS = Message("R fills this matrix by columns: write matrix(c(...), nrow = 9, byrow = TRUE)")
_FOREIGN = {  # by the first characters in lower case
    "version https://git-lfs": Message("a pointer of Git LFS; git lfs pull brings the file"),
    "%pdf-": Message("a PDF; copy the board out of it as text"),
    **dict.fromkeys(("<!doctype", "<html"), _PAGE),
}


def error_at(parsed: ParsedText, number: int, end: int | None = None) -> InvalidPuzzleError:
    """Say what is wrong with a line of cells: its size, the size of its block up to it, or a character."""
    lines = parsed.lines
    if len(lines[number]) > _LONGEST:
        return InvalidPuzzleError(wrong_size(cells_on(lines[number])), line=parsed.numbers[number])
    if is_filled_by_columns("\n".join(lines[number : number + _MATRIX])):
        return InvalidPuzzleError(_BY_COLUMNS, line=parsed.numbers[number])
    if parsed.kinds[number] == "o" and parsed.kinds.count("o") > _FEW:
        return _other_labels(parsed, number)
    rows = _rows_of(parsed, number, len(lines) if end is None else end)
    bodies = _bodies_of([lines[k] for k in rows])
    run = max(bodies[0].split(), key=len, default="")
    if len(rows) == 1 and len(run) == 81:
        bodies, rows = [run[k : k + 9] for k in range(0, 81, 9)], rows * 9
    cells = [*map(_cells_on, bodies)]
    fault = _fault_in_row(parsed, rows, bodies, cells)
    return fault or _fault_of_board(parsed, number, rows, [*chain(*cells)])


def _other_labels(parsed: ParsedText, number: int) -> InvalidPuzzleError:
    """Return the error about lines whose labels name no rows."""
    text = "the lines are labelled {label}: they can be columns or boxes; write Row 1 to 9, or no labels"
    label = parsed.lines[number].strip()[:_SHOWN]
    return InvalidPuzzleError(Message(text, label=label), line=parsed.numbers[number])


def _fault_in_row(
    parsed: ParsedText, rows: list[int], bodies: list[str], cells: list[list[str]]
) -> InvalidPuzzleError | None:
    """Return the error about the first row of several with a wrong sign or another number of cells."""
    counts = [*map(len, cells)]
    most_have_nine = counts.count(9) * 2 > len(rows)
    for row, (number, body, count) in enumerate(zip(rows, bodies, counts, strict=True), 1):
        if len(rows) > 1 and (wrong := _NO_CELL.search(body)):
            before = body[: wrong.start()].strip(" ").removeprefix("|")
            column = max(len(_COUNTED.findall(before)), len(re.findall("[,;\t|]", before)))
            place = min(row, 9) * 9 - 9 + min(column, 8)
            return _wrong_sign(wrong[0], place, parsed.numbers[number])
        has_size = most_have_nine or (_COUNTED.search(body) and "|" not in body)  # of blanks it is not known
        if count != 9 and len(rows) > 2 and has_size:
            text, shown = "row {row} has {size} cells, expected 9: {shown}", parsed.lines[number].strip()
            sizes = Message(text, row=row, size=count, shown=shown[:_SHOWN])
            return InvalidPuzzleError(sizes, line=parsed.numbers[number], row=row)
    return None


def _fault_of_board(parsed: ParsedText, number: int, rows: list[int], cells: list[str]) -> InvalidPuzzleError:
    """Return the error about possible rows: their number, two characters for empty cells, or their form."""
    message: str
    signs = ["" if sign in "123456789" else repr(sign) for sign in cells]
    size = cells_on(parsed.lines[number])
    if len(rows) not in (1, 9):
        message = fault(Message("9 rows of 9 cells"), Message("{n} rows", n=len(rows)))
    elif len(signs) == 81 and (second := second_sign(signs)):
        place, requirement = second
        message = fault(requirement, in_cell(signs[place], place))
        line = parsed.numbers[rows[place // 9 % len(rows)]]
        return _at(message, place, signs[place].strip("'"), line)
    elif len(signs) == 81 and (doubt := doubt_of(dotted("".join(cells)) or "")):
        place, message = doubt
        return InvalidPuzzleError(message, line=parsed.numbers[rows[place % len(rows)]], row=place + 1)
    elif len(rows) == 9 or size == 81:
        message = fault(Message("81 cells in a line or in 9 rows"), Message("81 in other groups"))
    else:
        message = wrong_size(size)
    return InvalidPuzzleError(message, line=parsed.numbers[number])


def _at(message: str, place: int, sign: str, line: int) -> InvalidPuzzleError:
    """Return the error about a sign in the place of a cell."""
    return InvalidPuzzleError(message, row=place // 9 + 1, column=place % 9 + 1, found=sign, line=line)


def _wrong_sign(sign: str, place: int, line: int) -> InvalidPuzzleError:
    """Return the error about a character that is not a cell; a letter may be meant as a similar digit."""
    found = in_cell(repr(sign), place)
    if digit := _LIKE.get(sign):
        found = Message("{found}; did you mean {digit}?", found=found, digit=digit)
    return _at(fault(EXPECTED, found), place, sign, line)


def _rows_of(parsed: ParsedText, number: int, end: int) -> list[int]:
    """Return the numbers of the lines of cells around one, including rows that a letter turned into text.

    From `end` on only those are among them.
    """
    kinds, size = parsed.kinds, len(parsed.lines[number])

    def is_text(k: int) -> bool:
        return kinds[k] == "t" and abs(len(parsed.lines[k]) - size) < _LENGTHS and is_row(parsed.lines[k])

    first = number
    while first and is_text(first - 1):
        first -= 1
    rows, k = [first], first + 1
    while k < len(kinds) and ((k < end and kinds[k] in "cdne-=h") or is_text(k)):
        if kinds[k] in "cdnet":
            rows.append(k)
        k += 1
    return [k for k in rows if kinds[k : k + 2] != "e="] or rows


def cells_on(text: str) -> int:
    """Return how many cells a line has: its fields, the signs of its longest run, or cells of one sign."""
    bare = text.strip(" \t\r\n\"'[](){}")
    fields = re.split("[,;\t]", bare)
    run = max(bare.split(), key=len, default="")
    return len(fields) if len(fields) > 9 else len(run) if len(run) >= _RUN else len(_COUNTED.findall(bare))


def _cells_on(text: str) -> list[str]:
    """Return the cells of a row, or its fields: empty fields count, except for one at each end."""
    cells = _COUNTED.findall(text)
    text = re.sub(r"""^[ "'\[({]+|["'\])}][,;]?[ ]*$|[ ]+$""", "", text)
    separator = next((sign for sign in ",;\t|" if sign in text), "|")
    end = separator if text.startswith("|") or text.count(separator) > 8 else ""
    fields = [field.strip() or " " for field in text.removeprefix("|").removesuffix(end).split(separator)]
    return fields if len(fields) > len(cells) and max(map(len, fields)) == 1 else cells


def is_row(text: str) -> bool:
    """Return whether a line of text may be a row that is cut, or has a letter in it."""
    return LABEL.match(text) is not None or len(_SIGNS.findall(text, 0, _LONGEST)) > _FEW


def _bodies_of(lines: list[str]) -> list[str]:
    """Return the texts of rows without labels, names before them, and dashes between their boxes."""
    texts = [*map(cells_shown, lines)]
    bodies = _without_labels(texts) or [re.sub(_NAME, "", text) for text in texts]
    without_dashes = [re.sub(_BOX_DASH, " ", body) for body in bodies]
    have_nine = [len(_COUNTED.findall(body)) == 9 for body in without_dashes]
    are_rows = have_nine.count(True) * 2 > len(bodies)
    return without_dashes if are_rows else bodies


def _without_labels(texts: list[str]) -> list[str]:
    """Return the texts of rows without the labels that count them; nothing if these do not ascend."""
    labels = [*filter(None, map(LABEL.match, texts))]
    places = [_LABEL_ORDER.index(label["n"]) for label in labels]
    if len(labels) < len(texts) or places != sorted({*places}):
        return []
    have_signs = any(label["mark"] + label["end"] for label in labels)
    if not have_signs and places[-1] - places[0] >= len(texts):  # their first cells
        return []
    return [text[label.end() :] for text, label in zip(texts, labels, strict=True)]


def error_in(parsed: ParsedText) -> InvalidPuzzleError:
    """Return the error about a text: the first line of cells that nothing explains, or that it has none."""
    start = parsed.text[:99].lstrip().lower()
    if name := next((name for sign, name in _FOREIGN.items() if start.startswith(sign)), None):
        return InvalidPuzzleError(Message("not a puzzle: this is {name}", name=name))
    if parsed.left:
        error = error_at(parsed, parsed.left[0])
    elif len(parsed.text) == 81 and (wrong := re.search(r"[^0-9.*_xX?-]", parsed.text)):
        error = _wrong_sign(wrong[0], wrong.start(), 1)
    else:
        digits = sum(map(parsed.text.count, "0123456789"))
        error = InvalidPuzzleError(wrong_size(digits), line=1)
    # another size says what to mend; a drawing of too few cells may have lost blanks
    is_size = error.row is None and error.message.startswith(f"expected {size_message()}")
    is_line = len(parsed.left) == 1 and len(parsed.lines[parsed.left[0]]) >= _RUN
    error.advice = TYPE if is_size and not is_line else ""
    return error
