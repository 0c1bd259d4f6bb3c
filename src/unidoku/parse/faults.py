"""What is wrong with a part of a text that is like a board: the row, the column, the sign, the line.

Reads lines that are no board, runs of about 81 signs, and the beginnings of files that are no text of puzzles
at all (pointers of Git LFS, PDF, spreadsheets, web pages).  A message is made only where one is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import isqrt
from os.path import commonprefix

from unidoku.cell import EXPECTED, VALUES, fault, size_message, wrong_signs, wrong_size
from unidoku.errors import Message
from unidoku.parse.board import Board, Fault, of_cell
from unidoku.parse.lines import CELLS, READ, SEGMENT, SIGNS, WORD, Line, count_of, is_heading
from unidoku.parse.plain import DIGITS, SKIP, UNMARKED
from unidoku.parse.shapes import label_of

LEAST = 60
"""Signs of a text that is meant as 81 cells."""
_ALMOST = re.compile(r"(?<![^\s,;:|\"'=/<>\[(])[^\s,;:|\"'=/<>\[(]{70,92}(?![^\s,;:|\"'=/<>\])])")
_FOREIGN = {
    r"version https://git-lfs": Message("git lfs", "a pointer of Git LFS; git lfs pull brings the file"),
    r"\s{0,99}<(?i:!doctype|html)\b": Message("html", "a web page (HTML) without a board"),
    r"%PDF-": Message("a pdf", "a PDF; copy the board out of it as text"),
    r"PK\x03\x04|\xd0\xcf\x11\xe0": Message("excel", "a spreadsheet; save it as CSV"),
    r"\s{0,99}3x3:[a-z]*:k": Message("killer", "a killer Sudoku, which is not read"),
}
"""Kinds of files and texts that are no puzzles, by their first characters."""
_OWN = 'class="unidoku-board"'
_KIND = re.compile("|".join(f"({kind})" for kind in _FOREIGN))
_TABLE = re.compile(
    r"(?im)(?P<HTML><t[dh]\b)|(?P<BBCode>\[td\])|(?P<MediaWiki>^\{\|)|(?P<AsciiDoc>^\|===)"
    r"|(?P<XML><(?:cell|field|item|value)\b)"
)
_SIGNS_OR_BLANKS = bytes(b" 0"[not chr(code).isspace()] for code in range(256))
_SEPARATORS = "|\t;,&"
_CLOSERS = frozenset("])}")
_BRACKETS = str.maketrans(dict.fromkeys("[](){}<>\"'`" + SKIP))
_GAPS = str.maketrans(dict.fromkeys("|,;:/\\& \t"))
_SIZES = frozenset({4, 6, 8, 10, 12, 16, 25})
"""The rows of boards of other puzzles."""
_COLUMN = frozenset({80, 81, 82})  # lines of a cell each
_DOTS = Message("write dots", "write . for an empty cell")
_LABEL_EDGES = " \t:.=-*|>#()[]"
_REMARK = re.compile(r"\s*\([^()\d]{1,40}\)[:.]?")
"""What may stand behind a label."""
_SHOWN = 40  # characters of a line in a message
_MANY = (
    17  # more of one sign than the digits of a puzzle that a person types wrong: it stands for empty cells
)
_FEWEST_CELLS, _MOST_CELLS = 5, 12  # of a row that is damaged
_FEWEST_KNOWN, _FEWEST_ROWS = 3, 6  # lines that are meant as a board
_BAND = 3
_NUMERALS = re.compile(r"\d+")
_ALNUM = re.compile(r"[^\W_]")
_MOST_ROWS = 30  # lines that are looked at for a message


def tokens_of(text: str, *, is_labelled: bool = False) -> tuple[list[str], str]:
    """Return what stands in the places of cells in a line, perhaps without its label, and what these are."""
    label = label_of(text)
    begin = label.end if is_labelled or label.is_named else 0
    begin = remark.end() if begin and (remark := _REMARK.match(text, begin)) else begin
    body = text[begin:].rstrip("\r\n")
    if (bare := body.rstrip(_SEPARATORS + " "))[-1:] in _CLOSERS:
        body = bare  # of a list
    body = body.translate(_BRACKETS)
    separator = max(_SEPARATORS, key=body.count)
    if body.count(separator) > 5:
        if separator == "|":
            body = body.strip()
            body = body[body.startswith("|") : len(body) - body.endswith("|")]
        fields = body.split(separator)
        fields = fields[:-1] if len(fields) == 10 and not fields[-1].strip() else fields
        return [field.strip() or " " for field in fields], "cells" if "[" in text or "{" in text else "fields"
    tokens = body.replace("|", " ").replace(",", " ").split()
    if len(tokens) > 6:
        return tokens, "cells"
    return [*body.translate(_GAPS)], "cells"


def of_lines(lines: Sequence[Line]) -> Fault:
    """Return what is wrong with lines of cells that are no board."""
    lines = lines[1:] if len(lines) in {9, 10} and is_heading(lines[0].text) else lines
    total = sum(9 if line.kind == "near" else line.size for line in lines)
    total = len(lines) if len(lines) in _COLUMN else total
    texts = [line.text for line in lines[:_MOST_ROWS]]
    prefix = commonprefix(texts)  # noqa: RUF071
    if not {*SIGNS, *" |"}.issuperset(prefix):  # of a chat or a log
        texts = [text[prefix.rfind(" ") + 1 :] for text in texts]
    rows = [*map(tokens_of, texts)]
    bare = [tokens_of(text, is_labelled=True) for text in texts]
    rows = max(rows, bare, key=lambda rows: sum(len(tokens) == 9 for tokens, _ in rows))
    sizes = [len(tokens) for tokens, _ in rows]
    signs = [tokens[0] for tokens, _ in rows if tokens]
    are_before = len({*signs}) == 1 or "".join(signs) in {"123456789", "012345678"}
    if 2 * sizes.count(10) > len(sizes) and are_before:
        rows = [(tokens[1:], what) for tokens, what in rows]  # the sign of a list, or labels
        sizes = [size - 1 for size in sizes]
    count = len(lines)

    def wrong(message: str, row: int = 0) -> Fault:
        return Fault(message, lines[max(row, 1) - 1].start, total, row or None, lines=count)

    if {*sizes} == {count} and count in _SIZES:
        return wrong(_other_size(count))
    are_rows = count > 1 and (2 * sizes.count(9) >= count or (count == 9 and 1 < max(sizes) < 12))
    for row, (line, (tokens, _)) in enumerate(zip(lines, rows, strict=False), 1):
        if len(tokens) == 9 and (are_rows or count == 1) and any(map(_wrong_part, tokens)):
            symbol = next(filter(None, map(_wrong_part, tokens)))
            often = sum(line.text.count(symbol) for line in lines)
            return _strange_sign(tokens, row, line, often)._replace(cells=total, lines=count)
        if line.kind == "near" and 6 < count < 12:
            symbol = next(filter(_wrong_part, line.text.translate(_BRACKETS).translate(_GAPS)), "")
            if symbol and len(line.text) < 10:  # drawn with blanks
                place = 9 * row - 9 + line.text.index(symbol)
                return of_cell(place, EXPECTED, repr(symbol), line.start, symbol)._replace(
                    cells=total, lines=count
                )
            message = fault(EXPECTED, Message("in row", "{found} in row {n}", found=repr(symbol), n=row))
            return wrong(message, row)._replace(symbol=symbol)
    if not are_rows:
        size = other_groups() if total == 81 else wrong_size(total)
        return wrong(wrong_signs(lines[0].text.strip()) or size)
    if (
        count == 9 and 9 not in sizes and (row := _odd_row([line.text for line in lines]))
    ):  # drawn with blanks
        return other_form(lines[row - 1], row, total)
    for row, (line, (tokens, what)) in enumerate(zip(lines, rows, strict=False), 1):
        if len(tokens) != 9:
            return wrong(wrong_row(row, len(tokens), what, line.text), row)
    return wrong_count(lines, total)


def behind_code(line: Line) -> Line | None:
    """Return the row at the end of a line of code, which may have one sign that is no cell; None if none."""
    parts = [match[0] for match in SEGMENT.finditer(line.text)]
    row = max(parts, key=len, default="")
    if len(CELLS.findall(row)) == 9:
        return line._replace(text=row, kind="cells", size=9)
    row = line.text[max(map(line.text.rfind, "[({")) + 1 :]
    tokens, _ = tokens_of(row)
    is_one = len(tokens) == 9 and sum(map(bool, map(_wrong_part, tokens))) == 1
    return line._replace(text=row, kind="near", size=9) if is_one else None


def of_row(line: Line, row: int) -> Fault | None:
    """Return what is wrong with a line that has the label of a row; None if it has nine cells."""
    tokens, what = tokens_of(line.text, is_labelled=True)
    if len(tokens) != 9:
        return Fault(wrong_row(row, len(tokens), what, line.text), line.start, 81, row, lines=9)
    return _strange_sign(tokens, row, line)._replace(lines=9) if any(map(_wrong_part, tokens)) else None


def wrong_row(row: int, size: int, what: str, text: str) -> str:
    """Return the message about a row of another length."""
    shown = text.replace(SKIP, "").translate(UNMARKED).strip()[:_SHOWN]
    if size == 1:
        return Message("row cell", "row {row} has one cell, expected 9 cells: {shown}", row=row, shown=shown)
    if what == "fields":
        text = "row {row} has {size} fields, expected 9: {shown}"
        return Message("row fields", text, row=row, size=size, shown=shown)
    message = Message(
        "row cells", "row {row} has {size} cells, expected 9: {shown}", row=row, size=size, shown=shown
    )
    is_drawing = size < 9 and "  " in text.strip() and DIGITS.issuperset("".join(text.split()))
    return Message("and", "{reason}; {advice}", reason=message, advice=_DOTS) if is_drawing else message


def row_missing(row: int) -> Message:
    """Return the message about a row that is not there."""
    return Message("row missing", "row {row} is missing", row=row)


def row_twice(row: int | str) -> Message:
    """Return the message about a row that is there again."""
    return Message("twice", "row {row} is there twice", row=row)


def row_order(row: int, expected: int) -> Message:
    """Return the message about a row that stands in the place of another one."""
    return Message("row order", "row {row} is out of order, expected row {n}", row=row, n=expected)


def wrong_count(lines: Sequence[Line], total: int) -> Fault:
    """Return the fault of rows that are not nine: the one that is too many, or the first that is missing."""
    count = len(lines)
    texts = [line.text.strip() for line in lines]
    row = min(count, 9) + 1
    double = next((place for place in range(1, count) if texts[place] == texts[place - 1]), None)
    if double is not None and count == 10:
        row, why = double + 1, row_twice(double)
    elif count < 9:
        text = "row {row} is missing, or one above it"  # nothing says which
        why = Message("row or above missing", text, row=row)
    elif count == 9:
        forms = ["".join(CELLS.sub("0", text).split()) for text in texts]  # one sign for all cells
        usual = max(forms, key=forms.count)
        row = _odd_row([line.text for line in lines])
        row = row or next((place for place, form in enumerate(forms, 1) if form != usual), 1)
        shown, text = texts[row - 1][:_SHOWN], "row {row} has another form than most: {shown}"
        message = Message("other form", text, row=row, shown=shown)
        return Fault(message, lines[row - 1].start, total, row, lines=9)
    else:
        shown = texts[9][:_SHOWN]
        why = Message("too many", "row {row} is too many: {shown}", row=row, shown=shown)
    rows = fault(Message("9 rows", "9 rows of 9 cells"), Message("rows", "{n} rows", n=count))
    message = Message("and", "{reason}; {advice}", reason=rows, advice=why)
    return Fault(message, lines[row - 1 if count > 9 else 0].start, total, row, lines=count)


def _odd_row(texts: Sequence[str]) -> int:
    """Return the one row with bars at other places, or of another length; 0 for none."""
    places: list[tuple[int, ...]] = [
        tuple(place for place, sign in enumerate(text) if sign == "|") for text in texts
    ]
    sizes: list[tuple[int, ...]] = [(len(text.rstrip("\r")),) for text in texts]
    for forms in (places, sizes):
        usual = max(forms, key=forms.count)
        if forms.count(usual) == len(texts) - 1:
            return next(row for row, form in enumerate(forms, 1) if form != usual)
    return 0


def _wrong_part(token: str) -> str:
    """Return what is wrong with a token in the place of a cell; nothing if it may be one."""
    if len(token) == 1:
        return "" if token in SIGNS or token == " " else token
    if not token.isdecimal():
        return next((symbol for symbol in token if symbol not in SIGNS), token)
    return "" if [*token] == sorted({*token}) and "0" not in token else token


def _strange_sign(tokens: Sequence[str], row: int, line: Line, often: int = 1) -> Fault:
    """Return the fault of the first sign of a row that is no cell."""
    column, symbol = next((place, wrong) for place, wrong in enumerate(map(_wrong_part, tokens)) if wrong)
    return _of_sign(symbol, 9 * row - 9 + column, line.start, often)


def _of_sign(symbol: str, place: int, start: int, often: int = 1) -> Fault:
    """Return the fault of a sign in the place of a cell; one that is there so often stands for empty ones."""
    wrong = of_cell(place, EXPECTED, repr(symbol), start, symbol)
    if often <= _MANY:
        return wrong
    message = Message("and", "{reason}; {advice}", reason=wrong.message, advice=_DOTS)
    return wrong._replace(message=message)


def _other_size(rows: int) -> str:
    """Return the message about a board of another puzzle."""
    if rows == 16:
        return wrong_size(256)
    message = Message("not 9x9", "{n} cells: {rows}x{rows} is not read", n=rows**2, rows=rows)
    return fault(size_message(), message)


def has_run(text: str) -> bool:
    """Return whether a text has as many signs without a blank as 81 cells that were damaged."""
    if text.isascii():  # of bytes blanks are found ten times as fast
        return b"0" * LEAST in text.encode().translate(_SIGNS_OR_BLANKS)
    return max(map(len, text.split()), default=0) >= LEAST


def near_runs(text: str, source: str, boards: Sequence[Board]) -> Iterator[Fault]:
    """Yield what is like 81 cells on a line, but has another length or a strange sign."""
    if len(text) == 81 and not any(map(str.isspace, text)):
        place = next((place for place, symbol in enumerate(text) if symbol not in VALUES), None)
        if place is not None:
            yield _of_sign(text[place], place, 0, text.count(text[place]))
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
            yield _of_sign(symbols[place], place, match.start(), symbols.count(symbols[place]))


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


def _of_words(source: str) -> Fault | None:
    """Return the fault of nine lines of nine cells that have words before them."""
    found = list[tuple[int, str]]()
    for line in source.splitlines(keepends=True):
        cells = [match for match in SEGMENT.finditer(line) if len(CELLS.findall(match[0])) == 9]
        if len(cells) == 1 and WORD.search(line, 0, cells[0].start()):
            found.append((cells[0].start(), line))
    labels = [line[:end].replace(SKIP, "").strip(_LABEL_EDGES) for end, line in found]
    return other_labels(labels[0], labels[8], source.index(found[0][1])) if len(found) == 9 else None


def rows_of_words(source: str, boards: Sequence[Board]) -> Iterator[Fault]:
    """Yield what is wrong with lines like rows that have words beside their cells, and are no board.

    Three lines in the form of the rows of a board of the text, or six with nine cells, are meant as one.
    """
    spans = sorted((board.start, board.end) for board in boards)
    known = set[tuple[str, str]]()
    for start, end in spans:
        if WORD.search(source, start, end):
            rows = source[source.rfind("\n", 0, start) + 1 : end].replace(SKIP, "")
            known |= _forms_of(rows.split("\n"))
    parts, usual = list[list[Line]](), None  # between blank lines, and the form of all
    for line in _lines_beside(source, spans):
        form = _form_of(line.text)
        if usual and (form == usual or _begins_so(line.text, usual[0])):
            parts[-1].append(line)
        elif usual and not _ALNUM.search(line.text) and READ not in line.text:
            parts += [] if line.text.strip() else [[]]  # a rule, or what is behind a row
        else:
            yield from _of_parts(parts, is_known=usual in known)
            parts, usual = [[line]] if form else [], form
    yield from _of_parts(parts, is_known=usual in known)


def _lines_beside(source: str, spans: Sequence[tuple[int, int]]) -> Iterator[Line]:
    """Yield the lines of a text; of boards that were read nothing is left."""
    ends, start = iter([*spans, (len(source) + 1, 0)]), 0
    first, last = next(ends)
    for text in source.split("\n"):
        stop = start + len(text)
        while last <= start and first <= len(source):
            first, last = next(ends)
        is_read = first < stop and start < last
        shown = READ if is_read else text.replace(SKIP, "")
        yield Line(start, shown, "cells", count_of(_cells_behind(shown)))
        start = stop + 1


def _of_parts(parts: list[list[Line]], *, is_known: bool) -> Iterator[Fault]:
    """Yield the faults of rows in parts: bands of one board, or a board each."""
    is_apart = any(len(part) > _BAND for part in parts)
    for rows in parts if is_apart else [[line for part in parts for line in part]]:
        full = sum(line.size == 9 for line in rows)
        if len(rows) >= _FEWEST_KNOWN if is_known else full >= _FEWEST_ROWS:
            yield of_lines(rows)


def _forms_of(lines: Sequence[str]) -> set[tuple[str, str]]:
    """Return the forms of most rows of a board."""
    forms = [*filter(None, map(_form_of, lines))]
    return {form for form in forms if forms.count(form) >= _FEWEST_ROWS}


def _form_of(text: str) -> tuple[str, str] | None:
    """Return what stands before and behind the cells of a line of words, without its numbers."""
    if READ in text or not WORD.search(text):
        return None
    cells = _cells_behind(text)
    if not cells or not _FEWEST_CELLS <= count_of(cells) <= _MOST_CELLS:
        return None
    before, _, behind = text.rpartition(cells)
    form = _without_numbers(before), _without_numbers(behind)
    return form if WORD.search("".join(form)) else None


def _begins_so(text: str, before: str) -> bool:
    """Return whether a line has the words before the cells of others; its own cells may be damaged."""
    return WORD.search(before) is not None and _without_numbers(text).startswith(before)


def _without_numbers(text: str) -> str:
    """Return a text with a sign for each number and one blank for some."""
    return " ".join(_NUMERALS.sub("#", text).split())


def _cells_behind(text: str) -> str:
    """Return the last cells of a line that may be a row."""
    parts = [match[0] for match in SEGMENT.finditer(text)]
    return next((part for part in reversed(parts) if count_of(part) >= _FEWEST_CELLS), "")


def own_page(text: str) -> Fault | None:
    """Return the fault of a page or a picture of `unidoku.view`, which has answers beside puzzles."""
    if not (text[:1] == "<" and _OWN in text):
        return None
    message = Message("own page", "a page or a picture of unidoku: give the puzzles of which it was made")
    return Fault(message, 0, len(text))


def of_table(text: str) -> Fault | None:
    """Return the fault of a table in a markup whose rows are no lines of nine cells."""
    match = _TABLE.search(text)
    if match is None:
        return None
    why = (
        "expected 9 lines of 9 cells, found a table of {name}; write a row on each line, . for an empty cell"
    )
    return Fault(Message("markup", why, name=match.lastgroup), match.start(), LEAST)


def of_text(text: str, source: str, names: int) -> Iterator[Fault]:
    """Yield what a text is that has nothing like a board; at least how many cells it has."""
    if kind := _KIND.match(text):
        name = [*_FOREIGN.values()][(kind.lastindex or 1) - 1]
        is_page = "HTML" in name  # its text may be like a board
        message = Message("no puzzle but", "no puzzle: this is {name}", name=name)
        yield Fault(message, 0, LEAST if is_page else len(text))
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
    if words := _of_words(source):
        yield words
    size = len("".join(text.split()))
    root = isqrt(size)
    if root in _SIZES and root**2 == size and not {*text} - {*SIGNS, *" \n\r"}:
        yield Fault(_other_size(root), 0, size)
    digits = sum(map(source.count, "0123456789"))
    sizes = {digits, *(digits + source.count(sign) for sign in ".*_-")}
    yield Fault(other_groups() if 81 in sizes else wrong_size(digits), 0)
