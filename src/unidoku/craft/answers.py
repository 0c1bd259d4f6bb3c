"""Grids in answers of any kind: texts, bytes, lists, arrays, or nothing."""

from __future__ import annotations

from typing import Any

from unidoku.cell import CELL_CODES, WRONG
from unidoku.errors import InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.parse.text import array_of, is_bytes, is_missing, one_value, text_of
from unidoku.parse.uses import LONGEST_ANSWER, answer_in

NO_ANSWER = "no answer"
"""Why there is no grid where there is no answer."""

NO_GRID = "no grid of 81 cells in the answer"
"""Why there is none in an answer."""

_EMPTY = bytes(81)
_NONE = frozenset({"", "null", "none", "nan", "n/a"})


def read_answer(answer: Any) -> tuple[bytes, str]:
    """Return the grid in an answer, cells 0 to 9, and an empty text; or an empty grid and why there is none.

    Of a text it is the last full grid, or else the last grid, in any layout that a puzzle may have; only the
    last `LONGEST_ANSWER` characters are read, in linear time.
    """
    try:
        return _cells_of(answer), ""
    except InvalidPuzzleError as error:
        return _EMPTY, error.message
    except Exception:  # an object of another program may raise anything
        return _EMPTY, NO_GRID


def _cells_of(answer: Any) -> bytes:
    """Return the cells of the grid in an answer; an error if there is none."""
    if isinstance(answer, Grid):
        return answer.cells
    if isinstance(answer, str):
        return _cells_in(answer)
    if is_bytes(answer):
        data = bytes(memoryview(answer).cast("B")[-4 * LONGEST_ANSWER :])
        return data if len(data) == 81 and max(data) <= 9 else _cells_in(text_of(data))
    if is_missing(answer):
        raise InvalidPuzzleError(NO_ANSWER)
    if isinstance(answer, float):
        raise InvalidPuzzleError(NO_GRID)
    value = one_value(answer)
    if value is not answer:
        return _cells_of(value)
    is_list = isinstance(answer, list | tuple)
    if len(answer) > 81 or (is_list and len(answer) not in {9, 81}):
        raise InvalidPuzzleError(NO_GRID)
    try:
        array = array_of(answer)
    except ValueError:  # rows of different lengths
        raise InvalidPuzzleError(NO_GRID) from None
    if (array.size != 81 and not (is_list and array.shape == (9,))) or all(
        map(is_missing, array.ravel().tolist())
    ):
        raise InvalidPuzzleError(NO_GRID)
    return Grid(answer).cells


def _cells_in(text: str) -> bytes:
    """Return the cells of the grid in a text."""
    if len(text) == 81 and text.isascii():
        cells = text.encode("ascii").translate(CELL_CODES)
        if WRONG not in cells:
            return cells
    if text.strip().lower() in _NONE:
        raise InvalidPuzzleError(NO_ANSWER)
    board = answer_in(text)
    if board is None:
        raise InvalidPuzzleError(NO_GRID)
    return board.cells.encode().translate(CELL_CODES)
