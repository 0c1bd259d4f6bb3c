"""A text in plain signs: ASCII, without tags, colours and invisible characters.

Its lines keep their numbers: `BREAK` ends a line that its source goes on, `JOIN` is an end that is none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from unidoku._parse.patterns import pattern

BREAK, JOIN = "\x1e", "\x1f"
_BEGIN, _END = f"(?<![^\n{BREAK}])", f"(?![^\n{BREAK}])"  # of a line
_CIRCLED = (*range(0x2460, 0x2500), *range(0x2776, 0x2794))
_SQUARES = (*range(0x25A0, 0x2600), *range(0x2610, 0x2613), *range(0x2B12, 0x2B56), *range(0x1F7E0, 0x1F7F0))
"""And disks, and ballot boxes."""
_MARKS_ON_SIGNS = (*range(0x20D0, 0x2100), *range(0xFE00, 0xFE10))
_SIGNS = {
    **dict(enumerate(map(chr, range(128)))),
    **dict(enumerate(map(chr, range(ord("!"), 127)), 0xFF01)),
    **dict.fromkeys(range(0x2500, 0x2580), "+"),
    **dict.fromkeys(_SQUARES, "."),
    **dict.fromkeys(_MARKS_ON_SIGNS, ""),
    **dict.fromkeys(map(ord, "│┃║‖┆┇┊┋╎╏"), "|"),
    **dict.fromkeys(map(ord, "─━═╌╍┄┅┈┉−"), "-"),
    **dict.fromkeys(map(ord, "·•∙⋅◦🔲🔳․・"), "."),
    **dict.fromkeys(map(ord, "\x85\u2028\u2029"), BREAK),
    ord(JOIN): "",  # no text has it
}
_SIGN_OF_KIND = {"Zs": " ", "Pd": "-", "Cf": "", "Ps": "(", "Pe": ")", "Pi": '"', "Pf": '"'}
_COLOUR = pattern(r"\x1b\[[0-9;?]*[A-Za-z]")


class _Table(dict[int, str]):
    """The plain sign of each character."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        digit_of = unicodedata.digit if code in _CIRCLED else unicodedata.decimal
        digit = digit_of(char, None)
        sign = _SIGN_OF_KIND.get(unicodedata.category(char), char) if digit is None else str(digit)
        self[code] = sign
        return sign


SIGNS = _Table(_SIGNS)
_ESCAPED_END = r"\\{1,2}(?:r\\{1,2})?n"  # of a line, in a string
_STRING = r"""(["'])((?:(?:\\["']|(?!\1|\\n)[^\n])*+\\n){8}(?:\\.|(?!\1)[^\\\n])*+)\1"""
"""A string with the lines of a board."""
# tags of pages and forums, ends of lines in them, what LaTeX writes after rows, and rows on one line
_TAG = r"</?(?:s|[a-z_]{3,})>"
_MARKUP: list[tuple[str, str, str]] = [
    ("\\", _STRING, f"{BREAK}{{1}}{BREAK}"),  # apart from what is on its line
    ("\\", _ESCAPED_END, BREAK),
    ("<", r"<br ?/?>\n?|</?(?:pre|p|table|h\d)\b[^<>]*>|<row>|</row\d>", BREAK),
    ("<", r"</?(?:b|i|u|em|code|mark|span|strong|font|su[bp]|small|del|ins|kbd|tbody|thead)\b[^<>]*>", ""),
    ("<", rf"{_BEGIN}{_TAG}|{_TAG}{_END}|<\|[^<>|\n]{{1,30}}\|>", BREAK),  # and of turns
    ("<", r"<row(\d)>", "Row {}: "),
    ("<t", r"(?<=>)[ \t\n]+(?=</?t[dhr]\b)|(?<=<td>)[ \t\n]+|[ \t\n]+(?=</td>)", ""),
    ("<t", r"<tr\b[^<>]*>|</t[dh]>", ""),
    ("<t", r"<t[dh]\b[^<>]*>", "|"),
    ("</tr", rf"</tr>({JOIN}*)", f"|{{}}{BREAK}"),
    ("**", r"\*\*([^\W\d_xX][^*\n]*)\*\*", "{}"),
    ("&", r"&nbsp;|&#160;", " "),
    ("{", r"(?:\[9?\]){1,2}(?=[a-z]\w*\{)", ""),  # of Go
    (">!", r">!([^<>\n]*)!<", "{}"),
    ("[", r"\[/?(?:[biu]|color)(?:=[^\]\n]*)?\]", ""),
    ("[", r"\[/?(?:code|quote|size|INST)(?:=[^\]\n]*)?\]", BREAK),
    ("\\", r"\\\\\n?|\\hline|\\(?:begin|end)\{\w+\}(?:\{[|c@{}]*\})?", BREAK),
    ("\\", r"\\[a-z]+(?:\{[\w#]*\})?\{([0-9.])\}", "{}"),
    ("\\", r"\\(?:math|text)[a-z]*\{([^{}\n]*)\}", "{}"),
    ("\\", r"\\boxed\{([^{}]*)\}", f"{BREAK}{{}}{BREAK}"),
    ("\\", r"\\(?:cdot|square|Box)\b", "."),
    ("shape: ", r"shape: \(9, 9\)\n.*\n(?:\|.*\n)+", ""),  # of Polars: names and types above the rows
    *[  # a name called on one digit
        (sign, rf"([\[(,;{{])\s*{call}", "{}{}")
        for sign, call in (("(", r"[A-Za-z_][\w.:]*\(\s*([0-9]),?\s*\)"), ("Just ", "Just ([0-9])"))
    ],
    (" R", r"[ ](?<=[\d;,.] )(?:\|[ ])?(?=R(?:ow )?[2-9][:=])", BREAK),
    ("> ", rf"{_BEGIN}[\d:[\]]+ <\w+> ", ""),
    ("] ", rf"{_BEGIN}\[[\d/., :]+\] [^:\n]{{1,30}}: ", ""),
    (">", rf"{_BEGIN}(?:#?>)+", ""),
]
_MARKED = r"\(D\)|\[D\]|~~D~~|==D==|D[*!](?=[ ,;|&\t\n\]).]|\Z)".replace("D", "[1-9]")
_MARKS = "()[]~=*!"
_PERHAPS_MARKED = pattern(r"[1-9](?:[*!]|[)\]~=](?<=[(\[~=]..))")

_MARKED_DIGIT = pattern(_MARKED)
_ROW_WITH_MARKS = pattern(rf"(?:(?:{_MARKED}|[0-9._xX?-])[ ,;|&\t]*){{9}}")
"""Nine cells, each with or without a mark."""
_FRAMED = pattern(r"(?:[(\[][1-9][)\]] *){9}")
"""Nine cells in brackets, which can be their frames."""
_FEWEST_MARKED = 2  # digits: one may be a footnote, or struck out
# Marks around words or cells; next to separators, brackets, quotes and tags they are cells.
_ENDS = r"""[\s,;|\])}]|</|\[/?[a-z]|["'][\s\]),;}]"""
_LOOKS = {
    sign: (
        pattern(
            rf"({mark}(?<![\w.*?-]{mark}){mark}{{,2}})(?!{_ENDS})([^{mark}\n]+)(?<![\s,;|\[({{])\1"
            r"(?!(?![.?!]+(?:\s|$))[\w.*?-])"
        ),
        pattern(rf"(?m)^(?![*][ \t]|[{mark} \t]+$)[^A-Za-z\n{mark}]*{mark}[^A-Za-z\n]*$"),
    )
    for sign, mark in (("*", r"\*"), ("_", "_"), ("`", "`"), ("$", r"\$"))
}


def plain(text: str) -> str:
    """Return a text in signs of ASCII, without tags, colours and invisible characters."""
    openings = [] if text.isascii() else re.findall(r"(?m)^[ \t]*([^\x00-\x7f]) ", text)
    for sign in {*openings}:
        if SIGNS[ord(sign)] == "." and text.count(sign) == openings.count(sign):
            text = text.replace(sign, "-")  # it only opens lines, and is no cell
    text = _COLOUR.sub("", text.translate(SIGNS))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for sign, markup, becomes in _MARKUP:
        if sign in text:
            text = re.sub(markup, partial(keep_line_ends, becomes=becomes), text)
    for sign, (marks, alone) in _LOOKS.items():
        if sign not in text:
            continue
        bare = marks.sub(r"\2", text)
        if not alone.search(bare.replace(BREAK, "\n")):
            text = bare
    if len(_PERHAPS_MARKED.findall(text)) < _FEWEST_MARKED:  # most texts have none
        return text
    rows = [row for row in _ROW_WITH_MARKS.findall(text) if not _FRAMED.fullmatch(row)]
    if len(_MARKED_DIGIT.findall("\n".join(rows))) >= _FEWEST_MARKED:
        text = _ROW_WITH_MARKS.sub(
            lambda row: _MARKED_DIGIT.sub(lambda digit: digit[0].strip(_MARKS), row[0]), text
        )
    return text


_SHOWN = str.maketrans(dict.fromkeys("0123456789.*_xX?-", "5") | {BREAK: "\n"})
_WORDS = pattern(  # before a first row, with any word or quote, a letter and a colon, or an arrow
    r"""(?=.*(?:[^\W\d_]{2}|["'`]|[^\x00-\x7f]))(?:\D*|.*[^\W\d_]{2}(?: ?#?\d{1,4})?: *)"""
    r"|(?:[A-Za-z]:|[-=]+>) *"
)
_CELL = r"""(?a:[\w.*?-]|\W[.*?_xX][ ,;|\t]+)\Z"""  # after them: a row has too many
_TAIL = r"""[ ,;]*(?:[<#"'`}\])]|\[(?=/|[A-Z]{2}|end\b))(?!\d).*"""
"""After a last row: a tag, or ends of a string."""
_LAST = rf"[ ,;]*[.!?…。✓✔✅](?!\d).*|{_TAIL}"
"""After a ninth row, also the end of a sentence."""
_ROW = 9  # cells, at least


def rows_apart(text: str) -> str:
    """Return a text with what is before the first row and after the last one on lines of their own."""
    places: list[int] = []
    row, row_at, at, rows = "\n", 0, 0, 0  # rows that are alike, above a line
    for line in text.translate(_SHOWN).split("\n"):
        begin, at = at, at + len(line) + 1
        if line.count("5") < _ROW or not text[begin : at - 1].strip("-+|= "):
            continue  # no row, or a rule
        shown, start = line.strip(), begin + len(line) - len(line.lstrip())
        if row == shown:
            rows += 1
        elif row.endswith(shown):
            rows, place = 2, row_at + len(row) - len(shown)
            words = text[row_at:place]
            if _WORDS.fullmatch(words) and not re.search(_CELL, words):
                places.append(place)
        elif shown.startswith(cells := row.rstrip(" ,;")):
            place = start + len(cells)
            tail = _LAST if rows == 8 else _TAIL
            if re.fullmatch(tail, text[place : start + len(shown)]):
                places.append(place)
        else:
            rows = 1
        row, row_at = shown, start
    return BREAK.join(text[begin:end] for begin, end in pairwise((0, *places, len(text))))


def keep_line_ends(match: re.Match[str], becomes: str) -> str:
    """Return what a part of a text becomes, with the ends of its lines."""
    becomes = becomes.format(*match.groups(""))
    if not (lost := match[0].count("\n")):
        return becomes
    head, end, tail = becomes.rpartition(BREAK)
    return f"{head}\n{tail}{JOIN * (lost - 1)}" if end else becomes + JOIN * lost


def lines_in(text: str) -> list[str]:
    """Return the lines of a text of plain signs."""
    return text.replace(BREAK, "\n").replace(JOIN, "").split("\n")


def numbers_in(text: str) -> Iterator[int]:
    """Yield the number of each line of a text of plain signs in its source, from 1."""
    number = 1
    yield number
    for sign in re.findall(f"[\n{BREAK}{JOIN}]", text):
        number += sign != BREAK
        if sign != JOIN:
            yield number
