"""Inputs cut into ranges before they are read, and the one part of the output that each range becomes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, fields, replace
from hashlib import blake2b
from itertools import accumulate
from types import UnionType
from typing import Any, BinaryIO, NamedTuple, get_args, get_origin, get_type_hints

from unidoku import __version__, errors
from unidoku.errors import InputError, UnidokuError, naming, writing
from unidoku.files.base import HEAD
from unidoku.files.formats import choose_format
from unidoku.files.inputs import Inputs
from unidoku.files.output import Folder, OutputFile
from unidoku.files.source import PUZZLE_BYTES, Range, Source
from unidoku.files.storage import ByteRange, Identity, identify, is_remote, local_path, read_range, stat
from unidoku.native.text import scan
from unidoku.options import Options
from unidoku.run.loop import Run
from unidoku.run.sink import StoppedError
from unidoku.run.sinks import sink_for
from unidoku.run.summary import Counts, Summary
from unidoku.task import Task
from unidoku.threads import child_of

RECORD = ".json"
WINDOW = 1 << 12  # bytes in which a line end is looked for
BLOCK = 1 << 20  # bytes in which lines are counted at once
_SMALLEST = 1 << 22
_LARGEST = 1 << 26
_LINE_END = re.compile(rb"\r\n?|\n")


def identified(
    inputs: Sequence[str | range], on_failure: Callable[[UnidokuError], object]
) -> list[Identity | range]:
    """Return what the inputs are now; the error of one that cannot be read is passed on."""
    known: list[Identity | range] = []
    for name in inputs:
        try:
            known.append(name if isinstance(name, range) else identify(name))
        except InputError as error:
            on_failure(error)
            known.append(Identity(name, str(name), -1, "missing", ""))  # type: ignore[arg-type]
    return known


def default_size(inputs: Sequence[Identity | range]) -> int:
    """Return the bytes of inputs for a part: 1/32 of all, which keeps a machine busy to the end, 4 to 64 MiB.

    That depends on the inputs alone, so a resumed run cuts them in the same way.
    """
    sizes = (PUZZLE_BYTES * len(each) if isinstance(each, range) else max(0, each.size) for each in inputs)
    return min(_LARGEST, max(_SMALLEST, sum(sizes) // 32))


def ranges_of(
    inputs: Sequence[Identity | range],
    size: int,
    options: Options,
    on_failure: Callable[[UnidokuError], object],
) -> list[Range]:
    """Cut inputs into ranges of about this size; one that cannot be read has none, its error is passed on."""
    ranges: list[Range] = []
    for number, each in enumerate(inputs):
        try:
            ranges += _cuts(each, number, size, options)
        except UnidokuError as error:
            on_failure(error)
    return ranges


def _cuts(source: Identity | range, number: int, target: int, options: Options) -> Iterator[Range]:
    """Yield the ranges of one input; none of a file that cannot be read."""
    if isinstance(source, range):
        step = max(1, target // PUZZLE_BYTES)
        for start in source[::step]:
            stop = min(start + step, source.stop)
            yield Range(number, "numbers", start, stop, PUZZLE_BYTES * (stop - start))
        return
    if source.size < 0:
        return
    field = None
    with (
        ByteRange(source.url, 0, source.size, source.name) as content,
        Source(content, source.name) as head,
        naming(source.name),
    ):
        if head.archive_kind() is not None:
            yield Range(number, "whole", 0, source.size, source.size)
            return
        row = choose_format(head, options.format)
        cuttable = row.by_lines or row.name == "parquet"
        whole = head.compression is not None or source.size == 0 or not cuttable
        if row.name == "csv" and (b'"' in head.peek(HEAD) or source.size <= target):
            whole = True  # quoted fields may contain line ends; the reader finds those that come later
        if whole:
            yield Range(number, "whole", 0, source.size, source.size, row.name)
            return
        if row.name in ("lines", "parquet"):
            reader: Any = row.reader()(head, options)
            if row.name == "parquet":
                with closing(reader.file):
                    for begin, end, line, size in _row_groups(reader.opened.metadata, source.size, target):
                        yield Range(number, "rows", begin, end, size, row.name, line=line)
                return
            field = reader.column  # the layout of the first lines holds for all
    # the first range has the header and comments before it
    first = target if row.name == "lines" else target * -(-HEAD // target)
    for start in (0, *range(first, source.size, target)):
        stop = min(source.size, start + (target if start else first))
        yield Range(number, "bytes", start, stop, stop - start, row.name, field, None if start else 1)


def _row_groups(metadata: Any, stored: int, target: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield consecutive row groups of about the target size: begin, end, first record, share of the bytes."""
    # The share is that of their rows: PyArrow ends the process if it is asked for the sizes of columns whose
    # metadata are damaged.
    groups = range(metadata.num_row_groups)
    rows = [0, *accumulate(metadata.row_group(number).num_rows for number in groups)]
    places = [stored * each // max(1, rows[-1]) for each in rows]
    start = 0
    for number in groups:
        if number > start and places[number + 1] - places[start] > target:
            yield start, number, rows[start] + 1, places[number] - places[start]
            start = number
    yield start, len(groups), rows[start] + 1, places[-1] - places[start]


class PartTask(NamedTuple):
    """All that is needed to make the part of a range, except the number of its first line."""

    name: str
    """File name of the part, without suffix."""
    source: Identity | range
    range: Range
    folder: str
    """Path or URL of the folder of the parts."""
    task: Task
    options: Options
    suffix: str
    """The format of the parts, as the end of a file name."""
    header: bool
    """Whether each part has a header of its own."""
    version: str
    """That of unidoku, which a worker must have."""


@dataclass(slots=True, eq=False)
class Part:
    """What is in a part; a part exists if and only if the file of this record exists."""

    file: str
    checksum: int
    """CRC-32 of its bytes."""
    lines: int
    """Lines of the range; 0 where nothing depends on it."""
    columns: list[str] | None
    """The columns of the input in its rows; None for a part without rows."""
    summary: Summary

    def dump(self) -> bytes:
        """Return the content of the record's file: the values as JSON, after a line with their digest."""
        text = json.dumps(self, default=_packed).encode()
        return b"%s\n%s" % (_digest(text), text)

    @staticmethod
    def load(data: bytes, file: str) -> Part | None:
        """Read the record of a part; None if it is damaged or of another part."""
        digest, _, text = data.partition(b"\n")
        if digest != _digest(text):
            return None
        try:
            part = json.loads(text, object_hook=_unpacked)
        except (ValueError, RecursionError):
            return None
        return part if isinstance(part, Part) and part.file == file else None

    def is_in(self, folder: Folder) -> bool:
        """Test whether the part in a folder is as it was made."""
        try:
            with folder.open(self.file) as stream:
                return checksum(stream) == self.checksum
        except FileNotFoundError:
            return False


def checksum(stream: BinaryIO) -> int:
    """Return the CRC-32 of all that is in a file."""
    try:
        from isal.isal_zlib import crc32  # ten times as fast
    except ImportError:
        from zlib import crc32
    found = 0
    while block := stream.read(BLOCK):
        found = crc32(block, found)
    return found


def _digest(text: bytes) -> bytes:
    return json.dumps(blake2b(text, digest_size=16).hexdigest()).encode()


def _packed(value: Any) -> dict[str, Any]:
    """Return an error or a dataclass as a JSON object, with the name of its class."""
    is_error = isinstance(value, UnidokuError)
    names = ("message", "file", "line", "column") if is_error else [each.name for each in fields(value)]
    return {"class": type(value).__name__, **{name: getattr(value, name) for name in names}}


def _unpacked(value: dict[str, Any]) -> Any:
    """Return what was packed; a ValueError says that it is something else."""
    name = str(value.pop("class", ""))
    record: Any = {"Part": Part, "Summary": Summary, "Counts": Counts}.get(name)
    error: Any = getattr(errors, name, None)
    if record is None and not (isinstance(error, type) and issubclass(error, UnidokuError)):
        raise ValueError(f"no record: {name[:100]}")
    hints = _ERROR if record is None else get_type_hints(record)
    if value.keys() != hints.keys() or not all(_fits(each, hints[key]) for key, each in value.items()):
        raise ValueError(f"no record of {name}")
    return error(value.pop("message"), **value) if record is None else record(**value)


_ERROR = {"message": str, "file": str | None, "line": int | None, "column": int | None}


def _fits(value: Any, hint: Any) -> bool:
    """Test whether a value is of a type: a class, a union, or a list."""
    if isinstance(hint, UnionType):
        return any(_fits(value, each) for each in get_args(hint))
    if get_origin(hint) is list:
        return isinstance(value, list) and all(_fits(each, get_args(hint)[0]) for each in value)
    if hint is int:
        return type(value) is int and abs(value) < 1 << 63
    return isinstance(value, hint)


def make_part(task: PartTask, line: int | None) -> Part | None:
    """Make the part of a range; `line` is the number of its first line, None if it is not counted yet.

    The part appears complete or not at all, then its record.  Two calls, even at the same time, write the
    same bytes.  If the input is damaged, the part has the rows before the damage, and the record the error.
    None says that the run was cancelled.
    """
    if task.version != __version__:
        raise UnidokuError(f"the worker has unidoku {__version__}, the run unidoku {task.version}")
    folder, file = Folder(task.folder), task.name + task.suffix
    with writing(task.folder):
        _refuse_changed(task.source)
        try:
            with ExitStack() as stack:
                path = stack.enter_context(folder.write_path(file))
                source = stack.enter_context(_open_range(task, line))
                before = source.line if isinstance(source, Source) else 0
                sink = sink_for(OutputFile(file, local=path), task.task, task.options)
                sink.header = task.header
                options = replace(
                    task.options,
                    format=task.range.format or task.options.format,
                    cancel=stack.enter_context(child_of(task.options.cancel)),
                    on_failure=lambda _: None,  # the summary has the failures
                )
                summary = Run(task.task, options, sink).run(Inputs([source]))
                for failure in summary.failures:
                    if isinstance(failure.__cause__, OSError):
                        raise failure  # a second try may succeed
                if not summary.complete:
                    raise StoppedError  # noqa: TRY301 - before the part has its name
                with path.open("rb") as stream:
                    total = checksum(stream)
        except StoppedError:
            return None
        _refuse_changed(task.source)
        columns = None if sink.carried is None or not summary.puzzles else list(sink.carried)
        lines = source.line - before if isinstance(source, Source) else 0
        part = Part(file, total, lines, columns, summary)
        with folder.write(task.name + RECORD) as stream:
            stream.write(part.dump())
    return part


def _changed_error(name: str, before: int, now: int) -> InputError:
    """Return the error of a file that has changed, by the bytes that it had and has."""
    how = f"it had {before:,} bytes, now {now:,}" if now != before else "it was written again"
    return InputError(f"has changed while it was read: {how}", file=name)


def _refuse_changed(source: Identity | range) -> None:
    if isinstance(source, range):
        return
    size, version, _ = stat(source.url, source.name)
    if (size, version) != (source.size, source.version):
        raise _changed_error(source.name, source.size, size)


@contextmanager
def _open_range(task: PartTask, line: int | None) -> Iterator[Source | range]:
    """Open the bytes, row groups or numbers of a range as an input."""
    source, cut = task.source, task.range
    if isinstance(source, range):
        yield range(cut.start, cut.stop)
        return
    url, name = source.url, source.name
    start, stop = 0, source.size
    if cut.kind == "bytes":
        start, stop = line_start(source, cut.start), line_start(source, cut.stop)
    if line is None:
        line = 1 + count_lines(source, 0, cut.start)
    with ByteRange(url, start, stop, name) as content:
        path = None if is_remote(url) or cut.kind == "bytes" else str(local_path(url))
        later = cut.kind == "bytes" and cut.format != "lines" and cut.start > 0
        yield Source(
            content,
            name,
            path=path,
            owned=False,
            part=cut._replace(line=line),
            beginning=read_range(url, 0, HEAD, name) if later else None,
        )


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
    return source.size


def count_lines(source: Identity, start: int, stop: int, block_bytes: int = BLOCK) -> int:
    """Count the lines of an input that begin in its bytes ``start`` to ``stop``."""
    count = int(start == 0 < stop)
    first = max(0, start - 1)  # a line begins after the end of another
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
