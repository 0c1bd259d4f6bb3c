"""Check one stream of inputs: source, reader, kernel and sink."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain
from typing import Any

from unidoku import kernel
from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.files.base import Batch, Chunk, file_column
from unidoku.files.formats import open_reader
from unidoku.files.inputs import Input, entries
from unidoku.kernel import Cancel, ordered
from unidoku.native.text.render import tally
from unidoku.run.options import CheckOptions
from unidoku.run.progress import Progress, ProgressMeter
from unidoku.run.results import solve_batch
from unidoku.run.sink import Sink
from unidoku.run.summary import COUNTS, SHOWN, FileCounts, Summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unidoku.files.output import OutputFile

__all__ = ["check_stream"]

SMALLEST = 1 << 13  # bytes of text in a chunk: about 100 puzzles
LARGEST = 1 << 21
STEADY = 1 << 20  # bytes of text in a chunk if the bytes of the output depend on it
CHUNK_SECONDS = 0.05  # time that a chunk should take


def check_stream(
    inputs: Sequence[Input],
    options: CheckOptions,
    *,
    sink: Sink,
    invalid: str | os.PathLike[str] | OutputFile | None = None,
    threads: int,
    progress: Callable[[Progress], None] | None = None,
    on_failure: Callable[[UnidokuError], None] | None = None,
    cancel: Cancel | None = None,
    chunk_bytes: tuple[int, int] = (SMALLEST, LARGEST),
) -> Summary:
    """Check inputs one after the other, from source to sink.

    Parameters and errors are those of :func:`unidoku.check_file`; the sink is closed at the end.
    A chunk has a number of bytes within `chunk_bytes` that depends on how fast the work is.
    """
    cancel = Cancel() if cancel is None else cancel
    run = _Run(inputs, options, sink, threads, progress=progress, cancel=cancel, chunk_bytes=chunk_bytes)
    try:
        with sink, nullcontext() if invalid is None else _opened(invalid) as invalid_lines:
            run.check(invalid_lines, on_failure)
    except UnidokuError as error:
        error.summary = run.finish()
        raise
    return run.finish()


def _opened(path: str | os.PathLike[str] | OutputFile) -> OutputFile:
    from unidoku.files.output import OutputFile  # not at the top: a check without output starts faster

    return (path if isinstance(path, OutputFile) else OutputFile(os.fspath(path))).open()


@dataclass(slots=True)
class _Outcome:
    """The result of one batch."""

    input_number: int
    source: str
    counts: tuple[int, ...]  # in the order of `COUNTS`
    piece: Any
    messages: bytes
    rejects: list[InvalidPuzzleError]
    mismatches: list[InvalidPuzzleError]
    last: int  # the last line (or record); 0 if the batch is empty
    line_count: int | None
    seconds: float


class _Run:
    """One call of check_stream."""

    def __init__(
        self,
        inputs: Sequence[Input],
        options: CheckOptions,
        sink: Sink,
        threads: int,
        *,
        progress: Callable[[Progress], None] | None,
        cancel: Cancel,
        chunk_bytes: tuple[int, int],
    ) -> None:
        self.inputs = inputs
        self.options = options
        self.sink = sink
        self.cancel = cancel
        self.summary = Summary(isa=kernel.isa(), threads=threads, verified=options.verify)
        self.meter = ProgressMeter(progress, inputs)
        self.began = time.perf_counter()
        self.chunk_bytes = chunk_bytes
        steady = STEADY if options.change is None else options.change.chunk
        self.size = steady if sink.steady else chunk_bytes[0]
        self.input_number = -1  # the input of the latest batch
        self.lines = 0  # of that input so far

    def check(
        self, invalid_lines: OutputFile | None, on_failure: Callable[[UnidokuError], None] | None
    ) -> None:
        """Check the inputs one after the other; count and write the results in order."""
        sink, options, summary = self.sink, self.options, self.summary
        self.wants_messages = invalid_lines is not None
        self.reading = options.for_reader(
            keep=options.keep and options.change is None,
            carry=options.keep if options.change is not None else sink.carries or options.verify,
            # Lines need numbers before the end of the run only where they are shown.
            numbered=sink.shows_lines or options.verify or self.wants_messages,
        )
        summary.complete = False
        workers = 1 if sink.in_order else summary.threads
        outcomes = ordered(
            self._items(),
            self._work,
            workers,
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
                if invalid_lines is not None and outcome.messages:
                    invalid_lines.write(outcome.messages)
                self._count(outcome)
                self.meter.count(outcome.counts[0])
            self.meter.report()
            summary.complete = not self.cancel
        finally:
            outcomes.close()  # type: ignore[attr-defined]

    def finish(self) -> Summary:
        """Return the counts, with the time taken."""
        self.summary.seconds = time.perf_counter() - self.began
        return self.summary

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
        """Parse, solve, count and render a chunk in a worker; return None if the run was cancelled."""
        number, item = numbered
        if isinstance(item, UnidokuError) or self.cancel:
            return [item if isinstance(item, UnidokuError) else None]
        outcomes: list[_Outcome | UnidokuError | None] = []
        try:
            began = time.perf_counter()
            for batch in item.batches(scratch):
                outcomes.append(self._solve(number, batch, scratch, began))
                if outcomes[-1] is None:
                    break
                began = time.perf_counter()
        finally:
            item.release()
        return outcomes

    def _solve(self, number: int, batch: Batch, scratch: dict[str, Any], began: float) -> _Outcome | None:
        """Solve or change one batch; None if the run was cancelled."""
        options, invalid = self.options, len(batch.rejects)
        mismatches: list[InvalidPuzzleError] = []
        given, cut_off = [0, 0, 0], 0  # right, wrong and absent answers; counts that are not exact
        if options.change is not None:
            changed = options.change(batch, self.cancel)
            if self.cancel:
                return None
            none, unique, multiple, unknown = 0, 0, 0, len(changed.starts)
            piece = self.sink.render(changed, None)
        else:
            results = solve_batch(
                batch,
                scratch,
                limit=options.limit or 0,
                budget=options.budget or 0,
                solutions=self.sink.solutions or options.verify,
                stop=self.cancel.flag,
            )
            if not results.finished:
                return None
            if options.verify:
                from unidoku.run.verify import verify

                *given, mismatches, columns = verify(batch, results, options.limit or 0)
                others = batch.columns if self.sink.carries or options.keep else ()
                batch.columns = [*others, *columns]
            if options.file:
                batch.columns = [file_column(batch), *batch.columns]
            none, unique, multiple, unknown = tally(results.verdicts, len(batch.starts))
            cut_off = bytes(results.complete[: len(batch.starts)]).count(0)
            piece = self.sink.render(batch, results)
        puzzles = none + unique + multiple + unknown + invalid
        lines = [int(batch.lines[-1])] if len(batch.starts) else []
        lines += [reject.line for reject in batch.rejects[-1:]]
        return _Outcome(
            number,
            batch.source,
            (puzzles, unique, multiple, none, invalid, unknown, *given, cut_off),
            piece,
            _messages(batch) if self.wants_messages else b"",
            [reject.error(batch.source) for reject in batch.rejects[:SHOWN]],
            mismatches,
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
            for name, count in zip(COUNTS, outcome.counts, strict=True):
                setattr(total, name, getattr(total, name) + count)
        summary.rejects += outcome.rejects[: SHOWN - len(summary.rejects)]
        if outcome.last:
            summary.file, summary.line = outcome.source, outcome.last
        size = 82 * (outcome.counts[0] - outcome.counts[4])  # without invalid records
        if not self.sink.steady and size:
            # Large enough that the cost of a chunk does not matter, small enough to use all workers.
            fitting = int(size * CHUNK_SECONDS / max(outcome.seconds, 1e-9))
            least, most = self.chunk_bytes
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


def _messages(batch: Batch) -> bytes:
    """Return a message for each invalid line."""
    return "".join(f"{reject.error(batch.source)}\n" for reject in batch.rejects).encode(
        "utf-8", "backslashreplace"
    )
