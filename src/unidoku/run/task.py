"""A task as a stage of a run over files: its rows, laid between those of records that are no puzzles."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from unidoku.cell import SYMBOLS
from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.files.base import Batch, Column, Need
from unidoku.files.formats import output_format
from unidoku.files.inputs import Input
from unidoku.parse_many import MARKS
from unidoku.result import Column as Values, Made as Found, done
from unidoku.run.convert import batch_at
from unidoku.run.loop import RunFields
from unidoku.run.stage import Made, Rows, Stage, numbers, text_column
from unidoku.run.start import stage_file
from unidoku.run.summary import Summary
from unidoku.task import Task
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.run.stage import Sink

BYTES = 82  # of a puzzle in a text

_CODES = np.frombuffer(SYMBOLS.encode(), np.uint8)


def run_file(
    task: Task,
    inputs: Input | Iterable[Input],
    output: str | os.PathLike[str] | Sink | None = None,
    **options: Unpack[RunFields],
) -> Summary:
    """Let a task work on the puzzles of some files, and write its rows.

    Records that are no puzzles keep their place in a table of rows: with the columns of the input, and a
    ``reason``.  Where the rows of the task are puzzles, they are left out.

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
            extra = tuple(name for name in task.columns if name != "puzzle")
            extra = extra if task.shown is None else tuple(name for name in extra if name in task.shown)
    return TaskStage(task, extra)


@dataclass(frozen=True)
class TaskStage(Stage):
    """The work of a task.

    `extra` are the columns beside new puzzles; they are written as those of an input are.
    """

    task: Task
    extra: tuple[str, ...] = ()
    numbered: ClassVar[bool] = True

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
            own["verdict"] = "verdict"
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
        return type(self.task).pieces is not Task.pieces

    def shown(self, text: bool, several: bool) -> tuple[str, ...]:
        """Return the columns that are written by default."""
        own = self.task.columns if self.task.shown is None else self.task.shown
        if self.task.replaces:
            return ("puzzle",)
        return ("puzzle", *(["file"] if several else []), *own, "reason")

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
            plain = batch_at(batch, places)
        names = (*self.extra, "puzzle") if self.task.replaces else need.columns & self.task.columns.keys()
        asked = Need(frozenset(names), need.cancel, need.threads)
        before: Found | None = None
        try:
            for found in done(self.task, plain, asked):
                if found is None:
                    yield None
                    return
                if before is not None:
                    yield self._rows(batch, before, places, None)
                before = found
        except InvalidPuzzleError as error:
            if error.row is None:
                raise
            raise InvalidPuzzleError(error.message, row=int(places[error.row])) from error.__cause__
        if before is not None:
            yield self._rows(batch, before, places, len(batch))

    def _rows(self, batch: Batch, found: Found, places: NDArray[np.int64], n: int | None) -> Rows:
        """Return the rows of a piece; `n` puzzles are counted with the last one."""
        if self.task.replaces:
            rows = self._new_puzzles(batch, found)
        else:
            rows = self._table(batch, found, places, last=n is not None)
        rows.counts = {"written": len(rows.batch), **rows.counts}
        if n is None:
            rows.more = True
        else:
            rows.counts = {"unknown": n, **rows.counts}
        return rows

    def _new_puzzles(self, batch: Batch, found: Found) -> Rows:
        for row, reason in found.reasons.items():
            raise InvalidPuzzleError(reason, row=row)
        read = batch_at(batch, found.of)
        own = [_text(name, self.task.columns[name][0], found.columns[name]) for name in self.extra]
        others = [each for each in self.task.carried(read, found.columns) if each.name not in self.extra]
        text = _CODES[found.columns["puzzle"].values].reshape(-1)
        starts = np.arange(0, text.size, 81)
        return Rows(Batch(batch.source, text.tobytes(), starts, read.lines, columns=[*own, *others]))

    def _table(self, batch: Batch, found: Found, places: NDArray[np.int64], *, last: bool) -> Rows:
        of, columns, reasons = places[found.of], found.columns, dict(found.reasons)
        marked = np.setdiff1d(np.arange(len(batch)), places) if last else places[:0]
        if marked.size:
            every = np.concatenate([of, marked])
            order = np.argsort(every, kind="stable")
            laid = np.argsort(order, kind="stable")[: len(of)]
            columns = {name: column.laid(laid, len(every)) for name, column in columns.items()}
            reasons = {int(places[k]): reason for k, reason in reasons.items()}
            reasons |= dict.fromkeys(marked.tolist(), MARKS)
            of = every[order]
        made = batch if len(of) == len(batch) and (of == np.arange(len(of))).all() else batch_at(batch, of)
        if last:
            before = np.searchsorted(of, [each.before for each in batch.rejects]).tolist()
            rejects = [replace(each, before=k) for each, k in zip(batch.rejects, before, strict=True)]
            made = replace(made, rejects=rejects)
        else:
            made = replace(made, rejects=())
        named = {name: _written(name, self.task.columns[name][0], column) for name, column in columns.items()}
        texts = dict.fromkeys(reasons.values())
        codes = {reason: code for code, reason in enumerate(texts, 1)}
        at = np.array([codes[reasons[row]] if row in reasons else 0 for row in of.tolist()], np.int64)
        why = text_column("reason", ("", *texts)).at(at)
        named["reason"] = Made("reason", "string", "reasons", (why.text, why.starts, why.ends))
        rejected = {}
        if "verdict" in self.task.columns:
            rejected["verdict"] = text_column("verdict", [str(Verdict.INVALID)] * len(made.rejects))
        return Rows(made, named, rejected)


_ARROW = {"cells": "string", "float64": "double"}


def _written(name: str, kind: str, column: Values) -> Made | Column:
    """Return a column as the sinks take it."""
    known = None if column.valid is None else column.valid
    if kind == "bool" or "int" in kind:
        return numbers(name, kind, column.values, known)
    if name == "verdict":
        words = [str(verdict) for verdict in Verdict]
        codes = [words.index(each) if each in words else Verdict.UNKNOWN for each in column.array()]
        text = text_column("verdict", words)
        return Made("verdict", "verdict", "words", (bytes(codes), text.text, text.starts, text.ends))
    return _text(name, kind, column)


def _text(name: str, kind: str, column: Values) -> Column:
    """Return a column as texts; an empty text is no value."""
    values, known = column.values, column.known()
    kind = _ARROW.get(kind, kind)
    if column.words is not None:
        codes = np.where(known, values.astype(np.int64) + 1, 0)
        return text_column(name, ("", *column.words), kind).at(codes)
    if values.ndim > 1:
        text = _CODES[values].reshape(-1).tobytes()
        starts = np.arange(0, len(text), 81)
        return Column(name, text, starts, np.where(known, starts + 81, starts))
    if kind == "string":
        return text_column(name, ("" if each is None else str(each) for each in column.array().tolist()))
    if values.dtype.kind == "f":
        known = known & np.isfinite(values)
    different, codes = np.unique(np.where(known, values, values.dtype.type(0)), return_inverse=True)
    words = [str(each).lower() if kind == "bool" else str(each) for each in different.tolist()]
    return text_column(name, ("", *words), kind).at(np.where(known, codes + 1, 0))
