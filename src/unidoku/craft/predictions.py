"""Verify predicted solutions in files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from unidoku.cell import CELL_CODES, WRONG
from unidoku.craft.changes import Change, cells_of
from unidoku.craft.verify import COLUMNS, VerifyResult, verify_many
from unidoku.errors import FormatError, InvalidPuzzleError
from unidoku.files.base import Batch
from unidoku.files.inputs import read_chunks
from unidoku.files.options import InputOptions
from unidoku.rating.columns import value_column
from unidoku.run.answers import answer_cells
from unidoku.run.verify import GRIDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from numpy.typing import NDArray

    from unidoku.files.inputs import Input
    from unidoku.files.options import InputFields
    from unidoku.kernel import Cancel

__all__ = ["VerifiedRows", "Verify", "verify_file"]

_Grids = tuple[np.ndarray[Any, np.dtype[np.uint8]], dict[int, str]]
"""Cells 0 to 9 of each row, and the reasons of the rows that have none."""


_CELLS = np.frombuffer(CELL_CODES, np.uint8)


@dataclass(frozen=True, slots=True)
class Verify(Change):
    """The puzzles, with the errors of their predictions as the first columns; see `VerifyResult`.

    Attributes
    ----------
    prediction : str or None
        The column of predictions, as for `verify_file`.
    """

    name: ClassVar[str] = "verify"
    prediction: str | None = None

    def __call__(self, batch: Batch, cancel: Cancel | None = None) -> Batch:
        """Return the puzzles of a batch, with what is wrong in their predictions and their columns."""
        grids, reasons = _column(batch, self.prediction)
        result = verify_many(cells_of(batch), grids, threads=1)
        values: dict[str, Any] = {name: getattr(result, name) for name in COLUMNS}
        values["reason"] = np.array([reasons.get(row, "") for row in range(len(grids))], np.str_)
        columns = [value_column(name, array) for name, array in values.items()]
        return replace(batch, columns=[*columns, *batch.columns])


@dataclass(frozen=True, slots=True)
class VerifiedRows:
    """The result for some consecutive rows.

    Attributes
    ----------
    first : int
        Number of the first row, from 1.
    source : str
        Name of the input.
    lines : int64[n]
        Physical line (or record) number of each puzzle.
    result : VerifyResult
        A row without a puzzle or without a grid in its prediction has the errors of an empty grid.
    reasons : dict of int to str
        Why these rows, from 0, have no puzzle or no prediction.
    """

    first: int
    source: str
    lines: NDArray[np.int64]
    result: VerifyResult
    reasons: dict[int, str]


def verify_file(
    puzzles: Input | Sequence[Input],
    predictions: Input | None = None,
    *,
    prediction: str | None = None,
    threads: int | None = None,
    options: InputOptions | None = None,
    **fields: Unpack[InputFields],
) -> Iterator[VerifiedRows]:
    """Verify predicted solutions in files.

    Parameters
    ----------
    puzzles : path, binary file, or a sequence of these
        The puzzles; without `predictions`, also the predictions.
    predictions : path or binary file, optional
        One prediction for each puzzle, in the same order.
    prediction : str, optional
        The column of predictions in `puzzles`; by default the first that is there of ``prediction``,
        ``answer``, ``solution`` and ``solutions``. Its values are 81 cells, JSON lists, or texts with a grid
        in them.
    threads : int, optional
        Worker threads; by default one per available core.
    options, **fields
        How to read; as for `unidoku.convert_file`.

    Yields
    ------
    VerifiedRows
        In input order, some rows at a time. A row whose puzzle or prediction is missing or malformed is
        there too, as wrong.

    Raises
    ------
    UnidokuError
        An input cannot be read or lacks the column, or the two have different numbers of rows.
    """
    options = InputOptions.of(options, fields)
    first = 1
    side = None if predictions is None else _Side(predictions, options)
    for batch in _batches(puzzles, options, carry=side is None):
        lines, rows, invalid = _read(batch)
        if side is not None:
            grids, reasons = side.take(len(rows), batch.source)
        else:
            grids, reasons = _with_rejects(batch, *_column(batch, prediction))
        reasons |= {row: f"not a puzzle: {reason}" for row, reason in invalid.items()}
        grids[list(reasons)] = 0
        ordered = dict(sorted(reasons.items()))
        yield VerifiedRows(first, batch.source, lines, verify_many(rows, grids, threads=threads), ordered)
        first += len(rows)
    if side is not None:
        side.end(first - 1)


def _batches(path: Input | Sequence[Input], options: InputOptions, *, carry: bool = False) -> Iterator[Batch]:
    scratch: dict[str, Any] = {}
    for chunk in read_chunks(path, options, carry=carry):
        try:
            batch = chunk.parse(scratch)
            if len(batch.starts) or batch.rejects:
                yield batch
        finally:
            chunk.release()


def _column(batch: Batch, name: str | None) -> _Grids:
    """Return the grids in a column of predictions, one for each puzzle."""
    wanted = GRIDS if name is None else (name,)
    there = {each.name if name else each.name.lower(): each for each in reversed(batch.columns)}
    column = next((there[each] for each in wanted if each in there), None)
    if column is None:
        if not len(batch.starts):
            return np.empty((0, 81), np.uint8), {}
        names = ", ".join(each.name for each in batch.columns) or "none"
        what = f"no column {name!r}" if name else f"none of the columns {', '.join(GRIDS)}"
        raise FormatError(f"there is {what}; other columns: {names}", file=batch.source)
    starts, ends = np.asarray(column.starts, np.int64), np.asarray(column.ends, np.int64)
    grids = np.zeros((len(starts), 81), np.uint8)
    plain = np.flatnonzero(ends - starts == 81)
    if plain.size:
        grids[plain] = _CELLS[np.frombuffer(column.text, np.uint8)[starts[plain, None] + np.arange(81)]]
    is_plain = np.zeros(len(starts), np.bool_)
    is_plain[plain] = (grids[plain] != WRONG).all(axis=1)
    reasons: dict[int, str] = {}
    for row in np.flatnonzero(~is_plain).tolist():
        text = bytes(column.text[starts[row] : ends[row]]).decode("utf-8", "replace")
        _put(text, grids, row, reasons)
    return grids, reasons


def _put(text: str, grids: NDArray[np.uint8], row: int, reasons: dict[int, str]) -> None:
    """Put the grid of an answer into a row, or the reason why there is none."""
    try:
        grids[row] = np.frombuffer(answer_cells(text), np.uint8)
    except InvalidPuzzleError as error:
        grids[row] = 0
        reasons[row] = error.message


def _read(batch: Batch) -> tuple[NDArray[np.int64], NDArray[np.uint8], dict[int, str]]:
    """Return the lines and the cells of all records of a batch, and why some are no puzzles."""
    places = [reject.before for reject in batch.rejects]
    lines = np.insert(np.asarray(batch.lines, np.int64), places, [each.line for each in batch.rejects])
    cells, _ = _with_rejects(batch, cells_of(batch), {})
    reasons = {
        place + k: each.reason for k, (place, each) in enumerate(zip(places, batch.rejects, strict=True))
    }
    return lines, cells, reasons


def _with_rejects(batch: Batch, cells: NDArray[np.uint8], reasons: dict[int, str]) -> _Grids:
    """Add empty rows where the records that are no puzzles stand."""
    places = np.array([reject.before for reject in batch.rejects], np.int64)
    moved = {row + int(np.searchsorted(places, row, "right")): reason for row, reason in reasons.items()}
    return np.insert(cells, places, 0, axis=0), moved


class _Side:
    """Predictions in a file of their own, read in step with the puzzles."""

    def __init__(self, path: Input, options: InputOptions) -> None:
        self._batches = _batches(path, options)
        self._grids = np.empty((0, 81), np.uint8)
        self._reasons: dict[int, str] = {}
        self._taken = 0

    def take(self, count: int, source: str) -> _Grids:
        """Return the next predictions."""
        while len(self._grids) < count:
            batch = next(self._batches, None)
            if batch is None:
                found = self._taken + len(self._grids)
                raise FormatError(f"more puzzles than predictions, of which there are {found:,}", file=source)
            self._add(batch)
        grids, self._grids = self._grids[:count].copy(), self._grids[count:]
        reasons = {row: reason for row, reason in self._reasons.items() if row < count}
        self._reasons = {row - count: reason for row, reason in self._reasons.items() if row >= count}
        self._taken += count
        return grids, reasons

    def _add(self, batch: Batch) -> None:
        _, cells, invalid = _read(batch)
        before = len(self._grids)
        reasons: dict[int, str] = {}
        for row, reject in zip(invalid, batch.rejects, strict=True):
            _put(reject.text.decode("utf-8", "replace"), cells, row, reasons)
        self._reasons |= {before + row: reason for row, reason in reasons.items()}
        self._grids = np.concatenate([self._grids, cells])

    def end(self, count: int) -> None:
        """Check that all predictions were taken."""
        if len(self._grids) or next(self._batches, None) is not None:
            raise FormatError(f"more predictions than puzzles, of which there are {count:,}")
