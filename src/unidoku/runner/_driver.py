"""The driver of a run over files: a task works on the records of inputs, and a writer takes its rows."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from typing import Any, NamedTuple

from unidoku import kernel
from unidoku._options import Options, Progress
from unidoku._schema import Schema
from unidoku._table.batch import Batch
from unidoku._task import Task, Work
from unidoku._threads import Cancel, cancel_of, map_batches, thread_count
from unidoku.errors import (
    FormatError,
    InvalidPuzzleError,
    LateKeysNote,
    Message,
    OutputError,
    SearchStoppedError,
    StoppedError,
    UnidokuError,
    arrow_errors,
    naming,
)
from unidoku.files._chunks import Reading
from unidoku.files._inputs import InputChunk
from unidoku.files._source import PUZZLE_BYTES
from unidoku.runner._summary import MAX_MESSAGES, Counts, Summary, count_results
from unidoku.runner._work import iter_results
from unidoku.runner._writer import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unidoku._table.column import Rows

CHUNK_SECONDS = 0.05  # time that a chunk should take
_GROWTH = 100  # the largest chunks have this many times the puzzles of the first
_LEGACY = Message(
    "this line is not UTF-8, and lines like it are read as Windows-1252; name another "
    "encoding with --encoding"
)
_SLICE = 4 << 20  # bytes of texts in rows that are rendered at once

# The memory that a chunk frees serves the next one: the allocator of glibc gives back blocks that are larger
# than any block freed before (mallopt(3), M_MMAP_THRESHOLD), and the page faults of new blocks took a tenth
# of the time of convert. Nothing touches the block that is freed here; the output of most chunks is smaller.
bytes(2 << 20)


class _Part(NamedTuple):
    """Rows of a chunk with their counts, or the error that ends its file."""

    chunk: InputChunk
    position: int
    """The bytes of the inputs that are done with these rows."""
    content: Any = None
    """The rows as the writer takes them."""
    counts: Summary | None = None
    size: int = 0
    """The bytes of the batch that these rows complete."""
    rejects: Any = None
    """Its records that are not puzzles, in the form for their writer."""
    failure: UnidokuError | None = None


class Run:
    """One run of a task over inputs, one after the other.

    A chunk has few puzzles at first, and at most the `batch_size` of the task. If the inputs have no records,
    the output appears if it can be `empty`. Records that are not puzzles are also written to `rejects`.
    """

    schema: Schema
    empty: bool
    rejects: Writer
    task: Task
    writer: Writer
    cancel: Cancel
    size: int
    began: float

    def __init__(
        self,
        task: Task,
        options: Options,
        writer: Writer,
        *,
        empty: bool = True,
        rejects: Writer | None = None,
        is_whole: bool = False,
    ) -> None:
        self.is_whole: bool = is_whole  # not a part of a run
        self.empty, self.rejects = empty, rejects or Writer()
        self.task, self.writer, self.cancel = task, writer, cancel_of(options.cancel)
        kept = None
        if isinstance(options.keep, tuple):
            kept = options.keep
        self.schema = schema = Schema(
            task,
            (*writer.columns, *writer.optional_columns),
            keep=kept if writer.has_passthrough else (),
            conditions=options.conditions(),
            needs_all=rejects is not None,
        )
        self.options = options
        self.reading: Reading = Reading(
            options.format,
            options.column,
            needed=schema.needed,
            solution=getattr(task, "solution", None),
            has_answers=task.has_answers,
            encoding=options.encoding,
            has_positions="candidates" in (task.columns_read or ()),
        )
        isa, threads = kernel.isa(), thread_count(options.threads)
        self.summary: Summary = Summary(
            isa=isa, threads=threads, is_finished=False, task_counts=task.zero_counts()
        )
        full = PUZZLE_BYTES * task.batch_size
        self.targets: tuple[int, int] = (  # the smallest and the largest, in bytes
            max(PUZZLE_BYTES, full // _GROWTH),
            full if writer.columns else 2 * full,  # a chunk in progress is then only its text
        )
        self.target: int = self.targets[0]  # of the next chunk
        self.busy: list[None] = []  # for each worker that works
        self.position: int = 0  # in the bytes of the inputs

    def process(self, chunks: Iterable[InputChunk], size: int = 0) -> Summary:
        """Work on the chunks of inputs that have `size` bytes; count and write the results in order."""
        summary, self.size, self.began = self.summary, size, time.perf_counter()
        try:
            with suppress(StoppedError), self.rejects, self.writer:
                parts = map_batches(
                    iter(chunks),
                    self._work,
                    1 if self.task.in_order else summary.threads,
                    cancel=self.cancel,
                    tick=self._report,
                    max_pending=self.writer.max_pending,
                )
                try:
                    with closing(parts):
                        self._write(parts)
                except SearchStoppedError:
                    if not self.cancel:
                        raise
                summary.is_finished = not self.cancel
                if self.is_whole and summary.complete:
                    self.task.check_end(summary)
                self._report()
                if not summary.complete or not (summary.puzzles or self.empty):
                    raise StoppedError
        except UnidokuError as error:
            error.summary = summary
            if isinstance(error, OutputError):  # it may come at the end
                summary.is_finished = False
            raise
        finally:
            summary.seconds = time.perf_counter() - self.began
            if self.writer.lacks_end():
                summary.written = 0
            summary.partial = [*self.writer.partial_paths(), *self.rejects.partial_paths()]
        return summary

    def _report(self) -> None:
        """Report the progress: bytes of the inputs, and puzzles."""
        if self.options.progress is not None:
            seconds = time.perf_counter() - self.began
            self.options.progress(Progress(self.position, self.size, self.summary.puzzles, seconds))

    def _work(self, chunk: InputChunk, stop: Cancel) -> Iterator[_Part]:
        """Find the batches of a chunk, work on them, count and render, in a worker."""
        part = partial(_Part, chunk)
        self.busy.append(None)
        try:
            for batch in chunk.batches():
                if isinstance(batch, UnidokuError):
                    yield part(chunk.end, failure=batch)
                    break
                if not batch.size:  # a file without a record needs no columns, whatever other files have
                    yield part(chunk.end, size=batch.text_bytes)
                    continue
                threads = max(1, self.summary.threads + 1 - len(self.busy))
                work = Work(self.schema.computed, threads, self.writer.for_people)
                began = time.perf_counter()
                self.task.check_late(batch)
                wanted = self.writer.wanted(batch)
                for content, counts in self._contents(wanted, work, stop):
                    if not counts.is_finished:
                        yield part(chunk.begin, content, counts)
                        continue
                    room = MAX_MESSAGES - len(self.summary.rejects)  # it may shrink until these are added
                    counts.rejects = [reject.error(batch.source) for reject in batch.rejects[:room]]
                    if batch.legacy_line is not None:
                        note = FormatError(_LEGACY, file=batch.source, line=batch.legacy_line)
                        counts.notes.append(note)
                    if wanted is not batch and self.writer.has_passthrough and self.schema.keep is None:
                        counts.notes.append(LateKeysNote(names=batch.late, file=batch.source))
                    counts.seconds = time.perf_counter() - began
                    counts.columns = self.task.columns_taken(batch.roles)
                    size = batch.text_bytes or PUZZLE_BYTES * batch.size
                    rejects = None
                    if batch.rejects and self.rejects.columns:
                        from unidoku.runner._results import reject_rows  # not at the top: counts start faster

                        rejects = self.rejects.render(reject_rows(self.rejects.wanted(batch)))
                    yield part(chunk.end, content, counts, size, rejects=rejects)
            if chunk.is_last:
                yield part(chunk.end)
        finally:
            self.busy.pop()

    def _contents(self, records: Batch, work: Work, stop: Cancel) -> Iterator[tuple[Any, Summary]]:
        """Let the task work on the records of a batch; yield rows as the writer takes them, with counts."""
        schema, batch, columns = self.schema, records, self.schema.of_input(records)
        if schema.record_conditions:
            from unidoku.runner._results import records_where  # not at the top: it is needed seldom

            batch = records_where(records, schema.record_conditions, columns)
        limit = self.options.puzzle_timeout
        for results in iter_results(self.task, batch, work, stop, puzzle_timeout=limit):
            counted = records if schema.record_conditions else results.batch
            if not self.writer.columns:
                yield None, count_results(results, counted)
                continue
            from unidoku.runner._results import (
                output_rows,  # not at the top: a run that only counts starts faster
            )

            rows = output_rows(self.task, results, work, columns)
            if schema.row_conditions:
                rows = rows.where(schema.row_conditions)
            *slices, last = rows.slices(_SLICE)
            counts = count_results(results, counted, last.puzzle_count)
            if self.task.replaces and "reason" not in schema.computed:
                room = MAX_MESSAGES - len(self.summary.omissions)  # it may shrink until these are added
                for puzzle, reason in sorted(results.reasons.items())[:room]:
                    error = InvalidPuzzleError(reason)
                    counts.omissions.append(error.at(batch.source, int(batch.lines[puzzle])))
            for piece in slices:
                stop.raise_if_set()
                yield self._render(piece), Summary(is_finished=False, written=piece.puzzle_count)
            yield self._render(last), counts

    def _render(self, rows: Rows) -> Any:
        """Render rows for the writer."""
        with arrow_errors(rows.source), naming(rows.source):
            return self.writer.render(rows)

    def _write(self, parts: Iterable[_Part]) -> None:
        """Write and count the parts, in input order."""
        summary = self.summary
        tally: Counts | None = None  # of the file
        chunk: InputChunk | None = None
        has_failed = False
        for part in parts:
            if part.chunk.note is not None:
                summary.notes.append(part.chunk.note)
                continue
            if tally is None or (part.chunk.is_first and part.chunk is not chunk):
                tally = Counts(file=part.chunk.file, task_counts=self.task.zero_counts())
                has_failed = False
                summary.files.append(tally)
            chunk, content, counts = part.chunk, part.content, part.counts
            if has_failed:
                content = counts = None  # what comes after an error of the same file
            elif part.failure is not None:
                has_failed = True
                summary.fail(part.failure)
                if self.options.on_failure is None:
                    raise part.failure
                self.options.on_failure(part.failure)
            if content is not None:
                self.writer.write(content)
            if part.rejects is not None and not has_failed:
                self.rejects.write(part.rejects)
            if counts is not None:
                summary.add(counts)
                tally.add(counts)
                if counts.is_finished:  # the next chunks take as long as one should, at the speed of this one
                    size = part.size * CHUNK_SECONDS / counts.seconds
                    self.target = int(min(max(size, self.targets[0]), self.targets[1]))
            elif part.size:  # nothing but empty lines, which take no time
                self.target = self.targets[1]
            self.position = max(self.position, part.position)
            self._report()
