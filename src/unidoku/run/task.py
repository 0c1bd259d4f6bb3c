"""A task as a stage of a run over files: its rows, laid between those of records that are no puzzles."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from unidoku.column import MOST_WORDS, Column
from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.files.base import Batch, Need
from unidoku.files.formats import output_format
from unidoku.files.inputs import Input
from unidoku.parse_many import MARKS
from unidoku.result import Made as Found, done
from unidoku.run.loop import RunFields
from unidoku.run.stage import Rows, Stage
from unidoku.run.start import stage_file
from unidoku.run.summary import Summary
from unidoku.task import Task
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.run.stage import Sink

BYTES = 82  # of a puzzle in a text


def run_file(
    task: Task,
    inputs: Input | Iterable[Input],
    output: str | os.PathLike[str] | Sink | None = None,
    **options: Unpack[RunFields],
) -> Summary:
    """Let a task work on the puzzles of some files, and write its rows.

    Records that are no puzzles keep their place in a table of rows: with the columns of the input, and a
    ``reason``.  Formats that hold puzzles alone leave them out.

    Parameters
    ----------
    task : Task
    inputs, output, **options
        As for `unidoku.check_file`.  The columns of a table are ``puzzle``, ``file``, ``line``, those of the
        task, ``reason``, and those of the input; a ``.txt`` output is a table with tabs, as ``.tsv``.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError
        As for `unidoku.check_file`; also if the task fails, or returns a wrong length, an unknown column or a
        wrong type: the message names the task and the column.
    """
    return stage_file(inputs, output, stage_of(task, output, options), **options)


def stage_of(task: Task, output: Any, options: Mapping[str, Any]) -> TaskStage:
    """Return the stage of a task for an output."""
    if options.get("only") is not None and "verdict" not in task.columns:
        raise UnidokuError(f"task {task.name} has no verdicts, which only (--only) chooses by")
    extra: tuple[str, ...] = ()
    if task.replaces and options.get("carry", True) and isinstance(output, str | os.PathLike):
        form = output_format(os.fspath(output), options.get("to"), rows=False, default=".parquet")
        if form.format.rows and form.suffix not in (".txt", ".sdm"):
            shown = task.gives() if task.shown is None else task.shown
            extra = tuple(name for name in task.gives() if name != "puzzle" and name in shown)
    return TaskStage(task, extra)


@dataclass(frozen=True)
class TaskStage(Stage):
    """The work of a task.

    `extra` are the columns beside new puzzles; they are written as those of an input are.
    """

    task: Task
    extra: tuple[str, ...] = ()

    @property
    def name(self) -> str:  # type: ignore[override]
        """That of the task."""
        return self.task.name

    @property
    def puzzles(self) -> bool:  # type: ignore[override]
        """Whether the rows are puzzles."""
        return self.task.replaces

    @property
    def header(self) -> bool:  # type: ignore[override]
        """Whether ``.txt`` is a table."""
        return not self.task.replaces

    @property
    def columns(self) -> Mapping[str, str]:  # type: ignore[override]
        """Those of every table, and those of the task."""
        if self.task.replaces:
            return {"puzzle": "string"}
        own = {name: _ARROW.get(kind, kind) for name, (kind, _) in self.task.columns.items()}
        if "verdict" in own:
            own["verdict"] = "words"
        return {"puzzle": "string", "file": "string", "line": "int64", **own, "reason": "string"}

    @property
    def chunk_bytes(self) -> tuple[int, int]:  # type: ignore[override]
        """The least and largest number of bytes of text worked on at once."""
        least, most, _ = self.task.at_once
        return BYTES * least, BYTES * most

    @property
    def steady_bytes(self) -> int:  # type: ignore[override]
        """How many they are where the bytes of the output depend on it."""
        return BYTES * self.task.at_once[2]

    @property
    def streams(self) -> bool:  # type: ignore[override]
        """Whether the rows of one puzzle may be too many to hold."""
        return self.task.streams

    def shown(self, text: bool, several: bool) -> tuple[str, ...]:
        """Return the columns that are written by default."""
        own = self.task.columns if self.task.shown is None else self.task.shown
        if self.task.replaces:
            return ("puzzle",)
        return ("puzzle", *(["file"] if several else []), *own, "reason")

    @property
    def otherwise(self) -> Mapping[str, Any]:  # type: ignore[override]
        """The verdict of rows that are no puzzles."""
        return {"verdict": str(Verdict.INVALID)}

    def to_json(self) -> dict[str, Any]:
        """Return what the task says of itself."""
        return self.task.to_json()

    def pieces(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Iterator[Rows | None]:
        """Let the task work, and lay its rows between those of the other records."""
        places = np.arange(len(batch))
        plain = batch
        if len(batch.marked) and not self.task.marks:
            if self.task.replaces:
                raise InvalidPuzzleError("a puzzle of 81 cells is needed", row=batch.marked[0])
            places = np.setdiff1d(places, batch.marked)
            plain = batch.at(places)
        names = (
            {*self.extra, "puzzle"} if self.task.replaces else need.columns & {*self.task.columns, "reason"}
        )
        asked = Need(frozenset(names), need.cancel, need.threads)
        before: Found | None = None
        begin = 0  # of the rows of the batch that are not written yet
        try:
            for found in done(self.task, plain, asked):
                if found is None:
                    yield None
                    return
                if before is not None and len(before.of):
                    end = int(batch.puzzle_rows[places[before.of[-1]]])
                    yield self._rows(batch, before, places, slice(begin, end))
                    begin = end
                before = found
        except InvalidPuzzleError as error:
            if error.row is None:
                raise
            raise InvalidPuzzleError(error.message, row=int(places[error.row])) from error.__cause__
        if before is not None:
            yield self._rows(batch, before, places, slice(begin, batch.rows))

    def _rows(self, batch: Batch, found: Found, places: NDArray[np.int64], part: slice) -> Rows:
        """Return the rows of a piece for this part of the batch's rows; the last one counts the batch."""
        last = part.stop == batch.rows
        if self.task.replaces:
            rows = self._new_puzzles(batch, found, part)
        else:
            rows = self._table(batch, found, places, part)
        rows.counts = {"written": len(rows.batch), **self.task.counts(found.columns)}
        if last:
            rows.counts = {"unknown": len(batch), **rows.counts}
        rows.more = not last
        return rows

    def _new_puzzles(self, batch: Batch, found: Found, part: slice) -> Rows:
        for row, reason in found.reasons.items():
            raise InvalidPuzzleError(reason, row=row)
        read = batch.at(found.of, part.start, part.stop)
        own = {name: self._written(name, found.columns[name]).lay(read.place) for name in self.extra}
        others = self.task.carried(read, found.columns)
        columns = {**own, **{name: each for name, each in others.items() if name not in own}}
        return Rows(replace(read.with_cells(found.columns["puzzle"].values), columns=columns))

    def _table(self, batch: Batch, found: Found, places: NDArray[np.int64], part: slice) -> Rows:
        of, columns = places[found.of], found.columns
        reasons = {int(places[k]): reason for k, reason in found.reasons.items()}
        last = part.stop == batch.rows
        marked = np.setdiff1d(np.arange(len(batch)), places) if last else places[:0]
        if marked.size:
            every = np.concatenate([of, marked])
            order = np.argsort(every, kind="stable")
            laid = np.argsort(order, kind="stable")[: len(of)]
            columns = {name: column.laid(laid, len(every)) for name, column in columns.items()}
            reasons |= dict.fromkeys(marked.tolist(), MARKS)
            of = every[order]
        whole = last and not part.start and len(of) == len(batch) and (of == np.arange(len(of))).all()
        made = batch if whole else batch.at(of, part.start, part.stop)
        named = {name: self._written(name, column) for name, column in columns.items()}
        named["reason"] = _reasons(reasons, of, len(batch))
        return Rows(made, named)

    def _written(self, name: str, column: Column) -> Column:
        """Return a column as the sinks take it: verdicts as codes."""
        if self.task.columns[name][0] == "words":
            return Column.coded(column.values.astype(np.uint8), column.words or (), column.valid)
        if name != "verdict":
            return column
        codes = [_VERDICTS.index(each) if each in _VERDICTS else Verdict.UNKNOWN for each in column.array()]
        return Column.coded(bytes(codes), _VERDICTS)


def _reasons(reasons: Mapping[int, str], of: NDArray[np.int64], n: int) -> Column:
    """Return why some of n puzzles have no result as a column of rows, which are `of` these puzzles."""
    texts = ("", *dict.fromkeys(reasons.values()))
    if len(texts) > MOST_WORDS:
        return Column.values_of(reasons.get(row) for row in of.tolist())
    codes = np.zeros(n, np.uint8)
    for row, reason in reasons.items():
        codes[row] = texts.index(reason)
    return Column.coded(codes[of], texts, codes[of] > 0, type="string")


_ARROW = {"cells": "string", "float64": "double"}
_VERDICTS = tuple(map(str, Verdict))
