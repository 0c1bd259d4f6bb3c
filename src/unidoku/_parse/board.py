"""A board that was found in a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import and_
from typing import NamedTuple

from unidoku._verdict import Verdict
from unidoku.cell import CELL_CODES, PEERS, symbols_of
from unidoku.errors import InvalidPuzzleError, Reason

ANY = 0b111_111_111
"""The candidates of a cell that may have each digit."""
_SEARCH_MAX = 1 << 16  # guesses
NO_PUZZLE = Reason(
    "no_puzzle", "a full grid next to text that could be its puzzle; write the puzzle, or only the grid"
)
"""Why a full grid is not a puzzle."""
POSITION = Reason(
    "wrong_position",
    "the text has candidates that do not follow from its clues; use hint or explain, which read them",
)
"""Why a text with candidates is not a puzzle."""


class Board(NamedTuple):
    """A board in a text."""

    cells: str
    """81 characters, 1 to 9 or ``.``; of a position the clues."""
    first: int
    """The number of its first line, from 0."""
    last: int
    """The number of the line after its last line."""
    marks: tuple[int, ...] | None = None
    """The candidates of each cell, bit d - 1 for digit d; None if the text draws no candidates."""

    @property
    def is_full(self) -> bool:
        """Whether no cell is empty."""
        return "." not in self.cells and not self.marks

    @property
    def digits(self) -> str:
        """The clues, and the digits that are the only mark of their cell."""
        return "".join(map(max, self.cells, clues_of(self.masks)))

    @property
    def masks(self) -> tuple[int, ...]:
        """The digits that each cell may have."""
        return self.marks or (*map(mask_of, self.cells),)

    @property
    def symbols(self) -> str:
        """The marks as 729 characters, nine a cell."""
        return "".join(
            str(digit) if mask >> digit - 1 & 1 else "." for mask in self.masks for digit in range(1, 10)
        )


def agree(masks: Iterable[int], others: Iterable[int]) -> bool:
    """Return whether each cell has a digit that both boards allow."""
    return all(map(and_, masks, others))


def mask_of(group: str) -> int:
    """Return the candidates in a group of digits; an empty cell may have any."""
    return sum(1 << int(digit) - 1 for digit in {*group} & {*"123456789"}) or ANY


def clues_of(marks: Sequence[int]) -> str:
    """Return the clues in candidates: single marks that no peer has among several (HoDoKu's rule)."""
    several = [mask if mask & mask - 1 and mask != ANY else 0 for mask in marks]
    clues = ["."] * len(marks)
    for cell, mask in enumerate(marks):
        is_single = not mask & mask - 1
        if is_single and not any(several[peer] & mask for peer in PEERS[cell]):
            clues[cell] = str(mask.bit_length())
    return "".join(clues)


def unique_solution(cells: str) -> str:
    """Return the only solution of a board; nothing if it has none, several, or is too hard to say."""
    from unidoku.kernel import search  # not at the top: nearly all texts need no search

    solution = bytearray(81)
    verdict = search(cells.encode().translate(CELL_CODES), 2, _SEARCH_MAX, grids=[solution])[0]
    if verdict != Verdict.UNIQUE:
        return ""
    return symbols_of(bytes(solution))


def may_go_on(cells: str, shown: str, behind: str) -> bool:
    """Return whether the sign after a board, whose last cells are shown as this, may be one more cell.

    If the board has exactly one solution, it is whole, and the sign ends a sentence.
    """
    return behind in {".", "?"} & {*shown} and not unique_solution(cells)


def clues_in(board: Board) -> bytes:
    """Return the clues of a board, 81 values; the clues of a position must give it.

    The clues must have one solution, and it must be within the marks.
    """
    if board.marks:
        solution = unique_solution(board.cells)
        if not solution or not agree(board.marks, map(mask_of, solution)):
            raise InvalidPuzzleError(POSITION)
    return board.cells.encode().translate(CELL_CODES)
