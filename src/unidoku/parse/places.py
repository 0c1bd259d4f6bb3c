"""What may stand beside a full grid that is a puzzle of its own; beside anything else its puzzle is missing.

Reads the line of a full grid, before its first cell and behind its last one, and the lines above and below.
It is an allow list, as what stands for nothing has no end: ``[]``, ``timeout``, ten cells. The form of the
grid does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from unidoku.errors import Message
from unidoku.parse.board import Board, Fault
from unidoku.parse.lines import is_heading
from unidoku.parse.names import PUZZLE_KEY, SOLUTION_NAME
from unidoku.parse.plain import SKIP

NO_PUZZLE = Message(
    "part of puzzle",
    "a full grid beside what may be the place of its puzzle: write the puzzle, or the grid alone",
)
_NUMBER = r"(?:(?!00+(?!\d))\d{1,8}(?:[./:-]\d{1,4}){0,5})"  # an id, a rating, a date; 00 may be two cells
_ID = rf"(?:\#?{_NUMBER}|[A-Za-z]{{2,12}}[_\#-]?\d{{1,8}}|N[or]\.?\s?{_NUMBER})"
_LEVEL = "(?:very[ ])?(?:easy|simple|gentle|medium|normal|moderate|hard|tough|difficult|expert|evil|extreme)"
_GRID = r"""(?:\w*(?:grid|board|sudoku|solution|solv|answer|result|output|puzzle|rows|cells|matrix|given|start
    |test|example|lösung|soluci|soluz)\w*|\w*(?:解|答案|数独|题)\w*)"""
_WORD = rf"""(?:the|a|my|your|our|here|it|is|are|final|full|complete|finished|filled|correct|all|of|for|to
    |this|checked|below|as|follows|{_LEVEL})"""
_TYPE = r"(?:let|var|val|const|static|auto|int|u8|char|byte|string|my|local|param|std::)\b[^\n,\"'=]{0,40}?"
_VALUE = rf"""(?:{_NUMBER}|true|false|u?int\d{{0,2}}|["']?{_LEVEL}["']?)"""
_NOTE = r"(?:id|uu?id|name|title|source|author|date|url|type|note|comment|why|reason)"
_PAIR = rf"""["']?(?:\w+["']?\s*[:=]\s*{_VALUE}|{_NOTE}["']?\s*[:=]\s*(?:"[^"\n]*"|'[^'\n]*'))"""
_OPEN = r"""(?:\s*(?:new\s)?(?:[A-Za-z][\w.:!]*(?:\[\])*|[１-９\s]+int|%w|\||')?[\[({](?:\||\d+,\s)?)*
    [ \n]*+(?:"{3}|'{3}|["'`])?"""
# before the first cell, with the lines above that begin it
_BEFORE = re.compile(
    rf"""[ \n]*+(?:(?:>{{1,3}}|\$|\#|//)[ ])*>?(?:[*-]\s(?=.*\w))?(?:
    (?!.*\n)(?:[|(]\s*)?(?:{_ID}|{_LEVEL})(?:[ ]*[,;|\t][ ]*{_VALUE}){{0,2}}[ ]*[.):,;|\t]?
    | (?:input:\s)?(?=[^:=,;\n]*?{_GRID})
        (?:(?>(?:{_GRID}|{_WORD}|{_NUMBER})\b)[\s()\[\]*"'\#]*+)+(?:[:=：]|[-=]>)\s*
    | (?:{_TYPE})?[$"']?\b(?:{_GRID}|[a-z])["']?
        (?:[\[(][^\n,"'=]{{0,40}}?|[\s１-９]+|:\s*\[*[a-z][\w\[\];\s]*\])?
        \s*(?::=|[-=]>|<-|[:=])\s*(?:[|>]\n)?
    | (?:def\s\w+\(.*\):\s+)?(?:return|print|yield|echo|cat|\./\w+|\(def\w*\s\S+|https?://[^\s?&=]*(?:/|\?\w+=))\s*
    | \{{\s*(?:{_PAIR}\s*,\s*)*["']?\w+["']?\s*[:=]\s*)?{_OPEN}[ \n]*""",
    re.VERBOSE | re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"""(?:(?:(?:["'`]|\s*(?:"{{3}}|'{{3}}))(?:\s*\|?[\])}}])*|(?:\s*\|?[\])}}])+)[,;.]?|\.|\s*\\)?
    (?:(?:[ ]*[,;|\t][ ]*|[ ]+)(?:\(?(?:{_LEVEL}|{_ID})\)?|{_PAIR})){{0,4}}[ \n)}}\]]*
    (?:\s(?:\#|//|%)\s(?!.*(?:solution|solved|answer))[^\n]*[^\W\d]{{2}}[^\n]*|&\w+=\S*)?""",
    re.VERBOSE | re.IGNORECASE,
)
# a line between a grid and its title: a rule, a fence, the name of a grid
_NAME = re.compile(
    rf"""(?:[\s|+:*.']{{0,3}}[=~-]{{3,}}+)+[|+:*.']? | [\s|:-]{{9,}} | (?:`{{3}}|~{{3}})\w*
    | [\s\#*=-]*\[?(?:(?>{_WORD}\b)\W++)*{_GRID}(?:\W{{1,2}}(?>(?:{_GRID}|{_WORD}|{_ID})\b))*[\s:：\]*.)]*
    | [\])}}|][\s\])}};,|]*""",
    re.VERBOSE | re.IGNORECASE,
)
# a title with a number, a field of YAML, a note of a file, a short end
_TITLE = re.compile(
    rf"""[\s\#*(-]*(?!\d{{7}})(?:{_ID}|[^\W\d_]+[.:]?\s{_ID}|{_NUMBER}\s[^\W\d_]{{2,}})[).:]?[\s*]*
    | [,\s]*{_PAIR}[\s,]* | \#[a-z]\s?[\w .:-]+ | [a-z]+[.!] | .*[\u3040-\u9fff]{{4}}.*""",
    re.VERBOSE | re.IGNORECASE,
)
_MISSING = re.compile(rf"(?s){PUZZLE_KEY}.*{SOLUTION_NAME}")
_COUNTS = str.maketrans(dict.fromkeys("0123456789ABCDEFGHIJ一二三四五六七八九", "#"))
_JOINTS = " ,;\t\"'[](){}"
_NEAR = 400  # characters before and behind a full grid that are looked at
_MOST_LINES = 6  # above it


def empty_place(text: str, source: str, board: Board, near: Sequence[Board]) -> Fault | None:
    """Return the fault of a full grid of a text that has other neighbours than a puzzle of its own.

    The plain `source` of the text is as long as it; the boards that are `near` have other places.
    """
    begin, end = _cells_of(source, board)
    first = max((other.end for other in near if other.end <= begin), default=0)
    last = min((other.start for other in near if other.start >= end), default=len(text))
    before = _part(text, source, max(first, begin - _NEAR), begin).split("\n")
    behind = _part(text, source, end, min(last, end + _NEAR)).split("\n")
    inside = _part(text, source, begin, end).split("\n")
    if first and (len(before) > 1 or not before[0].strip(_JOINTS)):
        before[0] = ""  # the end of another board
    if last < len(text):  # so begins another one
        while len(behind) > 1 and _BEFORE.fullmatch(behind[-1]) and not behind[-1][-1:].isalnum():
            behind.pop()
        behind[-1] = behind[-1].strip(_JOINTS) and behind[-1]
    rows = [line.translate(_COUNTS) for line in inside]
    if any(row.startswith(before[-1].translate(_COUNTS)) for row in rows[1:]):
        before[-1] = ""  # labels
    if any(row.endswith(behind[0].translate(_COUNTS)) for row in rows[:-1]):
        behind[0] = ""
    above, below = "\n".join(before), "\n".join(behind) if last == len(text) else ""
    is_missing = _MISSING.search(above) or _MISSING.search(f"{below} solution")
    if is_missing or not (_is_own(before, _BEFORE) and _is_own(behind[::-1], _BEHIND)):
        return Fault(NO_PUZZLE, board.start, 81)
    return None


def _is_own(lines: Sequence[str], pattern: re.Pattern[str]) -> bool:
    """Return whether the lines on one side of a grid, of which the last one is its own, are no place."""
    own = lines[-1]
    for line in [*filter(str.strip, reversed(lines[:-1]))][:_MOST_LINES]:
        if is_heading(line) or _NAME.fullmatch(line.strip()):
            continue
        if _TITLE.fullmatch(line.strip()) or _is_sentence(line):
            break
        own = f"{line}\n{own}" if pattern is _BEFORE else f"{own}\n{line}"
    return pattern.fullmatch(own) is not None


def _is_sentence(line: str) -> bool:
    """Return whether a line has three words or more, and perhaps numbers."""
    words = [word.strip("\"'()[]*,;:.!?").replace("'", "") for word in line.split()]
    return sum(word.isalpha() and len(word) > 1 and not _NAME.fullmatch(word) for word in words) > 2


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
