"""The order of cells where a text says it: by columns or boxes, which a puzzle by rows does not show.

Reads what stands right before and behind the cells of a board, whoever wrote it: a heading, the name of a
list, the function of a language that takes columns, the classes of a page. A transposed Sudoku is one, too,
so that nothing else shows it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from unidoku.errors import Message
from unidoku.parse.board import Board, Fault
from unidoku.parse.lines import SEGMENT
from unidoku.parse.plain import SKIP
from unidoku.parse.shapes import label_of

_SINGULAR = frozenset(
    "column col box block region section square nonet house group subgrid sector quadrant spalte kolumne"
    " columna caja bloque colonna bloc carré столбец блок".split()
)
_PLURAL = frozenset(
    "columns cols boxes blocks regions sections squares nonets houses groups subgrids sectors quadrants"
    " spalten kolumnen kasten kästen blöcke columnas cajas bloques colonne colonnes blocs carrés столбцы"
    " столбцам колонки блоки".split()
)
OTHER_WORDS = _SINGULAR | _PLURAL
"""Words for houses that are no rows, in the languages of people and of models that write answers."""
_ROW_WORDS = frozenset(
    "row rows zeile zeilen reihe reihen fila filas ligne lignes riga righe linha linhas строка"
    " строки tr".split()
)
_CELL_WORDS = frozenset("square squares section sections group groups house houses block blocks".split())
# of a sentence about cells, not houses
_OF_CELLS = frozenset("empty blank missing unsolved free unknown separated divided between have".split())
_HOUSE = "(?:column|col|box|block|nonet|subgrid)"
_PHRASE = re.compile(
    rf"(?i)\b{_HOUSE}s?[ -]by[ -]{_HOUSE}\b|\bby (?:columns?|boxes|blocks|nonets|subgrids)\b"
    rf"|\bcolumn-?(?: major|major|wise)\b|\bfortran order\b|\bspaltenweise\b|按列|列ごと"
    rf"|\btransposed?\b(?! \(|[\"']?\s*[:=]\s*(?:false|0|no))"
    rf"|\b(?:line|row)s? (?:is|are) (?:an? |the )?{_HOUSE}(?:s|es)?\b"
    rf"|\b{_HOUSE} (?:per|in each|on each) (?:line|row)\b"
    rf"|\b{_HOUSE}(?:s|es)?, not rows\b"
)
_WORDS_OF_PHRASES = "col box block nonet subgrid fortran spalten transpos 按列 列ごと".split()
# how many there are, or another value than cells: `columns: 9`, `[cols="9*"]`, `columns=list("ABC")`
_COUNTED = re.compile(
    r"""\b(?:of|with|by|and|into)[ ](?:\d[x×])?\d{1,2}[ ][a-z]+ | (?<![\dx×])\d{1,2}[ ][a-z]+
    | \[\w+\] | [a-z]+["']?\s*[:=]?\s*\d(?!x)
    | [a-z]+["']?\s*[:=]\s*(?:"[^"]*"|'[^']*'|\w*\([^()]*\)|\[[^\[\]]*\])""",
    re.IGNORECASE | re.VERBOSE,
)
WORDS = re.compile(r"[A-Z]+(?![a-z])|[^\W\d_][^\W\d_A-Z]*")
"""The words of a text, those in camel case too."""
_CJK = "列 縦 열 宫 宮 ブロック 상자".split()  # no blanks are between words; 九宫 is a board
_LONGEST_HEADING = 80
_LAYOUTS = frozenset({"line", "rows", "wrapped"})
_NEAR = 400  # characters before and behind a board that are looked at
_COMMENTS = ("//", "#", "--", "%", "/*", "*", ";", "!")
_OPEN = "[({"
# What takes 81 cells by columns, right before them. R: ?matrix, ?array, ?dput and ?cbind; MATLAB, Julia and
# Fortran: reshape and DATA are in the order of columns; pandas.DataFrame of a dict, data.frame of R, polars.
_BY_COLUMNS = re.compile(
    r"""(?:\b(?:matrix|array|structure)\s*\(\s*(?:data\s*=\s*)?(?:c|scan|as\.\w+)\s*\(
    | (?<![\w.])reshape\s*\(\s*(?:[\[{]|\(/) | \b(?:cbind|hcat|data\.frame|tibble)\s*\([\w\s=]*(?:c\s*\(|\[)
    | \bDataFrame\s*\(\s*(?:data\s*=\s*)?\{\s*["']?\w*["']?\s*:\s*\[
    | ^[ \t]*(?i:data)\s+\w+\s*/)[\s&.]*\Z""",
    re.VERBOSE | re.MULTILINE,
)
_BY_ROWS = re.compile(r"byrow\s*=\s*T|order\s*=\s*[\[(]/?\s*2")
# What turns rows into columns: before the cells, and behind them.
_TURNED_BEFORE = re.compile(
    r"(?:(?i:\w*transpose|permutedims)\s*[\[(]|(?<!\w)t\(|\bzip\(\*)\s*(?:[\w.]+\s*\(\s*){0,2}[\s\[({]*\Z"
)
_TURNED_BEHIND = re.compile(
    r"""^[\s\])},]*(?:\.reshape\([^\n=]*\))?\.(?:T(?!\w)|transpose\(|swapaxes\(|t\(\))
    | ^[\s\])},]*(?:\.reshape\(|\([\s\d,-]*\))[^\n]*?order\s*=\s*["']F["']
    | ^\s*\]\s*(?:,[\s\d,\[\]]{1,12}\)\s*)?\.?(?P<quote>')""",  # of MATLAB and Julia
    re.VERBOSE,
)
_CLASS = re.compile(r"""\bclass\s*=\s*["']?([^"'<>]{1,80})|<(\w+)""")  # of an element, or its name


def without_other_orders(text: str, source: str, boards: Sequence[Board]) -> Iterator[Board | Fault]:
    """Yield boards, or their faults if what stands beside them says that they are no rows."""
    end = 0
    for board in boards:
        found = _sign_of_order(text, source, board, end) if board.layout in _LAYOUTS else ""
        end = max(end, board.end)
        why = "{found}: the lines may be columns or boxes; write them row by row, without it"
        yield Fault(Message("other order", why, found=found), board.start, 81, lines=9) if found else board


def _sign_of_order(text: str, source: str, board: Board, end: int) -> str:
    """Return what says that a board behind the end of another one is not by rows; else nothing."""
    begin, stop = board.start, board.end
    line = source[begin : source.find("\n", begin, stop) % (stop + 1)]
    if board.layout == "rows":
        last = source.rfind("\n", 0, stop) + 1
        begin += _longest_part(line)[0]
        stop = last + _longest_part(source[last : source.find("\n", last) % (len(source) + 1)])[1]
    before = text[max(end, begin - _NEAR) : begin]
    behind = text[stop : stop + _NEAR]
    if not (before or behind).strip():
        return ""
    return (
        _call_of_columns(before, behind)
        or ("" if label_of(line).is_named else _heading(before, behind))
        or (_class_of_boxes(before + text[begin:stop]) if "<" in before else "")
    )


def _longest_part(line: str) -> tuple[int, int]:
    """Return where the most cells of a line begin and end."""
    parts = (match.span() for match in SEGMENT.finditer(line.replace(SKIP, " ")))
    return max(parts, key=lambda span: span[1] - span[0], default=(0, len(line)))


def _call_of_columns(before: str, behind: str) -> str:
    """Return the call or the sign that gives cells by columns."""
    statement = behind.partition("\n\n")[0]
    is_open = before.rstrip(" \t\r\n&.")[-1:] in {*_OPEN, "/"}  # else nothing is called right before
    call = _BY_COLUMNS.search(before) if is_open else None
    call = None if call and _BY_ROWS.search(f"{call[0]} {statement}") else call
    turned = _TURNED_BEFORE.search(before[: call.start()] if call else before) if is_open else None
    turned = turned or _TURNED_BEHIND.match(statement)
    if turned and turned.lastgroup and before.rpartition("\n")[2].count("'") % 2:
        turned = None  # the end of a text in quotes
    found = (call or turned or [""])[0] if (call is None) != (turned is None) else ""
    return " ".join(found.split()).strip(" ,;")


def _heading(before: str, behind: str) -> str:
    """Return the line above cells, before them or below, that names columns or boxes."""
    lines = [line for line in before.split("\n")[::-1] if WORDS.search(line)]
    is_code = len(lines) > 1 and lines[0].rstrip()[-1:] in {*_OPEN}
    near = lines[: 2 if is_code and lines[1].lstrip().startswith(_COMMENTS) else 1]
    below = [line for line in behind.split("\n")[:3] if line.strip()][:1]
    found = next(chain(filter(names_others, near), filter(_has_phrase, below)), "")
    return found.strip(" \t\r:*#/=[({\"'")


def _has_phrase(line: str) -> bool:
    """Return whether a line says that cells are not by rows; most have no word of such a phrase."""
    lower = line.lower()
    return any(word in lower for word in _WORDS_OF_PHRASES) and _PHRASE.search(line) is not None


def names_others(line: str) -> bool:
    """Return whether a line says that columns or boxes stand below it, or behind it."""
    if _has_phrase(line):
        return True
    if len(line.strip()) > _LONGEST_HEADING:
        return False
    words = [word.lower() for word in WORDS.findall(line)]
    if not _ROW_WORDS.isdisjoint(words) or "行" in line:
        return False
    if not _OF_CELLS.isdisjoint(words):
        return False
    words = [word.lower() for word in WORDS.findall(_COUNTED.sub("", line).replace("-", ""))]
    named = [word for word in words if word in _PLURAL]
    is_short = len(words) < 4
    return any(is_short or word not in _CELL_WORDS or word == words[0] for word in named) or any(
        word in line.replace("九宫", "").replace("九宮", "") for word in _CJK
    )


def _class_of_boxes(page: str) -> str:
    """Return the class, or the name, of nine elements that are columns or boxes; of cells it is none."""
    classes = Counter(match[match.lastindex or 0] for match in _CLASS.finditer(page))
    words = {name: {*map(str.lower, WORDS.findall(name))} for name in classes}
    if any(not _ROW_WORDS.isdisjoint(own) for own in words.values()):
        return ""
    return next(
        (name for name, own in words.items() if classes[name] == 9 and not OTHER_WORDS.isdisjoint(own)), ""
    )
