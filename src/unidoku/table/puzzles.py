"""Many puzzles in memory: the work on some of them at a time, and what they are as cells and as lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from unidoku.cell import symbols_of
from unidoku.compat import np
from unidoku.errors import InvalidPuzzleError, SearchStoppedError
from unidoku.table.batch import Batch
from unidoku.table.column import Column
from unidoku.table.forms import BLOCK, PuzzlesLike, batch_at, read
from unidoku.table.result import Result
from unidoku.threads import Cancel, cancel_of, map_parts, raise_if_set, thread_count, within

if TYPE_CHECKING:
    import numpy.typing as npt

_PART = 2048  # puzzles that a thread takes at a time: they stay in its cache


@dataclass(eq=False, repr=False)  # not frozen: to make one would take three times as long
class Puzzles:
    """Puzzles in memory, apart from the rows that are none.

    Attributes
    ----------
    batch : Batch
        The puzzles, perhaps in the memory of the caller; their lines are their numbers, from 1.
    reasons : dict of int to str
        Why the other rows are no puzzles, by the number of the row among all.
    errors : {"raise", "invalid"}
        Whether a puzzle without a result is an error.
    """

    batch: Batch
    reasons: dict[int, str] = field(default_factory=dict)
    errors: str = "raise"
    cancel: Cancel | None = None
    """Ends the work of `cells`: the rows that are left have no clues."""

    @classmethod
    def of(cls, puzzles: PuzzlesLike, *, errors: str = "raise", cancel: Cancel | None = None) -> Puzzles:
        """Read puzzles in any form that `check_many` accepts."""
        rows, reasons = read(puzzles, errors, cancel)
        if isinstance(rows, Batch):
            return cls(rows, errors=errors, cancel=cancel)
        batch = _batch_of(rows)
        if reasons:
            batch = batch.take(_other_rows(len(rows), reasons))
        return cls(batch, reasons, errors, cancel)

    @classmethod
    def of_cells(
        cls, cells: npt.NDArray[np.uint8], reasons: dict[int, str] | None = None, errors: str = "raise"
    ) -> Puzzles:
        """Return puzzles given as uint8[m, 81], cells 0 to 9, which are not copied."""
        return cls(_batch_of(cells), reasons or {}, errors)

    def __len__(self) -> int:
        """Return the number of rows: puzzles and others."""
        return len(self.batch) + len(self.reasons)

    @cached_property
    def cells(self) -> npt.NDArray[np.uint8]:
        """The cells, 0 for an empty one: uint8[m, 81], perhaps the memory of the caller."""
        is_whole = self.batch.empty_code == 0 and isinstance(self.batch.starts, range)
        return self.batch.cells if is_whole else _copy(self.batch, self.cancel)

    @property
    def rows(self) -> npt.NDArray[np.int64]:
        """The number of the row of each puzzle among all: int64[m]."""
        return _other_rows(len(self), self.reasons)

    def map_slices(
        self,
        work: Callable[[slice, Cancel], Mapping[int, str] | None],
        *,
        threads: int | None = None,
        cancel: Cancel | None = None,
        size: int = _PART,
        cancellable: bool = False,
    ) -> dict[int, str]:
        """Call `work` for `size` of the puzzles at a time, in worker threads; if `cancel` ends it, raise.

        It also gets the flag that ends it, and may return why puzzles have no result, by their numbers in the
        slice.  Return these reasons by the numbers of the puzzles.  `cancellable` is as for `map_parts`.
        """

        def attempt(part: slice, stop: Cancel) -> Mapping[int, str]:
            reasons = work(part, stop) or {}
            if reasons and self.errors == "raise":
                puzzle, reason = min(reasons.items())
                raise InvalidPuzzleError(reason, index=part.start + puzzle)
            return reasons

        flag = cancel_of(cancel)
        results = map_parts(attempt, self.slices(size), thread_count(threads), flag, cancellable=cancellable)
        flag.raise_if_set()
        return {part.start + k: reason for part, own in results for k, reason in sorted(own.items())}

    def slices(self, size: int = _PART) -> list[slice]:
        """Return slices of the puzzles, `size` of them in each."""
        return [slice(begin, begin + size) for begin in range(0, len(self.batch), size)]

    def result(
        self,
        puzzle_columns: Mapping[str, Column] | Callable[[], Mapping[str, Column]],
        reasons: Mapping[int, str] | None = None,
        for_invalid: Mapping[str, Any] | None = None,
    ) -> Result:
        """Return columns of the puzzles, or what makes them when one is read, as those of all rows.

        Puzzles with `reasons` and the other rows have no values, or in some columns those
        `for_invalid`.
        """
        if not (reasons or self.reasons):
            return Result(puzzle_columns)
        rows = self.rows
        failures = {int(rows[puzzle]): reason for puzzle, reason in (reasons or {}).items()}
        row_reasons = dict(sorted({**self.reasons, **failures}.items()))
        make = partial(_row_columns, puzzle_columns, self.places(row_reasons), for_invalid or {})
        return Result(make, row_reasons)

    def places(self, reasons: Mapping[int, str]) -> npt.NDArray[np.int64]:
        """Return the puzzle of each row, int64[n]: -1 for a row that has one of the reasons."""
        if not reasons:
            return np.arange(len(self))
        places = np.full(len(self), -1)
        places[self.rows] = np.arange(len(self.batch))
        places[list(reasons)] = -1
        return places


def _batch_of(cells: npt.NDArray[np.uint8]) -> Batch:
    """Return puzzles given as uint8[m, 81] as a batch."""
    text = cells.reshape(-1)  # one after the other: a copy of cells that are not
    return batch_at(text, range(0, len(text), 81), empty_code=0)


def _row_columns(
    puzzle_columns: Mapping[str, Column] | Callable[[], Mapping[str, Column]],
    index: npt.NDArray[np.int64],
    for_invalid: Mapping[str, Any],
) -> dict[str, Column]:
    """Return columns of puzzles as those of all rows: ``index`` has the puzzle of each, or -1."""
    columns = puzzle_columns() if callable(puzzle_columns) else puzzle_columns
    return {name: column.take(index, for_invalid.get(name)) for name, column in columns.items()}


def _other_rows(count: int, reasons: Mapping[int, str]) -> npt.NDArray[np.int64]:
    """Return the numbers of the rows, `count` of them, without those that have reasons."""
    return np.delete(np.arange(count), list(reasons))


def with_reason(reasons: Mapping[int, str], rows: npt.NDArray[np.int64], reason: str) -> dict[int, str]:
    """Return reasons by row, ascending, with this `reason` for further `rows`."""
    return dict(sorted({**dict.fromkeys(rows.tolist(), reason), **reasons}.items()))


def cells(
    puzzles: PuzzlesLike, *, cancel: Cancel | None = None, timeout: float | None = None
) -> npt.NDArray[np.uint8]:
    """Return the cells of many puzzles or full grids, in any form that `check_many` takes.

    Parameters
    ----------
    puzzles : array, bytes, sequence or Arrow column
        As for `unidoku.check_many`.
    cancel : Cancel, optional
        Set it to stop.
    timeout : float, optional
        Cancel it after this number of seconds.

    Returns
    -------
    uint8[n, 81]
        Cells 0 to 9, 0 for an empty one; a new array.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle; its attribute ``index`` is the number, from 0.
    SearchStoppedError
        `cancel` ended the work.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> cells([puzzle]).shape, lines(cells([puzzle])) == [puzzle]
    ((1, 81), True)
    """
    cancel = within(cancel, timeout)
    rows, _ = read(puzzles, "raise", cancel)
    raise_if_set(cancel)
    if not isinstance(rows, Batch) and rows.flags.owndata:
        rows.flags.writeable = True
        return rows
    copy = _copy(rows, cancel)  # the others are perhaps the memory of the caller
    raise_if_set(cancel)
    return copy


def lines(puzzles: PuzzlesLike, *, cancel: Cancel | None = None, timeout: float | None = None) -> list[str]:
    """Return many puzzles or full grids as texts of 81 characters, the reverse of `cells`.

    Parameters
    ----------
    puzzles, cancel, timeout
        As for `cells`.

    Returns
    -------
    list of str
        ``1`` to ``9``, ``.`` for an empty cell.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle; its attribute ``index`` is the number, from 0.
    SearchStoppedError
        `cancel` ended the work.
    """
    cancel = within(cancel, timeout)
    rows, _ = read(puzzles, "raise", cancel)
    raise_if_set(cancel)
    texts = list[str]()
    for _, block in _blocks(rows, cancel):
        text = symbols_of(block.tobytes())
        texts += [text[start : start + 81] for start in range(0, len(text), 81)]
    return texts


def _copy(rows: Batch | npt.NDArray[np.uint8], cancel: Cancel | None) -> npt.NDArray[np.uint8]:
    """Return the cells of puzzles as a new array; after a `cancel`, the rows that are left have no clues."""
    if len(rows) <= BLOCK:
        return np.array(rows.cells if isinstance(rows, Batch) else rows)
    cells = np.zeros((len(rows), 81), np.uint8)
    with suppress(SearchStoppedError):
        for begin, block in _blocks(rows, cancel):
            cells[begin : begin + len(block)] = block
    return cells


def _blocks(
    rows: Batch | npt.NDArray[np.uint8], cancel: Cancel | None
) -> Iterator[tuple[int, npt.NDArray[np.uint8]]]:
    """Yield the cells of some puzzles at a time, with the number of the first; raise if `cancel` is set."""
    for begin in cancel_of(cancel).watch(range(0, len(rows), BLOCK)):
        part = slice(begin, begin + BLOCK)
        yield begin, rows.part(part).cells if isinstance(rows, Batch) else rows[part]
