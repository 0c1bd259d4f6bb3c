"""Merge the results of a task with the records that are no puzzles, in input order."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unidoku.errors import InvalidPuzzleError
from unidoku.files.text import Rejects
from unidoku.many import insert_rows, with_columns
from unidoku.runner.summary import Summary, counts_of
from unidoku.table.batch import Batch, Reject
from unidoku.table.column import ABSENT, MISSING, Column
from unidoku.table.rows import Rows
from unidoku.task import Need, ResultBatch, Task, iter_results


def rows_of(task: Task, batch: Batch, need: Need) -> Iterator[tuple[Rows, Summary] | None]:
    """Let a task work on a batch; yield its rows and their counts, the records of a part at a time.

    A last None says that the run is cancelled.
    """
    waiting: ResultBatch | None = None
    begin = 0  # of the records whose rows have not been yielded
    try:
        for results in iter_results(task, batch, need):
            if results is None:
                yield None
                return
            if waiting is not None and len(waiting):
                end = int(batch.puzzle_rows[waiting.source_rows[-1]])
                yield _rows(task, waiting, range(begin, end), need.columns)
                begin = end
            waiting = with_columns(task, results)
    except InvalidPuzzleError as error:
        if error.row is None:
            raise
        raise error.at(batch.source, int(batch.lines[error.row])) from error.__cause__
    if waiting is not None:
        yield _rows(task, waiting, range(begin, batch.size), need.columns)


def _rows(
    task: Task,
    results: ResultBatch,
    records: range,
    names: Collection[str],
) -> tuple[Rows, Summary]:
    """Merge results with invalid records, and count them; the last records of a batch are complete."""
    batch = results.batch
    if task.replaces and results.reasons:  # each puzzle needs a new one
        row = min(results.reasons)
        raise InvalidPuzzleError(results.reasons[row], file=batch.source, line=int(batch.lines[row]))
    record, source, result = _places(results, records)
    passthrough = batch.columns
    is_last = records.stop == batch.size
    counts = counts_of(task, results, is_last=is_last)
    columns = results.columns
    if not task.replaces:
        columns = {name: column for name, column in columns.items() if name in names}
    puzzles: Column
    order: NDArray[np.int64] | None  # of the puzzles
    puzzles, order = (columns.pop("puzzle"), result) if task.replaces else (batch.puzzles(), source)
    if result is not None:
        columns = {name: _take(task, name, column, result) for name, column in columns.items()}
        order = np.asarray(np.where(result < 0, source, order), np.int64)
        puzzles = puzzles.merge(_texts(batch.rejects), order)
    elif order is not None:
        puzzles = puzzles.take(order)
    if record is not None:
        passthrough = {name: column.take(record) for name, column in passthrough.items()}
    if task.replaces:
        passthrough = task.passthrough(passthrough, columns)
        columns = {name: column for name, column in columns.items() if name in names}
    if "puzzle" in names:
        columns["puzzle"] = puzzles
    if "line" in names:
        columns["line"] = _lines(batch, source)
    if "file" in names:
        columns["file"] = Column.constant(batch.source, len(records) if record is None else len(record))
    if "reason" in names and not task.replaces:
        # beside a verdict, JSON has a reason only where there is one
        state = MISSING if task.for_invalid.keys().isdisjoint(results.columns) else ABSENT
        n = len(records) if source is None else len(source)
        columns["reason"] = Column.sparse(_reasons(results, source), n, state)
    return Rows(batch.source, columns, passthrough, None if result is None else result >= 0), counts


def _places(results: ResultBatch, records: range) -> tuple[Any, Any, Any]:
    """Return the record, the source and the result of each row.

    The source is the puzzle k, or ~k for reject k, which has the result -1.  The record is None where each
    has one row, the source where all are puzzles too, and the result where no row is a reject.
    """
    batch, rows = results.batch, results.source_rows
    order = None if batch.order is None else np.asarray(batch.order, np.int64)
    if isinstance(rows, range) and len(records) == batch.size:  # a row for each puzzle
        return None, order, None if order is None else np.maximum(order, -1)
    source = np.asarray(rows, np.int64)
    if order is None:
        return source, source, None
    rejects = records.start + np.flatnonzero(order[records.start : records.stop] < 0)
    record, result = insert_rows(batch.puzzle_rows[source], rejects)
    return record, order[record], result


def _take(task: Task, name: str, column: Column, result: NDArray[np.int64]) -> Column:
    """Lay a column of results into rows; records that are no puzzles have the value of `Task.for_invalid`."""
    value = task.for_invalid.get(name)
    if value is None or isinstance(value, bool):
        return column.take(result, value)
    if column.categories is not None:
        return column.take(result, column.categories.index(value))
    return column.take(result).fallback(Column.constant(value, 1).take(np.where(result < 0, 0, -1)))


def _texts(rejects: Sequence[Reject]) -> Column:
    """Return the texts of records that are no puzzles."""
    if isinstance(rejects, Rejects) and (spans := rejects.spans()) is not None:
        return Column.of_text(rejects.text, *spans)
    return Column.of(map(_text, rejects))


def _text(reject: Reject) -> str | None:
    return None if reject.text is None else reject.text.decode("utf-8", "backslashreplace")


def _lines(batch: Batch, source: Any) -> Column:
    """Return the line of each row."""
    lines = np.asarray(batch.lines, np.int64)
    if source is not None:
        others = np.array([reject.line for reject in batch.rejects], np.int64)
        lines = np.concatenate([lines, others])[np.where(source < 0, len(lines) + ~source, source)]
    return Column(lines, type="int64")


def _reasons(results: ResultBatch, source: Any) -> dict[int, str]:
    """Return why rows have no result, or why their records are no puzzles, by row."""
    reasons, rejects = results.reasons, results.batch.rejects
    if source is None:
        return reasons
    by_row = {row: rejects[~source[row]].reason for row in np.flatnonzero(source < 0).tolist()}
    if reasons:
        rows = np.flatnonzero(np.isin(source, [*reasons])).tolist()
        by_row |= {row: reasons[int(source[row])] for row in rows}
    return by_row
