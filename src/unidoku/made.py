"""What a task makes of a batch: what it returns is checked.

NumPy is imported only for what needs it, so that a check of text starts fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from unidoku.column import Column
from unidoku.errors import InvalidPuzzleError, SearchStoppedError, UnidokuError
from unidoku.task import Made, Task

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from unidoku.files.base import Batch, Need

_KINDS = {
    "bool": "b",
    **dict.fromkeys(("int8", "int16", "int32", "int64"), "iu"),
    **dict.fromkeys(("uint8", "uint16", "uint32", "uint64"), "iu"),
    **dict.fromkeys(("float64", "double"), "fiu"),
    "string": "UTO",
    "cells": "iu",
}
"""The kinds of NumPy arrays that a column of each type takes."""


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
    given, of = columns.pop("reason", None), columns.pop("of", None)
    if unknown := [name for name in columns if name not in task.columns]:
        declared = ", ".join(task.columns)
        raise _fault(task, unknown[0], f"is not declared; these are: {declared}")
    if missing := [name for name in task.columns if name in need and name not in columns]:
        raise _fault(task, missing[0], "is declared, but was not returned")
    reasons = {} if given is None else _reasons(task, given, n)
    rows = range(n) if of is None else _owners(task, of, n)
    what = "puzzles" if of is None else "rows"
    made = {name: _checked(task, name, column, len(rows), what) for name, column in columns.items()}
    if not reasons:
        return Made(rows, made, reasons, n)
    if of is not None:
        every, places = with_others(rows, reasons)
        made = {name: column.laid(places, len(every)) for name, column in made.items()}
        return Made(every, made, reasons, n)
    import numpy as np

    own = Column, np.ma.MaskedArray  # which say themselves where there are values
    without = [name for name in made if not isinstance(columns[name], own)]
    return Made(rows, made | {name: _without(made[name], reasons) for name in without}, reasons, n)


def with_others(of: Any, others: Iterable[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the owners of rows, and a row more for each of the others that has none; and where the rows are.

    Both are in ascending order.
    """
    import numpy as np

    alone = np.setdiff1d(np.fromiter(others, np.int64), of)
    every = np.concatenate([np.asarray(of, np.int64), alone])
    order = np.argsort(every, kind="stable")
    return every[order], np.argsort(order, kind="stable")[: len(of)]


def _reasons(task: Task, given: Any, n: int) -> dict[int, str]:
    """Return the reasons that a task returned, by puzzle."""
    if isinstance(given, Mapping):
        return {int(row): str(text) for row, text in given.items() if text}
    import numpy as np

    texts = given.array() if isinstance(given, Column) else np.asarray(given, np.object_)
    if len(texts) != n:
        raise _fault(task, "reason", f"has {len(texts)} values for {n} puzzles")
    return {row: str(texts[row]) for row in np.flatnonzero(texts).tolist()}


def _owners(task: Task, of: Any, n: int) -> NDArray[np.int64]:
    """Return the puzzle of each row."""
    import numpy as np

    rows = np.asarray(of.values if isinstance(of, Column) else of)
    right = rows.ndim == 1 and (rows.dtype.kind in "iu" or not rows.size)
    rows = rows.astype(np.int64) if right else rows
    if not right or (rows.size and (rows.min() < 0 or rows.max() >= n or (np.diff(rows) < 0).any())):
        raise _fault(task, "of", f"must be numbers of puzzles, 0 to {n - 1}, in ascending order")
    return rows


def _without(column: Column, reasons: Mapping[int, str]) -> Column:
    valid = column.known().copy()
    valid[list(reasons)] = False
    return Column(column.values, column.words, valid)


def _fault(task: Task, column: str, what: str) -> UnidokuError:
    return UnidokuError(f"task {task.name}: column {column!r} {what}")


def _checked(task: Task, name: str, given: Any, n: int, rows: str) -> Column:
    """Return a returned column as one of the declared type; one that a class method made is of its type."""
    if isinstance(given, Column) and given.kind != "array":
        if len(given) != n:
            raise _fault(task, name, f"has {len(given)} values for {n} {rows}")
        return given
    import numpy as np

    kind = task.columns[name][0]
    values, words, valid = (
        (given.values, given.words, given.valid) if isinstance(given, Column) else (given, None, None)
    )
    if isinstance(values, np.ma.MaskedArray):
        values, valid = values.data, ~np.ma.getmaskarray(values)
    values = np.asarray(values)
    shape = (n, 81) if kind == "cells" else (n,)
    if values.shape != shape:
        if values.ndim == len(shape) and values.shape[1:] == shape[1:]:
            raise _fault(task, name, f"has {len(values)} values for {n} {rows}")
        raise _fault(task, name, f"has the shape {values.shape}, not {shape}")
    if valid is not None:
        valid = np.asarray(valid, np.bool_)
        if valid.shape != (n,):
            raise _fault(task, name, f"has {len(valid)} values for {n} {rows}")
    if words is not None:
        right = kind == "string" and values.dtype.kind in "iu"
        if right and n and not 0 <= values.min() <= values.max() < len(words):
            raise _fault(task, name, f"has a code that is not 0 to {len(words) - 1}")
    else:
        right = values.dtype.kind in _KINDS[kind] or not n
        if values.dtype.kind == "O":
            known = np.array([value is not None for value in values], np.bool_)
            right = right and all(isinstance(value, str) for value in values[known])
            valid = known if valid is None else valid & known
    if not right:
        raise _fault(task, name, f"is {kind}, but the values are {values.dtype}")
    if words is None and kind not in ("string",):
        values = _of_type(task, name, kind, values, valid)
    if kind == "cells" and name != "puzzle":  # which may be empty
        known = np.asarray(values.any(axis=1), np.bool_)
        valid = known if valid is None else valid & known
    if valid is not None and valid.all():
        valid = None
    return Column(values, words, valid)


def _of_type(
    task: Task, name: str, kind: str, values: NDArray[Any], valid: NDArray[np.bool_] | None
) -> NDArray[Any]:
    """Return values in the declared type; a number that does not fit is an error."""
    import numpy as np

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
    except (UnidokuError, MemoryError):
        raise
    except Exception as error:
        message = f"task {task.name} failed: {type(error).__name__}: {error}"
        row = _failing(task, batch, need)
        raise (UnidokuError(message) if row is None else InvalidPuzzleError(message, row=row)) from error


def _failing(task: Task, batch: Batch, need: Need) -> int | None:
    """Return the first puzzle on which a task fails alone, too."""
    from unidoku.files.base import Batch

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
