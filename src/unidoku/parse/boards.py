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
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, groupby, pairwise
from typing import NamedTuple

from unidoku.cell import PEERS, wrong_size
from unidoku.parse.blanks import drawings
from unidoku.parse.board import Board, Fault, board_of
from unidoku.parse.dialects import marks_in, named_cells, positions, with_blanks, wrapped
from unidoku.parse.faults import LEAST, of_lines, of_row, tokens_of, wrong_count, wrong_row
from unidoku.parse.plain import DIGITS, MARKED, MINUS, SKIP, plain
from unidoku.parse.shapes import (
    READ,
    SEGMENT,
    SIGNS,
    Line,
    Shape,
    are_even,
    are_heading,
    cell_of,
    cells_of,
    follows,
    is_heading,
    label_of,
    line_of,
    readings,
)

_SIGN = f"0-9.*_xX?{MINUS}{MARKED}{SKIP}-"
_RUN = re.compile(rf"[{_SIGN}]{{60,900}}")
_NO_SIGNS = str.maketrans(dict.fromkeys(f"{SIGNS}\t;,|/:&\\ "))
_LEAST_SIGNS = 89  # of 81 cells on a line, and of what is between them
_STOPS = ".?"
_EDGES = "*_-"
_BESIDE = re.compile(r"[ ,;|/]{0,3}[0-9]")
_BEFORE = re.compile(r"[0-9][ ,;|/]{0,3}\Z")
_HEAD_RULE = re.compile(r"[\s>]*\|?(?:\s*:?-+:?\s*\|){8,9}(?:\s*:?-+:?)?\s*")
_GUTTER = re.compile(r"\s{3,}|\t|\s*(?:\|\||->|=>)\s*|\s\|\s")
_LABEL_ABOVE = re.compile(r"(?i)[\s>*#-]{0,9}(?:row|line|r)[ _]?([1-9])\b(?![^:]*[0-9.]{5})")
_FIRST_LABELS = frozenset({"0", "1", "10", "A", "a"})
_PARTS = frozenset({9, 10, 80, 81, 82})  # lines that are rows, or a cell each, however few cells they have
_LEAST_ROWS = 5  # of one shape that are reported
_END_SIGNS = " \r\"'`*,;)]}"  # behind a full stop
_BLANK_ROW = re.compile(r"(?: *([,;\t&]) *)(?: *\1 *){7,9}\r?")
_BAND = 3
_REACH = 60  # lines between two labelled rows


class Row(NamedTuple):
    """Nine cells of a line in one of its shapes."""

    line: int
    cells: tuple[str, ...]
    label: str


class Reading(NamedTuple):
    """The boards of a text by their places, the parts that are like boards, and the plain text."""

    boards: list[Board]
    faults: list[Fault]
    source: str


Run = tuple[Shape, list[Row]]
"""Lines of one shape that follow each other."""


def read(text: str) -> Reading:
    """Return the boards of a text, and what is wrong with its other parts."""
    rest = plain(text)
    faults: list[Fault] = []
    boards = [*named_cells(rest)]
    parts = rest.split("\n")
    if max(map(len, parts)) >= LEAST:
        boards += [*positions(rest), *marks_in(rest)]
        rest = _masked(rest, boards)
        boards += _runs(rest, faults)
    if boards:
        rest = _masked(rest, boards)
        parts = rest.split("\n")
    lines, start = list[Line](), 0
    for part in parts:
        lines.append(line_of(start, part.replace(SKIP, "")))
        start += len(part) + 1
    used: set[int] = set()
    for number, line in enumerate(lines):
        found = with_blanks(line) or (_in_one_line(line) if len(line.text) > 88 else None)
        if isinstance(found, Board):
            boards.append(found)
            used.add(number)
        elif found:
            faults.append(found)
    boards += _side_by_side(lines, used)
    boards += _boards_of_rows(lines, used, faults)
    for board, numbers in wrapped(lines, used):
        boards.append(board)
        used.update(numbers)
    for drawing in drawings(lines, used):
        first, last = lines[drawing.lines[0]], lines[drawing.lines[-1]]
        end = last.start + len(last.text.rstrip())
        boards.append(Board(drawing.cells, None, first.start, end, drawing.layout, drawing.doubt))
        used.update(range(drawing.lines[0], drawing.lines[-1] + 1))
    boards.sort(key=lambda board: (board.start, board.end))
    faults += _rest(lines, used)
    return Reading(boards, faults, rest)


def _masked(source: str, boards: Sequence[Board]) -> str:
    """Return a text in which boards that were read are no signs."""
    pieces, end = list[str](), 0
    for board in sorted(boards, key=lambda board: board.start):
        if board.start >= end:
            lines = source[board.start : board.end].split("\n")
            pieces += source[end : board.start], "\n".join(READ * len(line) for line in lines)
            end = board.end
    return "".join((*pieces, source[end:])) if pieces else source


# --- 81 cells on a line ---


def _runs(source: str, faults: list[Fault]) -> Iterator[Board]:
    """Yield the runs of 81 cells, and of nine rows joined by a sign."""
    for match in _RUN.finditer(source):
        if _is_part(source[match.start() - 1 : match.start()]) or _is_part(
            source[match.end() : match.end() + 1]
        ):
            continue
        run, start = _without_ends(match[0].replace(SKIP, "")), match.start()
        joint = run[9:10]
        if len(run) == 89 and joint not in DIGITS and {*run[9::10]} == {joint} and run.count(joint) == 8:
            run = run.replace(joint, "")
        if DIGITS.isdisjoint(run):
            continue
        found = board_of(run, start, match.end(), "line") if len(run) == 81 else None
        if isinstance(found, Board):
            yield found
        else:
            faults.append(found or Fault(wrong_size(len(run)), start, len(run)))


def _is_part(sign: str) -> bool:
    """Return whether a sign that touches cells is a part of them: a letter, or one that nobody sees."""
    return sign.isalnum() or not (sign.isprintable() or sign.isspace())


def _without_ends(run: str) -> str:
    """Return a run without signs of Markdown around it, or a full stop behind it."""
    if len(run) > 81 and run[0] == run[-1] and run[0] in _EDGES and run[0] not in run.strip(run[0]):
        return run.strip(run[0])
    return run[:-1] if len(run) == 82 and run[-1] in _STOPS and run[-1] not in run[:-1] else run


def _in_one_line(line: Line) -> Board | Fault | None:
    """Return the board of a line that has 81 cells: nine rows of one shape, with one joint."""
    text = line.text
    if len(text) - len(text.translate(_NO_SIGNS)) < _LEAST_SIGNS:
        return None
    for separator in "\t;,|":  # fields, of which some may be empty
        if 80 <= text.count(separator) < 90:
            fields = text.strip("[](){} \r\n").split(separator)
            signs = [*filter(None, map(cell_of, fields))]
            if len(fields) == len(signs) == 81:
                return board_of(signs, line.start, line.start + len(text), "line")
    worst: Fault | None = None
    for match in SEGMENT.finditer(text):
        if len(match[0]) < 60:
            continue
        cells, kinds, _ = cells_of(match[0])
        if len(cells) < 60:
            continue
        is_stop = len(cells) == 82 and cells[81] == "." and not kinds[80] and (kinds[0] or kinds[8])
        if is_stop and (kinds[0] or "." not in cells[:81]):
            cells, kinds = cells[:81], kinds[:80]
        size = len(cells)
        are_rows = size == 81 and len({*kinds[8::9]}) == 1 and are_even(kinds[:8])
        are_rows = are_rows and all(kinds[row : row + 8] == kinds[:8] for row in range(9, 81, 9))
        if not are_rows or text[match.end() : match.end() + 1].isalnum():
            worst = Fault(wrong_size(size), line.start, size)
            continue
        if _BESIDE.match(text, match.end()) or _BEFORE.search(text, max(0, match.start() - 9), match.start()):
            return Fault(wrong_size(size + 1), line.start, size)
        return board_of(cells, line.start + match.start(), line.start + match.end(), "line")
    return worst


# --- nine lines of one shape ---


def _boards_of_rows(lines: Sequence[Line], used: set[int], faults: list[Fault]) -> list[Board]:
    """Return the boards of nine lines of one shape; lines that have one, or are refused, are used then."""
    boards: list[Board] = []
    runs = _runs_of_rows(lines, used)
    nines: dict[int, list[set[int]]] = {}
    for _, rows in runs:
        for part in _parts(rows, lines):
            if len(part) == 9:
                numbers = {row.line for row in part}
                for number in numbers:
                    nines.setdefault(number, []).append(numbers)
    runs.sort(key=_order)
    for shape, rows in runs:
        for part in _parts([row for row in rows if row.line not in used], lines):
            found = _board_of(shape, part, lines, nines)
            if isinstance(found, Board):
                boards.append(found)
            elif found is not None:
                faults.append(found)
            if isinstance(found, Board) and not shape.is_labelled:
                used.update(range(part[0].line, part[-1].line + 1))
            elif found is not None and (isinstance(found, Board) or len(part) > 8):
                used.update(row.line for row in part)
    return boards


def _order(run: Run) -> tuple[int, bool, bool, int]:
    """Return which runs are read first: whole ones, with labels, from the top."""
    shape, rows = run
    return -min(len(rows), 9), shape.kind == "groups", not shape.is_labelled, rows[0].line


def _runs_of_rows(lines: Sequence[Line], used: set[int]) -> list[Run]:
    """Return the lines of one shape that follow each other; words end those without labels."""
    runs: list[Run] = []
    now: dict[Shape, list[Row]] = {}
    above = ""
    for number, line in enumerate(lines):
        if line.kind == "blank" or number in used:
            continue
        found = {shape: Row(number, cells, label) for shape, cells, label in readings(line)}
        if above:
            bare = [(shape, row) for shape, row in found.items() if shape.kind == "segment" and not row.label]
            found |= {
                Shape("above", *shape[1:2], True, shape.gaps): row._replace(label=above)
                for shape, row in bare
            }
        label = _LABEL_ABOVE.match(line.text) if line.kind == "text" and not found else None
        above = label[1] if label else ""
        if line.kind == "rule" and not found:
            continue
        for shape in [*now]:
            last, row = now[shape][-1], found.get(shape)
            if row is not None:
                is_next = not shape.is_labelled or _is_near(row.label, last.label)
                is_new = row.label == "first" or not is_next
            elif shape.is_labelled and line.kind == "text":
                is_new = number - last.line > _REACH
            else:
                is_new = line.kind != "rule"
            if is_new:
                runs.append((shape, now.pop(shape)))
        for shape, row in found.items():
            now.setdefault(shape, []).append(row)
    return [*runs, *now.items()]


def _parts(rows: list[Row], lines: Sequence[Line]) -> Iterator[list[Row]]:
    """Yield the rows of a run in nines, if it has whole ones; otherwise all of them, which are a fault."""
    signs = {cell for row in rows if lines[row.line].kind != "rule" for cell in row.cells} | {" "}
    rows = [row for row in rows if lines[row.line].kind != "rule" or signs.issuperset(row.cells)]
    rows = _without_headings(rows, lines)
    if not rows:
        return
    if len(rows) == 11 and not "".join((*rows[3].cells, *rows[7].cells)).strip():
        rows = [*rows[:3], *rows[4:7], *rows[8:]]  # blank rows between the boxes
    yield from _in_nines(_paragraphs(rows, lines))


def _paragraphs(rows: Sequence[Row], lines: Sequence[Line]) -> list[list[Row]]:
    """Return the rows between blank lines."""
    parts: list[list[Row]] = [[*rows[:1]]]
    for before, row in pairwise(rows):
        if any(lines[number].kind == "blank" for number in range(before.line + 1, row.line)):
            parts.append([])
        parts[-1].append(row)
    return parts


def _in_nines(paragraphs: Sequence[list[Row]]) -> Iterator[list[Row]]:
    """Yield the nines of rows that end where a paragraph ends, or within one of whole nines; or all rows."""
    for is_whole, group in groupby(paragraphs, lambda part: len(part) % 9 == 0):
        parts = [*group]
        rows = [row for part in parts for row in part]
        ends = {*accumulate(map(len, parts))}
        if is_whole or ends.issuperset(range(9, len(rows) + 9, 9)):
            yield from (rows[begin : begin + 9] for begin in range(0, len(rows), 9))
        elif max(map(len, parts)) > 9:
            yield from parts
        else:
            yield rows


def _without_headings(rows: list[Row], lines: Sequence[Line]) -> list[Row]:
    """Return the rows of a run without the numbers of the columns, and without the heading of a table."""
    if len(rows) in {9, 10} and any(
        _HEAD_RULE.fullmatch(lines[number].text) for number in range(rows[0].line + 1, rows[1].line)
    ):
        is_heading_row = len(rows) == 10 or not "".join(rows[0].cells).strip()
        return rows[1:] if is_heading_row else rows
    if len(rows) % 9 != 1 or len(rows) < 10:
        return rows
    if are_heading(rows[0].cells):  # else ten rows, of which the first may be one
        body = "".join(cell for row in rows[1:10] for cell in row.cells)
        is_apart = rows[1].line > rows[0].line + 1
        if body[:9] != "123456789" and (not body.isdigit() or "0" in body or is_apart or _is_valid(body)):
            return rows[1:]
    elif are_heading(rows[-1].cells) and rows[-1].line > rows[-2].line + 1:
        return rows[:-1]
    return rows


def _is_valid(cells: str) -> bool:
    """Return whether no house of a full grid has a digit twice."""
    return all(cells[cell] != cells[peer] for cell in range(81) for peer in PEERS[cell])


def _board_of(
    shape: Shape, rows: Sequence[Row], lines: Sequence[Line], nines: dict[int, list[set[int]]]
) -> Board | Fault | None:
    """Return the board of nine rows; a fault of other rows, and None where they are nothing like a board."""
    start, total = lines[rows[0].line].start, 9 * len(rows)
    if shape.is_labelled and len({row.label for row in rows}) < _BAND:
        return None  # the same sign at each line
    if shape.is_labelled and len(rows) >= _LEAST_ROWS and (wrong := _wrong_labels(rows, lines)):
        return wrong
    if len(rows) != 9:
        is_known = len(rows) > 9 or (shape.is_labelled and len(rows) >= _LEAST_ROWS)  # else others say more
        odd = _odd_label(rows, lines) if shape.is_labelled and 3 < len(rows) < 9 else None
        return odd or (wrong_count([lines[row.line] for row in rows], total) if is_known else None)
    if shape.kind == "groups" and all(len(cell) == 1 for row in rows for cell in row.cells):
        return None
    if not shape.is_labelled and (wrong := _other_labels(shape, rows, start)):
        return wrong
    wrong = _beside(rows, lines, nines)
    if wrong is not None:
        return wrong
    columns = [not "".join(row.cells[column] for row in rows).strip() for column in range(9)]
    is_open = shape.kind == "fields" and shape.words in {"|", "||", "&"} and "behind" not in shape.gaps[0]
    if is_open and (columns[0] or columns[8]) and not all(columns):
        return Fault("a column at an end is blank: the frame may be cut off", start, total)
    is_empty = [not "".join(row.cells).strip() for row in rows]
    if is_empty[3] and is_empty[7] and not all(is_empty):
        return Fault("rows 4 and 8 are blank: they may stand between boxes", start, total, 4)
    last = lines[rows[-1].line]
    cells = [cell for row in rows for cell in row.cells]
    stops = [lines[row.line].text.rstrip(_END_SIGNS)[-1:] == "." != row.cells[8] for row in rows]
    if any(stops) and "." in cells:
        row = stops.index(False) + 1 if False in stops else 9
        message = f"row {row} has another end than the others: a full stop, or a dot for an empty cell"
        return Fault(message, lines[rows[row - 1].line].start, total, row, lines=9)
    found = board_of(cells, start, last.start + len(last.text.rstrip()), "rows")
    if isinstance(found, Board):
        return _odd_width(shape, rows, lines, columns) or found
    return found._replace(lines=9)


def _odd_label(rows: Sequence[Row], lines: Sequence[Line]) -> Fault | None:
    """Return what is wrong with the line beside labelled rows that has the next label."""
    for number in (rows[0].line - 1, rows[-1].line + 1):
        name = label_of(lines[number].text).name if 0 <= number < len(lines) else ""
        if name.isdigit() and (follows(rows[0].label, name) or follows(name, rows[-1].label)):
            return of_row(lines[number], int(name))
    return None


def _is_near(label: str, before: str) -> bool:
    """Return whether a label is the next one, or one is there twice, or missing."""
    is_gap = label.isdigit() and before.isdigit() and int(label) == int(before) + 2
    return is_gap or label == before or follows(label, before)


def _wrong_labels(rows: Sequence[Row], lines: Sequence[Line]) -> Fault | None:
    """Return what is wrong with the labels of rows: one is there twice, missing, or on another line."""
    start, total = lines[rows[0].line].start, 9 * len(rows)
    for before, row in pairwise(rows):
        if row.label == before.label:
            message = f"row {row.label} is there twice"
            return Fault(message, lines[row.line].start, total, _number(row.label), lines=9)
        if not follows(row.label, before.label):
            name = str(int(before.label) + 1)
            between = (lines[number] for number in range(before.line + 1, row.line))
            line = next((line for line in between if label_of(line.text).name == name), None)
            wrong = of_row(line, int(name)) if line else None
            message = f"row {name} is missing"
            return wrong or Fault(message, start, total, int(name), lines=9)
    if len(rows) == 9 and rows[0].label not in _FIRST_LABELS:
        message = f"the rows have the labels {rows[0].label} to {rows[8].label}, expected 1 to 9"
        return Fault(message, start, total, lines=9)
    return None


def _number(label: str) -> int | None:
    """Return the number of the row of a label."""
    return int(label) if label.isdigit() and int(label) > 0 else None


def _other_labels(shape: Shape, rows: Sequence[Row], start: int) -> Fault | None:
    """Return the fault of numbers that count up before cells, but are not known as labels of rows."""
    numbers = [[*map(int, row.label[1:].split())] for row in rows if row.label.startswith("?")]
    for column in zip(*numbers, strict=False):
        if len(column) == 9 and [number - column[0] for number in column] == [*range(9)]:
            word = shape.words.partition("#")[0].strip() if shape.kind == "segment" else ""
            shown = f"the lines are labelled {word} {column[0]} to {column[8]}".replace("  ", " ")
            return Fault(f"{shown}: they may be columns or boxes; write Row 1 to 9, or none", start, 81)
    return None


def _beside(rows: Sequence[Row], lines: Sequence[Line], nines: dict[int, list[set[int]]]) -> Fault | None:
    """Return the fault of a line of cells of another shape within nine rows, or directly beside them."""
    taken = {row.line for row in rows}
    odd = [
        number
        for number in range(rows[0].line, rows[-1].line + 1)
        if number not in taken and lines[number].kind in {"cells", "near"}
    ]
    for step, first in ((-1, rows[0].line), (1, rows[-1].line)):
        number = first + step
        while 0 <= number < len(lines) and lines[number].kind == "rule":
            if _BLANK_ROW.fullmatch(lines[number].text):
                odd.append(number)
            number += step
        if abs(number - first) > 2:
            continue  # behind two rules stands another frame
        if not 0 <= number < len(lines) or lines[number].kind not in {"cells", "near"}:
            continue
        if not is_heading(lines[number].text) and all(map(taken.intersection, nines.get(number, []))):
            odd.append(number)
    if not odd:
        return None
    line = lines[odd[0]]
    row = sum(number < odd[0] for number in taken) + 1
    tokens, what = tokens_of(line.text)
    size = len(tokens)
    message = wrong_row(row, size, what, line.text)
    if size == 9:
        message = f"row {row} has another form than the others: {line.text.strip()[:40]}"
    return Fault(message, line.start, 9 * len(rows), row, lines=10)


def _odd_width(
    shape: Shape, rows: Sequence[Row], lines: Sequence[Line], are_blank: Sequence[bool]
) -> Fault | None:
    """Return the fault of padded fields of which one row, or a blank column, is not as wide as the others."""
    if shape.kind != "fields":
        return None
    texts = [lines[row.line].text for row in rows]
    bars = [tuple(place for place, sign in enumerate(text) if sign == shape.words) for text in texts]
    usual = max(bars, key=bars.count)
    widths = [after - before for before, after in pairwise(usual)]
    if len(widths) == 9 and any(
        width < max(widths) for width, is_blank in zip(widths, are_blank, strict=True) if is_blank
    ):
        return Fault("a blank column is narrower than the others", lines[rows[0].line].start, 81, lines=9)
    if bars.count(usual) != 8 or usual[-1] - usual[0] < 2 * len(usual) - 2:
        return None
    row = next(place for place, places in enumerate(bars, 1) if places != usual)
    return Fault(f"row {row} is not as long as the others", lines[rows[row - 1].line].start, 81, row, lines=9)


def _side_by_side(lines: Sequence[Line], used: set[int]) -> Iterator[Board]:
    """Yield the two boards of nine lines that have 18 cells: a puzzle and its solution on a page."""
    halves: list[tuple[int, Line, Line]] = []
    for number in range(len(lines) + 1):
        line = lines[number] if number < len(lines) else None
        if line is not None and line.kind in {"blank", "rule"}:
            continue
        pair = _halves(line) if line is not None and number not in used else None
        if pair is not None:
            halves.append((number, *pair))
            continue
        if len(halves) == 9:
            faults: list[Fault] = []
            boards = [
                *_boards_of_rows([left for _, left, _ in halves], set(), faults),
                *_boards_of_rows([right for _, _, right in halves], set(), faults),
            ]
            if len(boards) == 2 and not faults:
                used.update(range(halves[0][0], halves[-1][0] + 1))
                yield from (board._replace(layout="side by side") for board in boards)
        halves = []


def _halves(line: Line) -> tuple[Line, Line] | None:
    """Return the halves of a line that have as many cells, with a gap that is wider than the others."""
    if line.kind == "rule" or not 17 < line.size < 23:
        return None
    for gap in _GUTTER.finditer(line.text):
        left = line_of(line.start, line.text[: gap.start()])
        right = line_of(line.start + gap.end(), line.text[gap.end() :])
        if left.size == right.size:
            return left, right
    return None


def _rest(lines: Sequence[Line], used: set[int]) -> Iterator[Fault]:
    """Yield what is wrong with lines like rows that follow each other, and were not read."""
    parts: list[list[Line]] = [[]]  # between blank lines
    for number in range(len(lines) + 1):
        line = lines[number] if number < len(lines) else None
        is_cell = line is not None and line.kind == "rule" and len(line.text.strip()) == 1
        if line is not None and number not in used and (is_cell or line.kind in {"cells", "near"}):
            parts[-1].append(line)
        elif line is not None and line.kind == "blank":
            parts.append([])
        elif line is None or line.kind != "rule":
            is_apart = any(len(part) > _BAND for part in parts)
            for whole in parts if is_apart else [[*chain(*parts)]]:
                rows = [line for line in whole if line.size > _BAND or _is_drawn(line)]
                if rows or len(whole) in _PARTS:
                    yield of_lines(whole if len(whole) in _PARTS else rows)
            parts = [[]]


def _is_drawn(line: Line) -> bool:
    """Return whether a line has separators like a row, or a sign that is no cell."""
    counts = {sign: line.text.count(sign) for sign in "|\t;,&"}
    return line.kind == "near" or counts["|"] > 1 or max(counts.values()) > 5
