"""What a task makes of a batch; its run on puzzles in memory.

NumPy is imported only for what needs it, so that a check of text starts fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from unidoku.column import TYPES, Column, type_of_items
from unidoku.errors import InvalidPuzzleError, SearchStoppedError, UnidokuError
from unidoku.task import Need, Rows, Task
from unidoku.threads import CANCELLED, Cancel, thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from unidoku.batch import Batch
    from unidoku.parse_many import Places, PuzzlesLike
    from unidoku.result import Result


def made_of(task: Task, found: Mapping[str, Any], batch: Batch) -> Rows:
    """Return what a task returned for a batch; each puzzle with a reason and without a row gets a row."""
    columns = dict(found)
    reasons, of = _reasons(columns.pop("reason", None)), columns.pop("of", None)
    made = {name: _column(name, task.columns[name][0], given) for name, given in columns.items()}
    rows: Any = range(len(batch))
    if of is not None:
        import numpy as np

        rows = np.asarray(of, np.int64)
    if reasons and of is not None:
        rows, place = with_others(rows, reasons)
        made = {name: column.lay(place).in_rows() for name, column in made.items()}
    elif reasons:  # a `Column` already says which rows have a value
        without = [name for name in made if not isinstance(columns[name], Column)]
        made |= {name: _without(made[name], reasons) for name in without}
    return Rows(batch, rows, made, reasons)


def with_others(of: Any, others: Iterable[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Add a row for each of `others` that has none.

    Return the owners of all rows, in ascending order, and the place of the rows that were there: -1 is a new
    one.
    """
    import numpy as np

    rest = np.sort(np.fromiter(others, np.int64))
    alone = rest[~np.isin(rest, of)]
    every = np.concatenate([np.asarray(of, np.int64), alone])
    order = np.argsort(every, kind="stable")
    return every[order], np.where(order < len(of), order, -1)


def _reasons(given: Any) -> dict[int, str]:
    """Return the reasons that a task returned, by puzzle."""
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return {int(row): str(text) for row, text in given.items() if text}
    import numpy as np

    return {row: str(given[row]) for row in np.flatnonzero(given).tolist()}


def _without(column: Column, reasons: Mapping[int, str]) -> Column:
    valid = column.known()
    valid[list(reasons)] = False
    return replace(column, valid=valid)


def _column(name: str, declared: str, given: Any) -> Column:
    """Return a returned column as one of the declared type; texts and buffers have it."""
    column = given if isinstance(given, Column) else Column(given)
    if not column.is_array:
        return column
    import numpy as np

    kind, size = type_of_items(declared)
    values, words, offsets = np.asarray(column.values), column.words, column.offsets
    valid = None if column.valid is None else np.asarray(column.valid, np.bool_)
    if size == 0:
        offsets = np.asarray(offsets, np.int64)
        kind = "string" if kind == "words" else kind  # lists may have more words than a byte counts
    elif kind == "cells" and name != "puzzle":  # which may be empty
        valid = np.asarray(values.any(axis=1), np.bool_)
    elif kind == "string" and words is None:
        valid = np.array([value is not None for value in values], np.bool_)
    if kind != "string":
        values = np.ascontiguousarray(values, TYPES[kind].numpy)
    valid = None if valid is None or valid.all() else valid
    return replace(column, values=values, offsets=offsets, valid=valid, type=kind)


def done(task: Task, batch: Batch, need: Need) -> Iterator[Rows | None]:
    """Let a task work on a batch; None if it was cancelled.

    An error that is not ours gets a note that says where it happened.
    """
    try:
        for found in task.pieces(batch, need):
            if found is None or need.cancel:
                yield None
                return
            yield made_of(task, found, batch)
    except SearchStoppedError:
        if not need.cancel:
            raise
        yield None
    except (UnidokuError, MemoryError):
        raise
    except Exception as error:
        lines = f"lines {batch.lines[0]} to {batch.lines[-1]}" if len(batch) else "no puzzles"
        lines += "" if batch.line_count is None else " of a batch"
        error.add_note(", ".join(filter(None, (f"in task {task.name}", batch.source, lines))))
        raise


def run_many(
    task: Task,
    puzzles: PuzzlesLike,
    *,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> Result[Any]:
    """Let a task work on many puzzles.

    Parameters
    ----------
    task : Task
    puzzles : array, bytes, sequence or Arrow column
        As for `unidoku.check_many`.
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
        A row is not a puzzle and `errors` is ``"raise"``; its attribute ``row`` is the number, from 0.
    UnidokuError
        A number is not allowed.

    Examples
    --------
    >>> import unidoku
    >>> from unidoku.tasks.canonical import Canonical
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> unidoku.run_many(Canonical(), [puzzle, puzzle[:80]], errors="invalid").reasons
    {1: 'expected 81 cells, found 80'}
    """
    import numpy as np

    from unidoku.parse_many import Puzzles, numbers_of, with_reason
    from unidoku.result import Result

    task = task.begin()
    count = thread_count(threads)
    if task.in_order:
        count = 1
    given = Puzzles.of(puzzles, cancel)
    n, many = len(given), sum(map(len, given.batches))
    size = max(1, task.batch_size // 64, min(task.batch_size, -(-many // count)))
    parts = sum(-(-len(batch) // size) for batch in given.batches)
    found: dict[int, tuple[NDArray[np.int64], list[Rows]]] = {}

    def work(part: Batch, places: Places, stop: Cancel) -> None:
        need = Need(frozenset(task.gives()), stop, lambda: max(1, count // max(1, parts)), None)
        rows = numbers_of(places)
        pieces: list[Rows] = []
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

    limits: dict[str, Any] = {"errors": errors, "threads": count, "cancel": cancel}
    reasons = given.each_part(work, size=size, polls=True, whole=False, **limits)
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
    owner, place = with_others(of, reasons)
    columns = {}
    for name in task.gives():
        kind = task.columns[name][0]
        column = _joined(kind, [_in_memory(piece.columns[name], kind) for _, piece in made])
        columns[name] = column if len(of) == len(owner) else column.lay(place).in_rows()
    return Result(task.name, columns, owner, reasons)


def _in_memory(column: Column, kind: str) -> Column:
    """Return a column of a declared type as results in memory have it: an array, in its rows."""
    column = column.in_rows()
    if column.is_array:
        return column if column.words is None else replace(column, type="string")
    import numpy as np

    values = column.to_list()
    valid = np.array([value is not None for value in values], np.bool_)
    known = None if valid.all() else valid
    if kind == "cells":
        rows = (value or "." * 81 for value in values)
        digits = np.frombuffer("".join(rows).replace(".", "0").encode(), np.uint8)
        return Column(digits.reshape(-1, 81) - np.uint8(48), valid=known)
    row = TYPES["string" if kind == "words" else kind]
    made = np.empty(len(values), row.numpy)
    made[:] = [row.empty if value is None else value for value in values]
    return Column(made, valid=known)


def _joined(kind: str, columns: list[Column]) -> Column:
    """Return arrays of a declared type, one after the other."""
    import numpy as np

    if not columns:
        item, size = type_of_items(kind)
        shape = (0, 81) if kind == "cells" else (0, size) if size else 0
        none = np.zeros(1, np.int64) if size == 0 else None
        return Column(np.empty(shape, TYPES[item].numpy), () if item == "words" else None, offsets=none)
    first = columns[0]
    if len(columns) == 1:
        return first
    same = all(column.words == first.words for column in columns)
    values = np.concatenate([column.values if same else column.array() for column in columns])
    known = np.concatenate([column.known() for column in columns])
    offsets = None
    if first.offsets is not None:
        sizes = np.concatenate([np.diff(column.offsets) for column in columns])
        offsets = np.concatenate([[0], np.cumsum(sizes)])
    words, type_ = (first.words, first.type) if same else (None, "string")
    return Column(values, words, None if known.all() else known, offsets, type=type_)
