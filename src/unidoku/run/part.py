"""One range of the inputs becomes one part of the output, with a record of what is in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, replace
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from unidoku import __version__, errors
from unidoku.errors import FormatError, InputError, UnidokuError, writing
from unidoku.files.base import HEAD, Attempts
from unidoku.files.output import Folder, OutputFile
from unidoku.files.source import Slice, Source
from unidoku.files.storage import ByteRange, Identity, is_remote, local_path, read_range, stat
from unidoku.native.text import scan
from unidoku.run.loop import Run
from unidoku.run.plan import Range, Settings
from unidoku.run.sink import BufferPool
from unidoku.run.sinks import open_sink
from unidoku.run.summary import FileCounts, Summary
from unidoku.threads import Cancel

if TYPE_CHECKING:
    from unidoku.run.options import RunFields
    from unidoku.run.summary import Progress

RECORD = ".json"
INVALID = ".invalid"
WINDOW = 1 << 12  # bytes in which a line end is looked for
BLOCK = 1 << 20  # bytes in which lines are counted at once
_LINE_END = re.compile(rb"\r\n?|\n")


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
        """Return the content of the record's file: the values as JSON, after a line with their digest."""
        text = json.dumps(self, default=_packed).encode()
        return b"%s\n%s" % (_digest(text), text)

    @classmethod
    def load(cls, data: bytes, file: str) -> Part | None:
        """Read the record of a part; None if it is damaged or of another part."""
        digest, _, text = data.partition(b"\n")
        if digest != _digest(text):
            return None
        value = json.loads(text)
        summary = Summary(**value.pop("summary"))
        summary.files = [FileCounts(**each) for each in summary.files]  # type: ignore[arg-type]
        for name in ("rejects", "mismatches", "failures"):
            setattr(summary, name, [_unpacked(*each) for each in getattr(summary, name)])
        return cls(**value, summary=summary) if value["file"] == file else None


def _digest(text: bytes) -> bytes:
    return json.dumps(blake2b(text, digest_size=16).hexdigest()).encode()


def _packed(value: Any) -> Any:
    """Return an error or a dataclass, which JSON does not know, as a value that it knows."""
    if isinstance(value, UnidokuError):
        return [type(value).__name__, value.message, value.file, value.line, value.column]
    return {each.name: getattr(value, each.name) for each in fields(value)}


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
    folder, file = Folder(settings.folder), task.name + settings.suffix
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
            running: RunFields = {
                "threads": threads,
                "progress": None if progress is None else partial(progress, task.number),
                "on_failure": lambda _: None,  # the summary has the errors
                "cancel": stack.enter_context((Cancel() if cancel is None else cancel).child()),
            }
            summary = Run([source], options, sink, running).run(invalid)
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


class QuoteGuard(ByteRange):
    """A byte range of CSV that refuses quoted fields with line ends, which cannot be cut into ranges."""

    _open = False

    def readinto(self, buffer: Any) -> int:
        """Read into the buffer, up to its size or the end."""
        count = super().readinto(buffer)
        pieces = bytes(memoryview(buffer).cast("B")[:count]).split(b'"')
        if any(_LINE_END.search(quoted) for quoted in pieces[not self._open :: 2]):
            raise FormatError(
                "a quoted field contains a line end, so the file cannot be cut; make it one part "
                "with --part-bytes (or part_bytes) of at least its size",
                file=self.name,
            )
        self._open ^= len(pieces) % 2 == 0
        return count


def line_start(source: Identity, at: int, window_bytes: int = WINDOW) -> int:
    """Position of the first line that begins at or after ``at``; the size of the input if there is none.

    A line ends with LF, CR LF or a lone CR.
    """
    if at == 0:
        return 0
    for position in range(at - 1, source.size, window_bytes):  # the byte before may end a line
        stop = min(source.size, position + window_bytes + 1)  # with the LF of a CR at the end
        window = read_range(source.url, position, stop, source.name)
        end = _LINE_END.search(window)
        if end is not None and end.start() < window_bytes:
            return position + end.end()
        if not window:
            break
    return source.size


def count_lines(source: Identity, start: int, stop: int, block_bytes: int = BLOCK) -> int:
    """Count the lines of an input that begin in its bytes ``start`` to ``stop``."""
    count = int(start == 0 < stop)
    first = max(0, start - 1)  # a line begins behind the end of another
    last = min(stop, source.size) - 1  # what ends with the last byte begins nothing here
    with ByteRange(source.url, first, source.size, source.name) as content:
        for at in range(first, last, block_bytes):
            content.seek(at - first)
            size = min(last - at, block_bytes)
            block = content.read(size + 1) or b""  # with the LF of a CR at the end
            if len(block) <= size:
                raise InputError(f"ends after {at + len(block)} of {source.size} bytes", file=source.name)
            count += scan.count_lines(block, 0, size)
            # that ends later: the last line, or its end
            count -= block[size - 1] not in b"\r\n" or block[size - 1 :] == b"\r\n"
    return count
