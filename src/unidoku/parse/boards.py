"""The boards in a text: runs of 81 cells, rows on lines or in brackets, boards drawn with blanks.

A text is cut into lines; a list in brackets or a text in quotes of about nine cells is a line of its own,
so that names, types and sentences beside it are others. Lines with words end a block. A block is read by
the first layout that fits; what none reads is kept for the message. A place of the text is looked at by a
bounded number of attempts.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from operator import itemgetter
from typing import NamedTuple

from unidoku.cell import CELL_CODES, EMPTY_SYMBOLS, FEWEST_CLUES, PEERS
from unidoku.kernel import search
from unidoku.parse.plain import origin, plain
from unidoku.parse.rows import (
    COLUMN,
    DIGITS,
    END_LABEL,
    LABEL,
    MINUS,
    SEPARATE,
    SYMBOLS,
    WORD,
    Line,
    is_set,
    line_of,
)

_EMPTIES = str.maketrans(dict.fromkeys(f"{EMPTY_SYMBOLS}{MINUS} ", "."))
_ANY = 0b111_111_111
_RUN = re.compile(r"[0-9.*_xX?-](?<![0-9.*_xX?-]{2})[0-9.*_xX?-]{80,899}(?![0-9.*_xX?-])")
_POSITION = re.compile(r"S9B([0-9a-z]{162})(?![0-9a-z])")
# 81 cells, or nine groups of nine, with the same separators, within a sentence
_SPACED = re.compile(
    r"[0-9.](?<![0-9.]{2})(?<![0-9][ ,;|/+~^#=!@].)(?<![0-9][ ,;|/]{2}.)"
    r"(?:(?:[ ,;|/]{1,3}[0-9.]){80}|[0-9.]{8}(?:(?:[ ,;|/]{1,3}(?:and )?|[+~^#=!@])[0-9.]{9}){8})"
    r"(?!\.?[0-9])(?![ ,;|/]{1,3}[0-9])(?![+~^#=!@][0-9.])"
)
_BETWEEN = str.maketrans(dict.fromkeys(" ,;|/+~^#=!@and"))
_GROUP_BEFORE = re.compile(r"(?<![^ ,;|/])([0-9.]+)[ ,;|/]{1,3}\Z")
_GROUP_BEHIND = re.compile(r"[ ,;|/]{1,3}(?:and )?([0-9.]+)(?![^ ,;|/\n])")
_GROUP_MAX = 20
_LEAF = re.compile(
    r"""[\[({]([^\[\](){}]{9,2000})[\])}]|(?<![^\s,;:=+|\[({])(["'])([^"'\n\[\](){}]{7,40})\2"""
)
_EMPTY_FIELD = re.compile(r",\s{0,99}+,|^\s{0,99}+,")
_MAY_BE_LEAF = re.compile("[\\[({\"']")
# what may stand between two lists: punctuation, remarks, keys, labels
_GLUE = re.compile(
    r"""(?>(?:\#|//|--|/\*|%)[^\n]{0,80}|\.\.\.[ ]?\n|["']\w{1,20}["']\s{0,9}:"""
    r"""|(?:[Rr]ow|ROW|[Ll]ine|[Rr])[ _-]?[1-9]"""
    r"""|[1-9][.):]|[\s,;=:.*|\])}\[({+\\`&-])*+"""
)
_GLUE_MAX = 400
_GAP_MAX = 60
_GAP_DIGITS = 4
_NO_DIGITS = str.maketrans(dict.fromkeys("0123456789"))
_GAP_LABEL = re.compile(
    r"(?i:\b(?:row|line|r|(?P<column>col(?:umn)?|c)|(?P<box>box|block|square|b)))"
    r"[ _-]?(?P<number>[1-9])[\W_]{0,8}\Z"
)
_QUOTE = re.compile("[\"']")
_QUOTED_MAX = 12  # characters of a row in quotes without blanks, perhaps a wrong one
_FIELDS = SYMBOLS | {" "}
_NUMBER = re.compile(r"\s*\d+\.\d+\s*")  # such as a time in a log
_NAMED_CELL = re.compile(
    r"""(?:[Rr]([1-9])[Cc]([1-9])|\b([A-I])([1-9]))["']?\s{0,3}(?:[:=]|is)\s{0,3}["'{\[]?([1-9]{1,9}|[0._])(?![0-9])"""
    r"""|["']?\b(?:row|r|y)["']?\s?[:=]\s?([0-9])\s?,\s{0,16}["']?(?:column|col|c|x)["']?\s?[:=]\s?([0-9])\s?,"""
    r"""\s{0,16}["']?(?:value|val|v|digit|number)["']?\s?[:=]\s?["']?([0-9._])(?![0-9])"""
)
_ENDS = {(("1", "1"), ("9", "9")), (("0", "0"), ("8", "8")), (("A", "1"), ("I", "9"))}
"""The names of the first and of the last cell."""
_LAST_NAME = re.compile(r"""[Rr]9[Cc]9|I9|[\s"',](?:v|digit|number)""")
_NAME_GAP = 40  # characters between two cells
_BLANKS_MAX = 11  # blank lines that follow each other: more are as good as these
_BRACKET_ENDS = "])},; "
_LABELS = ("123456789", "012345678", "ABCDEFGHI", "ABCDEFGHJ")
_ROW_SIZES = frozenset({4, 5, 6, 7, 8, 9, 10, 11, 12, 16})  # lines of as many cells are rows
_ROMAN = "I II III IV V VI VII VIII IX".split()
_MADE_ONE = "the blanks between two digits may have been made one"
_SHIFTED = "a row may have one sign too few or too many: the lines have different lengths"
_SEARCH_MAX = 1 << 16  # guesses
_FEW = 32  # solutions
_WRONG_MAX = 6  # equal digits in the columns and boxes of the first row of a wrong grid
_DRAWN = re.compile("[1-9 |;,\t\"']*")
_SHEET = re.compile("[,;\t]")
_DIGITS_AND_BLANKS = re.compile("[1-9 ]*")
_BARS_AND_BLANKS = frozenset("| ")
_NO_FRAME = str.maketrans(dict.fromkeys("| "))
_BARS_ONLY = str.maketrans(dict.fromkeys("123456789", " "))
_EDGES = "*_-"
_OPENING, _CLOSING = "\"'[( ", " ]})"
_LETTER = re.compile(r"[^\W\d_xX]")
_END_LETTER = re.compile(r" [^\W\d_xX]\Z")
_FIELD_LETTER = re.compile(r"""["'\[( ]*[^\W\d_xX][,;\t]""")
_STEPS = {9: (0, 1), 17: (0, 2), 19: (1, 2), 27: (1, 3)}
"""The margin of the cells in an outer frame, and the distance between two, by its inner width."""
_JOINTS = ".-_"


class Board(NamedTuple):
    """A board in a text."""

    cells: str
    """81 characters, 1 to 9 or ``.``; of a position the clues."""
    marks: tuple[int, ...] | None
    """The candidates of each cell, bit d - 1 for digit d; None where the text draws none."""
    start: int
    end: int
    layout: str
    """line, position, rows, wrapped, sheet, frame, columns, candidates, cells, by columns, side by side."""
    doubt: str = ""
    """Why it may be another board: it is refused then."""

    @property
    def digits(self) -> str:
        """The clues, and the digits that marks leave alone."""
        singles = clues_of(self.marks or ())
        return "".join(map(max, self.cells, singles)) if self.marks else self.cells

    @property
    def symbols(self) -> str:
        """The marks as 729 characters, nine a cell."""
        return "".join(
            str(digit) if mask >> digit - 1 & 1 else "."
            for mask in self.marks or ()
            for digit in range(1, 10)
        )


class Reading(NamedTuple):
    """The boards of a text by their places, the parts that are like boards, and the plain text."""

    boards: list[Board]
    rest: list[tuple[int, list[Line]]]
    source: str
    places: list[tuple[int, int]]


class _Cut(NamedTuple):
    """A place that is a line of its own, or none: a board that was read."""

    start: int
    end: int
    kind: str = "text"
    cells: tuple[str, ...] = ()


@lru_cache(1)  # what chooses a format, reads a file, and asks for its one puzzle has the same text
def read(text: str) -> Reading:
    """Return the boards of a text, and what is left of it."""
    source, places = plain(text)
    boards = [*_named_cells(source)]
    if max(map(len, source.split("\n"))) >= 81:  # the others are on one line
        boards += [*_runs(source), *_positions(source), *_spaced(source)]
    starts = sorted(board.start for board in boards)
    leaves = (leaf for leaf in _leaves(source) if bisect(starts, leaf.start) == bisect(starts, leaf.end))
    cuts = sorted([*(_Cut(board.start, board.end) for board in boards), *leaves])
    rest: list[tuple[int, list[Line]]] = []
    block: list[Line] = []
    labels = _LabelledRows()
    is_after_words = False
    for line in _lines(source, cuts):
        if line.kind != "text":
            block.append(line)
            boards += labels.add(line) if line.label else ()
            continue
        labels.has_words = True
        if block:
            boards += _read_block(block, rest, (is_after_words, True))
            block = []
        is_after_words = True
    boards += _read_block(block, rest, (is_after_words, False))
    boards += _bands(source, rest)
    rest = _spread_rows(source, rest)
    boards = [*{(board.start, board.cells): board for board in boards}.values()]
    if any(board.layout != "by columns" and "." not in board.cells for board in boards):
        boards = [board for board in boards if board.layout != "by columns"]  # they check the grid
    boards.sort(key=lambda board: (board.start, board.end))
    if places:
        boards = [
            board._replace(start=origin(board.start, places), end=origin(board.end, places))
            for board in boards
        ]
        rest = [(origin(start, places), lines) for start, lines in rest]
    return Reading(boards, rest, source, places)


def _bands(source: str, rest: list[tuple[int, list[Line]]]) -> list[Board]:
    """Take the boards of three bands, or of nine rows, with a heading above each, out of the rest."""
    boards: list[Board] = []
    for count in (3, 9):
        size = 9 // count
        index = 0
        left: list[tuple[int, list[Line]]] = []
        while index < len(rest):
            stop = index
            while stop < len(rest) and _is_band(
                source, rest[max(index, stop - 1) : stop], rest[stop][1], size
            ):
                stop += 1
            if stop - index == count:
                boards += _boards_of([line for _, lines in rest[index:stop] for line in lines])
            else:
                stop = max(stop, index + 1)
                left += rest[index:stop]
            index = stop
        rest[:] = left
    return boards


def _spread_rows(source: str, rest: Sequence[tuple[int, list[Line]]]) -> list[tuple[int, list[Line]]]:
    """Return the rest, with rows that have blank lines between them as one part."""
    parts: list[tuple[int, list[Line]]] = []
    is_spread = False  # whether the lines of the last part stand alone
    for part in rest:
        start, lines = part
        is_row = len(lines) == 1 and 6 < len(lines[0].cells) < 12
        if is_row and is_spread and source[_place_of(parts[-1][1][-1:])[1] : start].isspace():
            parts[-1][1].append(lines[0])
        else:
            parts.append(part)
        is_spread = is_row
    return parts


def _is_band(source: str, before: Sequence[tuple[int, list[Line]]], lines: list[Line], size: int) -> bool:
    """Return whether lines are as many rows as a band has, not far from the ones before."""
    if len(lines) != size or any(line.kind not in {"row", "rule"} or len(line.cells) != 9 for line in lines):
        return False
    if not before:
        return True
    between = source[_place_of(before[-1][1])[1] : lines[0].start]
    return len(between) <= _GAP_MAX and between.count("\n") < 6


class _LabelledRows:
    """Rows with the labels 1 to 9 that have sentences between them."""

    def __init__(self) -> None:
        self._rows: list[Line] = []
        self.has_words = False

    def add(self, line: Line) -> list[Board]:
        """Add a line; return the board that it completes, if any."""
        boards: list[Board] = []
        if line.kind == "row":
            if line.label == "1":
                self._rows, self.has_words = [], False
            if line.label == str(len(self._rows) + 1):
                self._rows.append(line)
            if len(self._rows) == 9 and self.has_words:
                boards = _rows(self._rows)
                self._rows = []
        return boards


def _runs(source: str) -> Iterator[Board]:
    """Yield the boards that are runs of 81 symbols, of 729 candidates, or of nine rows joined by a sign.

    Nine runs of candidates, one for each row, are a board, too.
    """
    rows: list[tuple[int, str]] = []
    for match in _RUN.finditer(source):
        part = _board_part(match[0], is_in_sentence=source[max(0, match.start() - 1)] == " ")
        are_marks = len(part) in {81, 729} and _are_marks(part)
        start = match.start() + match[0].find(part)
        end = start + len(part)
        is_board = are_marks or (len(part) in {81, 89} and not DIGITS.isdisjoint(part))
        if not is_board or any(map(_is_part, (source[start - 1 : start], source[end : end + 1]))):
            continue
        if are_marks:
            rows = rows if len(part) == 81 else []
            rows.append((start, part))
            part = "".join(row for _, row in rows)
            if len(part) == 729:
                masks = tuple(mask_of(part[9 * cell : 9 * cell + 9]) for cell in range(81))
                yield Board(clues_of(masks), masks, rows[0][0], end, "candidates")
                rows = []
        else:
            cells = "".join(part.split(part[9])) if len(part) == 89 else part
            yield Board(cells.translate(_EMPTIES), None, start, end, "line")


def _is_part(sign: str) -> bool:
    """Return whether a sign beside a run belongs to it: a letter, a digit, or one that nobody sees."""
    return sign.isalnum() or not (sign.isprintable() or sign.isspace())


def _are_marks(run: str) -> bool:
    """Return whether the digits of a run are candidates: each at its place, as in no puzzle."""
    digits = [place for place, symbol in enumerate(run) if symbol in DIGITS]
    return len(digits) > 8 and all(run[place] == str(place % 9 + 1) for place in digits)


def _board_part(run: str, *, is_in_sentence: bool) -> str:
    """Return a run without signs of Markdown around it or a full stop behind it; nothing if it is cut."""
    joint = run[9]
    if (
        joint in _JOINTS and {*run[9::10]} == {joint} and run.count(joint) == len(run[9::10])
    ):  # rows joined by a sign
        return run if len(run) == 89 else ""
    for sign in _JOINTS if len(run) == 81 else "":
        first = run.find(sign)
        if (
            run.count(sign) in {7, 8}
            and {*run[first::10]} == {sign}
            and run.count(sign) == len(run[first::10])
        ):
            return ""  # a part of such rows
    part = run
    if len(run) > 81:
        edge = run[0] if run[0] in _EDGES else run[-1]
        inner = run.strip(edge)
        part = inner if edge in _EDGES and edge not in inner else run
    if len(part) == 82 and part[-1] in ".?":
        is_stop = part[-1] not in part[:-1] or (is_in_sentence and _solutions(part[:-1]) == 1)
        part = part[:-1] if is_stop else part  # of the sentence
    return part if len(part) != 89 else ""


def _positions(source: str) -> Iterator[Board]:
    """Yield the positions of SudokuWiki: two base-36 digits for each cell."""
    for match in _POSITION.finditer(source) if "S9B" in source else ():
        codes = [int(match[1][place : place + 2], 36) for place in range(0, 162, 2)]
        if all(1 <= code <= 18 + _ANY for code in codes):
            cells = "".join(str(code) if code <= 9 else "." for code in codes)
            masks = tuple(1 << (code - 1) % 9 if code <= 18 else code - 18 for code in codes)
            yield Board(cells, masks, match.start(), match.end(), "position")


def _spaced(source: str) -> Iterator[Board]:
    """Yield the boards of 81 cells, or nine groups of nine, that are separated within a sentence."""
    for match in _SPACED.finditer(source):
        if "." in match[0] and source[match.end() : match.end() + 1] == ".":
            continue
        if _has_further_group(source, match):
            continue
        cells = match[0].translate(_BETWEEN)
        if cells == cells[:9] * 9:  # cells that may have any digit
            continue
        yield Board(cells.translate(_EMPTIES), None, match.start(), match.end(), "line")


def _has_further_group(source: str, match: re.Match[str]) -> bool:
    """Return whether groups like those of a match stand beside it: any of them may be the first."""
    size = 9 if source[match.start() + 1] in "0123456789." else 1
    before = _GROUP_BEFORE.search(source[max(match.start() - _GROUP_MAX, 0) : match.start()])
    behind = _GROUP_BEHIND.match(source[match.end() : match.end() + _GROUP_MAX])
    groups = [group[1] for group in (before, behind) if group and len(group[1]) == size]
    return any(size > 1 or group != "." or "." in match[0] for group in groups)


def _named_cells(source: str) -> Iterator[Board]:
    """Yield the boards of 81 cells with names: ``r1c1 = 5``, ``A1: 5``, or with ``"row"`` and ``"col"``.

    Cells without ``r`` and ``c`` stand row by row: a letter may be a row, or a column.
    """
    # each has one of these, and some the last name or that of a value; the pattern takes long
    if sum(map(source.count, (":", "=", "is"))) < 81 or not _LAST_NAME.search(source):
        return
    run: list[_Cell] = []
    for match in _NAMED_CELL.finditer(source):
        row, column, sign = filter(None, match.groups())
        kind = "r" if match[1] else "A" if match[3] else ""
        cell = _Cell((row, column), sign, match.start(), match.end(), kind)
        if run and (cell.start - run[-1].end > _NAME_GAP or kind != run[-1].kind):
            yield from _boards_of_cells(run)
            run = []
        run.append(cell)
    yield from _boards_of_cells(run)


class _Cell(NamedTuple):
    """A cell with its name in a text."""

    name: tuple[str, str]
    sign: str
    start: int
    end: int
    kind: str
    """r for a name such as r1c1, A for one such as A1, nothing for an object."""


def _boards_of_cells(run: Sequence[_Cell]) -> Iterator[Board]:
    """Yield the boards of a run of cells; among further ones, from the first name to the last."""
    index = 0
    while index + 81 <= len(run):
        part = run[index : index + 81]
        names = [cell.name for cell in part]
        are_all = len(run) % 81 == index % 81 == 0
        if (are_all or (names[0], names[-1]) in _ENDS) and len({*names}) == 81 and _are_names(names):
            if part[0].kind != "A":
                part = sorted(part)
            place = run[index].start, run[index + 80].end
            if board := _board([cell.sign for cell in part], [], "cells", place):
                yield board
            index += 81
        else:
            index += 1


def _are_names(names: Sequence[tuple[str, str]]) -> bool:
    """Return whether these are the names of all cells: numbers in any order, letters row by row."""
    first, second = sorted({row for row, _ in names}), sorted({column for _, column in names})
    if len(first) != 9 or len(second) != 9 or not (_is_sequence(first) and _is_sequence(second)):
        return False
    every = [*product(first, second)]
    return first == second or [*names] in (every, [(row, column) for column, row in product(second, first)])


def _leaves(source: str) -> Iterator[_Cut]:
    """Yield the innermost lists in brackets, and the texts in quotes, of about nine cells, or of 81."""
    for match in _LEAF.finditer(source) if _MAY_BE_LEAF.search(source) else ():
        content: str = match[1] or ""
        quoted = [match] if not content else [*_LEAF.finditer(content)] if _QUOTE.search(content) else []
        sets = [field.strip(" \n\"'") for field in content.split(",")] if quoted else []
        if len(sets) == 9 and all(map(is_set, sets)) and len({*map(len, sets)}) > 1:
            yield _Cut(match.start(), match.end(), "row", tuple(field or " " for field in sets))
            continue
        for part in quoted:
            yield from _quoted(part, 0 if part is match else match.start() + 1)
        if quoted or _NUMBER.fullmatch(content):
            continue
        if WORD.search(content):
            cells = tuple(map(str.strip, content.split(",")))
            if len(cells) == 9 and len({*cells} - DIGITS) == 1 and all(map(str.isalnum, cells)):
                yield _Cut(match.start(), match.end(), "row", cells)  # with one word for an empty cell
            elif len(cells) == 9 and sum(cell in SYMBOLS for cell in cells) > 6:
                yield _Cut(match.start(), match.end(), "near", cells)
        elif len(content) < 12 or content.count(",") > 4 or content.count(" ") > 4:
            body = content.replace("\n", " ").rstrip()
            if body.endswith(",") and not _EMPTY_FIELD.search(body):  # behind the last cell
                body = body[:-1]
            line = line_of(body, 0)
            is_ascending = content[0] in DIGITS and [*line.cells] == sorted({*line.cells} & DIGITS)
            if line.kind == "row" or (len(line.cells) > 4 and "\n" not in content and not is_ascending):
                yield _Cut(match.start(), match.end(), line.kind, line.cells)


def _quoted(match: re.Match[str], start: int) -> Iterator[_Cut]:
    """Yield a text in quotes that may be a row."""
    cells = tuple(match[3])
    if len(cells) == 11 and cells[3::4] == (" ", " ") and match[3].count(" ") == 2:  # in groups of three
        cells = cells[:3] + cells[4:7] + cells[8:]
    if len(cells) > _QUOTED_MAX or "," in cells:
        line = line_of(match[3], 0)
        if line.kind != "row" or WORD.search(match[3]):
            return
        cells = line.cells
    known = sum(map(_FIELDS.__contains__, cells))
    has_digit = not DIGITS.isdisjoint(cells)
    if known == len(cells) and (known == 9 or has_digit):
        yield _Cut(start + match.start(), start + match.end(), "row" if known == 9 else "some", cells)
    elif known > 5 and len(cells) - known < 3 and has_digit:
        yield _Cut(start + match.start(), start + match.end(), "near", cells)


def _lines(source: str, cuts: Iterable[_Cut]) -> Iterator[Line]:
    """Yield the lines of a text, and its lists, in order; what is glue between two lists is none."""
    parts: list[tuple[str, int, _Cut]] = []
    end = 0
    for cut in cuts:
        if cut.start >= end:
            parts.append((source[end : cut.start], end, cut))
            end = cut.end
    gaps = [_gap(between, cut) for between, _, cut in parts]
    is_list = False
    for index, (between, start, cut) in enumerate(parts):
        is_glue = is_list and cut.cells and len(between) <= _GLUE_MAX
        is_again = (
            gaps[index] and gaps[index] in gaps[max(0, index - 1) : index] + gaps[index + 1 : index + 2]
        )
        if not (is_glue and (is_again or _GLUE.fullmatch(between))):
            yield from _split(between, start, is_list)
        elif "\n\n" in between:
            yield Line("blank", (), start, "")
        label = _GAP_LABEL.search(between) if cut.cells else None
        if label and (label["box"] or label["column"]) and not is_again:
            label = None  # a name, such as b1
        kind = "text" if label and label["box"] else cut.kind
        name = f"{COLUMN if label['column'] else ''}{label['number']}" if label else ""
        yield Line(kind, cut.cells, cut.start, source[cut.start : cut.end], name)
        is_list = bool(cut.cells)
    yield from _split(source[end:], end, is_list)


def _gap(between: str, cut: _Cut) -> str:
    """Return what stands before a list without its numbers, if that is short: between rows it is the same."""
    if not cut.cells or len(between) > _GAP_MAX:
        return ""
    rest = between.translate(_NO_DIGITS)
    return "" if len(between) - len(rest) > _GAP_DIGITS else rest


def _split(text: str, start: int, is_after_list: bool) -> Iterator[Line]:
    """Yield the lines of a part of the text, without the closing brackets of a list before it."""
    if is_after_list:
        size = len(text)
        text = text.lstrip(_BRACKET_ENDS)
        start += size - len(text)
    count = 0
    for line in text.splitlines(keepends=True):
        count = count + 1 if line == "\n" else 0
        if count <= _BLANKS_MAX:
            yield line_of(line, start)
        start += len(line)


def _read_block(
    block: list[Line], rest: list[tuple[int, list[Line]]], words: tuple[bool, bool]
) -> list[Board]:
    """Return the boards of a block of lines, with words before and after it; add what is left to the rest."""
    if not any(line.cells for line in block):
        return []
    boards = []
    # words beside a row may be a row: it is not replaced by a blank line at the other end
    touches = words[0] and block[0].kind != "blank", words[1] and block[-1].kind != "blank"
    if words[1] and len(block[-1].text) < 9:  # the blank line before words is no row
        block = block[: -1 if block[-1].kind == "blank" else None]
    if words[0] and len(block[0].text) < 9:
        block = block[1 if block[0].kind == "blank" else 0 :]
    for index, line in enumerate(block):
        if len(line.cells) == 81 and line.kind == "row":
            board = _board(line.cells, [line], "line")
            if board:
                boards.append(board)
                block[index] = _blank(line)
    left = _read_paragraphs(block, boards, touches)
    sizes = [len(line.cells) for part in left for line in part]
    if sum(size > 6 for size in sizes) > 8 and min(sizes) < 4:  # lines of few cells are numbers
        starts = {
            line.start for part in left for line in part if len(line.cells) > 3 and not is_heading(line)
        }
        left = _read_paragraphs(
            [line if line.start in starts else _blank(line) for line in block], boards, touches
        )
    rest += [(part[0].start, part) for part in left]
    return boards


def _blank(line: Line) -> Line:
    return Line("blank", (), line.start, "")


def _read_paragraphs(
    block: Sequence[Line], boards: list[Board], touches: tuple[bool, bool]
) -> list[list[Line]]:
    """Add the boards of a block; return the paragraphs that are none."""
    columns = {line.start for line in block if line.label.startswith(COLUMN)}
    if columns and len(columns) != 9:  # some that check the grid
        block = [_blank(line) if line.start in columns else line for line in block]
    paragraphs = _paragraphs(block)
    inner = [line for line in block if line.kind != "border"]
    places = {line.start: place for place, line in enumerate(inner)}
    rows = [line for part in paragraphs for line in part]
    if len(paragraphs) > 1 and len(rows) in {9, 27, 81}:  # one board, wherever its blank lines are
        whole = _drawn_marks(rows) if len(rows) == 27 else _boards_of(rows)
        is_drawn = bool(whole) and whole[0].layout in {"sheet", "columns"}
        if whole and not (is_drawn and len({*map(len, paragraphs)}) > 1 and _may_be_rows(rows, inner)):
            boards += whole
            return []
    left: list[list[Line]] = []
    index = 0
    sizes = [sum(len(line.cells) for line in part) for part in paragraphs]
    while index < len(paragraphs):
        if sum(sizes[index : index + 9]) < FEWEST_CLUES and "|" not in paragraphs[index][0].text:
            left.append(paragraphs[index])
            index += 1
            continue
        is_rest = index > 0 and left[-1:] == [paragraphs[index - 1]]  # of a board with blank rows, or rows
        count = _read_some(paragraphs, index, boards, is_rest=is_rest)
        if not count and not is_rest:
            place = places[paragraphs[index][0].start]
            count = _read_blank_rows(inner, place, paragraphs, index, boards, touches)
        if not count:
            left.append(paragraphs[index])
        index += count or 1
    return left


def _paragraphs(block: Sequence[Line]) -> list[list[Line]]:
    """Return the lines between blank ones, without borders."""
    paragraphs: list[list[Line]] = [[]]
    has_rule = sum("-" in line.cells for line in block) == 1  # else these are empty cells
    for line in block:
        if line.kind == "blank":
            if paragraphs[-1]:
                paragraphs.append([])
        elif len(paragraphs[-1]) < 2 and (
            line.text.startswith(("|-", "|:"))
            if line.kind == "border"
            else has_rule and {*line.cells} == {"-"} and line.text[0] == "|"  # `| - |` of Markdown
        ):
            paragraphs[-1] = [part for part in paragraphs[-1] if not _is_table_heading(part)]
        elif line.kind != "border":
            paragraphs[-1].append(line)
    return [*filter(None, paragraphs)]


def _is_table_heading(line: Line) -> bool:
    """Return whether a line is the heading of a table, which may be empty."""
    return line.kind == "rule" or is_heading(line)


def _may_be_rows(rows: Sequence[Line], lines: Sequence[Line]) -> bool:
    """Return whether blank lines may be rows, too: as long as the rows, or cut off as these are."""
    texts = [line.text.rstrip("\r\n") for line in rows]
    counts = {sum(map(text.count, ",;\t")) for text in texts}
    sizes = {*map(len, texts)}
    if len(counts) == 1 and max(counts) > 7:
        return False
    places = [place for place, line in enumerate(lines) if line.kind != "blank"]
    blanks = [line for line in lines[places[0] : places[-1]] if line.kind == "blank"]
    return len(sizes) > 1 or any(len(line.text.rstrip("\r\n")) >= max(sizes) for line in blanks)


def _read_some(paragraphs: Sequence[list[Line]], index: int, boards: list[Board], *, is_rest: bool) -> int:
    """Add the boards of one paragraph, three bands, or nine rows; return how many paragraphs these are."""
    size = len(paragraphs[index])
    for count in (1, 3, 9):
        if count > 1 and size not in {9 // count, 27 // count}:
            continue
        parts = paragraphs[index : index + count]
        if len(parts) == count and all(len(part) == size for part in parts):
            if count > 1 and _has_further_rows(paragraphs, index, count, is_rest=is_rest):
                continue
            more = _boards_of([line for part in parts for line in part])
            if more:
                boards += more
                return count
    return 0


def _has_further_rows(paragraphs: Sequence[list[Line]], index: int, count: int, *, is_rest: bool) -> bool:
    """Return whether rows like these stand beside them, too few for a board of their own."""

    def is_like(part: list[Line]) -> bool:
        return len(part) == len(paragraphs[index]) and all(
            len(line.cells) == 9 and (line.kind == "row" or {*line.cells} == {" "}) and not is_heading(line)
            for line in part
        )

    behind = paragraphs[index + count : index + 2 * count]
    are_some = any(map(is_like, behind[:1]))
    is_one_too_many = are_some and not (len(behind) == count and all(map(is_like, behind)))
    return is_one_too_many or (is_rest and is_like(paragraphs[index - 1]))


def _read_blank_rows(  # noqa: PLR0917
    inner: Sequence[Line],
    begin: int,
    paragraphs: Sequence[list[Line]],
    index: int,
    boards: list[Board],
    touches: tuple[bool, bool],
) -> int:
    """Add the board of nine lines of which some are blank; return how many paragraphs it has."""
    if len(inner) < 9:
        return 0
    first = last = begin
    while first and begin - first < 9 and inner[first - 1].kind == "blank" and len(inner[first - 1].text) > 9:
        first -= 1  # a row of blanks
    while (
        last < len(inner) and last - begin < 11 and (inner[last].kind != "blank" or len(inner[last].text) > 9)
    ):
        last += 1
    windows = [(first, last), (begin, begin + 9), *([(0, len(inner))] if index == 0 else [])]
    for start, stop in windows:
        window = inner[start:stop]
        if len(window) == 11 and window[3].kind == window[7].kind == "blank":  # empty rows between boxes
            window = [line for place, line in enumerate(window) if place not in {3, 7}]
        size = sum(line.kind != "blank" for line in inner[stop : stop + 9])
        is_end = stop >= len(inner) or inner[stop].kind == "blank"
        if len(window) != 9 or not is_end or 0 < size < 7:
            continue
        if not (touches[0] and window[8].kind == "blank") and not (touches[1] and window[0].kind == "blank"):
            more = blank_boards(window)
            if more:
                boards += more
                end = max(line.start for line in window if line.text.strip())
                return sum(part[0].start <= end for part in paragraphs[index : index + 9])
    return 0


def _boards_of(lines: list[Line]) -> list[Board]:
    """Return the boards of lines that are rows, in the first layout that has some."""
    size = sum(len(line.cells) for line in lines)
    if (size < FEWEST_CLUES and "|" not in lines[0].text) or (len(lines) < 9 and size != 81):
        return []  # fewer than nine lines are a board that was wrapped
    if len(lines) == 9 and size != 81 and all(line.text.strip().isdecimal() for line in lines):
        return []  # digits without a blank
    if len(lines) == 18:
        halves = lines[:9], lines[9:]
        if len([half for half in halves if all(line.kind == "row" for line in half)]) == 1:
            first, second = map(_boards_of, halves)  # one of them drawn with blanks
            if first and second:
                return first + second
    for choice in _choices(lines):
        for layout in (_drawn_marks, _rows, _wrapped, blank_boards):
            boards = layout(choice)
            if boards and len(choice) > len(lines):
                return [board._replace(layout="side by side") for board in boards]
            if boards:
                return boards
    return []


def _choices(lines: list[Line]) -> Iterator[list[Line]]:
    """Yield lines as they are, without an empty last field, without a heading, and without labels."""
    ends = is_heading(lines[0]), is_heading(lines[-1])
    has_heading = (len(lines) % 9 == 1 and any(ends)) or (len(lines) % 9 == 2 and all(ends))
    if not has_heading:
        yield lines
    if len(lines) == 11 and _is_table_heading(lines[0]) and {*lines[1].cells} == {"-"}:  # `|-|` of Markdown
        yield from _choices(lines[2:])
    if len(lines) == 10 and _is_edge(lines[0], lines[1:]):
        yield from _choices(lines[1:])
    sizes = {len(line.cells) for line in lines if line.kind == "some"}
    are_some = len(lines) == sum(line.kind == "some" for line in lines)
    if len(lines) == 9 and are_some and sizes == {18}:
        parts = [(line, line.cells[k : k + 9]) for k in (0, 9) for line in lines]
        yield [line._replace(kind="row", cells=part, text=" ".join(part)) for line, part in parts]
    if len(lines) % 9 == 0 and lines[0].kind == "near" and (bare := _without_margin(lines)):
        yield bare
    has_end = are_some and sizes == {10} and all(line.cells[9] == " " for line in lines)
    if has_end and not _are_labels([line.cells[0] for line in lines]):
        yield [line._replace(kind="row", cells=line.cells[:9]) for line in lines]
    rows = lines
    if has_heading:
        rows = lines[ends[0] :]
        rows = rows[: -1 if len(rows) % 9 else None]
        yield rows
    for pattern in (LABEL, END_LABEL) if rows and len(rows) % 9 == 0 and not is_heading(rows[0]) else ():
        bare = without_labels(rows, pattern)
        if bare:
            rows = bare
            yield rows


def _is_edge(line: Line, lines: list[Line]) -> bool:
    """Return whether a line of equal signs is the upper edge of lines with bars."""
    is_rule = (line.kind == "rule" or {*line.cells} == {"_"}) and "|" not in line.text
    return is_rule and all("|" in other.text for other in lines)


def _without_margin(lines: list[Line]) -> list[Line]:
    """Return lines without a sign that stands at the same end of each; nothing if there is none."""
    if any(line.kind != "near" or len(line.cells) != 10 for line in lines):
        return []
    for place, part in ((0, slice(1, 10)), (9, slice(9))):
        if len({line.cells[place] for line in lines} - SYMBOLS) == 1 and all(
            line.cells[place] not in SYMBOLS and SYMBOLS.issuperset(line.cells[part]) for line in lines
        ):
            return [line._replace(kind="row", cells=line.cells[part]) for line in lines]
    return []


def _are_labels(signs: Sequence[str]) -> bool:
    """Return whether nine signs are the labels of rows, perhaps with a wrong one."""
    return any(sum(map(str.__eq__, signs, labels)) > 6 for labels in _LABELS)


def without_labels(lines: Sequence[Line], pattern: re.Pattern[str]) -> list[Line]:
    """Return lines without their labels; nothing if they have none, or labels that are no sequence."""
    labels: list[re.Match[str]] = []
    for line in lines:
        label = pattern.search(line.text)
        if label is None:
            return []
        labels.append(label)
    names = [label[1].upper() for label in labels]
    is_margin = len({*names}) == 1 and names[0].isalpha()
    parts = [names[k : k + 9] for k in range(0, len(names), 9)]
    if not (is_margin or all(map(_is_sequence, parts))):
        return []
    if pattern is END_LABEL:
        return [
            line_of(line.text[: label.start() + 1], line.start)
            for line, label in zip(lines, labels, strict=True)
        ]
    return [_without_label(line, label) for line, label in zip(lines, labels, strict=True)]


def _is_sequence(names: Sequence[str]) -> bool:
    """Return whether nine labels are the letters, the Roman numbers, or consecutive numbers."""
    if all(map(str.isdigit, names)):
        numbers = [*map(int, names)]
        step = numbers[1] - numbers[0]
        return numbers == [numbers[0] + step * k for k in range(9)] and (step == 1 or step % 10 == 0 < step)
    return "".join(names) in _LABELS or [*names] == _ROMAN


def _without_label(line: Line, label: re.Match[str]) -> Line:
    is_framed = line.text[0] == "|" or line.text.rstrip().endswith("|")
    end = label.end() - (is_framed and line.text[label.end() - 1] == "|")
    return line_of(line.text[end:], line.start + end)


def is_heading(line: Line) -> bool:
    """Return whether a line has the numbers or letters of the columns."""
    return not line.label and "".join(line.cells).strip().upper() in _LABELS


def _rows(lines: list[Line]) -> list[Board]:
    """Return the boards of nine rows each, of nine cells or of nine groups of candidates."""
    rows = [line for line in lines if line.kind == "row"]
    rules = [line for line in lines if line.kind == "rule"]
    near = [line for line in lines if line.kind in {"some", "near"} and 6 < len(line.cells) < 12]
    if len(rows) == 9 < len(lines) and _has_empty_row(lines, rows):
        return []
    if len(rules) == len(lines) == 9 and all(line.text.count("|") > 9 for line in rules):
        rows = lines  # a frame without clues
    elif len(rows) != 9 or near:  # else other lines are no rows
        if len(rows) + len(rules) != len(lines):
            return []
        if len(rows) % 9:
            empties = {sign for line in rows for sign in line.cells} - DIGITS
            signs = {sign for line in rules for sign in line.cells}
            rows = lines if signs >= empties or (len(lines) == 9 and signs <= empties) else rows
    if not rows or len(rows) % 9 or any(len(line.cells) != 9 for line in rows):
        return []
    boards = []
    for index in range(0, len(rows), 9):
        part = rows[index : index + 9]
        names = [line.label for line in part]
        cells = [cell for line in part for cell in line.cells]
        if any(name.startswith(COLUMN) for name in names):
            if names != [f"{COLUMN}{number}" for number in _LABELS[0]]:
                return []
            board = _board([cells[place % 9 * 9 + place // 9] for place in range(81)], part, "by columns")
        else:
            if sorted(names) == [*_LABELS[0]]:
                cells = [cell for name in _LABELS[0] for cell in part[names.index(name)].cells]
            board = _board(cells, part, "rows")
        if board is None or _differ(part):
            return []
        boards.append(board)
    return boards


def _has_empty_row(lines: Sequence[Line], rows: Sequence[Line]) -> bool:
    """Return whether a line beside nine rows may be a tenth, without a digit: it is no rule between bands.

    At the ends of a sheet, and above and below each row of a table, blank fields are none.
    """
    signs = {sign for line in rows for sign in line.cells} - DIGITS | {" "}
    places = [
        place
        for place, line in enumerate(lines)
        if line.kind != "row"
        and len(line.cells) == 9
        and signs.issuperset(line.cells)
        and line.text.count("|") == rows[0].text.count("|")
    ]
    ends = [0, len(lines) - 1]
    empty = [place for place in places if place not in ends or not _SHEET.search(lines[place].text)]
    numbers = [place for place, line in enumerate(lines) if line.kind == "row"]
    step = numbers[1] - numbers[0]
    is_regular = step > 1 and numbers == [*range(numbers[0], numbers[0] + 9 * step, step)]
    return bool(empty) and places not in ([3, 7], [0, 4, 8, 12], ends) and not is_regular


def _differ(lines: Sequence[Line]) -> bool:
    """Return whether lines are not drawn alike, so that a sign of one may be a cell in another."""
    signs = {sign for line in lines for sign in line.cells}
    texts = [line.text.strip() for line in lines]
    edges = "".join(text[-1:] + text.lstrip(_OPENING)[:1] for text in texts)
    if _LETTER.search(edges):
        names = (
            {_END_LETTER.search(text) is None for text in texts},
            {_FIELD_LETTER.match(text) is None for text in texts},
        )
        if any(len(kinds) > 1 for kinds in names):
            return True  # what is a label in one line is a wrong cell in another
    if " " in signs and any(sign in edges for sign in ",;]"):
        cut = [text for line, text in zip(lines, texts, strict=True) if " " in line.cells]
        blanks = sum(line.cells.count(" ") for line in lines)
        if len(cut) == blanks == 1 and cut[0].rstrip(_CLOSING)[-1:] in {",", ";"}:
            return True  # a separator behind eight cells
    if not signs.isdisjoint(" *_") and len({text.count("|") for text in texts}) > 1:
        return True  # what is one field in a line may be more in another
    if "." in signs and any(
        text[-1:] == "." != line.cells[-1] for text, line in zip(texts, lines, strict=True)
    ):
        return True  # the end of a sentence, or a cell
    items = [text for text in texts if text[:2] in {"- ", "* ", ". "}]
    sizes = {len(text.translate(SEPARATE)) for text in items} & {9, 10}
    return len(sizes) > 1 if len(items) == len(texts) else 10 in sizes


def _has_heading_as_row(cells: str) -> bool:
    """Return whether the first row is a heading: its digits are in the columns or the boxes again."""
    if not cells.startswith(_LABELS[0]):
        return False
    count = sum(cells[place] == cells[peer] for peer in range(9) for place in PEERS[peer])
    return count > (_WRONG_MAX if "." not in cells else 0)


def _drawn_marks(lines: list[Line]) -> list[Board]:
    """Return the position in 27 lines, three for each row, with three candidates of each cell, or in 81."""
    groups: list[str] = [""] * 81
    if len(lines) == 81 and any(len(line.cells) > 1 for line in lines):
        groups = ["".join(line.cells) for line in lines]
        board = _board(groups, lines, "candidates") if all(groups) and all(map(is_set, groups)) else None
        return [board] if board else []
    if len(lines) != 27:
        return []
    for index, line in enumerate(lines):
        cells = line.cells
        if len(cells) == 27:
            cells = tuple("".join(cells[k : k + 3]) for k in range(0, 27, 3))
        if len(cells) != 9:
            return []
        place = index // 3 * 9
        for column, cell in enumerate(cells):
            digits = "".join(sign for sign in cell if sign in DIGITS)
            if not {*cell} <= SYMBOLS | {" "}:
                return []
            groups[place + column] += digits
            # a digit stands in its own line, but for a cell that has one
            if digits.strip("123456789"[index % 3 * 3 :][:3]) and len(groups[place + column]) > 1:
                return []
    return [board] if all(groups) and (board := _board(groups, lines, "candidates")) else []


def _wrapped(lines: list[Line]) -> list[Board]:
    """Return the board of 81 cells in lines of equal length: a cell in each, or a long line that was cut."""
    cells = [cell for line in lines for cell in line.cells]
    sizes = {len(line.cells) for line in lines[:-1]}
    if (
        len(cells) != 81
        or sizes & _ROW_SIZES
        or not SYMBOLS.issuperset(cells)
        or len(sizes) != 1
        or any(line.kind == "near" or line.label.startswith(COLUMN) for line in lines)
        or _are_candidates(lines)
    ):
        return []
    board = _board(cells, lines, "wrapped")
    return [board] if board else []


def _are_candidates(lines: Sequence[Line]) -> bool:
    """Return whether three lines are a row of cells with three candidates of each in a line."""
    digits = [
        int(sign) == 3 * index + place % 3 + 1
        for index, line in enumerate(lines)
        for place, sign in enumerate(line.cells)
        if sign in DIGITS
    ]
    return len(lines) == 3 and len(digits) > 8 and all(digits)


def blank_boards(lines: Sequence[Line]) -> list[Board]:
    """Return the board with blanks for empty cells: by its separators, its frame, or its columns."""
    if len(lines) != 9 or not _DRAWN.fullmatch(lines[0].text.rstrip("\r\n")):  # most lines have labels
        return []
    texts = [line.text.rstrip("\r\n") for line in lines]
    if not _DRAWN.fullmatch("".join(texts)) or _has_odd_row(texts):
        return []
    if texts[0].startswith("\t") and all(text.rfind("\t") == 0 for text in texts if text):
        texts = [text[1:] for text in texts]  # a margin
    for layout, read_texts in (("sheet", _in_sheet), ("frame", _in_frame), ("columns", _in_columns)):
        boards = read_texts(texts)
        if len(texts[8]) < max(map(len, texts)) and all(" " not in board.strip() for board in boards):
            continue  # the last row is cut
        if boards:
            first, *others = sorted(board.translate(_EMPTIES) for board in boards)
            doubt = f"the text may be any of {len(boards)} different puzzles" if others else ""
            if not doubt and layout != "sheet":
                doubt = _doubt_about(first, texts)
            drawn = [line for line in lines if line.text.strip()]
            return [Board(first, None, *_place_of(drawn), layout, doubt)]
    return []


def _solutions(cells: str, limit: int = 2) -> int:
    """Return how many solutions a board has, up to a limit."""
    return search(cells.encode().translate(CELL_CODES), limit, _SEARCH_MAX)[1]


def _doubt_about(cells: str, texts: Sequence[str]) -> str:
    """Return why a board drawn with blanks may be another one: signs of its rows may be lost, or added.

    In lines of one length that would be seen. Where digits are nowhere two blanks apart, blanks may have been
    made one; else one sign more or less in a row gives a proper puzzle, unless each second sign is a blank. A
    board with one solution is read as it stands, with a row without a clue one with few; one that has
    none is not read where a single line is the longest.
    """
    are_one = not any("  " in text.strip() for text in texts)
    if len({*map(len, texts)}) == 1 or not (are_one or any(text[1::2].strip() for text in texts)):
        return ""
    has_blank_row = "" in texts
    count = _solutions(cells, _FEW)
    if count == 1 or (has_blank_row and 0 < count < _FEW):
        return ""
    if are_one:
        return _MADE_ONE
    sizes = [*map(len, texts)]
    has_longest = sizes.count(max(sizes)) == 1  # perhaps by a sign too many
    is_shifted = (not count and (has_blank_row or has_longest)) or any(
        _solutions(board) == 1 for board in _boards_one_sign_away(cells)
    )
    return _SHIFTED if is_shifted else ""


def _boards_one_sign_away(cells: str) -> Iterator[str]:
    """Yield boards in which a row has one sign more or less, so that digits behind it move."""
    for begin in range(0, 81, 9):
        row = cells[begin : begin + 9].rstrip(".")
        before, after = cells[:begin], cells[begin + 9 :]
        for place in range(len(row)):
            if place < len(row) - 1:
                yield f"{before}{(row[:place] + row[place + 1 :]).ljust(9, '.')}{after}"
            for sign in ".123456789" if len(row) < 9 else "":
                yield f"{before}{(row[:place] + sign + row[place:]).ljust(9, '.')}{after}"


def _has_odd_row(texts: Sequence[str]) -> bool:
    """Return whether one row is not as long as the others, though blanks at their ends are not cut off.

    Without a blank at an end, it has one sign less or more, but the last row may be cut.
    """
    sizes = [len(text) for text in texts if text]
    size = max(sizes, key=sizes.count)
    odd = [text for text in texts if len(text) not in {0, size}]
    if len(odd) != 1:
        return False
    if any(text.endswith(" ") for text in texts):
        return True
    return odd[0] is not texts[8] and abs(len(odd[0]) - size) == 1


def _in_sheet(texts: Sequence[str]) -> set[str]:
    """Return the board of nine lines of fields, of which the last empty ones may be cut off."""
    signs = "".join(texts)
    for separator in "\t;,":
        if signs.count(separator) < 18:
            continue
        table = [[field.strip(" \"'") or " " for field in text.split(separator)] for text in texts]
        widths = {*map(len, table)}
        is_cut = all(len(row) == 1 or row[-1] != " " for row in table)
        is_full = not any(" " in row for row in table)  # without empty fields none are cut off
        if (len(widths) > 1 and (is_full or not is_cut)) or not all(
            field in DIGITS or field == " " for row in table for field in row
        ):
            continue
        width = max(9, *widths)
        rows = ["".join(row).ljust(width) for row in table]
        if _are_labels([row[0] for row in rows]):
            continue
        places = [place for place in range(width) if any(row[place] != " " for row in rows)]
        if not places or rows == [*map(str.rstrip, _LABELS)]:
            continue
        boards = set()
        # outer columns without a clue may be no part of the board
        for begin in range(max(0, places[-1] - 8), min(places[0], width - 9) + 1):
            boards.add("".join(row[begin : begin + 9] for row in rows))
        if width == 11 and not {3, 7} & {*places}:
            boards.add("".join(row[:3] + row[4:7] + row[8:] for row in rows))  # an empty column between boxes
        boards = {*filter(_may_be_puzzle, boards)}
        if boards:
            return boards
    return set()


def _in_frame(texts: Sequence[str]) -> set[str]:
    """Return the board in a frame: bars at the same places of each line show the boxes."""
    shape, *others = {text.translate(_BARS_ONLY).rstrip() for text in texts}
    full = [place for place, sign in enumerate(shape) if sign == "|"]
    if others or not 2 <= len(full) <= 4 or not _BARS_AND_BLANKS.issuperset(shape):
        return set()
    width = full[1] - full[0]
    if len(full) == 2 and not any((text[: full[0]] + text[full[1] + 1 :]).strip() for text in texts):
        margin, step = _STEPS.get(width - 1, (0, width))  # of the cells within an outer frame
        columns = [full[0] + 1 + column for column in range(margin, width - 1, step)]
        return _whole(texts, columns) if len(columns) == 9 else set()
    if any(after - before != width for before, after in pairwise(full)):
        return set()
    is_open = len(full) == 2 or (len(full) == 3 and any(text[: full[0]].strip() for text in texts))
    middle = full[0 if is_open else 1] + 1
    spacings = [(width - 2 - 2 * step, step) for step in range(1, width // 2)]
    choices = [(margin // 2, step) for margin, step in spacings if margin >= 0 and margin % 2 == 0]
    for margin, step in sorted(choices, key=lambda choice: (choice[0] != choice[1] - 1, -choice[1])):
        columns = [middle + width * box + margin + step * k for box in (-1, 0, 1) for k in range(3)]
        if columns[0] >= 0 and (board := _whole(texts, columns)):
            return board
    return set()


def _whole(texts: Sequence[str], columns: Sequence[int]) -> set[str]:
    """Return the board in these columns, if all digits between the bars are in it."""
    board = _cut_columns(texts, columns)
    digits = "".join(texts).translate(_NO_FRAME)
    return {board} if board.replace(" ", "") == digits else set()


def _places(texts: Sequence[str]) -> list[int]:
    """Return the columns in which a line has a sign."""
    width = max(map(len, texts))
    signs = map(max, *(text.ljust(width) for text in texts))  # a blank is less than a sign
    return [place for place, sign in enumerate(signs) if sign != " "]


def _cut_columns(texts: Iterable[str], columns: Sequence[int]) -> str:
    """Return the signs of these columns, a blank where a line is shorter."""
    width = columns[-1] + 1
    signs_in = itemgetter(*columns)
    return "".join("".join(signs_in(text.ljust(width))) for text in texts)


def _in_columns(texts: Sequence[str]) -> set[str]:
    """Return the boards whose columns, and perhaps boxes, are at equal distances."""
    if not _DIGITS_AND_BLANKS.fullmatch("".join(texts)):
        return set()
    rows = [text.rstrip() for text in texts]
    first = [row[0] for row in rows if row]
    if not any("  " in row.strip() or row.startswith(" ") for row in rows):
        return set()  # the blanks of empty cells were lost, or there are none
    if " " not in first and len({*first}) < len(first):
        return set()  # blanks at the beginnings were lost: the first column has equal digits
    places = _places(rows)
    width = places[-1] + 1 if places else 0
    boards = set[str]()
    if width <= 9 or (width <= 17 and not any(place % 2 for place in places)):
        boards.add("".join(row[:: 1 if width <= 9 else 2].ljust(9) for row in rows))
    elif 6 <= len(places) <= 9:
        for step, column in product(range(1, 7), (0, 1)):  # the first column may have no clue
            begin = places[0] - column * step
            span = places[-1] - begin  # to the sixth column or a later one
            gaps = range(max(0, (span - 8 * step + 1) // 2), min(6, span - 5 * step) + 1)
            for gap in gaps if begin >= 0 else ():
                columns = [begin + step * k + gap * (k // 3) for k in range(9)]
                if {*columns}.issuperset(places):
                    boards.add(_cut_columns(rows, columns))
    return {*filter(_may_be_puzzle, boards)}


def _may_be_puzzle(board: str) -> bool:
    """Return whether a board may have one solution: not with too few clues, or two empty lines of a band."""
    rows = [board[begin : begin + 9].isspace() for begin in range(0, 81, 9)]
    columns = [board[begin::9].isspace() for begin in range(9)]
    empty = (sum(lines[begin : begin + 3]) for lines in (rows, columns) for begin in (0, 3, 6))
    return 81 - board.count(" ") >= FEWEST_CLUES and max(empty) < 2


def _board(
    cells: Sequence[str], lines: Sequence[Line], layout: str, place: tuple[int, int] | None = None
) -> Board | None:
    """Return a board of cells or groups of candidates; None if empty cells are written in two ways."""
    signs = {*cells}
    words = {sign for sign in signs if len(sign) > 1 and sign[:1].isalpha()}
    if len(words) > 1 or (words and signs & {*EMPTY_SYMBOLS, MINUS, " "}):
        return None
    if words:
        cells = ["." if cell in words else cell for cell in cells]
    if MINUS in signs and signs & {"0", "-"}:
        return None  # cells 0 to 8, and -1; or a cut row
    if " " in signs and signs & {*EMPTY_SYMBOLS, MINUS}:
        return None  # with another sign for an empty cell, a blank is a cell that is missing
    start, end = place or _place_of(lines)
    several = sum(len(cell) > 1 for cell in cells) if any(len(sign) > 1 for sign in signs) else 0
    if several:
        if several < min(10, sum(cell not in DIGITS and len(cell) == 1 for cell in cells)):
            return None  # a number too large
        marks = tuple(map(mask_of, cells))
        return Board(clues_of(marks), marks, start, end, "candidates")
    text = "".join(cells).translate(_EMPTIES)
    return None if layout != "line" and _has_heading_as_row(text) else Board(text, None, start, end, layout)


def _place_of(lines: Sequence[Line]) -> tuple[int, int]:
    """Return where lines begin and end."""
    last = max(lines, key=lambda line: line.start)
    return min(line.start for line in lines), last.start + len(last.text.rstrip())


def mask_of(group: str) -> int:
    """Return the candidates in a group of digits; an empty cell may have any."""
    return sum(1 << int(digit) - 1 for digit in {*group} & DIGITS) or _ANY


def clues_of(marks: Sequence[int]) -> str:
    """Return the clues in candidates: single ones that no peer has among several (HoDoKu's rule)."""
    several = [mask if mask & mask - 1 and mask != _ANY else 0 for mask in marks]
    return "".join(
        str(mask.bit_length())
        if not mask & mask - 1 and not any(several[peer] & mask for peer in PEERS[cell])
        else "."
        for cell, mask in enumerate(marks)
    )
