"""Convert arrays of numbers, characters or objects to the bytes that the kernel reads.

This module needs NumPy; `unidoku.grid` parses text without it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from unidoku.cell import OTHER_SIZE, VALUES, WRONG, fault, wrong_cell
from unidoku.errors import InvalidPuzzleError

__all__ = ["cell_codes", "describe_cell"]


class _Objects(dict[Any, int]):
    """The value of each object that is a cell."""

    def __missing__(self, key: Any) -> int:
        return WRONG


_OBJECTS = _Objects({digit: digit for digit in range(10)} | {None: 0})
for _symbol, _value in {**VALUES, "": 0, " ": 0}.items():
    _OBJECTS[_symbol] = _OBJECTS[_symbol.encode()] = _value
_LOOK_UP = np.frompyfunc(_OBJECTS.__getitem__, 1, 1)


def cell_codes(array: npt.NDArray[Any]) -> tuple[npt.NDArray[np.uint8], int | None]:
    """Convert an array of n puzzles to bytes."""
    kind = array.dtype.kind
    if kind in "US" and array.ndim == 2 and array.shape[1] == 9:
        return _characters(array), 48
    if array.shape[1:] not in {(81,), (9, 9)} or kind not in "iuOUS":
        raise InvalidPuzzleError(_expected(array))
    array = array.reshape(-1, 81)
    if kind == "O":
        try:
            found: Any = _LOOK_UP(array)
            return found.astype(np.uint8), 0
        except TypeError:  # a cell that cannot be hashed, such as a list
            raise InvalidPuzzleError(_expected(array)) from None
    if kind in "US":
        return _characters(array), 48
    if array.dtype != np.uint8:
        outside = (array < 0) | (array > WRONG)
        if outside.any():
            array = np.where(outside, WRONG, array)
        array = array.astype(np.uint8)
    return np.ascontiguousarray(array), None


def _characters(array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Return the codes of an array of strings with 81 characters per puzzle."""
    unit: Any = np.uint32 if array.dtype.kind == "U" else np.uint8
    length = array.dtype.itemsize // np.dtype(unit).itemsize
    codes = np.ascontiguousarray(array).view(unit).reshape(*array.shape, length)
    width = 81 // array.shape[1]
    if length < width:
        codes = np.pad(codes, ((0, 0), (0, 0), (0, width - length)))
    if codes.shape[2] > width:
        too_long: Any = codes[:, :, width:].any(axis=2)
        codes = np.where(too_long[:, :, None], WRONG, codes[:, :, :width])
    if width == 1:
        codes = np.where((codes == 0) | (codes == ord(" ")), ord("."), codes)
    found: npt.NDArray[np.uint8] = np.minimum(codes, WRONG).astype(np.uint8).reshape(-1, 81)
    return found


def _expected(array: npt.NDArray[Any]) -> str:
    if array.shape[1:] in {(256,), (16, 16)}:
        return OTHER_SIZE
    return (
        "puzzles are an array of shape (n, 81) or (n, 9, 9) of integers or one-character strings, "
        f"not of shape {array.shape} and type {array.dtype}"
    )


def describe_cell(value: Any, place: int) -> str:
    """Describe why a cell is invalid."""
    if isinstance(value, str | bytes):
        shown = value.decode("latin-1") if isinstance(value, bytes) else str(value)
        return fault(*wrong_cell(shown, place))
    return fault(*wrong_cell(value, place))
