"""Many puzzles in each form that Python users pass, as they are or as cells.

`read_cells` converts all forms; `read` leaves puzzles where they are, if they are texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol, TypeAlias

from unidoku._arguments import one_of
from unidoku._compat import NDArray, has_pyarrow, np, pyarrow
from unidoku._native.text import columns
from unidoku._parse.arrays import array_of, foreign_error, one_value, read_array, refuse_batch
from unidoku._parse.puzzle import cells_of, is_file_name
from unidoku._parse.text import is_bytes, lines_of
from unidoku._table import arrow
from unidoku._table.batch import Batch
from unidoku._threads import Cancel, cancel_of, parts_of
from unidoku.errors import (
    FormatError,
    InvalidPuzzleError,
    Message,
    Reason,
    SearchStoppedError,
    UnidokuError,
    arrow_errors,
)
from unidoku.grid import Grid


class SupportsArrow(Protocol):
    """An object with the Arrow PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class SupportsArrowArray(Protocol):
    """The same, for a single array."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


PuzzlesLike: TypeAlias = (
    "NDArray[Any] | bytes | bytearray | memoryview | Sequence[Any] | SupportsArrow | SupportsArrowArray"
)

BLOCK = 4096
"""Rows that are converted at a time, so that Ctrl-C and a `Cancel` end it."""
_LAST_CHARACTER = 0x10FFFF
_LARGE = 1 << 17  # rows that native code reads at a time: 5 milliseconds
_ONE_PUZZLE = Reason("wrong_type", "this is one puzzle; pass several, such as a list of puzzles")

_Rows: TypeAlias = "tuple[Batch | NDArray[np.uint8], dict[int, Reason]]"
"""Puzzles where they are; or the cells of n rows, uint8[n, 81], and why rows are not puzzles."""


def read_cells(
    puzzles: PuzzlesLike, *, errors: str = "raise", cancel: Cancel | None = None
) -> tuple[NDArray[np.uint8], dict[int, Reason]]:
    """Return the cells of puzzles in any form, and why rows are not puzzles: their cells are 0.

    The cells are uint8[n, 81]; the caller's own array is returned if it has this form. If `cancel` ends the
    work, the remaining rows of a list have no clues.
    """
    rows, reasons = read(puzzles, errors, cancel)
    return rows.cells if isinstance(rows, Batch) else rows, reasons


def read(puzzles: PuzzlesLike, errors: str, cancel: Cancel | None) -> _Rows:
    """Return puzzles in any form where they are, if they are texts, or their cells, and why rows are none."""
    one_of("errors", errors, ("raise", "invalid"))
    rows, reasons = _convert(puzzles, cancel_of(cancel))
    if reasons and errors == "raise":
        row, reason = min(reasons.items())
        raise InvalidPuzzleError(reason, index=row)
    return rows, reasons


def _convert(puzzles: Any, cancel: Cancel) -> _Rows:
    if type(puzzles) in (list, tuple):
        return _of_list(puzzles, cancel)
    if type(puzzles) is np.ndarray and puzzles.ndim:
        return _of_array(puzzles, cancel)
    try:
        return _of_object(one_value(puzzles), cancel)
    except (UnidokuError, MemoryError):
        raise
    except Exception as error:
        raise foreign_error(puzzles, error) from error


def _of_object(puzzles: Any, cancel: Cancel) -> _Rows:
    """Convert puzzles in another object than a list."""
    refuse_batch(puzzles)
    _refuse_one(puzzles)
    if is_bytes(puzzles) and getattr(puzzles, "ndim", 1) == 1:
        return _of_lines(bytes(puzzles), cancel)
    has_array = hasattr(puzzles, "__array__") or hasattr(puzzles, "__array_interface__")
    rows: _Rows | None = None
    if arrow.has_interface(puzzles):
        # pandas makes a column of objects one type of Arrow, Polars addresses
        has_objects = str(getattr(puzzles, "dtype", "")).lower() == "object"
        if not has_array or (has_pyarrow() and not has_objects):
            rows = _of_arrow(puzzles, cancel, is_array=has_array)
    if rows is not None:
        return rows
    if has_array or isinstance(puzzles, memoryview):
        return _of_array(array_of(puzzles), cancel)
    if isinstance(puzzles, Iterable):
        return _of_list(list(puzzles), cancel)
    text = "puzzles must be an array, bytes of lines, a sequence of puzzles, or an Arrow column, not {kind}"
    raise InvalidPuzzleError(Reason("wrong_type", text, kind=type(puzzles).__name__))


def _refuse_one(puzzles: Any) -> None:
    """Refuse a single puzzle, the name of a file, and a mapping."""
    if isinstance(puzzles, str) and is_file_name(puzzles):
        cells_of(puzzles)  # the error says what reads files
    if isinstance(puzzles, str | Grid):
        raise InvalidPuzzleError(_ONE_PUZZLE)
    if not isinstance(puzzles, Mapping):
        return
    key, advice = next(iter(puzzles), "puzzle"), "list(puzzles.values())"
    if isinstance(puzzles.get(key), list | tuple):
        advice = f"puzzles[{key!r}]"
    text = "{kind} is not a list of puzzles; pass {advice}"
    raise InvalidPuzzleError(Reason("wrong_type", text, kind=type(puzzles).__name__, advice=advice))


def _in_place(text: Any, starts: NDArray[np.int64] | range, cancel: Cancel) -> _Rows | None:
    """Return rows where they are, if all are puzzles of 81 characters, or if `cancel` ends the work."""
    batch = Batch.of_text(text, starts)
    parts = parts_of(len(starts), _LARGE)
    is_whole = all(cancel or columns.are_puzzles(text, batch.part(part).starts) for part in parts)
    if is_whole:
        return (batch, {})
    return None


def _of_arrow(column: Any, cancel: Cancel, *, is_array: bool) -> _Rows | None:
    """Convert a column: in place if it is one text, or else some rows at a time; None if it `is_array`."""
    try:
        with arrow_errors(""):
            chunked = _column_of_text(arrow.chunked_array(column))
            if is_array and hasattr(chunked.type, "fields") and not _columns_of_text(chunked.type):
                return None  # a table of numbers
            return _strings_in_place(chunked, cancel) or _of_chunks(arrow.validate(chunked, cancel), cancel)
    except OverflowError:  # integers of more than 64 bits: digits of a puzzle
        return None
    except FormatError as error:
        message = error.message
        if hasattr(column, "columns"):
            message = message.with_advice(Message("pass the column of the puzzles"))
        raise InvalidPuzzleError(message) from error.__cause__


def _strings_in_place(chunked: Any, cancel: Cancel) -> _Rows | None:
    """Return strings in place if all are puzzles of 81 characters, and none is null; they are then valid.

    Offsets that are 81 apart are inside the text if the first and the last are, and cells are UTF-8.
    """
    if chunked.num_chunks != 1:
        return None
    if not arrow.is_text(chunked.type):
        return None
    strings = chunked.chunk(0)
    try:
        strings.validate()  # its buffers have their sizes, and the first and the last offset are inside
    except pyarrow().ArrowException:  # the whole validation says what is damaged
        return None
    text, starts, ends = arrow.spans(strings)
    if (ends - starts != 81).any():
        return None
    return _in_place(text, starts, cancel)


def _column_of_text(chunked: Any) -> Any:
    """Return the column of text of a table, if it has one and no more; any other column as it is."""
    if not hasattr(chunked.type, "fields") or chunked.type.num_fields == 81:  # perhaps characters
        return chunked
    texts = _columns_of_text(chunked.type)
    if len(texts) == 1:
        return chunked.flatten()[texts[0]]
    return chunked


def _columns_of_text(table: Any) -> list[int]:
    """Return the numbers of the columns of strings, views of strings, or words of a dictionary."""
    is_view = pyarrow().types.is_string_view
    kinds = [arrow.stored_type(field.type) for field in table.fields]
    return [number for number, kind in enumerate(kinds) if arrow.is_text(kind) or is_view(kind)]


def _of_chunks(chunked: Any, cancel: Cancel) -> _Rows:
    """Convert Arrow arrays of any kind; treat lists like lists of Python."""
    are_lists = arrow.is_list(arrow.stored_type(chunked.type))
    cells, reasons, begin = np.zeros((len(chunked), 81), np.uint8), dict[int, Reason](), 0
    with suppress(SearchStoppedError):
        for chunk in chunked.chunks or [chunked.combine_chunks()]:
            if are_lists:
                for array in cancel.watch(arrow.slices(chunk, BLOCK)):
                    own, alone = cells_of_lists(array, cancel)
                    cells[begin : begin + len(array)] = own
                    reasons |= {begin + row: reason for row, reason in alone.items()}
                    begin += len(array)
                continue
            for array, strings in arrow.string_slices(chunk, BLOCK, cancel):
                own = cells[begin : begin + len(array)]
                unusual_rows = _read_strings(strings, own)
                alone = _read_alone(((row, array[row].as_py()) for row in unusual_rows), own, cancel)
                reasons |= {begin + row: reason for row, reason in alone.items()}
                begin += len(array)
    return cells, reasons


def cells_of_lists(lists: Any, cancel: Cancel) -> tuple[NDArray[np.uint8], dict[int, Reason]]:
    """Convert Arrow's lists: where they are if all have 81 numbers, or else like lists of Python."""
    cells = arrow.numbers_of_lists(lists)
    return _of_list(lists.to_pylist(), cancel) if cells is None else (cells, {})


def _read_strings(strings: Any, cells: NDArray[np.uint8]) -> list[int]:
    """Convert Arrow's strings of 81 characters; return the numbers of the rows that are not puzzles."""
    text, starts, ends = arrow.spans(strings)
    is_usual = ends - starts == 81
    if is_usual.all():
        return columns.read_cells(text, starts, cells.reshape(-1))
    usual = np.flatnonzero(is_usual)
    own = np.empty((len(usual), 81), np.uint8)
    is_usual[usual[columns.read_cells(text, starts[usual], own.reshape(-1))]] = False
    cells[usual] = own
    return np.flatnonzero(~is_usual).tolist()


def _of_lines(text: bytes, cancel: Cancel) -> _Rows:
    """Convert lines: in place if all have 81 characters."""
    ending = b"\r\n" if text[81:83] == b"\r\n" else b"\n"
    width = 81 + len(ending)
    count = (len(text) + len(ending)) // width  # if all have 81; to search for the line ends takes longer
    have_end = (text[81 + k :: width].count(sign) == len(text) // width for k, sign in enumerate(ending))
    rows: _Rows | None = None
    if len(text) in (width * count - len(ending), width * count) and all(have_end):
        rows = _in_place(text, range(0, width * count, width), cancel)
    return rows or _of_list(lines_of(text), cancel)


def _of_array(array: NDArray[Any], cancel: Cancel) -> _Rows:
    """Convert an array: texts and objects like a list."""
    check_characters(array)
    kind = array.dtype.kind
    if _has_characters_in_place(array):
        codes = array.view(np.uint8).reshape(-1)
        if codes[0] > 9 and (rows := _in_place(codes, range(0, len(codes), 81), cancel)):
            return rows
    are_values = kind in "OTUS"
    if are_values and array.shape[1:] == (1,):  # a table of one column
        array = array.reshape(-1)
    if array.ndim == 1 and (are_values or not array.size):
        return _of_list(array, cancel)
    return read_array(array, cancel)


def _has_characters_in_place(array: NDArray[Any]) -> bool:
    """Return whether each puzzle of an array is 81 bytes in a row, which may be characters."""
    if array.dtype.kind not in "uS" or not array.size:
        return False
    if (array.itemsize, array.shape[1:]) not in {(1, (81,)), (1, (9, 9)), (81, ())}:
        return False
    return array.flags.c_contiguous


def check_characters(array: NDArray[Any]) -> None:
    """Refuse an array of texts with numbers that are not characters: it cannot be read."""
    if array.dtype.kind != "U" or not array.nbytes:
        return
    kind = np.dtype(np.uint32).newbyteorder(array.dtype.byteorder)
    highest = np.ascontiguousarray(array).reshape(-1).view(kind).max()
    if highest > _LAST_CHARACTER:
        text = "damaged text: expected characters up to U+10FFFF, found {code}"
        raise InvalidPuzzleError(Reason("damaged", text, code=f"{highest:#x}"))


def _of_list(
    rows: Sequence[Any] | NDArray[Any], cancel: Cancel
) -> tuple[NDArray[np.uint8], dict[int, Reason]]:
    """Convert a list of puzzles of any forms, each by itself."""
    cells, others = cells_of_list(rows, cancel)
    if not others:
        return cells, {}
    return cells, _read_alone(((row, rows[row]) for row in others), cells, cancel)


def cells_of_list(rows: Sequence[Any] | NDArray[Any], cancel: Cancel) -> tuple[NDArray[np.uint8], list[int]]:
    """Return the cells of puzzles in a list, and the numbers of unusual forms: their cells are 0."""
    cells, others = np.zeros((len(rows), 81), np.uint8), list[int]()
    for begin in range(0, len(rows), BLOCK):
        if cancel:
            break
        block = rows[begin : begin + BLOCK]
        items = block.tolist() if isinstance(block, np.ndarray) else list(block)
        own = columns.read_rows(items, cells[begin : begin + BLOCK].reshape(-1), Grid)
        others += [begin + row for row in own] if begin else own
    return cells, others


def _read_alone(
    rows: Iterable[tuple[int, Any]], cells: NDArray[np.uint8], cancel: Cancel
) -> dict[int, Reason]:
    """Convert numbered rows one by one, as `Grid` does; return why some are not puzzles."""
    reasons = dict[int, Reason]()
    for number, row in rows:
        if cancel:
            break
        try:
            cells[number] = np.frombuffer(Grid(row).cells, np.uint8)
        except UnidokuError as error:
            reasons[number] = error.message
    return reasons
