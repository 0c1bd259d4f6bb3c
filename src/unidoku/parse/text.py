"""One puzzle in any form as its 81 cells; arrays of puzzles as the bytes that the kernel reads.

Text needs no NumPy; it is imported for arrays and lists only.
"""

from __future__ import annotations

from functools import cache

from unidoku.cell import CELL_CODES, MISSING, VALUES, WRONG, fault, wrong_cell, wrong_mark, wrong_size
from unidoku.errors import InvalidPuzzleError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeGuard

    import numpy as np
    import numpy.typing as npt

    from unidoku.parse.boards import Board

# In arrays, a blank and an empty text, whose code is 0, are empty cells.
_TEXT_CODES = bytes(0 if code in b"\0 " else value for code, value in enumerate(CELL_CODES))
_PROBED = 1000  # rows examined to distinguish numbers from ASCII codes
_BLOCK = 4096  # rows that are read at a time, so that a `Cancel` ends it

LONGEST = 1 << 16
"""Most characters of a puzzle in any form, or of a link; longer text is refused before it is read."""


def cells_of(puzzle: object) -> bytes | Board:
    """Return the 81 values 0..9 of a puzzle in any form that `unidoku.Grid` accepts, except a `Grid`.

    Of a text that draws candidates it is the board with its marks.
    """
    if isinstance(puzzle, str):
        if len(puzzle) == 81 and puzzle.isascii():
            cells = puzzle.encode("ascii").translate(CELL_CODES)
            if WRONG not in cells:
                return cells
        _refuse_long(puzzle)
        from unidoku.parse.reader import puzzle_in  # not at the top: 81 characters need no reader

        board = puzzle_in(puzzle)
        return board if board.marks else board.cells.encode().translate(CELL_CODES)
    if is_bytes(puzzle):
        data = bytes(puzzle)
        return data if len(data) == 81 and max(data) <= 9 else cells_of(text_of(data))
    value = one_value(puzzle)
    if value is not puzzle:
        return cells_of(value)
    _refuse_long(puzzle)
    return _of_array(puzzle)


def text_of(data: bytes) -> str:
    """Decode a text: UTF-8, UTF-16 with its mark, or else Windows-1252, which older programs write."""
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def is_bytes(puzzle: object) -> TypeGuard[bytes | bytearray | memoryview]:
    """Return whether an object is bytes, or a view of such: of larger items it is an array."""
    return isinstance(puzzle, bytes | bytearray) or (isinstance(puzzle, memoryview) and puzzle.itemsize == 1)


def one_value(puzzle: Any) -> Any:
    """Return the value in an Arrow scalar or an array without a dimension; any other object as it is.

    A masked array is such an object: its value may be hidden.
    """
    if hasattr(puzzle, "as_py"):
        return puzzle.as_py()
    return puzzle.item() if getattr(puzzle, "shape", None) == () and not hasattr(puzzle, "mask") else puzzle


def is_missing(value: Any) -> bool:
    """Return whether a value stands for none: None, NaN, or what pandas has in its place."""
    is_nan = isinstance(value, float) and value != value  # noqa: PLR0124
    return value is None or is_nan or type(value).__name__ in {"NAType", "NaTType"}


def _refuse_long(puzzle: object) -> None:
    """Refuse a text or a list that is too long for a puzzle in any form."""
    if isinstance(puzzle, str | list | tuple) and len(puzzle) > LONGEST:
        raise InvalidPuzzleError(fault("81 cells", f"{len(puzzle)} characters or values"))


def marks_of_text(text: str) -> bytes | None:
    """Return the pencil marks in 729 characters, or in a drawing of candidates; None for another text."""
    _refuse_long(text)
    symbols = "".join(text.split())
    if len(symbols) == 729:
        for place, symbol in enumerate(symbols):
            if VALUES.get(symbol, WRONG) not in {0, place % 9 + 1}:
                raise InvalidPuzzleError(wrong_mark(symbol, place))
    else:
        from unidoku.parse.reader import puzzle_in

        try:
            board = puzzle_in(text)
        except InvalidPuzzleError:
            return None
        if board.marks is None:
            return None
        symbols = board.symbols
    return bytes(VALUES[symbol] for symbol in symbols)


def array_of(puzzles: Any) -> npt.NDArray[Any]:
    """Return an object as an array; a null of Arrow is None."""
    import numpy as np

    if isinstance(puzzles, np.ma.MaskedArray):
        raise TypeError("puzzles cannot be a masked array")
    if hasattr(puzzles, "to_pylist") and getattr(puzzles, "null_count", False):  # NumPy would have floats
        puzzles = puzzles.to_pylist()
    return np.asarray(puzzles)


def _of_array(puzzle: object) -> bytes | Board:
    if is_missing(puzzle):
        raise InvalidPuzzleError(MISSING)
    try:
        array = array_of(puzzle)
    except ValueError:
        raise InvalidPuzzleError(fault("81 cells", "rows of different lengths")) from None
    if array.dtype.kind in "US" and array.shape == (9,):
        rows: Any = array.tolist()
        return cells_of(("" if array.dtype.kind == "U" else b"").join(rows))
    is_other = array.size > 0 and array.dtype.kind not in "iufOUS"
    if is_other or (array.size != 81 and array.ndim not in {1, 2}):
        actual = f"{type(puzzle).__name__} of {_form(array)}"
        raise InvalidPuzzleError(fault("text, bytes, or 81 integers or characters", actual))
    if array.size != 81:
        raise InvalidPuzzleError(wrong_size(array.size))
    cells, reasons = read_array(array.reshape(1, 81))
    if reasons:
        raise InvalidPuzzleError(reasons[0])
    return cells.tobytes()


@cache
def _look_up() -> Callable[[npt.NDArray[Any], int], Any]:
    """Return the function that looks up the values of objects; where one is no cell, it is another value."""
    import numpy as np

    values: dict[object, int] = {None: 0, **dict(enumerate(range(10)))}
    for symbol, value in {**VALUES, "": 0, " ": 0}.items():
        values[symbol] = values[symbol.encode()] = value
    return np.frompyfunc(values.get, 2, 1)


def read_array(
    array: npt.NDArray[Any], cancel: object = None
) -> tuple[npt.NDArray[np.uint8], dict[int, str]]:
    """Return the cells of n puzzles, uint8[n, 81], and why rows are no puzzles: their cells are 0.

    Numbers of any type may be ASCII codes: most of the first ones say so.  The cells are those of the caller
    if they have this form.  If `cancel` becomes true, the rows that are left are empty.
    """
    import numpy as np

    if array.shape[1:] not in {(81,), (9, 9)} or array.dtype.kind not in "iufOUS":
        raise InvalidPuzzleError(_requirement(array))
    if len(array) <= _BLOCK:
        return _read_block(array, None, cancel)
    starts, rows = range(0, len(array), _BLOCK), array.reshape(-1, 81)
    is_text = _are_symbols(_codes(rows[:_PROBED])) if array.dtype.kind in "iuf" else None
    is_in_place = array.dtype == np.uint8 and array.flags.c_contiguous and not is_text
    if is_in_place and all(not cancel and rows[start : start + _BLOCK].max() <= 9 for start in starts):
        return rows, {}
    cells, reasons = np.zeros((len(array), 81), np.uint8), dict[int, str]()
    for start in starts:
        if cancel:
            break
        cells[start : start + _BLOCK], own = _read_block(rows[start : start + _BLOCK], is_text, cancel)
        reasons |= {start + row: reason for row, reason in own.items()}
    return cells, reasons


def _are_symbols(codes: npt.NDArray[np.uint8]) -> bool:
    """Return whether more numbers are ASCII codes than cells."""
    import numpy as np

    symbols = np.count_nonzero((codes >= ord(" ")) & (codes != WRONG))
    return bool(symbols > np.count_nonzero(codes <= 9))


def _codes(numbers: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Return numbers as bytes, `WRONG` for one that is none; NaN is 0."""
    import numpy as np

    if numbers.dtype.kind == "f":
        numbers = np.where(np.isnan(numbers), 0, numbers)
        is_small = (numbers == np.trunc(numbers)) & (np.abs(numbers) < WRONG)
        numbers = np.where(is_small, numbers, WRONG).astype(np.int16)
    codes = numbers.astype(np.uint8, copy=False)
    if numbers.dtype != np.uint8:
        codes[(numbers < 0) | (numbers > WRONG)] = WRONG
    return codes


def _read_block(
    array: npt.NDArray[Any], is_text: bool | None, cancel: object
) -> tuple[npt.NDArray[np.uint8], dict[int, str]]:
    """Return the cells of some rows of an array, and why rows are no puzzles.

    Without `is_text`, the first rows say whether numbers are ASCII codes.
    """
    import numpy as np

    kind, rows = array.dtype.kind, np.ascontiguousarray(array.reshape(-1, 81))
    values: npt.NDArray[np.uint8]
    is_character = kind in "US" and rows.itemsize == (4 if kind == "U" else 1)
    if kind in "OUS" and not is_character:
        try:
            values = _look_up()(rows.astype(np.object_), WRONG).astype(np.uint8)
        except TypeError:  # a cell that cannot be hashed, such as a list
            raise InvalidPuzzleError(_requirement(array)) from None
    else:
        values = _codes(rows.view(np.uint32 if kind == "U" else np.uint8) if is_character else rows)
        if not is_text and not is_character and values.size and values.max() <= 9:
            return values, {}
        if is_text is None:
            is_text = is_character or _are_symbols(values[:_PROBED])
        if is_text:
            values = np.frombuffer(values.tobytes().translate(_TEXT_CODES), np.uint8).reshape(-1, 81)
    if not values.size or values.max() <= 9:
        return values, {}
    wrong = np.flatnonzero((values > 9).any(axis=1))
    values = values.copy()  # the caller may own the memory
    shown: Any = rows[wrong]
    if is_text:
        shown = np.frompyfunc(lambda code: chr(code) if code in range(256) else code, 1, 1)(shown)
    values[wrong], reasons = _read_alone(shown.astype(np.object_), cancel)
    return values, {int(wrong[number]): reason for number, reason in reasons.items()}


def _read_alone(
    rows: npt.NDArray[np.object_], cancel: object
) -> tuple[npt.NDArray[np.uint8], dict[int, str]]:
    """Return the cells of rows of objects, cell by cell; -1, NaN and other signs for none are empty cells."""
    import numpy as np

    cells, reasons = np.zeros((len(rows), 81), np.uint8), dict[int, str]()
    for number, row in enumerate(rows):
        if cancel:
            break
        values = [_value_of(value) for value in row.tolist()]
        wrong = next((cell for cell, value in enumerate(values) if value is None), None)
        if -1 in values and any(_is_zero(value) for value in row.tolist()):  # perhaps digits 0 to 8
            wrong = values.index(-1)
        if wrong is None:
            cells[number] = [max(value or 0, 0) for value in values]
        else:
            reasons[number] = wrong_cell(row[wrong], wrong)
    return cells, reasons


def _value_of(value: Any) -> int | None:
    """Return the value of an object as a cell, -1 where it is that; None for another object."""
    value = one_value(value)
    if is_missing(value):
        return 0
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    if isinstance(value, str):
        return 0 if value in {"", " ", "\0"} else VALUES.get(value)
    return int(value) if isinstance(value, int | float) and value in range(-1, 10) else None


def _is_zero(value: Any) -> bool:
    """Return whether an object is the number or the character 0."""
    return value in {"0", b"0"} if isinstance(value, str | bytes) else value == 0


def _requirement(array: npt.NDArray[Any]) -> str:
    if array.shape[1:] in {(256,), (16, 16)}:
        return wrong_size(256)
    requirement = "an array of shape (n, 81) or (n, 9, 9) of integers or one-character strings"
    return fault(requirement, _form(array))


def _form(array: npt.NDArray[Any]) -> str:
    """Return the shape and the type of an array that is refused."""
    return f"shape {array.shape} and type {array.dtype}"
