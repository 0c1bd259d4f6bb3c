"""Many puzzles in any form, and the one loop over the rows of a batch.

Forms that hold the cells already (arrays of bytes, Arrow columns, lines) are read in place; all others are
converted by NumPy or by joining strings, never cell by cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from unidoku import arrow, kernel
from unidoku.cell import CELL_CODES, MISSING, SYMBOLS, wrong_cell, wrong_mark, wrong_size
from unidoku.errors import FormatError, InvalidPuzzleError, UnidokuError
from unidoku.grid import Grid
from unidoku.native.text.columns import first_bad, scan_strings
from unidoku.native.text.scan import equal_lines
from unidoku.parse import cell_codes
from unidoku.threads import Cancel, cancel_of, run_tasks, thread_count

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy.typing as npt

    class SupportsArrow(Protocol):
        """An object with the Arrow PyCapsule interface."""

        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

    class SupportsArrowArray(Protocol):
        """The same, for a single array."""

        def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

    Rows: TypeAlias = (
        npt.NDArray[Any] | bytes | bytearray | memoryview | Sequence[Any] | SupportsArrow | SupportsArrowArray
    )

MARKS = "a puzzle of 81 cells is needed, not pencil marks"
"""Why a row of 729 pencil marks cannot be done."""

_SLICE = 2048  # rows per task: they stay in the cache of the thread
_LIST = 1 << 16  # rows of a list that are converted at once: some milliseconds
_TEXT = 48  # code of digit 0 in text
_PENCIL_MARKS = 729
_PROBED = 1000  # rows examined to distinguish numbers from ASCII codes
_ONE_PUZZLE = "this is one puzzle; unidoku.check takes one, check_many a sequence of puzzles"


@dataclass(frozen=True, slots=True, eq=False)
class ArrayResult:
    """Arrays with a row for each of many puzzles; ``==`` compares all of them."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(_equal(getattr(self, each.name), getattr(other, each.name)) for each in fields(self))

    __hash__ = None  # type: ignore[assignment]


def _equal(one: Any, other: Any) -> bool:
    """Return whether two arrays, or the reasons, are equal; NaN is no value, and equal to NaN."""
    return np.array_equal(one, other, equal_nan=getattr(one, "dtype", None) == np.float64)


class CellsResult(NamedTuple):  # noqa: PLW1641 - as a tuple, it has no hash because an array has none
    """Rows of cells that were made of many puzzles, with ``errors="invalid"``.

    Attributes
    ----------
    cells : uint8[n, 81]
        Cells 0 to 9; zeros in rows without a result.
    reasons : dict of int to str
        Why rows have none, by row, from 0.
    """

    cells: npt.NDArray[np.uint8]
    reasons: Mapping[int, str]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CellsResult):
            return NotImplemented
        return np.array_equal(self.cells, other.cells) and self.reasons == other.reasons

    def __ne__(self, other: object) -> bool:
        return not self == other


@dataclass(frozen=True, slots=True)
class RowSlice:
    """Puzzles in one buffer: ``zero`` is the code of digit 0, ``rows`` are their rows of the input."""

    text: Any
    starts: npt.NDArray[np.int64]
    zero: int
    rows: slice | npt.NDArray[np.int64]
    marked: npt.NDArray[np.bool_] | None = None
    checked: bool = False
    given: npt.NDArray[Any] | None = None

    def __len__(self) -> int:
        return len(self.starts)

    def row(self, k: int) -> int:
        """Return the row of puzzle `k`."""
        return self.rows.start + k if isinstance(self.rows, slice) else int(self.rows[k])

    def at(self, places: slice | npt.NDArray[np.intp]) -> RowSlice:
        """Return some of the puzzles; a slice has a beginning and an end."""
        if not isinstance(self.rows, slice):
            rows: slice | npt.NDArray[np.int64] = self.rows[places]
        elif isinstance(places, slice):
            rows = slice(self.rows.start + places.start, self.rows.start + places.stop)
        else:
            rows = self.rows.start + places
        marked = None if self.marked is None else self.marked[places]
        given = None if self.given is None else self.given[places]
        return RowSlice(self.text, self.starts[places], self.zero, rows, marked, self.checked, given)

    def places_of_marks(self) -> list[int]:
        """Return the puzzles that have 729 pencil marks."""
        return [] if self.marked is None else np.flatnonzero(self.marked).tolist()

    def bad(self) -> list[int]:
        """Return the puzzles that have an invalid cell."""
        found: list[int] = []
        begin = 0
        while not self.checked and begin < len(self):
            next_bad = first_bad(self.text, self.starts[begin:], self.zero)
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
            return wrong_cell(self.given[k].item(cell), cell)
        return wrong_cell(codes[cell] if self.zero == 0 else chr(codes[cell]), cell)

    def cells(self) -> npt.NDArray[np.uint8]:
        """Return the cells 0 to 9, in place if they are numbers one after the other: uint8[n, 81]."""
        if self.zero == 0 and isinstance(self.rows, slice) and len(self):
            first = int(self.starts[0])
            return np.frombuffer(self.text, np.uint8)[first : first + 81 * len(self)].reshape(-1, 81)
        return cells_of_text(self.text, self.starts, self.zero)


@dataclass(slots=True)
class Puzzles:
    """The rows of a batch: those that may be puzzles, and why the others are none."""

    count: int
    parts: list[RowSlice] = field(default_factory=list)
    reasons: dict[int, str] = field(default_factory=dict)
    raises: bool = True

    def run(
        self,
        work: Callable[[RowSlice], None],
        *,
        threads: int | None = None,
        cancel: Cancel | None = None,
        size: int = _SLICE,
        marks: bool = False,
        polls: bool = False,
    ) -> None:
        """Call `work` for slices of the puzzles in worker threads, without the rows that are none.

        These are `reasons` then, or the first is an error.  So are pencil marks, unless `marks` is set.
        `cancel` and `polls` are those of `run_tasks`.
        """
        workers = thread_count(threads)
        if self.raises and self.reasons:
            bad = {part.row(k): part.reason(k) for part in self.parts for k in part.bad()[:1]}
            row, reason = min((bad | self.reasons).items())
            raise InvalidPuzzleError(reason, row=row)

        def task(item: tuple[RowSlice, int, int]) -> None:
            part = item[0].at(slice(*item[1:]))
            wrong = {k: part.reason(k) for k in part.bad()}
            if not marks:
                wrong |= dict.fromkeys(part.places_of_marks(), MARKS)
            for k in sorted(wrong):
                self.refuse(part.row(k), wrong[k])
            if len(wrong) < len(part):
                work(part.at(np.setdiff1d(np.arange(len(part)), list(wrong))) if wrong else part)

        slices = [
            (part, begin, min(begin + size, len(part)))
            for part in self.parts
            for begin in range(0, len(part), size)
        ]
        run_tasks(task, slices, workers, cancel_of(cancel), polls=polls)
        self.reasons = dict(sorted(self.reasons.items()))

    def add(self, more: Puzzles) -> None:
        """Append the rows of another batch."""
        first = self.count
        for part in more.parts:
            rows = part.rows
            moved = slice(rows.start + first, rows.stop + first) if isinstance(rows, slice) else rows + first
            self.parts.append(replace(part, rows=moved))
        self.reasons |= {first + row: reason for row, reason in more.reasons.items()}
        self.count += more.count

    def refuse(self, row: int, reason: str) -> None:
        """Raise the error for a row, or keep its reason."""
        if self.raises:
            raise InvalidPuzzleError(reason, row=row)
        self.reasons[row] = reason

    def kept(self, part: RowSlice, good: npt.NDArray[np.bool_], reason: str) -> RowSlice:
        """Refuse the puzzles of a part that are not good, and return the others."""
        for k in np.flatnonzero(~good).tolist():
            self.refuse(part.row(k), reason)
        return part.at(np.flatnonzero(good))

    def cells(self, threads: int | None = None, cancel: Cancel | None = None) -> npt.NDArray[np.uint8]:
        """Return the cells 0 to 9 of all rows, zeros where there is a reason: uint8[n, 81].

        If `cancel` ends the work, further rows have zeros.
        """
        part = self.parts[0] if len(self.parts) == 1 else None
        if part is not None and part.zero == 0 and len(part) == self.count:  # in place
            self.run(lambda _: None, threads=threads, cancel=cancel)
            cells = part.cells()
            if self.reasons:
                cells = cells.copy()
                cells[list(self.reasons)] = 0
            return cells
        cells = np.zeros((self.count, 81), np.uint8)

        def convert(some: RowSlice) -> None:
            cells[some.rows] = some.cells()

        self.run(convert, threads=threads, cancel=cancel)
        return cells


def cells(puzzles: Rows) -> npt.NDArray[np.uint8]:
    """Return the cells of many puzzles or full grids, in any form that `check_many` takes.

    Parameters
    ----------
    puzzles : array, bytes, sequence or Arrow column
        As for `unidoku.check_many`, without pencil marks.

    Returns
    -------
    uint8[n, 81]
        Cells 0 to 9, 0 for an empty one; a new array.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle; its attribute ``row`` is the number, from 0.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> cells([puzzle]).shape, lines(cells([puzzle])) == [puzzle]
    ((1, 81), True)
    """
    return np.array(puzzles_of(puzzles).cells())


def lines(puzzles: Rows) -> list[str]:
    """Return many puzzles or full grids as texts of 81 characters, the reverse of `cells`.

    Parameters
    ----------
    puzzles : array, bytes, sequence or Arrow column
        As for `cells`.

    Returns
    -------
    list of str
        ``1`` to ``9``, ``.`` for an empty cell.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle; its attribute ``row`` is the number, from 0.
    """
    text = np.frombuffer(SYMBOLS.encode(), np.uint8)[puzzles_of(puzzles).cells()].tobytes().decode("ascii")
    return [text[start : start + 81] for start in range(0, len(text), 81)]


def puzzles_of(data: Rows, errors: str = "raise", cancel: Cancel | None = None) -> Puzzles:
    """Convert puzzles in any form that `check_many` accepts.

    If `cancel` ends the work, the rows are counted, and those of a list that are left have no puzzles.
    """
    if errors not in {"raise", "invalid"}:
        raise UnidokuError(f"errors must be 'raise' or 'invalid', not {errors!r}")
    puzzles = _converted(data, cancel_of(cancel))
    puzzles.raises = errors == "raise"
    return puzzles


def _converted(data: Rows, cancel: Cancel) -> Puzzles:
    if isinstance(data, (bytes, bytearray)) or (isinstance(data, memoryview) and data.ndim == 1):
        return _of_lines(bytes(data))
    if isinstance(data, str | Grid):
        raise InvalidPuzzleError(_ONE_PUZZLE)
    has_array = hasattr(data, "__array__") or hasattr(data, "__array_interface__")
    if arrow.has_interface(data) and (arrow.installed() or not has_array):
        try:
            return _of_arrow(data)
        except InvalidPuzzleError:  # perhaps numbers, as a column or a table
            if not arrow.numpy_takes(data):
                raise
            try:
                return _of_array(np.asarray(data), cancel)
            except (ValueError, TypeError, NotImplementedError):
                pass
            raise
    if has_array or isinstance(data, memoryview):
        return _of_array(np.asarray(data), cancel)
    if isinstance(data, Iterable):
        return _of_sequence(data if isinstance(data, list | tuple) else list(data), cancel)
    raise InvalidPuzzleError(
        "puzzles are an array, bytes of lines, a sequence of puzzles, or an Arrow column, "
        f"not {type(data).__name__}"
    )


def _of_arrow(column: Any) -> Puzzles:
    try:
        found = [(len(array), list(arrow.pieces(array))) for array in arrow.chunked(column).chunks]
    except FormatError as error:
        hint = "; check_table takes a table" if hasattr(column, "columns") else ""
        raise InvalidPuzzleError(f"{error.message}{hint}") from None
    puzzles = Puzzles(0)
    for count, pieces in found:
        for piece in pieces:
            first = puzzles.count + piece.first
            # without rejected rows, the rows of the puzzles are consecutive
            rows = first + piece.rows if piece.rejects else slice(first, first + len(piece.rows))
            marked = np.isin(np.arange(len(piece.rows)), piece.marked) if piece.marked else None
            puzzles.parts.append(RowSlice(piece.text, piece.starts, _TEXT, rows, marked, checked=True))
            puzzles.reasons |= {first + reject.row: reject.reason for reject in piece.rejects}
        puzzles.count += count
    return puzzles


def _evenly(text: Any, n: int, zero: int, *, step: int = 81, **more: Any) -> Puzzles:
    """Return n puzzles that begin every `step` bytes of a text."""
    starts = np.arange(0, step * n, step, dtype=np.int64)
    return Puzzles(n, [RowSlice(text, starts, zero, slice(0, n), **more)])


def _of_array(array: npt.NDArray[Any], cancel: Cancel) -> Puzzles:
    if array.dtype.kind in "OTUS" and array.ndim == 1:
        return _of_sequence(array, cancel)
    if array.shape in {(81,), (9, 9)}:
        raise InvalidPuzzleError(_ONE_PUZZLE)
    codes, zero = cell_codes(array)
    if zero is None:
        zero = _zero_of(codes)
    given = None
    if array.dtype != np.uint8 and array.shape[1:] != (9,):
        given = array.reshape(-1, 81)
    return _evenly(codes.reshape(-1), len(codes), zero, given=given)


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
        return _evenly(text, (len(text) + 1) // 82, _TEXT, step=82)
    text = text.replace(b"\r\n", b"\n").removesuffix(b"\r")
    lines = text.removesuffix(b"\n").split(b"\n") if text else []
    lengths = np.fromiter(map(len, lines), np.int64, len(lines))
    return _of_places(text, np.cumsum(lengths + 1) - lengths - 1, lengths)


def _of_places(text: bytes, starts: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> Puzzles:
    """Convert rows of any lengths in one text."""
    puzzles = Puzzles(len(starts))
    plain, marked = lengths == 81, lengths == _PENCIL_MARKS
    offset, row = np.empty(1, np.int64), np.empty(1, np.int64)
    for k in np.flatnonzero(~plain).tolist():
        if not marked[k]:
            puzzles.reasons[k] = wrong_size(int(lengths[k]))
            continue
        marks = memoryview(text)[starts[k] : starts[k] + _PENCIL_MARKS]
        *_, rejects = scan_strings([marks], b"", -_PENCIL_MARKS, 0, 1, b"", offset, row)
        if rejects:
            place = rejects[0][3]
            puzzles.reasons[k] = wrong_mark(chr(marks[place]), place)
            marked[k] = False
    part = RowSlice(text, starts, _TEXT, slice(0, len(starts)), marked if marked.any() else None)
    puzzles.parts.append(part.at(np.flatnonzero(plain | marked)) if puzzles.reasons else part)
    return puzzles


def _of_sequence(rows: Any, cancel: Cancel) -> Puzzles:
    """Convert a list, a tuple or an array of texts; so many rows at once that Ctrl-C and `cancel` end it."""
    puzzles = Puzzles(0)
    for begin in range(0, len(rows), _LIST):
        if cancel:
            puzzles.count = len(rows)
            break
        some = rows[begin : begin + _LIST]
        part = some.tolist() if isinstance(some, np.ndarray) else list(some)
        puzzles.add(_of_list(part, cancel, whole=len(part) == len(rows)))
    return puzzles


def _of_list(rows: list[Any], cancel: Cancel, *, whole: bool) -> Puzzles:
    """Convert some rows of a list, or the `whole` list, by the type of its items."""
    n = len(rows)
    kinds = set(map(type, rows))
    if kinds <= {str, np.str_}:
        text = "".join(rows)
        if len(text) == 81 * n and set(map(len, rows)) == {81} and text.isascii():
            return _evenly(text.encode("ascii"), n, _TEXT)
        if whole and set(map(len, rows)) == {1} and n == 81:
            raise InvalidPuzzleError(_ONE_PUZZLE)
    elif kinds <= {bytes, np.bytes_}:
        if set(map(len, rows)) == {81}:
            return _of_array(np.frombuffer(b"".join(rows), np.uint8).reshape(n, 81), cancel)
    elif kinds == {Grid}:
        return _evenly(b"".join(grid.cells for grid in rows), n, 0, checked=True)
    elif kinds <= {list, tuple, np.ndarray}:
        try:
            array = np.array(rows)
        except ValueError:  # rows of different shapes
            return _one_by_one(rows)
        if whole and array.shape in {(9, 9), (81,)}:
            raise InvalidPuzzleError(_ONE_PUZZLE)
        try:
            return _of_array(array, cancel)
        except InvalidPuzzleError:
            return _one_by_one(rows)
    elif whole and n == 81 and all(isinstance(row, int) for row in rows):
        raise InvalidPuzzleError(_ONE_PUZZLE)
    return _one_by_one(rows)


def _one_by_one(rows: list[Any]) -> Puzzles:
    """Convert rows one at a time: rows of mixed forms, or with some that are not puzzles."""
    texts: list[str] = list(rows)
    reasons = {}
    for k, row in enumerate(rows):
        if type(row) is str and len(row) == 81 and row.isascii():
            continue
        try:
            texts[k] = _text_of(row).decode("latin-1")
        except InvalidPuzzleError as error:
            texts[k] = ""
            reasons[k] = error.message
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    puzzles = _of_places("".join(texts).encode("latin-1"), np.cumsum(lengths) - lengths, lengths)
    puzzles.reasons.update(reasons)
    return puzzles


def _text_of(row: Any) -> bytes:
    """Convert a row to 81 or 729 characters."""
    if isinstance(row, str | bytes) and len(row) in {81, _PENCIL_MARKS}:
        text = row.encode("ascii", "replace") if isinstance(row, str) else row
        if isinstance(row, str) and not row.isascii():
            place = next(k for k, symbol in enumerate(row) if not symbol.isascii())
            raise InvalidPuzzleError(wrong_cell(row[place], place))
        if len(text) == _PENCIL_MARKS or max(text) > 9:
            return text
    if row is None or (isinstance(row, float) and isnan(row)):
        raise InvalidPuzzleError(MISSING)
    puzzle: Any = row
    return Grid(puzzle).line.encode("ascii")


def cells_of_text(text: Any, starts: npt.NDArray[np.int64], zero: int) -> npt.NDArray[np.uint8]:
    """Convert puzzles in a text to cells 0 to 9: uint8[n, 81]."""
    cells = np.empty((len(starts), 81), np.uint8)
    kernel.form(package="symmetry").transform(
        text, starts, np.zeros(1, np.int64), cells.reshape(-1), zero=zero
    )
    return cells
