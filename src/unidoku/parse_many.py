"""Many puzzles in any form, and the one loop over the rows of a batch.

Forms that hold the cells already (arrays of bytes, Arrow columns, lines) are read in place; all others are
converted by NumPy or by joining strings, never cell by cell.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Sized
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from unidoku import arrow
from unidoku.arguments import one_of
from unidoku.batch import KEPT, Batch, Reject
from unidoku.cell import MISSING, SYMBOL_OF, WRONG, symbols_of, wrong_cell, wrong_size
from unidoku.column import Column
from unidoku.errors import FormatError, InvalidPuzzleError, arrow_errors
from unidoku.grid import Grid
from unidoku.native.text.columns import REJECT_LENGTH, REJECT_NULL, first_bad, places, scan_strings
from unidoku.native.text.scan import equal_lines
from unidoku.parse import (
    array_of,
    cell_codes,
    is_bytes,
    items_of,
    json_text,
    one_value,
    text_of_lists,
)
from unidoku.result import Result
from unidoku.threads import Cancel, cancel_of, map_parts, thread_count


class SupportsArrow(Protocol):
    """An object with the Arrow PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class SupportsArrowArray(Protocol):
    """The same, for a single array."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


PuzzlesLike: TypeAlias = (
    npt.NDArray[Any] | bytes | bytearray | memoryview | Sequence[Any] | SupportsArrow | SupportsArrowArray
)
Places: TypeAlias = slice | npt.NDArray[np.int64]
"""The rows of a part among all rows."""

_SLICE = 2048  # rows of a part: they stay in the cache of the thread
_LIST = 1 << 16  # rows of a list that are converted at once: some milliseconds
_TEXT = 48  # code of digit 0 in text
_SHOWN = 20  # characters of what is in the place of a cell, in a reason
_PROBED = 1000  # rows examined to distinguish numbers from ASCII codes
_ONE_PUZZLE = "this is one puzzle; expected several, such as a list of puzzles"
_NUMBERS = r"^[\x00-\x09]{81}$"  # cells as bytes, which are no text
_EXPECTED = "expected a column of strings or lists"


def result_of_cells(cells: npt.NDArray[np.uint8], reasons: Mapping[int, str]) -> Result:
    """Return new puzzles as a `Result` with the column ``puzzle``; rows with a reason have none."""
    return Result({"puzzle": Column(cells, states=states_of(len(cells), reasons))}, reasons)


def states_of(n: int, reasons: Collection[int]) -> npt.NDArray[np.bool_] | None:
    """Return which of n rows have a value, as `Column` takes it: all but those with a reason."""
    if not reasons:
        return None
    has_value = np.ones(n, np.bool_)
    has_value[list(reasons)] = False
    return has_value


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Puzzles:
    """Puzzles in memory, with the rows among them that are none: batches, whose lines are the rows from 1."""

    batches: list[Batch]

    @classmethod
    def of(cls, puzzles: PuzzlesLike, cancel: Cancel | None = None) -> Puzzles:
        """Convert puzzles in any form that `check_many` accepts.

        If `cancel` ends the work, the rows are counted, and those of a list that are left have no puzzles.
        """
        return cls(_batches_of(puzzles, cancel_of(cancel)))

    def __len__(self) -> int:
        return sum(batch.size for batch in self.batches)

    @property
    def reasons(self) -> dict[int, str]:
        """Why rows are no puzzles, by row, from 0; those that are not checked yet are left out."""
        return {each.line - 1: each.reason for batch in self.batches for each in batch.rejects}

    def each_part(
        self,
        work: Callable[[Batch, Places, Cancel], Mapping[int, str] | None],
        *,
        errors: str = "raise",
        threads: int | None = None,
        cancel: Cancel | None = None,
        size: int = _SLICE,
        polls: bool = False,
        whole: bool = True,
    ) -> dict[int, str]:
        """Call `work` for some puzzles at a time, in worker threads; return why rows have no result.

        A part has puzzles only.  `work` also gets their rows, from 0, among all, and the flag that ends it;
        it may return the reasons of some puzzles, by their numbers in the part.

        Parameters
        ----------
        errors : {"raise", "invalid"}
            Whether a row without a result is an error.
        size : int
            How many puzzles a part has.
        polls
            As for `map_parts`.
        whole : bool
            Whether it is a `SearchStoppedError` if `cancel` ends the call; otherwise the rows that are left
            have no result.
        """
        one_of("errors", errors, ("raise", "invalid"))
        workers = thread_count(threads)
        reasons = self.reasons
        if reasons and errors == "raise":
            row, reason = min(Puzzles([batch.checked() for batch in self.batches]).reasons.items())
            raise InvalidPuzzleError(reason, row=row)

        def refuse(why: dict[int, str]) -> None:
            if why and errors == "raise":
                row, reason = min(why.items())
                raise InvalidPuzzleError(reason, row=row)
            reasons.update(why)

        def attempt(part: Batch, stop: Cancel) -> None:
            part = part.checked()
            if len(part.rejects):
                refuse(Puzzles([part]).reasons)
                part = part.only(slice(None))
            if len(part):
                found = work(part, rows_of(part), stop) or {}
                refuse({int(part.lines[k]) - 1: why for k, why in found.items()})

        parts = [
            batch.only(slice(begin, begin + size))
            for batch in self.batches
            for begin in range(0, len(batch), size)
        ]
        flag = cancel_of(cancel)
        map_parts(attempt, parts, workers, flag, cancellable=polls)
        if whole:
            flag.raise_if_set()
        return dict(sorted(reasons.items()))

    def cells(
        self, *, errors: str = "raise", threads: int | None = None, cancel: Cancel | None = None
    ) -> tuple[npt.NDArray[np.uint8], dict[int, str]]:
        """Return the cells 0 to 9 of all rows, zeros where there is a reason: uint8[n, 81]; and the reasons.

        They are not copied where that is possible.  If `cancel` ends the work, further rows have zeros.
        """
        limits: dict[str, Any] = {"errors": errors, "threads": threads, "cancel": cancel, "whole": False}
        only = self.batches[0] if len(self.batches) == 1 else None
        if only is not None and only.empty_code == 0 and len(only.text) == 81 * len(only):
            reasons = self.each_part(lambda *_: None, **limits)
            cells = only.cells
            if reasons:
                cells = cells.copy()
                cells[list(reasons)] = 0
            return cells, reasons
        cells = np.zeros((len(self), 81), np.uint8)

        def convert(part: Batch, rows: Places, _: Cancel) -> None:
            cells[rows] = part.cells

        return cells, self.each_part(convert, **limits)


def numbers_of(rows: Places) -> npt.NDArray[np.int64]:
    """Return the numbers of rows."""
    return np.arange(rows.start, rows.stop) if isinstance(rows, slice) else rows


def rows_of(batch: Batch) -> Places:
    """Return the rows of a batch in memory from 0, which are its lines, from 1."""
    first, last = int(batch.lines[0]), int(batch.lines[-1])
    if last - first == len(batch) - 1:
        return slice(first - 1, last)
    return np.asarray(batch.lines, np.int64) - 1


def with_reason(reasons: Mapping[int, str], rows: npt.NDArray[np.int64], reason: str) -> dict[int, str]:
    """Return reasons by row, ascending, with this `reason` for further `rows`, which may be nearly all."""
    every = np.concatenate([np.fromiter(reasons, np.int64, len(reasons)), rows])
    found = dict.fromkeys(np.sort(every, kind="stable").tolist(), reason)
    found.update(reasons)
    return found


def cells(puzzles: PuzzlesLike) -> npt.NDArray[np.uint8]:
    """Return the cells of many puzzles or full grids, in any form that `check_many` takes.

    Parameters
    ----------
    puzzles : array, bytes, sequence or Arrow column
        As for `unidoku.check_many`.

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
    return np.array(Puzzles.of(puzzles).cells()[0])


def lines(puzzles: PuzzlesLike) -> list[str]:
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
    rows, _ = Puzzles.of(puzzles).cells()
    text = symbols_of(rows.tobytes())
    return [text[start : start + 81] for start in range(0, len(text), 81)]


def _batches_of(puzzles: Any, cancel: Cancel) -> list[Batch]:
    """Return the batches of puzzles, by the first form that takes them; one for each buffer, perhaps none."""
    puzzles = one_value(puzzles)
    if isinstance(puzzles, str | Grid):
        raise InvalidPuzzleError(_ONE_PUZZLE)
    for takes, convert in _FORMS:
        if takes(puzzles):
            return convert(puzzles, cancel)
    raise InvalidPuzzleError(
        "puzzles are an array, bytes of lines, a sequence of puzzles, or an Arrow column, "
        f"not {type(puzzles).__name__}"
    )


def _is_text(puzzles: Any) -> bool:
    return is_bytes(puzzles) and not (isinstance(puzzles, memoryview) and puzzles.ndim != 1)


def _has_array(puzzles: Any) -> bool:
    return hasattr(puzzles, "__array__") or hasattr(puzzles, "__array_interface__")


def _is_column(puzzles: Any) -> bool:
    return arrow.has_interface(puzzles) and (arrow.installed() or not _has_array(puzzles))


def _of_column(column: Any, cancel: Cancel) -> list[Batch]:
    try:
        return _of_arrow(column)
    except InvalidPuzzleError:  # perhaps numbers, as a column or a table
        if not (_has_array(column) and arrow.numpy_takes(column)):
            raise
        with suppress(ValueError, TypeError, NotImplementedError):
            return _of_array(np.asarray(column), cancel)
        raise


def _is_array(puzzles: Any) -> bool:
    return _has_array(puzzles) or isinstance(puzzles, memoryview)


def _of_array(puzzles: Any, cancel: Cancel) -> list[Batch]:
    rows = array_of(puzzles)
    if rows.ndim != 1 or (len(rows) and rows.dtype.kind not in "OTUS"):
        return [_of_cells(rows)]
    return _of_rows(rows, cancel)  # also without rows: the array of an empty list has numbers


def _of_rows(puzzles: Any, cancel: Cancel) -> list[Batch]:
    rows = puzzles if isinstance(puzzles, list | tuple | np.ndarray) else list(puzzles)
    batches: list[Batch] = []
    for begin in range(0, len(rows), _LIST):  # so many at once that Ctrl-C and `cancel` end it
        if cancel:
            return [*batches, Batch.spaced(b"", len(rows) - begin, _TEXT)]
        part = rows[begin : begin + _LIST]
        part = part.tolist() if isinstance(part, np.ndarray) else list(part)
        batches.append(_of_list(part).after(begin))
    return batches


def _of_arrow(column: Any) -> list[Batch]:
    found: list[Batch] = []
    first = 0
    try:
        for array in arrow.chunked(column).chunks:
            with arrow_errors(""):
                found.append(batch_of_arrow(array, first))
            first += len(array)
    except FormatError as error:
        hint = "; give the column of the puzzles" if hasattr(column, "columns") else ""
        raise InvalidPuzzleError(f"{error.message}{hint}") from None
    return found


def batch_of_arrow(array: Any, first: int = 0) -> Batch:
    """Find the puzzles of a validated Arrow array; strings are not copied, lists are read as in JSON.

    Bytes may be text or numbers.  There are `first` rows before them.
    """
    pa, given = arrow.pyarrow(), array
    types = pa.types
    array = arrow.plain(array.storage if isinstance(array, pa.ExtensionArray) else array)
    if types.is_dictionary(array.type):
        words = array.dictionary
        if types.is_string(words.type) and len(words) < len(array):
            words = words.cast(pa.large_string())  # offsets of four bytes may be too small for all rows
        array = words.take(array.indices)
    kind = array.type
    if arrow.is_list(kind) and not types.is_floating(arrow.innermost(kind)):
        texts = (None if each is None else text_of_lists(each) for each in (item.as_py() for item in array))
        array = pa.array(texts, pa.large_string())
    elif arrow.is_bytes(kind):
        array = _as_text(array.cast(pa.large_binary()) if types.is_fixed_size_binary(kind) else array)
    elif types.is_null(kind):
        array = array.cast(pa.string())
    elif not (types.is_string(kind) or types.is_large_string(kind)):
        raise FormatError(f"{_EXPECTED}, found {arrow.shown(kind)}")
    is_small = types.is_string(array.type) or types.is_binary(array.type)
    validity, offsets, text = _buffers(array)
    room = np.empty((2, len(array)), np.int64)
    scanned = scan_strings(text, offsets, 4 if is_small else 8, array.offset, len(array), validity, *room)
    return _batch_of(text, room, scanned, partial(_value, given), first)


def _as_text(values: Any) -> Any:
    """Return Arrow's bytes with text in place of numbers 0 to 9; the same array where none are numbers."""
    pa, compute = arrow.pyarrow(), import_module("pyarrow.compute")
    are_numbers = compute.match_substring_regex(values.cast(pa.large_binary()), _NUMBERS)
    if not compute.any(are_numbers).as_py():
        return values
    pairs = zip(values.to_pylist(), are_numbers.to_pylist(), strict=True)
    texts = [value.translate(SYMBOL_OF) if is_number else value for value, is_number in pairs]
    return pa.array(texts, pa.large_binary())


def _value(array: Any, row: int) -> Any:
    """Return the value of a row of an Arrow array."""
    return array[row].as_py()


def _buffers(array: Any) -> list[Any]:
    """Return the buffers of an Arrow array as bytes; the first one is empty if no value is null."""
    buffers = [
        b"" if each is None or not each.size else memoryview(each).cast("B") for each in array.buffers()
    ]
    return [buffers[0] if array.null_count else b"", *buffers[1:]]


def _batch_of(
    text: Any,
    room: npt.NDArray[np.int64],
    scanned: tuple[int, list[tuple[int, int, int, int]]],
    value: Callable[[int], Any],
    first: int = 0,
) -> Batch:
    """Return what `scan_strings` found in a text, and wrote to the `room` for starts and rows, as a batch.

    `value` returns what a row has; there are `first` rows before them.
    """
    starts, rows = room
    found, rejected = scanned
    rejects = []
    for _, row, code, extra in rejected:
        there, reason = (None, MISSING) if code == REJECT_NULL else _fault(value(row), code, extra)
        kept = None if there is None else there[:KEPT].encode("utf-8", "backslashreplace")
        rejects.append(Reject(first + row + 1, 1, kept, reason))
    before = np.array([puzzles for puzzles, *_ in rejected], np.int64)
    return Batch(
        "",
        text,
        starts[:found],
        rows[:found] + (first + 1),
        rejects=rejects,
        order=places(found, before) if rejects else None,
    )


def _fault(value: Any, code: int, extra: int) -> tuple[str, str]:
    """Return the text of a value that is no puzzle, and the reason; `extra` is a length or a place."""
    cells: Sequence[Any]
    if isinstance(value, list):
        text, cells = json_text(value), items_of(value)
    else:
        text = value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)
        cells = text
    if code == REJECT_LENGTH:
        return text, wrong_size(extra)
    cell = cells[extra] if extra < len(cells) else ""
    return text, wrong_cell(cell if isinstance(cell, int | float) else str(cell)[:_SHOWN], extra)


def _of_cells(array: npt.NDArray[Any]) -> Batch:
    codes, zero = cell_codes(array)
    if zero is None:
        zero = _zero_of(codes)
    batch = Batch.spaced(codes.reshape(-1), len(codes), zero, is_checked=False)
    if array.dtype != np.uint8 and array.shape[1:] != (9,):
        batch = batch.checked(array.reshape(-1, 81))
        batch.is_checked = True
    return batch


def _zero_of(codes: npt.NDArray[np.uint8]) -> int:
    """Return the code of digit 0, by the first valid row: 0 for numbers, 48 for ASCII codes."""
    start = np.zeros(1, np.int64)
    for row in codes[:_PROBED]:
        if row.max() <= 9:
            return 0
        if first_bad(row, start, _TEXT) < 0:
            return _TEXT
    known = codes[:1][codes[:1] != WRONG]  # the others are no codes at all, such as -1
    return 0 if not known.size or np.median(known) <= 9 else _TEXT


def _of_text(text: Any, _: Cancel) -> list[Batch]:
    text = bytes(text)
    if text and equal_lines(text, 81):
        return [Batch.spaced(text, (len(text) + 1) // 82, _TEXT, step=82, is_checked=False)]
    text = text.replace(b"\r\n", b"\n").removesuffix(b"\r")
    lines = text.removesuffix(b"\n").split(b"\n") if text else []
    return [_of_texts(b"".join(lines), lines)]


def _of_texts(text: bytes, rows: Sequence[Sized]) -> Batch:
    """Convert rows of any lengths, one after the other in one text."""
    offsets = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, rows), np.int64, len(rows)), out=offsets[1:])

    def value(row: int) -> str:
        return text[offsets[row] : offsets[row + 1]].decode("latin-1")

    room = np.empty((2, len(rows)), np.int64)
    scanned = scan_strings(text, offsets.view(np.uint8), 8, 0, len(rows), b"", *room)
    return _batch_of(text, room, scanned, value)


def _of_list(rows: list[Any]) -> Batch:
    """Convert some rows of a list by the type of its items."""
    n = len(rows)
    kinds = set(map(type, rows))
    if kinds <= {str, np.str_}:
        lengths = set(map(len, rows))
        if lengths == {81} and (text := "".join(rows)).isascii():
            return Batch.spaced(text.encode("ascii"), n, _TEXT, is_checked=False)
    elif kinds <= {bytes, np.bytes_}:
        if set(map(len, rows)) == {81}:
            codes = np.frombuffer(b"".join(rows), np.uint8)
            are_texts = set((codes.reshape(n, 81).max(axis=1) > 9).tolist())
            if len(are_texts) == 1:
                return Batch.spaced(codes, n, _TEXT if True in are_texts else 0, is_checked=False)
    elif kinds == {Grid}:
        return Batch.spaced(b"".join(grid.cells for grid in rows), n, 0)
    elif kinds <= {list, tuple} or kinds == {np.ndarray}:
        try:
            return _of_cells(np.array(rows))
        except ValueError:  # rows of different shapes, or some that are no puzzles
            return _one_by_one(rows)
    return _one_by_one(rows)


def _one_by_one(rows: list[Any]) -> Batch:
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
    batch = _of_texts("".join(texts).encode("latin-1"), texts)
    for each in batch.rejects:
        each.reason = reasons.get(each.line - 1, each.reason)
    return batch


def _text_of(row: Any) -> bytes:
    """Convert a row to 81 characters."""
    row = one_value(row)
    if isinstance(row, str | bytes) and len(row) == 81:
        text = row.encode("ascii", "replace") if isinstance(row, str) else row
        if isinstance(row, str) and not row.isascii():
            place = next(k for k, symbol in enumerate(row) if not symbol.isascii())
            raise InvalidPuzzleError(wrong_cell(row[place], place))
        if max(text) > 9:
            return text
    puzzle: Any = row
    return Grid(puzzle).line.encode("ascii")


_FORMS: tuple[tuple[Callable[[Any], bool], Callable[[Any, Cancel], list[Batch]]], ...] = (
    (_is_text, _of_text),
    (_is_column, _of_column),
    (_is_array, _of_array),
    (lambda puzzles: isinstance(puzzles, Iterable), _of_rows),
)
"""Which objects have a form of many puzzles, and what converts them; the first that takes an object does."""
