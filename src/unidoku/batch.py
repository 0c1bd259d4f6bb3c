"""Many puzzles at once: arrays, lines or strings in, arrays of answers out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

import numpy as np

from unidoku import kernel
from unidoku.errors import FormatError, InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.native.text.rows import first_bad
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    import numpy.typing as npt

    class ArrowColumn(Protocol):
        """Anything with the Arrow PyCapsule interface."""

        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

    Rows: TypeAlias = (
        npt.NDArray[np.integer] | bytes | bytearray | memoryview | Sequence[str | bytes | Grid] | ArrowColumn
    )

__all__ = ["CheckResult", "check_many", "in_threads"]

T = TypeVar("T")

_SLICE = 8192  # rows a thread takes at a time: their text and answers stay in its cache


@dataclass(frozen=True, slots=True, eq=False)
class CheckResult:
    """The answers for many puzzles, in the order of the puzzles.

    Attributes
    ----------
    counts : uint64[n]
        Solutions found, at most the limit.
    verdicts : uint8[n]
        Codes of `unidoku.Verdict`.
    complete : bool[n]
        Whether the search found all solutions or reached the limit.  Where it is false, the budget cut the
        search off and the count is a lower bound.
    solutions : uint8[n, 81] or None
        The first solution of each puzzle in the order of the search, cells 1 to 9; zeros where there is
        none.  None if not asked for.
    witnesses : uint8[n, 81] or None
        The second solution, which proves a puzzle not unique; zeros where there is none.
    """

    counts: npt.NDArray[np.uint64]
    verdicts: npt.NDArray[np.uint8]
    complete: npt.NDArray[np.bool_]
    solutions: npt.NDArray[np.uint8] | None = None
    witnesses: npt.NDArray[np.uint8] | None = None

    def __len__(self) -> int:
        return len(self.verdicts)

    def __repr__(self) -> str:
        return (
            f"<CheckResult of {len(self)} puzzles: {self.unique} unique, {self.multiple} multiple, "
            f"{self.none} none, {self.unknown} unknown>"
        )

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The answers as an Arrow table: ``verdict`` (words), ``count``, ``solution``.

        Raises
        ------
        MissingExtraError
            PyArrow is not installed.
        """
        from unidoku.arrow import result_table

        return result_table(self).__arrow_c_stream__(requested_schema)

    @property
    def unique(self) -> int:
        """Number of puzzles with exactly one solution."""
        return self._number_of(Verdict.UNIQUE)

    @property
    def multiple(self) -> int:
        """Number of puzzles with two solutions or more."""
        return self._number_of(Verdict.MULTIPLE)

    @property
    def none(self) -> int:
        """Number of puzzles without a solution."""
        return self._number_of(Verdict.NONE)

    @property
    def unknown(self) -> int:
        """Number of puzzles whose search stopped before the question was settled."""
        return self._number_of(Verdict.UNKNOWN)

    def _number_of(self, verdict: Verdict) -> int:
        return int(np.count_nonzero(self.verdicts == verdict))


@dataclass(frozen=True, slots=True)
class Cells:
    """Puzzles as the kernel reads them: 81 bytes from each start, digit 0 coded as ``zero``.

    ``first`` is the number of the first of them among all rows.
    """

    text: Any
    starts: npt.NDArray[np.int64]
    zero: int
    first: int = 0


def check_many(  # noqa: PLR0917 (the names and their order are fixed)
    rows: Rows,
    limit: int | None = 2,
    threads: int | None = None,
    solutions: bool = True,
    witnesses: bool = False,
    budget: int | None = None,
) -> CheckResult:
    """Count the solutions of many puzzles, each up to a limit.

    Parameters
    ----------
    rows : array of integers [n, 81], bytes, sequence of str, or Arrow column of strings
        The puzzles: numbers 0 to 9 (0: empty) or ASCII codes, row by row; or ``bytes`` of lines with 81
        characters each; or strings (also ``bytes`` or `Grid`) of 81 cells; or anything with the Arrow
        PyCapsule interface, of which the column is read where it lies.  Empty cells in text are any of
        ``. 0 * _ - x X ?``.
    limit : int or None, optional
        Stop counting a puzzle there; None counts all.
    threads : int, optional
        Worker threads; by default as many as there are cores this process may use.
    solutions, witnesses : bool, optional
        Whether to return the first solution of each puzzle, and the second.
    budget : int, optional
        Guesses a puzzle may cost; when they are used up before a second solution is found, its verdict is
        UNKNOWN.

    Returns
    -------
    CheckResult
        The same for any number of threads, on any machine.

    Raises
    ------
    InvalidPuzzleError
        `rows` has a wrong shape or type, or a row is no puzzle; the message names the row, from 0.
    MissingExtraError
        `rows` is an Arrow column and PyArrow is not installed.
    ValueError
        `limit`, `threads` or `budget` is below 1.

    Notes
    -----
    The search is the lanes kernel: see docs/kernel.md.
    """
    for name, value in (("limit", limit), ("threads", threads), ("budget", budget)):
        if value is not None and value < 1:
            raise ValueError(f"{name} must be at least 1, not {value}")
    parts = parts_of(rows)
    n = sum(len(cells.starts) for cells in parts)
    counts = np.empty(n, np.uint64)
    verdicts, complete = np.empty(n, np.uint8), np.empty(n, np.bool_)
    first = np.empty((n, 81), np.uint8) if solutions else None
    second = np.empty((n, 81), np.uint8) if witnesses else None
    stop = bytearray(1)

    def work(task: tuple[Cells, int]) -> None:
        cells, begin = task
        starts = cells.starts[begin : begin + _SLICE]
        part = slice(cells.first + begin, cells.first + begin + len(starts))
        bad = first_bad(cells.text, starts, cells.zero)
        if bad >= 0:
            raise bad_row(cells, begin + bad)
        kernel.solve_cells(
            cells.text,
            starts,
            zero=cells.zero,
            limit=limit or 0,
            budget=budget or 0,
            counts=counts[part],
            verdicts=verdicts[part],
            complete=complete[part],
            solutions=None if first is None else first[part],
            witnesses=None if second is None else second[part],
            stop=stop,
        )
        if cells.zero:
            for grids in (first, second):
                if grids is not None:
                    np.bitwise_and(grids[part], 15, out=grids[part])

    tasks = [(cells, begin) for cells in parts for begin in range(0, len(cells.starts), _SLICE)]
    in_threads(work, tasks, threads or kernel.default_threads(), stop)
    return CheckResult(counts, verdicts, complete, first, second)


def parts_of(rows: Rows) -> list[Cells]:
    """The puzzles of anything that `check_many` takes, where they lie; the cells are not looked at yet."""
    return _cells_of_arrow(rows) if _is_arrow(rows) else [_cells_of(rows)]


def in_threads(work: Callable[[T], None], tasks: Sequence[T], threads: int, stop: bytearray) -> None:
    """Run the tasks; the error of the earliest one that has any is raised."""
    if threads == 1 or len(tasks) <= 1:
        for task in tasks:
            work(task)
        return
    with ThreadPoolExecutor(min(threads, len(tasks)), thread_name_prefix="unidoku") as pool:
        futures = [pool.submit(work, task) for task in tasks]
        try:
            for future in futures:
                future.result()
        except BaseException:
            stop[0] = 1
            pool.shutdown(cancel_futures=True)
            raise


def _is_arrow(rows: Any) -> bool:
    return hasattr(rows, "__arrow_c_array__") or hasattr(rows, "__arrow_c_stream__")


def _cells_of_arrow(rows: Any) -> list[Cells]:
    from unidoku.arrow import chunked, pieces, reject_error

    parts: list[Cells] = []
    first = 0
    try:
        chunks = chunked(rows).chunks
        found = [(array, list(pieces(array))) for array in chunks]
    except FormatError as error:
        raise InvalidPuzzleError(f"{error.message}; a table goes to check_table") from None
    for array, its_pieces in found:
        for piece in its_pieces:
            begin = first + piece.first
            if piece.rejects:
                _, row, code, extra = piece.rejects[0]
                raise reject_error(array, piece.first + row, code, extra, begin + row)
            if piece.wide:
                raise InvalidPuzzleError(f"row {begin + piece.wide[0]} has 729 characters, not 81")
            parts.append(Cells(piece.text, piece.starts, 48, begin))
        first += len(array)
    return parts


def _cells_of(rows: Any) -> Cells:
    if isinstance(rows, (bytes, bytearray, memoryview)):
        return _cells_of_lines(bytes(rows))
    if isinstance(rows, str):
        raise InvalidPuzzleError("a string is no sequence of puzzles; unidoku.check takes one puzzle")
    if hasattr(rows, "__array__") or hasattr(rows, "__array_interface__"):
        return _cells_of_array(np.asarray(rows))
    if isinstance(rows, Sequence) or hasattr(rows, "__iter__"):
        return _cells_of_strings(list(rows))
    raise InvalidPuzzleError(
        f"puzzles are an array of shape (n, 81), bytes of lines or strings, not {type(rows).__name__}"
    )


def _cells_of_array(array: npt.NDArray[Any]) -> Cells:
    if array.dtype.kind == "U":  # an array of strings
        return _cells_of_strings(array.tolist())
    if array.ndim != 2 or array.shape[1] != 81 or array.dtype.kind not in "iu":
        raise InvalidPuzzleError(
            f"an array of puzzles has shape (n, 81) and integers, not {array.shape} of {array.dtype}"
        )
    if array.dtype != np.uint8:
        wrong = np.flatnonzero(((array < 0) | (array > 255)).any(axis=1))
        if wrong.size:
            raise InvalidPuzzleError(f"row {wrong[0]}: a number is neither 0 to 9 nor an ASCII code")
        array = array.astype(np.uint8)
    zero = 0 if not array.size or array[0].max() <= 9 else 48
    return Cells(np.ascontiguousarray(array).reshape(-1), _every(81, len(array)), zero)


def _cells_of_lines(text: bytes) -> Cells:
    codes = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(codes == ord("\n"))
    if codes.size and codes[-1] != ord("\n"):
        ends = np.append(ends, codes.size)
    starts = np.append(0, ends[:-1] + 1) if ends.size else np.empty(0)
    lengths = ends - starts
    if codes.size:  # without a carriage return at the end
        lengths = lengths - ((lengths > 0) & (codes[np.maximum(ends - 1, 0)] == ord("\r")))
    wrong = np.flatnonzero(lengths != 81)
    if wrong.size:
        raise InvalidPuzzleError(f"line {wrong[0] + 1} has {int(lengths[wrong[0]])} characters, not 81")
    return Cells(text, starts.astype(np.int64), 48)


def _cells_of_strings(rows: list[Any]) -> Cells:
    lines = [_line_of(row, place) for place, row in enumerate(rows)]
    return Cells(b"".join(lines), _every(81, len(lines)), 48)


def _line_of(row: Any, place: int) -> bytes:
    line = row.line if isinstance(row, Grid) else row
    if isinstance(line, str):
        line = line.encode("ascii", "replace")
    if not isinstance(line, bytes):
        raise InvalidPuzzleError(f"row {place} is {type(row).__name__}, not a string")
    if len(line) != 81:
        raise InvalidPuzzleError(f"row {place} has {len(line)} characters, not 81")
    return line


def _every(step: int, n: int) -> npt.NDArray[np.int64]:
    return np.arange(0, step * n, step, dtype=np.int64)


def bad_row(cells: Cells, place: int) -> InvalidPuzzleError:
    """The error that says what is wrong with a row."""
    start = int(cells.starts[place])
    row = bytes(memoryview(cells.text)[start : start + 81])
    if cells.zero == 0:
        cell = next(k for k, value in enumerate(row) if value > 9)
        return InvalidPuzzleError(
            f"row {place}: cell {cell + 1} holds {row[cell]}: a cell is 0 (empty) or 1 to 9"
        )
    cell = next(k for k, code in enumerate(row) if chr(code) not in "0123456789.*_-xX")
    return InvalidPuzzleError(
        f"row {place}: {chr(row[cell])!r} in cell {cell + 1} is no cell: "
        "digits 1 to 9, or one of . 0 * _ - x X ? for an empty cell"
    )
