"""Arrow columns in, Arrow columns out: anything with the PyCapsule interface, the puzzles not copied.

PyArrow does the bookkeeping (the extra ``arrow`` brings it); the kernel reads the column's own buffers.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku import kernel
from unidoku.errors import FormatError, InvalidPuzzleError, MissingExtraError
from unidoku.files.detect import CSV_NAMES
from unidoku.native.text import columns
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    import numpy.typing as npt

    from unidoku.batch import CheckResult

__all__ = ["Piece", "check_table", "describe_reject", "has_interface", "pieces", "puzzle_column", "pyarrow"]

_SLICE = 8192  # rows a thread takes at a time
_MOST = 1 << 24  # rows of an array of solutions: its offsets have four bytes
_NOTHING = b""


def pyarrow() -> Any:
    """The library PyArrow.

    Raises
    ------
    MissingExtraError
        When it is not installed.
    """
    try:
        import pyarrow as pa  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError as error:
        raise MissingExtraError("Arrow and Parquet need PyArrow: pip install 'unidoku[arrow]'") from error
    return pa


def has_interface(data: object) -> bool:
    """Whether the object has the Arrow PyCapsule interface."""
    return hasattr(data, "__arrow_c_array__") or hasattr(data, "__arrow_c_stream__")


@dataclass(frozen=True, slots=True)
class Piece:
    """Rows of a string column whose puzzles lie in one buffer.

    Attributes
    ----------
    first, count : int
        The rows, counted in the array.
    text : bytes-like
        The buffer.
    starts, rows : int64[m]
        Offset of each puzzle, and its row, counted from ``first``.
    wide : list of int
        The puzzles, numbered in ``starts``, that have 729 characters.
    rejects : list of tuple
        The other rows: puzzles before it, row counted from ``first``, code, length or place.
    """

    first: int
    count: int
    text: Any
    starts: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    wide: list[int]
    rejects: list[tuple[int, int, int, int]]


def pieces(array: Any) -> Iterator[Piece]:
    """Find the puzzles of an Arrow array of strings without copying them.

    Parameters
    ----------
    array : pyarrow.Array
        Of string, large_string, string_view, their binary cousins, or fixed_size_binary; a dictionary is
        decoded first, which copies.

    Raises
    ------
    FormatError
        When it holds something else.
    """
    pa = pyarrow()
    kind = array.type
    if pa.types.is_dictionary(kind):
        array = array.dictionary_decode()
        kind = array.type
    if isinstance(array, pa.ExtensionArray):
        yield from pieces(array.storage)
        return
    count = len(array)
    if pa.types.is_null(kind):
        array = array.cast(pa.string())
        kind = array.type
    is_view = pa.types.is_string_view(kind) or pa.types.is_binary_view(kind)
    if is_view:
        yield from _view_pieces(pa, array)
        return
    starts, rows = np.empty(count, np.int64), np.empty(count, np.int64)
    buffers = [_view(buffer) for buffer in array.buffers()]
    validity = _validity(array, buffers)
    if pa.types.is_fixed_size_binary(kind):
        text, offsets, size = buffers[1], _NOTHING, -kind.byte_width
    elif pa.types.is_string(kind) or pa.types.is_binary(kind):
        text, offsets, size = buffers[2], buffers[1], 4
    elif pa.types.is_large_string(kind) or pa.types.is_large_binary(kind):
        text, offsets, size = buffers[2], buffers[1], 8
    else:
        raise FormatError(f"expected a column of strings, found {kind}")
    found, wide, rejects = columns.scan_strings(
        text, offsets, size, array.offset, count, validity, starts, rows
    )
    yield Piece(0, count, text, starts[:found], rows[:found], wide, rejects)


def _validity(array: Any, buffers: list[Any]) -> Any:
    return buffers[0] if array.null_count else _NOTHING


def _view(buffer: Any) -> Any:
    """An Arrow buffer as bytes."""
    return _NOTHING if buffer is None or not buffer.size else memoryview(buffer).cast("B")


def _view_pieces(pa: Any, array: Any) -> Iterator[Piece]:
    buffers = [_view(buffer) for buffer in array.buffers()]
    validity = _validity(array, buffers)
    texts = buffers[2:]
    done, turns, count = 0, 0, len(array)
    starts, rows = np.empty(count, np.int64), np.empty(count, np.int64)
    while done < count:
        turns += 1
        if turns > 64 and done < 1024 * turns:
            # The rows jump between many buffers, as after a join or a shuffle: gather them once.
            wanted = pa.large_binary() if pa.types.is_binary_view(array.type) else pa.large_string()
            for piece in pieces(array[done:].cast(wanted)):
                yield Piece(
                    done + piece.first,
                    piece.count,
                    piece.text,
                    piece.starts,
                    piece.rows,
                    piece.wide,
                    piece.rejects,
                )
            return
        went, which, found, wide, rejects = columns.scan_views(
            buffers[1],
            texts,
            array.offset + done,
            count - done,
            validity,
            starts[done:],
            rows[done:],
        )
        part = slice(done, done + found)
        text = texts[which] if which >= 0 else _NOTHING
        yield Piece(done, went, text, starts[part], rows[part], wide, rejects)
        done += went


def describe_reject(code: int, extra: int, text: str) -> tuple[str, str]:
    """What was expected of a row, and what was found."""
    if code == columns.REJECT_NULL:
        return "81 cells", "null"
    if code == columns.REJECT_LENGTH:
        return "81 cells", f"{extra} bytes: {text[:40]!r}" if extra else "an empty string"
    return "a digit or one of . 0 * _ - x X ?", f"{text[extra : extra + 1]!r} in cell {extra + 1}"


def reject_error(array: Any, row: int, code: int, extra: int, place: int) -> InvalidPuzzleError:
    """The error for a row that is no puzzle."""
    expected, found = describe_reject(code, extra, text_of(array, row))
    return InvalidPuzzleError(f"row {place}: expected {expected}, found {found}")


def text_of(array: Any, row: int) -> str:
    """One row's text."""
    value = array[row].as_py()
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return "" if value is None else str(value)


def puzzle_column(names: list[str], column: str | None) -> int:
    """Which column holds the puzzles: the one named, or the one with a well-known name, or the only one.

    Raises
    ------
    FormatError
        When there is none, or more than one could be meant.
    """
    there = ", ".join(names[:20])
    if column is not None:
        if column in names:
            return names.index(column)
        if column.isascii() and column.isdigit() and 1 <= int(column) <= len(names):
            return int(column) - 1
        raise FormatError(f"expected a column {column!r}, found {there}")
    found = [i for i, name in enumerate(names) if name.lower() in CSV_NAMES]
    if len(found) == 1:
        return found[0]
    if found:
        several = ", ".join(names[i] for i in found)
        raise FormatError(f"the puzzle could be in any of the columns {several}; say which")
    if len(names) == 1:
        return 0
    raise FormatError(f"expected a column named {', '.join(CSV_NAMES)}, or its name; found {there}")


@dataclass(slots=True)
class _Answers:
    """Answers for the rows of one array."""

    counts: npt.NDArray[np.uint64]
    verdicts: npt.NDArray[np.uint8]
    complete: npt.NDArray[np.bool_]
    solutions: npt.NDArray[np.uint8] | None


def check_table(
    data: Any,
    column: str | None = None,
    *,
    limit: int | None = 2,
    threads: int | None = None,
    solutions: bool = True,
    budget: int | None = None,
) -> Any:
    """Give every puzzle of a table its verdict.

    Parameters
    ----------
    data : table
        Anything with the Arrow PyCapsule interface: a PyArrow table, batch or reader, a Polars or pandas
        frame, a DuckDB relation, also a single column.
    column : str, optional
        The column with the puzzles, 81 characters each; by default the one with a well-known name
        (``puzzle``, ``quizzes``, ``question``, ``sudoku``, ``initial_board``, ``grid``), or the only one.
    limit, threads, budget
        As for `check_many`.
    solutions : bool
        Whether to add the solutions.

    Returns
    -------
    pyarrow.Table or pyarrow.RecordBatchReader
        All columns of `data` and ``verdict`` (words), ``count`` (int64), ``complete`` (bool; false where
        the budget cut the search off, so that the count is a lower bound), ``solution`` (81 digits, null
        where there is none); a row that is no puzzle has the verdict ``invalid`` and no count. A column
        of `data` with one of these names is called ``given_…``. For a record batch reader it is again a
        reader, which does the work batch by batch.

    Raises
    ------
    FormatError
        There is no column of strings to take.
    MissingExtraError
        PyArrow is not installed.
    """
    pa = pyarrow()
    for name, value in (("limit", limit), ("threads", threads), ("budget", budget)):
        if value is not None and value < 1:
            raise ValueError(f"{name} must be at least 1, not {value}")
    settings = {"limit": limit or 0, "budget": budget or 0}
    workers = threads or kernel.default_threads()
    if isinstance(data, pa.RecordBatchReader):
        index = puzzle_column(data.schema.names, column)
        schema = result_schema(data.schema, solutions)

        def batches() -> Iterator[Any]:
            for whole in data:
                for begin in range(0, len(whole), _MOST):
                    batch = whole.slice(begin, _MOST)
                    added = _check_array(batch.column(index), workers, solutions, settings)
                    yield pa.RecordBatch.from_arrays([*batch.columns, *added], schema=schema)

        return pa.RecordBatchReader.from_batches(schema, batches())
    table = _table_of(pa, data)
    index = puzzle_column(table.schema.names, column)
    parts = [
        _check_array(chunk.slice(begin, _MOST), workers, solutions, settings)
        for chunk in table.column(index).chunks
        for begin in range(0, len(chunk), _MOST)
    ]
    schema = result_schema(table.schema, solutions)
    fields = list(schema)[table.num_columns :]
    added = [pa.chunked_array([part[i] for part in parts], type=field.type) for i, field in enumerate(fields)]
    return pa.table([*table.columns, *added], schema=schema)


def _table_of(pa: Any, data: Any) -> Any:
    if isinstance(data, pa.Table):
        return data
    if isinstance(data, pa.Array | pa.ChunkedArray):
        return pa.table({"puzzle": data})
    if not has_interface(data):
        raise FormatError(
            f"expected an object with the Arrow PyCapsule interface, found {type(data).__name__}"
        )
    try:
        return pa.table(data)
    except (TypeError, ValueError, pa.ArrowException):
        pass  # a single column is no table
    return pa.table({"puzzle": chunked(data)})


def chunked(data: Any) -> Any:
    """A column of any kind as a PyArrow chunked array.

    Raises
    ------
    FormatError
        When it is no column.
    """
    pa = pyarrow()
    if isinstance(data, pa.ChunkedArray):
        return data
    try:
        if hasattr(data, "__arrow_c_stream__"):
            return pa.chunked_array(data)
        array = pa.array(data)
    except (TypeError, ValueError, pa.ArrowException) as error:
        raise FormatError(f"expected a column of strings: {error}") from error
    return pa.chunked_array([array])


def result_table(result: CheckResult) -> Any:
    """The answers of `check_many` as a PyArrow table."""
    pa = pyarrow()
    grids = None if result.solutions is None else np.where(result.solutions, result.solutions | 48, 0)
    arrays = answer_arrays(result.counts, result.verdicts, result.complete, grids)
    return pa.table(arrays, schema=result_schema(pa.schema([]), grids is not None))


def result_schema(schema: Any, solutions: bool) -> Any:
    """The schema of `schema` with the answers added."""
    pa = pyarrow()
    new = [
        pa.field("verdict", pa.dictionary(pa.int8(), pa.string())),
        pa.field("count", pa.int64()),
        pa.field("complete", pa.bool_()),
    ]
    if solutions:
        new.append(pa.field("solution", pa.string()))
    names = {field.name for field in new}
    old = [field.with_name(f"given_{field.name}") if field.name in names else field for field in schema]
    return pa.schema([*old, *new])


def _check_array(array: Any, threads: int, solutions: bool, settings: dict[str, int]) -> list[Any]:
    """Verdict, count and solution of each row, as Arrow arrays."""
    n = len(array)
    answers = _Answers(
        np.zeros(n, np.uint64),
        np.full(n, Verdict.INVALID, np.uint8),
        np.zeros(n, np.bool_),
        np.zeros((n, 81), np.uint8) if solutions else None,
    )
    for piece in pieces(array):
        solve_piece(piece, answers, threads, settings)
    return answer_arrays(answers.counts, answers.verdicts, answers.complete, answers.solutions)


@cache
def verdict_words() -> Any:
    """The words of the verdicts, in the order of their codes, as an Arrow array."""
    # PyArrow looks for pandas whenever it is given Python objects, which takes longer than all else here.
    return pyarrow().array([str(verdict) for verdict in Verdict])


def answer_arrays(
    counts: npt.NDArray[np.uint64],
    verdicts: npt.NDArray[np.uint8],
    complete: npt.NDArray[np.bool_],
    solutions: npt.NDArray[np.uint8] | None,
) -> list[Any]:
    """Answers as Arrow arrays that share the memory: verdict, count, complete, solution."""
    pa = pyarrow()
    n = len(verdicts)
    codes = pa.Array.from_buffers(pa.int8(), n, [None, pa.py_buffer(verdicts)])
    valid = _bits(pa, verdicts != Verdict.INVALID)
    exact = pa.py_buffer(np.packbits(complete, bitorder="little"))
    arrays = [
        pa.DictionaryArray.from_arrays(codes, verdict_words()),
        pa.Array.from_buffers(pa.int64(), n, [valid, pa.py_buffer(counts)]),
        pa.Array.from_buffers(pa.bool_(), n, [valid, exact]),
    ]
    if solutions is not None:
        offsets = np.arange(0, 81 * n + 1, 81, dtype=np.int32)
        arrays.append(
            pa.Array.from_buffers(
                pa.string(),
                n,
                [_bits(pa, solutions[:, 0] != 0), pa.py_buffer(offsets), pa.py_buffer(solutions)],
            )
        )
    return arrays


def _bits(pa: Any, valid: npt.NDArray[np.bool_]) -> Any:
    if valid.all():
        return None
    return pa.py_buffer(np.packbits(valid, bitorder="little"))


def solve_piece(piece: Piece, answers: _Answers, threads: int, settings: dict[str, int]) -> None:
    """Fill in the answers of a piece, in slices shared out to threads."""
    from unidoku.batch import in_threads
    from unidoku.files.base import Batch
    from unidoku.pipeline.results import solve_batch

    stop = bytearray(1)
    own = threading.local()  # each thread's buffers
    wide = np.asarray(piece.wide, np.int64)
    places = piece.first + piece.rows

    def work(begin: int) -> None:
        end = min(begin + _SLICE, len(piece.starts))
        here = slice(begin, end)
        inside = wide[(wide >= begin) & (wide < end)] - begin
        batch = Batch("", piece.text, piece.starts[here], None, wide=inside.tolist())
        scratch = own.__dict__.setdefault("scratch", {})
        results = solve_batch(batch, scratch, solutions=answers.solutions is not None, stop=stop, **settings)
        target = places[here]
        if len(target):
            answers.counts[target] = np.frombuffer(results.counts, np.uint64)
            answers.verdicts[target] = np.frombuffer(results.verdicts, np.uint8)
            answers.complete[target] = np.frombuffer(results.complete, np.bool_)
            if answers.solutions is not None:
                grids = np.frombuffer(results.solutions, np.uint8)
                answers.solutions[target] = grids.reshape(-1, 81)

    in_threads(work, range(0, len(piece.starts), _SLICE), threads, stop)
