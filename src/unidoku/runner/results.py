"""Results of a task in the rows of an output: one for each record, or for each of its results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from unidoku import kernel
from unidoku.cell import symbols_of
from unidoku.compat import np, pyarrow
from unidoku.errors import InvalidPuzzleError
from unidoku.native.text.columns import ABSENT, MISSING, pack
from unidoku.options import CLUES
from unidoku.parse.text import decode_line
from unidoku.runner.summary import Summary, counts_of
from unidoku.runner.writer import RejectsTask
from unidoku.table.batch import KEPT, Batch, Reject
from unidoku.table.column import Column, Rows, Strings
from unidoku.task import ResultBatch, Task, Work, type_of_items
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.table.batch import Roles


_LONGEST = 1 << 10  # bytes of a grid in lists or lines
_IS_CELL = np.isin(np.arange(256), np.frombuffer(b".0123456789", np.uint8))
_VALUES = np.where(_IS_CELL, np.arange(256) - 48, 0).clip(0).astype(np.uint8)
_IS_BETWEEN = np.isin(np.arange(256), np.frombuffer(b" \t\r\n[](),;\"'|/+-", np.uint8))
"""What stands around the cells of a grid: in lists, and between rows."""


def moved_solutions(
    columns: Mapping[str, Column],
    symmetries: Column,
    puzzles: Callable[[], NDArray[np.uint8]],
    roles: Roles,
) -> dict[str, Column]:
    """Return other columns of images: solutions, answers and all grids with the clues of the puzzle move too.

    The puzzles are those before, a row for each.  A row without a symmetry is no puzzle; its values stay as
    they are.
    """
    numbers = np.where(symmetries.has_value(), symmetries.values, 0)
    answers = {*roles.solutions, *roles.predictions}
    return {
        name: _moved(column, numbers, puzzles, by_name=name in answers) for name, column in columns.items()
    }


def _moved(
    column: Column, numbers: NDArray[np.int64], puzzles: Callable[[], NDArray[np.uint8]], *, by_name: bool
) -> Column:
    """Transform the grids in a column in their form: 81 cells, nine lines or lists; others if `by_name`."""
    plain = column.plain()
    if isinstance(plain.values, np.ndarray):
        has_cells = plain.values.shape[1:] == (81,)
        return _moved_cells(plain, numbers, puzzles, by_name=by_name) if has_cells else column
    strings = plain.as_strings()
    text, starts, ends = strings.values
    if not (ends - starts >= 81).any():  # as of ids and ratings
        return column
    candidates = np.flatnonzero((ends - starts >= 81) & (ends - starts <= _LONGEST))
    sizes = (ends - starts)[candidates]
    packed = np.empty(sizes.sum(), np.uint8)  # a text of several rows is one in each
    pack(text, starts[candidates], ends[candidates], packed)
    begins = np.cumsum(sizes) - sizes
    if (sizes == 81).all():
        lines = packed.reshape(-1, 81)
        places = np.flatnonzero(_IS_CELL[lines].all(axis=1))
        grids, rows = lines[places], candidates[places]
    else:
        lines = packed
        rows, places = _places(packed, begins, sizes)
        grids, rows = packed[places], candidates[rows]
    cells = _VALUES[grids]
    fits = numbers[rows] != 0
    if not by_name:
        fits &= _keep_clues(cells, puzzles()[rows])
    others = np.flatnonzero((ends - starts > 81) & (numbers != 0)) if by_name else rows[:0]
    if not (fits.any() or others.size):
        return column
    images = _images(cells[fits], numbers[rows[fits]])
    signs = images + np.uint8(ord("0"))
    if not images.all():
        signs[(images == 0) & (grids[fits] == ord(".")).any(axis=1)[:, None]] = ord(".")
    lines[places[fits]] = signs
    moved = strings
    if len(candidates) == len(strings):
        moved = Column(Strings(packed, begins, begins + sizes), states=strings.states)
    elif fits.any():
        order = np.arange(len(strings))
        order[candidates] = ~np.arange(len(candidates))
        changed = Column(Strings(packed, begins, begins + sizes))
        moved = replace(strings.merge(changed, order), states=strings.states)
    if plain is not column and pyarrow().types.is_nested(column.values.type):
        return Column(pyarrow().array(moved.to_list(), column.values.type))
    return _moved_texts(moved, np.setdiff1d(others, rows), numbers, puzzles) if others.size else moved


def _moved_cells(
    column: Column, numbers: NDArray[np.int64], puzzles: Callable[[], NDArray[np.uint8]], *, by_name: bool
) -> Column:
    """Transform the grids in an array of 81 cells a row."""
    values = column.values
    is_grid = ((values >= 0) & (values <= 9)).all(axis=1)
    rows = np.flatnonzero(is_grid & (by_name | _keep_clues(values, puzzles())))
    images = values.copy()
    images[rows] = _images(values[rows].astype(np.uint8), numbers[rows])
    return replace(column, values=images)


def _moved_texts(
    column: Column,
    rows: NDArray[np.int64],
    numbers: NDArray[np.int64],
    puzzles: Callable[[], NDArray[np.uint8]],
) -> Column:
    """Replace texts with a grid in them, as `verify` reads it, by 81 cells of its image."""
    from unidoku.parse.answers import answer_in  # not at the top: every table starts faster

    text, starts, ends = column.values
    found, before = dict[int, bytes](), puzzles()
    for row in rows.tolist():
        answer = bytes(text[starts[row] : ends[row]]).decode("utf-8", "replace")
        with suppress(InvalidPuzzleError):
            found[row] = answer_in(answer, puzzle=symbols_of(before[row].tobytes()))
    if not found:
        return column
    changed = np.fromiter(found, np.int64)
    cells = np.frombuffer(b"".join(found.values()), np.uint8).reshape(-1, 81)
    order = np.arange(len(column))
    order[changed] = ~np.arange(len(changed))
    return column.merge(Column(_images(cells, numbers[changed])), order)


def _places(
    text: NDArray[np.uint8], starts: NDArray[np.int64], sizes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return which of texts, one after the other, have 81 cells and signs between, and where these are."""
    is_cell = _IS_CELL[text]
    cells, others = (
        np.append(0, np.cumsum(which, dtype=np.int32)) for which in (is_cell, ~(is_cell | _IS_BETWEEN[text]))
    )
    ends = starts + sizes
    has_grid = (cells[ends] - cells[starts] == 81) & (others[ends] == others[starts])
    return np.flatnonzero(has_grid), np.flatnonzero(is_cell & np.repeat(has_grid, sizes)).reshape(-1, 81)


def _keep_clues(cells: NDArray[np.uint8], puzzles: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which grids have all clues of their puzzles, one at least."""
    is_kept: NDArray[np.bool_] = ((puzzles == 0) | (puzzles == cells)).all(axis=1) & puzzles.any(axis=1)
    return is_kept


def _images(cells: NDArray[np.uint8], numbers: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the images of grids, cells 0 to 9."""
    images = np.empty_like(cells)
    native = kernel.isa_module(package="symmetry")
    native.transform(
        np.ascontiguousarray(cells).reshape(-1),
        np.arange(0, cells.size, 81),
        numbers,
        images.reshape(-1),
        zero=0,
    )
    return images


_INVALID = {"verdict": int(Verdict.INVALID), "solved": 0}
"""Values of records that are no puzzles, by column; in other columns they have none."""


class PlacedColumns(NamedTuple):
    """Columns of a task with a value for each row."""

    columns: dict[str, Column]
    records: NDArray[np.int64] | None
    """The record of each row in its batch; None where each record has one row."""
    indices: NDArray[np.int64] | None
    """The result of each row, -1 where it has none; None where row k has result k."""


def place(task: Task, results: ResultBatch, names: Collection[str]) -> PlacedColumns:
    """Take the results into rows, with a row for each record that has none.

    A record that is no puzzle has the values of `_INVALID`.
    """
    batch, rows = results.batch, results.source_rows
    results.columns = columns = typed_columns(task, results)
    order = None if batch.order is None else np.asarray(batch.order, np.int64)
    records: NDArray[np.int64] | None = None
    index = None if order is None else np.maximum(order, -1)
    if not isinstance(rows, range):
        of_puzzles, span = batch.puzzle_rows, results.records
        failed_records = of_puzzles[np.fromiter(results.reasons, np.int64)]
        if order is not None:
            rejects = span.start + np.flatnonzero(order[span.start : span.stop] < 0)
            failed_records = np.concatenate([failed_records, rejects])
        records, index = insert_rows(of_puzzles[np.asarray(rows, np.int64)], failed_records)
    columns = {name: column for name, column in columns.items() if name in names}
    if index is not None:
        columns = {name: column.take(index, _INVALID.get(name)) for name, column in columns.items()}
    return PlacedColumns(columns, records, index)


def insert_rows(
    records: NDArray[np.int64], further_records: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
    """Insert a row for each other record that has none among the ascending `records` of rows.

    Return the records of all rows, ascending, and the index of each before, -1 for an inserted row.
    """
    inserted = np.setdiff1d(further_records, records)
    if not len(inserted):
        return records, None
    joined = np.concatenate([records, inserted])
    order = np.argsort(joined, kind="stable")
    return joined[order], np.where(order < len(records), order, -1)


def typed_columns(task: Task, results: ResultBatch) -> dict[str, Column]:
    """Return the columns that a task returned in the declared types; arrays have no value for a reason."""
    columns = {}
    names = {} if len(results) else dict.fromkeys(task.columns)
    for name in results.columns or names:
        returned = results.columns.get(name)
        column = typed_column(name, task.columns[name][0], returned)
        # a `Column` already says which rows have a value
        if results.reasons and isinstance(results.source_rows, range) and not isinstance(returned, Column):
            has_value = column.has_value()
            has_value[list(results.reasons)] = False
            column = replace(column, states=has_value)
        columns[name] = column
    return columns


def typed_column(name: str, declared: str, returned: Any) -> Column:
    """Return what a task returned as a column of the declared type; None as one without rows."""
    kind, size = type_of_items(declared)
    if returned is None and size == 0:
        return Column.of_lists(typed_column(name, kind, None), np.zeros(1, np.int64))
    if returned is None:
        shape = (0, size or 81) if size or kind == "cells" else 0
        returned = Column(np.empty(shape), () if kind == "words" else None)
    column = returned if isinstance(returned, Column) else Column(np.asarray(returned))
    if not isinstance(column.values, np.ndarray):
        return column
    if kind == "string":
        return column if column.categories is not None else Column.of(column.values.tolist())
    values = np.ascontiguousarray(column.values, "uint8" if kind in ("words", "cells") else kind)
    has_value = values.any(axis=1) if kind == "cells" and name != "puzzle" else column.states
    return Column(values, column.categories, has_value, kind == "words")


def _puzzles_before(results: ResultBatch, index: NDArray[np.int64] | None) -> NDArray[np.uint8]:
    """Return the puzzles of the rows of a table before they were changed, uint8[n, 81]."""
    before = Column(results.batch.cells[np.asarray(results.source_rows, np.int64)])
    cells: NDArray[np.uint8] = (before if index is None else before.take(index)).values
    return cells


def rows_of(task: Task, results: ResultBatch, work: Work) -> tuple[Rows, Summary]:
    """Return results beside the columns of their records, and count them."""
    batch, names = results.batch, work.columns
    columns, records, index = place(task, results, {*names, "symmetry", "verdict"} - {"puzzle"})
    table, passthrough, n = _of_records(task, results, names), batch.columns, batch.size
    is_puzzle = None if batch.order is None else np.asarray(batch.order) >= 0
    if task.replaces and results.reasons:  # these rows have none
        is_puzzle = np.ones(n, np.bool_) if is_puzzle is None else is_puzzle
        is_puzzle[batch.puzzle_rows[[*results.reasons]]] = False
    if records is not None:
        n = len(records)
        table, passthrough = (
            {name: column.take(records) for name, column in group.items()} for group in (table, passthrough)
        )
        is_puzzle = None if is_puzzle is None else is_puzzle[records]
    counts = counts_of(results, n if is_puzzle is None else int(is_puzzle.sum()))
    if task.replaces:
        puzzles = results.columns["puzzle"]
        if index is not None and batch.order is None:
            puzzles = puzzles.take(index)
        elif index is not None:
            puzzles = puzzles.merge(table["puzzle"], np.where(index < 0, ~np.arange(n), index))
        table["puzzle"] = puzzles
    if "symmetry" in columns and passthrough:
        before = partial(_puzzles_before, results, index)
        passthrough = moved_solutions(passthrough, columns["symmetry"], before, batch.roles)
    if work.for_people and "verdict" in columns and task.line_columns and "verdict" not in task.line_columns:
        for name in columns.keys() & set(task.line_columns):
            if not columns[name].has_value().all():
                columns[name] = columns[name].fallback(columns["verdict"])
    columns = {name: column for name, column in (columns | table).items() if name in names}
    written = task.names_of_input(batch.names, names, results.untrue)
    passthrough = {written[name]: column for name, column in passthrough.items()}
    rows = Rows(batch.source, columns, passthrough, is_puzzle)
    if CLUES in names and CLUES not in columns:
        columns[CLUES] = rows.clues()
    return rows, counts


def reject_rows(batch: Batch) -> Rows:
    """Return the rows of the records of a batch that are no puzzles, of which there are some."""
    rows, _ = rows_of(RejectsTask(), ResultBatch(batch), Work(frozenset(RejectsTask.default_columns)))
    return rows.take(np.flatnonzero(np.asarray(batch.order) < 0))


def _of_records(task: Task, results: ResultBatch, names: Collection[str]) -> dict[str, Column]:
    """Return the puzzle, line, file and reason of each record of a batch, as far as they are in names."""
    batch, n, table = results.batch, results.batch.size, dict[str, Column]()
    order = None if batch.order is None else np.asarray(batch.order, np.int64)
    if task.replaces and order is not None:  # puzzles have results instead, or none
        table["puzzle"] = _texts(batch.rejects).take(np.where(order < 0, ~order, -1))
    elif "puzzle" in names and not task.replaces:
        puzzles = batch.puzzles()
        table["puzzle"] = puzzles if order is None else puzzles.merge(_texts(batch.rejects), order)
    if "line" in names:
        lines = np.asarray(batch.lines, np.int64)
        if order is not None:  # ~k counts from the end
            reject_lines = [reject.line for reject in reversed(batch.rejects)]
            lines = np.append(lines, np.array(reject_lines, np.int64))[order]
        table["line"] = Column(lines)
    if "file" in names:
        table["file"] = Column.constant(batch.source, n)
    if "reason" in names:
        reasons = dict(results.reasons)
        if order is not None:
            puzzle_rows = batch.puzzle_rows
            reasons = {int(puzzle_rows[puzzle]): reason for puzzle, reason in reasons.items()}
            rejects = np.flatnonzero(order < 0).tolist()
            reasons |= zip(rejects, (reject.reason for reject in batch.rejects), strict=True)
        # beside a verdict or a new puzzle, JSON has a reason only where there is one
        state = MISSING if _INVALID.keys().isdisjoint(results.columns) and not task.replaces else ABSENT
        table["reason"] = Column.sparse(reasons, n, state)
    return table


def _texts(rejects: Sequence[Reject]) -> Column:
    """Return the texts of records that are no puzzles."""
    return Column.of(
        None if text is None else decode_line(text, is_cut=len(text) == KEPT)
        for text in (reject.text for reject in rejects)
    )
