"""Arrays of puzzles, and one array or list that is a puzzle, as the bytes that the kernel reads.

Reads the values that programs pass: NumPy's arrays of numbers, characters or objects, lists of these arrays,
values of Arrow and of pandas. Each row is read by itself, and its fault is reported.
"""

from __future__ import annotations

import os
from collections.abc import Hashable
from contextlib import suppress
from itertools import chain
from typing import Any

from unidoku._arguments import SEVERAL
from unidoku._compat import NDArray, np
from unidoku._native.text.columns import read_numbers, usual_cells
from unidoku._parse.text import decode_line
from unidoku.cell import (
    EMPTY_SYMBOLS,
    MISSING,
    VALUES,
    WRONG,
    digits_of_number,
    fault,
    in_cell,
    second_sign,
    size_message,
    wrong_cell,
    wrong_size,
)
from unidoku.errors import READ, InvalidPuzzleError, Message, Reason

_BLOCK = 4096  # rows that are read at a time, so that a `Cancel` ends it
_SAID = 200  # characters of the error of another program
_CHARACTERS = dict(enumerate(map(chr, range(256))))
_KINDS = "iufOUST"  # of arrays that may have cells
_EMPTY: dict[object, str] = {
    **dict.fromkeys(("", " ", "\0"), "None"),
    **dict(zip(EMPTY_SYMBOLS, EMPTY_SYMBOLS, strict=True)),
    0: "0",
    -1: "-1",
}
"""The values of an empty cell, each with its sign; as in a dictionary, 0.0 is 0."""
_VALUES = dict[object, int](chain(dict.fromkeys(_EMPTY, 0).items(), VALUES.items(), enumerate(range(10))))


def foreign_error(data: object, error: Exception) -> InvalidPuzzleError:
    """Return the error for an exception in another program's code while its data are read."""
    said = ""
    with suppress(Exception):  # this is also code of that program
        said = str(error).partition("\n")[0][:_SAID]
    name = f"{type(error).__name__}: {said}".removesuffix(": ")
    return InvalidPuzzleError(
        Reason("damaged", "{kind} cannot be read: {reason}", kind=type(data).__name__, reason=name)
    )


def one_value(puzzle: Any) -> Any:
    """Return the value in an Arrow scalar or an array without a dimension; any other object as it is.

    A masked array is such an object: its value may be hidden.
    """
    if hasattr(puzzle, "as_py"):
        return puzzle.as_py()
    if getattr(puzzle, "shape", None) == () and not hasattr(puzzle, "mask"):
        return puzzle.item()
    return puzzle


def is_missing(value: Any) -> bool:
    """Return whether a value is missing: None, NaN, or the missing value of pandas."""
    if isinstance(value, float):
        return value != value  # noqa: PLR0124
    return type(value).__name__ in {"NoneType", "NAType", "NaTType"}


def array_of(puzzles: Any) -> NDArray[Any]:
    """Return an object as an array; a null of Arrow is None."""
    if isinstance(puzzles, np.ma.MaskedArray):
        raise InvalidPuzzleError(
            Reason(
                "wrong_type",
                "a masked array cannot be read; fill its masked cells first, with array.filled(0)",
            )
        )
    return np.asarray(puzzles)


def array_in(puzzle: object) -> NDArray[Any] | str:
    """Return a puzzle as an array of 81 cells, or its nine rows as a text."""
    if is_missing(puzzle):
        raise InvalidPuzzleError(MISSING)
    refuse_batch(puzzle)
    array = _array_of_one(puzzle)
    kind, size = array.dtype.kind, array.size
    if array.shape == (9,) and kind in "UST":
        rows = array.astype(np.str_).tolist()
        if len({*map(len, rows)}) > 1:
            raise _uneven_rows()
        return "\n".join(rows)
    if array.ndim == 1 and kind in "UST" and {*map(len, array.tolist())} == {size}:
        size *= size  # each text is a row
    if kind not in _KINDS:
        raise _refused_form(puzzle, array)
    if size != 81:
        if array.ndim not in {1, 2}:
            raise _refused_form(puzzle, array)
        refusal = InvalidPuzzleError(wrong_size(size))
        refusal.advice = _advice(puzzle, array)
        raise refusal
    if array.shape == (27, 3):  # boxes, or a row, a column and a value of each clue
        raise InvalidPuzzleError(fault("wrong_length", size_message(), Message("81 cells in other groups")))
    return array.reshape(81)


def _array_of_one(puzzle: object) -> NDArray[Any]:
    """Return a puzzle as an array; the values of a list keep their types."""
    if not isinstance(puzzle, list | tuple):
        return array_of(puzzle)
    try:
        array = np.asarray(puzzle)
    except ValueError as error:
        raise _uneven_rows() from error
    objects = np.array(puzzle, np.object_)
    return array if len({*map(type, objects.flat)}) == 1 else objects


def _refused_form(puzzle: object, array: NDArray[Any]) -> InvalidPuzzleError:
    """Return the error about an object that is neither a text nor an array of cells."""
    requirement = Message("text, bytes, or 81 integers or characters")
    refusal = InvalidPuzzleError(fault("wrong_type", requirement, form_of(puzzle, array)))
    refusal.advice = READ if isinstance(puzzle, os.PathLike) else _advice(puzzle, array)
    return refusal


def refuse_batch(value: object) -> None:
    """Refuse a batch of a file, as `unidoku.read` yields it, in the place of its puzzles."""
    if type(value).__name__ == "PuzzleBatch":
        text = "expected puzzles, found a batch of unidoku.read; its puzzles are batch.cells"
        raise InvalidPuzzleError(Reason("wrong_type", text))


def _advice(puzzle: object, array: NDArray[Any]) -> str:
    """Return which function takes the puzzles of an array, if it has several in the place of one."""
    first: Any = next(iter(array.flat), None)
    is_puzzle = (hasattr(first, "__len__") and len(first) >= 81) or digits_of_number(first)
    if hasattr(puzzle, "columns"):
        return Message("this is a table; pass a column, such as check_many(frame['puzzle'])")
    return SEVERAL if is_puzzle or array.shape[1:] in {(81,), (9, 9)} else ""


def _uneven_rows() -> InvalidPuzzleError:
    """Return the error about rows of different lengths."""
    return InvalidPuzzleError(fault("wrong_length", size_message(), Message("rows of different lengths")))


def read_array(array: NDArray[Any], cancel: object = None) -> tuple[NDArray[np.uint8], dict[int, Reason]]:
    """Return the cells of n puzzles, uint8[n, 81], and why rows are not puzzles: their cells are 0.

    Each row is read by itself: numbers of any type are 0 to 9, or ASCII codes. The caller's own cells are
    returned if they have this form. If `cancel` becomes true, the remaining rows are empty.
    """
    from math import prod  # not at the top: texts start faster

    if prod(array.shape[1:]) != 81 or array.dtype.kind not in _KINDS:
        shapes = Message("an array of shape (n, 81) or (n, 9, 9) of integers or one-character strings")
        raise InvalidPuzzleError(fault("wrong_type", shapes, form_of(array, array)))
    rows = array.reshape(-1, 81)
    size = max(1, _BLOCK // max(1, rows.itemsize))  # so that a block stays in the cache of a core
    starts = range(0, len(rows), size)
    if rows.dtype in (np.int8, np.uint8):
        numbers = np.ascontiguousarray(rows).view(np.uint8)
        if numbers.max(initial=0) <= 9:
            return numbers, {}
    cells, reasons = np.zeros((len(rows), 81), np.uint8), dict[int, Reason]()
    for start in starts:
        if cancel:
            break
        cells[start : start + size], own = _read_block(rows[start : start + size], cancel)
        reasons |= {start + row: reason for row, reason in own.items()}
    return cells, reasons


def _read_block(rows: NDArray[Any], cancel: object) -> tuple[NDArray[np.uint8], dict[int, Reason]]:
    """Return the cells of some rows of an array, and why rows are not puzzles."""
    kind = rows.dtype.kind
    is_character = (kind, rows.itemsize) in {("U", 4), ("S", 1)}
    if kind in "OUST" and not is_character:
        usual = [*map(usual_cells, rows.tolist())]
        cells = bytearray().join(own or bytes(81) for own in usual)
        values = np.frombuffer(cells, np.uint8).reshape(-1, 81)
        wrong = [number for number, own in enumerate(usual) if own is None]
    else:
        numbers = _numbers(np.ascontiguousarray(rows))
        values = np.empty(rows.shape, np.uint8)
        data, is_float = numbers.view(np.uint8).reshape(-1), numbers.dtype.kind == "f"
        wrong = read_numbers(data, numbers.itemsize, values.reshape(-1), is_float, is_character)
    values[wrong], reasons = _read_alone(rows[wrong], cancel)
    return values, {wrong[number]: reason for number, reason in reasons.items()}


def _numbers(rows: NDArray[Any]) -> NDArray[Any]:
    """Return contiguous numbers or characters as unsigned integers or floats of this machine."""
    kind, size = rows.dtype.kind, rows.itemsize
    if kind != "f":
        numbers = rows.view(np.dtype(f"u{size}").newbyteorder(rows.dtype.byteorder))
        return numbers.astype(numbers.dtype.newbyteorder("="), copy=False)
    floats = rows.astype(np.float64)
    floats[(floats != rows) & ~np.isnan(rows)] = WRONG  # a long double next to a digit
    return floats


def _read_alone(rows: NDArray[Any], cancel: object) -> tuple[NDArray[np.uint8], dict[int, Reason]]:
    """Return the cells of rows, cell by cell; -1, NaN and other signs for none are empty cells."""
    cells, reasons = np.zeros((len(rows), 81), np.uint8), dict[int, Reason]()
    are_numbers = rows.dtype.kind in "iuf"
    for number, row in enumerate(rows):
        if cancel:
            break
        own = row.tolist()
        if are_numbers and (row >= ord(" ")).sum() > (row <= 9).sum():  # of characters
            own = [_CHARACTERS.get(code, code) for code in own]
        try:
            cells[number] = _cells_of_values(own)
        except InvalidPuzzleError as error:
            reasons[number] = error.message
        except MemoryError:
            raise
        except Exception as error:
            reasons[number] = foreign_error(own, error).message
    return cells, reasons


def _cells_of_values(own: list[Any]) -> list[int]:
    """Return the cells of 81 values of any types."""
    values, signs = zip(*map(_cell_of, own), strict=True)
    if WRONG in values:
        wrong = values.index(WRONG)
        raise InvalidPuzzleError(wrong_cell(own[wrong], wrong))
    if second := second_sign(signs):
        raise InvalidPuzzleError(fault("wrong_symbol", second[1], in_cell(repr(own[second[0]]), second[0])))
    return list(values)


def _cell_of(value: Any) -> tuple[int, str]:
    """Return the value of an object as a cell, `WRONG` for another; its sign if empty."""
    value = one_value(value)
    if isinstance(value, bytes):
        value = decode_line(value)
    if is_missing(value):
        return 0, "None"
    if isinstance(value, bool | np.bool_) or not isinstance(value, Hashable):
        return WRONG, ""
    return _VALUES.get(value, WRONG), _EMPTY.get(value, "")


def form_of(value: object, array: NDArray[Any]) -> str:
    """Describe a refused value: its type, the shape of an array, or the number."""
    name = type(value).__name__
    if array.ndim:
        text = "{kind} of shape {shape} and type {type}"
        return Message(text, kind=name, shape=array.shape, type=array.dtype)
    if isinstance(value, int | float):
        return f"{name} {value!r:.40}"
    return name
