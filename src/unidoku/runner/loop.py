"""The loop of a run, which opens, reads, parses, works and writes.

Every command with files is a call of it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from unidoku import kernel
from unidoku.batch import Batch
from unidoku.errors import FormatError, UnidokuError, arrow_errors
from unidoku.files.base import Chunk
from unidoku.files.inputs import Inputs
from unidoku.files.source import PUZZLE_BYTES, Source
from unidoku.options import Options
from unidoku.runner.sink import Sink, StoppedError
from unidoku.runner.summary import SHOWN, Counts, Meter, Summary, counts_of
from unidoku.task import Need, ResultBatch, Task, iter_results
from unidoku.threads import cancel_of, map_batches, thread_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unidoku.rows import Rows
    from unidoku.threads import Cancel

CHUNK_SECONDS = 0.05  # time that a chunk should take
_FIRST = 100  # the first chunks have this part of the most puzzles
_LARGEST = 2 << 20  # bytes; the output of most chunks is smaller
_SLICE = 4 << 20  # bytes of texts in rows that are rendered at once


@dataclass(slots=True, eq=False, repr=False)
class _Outcome:
    """What came of some rows, or of an input from here on."""

    counts: Counts
    """Those of the input."""
    found: Summary = field(default_factory=Summary)
    rows: Rows | None = None
    """They wait here if it is not known yet whether all of them are written."""
    piece: Any = None
    """The rows as the sink writes them."""
    line_count: int | None = None
    failure: UnidokuError | None = None
    """Why the input cannot be read from here on."""
    done: int = 0
    """The bytes of the inputs up to the end of these rows."""
    size: int = 0
    """The bytes that the chunk should have."""


class _Item(NamedTuple):
    """A numbered chunk, the counts of its input, the bytes of all inputs before and after it, its size."""

    number: int
    counts: Counts
    chunk: Chunk
    before: int
    after: int
    size: int
    """The bytes that it should have."""


class Run:
    """One run over some inputs, one after the other, from source to sink.

    A chunk has at most the `batch_size` of the task; few puzzles at first, where the output does not show it.
    """

    def __init__(self, task: Task, options: Options, sink: Sink) -> None:
        self.task = task
        self.sink = sink
        self.cancel = cancel_of(options.cancel)
        self.left = task.most_rows  # rows to write; None: all
        names = task.names
        self.own = [name for name in names if name in sink.columns or not task.replaces]
        if not options.file:
            self.own = [name for name in self.own if name != "file"]
        self.others = [name for name in sink.columns if name not in names]
        asked = {*sink.columns, *sink.more} - {*self.others} | ({"puzzle"} if task.replaces else set())
        asked |= {"verdict"} if options.only is not None else set()
        asked |= {"line"} if sink.in_order else set()  # for its errors
        self.columns = frozenset(asked)  # that the task makes
        keep: Literal["columns", "none"] = "none"
        if self.others or sink.carries or task.verifies:
            keep = "columns"
        # Lines need numbers before the end of the run only where they are shown.
        numbered = bool(sink.columns) or task.numbered
        self.options = replace(options, keep=keep, rest=bool(self.others), numbered=numbered)
        self.summary = Summary(
            isa=kernel.isa(),
            threads=thread_count(options.threads),
            verified=task.verifies,
        )
        self.source: Source | None = None  # that is read
        self.passed = 0  # bytes of the inputs before it
        self.done = 0  # bytes of the inputs whose rows are written
        most = PUZZLE_BYTES * task.batch_size
        self.least = most if sink.shows_batches else max(PUZZLE_BYTES, most // _FIRST)
        self.most = most if sink.columns else 4 * most  # a chunk in progress is then its text alone
        self.size = self.least  # of the next chunk, in bytes
        self.working: set[int] = set()  # the numbers of the chunks in work

    def run(self, inputs: Inputs) -> Summary:
        """Work on the inputs one after the other; count and write the results in order."""
        sink, summary, options = self.sink, self.summary, self.options
        total = self.left or (inputs.size() if options.progress else 0)
        _keep_freed_memory()
        meter = Meter(options.progress, total, self._position)
        opened = ExitStack()
        opened.enter_context(sink)  # without an output there is no run, and no summary
        try:
            with suppress(StoppedError), opened:
                summary.complete = False
                chunks = inputs.chunks(options, lambda: self.size, self._begin)
                outcomes = map_batches(
                    self._items(chunks),
                    self._work,
                    1 if sink.in_order or self.task.in_order else summary.threads,
                    cancel=self.cancel,
                    tick=meter.report,
                    max_pending=sink.max_pending,
                )
                with closing(outcomes):
                    self._write(outcomes, meter)
                if not summary.complete or summary.failures or not (summary.puzzles or options.empty):
                    raise StoppedError
        except UnidokuError as error:
            error.summary = summary
            raise
        finally:
            summary.seconds = time.perf_counter() - meter.began
            summary.partial = sink.kept()
        return summary

    def _begin(self, name: str, source: Source | None) -> None:
        """Begin with the next input, which may have no bytes."""
        if self.source is not None:
            self.passed += self.source.position  # its end
        self.source = source
        self.summary.files.append(Counts(file=name))

    def _items(self, chunks: Iterator[Chunk]) -> Iterator[_Item]:
        """Yield the chunks, with how much of the inputs comes before and after them."""
        before = 0
        for number, chunk in enumerate(chunks):
            after = self.passed + (0 if self.source is None else self.source.position)
            yield _Item(number, self.summary.files[-1], chunk, before, after, self.size)
            before = after

    def _position(self) -> tuple[int, int]:
        """Return the bytes that are done, or the rows if their number is given, and the puzzles."""
        if self.left is not None:
            return self.summary.written, self.summary.written
        return self.done, self.summary.puzzles

    def _work(self, item: _Item, stop: Cancel) -> Iterator[_Outcome | None]:
        """Find the batches of a chunk, work on them, count and render, in a worker; None: cancelled."""
        counts, bytes_read = item.counts, item.after - item.before
        self.working.add(item.number)
        try:
            for batch in item.chunk():
                if isinstance(batch, UnidokuError):
                    yield _Outcome(counts, failure=batch, done=item.after)
                    return
                every = batch.size
                if not every:  # an input without a record needs no columns, whatever others have
                    yield _Outcome(counts, line_count=batch.line_count, done=item.after)
                    continue
                for begin, end in self._steps(every):
                    part = batch if end - begin == every else batch.part(begin, end)
                    need = Need(self.columns, stop, self._free_threads)
                    began = time.perf_counter()
                    for made in self._rows(part, need):
                        if made is None:
                            yield None
                            return
                        rows, found = made
                        if rows is not None and self.left is None:
                            *portions, rows = rows.slices(_SLICE)
                            for portion in portions:  # they are counted with the last one
                                if stop:
                                    yield None
                                    return
                                yield _Outcome(counts, piece=self._rendered(portion), done=item.before)
                        outcome = self._outcome(counts, part, rows, found, began)
                        outcome.done = item.before + bytes_read * end // every
                        outcome.size = item.size
                        yield outcome
                        began = time.perf_counter()
        finally:
            self.working.discard(item.number)

    def _steps(self, rows: int) -> Iterator[tuple[int, int]]:
        """Cut the rows of a batch where a format has given more than a chunk should have now."""
        begin = 0
        while begin < rows:
            end = rows
            if not (self.sink.shows_batches or self.task.in_order) and rows > 2 * self.size // PUZZLE_BYTES:
                end = min(rows, begin + max(1, self.size // PUZZLE_BYTES))
            yield begin, end
            begin = end

    def _rows(self, batch: Batch, need: Need) -> Iterator[tuple[Rows | None, Summary] | None]:
        """Let the task work on a batch; yield rows, if any are written, with their counts."""
        if self.sink.columns:
            from unidoku.runner.results import (
                rows_of,  # not at the top: a run that only counts needs no NumPy
            )

            yield from rows_of(self.task, batch, need)
            return
        waiting: ResultBatch | None = None
        for results in iter_results(self.task, batch, need):
            if results is None:
                yield None
                return
            if waiting is not None:
                yield None, counts_of(self.task, waiting, is_last=False)
            waiting = results
        if waiting is not None:
            yield None, counts_of(self.task, waiting, is_last=True)

    def _free_threads(self) -> int:
        """Return how many threads a worker may use: itself, and those that have no work."""
        return max(1, self.summary.threads + 1 - len(self.working))

    def _outcome(
        self, counts: Counts, batch: Batch, rows: Rows | None, found: Summary, began: float
    ) -> _Outcome:
        """Render the rows of a batch, if any are written, and count it."""
        outcome = _Outcome(counts, found)
        if self.left is not None:
            outcome.rows = rows
        elif rows is not None:
            outcome.piece = self._rendered(rows)
        if not found.complete:  # the batch is counted with its last rows
            return outcome
        outcome.line_count = batch.line_count
        found.puzzles, found.invalid = batch.size, len(batch.rejects)
        lines = [int(batch.lines[-1])] if len(batch) else []
        if found.invalid:
            room = SHOWN - len(self.summary.rejects)  # in the summary; it may shrink until these are added
            found.rejects = [reject.error(batch.source) for reject in batch.rejects[:room]]
            lines.append(batch.rejects[found.invalid - 1].line)
        if lines:
            found.file, found.line = batch.source, max(lines)
        found.seconds = time.perf_counter() - began
        return outcome

    def _rendered(self, rows: Rows) -> Any:
        for name in self.others:
            if name not in rows.passthrough:
                known = ", ".join(dict.fromkeys([*self.own, *rows.passthrough]))
                raise FormatError(f"no column {name!r}; choose from: {known}", file=rows.source)
        with arrow_errors(rows.source):
            return self.sink.render(rows)

    def _write(self, outcomes: Iterable[_Outcome | None], meter: Meter) -> None:
        """Write and count the outcomes, in input order."""
        summary = self.summary
        latest: Counts | None = None  # of the input of the latest outcome
        lines, has_failed = 0, False  # of that input so far
        for outcome in outcomes:
            if outcome is None:
                break  # cancelled within a batch; nothing after it counts
            self.done = max(self.done, outcome.done)
            if outcome.counts is not latest:
                latest, lines, has_failed = outcome.counts, 0, False
            if has_failed:
                continue  # what comes after an error of the same input
            if outcome.failure is not None:
                has_failed = True
                summary.fail(outcome.failure)
                if self.options.on_failure is None:
                    raise outcome.failure
                self.options.on_failure(outcome.failure)
                continue
            found = outcome.found
            if outcome.rows is not None and self.left is not None:
                if found.written > self.left:  # how many rows are before these is not known earlier
                    import numpy as np

                    found.written = self.left
                    outcome.rows = outcome.rows.take(np.arange(self.left))
                outcome.piece = self._rendered(outcome.rows)
                self.left -= found.written
            if outcome.piece is not None:
                self.sink.write(outcome.piece)
            if outcome.line_count is not None:  # its lines are numbered from the beginning of the batch
                for error in found.rejects:
                    error.line = (error.line or 0) + lines
                if found.line is not None:
                    found.line += lines
                lines += outcome.line_count
            summary.add(found)
            outcome.counts.add(found)
            if outcome.size == self.size:
                self._set_size(found.seconds)
            meter.report()
            if self.left == 0:
                break
        summary.complete = not self.cancel
        if summary.complete and self.source is not None:
            self.done = self.passed + self.source.position
        meter.report(last=True)

    def _set_size(self, seconds: float) -> None:
        """Choose the size of the next chunks by the time that one of the present size took.

        Large enough that the cost of a chunk does not matter, small enough to use all workers.
        """
        if self.sink.shows_batches:
            return
        if seconds < CHUNK_SECONDS:
            self.size = min(self.most, 2 * self.size)
        elif seconds > 4 * CHUNK_SECONDS:
            self.size = max(self.least, self.size // 2)


def _keep_freed_memory() -> None:
    """Let the memory that a chunk frees serve the next chunk, where the allocator is that of glibc."""
    # It gives back blocks that are larger than any that was freed before (mallopt(3), M_MMAP_THRESHOLD); the
    # page faults of new ones took a tenth of the time of convert. Nothing touches this block.
    _ = bytes(_LARGEST)
