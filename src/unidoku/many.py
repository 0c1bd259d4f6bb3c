"""Run a task on many puzzles in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unidoku.errors import InvalidPuzzleError
from unidoku.table.batch import Batch
from unidoku.table.column import TYPES, Cells, Column, type_of_items
from unidoku.table.puzzles import Puzzles, PuzzlesLike, with_reason
from unidoku.table.result import Result
from unidoku.task import Need, ResultBatch, Task, iter_results
from unidoku.threads import CANCELLED, Cancel, thread_count


def with_columns(task: Task, results: ResultBatch) -> ResultBatch:
    """Return results whose columns have the declared types, with a row for each puzzle that has a reason."""
    reasons, rows = results.reasons, results.source_rows
    names = results.columns or dict.fromkeys(task.output_columns())
    columns = {name: _column(name, task.columns[name][0], results.columns.get(name)) for name in names}
    if reasons and not isinstance(rows, range):
        rows, index = insert_rows(np.asarray(rows, np.int64), np.fromiter(reasons, np.int64))
        columns = {name: column.take(index) for name, column in columns.items()}
    elif reasons:  # a `Column` already says which rows have a value
        for name, column in columns.items():
            if not isinstance(results.columns[name], Column):
                has_value = column.has_value()
                has_value[list(reasons)] = False
                columns[name] = replace(column, states=has_value)
    return ResultBatch(results.batch, rows, columns, reasons)


def insert_rows(
    source_rows: NDArray[np.int64], sources: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Insert a row for each of the sources that has none among the rows, which are in the order of theirs.

    Return the sources of all rows, ascending, and the index of each before, -1 for an inserted row.
    """
    joined = np.concatenate([source_rows, np.setdiff1d(sources, source_rows)])
    order = np.argsort(joined, kind="stable")
    return joined[order], np.where(order < len(source_rows), order, -1)


def _column(name: str, declared: str, returned: Any) -> Column:
    """Return what a task returned as a column of the declared type; None as one without rows."""
    kind, size = type_of_items(declared)
    if returned is None:
        shape = (0, 81) if kind == "cells" else (0, size) if size else 0
        offsets = np.zeros(1, np.int64) if size == 0 else None
        categories = () if kind == "words" else None
        return Column(np.empty(shape, TYPES[kind].numpy), categories, offsets=offsets)
    column = returned if isinstance(returned, Column) else Column(np.asarray(returned))
    if not column.is_array:
        return column
    values, states = column.values, column.states
    if size == 0:
        kind = "string" if kind == "words" else kind  # lists may have more words than a byte counts
    elif kind == "cells" and name != "puzzle":  # which may be empty
        states = values.any(axis=1)
    elif kind == "string" and column.categories is None:
        states = np.array([value is not None for value in values], np.bool_)
    if kind != "string":
        values = np.ascontiguousarray(values, TYPES[kind].numpy)
    states = None if states is None or (states.dtype == np.bool_ and states.all()) else states
    return replace(column, values=values, states=states, type=kind)


def run_many(
    task: Task,
    puzzles: PuzzlesLike,
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
    count = thread_count(threads)
    if task.in_order:
        task, count = replace(task), 1
    inputs = Puzzles.of(puzzles, errors=errors, cancel=cancel)
    rows = inputs.rows
    size = max(1, task.batch_size // 64, min(task.batch_size, -(-len(rows) // count)))
    parts = -(-len(rows) // size)
    results_by_begin: dict[int, list[ResultBatch]] = {}  # of the parts that are done

    def work(part: slice, stop: Cancel) -> None:
        need = Need(frozenset(task.output_columns()), stop, lambda: max(1, count // max(1, parts)))
        batch = replace(Batch.of_cells(inputs.cells[part]), lines=rows[part] + 1)
        results: list[ResultBatch] = []
        try:
            for result in [] if stop else iter_results(task, batch, need):
                if result is None:
                    return
                results.append(with_columns(task, result))
        except InvalidPuzzleError as error:
            if error.row is None:
                raise
            row = int(rows[part][error.row])
            raise InvalidPuzzleError(error.message, row=row) from error.__cause__
        if results:
            results_by_begin[part.start] = results

    inputs.map_slices(work, threads=count, cancel=cancel, size=size, cancellable=True, raise_on_cancel=False)
    reasons, is_open = inputs.reasons, np.ones(len(inputs), np.bool_)
    is_open[list(reasons)] = False
    results, sources = list[ResultBatch](), [np.empty(0, np.int64)]
    for begin, part_results in sorted(results_by_begin.items()):
        part_rows = rows[begin : begin + size]
        is_open[part_rows] = False
        for result in part_results:
            reasons |= {int(part_rows[puzzle]): reason for puzzle, reason in result.reasons.items()}
            sources.append(part_rows[np.asarray(result.source_rows, np.int64)])
        results += part_results
    reasons = with_reason(reasons, np.flatnonzero(is_open), CANCELLED)
    if errors == "raise" and task.replaces:
        for row, reason in reasons.items():
            if reason != CANCELLED:
                raise InvalidPuzzleError(reason, row=row)
    rows_with_values = np.concatenate(sources)
    source_rows, index = insert_rows(rows_with_values, np.fromiter(reasons, np.int64))
    columns = {}
    for name in task.output_columns():
        empty = _column(name, task.columns[name][0], None)
        column = Column.join([_as_array(result.columns[name]) for result in results] or [empty])
        columns[name] = column if len(rows_with_values) == len(source_rows) else column.take(index)
    return Result(columns, reasons, source_rows)


def _as_array(column: Column) -> Column:
    """Return a column with an array, as results in memory have it."""
    if column.is_array:
        return column if column.categories is None else replace(column, type="string")
    if isinstance(column.values, Cells):
        text = column.values.gather()
        cells = np.where(text == ord("."), 0, text - np.uint8(48)).reshape(-1, 81)
        return Column(cells, states=column.states)
    has_value = column.has_value()
    return Column(np.array(column.to_list(), np.object_), states=None if has_value.all() else has_value)
