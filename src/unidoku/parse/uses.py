"""What a text is read for: one puzzle, or the records of a file; the grid of an answer is in `answers`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, groupby

from unidoku.cell import CELL_CODES, wrong_size
from unidoku.errors import InvalidPuzzleError, Message
from unidoku.parse import nine_lines
from unidoku.parse.board import Board, Fault, are_in_a_house, keeps_clues, solution_of
from unidoku.parse.boards import Reading, read, without_boards
from unidoku.parse.dialects import count_names, empty_sections, with_states
from unidoku.parse.faults import near_runs, of_table, of_text, own_page, rows_of_words
from unidoku.parse.lines import SIGNS, count_of
from unidoku.parse.names import PUZZLE_TITLE, SOLUTION_NAME
from unidoku.parse.places import NO_PUZZLE, empty_place
from unidoku.parse.plain import signs_of
from unidoku.parse.runs import Record, damaged_beside, without_mixtures
from unidoku.parse.titles import lines_alone, titles_alone

POSITION = Message(
    "position", "the text has candidates that its clues do not give; hint and explain read them"
)
"""Why a text with candidates is no puzzle."""
_SIDE_BY_SIDE = Message("side by side", "two boards side by side: 9 rows of 18 cells")
_MARKS = Message(
    "marks",
    "some digits have a mark and others none: clues, digits filled in, or hints; write the clues alone",
)
_LEAST = 10  # cells of a part that may be the puzzle of a full grid
_LINES_MAX = 11  # lines of a board, of which some may be too many
_ROW_MOST = 27  # cells of a line of three boards side by side
_ROWS_LEAST = 6  # lines that are meant as a board
_RECORD_LEAST = 7  # cells of lines of a file that are reported if they are no board
# above a grid, or before it on its line: what books, pages and models' answers call a solution and its puzzle
_SOLUTION_NAME = re.compile(SOLUTION_NAME)
# below the name of a solution, no code
_PUZZLE_TITLE = re.compile(rf"(?m)^\W*{PUZZLE_TITLE}[^=(\[{{\n]{{0,20}}$")
_NO_CLUES = "x" * 81  # of a full grid, which has no solution
_FEWEST_CLUES = 17  # of a puzzle with one solution
_NEAR = 400  # characters before a full grid that are looked at for a heading


def puzzle_in(text: str) -> Board:
    """Return the only board of a text; a puzzle with its solution or its candidates is one."""
    signs = nine_lines.ascii_signs(text)
    board = nine_lines.board_in(signs)
    if board is not None:
        return board
    if page := own_page(text):
        raise page.error(text)
    reading = read(signs)
    boards = [_without_marks(board) for board in with_states(text, reading.boards)]
    faults = _faults(text, reading)
    if not boards:
        raise _worst(text, reading, faults, count_names(reading.source)).error(text)
    if all(map(_is_full, boards)):
        parts = [fault for fault in faults if fault.cells >= _LEAST]
        for group, near in _groups_of(text, boards) if not parts else ():
            parts += filter(None, (empty_place(signs, reading.source, board, near) for board in group))
        if parts:
            raise max(parts, key=_weight).error(text)
    result = _common_board(boards, text)
    if not isinstance(result, Fault):
        result = damaged_beside(text, reading, boards, faults) or result
    if isinstance(result, Fault):
        raise result.error(text)
    return result


def records_in(text: str, *, is_cut: bool = False, above: Collection[str] = ()) -> list[Record]:
    """Return the boards of a text, and what is like a board, with their beginnings and ends.

    A full grid on the line of a puzzle that it keeps, or below it, is its solution, and no record; beside a
    damaged part, that is the record.  `above` has what `clues_above` says of the records before the text.
    """
    if page := own_page(text):
        return [(0, 0, page)]
    blocks, end = nine_lines.boards_in(signs_of(text))
    records: list[Record] = [*blocks]
    records += (
        (start + end, stop + end, record._replace(start=record.start + end))
        for start, stop, record in (_records_in(text[end:]) if end < len(text) else ())
    )
    records = without_mixtures(text, records, is_cut=is_cut)
    lost = chain(titles_alone(text, records, is_begin=not above), lines_alone(text, records))
    faults = [*{fault.start: (fault.start, fault.start, fault) for fault in lost}.values()]
    return sorted([*_without_solutions(text, records, above), *faults], key=_begin)


def clues_above(record: Board | Fault) -> str:
    """Return the puzzle of which a full grid below a record may be the solution; nothing of a damaged one."""
    if isinstance(record, Fault):
        return ""
    return record.cells if "." in record.cells else _NO_CLUES


def _begin(record: Record) -> int:
    """Return where a record begins."""
    return record[0]


def _records_in(text: str) -> list[Record]:
    """Return the records of a text in any form."""
    reading = read(text)
    boards = [_without_marks(board) for board in with_states(text, reading.boards)]
    faults = dict[int, Fault]()  # one for each line
    for fault in (*_faults(text, reading), *rows_of_words(without_boards(reading.source, reading.boards))):
        if fault.cells > _RECORD_LEAST:
            line = _line_of(text, fault.start)
            faults[line] = max(faults.get(line, fault), fault, key=_weight)
    records: list[Record] = []
    for group, near in _groups_of(text, boards):
        line = _line_of(text, group[0].start)
        beside = [faults.pop(line)] if line in faults else []
        lone = [board for board in group if _is_full(board) and not _is_solution(board, group)]
        puzzles = [board for board in group if board not in lone]
        parts = [fault for fault in beside if fault.lines > 1 or (lone and fault.cells >= _LEAST)]
        records += [(fault.start, fault.start, fault) for fault in (parts if puzzles else parts[:1])]
        whole, others = [*puzzles], [*near, *puzzles]
        for board in lone if not parts else ():
            is_lost = empty_place(text, reading.source, board, others) is not None
            whole.append(board._replace(doubt=NO_PUZZLE) if is_lost else board)
        if whole and group[-1].layout == "side by side" and isinstance(_common_board(group, text), Fault):
            records.append((line, line, Fault(_SIDE_BY_SIDE, group[0].start, 162)))
        else:
            own = dict[tuple[str, int], Board]()  # a puzzle that is twice in a line of text is one
            for board in whole:
                own.setdefault((board.cells, board.start if board.layout == "rows" else -1), board)
            records += [
                (board.start, board.end, board) for board in own.values() if not _is_solution(board, group)
            ]
    are_lines = {board.layout for board in boards} == {"line"}
    groups = [_own_lines(fault, text, are_lines=are_lines) for fault in faults.values()]
    parts = [*chain(*(group for group in groups if len(group) > 1))]
    known = {fault.start for fault in parts}
    alone = [group[0] for group in groups if len(group) == 1]
    alone = [fault for fault in alone if _line_of(text, fault.start) not in known]
    parts += _of_boards(alone, reading.source)
    records += [(fault.start, fault.start, fault) for fault in parts]
    if not records:
        worst = _worst(text, reading, _faults(text, reading), 0)
        return [(worst.start, worst.start, worst)] if worst.cells else []
    return sorted(records, key=lambda record: record[:2])


def _without_solutions(text: str, records: list[Record], above: Iterable[str]) -> list[Record]:
    """Return records without the full grids that are the solution of a puzzle above.

    Below what is like a board a grid that a heading calls a solution is no puzzle.
    """
    kept, puzzles = list[Record](), [*above]
    is_below = False  # the name of several solutions
    has_puzzle = any(puzzle != _NO_CLUES for puzzle in puzzles)  # perhaps a damaged one
    end = 0  # of the record before
    for start, stop, record in records:
        one: Board | Fault = record
        if isinstance(record, Board) and "." in record.cells:
            is_below = False
        elif isinstance(record, Board) and not record.marks:
            is_below = is_below or _is_named_solution(text, record, end)
            least = 0 if is_below else _FEWEST_CLUES
            if any(
                keeps_clues(puzzle, record.cells) and 81 - puzzle.count(".") >= least
                for puzzle in reversed(puzzles)
                if puzzle
            ):
                end = stop
                continue
            is_wrong = is_below and has_puzzle  # or the solution of another puzzle
            if is_wrong or record.doubt == NO_PUZZLE:
                one = Fault(NO_PUZZLE, record.start, 81)
        kept.append((start, stop, one))
        puzzles.append(clues_above(one))
        has_puzzle = has_puzzle or puzzles[-1] != _NO_CLUES
        end = stop
    return kept


def _is_named_solution(text: str, board: Board, begin: int = 0) -> bool:
    """Return whether a full grid has the name of a solution above it, or before it on its line.

    The rule of a frame, a fence, the names of columns or the beginning of a list may stand between, but
    neither a board nor the title of one. What stands before a place is not looked at.
    """
    if "." in board.cells or board.marks:
        return False
    begin = max(begin, board.start - _NEAR)
    names = [match.end() for match in _SOLUTION_NAME.finditer(text, begin, board.start)]
    return names != [] and not _PUZZLE_TITLE.search(text, names[-1], board.start)


def _own_lines(fault: Fault, text: str, *, are_lines: bool) -> list[Fault]:
    """Return a fault for each line of one whose lines are too long for rows of boards: they are records.

    So are few lines where each board is one.
    """
    most = _ROW_MOST if fault.lines <= _LINES_MAX else 9  # so many lines are no board
    most = 0 if are_lines and fault.lines < _ROWS_LEAST else most
    if fault.lines == 1 or fault.cells <= most * fault.lines or fault.cells == fault.lines**2:
        return [fault]
    start, own = _line_of(text, fault.start), list[Fault]()
    while len(own) < fault.lines and start < len(text):
        stop = text.find("\n", start)
        stop = stop if stop >= 0 else len(text)
        if (cells := count_of(text[start:stop], SIGNS)) > _RECORD_LEAST:
            own.append(Fault(wrong_size(cells), start, cells))
        start = stop + 1
    return own


def _of_boards(faults: Sequence[Fault], text: str) -> list[Fault]:
    """Return one fault for lines that are one board: that of its odd line, if there is one."""
    places = list[tuple[int, int, Fault]]()  # the first line of the part of each, and where it ends
    for fault in faults:
        line = text.count("\n", 0, fault.start)
        line -= fault.row - 1 if fault.row and fault.row <= fault.lines else 0
        places.append((line, line + fault.lines, fault))
    groups, begin, end = list[list[Fault]](), 0, -1
    for line, last, fault in sorted(places, key=lambda place: place[:2]):
        is_whole = fault.cells > _ROW_MOST * fault.lines  # a line that is a record of its own
        if not groups or is_whole or line > end or (line == end and last - begin > _LINES_MAX):
            groups.append([])
            begin, end = line, -1 if is_whole else last
        groups[-1].append(fault)
        end = max(end, last) if not is_whole else end
    return [max(group, key=lambda fault: (fault.lines == 1, _weight(fault))) for group in groups]


def clues_in(board: Board) -> bytes:
    """Return the clues of a board, 81 values; those of a position must give it.

    They alone must have one solution, and it must be within the marks.
    """
    if board.marks:
        solution = solution_of(board.cells)
        pairs = zip(board.marks, solution, strict=False)
        if not solution or not all(mask >> int(digit) - 1 & 1 for mask, digit in pairs):
            raise InvalidPuzzleError(POSITION)
    return board.cells.encode().translate(CELL_CODES)


# --- what boards are to each other ---


def _groups_of(text: str, boards: Sequence[Board]) -> Iterator[tuple[list[Board], list[Board]]]:
    """Yield the boards of each line, and those of the lines before and behind."""
    groups = [[*group] for _, group in groupby(boards, lambda board: _line_of(text, board.start))]
    for number, group in enumerate(groups):
        near = chain(*groups[max(0, number - 1) : number], *groups[number + 1 : number + 2])
        yield group, [*near]


def _is_full(board: Board) -> bool:
    """Return whether a board is a full grid: alone it is no puzzle by accident."""
    return "." not in board.cells and not board.marks


def _without_marks(board: Board) -> Board:
    """Return a board with marks at some digits: those alone, if the others are their solution, or a doubt."""
    if not board.givens:
        return board
    others = [place for place, sign in enumerate(board.givens) if sign == "."]
    is_solved = "." not in board.cells and solution_of(board.givens) == board.cells
    if is_solved and not are_in_a_house(others):  # a column of marks may be cut off
        return board._replace(cells=board.givens, givens="")
    return board._replace(doubt=_MARKS)


def _common_board(boards: Sequence[Board], text: str) -> Board | Fault:
    """Return the board that all boards of a text are, or how two of them differ."""
    puzzle = max(boards, key=lambda board: board.cells.count("."))
    if puzzle.doubt:
        return Fault(puzzle.doubt, puzzle.start, 81)
    marks = puzzle.marks
    for board in boards:
        if not _is_same(puzzle, board):
            if board.layout == "side by side":
                return Fault(_SIDE_BY_SIDE, board.start, 162)
            first, second = sorted((puzzle, board), key=lambda choice: choice.start)
            lines = [text.count("\n", 0, choice.start) + 1 for choice in (first, second)]
            where = (
                Message("in line", "in line {first}", first=lines[0])
                if lines[0] == lines[1]
                else Message(
                    "at lines", "at line {first} and at line {second}", first=lines[0], second=lines[1]
                )
            )
            text = "the text has two different puzzles, {where}: {first} and {second}"
            message = Message("two puzzles", text, where=where, first=first.cells, second=second.cells)
            return Fault(message, second.start, 162)
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


def _is_solution(board: Board, boards: Sequence[Board]) -> bool:
    """Return whether a board is the solution of another one of its line."""
    return "." not in board.cells and any(
        "." in other.cells and keeps_clues(other.cells, board.cells) for other in boards
    )


def _weight(fault: Fault) -> tuple[int, bool]:
    """Return how much a fault says: the cells of its part, and whether it names a row."""
    return fault.cells, fault.row is not None


def _worst(text: str, reading: Reading, faults: Sequence[Fault], names: int) -> Fault:
    """Return what is wrong with a text that has no board, of which so many cells have names."""
    words: Iterable[Fault] = () if any(fault.row for fault in faults) else rows_of_words(reading.source)
    worst = max((*faults, *words, *of_text(text, reading.source, names)), key=_weight)
    return (of_table(text) if worst.row is None else None) or worst


def _faults(text: str, reading: Reading) -> list[Fault]:
    """Return what is wrong with the parts of a text beside its boards."""
    empty = (Fault(NO_PUZZLE, place, 81) for place in empty_sections(text, reading.boards))
    return [*reading.faults, *near_runs(reading.source, reading.boards), *empty]


def _line_of(text: str, place: int) -> int:
    """Return where the line of a place begins."""
    return text.rfind("\n", 0, place) + 1
