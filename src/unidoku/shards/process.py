"""One shard: from its bytes to its part of the output."""

from __future__ import annotations

import errno
import time
from contextlib import ExitStack, contextmanager, nullcontext
from copy import copy
from dataclasses import dataclass, replace
from functools import partial

from unidoku import errors
from unidoku.errors import (
    InputError,
    InvalidPuzzleError,
    MissingExtraError,
    OutputError,
    UnidokuError,
    writing,
)
from unidoku.files.atomic import open_folder
from unidoku.files.head import HEAD
from unidoku.files.output import OutputFile
from unidoku.files.source import Slice, Source
from unidoku.files.storage import ByteRange, is_remote, local_path, read_range, stat
from unidoku.kernel import Cancel
from unidoku.run.loop import Run
from unidoku.run.sinks import open_sink
from unidoku.run.summary import COUNTS
from unidoku.shards.lines import QuoteGuard, count_lines, line_start
from unidoku.shards.manifest import Commit, commit_name, invalid_name, part_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from unidoku.run.options import RunOptions
    from unidoku.run.progress import Progress
    from unidoku.shards.executors import Shared
    from unidoku.shards.plan import PartFormat, Shard

__all__ = ["INTERRUPTED", "Failure", "attempt", "attempt_count", "process_shard"]

# Errors of the operating system after which neither a second try nor another shard can succeed.
_FATAL = {errno.ENOSPC, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.ENOENT}
_FATAL |= {getattr(errno, "EDQUOT", errno.ENOSPC)}
INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a shard is not done."""

    error: UnidokuError
    permanent: bool = False
    fatal: bool = False
    interrupted: bool = False
    commit: Commit | None = None


def attempt(
    shard: Shard, options: RunOptions, format: PartFormat, out: str, *, delay: float = 0.0, **settings: Any
) -> Commit | Failure:
    """Try to do a shard, after some seconds of delay.

    Errors are returned, since executors pass exceptions on in different ways.
    """
    time.sleep(delay)
    try:
        commit = process_shard(shard, options, format, out, **settings)
    except Exception as error:
        return _failure(error)
    if commit.error is None:
        return commit
    kind, message, line, column = commit.error
    if kind == INTERRUPTED:
        return Failure(UnidokuError(message), fatal=True, interrupted=True, commit=commit)
    damage = getattr(errors, kind)(message, file=shard.source.name, line=line, column=column)
    return Failure(damage, permanent=True, commit=commit)


def attempt_count(shard: Shard, *, delay: float = 0.0) -> int | Failure:
    """Try to count the lines of a shard, after some seconds of delay."""
    time.sleep(delay)
    try:
        return count_lines(shard.source, shard.start, shard.stop)
    except Exception as error:
        return _failure(error)


def _failure(error: Exception) -> Failure:
    if not isinstance(error, UnidokuError):
        return Failure(UnidokuError(f"{type(error).__name__}: {error}"))
    cause = error.__cause__
    plain = copy(error)  # the error itself keeps alive what was in use when it was raised
    if isinstance(error, OutputError):
        plain.file = None
        return Failure(plain, fatal=not isinstance(cause, OSError) or cause.errno in _FATAL)
    # A second try may succeed where the operating system refused something, not where the data are wrong.
    permanent = not isinstance(error, InputError) or cause is None
    # A puzzle that cannot be changed: an output without it would not be what was asked for.
    return Failure(plain, permanent, isinstance(error, MissingExtraError | InvalidPuzzleError))


def process_shard(
    shard: Shard,
    options: RunOptions,
    format: PartFormat,
    out: str,
    *,
    threads: int = 1,
    cancel: Cancel | None = None,
    watch: Callable[[str, Progress], None] | None = None,
    shared: Shared | None = None,
) -> Commit:
    """Check one shard and write its part; pure and idempotent.

    The part (``part-<id>.<suffix>``) appears complete or not at all; then its commit record
    (``part-<id>.json``).  Two calls, even at the same time, write the same bytes twice.

    Parameters
    ----------
    shard : Shard
    options : RunOptions
    format : PartFormat
    out : str
        Folder (path or URL) for the part; made if it does not exist.
    threads : int, optional
        Kernel threads.
    cancel : Cancel, optional
        Set it to stop.
    watch : callable, optional
        Called several times a second with the id of the shard and its progress.
    shared : Shared, optional
        What it shares with the other shards of this process.

    Returns
    -------
    Commit
        With ``error`` set if the input is damaged or the run was cancelled: the part then has the rows
        before that, and the shard does not count as done.

    Raises
    ------
    InputError
        The input cannot be read, or has changed since it was planned.
    OutputError
        The part cannot be written.
    """
    with writing(out):
        folder = open_folder(out)
        _refuse_changed(shard)
        folder.make()
        name = part_name(shard.id, format.suffix)
        failures: list[UnidokuError] = []
        with ExitStack() as stack:
            # Both are synced and renamed at the end, while another shard has the turn to solve puzzles.
            local = stack.enter_context(folder.write_path(name))
            file = stack.enter_context(OutputFile(name, local=local))
            invalid = None
            if format.invalid:
                local = stack.enter_context(folder.write_path(invalid_name(shard.id)))
                invalid = stack.enter_context(OutputFile(invalid_name(shard.id), local=local))
            source = stack.enter_context(_source(shard, options))
            own = stack.enter_context(nullcontext(Cancel()) if cancel is None else cancel.child())
            sink = open_sink(file, options)
            sink.header = format.header
            if shared is not None:
                sink.pool = shared.pool
            with nullcontext() if shared is None else shared.turns:
                run = Run(
                    [source],
                    # the format of the whole input, which a part of it may not show
                    replace(options, format=shard.format),
                    sink,
                    threads=threads,
                    progress=None if watch is None else partial(watch, shard.id),
                    cancel=own,
                )
                summary = run.run(invalid, failures.append)
            for failure in failures:
                if isinstance(failure.__cause__, OSError):
                    raise failure  # a second try may succeed
            _refuse_changed(shard)
        error: tuple[str, str, int | None, int | None] | None = None
        if failures:
            first = failures[0]
            error = (type(first).__name__, first.message, first.line, first.column)
        elif not summary.complete:
            error = (INTERRUPTED, INTERRUPTED, None, None)
        commit = Commit(
            id=shard.id,
            part=name,
            size=folder.size(name),
            lines=source.line - (shard.first_line or 1) + 1,
            counts={key: getattr(summary, key) for key in COUNTS},
            columns=sink.carried if summary.puzzles else None,
            last=summary.line or 0,
            rejects=_packed(summary.rejects),
            mismatches=_packed(summary.mismatches),
            error=error,
        )
        with folder.write(commit_name(shard.id)) as stream:
            stream.write(commit.dump())
        return commit


def _packed(errors: Sequence[UnidokuError]) -> tuple[tuple[str, int, int], ...]:
    return tuple((each.message, each.line or 0, each.column or 0) for each in errors)


def _refuse_changed(shard: Shard) -> None:
    source = shard.source
    size, version, _ = stat(source.url, source.name)
    if (size, version) != (source.size, source.version):
        was = f"it had {source.size} bytes, now {size}" if size != source.size else "same size"
        raise InputError(f"has changed since the run began ({was})", file=source.name)


@contextmanager
def _source(shard: Shard, options: RunOptions) -> Iterator[Source]:
    """Open the bytes of the shard as an input."""
    url, name, size = shard.source.url, shard.source.name, shard.source.size
    start, stop = shard.start, shard.stop
    if shard.kind == "bytes":
        start, stop = line_start(shard.source, start), line_start(shard.source, stop)
    elif shard.kind == "rows":
        start, stop = 0, size
    kind = QuoteGuard if shard.kind == "bytes" and shard.format == "csv" else ByteRange
    with kind(url, start, stop, name) as content:
        path = None if is_remote(url) or shard.kind == "bytes" else str(local_path(url))
        later = shard.kind == "bytes" and shard.format != "lines" and shard.start > 0
        part = Slice(
            first_line=shard.first_line or 1,
            field=shard.field,
            head=read_range(url, 0, HEAD, name) if later else None,
            groups=range(shard.start, shard.stop) if shard.kind == "rows" else None,
        )
        yield Source(content, name, path=path, owned=False, bounds=options.bounds, part=part)
