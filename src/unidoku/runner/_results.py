"""Results of a task in the rows of an output: one for each record, or for each of its results."""

from __future__ import annotations

import re
from array import array
from bisect import bisect
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from unidoku._compat import np
from unidoku._native.text.columns import ABSENT, MISSING
from unidoku._options import OF_PUZZLES
from unidoku._parse.text import decode_line
from unidoku._schema import InputColumns, Schema
from unidoku._table.batch import KEPT, Batch
from unidoku._table.column import Column, ListValues, Rows, merge_values
from unidoku._task import ResultBatch, Task, Work
from unidoku._verdict import Verdict
from unidoku.kernel import rows_with
from unidoku.runner._writer import RecordsTask

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku._conditions import Condition

_ZERO = re.compile(b"\0")
_INVALID = {"verdict": int(Verdict.INVALID), "outcome": 4, "solved": 0}
"""Values of records that are not puzzles, by column; in other columns they have no value."""


def align(task: Task, results: ResultBatch, names: Collection[str]) -> tuple[dict[str, Column], Any, Any]:
    """Take the results into rows, with a row for each record that has none.

    Return the columns of the task, in which a record that is not a puzzle has the values of `_INVALID`; and
    two lists of numbers, for each row: of its record in the batch, and of its result. A row without a result
    has a negative number of a result. Either is None if row k is of number k.
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
    return columns, records, index


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
        if isinstance(results.source_rows, range) and not isinstance(returned, Column):
            has_value = column.has_value()
            has_value[list(results.reasons)] = False
            column = replace(column, states=has_value)
        columns[name] = column
    return columns


def typed_column(name: str, declared: str, returned: Any) -> Column:
    """Return the result of a task as a column of the declared type; None as a column without rows."""
    kind, size = type_of_items(declared)
    has_words, column = kind == "words", returned
    if returned is None:
        if size == 0:
            return Column(ListValues(typed_column(name, kind, None), np.zeros(1, np.int64)))
        width = 81 if kind == "cells" else size
        column = Column(np.empty((0, width) if width else 0), () if has_words else None)
    elif not isinstance(column, Column):
        column = Column(np.asarray(column))
    if not hasattr(column.values, "dtype"):  # texts or lists
        if has_words and size is None:
            return replace(column, is_dictionary=True)
        return column
    if kind == "string":
        return Column.of(column.to_list())
    if kind == "cells":
        values, states = np.ascontiguousarray(column.values, np.uint8), column.states
        if name != "puzzle":  # a grid without digits is none
            states = values.any(axis=1)
        return Column(values, column.categories, states)
    values = np.ascontiguousarray(column.values, np.uint8 if has_words else kind)
    return Column(values, column.categories, column.states, has_words)


def output_rows(task: Task, results: ResultBatch, work: Work, of_input: InputColumns) -> Rows:
    """Return results next to the columns of their records."""
    batch, names = results.batch, work.columns
    carried, selected, moved = of_input
    columns, records, index = align(task, results, {*names, "symmetry", "verdict"} - {"puzzle"})

    # the records themselves, in the order of the rows
    is_puzzle = batch.is_puzzle
    if task.replaces and results.reasons:  # these records have no puzzle any more
        is_puzzle = np.array(is_puzzle)
        is_puzzle[batch.puzzle_rows[[*results.reasons]]] = False
    passthrough = {name: batch.columns[name] for name in carried | selected}
    rows = Rows(batch.source, _of_records(task, results, names), passthrough, is_puzzle)
    if records is not None:
        rows = rows.take(records)
    table, passthrough = rows.columns, rows.passthrough

    # what replaces values of them
    if task.replaces:
        puzzles: Column = results.columns["puzzle"]
        if index is not None:
            places = np.asarray(index)
            if batch.order is None:
                puzzles = puzzles.take(places)
            else:  # a record that is not a puzzle keeps its text
                puzzles = puzzles.merge(
                    table["puzzle"], np.where(places < 0, ~np.arange(len(places)), places)
                )
        table["puzzle"] = puzzles
    if moved:
        from unidoku.runner._images import moved_solutions  # not at the top: other tables start faster

        def puzzles_before() -> NDArray[np.uint8]:
            before = Column(batch.cells[np.asarray(results.source_rows, np.int64)])
            cells: NDArray[np.uint8] = (before if index is None else before.take(index)).values
            return cells

        passthrough, unmoved = moved_solutions(passthrough, columns["symmetry"], puzzles_before, moved)
        results.counts = {**results.counts, "unmoved": unmoved}
    line_columns = task.line_columns or ()
    if work.for_people and "verdict" in columns and "verdict" not in line_columns:
        for name in columns.keys() & {*line_columns}:
            if not columns[name].is_whole:
                columns[name] = columns[name].fallback(columns["verdict"])

    columns = {name: column for name, column in (columns | table).items() if name in names}
    columns |= _renamed(passthrough, selected)
    rows = Rows(batch.source, columns, _renamed(passthrough, carried), rows.is_puzzle)
    for name in {*OF_PUZZLES} & names - columns.keys():
        columns[name] = rows.of_puzzles(name)
    return rows


def _renamed(columns: dict[str, Column], names: Mapping[str, str]) -> dict[str, Column]:
    """Return the columns that have a name in rows, under this name."""
    return {names[name]: column for name, column in columns.items() if name in names}


def reject_rows(batch: Batch) -> Rows:
    """Return the rows of the records of a batch that are not puzzles; there is at least one."""
    schema = Schema(RecordsTask(), RecordsTask.default_columns, keep=None)
    rows = output_rows(RecordsTask(), ResultBatch(batch), Work(schema.computed), schema.of_input(batch))
    return rows.take(np.flatnonzero(np.asarray(batch.order) < 0))


def records_where(batch: Batch, conditions: Sequence[Condition], of_input: InputColumns) -> Batch:
    """Return the records of a batch that fulfil conditions, none of which is about results."""
    names = frozenset(("puzzle", *(condition.column for condition in conditions)))
    rows = output_rows(RecordsTask(), ResultBatch(batch), Work(names), of_input)
    return batch.records(np.flatnonzero(rows.fulfil(conditions)))


def _of_records(task: Task, results: ResultBatch, names: Collection[str]) -> dict[str, Column]:
    """Return the puzzle, line, file and reason of each record of a batch, as far as they are in names.

    A record that is not a puzzle has its text. A task that replaces puzzles has its own instead of them.
    """
    batch, order, table = results.batch, results.batch.order, dict[str, Column]()
    if "puzzle" in names:
        texts = Column.of(
            None if reject.text is None else decode_line(reject.text, is_cut=len(reject.text) == KEPT)
            for reject in batch.rejects
        )
        if not task.replaces:
            puzzles = batch.puzzles()
            table["puzzle"] = puzzles if order is None else puzzles.merge(texts, order)
        elif order is not None:  # only these texts; the puzzles come from the task
            kinds = np.asarray(order)
            table["puzzle"] = texts.take(np.where(kinds < 0, ~kinds, -1))
    if "line" in names:
        lines = batch.lines
        if order is not None:
            lines = merge_values(lines, array("q", [reject.line for reject in batch.rejects]), order)
        table["line"] = Column(lines)
    if "file" in names:
        table["file"] = Column.constant(batch.source, batch.size)
    if "reason" in names:
        reasons = results.reasons
        if order is not None:
            owners = batch.puzzle_rows
            reasons = {int(owners[puzzle]): reason for puzzle, reason in reasons.items()}
            rejects = rows_with(_ZERO, bytes(batch.is_puzzle))
            reasons |= zip(rejects, (reject.reason for reject in batch.rejects), strict=True)
        # next to a verdict or a new puzzle, JSON has a reason only if there is one
        is_beside_others = task.replaces or not _INVALID.keys().isdisjoint(results.columns)
        state = ABSENT if is_beside_others else MISSING
        table["reason"] = Column.sparse(reasons, batch.size, state)
        if "reason_code" in names:
            codes = {record: getattr(reason, "code", "other") for record, reason in reasons.items()}
            table["reason_code"] = Column.sparse(codes, batch.size, state)
    return table


def type_of_items(kind: str) -> tuple[str, int | None]:
    """Return the type of the values in a row, and their number: 0 for lists, None for one value.

    The types are ``bool``, ``string``, ``float64`` and whole numbers such as ``int16``. ``words`` are few
    texts with codes of `Column.categories`, and ``cells`` is a grid.

    Examples
    --------
    >>> type_of_items("uint16[81]"), type_of_items("words[]"), type_of_items("bool")
    (('uint16', 81), ('words', 0), ('bool', None))
    """
    item, bracket, size = kind.partition("[")
    return item, int(size[:-1] or 0) if bracket else None
