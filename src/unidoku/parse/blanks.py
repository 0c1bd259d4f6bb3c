"""Boards drawn with blanks for empty cells, where nothing else reads the lines.

Reads a sheet (LibreOffice and Excel leave the last empty fields out when they copy), a frame (newspapers,
programs with box drawing), or columns (typed from a newspaper, cut at the ends by an editor). A complete
frame decides with any number of clues; columns need places that are the only ones. This is the one place
where the solver is asked: lines of different lengths may have lost a blank within them, too, so they are read
only if the puzzle is proper.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, dropwhile, groupby, pairwise, product
from operator import itemgetter

from unidoku.cell import FEWEST_CLUES
from unidoku.errors import Message
from unidoku.parse.board import Board, Find, board_of, solution_of
from unidoku.parse.damage import odd_field
from unidoku.parse.lines import Line, is_heading
from unidoku.parse.shapes import follows

_LABEL = re.compile(r"[ \t]*([0-9A-J])(?=[ |:.)])(?:[:.)]|\|(?=[^|]*$))?")
_END_LABEL = re.compile(r"(?<=[|\s])\s*[A-I]\s*$")
_DRAWN = "123456789 |;,\t"
_BARS_ONLY = str.maketrans(dict.fromkeys("123456789", " "))
_NO_FRAME = str.maketrans(dict.fromkeys("| "))
_DIGITS = frozenset("123456789")
_STEPS = {9: (0, 1), 17: (0, 2), 19: (1, 2), 27: (1, 3)}
"""The margin of the cells in an outer frame, and the distance between two, by its inner width."""
_CUT: str = Message(
    "lines cut", "its lines have different lengths, and it has not one solution; write . for an empty cell"
)
_THREE_CELLS = len("| 1 | 2 | 3 |")
_FEWEST_ROWS = 3  # with empty cells
_LONGEST = 200  # characters of a line that is drawn


def drawings(lines: Sequence[Line], used: set[int]) -> Iterator[Find]:
    """Yield the boards in lines that are not used: nine of digits, blanks and frames between texts."""
    for is_part, group in groupby(
        range(len(lines)), lambda number: number not in used and lines[number].kind not in {"text", "near"}
    ):
        block = [*group]
        if is_part and len(block) > 8:
            whole = _board_of(lines, block)
            blank = {number for number in block if lines[number].kind == "blank"}
            sizes = {len(lines[number].text) for number in block if number not in blank}
            apart = {number for number in blank if len(lines[number].text) not in sizes}  # others are rows
            parts = () if whole else groupby(block, apart.__contains__)
            yield from filter(
                None, [whole, *(_board_of(lines, [*part]) for is_apart, part in parts if not is_apart)]
            )


def _board_of(lines: Sequence[Line], block: Sequence[int]) -> Find | None:
    """Return the board of nine lines of a block, with its blank lines or without them."""
    rules = [number for number in block if _is_rule(lines[number])]
    drawn = sorted({*block} - {*rules})
    sizes = {len(lines[number].text) for number in drawn if lines[number].text.strip()}
    drawn_size = max(sizes) if len(sizes) == 1 else -1  # a blank line of this length is a row
    for _ in range(2):
        drawn = [*dropwhile(lambda row: _is_apart(lines[row], drawn_size), reversed(drawn))]
    full = [number for number in drawn if lines[number].text.strip()]
    inner = {len(lines[number].text) == drawn_size for number in {*drawn} - {*full}}
    if inner == {False, True}:  # some blank lines are rows, others stand between strings
        drawn = full = [number for number in drawn if len(lines[number].text) == drawn_size]
    for rows in (full if len(full) == 9 and _are_apart(drawn, full) else [], drawn):
        drawing = _read([lines[number].text.rstrip("\r\n") for number in rows]) if len(rows) == 9 else None
        if drawing:
            cells, layout, doubt = drawing
            if layout == "frame" and _has_frame_of_cells(lines, rows):
                return None  # its other columns are cut off
            beside = (*lines[max(0, rows[0] - 1) : rows[0]], *lines[rows[-1] + 1 : rows[-1] + 2])
            if any(line.kind == "near" for line in beside):
                return None  # it may be a row
            last = lines[rows[-1]]
            end = last.start + len(last.text.rstrip())
            found = board_of([*cells], lines[rows[0]].start, end, layout)
            found = found._replace(doubt=doubt) if isinstance(found, Board) else found
            return found, range(rows[0], rows[-1] + 1)
    return None


def _are_apart(drawn: Sequence[int], full: Sequence[int]) -> bool:
    """Return whether the blank lines within a drawing stand between bands or all rows, and are none."""
    before = {sum(number < blank for number in full) for blank in {*drawn} - {*full}}
    return before in ({3, 6}, {*range(1, 9)}, set())


def _has_frame_of_cells(lines: Sequence[Line], rows: Sequence[int]) -> bool:
    """Return whether rows have a rule between each two, and are as wide as three cells in a frame of each."""
    return all(len(lines[row].text.strip()) <= _THREE_CELLS for row in rows) and all(
        any(lines[number].kind == "rule" for number in range(row + 1, below)) for row, below in pairwise(rows)
    )


def _is_rule(line: Line) -> bool:
    """Return whether a line is a rule, and no row of blanks between separators."""
    return line.kind == "rule" and not (
        not line.text.rstrip("\r").strip(_DRAWN)
        and ("|" in line.text or len(line.text.translate(_NO_FRAME)) > 7)
    )


def _is_apart(line: Line, size: int) -> bool:
    """Return whether a line at an end is none of the board, whose rows have this size."""
    return is_heading(line.text) or (len(line.text) != size and not line.text.strip())


def _read(texts: list[str]) -> tuple[str, str, str] | None:
    """Return 81 digits and blanks of nine lines by separators, a frame or columns; which, and a doubt."""
    texts = _without_labels(texts)
    signs = "".join(texts)
    if signs.strip(_DRAWN) or signs.isspace() or _has_odd_row(texts):
        return None
    for layout, read in (("sheet", _in_sheet), ("frame", _in_frame), ("columns", _in_columns)):
        if boards := read(texts):
            first = min(boards)
            rows = sum(" " in first[row : row + 9] for row in range(0, 81, 9))
            is_cut = len({*map(len, texts)}) > 1
            if is_cut and rows < _FEWEST_ROWS:
                return None  # a line is cut, and nothing is the sign of an empty cell
            if len(boards) > 1:
                text = "the text may be any of {n} different puzzles; write . for an empty cell"
                return first, layout, Message("any of", text, n=len(boards))
            return first, layout, _CUT if is_cut and not solution_of(first.replace(" ", ".")) else ""
    return None


def _without_labels(texts: list[str]) -> list[str]:
    """Return lines without the labels 1 to 9 or A to I before and behind them: no column is where one was."""
    if max(map(len, texts)) > _LONGEST:
        return texts
    labels = [label for label in map(_LABEL.match, texts) if label]
    names = [label[1] for label in labels]
    if len(names) == 9 and names[0] in {"1", "0", "A"} and all(map(follows, names[1:], names)):
        end = min(label.end() for label in labels)
        texts = [(" " * label.end() + label.string[label.end() :])[end:] for label in labels]
    return [_END_LABEL.sub("", text) for text in texts] if "A" in texts[0] else texts


def _has_odd_row(texts: Sequence[str]) -> bool:
    """Return whether one row is not as long as the others, though blanks at their ends are not cut off."""
    sizes = [len(text) for text in texts if text]
    size = max(sizes, key=sizes.count, default=0)
    odd = [text for text in texts if len(text) not in {0, size}]
    if len(odd) != 1:
        return False
    return any(text.endswith(" ") for text in texts) or (
        odd[0] is not texts[8] and abs(len(odd[0]) - size) == 1
    )


def _in_sheet(texts: Sequence[str]) -> set[str]:
    """Return the board of nine lines of fields, of which the last empty ones may be cut off."""
    for separator in "\t;,":
        if "".join(texts).count(separator) < 18:
            continue
        table = [[field.strip() or " " for field in text.split(separator)] for text in texts]
        widths = {*map(len, table)}
        if odd_field(texts, separator):
            continue
        if max(widths) != 9 or not all(field in _DIGITS or field == " " for row in table for field in row):
            continue
        is_cut = all(len(row) == 1 or row[-1] != " " for row in table)
        if len(widths) == 1 or (is_cut and any(" " in row for row in table)):
            return {*filter(_may_be_puzzle, ["".join("".join(row).ljust(9) for row in table)])}
    return set()


def _in_frame(texts: Sequence[str]) -> set[str]:
    """Return the board in a frame: bars at the same places of each line show the boxes."""
    shape, *others = {text.translate(_BARS_ONLY).rstrip() for text in texts}
    full = [place for place, sign in enumerate(shape) if sign == "|"]
    if others or len(full) not in {2, 4} or shape.strip("| "):
        return set()  # of three, the bars at an end are cut off
    width = full[1] - full[0]
    if len(full) == 2 and not any((text[: full[0]] + text[full[1] + 1 :]).strip() for text in texts):
        margin, step = _STEPS.get(width - 1, (0, width))  # of the cells within an outer frame
        columns = [full[0] + 1 + column for column in range(margin, width - 1, step)]
        return _whole_board(texts, columns) if len(columns) == 9 else set()
    if any(after - before != width for before, after in pairwise(full)):
        return set()
    middle = full[len(full) > 2] + 1
    spacings = [(width - 2 - 2 * step, step) for step in range(1, width // 2)]
    choices = [(margin // 2, step) for margin, step in spacings if margin % 2 == 0]
    for margin, step in sorted(choices, key=lambda choice: (choice[0] != choice[1] - 1, -choice[1])):
        columns = [middle + width * box + margin + step * k for box in (-1, 0, 1) for k in range(3)]
        is_whole = columns[0] >= 0 and columns[-1] < max(map(len, texts))
        if is_whole and (board := _whole_board(texts, columns)):
            return board
    return set()


def _whole_board(texts: Sequence[str], columns: Sequence[int]) -> set[str]:
    """Return the board in these columns, if all digits between the bars are in it."""
    board = _cut_columns(texts, columns)
    digits = "".join(texts).translate(_NO_FRAME)
    full = sum(not board[column::9].isspace() for column in range(9))
    is_cut = full == 3  # a column in each box: these are cells, and the frame is cut
    return {board} if board.replace(" ", "") == digits and not is_cut else set()


def _cut_columns(texts: Sequence[str], columns: Sequence[int]) -> str:
    """Return the signs of these columns, a blank where a line is shorter."""
    width, signs = columns[-1] + 1, itemgetter(*columns)
    return "".join(chain.from_iterable(signs(text.ljust(width)) for text in texts))


def _in_columns(texts: Sequence[str]) -> set[str]:
    """Return the boards whose columns, and perhaps boxes, are at equal distances."""
    if any(set(text) - {*"123456789 "} for text in texts):
        return set()
    rows = [text.rstrip() for text in texts]
    first = [row[0] for row in rows if row]
    if not any("  " in row.strip() or row.startswith(" ") for row in rows):
        return set()  # the blanks of empty cells were lost, or there are none
    if " " not in first and len({*first}) < len(first):
        return set()  # blanks at the beginnings were lost: the first column has equal digits
    places = sorted({place for row in rows for place, sign in enumerate(row) if sign != " "})
    width = places[-1] + 1 if places else 0
    boards = set[str]()
    whole, cut = [9], [0]  # the steps of boards, and of those whose last columns are cut off
    sizes = {*map(len, texts)}
    size = max(sizes) if len(sizes) == 1 else 1 << 16  # a last column that is cut off is blank
    if (width <= 9 <= size) or (width <= 17 <= size and not any(place % 2 for place in places)):
        boards.add("".join(row[:: 1 if width <= 9 else 2].ljust(9) for row in rows))
        whole = [0]
    elif 6 <= len(places) <= 9:
        for step, column in product(range(1, 7), (0, 1)):  # the first column may have no clue
            begin = places[0] - column * step
            span = places[-1] - begin  # to the sixth column or a later one
            gaps = range(max(0, (span - 8 * step + 1) // 2), min(6, span - 5 * step) + 1)
            for gap in gaps if begin >= 0 else ():
                columns = [begin + step * k + gap * (k // 3) for k in range(9)]
                if {*columns}.issuperset(places):  # also if the last columns may be cut off
                    boards.add(_cut_columns(rows, columns))
                    (whole if columns[8] < size else cut).append(step)
    return {*filter(_may_be_puzzle, boards)} if min(whole) < 9 and max(cut) <= min(whole) else set()


def _may_be_puzzle(board: str) -> bool:
    """Return whether a board may have one solution: not with too few clues, or two empty lines of a band."""
    rows = [board[begin : begin + 9].isspace() for begin in range(0, 81, 9)]
    columns = [board[begin::9].isspace() for begin in range(9)]
    empty = (sum(part[begin : begin + 3]) for part in (rows, columns) for begin in (0, 3, 6))
    between = columns[3] and columns[7]  # blanks between boxes, and the last columns are cut off
    return 81 - board.count(" ") >= FEWEST_CLUES and max(empty) < 2 and not between
