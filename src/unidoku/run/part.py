"""One range of the inputs becomes one part of the output, with a record of what is in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from unidoku import __version__, errors
from unidoku.errors import InputError, UnidokuError, writing
from unidoku.files.atomic import open_folder
from unidoku.files.base import Attempts
from unidoku.files.head import HEAD
from unidoku.files.output import OutputFile
from unidoku.files.source import Slice, Source
from unidoku.files.storage import ByteRange, Identity, is_remote, local_path, read_range, stat
from unidoku.run.buffers import BufferPool
from unidoku.run.lines import QuoteGuard, count_lines, line_start
from unidoku.run.loop import Run
from unidoku.run.plan import Range, Settings
from unidoku.run.sinks import open_sink
from unidoku.run.summary import FileCounts, Summary
from unidoku.threads import Cancel

if TYPE_CHECKING:
    from unidoku.run.progress import Progress

__all__ = ["INVALID", "RECORD", "Part", "Task", "make_part"]

RECORD = ".json"
INVALID = ".invalid"


@dataclass(frozen=True, slots=True)
class Task:
    """A range with all that is needed to make its part."""

    number: int
    """Number of the range in the plan."""
    name: str
    """File name of the part, without suffix."""
    source: Identity | Attempts
    range: Range
    settings: Settings


@dataclass(frozen=True, slots=True)
class Part:
    """What is in a part; a part exists if and only if the file of this record exists."""

    file: str
    size: int
    lines: int
    """Lines of the range; 0 where nothing depends on it."""
    columns: list[str] | None
    """The carried columns, None of a part without rows."""
    summary: Summary

    def dump(self) -> bytes:
        """Return the content of the record's file."""
        value = {name: getattr(self, name) for name in ("file", "size", "lines", "columns")}
        value["summary"] = {each.name: getattr(self.summary, each.name) for each in fields(Summary)}
        value = json.loads(json.dumps(value, default=_packed))
        return json.dumps({"check": _digest(value), "part": value}).encode() + b"\n"

    @classmethod
    def load(cls, data: bytes, file: str) -> Part | None:
        """Read the record of a part; None if it is damaged or of another part."""
        try:
            read = json.loads(data)
            value = read["part"]
            if read["check"] != _digest(value) or value["file"] != file:
                return None
        except (ValueError, LookupError, TypeError, RecursionError):
            return None
        summary = Summary(**value.pop("summary"))
        summary.files = [FileCounts(**each) for each in summary.files]  # type: ignore[arg-type]
        for name in ("rejects", "mismatches", "failures"):
            setattr(summary, name, [_unpacked(*each) for each in getattr(summary, name)])
        return cls(**value, summary=summary)


def _digest(value: object) -> str:
    return blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=16).hexdigest()


def _packed(value: object) -> Any:
    """Return a value that JSON does not know as one that it knows."""
    if isinstance(value, UnidokuError):
        return [type(value).__name__, value.message, value.file, value.line, value.column]
    assert is_dataclass(value)
    assert not isinstance(value, type)
    return asdict(value)


def _unpacked(kind: str, message: str, file: str | None, line: int | None, column: int | None) -> Any:
    return getattr(errors, kind)(message, file=file, line=line, column=column)


def make_part(
    task: Task,
    line: int | None,
    *,
    threads: int = 1,
    cancel: Cancel | None = None,
    pool: BufferPool | None = None,
    progress: Callable[[int, Progress], None] | None = None,
) -> Part | None:
    """Make the part of a range; `line` is the number of its first line, None if it is not counted yet.

    The part appears complete or not at all, then its record.  Two calls, even at the same time, write the
    same bytes.  If the input is damaged, the part has the rows before the damage, and the record the error.
    None says that the run was cancelled.
    """
    settings = task.settings
    if settings.version != __version__:
        raise UnidokuError(f"the worker has unidoku {__version__}, the run {settings.version}")
    folder, file = open_folder(settings.folder), task.name + settings.suffix
    with writing(settings.folder):
        _refuse_changed(task.source)
        with ExitStack() as stack:
            path = stack.enter_context(folder.write_path(file))
            invalid = None
            if settings.invalid:
                name = task.name + INVALID
                invalid = OutputFile(name, local=stack.enter_context(folder.write_path(name)))
            source = stack.enter_context(_opened(task, line))
            before = source.line if isinstance(source, Source) else 0
            sink = open_sink(OutputFile(file, local=path), settings.options)
            sink.header = settings.header
            sink.pool = pool or BufferPool()
            # the format of the whole input, which a range of it may not show
            options = replace(settings.options, format=task.range.format or settings.options.format)
            run = Run(
                [source],
                options,
                sink,
                threads=threads,
                progress=None if progress is None else partial(progress, task.number),
                cancel=stack.enter_context((Cancel() if cancel is None else cancel).child()),
            )
            summary = run.run(invalid, lambda _: None)  # the summary has the errors
            lines = source.line - before if isinstance(source, Source) else 0
        for failure in summary.failures:
            if isinstance(failure.__cause__, OSError):
                raise failure  # a second try may succeed
        if not summary.complete:
            return None
        _refuse_changed(task.source)
        columns = None if sink.carried is None or not summary.puzzles else list(sink.carried)
        part = Part(file, folder.size(file), lines, columns, summary)
        with folder.write(task.name + RECORD) as stream:
            stream.write(part.dump())
    return part


def _refuse_changed(source: Identity | Attempts) -> None:
    if isinstance(source, Attempts):
        return
    size, version, _ = stat(source.url, source.name)
    if (size, version) != (source.size, source.version):
        was = f"it had {source.size} bytes, now {size}" if size != source.size else "same size"
        raise InputError(f"has changed since the run began ({was})", file=source.name)


@contextmanager
def _opened(task: Task, line: int | None) -> Iterator[Source | Attempts]:
    """Open the bytes, row groups or attempts of a range as an input."""
    source, cut = task.source, task.range
    if isinstance(source, Attempts):
        yield Attempts(cut.start, cut.stop)
        return
    url, name = source.url, source.name
    start, stop = 0, source.size
    if cut.kind == "bytes":
        start, stop = line_start(source, cut.start), line_start(source, cut.stop)
    opened = QuoteGuard if cut.kind == "bytes" and cut.format == "csv" else ByteRange
    with opened(url, start, stop, name) as content:
        path = None if is_remote(url) or cut.kind == "bytes" else str(local_path(url))
        later = cut.kind == "bytes" and cut.format != "lines" and cut.start > 0
        part = Slice(
            first_line=1 + count_lines(source, 0, cut.start) if line is None else line,
            field=cut.field,
            head=read_range(url, 0, HEAD, name) if later else None,
            groups=range(cut.start, cut.stop) if cut.kind == "rows" else None,
        )
        bounds = task.settings.options.bounds
        yield Source(content, name, path=path, owned=False, bounds=bounds, part=part)
