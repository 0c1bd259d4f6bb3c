"""One puzzle in any form as its 81 cells; arrays of puzzles as the bytes that the kernel reads.

Text needs no NumPy; it is imported for arrays and lists only.
"""

from __future__ import annotations

from functools import cache

from unidoku.cell import CELL_CODES, MISSING, PEERS, VALUES, WRONG, fault, wrong_cell, wrong_mark, wrong_size
from unidoku.errors import InvalidPuzzleError
from unidoku.parse.board import boards_of, symbols_in
from unidoku.parse.links import puzzle_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeGuard

    import numpy as np
    import numpy.typing as npt

_FRAME = str.maketrans("|*+:'", "     ")
_DIGITS = frozenset("123456789")
_EMPTY_GROUPS = frozenset(".0-")

# In arrays, a blank and an empty text, whose code is 0, are empty cells.
_TEXT_CODES = bytes(0 if code in b"\0 " else value for code, value in enumerate(CELL_CODES))
_PROBED = 1000  # rows examined to distinguish numbers from ASCII codes

LONGEST = 1 << 16
"""Most characters of a puzzle in any form, or of a link; longer text is refused before it is read."""


def cells_of(puzzle: object) -> bytes:
    """Return the 81 values 0..9 of a puzzle in any form that `unidoku.Grid` accepts, except a `Grid`."""
    if isinstance(puzzle, str):
        if len(puzzle) == 81 and puzzle.isascii():
            cells = puzzle.encode("ascii").translate(CELL_CODES)
            if WRONG not in cells:
                return cells
        _refuse_long(puzzle)
        return _of_text(puzzle)
    if is_bytes(puzzle):
        data = bytes(puzzle)
        return data if len(data) == 81 and max(data) <= 9 else cells_of(data.decode("latin-1"))
    value = one_value(puzzle)
    if value is not puzzle:
        return cells_of(value)
    _refuse_long(puzzle)
    return _of_array(puzzle)


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


def _of_text(text: str) -> bytes:
    """Parse a line of 81 characters, a board, perhaps with candidates, or a link."""
    if "://" in text:
        text = puzzle_of(text)
    symbols = "".join(text.split())
    are_cells = VALUES.keys() >= set(symbols)
    if are_cells and len(symbols) == 81:
        return bytes(map(VALUES.__getitem__, symbols))
    is_line = text.isascii() and len(text.splitlines()) <= 1
    if not is_line or len(text) > 81:  # a board; of many wrong rows, each would take long
        boards = set() if is_line and are_cells else boards_of(text)
        if len(boards) > 1:
            raise InvalidPuzzleError(f"the text may be any of {len(boards)} different puzzles")
        groups = _groups_of(text)
        if boards:
            (symbols,) = boards
        elif groups and all(group.isdecimal() or group in _EMPTY_GROUPS for group in groups):
            return clues_of(groups)
        elif len(symbols) != 81 and len(cells := symbols_in(text)) != 81:
            symbols = cells  # 81 that are no board are fields of a record: its separator is the fault
    wrong = next((place for place, symbol in enumerate(symbols[:81]) if symbol not in VALUES), None)
    if wrong is not None and len(symbols) != 256:
        raise InvalidPuzzleError(wrong_cell(symbols[wrong], wrong))
    if len(symbols) != 81:
        raise InvalidPuzzleError(wrong_size(len(symbols)))
    return bytes(map(VALUES.__getitem__, symbols))


def marks_of_text(text: str) -> bytes | None:
    """Return the pencil marks in 729 characters, or in a drawing of 81 groups of digits; or None."""
    _refuse_long(text)
    symbols = "".join(text.split())
    if len(symbols) != 729:
        groups = _groups_of(text)
        if groups is None:
            return None
        symbols = "".join(map(marks_of_group, groups))
    for place, symbol in enumerate(symbols):
        if VALUES.get(symbol, WRONG) not in {0, place % 9 + 1}:
            raise InvalidPuzzleError(wrong_mark(symbol, place))
    return bytes(VALUES[symbol] for symbol in symbols)


def _groups_of(text: str) -> list[str] | None:
    """Return the 81 groups of candidates in a drawing, or None."""
    lines = (line for line in text.splitlines() if "---" not in line or any(map(str.isdigit, line)))
    groups = "\n".join(lines).translate(_FRAME).split()
    return groups if len(groups) == 81 and max(map(len, groups)) > 1 else None


def marks_of_group(group: str) -> str:
    """Return the nine marks of a cell of a drawing; an empty cell may have any digit."""
    return "".join(digit if group in _EMPTY_GROUPS or digit in group else "." for digit in "123456789")


def clues_of(groups: Sequence[str]) -> bytes:
    """Return the clues in the candidates of 81 cells, as the 81 values of a puzzle.

    A clue is a single digit that no other cell of its houses has among several candidates (HoDoKu's rule).
    """
    several = [group if 1 < len(group) < 9 else "" for group in groups]
    return bytes(
        int(group) if group in _DIGITS and not any(group in several[peer] for peer in PEERS[cell]) else 0
        for cell, group in enumerate(groups)
    )


def array_of(puzzles: Any) -> npt.NDArray[Any]:
    """Return an object as an array; a null of Arrow is None."""
    import numpy as np

    if isinstance(puzzles, np.ma.MaskedArray):
        raise TypeError("puzzles cannot be a masked array")
    if hasattr(puzzles, "to_pylist") and getattr(puzzles, "null_count", False):  # NumPy would have floats
        puzzles = puzzles.to_pylist()
    return np.asarray(puzzles)


def _of_array(puzzle: object) -> bytes:
    if is_missing(puzzle):
        raise InvalidPuzzleError(MISSING)
    try:
        array = array_of(puzzle)
    except ValueError:
        raise InvalidPuzzleError(fault("81 cells", "rows of different lengths")) from None
    if array.dtype.kind in "US" and array.shape == (9,):
        rows: Any = array.tolist()
        return cells_of(("" if array.dtype.kind == "U" else b"").join(rows))
    is_other = array.size > 0 and array.dtype.kind not in "iuOUS"
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


def read_array(array: npt.NDArray[Any]) -> tuple[npt.NDArray[np.uint8], dict[int, str]]:
    """Return the cells of n puzzles, uint8[n, 81], and why rows are no puzzles: their cells are 0.

    Numbers of any type may be ASCII codes: most of the first ones say so.
    """
    import numpy as np

    kind = array.dtype.kind
    if array.shape[1:] not in {(81,), (9, 9)} or kind not in "iuOUS":
        raise InvalidPuzzleError(_requirement(array))
    rows = np.ascontiguousarray(array.reshape(-1, 81))
    values: npt.NDArray[np.uint8]
    is_text = rows.dtype.str[1:] in {"U1", "S1"}
    if kind in "OUS" and not is_text:
        try:
            values = _look_up()(rows.astype(np.object_), WRONG).astype(np.uint8)
        except TypeError:  # a cell that cannot be hashed, such as a list
            raise InvalidPuzzleError(_requirement(array)) from None
    else:
        codes: Any = rows.view(np.uint32 if kind == "U" else np.uint8) if is_text else rows
        values = codes.astype(np.uint8, copy=False)
        if codes.dtype != np.uint8:
            values[(codes < 0) | (codes > WRONG)] = WRONG
        sample = values[:_PROBED]
        symbols = np.count_nonzero((sample >= ord(" ")) & (sample != WRONG))
        is_text = is_text or bool(symbols > np.count_nonzero(sample <= 9))
        if is_text:
            values = np.frombuffer(values.tobytes().translate(_TEXT_CODES), np.uint8).reshape(-1, 81)
    if not values.size or values.max() <= 9:
        return values, {}
    reasons = {}
    for row in np.flatnonzero((values > 9).any(axis=1)).tolist():
        cell = int(np.argmax(values[row] > 9))
        value = rows[row].item(cell)
        reasons[row] = wrong_cell(chr(value) if is_text and value in range(256) else value, cell)
    values = values.copy()  # the caller may own the memory
    values[[*reasons]] = 0
    return values, reasons


def _requirement(array: npt.NDArray[Any]) -> str:
    if array.shape[1:] in {(256,), (16, 16)}:
        return wrong_size(256)
    requirement = "an array of shape (n, 81) or (n, 9, 9) of integers or one-character strings"
    return fault(requirement, _form(array))


def _form(array: npt.NDArray[Any]) -> str:
    """Return the shape and the type of an array that is refused."""
    return f"shape {array.shape} and type {array.dtype}"
