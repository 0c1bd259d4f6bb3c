"""The loop of a run, which opens, reads, parses, works and writes.

Every command with files is a call of it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, field, replace
from math import inf
from stat import S_ISREG
from typing import Any

from unidoku import kernel
from unidoku.batch import Batch
from unidoku.errors import FormatError, InvalidPuzzleError, SearchStoppedError, UnidokuError
from unidoku.files.base import Chunk
from unidoku.files.inputs import NUMBERS, Input, chunks_of, opened, parsed
from unidoku.files.source import PUZZLE_BYTES, Source
from unidoku.options import Options
from unidoku.run.rows import rows_of
from unidoku.run.sink import Sink, StoppedError
from unidoku.run.summary import SHOWN, Counts, Meter, Summary
from unidoku.task import Need, Rows, Task
from unidoku.threads import Cancel, cancel_of, ordered, thread_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unidoku.files.output import OutputFile

CHUNK_SECONDS = 0.05  # time that a chunk should take
MOST_SECONDS = 1.0  # time after which rows that the caller waits for are made in smaller steps
_FEWER = 64  # if so many rows take too long, a 64th of them is tried


@dataclass(slots=True, eq=False, repr=False)
class _Outcome:
    """What came of some rows, or of an input from here on."""

    input_number: int
    found: Summary = field(default_factory=Summary)  # with all invalid records if there are messages of them
    rows: Rows | None = None
    """They wait here if it is not known yet whether all of them are written."""
    piece: Any = None
    """The rows as the sink writes them."""
    line_count: int | None = None
    failure: UnidokuError | None = None
    """Why the input cannot be read from here on."""


class Run:
    """One run over some inputs, one after the other, from source to sink.

    A chunk has a number of puzzles within the task's `at_once` that depends on how fast the work is.
    """

    def __init__(self, inputs: Sequence[Input], task: Task, options: Options, sink: Sink) -> None:
        self.inputs = inputs
        self.options = options
        self.task = task
        self.sink = sink
        self.cancel = cancel_of(options.cancel)
        self.summary = Summary(
            isa=kernel.isa(),
            threads=thread_count(options.threads),
            verified=task.verifies,
        )
        self.left = task.most_rows  # rows to write; None: all
        total = self.left or (_stored_bytes(inputs) if options.progress else 0)
        self.meter = Meter(options.progress, total, self._position)
        self.source: Source | None = None  # of the latest chunk
        self.passed = 0  # bytes of the inputs before it
        self.began = time.perf_counter()
        self.size = PUZZLE_BYTES * task.at_once[2 if sink.shows_batches else 0]
        self.input_number = -1  # the input of the latest batch
        self.lines = 0  # of that input so far
        self.messages: OutputFile | None = None  # about invalid records
        names = task.names
        self.own = [name for name in names if name in sink.columns or not task.replaces]
        if not options.file:
            self.own = [name for name in self.own if name != "file"]
        self.others = [name for name in sink.columns if name not in names]
        asked = {*sink.columns, *sink.more} - {*self.others} | ({"puzzle"} if task.replaces else set())
        asked |= {"verdict"} if options.only is not None else set()
        self.columns = frozenset(asked)  # that the task makes
        self.at_work: dict[int, float] = {}  # when the present rows were begun, by the number of their chunk
        self.ends: dict[int, Cancel] = {}  # set to end these rows, so that fewer are made first
        self.pace = 0.0  # seconds that the latest rows took, each
        # no smaller steps where the bytes of the output show them, or rows depend on those before
        self.whole = sink.shows_batches or task.in_order

    def run(self, invalid: OutputFile | None = None) -> Summary:
        """Do all of it; write messages about invalid records to ``invalid``."""
        summary = self.summary
        try:
            with (
                suppress(StoppedError),
                self.sink,
                nullcontext() if invalid is None else invalid.open() as self.messages,
            ):
                self._work_on_all()
                if not summary.complete or summary.failures or not (summary.puzzles or self.options.empty):
                    raise StoppedError
        except UnidokuError as error:
            error.summary = summary
            raise
        finally:
            summary.seconds = time.perf_counter() - self.began
            summary.partial = self.sink.kept()
            if invalid is not None and invalid.kept is not None:
                summary.partial.append(invalid.kept)
        return summary

    def _work_on_all(self) -> None:
        """Work on the inputs one after the other; count and write the results in order."""
        sink, task, summary, options = self.sink, self.task, self.summary, self.options
        keep = options.keep
        if self.others:  # which may be the rest of a line
            keep = "all"
        elif not (sink.carries or task.verifies):
            keep = "none"
        elif keep == "none":
            keep = "columns"
        reading = replace(
            options,
            keep=keep,
            # Lines need numbers before the end of the run only where they are shown.
            numbered=bool(sink.columns) or task.numbered or self.messages is not None,
        )
        summary.complete = False
        ended = -1  # the input that cannot be read to its end
        outcomes = ordered(
            enumerate(self._read(reading)),
            lambda item, scratch: self._work(item[0], *item[1], scratch),
            1 if sink.in_order or task.in_order else summary.threads,
            cancel=self.cancel,
            tick=self._tick,
            ahead=sink.ahead,
        )
        with closing(outcomes):
            for outcome in outcomes:
                if outcome is None:
                    # Cancelled within a batch; nothing after it counts.
                    break
                if outcome.input_number == ended:
                    continue  # what comes after an error of the same input
                if outcome.failure is not None:
                    ended = outcome.input_number
                    summary.fail(outcome.failure)
                    if options.on_failure is None:
                        raise outcome.failure
                    options.on_failure(outcome.failure)
                    continue
                if outcome.rows is not None and self.left is not None:
                    self._keep_first(outcome.rows, outcome, self.left)
                sink.write(outcome.piece)
                self._count(outcome)
                if self.messages is not None and outcome.found.rejects:
                    lines = "".join(f"{error}\n" for error in outcome.found.rejects)
                    self.messages.write(lines.encode("utf-8", "backslashreplace"))
                self.meter.report()
                if self.left == 0:
                    break
            self.meter.report(last=True)
            summary.complete = not self.cancel
            if summary.complete:
                task.finish()

    def _read(self, options: Options) -> Iterator[tuple[int, Chunk | UnidokuError]]:
        """Read the inputs, and yield their chunks with the number of the input."""
        for number, source in enumerate(opened(self.inputs, options)):
            if isinstance(source, UnidokuError):
                name = str(source.file)
            elif isinstance(source, range):
                name = NUMBERS
            else:
                name = source.name
                self.passed, _ = self._position()  # the end of the one before
                self.source = source
            self.summary.files.append(Counts(file=name))
            for chunk in chunks_of(source, options, lambda: self.size):
                yield number, chunk

    def _position(self) -> tuple[int, int]:
        """Return the bytes that are read, or the rows if their number is given, and the puzzles."""
        if self.left is not None:
            return self.summary.written, self.summary.written
        here = 0 if self.source is None else self.source.position
        return self.passed + here, self.summary.puzzles

    def _tick(self) -> None:
        """Report how far the run is, and end a step for which the caller has waited too long."""
        self.meter.report()
        first = min(self.at_work.copy(), default=-1)
        end = self.ends.get(first)  # asked before the time: a worker may begin with other rows at any moment
        if end is not None and time.perf_counter() - self.at_work.get(first, inf) > MOST_SECONDS:
            end.set()

    def _work(
        self, number: int, input_number: int, chunk: Chunk | UnidokuError, scratch: dict[str, Any]
    ) -> Iterator[_Outcome | None]:
        """Parse, work on, count and render a chunk in a worker; a last None says that it was cancelled."""
        if self.cancel and not isinstance(chunk, UnidokuError):
            yield None
            return
        self.at_work[number] = time.perf_counter()
        try:
            with closing(parsed(chunk, scratch)) as batches:
                for batch in batches:
                    if isinstance(batch, UnidokuError):
                        yield _Outcome(input_number, failure=batch)
                        return
                    for outcome in self._steps(number, input_number, batch, scratch):
                        yield outcome
                        if outcome is None:
                            return
        finally:
            del self.at_work[number]

    def _steps(
        self, number: int, input_number: int, batch: Batch, scratch: dict[str, Any]
    ) -> Iterator[_Outcome | None]:
        """Work on a batch in steps of rows; one that takes too long is ended, and fewer rows are tried."""
        # A step is the whole batch, unless the pace of the rows before says that this takes too long.
        at = slow = 0
        every = most = batch.rows  # most: in a step that begins before the row `slow`
        while True:
            rows = min(every - at, most if at < slow else every)
            if self.pace and not self.whole:
                rows = min(rows, max(1, int(MOST_SECONDS / 2 / self.pace)))
            part = batch if rows == every else batch.part(at, at + rows)
            with self.cancel.child() as end:
                began, seconds, made = time.perf_counter(), 0.0, None
                need = Need(self.columns, end, self._free_threads, scratch)
                self.at_work[number] = began
                if not self.whole and rows > 1:
                    self.ends[number] = end
                try:
                    for made in rows_of(self.task, part, need, self.own):
                        if made is None:
                            break
                        self.ends.pop(number, None)  # what is made is not made again
                        outcome = self._outcome(input_number, part, *made, began)
                        seconds += time.perf_counter() - began
                        yield outcome
                        began = time.perf_counter()
                except InvalidPuzzleError as error:
                    if error.row is None:
                        raise
                    raise error.at(part.source, int(part.lines[error.row])) from None
                except SearchStoppedError:
                    if not end:
                        raise
                    made = None
                finally:
                    self.ends.pop(number, None)
            if made is not None:
                at += rows
                self.pace = max(seconds / max(1, rows), self.pace / 2)
                if at >= every:
                    return
            elif end and not self.cancel:
                slow, most = at + rows, max(1, rows // _FEWER)
            else:
                yield None
                return

    def _free_threads(self) -> int:
        """Return how many threads a worker may use: itself, and those that have no work."""
        return max(1, self.summary.threads + 1 - len(self.at_work))

    def _outcome(self, input_number: int, batch: Batch, rows: Rows, found: Summary, began: float) -> _Outcome:
        """Count and render what was made of a batch."""
        for name in self.others:
            if name not in rows.batch.columns:
                known = ", ".join([*self.own, *rows.batch.columns])
                raise FormatError(f"no column {name!r}; choose from: {known}", file=batch.source)
        outcome = _Outcome(input_number, found)
        if self.left is None:
            outcome.piece = self._rendered(rows)
        else:
            outcome.rows = rows
        if not found.complete:  # the batch is counted with its last rows
            return outcome
        outcome.line_count = batch.line_count
        found.puzzles, found.invalid = batch.rows, len(batch.rejects)
        shown = batch.rejects[: SHOWN if self.messages is None else None]
        found.rejects = [reject.error(batch.source) for reject in shown]
        lines = [int(batch.lines[-1])] if len(batch.starts) else []
        lines += [reject.line for reject in batch.rejects[-1:]]
        if lines:
            found.file, found.line = batch.source, max(lines)
        found.seconds = time.perf_counter() - began
        return outcome

    def _rendered(self, rows: Rows) -> Any:
        return self.sink.render(rows) if self.sink.columns else None

    def _keep_first(self, rows: Rows, outcome: _Outcome, most: int) -> None:
        """Render the first rows of a batch: how many are before them is not known earlier."""
        if outcome.found.written > most:
            import numpy as np

            outcome.found.written = most
            rows = rows.at(np.arange(most))
        outcome.piece = self._rendered(rows)
        self.left = most - outcome.found.written

    def _count(self, outcome: _Outcome) -> None:
        found = outcome.found
        if outcome.line_count is not None:
            self._number(outcome.input_number, found, outcome.line_count)
        self.summary.add(found)
        self.summary.files[outcome.input_number].add(found)
        rows = found.puzzles  # also records that are no puzzles, which take no time
        if not self.sink.shows_batches and rows:
            # Large enough that the cost of a chunk does not matter, small enough to use all workers.  They
            # grow fast, so that a small input has few chunks; rows that are slow are made in steps.
            fitting = int(rows * CHUNK_SECONDS / max(found.seconds, 1e-9))
            least, most, _ = self.task.at_once
            if not self.sink.columns:
                most *= 4  # a chunk in progress is then its text alone
            self.size = PUZZLE_BYTES * max(least, min(most, 16 * rows, fitting))

    def _number(self, input_number: int, found: Summary, line_count: int) -> None:
        """Number the lines of a batch from the beginning of its input."""
        if input_number != self.input_number:
            self.input_number, self.lines = input_number, 0
        for error in found.rejects:
            error.line = (error.line or 0) + self.lines
        if found.line is not None:
            found.line += self.lines
        self.lines += line_count


def _stored_bytes(inputs: Sequence[Input]) -> int:
    """Bytes of all inputs; 0 if the size of one is not known."""
    try:
        found = [os.stat(each) for each in inputs]  # type: ignore[arg-type]
    except (OSError, TypeError, ValueError):
        return 0
    return sum(each.st_size for each in found) if all(S_ISREG(each.st_mode) for each in found) else 0
