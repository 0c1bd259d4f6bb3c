"""Verify predicted solutions in files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from unidoku.craft.changes import Change, cells_of, with_values
from unidoku.craft.rows import cells_of_text
from unidoku.craft.verify import VerifyResult, verify_many
from unidoku.errors import FormatError, InvalidPuzzleError
from unidoku.files.base import Batch
from unidoku.files.inputs import read_chunks
from unidoku.files.options import InputOptions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Unpack

    from numpy.typing import NDArray

    from unidoku.files.inputs import Input
    from unidoku.files.options import InputFields

__all__ = ["VerifiedRows", "Verify", "verify_file"]


@dataclass(frozen=True, slots=True)
class Verify(Change):
    """The puzzles, with the errors of their predictions as the first columns; see `VerifyResult`.

    Attributes
    ----------
    prediction : str
        The column of predictions.
    """

    name: ClassVar[str] = "verify"
    prediction: str = "solution"

    def __call__(self, batch: Batch) -> Batch:
        """Return the puzzles of a batch, with what is wrong in their predictions and their columns."""
        result = verify_many(cells_of(batch), _column(batch, self.prediction), threads=1)
        return with_values(batch, {name: getattr(result, name) for name in VerifyResult.__slots__})


@dataclass(frozen=True, slots=True)
class VerifiedRows:
    """The result for some consecutive rows.

    Attributes
    ----------
    first : int
        Number of the first row, from 1.
    lines : int64[n]
        Physical line (or record) number of each puzzle.
    result : VerifyResult
    """

    first: int
    lines: NDArray[np.int64]
    result: VerifyResult


def verify_file(
    puzzles: Input,
    predictions: Input | None = None,
    *,
    prediction: str = "solution",
    threads: int | None = None,
    options: InputOptions | None = None,
    **fields: Unpack[InputFields],
) -> Iterator[VerifiedRows]:
    """Verify predicted solutions in files.

    Parameters
    ----------
    puzzles : path or binary file
        The puzzles; without `predictions`, also the predictions.
    predictions : path or binary file, optional
        One prediction for each puzzle, in the same order.
    prediction : str, optional
        The column of predictions in `puzzles`.
    threads : int, optional
        Worker threads; by default one per available core.
    options, **fields
        How to read; as for `unidoku.convert_file`.

    Yields
    ------
    VerifiedRows
        In input order, some rows at a time.

    Raises
    ------
    InvalidPuzzleError
        A record is not a puzzle, or not a prediction of 81 cells.
    UnidokuError
        An input cannot be read or lacks the column, or the two have different numbers of rows.
    """
    options = InputOptions.of(options, fields)
    pairs: Iterator[tuple[Batch, NDArray[np.uint8], NDArray[np.uint8]]]
    if predictions is None:
        pairs = (
            (batch, cells_of(batch), _column(batch, prediction))
            for batch in _batches(puzzles, options, carry=True)
        )
    else:
        pairs = _side_by_side(_batches(puzzles, options), _batches(predictions, options))
    first = 1
    for batch, rows, grids in pairs:
        yield VerifiedRows(first, np.array(batch.lines), verify_many(rows, grids, threads=threads))
        first += len(rows)


def _batches(path: Input, options: InputOptions, *, carry: bool = False) -> Iterator[Batch]:
    scratch: dict[str, Any] = {}
    for chunk in read_chunks(path, options, carry=carry):
        try:
            batch = chunk.parse(scratch)
            for reject in batch.rejects:
                raise reject.error(batch.source)
            if len(batch.starts):
                yield batch
        finally:
            chunk.release()


def _column(batch: Batch, name: str) -> NDArray[np.uint8]:
    column = next((each for each in batch.columns if each.name == name), None)
    if column is None:
        names = ", ".join(each.name for each in batch.columns) or "none"
        raise FormatError(f"there is no column {name!r}; other columns: {names}", file=batch.source)
    starts, ends = np.asarray(column.starts, np.int64), np.asarray(column.ends, np.int64)
    wrong = np.flatnonzero(ends - starts != 81)
    if wrong.size:
        line = int(np.asarray(batch.lines)[wrong[0]])
        raise InvalidPuzzleError(f"column {name!r} does not have 81 cells", file=batch.source, line=line)
    return cells_of_text(column.text, starts, 48)


def _side_by_side(
    first: Iterator[Batch], second: Iterator[Batch]
) -> Iterator[tuple[Batch, NDArray[np.uint8], NDArray[np.uint8]]]:
    """Pair each batch of puzzles with its predictions."""
    waiting = np.empty((0, 81), np.uint8)
    count = 0
    for batch in first:
        rows = cells_of(batch)
        parts = [waiting]
        while sum(map(len, parts)) < len(rows):
            more = next(second, None)
            if more is None:
                found = count + sum(map(len, parts))
                raise FormatError(
                    f"more puzzles than predictions, of which there are {found:,}", file=batch.source
                )
            parts.append(cells_of(more))
        grids = np.concatenate(parts)
        yield batch, rows, grids[: len(rows)]
        waiting = grids[len(rows) :]
        count += len(rows)
    if len(waiting) or next(second, None) is not None:
        raise FormatError(f"more predictions than puzzles, of which there are {count:,}")
