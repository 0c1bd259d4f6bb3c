"""Boards in texts, on one idea: a board is nine lines of one shape.

Reads whatever has nine rows of nine cells, whoever wrote it: files of puzzles, source code, tables, forums,
answers of models. Each line has readings (`unidoku.parse.shapes`). Nine lines that follow each other in one
shape are a board, if their labels ascend and their empty cells have one sign. So no language, prefix or
separator needs a rule: ``[#:#] tom:`` and ``[`` are shapes. A line of cells of another shape directly beside
nine rows is a fault and names its row; a part that is refused blocks its lines for every other shape. A line
of 81 cells is nine rows of one shape, too, with one joint.

The order of value: never wrong, then refused with a sentence, then read.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, groupby
from typing import NamedTuple

from unidoku.cell import wrong_size
from unidoku.errors import Message
from unidoku.parse.blanks import drawings
from unidoku.parse.board import Board, Fault, Find, board_of
from unidoku.parse.dialects import marks_in, named_cells, positions, with_blanks, wrapped_lines
from unidoku.parse.faults import LEAST, behind_code, has_run, of_lines, other_form
from unidoku.parse.lines import READ, SEGMENT, SIGNS, Line, count_of, is_heading, line_of
from unidoku.parse.order import without_other_orders
from unidoku.parse.plain import DIGITS, MARKED, MINUS, SKIP, plain
from unidoku.parse.rows import boards_of_rows
from unidoku.parse.shapes import are_even, cell_of, cells_of

_SIGN = f"0-9.*_xX?{MINUS}{MARKED}{SKIP}-"
_RUN = re.compile(rf"[{_SIGN}]{{60,900}}")
_SIGNS = f"{SIGNS}\t;,|/:&\\ "
_EMPTY = frozenset({"." * 81, "0" * 81})  # of other signs it is a rule across a page
_LEAST_PART = 10  # cells in a list that may be the puzzle of a full grid
_LEAST_SIGNS = 89  # of 81 cells on a line, and of what is between them
_STOPS = ".?"
_FLOAT = re.compile(r"(?<![\d.])[1-9]\.0(?![\d.])")
_NINE = "0123456789."
_NUMERALS = frozenset("0123456789")
_BESIDE = " ,;|/"  # up to three of these are between 81 cells and a number that may be another
_GUTTER = re.compile(r"\s{3,}|\t|\s*(?:\|\||->|=>)\s*|\s\|\s")
_PARTS = frozenset({9, 10, 80, 81, 82})  # lines that are rows, or a cell each, however few cells they have
_BAND = 3
_EMPTY_ROW = re.compile(r"[|\s]*(?:\.[|,;\s]*){9}")  # of dots, like a rule


Pass = Callable[[Sequence[Line], set[int]], Iterator[Find]]
"""What reads some of the lines, of which those with the numbers of the set are used."""


class Reading(NamedTuple):
    """The boards of a text by their places, the parts that are like boards, and the plain text."""

    boards: list[Board]
    faults: list[Fault]
    source: str


def read(text: str) -> Reading:
    """Return the boards of a text, and what is wrong with its other parts."""
    rest = plain(text)
    faults: list[Fault] = []
    boards = [*named_cells(rest)]
    if has_run(rest):
        boards += [*positions(rest), *marks_in(rest)]
        rest = without_boards(rest, boards)
        boards += _runs(rest, faults)
    rest = without_boards(rest, boards)
    lines, start = list[Line](), 0
    equal = dict[str, Line]()  # rules are there several times
    skips = dict[int, list[int]]()  # of lines with boards, where their signs are
    for part in rest.split("\n"):
        line = equal.get(part)
        if line is None:
            line = equal[part] = line_of(start, part.replace(SKIP, ""))
        else:
            line = Line(start, *line[1:])
        lines.append(line)
        start += len(part) + 1
    passes = _long_lines, _side_by_side, boards_of_rows, wrapped_lines, drawings, _rest
    has_floats = ".0" in text
    for found in _finds(passes, lines, set()):
        one = found
        if isinstance(one, Board) and SKIP in rest:
            one = _with_skips(one, rest, skips) if one.layout == "line" else _with_last_line(one, rest)
        one = _odd_float(text, one) if has_floats and isinstance(one, Board) else one
        boards.append(one) if isinstance(one, Board) else faults.append(one)
    boards.sort(key=lambda board: (board.start, board.end))
    ordered = [*without_other_orders(text, rest, boards)]
    faults += (one for one in ordered if isinstance(one, Fault))
    boards = [one for one in ordered if isinstance(one, Board)]
    parts = [board for board in boards if board.layout == "wrapped"]  # whose long lines are no faults
    starts = [part.start for part in parts]
    faults = [
        fault
        for fault in faults
        if not (place := bisect_right(starts, fault.start)) or fault.start >= parts[place - 1].end
    ]
    return Reading(boards, faults, rest)


def _finds(passes: Sequence[Pass], lines: Sequence[Line], used: set[int]) -> Iterator[Board | Fault]:
    """Yield what the passes find, each in the lines that those before it left."""
    for read_lines in passes:
        for found, numbers in read_lines(lines, used):
            used.update(numbers)
            yield found


def _with_skips(board: Board, source: str, skips: dict[int, list[int]]) -> Board:
    """Return a board of a line with its place in the text, which has signs for what was taken out."""
    begin = source.rfind("\n", 0, board.start) + 1
    if begin not in skips:
        end = source.find("\n", begin)
        line = source[begin : end if end >= 0 else len(source)]
        skips[begin] = [place for place, sign in enumerate(line, begin) if sign != SKIP]
    places = skips[begin]
    return board._replace(start=places[board.start - begin], end=places[board.end - begin - 1] + 1)


def _with_last_line(board: Board, source: str) -> Board:
    """Return a board of lines that ends where its last line does, of which signs may have been taken out."""
    end = source.find("\n", board.end)
    return board._replace(end=end if end >= 0 else len(source))


def without_boards(source: str, boards: Sequence[Board]) -> str:
    """Return a text in which boards that were read are no signs."""
    pieces, end = list[str](), 0
    for board in sorted(boards, key=lambda board: board.start):
        if board.start >= end:
            lines = source[board.start : board.end].split("\n")
            pieces += source[end : board.start], "\n".join(READ * len(line) for line in lines)
            end = board.end
    return "".join((*pieces, source[end:]))


# --- 81 cells on a line ---


def _runs(source: str, faults: list[Fault]) -> Iterator[Board]:
    """Yield the runs of 81 cells, and of nine rows joined by a sign."""
    for match in _RUN.finditer(source):
        if _is_part(source[match.start() - 1 : match.start()]) or _is_part(
            source[match.end() : match.end() + 1]
        ):
            continue
        run, start = match[0].replace(SKIP, ""), match.start()
        if len(run) == 82 and run[-1] in _STOPS and run[-1] not in run[:-1]:
            run = run[:-1]
        joint = run[9:10]
        if len(run) == 89 and joint not in DIGITS and {*run[9::10]} == {joint} and run.count(joint) == 8:
            run = run.replace(joint, "")
        if DIGITS.isdisjoint(run) and run not in _EMPTY:
            continue
        found = board_of(run, start, match.end(), "line") if len(run) == 81 else None
        if isinstance(found, Board):
            yield found
        else:
            faults.append(found or Fault(wrong_size(len(run)), start, len(run)))


def _is_part(sign: str) -> bool:
    """Return whether a sign that touches cells is a part of them: a letter, or one that nobody sees."""
    return sign.isalnum() or not (sign.isprintable() or sign.isspace())


def _long_lines(lines: Sequence[Line], used: set[int]) -> Iterator[Find]:
    """Yield the boards of lines that have 81 cells."""
    for number, line in enumerate(lines):
        if len(line.text) > 80:
            board = with_blanks(line)
            for found in [board] if board else _in_one_line(line):
                yield found, (number,) if isinstance(found, Board) else ()


def _in_one_line(line: Line) -> list[Board | Fault]:
    """Return the boards of 81 cells on a line, nine rows of one shape with one joint each, and lists."""
    text = line.text.replace("->", ">>").replace("<-", "<<")  # the sign of an arrow is no cell
    if count_of(text, _SIGNS) < _LEAST_SIGNS:
        return []
    for separator in "\t;,":  # fields, of which some may be empty
        if 80 <= text.count(separator) < 90:
            fields = text.strip("[](){} \r\n").split(separator)
            signs = [*filter(None, map(cell_of, fields))]
            if len(fields) == len(signs) == 81:
                return [board_of(signs, line.start, line.start + len(text), "line")]
    if count_of(text) < LEAST:
        return []
    found, parts = list[Board | Fault](), list[Fault]()
    for match in SEGMENT.finditer(text):
        if len(match[0]) < _LEAST_PART:
            continue
        cells, kinds, _ = cells_of(match[0])
        is_stop = len(cells) == 82 and cells[81] == "." and not kinds[80]
        if is_stop and (kinds[0] or "." not in cells[:81]):
            cells, kinds = cells[:81], kinds[:80]
        size = len(cells)
        are_rows = size == 81 and len({*kinds[8::9]}) == 1 and are_even(kinds[:8])
        are_rows = are_rows and all(kinds[row : row + 8] == kinds[:8] for row in range(9, 81, 9))
        before, behind = text[max(0, match.start() - 4) : match.start()], text[match.end() : match.end() + 4]
        if not are_rows or behind[:1].isalnum():
            if size >= LEAST or (size >= _LEAST_PART and all(kinds) and len({*kinds}) == 1):
                parts.append(Fault(wrong_size(size), line.start, size))
        elif not _NUMERALS.isdisjoint((before.rstrip(_BESIDE)[-1:], behind.lstrip(_BESIDE)[:1])):
            parts.append(Fault(wrong_size(size + 1), line.start, size))
        else:
            found.append(board_of(cells, line.start + match.start(), line.start + match.end(), "line"))
    return [*found, *(part for part in parts if found or part.cells >= LEAST)]


# --- the other lines ---


def _odd_float(text: str, board: Board) -> Board | Fault:
    """Return a board, or the fault of a digit of rows without .0 where other digits have it."""
    end = text.find("\n", board.end)
    matches = _FLOAT.finditer(text, board.start, end if end >= 0 else len(text))
    floats = sum(1 for _ in matches) if board.layout == "rows" else 0
    message = Message("floats", "some of its digits end in .0, and others do not")
    is_odd = floats > 1 and floats != 81 - board.cells.count(".")
    return Fault(message, board.start, 81, lines=9) if is_odd else board


def _side_by_side(lines: Sequence[Line], used: set[int]) -> Iterator[Find]:
    """Yield the two boards of nine lines that have 18 cells: a puzzle and its solution on a page."""
    numbers = [number for number, line in enumerate(lines) if line.kind not in {"blank", "rule"}]
    pairs = [(number, _halves(lines[number])) for number in numbers]
    places = range(len(lines))
    for is_pair, group in groupby(pairs, lambda pair: pair[1] is not None):
        block = [*group] if is_pair else []
        beside = (block[0][0] - 1, block[8][0] + 1) if len(block) == 9 else ()
        if beside and not any(lines[place].kind in {"cells", "near"} for place in beside if place in places):
            sides = zip(*(halves for _, halves in block if halves), strict=True)
            found = [board for side in sides for board in _finds((boards_of_rows,), side, set())]
            boards = [board for board in found if isinstance(board, Board)]
            for board in boards if len(boards) == len(found) == 2 else ():
                yield board._replace(layout="side by side"), range(block[0][0], block[8][0] + 1)


def _halves(line: Line) -> tuple[Line, Line] | None:
    """Return the halves of a line that have as many cells, with a gap that is wider than the others."""
    if not 17 < line.size < 23:
        return None
    for gap in _GUTTER.finditer(line.text):
        left = line_of(line.start, line.text[: gap.start()])
        right = line_of(line.start + gap.end(), line.text[gap.end() :])
        sizes = [side.size or count_of(side.text) for side in (left, right)]  # a blank row is like a rule
        if sizes[0] == sizes[1]:
            return left, right
    return None


def _rest(lines: Sequence[Line], used: set[int]) -> Iterator[Find]:
    """Yield what is wrong with lines like rows that follow each other, and were not read."""
    parts: list[list[Line]] = [[]]  # between blank lines
    for number in range(len(lines) + 1):
        line = lines[number] if number < len(lines) else None
        is_cell = line is not None and line.kind == "rule" and len(line.text.strip()) == 1
        if line is not None and line.kind == "rule" and _EMPTY_ROW.fullmatch(line.text):
            line = line._replace(kind="cells", size=9)
        if line is not None and number not in used and (is_cell or line.kind in {"cells", "near"}):
            parts[-1].append(line)
        elif line is not None and line.kind == "blank":
            parts.append([])
        elif line is None or line.kind != "rule":
            is_apart = any(len(part) > _BAND for part in parts)
            for whole in parts if is_apart else [[*chain(*parts)]] if any(parts) else ():
                rows = [line for line in whole if line.size > _BAND or _is_drawn(line)]
                if len(whole) == 1 and is_heading(whole[0].text):
                    continue
                if other := _words_beside(lines, rows) if _BAND + 2 < len(rows) < 9 else None:
                    yield other, ()
                elif rows or len(whole) in _PARTS:
                    yield of_lines(whole if len(whole) in _PARTS else rows), ()
            parts = [[]]


def _words_beside(lines: Sequence[Line], rows: Sequence[Line]) -> Fault | None:
    """Return the fault of a line of words with nine cells above or below too few rows."""
    first = bisect_left(lines, rows[0].start, key=lambda line: line.start)
    above = behind_code(lines[first - 1]) if first and len(rows) == 8 else None
    if above:
        return of_lines([above, *(row._replace(text=row.text.lstrip(" ,")) for row in rows)])
    for place, step, row in ((rows[0], -1, 1), (rows[-1], 1, len(rows) + 1)):
        number = bisect_left(lines, place.start, key=lambda line: line.start) + step
        if 0 <= number < len(lines) and lines[number].kind == "rule":
            number += step
        line = lines[number] if 0 <= number < len(lines) else None
        if line is not None and line.kind == "text" and (line.size or count_of(line.text, _NINE) == 9):
            return other_form(line, row, 9 * len(rows))
    return None


def _is_drawn(line: Line) -> bool:
    """Return whether a line has separators like a row, or a sign that is no cell."""
    counts = {sign: line.text.count(sign) for sign in "|\t;,&"}
    return line.kind == "near" or counts["|"] > 1 or max(counts.values()) > 5
