"""Check files: source, reader, kernel and sink put together."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from stat import S_ISREG
from typing import Any

from unidoku import kernel
from unidoku.arguments import positive, positive_ratio, solver_options
from unidoku.errors import InputError, UnidokuError, cannot_write
from unidoku.files.base import Batch, Chunk, ReadOptions
from unidoku.files.compression import Bounds
from unidoku.files.formats import open_reader
from unidoku.files.inputs import Input, entries, expand, is_archive
from unidoku.files.overlap import refuse_overlap
from unidoku.files.source import Source
from unidoku.native.text.render import tally
from unidoku.parallel import Cancel, ordered
from unidoku.pipeline.results import Results, solve_batch
from unidoku.pipeline.sinks import Sink, open_sink, wanted_mask
from unidoku.pipeline.summary import COUNTS, FileCounts, Summary
from unidoku.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unidoku.pipeline.verify import Verified

__all__ = ["Progress", "check_file"]

SMALLEST = 1 << 13  # bytes of text in a chunk: about 100 puzzles
LARGEST = 1 << 21
STEADY = 1 << 20  # where the output shows how the input was cut
AIM = 0.05  # seconds a chunk should take
TELL = 0.1  # seconds between two calls of the progress callback
SHOWN = 20  # invalid lines kept for the summary

_WHY_NOT = (
    "the run cannot be {}: that takes inputs that can be read again, which standard input and pipes cannot, "
    "and an output that is a file or a folder"
)


class Progress:
    """How far a run is; handed to the ``progress`` callback about ten times a second.

    Attributes
    ----------
    done, total : int
        Bytes of the inputs as stored; ``total`` is 0 when it is not known.
    puzzles : int
    seconds : float
    earlier : int
        Puzzles among these that earlier runs of a resumed job had done.
    """

    __slots__ = ("done", "earlier", "puzzles", "seconds", "total")

    def __init__(self, done: int, total: int, puzzles: int, seconds: float, earlier: int = 0) -> None:
        self.earlier = earlier
        self.done = done
        self.total = total
        self.puzzles = puzzles
        self.seconds = seconds


def check_file(
    path: Input | Sequence[Input],
    *,
    limit: int | None = 2,
    threads: int | None = None,
    budget: int | None = None,
    output: str | os.PathLike[str] | Sink | None = None,
    only: Sequence[Verdict | str] | None = None,
    invalid: str | os.PathLike[str] | None = None,
    format: str | None = None,
    column: str | int | None = None,
    strict: bool = False,
    keep: bool = False,
    verify: bool = False,
    max_ratio: float | None = 1000.0,
    max_size: int | None = None,
    resume: bool = False,
    cluster: str | None = None,
    shard_bytes: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    on_failure: Callable[[UnidokuError], None] | None = None,
    cancel: Cancel | None = None,
) -> Summary:
    """Give every puzzle of some files its verdict.

    Parameters
    ----------
    path : path, binary file, or a sequence of these
        ``-`` is standard input; URLs (``s3://…``) are opened by fsspec. gzip, bz2, xz and zstd are
        recognised by content.
    limit : int, optional
        Count solutions up to this; None counts all.
    threads : int, optional
        Worker threads; default the cores this process may use.
    budget : int, optional
        Guesses a puzzle may cost before its verdict is ``unknown``.
    output : path or Sink, optional
        Takes one row a puzzle, in input order, in the format of its suffix (``.txt``, ``.csv``,
        ``.jsonl``, each also with ``.gz``, ``.bz2``, ``.xz``, ``.zst``). Of inputs that can be read again
        it is made in parts, so that a run can be resumed, and appears when it is whole; a folder or
        ``.parquet`` keeps its parts as files. See docs/scaling.md.
    only : sequence of Verdict or str, optional
        The verdicts whose rows are written; all are counted.
    invalid : path, optional
        Takes a message for every invalid line.
    format, column, strict, keep
        How to read: a format's name instead of guessing; where the puzzle stands; one empty symbol a
        line; carry the rest of each line to the output. (Named columns are always carried, but not to
        ``.txt``.)
    verify : bool
        Compare the solutions found with those the input gives, in a column ``solution``, ``solutions`` or
        ``answer``, or the number of solutions in ``expected_count``; the output has a column
        ``verified`` then (``right``, ``wrong`` or nothing).
    max_ratio, max_size : float and int, optional
        A compressed input is given up when more bytes than this come out of it, or, after the first
        gibibyte, more than this times its own size; None is no bound.
    resume : bool
        Go on with the parts of an earlier run with the same inputs and options, whatever ended it; where
        there is none, begin.
    cluster : str, optional
        ``local:N`` for N worker processes, ``dask://HOST:PORT`` for a Dask cluster.
    shard_bytes : int, optional
        About how much of the inputs makes a part; by default 4 to 64 MiB, by their size.
    progress : callable, optional
        Called now and then with a :class:`Progress`.
    on_failure : callable, optional
        Called with the error of an input that cannot be read on; the run then goes on with the next
        input. Without it, the error is raised.
    cancel : Cancel, optional
        Set it to stop the run; what has been done is written and counted.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError
        What went wrong, when there is no ``on_failure`` or when an output cannot be written; its
        ``summary`` attribute tells what had been done by then.
    ValueError
        `limit`, `threads`, `budget`, `max_size` or `shard_bytes` is not an integer of at least 1, or is too
        large, or `max_ratio` is not a finite number above 0.
    """
    limit, budget, threads = solver_options(limit, budget, threads)
    max_ratio, max_size = positive_ratio("max_ratio", max_ratio), positive("max_size", max_size) or None
    positive("shard_bytes", shard_bytes)
    inputs = expand(path)
    refuse_overlap(inputs, [output, invalid])
    verdicts = None if only is None else sorted({_verdict(v) for v in only})
    if output is not None and not isinstance(output, Sink):
        from unidoku.shards.front import check_in_parts, in_parts
        from unidoku.shards.options import Options

        if in_parts(inputs, output) and not any(map(is_archive, inputs)):
            asked = Options(
                limit=limit,
                budget=budget,
                only=None if verdicts is None else tuple(map(str, verdicts)),
                format=format,
                column=None if column is None else str(column),
                strict=strict,
                keep=keep,
                verify=verify,
                max_ratio=max_ratio,
                max_size=max_size,
            )
            return check_in_parts(
                [os.fspath(each) for each in inputs],  # type: ignore[arg-type]
                os.fspath(output),
                asked,
                invalid=None if invalid is None else os.fspath(invalid),
                threads=threads or None,
                resume=resume,
                cluster=cluster,
                shard_bytes=shard_bytes,
                progress=progress,
                on_failure=on_failure,
                cancel=cancel,
            )
    if resume or cluster is not None:
        raise InputError(_WHY_NOT.format("resumed" if resume else "done by a cluster"))
    run = _Run(
        verify=verify,
        format_name=format,
        limit=limit,
        budget=budget,
        threads=threads or kernel.default_threads(),
        progress=progress,
        cancel=Cancel() if cancel is None else cancel,
    )
    run.bounds = Bounds(max_ratio, max_size)
    sink = output if isinstance(output, Sink) else open_sink(output, wanted_mask(verdicts))
    run.options = ReadOptions(
        column=None if column is None else str(column),
        strict=strict,
        keep=keep,
        carry=sink.carries or verify,
        # Only a run that shows no line before its end can do without numbers until then.
        numbered=sink.shows_lines or verify or invalid is not None,
    )
    try:
        with sink, _Notes(invalid) as notes:
            run.check(inputs, sink, notes, on_failure)
    except UnidokuError as error:
        error.summary = run.finish()
        raise
    return run.finish()


class _Outcome:
    """What a worker made of one chunk."""

    __slots__ = (
        *(
            "input_number",
            "invalid",
            "last",
            "notes",
            "passed",
            "piece",
            "puzzles",
            "rejects",
            "seconds",
            "source",
        ),
        *("tallies", "verified"),
    )

    def __init__(
        self,
        input_number: int,
        batch: Batch,
        tallies: tuple[int, int, int, int],
        piece: Any,
        *,
        notes: bytes,
        seconds: float,
        verified: Verified | None,
    ) -> None:
        self.input_number = input_number
        self.verified = verified
        self.passed = batch.passed
        self.source = batch.source
        self.puzzles = len(batch.starts)
        self.invalid = len(batch.rejects)
        self.tallies = tallies
        self.piece = piece
        self.notes = notes
        self.seconds = seconds
        self.rejects = [reject.error(batch.source) for reject in batch.rejects[:SHOWN]]
        self.last = int(batch.lines[-1]) if self.puzzles else 0
        if self.invalid:
            self.last = max(self.last, batch.rejects[self.invalid - 1].line)

    def counts(self) -> tuple[int, ...]:
        """The counts of the chunk, in the order of `COUNTS`."""
        none, unique, multiple, unknown = self.tallies
        given = (0, 0, 0) if self.verified is None else self.verified[:3]
        return self.puzzles + self.invalid, unique, multiple, none, self.invalid, unknown, *given


class _Run:
    """One call of check_file."""

    def __init__(
        self,
        *,
        verify: bool,
        format_name: str | None,
        limit: int,
        budget: int,
        threads: int,
        progress: Callable[[Progress], None] | None,
        cancel: Cancel,
    ) -> None:
        self.options = ReadOptions()
        self.bounds = Bounds()
        self.verify = verify
        self.format_name = format_name
        self.limit = limit
        self.budget = budget
        self.progress = progress
        self.cancel = cancel
        self.summary = Summary(isa=kernel.isa(), threads=threads, verified=verify)
        self.began = time.perf_counter()
        self.size = SMALLEST
        self.source: Source | None = None
        self.passed = 0  # bytes of the inputs that are behind us
        self.total = 0
        self.input_number = -1  # which input the latest batch is from, and how many of its lines are counted
        self.lines = 0

    def check(
        self,
        inputs: Sequence[Input],
        sink: Sink,
        notes: _Notes,
        on_failure: Callable[[UnidokuError], None] | None,
    ) -> None:
        """Take the inputs one after the other; results are counted and written in order."""
        self.sink = sink
        self.noting = notes.wanted
        self.total = _total(inputs)
        summary = self.summary
        if sink.steady:
            self.size = STEADY
        outcomes = ordered(
            self._items(inputs),
            self._work,
            summary.threads,
            cancel=self.cancel,
            tick=self._tell,
            memory=sink.memory,
        )
        told = self.began
        try:
            for outcome in chain.from_iterable(outcomes):
                if outcome is None:
                    # Cancelled in the middle of a batch; nothing after it counts.
                    break
                if isinstance(outcome, UnidokuError):
                    summary.failures.append(outcome)
                    if on_failure is None:
                        raise outcome
                    on_failure(outcome)
                    continue
                sink.write(outcome.piece)
                notes.write(outcome.notes)
                self._count(outcome)
                now = time.perf_counter()
                if now - told > TELL:
                    told = now
                    self._tell()
        finally:
            outcomes.close()  # type: ignore[attr-defined]
            if self.cancel:
                summary.complete = False

    def finish(self) -> Summary:
        """The counts, with the time taken."""
        self.summary.seconds = time.perf_counter() - self.began
        return self.summary

    def _items(self, inputs: Sequence[Input]) -> Iterator[tuple[int, Chunk | UnidokuError]]:
        """The chunks of all inputs, each with its input's number.

        What is wrong with an input stands where its next chunk would.
        """
        for number, entry in enumerate(entries(inputs, self.bounds)):
            self.summary.files.append(FileCounts(file=entry.name))
            try:
                with entry.open() as source:
                    self.source = source
                    reader = open_reader(source, self.format_name, self.options)
                    for chunk in reader.chunks(self._target):
                        yield number, chunk
            except UnidokuError as error:
                yield number, error
            finally:
                if self.source is not None:
                    self.passed += self.source.position
                self.source = None

    def _target(self) -> int:
        return self.size

    def _work(
        self, numbered: tuple[int, Chunk | UnidokuError], scratch: dict[str, Any]
    ) -> list[_Outcome | UnidokuError | None]:
        """What the workers do: parse, solve, tally, render; None stands where the run was cancelled."""
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
        """One batch; None when the run was cancelled."""
        results = solve_batch(
            batch,
            scratch,
            limit=self.limit,
            budget=self.budget,
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
            notes=_note(batch) if self.noting else b"",
            seconds=time.perf_counter() - began,
            verified=verified,
        )

    def _verify(self, batch: Batch, results: Results) -> Verified:
        """Compare given answers; the batch carries what came out."""
        from unidoku.pipeline.verify import verify

        verified = verify(batch, results, self.limit)
        others = batch.columns if self.sink.carries or self.options.keep else ()
        batch.columns = [*others, verified.column]
        return verified

    def _count(self, outcome: _Outcome) -> None:
        summary = self.summary
        if outcome.verified is not None:
            summary.mismatches += outcome.verified.first[: SHOWN - len(summary.mismatches)]
        if outcome.passed is not None:
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
            # Chunks large enough to cost nothing beside their puzzles, small enough to share out.
            size = 82 * outcome.puzzles
            fitting = int(size * AIM / max(outcome.seconds, 1e-9))
            self.size = max(SMALLEST, min(LARGEST, 4 * size, fitting))

    def _number(self, outcome: _Outcome) -> None:
        """Number the lines of a batch from the beginning of its input."""
        if outcome.input_number != self.input_number:
            self.input_number, self.lines = outcome.input_number, 0
        for error in outcome.rejects:
            error.line = (error.line or 0) + self.lines
        if outcome.last:
            outcome.last += self.lines
        self.lines += outcome.passed or 0

    def _tell(self) -> None:
        if self.progress is not None:
            done = self.passed + (self.source.position if self.source is not None else 0)
            self.progress(Progress(done, self.total, self.summary.puzzles, time.perf_counter() - self.began))


class _Notes:
    """The file of messages about invalid lines, if one is wanted."""

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self.path = path
        self.wanted = path is not None

    def __enter__(self) -> _Notes:
        if self.path is not None:
            try:
                self._file = open(self.path, "wb")
            except OSError as error:
                raise cannot_write(error, os.fspath(self.path)) from error
        return self

    def write(self, text: bytes) -> None:
        """Append messages."""
        if text:
            try:
                self._file.write(text)
            except OSError as error:
                raise cannot_write(error, str(self.path)) from error

    def __exit__(self, *_: object) -> None:
        if self.path is not None:
            self._file.close()


def _note(batch: Batch) -> bytes:
    """A line for each invalid one, as on the screen."""
    return "".join(f"{reject.error(batch.source)}\n" for reject in batch.rejects).encode(
        "utf-8", "backslashreplace"
    )


def _verdict(name: Verdict | str) -> Verdict:
    if isinstance(name, Verdict):
        return name
    try:
        return Verdict[name.strip().upper()]
    except KeyError:
        known = ", ".join(str(verdict) for verdict in Verdict)
        raise UnidokuError(f"unknown verdict {name!r}; there are {known}") from None


def _total(inputs: Sequence[Input]) -> int:
    """Bytes of all inputs, 0 when one does not tell."""
    total = 0
    for each in inputs:
        try:
            status = os.stat(each)  # type: ignore[arg-type]
        except (OSError, TypeError, ValueError):
            return 0
        if not S_ISREG(status.st_mode):
            return 0
        total += status.st_size
    return total
