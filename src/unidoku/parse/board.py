"""What is found in a text: boards, and what is wrong with parts that are like boards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain, pairwise
from typing import NamedTuple

from unidoku.cell import (
    CELL_CODES,
    EXPECTED,
    HOUSES_OF,
    PEERS,
    fault,
    in_cell,
    rule_message,
    second_sign,
    symbols_of,
    wrong_size,
)
from unidoku.errors import TYPE, InvalidPuzzleError, Message
from unidoku.kernel import search
from unidoku.parse.plain import DIGITS, MARKED, MINUS
from unidoku.verdict import Verdict

_ANY = 0b111_111_111
_CELLS = str.maketrans(
    {**dict.fromkeys(f"0*_xX?-{MINUS} ", "."), **dict(zip(MARKED, ".123456789", strict=True))}
)
_GIVENS = str.maketrans(
    {**dict.fromkeys(f"1234567890*_xX?-{MINUS} ", "."), **dict(zip(MARKED[1:], "123456789", strict=True))}
)
_NAMES: dict[str, str] = {MINUS: "-1", MARKED[0]: "' '", " ": Message("a blank", "a blank")}
"""Signs of empty cells as errors show them, if not by themselves."""
_WRONG_MAX = 6  # equal digits in the columns and boxes of the first row of a wrong grid
_FEWEST_GROUPS = 3, 10  # cells with several candidates: at least, and beside as many empty ones
_FEWEST_BLANKS = 3
_RUN = 60  # cells on a line that are meant as 81
HEADING = Message("heading", "a heading and 8 rows: row 9 is missing, or one above it")
"""What is wrong with nine rows of which one has the numbers of the columns."""
TRIPLES = Message(
    "triples", "the digits are rows, columns and values of 27 clues; write 81 cells, row by row"
)
"""What is wrong with 81 digits that are 27 clues."""
_SEARCH_MAX = 1 << 16  # guesses
_BITS = 4  # of the count of a digit in a house


class Board(NamedTuple):
    """A board in a text."""

    cells: str
    """81 characters, 1 to 9 or ``.``; of a position the clues."""
    marks: tuple[int, ...] | None
    """The candidates of each cell, bit d - 1 for digit d; None where the text draws none."""
    start: int
    end: int
    layout: str
    """line, position, rows, wrapped, sheet, frame, columns, candidates, cells, side by side."""
    doubt: str = ""
    """Why it may be another board: it is refused then."""
    givens: str = ""
    """The digits that have a mark, such as ``5!``, if only some have one; they are 81 characters, too."""

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


class Fault(NamedTuple):
    """What is wrong with a part of a text that is like a board."""

    message: str
    start: int
    cells: int = 0
    """How many cells it has."""
    row: int | None = None
    column: int | None = None
    symbol: str | None = None
    lines: int = 1
    """How many lines of cells it has."""

    def error(self, text: str) -> InvalidPuzzleError:
        """Return it as an exception about a text."""
        line = text.count("\n", 0, self.start) + 1
        error = InvalidPuzzleError(
            self.message, row=self.row, column=self.column, found=self.symbol, line=line
        )
        # a row, a label or another size says what to mend; a drawing of too few cells may have lost blanks
        is_drawing = (self.lines > 1 or self.cells < _RUN) and self.message == wrong_size(self.cells)
        error.advice = TYPE if is_drawing or not self.cells else ""
        return error


Find = tuple[Board | Fault, Sequence[int]]
"""A board or a fault in lines, and the numbers of the lines that nothing else reads then."""


def board_of(cells: Sequence[str], start: int, end: int, layout: str) -> Board | Fault:
    """Return the board of 81 cells or groups of candidates, or what is wrong with them.

    Its empty cells have one sign.
    """
    places = [place for place, cell in enumerate(cells) if cell not in DIGITS and len(cell) == 1]
    signs = [cells[place] for place in places]
    kinds = {*signs}
    if len(kinds) > 1:
        shown = ["" if cell in DIGITS or len(cell) > 1 else _sign_name(cell) for cell in cells]
        if second := second_sign(shown):
            return of_cell(second[0], second[1], shown[second[0]], start)
    if kinds in ({" "}, {MINUS}) and len(signs) < _FEWEST_BLANKS:  # digits may be lost, or have a sign before
        return of_cell(cells.index(signs[0]), EXPECTED, _sign_name(signs[0]), start)
    if wrong := _whole_house(cells, places, kinds) if 0 < len(places) < 10 and layout != "line" else "":
        return Fault(wrong, start, 81)
    groups = [place for place, cell in enumerate(cells) if len(cell) > 1]
    if groups:
        if len(groups) < max(_FEWEST_GROUPS[0], min(_FEWEST_GROUPS[1], len(signs))):
            return of_cell(groups[0], EXPECTED, repr(cells[groups[0]]), start)
        marks = (*map(mask_of, cells),)
        return Board(clues_of(marks), marks, start, end, "candidates")
    text = "".join(cells)
    board = text.translate(_CELLS)
    if not signs and end - start > len(cells) and _are_triples(text):
        return Fault(TRIPLES, start, 81, lines=9)
    if wrong := _counts_in(board) if layout == "rows" else "":
        return Fault(wrong, start, 72, 9 if wrong == HEADING else None)
    if DIGITS.isdisjoint(text) and not kinds <= {"0", ".", " "}:
        return Fault(rule_message(_sign_name(text[0])), start, 0)  # a rule across a page
    are_some = not text.isascii() and not ({*text}.isdisjoint(MARKED[1:]) or {*text}.isdisjoint("123456789"))
    givens = text.translate(_GIVENS) if are_some else ""
    return Board(board, None, start, end, layout, "", givens)


def _are_triples(text: str) -> bool:
    """Return whether 81 digits are clues, each a row, a column and a value: no grid has such an order."""
    places = [text[start : start + 2] for start in range(0, len(text), 3)]
    return all(before < place for before, place in pairwise(places))


def _whole_house(cells: Sequence[str], places: Sequence[int], kinds: set[str]) -> str:
    """Return what is wrong with the only empty cells, if all are in a row or a column, or are the digit 0."""
    houses = {*chain(*(HOUSES_OF[place] for place in places))}
    if kinds == {"0"} and "9" not in cells and len(houses) == 27:
        return Message("digits 0 to 8", "the digits are 0 to 8: write 1 to 9")
    column, row = places[0] % 9 + 1, places[0] // 9 + 1
    if kinds == {"."} and places == [*range(8, 81, 9)]:
        return Message("stops", "the rows have 8 cells and a full stop, or a dot for an empty cell")
    if kinds != {" "} or not are_in_a_house(places):
        return ""
    if places[1] % 9 == column - 1:
        return Message("column cut", "column {n} is blank, and all other cells are full", n=column)
    return Message("row cut", "row {n} is blank, and all other cells are full", n=row)


def are_counts(column: str) -> bool:
    """Return whether the digits of a first or a last column count the rows: they may be labels, one wrong."""
    for counts in ("123456789", ".12345678", "987654321"):
        others = sum(map(str.__ne__, column, counts))
        if others < 2 or (others < 5 and keeps_clues(column, counts)):
            return True
    return False


def are_in_a_house(places: Sequence[int]) -> bool:
    """Return whether all cells are in one row, or in one column."""
    return len({place % 9 for place in places}) == 1 or len({place // 9 for place in places}) == 1


def _sign_name(sign: str) -> str:
    """Return a sign as an error shows it."""
    return _NAMES.get(sign) or repr(sign)


def of_cell(place: int, requirement: str, shown: str, start: int, symbol: str = "") -> Fault:
    """Return the fault of a cell 0 to 80, in which a sign was found."""
    message = fault(requirement, in_cell(shown, place))
    return Fault(message, start, 81, place // 9 + 1, place % 9 + 1, symbol or shown.strip("'"))


def _counts_in(cells: str) -> str:
    """Return what is wrong with nine rows of which one, or a column at an end, counts the others."""
    if "12345678" in cells and _has_heading_as_row(cells):
        return HEADING
    before, behind = (are_counts(cells[place::9]) for place in (0, 8))
    if not (before or behind) or ("." not in cells and not has_clash(cells)):
        return ""
    if behind:
        return Message("counts behind", "the rows end with 1 to 9: 8 cells, and labels")
    return Message("counts", "the rows begin with 1 to 9: labels, and 8 cells")


def _has_heading_as_row(cells: str) -> bool:
    """Return whether a row is a heading: its digits are in the columns or the boxes again."""
    rows = [first for first in range(0, 81, 9) if cells[first : first + 9] in {"123456789", ".12345678"}]
    counts = (
        sum(cells[place] == cells[peer] != "." for peer in range(first, first + 9) for place in PEERS[peer])
        for first in rows
    )
    return max(counts, default=0) > (0 if "." in cells else _WRONG_MAX)


def solution_of(cells: str) -> str:
    """Return the only solution of a board; nothing if it has none, several, or is too hard to say."""
    solution = bytearray(81)
    verdict = search(cells.encode().translate(CELL_CODES), 2, _SEARCH_MAX, None, solution)[0]
    return symbols_of(bytes(solution)) if verdict == Verdict.UNIQUE else ""


def keeps_clues(clues: str, cells: str) -> bool:
    """Return whether 81 cells have all of the clues."""
    return all(clue in (".", cell) for clue, cell in zip(clues, cells, strict=True))


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


def has_clash(cells: str) -> bool:
    """Return whether 81 cells have a digit twice in a house."""
    counts, twice = _counts()
    return sum(own[sign] for own, sign in zip(counts, cells, strict=True)) & twice != 0


@cache
def _counts() -> tuple[list[dict[str, int]], int]:
    """Return what a sign of each cell adds to the counts of digits in houses, and the bits of two or more."""
    counts = [
        {".": 0}
        | {
            str(digit): sum(1 << _BITS * (9 * house + digit - 1) for house in houses)
            for digit in range(1, 10)
        }
        for houses in HOUSES_OF
    ]
    return counts, sum(0b1110 << _BITS * place for place in range(243))
