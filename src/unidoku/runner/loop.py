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
from unidoku.errors import FormatError, SearchStoppedError, UnidokuError, arrow_errors
from unidoku.files.base import Chunk
from unidoku.files.inputs import Inputs
from unidoku.files.source import PUZZLE_BYTES, Source
from unidoku.options import Options
from unidoku.runner.summary import MAX_MESSAGES, Counts, Meter, Summary, counts_of
from unidoku.runner.writer import StoppedError, Writer
from unidoku.table.batch import Batch
from unidoku.task import Task, iter_results
from unidoku.threads import Cancel, cancel_of, map_batches, thread_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unidoku.table.rows import Rows

CHUNK_SECONDS = 0.05  # time that a chunk should take
_GROWTH = 100  # times as many puzzles as the first chunks have are in the largest ones
_LARGEST = 2 << 20  # bytes; the output of most chunks is smaller
_SLICE = 4 << 20  # bytes of texts in rows that are rendered at once


@dataclass(slots=True, eq=False, repr=False)
class _Outcome:
    """Some rows with their counts, or the error that ends an input."""

    input: Counts
    """The counts of the input, to which these are added."""
    counts: Summary = field(default_factory=Summary)
    rows: Rows | None = None
    """They wait here if it is not known yet whether all of them are written."""
    content: Any = None
    """The rows as the writer writes them."""
    line_count: int | None = None
    failure: UnidokuError | None = None
    """Why the input cannot be read from here on."""
    position: int = 0
    """The bytes of the inputs up to the end of these rows."""
    target_size: int = 0
    """The bytes that the chunk should have."""


class _Item(NamedTuple):
    """A chunk, and where it is in the inputs."""

    number: int
    input: Counts
    """The counts of its input."""
    chunk: Chunk
    begin: int
    """The bytes of all inputs before it."""
    end: int
    target_size: int
    """The bytes that it should have."""


class Run:
    """One run over some inputs, one after the other, from source to writer.

    A chunk has at most the `batch_size` of the task; few puzzles at first, where the output does not show it.
    """

    def __init__(self, task: Task, options: Options, writer: Writer) -> None:
        self.task = task
        self.writer = writer
        self.cancel = cancel_of(options.cancel)
        self.rows_left = task.max_rows  # rows to write; None: all
        names = task.column_types
        self.task_columns = [name for name in names if name in writer.columns or not task.replaces]
        if not options.file:
            self.task_columns = [name for name in self.task_columns if name != "file"]
        self.input_columns = [name for name in writer.columns if name not in names]  # that are named
        columns = {*writer.columns, *writer.optional_columns} - {*self.input_columns}
        columns |= {"puzzle"} if task.replaces else set()
        columns |= {"verdict"} if options.only is not None else set()
        self.columns = frozenset(columns)  # that the task makes
        keep: Literal["columns", "none"] = "none"
        if self.input_columns or writer.has_passthrough or task.verifies:
            keep = "columns"
        # Lines are numbered at the end of a run that only counts verdicts.
        numbered = bool(writer.columns) or "verdict" not in task.columns or task.verifies
        self.options = replace(options, keep=keep, rest=bool(self.input_columns), numbered=numbered)
        self.summary = Summary(
            isa=kernel.isa(),
            threads=thread_count(options.threads),
            verified=task.verifies,
        )
        self.source: Source | None = None  # that is read
        self.source_begin = 0  # bytes of the inputs before it
        self.bytes_written = 0  # of the inputs: those whose rows are written
        full = PUZZLE_BYTES * task.batch_size
        self.min_size = max(PUZZLE_BYTES, full // _GROWTH)
        self.max_size = full if writer.columns else 4 * full  # a chunk in progress is then its text alone
        self.target_size = self.min_size  # of the next chunk, in bytes
        self.chunks_in_work: set[int] = set()  # their numbers

    def run(self, inputs: Inputs) -> Summary:
        """Work on the inputs one after the other; count and write the results in order."""
        writer, summary, options = self.writer, self.summary, self.options
        total = self.rows_left or (inputs.size() if options.progress else 0)
        _keep_freed_memory()
        meter = Meter(options.progress, total, self._position)
        output = ExitStack()
        output.enter_context(writer)  # without an output there is no run, and no summary
        try:
            with suppress(StoppedError), output:
                summary.complete = False
                chunks = inputs.chunks(options, lambda: self.target_size, self._begin)
                outcomes = map_batches(
                    self._items(chunks),
                    self._work,
                    1 if self.task.in_order else summary.threads,
                    cancel=self.cancel,
                    tick=meter.report,
                    max_pending=writer.max_pending,
                )
                try:
                    with closing(outcomes):
                        self._write(outcomes, meter)
                except SearchStoppedError:
                    if not self.cancel:
                        raise
                self._end(meter)
                if not summary.complete or summary.failures or not (summary.puzzles or options.empty):
                    raise StoppedError
        except UnidokuError as error:
            error.summary = summary
            raise
        finally:
            summary.seconds = time.perf_counter() - meter.began
            summary.partial = writer.partial_paths()
        return summary

    def _begin(self, name: str, source: Source | None) -> None:
        """Begin with the next input, which may have no bytes."""
        if self.source is not None:
            self.source_begin += self.source.position  # its end
        self.source = source
        self.summary.files.append(Counts(file=name))

    def _items(self, chunks: Iterator[Chunk]) -> Iterator[_Item]:
        """Yield the chunks with their places in the inputs."""
        begin = 0
        for number, chunk in enumerate(chunks):
            end = self.source_begin + (0 if self.source is None else self.source.position)
            yield _Item(number, self.summary.files[-1], chunk, begin, end, self.target_size)
            begin = end

    def _position(self) -> tuple[int, int]:
        """Return the bytes that are done, or the rows if their number is given, and the puzzles."""
        if self.rows_left is not None:
            return self.summary.written, self.summary.written
        return self.bytes_written, self.summary.puzzles

    def _work(self, item: _Item, stop: Cancel) -> Iterator[_Outcome]:
        """Find the batches of a chunk, work on them, count and render, in a worker."""
        size = item.end - item.begin
        self.chunks_in_work.add(item.number)
        try:
            for batch in item.chunk():
                if isinstance(batch, UnidokuError):
                    yield _Outcome(item.input, failure=batch, position=item.end)
                    return
                n = batch.size
                if not n:  # an input without a record needs no columns, whatever others have
                    yield _Outcome(item.input, line_count=batch.line_count, position=item.end)
                    continue
                for begin, end in self._parts(n):
                    part = batch if end - begin == n else batch.records(begin, end)
                    part.outputs, part.threads = self.columns, self._free_threads()
                    began = time.perf_counter()
                    for rows, counts in self._rows(part, stop):
                        if rows is not None and self.options.only is not None:
                            rows = rows.only(self.options.only)  # noqa: PLW2901
                        if rows is not None and self.rows_left is None:
                            *slices, rows = rows.slices(_SLICE)  # noqa: PLW2901
                            for some in slices:  # they are counted with the last one
                                stop.raise_if_set()
                                content = self._render(some)
                                yield _Outcome(item.input, content=content, position=item.begin)
                        outcome = self._outcome(item.input, part, rows, counts, began)
                        outcome.position = item.begin + size * end // n
                        outcome.target_size = item.target_size
                        yield outcome
                        began = time.perf_counter()
        finally:
            self.chunks_in_work.discard(item.number)

    def _parts(self, rows: int) -> Iterator[tuple[int, int]]:
        """Cut the rows of a batch of a format that reads more of them than a chunk should have now."""
        begin = 0
        while begin < rows:
            end, target = rows, self.target_size // PUZZLE_BYTES
            if not self.task.in_order and rows > 2 * target:
                end = min(rows, begin + max(1, target))
            yield begin, end
            begin = end

    def _rows(self, batch: Batch, stop: Cancel) -> Iterator[tuple[Rows | None, Summary]]:
        """Let the task work on a batch; yield rows, if any are written, with their counts."""
        if self.writer.columns:
            from unidoku.runner.results import (
                rows_of,
            )  # not at the top: a run that only counts needs no NumPy

            yield from rows_of(self.task, batch, stop)
        else:
            for results in iter_results(self.task, batch, stop):
                yield None, counts_of(results)

    def _free_threads(self) -> int:
        """Return how many threads a worker may use: itself, and those that have no work."""
        return max(1, self.summary.threads + 1 - len(self.chunks_in_work))

    def _outcome(
        self, input_counts: Counts, batch: Batch, rows: Rows | None, counts: Summary, began: float
    ) -> _Outcome:
        """Render the rows of a batch, if any are written, and count it."""
        outcome = _Outcome(input_counts, counts)
        if self.rows_left is not None:
            outcome.rows = rows
        elif rows is not None:
            outcome.content = self._render(rows)
        if not counts.complete:  # the batch is counted with its last rows
            return outcome
        outcome.line_count = batch.line_count
        counts.puzzles, counts.invalid = batch.size, len(batch.rejects)
        lines = [int(batch.lines[-1])] if len(batch) else []
        if counts.invalid:
            room = MAX_MESSAGES - len(
                self.summary.rejects
            )  # in the summary; it may shrink until these are added
            counts.rejects = [reject.error(batch.source) for reject in batch.rejects[:room]]
            lines.append(batch.rejects[counts.invalid - 1].line)
        if lines:
            counts.file, counts.line = batch.source, max(lines)
        counts.seconds = time.perf_counter() - began
        return outcome

    def _render(self, rows: Rows) -> Any:
        """Render rows for the writer; refuse names of columns that the input lacks."""
        for name in self.input_columns:
            if name not in rows.passthrough:
                names = ", ".join(dict.fromkeys([*self.task_columns, *rows.passthrough]))
                raise FormatError(f"no column {name!r}; choose from: {names}", file=rows.source)
        with arrow_errors(rows.source):
            return self.writer.render(rows)

    def _write(self, outcomes: Iterable[_Outcome], meter: Meter) -> None:
        """Write and count the outcomes, in input order."""
        summary = self.summary
        current: Counts | None = None  # of the input of the outcome before
        lines, has_failed = 0, False  # of that input so far
        for outcome in outcomes:
            self.bytes_written = max(self.bytes_written, outcome.position)
            if outcome.input is not current:
                current, lines, has_failed = outcome.input, 0, False
            if has_failed:
                continue  # what comes after an error of the same input
            if outcome.failure is not None:
                has_failed = True
                summary.fail(outcome.failure)
                if self.options.on_failure is None:
                    raise outcome.failure
                self.options.on_failure(outcome.failure)
                continue
            counts = outcome.counts
            if outcome.rows is not None and self.rows_left is not None:
                if counts.written > self.rows_left:  # how many rows are before these is not known earlier
                    import numpy as np

                    counts.written = self.rows_left
                    outcome.rows = outcome.rows.take(np.arange(self.rows_left))
                outcome.content = self._render(outcome.rows)
                self.rows_left -= counts.written
            if outcome.content is not None:
                self.writer.write(outcome.content)
            if outcome.line_count is not None:  # its lines are numbered from the beginning of the batch
                for error in counts.rejects:
                    error.line = (error.line or 0) + lines
                if counts.line is not None:
                    counts.line += lines
                lines += outcome.line_count
            summary.add(counts)
            outcome.input.add(counts)
            if outcome.target_size == self.target_size:
                self._adapt_size(counts.seconds)
            meter.report()
            if self.rows_left == 0:
                break

    def _end(self, meter: Meter) -> None:
        """Report the end of the run."""
        summary = self.summary
        summary.complete = not self.cancel
        if summary.complete and self.source is not None:
            self.bytes_written = self.source_begin + self.source.position
        meter.report(last=True)

    def _adapt_size(self, seconds: float) -> None:
        """Choose the size of the next chunks by the time that one of the present size took.

        Large enough that the cost of a chunk does not matter, small enough to use all workers.
        """
        if seconds < CHUNK_SECONDS:
            self.target_size = min(self.max_size, 2 * self.target_size)
        elif seconds > 4 * CHUNK_SECONDS:
            self.target_size = max(self.min_size, self.target_size // 2)


def _keep_freed_memory() -> None:
    """Let the memory that a chunk frees serve the next chunk, with the allocator of glibc."""
    # It gives back blocks that are larger than any that was freed before (mallopt(3), M_MMAP_THRESHOLD); the
    # page faults of new ones took a tenth of the time of convert. Nothing touches this block.
    _ = bytes(_LARGEST)
