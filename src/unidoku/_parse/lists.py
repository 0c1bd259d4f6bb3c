"""Lists of programs: nine rows in brackets or quotes become nine lines."""

from __future__ import annotations

import re

from unidoku._parse.patterns import pattern
from unidoku._parse.signs import BREAK, keep_line_ends
from unidoku.cell import rows_of

CELL = r"[0-9.*_xX?-]"
"""A cell of one sign."""
BETWEEN = r"[ \t,;:|/\\&\"'()\[\]{}]"
"""A character that may be between cells, if all rows have it."""
EMPTY_WORDS = r"None|Nothing|null|NULL|nil|NaN|nan|NA|<NA>"
"""Words that programs write for an empty cell."""
SIGNS = {
    **{digit + end: digit for digit in "0123456789" for end in (".0", ".00", ",0")},
    **{f"{end}{sign}{end}": sign for sign in "0123456789.*_xX?-" for end in ("", '"', "'")},
    **dict.fromkeys(EMPTY_WORDS.split("|"), "N"),
    **dict.fromkeys(("-1", "-1.0"), "~"),
    **{"": " ", '""': '"', "''": '"', '" "': "'", "' '": "'"},
}
"""The character of a cell by the text between two separators, in any form; an empty cell keeps its kind."""
_SIGNS = SIGNS | {f"{digit}.": digit for digit in "0123456789"}  # of an item
_ITEM = rf"""(?>[0-9](?:\.0?)?|-1|{EMPTY_WORDS}|{CELL}|"(?:{CELL}|[ ])?"|'(?:{CELL}|[ ])?')"""
_STRING = r"""["'][0-9.*_xX?,;|/ -]{8,40}["']"""  # of a row, perhaps a damaged one
_COMMAS, _BLANKS, _SEMICOLONS = (
    rf"{_ITEM}(?:{gap}{_ITEM}){{8}}" for gap in (r"\s*+,\s*+", r"\s++", r"\s*+;\s*+")
)
_ALL = rf"{_ITEM}(?:(?:\s*+,\s*+{_ITEM}){{80}}\s*+,?|(?:\s++{_ITEM}){{80}})\s*+"


def _rows(
    row: str,
    joint: str,
    opens: str = r"[\[({]\|?\s*+",
    closes: str = r"\s*+[,|;]?\s*+[\])}]",
    count: str = "8",
) -> re.Pattern[str]:
    """Return the form of nine rows in brackets."""
    return pattern(rf"{opens}{row}(?:{joint}{row}){{{count}}}{closes}")


_NAME = r"""["'][Rr](?:ow)?[ _]?([1-9])["']\s*+:"""  # of a row, in an object
_BY_NAME = rf"{_NAME}\s*+(?:{_STRING}|\[\s*+{_COMMAS}\s*+\])"
_FORMS = [  # each with signs that it has, and how many of them at least
    (
        ",",
        72,
        _rows(rf"[\w!]*+(?!\[[^]}}]{{,99}}\}})[\[({{]\s*+{_COMMAS}\s*+,?\s*+[\])}}]", r"\s*+,?\s*+"),
    ),  # JSON, Python, C, Java, Go, PHP
    ("[(", 10, _rows(rf"[\[(]\s*+{_BLANKS}\s*+[\])]", r"\s++")),  # NumPy, Lisp
    (";", 72, _rows(rf"[\[(]\|?\s*+{_SEMICOLONS}\s*+\|?[\])]", r"\s*+;\s*+")),  # OCaml, F#
    (",", 72, _rows(_COMMAS, r"\s*+[;|](?:\s*+\.\.\.)?\s*+")),  # MiniZinc, MATLAB
    # MATLAB, Julia
    ("[", 1, _rows(rf"(?:\.\.\.)?\s*+{_BLANKS}", r"\s*+;(?:\s*+\.\.\.)?\s*+", r"\[\s*+")),
    ("[({", 1, pattern(rf"[\[({{]\s*+{_ALL}[\])}}]")),  # before strings, whose rows become lines of cells
    # strings
    ("\"'", 6, _rows(_STRING, r"\s*+[,+]?\\?\s*+", "", r"(?:[,;]?\s*+(?=[\"'])|[,;]?)", "2,8")),
    (":", 4, _rows(_BY_NAME, r"\s*+,\s*+", r"\{\s*+", "", "3,8")),  # rows by name
    ("\n", 80, pattern(rf"(?m)^[ \t]*{CELL}(?:[ \t]*\n[ \t]*{CELL}){{80,}}[ \t]*$")),  # a cell a line
]
_QUOTED_SIGN = r"""(["'])([^"']?)\1"""
_LOST_DIGIT = pattern(r"[0-9]\.\s+\.|(?<![0-9])\.\s+[0-9]\.")  # before a point by itself
_GAPS = str.maketrans(dict.fromkeys("[](){},;|", " "))
CALL = (
    r"reshape|(?i:transpos)|permut|\.T\b|\^T|ᵀ|\bt\(|\bcbind\(|data\.frame\(|order\b"
    r"|rot90|flip(?:\w*\(|ped)|revers(?:\w*\(|ed|e order)|zip\(\*|\bhcat\(|(?<!v)(?<!row_)stack\("
)
"""Calls that can read a list by columns, or turn it round."""
_R_MATRIX, _R_VECTOR = r"(?:matrix|array|structure)\(", r"strsplit\(|\bc\((?![^()]{,15}\))"
_R_ROWS = r"byrow\s*=\s*T"
_CALL = pattern(CALL)
_CALLS = pattern(r"(?a:(\w+))[\[(](?=[\[({*\s]*\Z)")  # before a list
_TAKES_ROWS = pattern(
    r"(?i)array|matrix|tensor|list|vec|tuple|rows|grid|board|sudoku|puzzle|solve|print|check|valid|verify|json"
)
_NEAR, _BEHIND = 40, 14  # characters around a list


def without_empty_words(text: str) -> str:
    """Return a text without the words that programs write for empty cells."""
    return re.sub(rf"(?<![\w-])(?:{EMPTY_WORDS})(?!\w)", "", text)


def without_lists(text: str) -> str:
    """Return a text of plain signs in which nine lines are in the place of each list."""
    for signs, fewest, form in _FORMS:
        if sum(map(text.count, signs)) >= fewest:
            text = form.sub(_as_rows, text)
    return text


def _as_rows(match: re.Match[str]) -> str:
    """Return a list of nine rows as nine lines; any other list stays as it is.

    Something around it may say that it has columns, is transposed or goes on.
    """
    text, begin, end = match.string, *match.span()
    near = max(0, begin - _NEAR)
    near = max(near, text.rfind("\n\n", near, begin))
    before, after = text[near:begin], text[end : end + _BEHIND].lstrip(") \n")
    # not in `before`: a word may be cut at `near`, and its end is not a name
    if _CALL.search(text, near, begin + 2) or _CALL.search(after):
        return match[0]
    if re.match(r"'(?!\w)", after):  # which transposes a matrix
        return match[0]
    rows, names = _rows_in(match[0]), "".join(re.findall(_NAME, match[0]))
    if not "123456789".startswith(names):
        return match[0]
    if not rows or not all(map(_TAKES_ROWS.search, _CALLS.findall(before + match[0][:2]))):
        return match[0]
    return BREAK.join(("", *rows, "")) + keep_line_ends(match, "")  # apart from its neighbours


def _rows_in(source: str) -> list[str]:
    """Return nine rows of a list with zeros for empty cells, or its strings as they are: some may be lost."""
    strings = [string[1:-1] for string in re.findall(_STRING, source)]
    shown = re.sub(_QUOTED_SIGN, lambda sign: '"X"' if sign[2] == " " else sign[0], source)
    items = shown.translate(_GAPS).split()
    signs = "".join(filter(None, map(_SIGNS.get, items)))
    if _LOST_DIGIT.search(source):
        signs = ""
    if [*map(len, strings)] in ([9] * 9, [27] * 3):
        signs = "".join(strings)
    empty = {*signs}.difference("123456789")
    if len(signs) != 81 or len(empty) > 1 or not empty.isdisjoint(",;|/"):
        return strings
    signs = signs.translate(dict.fromkeys(map(ord, empty), "0"))
    return [*rows_of(signs)]


def is_filled_by_columns(text: str) -> bool:
    """Return whether a program in R makes a matrix of a vector, and does not say that it has rows."""
    return bool(re.search(_R_MATRIX, text) and re.search(_R_VECTOR, text) and not re.search(_R_ROWS, text))
