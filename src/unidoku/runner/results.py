"""Results of a task in the rows of an output: one for each record, or for each of its results."""

from __future__ import annotations

import re
from array import array
from bisect import bisect
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from unidoku.compat import np
from unidoku.errors import Reason
from unidoku.kernel import rows_with
from unidoku.native.text.columns import ABSENT, MISSING
from unidoku.options import OF_PUZZLES
from unidoku.parse.text import decode_line
from unidoku.runner.writer import RecordsTask, RejectsTask
from unidoku.schema import InputColumns, Schema
from unidoku.table.batch import KEPT, Batch, Reject
from unidoku.table.column import Column, ListValues, Rows, merge_values
from unidoku.task import ResultBatch, Task, Work, type_of_items
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.conditions import Condition

_ZERO = re.compile(b"\0")
_INVALID = {"verdict": int(Verdict.INVALID), "outcome": 4, "solved": 0}
"""Values of records that are not puzzles, by column; in other columns they have no value."""


class AlignedColumns(NamedTuple):
    """Columns of a task with a value for each row."""

    columns: dict[str, Column]
    records: Any
    """The record of each row in its batch; None where each record has one row."""
    indices: Any
    """The result of each row, negative without a result; None if row k has result k."""


def align(task: Task, results: ResultBatch, names: Collection[str]) -> AlignedColumns:
    """Take the results into rows, with a row for each record that has none.

    A record that is not a puzzle has the values of `_INVALID`.
    """
    batch, rows = results.batch, results.source_rows
    results.columns = columns = typed_columns(task, results)
    order = index = batch.order
    records: Any = None
    if not isinstance(rows, range):
        records, failed_records = rows, [*results.reasons]
        if order is not None:
            of_puzzles, span = batch.puzzle_rows, results.records
            records, failed_records = of_puzzles[np.asarray(rows)], of_puzzles[failed_records].tolist()
            failed_records += [record for record in span if order[record] < 0]
        records, index = insert_rows(array("q", memoryview(records).tobytes()), failed_records)
    columns = {name: column for name, column in columns.items() if name in names}
    if index is not None:
        columns = {name: column.take(index, _INVALID.get(name)) for name, column in columns.items()}
    return AlignedColumns(columns, records, index)


def insert_rows(records: array[int], others: Collection[int]) -> tuple[array[int], array[int] | None]:
    """Insert a row for each other record that has none among the ascending `records` of rows.

    Return the records of all rows, ascending, and the index of each before, -1 for an inserted row.
    """
    joined, index, begin = array("q"), array("q"), 0
    for record in sorted(others):
        end = bisect(records, record)
        if end and records[end - 1] == record:
            continue
        joined += records[begin:end]
        index.extend(range(begin, end))
        joined.append(record)
        index.append(-1)
        begin = end
    if not index:
        return records, None
    index.extend(range(begin, len(records)))
    return joined + records[begin:], index


def typed_columns(task: Task, results: ResultBatch) -> dict[str, Column]:
    """Return the columns that a task returned in the declared types; arrays have no value for a reason."""
    columns = {}
    for name in results.columns if len(results) else task.columns:
        returned = results.columns.get(name)
        column = typed_column(name, task.columns[name].type, returned)
        # a `Column` already says which rows have a value
        if results.reasons and isinstance(results.source_rows, range) and not isinstance(returned, Column):
            has_value = column.has_value()
            has_value[list(results.reasons)] = False
            column = replace(column, states=has_value)
        columns[name] = column
    return columns


def typed_column(name: str, declared: str, returned: Any) -> Column:
    """Return the result of a task as a column of the declared type; None as a column without rows."""
    kind, size = type_of_items(declared)
    if returned is None and size == 0:
        return Column(ListValues(typed_column(name, kind, None), np.zeros(1, np.int64)))
    column = _without_rows(kind, size) if returned is None else returned
    if not isinstance(column, Column):
        column = Column(np.asarray(column))
    has_words = kind == "words"
    if not hasattr(column.values, "dtype"):  # texts or lists
        if has_words and size is None:
            return replace(column, is_dictionary=True)
        return column
    if kind == "string":
        if column.categories is None:
            return Column.of(column.values.tolist())
        return column
    if kind == "cells":
        values, states = np.ascontiguousarray(column.values, np.uint8), column.states
        if name != "puzzle":  # a grid without digits is none
            states = values.any(axis=1)
        return Column(values, column.categories, states)
    values = np.ascontiguousarray(column.values, np.uint8 if has_words else kind)
    return Column(values, column.categories, column.states, has_words)


def _without_rows(kind: str, size: int | None) -> Column:
    """Return a column of a type, or of so many items of it in each row, without rows."""
    if kind == "cells":
        size = size or 81
    values = np.empty((0, size)) if size else np.empty(0)
    if kind == "words":
        return Column(values, ())
    return Column(values)


def _puzzles_before(results: ResultBatch, index: NDArray[np.int64] | None) -> NDArray[np.uint8]:
    """Return the puzzles of the rows of a table before they were changed, uint8[n, 81]."""
    before = Column(results.batch.cells[np.asarray(results.source_rows, np.int64)])
    cells: NDArray[np.uint8] = (before if index is None else before.take(index)).values
    return cells


def _is_puzzle(task: Task, results: ResultBatch) -> Any:
    """Return which records have a puzzle, also after the task: bool[n], or None for all."""
    batch, is_puzzle = results.batch, results.batch.is_puzzle
    if not (task.replaces and results.reasons):
        return is_puzzle
    have_one = np.ones(batch.size, np.bool_) if is_puzzle is None else np.array(is_puzzle)
    have_one[batch.puzzle_rows[[*results.reasons]]] = False  # these rows have none
    return have_one


def _new_puzzles(results: ResultBatch, table: Mapping[str, Column], index: Any) -> Column:
    """Return the puzzles of a task for rows; for a record that is not a puzzle, the given text."""
    puzzles: Column = results.columns["puzzle"]
    if index is None:
        return puzzles
    if results.batch.order is None:
        return puzzles.take(index)
    index = np.asarray(index)
    return puzzles.merge(table["puzzle"], np.where(index < 0, ~np.arange(len(index)), index))


def rows_of(task: Task, results: ResultBatch, work: Work, of_input: InputColumns) -> Rows:
    """Return results next to the columns of their records."""
    batch, names = results.batch, work.columns
    columns, records, index = align(task, results, {*names, "symmetry", "verdict"} - {"puzzle"})
    table = _of_records(task, results, names)
    carried, selected, moved = of_input
    passthrough = {name: batch.columns[name] for name in carried | selected}
    is_puzzle = _is_puzzle(task, results)
    if records is not None:
        table = _taken(table, records)
        passthrough = _taken(passthrough, records)
        if is_puzzle is not None:
            is_puzzle = np.asarray(is_puzzle)[records]
    if task.replaces:
        table["puzzle"] = _new_puzzles(results, table, index)
    if passthrough and "symmetry" in columns:
        passthrough = _moved(task, results, passthrough, columns["symmetry"], index, moved=moved)
    if work.for_people and "verdict" in columns:
        columns |= _with_verdicts(columns, task.line_columns or ())
    columns = {name: column for name, column in (columns | table).items() if name in names}
    columns |= _renamed(passthrough, selected)
    rows = Rows(batch.source, columns, _renamed(passthrough, carried), is_puzzle)
    for name in {*OF_PUZZLES} & names - columns.keys():
        columns[name] = rows.of_puzzles(name)
    return rows


def _taken(columns: dict[str, Column], records: Any) -> dict[str, Column]:
    """Return the values of columns for the record of each row."""
    return {name: column.take(records) for name, column in columns.items()}


def _renamed(columns: dict[str, Column], names: Mapping[str, str]) -> dict[str, Column]:
    """Return the columns that have a name in rows, under this name."""
    return {names[name]: column for name, column in columns.items() if name in names}


def _moved(
    task: Task,
    results: ResultBatch,
    columns: dict[str, Column],
    symmetries: Column,
    index: NDArray[np.int64] | None,
    *,
    moved: Mapping[str, bool],
) -> dict[str, Column]:
    """Return columns of the input with their solutions moved as the puzzles are; count what stays."""
    from unidoku.runner.images import moved_solutions  # not at the top: other tables start faster

    before = partial(_puzzles_before, results, index)
    images, unmoved = moved_solutions(columns, symmetries, before, moved)
    if "unmoved" in task.summary_counts:
        results.counts = {**results.counts, "unmoved": unmoved}
    return images


def _with_verdicts(columns: dict[str, Column], names: Collection[str]) -> dict[str, Column]:
    """Return the columns of lines with the verdict in place of a missing value, if they have no verdict."""
    names = columns.keys() & set(() if "verdict" in names else names)
    return {name: columns[name].fallback(columns["verdict"]) for name in names if not columns[name].is_whole}


def reject_rows(batch: Batch) -> Rows:
    """Return the rows of the records of a batch that are not puzzles; there is at least one."""
    schema = Schema(RejectsTask(), RejectsTask.default_columns, keep=None)
    rows = rows_of(RejectsTask(), ResultBatch(batch), Work(schema.computed), schema.of_input(batch))
    return rows.take(np.flatnonzero(np.asarray(batch.order) < 0))


def records_where(batch: Batch, conditions: Sequence[Condition], of_input: InputColumns) -> Batch:
    """Return the records of a batch that fulfil conditions, none of which is about results."""
    names = frozenset(("puzzle", *(condition.column for condition in conditions)))
    rows = rows_of(RecordsTask(), ResultBatch(batch), Work(names), of_input)
    return batch.records(np.flatnonzero(rows.fulfil(conditions)))


def _of_records(task: Task, results: ResultBatch, names: Collection[str]) -> dict[str, Column]:
    """Return the puzzle, line, file and reason of each record of a batch, as far as they are in names."""
    batch, table = results.batch, dict[str, Column]()
    if task.replaces and batch.order is not None:
        table["puzzle"] = _texts_of_rejects(batch)
    elif "puzzle" in names and not task.replaces:
        table["puzzle"] = _puzzles_of(batch)
    if "line" in names:
        table["line"] = _lines_of(batch)
    if "file" in names:
        table["file"] = Column.constant(batch.source, batch.size)
    if "reason" in names:
        # next to a verdict or a new puzzle, JSON has a reason only if there is one
        is_beside_others = task.replaces or not _INVALID.keys().isdisjoint(results.columns)
        state = ABSENT if is_beside_others else MISSING
        reasons = _reasons_of(results)
        table["reason"] = Column.sparse(reasons, batch.size, state)
        if "reason_code" in names:
            codes = {record: getattr(reason, "code", "other") for record, reason in reasons.items()}
            table["reason_code"] = Column.sparse(codes, batch.size, state)
    return table


def _texts_of_rejects(batch: Batch) -> Column:
    """Return the texts of records that are not puzzles; a puzzle has a result instead, or nothing."""
    order = np.asarray(batch.order)
    return _texts(batch.rejects).take(np.where(order < 0, ~order, -1))


def _puzzles_of(batch: Batch) -> Column:
    """Return the puzzles of a batch, and the texts of records that are none."""
    puzzles = batch.puzzles()
    if batch.order is None:
        return puzzles
    return puzzles.merge(_texts(batch.rejects), batch.order)


def _lines_of(batch: Batch) -> Column:
    """Return the lines of the records of a batch."""
    if batch.order is None:
        return Column(batch.lines)
    return Column(merge_values(batch.lines, array("q", [one.line for one in batch.rejects]), batch.order))


def _reasons_of(results: ResultBatch) -> dict[int, Reason]:
    """Return the reasons of a task and of records that are not puzzles, by the number of the record."""
    batch, reasons = results.batch, dict(results.reasons)
    if batch.order is None:
        return reasons
    if reasons:
        owners = batch.puzzle_rows
        reasons = {int(owners[puzzle]): reason for puzzle, reason in reasons.items()}
    rejects = rows_with(_ZERO, bytes(batch.is_puzzle))
    return reasons | dict(zip(rejects, (reject.reason for reject in batch.rejects), strict=True))


def _texts(rejects: Sequence[Reject]) -> Column:
    """Return the texts of records that are not puzzles."""
    return Column.of(
        None if text is None else decode_line(text, is_cut=len(text) == KEPT)
        for text in (reject.text for reject in rejects)
    )
