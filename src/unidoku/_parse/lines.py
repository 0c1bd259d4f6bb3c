"""The kind of each line of a text: blank, a rule, a heading, text, 81 cells, or cells.

Text has words, few digits and no five cells in a row. Any line that has no other kind is cells, so that
damage does not turn a row into text.
"""

from __future__ import annotations

import re

from unidoku._parse.board import may_go_on
from unidoku._parse.lists import BETWEEN, CALL, CELL, EMPTY_WORDS
from unidoku._parse.patterns import pattern

_ROW_WORDS = "|".join(  # before the number of a row
    (
        *("row", "line", "r"),  # English
        *("zeile", "reihe"),  # German
        *("ligne", "rangée"),  # French
        *("fila", "riga", "linha"),  # Spanish, Italian, Portuguese
        *("rij", "rad", "række"),  # Dutch, Swedish and Norwegian, Danish
        *("wiersz", "řádek", "satır"),  # Polish, Czech, Turkish
        *("строка", "ряд"),  # Russian
    )
)
_MARK = rf"(?:[-*•][ ]{{1,3}})?(?:(?=[^\W\d_])(?i:{_ROW_WORDS})[ ]?|第|[\[(#])?0?"
_ORDINALS = "First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Ninth"
_NUMBER = f"[0-9A-I一二三四五六七八九]|(?:{_ORDINALS})"
_END = r"(?:,?\]|行目?|[ ]row)?(?:[:.)-]|[ ]?[:=→]|[ ]is)?"
_BEHIND = r"(?:[ \t]|(?=[|;,])|(?<=:))"
_LABEL = rf"[| ]*(?P<mark>{_MARK})(?P<n>{_NUMBER})(?:st|nd|rd|th)?(?P<end>{_END}){_BEHIND}"
LABEL = pattern(_LABEL)
"""The label before a row: its number, or a letter."""
ROW_NAME = pattern(rf"(?i)(?<![^\W\d_])(?:{_ROW_WORDS})[ ]?\d|第.{{,3}}行")
"""A row by its number, in a line of text."""
_DAY, _TIME = r"\d{4}-\d\d-\d\d", r"\d{1,3}(?::\d\d){1,2}(?:\.\d+)?Z?"
_NUMBERS = pattern(  # in a line with words; three or nine digits may be cells, also nine digits and dots
    r"(?=\d)(?<![^\s(\[=:#~])(?!(?=[\d.]{9}(?![\d.]))\S*\.\.)"
    rf"(?:(?:{_DAY}T)?{_TIME}|\d\d?[./-]\d\d?[./-]\d{{2,4}}|\d+\.\d+(?:e[-+]?\d+)?"
    r"|(?!(?:\d{3}|\d{9})(?!\d))\d{2,20})[a-wyzA-WYZµ%]{0,3}(?=[,.;:)\]]*(?:\s|$))"
)
OPENING = r"(?:[A-Za-z]:|[-=]+>)[ ]*"
"""Signs without a word before a board, on its first line."""
_OPENING = pattern(OPENING)
_NO_GAPS = str.maketrans("", "", "|,;\t &")
BLANK, RULE, TABLE_RULE, DASHES, HEADING, COUNT, BLANKS, NUMBER, STOP, TEXT, CELLS, WORDED, LINE = (
    "b-=dhnekptcol"
)
"""The kinds of lines, of one character each, so that an expression finds nine rows.

`TABLE_RULE` is a rule of Markdown. `DASHES` are a rule or a row, `BLANKS` a row or a heading. `COUNT` is a
heading or a row, and `NUMBER` a number or a row. `WORDED` are cells after a word that names no row, and
`LINE` are 81 cells.
"""
ROWS, RULES = CELLS + COUNT + BLANKS, RULE + TABLE_RULE + DASHES
_CODES: dict[str | None, str] = {
    **{"blank": BLANK, "rule": RULE, "table_rule": TABLE_RULE, "dashes": DASHES, "blanks": BLANKS},
    **{"number": NUMBER, "stop": STOP, "comment": TEXT, "text": TEXT, "cells": CELLS, "row": CELLS},
}
_HEADINGS = {  # without the gaps between columns
    **dict.fromkeys(("012345678", "(index)012345678", "abcdefghi"), HEADING),
    **dict.fromkeys(("c1c2c3c4c5c6c7c8c9", "[1][2][3][4][5][6][7][8][9]"), HEADING),
    "123456789": COUNT,
}
_STROKES = r"[-=]{2}|\+-\+-\+"  # of a rule
_KINDS = pattern(
    rf"""(?P<blank>\s*|\#|//)
    |(?P<stop>[.!?。]{{1,3}}["'`)\]]{{,2}})
    |(?P<dashes>[,;\t]{{10}}|(?:[-*][|\ ]*+){{9}})
    |(?P<blanks>(?:[,;\t &]*+\|){{9,}}+)
    |(?P<number>[0-9]{{1,3}}[.:)]?)
    |(?P<comment>(?:;;?|--)[ ][0-9]{{1,3}}|;;?[0-9]{{2,3}})
    |(?P<cells>(?=[._|,;\t ]*+[0-9])[0-9._|,;\t ]++|(?:(?:"")?[,;\t]){{8,10}}(?:"")?)
    |(?P<table_rule>(?=(?:[^|]*+\|){{8}})[|:\ -]*-[|:\ -]*)
    |(?P<rule>[-* ]{{,40}}|(?=(?:{OPENING}|["'`(\[](?=\+))?[-+=|:.*'\#!?…。 ]++["'`)\]]*+[.!?…。]*+\Z)
        .*?(?:{_STROKES}).*
        |~{{3,}}|[+](?:\.++[+])++)
    |(?P<text>[`\[\](){{}};,\"'<>/|$\\%]*[.!?…。]{{,3}}
        |[A-Za-z_]\w*[ ]*:?=[ ]*\d{{,3}}|{OPENING}[\[({{]*
        |(?:{_DAY})?[T ]?(?:{_TIME})?)
    |(?P<row>[| ]*+(?:{CELL}[| ]*+){{8,99}}+)""",
    re.VERBOSE,
)
_SINGLES = rf"(?<![^\s,;|:=\[({{\"'>`]){CELL}(?:[ ,;|\t&\"'/:]+{CELL}(?![\w]))"
_IN_BRACKETS = (  # three boxes, or five cells
    rf"(?:(?:[\[({{]{CELL}(?:[ ,]{{0,2}}{CELL}){{2}}[\])}}][ ,]{{0,2}}){{3}}"
    rf"|(?:[\[({{]{CELL}[\])}}][ ,]{{0,2}}){{5}})"
)
_AT_CELL = r"(?=[0-9.*_xX?\[({-])"  # a search skips other signs fast
FEW = pattern(rf"{_AT_CELL}(?:[0-9.]{{6}}|[1-9_*?xX]{{6}}|[1-9-]{{9}}|{_SINGLES}{{4}}|{_IN_BRACKETS})")
"""Cells in a row, in a text that is read whole: no text has so many."""
MANY = pattern(
    rf"{_AT_CELL}(?:[0-9.]{{9}}|[1-9_*?xX-]{{9}}|[1-9]{{3}}(?:{BETWEEN}{{1,3}}[1-9]{{3}}){{2}}"
    rf"|{_SINGLES}{{6}}|{_IN_BRACKETS}|(?:\b[0-9]\.[ ,]*){{6}})"
)
"""The same in an answer."""
_MOST = 24  # digits of a line of text
_XS = r"[xX]++(?![^\W\d_])"  # cells, and no word
_WORD = pattern(rf"(?<![0-9A-Za-z])(?:(?!{_XS})[^\W\d_]{{2,}}+(?![0-9])|[A-Za-z]\w+\()|[^\x00-\x7f]")
_COUNTED = "[, ]{0,2}".join("123456789")
_SENTENCE = pattern(  # about the digits
    rf"(?=\D*+1)(?=(?:.*?\b[A-Za-z]{{2,}}\b){{3}})\D*{_COUNTED}\D*"
)
EMPTY_WORD = pattern(rf"(?=[Nn<\"'-])(?<![\w-])(?:{EMPTY_WORDS}|-1|\"\"|'')(?!\w)")
"""Words for an empty cell, in programs."""
_DECIMALS = pattern(r"\.(?<=(?<![\w.])[0-9]\.)00?(?![\w.])")
_DIGIT, _ONE_CELL, _LETTER = pattern("[0-9]"), pattern(CELL), pattern("[A-WYZa-wyz]")
_OTHER_LABEL = pattern(
    rf"(?i)\W*(?!(?:{_ROW_WORDS})[ ]?\d|(?:{_ORDINALS})[ ]row:)(?!{_XS})[^\W\d_]{{2,}}+"
    r"(?:[\w -]*\d\W|[ ][^\W\d_]{2,}\W)"
)
_NO_ROWS = (
    r"(?<![^\W_])(?i:col(?!l|ou?r)|box(?!ed)|(?<!code )block|region|squares|subgrid|nonet|cages|spalte)|_T\b"
    rf"|列|宫(?!格)|{CALL}"
)
NOT_ROWS = pattern(_NO_ROWS)
"""Words that say that lines of cells are columns or boxes."""
NO_ROW_LABEL = pattern(rf"[\W\d_第]*(?:{_NO_ROWS})[^\W\d_]*+[^A-WYZa-wyz]*")
"""A line whose only word is such a word, before cells or above them."""
_NINE_CELLS = pattern(rf"\W*[A-Za-z][\w.]*[ \t]+{CELL}(?:[ ,;\t]*{CELL}){{8}}")  # after a word
_RUN = "|".join(rf"[1-9{re.escape(sign)}]{{81}}" for sign in ".0*_-xX?")
_GROUPS = [
    rf"(?:-1|{CELL})(?P<s>[ ]*[,;|\t]|[ ]{{1,2}})[ ]*(?:-1|{CELL})(?:(?P=s)[ ]*(?:-1|{CELL})){{79}}",
    rf"{CELL}{{9}}(?P<j> ?[/|,;:\\\t ] *){CELL}{{9}}(?:(?P=j){CELL}{{9}}){{7}}",
    rf"{CELL}{{3}}(?: {CELL}{{3}}){{26}}(?! {CELL}{{3}})",
]
_QUOTED = r"""(?<=["'])[1-9 ]{81}"""  # with blanks for empty cells
_LINE = pattern(
    rf"(?=[0-9.*_xX? -])(?<![0-9A-Za-z.*_?-])(?:(?P<run>{_RUN}|{_QUOTED})"
    rf"|(?<![0-9.][ ,;|/\t])(?<![0-9.],[ ])(?:{'|'.join(_GROUPS)})"
    rf"(?![ ,;|/\t]{{1,2}}(?:-1|{CELL})(?![\w])))(?![0-9A-Za-z*_-]|\?\S|\.(?!(?:\.\.|[\"')])(?!\S))\S)"
)
_FIELDS = pattern(r"[1-9]?(?:([,;\t])[1-9]?)(?:\1[1-9]?){79}")  # with nothing for empty cells
_BLANKS = pattern(r"(?=[1-9 ]{81}\Z)(?: *[1-9]){17,}.*")  # for empty cells; fewer digits: a row of wide cells
_UNCLEAR = pattern(rf"{CALL}|(?:{_NO_ROWS})[A-Za-z_]*(?<=s)[\"']?\s*[:=][\s\"'(\[]*\0")
"""A call, or a name of columns or boxes before 81 cells."""
_MINUS_ONE = pattern(rf"(?<!{CELL})-1")  # a cell by itself, no two cells of a group
_FEWEST_EMPTY = 20  # fields: a line of digits may be cut


def kind_of_line(text: str, many: re.Pattern[str] = FEW) -> str:
    """Return the kind of a line."""
    line = text.strip()
    if heading := _heading_in(line):
        return heading
    match = _KINDS.fullmatch(line)
    if not match:
        opening = _OPENING.match(line)
        return (opening and _heading_in(line[opening.end() :])) or _kind_of_words(line, many)
    kind = _CODES[match.lastgroup]
    is_only_clue = kind == NUMBER and line != text  # of a row of a drawing
    return CELLS if is_only_clue else kind


def _heading_in(line: str) -> str | None:
    """Return the kind of a line that only names columns; None for another line."""
    return _HEADINGS.get(line.translate(_NO_GAPS).lower())


def _kind_of_words(line: str, many: re.Pattern[str]) -> str:
    """Return whether a line is text, cells, or cells after a word that names no row."""
    shown = cells_shown(line)
    if _SENTENCE.fullmatch(shown):
        return TEXT
    shown = _NUMBERS.sub("", shown)
    if many.search(shown):
        if not _OTHER_LABEL.match(shown):
            return CELLS
        is_row = _NINE_CELLS.fullmatch(shown) and not NOT_ROWS.search(shown)
        return CELLS if is_row else WORDED
    if many is MANY:
        return TEXT
    return TEXT if len(_DIGIT.findall(shown)) <= _MOST and _is_text(line, shown) else CELLS


def cells_shown(line: str) -> str:
    """Return a line with one sign for each cell that a program writes as a word or with decimals."""
    return EMPTY_WORD.sub("x", _DECIMALS.sub("", line))


def _is_text(line: str, shown: str) -> bool:
    """Return whether a line of few digits is text; `shown` is the line without numbers that are not cells."""
    label = LABEL.match(line)
    name = label if label and label["mark"] else ROW_NAME.match(line)
    if name:  # five cells after it are a row
        has_fields = re.search(r"[|]|[\[(] +[\])]", line)
        return not has_fields and len(_ONE_CELL.findall(line, name.end())) < 5
    if _WORD.search(shown) or line.startswith(("#", "%", "//")):  # a comment
        return True
    if label or len(_ONE_CELL.findall(line)) >= 4:
        return False
    return _LETTER.search(line) is not None


def boards_on(text: str) -> tuple[list[str], str]:
    """Return the 81 cells on a line, or a puzzle and its solution, and what else it has, which is small."""
    line, nothing = text.strip(" "), ""
    if _FIELDS.fullmatch(line):
        nothing = "".join(field or "." for field in re.split("[,;\t]", line))
    elif _BLANKS.fullmatch(text):
        nothing = text.replace(" ", ".")
    if nothing.count(".") >= _FEWEST_EMPTY:
        return [nothing], "\0"
    boards = list[str]()
    for match in _LINE.finditer(text):
        cells = dotted(without_gaps(match[0]))
        if not cells or may_go_on(cells, match[0], text[match.end() : match.end() + 1]):
            return [], ""
        boards.append(cells)
    rest = _LINE.sub("\0", text) if boards else ""  # most lines have none
    is_unclear = MANY.search(rest) or _UNCLEAR.search(rest)  # further cells, or they are in another order
    return ([], "") if is_unclear else (boards, rest)


def without_gaps(part: str) -> str:
    """Return the cells of 81 characters with something between them."""
    if len(part) == 81:
        return part
    return "".join(_ONE_CELL.findall(_MINUS_ONE.sub("-", part)))


def dotted(cells: str) -> str:
    """Return 81 cells with dots for their one sign of empty cells; nothing if there are two."""
    empty = "".join({*cells}.difference("123456789")) or "."
    if len(cells) != 81 or len(empty) > 1:
        return ""
    if cells == 81 * empty and empty not in ".0":
        return ""
    return cells.replace(empty, ".")
