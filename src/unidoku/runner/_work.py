"""The results of a task for a batch, with a reason for each puzzle that takes too long.

This module imports no NumPy, so that a check of files starts faster.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import partial

from unidoku._arguments import wrong_type
from unidoku._table.batch import Batch
from unidoku._task import ResultBatch, Task, Work, timed_out
from unidoku._threads import CANCELLED, Cancel
from unidoku.errors import InvalidPuzzleError, Reason, SearchStoppedError, UnidokuError


def task_of(task: Task) -> Task:
    """Check a task that a caller gives."""
    if not isinstance(task, Task):
        raise wrong_type("task", "a task such as unidoku.tasks.Check()", task)
    return task


_MOST_ROWS = 10_000
"""Rows of a batch that wait for its end: more may not be held in memory."""


def _results_in_time(
    task: Task, seconds: float, batch: Batch, work: Work, cancel: Cancel
) -> Iterator[ResultBatch]:
    """Yield the results of a batch, with a reason for each puzzle that takes longer than some seconds.

    If the batch takes no longer, no puzzle does.  Otherwise its puzzles are done again, one by one.
    """
    whole, rows = [], 0
    with cancel.limited(seconds) as stop:
        try:
            for results in task.work(batch, work, stop):
                whole.append(results)
                rows += len(results)
                if rows > _MOST_ROWS:
                    break
            else:
                if not stop:
                    yield from whole
                    return
        except SearchStoppedError:
            if not stop:
                raise
    whole.clear()
    for row, record in enumerate(batch.puzzle_rows.tolist()):
        one = batch.records(array("q", [record]))
        try:
            with cancel.limited(seconds) as stop:
                for results in task.work(one, work._replace(seconds=seconds), stop):
                    if not task.tells_partial and not results.reasons:
                        stop.raise_if_set()  # they may lack what was not reached
                    yield _in_row(results, batch, row, timed_out(seconds))
        except SearchStoppedError:
            if cancel or not stop:
                raise
            yield ResultBatch(batch, {}, array("q"), {row: timed_out(seconds)}, done=row + 1)


def _in_row(results: ResultBatch, batch: Batch, row: int, over: Reason) -> ResultBatch:
    """Return results of one puzzle as a row of a batch; `over` is the reason if its time is over."""
    columns, rows = results.columns, array("q", [row]) * len(results)
    if results.reasons and isinstance(results.source_rows, range):
        from unidoku._table.column import Column  # not at the top: it is needed seldom

        # an array has no value for a puzzle with a reason; a `Column` says itself what it has
        columns = {
            name: column if isinstance(column, Column) else Column(column, states=b"\0")
            for name, column in columns.items()
        }
    reasons, mismatches = dict[int, Reason](), dict[int, Reason]()
    for reason in results.reasons.values():
        reasons[row] = over if reason == CANCELLED else reason
    for fault in results.mismatches.values():
        mismatches[row] = fault
    is_done = results.done in {None, 1}
    tables = {
        name: getattr(results, name) for name in ("samples", "groups", "group_puzzles", "by", "question")
    }
    return ResultBatch(
        batch, columns, rows, reasons, results.counts, mismatches, done=row + is_done, **tables
    )


def iter_results(
    task: Task,
    batch: Batch,
    work: Work,
    cancel: Cancel,
    *,
    needs_all: bool = False,
    puzzle_timeout: float | None = None,
) -> Iterator[ResultBatch]:
    """Yield the results of a task for a batch, the records of a piece at a time.

    With `needs_all`, the first reason in place of a result is raised as an error.  It is a
    `SearchStoppedError` if it was cancelled.  The error of a puzzle has its file and line; a note on an
    unexpected one names the task, the input and the lines.  A puzzle that takes longer than `puzzle_timeout`
    has a reason; a task that selects puzzles by those before them is not timed.
    """
    find = task.work
    if puzzle_timeout is not None and not task.in_order:
        find = partial(_results_in_time, task, puzzle_timeout)
    begin, is_last = 0, False
    try:
        for results in find(batch, work, cancel):
            cancel.raise_if_set()
            assert not is_last, "these results come after those that have done the batch"
            if needs_all:
                results.refuse_reasons()
            done = len(batch) if results.done is None else results.done
            is_last = done == len(batch)
            end = results.batch.size if is_last else int(batch.puzzle_rows[done])
            results.records, begin = range(begin, end), end
            yield results
        cancel.raise_if_set()
    except InvalidPuzzleError as error:
        if batch.source and error.index is not None:
            error.at(batch.source, int(batch.lines[error.index]))
        raise
    except (UnidokuError, MemoryError):
        raise
    except Exception as error:
        lines = " to ".join(map(str, (*batch.lines[:1], *batch.lines[-1:])))
        error.add_note(", ".join(filter(None, (f"in task {task.name}", batch.source, f"lines {lines}"))))
        raise
