"""Run a task on puzzles in memory: what it returns is checked, and becomes a result."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator, Mapping
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from unidoku.column import Column
from unidoku.errors import InvalidPuzzleError
from unidoku.files.base import Need
from unidoku.made import done, with_others
from unidoku.parse_many import batches_of, each_part, numbers_of, rows_in, with_reason
from unidoku.puzzles import Batch
from unidoku.shown import html_table
from unidoku.task import Made, Task, type_of_items
from unidoku.threads import Cancel, child_of, thread_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.parse_many import Places, Rows

CANCELLED = "cancelled"
"""Why a puzzle has no result after a `Cancel`."""


class Result:
    """What a task makes of puzzles in memory: rows in the order of the puzzles.

    A column is an attribute: an array with a value for each row; NaN, None, False or 0 where there is none.
    ``result[i]`` is a row as a named tuple, with None for what it does not have, and its ``reason``.
    ``len(result)`` is the number of rows.  ``==`` compares all columns.  pandas, Polars, PyArrow and DuckDB
    read it as a table.

    Attributes
    ----------
    of : int64[n]
        The puzzle of each row, from 0.
    reasons : dict of int to str
        Why puzzles have no result, by the number of the puzzle, from 0.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self, name: str, columns: Mapping[str, Column], of: NDArray[np.int64], reasons: Mapping[int, str]
    ) -> None:
        self._name = name
        self._columns = dict(columns)
        self.of = of
        self.reasons = dict(reasons)

    def __len__(self) -> int:
        return len(self.of)

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name.startswith("_") or name not in self._columns:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        array = self._columns[name].array()
        self.__dict__[name] = array
        return array

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._columns})

    def _names(self) -> list[str]:
        return [*self._columns, "reason"]

    def __getitem__(self, row: int) -> Any:
        row = range(len(self))[row]
        names = [f"{name}_" if iskeyword(name) else name for name in self._names()]
        values = [column.value(row) for column in self._columns.values()]
        record: Any = namedtuple
        return record("Row", names)(*values, self.reasons.get(int(self.of[row])))

    def __iter__(self) -> Iterator[Any]:
        return (self[row] for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        mine, others = self._columns, other._columns
        if (
            self.reasons != other.reasons
            or list(mine) != list(others)
            or not np.array_equal(self.of, other.of)
        ):
            return False
        return all(_equal(mine[name], others[name]) for name in mine)

    def __repr__(self) -> str:
        reasons = f", {len(self.reasons)} puzzles without a result" if self.reasons else ""
        return f"<Result of {self._name}: {len(self)} rows of {', '.join(self._columns)}{reasons}>"

    def _repr_html_(self) -> str:
        """Return a table for a notebook: the first rows."""
        return html_table(self, self._names(), self)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the rows as an Arrow table: the columns, and ``reason``."""
        from unidoku.arrow import pyarrow

        pa = pyarrow()
        columns = {name: column.to_arrow() for name, column in self._columns.items()}
        columns["reason"] = pa.array([self.reasons.get(row) for row in self.of.tolist()], pa.string())
        stream: object = pa.table(columns).__arrow_c_stream__(requested_schema)
        return stream

    def __getstate__(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in ("_name", "_columns", "of", "reasons")}


def _equal(one: Column, other: Column) -> bool:
    if not np.array_equal(one.known(), other.known()):
        return False
    left, right = one.array()[one.known()], other.array()[one.known()]
    return np.array_equal(left, right, equal_nan=left.dtype.kind == "f" == right.dtype.kind)


def run_many(
    task: Task,
    puzzles: Rows,
    *,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> Result:
    """Let a task work on many puzzles.

    Parameters
    ----------
    task : Task
    puzzles : array, bytes, sequence or Arrow column
        As for `unidoku.check_many`; a row of pencil marks has a reason.
    threads : int, optional
        Worker threads; by default one per available core.
    errors : {"raise", "invalid"}, optional
        What to do with a row that is not a puzzle: raise an error, or give it a reason in place of a result.
    cancel : Cancel, optional
        Set it to end the call; puzzles that are not done then have a reason.

    Returns
    -------
    Result
        A column for each that the task gives.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle and `errors` is ``"raise"``, or the task fails on it; its attribute ``row`` is
        the number, from 0.
    UnidokuError
        The task returns a wrong length, an unknown column or a wrong type, or a number is not allowed.

    Examples
    --------
    >>> import unidoku
    >>> from unidoku.tasks.canonical import Canonical
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> unidoku.run_many(Canonical(), [puzzle, puzzle[:80]], errors="invalid").reasons
    {1: 'expected 81 cells, found 80'}
    """
    count = thread_count(threads)
    batches = batches_of(puzzles, cancel)
    n, many = rows_in(batches), sum(map(len, batches))
    least, most, _ = task.at_once
    size = max(least, min(most, -(-many // count)))
    parts = sum(-(-len(batch) // size) for batch in batches)
    found: dict[int, tuple[NDArray[np.int64], list[Made]]] = {}
    with child_of(cancel) as stop:
        need = Need(frozenset(task.gives()), stop, lambda: max(1, count // max(1, parts)), None)

        def work(part: Batch, places: Places) -> None:
            rows = numbers_of(places)
            pieces: list[Made] = []
            try:
                for piece in [] if stop else done(task, part, need):
                    if piece is None:
                        return
                    pieces.append(piece)
            except InvalidPuzzleError as error:
                if error.row is None:
                    raise
                raise InvalidPuzzleError(error.message, row=int(rows[error.row])) from error.__cause__
            if pieces:
                found[int(rows[0])] = rows, pieces

        limits: dict[str, Any] = {"errors": errors, "threads": count, "cancel": stop}
        reasons = each_part(batches, work, size=size, polls=True, **limits)
    left = np.ones(n, np.bool_)
    left[list(reasons)] = False
    for rows, pieces in found.values():
        left[rows] = False
        reasons |= {int(rows[k]): reason for piece in pieces for k, reason in piece.reasons.items()}
    reasons = with_reason(reasons, np.flatnonzero(left), CANCELLED)
    if errors == "raise" and task.replaces:
        for row, reason in reasons.items():
            if reason != CANCELLED:
                raise InvalidPuzzleError(reason, row=row)
    made = [(*found[first][:1], piece) for first in sorted(found) for piece in found[first][1]]
    owners = [rows[np.asarray(piece.of, np.int64)] for rows, piece in made]
    of = np.concatenate([np.empty(0, np.int64), *owners])
    owner, places = with_others(of, reasons)
    columns = {}
    for name in task.gives():
        kind = task.columns[name][0]
        column = _joined(kind, [piece.columns[name].as_array(kind) for _, piece in made])
        columns[name] = column if len(of) == len(owner) else column.laid(places, len(owner))
    return Result(task.name, columns, owner, reasons)


def _joined(kind: str, columns: list[Column]) -> Column:
    """Return the values of several pieces as one column."""
    if columns:
        return Column.joined(columns)
    item, size = type_of_items(kind)
    type_ = {"cells": "uint8", "double": "float64", "string": "O", "words": "uint8"}.get(item, item)
    shape = (0, 81) if kind == "cells" else (0, size) if size else 0
    words = () if item == "words" else None
    return Column(np.empty(shape, type_), words, None, np.zeros(1, np.int64) if size == 0 else None)
