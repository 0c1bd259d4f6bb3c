"""What a text is read for: one puzzle, the grid of an answer, or all boards; and what is wrong with it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from unidoku.cell import CELL_CODES, EXPECTED, FEWEST_CLUES, SYMBOL_OF, VALUES, WRONG, fault, wrong_size
from unidoku.errors import InvalidPuzzleError, escape
from unidoku.kernel import search
from unidoku.parse.boards import Board, Reading, blank_boards, is_heading, read, without_labels
from unidoku.parse.plain import origin
from unidoku.parse.rows import DIGITS, LABEL, MINUS, SYMBOLS, Line, is_set, line_of
from unidoku.verdict import Verdict

LONGEST_ANSWER = 1 << 18
"""Characters of an answer that are read: the last ones."""

_ALMOST = re.compile(r"(?<![^\s,;|\"'=/<>\[(])[^\s,;|\"'=/<>\[(]{70,92}(?![^\s,;|\"'=/<>\])])")
POSITION = "the text has candidates that its clues do not give; hint and explain read them"
"""Why a text with candidates is no puzzle."""
_FOREIGN = {
    re.compile(r"version https://git-lfs"): "a pointer of Git LFS; git lfs pull brings the file",
    re.compile(r"\s{0,99}<(?i:!doctype|html)\b"): "a web page (HTML) without a board",
    re.compile(r"%PDF-"): "a PDF; copy the board out of it as text",
    re.compile(r"PK\x03\x04|\xd0\xcf\x11\xe0"): "a spreadsheet; save it as CSV",
}
"""Kinds of files that are no puzzles, by their first characters."""
_SIXTEEN = re.compile(r"(?<!\S)\S{256}(?!\S)")
_LEAST = 60  # symbols of a text that is meant as 81 cells
_RECORD_LEAST = 8  # cells of lines of a file that are reported if they are no board
_STRANGE = re.compile(r"""[^\s1-9|;,"']""")
_SIDE_BY_SIDE = "two boards side by side: 9 rows of 18 cells"
_LABELS = "123456789"  # of columns: a first row that may be none
_ITEMS = frozenset({"* ", "- ", "+ "})  # the beginnings of the lines of a list
_LARGEST_SIZE = 36  # rows of a board of another size
_MOST_PARTS = 100  # of equal size that are looked at for a message
_DRAWN_ROWS = 2
_SHOWN = 40  # characters of a line in a message


class Fault(NamedTuple):
    """What is wrong with a part of a text that is like a board."""

    message: str
    start: int
    cells: int = 0
    """How many cells it has."""
    row: int | None = None
    column: int | None = None
    symbol: str | None = None

    def error(self) -> InvalidPuzzleError:
        """Return it as an exception."""
        return InvalidPuzzleError(self.message, row=self.row, column=self.column, found=self.symbol)


def puzzle_in(text: str) -> Board:
    """Return the only board of a text; a puzzle with its solution or its candidates is one."""
    board = _nine_lines(text)
    if board is not None:
        return board
    reading = read(text)
    boards = reading.boards
    if all("." not in board.cells for board in boards):  # or none; a full grid may solve what is wrong
        sizes = [sum(len(line.cells) for line in lines) for _, lines in reading.rest]
        largest = max(sizes, default=0)
        most = [part for part, size in zip(reading.rest, sizes, strict=True) if size == largest]
        worst = max(_faults(text, reading._replace(rest=most[:_MOST_PARTS])), key=_weight)
        if not boards or worst.cells >= FEWEST_CLUES or any(_is_drawn(lines) for _, lines in reading.rest):
            raise worst.error()
    result = _one_of(boards, text)
    if isinstance(result, Fault):
        raise result.error()
    return result


def _is_drawn(lines: Sequence[Line]) -> bool:
    """Return whether lines are rows between bars: perhaps of the puzzle of a full grid, and cut."""
    return sum(line.text.count("|") > 1 for line in lines) > _DRAWN_ROWS


def clues_in(board: Board) -> bytes:
    """Return the clues of a board, 81 values; those of a position must give it.

    They alone must have one solution, and it must be within the marks.
    """
    clues = board.cells.encode().translate(CELL_CODES)
    if board.marks:
        solution = bytearray(81)
        is_proper = search(clues, 2, 0, None, solution)[0] == Verdict.UNIQUE
        if not is_proper or not all(
            mask >> digit - 1 & 1 for mask, digit in zip(board.marks, solution, strict=True)
        ):
            raise InvalidPuzzleError(POSITION)
    return clues


def _one_of(boards: Sequence[Board], text: str) -> Board | Fault:
    """Return the board that all boards of a text are, or how two of them differ."""
    puzzle = max(boards, key=lambda board: board.cells.count("."))
    if puzzle.doubt:
        return Fault(puzzle.doubt, puzzle.start)
    marks = puzzle.marks
    for board in boards:
        if not _is_same(puzzle, board):
            if board.layout == "side by side":
                return Fault(_SIDE_BY_SIDE, board.start)
            first, second = sorted((puzzle, board), key=lambda choice: choice.start)
            lines = [text.count("\n", 0, choice.start) + 1 for choice in (first, second)]
            where = (
                f"in line {lines[0]}"
                if lines[0] == lines[1]
                else f"at line {lines[0]} and at line {lines[1]}"
            )
            return Fault(
                f"the text has two different puzzles, {where}: {first.cells} and {second.cells}", board.start
            )
        marks = marks or board.marks
    return puzzle._replace(marks=marks)


def _is_same(puzzle: Board, board: Board) -> bool:
    """Return whether a board is the puzzle again, its candidates, or a full grid with its clues."""
    if board.marks:
        return all(
            clue == "." or mask >> int(clue) - 1 & 1
            for clue, mask in zip(puzzle.cells, board.marks, strict=True)
        )
    if puzzle.cells == board.cells:
        return True
    return "." not in board.cells and keeps_clues(puzzle.cells, board.cells)


def keeps_clues(clues: str, cells: str) -> bool:
    """Return whether 81 cells have all of the clues."""
    return all(clue in (".", cell) for clue, cell in zip(clues, cells, strict=True))


def answer_in(text: str) -> Board | None:
    """Return the last full grid of an answer, or else its last grid; candidates are none."""
    board = _nine_lines(text)
    if board is not None:
        return board
    boards = [board for board in read(text[-LONGEST_ANSWER:]).boards if not (board.doubt or board.marks)]
    boards = [board for board in boards if board.layout != "side by side" or "." not in board.cells]
    return next(
        (board for board in reversed(boards) if "." not in board.cells), boards[-1] if boards else None
    )


def records_in(text: str) -> list[tuple[int, int, Board | Fault]]:
    """Return the boards of a text, and what is like a board, with their beginnings and ends.

    A full grid on the line of a puzzle that it keeps is its solution, and no record.
    """
    reading = read(text)
    boards, rest = reading.boards, reading.rest
    for board in boards:
        if board.layout == "side by side":
            boards = [other for other in boards if other.start < board.start]
            rest = [(board.start, [])]
            break
    lines = {text.rfind("\n", 0, board.start) for board in boards}
    records: list[tuple[int, int, Board | Fault]] = [(board.start, board.end, board) for board in boards]
    rest = [
        (start, part)
        for start, part in rest
        if len(part) != 1 or _is_long(part[0]) or not (boards or part[0].kind in {"some", "rule"})
    ]
    rest = [
        (origin(lines[0].start, reading.places), lines)
        for _, part in rest
        for lines in ([[line] for line in part] if part and all(map(_is_long, part)) else [part])
    ]
    faults = dict[int, Fault]()  # one for each place
    parts = [*_faults(text, reading._replace(boards=boards, rest=rest))]
    for part in parts:
        if part.cells > _RECORD_LEAST and text.rfind("\n", 0, part.start) not in lines:
            faults[part.start] = max(faults.get(part.start, part), part, key=_weight)
    records += [(start, start, part) for start, part in faults.items()]
    if not records:
        worst = max(parts, key=_weight)
        return [(worst.start, worst.start, worst)] if worst.cells else []
    records.sort(key=lambda record: record[:2])
    return [
        record
        for index, record in enumerate(records)
        if not any(
            _is_solution(record[2], other, text) for _, _, other in records[max(0, index - 1) : index + 2]
        )
    ]


def _is_long(line: Line) -> bool:
    return len(line.cells) >= _LEAST


def is_drawn(text: str, *, has_lines: bool = False) -> bool:
    """Return whether a text has boards or rows of one; beside lines of 81 cells, boards in other layouts."""
    reading = read(text)
    if any(board.layout != "line" or not has_lines for board in reading.boards):
        return True
    sizes = [[len(line.cells) for line in lines] for _, lines in reading.rest]
    if any(sum(size > 4 for size in part) > 2 or _are_rows(part) for part in sizes):
        return True
    if any(pattern.match(text) for pattern in _FOREIGN):
        return True
    return "\n" not in text.strip() and any(
        part.cells >= _LEAST for part in _faults(text, reading._replace(boards=[]))
    )


def _are_rows(sizes: Sequence[int]) -> bool:
    """Return whether lines of these sizes are rows of a board of any size, or with lost blanks."""
    is_square = len(sizes) > 3 and {*sizes} == {len(sizes)}
    return is_square or (len(sizes) in {9, 80, 81, 82} and 0 < max(sizes) <= 9)


def _is_solution(board: Board | Fault, puzzle: Board | Fault, text: str) -> bool:
    """Return whether a board is the solution of another one on its line."""
    if isinstance(board, Fault) or isinstance(puzzle, Fault) or "." in board.cells or "." not in puzzle.cells:
        return False
    start, end = sorted((board.start, puzzle.start))
    return "\n" not in text[start:end] and keeps_clues(puzzle.cells, board.cells)


def _nine_lines(text: str) -> Board | None:
    """Return the board of a text that is 81 symbols, or nine lines of nine; None for any other text."""
    if not text.isascii():
        return None
    if len(text) != 81:
        rows = text.split() if len(text) < 200 else []
        if len(rows) == 81 and text.count("\n") >= 8 and "\t" not in text:
            rows = ["".join(line.split()) for line in text.splitlines()]
        if len(rows) != 9 or {*map(len, rows)} != {9}:
            return None
    else:
        rows = [text]
    cells = "".join(rows).encode().translate(CELL_CODES)
    if WRONG in cells or (len(rows) > 1 and "".join(rows).startswith(_LABELS)):
        return None
    return Board(cells.translate(SYMBOL_OF).decode(), None, 0, len(text), "rows")


# --- what is wrong ---


def _weight(part: Fault) -> tuple[int, bool]:
    """Return how much a fault says: the cells of its part, and whether it names a row."""
    return part.cells, part.row is not None


def _faults(text: str, reading: Reading) -> Iterator[Fault]:
    """Yield what is wrong with the parts of a text beside its boards; at least one."""
    boards, rest, source, places = reading
    for start, lines in rest:
        yield _fault(start, lines)
    if len(text) == 81 and not any(map(str.isspace, text)):
        place = next((place for place, symbol in enumerate(text) if symbol not in SYMBOLS), 0)
        yield _strange(text[place], place // 9 + 1, place % 9 + 1, 0, 81)
    starts = [board.start for board in boards]
    ends = [*accumulate((board.end for board in boards), max)]
    for match in _ALMOST.finditer(source):
        symbols = match[0]
        count = sum(symbol in SYMBOLS for symbol in symbols)
        strange = next((place for place, symbol in enumerate(symbols[:81]) if symbol not in SYMBOLS), None)
        start, end = origin(match.start(), places), origin(match.end(), places)
        before = bisect_left(starts, end)  # boards that begin before its end
        if (before and ends[before - 1] > start) or DIGITS.isdisjoint(symbols):
            continue
        if count >= _LEAST and len(symbols) != 81:
            yield Fault(wrong_size(len(symbols)), start, count)
        elif count >= _LEAST and strange is not None:
            yield _strange(symbols[strange], strange // 9 + 1, strange % 9 + 1, start, count)
    for pattern, name in _FOREIGN.items():
        if not boards and pattern.match(text):
            is_page = "HTML" in name  # its text may be like a board
            yield Fault(f"no puzzle: this is {name}", 0, _LEAST if is_page else len(text))
    if not boards and _SIXTEEN.search(source):
        yield Fault(wrong_size(256), 0, 256)
    digits = sum(map(source.count, "0123456789"))
    yield Fault(wrong_size(digits), 0)


def _fault(start: int, lines: Sequence[Line]) -> Fault:
    """Return what is wrong with lines that are no board."""
    if not lines:
        return Fault(_SIDE_BY_SIDE, start, 162)
    signs = {line.text.lstrip()[:2] for line in lines} if 7 < len(lines) < 11 else set()
    if len(signs) == 1 and signs <= _ITEMS:
        return _fault(start, [line_of(line.text.lstrip()[2:], line.start) for line in lines])
    sizes = [len(line.cells) for line in lines]
    if len(lines) == 9 and 2 * sizes.count(10) > 9 and (bare := without_labels(lines, LABEL)):
        return _fault(start, bare)
    total, rows = sum(sizes), sizes.count(9)
    cells = {cell for line in lines for cell in line.cells}
    symbols = {symbol for cell in cells for symbol in cell}
    if {MINUS, "0"} <= symbols:
        return Fault("-1 for an empty cell beside 0", start, total)
    are_rows = 2 * rows >= len(sizes)
    wrong = {*filter(_wrong_part, cells)}
    for row, line in enumerate(lines, 1) if wrong else ():
        column = next((number for number, cell in enumerate(line.cells, 1) if cell in wrong), None)
        if column is not None and (are_rows or len(line.cells) == 9):
            return _strange(_wrong_part(line.cells[column - 1]), row, column, line.start, total)
    board = lines[1:] if len(lines) == 10 and is_heading(lines[0]) else lines
    if len(board) == 9 and (strange := _strange_beside_blanks(board, total)):
        return strange
    if 9 < len(lines) <= _LARGEST_SIZE and {len(line.text.split()) for line in lines} == {len(lines)}:
        return Fault(wrong_size(len(lines) ** 2), start, total)  # a board of another size, of numbers
    are_rows = are_rows or (len(lines) == 9 and max(sizes) < 12)
    if not (are_rows and len(lines) > 1):
        size = (
            fault("81 cells in a line or in 9 rows", "81 in other groups")
            if total == 81
            else wrong_size(total)
        )
        return Fault(size, start, total)
    has_sign = not symbols.isdisjoint(VALUES.keys() - {*"123456789 "})
    for row, line in enumerate(lines, 1):
        if len(line.cells) != 9:
            shown = escape(line.text.strip()[:_SHOWN])
            return Fault(
                f"row {row} has {len(line.cells)} cells, expected 9: {shown}", line.start, total, row
            )
        if len(lines) < 9 and line.label.isdigit() and int(line.label) != row:
            return Fault(f"row {row} is missing: expected 9 rows of 9 cells", line.start, total, row)
        if has_sign and " " in line.cells:
            column = line.cells.index(" ") + 1
            message = f"r{row}c{column} is blank, but other empty cells are not"
            return Fault(message, line.start, total, row, column, " ")
    large = {cell for cell in cells if len(cell) > 1}
    large = {cell for cell in large if not is_set(cell)} or large
    for row, line in enumerate(lines, 1) if large else ():
        column = next((number for number, cell in enumerate(line.cells, 1) if cell in large), None)
        if column is not None:
            return _strange(line.cells[column - 1], row, column, line.start, total)
    found = f"{len(lines)} rows" if len(lines) != 9 else "rows that are not drawn alike"
    if "".join(lines[0].cells) == _LABELS:
        found = "a heading and 8 rows"
    return Fault(fault("9 rows of 9 cells", found), start, total, len(lines) % 9 or None)


def _strange_beside_blanks(lines: Sequence[Line], total: int) -> Fault | None:
    """Return the fault of a symbol in a board that is drawn with blanks for empty cells."""
    strange = [(line, match) for line in lines for match in _STRANGE.finditer(line.text)]
    if len(strange) != 1:
        return None
    [(line, match)] = strange
    boards = []
    for digit in "12":  # the cell is where two boards differ
        text = f"{line.text[: match.start()]}{digit}{line.text[match.end() :]}"
        boards += blank_boards([other._replace(text=text) if other is line else other for other in lines])[:1]
    if len(boards) < 2:
        return None
    cell = next(cell for cell in range(81) if boards[0].cells[cell] != boards[1].cells[cell])
    return _strange(match[0], cell // 9 + 1, cell % 9 + 1, line.start, total)


@lru_cache(4096)  # the same cells come again and again
def _wrong_part(cell: str) -> str:
    """Return what makes a cell none: a strange symbol, a digit twice, a large number; or nothing."""
    if len(cell) > 1 and not cell.isdigit() and cell[0] in "123456789-":
        return next((symbol for symbol in cell if symbol not in SYMBOLS), cell)
    strange = next((symbol for symbol in cell if symbol not in SYMBOLS and symbol not in f" {MINUS}"), "")
    repeats = (
        cell for place, symbol in enumerate(cell) if symbol in cell[:place] or (symbol == "0" and place)
    )
    return strange or next(repeats, "")


def _strange(symbol: str, row: int, column: int, start: int, cells: int) -> Fault:
    return Fault(fault(EXPECTED, f"{symbol!r} in r{row}c{column}"), start, cells, row, column, symbol)
