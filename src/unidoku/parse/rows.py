"""One line of plain text as cells: what kind of line it is, and the cells in it.

A line may have a prefix (a quotation, a time), a label (``Row 3:``), words and remarks around its cells.
Tried are the line itself, what follows its label, and with words in it what stands before the first and
behind the last of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from unidoku.cell import EMPTY_SYMBOLS

DIGITS = frozenset("123456789")
SYMBOLS = DIGITS | frozenset(EMPTY_SYMBOLS)
MINUS = "~"
"""The symbol of an empty cell that is written as -1."""

_LONGEST = 1100  # characters of a line that is read as cells: 81 groups of nine digits, and the frame
_NUMERALS = "一二三四五六七八九⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉"  # wrong cells, no words
# A word: two letters, not both x; a single letter may be a wrong cell, or a label.
WORD = re.compile(
    rf"[^\W\d_](?:(?<![xX{_NUMERALS}])[^\W\d_]|[^\W\d_xX{_NUMERALS}]|(?<![a-zA-Z\u00c0-\u052f{_NUMERALS}]))"
)
_LAST_WORD = re.compile(rf".*({WORD.pattern})")
_SEPARATORS = str.maketrans(dict.fromkeys("|,;:/\\&", " "))
_BRACKETS = str.maketrans(dict.fromkeys("[](){}<>\"'`", " "))
SEPARATE = str.maketrans(dict.fromkeys("|,;:/\\& \t[](){}<>\"'`"))
_TIME = r"\d{1,2}:\d\d(?::\d\d)?"
_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
_PREFIX = re.compile(
    r"(?:\s{0,9}>)+ ?|\s{0,9}#+ (?=[\d.*_-][^#]*\Z)"
    r"|\s{0,9}(?:[A-Za-z]\w{0,30}\s){0,3}[A-Za-z]\w{0,30}\s?:?=\s?[\[\"'`({]+(?=\s{0,9}[\d._*-])"
    r"|\s{0,9}\[\s{0,6}\d{1,6}\.\d{3,9}\]\s{1,9}"
    rf"|\s{{0,9}}\[?{_TIME}\]?\s{{1,9}}(?=\S)"
    rf"|\s{{0,9}}[A-Z]\w{{0,30}}(?: [A-Z]\w{{0,30}})?,? \(?{_TIME}(?: ?[AaPp]\.?[Mm]\.?)?\)?:? "
    rf"|\s{{0,9}}\[?{_DAY}(?:,? |T){_TIME}(?:[.,]\d{{1,9}})?"
    r"(?:Z|[+-]\d\d:?\d\d| ?[AaPp]\.?[Mm]\.?)?\]?(?: -)? "
)
_DATE = re.compile(rf"\W{{0,3}}{_DAY}\W{{0,3}}(?:{_TIME})?\W{{0,3}}")
_ROW_LABEL = re.compile(
    r"\W{0,8}(?:row|line|r|(?-i:L)(?=[1-9]))[ _-]?\(?(\d{1,2}|[A-I])\)?\**"
    r"(?:\s{0,2}[:)=|]|\s-(?=\s\S{5,11}\s*\Z)|\.(?=\s)|\s|\Z)\**:? ?",
    re.IGNORECASE,
)
# a row with the label of a column is one, with that of a box it is none
_OTHER_LABEL = re.compile(
    r"[\W_第]{0,8}(?P<before>[1-9])?(?:st|nd|rd|th|\.|ª|º|-я|-й)?\s?(?:(?P<column>c(?=[1-9])|col(?:umna?|onn[ea]|una)?"
    r"|spalte|kolom|kolumna?|kolonne|столбец|колонка|列|열|sütun|στήλη|عمود|עמודה)|b(?=[1-9])|box|block|square|region"
    r"|nonet|house|quadrant|sub-?grid|bloc|bloque|caja|carré|kasten|blok|квадрат|блок|宫|宮|ブロック|박스)"
    r"(?![^\W\d_])[ _#-]{0,2}\(?(?P<after>[1-9])?(?![0-9])\)?\**(?:\s{0,2}[:)=|]|\.(?=\s)|\s|\Z)\**:? ?",
    re.IGNORECASE,
)
_ROMAN_LABEL = re.compile(r"[\W_]{0,6}(?:I{1,3}|IV|VI{0,3}|IX)(?:[.:)]\s|\s\s)")
COLUMN = "c"
"""The first character of the label of a column."""
LABEL = re.compile(
    r"\A\s{0,40}[^\w,]{0,6}?_{0,2}([0-9]{1,4}|[A-Ja-j]|[IV]{1,4}|IX)(?=[\s|:.,;)*\]]|- )"
    r"[:.)\]-]?\**(?: {0,2}[|,;\t]| )?"
)
"""A label without a word, such as ``A |``, ``3.`` or ``(1)``."""
END_LABEL = re.compile(r"[\s|:;,]\s{0,3}\(?([0-9]{1,4}|[A-Ja-j])\)?\s*\Z")
"""A label at the end of a row."""
# between words and cells: behind the last word, a number of it perhaps, and a colon or a blank
_AFTER_WORD = re.compile(
    r"[^\W\d_]{0,40}(?:\W{0,2}\d{1,6}\W{0,2})??[\"'`\]]{0,3}(?:\s?[:=|>]|(?<=\w)\.\s|\)\s{0,3}[:=]|\s)\s{0,20}"
    r"(?=[^:=>]{9,}\Z)"
)
# and before the first word, which begins a remark
_REMARK_GAP = re.compile(
    r"(?:\s\(\d{1,2}\s|\s{2,}|[\"'`]\s?[.,;}\])]|\s?[#(;]|\s//|\s--|\s<|\s-|\s=|\s\*|\s%|\s!)[^\d|]{0,30}\Z"
)
_BARE = re.compile(r"[0-9.|+*_,;& \t\n-]*")
_CONTINUATION = re.compile(r"(?<=[;,\[]) ?\.\.\.\s*\Z")  # of MATLAB
_VALUE = re.compile(r"[=?#]([0-9.*_-]{9})\s*\Z")  # at the end of an address
_FRAME_START = re.compile(r"\s{2,}(?=[|+])")
# a label of a row, or its sum
_NUMBER_AT_END = re.compile(
    r"(?<![,;&\t])\s(?:\(\d{1,3}\)|[A-J]|[=|]\s?\d\d)\s*\Z|(?<=[\d.*_xX?-])\s{2,20}\d{2,6}\s*\Z"
)
_CELL = re.compile(r"(-1)|[*#+@%&!?(_~]{0,2}([0-9.])(?:[.,]0{0,6})?[*#+@%&!?)_~]{0,2}")
_CANDIDATES = re.compile(r"[1-9]{2,9}|[.0-9-]")
_MARKED = re.compile(r"[*#+@%&!?_~]{0,2}([1-9]{1,9})[*#+@%&!?_~]{0,2}")
_NUMBERED_FIELD = re.compile(r"\W*[A-IRa-ir]\d?\W*")
_LETTER_LABEL = re.compile(r"[A-J](?=[ |]|\Z)")
_BAR_SIGNS = frozenset(":#!I")
_DIGITS_AND_SIGNS = re.compile("[0-9 :#!I._-]*")
_JOINTS = frozenset("#*!:+=/\\^%@$.-_~·")
_CELLS = re.compile("[0-9.]+")
_NO_SYMBOLS = str.maketrans(dict.fromkeys([*SYMBOLS, *_NUMERALS]))
_RULES = frozenset("-=+*.:|_ ~^#'`,")
_SET = re.compile(r"[1-9](?:[ ,/]{1,2}[1-9]){1,8}")
_TOKEN_SET = re.compile(r"(?<![^\s|;{(\[])[1-9](?:[,/][1-9]){1,8}(?![^\s|;})\]])")
_FORMULA = re.compile(r"[+=<>$^~]")
_QUOTES = " \t\"'[](){}`~"


class Line(NamedTuple):
    """A line, or a list in brackets: its kind, its cells, and where it stands."""

    kind: str
    """row, rule (a border, or a row of empty cells), some (cells, not nine), near, border, blank or text."""
    cells: tuple[str, ...]
    """A symbol for each cell, a blank for a blank field, or groups of candidates."""
    start: int
    text: str
    """The line without prefixes, remarks and labels in words."""
    label: str = ""
    """The number of the row that its label says."""


class Cells(NamedTuple):
    """The kind of a piece of a line, and its cells."""

    kind: str
    cells: tuple[str, ...] = ()


_new_line = partial(tuple.__new__, Line)  # in half the time: a file may have millions
_BLANK, _TEXT, _BORDER = Cells("blank"), Cells("text"), Cells("border")
_EMPTY_ROW = Cells("rule", (" ",) * 9)


def line_of(text: str, start: int) -> Line:
    """Return a line, which begins at a place, with its kind and its cells."""
    if len(text) > _LONGEST:
        return Line(*_TEXT, start, text)
    body = text.rstrip("\n")
    if _CELLS.fullmatch(body):  # the most frequent lines
        size = len(body)
        if size == 9:
            return _new_line(("row", tuple(body), start, text, ""))
        if not (10 < size < 20 or body.endswith(".")) and body.count(".") != 2:
            # else perhaps joined by dots, with a full stop, or a date
            return _new_line(("some", tuple(body), start, text, ""))
    cells, rest, label = _parts(text) if body else (_BLANK, text, "")
    return _new_line((*cells, start, rest, label))


@lru_cache(2048)  # borders and short lines come again and again
def _parts(text: str) -> tuple[Cells, str, str]:
    """Return the cells of a line, the part of it that has them, and its label."""
    if _BARE.fullmatch(text) and "..." not in text[-8:]:  # no prefix, no label in words
        return _cells_of(_without_stop(text)), text, ""
    text = _with_bars(text)
    prefix = _PREFIX.match(text)
    if prefix:
        text = text[prefix.end() :]
    if "..." in text[-8:]:
        text = _CONTINUATION.sub("", text)
    label = _OTHER_LABEL.match(text)
    if label:
        rest = _labelled_part(text, label)
        cells = _cells_of(_without_stop(rest))
        number = label["before"] or label["after"]
        if cells.kind == "row":
            return (cells, rest, f"{COLUMN}{number}") if label["column"] and number else (_TEXT, text, "")
    label = _ROW_LABEL.match(text)
    if label:
        rest = _labelled_part(text, label)
        cells = _cells_of(_without_stop(rest))
        is_empty = cells.kind == "blank" and text[label.end() :].strip()
        return _TEXT if is_empty else cells, rest, label[1]
    word = WORD.search(text)
    roman = _ROMAN_LABEL.match(text)
    if roman:
        cells = _cells_of(text[roman.end() :])
        if cells.kind == "row":
            return cells, text, ""
    if word is None:
        return _cells_of(_without_stop(text)), text, ""
    for piece in _pieces(text, word):
        cells = _cells_of(_without_stop(piece))
        first, others = cells.cells[:1], {*cells.cells[1:]}
        is_behind = not text.startswith(piece)
        if (
            len(cells.cells) == 9
            and len(others) == 1
            and (len(first[0]) > 1 or (is_behind and " " in others))
        ):
            continue  # a number in the title of a sheet
        if cells.kind in {"row", "rule", "border"} or (cells.kind == "some" and piece.count("|") > 1):
            return cells, piece, ""
    return _near(text.strip()) if len(text) < 40 else _TEXT, text, ""


def _labelled_part(text: str, label: re.Match[str]) -> str:
    """Return what follows the label of a row, without a remark."""
    has_bar = text.lstrip(" \t").startswith("|") and label[0].rstrip(" ").endswith("|")
    rest = text[text.rindex("|", 0, label.end()) if has_bar else label.end() :]
    word = WORD.search(rest)
    if word is None:
        return rest
    gap = _REMARK_GAP.search(rest[: word.start()])
    before = rest[: gap.start()] if gap else rest[: word.start()]
    if before.strip():
        return before
    pieces = map(_without_stop, _pieces(rest, word))
    return next((piece for piece in pieces if _cells_of(piece).kind == "row"), before)


def _without_stop(text: str) -> str:
    """Return a row without the full stop of its sentence."""
    body = text.rstrip()
    is_sentence = body.endswith(".") and body.count(".") == 1 and len(body.translate(SEPARATE)) == 10
    return body[:-1] if is_sentence else text


def _pieces(text: str, word: re.Match[str]) -> Iterator[str]:
    """Yield the parts of a line with words that may be cells."""
    before = text[: word.start()]
    if len(before) > 8:
        frame_end = max(before.rfind("|"), before.rfind("+ ")) + 1
        if frame_end > 8:
            yield before[:frame_end]
        if _REMARK_GAP.search(before):
            yield _REMARK_GAP.sub("", before)
    last = _LAST_WORD.match(text, word.start()) or word
    frame_start = _FRAME_START.search(text, last.end())
    if frame_start and "|" not in text[last.end() : frame_start.start()]:
        yield text[frame_start.end() :]
    after = _AFTER_WORD.match(text, last.start(last.lastindex or 0))
    if after:
        yield text[after.end() :]
    closed = max(text.rfind(") "), text.rfind("] ")) + 2  # of a log
    if closed > last.end():
        yield text[closed:]
    value = _VALUE.search(text)
    if value:
        yield value[1]
    words = text.split()
    if len(words[-1]) == 9:
        yield words[-1]
    elif len(words) > 9 and len(words[-10]) > 1 and {*map(len, words[-9:])} == {1}:
        yield " ".join(words[-9:])


def _with_bars(text: str) -> str:
    """Return a line of digits and blanks with bars for the colons or hashes of its frame."""
    body = text.strip()
    sign = body[:1]
    width = (len(body) - 1) // 3
    if sign not in _BAR_SIGNS or len(body) < 13 or body[::width] != sign * 4 or body.count(sign) != 4:
        return text
    return text.replace(sign, "|") if _DIGITS_AND_SIGNS.fullmatch(body) else text


def _cells_of(text: str) -> Cells:
    """Return the kind and the cells of a text without words."""
    if text.count(":") > 5 and "|" in text:  # thin lines of a frame
        text = text.replace(":", "|")
    cells = _plain_cells(text)
    if cells.kind not in {"row", "blank"} and len(text) > 9 and (number := _NUMBER_AT_END.search(text)):
        text = text[: number.start()]
        before = _BLANK if "(" in text and "(" in number[0] else _plain_cells(text)
        return before if before.kind == "row" else cells
    return cells


def _plain_cells(text: str) -> Cells:
    """Return the kind and the cells of a text without words and a number at its end."""
    body = text.strip()
    if not body:
        return _EMPTY_ROW if text.count("\t") == 8 else _BLANK
    fields = _fields(text)
    if fields is not None:
        if len(fields) == 9 and not "".join(fields).strip():
            is_heading = "|||" in body and body.count("|") != 8
            return _BORDER if is_heading else Cells("rule", fields)
        return _row_of_groups(fields) if len(fields) in {9, 81} else Cells("some", fields)
    if "," in body or "/" in body:
        body = _TOKEN_SET.sub(lambda match: match[0].translate(SEPARATE), body)
    body = body.translate(_BRACKETS).strip()
    if body.startswith("**") and body.endswith("**") and len(body) > 12:
        body = body.strip("* ")
    tokens = body.translate(_SEPARATORS).split()
    symbols = "".join(tokens)
    if not symbols:  # bars, commas, or nothing
        return _EMPTY_ROW if body.count("|") > 1 and " " in body else _BORDER
    if _is_rule(body, symbols):
        return Cells("rule", tuple(symbols)) if len(symbols) == 9 and "+" not in symbols else _BORDER
    cells = _symbols(body, tokens, text.strip()) or _near(body)
    return _TEXT if cells.kind == "some" and _DATE.fullmatch(body) else cells


def _row_of_groups(cells: tuple[str, ...]) -> Cells:
    """Return a row; numbers whose digits do not ascend are no candidates."""
    are_single = len("".join(cells)) == len(cells) and "" not in cells
    return Cells("row" if are_single or all(map(is_set, cells)) else "near", cells)


def is_set(cell: str) -> bool:
    """Return whether a cell has one sign, or digits that ascend."""
    return len(cell) < 2 or (cell.isdecimal() and [*cell] == sorted({*cell}))


def _is_rule(body: str, symbols: str) -> bool:
    """Return whether a text is a part of a frame; a row of hyphens may be empty cells, too."""
    if body[0] in "oOxX" and body[0] == body[-1] and len(body) > 12 and "---" in body:  # a corner
        body = body.replace(body[0], "+")
    if not _RULES.issuperset(body):
        return False
    if not symbols.strip("~^#+"):
        return True
    if "---" in body or "===" in body or "___" in body or not symbols.strip("-=+"):
        return len(symbols) != 9 or not symbols.strip("-=+_")
    return body[0] == body[-1] == "+" and "..." in body


def _fields(text: str) -> tuple[str, ...] | None:
    """Return the cells in nine, ten or 81 fields, of which some may be blank; None for another text."""
    for separator in "|\t;,&:/":
        count = text.count(separator)
        if count < 8:
            continue
        body = text.strip("\r\n")
        if separator == "|" and body.count("||") == 8 == count // 2:  # of MediaWiki
            body = f"{body.replace('||', '|')}|"
        if separator == "|" and count > 8:
            body = body.strip(" \t")
            body = body[:-1] if count > 9 and body.endswith("|.") else body  # of LaTeX
            body = body[body.startswith("|") : len(body) - body.endswith("|")]
            count = body.count("|")
        is_framed = separator == "|" and text.lstrip(" \t").startswith("|") and 5 < count < 12
        if count not in {8, 9, 80} and not is_framed:
            continue
        fields = [field.strip(_QUOTES) for field in body.split(separator)]
        fields = fields if "||" in body else _bare_sets(fields)
        cells = [*map(_cell, fields)]
        if count == 9 and None not in cells[1:] and _NUMBERED_FIELD.fullmatch(fields[0]):
            cells = cells[1:]
        if None not in cells:
            return tuple(cell for cell in cells if cell is not None)
        if count == 8 and all(_CANDIDATES.fullmatch(field or ".") for field in fields):
            return tuple(field or " " for field in fields)
    return None


def _bare_sets(fields: list[str]) -> list[str]:
    """Return fields of candidates with signs between them as digits; other fields as they are."""
    sets = [_SET.sub(lambda match: match[0].translate(SEPARATE), field) for field in fields]
    return sets if all(not field or (field.isdecimal() and is_set(field)) for field in sets) else fields


def _cell(field: str) -> str | None:
    """Return the symbol in a field, a blank for an empty one; None for another text."""
    if len(field) < 2:
        return field if field in SYMBOLS else None if field else " "
    if field in {"__", "??", "--"}:
        return field[0]
    if field[0] == "$" == field[-1]:  # of LaTeX
        field = field[1:-1].strip()
    elif field[0] == "=":  # a formula of a sheet
        field = field[1:].strip(_QUOTES)
    match = _CELL.fullmatch(field)
    return None if match is None else match[2] or MINUS


def _symbols(body: str, tokens: Sequence[str], quoted: str) -> Cells | None:
    """Return the cells of a text, in whatever groups, or groups of candidates; None for another text."""
    symbols = "".join(tokens)
    count, size = len(tokens), len(symbols)
    are_cells = SYMBOLS.issuperset(symbols)
    if size == 10 and body[0] == "+" and SYMBOLS.issuperset(symbols[1:]):  # of a patch
        return Cells("row", tuple(symbols[1:]))
    if are_cells:
        if size == 10 and body[0] in "-*." and body[0] not in body[1:] and len(tokens[0]) == 1:  # of a list
            return Cells("row", tuple(symbols[1:]))
        if size == 9:
            floats = sum(token[:-1] in DIGITS and token[-1] == "." for token in tokens)
            if floats < 3:  # else of a cut row
                return Cells("row", tuple(symbols))
        if size == 81 and len({*map(len, tokens)}) == 1 < len({*tokens}):
            return Cells("row", tuple(symbols))
    if count in {9, 10, 81} and size > count:
        if count != 10:
            groups = [
                token if len(token) == 1 or token.isdecimal() else _MARKED.sub(r"\1", token)
                for token in tokens
            ]
            if all(map(_CANDIDATES.fullmatch, groups)):
                return _row_of_groups(tuple(groups))
        cells = [*map(_cell, tokens)]
        is_sentence = "." in tokens and any(token.endswith(".") for token in tokens if len(token) > 1)
        if None not in cells and not is_sentence:
            return Cells("row" if count != 10 else "some", tuple(cell for cell in cells if cell is not None))
    if joined := _joined(body):
        return joined
    if 5 < count < 12 and 3 * count < 2 * size and all(is_set(token) for token in tokens):
        return Cells("some", tuple(tokens))
    if are_cells and not (count == 9 < size and sum(len(token) == 1 for token in tokens) > 6):
        return Cells("some", tuple(symbols))
    if count == 9 < size and sum(_CANDIDATES.fullmatch(token) is not None for token in tokens) > 6:
        return Cells("near", tuple(tokens))
    parts = quoted.split('"') if quoted.count('"') < 9 else []
    for part in parts[len(parts) == 1 :]:
        row = part.strip()
        if len(row) == 9 and SYMBOLS.issuperset(row):
            return Cells("row", tuple(row))
    label = _LETTER_LABEL.match(body)
    if label and {*"123456789 |"}.issuperset(body[label.end() :]):
        return Cells("some", tuple(body[label.end() :].translate(SEPARATE)))
    return None


def _joined(body: str) -> Cells | None:
    """Return nine cells, or three groups of three, with one other sign between them; or None."""
    if len(body) < 11:
        return None
    for sign in _JOINTS.intersection(body):
        if body.count(sign) < 2:
            continue
        inner = body[1:-1] if body[0] == body[-1] == sign else body
        if sign not in SYMBOLS:
            inner = inner.replace(sign * 2, sign).strip(f"{sign} ")
        if inner.count(sign) not in {2, 8}:
            continue
        parts = [part.split() for part in inner.split(sign)]
        parts = [[*part[0]] if len(part) == 1 else part for part in parts]
        cells = tuple(cell for part in parts for cell in part)
        is_row = [*map(len, parts)] == [3, 3, 3] or (len(parts) == 9 and {*cells} <= SYMBOLS - {sign})
        if (
            is_row
            and len(cells) == 9
            and all(_CANDIDATES.fullmatch(cell) or cell in SYMBOLS for cell in cells)
        ):
            return _row_of_groups(cells)
    return None


def _near(body: str) -> Cells:
    """Return a line that may be a row with a strange symbol, or a text."""
    symbols = body.translate(SEPARATE)
    others = symbols.translate(_NO_SYMBOLS).replace("O", "o")
    is_one_sign = len(symbols) == 9 and len({*others}) == 1  # perhaps for all empty cells
    if body.startswith(("#", ";", "//")) and not (is_one_sign and len(others) > 1):  # a comment
        return _TEXT
    strange = sum(not symbol.isdecimal() for symbol in others)  # digits of other scripts are wrong cells
    known = len(symbols) - strange
    is_near = 7 <= len(symbols) <= 12 and (known >= 5 or (len(symbols) == 9 and known > 1)) and strange < 6
    least = 0 if body.count("|") > 1 or "  " in body or (" " in body and len(body) < 10) else 3
    is_drawn = len(body) < 40 and known >= least and 0 < strange < 3 and not _FORMULA.search(symbols)
    is_short = (is_near or is_drawn) and (strange < 3 or not _FORMULA.search(symbols))
    if not (is_one_sign or (is_short and WORD.search(body) is None)):
        return _TEXT
    fields = [field.strip() for field in body.strip("|").split("|")]
    are_cells = len(fields) == 9 and all(len(field) < 2 for field in fields)
    return Cells("near", tuple(field or " " for field in fields) if are_cells else tuple(symbols))
