"""The rows of a run: what a task makes of a batch, laid between the records that are no puzzles."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from unidoku.batch import Batch
from unidoku.column import ABSENT, MISSING, Column
from unidoku.errors import InvalidPuzzleError
from unidoku.made import done
from unidoku.runner.summary import Summary
from unidoku.task import Need, Rows, Task
from unidoku.verdict import VERDICTS, Verdict


def rows_of(task: Task, batch: Batch, need: Need) -> Iterator[tuple[Rows, Summary] | None]:
    """Let a task work on a batch; yield its rows, as a sink gets them, and what was found in them.

    A last None says that the run is cancelled.
    """
    before: Rows | None = None
    begin = 0  # of the rows of the batch that are not written yet
    try:
        for made in done(task, batch, need):
            if made is None:
                yield None
                return
            if before is not None and len(before):
                end = int(batch.puzzle_rows[before.of[-1]])
                yield _laid(task, before, slice(begin, end), need)
                begin = end
            before = made
    except InvalidPuzzleError as error:
        if error.row is None:
            raise
        raise error.at(batch.source, int(batch.lines[error.row])) from error.__cause__
    if before is not None:
        yield _laid(task, before, slice(begin, batch.rows), need)


def _laid(task: Task, made: Rows, part: slice, need: Need) -> tuple[Rows, Summary]:
    """Lay what a task made into a part of the rows of its batch, and count; the last part is complete.

    Where rows are new puzzles, each puzzle needs one.
    """
    batch, of, columns, reasons = made.batch, made.of, made.columns, made.reasons
    last = part.stop == batch.rows
    if task.replaces and reasons:
        row = min(reasons)
        raise InvalidPuzzleError(reasons[row], file=batch.source, line=int(batch.lines[row]))
    is_whole = last and not part.start and len(of) == len(batch) and _is_range(of)
    laid = batch if is_whole else batch.at(of, part.start, part.stop)
    if task.replaces:
        laid = laid.with_puzzles(columns["puzzle"], task.carried(laid, columns))
    columns = {name: column for name, column in columns.items() if name in need.columns}
    if "verdict" in columns:
        columns["verdict"] = _coded(columns["verdict"])
    if "reason" in need.columns and not task.replaces:
        # beside a verdict, JSON has a reason only where there is one
        without = MISSING if task.for_invalid.keys().isdisjoint(made.columns) else ABSENT
        columns["reason"] = Column.reasons(reasons, of, without)
    columns |= _places(laid, need.columns)
    counts = task.counts(made)
    if "unique" not in counts:
        counts |= {"written": len(of), "unknown": len(batch) if last else 0}
    found = Summary(**counts, complete=last)  # type: ignore[arg-type]  # the values are integers
    for row, what in task.wrong(made).items():
        error = InvalidPuzzleError(f"the given answer is wrong: {what}")
        found.mismatches.append(error.at(batch.source, int(batch.lines[row])))
    rows: Any = range(len(of))
    if laid.place is not None:
        rows = laid.place
        others = _others(task, laid, columns, need.columns) if columns else {}
        columns = {name: column.lay(rows, others.get(name)) for name, column in columns.items()}
    return Rows(laid, rows, columns, {}), found


def _is_range(of: Any) -> bool:
    """Return whether there is a row for each puzzle."""
    return isinstance(of, range) or bool((of[1:] > of[:-1]).all())


def _coded(column: Column) -> Column:
    """Return verdicts as sinks take them: by their codes; that of a puzzle without one is unknown."""
    is_whole = column.valid is None and column.place is None
    if is_whole and column.words == VERDICTS and column.type == "words":
        return column
    codes = [VERDICTS.index(each) if each in VERDICTS else Verdict.UNKNOWN for each in column.to_list()]
    return Column(bytes(codes), VERDICTS, type="words")


def _places(batch: Batch, names: Collection[str]) -> dict[str, Column]:
    """Return those columns of file, line and puzzle that are asked for."""
    made = {}
    if "file" in names:
        made["file"] = Column.same(batch.source, len(batch))
    if "line" in names:
        made["line"] = Column(batch.lines, type="int64")
    if "puzzle" in names:
        made["puzzle"] = Column(batch.puzzles)
    return made


def _others(
    task: Task, batch: Batch, columns: Mapping[str, Column], names: Collection[str]
) -> dict[str, Column]:
    """Return the columns of the records that are no puzzles."""
    rejects = list(batch.rejects)  # each is described when it is read
    made: dict[str, Callable[[], Column]] = {
        "file": lambda: Column.same(batch.source, len(rejects)),
        "line": lambda: Column(array("q", [each.line for each in rejects]), type="int64"),
        "puzzle": lambda: Column.values_of(
            None if each.text is None else each.text.decode("utf-8", "backslashreplace") for each in rejects
        ),
        "reason": lambda: Column.values_of(each.reason for each in rejects),
    }
    others = {name: column() for name, column in made.items() if name in names}
    for name, value in task.for_invalid.items():
        if name in columns:
            others[name] = columns[name].filled(value, len(rejects))
    return others
