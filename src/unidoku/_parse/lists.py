"""Lists of programs: nine rows in brackets or quotes become nine lines."""

from __future__ import annotations

import re
from itertools import chain

from unidoku._parse.patterns import pattern
from unidoku._parse.signs import BREAK, JOIN, keep_line_ends
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
_ITEMS = SIGNS | {f"{digit}.": digit for digit in "0123456789"} | {"": ","}
_STRING = r"""["'][0-9.*_xX?,;|/ -]{8,40}["']"""  # of a row, perhaps a damaged one
_NAME = r"""["'][Rr](?:ow)?[ _]?([1-9])["']\s*+:"""  # of a row, in an object
_OPEN, _INSIDE, _CLOSE = r"[\[({]", r"[^\[\](){}]", r"[\])}]"
_ROW = rf"(?:{_NAME}\s*+|[\w!]*+)(?:\[{_INSIDE}{{17,}}+\]|\({_INSIDE}{{17,}}+\)|{{{_INSIDE}{{17,}}+}})"
_NAMED = rf"(?:{_NAME}\s*+)?{_STRING}"
_FORMS = [  # each with signs that it has, and how many of them at least
    ("[({", 10, pattern(rf"{_OPEN}\|?\s*+(?:{_ROW}\s*+[,;]?\s*+){{9}}\|?{_CLOSE}")),  # rows in brackets
    # 81 cells, or rows with a sign between them; before strings, whose rows become lines of cells
    ("[({", 1, pattern(rf"{_OPEN}{_INSIDE}{{161,}}+{_CLOSE}")),
    ("\"'", 6, pattern(rf"{_NAMED}(?:\s*+[,+]?\\?\s*+{_NAMED}){{2,8}}(?:[,;]?\s*+(?=[\"'])|[,;]?)")),
    ("\n", 80, pattern(rf"(?m)^[ \t]*{CELL}(?:[ \t]*\n[ \t]*{CELL}){{80,}}[ \t]*$")),  # a cell a line
]
_CELLS = pattern(rf"{_OPEN}\|?({_INSIDE}++){_CLOSE}")  # in brackets
_GAPS = f" \t\n,;|{BREAK}{JOIN}"  # after them
_QUOTED_BLANK = pattern(r"""(["'])(?<=[\s,;|\[({]["']) \1""")
_LOST_DIGIT = pattern(r"\.(?:(?<=[0-9]\.)\s+\.|(?<![0-9]\.)\s+[0-9]\.)")  # before a point by itself
_SIZES = [9] * 9, [27] * 3, [81]
CALL = (
    r"(?<![^\W_])(?:reshape|(?i:transpos)|permut|t\(|cbind\(|data\.frame\(|order\b|rot90|flip(?:\w*\(|ped)"
    r"|revers(?:\w*\(|ed|e order)|zip\(\*|hcat\(|(?!v|row_)\w*stack\()|\.T\b|\^T|ᵀ"
)
"""Calls that can read a list by columns, or turn it round."""
_R_MATRIX, _R_VECTOR = pattern(r"(?:matrix|array|structure)\("), r"strsplit\(|\bc\((?![^()]{,15}\))"
_TRANSPOSE = pattern(r"'(?!\w)")
_R_ROWS = r"byrow\s*=\s*T"
_CALL = pattern(CALL)
_ROW_NAME = pattern(_NAME)
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
    if _TRANSPOSE.match(after):  # which transposes a matrix
        return match[0]
    rows, names = _rows_in(match[0]), "".join(_ROW_NAME.findall(match[0]))
    if not "123456789".startswith(names):
        return match[0]
    if not rows or not all(map(_TAKES_ROWS.search, _CALLS.findall(before + match[0][:2]))):
        return match[0]
    return BREAK.join(("", *rows, "")) + keep_line_ends(match, "")  # apart from its neighbours


def _rows_in(source: str) -> list[str]:
    """Return nine rows of a list with zeros for empty cells, or its strings as they are: some may be lost."""
    strings = [string[1:-1] for string in re.findall(_STRING, source)] if source[0] in "\"'" else []
    cells = f"[{_QUOTED_BLANK.sub('_', source)}]".replace("...", "")
    parts = [part.rstrip(_GAPS) for part in _CELLS.findall(cells)]
    if len(parts) == 1:
        parts = re.split("[;|]", parts[0])
    gap = next((sign for sign in ",;" if sign in parts[0]), None)
    rows = strings or [[_ITEMS.get(item.strip(), ",") for item in part.split(gap)] for part in parts]
    empty = {*chain(*rows)}.difference("123456789")
    if [*map(len, rows)] not in _SIZES or _LOST_DIGIT.search(source):
        return strings
    if len(empty) > 1 or not empty.isdisjoint(",;|/"):
        return strings
    return [*rows_of("".join(chain(*rows)).replace(next(iter(empty), "0"), "0"))]


def is_filled_by_columns(text: str) -> bool:
    """Return whether a program in R makes a matrix of a vector, and does not say that it has rows."""
    return bool(_R_MATRIX.search(text) and re.search(_R_VECTOR, text) and not re.search(_R_ROWS, text))
