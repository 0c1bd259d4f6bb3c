"""Run a task on many puzzles in memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unidoku.errors import InvalidPuzzleError, SearchStoppedError
from unidoku.runner.results import insert_rows, place, typed_columns
from unidoku.table.batch import Batch, Reject
from unidoku.table.column import Column
from unidoku.table.puzzles import PuzzlesLike, read_cells, with_reason
from unidoku.table.result import Result
from unidoku.task import ResultBatch, Task, iter_results
from unidoku.threads import CANCELLED, Cancel, cancel_of, map_batches, thread_count


class _Piece(NamedTuple):
    """Some rows of a result."""

    columns: dict[str, Column]
    source_rows: NDArray[np.int64]
    reasons: dict[int, str]
    end: int
    """How many of the puzzles are done."""


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
        A row is not a puzzle and `errors` is ``"raise"``; its attribute ``index`` is the number, from 0.
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
    count, cancel = thread_count(threads), cancel_of(cancel)
    if task.in_order:
        task, count = replace(task), 1
    cells, reasons = read_cells(puzzles, errors=errors, cancel=cancel)
    total, names = len(cells), tuple(task.columns)
    size = max(1, task.batch_size // 64, min(task.batch_size, -(-total // count)))
    begins, needs_all = range(0, total, size), task.replaces and errors == "raise"
    is_puzzle = np.ones(total, np.bool_)
    is_puzzle[list(reasons)] = False

    def work(begin: int, stop: Cancel) -> Iterator[_Piece]:
        invalid = np.flatnonzero(~is_puzzle[begin : begin + size]) + begin
        rejects = [Reject(row + 1, 1, None, "") for row in invalid.tolist()]
        batch = Batch.of_cells(cells[begin : begin + size], rejects, begin)
        batch.outputs, batch.threads = frozenset(names), max(1, count // len(begins))
        rows = batch.puzzle_rows
        try:
            for results in iter_results(task, batch, stop, needs_all=needs_all):
                columns, records, _ = place(task, results, names)
                records = np.arange(batch.size) if records is None else records
                piece_reasons = {
                    begin + int(rows[puzzle]): reason for puzzle, reason in results.reasons.items()
                }
                yield _Piece(columns, begin + records, piece_reasons, begin + results.records.stop)
        except InvalidPuzzleError as error:
            error.row = None if error.row is None else begin + int(rows[error.row])
            raise

    pieces: list[_Piece] = []
    try:
        with closing(map_batches(iter(begins), work, count, cancel=cancel)) as results:
            pieces.extend(results)
    except SearchStoppedError:
        if not cancel:
            raise
    end = pieces[-1].end if pieces else 0
    for piece in pieces:
        reasons |= piece.reasons
    reasons = with_reason(dict(sorted(reasons.items())), end + np.flatnonzero(is_puzzle[end:]), CANCELLED)
    if not pieces:
        nothing = ResultBatch(Batch.of_cells(cells[:0]))
        pieces = [_Piece(typed_columns(task, nothing), np.empty(0, np.int64), {}, 0)]
    rows = np.concatenate([piece.source_rows for piece in pieces])
    source_rows, index = insert_rows(rows, np.arange(end, total))
    columns = {}
    for name in names:
        column = Column.join([piece.columns[name] for piece in pieces])
        columns[name] = column if index is None else column.take(index)
    return Result(columns, reasons, source_rows)
