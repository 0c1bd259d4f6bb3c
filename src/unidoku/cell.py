"""Cells, houses and symbols: the one vocabulary of the package.

A cell is a number 0..80, row by row; in text, JSON and options it is ``"r1c1"`` to ``"r9c9"``.  Houses are
0..26: nine rows, nine columns, nine boxes (left to right, then down).  Native code has the same numbers in
``_native/cells.pxd`` and the same symbols in ``_native/text/cells.pxi``; the tests compare them with these.
"""

from __future__ import annotations

from functools import cache, lru_cache
from operator import itemgetter

from unidoku.errors import ArgumentError, InvalidPuzzleError, Message, Reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    Cell: TypeAlias = int | str
    Candidate: TypeAlias = str | tuple[Cell, int]

__all__ = ["EMPTY_SYMBOLS", "HOUSES", "HOUSES_OF", "HOUSE_NAMES", "PEERS", "cell_name", "cell_number"]

EMPTY_SYMBOLS = ".0*_-xX?"
"""Every character that stands for an empty cell."""

SYMBOLS = ".123456789"
"""The characters that outputs show for the values 0 to 9."""

SYMBOL_OF = bytes.maketrans(bytes(range(10)), SYMBOLS.encode())
"""The same for ``bytes.translate``."""

WRONG = 255
"""The value of any character that is not a cell."""

VALUES: dict[str, int] = {**{str(digit): digit for digit in range(1, 10)}, **dict.fromkeys(EMPTY_SYMBOLS, 0)}
"""The value 0 to 9 of each character of a puzzle."""

CELL_CODES = bytes(VALUES.get(chr(code), WRONG) for code in range(256))
"""The same by the character's code, for ``bytes.translate``; `WRONG` for any other character."""

EXPECTED = Message("a digit or an empty cell ({signs})", signs=" ".join(EMPTY_SYMBOLS))
"""The characters of a puzzle, for error messages."""

FEWEST_CLUES = 17
"""No puzzle with fewer clues has exactly one solution."""

LONGEST = 1 << 16
"""Most characters of a puzzle in any form, or of a link; longer text is refused before it is read."""

_LEAST, _LARGEST = 10**64, 10**81 - 1  # integers of 65 to 81 digits
_CUT_DIGITS = 60  # of a text that may have lost its leading zeros
OTHER_SIZES = {rows**2: rows for rows in (4, 6, 8, 10, 12, 16, 25)}
"""The cells of boards of other puzzles, and their rows."""

NO_ANSWER = Reason("no_answer", "no answer")
"""Why an empty answer has no grid."""

NO_VALUES = frozenset({"null", "none", "nan", "na", "n/a", "nil"})
"""Words that programs write for a missing puzzle or answer."""

NO_GRID = Reason("no_grid", "no grid of 81 cells in the answer")
"""Why there is none in an answer."""

ONLY_COPY = Reason("no_grid", "the answer has no grid except a copy of the puzzle")
"""Why an answer that only copies the puzzle has no grid."""

_SHOWN = 20  # characters of a wrong cell in an error

_BOX_CORNERS = [27 * band + 3 * stack for band in range(3) for stack in range(3)]

HOUSES: tuple[tuple[int, ...], ...] = (
    *(tuple(range(9 * row, 9 * row + 9)) for row in range(9)),
    *(tuple(range(column, 81, 9)) for column in range(9)),
    *(tuple(corner + 9 * row + column for row in range(3) for column in range(3)) for corner in _BOX_CORNERS),
)
"""The cells of each house, ascending."""

HOUSE_NAMES: tuple[str, ...] = tuple(
    f"{kind} {number}" for kind in ("row", "column", "box") for number in range(1, 10)
)
"""The name of each house, such as ``row 3``."""

HOUSES_OF: tuple[tuple[int, int, int], ...] = tuple(
    (cell // 9, 9 + cell % 9, 18 + cell // 27 * 3 + cell % 9 // 3) for cell in range(81)
)
"""The row, the column and the box of each cell."""

PEERS: tuple[frozenset[int], ...] = tuple(
    frozenset(HOUSES[row] + HOUSES[column] + HOUSES[box]) - {cell}
    for cell, (row, column, box) in enumerate(HOUSES_OF)
)
"""The twenty cells that share a house with each cell."""

rows_of = itemgetter(*(slice(k, k + 9) for k in range(0, 81, 9)))
"""Returns the nine rows of 81 cells."""

thirds_of = itemgetter(slice(0, 3), slice(3, 6), slice(6, 9))
"""Returns the parts of a row, or of nine rows, by box."""

_NAMES = tuple(f"r{row}c{column}" for row in range(1, 10) for column in range(1, 10))
_NUMBERS = {name: cell for cell, name in enumerate(_NAMES)}


def second_sign(signs: Sequence[str]) -> tuple[int, Message] | None:
    """Return where a second sign for empty cells is, and the sign that is expected; None if all have one.

    Each cell has its sign, a digit none; the second one is the rarer one.
    """
    kinds = [*dict.fromkeys(filter(None, signs))]
    if len(kinds) < 2:
        return None
    rare, usual = min(reversed(kinds), key=signs.count), max(kinds, key=signs.count)
    return signs.index(rare), Message("the same mark for all empty cells, {sign}", sign=usual)


def wrong_signs(symbols: str) -> Reason | None:
    """Return the error for 81 characters with two signs for empty cells, or without a digit; or None."""
    if len(symbols) != 81 or not VALUES.keys() >= {*symbols}:
        return None
    signs = {symbol: "" if VALUES[symbol] else repr(symbol) for symbol in {*symbols}}
    if second := second_sign([*map(signs.__getitem__, symbols)]):
        place, requirement = second
        return fault("wrong_symbol", requirement, in_cell(repr(symbols[place]), place))
    if len({*symbols}) == 1:
        return Reason("wrong_symbol", "81 times {sign} and no digit", sign=repr(symbols[0]))
    return None


def keeps_clues(clues: str, cells: str) -> bool:
    """Return whether 81 cells have all of the clues."""
    return all(clue in (".", cell) for clue, cell in zip(clues, cells, strict=True))


def row_twice(cells: str) -> tuple[int, Reason] | None:
    """Return a row with digits that a puzzle has twice, from 0, and the fault: it may stand for another."""
    rows = rows_of(cells)
    if len({*rows}) == 9 or "." not in cells:
        return None
    for number, row in enumerate(rows):
        if row.strip(".") and (other := rows.index(row)) < number:
            text = "row {row} repeats row {other}; correct one of them"
            return number, Reason("unclear", text, row=number + 1, other=other + 1)
    return None


def grids_in(values: Any) -> list[Any]:
    """Return the grids of a text or of values, 81 after 81."""
    return [values[begin : begin + 81] for begin in range(0, len(values), 81)]


def symbols_of(values: bytes) -> str:
    """Return values 0 to 9 as characters, ``.`` for an empty cell.

    Examples
    --------
    >>> symbols_of(bytes([5, 3, 0]))
    '53.'
    """
    return values.translate(SYMBOL_OF).decode()


@cache
def digits_of(mask: int) -> tuple[int, ...]:
    """Return the digits of a mask, ascending: bit d - 1 for digit d.

    Examples
    --------
    >>> digits_of(0b101)
    (1, 3)
    """
    return tuple(digit for digit in range(1, 10) if mask >> digit - 1 & 1)


def cell_name(cell: int) -> str:
    """Return the name of a cell 0..80: ``r1c1`` to ``r9c9``.

    Examples
    --------
    >>> cell_name(0), cell_name(80)
    ('r1c1', 'r9c9')
    """
    return _NAMES[cell]


def candidate_name(candidate: tuple[int, int]) -> str:
    """Return the name of a candidate, such as ``r4c2=7``.

    Examples
    --------
    >>> candidate_name((28, 7))
    'r4c2=7'
    """
    return f"{cell_name(candidate[0])}={candidate[1]}"


def candidate_at(number: int) -> tuple[int, int]:
    """Return the cell and the digit of candidate 9 * cell + digit - 1.

    Examples
    --------
    >>> candidate_at(9 * 28 + 6)
    (28, 7)
    """
    return number // 9, number % 9 + 1


def cell_number(cell: Cell, *, first: int = 0) -> int:
    """Return the number 0..80 of a cell, which is a name or a number; the number of r1c1 is `first`.

    Examples
    --------
    >>> cell_number("r4c2"), cell_number(28), cell_number(29, first=1)
    (28, 28, 28)
    """
    if isinstance(cell, str):
        number = _NUMBERS.get(cell.lower())
        if number is not None:
            return number
    elif hasattr(cell, "__index__") and first <= cell.__index__() <= first + 80:
        return cell.__index__() - first
    text = "invalid cell {cell}; write {first} to {last}, or r1c1 to r9c9"
    raise ArgumentError(Message(text, cell=repr(cell), first=first, last=first + 80))


@lru_cache(256, typed=True)  # a damaged file has one fault many times
def fault(code: str, requirement: object, actual: object) -> Reason:
    """Return the reason for unexpected content, with its code: the one form of these reasons."""
    return Reason(code, "expected {requirement}, found {actual}", requirement=requirement, actual=actual)


def size_message(where: str = "") -> Message:
    """Return the expected size of a puzzle, perhaps at a place."""
    return Message("81 cells{where}", where=where)


MISSING = fault("no_puzzle", size_message(), Message("nothing"))
"""The error for a row that has no value."""


def wrong_cell(value: object, cell: int) -> Reason:
    """Return the error for the value of a cell 0..80."""
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    if isinstance(value, str):
        return fault("wrong_symbol", EXPECTED, in_cell(repr(str(value)[:_SHOWN]), cell))
    return fault("wrong_symbol", Message("0 (empty) or 1 to 9"), in_cell(repr(value), cell))


def in_cell(found: str, cell: int) -> Message:
    """Return what was found in a cell 0..80, or in one of a tenth row."""
    return Message("{found} in {cell}", found=found, cell=f"r{cell // 9 + 1}c{cell % 9 + 1}")


def wrong_mark(symbol: str, place: int) -> Reason:
    """Return the error for one of 729 pencil marks."""
    requirement = Message("{digit} or an empty mark", digit=place % 9 + 1)
    return fault("wrong_symbol", requirement, in_cell(repr(symbol), place // 9))


@lru_cache(256)  # a damaged file has one fault many times
def wrong_size(count: int, where: str = "") -> Reason:
    """Return the error for a puzzle with this number of cells, perhaps at a place."""
    rows = OTHER_SIZES.get(count)
    return fault(
        "wrong_length" if count else "no_puzzle",
        size_message(where),
        Message("{n} cells ({rows}x{rows} puzzles are not supported)", n=count, rows=rows) if rows else count,
    )


def _may_lack_zeros(text: str | bytes) -> bool:
    """Return whether a text is digits that a program may have read as a number."""
    if not _CUT_DIGITS <= len(text) < 81:
        return False
    return text.isascii() and text.isdigit()


def with_lost_zeros(reason: Reason, text: str | bytes) -> Reason:
    """Return why a text is not a puzzle; add a note if a program may have read it as a number."""
    if not _may_lack_zeros(text):
        return reason
    note = "{reason}; if leading zeros were lost, read the column as text (in pandas with dtype=str)"
    return Reason(reason.code, note, reason=reason)


def refuse_long(puzzle: object) -> None:
    """Refuse a text, or a sequence other than an array, that is too long for a puzzle in any form."""
    if (size := _size_of(puzzle)) <= LONGEST and isinstance(puzzle, list | tuple):
        size = sum(map(_size_of, puzzle))
    if size > LONGEST:
        raise InvalidPuzzleError(
            fault("too_long", size_message(), Message("{n} characters or values", n=size))
        )


def _size_of(value: object) -> int:
    """Return the length of a sequence; 1 for another value, and for an array, which says its shape."""
    is_sequence = hasattr(type(value), "__len__") and hasattr(type(value), "__getitem__")
    if is_sequence and not hasattr(value, "__array__"):
        return len(value)  # type: ignore[arg-type]
    return 1


def digits_of_number(value: object) -> str | None:
    """Return the 81 digits of an integer that has lost its leading zeros; None for another object."""
    if isinstance(value, int) and _LEAST <= value <= _LARGEST:
        return str(value).zfill(81)
    return None


def refuse_lost_zeros(text: str) -> None:
    """Refuse digits whose leading zeros may be lost."""
    if _may_lack_zeros(text):
        raise InvalidPuzzleError(with_lost_zeros(wrong_size(len(text)), text))


def candidate_of(candidate: Candidate) -> tuple[int, int]:
    """Return the number of the cell and the digit of a candidate.

    Examples
    --------
    >>> candidate_of("r4c2=7")
    (28, 7)
    """
    if isinstance(candidate, str):
        name, _, text = candidate.partition("=")
        pair: tuple[Cell, int] = name, VALUES.get(text, 0)
    else:
        pair = candidate
    if not isinstance(pair, tuple) or len(pair) != 2 or not 1 <= pair[1] <= 9:
        raise ArgumentError(
            Message(
                "invalid candidate {candidate}; write (cell, digit), or a name such as r4c2=7",
                candidate=repr(candidate),
            )
        )
    return cell_number(pair[0]), int(pair[1])
