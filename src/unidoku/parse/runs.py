"""Boards beside each other: those with nothing between them are read or refused as a whole.

Nothing but the count of the lines says where each begins: behind a row that is lost, or there twice, all
boards would have rows of two. So a run of them is read only if nothing in the text is damaged, no board has
a digit twice in a house, and no row is there again where one ends. Labels of rows say where boards begin, as
blank lines, words and the ends of frames do; but what parts a board from a run that is refused may be in the
place of a row.
"""

from __future__ import annotations

from collections.abc import Sequence

from unidoku.cell import HOUSES
from unidoku.errors import Message
from unidoku.parse.board import Board, Fault, has_clash
from unidoku.parse.boards import Reading, without_boards
from unidoku.parse.faults import rows_of_words
from unidoku.parse.lines import CELLS, READ, SEGMENT, has_eight, is_heading, line_of
from unidoku.parse.plain import DIGITS, signs_of
from unidoku.parse.shapes import follows, readings

Record = tuple[int, int, Board | Fault]
"""Where a board, or what is like one, begins and ends in a text."""

_CLASH = Message("clash in run", "a digit is twice in a house of 9 rows from here")
_AGAIN = Message("row again", "a row is there twice where a board may begin")
_DAMAGED = Message("damage beside run", "rows are damaged beside these")
_ROWS_MOST = 11  # of a board that is damaged; more are of a run
_FEWEST = 3  # digits of a row that is there again: fewer are in two rows by chance
_FEWEST_ROWS = 3  # of a part that has a fault
_LEAST_RUN, _MOST_RUN = 72, 90  # cells on a line that are like a board
_LEAST_ROWS = 6  # of nine cells, of a part that is like a board
_REACH = 2000  # characters before and behind a board that are looked at for the two lines beside it


def without_mixtures(text: str, records: list[Record], *, is_cut: bool = False) -> list[Record]:
    """Return records without the runs of boards that are refused, each of which is one fault then.

    In a text that is cut the last record may be whole.
    """
    is_damaged = any(isinstance(record[2], Fault) for record in (records[:-1] if is_cut else records))
    runs = list[list[Record]]()
    for record in records:
        if not (runs and _is_joined(text, runs[-1][-1], record)):
            runs.append([])
        runs[-1].append(record)
    if not is_damaged and len(runs) == len(records):
        return records
    checked = [_checked(text, run, is_damaged=is_damaged) for run in runs]
    faults = [own[0][2] for own in (checked[:-1] if is_cut else checked)]
    are_runs = [isinstance(fault, Fault) and fault.lines > _ROWS_MOST for fault in faults]
    kept = list[Record]()
    for number, own in enumerate(checked):
        is_near = any(are_runs[max(0, number - 1) : number]) or any(are_runs[number + 1 : number + 2])
        kept += _refused(text, own, 0, _DAMAGED) if is_near else own
    return kept


def damaged_beside(
    text: str, reading: Reading, boards: Sequence[Board], faults: Sequence[Fault]
) -> Fault | None:
    """Return the fault of a part that is like a board, but none of those of a text that are one puzzle."""
    fault = other_part(reading, boards, faults)
    if fault is None:
        return None
    line = text.count("\n", 0, fault.start) + 1
    why = "the text has two boards, of which the one at line {line} is damaged: {reason}"
    return fault._replace(message=Message("one damaged", why, line=line, reason=fault.message))


def other_part(
    reading: Reading, boards: Sequence[Board], faults: Sequence[Fault], begin: int = 0
) -> Fault | None:
    """Return the fault of a part behind a place that is like a board, but none of some boards.

    It has rows of nine cells, or about 81 cells on a line.  The rows of a board that are there again in their
    order, and the columns and boxes of a full grid, are a part of it.
    """
    source = without_boards(reading.source, reading.boards)
    rest = source[begin:]
    words = rows_of_words(rest) if has_eight(rest) else ()
    parts = [*faults, *(fault._replace(start=fault.start + begin) for fault in words)]
    if not parts:
        return None
    own = ["".join(map(board.digits.__getitem__, house)) for board in boards for house in _houses_of(board)]
    for fault in parts:
        is_line = fault.lines == 1 and _LEAST_RUN <= fault.cells <= _MOST_RUN
        if fault.start < begin or not (is_line or _FEWEST_ROWS <= fault.lines <= _ROWS_MOST):
            continue
        rows = [row for row in _rows_near(source, fault, is_line=is_line) if not DIGITS.isdisjoint(row)]
        if len(rows) >= _LEAST_ROWS and 2 * _count_again(rows, own) < len(rows):
            return fault
    return None


def _houses_of(board: Board) -> Sequence[Sequence[int]]:
    """Return the rows of a board; of a full grid the columns and the boxes, too."""
    return HOUSES[:9] if "." in board.digits else HOUSES


def _count_again(rows: Sequence[str], own: Sequence[str]) -> int:
    """Return how many rows are those of a board again, not above the row before."""
    count, before = 0, 0
    for row in rows:
        places = [place for place, one in enumerate(own) if _is_part_of(row, one) or _is_part_of(one, row)]
        count += places != [] and places[-1] >= before
        before = places[0] if places else before
    return count


def _rows_near(source: str, fault: Fault, *, is_line: bool) -> list[str]:
    """Return the rows of nine cells around a fault, up to the next boards; of a line from both ends."""
    begin, end = source.rfind("\n", 0, fault.start) + 1, source.find("\n", fault.start)
    if is_line:
        cells = "".join(CELLS.findall(source[begin : end if end >= 0 else len(source)]))
        places = (*range(0, len(cells) - 8, 9), *range(len(cells) % 9, len(cells) - 8, 9))
        return [cells[place : place + 9] for place in places]
    above = source[max(0, begin - _REACH) : begin].rpartition(READ)[2]
    below = source[begin : begin + _REACH].partition(READ)[0]
    rows = (max(SEGMENT.findall(line), key=len, default="") for line in f"{above}{below}".split("\n"))
    return [
        row for row in ("".join(CELLS.findall(row)) for row in rows) if len(row) == 9 and not is_heading(row)
    ]


def _is_part_of(row: str, other: str) -> bool:
    """Return whether the digits of a row, at least two, are in another one."""
    pairs = [cell == one for cell, one in zip(row, other, strict=True) if cell in DIGITS]
    return len(pairs) > 1 and all(pairs)


def _is_joined(text: str, before: Record, record: Record) -> bool:
    """Return whether two records are boards of rows with nothing between them, or one rule."""
    if not (_is_of_rows(before) and _is_of_rows(record)):
        return False
    between = text[before[1] : record[0]]
    lines = between.count("\n") - 1
    return lines == 0 or (lines == 1 and _is_rule(between.split("\n")[1]))


def _is_of_rows(record: Record) -> bool:
    """Return whether a record is a board of nine lines."""
    return isinstance(record[2], Board) and record[2].layout == "rows"


def _is_rule(line: str) -> bool:
    """Return whether a line is a rule, and no row."""
    return line_of(0, signs_of(line)).kind == "rule" and "." not in line


def _checked(text: str, run: list[Record], *, is_damaged: bool) -> list[Record]:
    """Return the boards of a run, or their fault; a board is refused if a row right beside it is."""
    is_open = is_damaged and any(_has_row_beside(text, run, step) for step in (-1, 1))
    if len(run) < 2 and not is_open:
        return run
    cells = [record.cells for _, _, record in run if isinstance(record, Board)]
    for number, board in enumerate(cells):
        if has_clash(board):
            return _refused(text, run, number, _CLASH)
        if number and board[:9] == cells[number - 1][72:] and 9 - board.count(".", 0, 9) >= _FEWEST:
            return _refused(text, run, number, _AGAIN)
    return _refused(text, run, 0, _DAMAGED) if is_damaged else run


def _has_row_beside(text: str, run: Sequence[Record], step: int) -> bool:
    """Return whether a row stands right above or below a run of boards, perhaps behind one rule."""
    if not _is_of_rows(run[0]):
        return False
    start, stop = run[0][0], run[-1][1]
    lines = text[stop : stop + _REACH].split("\n")[1:3]
    if step < 0:
        lines = text[max(0, start - _REACH) : start].split("\n")[-2:-4:-1]
    lines = lines[_is_rule(lines[0]) :] if lines else []
    return bool(lines) and _is_row(lines[0])


def _is_row(text: str) -> bool:
    """Return whether a line is like a row."""
    line = line_of(0, signs_of(text))
    return not is_heading(text) and (line.kind in {"cells", "near"} or (line.kind == "rule" and "." in text))


def _refused(text: str, run: list[Record], number: int, reason: str) -> list[Record]:
    """Return the fault of a run at one of its boards, if its rows have no labels."""
    if not _is_of_rows(run[0]) or _is_labelled(text, run[0]):
        return run
    why = "{reason}, and nothing stands between the {n} boards here: write an empty line between them"
    start, size = run[number][0], len(run)
    return [
        (
            start,
            run[-1][1],
            Fault(Message("run of boards", why, reason=reason, n=size), start, 81 * size, lines=9 * size),
        )
    ]


def _is_labelled(text: str, record: Record) -> bool:
    """Return whether the second row of a board has the label that follows that of the first."""
    rows = [line for line in text[record[0] : record[1]].split("\n") if not _is_rule(line)]
    labels = [
        {label for shape, _, label in readings(line_of(0, line)) if shape.is_labelled} for line in rows[:2]
    ]
    both = labels if len(labels) == 2 else [(), ()]  # a board of tags may be one line
    return any(follows(label, before) for label in both[1] for before in both[0])
