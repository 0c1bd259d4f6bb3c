"""Nine lines as a board by one form: all have one label, one wrapping and one of four bodies.

A body is signs with one separator, fields, a drawing with blanks for empty cells, or groups of candidates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, starmap

from unidoku.parse.board import Board, clues_of, mask_of, solution_of
from unidoku.parse.forms import Forms
from unidoku.parse.lines import LABEL, dotted
from unidoku.parse.lists import CELL, WORDS

_REMARK = re.compile(
    r"""[ ]+(?:\([^()|\d]*(?:[Rr](?:ow)?[ ]?[1-9]|45)?\)|[✓✔✅]|(?:\#|//|<-+)[ ]?[Rr](?:ow)?[ ]?[1-9])$
        |\.$(?<=[1-9]\.)|\\$""",
    re.VERBOSE,
)
_BULLET = re.compile(r"[ ]*[-*•][ ](?=\S)")
_COMMENT = re.compile(r"(?://|;;?|--|[#+%])[ ]?")  # before each row
_COUNTS = ("123456789", "012345678", "ABCDEFGHI", "一二三四五六七八九")
_PAIRS = {"[": "]", "(": ")", "{": "}", '"': '"', "'": "'", "`": "`"}
_ROW = re.compile(
    rf"""(?P<o>[|]?)(?P<i>[ ]*)
    {CELL}(?P<s>[ ]{{1,5}}|[ ]?[|][ ]?|){CELL}(?P=s){CELL}
    (?P<g>(?P=s)[ ]{{0,3}}|[ ]{{0,3}}[|]{{1,2}}[ ]{{0,3}})
    {CELL}(?P=s){CELL}(?P=s){CELL} (?P=g) {CELL}(?P=s){CELL}(?P=s){CELL} (?P<e>[ ]?)(?P<c>[|]?[.]?)""",
    re.VERBOSE,
)
_DRAWN = [  # open, between cells, between boxes, close
    *[("| ", " ", " | ", " |"), ("|", "", "|", "|"), ("| ", " | ", " | ", " |"), ("|", "|", "|", "|")],
    *[("|", "|", "|", "|."), ("", " ", " | ", ""), ("", "", "|", ""), ("", " | ", " | ", "")],
    *[("[", "][", "][", "]"), ("|", " ", "|", "|"), (" ", " | ", " | ", " "), ("|  ", "  ", "|  ", "|")],
    *[("", " ", " ", ""), ("", " ", "  ", ""), ("", "", "", ""), ("", "", " ", "")],
]
_DRAWN_SIGNS = {*"123456789 |[]."}
_NO_GAPS = 11  # characters of a row without blanks between cells, at most
_FEWEST_BLANKS = 20  # where nothing or a blank is the sign: cells of full rows may be lost
_FEWEST_COLUMNS = 4  # of a drawing that have digits
_FEWEST_GROUPS = 3  # cells with several candidates
_FIELD_SIGNS = {**{sign: sign for sign in "123456789.0*_-xX?"}, "-1": "~", "": " ", '""': '"', '" "': "'"}
_FIELD_SIGNS |= dict.fromkeys(WORDS.split("|"), "N")


_FORMS = Forms(has_full=True)


def explain(lines: Sequence[str], first: int, last: int) -> Board | None:
    """Return the board of nine lines that one form explains, and whose empty cells have one sign."""
    text = "\n".join(lines)
    if cells := _FORMS.cells_in(text):
        return Board(cells, first, last)
    for bodies in (lines, unlabelled(lines)):
        if bodies and (board := _candidates(bodies, first, last)):
            return board
        for rows in _unwrapped(bodies) if bodies else ():
            for body in _BODIES:
                cells = "".join(body(rows) or ())
                is_lost = 0 < cells.count(" ") < _FEWEST_BLANKS
                if (board_cells := dotted(cells)) and not is_lost:
                    _FORMS.learn(text, board_cells)
                    return Board(board_cells, first, last)
    return None


def unlabelled(lines: Sequence[str]) -> list[str] | None:
    """Return nine lines without labels that count them."""
    found = [*filter(None, map(LABEL.match, lines))]
    if len(found) != 9 or "".join(match["n"] for match in found) not in _COUNTS:
        return None
    if len({(match["mark"], match["end"].strip()) for match in found}) > 1:
        return None
    return [line[match.end() :] for line, match in zip(lines, found, strict=True)]


def _unwrapped(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield nine lines as they are, and without the comma, the brackets or the bullet that all have."""
    indent = min(len(line) - len(line.lstrip(" ")) for line in lines)  # of fields, a tab is no indent
    yield [line[indent:] for line in lines]
    rows = [line.strip() for line in lines]
    yield rows
    remarks = {_remark_of(row, str(number)) for number, row in enumerate(rows, 1)}
    if remarks != {""} and len(remarks) == 1:
        rows = [_REMARK.sub("", row) for row in rows]
        yield rows
    if (match := _COMMENT.match(rows[0])) and all(row.startswith(match[0]) for row in rows):
        rows = [row[match.end() :] for row in rows]
        yield rows
    ends = {row[-1:] for row in rows[:8]}
    end = ends.pop() if len(ends) == 1 else ""
    if end in {",", ";", "+"}:
        rows = [row.removesuffix(end).rstrip() for row in rows[:8]] + [rows[8].rstrip(",;+").rstrip()]
        yield rows
    for _ in range(2):
        opens = {row[:1] for row in rows}
        sign = opens.pop() if len(opens) == 1 else ""
        if all(re.fullmatch(r"\*\*[^*]+\*\*", row) for row in rows):
            rows = [row[2:-2] for row in rows]
            yield rows
        elif sign in _PAIRS and {row[-1:] for row in rows} == {_PAIRS[sign]}:
            rows = [row[1:-1] for row in rows]
            yield rows
            rows = [row.strip() for row in rows]
            yield rows
    bodies = [_BULLET.sub("", line) for line in lines]
    if all(map(_BULLET.match, lines)) and lines[0].strip()[0] not in "".join(bodies):
        yield from _unwrapped(bodies)


def _remark_of(row: str, number: str) -> str:
    """Return what stands behind the cells of a row, without its number."""
    match = _REMARK.search(row)
    return match[0].replace(f"w {number}", "w").replace(f"r{number}", "r") if match else ""


def _signs(lines: Sequence[str]) -> list[str] | None:
    """Explain rows of nine signs with one separator, and one between boxes."""
    found = [*filter(None, map(_ROW.fullmatch, lines))]
    if len(found) != 9 or len({match.group("o", "i", "s", "g", "e", "c") for match in found}) > 1:
        return None
    if found[0]["c"][:1] not in ("", found[0]["o"]):  # a bar behind the cells has one before them
        return None
    return ["".join(re.findall(CELL, line.removesuffix("|."))) for line in lines]


def _fields(lines: Sequence[str]) -> list[str] | None:
    """Explain rows of nine fields: numbers, words for empty cells, or nothing."""
    for separator in (",", ";", "\t", "|", "&", "/", None):
        if separator is not None and separator not in lines[0]:
            continue
        rows = [line.split(separator) for line in lines]
        if separator:
            rows = _without_ends(rows)
        is_drawn = any(field.isspace() for row in rows for field in row)  # blanks as wide as a cell
        is_odd = is_drawn and separator == "|" and "**" not in lines[0] and len({*map(len, lines)}) > 1
        if {*map(len, rows)} == {9} and not is_odd and (cells := _cells_of_fields(rows)):
            return [cells]
    return None


def _without_ends(rows: list[list[str]]) -> list[list[str]]:
    """Return rows of fields without the empty ones at both ends, or between boxes."""
    sizes = {*map(len, rows)}
    blank = {k for k in range(max(sizes)) if not any(row[k : k + 1] and row[k].strip() for row in rows)}
    if sizes == {11} and {0, 10} <= blank:
        return [row[1:-1] for row in rows]
    if sizes == {11} and {3, 7} <= blank:
        return [row[:3] + row[4:7] + row[8:] for row in rows]
    if sizes == {10} and 0 in blank and 9 not in blank:
        return [row[1:] for row in rows]
    # where nothing is an empty cell, the first column may be one of labels
    is_signed = all(field.strip() for row in rows for field in row[:9])
    if sizes == {10} and blank == {9} and is_signed and len({row[0] for row in rows}) > 1:
        return [row[:9] for row in rows]
    return rows


def are_counts(column: Sequence[str]) -> bool:
    """Return whether nine fields count the rows, but for two at most: they are labels."""
    return any(sum(map(str.__ne__, column, counts)) < 3 for counts in ("123456789", "012345678", ".12345678"))


def _cells_of_fields(rows: list[list[str]]) -> str | None:
    """Return the cells of nine rows of nine fields, whose numbers have the same decimals."""
    fields = ((cell if cell == '" "' else cell.strip()).replace("'", '"') for row in rows for cell in row)
    flat = [*fields]
    if all(cell.startswith('"') == flat[0].startswith('"') for cell in flat):
        flat = [cell[1] if len(cell) == 3 and cell[0] == '"' and cell[1] != " " else cell for cell in flat]
    if all(cell[:2] == "**" == cell[3:] for cell in flat if any(map(str.isdigit, cell))):
        flat = [cell[2] if cell[:2] == "**" == cell[3:] else cell for cell in flat]
    ends = {cell[1:] for cell in flat if cell[:1].isdigit()}
    end = ends.pop() if len(ends) == 1 else "!"
    values = [_FIELD_SIGNS.get(cell.removesuffix(end) or cell, "!") for cell in flat]
    if "!" in values or (end == "." and "." in values):  # a point whose digit is lost
        return None
    return "".join(values) if end in {"", ".", ".0", ".00", ",0"} else None


def _drawn(lines: Sequence[str]) -> list[str] | None:
    """Explain rows with blanks for empty cells, by the columns of a frame or of the cells alone."""
    if not {*chain(*lines)} <= _DRAWN_SIGNS:
        return None
    bodies = [line.rstrip() for line in lines]
    for frame, at, is_open in _FRAMES:
        rows, is_cut = bodies, False
        if is_open:
            rows = [row.ljust(len(frame)) for row in bodies]
            if max(map(len, bodies)) < at[-1] + 1:
                continue
            is_cut = {*map(len, lines)} != {len(frame)} or len(frame) <= _NO_GAPS
        if {*map(len, rows)} != {len(frame)}:
            continue
        if all(
            sign in "123456789 " if k in at else sign == frame[k]
            for row in rows
            for k, sign in enumerate(row)
        ):
            found = ["".join(row[k] for k in at) for row in rows]
            full = sum(any(map(str.isdigit, column)) for column in zip(*found, strict=True))
            # lines that lost their blanks have not one solution
            is_whole = not is_cut or solution_of(dotted("".join(found)) or "." * 81) != ""
            return found if full >= _FEWEST_COLUMNS and is_whole else None
    return None


def _frame_of(opens: str, gap: str, box_gap: str, closes: str) -> tuple[str, list[int], bool]:
    """Return a drawn row without digits, where its cells stand, and whether nothing ends it."""
    cells = box_gap.join([gap.join("555")] * 3)
    at = [len(opens) + place for place, sign in enumerate(cells) if sign == "5"]
    return opens + cells.replace("5", " ") + closes, at, not closes.strip()


_FRAMES = [*starmap(_frame_of, _DRAWN)]
_BODIES: list[Callable[[Sequence[str]], list[str] | None]] = [_signs, _fields, _drawn]


def _candidates(lines: Sequence[str], first: int, last: int) -> Board | None:
    """Return the position of nine lines with nine groups of digits that ascend."""
    rows = [re.split(r"[|, \t]+", line.strip("| \t")) for line in lines]
    if {*map(len, rows)} != {9}:
        return None
    groups = [*chain(*rows)]
    for begin, end in ("{}", "[]"):
        if all(group[0] == begin and group[-1] == end for group in groups if len(group) > 1):
            groups = [group.strip(begin + end) for group in groups]
    if sum(len(group) > 1 for group in groups) < _FEWEST_GROUPS:
        return None
    if not all(
        group == "." or (group.isdigit() and [*group] == sorted({*group} - {"0"})) for group in groups
    ):
        return None
    marks = (*map(mask_of, groups),)
    return Board(clues_of(marks), first, last, marks)
