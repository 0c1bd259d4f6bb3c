"""Run a task on puzzles in memory: what it returns is checked, and becomes a result."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from html import escape
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from unidoku.column import MOST_WORDS, Column
from unidoku.errors import InvalidPuzzleError, SearchStoppedError, UnidokuError
from unidoku.files.base import Batch, Need
from unidoku.parse_many import puzzles_of
from unidoku.task import type_of_items
from unidoku.threads import Cancel, child_of, run_tasks, thread_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.parse_many import Rows
    from unidoku.task import Task

CANCELLED = "cancelled"
"""Why a puzzle has no result after a `Cancel`."""

_KINDS = {
    "bool": "b",
    **dict.fromkeys(("int8", "int16", "int32", "int64"), "iu"),
    **dict.fromkeys(("uint8", "uint16", "uint32", "uint64"), "iu"),
    **dict.fromkeys(("float64", "double"), "fiu"),
    **dict.fromkeys(("string", "words"), "UTO"),
    "cells": "iu",
}
"""The kinds of NumPy arrays that a column of each type takes."""

_APART = frozenset(' ,"\t\r\n')  # no word of lists has them, which text has between the words

_SHOWN = 10  # rows in the table of a notebook


class Made(NamedTuple):
    """What a task made of a batch: a row for each number in `of`, and why puzzles have no result."""

    of: NDArray[np.int64]
    columns: dict[str, Column]
    reasons: dict[int, str]


def made_of(task: Task, found: Mapping[str, Any] | None, n: int, need: frozenset[str]) -> Made:
    """Check what a task returned for n puzzles; each puzzle with a reason and without a row gets one.

    Raises
    ------
    UnidokuError
        The task returned a wrong length, an unknown column or a wrong type: the message names the column.
    """
    if found is None:
        raise UnidokuError(f"task {task.name}: work returned None, and the run is not cancelled")
    columns = dict(found)
    reasons, of = columns.pop("reason", None), columns.pop("of", None)
    if unknown := [name for name in columns if name not in task.columns]:
        declared = ", ".join(task.columns)
        raise _fault(task, unknown[0], f"is not declared; these are: {declared}")
    if missing := [name for name in task.columns if name in need and name not in columns]:
        raise _fault(task, missing[0], "is declared, but was not returned")
    why: dict[int, str] = {}
    if reasons is not None:
        if not isinstance(reasons, Mapping):
            if len(reasons) != n:
                raise _fault(task, "reason", f"has {len(reasons)} values for {n} puzzles")
            reasons = dict(enumerate(reasons.array() if isinstance(reasons, Column) else reasons))
        why = {int(row): str(text) for row, text in reasons.items() if text}
    rows = np.arange(n)
    if of is not None:
        rows = np.asarray(of.values if isinstance(of, Column) else of)
        right = rows.ndim == 1 and (rows.dtype.kind in "iu" or not rows.size)
        rows = rows.astype(np.int64) if right else rows
        if not right or (rows.size and (rows.min() < 0 or rows.max() >= n or (np.diff(rows) < 0).any())):
            raise _fault(task, "of", f"must be numbers of puzzles, 0 to {n - 1}, in ascending order")
    made = {
        name: _checked(
            task,
            name,
            task.columns[name][0],
            column,
            n=len(rows),
            rows="rows" if of is not None else "puzzles",
        )
        for name, column in columns.items()
    }
    alone = np.setdiff1d(list(why), rows) if of is not None and why else rows[:0]
    if alone.size:
        every = np.concatenate([rows, alone])
        order = np.argsort(every, kind="stable")
        places = np.argsort(order, kind="stable")[: len(rows)]
        made = {name: column.laid(places, len(every)) for name, column in made.items()}
        rows = every[order]
    elif of is None and why:
        own = Column, np.ma.MaskedArray  # which say themselves where there are values
        made = {
            name: column if isinstance(columns[name], own) else _without(column, why)
            for name, column in made.items()
        }
    return Made(rows, made, why)


def _without(column: Column, reasons: Mapping[int, str]) -> Column:
    valid = column.known().copy()
    valid[list(reasons)] = False
    return replace(column, valid=valid)


def _fault(task: Task, column: str, what: str) -> UnidokuError:
    return UnidokuError(f"task {task.name}: column {column!r} {what}")


def _checked(task: Task, name: str, declared: str, given: Any, *, n: int, rows: str) -> Column:
    """Return a returned column as one of the declared type."""
    kind, width = type_of_items(declared)
    if width == 0:
        return _checked_lists(task, name, kind, given, n=n, rows=rows)
    values, words, valid = (
        (given.values, given.words, given.valid) if isinstance(given, Column) else (given, None, None)
    )
    if isinstance(values, np.ma.MaskedArray):
        values, valid = values.data, ~np.ma.getmaskarray(values)
    values = np.asarray(values)
    shape = (n, 81) if kind == "cells" else (n, width) if width else (n,)
    if values.shape != shape:
        if values.ndim == len(shape) and values.shape[1:] == shape[1:]:
            raise _fault(task, name, f"has {len(values)} values for {n} {rows}")
        raise _fault(task, name, f"has the shape {values.shape}, not {shape}")
    if valid is not None:
        valid = np.asarray(valid, np.bool_)
        if valid.shape != (n,):
            raise _fault(task, name, f"has {len(valid)} values for {n} {rows}")
    if words is not None:
        right = kind in ("string", "words") and values.dtype.kind in "iu"
        if right and n and not 0 <= values.min() <= values.max() < len(words):
            raise _fault(task, name, f"has a code that is not 0 to {len(words) - 1}")
        if kind == "words" and len(words) > MOST_WORDS:
            raise _fault(task, name, f"has more than {MOST_WORDS} words")
    else:
        right = kind != "words" and (values.dtype.kind in _KINDS[kind] or not n)
        if values.dtype.kind == "O":
            known = np.array([value is not None for value in values], np.bool_)
            right = right and all(isinstance(value, str) for value in values[known])
            valid = known if valid is None else valid & known
    if not right:
        raise _fault(task, name, f"is {kind}, but the values are {values.dtype}")
    if words is None and kind != "string":
        values = _of_type(task, name, kind, values, valid)
    if kind == "cells" and name != "puzzle":  # which may be empty
        known = np.asarray(values.any(axis=1), np.bool_)
        valid = known if valid is None else valid & known
    if valid is not None and valid.all():
        valid = None
    return Column(values, words, valid)


@lru_cache(maxsize=64)
def _are_single(words: tuple[str, ...]) -> bool:
    """Whether no word has a character that stands between words."""
    return not any(set(word) & _APART for word in words)


def _checked_lists(task: Task, name: str, kind: str, given: Any, *, n: int, rows: str) -> Column:
    """Return a returned column of lists as one of the declared type."""
    if not isinstance(given, Column) or given.offsets is None:
        raise _fault(task, name, "has lists: return Column(values, offsets=…)")
    offsets = np.asarray(given.offsets)
    if offsets.shape != (n + 1,):
        raise _fault(task, name, f"has {len(offsets) - 1} lists for {n} {rows}")
    items = len(given.values)
    if (
        offsets.dtype.kind not in "iu"
        or offsets[0] != 0
        or offsets[-1] != items
        or (np.diff(offsets) < 0).any()
    ):
        raise _fault(task, name, f"has offsets that do not ascend from 0 to {items}, the number of values")
    if not _are_single(given.words or ()):
        raise _fault(
            task, name, "has a word with a space, a comma or a quotation mark, which stand between words"
        )
    if kind == "words" and given.words is None:
        raise _fault(task, name, "is words: return Column(codes, words, offsets=…)")
    kind = "string" if kind == "words" else kind  # of which there may be more than of a column without lists
    each = _checked(task, name, kind, Column(given.values, given.words), n=items, rows="values")
    valid = given.valid
    if valid is not None and np.shape(valid) != (n,):
        raise _fault(task, name, f"has {len(valid)} values for {n} {rows}")
    known = None if valid is None or np.all(valid) else np.asarray(valid, np.bool_)
    return Column(each.values, each.words, known, offsets.astype(np.int64, copy=False))


def _of_type(
    task: Task, name: str, kind: str, values: NDArray[Any], valid: NDArray[np.bool_] | None
) -> NDArray[Any]:
    """Return values in the declared type; a number that does not fit is an error."""
    type_ = np.dtype({"cells": "uint8", "double": "float64"}.get(kind, kind))
    made = values.astype(type_, copy=False)
    if type_.kind in "iu" and values.dtype != type_:
        same = made == values if valid is None else (made == values)[valid]
        if not np.all(same):
            raise _fault(task, name, f"is {kind}, which cannot hold all of the values")
    if kind == "cells" and made.size and made.max() > 9:
        raise _fault(task, name, f"has a cell {made.max()}; cells are 0 to 9")
    return np.ascontiguousarray(made)


def done(task: Task, batch: Batch, need: Need) -> Iterator[Made | None]:
    """Let a task work on a batch, and check what it returns; None if it was cancelled.

    An error that is no `UnidokuError` becomes one that names the task and, if it is found, the puzzle.
    """
    n = len(batch)
    try:
        for found in task.pieces(batch, need):
            yield None if need.cancel else made_of(task, found, n, need.columns)
    except SearchStoppedError:
        if not need.cancel:
            raise
        yield None
    except UnidokuError:
        raise
    except Exception as error:
        message = f"task {task.name} failed: {type(error).__name__}: {error}"
        row = _failing(task, batch, need)
        raise (UnidokuError(message) if row is None else InvalidPuzzleError(message, row=row)) from error


def _failing(task: Task, batch: Batch, need: Need) -> int | None:
    """Return the first puzzle on which a task fails alone, too."""
    cells = batch.cells
    for row in range(len(batch)):
        try:
            for _ in task.pieces(Batch.of_cells(cells[row : row + 1]), need):
                pass
        except UnidokuError:
            continue
        except Exception:
            return row
    return None


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
        names = [name + "_" * iskeyword(name) for name in self._names()]
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
        names = self._names()
        rows = [
            "".join(f"<td>{'' if value is None else escape(str(value))}</td>" for value in self[row])
            for row in range(min(len(self), _SHOWN))
        ]
        head = "".join(f"<th>{escape(name)}</th>" for name in names)
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        more = f"<p>… {len(self) - _SHOWN:,} more</p>" if len(self) > _SHOWN else ""
        caption = f"<caption>{escape(repr(self)[1:-1])}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"

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
    given = puzzles_of(puzzles, errors)
    every = given.cells(count)
    reasons = dict(given.reasons)
    rows = np.delete(np.arange(given.count), list(reasons))
    cells = every[rows] if reasons else every
    least, most, _ = task.at_once
    size = max(least, min(most, -(-len(rows) // count)))
    begins = range(0, max(1, len(rows)), size)
    found: dict[int, list[Made]] = {}
    with child_of(cancel) as stop:
        need = Need(frozenset(task.gives()), stop, lambda: max(1, count // len(begins)))

        def work(begin: int) -> None:
            pieces: list[Made] = []
            try:
                for piece in [] if stop else done(task, Batch.of_cells(cells[begin : begin + size]), need):
                    if piece is None:
                        return
                    pieces.append(piece)
            except InvalidPuzzleError as error:
                if error.row is None:
                    raise
                raise InvalidPuzzleError(error.message, row=int(rows[begin + error.row])) from error.__cause__
            if pieces:
                found[begin] = pieces

        run_tasks(work, begins, count, stop)
    for begin in begins:
        for piece in found.get(begin, ()):
            reasons |= {int(rows[begin + k]): reason for k, reason in piece.reasons.items()}
        if begin not in found:
            reasons |= dict.fromkeys(rows[begin : begin + size].tolist(), CANCELLED)
    if errors == "raise" and task.replaces:
        for row in sorted(reasons):
            if reasons[row] != CANCELLED:
                raise InvalidPuzzleError(reasons[row], row=row)
    pieces = [(begin, piece) for begin in sorted(found) for piece in found[begin]]
    of = np.concatenate([np.empty(0, np.int64), *(rows[begin + piece.of] for begin, piece in pieces)])
    alone = np.setdiff1d(np.array(list(reasons), np.int64), of)
    order = np.argsort(np.concatenate([of, alone]), kind="stable")
    places = np.argsort(order, kind="stable")[: len(of)]
    columns = {}
    for name in task.gives():
        kind = task.columns[name][0]
        column = _joined(kind, [piece.columns[name] for _, piece in pieces])
        columns[name] = column if len(of) == len(order) else column.laid(places, len(order))
    return Result(task.name, columns, np.concatenate([of, alone])[order], dict(sorted(reasons.items())))


def _joined(kind: str, columns: list[Column]) -> Column:
    """Return the values of several pieces as one column."""
    if columns:
        return Column.joined(columns)
    item, size = type_of_items(kind)
    type_ = {"cells": "uint8", "double": "float64", "string": "O", "words": "uint8"}.get(item, item)
    shape = (0, 81) if kind == "cells" else (0, size) if size else 0
    words = () if item == "words" else None
    return Column(np.empty(shape, type_), words, None, np.zeros(1, np.int64) if size == 0 else None)
