"""Run a task on many puzzles in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Literal, NamedTuple

from unidoku._compat import NDArray, np
from unidoku._schema import Schema
from unidoku._table.batch import Batch, Reject
from unidoku._table.column import Column
from unidoku._table.forms import PuzzlesLike, read_cells
from unidoku._table.puzzles import Result, with_reason
from unidoku._task import ResultBatch, Task, Work
from unidoku._threads import CANCELLED, Cancel, cancel_of, map_batches, thread_count, within
from unidoku.errors import InvalidPuzzleError, Reason, SearchStoppedError
from unidoku.runner._results import align, typed_columns
from unidoku.runner._work import iter_results, task_of


class _Piece(NamedTuple):
    """Some rows of a result."""

    columns: dict[str, Column]
    source_rows: NDArray[np.int64]
    reasons: dict[int, Reason]
    end: int
    """How many of the puzzles are done."""


def run_many(
    task: Task,
    puzzles: PuzzlesLike,
    *,
    columns: Iterable[str] | None = None,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Result:
    """Run a task over many puzzles in memory.

    Parameters
    ----------
    task : Task
    puzzles : array, bytes, sequence or Arrow column
        As for `unidoku.check_many`.
    columns : iterable of str, optional
        The columns of the task to compute, and ``reason`` if puzzles that only another column would refuse
        need their reason; by default those that a run over files writes.
    threads : int, optional
        Worker threads; by default one per available core.
    errors : {"raise", "invalid"}, optional
        How to treat a row that is not a puzzle: raise an error, or give it a reason in place of a result.
    cancel : Cancel, optional
        Set it to end the call; puzzles that are not done then have a reason.
    timeout : float, optional
        Cancel it after this number of seconds.

    Returns
    -------
    Result
        These columns.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle and `errors` is ``"raise"``; its attribute ``index`` is the number, from 0.
    UnidokuError
        A number is not allowed, or the task has no such column.

    Examples
    --------
    >>> import unidoku
    >>> from unidoku.tasks._canonical import Canonical
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> unidoku.run_many(Canonical(), [puzzle, puzzle[:80]], errors="invalid").reasons
    {1: 'expected 81 cells, found 80'}
    >>> from unidoku.tasks._rate import Rate
    >>> unidoku.run_many(Rate(), [puzzle], columns=["er"]).er.tolist()
    [1.2]
    """
    cancel = within(cancel, timeout)
    count, cancel = thread_count(threads), cancel_of(cancel)
    if task_of(task).in_order:
        task, count = replace(task), 1
    cells, reasons = read_cells(puzzles, errors=errors, cancel=cancel)
    total, wanted = len(cells), Schema(task).in_memory(columns)
    names = tuple(name for name in task.columns if name in wanted)
    size = max(1, task.batch_size // 64, min(task.batch_size, -(-total // count)))
    begins, needs_all = range(0, total, size), task.replaces and errors == "raise"
    work = Work(wanted, max(1, count // max(1, len(begins))))
    is_puzzle = np.ones(total, np.bool_)
    is_puzzle[list(reasons)] = False

    def pieces_of(begin: int, stop: Cancel) -> Iterator[_Piece]:
        invalid = np.flatnonzero(~is_puzzle[begin : begin + size]) + begin
        rejects = [Reject(row + 1, 1, None, reasons[row]) for row in invalid.tolist()]
        batch = Batch.of_cells(cells[begin : begin + size], rejects, begin)
        rows = batch.puzzle_rows
        try:
            for results in iter_results(task, batch, work, stop, needs_all=needs_all):
                columns, records, _ = align(task, results, names)
                if records is None:
                    records = np.arange(batch.size)
                else:
                    records = np.asarray(records)
                piece_reasons = {
                    begin + int(rows[puzzle]): reason for puzzle, reason in results.reasons.items()
                }
                yield _Piece(columns, begin + records, piece_reasons, begin + results.records.stop)
        except InvalidPuzzleError as error:
            if error.index is not None:
                error.index = begin + int(rows[error.index])
            raise

    pieces: list[_Piece] = []
    try:
        with closing(map_batches(iter(begins), pieces_of, count, cancel=cancel)) as results:
            pieces.extend(results)
    except SearchStoppedError:
        if not cancel:
            raise
    if not pieces:
        nothing = ResultBatch(Batch.of_cells(cells[:0]))
        pieces = [_Piece(typed_columns(task, nothing), np.empty(0, np.int64), {}, 0)]
    end = pieces[-1].end
    for piece in pieces:
        reasons |= piece.reasons
    reasons = with_reason(dict(sorted(reasons.items())), end + np.flatnonzero(is_puzzle[end:]), CANCELLED)
    joined, source_rows = _join(pieces, names, np.arange(end, total))
    return Result(joined, reasons, source_rows)


def _join(
    pieces: Sequence[_Piece], names: Iterable[str], rest: NDArray[np.int64]
) -> tuple[dict[str, Column], NDArray[np.int64]]:
    """Return the columns of all pieces and the puzzle of each row; a remaining puzzle has one empty row."""
    rows = np.concatenate([piece.source_rows for piece in pieces])
    joined = {name: Column.join([piece.columns[name] for piece in pieces]) for name in names}
    if len(rest):
        index = np.append(np.arange(len(rows)), np.full(len(rest), -1))
        joined = {name: column.take(index) for name, column in joined.items()}
    return joined, np.append(rows, rest)
