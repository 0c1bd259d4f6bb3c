"""The place for a puzzle beside a full grid: empty, or with a part of one; then the grid is no puzzle.

Reads what stands on the lines of a full grid, before its first cell and behind its last one, and the nearest
lines above and below: a value for nothing, as programs write it (``None``, ``null``, ``NaN``, ``N/A``,
``[]``, ``""``), an empty field, a key without a value, ten cells or more, a run that was cut. The form of the
grid does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from unidoku.errors import Message
from unidoku.parse.board import Board, Fault
from unidoku.parse.names import PUZZLE_KEY, SOLUTION_NAME
from unidoku.parse.plain import SKIP

NO_PUZZLE = Message(
    "part of puzzle",
    "a full grid beside a part of a puzzle, or an empty place for one: write the puzzle whole",
)
_QUOTES = "[\"'`*]*"
# `plain` has _ for the values of Python, JSON, Go, R and NumPy; N/A of spreadsheets, undefined of JavaScript;
# an empty list, perhaps of empty ones; quotes with nothing between
_NOTHING = r"""(?:(?:\w+\.)?_+ | (?i:none|null|\#?n/a|undefined|empty|missing)
    | (?i:array|list|tuple|dict|set|str)\(\s*\)
    | (?<![\w\])}])[\[({][\s\[\](){},;_.…"'`]*[\])}]
    | (?<!["'`\w])[bu]?(?:""|'')(?!["'`\w]))"""
_VALUE = rf"{_QUOTES}(?:[\w.]*[\[(<]\s*{_QUOTES}{_NOTHING}[^\[\]()\n]*[\])>] | {_NOTHING}){_QUOTES}"
_SIGN = r"(?:\?|--?|\.\.\.|…)"  # for nothing too, if it stands alone
_BEGIN = rf"(?:^[\s>*\#-]*(?:\w+\s+)?|[,;|:=\t(\[{{<>{SKIP}]\s*)"
_END = rf"\s*(?:$|[,;|:=\t)\]}}<{SKIP}]|-{{1,2}}>?\s|[\s\[({{\"'`]*{SKIP})"
_KEY = r"""["'`*]*[A-Za-z]\w*["'`*]*\s*[:=]"""
_IS_EMPTY = re.compile(
    rf"""{_BEGIN}{_VALUE}(?:{_END}|\s+(?:{_KEY}|\w+[\s\[({{"'`]*{SKIP}))
    | (?:^\s*(?:[>*\#-]\s+)?|[,;|:=\t(\[{{{SKIP}]\s*){_SIGN}\s*(?:$|[,;|:=\t)\]}}]|->)
    | (?:^\s*\?|[:=]\s*{_SIGN})\s+{_KEY} | ^\s*\?\s+[\[({{"'`]*{SKIP} | {SKIP}\s+[?-]\s*$
    | \w{_QUOTES}\s*(?P<joint>[:=])\s*[,;|]?\s*{_KEY}(?<=(?P=joint))[^{SKIP}]*{SKIP}""",
    re.VERBOSE | re.MULTILINE,
)
# a key of a puzzle, whatever its value, before the key of a grid, or behind the grid
_IS_NAMED = re.compile(
    rf"""\b{PUZZLE_KEY}{_QUOTES}\s*[:=][^{SKIP}]{{0,400}}{_KEY}["'`\s\[({{]*{SKIP}
    | {SKIP}.*\b{PUZZLE_KEY}{_QUOTES}\s*[:=]""",
    re.VERBOSE,
)
# beside a grid on one line: nothing between two separators, or before the first or behind the last one
_EMPTY_FIELD = re.compile(
    rf"""^[\s"'\[({{)\]}}>*-]*(?:[,;|:=#\t]|->)[^{SKIP}\n]*{SKIP}
    | [,;|\t]\s*["']*\s*[,;|\t][^{SKIP}\n]*{SKIP}
    | {SKIP}\s*[,;|\t](?:[^"']*[,;|\t])?\s*["']*\s*(?:[,;\t}}\])]|$)
    | {SKIP}["']?\s*(?:->|=>|:|["']?[A-Za-z]\w*["']?\s*[:=])\s*["']*\s*$""",
    re.VERBOSE | re.MULTILINE,
)
# a line beside a grid that has an empty place alone, behind a key or not
_LINE = re.compile(
    rf"""\s*(?:[>*\#-]\s+)?(?P<key>{_KEY})?\s*(?P<value>{_VALUE}|{_SIGN})?[\s,;|.)\]}}]*""", re.VERBOSE
)
# a line that begins a grid: it ends with a sign that something follows, or names the solution
_OPENING = re.compile(rf".*(?:[\[({{:=]|[=-]>|{SOLUTION_NAME})[\s:*_]*")
_OPENING_ROWS = re.compile(rf"{_OPENING.pattern}|.*[,;|>]\s*")
_RULE = re.compile(r"[\s|+=:_.*-]{8,}")  # of a frame or a table
_CLOSERS = ")]}\"'"
_CLOSING = re.compile(r"\s*(?:[)\]}]+|[+|=-]{9,})")
_ROW_LABEL = re.compile(r"(?i)\W*(?:(?:row|line|r)?[ _]?\d+|[A-J]|第\w行)[.:)\]]?[^\w,;)\]}]*")
_MOST_LINES = 4
_JOINTS = " ,;\t\"'[](){}"
_OTHER = "\0"  # in the place of another board
_ANY_KEY = re.compile(rf"""(?!(?i:row|line|r)?\d*\W){_KEY}(?<!\W\w[:=])""")
_PUZZLE = re.compile(rf"\W*{PUZZLE_KEY}")
_SEPARATORS = str.maketrans(dict.fromkeys(",;|:=\"'<>()[]{}", " "))
# ten cells or more, a run that was cut, or two empty cells beside each other, but no number
_PUZZLE_PART = re.compile(
    r"[0-9.*_xX?-]{10,}|[0-9.*_xX?-]*\u2026"
    r"|\.{4,}|(?![0-9]{1,8}\Z)(?=\S*[0-9])[0-9.*_xX?-]*(?:\.\.|\*\*|__|--|00|xx)[0-9.*_xX?-]*"
)
# on a line beside: ten cells or more with a digit, but no date; a run that was cut; beside rows no row
_PART_BESIDE, _LINE_BESIDE = (
    re.compile(
        rf"(?!\d{{4}}-\d\d-\d\d\b)(?=\S*[0-9])[0-9.*_xX?-]{{{least},}}|[0-9.*_xX?-]*\u2026[0-9.*_xX?-]*"
    )
    for least in (10, 12)
)
_NO_SIGN = f" \t\r\n{SKIP}"
_NEAR = 400  # characters before and behind a full grid that are looked at for a line beside it


def empty_place(text: str, source: str, board: Board, near: Sequence[Board]) -> Fault | None:
    """Return the fault of a full grid of a text that has a place for its puzzle, on its lines or beside them.

    The plain `source` of the text is as long as it; the boards that are `near` have other places.
    """
    begin, end = _cells_of(source, board)
    start, stop = text.rfind("\n", 0, begin) + 1, text.find("\n", end)
    stop = stop if stop >= 0 else len(text)
    first = max((other.end for other in near if start < other.end <= begin), default=start)
    last = min((other.start for other in near if end <= other.start < stop), default=stop)
    before = _OTHER * (first > start) + _part(text, source, max(first, begin - _NEAR), begin)
    behind = _part(text, source, end, min(last, end + _NEAR)) + _OTHER * (last < stop)
    bare = behind.lstrip(_CLOSERS)
    behind = bare.rstrip(" ,;") if bare != behind else bare  # of code
    is_line = "\n" not in _part(text, source, begin, end)
    has_field = is_line and board.layout != "cells" and _EMPTY_FIELD.search(f"{before}{SKIP}{behind}")
    before = "" if not is_line and _ROW_LABEL.fullmatch(before) else before
    opening = _OPENING if is_line else _OPENING_ROWS
    above = below = ""
    for _ in range(_MOST_LINES):  # lines such as `solution = [` are its beginning
        above, start, _ = _line_beside(text, source, start, near, is_above=True)
        is_rule = not is_line and _RULE.fullmatch(above)
        if not (is_rule or opening.fullmatch(above)):
            break
        before = before if is_rule else f"{above}\n{before}"
    else:
        above = ""  # the beginning of the grid, too
    for _ in range(_MOST_LINES):  # and such as `], None` its end
        below, _, stop = _line_beside(text, source, stop, near, is_above=False)
        match = None if is_line else _CLOSING.match(below)
        if not match:
            break
        behind = f"{behind} {below[match.end() :]}"
    own = f"{before}{SKIP}{behind}"
    parts = f"{before} {behind}".translate(_SEPARATORS).split()
    beside = f"{above} {below}".translate(_SEPARATORS).split()
    has_key = _ANY_KEY.search(before) is not None
    part = _PART_BESIDE if is_line else _LINE_BESIDE
    if (
        _IS_EMPTY.search(own)
        or has_field
        or _IS_NAMED.search(f"{above}\n{own}")
        or any(map(_PUZZLE_PART.fullmatch, parts))
        or any(map(part.fullmatch, beside))
        or any(_is_empty_line(line, has_key=has_key) for line in (above, below))
    ):
        return Fault(NO_PUZZLE, board.start, 81)
    return None


def _cells_of(source: str, board: Board) -> tuple[int, int]:
    """Return where the first cell of a full grid is, and where its last one ends."""
    rows = (r"\W*".join(board.cells[place : place + 9]) for place in (0, 72))
    first, last = ([*re.finditer(row, source[board.start : board.end])] for row in rows)
    begin = board.start + first[0].start() if first else board.start
    return begin, max(board.start + last[-1].end(), begin) if last else board.end


def _part(text: str, source: str, begin: int, end: int) -> str:
    """Return a part of a plain text with the signs of the text where rows of a list were made lines."""
    pairs = zip(text[begin:end], source[begin:end], strict=True)
    return "".join(
        own if own == "\n" or (sign == "\n" and own in _JOINTS) else sign
        for own, sign in pairs
        if sign != SKIP or own == "\n"
    )


def _line_beside(
    text: str, source: str, place: int, near: Sequence[Board], *, is_above: bool
) -> tuple[str, int, int]:
    """Return the nearest line above a place or below it that is not blank, where it begins, and ends.

    It is nothing if it is of another board.
    """
    window = text[max(0, place - _NEAR) : place] if is_above else text[place : place + _NEAR]
    signs = window.rstrip(_NO_SIGN) if is_above else window.lstrip(_NO_SIGN)
    if is_above:
        end = place - len(window) + len(signs)
        begin = max(text.rfind("\n", 0, end) + 1, place - len(window))
    else:
        begin = place + len(window) - len(signs)
        end = begin + len(signs.partition("\n")[0])
    is_other = any(board.start < end and begin < board.end for board in near)
    return "" if is_other else _part(text, source, begin, end), begin, end


def _is_empty_line(line: str, *, has_key: bool) -> bool:
    """Return whether a line beside a grid, which may have a key, is an empty place for a puzzle."""
    match = _LINE.fullmatch(line)
    if match is None or not (match["value"] or match["key"]):
        return False
    return not match["key"] or has_key or _PUZZLE.match(line) is not None
