"""One puzzle in any form as its 81 cells, and pencil marks; usual forms need no NumPy."""

from __future__ import annotations

import re

from unidoku._native.text.columns import usual_cells
from unidoku._parse.forms import PUZZLES
from unidoku._parse.text import decode_text, is_bytes
from unidoku.cell import (
    CELL_CODES,
    VALUES,
    digits_of_number,
    refuse_long,
    refuse_lost_zeros,
    row_twice,
    symbols_of,
)
from unidoku.errors import READ, InvalidPuzzleError, UnidokuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unidoku._parse.board import Board

_FILE_NAME = r"[^\n]{1,200}\.[A-Za-z][A-Za-z0-9]{0,9}"


def cells_of(puzzle: object) -> bytes | Board:
    """Return the 81 values 0..9 of a puzzle in any form that `unidoku.Grid` accepts, except a `Grid`.

    Of a text that draws candidates it is the board with its marks.
    """
    if (cells := usual_cells(puzzle)) is not None:
        return cells
    if not isinstance(puzzle, str):
        puzzle = _text_or_values(puzzle)
        if isinstance(puzzle, bytes):
            return puzzle
    if known := PUZZLES.cells_in(puzzle):
        return known.encode().translate(CELL_CODES)
    refuse_long(puzzle)
    refuse_lost_zeros(puzzle)
    from unidoku._parse.contents import only_board  # not at the top: 81 characters need no reader

    try:
        board = only_board(puzzle)
    except InvalidPuzzleError as error:
        if is_file_name(puzzle):
            error.advice = READ
        raise
    if board.marks:
        return board
    return board.cells.encode().translate(CELL_CODES)


def _text_or_values(puzzle: object) -> str | bytes:
    """Return a puzzle other than a text as a text, or as its 81 values."""
    if is_bytes(puzzle):
        data = bytes(puzzle)
        return usual_cells(data) or decode_text(data)
    if digits := digits_of_number(puzzle):
        return digits
    try:
        return _of_object(puzzle)
    except (UnidokuError, MemoryError):
        raise
    except Exception as error:
        from unidoku._parse.arrays import foreign_error  # not at the top: texts start faster

        raise foreign_error(puzzle, error) from error


def _of_object(puzzle: object) -> str | bytes:
    """Return the same for an object, which may have the codes of another program."""
    from unidoku._parse.arrays import array_in, one_value, read_array  # not at the top: texts start faster

    found = one_value(puzzle)
    if found is puzzle:
        refuse_long(puzzle)
        found = array_in(puzzle)
        if not isinstance(found, str | bytes):
            rows, reasons = read_array(found.reshape(1, 81))
            if reasons:
                raise InvalidPuzzleError(reasons[0])
            cells, has_rows = rows.tobytes(), isinstance(puzzle, list | tuple) and len(puzzle) == 9
            if has_rows and (twice := row_twice(symbols_of(cells))):
                raise InvalidPuzzleError(twice[1], row=twice[0] + 1)
            return cells
    if isinstance(found, str):
        return found
    return _text_or_values(found)


def is_file_name(text: str) -> bool:
    """Return whether a text without a board is like the name of a file."""
    return re.fullmatch(_FILE_NAME, text) is not None


def marks_of_text(text: str) -> bytes | None:
    """Return the pencil marks in 729 characters, or in a drawing of candidates; None for another text."""
    refuse_long(text)
    from unidoku._parse.contents import marks_in, only_board

    board = marks_in(text)
    if board is None:
        try:
            board = only_board(text)
        except InvalidPuzzleError:
            return None
    if board.marks is None:
        return None
    return bytes(map(VALUES.__getitem__, board.symbols))
