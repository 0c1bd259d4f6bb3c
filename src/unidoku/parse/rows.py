"""Nine lines of one shape: the rows of boards, and what stands beside them.

Reads the lines of a text by their shapes, whoever wrote them. Lines of one shape that follow each other are
a run; nine of them are a board if their labels ascend, no line of cells of another shape is directly beside
them, and their empty cells have one sign. A run that is refused takes its lines away from every other shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate, chain, groupby, pairwise
from os.path import commonprefix

from unidoku.errors import Message
from unidoku.parse.board import Board, Fault, Find, board_of, has_clash
from unidoku.parse.damage import damage_of
from unidoku.parse.faults import of_row, wrong_count
from unidoku.parse.labels import labels_beside, odd_label, wrong_labels
from unidoku.parse.lines import (
    SIGNS,
    WORD,
    Line,
    are_heading,
    begins_table,
    count_of,
    has_head_rule,
    is_heading,
)
from unidoku.parse.plain import DIGITS, UNMARKED
from unidoku.parse.shapes import Row, RowReading, Shape, follows, label_of, readings

_TITLE = Message("blank line at title", "if it is a title, write a blank line between")
_LABEL_ABOVE = re.compile(r"(?i)[\s>*#-]{0,9}(?:row|line|r)[ _]?([1-9])\b(?![^:]*[0-9.]{5})")
_ALNUM = re.compile(r"[^\W_]")
_LEAST_ROWS = 5  # of one shape that are reported
_BAND = 3
_MOST_SIGNS = 11  # in a line of them beside rows
_REACH = 60  # lines between two labelled rows
_ENDS_OF_FRAMES = ["rule", "rule"]  # of one, and the beginning of another


_NO_EDGES = str.maketrans(dict.fromkeys("|,;[](){}\"'", " "))

Run = tuple[Shape, list[Row]]
"""Lines of one shape that follow each other."""

Nines = Callable[[], dict[int, list[set[int]]]]
"""The nines of lines of one shape that a line is in, made where a line beside a board asks for them."""


def boards_of_rows(lines: Sequence[Line], used: set[int]) -> Iterator[Find]:
    """Yield the boards of nine lines of one shape, and what is wrong with others."""
    runs = sorted(_runs_of_rows(lines, used), key=_order)
    nines = cache(lambda: _nines_of(runs, lines))
    for shape, rows in runs:
        for part in _parts([row for row in rows if row.line not in used], lines):
            found = _board_of(shape, part, lines, nines)
            if found is not None:
                yield found, [row.line for row in part] if len(part) > 8 else ()


def _nines_of(runs: Sequence[Run], lines: Sequence[Line]) -> dict[int, list[set[int]]]:
    """Return the nines of lines of one shape that a line is in, by its number."""
    nines: dict[int, list[set[int]]] = {}
    for _, rows in runs:
        for part in _parts(rows, lines):
            numbers = {row.line for row in part}
            for number in numbers if len(part) == 9 else ():
                nines.setdefault(number, []).append(numbers)
    return nines


def _order(run: Run) -> tuple[int, bool, bool, int]:
    """Return which runs are read first: whole ones, with labels, from the top."""
    shape, rows = run
    return -min(len(rows), 9), shape.kind == "groups", not shape.is_labelled, rows[0].line


def _runs_of_rows(lines: Sequence[Line], used: set[int]) -> list[Run]:
    """Return the lines of one shape that follow each other; words end those without labels."""
    runs: list[Run] = []
    now: dict[Shape, list[Row]] = {}
    equal: dict[str, list[RowReading]] = {}  # readings of lines, such as rules, that are there again
    above = ""
    for number, line in enumerate(lines):
        if line.kind == "blank" or number in used:
            continue
        own = equal.get(line.text)
        if own is None:
            own = equal[line.text] = [*readings(line)]
        found = {shape: Row(number, cells, label) for shape, cells, label in own}
        if above:
            bare = [(shape, row) for shape, row in found.items() if shape.kind == "segment" and not row.label]
            found |= {
                Shape("above", *shape[1:2], True, shape.gaps): row._replace(label=above)
                for shape, row in bare
            }
        label = _LABEL_ABOVE.match(line.text) if line.kind == "text" and not found else None
        above = label[1] if label else ""
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
    drawn = [row for row in rows if lines[row.line].kind != "rule"]
    if len(drawn) < len(rows):
        signs = {" ", *chain(*(row.cells for row in drawn))} if drawn else {*" ."}
        rows = [row for row in rows if lines[row.line].kind != "rule" or signs.issuperset(row.cells)]
    heads = [place for place in range(1, len(rows)) if begins_table(lines, rows[place].line)]
    for table in _split(rows, heads) if len(rows) > 10 else [rows]:
        body = _without_headings(table, lines)
        for block in _blocks(body, lines) if len(body) > 9 else [body]:
            gaps = _gaps(block, lines)
            yield from _in_nines(_split(block, [place for place, gap in enumerate(gaps, 1) if gap]))


def _blocks(rows: list[Row], lines: Sequence[Line]) -> list[list[Row]]:
    """Return rows in bands, apart at two blank lines, or where whole boards end before a damaged one.

    A damaged line within its band ends a run, so that the boards on its other side end where the run does.
    """
    gaps = _gaps(rows, lines)
    if 1 not in gaps:
        return [rows]
    places = [place for place, gap in enumerate(gaps, 1) if gap > 1]
    if not places:
        is_first = _is_odd(lines, rows[0].line - 1)
        size = len(rows) % 9
        if size and is_first != _is_odd(lines, rows[-1].line + 1):
            places = [place for place in [size if is_first else len(rows) - size] if gaps[place - 1]]
    return _split(rows, places)


def _gaps(rows: Sequence[Row], lines: Sequence[Line]) -> list[int]:
    """Return how many blank lines, and ends of frames, stand between each row and the next."""
    between = [[line.kind for line in lines[before.line + 1 : row.line]] for before, row in pairwise(rows)]
    return [kinds.count("blank") + (kinds == _ENDS_OF_FRAMES) for kinds in between]


def _split(rows: list[Row], places: Sequence[int]) -> list[list[Row]]:
    """Return rows that are cut at places."""
    return [rows[begin:end] for begin, end in pairwise((0, *places, len(rows)))]


def _is_odd(lines: Sequence[Line], number: int) -> bool:
    """Return whether a line is like a row of another shape."""
    return 0 <= number < len(lines) and lines[number].kind in {"cells", "near"}


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
    if len(rows) in {9, 10, 11} and has_head_rule(lines[rows[0].line + 1 : rows[1].line]):
        is_full = all(DIGITS.issuperset(row.cells) for row in rows)  # then the first row may be one
        is_blank = not "".join(rows[0].cells).strip()
        is_heading_row = len(rows) == 10 or is_blank or (are_heading(rows[0].cells) and not is_full)
        is_again = len(rows) == 10 and _is_again(rows[1:], are_blank=is_blank)
        return rows[1:] if is_heading_row and not is_again else rows
    if len(rows) % 9 != 1 or len(rows) < 10 or (len(rows) == 10 and _is_again(rows)):
        return rows
    if are_heading(rows[0].cells):  # else ten rows, of which the first may be one
        body = "".join(cell for row in rows[1:10] for cell in row.cells).translate(UNMARKED)
        is_apart = rows[1].line > rows[0].line + 1
        if body[:9] != "123456789" and (not body.isdigit() or "0" in body or is_apart or not has_clash(body)):
            return rows[1:]
    elif are_heading(rows[-1].cells) and rows[-1].line > rows[-2].line + 1:
        return rows[:-1]
    return rows


def _is_again(rows: Sequence[Row], *, are_blank: bool = False) -> bool:
    """Return whether a line of nine rows below a heading is there twice: ten rows, if none has a label.

    Lines without a digit count if they may be of a puzzle whose first row is the heading.
    """
    return any(
        row.cells == before.cells and not row.label and (are_blank or not DIGITS.isdisjoint(row.cells))
        for before, row in pairwise(rows)
    ) and any(not DIGITS.isdisjoint(row.cells) for row in rows)


def _are_apart(rows: Sequence[Row]) -> bool:
    """Return whether rows stand in several parts, none as short as a band of boxes."""
    begin, sizes = 0, list[int]()
    for place in range(1, len(rows) + 1):
        if place == len(rows) or rows[place].line > rows[place - 1].line + 1:
            sizes.append(place - begin)
            begin = place
    return len(sizes) > 1 and min(sizes) > 2 * _BAND


def _board_of(shape: Shape, rows: Sequence[Row], lines: Sequence[Line], nines: Nines) -> Board | Fault | None:
    """Return the board of nine rows; a fault of other rows, and None where they are nothing like a board."""
    start, total = lines[rows[0].line].start, 9 * len(rows)
    if shape.is_labelled and len({row.label for row in rows}) < _BAND:
        return None  # the same sign at each line
    if shape.is_labelled and len(rows) >= _LEAST_ROWS and (wrong := wrong_labels(rows, lines)):
        return wrong
    if len(rows) != 9:
        if len(rows) > 9 and _are_apart(rows):
            return None  # several boards
        is_known = len(rows) > 9 or (shape.is_labelled and len(rows) >= _LEAST_ROWS)  # else others say more
        odd = odd_label(rows, lines) if shape.is_labelled and 3 < len(rows) < 9 else None
        return odd or (wrong_count([lines[row.line] for row in rows], total) if is_known else None)
    if shape.kind == "groups" and all(len(cell) == 1 for row in rows for cell in row.cells):
        return None
    wrong = labels_beside(shape, rows, lines) or _line_beside(shape, rows, lines, nines)
    if wrong is not None:
        return wrong
    cells, last = [cell for row in rows for cell in row.cells], lines[rows[-1].line]
    found = board_of(cells, start, last.start + len(last.text.rstrip()), "rows")
    if isinstance(found, Fault):
        found = found._replace(lines=9)
        return found if found.column else damage_of(shape, rows, lines) or found
    return damage_of(shape, rows, lines) or found


def _is_near(label: str, before: str) -> bool:
    """Return whether a label is the next one, or one is there twice, or missing."""
    is_gap = label.isdigit() and before.isdigit() and int(label) == int(before) + 2
    return is_gap or label == before or follows(label, before)


def _is_row_of(signs: set[str], text: str, width: int) -> bool:
    """Return whether a line has up to ten of the signs of empty cells: no rule as wide as rows, no edge."""
    bare = text.split() if "-" in text else text.translate(_NO_EDGES).split()
    size = len("".join(bare))
    is_rule = len(bare) == 9 or (len(bare) == 1 and size == width)
    return 0 < size < _MOST_SIGNS and not is_rule and len({*"".join(bare)}) == 1 and bare[0][0] in signs


def _is_blank_row(text: str) -> bool:
    """Return whether a line has the separators of nine empty fields, or up to two more."""
    signs = text.replace(" ", "").rstrip("\r")
    return 7 < len(signs) < 11 and len({*signs}) == 1 and signs[0] in ",;\t&"


def _line_beside(shape: Shape, rows: Sequence[Row], lines: Sequence[Line], nines: Nines) -> Fault | None:
    """Return the fault of a line of cells of another shape within nine rows, or directly beside them."""
    taken = {row.line for row in rows}

    def is_free(number: int) -> bool:
        """Return whether no other nine lines have a line."""
        return all(map(taken.intersection, nines().get(number, [])))

    empty = {cell for row in rows for cell in row.cells} - DIGITS
    width = len(lines[rows[0].line].text.strip())
    odd = [
        number
        for number in range(rows[0].line, rows[-1].line + 1)
        if number not in taken
        and (lines[number].kind in {"cells", "near"} or _is_row_of(empty, lines[number].text, width))
    ]
    apart = min(_gaps(rows, lines))
    for step, first in ((-1, rows[0].line), (1, rows[-1].line)):
        number = first + step
        while abs(number - first) <= apart and 0 <= number < len(lines) and lines[number].kind == "blank":
            number += step
        beside = number
        while 0 <= number < len(lines):
            text, is_rule = lines[number].text, lines[number].kind == "rule"
            is_row = abs(number - beside) < 1 + is_rule and _is_row_of(empty, text, width) and is_free(number)
            if is_row or (is_rule and _is_blank_row(text) and is_free(number + step)):
                odd.append(number)
            if not is_rule:
                break
            number += step
        if abs(number - beside) > 1:
            continue  # behind two rules stands another frame
        if not 0 <= number < len(lines):
            continue
        line = lines[number]
        is_odd = line.kind in {"cells", "near"}
        if line.kind == "text":
            is_odd = _has_cells_of(shape, line) or _begins_so(line, [lines[row.line] for row in rows])
        is_head = is_heading(line.text) or (shape.is_labelled and step < 0 and _has_names(line))
        label = label_of(line.text)  # of the other end: the line is of a board beside
        is_other = label.is_named and label.name == (rows[0], rows[-1])[step < 0].label
        if is_odd and not (is_head or is_other) and is_free(number):
            odd.append(number)
    if not odd:
        return None
    line = lines[odd[0]]
    row = sum(number < odd[0] for number in taken) + 1
    fault = of_row(line, row)
    if line.size < 9 and not rows[0].line < odd[0] < rows[-1].line:
        message = Message("and", "{reason}; {advice}", reason=fault.message, advice=_TITLE)
        return fault._replace(message=message)
    return fault


def _has_names(line: Line) -> bool:
    """Return whether a line of words without a label has the numbers of the columns: rows below have theirs.

    So Node.js has ``(index)`` before them (`console.table`), GLPK and AMPL ``param givens :``.
    """
    return line.kind == "text" and any(
        are_heading(cells) and not label.isalnum() for _, cells, label in readings(line)
    )


def _begins_so(line: Line, rows: Sequence[Line]) -> bool:
    """Return whether a line has the words that all rows begin with, and behind them mostly cells."""
    words = commonprefix([row.text for row in rows]).rstrip(f"{SIGNS} ")  # noqa: RUF071
    if not line.text.startswith(words) or WORD.search(words) is None:
        return False
    cells = line.text[len(words) :]
    return 1 < count_of(cells) > len(_ALNUM.findall(cells)) // 2


def _has_cells_of(shape: Shape, line: Line) -> bool:
    """Return whether a line of words has nine cells with the gaps of a shape."""
    return shape.kind == "segment" and any(
        other.kind == "segment" and other.gaps[:8] == shape.gaps[:8] for other, _, _ in readings(line)
    )
