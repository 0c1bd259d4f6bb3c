"""Convert puzzles in every supported form to rows that the native modules read.

Forms that hold the cells already (arrays of bytes, Arrow columns, lines) are read in place; all others are
converted by NumPy or by joining strings, never cell by cell.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

from unidoku import arrow
from unidoku.cell import CELL_CODES, MISSING, fault, wrong_mark, wrong_size
from unidoku.errors import FormatError, InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.native.text.columns import first_bad, scan_strings
from unidoku.native.text.scan import equal_lines
from unidoku.parse import cell_codes, describe_cell

if TYPE_CHECKING:
    import numpy.typing as npt

    class SupportsArrow(Protocol):
        """An object with the Arrow PyCapsule interface."""

        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

    Rows: TypeAlias = npt.NDArray[Any] | bytes | bytearray | memoryview | Sequence[Any] | SupportsArrow

__all__ = ["Part", "Puzzles", "invalid_row", "puzzles_of", "refuse_word"]

_TEXT = 48  # code of digit 0 in text
_PENCIL_MARKS = 729
_PROBED = 1000  # rows examined to distinguish numbers from ASCII codes
_ONE_PUZZLE = "this is one puzzle; unidoku.check takes one, check_many a sequence of puzzles"


@dataclass(frozen=True, slots=True)
class Part:
    """Puzzles in one buffer."""

    text: Any
    starts: npt.NDArray[np.int64]
    zero: int
    first: int = 0
    rows: npt.NDArray[np.int64] | None = None
    marked: Sequence[int] = ()
    checked: bool = False
    given: npt.NDArray[Any] | None = None

    def __len__(self) -> int:
        return len(self.starts)

    def row(self, k: int) -> int:
        """Return the row of puzzle `k`."""
        return self.first + k if self.rows is None else int(self.rows[k])

    def rows_of(self, begin: int, end: int) -> slice | npt.NDArray[np.int64]:
        """Return the rows of puzzles `begin` to `end`, as an index of result arrays."""
        if self.rows is None:
            return slice(self.first + begin, self.first + end)
        return self.rows[begin:end]

    def marked_in(self, begin: int, end: int) -> list[int]:
        """Return the pencil-mark puzzles among puzzles `begin` to `end`, counted from `begin`."""
        return [
            k - begin for k in self.marked[bisect_left(self.marked, begin) : bisect_left(self.marked, end)]
        ]

    def bad(self, begin: int, end: int) -> list[int]:
        """Return the puzzles among `begin` to `end` that have an invalid cell."""
        found: list[int] = []
        while not self.checked and begin < end:
            next_bad = first_bad(self.text, self.starts[begin:end], self.zero)
            if next_bad < 0:
                break
            begin += next_bad + 1
            found.append(begin - 1)
        return found

    def reason(self, k: int) -> str:
        """Describe the invalid cell of puzzle `k`."""
        start = int(self.starts[k])
        codes = bytes(memoryview(self.text)[start : start + 81])
        values = codes if self.zero == 0 else codes.translate(CELL_CODES)
        cell = next(cell for cell, value in enumerate(values) if value > 9)
        if self.given is not None:
            return describe_cell(self.given[k].item(cell), cell)
        return describe_cell(codes[cell] if self.zero == 0 else chr(codes[cell]), cell)


@dataclass(slots=True)
class Puzzles:
    """The rows of a batch."""

    count: int
    parts: list[Part] = field(default_factory=list)
    reasons: dict[int, str] = field(default_factory=dict)

    def slices(self, size: int) -> list[tuple[Part, int, int]]:
        """Cut the parts into slices of at most `size` puzzles."""
        return [
            (part, begin, min(begin + size, len(part)))
            for part in self.parts
            for begin in range(0, len(part), size)
        ]

    def raise_first(self) -> None:
        """Raise the error of the first row that the conversion found not to be a puzzle, if any."""
        if not self.reasons:
            return
        for part in self.parts:
            for k in part.bad(0, len(part))[:1]:
                self.reasons.setdefault(part.row(k), part.reason(k))
        row = min(self.reasons)
        raise invalid_row(row, self.reasons[row])


def refuse_word(errors: object) -> None:
    """Refuse a word that does not say what to do with a row that is not a puzzle."""
    if errors not in {"raise", "invalid"}:
        raise ValueError(f"errors must be 'raise' or 'invalid', not {errors!r}")


def invalid_row(row: int, reason: str) -> InvalidPuzzleError:
    """Return the error for a row that is not a puzzle."""
    return InvalidPuzzleError(reason, row=row)


def puzzles_of(data: Rows) -> Puzzles:
    """Convert puzzles in any form that `check_many` accepts."""
    if isinstance(data, (bytes, bytearray)) or (isinstance(data, memoryview) and data.ndim == 1):
        return _of_lines(bytes(data))
    if isinstance(data, str | Grid):
        raise InvalidPuzzleError(_ONE_PUZZLE)
    has_array = hasattr(data, "__array__") or hasattr(data, "__array_interface__")
    if arrow.has_interface(data) and (arrow.installed() or not has_array):
        try:
            return _of_arrow(data)
        except InvalidPuzzleError:  # perhaps a column of another type, or a table
            try:
                return _of_array(np.asarray(data))
            except (InvalidPuzzleError, ValueError):
                pass
            raise
    if has_array or isinstance(data, memoryview):
        return _of_array(np.asarray(data))
    if isinstance(data, Iterable):
        return _of_sequence(list(data))
    raise InvalidPuzzleError(
        "puzzles are an array, bytes of lines, a sequence of puzzles, or an Arrow column, "
        f"not {type(data).__name__}"
    )


def _of_arrow(column: Any) -> Puzzles:
    try:
        chunks = arrow.chunked(column).chunks
        pieces = [(array, list(arrow.pieces(array))) for array in chunks]
    except FormatError as error:
        hint = "; check_table takes a table" if hasattr(column, "columns") else ""
        raise InvalidPuzzleError(f"{error.message}{hint}") from None
    puzzles = Puzzles(0)
    for array, found in pieces:
        for piece in found:
            first = puzzles.count + piece.first
            # without rejected rows, the rows of the puzzles are consecutive
            rows = first + piece.rows if piece.rejects else None
            puzzles.parts.append(
                Part(piece.text, piece.starts, _TEXT, first, rows, marked=piece.marked, checked=True)
            )
            for reject in piece.rejects:
                text = arrow.text_of(array, piece.first + reject.row)
                expected, what = arrow.describe_reject(reject.code, reject.extra, text)
                puzzles.reasons[first + reject.row] = fault(expected, what)
        puzzles.count += len(array)
    return puzzles


def _of_array(array: npt.NDArray[Any]) -> Puzzles:
    if array.dtype.kind in "OTUS" and array.ndim == 1:
        return _of_sequence(array.tolist())
    if array.shape in {(81,), (9, 9)}:
        raise InvalidPuzzleError(_ONE_PUZZLE)
    codes, zero = cell_codes(array)
    n = len(codes)
    if zero is None:
        zero = _zero_of(codes)
    given = None
    if array.dtype != np.uint8 and array.shape[1:] != (9,):
        given = array.reshape(-1, 81)
    return Puzzles(n, [Part(codes.reshape(-1), _every(81, n), zero, given=given)])


def _zero_of(codes: npt.NDArray[np.uint8]) -> int:
    """Return the code of digit 0, by the first valid row: 0 for numbers, 48 for ASCII codes."""
    start = np.zeros(1, np.int64)
    for row in codes[:_PROBED]:
        if row.max() <= 9:
            return 0
        if first_bad(row, start, _TEXT) < 0:
            return _TEXT
    return 0 if not codes.size or np.median(codes[0]) <= 9 else _TEXT


def _of_lines(text: bytes) -> Puzzles:
    if text and equal_lines(text, 81):
        count = (len(text) + 1) // 82
        return Puzzles(count, [Part(text, _every(82, count), _TEXT)])
    codes = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(codes == ord("\n"))
    if codes.size and codes[-1] != ord("\n"):
        ends = np.append(ends, codes.size)
    starts = np.append(0, ends[:-1] + 1).astype(np.int64) if ends.size else np.empty(0, np.int64)
    lengths = ends - starts
    if codes.size:  # without a carriage return at the end
        lengths = lengths - ((lengths > 0) & (codes[np.maximum(ends - 1, 0)] == ord("\r")))
    if (lengths == 81).all():
        return Puzzles(len(starts), [Part(text, starts, _TEXT)])
    return _of_places(text, starts, lengths)


def _of_places(text: bytes, starts: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> Puzzles:
    """Convert rows of any lengths in one text."""
    puzzles = Puzzles(len(starts))
    fits = (lengths == 81) | (lengths == _PENCIL_MARKS)
    offset, row, code_of = np.empty(1, np.int64), np.empty(1, np.int64), {}
    for k in np.flatnonzero(lengths == _PENCIL_MARKS).tolist():
        marks = memoryview(text)[starts[k] : starts[k] + _PENCIL_MARKS]
        _, _, rejects = scan_strings(marks, b"", -_PENCIL_MARKS, 0, 1, b"", offset, row)
        if rejects:
            fits[k] = False
            code_of[k] = rejects[0][3]
    for k in np.flatnonzero(~fits).tolist():
        if k in code_of:
            mark = chr(text[starts[k] + code_of[k]])
            puzzles.reasons[k] = fault(*wrong_mark(mark, code_of[k]))
        else:
            puzzles.reasons[k] = fault(*wrong_size(int(lengths[k])))
    rows = np.flatnonzero(fits)
    marked = np.flatnonzero(lengths[rows] == _PENCIL_MARKS).tolist()
    puzzles.parts.append(Part(text, starts[rows], _TEXT, rows=rows, marked=marked))
    return puzzles


def _of_sequence(rows: list[Any]) -> Puzzles:
    """Convert a list, by the type of its items."""
    n = len(rows)
    if not n:
        return Puzzles(0)
    kinds = set(map(type, rows))
    if kinds <= {str, np.str_}:
        text = "".join(rows)
        if len(text) == 81 * n and set(map(len, rows)) == {81} and text.isascii():
            return Puzzles(n, [Part(text.encode("ascii"), _every(81, n), _TEXT)])
        if set(map(len, rows)) == {1} and n == 81:
            raise InvalidPuzzleError(_ONE_PUZZLE)
    elif kinds <= {bytes, np.bytes_}:
        if set(map(len, rows)) == {81}:
            return _of_array(np.frombuffer(b"".join(rows), np.uint8).reshape(n, 81))
    elif kinds == {Grid}:
        return Puzzles(n, [Part(b"".join(grid.cells for grid in rows), _every(81, n), 0, checked=True)])
    elif kinds <= {list, tuple, np.ndarray}:
        try:
            array = np.array(rows)
        except ValueError:  # rows of different shapes
            return _one_by_one(rows)
        if array.shape in {(9, 9), (81,)}:
            raise InvalidPuzzleError(_ONE_PUZZLE)
        try:
            return _of_array(array)
        except InvalidPuzzleError:
            return _one_by_one(rows)
    elif n == 81 and all(isinstance(row, int) for row in rows):
        raise InvalidPuzzleError(_ONE_PUZZLE)
    return _one_by_one(rows)


def _one_by_one(rows: list[Any]) -> Puzzles:
    """Convert rows one at a time: rows of mixed forms, or with some that are not puzzles."""
    texts: list[str] = list(rows)
    reasons = {}
    for k in [k for k, row in enumerate(rows) if not _is_plain(row)]:
        try:
            texts[k] = _text_of(rows[k]).decode("latin-1")
        except InvalidPuzzleError as error:
            texts[k] = ""
            reasons[k] = error.message
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    puzzles = _of_places("".join(texts).encode("latin-1"), np.cumsum(lengths) - lengths, lengths)
    puzzles.reasons.update(reasons)
    return puzzles


def _is_plain(row: Any) -> bool:
    """Test whether a row is 81 characters."""
    return type(row) is str and len(row) == 81 and row.isascii()


def _text_of(row: Any) -> bytes:
    """Convert a row to 81 or 729 characters."""
    if isinstance(row, str | bytes) and len(row) in {81, _PENCIL_MARKS}:
        text = row.encode("ascii", "replace") if isinstance(row, str) else row
        if isinstance(row, str) and not row.isascii():
            place = next(k for k, symbol in enumerate(row) if not symbol.isascii())
            raise InvalidPuzzleError(describe_cell(row[place], place))
        if len(text) == _PENCIL_MARKS or max(text) > 9:
            return text
    if row is None or (isinstance(row, float) and isnan(row)):
        raise InvalidPuzzleError(fault(*MISSING))
    puzzle: Any = row
    return Grid(puzzle).line.encode("ascii")


def _every(step: int, n: int) -> npt.NDArray[np.int64]:
    return np.arange(0, step * n, step, dtype=np.int64)
