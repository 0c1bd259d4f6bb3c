"""The loop that opens, reads, parses, works and writes: every command with files is a call of it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any

from unidoku import kernel
from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.files.base import Batch, Chunk
from unidoku.files.formats import open_reader
from unidoku.files.inputs import Input, entries
from unidoku.run.options import RunOptions
from unidoku.run.progress import Progress, ProgressMeter
from unidoku.run.sink import Sink
from unidoku.run.stage import Need
from unidoku.run.summary import SHOWN, FileCounts, Summary
from unidoku.threads import Cancel, ordered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unidoku.files.output import OutputFile

CHUNK_SECONDS = 0.05  # time that a chunk should take


class _NothingReadError(Exception):
    """There are no records, and an input cannot be read or there should be some."""


@dataclass(slots=True, eq=False)
class _Outcome:
    """The result of one batch."""

    input_number: int
    source: str
    puzzles: int
    invalid: int
    counts: dict[str, int]
    piece: Any
    rejects: list[InvalidPuzzleError]
    mismatches: list[InvalidPuzzleError]
    last: int  # the last line (or record); 0 if the batch is empty
    line_count: int | None
    seconds: float


class Run:
    """One run over some inputs, one after the other, from source to sink.

    A chunk has a number of bytes within `chunk_bytes` that depends on how fast the work is.
    """

    def __init__(
        self,
        inputs: Sequence[Input],
        options: RunOptions,
        sink: Sink,
        *,
        threads: int,
        progress: Callable[[Progress], None] | None = None,
        cancel: Cancel | None = None,
        chunk_bytes: tuple[int, int] | None = None,
    ) -> None:
        self.inputs = inputs
        self.options = options
        self.stage = stage = options.stage
        self.sink = sink
        self.cancel = Cancel() if cancel is None else cancel
        self.summary = Summary(isa=kernel.isa(), threads=threads, verified=getattr(stage, "verify", False))
        self.meter = ProgressMeter(progress, inputs)
        self.began = time.perf_counter()
        self.chunk_bytes = least, _ = chunk_bytes or stage.chunk_bytes
        self.size = stage.steady_bytes if sink.shows_batches else least
        self.input_number = -1  # the input of the latest batch
        self.lines = 0  # of that input so far
        self.wants_messages = False
        self.own = [name for name in stage.columns if name != "file" or options.file]
        self.others = [name for name in sink.columns if name not in stage.columns]
        made = {*sink.columns, *sink.more} - {*self.others}
        made |= {"verdict"} if options.only is not None else set()
        self.need = Need(frozenset(made), sink.more, self.cancel)

    def run(
        self,
        invalid: str | os.PathLike[str] | OutputFile | None = None,
        on_failure: Callable[[UnidokuError], None] | None = None,
        *,
        defers: bool = False,
        empty: bool = True,
    ) -> Summary:
        """Do all of it; parameters and errors are those of :func:`unidoku.check_file`.

        If it ``defers``, the first failure is raised at the end; the output keeps what was written.
        """
        failures = self.summary.failures
        try:
            with (
                suppress(_NothingReadError),
                self.sink,
                nullcontext() if invalid is None else _opened(invalid) as invalid_lines,
            ):
                self._work_on_all(invalid_lines, (lambda _: None) if defers else on_failure)
                if not self.summary.puzzles and (failures or (self.summary.complete and not empty)):
                    raise _NothingReadError  # what was there before is better than an empty output
            if defers and failures:
                raise failures[0]
        except UnidokuError as error:
            error.summary = self._finished()
            raise
        return self._finished()

    def put(self, batch: Batch) -> None:
        """Write the rows of a batch that was made elsewhere."""
        if not self.summary.files:
            self.summary.files.append(FileCounts(file=batch.source))
        outcome = self._outcome(0, batch, {}, time.perf_counter())
        if outcome is not None:
            self.sink.write(outcome.piece)
            self._count(outcome)

    def _finished(self) -> Summary:
        self.summary.seconds = time.perf_counter() - self.began
        return self.summary

    def _work_on_all(
        self, invalid_lines: OutputFile | None, on_failure: Callable[[UnidokuError], None] | None
    ) -> None:
        """Work on the inputs one after the other; count and write the results in order."""
        sink, stage, summary, options = self.sink, self.stage, self.summary, self.options
        self.wants_messages = invalid_lines is not None
        self.reading = options.for_reader(
            keep=bool(self.others) or (options.keep and not options.bare),
            carry=sink.carries or stage.reads_columns,
            # Lines need numbers before the end of the run only where they are shown.
            numbered=bool(sink.columns) or stage.numbered or self.wants_messages,
        )
        summary.complete = False
        outcomes = ordered(
            self._items(),
            self._work,
            1 if sink.in_order or stage.in_order else summary.threads,
            cancel=self.cancel,
            tick=self.meter.report,
            pool=sink.pool,
        )
        try:
            for outcome in chain.from_iterable(outcomes):
                if outcome is None:
                    # Cancelled within a batch; nothing after it counts.
                    break
                if isinstance(outcome, UnidokuError):
                    summary.failures.append(outcome)
                    if on_failure is None:
                        raise outcome
                    on_failure(outcome)
                    continue
                sink.write(outcome.piece)
                self._count(outcome)
                if invalid_lines is not None and outcome.rejects:
                    lines = "".join(f"{error}\n" for error in outcome.rejects)
                    invalid_lines.write(lines.encode("utf-8", "backslashreplace"))
                self.meter.count(outcome.puzzles)
            self.meter.report()
            summary.complete = not self.cancel
            if summary.complete:
                stage.finish()
        finally:
            outcomes.close()  # type: ignore[attr-defined]

    def _items(self) -> Iterator[tuple[int, Chunk | UnidokuError]]:
        """Yield the chunks of all inputs, each with the number of its input.

        The error of an input comes in place of its next chunk.
        """
        for number, entry in enumerate(entries(self.inputs, self.options.bounds)):
            self.summary.files.append(FileCounts(file=entry.name))
            try:
                with entry.open() as source:
                    self.meter.opened(source)
                    reader = open_reader(source, self.options.format, self.reading)
                    for chunk in reader.chunks(lambda: self.size):
                        yield number, chunk
            except UnidokuError as error:
                yield number, error

    def _work(
        self, numbered: tuple[int, Chunk | UnidokuError], scratch: dict[str, Any]
    ) -> list[_Outcome | UnidokuError | None]:
        """Parse, work on, count and render a chunk in a worker; return None if the run was cancelled."""
        number, item = numbered
        if isinstance(item, UnidokuError) or self.cancel:
            return [item if isinstance(item, UnidokuError) else None]
        outcomes: list[_Outcome | UnidokuError | None] = []
        try:
            began = time.perf_counter()
            for batch in item.batches(scratch):
                outcomes.append(self._outcome(number, batch, scratch, began))
                if outcomes[-1] is None:
                    break
                began = time.perf_counter()
        finally:
            item.release()
        return outcomes

    def _outcome(self, number: int, batch: Batch, scratch: dict[str, Any], began: float) -> _Outcome | None:
        """Work on one batch; None if the run was cancelled."""
        rows = self.stage(batch, scratch, self.need)
        if rows is None:
            return None
        sink, piece = self.sink, None
        if sink.columns:
            only = self.options.only
            table = rows.table(sink.columns, sink.more, self.own, carries=sink.carries, only=only)
            table.scratch = scratch
            piece = sink.render(table)
        lines = [int(batch.lines[-1])] if len(batch.starts) else []
        lines += [reject.line for reject in batch.rejects[-1:]]
        return _Outcome(
            number,
            batch.source,
            len(batch.starts) + len(batch.rejects),
            len(batch.rejects),
            rows.counts,
            piece,
            [
                reject.error(batch.source)
                for reject in batch.rejects[: None if self.wants_messages else SHOWN]
            ],
            rows.mismatches,
            max(lines, default=0),
            batch.line_count,
            time.perf_counter() - began,
        )

    def _count(self, outcome: _Outcome) -> None:
        summary = self.summary
        summary.mismatches += outcome.mismatches[: SHOWN - len(summary.mismatches)]
        if outcome.line_count is not None:
            self._number(outcome)
        for total in (summary, summary.files[outcome.input_number]):
            total.puzzles += outcome.puzzles
            total.invalid += outcome.invalid
            for name, count in outcome.counts.items():
                setattr(total, name, getattr(total, name) + count)
        summary.rejects += outcome.rejects[: SHOWN - len(summary.rejects)]
        if outcome.last:
            summary.file, summary.line = outcome.source, outcome.last
        size = 82 * (outcome.puzzles - outcome.invalid)
        if not self.sink.shows_batches and size:
            # Large enough that the cost of a chunk does not matter, small enough to use all workers.
            fitting = int(size * CHUNK_SECONDS / max(outcome.seconds, 1e-9))
            least, most = self.chunk_bytes
            if not self.sink.columns:
                most *= 4  # a chunk in progress is then its text alone
            self.size = max(least, min(most, 4 * size, fitting))

    def _number(self, outcome: _Outcome) -> None:
        """Number the lines of a batch from the beginning of its input."""
        if outcome.input_number != self.input_number:
            self.input_number, self.lines = outcome.input_number, 0
        for error in outcome.rejects:
            error.line = (error.line or 0) + self.lines
        if outcome.last:
            outcome.last += self.lines
        self.lines += outcome.line_count or 0


def _opened(path: str | os.PathLike[str] | OutputFile) -> OutputFile:
    from unidoku.files.output import OutputFile  # not at the top: a check without output starts faster

    return (path if isinstance(path, OutputFile) else OutputFile(os.fspath(path))).open()
