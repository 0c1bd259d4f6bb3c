"""Check one stream of inputs: source, reader, kernel and sink."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from itertools import chain
from typing import Any

from unidoku import kernel
from unidoku.errors import UnidokuError
from unidoku.files.base import Batch, Chunk
from unidoku.files.formats import open_reader
from unidoku.files.inputs import Input, entries
from unidoku.native.text.render import tally
from unidoku.parallel import Cancel, ordered
from unidoku.pipeline.options import CheckOptions
from unidoku.pipeline.progress import Progress, ProgressMeter
from unidoku.pipeline.results import Results, solve_batch
from unidoku.pipeline.sink import Sink
from unidoku.pipeline.summary import COUNTS, SHOWN, FileCounts, Summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unidoku.files.output import OutputFile
    from unidoku.pipeline.verify import AnswerCheck

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
    run = _Run(
        options, sink, threads, progress, Cancel() if cancel is None else cancel, chunk_bytes=chunk_bytes
    )
    try:
        with sink, nullcontext() if invalid is None else _opened(invalid) as invalid_lines:
            run.check(inputs, invalid_lines, on_failure)
    except UnidokuError as error:
        error.summary = run.finish()
        raise
    return run.finish()


def _opened(path: str | os.PathLike[str] | OutputFile) -> OutputFile:
    from unidoku.files.output import OutputFile  # not at the top: a check without output starts faster

    return (path if isinstance(path, OutputFile) else OutputFile(os.fspath(path))).open()


class _Outcome:
    """The result of one batch."""

    __slots__ = (
        *("cut_off", "input_number", "invalid", "last", "line_count", "messages", "piece"),
        *("puzzles", "rejects", "seconds", "source", "tallies", "verified"),
    )

    def __init__(
        self,
        input_number: int,
        batch: Batch,
        tallies: tuple[int, int, int, int],
        piece: Any,
        *,
        messages: bytes,
        seconds: float,
        verified: AnswerCheck | None = None,
        cut_off: int = 0,
        puzzles: int | None = None,
    ) -> None:
        self.cut_off = cut_off
        self.input_number = input_number
        self.verified = verified
        self.line_count = batch.line_count
        self.source = batch.source
        self.puzzles = len(batch.starts) if puzzles is None else puzzles
        self.invalid = len(batch.rejects)
        self.tallies = tallies
        self.piece = piece
        self.messages = messages
        self.seconds = seconds
        self.rejects = [reject.error(batch.source) for reject in batch.rejects[:SHOWN]]
        self.last = int(batch.lines[-1]) if len(batch.starts) else 0
        if self.invalid:
            self.last = max(self.last, batch.rejects[self.invalid - 1].line)

    def counts(self) -> tuple[int, ...]:
        """Return the counts of the batch, in the order of `COUNTS`."""
        none, unique, multiple, unknown = self.tallies
        given = (0, 0, 0) if self.verified is None else self.verified[:3]
        return (
            self.puzzles + self.invalid,
            unique,
            multiple,
            none,
            self.invalid,
            unknown,
            *given,
            self.cut_off,
        )


class _Run:
    """One call of check_stream."""

    def __init__(
        self,
        options: CheckOptions,
        sink: Sink,
        threads: int,
        progress: Callable[[Progress], None] | None,
        cancel: Cancel,
        *,
        chunk_bytes: tuple[int, int],
    ) -> None:
        self.options = options
        self.sink = sink
        self.verify = options.verify
        self.progress = progress
        self.cancel = cancel
        self.summary = Summary(isa=kernel.isa(), threads=threads, verified=options.verify)
        self.began = time.perf_counter()
        self.chunk_bytes = chunk_bytes
        self.size = chunk_bytes[0]
        self.input_number = -1  # the input of the latest batch
        self.lines = 0  # of that input so far

    def check(
        self,
        inputs: Sequence[Input],
        invalid_lines: OutputFile | None,
        on_failure: Callable[[UnidokuError], None] | None,
    ) -> None:
        """Check the inputs one after the other; count and write the results in order."""
        sink, options = self.sink, self.options
        self.wants_messages = invalid_lines is not None
        self.reading = options.for_reader(
            keep=options.keep and options.change is None,
            carry=options.keep if options.change is not None else sink.carries or options.verify,
            # Lines need numbers before the end of the run only where they are shown.
            numbered=sink.shows_lines or options.verify or self.wants_messages,
        )
        self.meter = ProgressMeter(self.progress, inputs)
        summary = self.summary
        summary.complete = False
        if sink.steady:
            self.size = STEADY
        outcomes = ordered(
            self._items(inputs),
            self._work,
            1 if sink.in_order else summary.threads,
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
                self.meter.count(outcome.puzzles + outcome.invalid)
            self.meter.report()
            summary.complete = not self.cancel
        finally:
            outcomes.close()  # type: ignore[attr-defined]

    def finish(self) -> Summary:
        """Return the counts, with the time taken."""
        self.summary.seconds = time.perf_counter() - self.began
        return self.summary

    def _items(self, inputs: Sequence[Input]) -> Iterator[tuple[int, Chunk | UnidokuError]]:
        """Yield the chunks of all inputs, each with the number of its input.

        The error of an input comes in place of its next chunk.
        """
        for number, entry in enumerate(entries(inputs, self.options.bounds)):
            self.summary.files.append(FileCounts(file=entry.name))
            try:
                with entry.open() as source:
                    self.meter.opened(source)
                    reader = open_reader(source, self.options.format, self.reading)
                    for chunk in reader.chunks(self._target):
                        yield number, chunk
            except UnidokuError as error:
                yield number, error

    def _target(self) -> int:
        return self.size

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
        if self.options.change is not None:
            changed = self.options.change(batch)
            count = len(changed.starts)
            return _Outcome(
                number,
                batch,
                (0, 0, 0, count),
                self.sink.render(changed, None),
                messages=_messages(batch) if self.wants_messages else b"",
                seconds=time.perf_counter() - began,
                puzzles=count,
            )
        results = solve_batch(
            batch,
            scratch,
            limit=self.options.limit or 0,
            budget=self.options.budget or 0,
            solutions=self.sink.solutions or self.verify,
            stop=self.cancel.flag,
        )
        if not results.finished:
            return None
        verified = self._verify(batch, results) if self.verify else None
        return _Outcome(
            number,
            batch,
            tally(results.verdicts, len(batch.starts)),
            self.sink.render(batch, results),
            messages=_messages(batch) if self.wants_messages else b"",
            seconds=time.perf_counter() - began,
            verified=verified,
            cut_off=bytes(results.complete[: len(batch.starts)]).count(0),
        )

    def _verify(self, batch: Batch, results: Results) -> AnswerCheck:
        """Compare the given answers; the result becomes a column of the batch."""
        from unidoku.pipeline.verify import verify

        verified = verify(batch, results, self.options.limit or 0)
        others = batch.columns if self.sink.carries or self.options.keep else ()
        batch.columns = [*others, verified.column]
        return verified

    def _count(self, outcome: _Outcome) -> None:
        summary = self.summary
        if outcome.verified is not None:
            summary.mismatches += outcome.verified.first[: SHOWN - len(summary.mismatches)]
        if outcome.line_count is not None:
            self._number(outcome)
        counts = outcome.counts()
        for total in (summary, summary.files[outcome.input_number]):
            for name, count in zip(COUNTS, counts, strict=True):
                setattr(total, name, getattr(total, name) + count)
        if len(summary.rejects) < SHOWN:
            summary.rejects += outcome.rejects[: SHOWN - len(summary.rejects)]
        if outcome.last:
            summary.file, summary.line = outcome.source, outcome.last
        if not self.sink.steady and outcome.puzzles:
            # Large enough that the cost of a chunk does not matter, small enough to use all workers.
            size = 82 * outcome.puzzles
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
