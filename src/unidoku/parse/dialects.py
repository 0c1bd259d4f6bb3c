"""Boards that are no nine lines of one shape, each as a program or a page writes it.

A position in a link, cells with names, candidates in lines of their own, 81 cells that were wrapped.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from unidoku.errors import Message
from unidoku.parse.board import Board, Fault, Find, board_of, clues_of, keeps_clues, mask_of
from unidoku.parse.faults import other_groups
from unidoku.parse.lines import CELLS, SEGMENT, Line, count_of
from unidoku.parse.plain import DIGITS, SETS, SKIP
from unidoku.parse.shapes import cells_of

# SudokuWiki (sudokuwiki.org): S9B and two base-36 digits a cell, 1 to 9 for a clue, 9 plus a found digit, or
# 18 plus the set of candidates.  Checked against published positions of the site.
_POSITION = re.compile(r"S9B([0-9a-z]{162})(?![0-9a-z])")
# SadMan Sudoku (sadmansoftware.com), whose .sdk other programs read too: [Puzzle] has the clues, [State] the
# clues and the digits entered since.
_SECTION = re.compile(r"(?im)^[ \t]*\[(\w+)\][ \t]*$")
# The names of the literature and of programs that print them: r1c1 (this one, HoDoKu), A1 (SudokuWiki,
# Norvig's solver).
_NAMED_CELL = re.compile(
    rf"""(?:[Rr]([1-9])[Cc]([1-9])|(?<![^\W_])([A-I])([1-9]))["']?\s{{0,3}}[:=]\s{{0,3}}["'{SKIP}]?([1-9]|[0._])([._]?)(?![0-9]|\s["'{SKIP}]?[0-9])"""
)
_ROW_SIZES = frozenset({3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16})  # lines of as many cells are rows, or of boxes
_JOINTS = f" \t\r\n,;|\"'{{}}[](){SKIP}"  # between the named cells of a list
_MOST_OTHERS = 40  # cells beside a list of 81; more are another list
_MARKS = re.compile(r"[.0-9]{81,729}")
_WRAPPED_EDGES = " \t\r,;|\"'[]"


def positions(source: str) -> Iterator[Board]:
    """Yield the positions of SudokuWiki."""
    for match in _POSITION.finditer(source) if "S9B" in source else ():
        codes = [int(match[1][place : place + 2], 36) for place in range(0, 162, 2)]
        if all(1 <= code <= 18 + 0b111_111_111 for code in codes):
            cells = "".join(str(code) if code <= 9 else "." for code in codes)
            masks = tuple(1 << (code - 1) % 9 if code <= 18 else code - 18 for code in codes)
            yield Board(cells, masks, match.start(), match.end(), "position")


def with_states(text: str, boards: Sequence[Board]) -> list[Board]:
    """Return boards, of which a puzzle and its state in the sections of SadMan are one position.

    Where a text has puzzles, a state by itself and pencil marks are none.
    """
    matches = _SECTION.finditer(text) if "[" in text else ()
    heads = [(match.start(), match[1].lower()) for match in matches]
    if not any(name == "puzzle" for _, name in heads):
        return [*boards]
    places = [place for place, _ in heads]
    found: list[Board] = []
    section = -1  # of the board before
    for board in boards:
        number = bisect_right(places, board.start) - 1
        names = [name for _, name in heads[max(0, number - 1) : number + 1]]
        puzzle = found[-1] if names == ["puzzle", "state"] and section == number - 1 else None
        is_later = puzzle and puzzle.cells != board.cells and keeps_clues(puzzle.cells, board.cells)
        if puzzle and is_later and not (puzzle.marks or board.marks):
            found[-1] = puzzle._replace(marks=(*map(mask_of, board.cells),), end=board.end)
        elif names[-1:] not in (["state"], ["pencilmarks"]) or puzzle:
            found.append(board)
        section = number
    return found


def empty_sections(text: str, boards: Sequence[Board]) -> Iterator[int]:
    """Yield the places of puzzles in the sections of SadMan that are empty, where boards are in others."""
    matches = [*_SECTION.finditer(text)] if "[" in text and boards else []
    for match, after in pairwise(matches):
        if match[1].lower() == "puzzle" and not text[match.end() : after.start()].strip():
            yield match.end()


def named_cells(source: str) -> Iterator[Board]:
    """Yield boards whose 81 cells are named, one row after the other."""
    if source.count("=") + source.count(":") < 81:
        return
    cells = [*_NAMED_CELL.finditer(source)]
    names = [*map(_name, cells)]
    whole = [divmod(k, 9) for k in range(81)]
    firsts = {k: None for k, name in enumerate(names) if name == (0, 0) and names[k : k + 81] == whole}
    is_joined = [
        not before[6] and not source[before.end() : after.start()].strip(_JOINTS)
        for before, after in pairwise(cells)
    ]
    for first in firsts:
        part, begin, end = cells[first : first + 81], first, first + 81
        while begin and is_joined[begin - 1] and begin - 81 not in firsts:
            begin -= 1
        while end < len(cells) and is_joined[end - 1] and end not in firsts:
            end += 1
        board = board_of([cell[5] for cell in part], part[0].start(), part[80].end(5), "cells")
        if isinstance(board, Board):
            sides = cells[begin:first], cells[first + 81 : end]
            others = [cell for side in sides if len(side) < _MOST_OTHERS for cell in side]
            yield board._replace(doubt=_doubt_of(part, others))


def _doubt_of(cells: Sequence[re.Match[str]], others: Sequence[re.Match[str]]) -> str:
    """Return what is wrong with 81 cells of which one has two signs, or is there again with another.

    Behind the last one stands the full stop of a sentence.
    """
    stops = [cell for cell in cells[:80] if cell[6]]
    if 0 < len(stops) < 80:
        found = stops[0][5] + stops[0][6]
        return Message("cell signs", "{cell} has two signs: {found}", cell=_cell_name(stops[0]), found=found)
    for other in others:
        row, column = _name(other)
        if other[5] != cells[9 * row + column][5]:
            return Message("cell twice", "{cell} is there twice", cell=_cell_name(other))
    return ""


def _cell_name(cell: re.Match[str]) -> str:
    """Return the name of a cell."""
    return f"r{cell[1]}c{cell[2]}" if cell[1] else f"{cell[3]}{cell[4]}"


def _name(match: re.Match[str]) -> tuple[int, int]:
    """Return the row and the column of a cell, from 0."""
    row, column, letter, number = match.groups()[:4]
    return (int(row) - 1, int(column) - 1) if row else (ord(letter) - ord("A"), int(number) - 1)


def marks_in(source: str) -> Iterator[Board]:
    """Yield positions of 729 signs, nine a cell, on one line or a row a line: the marks of steps."""
    rows: list[tuple[int, str]] = []
    for match in _MARKS.finditer(source):
        signs = match[0]
        if len(signs) not in {81, 729} or not _are_marks(signs):
            continue
        rows = [*rows, (match.start(), signs)] if len(signs) == 81 else [(match.start(), signs)]
        if len(rows) == 9 or len(signs) == 729:
            marks = "".join(signs for _, signs in rows)
            masks = (*(mask_of(marks[place : place + 9]) for place in range(0, 729, 9)),)
            yield Board(clues_of(masks), masks, rows[0][0], match.end(), "candidates")
            rows = []


def _are_marks(signs: str) -> bool:
    """Return whether each digit is at its place, as in no puzzle."""
    digits = [place for place, sign in enumerate(signs) if sign in DIGITS]
    return len(digits) > 8 and all(signs[place] == str(place % 9 + 1) for place in digits)


def with_blanks(line: Line) -> Board | None:
    """Return the board of 81 characters with blanks for empty cells, as databases and old programs keep it.

    A digit stands beside a digit, or two blanks meet; groups of digits that were cut have blanks at equal
    distances. About nine groups of digits that ascend are the candidates of a row.
    """
    text = line.text
    if len(text) != 81 or not {*"123456789 "}.issuperset(text):
        return None
    places = [place for place, sign in enumerate(text) if sign == " "]
    is_even = len({after - before for before, after in pairwise([-1, *places])}) == 1
    groups = text.split()
    if 7 < len(groups) < 11 and SETS.issuperset(groups):
        return None
    if is_even or ("  " not in text and len(places) > 39):
        return None
    return Board(text.replace(" ", "."), None, line.start, line.start + 81, "line")


def wrapped_lines(lines: Sequence[Line], used: set[int]) -> Iterator[Find]:
    """Yield boards of 81 cells in lines of equal length: one in each (columns of sheets), or a wrapped line.

    Lines of the size of a row are none of these.
    """
    numbers = [number for number, line in enumerate(lines) if line.kind != "blank"]
    if sum(_size_of(lines[number]) for number in numbers if number not in used) < 81:  # as in most texts
        return
    for is_part, group in groupby(numbers, lambda number: number not in used and _is_part(lines[number])):
        block = [*group] if is_part else []
        parts = [CELLS.findall(lines[number].text) for number in block]
        cells = [cell for part in parts for cell in part]
        sizes = {*map(len, parts[:-1])}
        if len(cells) != 81 or len(sizes) != 1 or sizes & _ROW_SIZES or len(parts[-1]) > max(sizes):
            continue
        first, last = lines[block[0]], lines[block[-1]]
        gaps = [place for place, (before, line) in enumerate(pairwise(block), 1) if line > before + 1]
        is_even = not gaps or len(gaps) == len(block) - 1 or gaps == [*range(9, 81, 9)]
        if sizes == {27}:  # cells of three signs have one digit
            is_even = any(len(DIGITS.intersection(cells[k : k + 3])) > 1 for k in range(0, 81, 3))
        board = board_of(cells, first.start, last.start + len(last.text), "wrapped")
        if not is_even:
            yield Fault(other_groups(), first.start, 81), ()
        elif isinstance(board, Board):
            yield board, block


def _size_of(line: Line) -> int:
    """Return how many cells a line has, if it has nothing else: a rule without a corner may be a cell."""
    return line.size or (count_of(line.text) if line.kind == "rule" and "+" not in line.text else 0)


def _is_part(line: Line) -> bool:
    """Return whether a line has a part of a wrapped line: cells with gaps, and nothing else.

    One gap that is wider than all others stands between two boards; groups of three are candidates.
    """
    if line.kind == "text" or line.text.isspace():
        return False
    if SEGMENT.fullmatch(line.text.strip(_WRAPPED_EDGES)) is None:
        return False
    _, kinds, sizes = cells_of(line.text) if line.size > 9 else ([], [], [])
    if len(kinds) == 26 and all(kinds[2::3]):
        return False
    return not sizes or max(sizes) == min(sizes) or sizes.count(max(sizes)) > 1


def count_names(source: str) -> int:
    """Return how many cells with names a text has."""
    return sum(1 for _ in _NAMED_CELL.finditer(source))
