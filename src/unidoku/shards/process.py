"""One shard, from its bytes to its part of the output."""

from __future__ import annotations

import errno
import time
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial

from unidoku.errors import FormatError, InputError, MissingExtraError, UnidokuError
from unidoku.files.base import HEAD
from unidoku.files.compression import Bounds
from unidoku.files.source import Slice, Source
from unidoku.files.storage import ByteRange, is_remote, local_path, open_folder, read_range, stat
from unidoku.parallel import Cancel
from unidoku.pipeline.sinks import wanted_mask
from unidoku.pipeline.summary import COUNTS
from unidoku.shards.lines import QuoteGuard, count_lines, line_start
from unidoku.shards.manifest import Mark, mark_name, notes_of, part_name
from unidoku.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from unidoku.pipeline import Progress
    from unidoku.shards.executors import Shared
    from unidoku.shards.options import Options
    from unidoku.shards.plan import Shard

__all__ = ["INTERRUPTED", "Failure", "attempt", "attempt_count", "process_shard"]

# What the operating system says when trying again, or another shard, will not help.
_FATAL = {errno.ENOSPC, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.ENOENT}
_FATAL |= {getattr(errno, "EDQUOT", errno.ENOSPC)}
INTERRUPTED = "interrupted"
_PAUSE = 0.2  # seconds before the second try; five times that before the third


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a shard was not done.

    Attributes
    ----------
    message : str
    permanent : bool
        Trying again will not help.
    fatal : bool
        Nor will any other shard succeed: the output cannot be written.
    interrupted : bool
        It was told to stop.
    kind : str
        Name of the error's class.
    mark : Mark or None
        Of what could be done.
    """

    message: str
    permanent: bool = False
    fatal: bool = False
    interrupted: bool = False
    kind: str = "InputError"
    mark: Mark | None = None


def attempt(
    shard: Shard,
    options: Options,
    out: str,
    *,
    threads: int = 1,
    tried: int = 0,
    cancel: Cancel | None = None,
    watch: Callable[[str, Progress], None] | None = None,
    shared: Shared | None = None,
) -> Mark | Failure:
    """Try to do a shard; what goes wrong is returned, since engines carry errors each in its own way."""
    _pause(tried)
    try:
        mark = process_shard(shard, options, out, threads=threads, cancel=cancel, watch=watch, shared=shared)
    except Exception as error:
        return _failure(error, out)
    if mark.error is None:
        return mark
    if mark.error == INTERRUPTED:
        return Failure(INTERRUPTED, fatal=True, interrupted=True, mark=mark)
    kind, _, message = mark.error.partition(" ")
    return Failure(message, permanent=True, kind=kind, mark=mark)


def attempt_count(shard: Shard, *, tried: int = 0) -> int | Failure:
    """Try to count a shard's lines."""
    _pause(tried)
    try:
        return count_lines(shard.source.url, shard.start, shard.stop, shard.source.size)
    except Exception as error:
        return _failure(error, shard.source.url)


def _pause(tried: int) -> None:
    if tried:
        time.sleep(_PAUSE * 5 ** (tried - 1))


def _failure(error: Exception, out: str) -> Failure:
    if isinstance(error, UnidokuError):
        # What a system refused may go better next time; what is wrong with the data will not.
        lasting = not isinstance(error, InputError) or error.__cause__ is None
        lasting = lasting or isinstance(error, FormatError | MissingExtraError)
        fatal = isinstance(error, MissingExtraError)
        return Failure(str(error), permanent=lasting, fatal=fatal, kind=type(error).__name__)
    if isinstance(error, OSError):
        place = str(error.filename or out)
        message = f"{place}: cannot be written: {error.strerror or error}"
        return Failure(message, fatal=error.errno in _FATAL)
    return Failure(f"{type(error).__name__}: {error}")


def process_shard(
    shard: Shard,
    options: Options,
    out: str,
    *,
    threads: int = 1,
    cancel: Cancel | None = None,
    watch: Callable[[str, Progress], None] | None = None,
    shared: Shared | None = None,
) -> Mark:
    """Check one shard and write its part; pure and idempotent.

    The part (``part-<id>.<suffix>``) appears whole or not at all; then the commit mark
    (``part-<id>.json``) says that it is there. Called twice, even at the same time, it writes the same
    bytes twice.

    Parameters
    ----------
    shard : Shard
    options : Options
    out : str
        Folder (path or URL) for the part; made where it is not there.
    threads : int, optional
        Kernel threads.
    cancel : Cancel, optional
        Set it to give up.
    watch : callable, optional
        Called now and then with the shard's id and how far it is.
    shared : Shared, optional
        What it shares with other shards done by this process.

    Returns
    -------
    Mark
        With ``error`` set where the input is damaged, or the run was cancelled: the part then has what
        stands before, and does not count as done.

    Raises
    ------
    InputError
        When the input cannot be read, or is no longer the one that was planned.
    OSError
        When the part cannot be written.
    """
    from unidoku.pipeline import check_file
    from unidoku.pipeline.sinks import open_sink

    _refuse_changed(shard)
    place = open_folder(out)
    place.make(sweep=False)
    name = part_name(shard, options.suffix)
    failures: list[UnidokuError] = []
    with ExitStack() as stack:
        path = stack.enter_context(place.write_path(name))
        notes = stack.enter_context(place.write_path(notes_of(shard.id))) if options.notes else None
        source = stack.enter_context(_source(shard, options))
        only = None if options.only is None else [Verdict[word.upper()] for word in options.only]
        sink = open_sink(path, wanted_mask(only))
        sink.header = options.header
        sink.steady = sink.shows_batches
        if shared is not None:
            sink.memory = shared.memory
        try:
            with nullcontext() if shared is None else shared.turns:
                summary = check_file(
                    source,
                    limit=options.limit or None,
                    threads=threads,
                    budget=options.budget or None,
                    output=sink,
                    invalid=notes,
                    format=shard.format,
                    column=options.column,
                    strict=options.strict,
                    keep=options.keep,
                    verify=options.verify,
                    on_failure=failures.append,
                    cancel=_linked(cancel),
                    progress=None if watch is None else partial(watch, shard.id),
                )
        except InputError as error:
            if error.file in {str(path), str(notes)} and isinstance(error.__cause__, OSError):
                raise error.__cause__ from error
            raise
        for failure in failures:
            if isinstance(failure.__cause__, OSError):
                raise failure  # it may go better next time
        _refuse_changed(shard)
        if not summary.complete:
            failures.append(UnidokuError(INTERRUPTED))
    counts = {key: getattr(summary, key) for key in COUNTS}
    mark = Mark(
        id=shard.id,
        part=name,
        size=place.size(name),
        lines=source.line - (shard.first_line or 1) + 1,
        counts=counts,
        columns=sink.columns if summary.puzzles else None,
        last=summary.line or 0,
        rejects=_packed(summary.rejects),
        mismatches=_packed(summary.mismatches),
        error=_told(failures[0]) if failures else None,
    )
    with place.write(mark_name(shard)) as stream:
        stream.write(mark.dump())
    return mark


def _told(error: UnidokuError) -> str:
    return INTERRUPTED if error.message == INTERRUPTED else f"{type(error).__name__} {error}"


def _packed(errors: Sequence[UnidokuError]) -> tuple[tuple[str, int, int], ...]:
    return tuple((each.message, each.line or 0, each.column or 0) for each in errors)


def _refuse_changed(shard: Shard) -> None:
    size, stamp, _ = stat(shard.source.url)
    if (size, stamp) != (shard.source.size, shard.source.stamp):
        was = f"it had {shard.source.size} bytes, now {size}" if size != shard.source.size else "same size"
        raise InputError(f"has changed since the check began ({was})", file=shard.source.url)


@contextmanager
def _source(shard: Shard, options: Options) -> Iterator[Source]:
    """The shard's bytes, as an input of their own."""
    url, size = shard.source.url, shard.source.size
    start, stop = shard.start, shard.stop
    if shard.kind == "bytes":
        start, stop = line_start(url, start, size), line_start(url, stop, size)
    elif shard.kind == "rows":
        start, stop = 0, size
    kind = QuoteGuard if shard.kind == "bytes" and shard.format == "csv" else ByteRange
    with kind(url, start, stop) as stretch:
        path = None if is_remote(url) or shard.kind == "bytes" else str(local_path(url))
        later = shard.kind == "bytes" and shard.format != "lines" and shard.start > 0
        part = Slice(
            first_line=shard.first_line or 1,
            field=shard.field,
            head=read_range(url, 0, HEAD) if later else None,
            groups=range(shard.start, shard.stop) if shard.kind == "rows" else None,
        )
        bounds = Bounds(options.max_ratio, options.max_size)
        yield Source(stretch, url, path=path, owned=False, bounds=bounds, part=part)


def _linked(cancel: Cancel | None) -> Cancel:
    """A wish of its own that hears the other's: only one thread may say that it is reading."""
    own = Cancel()
    if cancel is not None:
        own.flag = cancel.flag
    return own
