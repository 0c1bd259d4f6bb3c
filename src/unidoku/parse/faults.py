"""What is wrong with a part of a text that is like a board: the row, the column, the sign, the line.

Reads lines that are no board, runs of about 81 signs, and the beginnings of files that are no text of puzzles
at all (pointers of Git LFS, PDF, spreadsheets, web pages).  A message is made only where one is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from os.path import commonprefix

from unidoku.cell import EXPECTED, OTHER_SIZES, VALUES, fault, size_message, wrong_signs, wrong_size
from unidoku.errors import Message
from unidoku.parse.board import Board, Fault, of_cell
from unidoku.parse.lines import CELLS, READ, SEGMENT, SIGNS, WORD, Line, count_of, is_heading
from unidoku.parse.plain import DIGITS, SKIP, UNMARKED
from unidoku.parse.shapes import label_of

LEAST = 60
"""Signs of a text that is meant as 81 cells."""
_ALMOST = re.compile(r"(?<![^\s,;:|\"'=/<>\[(])[^\s,;:|\"'=/<>\[(]{70,92}(?![^\s,;:|\"'=/<>\])])")
_PAGE = Message("html", "a web page (HTML) without a board")
_SHEET = Message("excel", "a spreadsheet; save it as CSV")
_FOREIGN = {
    "version https://git-lfs": Message("git lfs", "a pointer of Git LFS; git lfs pull brings the file"),
    "<!doctype": _PAGE,
    "<html": _PAGE,
    "%pdf-": Message("a pdf", "a PDF; copy the board out of it as text"),
    "pk\x03\x04": _SHEET,
    "\xd0\xcf\x11\xe0": _SHEET,
    "3x3:": Message("killer", "a killer Sudoku, which is not read"),
}
"""Kinds of files and texts that are no puzzles, by their first characters in lower case."""
_MARKUPS = {
    "<td": "HTML",
    "<th": "HTML",
    "[td]": "BBCode",
    "|-\n": "MediaWiki",
    "|===": "AsciiDoc",
    "<cell": "XML",
    "<field": "XML",
}
"""Tables whose rows are no lines, by what each has."""
_OWN = 'class="unidoku-board"'
_SIGNS_OR_BLANKS = bytes(b" 0"[not chr(code).isspace()] for code in range(256))
_SEPARATORS = "|\t;,&"
_CLOSERS = frozenset("])}")
_BRACKETS = str.maketrans(dict.fromkeys("[](){}<>\"'`" + SKIP))
_GAPS = str.maketrans(dict.fromkeys("|,;:/\\& \t"))
_DOTS = Message("write dots", "write . for an empty cell")
_LABEL_EDGES = " \t:.=-*|>#()[]"
_REMARK = re.compile(r"\s*\([^()\d]{1,40}\)[:.]?")
"""What may stand behind a label."""
_SHOWN = 40  # characters of a line in a message
_LONGEST_START = 200  # characters of a text that say what it is
_FEWEST_CELLS, _MOST_CELLS = 5, 12  # of a row that is damaged
_FEWEST_ROWS = 3  # of words that are meant as a board
_BAND = 3
_NUMERALS = re.compile(r"\d+")
_MOST_ROWS = 30  # lines that are looked at for a message


def tokens_of(text: str, *, is_labelled: bool = False) -> list[str]:
    """Return what stands in the places of cells in a line, perhaps without its label."""
    label = label_of(text)
    begin = label.end if is_labelled or label.is_named else 0
    begin = remark.end() if begin and (remark := _REMARK.match(text, begin)) else begin
    body = text[begin:].rstrip("\r\n")
    if (bare := body.rstrip(_SEPARATORS + " "))[-1:] in _CLOSERS:
        body = bare  # of a list
    body = body.translate(_BRACKETS)
    separator = max(_SEPARATORS, key=body.count)
    if body.count(separator) > _FEWEST_CELLS:
        if separator == "|":
            body = body.strip()
            body = body[body.startswith("|") : len(body) - body.endswith("|")]
        fields = body.split(separator)
        fields = fields[:-1] if len(fields) == 10 and not fields[-1].strip() else fields
        return [field.strip() or " " for field in fields]
    tokens = body.replace("|", " ").replace(",", " ").split()
    return tokens if len(tokens) > _FEWEST_CELLS + 1 else [*body.translate(_GAPS)]


def of_lines(lines: Sequence[Line]) -> Fault:
    """Return what is wrong with lines of cells that are no board."""
    lines = lines[1:] if len(lines) in {9, 10} and is_heading(lines[0].text) else lines
    count, total = len(lines), sum(9 if line.kind == "near" else line.size for line in lines)
    total = count if count in {80, 81, 82} else total  # lines of a cell each
    texts = [line.text for line in lines[:_MOST_ROWS]]
    prefix = commonprefix(texts) if count > 1 else ""  # noqa: RUF071
    if not {*SIGNS, *" |"}.issuperset(prefix):  # of a chat or a log
        texts = [text[prefix.rfind(" ") + 1 :] for text in texts]
    rows = max(
        ([tokens_of(text, is_labelled=is_labelled) for text in texts] for is_labelled in (False, True)),
        key=lambda rows: sum(len(tokens) == 9 for tokens in rows),
    )
    signs = [tokens[0] for tokens in rows if tokens]
    are_before = len({*signs}) == 1 or "".join(signs) in {"123456789", "012345678"}
    if are_before and 2 * sum(len(tokens) == 10 for tokens in rows) > len(rows):
        rows = [tokens[1:] for tokens in rows]  # the sign of a list, or labels
    sizes = [*map(len, rows)]
    total = count**2 if {*sizes} == {count} else total
    are_rows = 2 * sizes.count(9) >= count or (count == 9 and 1 < max(sizes) < 12)
    odd = 0 if 9 in sizes or count != 9 else _odd_row(lines)  # of a drawing with blanks
    numbered = [*zip(range(1, count + 1), lines, rows, strict=False)] if are_rows else []
    signs_of_rows = (_strange_sign(tokens, row, line) for row, line, tokens in numbered)
    other_rows = (
        Fault(wrong_row(row, len(tokens), line.text), line.start, row=row)
        for row, line, tokens in numbered
        if len(tokens) != 9 and odd in {0, row}
    )
    if wrong := next(filter(None, chain(signs_of_rows, other_rows)), None):
        return wrong._replace(cells=total, lines=count)
    if are_rows and count > 1:
        return wrong_count(lines, total)
    size = other_groups() if total == 81 else wrong_size(total)
    return Fault(size, lines[0].start, total, lines=count)


def behind_code(line: Line) -> Line | None:
    """Return the nine cells behind the last bracket of a line of code, of which some may be none; or None."""
    row = line.text[max(map(line.text.rfind, "[({")) + 1 :]
    return line._replace(text=row, kind="near", size=9) if len(tokens_of(row)) == 9 else None


def of_row(line: Line, row: int, *, is_labelled: bool = False) -> Fault:
    """Return what is wrong with a line beside rows, or with the label of one."""
    tokens = tokens_of(line.text, is_labelled=is_labelled)
    if len(tokens) != 9 and (is_labelled or line.kind != "text"):
        return Fault(wrong_row(row, len(tokens), line.text), line.start, 81, row, lines=10)
    return (_strange_sign(tokens, row, line) if is_labelled else None) or other_form(line, row, 81)


def wrong_row(row: int, size: int, text: str) -> str:
    """Return the message about a row of another length."""
    shown = text.replace(SKIP, "").translate(UNMARKED).strip()[:_SHOWN]
    if size == 1:
        return Message("row cell", "row {row} has one cell, expected 9 cells: {shown}", row=row, shown=shown)
    if max(map(text.count, _SEPARATORS)) > _FEWEST_CELLS and {*text}.isdisjoint("[{"):
        reason = "row {row} has {size} fields, expected 9: {shown}"
        return Message("row fields", reason, row=row, size=size, shown=shown)
    reason = "row {row} has {size} cells, expected 9: {shown}"
    message = Message("row cells", reason, row=row, size=size, shown=shown)
    is_drawing = "  " in text.strip() and DIGITS.issuperset("".join(text.split()))
    return Message("and", "{reason}; {advice}", reason=message, advice=_DOTS) if is_drawing else message


def row_twice(row: int | str) -> Message:
    """Return the message about a row that is there again."""
    return Message("twice", "row {row} is there twice", row=row)


def wrong_count(lines: Sequence[Line], total: int) -> Fault:
    """Return the fault of nine rows of several forms, or of others: one is too many, or the first missing."""
    count = len(lines)
    texts = [line.text.strip() for line in lines]
    if count == 9:
        row = _odd_row(lines) or 1
        return other_form(lines[row - 1], row, total)
    row = min(count, 9) + 1
    double = next((place for place in range(1, count) if texts[place] == texts[place - 1]), None)
    if double is not None and count == 10:
        row, why = double + 1, row_twice(double)
    elif count < 9:
        text = "row {row} is missing, or one above it"  # nothing says which
        why = Message("row or above missing", text, row=row)
    else:
        shown = texts[9][:_SHOWN]
        why = Message("too many", "row {row} is too many: {shown}", row=row, shown=shown)
    rows = fault(Message("9 rows", "9 rows of 9 cells"), Message("rows", "{n} rows", n=count))
    message = Message("and", "{reason}; {advice}", reason=rows, advice=why)
    return Fault(message, lines[row - 1 if count > 9 else 0].start, total, row, lines=count)


def _odd_row(lines: Sequence[Line]) -> int:
    """Return the one row with bars at other places, or with another end or other gaps; 0 for none."""
    texts = [line.text.rstrip("\r") for line in lines]
    bars = [str([place for place, sign in enumerate(text) if sign == "|"]) for text in texts]
    ends = [" " * len(text) for text in texts]
    gaps = ["".join(CELLS.sub("0", text).split()) for text in texts]  # one sign for all cells
    for forms in (bars, ends, gaps):
        usual = max(forms, key=forms.count)
        if forms.count(usual) == len(forms) - 1:
            return next(row for row, form in enumerate(forms, 1) if form != usual)
    return 0


def _wrong_part(token: str) -> str:
    """Return what is wrong with a token in the place of a cell; nothing if it may be one."""
    if len(token) == 1:
        return "" if token in SIGNS or token == " " else token
    if not token.isdecimal():
        return next((symbol for symbol in token if symbol not in SIGNS), token)
    return "" if [*token] == sorted({*token}) and "0" not in token else token


def _strange_sign(tokens: Sequence[str], row: int, line: Line) -> Fault | None:
    """Return the fault of the first sign of a row that is no cell; None if it has none."""
    parts = tokens if len(tokens) == 9 else line.text.translate(_BRACKETS).translate(_GAPS)
    odd = [(column, wrong) for column, wrong in enumerate(map(_wrong_part, parts)) if wrong]
    if not odd or (line.kind != "near" and len(tokens) != 9):
        return None
    column, symbol = odd[0]
    if len(tokens) == 9 or len(line.text) < 10:  # drawn with blanks
        column = column if len(tokens) == 9 else line.text.index(symbol)
        return of_cell(9 * row - 9 + column, EXPECTED, repr(symbol), line.start, symbol)._replace(lines=9)
    message = fault(EXPECTED, Message("in row", "{found} in row {n}", found=repr(symbol), n=row))
    return Fault(message, line.start, 81, row, symbol=symbol, lines=9)


def has_run(text: str) -> bool:
    """Return whether a text has as many signs without a blank as 81 cells that were damaged."""
    if text.isascii():  # of bytes blanks are found ten times as fast
        return b"0" * LEAST in text.encode().translate(_SIGNS_OR_BLANKS)
    return max(map(len, text.split()), default=0) >= LEAST


def near_runs(source: str, boards: Sequence[Board]) -> Iterator[Fault]:
    """Yield what is like 81 cells on a line, but has another length or a strange sign."""
    if not has_run(source):
        return
    ends = iter([*boards, None])
    board = next(ends)
    for match in _ALMOST.finditer(source):
        symbols = match[0].replace(SKIP, "")
        count = sum(symbol in SIGNS for symbol in symbols)
        while board is not None and board.end <= match.start():
            board = next(ends)
        if count < LEAST or DIGITS.isdisjoint(symbols) or (board is not None and board.start < match.end()):
            continue
        place = next((place for place, symbol in enumerate(symbols[:81]) if symbol not in SIGNS), None)
        if len(symbols) != 81:
            yield Fault(wrong_size(len(symbols)), match.start(), count)
        elif place is not None:
            symbol = symbols[place]
            yield of_cell(place, EXPECTED, repr(symbol), match.start(), symbol)


def other_groups() -> str:
    """Return the message about 81 cells that are no rows."""
    found = Message("other groups", "81 in other groups")
    return fault(Message("81 in rows", "81 cells in a line or in 9 rows"), found)


def other_form(line: Line, row: int, cells: int) -> Fault:
    """Return the fault of a line beside rows whose cells are in another form."""
    text = "row {row} has another form than the others: {shown}"
    message = Message("form of others", text, row=row, shown=line.text.translate(UNMARKED).strip()[:_SHOWN])
    return Fault(message, line.start, cells, row, lines=10)


def other_labels(first: str, last: str, start: int) -> Fault:
    """Return the fault of nine lines of cells whose labels are none of rows."""
    if first == last:
        text = "the lines are labelled {label}: they may be columns or boxes; write Row 1 to 9, or none"
        return Fault(Message("other label", text, label=first), start, 81)
    last = last[commonprefix([first, last]).rfind(" ") + 1 :]  # noqa: RUF071
    text = "the lines are labelled {first} to {last}: they may be columns or boxes; write Row 1 to 9, or none"
    return Fault(Message("other labels", text, first=first, last=last), start, 81)


def rows_of_words(source: str) -> Iterator[Fault]:
    """Yield what is wrong with lines like rows that have words beside their cells.

    Three of eight to ten cells, or six with labels of rows, are meant as a board, if they are alike but for
    their cells and numbers.
    """
    parts, before, behind, start = [list[Line]()], "", "", 0  # between blank lines; what is beside the cells
    for part in [*source.split("\n"), READ]:
        line, start = Line(start, part.replace(SKIP, ""), "cells", 0), start + len(part) + 1
        has_word = READ not in part and WORD.search(part) is not None
        if not (has_word or before or behind):
            continue
        form, cells = _without_numbers(line.text), _cells_behind(line.text) if has_word else ""
        line = line._replace(size=count_of(cells))
        if (before and form.startswith(before)) or (behind and form.endswith(behind)):
            parts[-1].append(line)
        elif before + behind and not any(map(str.isalnum, part)) and READ not in part:
            parts += [] if line.text.strip() else [[]]  # a rule, or what is behind a row
        else:
            yield from _of_parts(parts)
            sides = map(_without_numbers, line.text.rpartition(cells)[::2] if cells else ("", ""))
            before, behind = (side if WORD.search(side) else "" for side in sides)
            parts = [[line]]


def _of_words(source: str) -> Iterator[Fault]:
    """Yield the fault of nine lines of nine cells that have a word each before these."""
    rows = [line for line in source.split("\n") if count_of(_cells_behind(line)) == 9]
    labels = [_label_before(line.replace(SKIP, "")) for line in rows]
    if len(labels) == 9 and all(map(WORD.search, labels)):
        yield other_labels(labels[0], labels[8], source.index(rows[0]))


def _without_numbers(text: str) -> str:
    """Return a text with a sign for each number and one blank for some."""
    return " ".join(_NUMERALS.sub("#", text).split())


def _of_parts(parts: list[list[Line]]) -> Iterator[Fault]:
    """Yield the faults of rows in parts: bands of one board, or a board each."""
    is_apart = any(len(part) > _BAND for part in parts)
    for rows in parts if is_apart else [[*chain(*parts)]]:
        is_named = rows != [] and label_of(rows[0].text).is_named  # a part of such rows is a fault itself
        sizes = [line.size for line in rows if 7 < line.size < 11]
        if len(sizes) < (2 if is_named else 1) * _FEWEST_ROWS:
            continue
        ends = [*map(_label_before, (rows[0].text, rows[8].text))] if sizes in ([9] * 9, [10] * 9) else [""]
        is_other = ends[0] and not is_named and len(rows) == 9
        yield other_labels(ends[0], ends[1], rows[0].start)._replace(lines=9) if is_other else of_lines(rows)


def _label_before(text: str) -> str:
    """Return what stands before the last nine cells of a line."""
    cells = _cells_behind(text)
    places = [cell.start() for cell in CELLS.finditer(cells)]
    if len(places) < 9:
        return ""
    return (text.rpartition(cells)[0] + cells[: places[-9]]).strip(_LABEL_EDGES)


def _cells_behind(text: str) -> str:
    """Return the last cells of a line that may be a row."""
    parts = [match[0] for match in SEGMENT.finditer(text)]
    return next((part for part in reversed(parts) if _FEWEST_CELLS <= count_of(part) <= _MOST_CELLS), "")


def own_page(text: str) -> Fault | None:
    """Return the fault of a page or a picture of `unidoku.view`, which has answers beside puzzles."""
    if not (text[:1] == "<" and _OWN in text):
        return None
    message = Message("own page", "a page or a picture of unidoku: give the puzzles of which it was made")
    return Fault(message, 0, len(text))


def of_table(text: str) -> Fault | None:
    """Return the fault of a table in a markup whose rows are no lines of nine cells."""
    lower = text.lower()
    name = next((name for sign, name in _MARKUPS.items() if sign in lower), None)
    why = (
        "expected 9 lines of 9 cells, found a table of {name}; write a row on each line, . for an empty cell"
    )
    return Fault(Message("markup", why, name=name), 0, LEAST) if name else None


def of_text(text: str, source: str, names: int) -> Iterator[Fault]:
    """Yield what a text is that has nothing like a board; at least how many cells it has."""
    if len(text) == 81 and not any(map(str.isspace, text)):
        place = next((place for place, symbol in enumerate(text) if symbol not in VALUES), None)
        if place is not None:
            yield of_cell(place, EXPECTED, repr(text[place]), 0, text[place])
    start = text[:_LONGEST_START].lstrip().lower()
    if name := next((name for sign, name in _FOREIGN.items() if start.startswith(sign)), None):
        message = Message("no puzzle but", "no puzzle: this is {name}", name=name)
        yield Fault(message, 0, LEAST if name is _PAGE else len(text))  # its text may be like a board
    yield from _of_words(source)
    if any(len(word) == 256 for word in source.split()):
        yield Fault(wrong_size(256), 0, 256)
    if rule := wrong_signs(source.strip()):
        yield Fault(rule, 0)
    if names > 1:
        found = (
            Message("cells in order", "81 named cells, not row by row")
            if names == 81
            else Message("named cells", "{n} named cells", n=names)
        )
        yield Fault(fault(size_message(), found), 0)
    size = len("".join(text.split()))
    if size in OTHER_SIZES and {*SIGNS, *" \n\r"}.issuperset(text):
        yield Fault(wrong_size(size), 0, size)
    digits = sum(map(source.count, "0123456789"))
    sizes = {digits, *(digits + source.count(sign) for sign in ".*_-")}
    yield Fault(other_groups() if 81 in sizes else wrong_size(digits), 0)
