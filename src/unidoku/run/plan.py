"""The plan of a run in parts: its inputs cut into ranges, before they are read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass
from itertools import zip_longest
from typing import Any

from unidoku import __version__
from unidoku.errors import FormatError, InputError, UnidokuError
from unidoku.files.base import HEAD, Attempts
from unidoku.files.formats import choose_format
from unidoku.files.source import Source
from unidoku.files.storage import ByteRange, Identity, identify
from unidoku.run.options import RunOptions

BY_LINES = frozenset({"lines", "csv", "tdoku", "stevehjohn", "exchange", "gsf"})
"""Formats with a record per line, which can be cut at any line end."""
_SMALLEST = 1 << 22
_LARGEST = 1 << 26


@dataclass(frozen=True, slots=True)
class Range:
    """What is processed at once and becomes one part of the output.

    Its `kind` says what is counted from `start` to `stop`: ``bytes`` (a line belongs to the range of its
    first byte), ``rows`` (row groups of a Parquet file), ``attempts``, or ``whole``.
    """

    input: int
    """Number of the input in the plan."""
    kind: str
    start: int
    stop: int
    format: str | None = None
    """Name of the reader, None for archives."""
    field: int | None = None
    """The field of each line that holds the puzzle, as found at the beginning of the input."""
    line: int | None = 1
    """Number of the first line or record; None if the lines before must be counted."""
    stored: int = 0
    """Bytes of the row groups in the file."""

    @property
    def size(self) -> int:
        """Bytes to read, about."""
        if self.kind == "rows":
            return self.stored
        return (self.stop - self.start) * (Attempts.BYTES if self.kind == "attempts" else 1)


@dataclass(frozen=True, slots=True)
class Settings:
    """What is the same for all parts."""

    folder: str
    """Path or URL of the folder of the parts."""
    options: RunOptions
    suffix: str
    """The format of the parts, as the end of a file name."""
    header: bool
    """Whether each part has a header of its own."""
    invalid: bool
    """Whether messages about invalid lines are written beside each part."""
    version: str = __version__


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole run: the same inputs and options give the same plan."""

    inputs: tuple[Identity | Attempts, ...]
    ranges: tuple[Range, ...]
    settings: Settings
    part_bytes: int

    def value(self) -> dict[str, Any]:
        """Return all that the output depends on, as a JSON object."""
        settings = self.settings
        return {
            "unidoku": settings.version,
            "options": settings.options.to_json(),
            "format": {"suffix": settings.suffix, "header": settings.header, "invalid": settings.invalid},
            "part_bytes": self.part_bytes,
            "inputs": [asdict(each) for each in self.inputs],
            "ranges": [astuple(each) for each in self.ranges],
        }


def difference(before: Any, now: Any, place: str = "") -> str:
    """Return the first difference of two JSON values as a text, empty if there is none."""
    if isinstance(before, dict) and isinstance(now, dict):
        pairs = [(key, before.get(key), now.get(key)) for key in {**now, **before}]
    elif isinstance(before, list) and isinstance(now, list):
        pairs = [(str(k), *pair) for k, pair in enumerate(zip_longest(before, now))]
    elif before == now:
        return ""
    else:
        return f"{place} was {_shown(before)}, now it is {_shown(now)}"
    found = (difference(one, other, f"{place}.{key}".removeprefix(".")) for key, one, other in pairs)
    return next(filter(None, found), "")


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 100 else f"{text[:100]} …"


def make_plan(
    inputs: Sequence[str | Attempts],
    settings: Settings,
    part_bytes: int | None,
    on_failure: Callable[[UnidokuError], object],
) -> Plan:
    """Cut inputs into ranges; one that cannot be read has none, and its error is passed on.

    By default a part has about 1/32 of the inputs, which keeps one machine busy to the end, and 4 to 64 MiB.
    That depends on the inputs alone, so a resumed run cuts them in the same way.
    """
    known: list[Identity | Attempts] = []
    for name in inputs:
        try:
            known.append(name if isinstance(name, Attempts) else identify(name))
        except InputError as error:
            on_failure(error)
            known.append(Identity(name, str(name), -1, "missing", ""))  # type: ignore[arg-type]
    total = sum(max(0, each.size) for each in known)
    target = part_bytes or min(_LARGEST, max(_SMALLEST, total // 32))
    ranges: list[Range] = []
    for number, each in enumerate(known):
        try:
            ranges += list(_cuts(each, number, target, settings.options))
        except UnidokuError as error:
            on_failure(error)
    return Plan(tuple(known), tuple(ranges), settings, target)


def _cuts(source: Identity | Attempts, number: int, target: int, options: RunOptions) -> Iterator[Range]:
    """Yield the ranges of one input; none of a file that cannot be read."""
    if isinstance(source, Attempts):
        step = max(1, target // Attempts.BYTES)
        for start in range(source.start, source.stop, step):
            yield Range(number, "attempts", start, min(start + step, source.stop))
    if isinstance(source, Attempts) or source.size < 0:
        return
    field = None
    with (
        ByteRange(source.url, 0, source.size, source.name) as content,
        Source(content, source.name) as head,
    ):
        if head.archive_kind() is not None:
            yield Range(number, "whole", 0, source.size)
            return
        row = choose_format(head, options.format)
        whole = head.compression is not None or source.size == 0 or row.name not in BY_LINES | {"parquet"}
        if row.name == "csv" and (b'"' in head.peek(HEAD) or source.size <= target):
            whole = True  # quoted fields may contain line ends; QuoteGuard finds those that come later
        if whole:
            yield Range(number, "whole", 0, source.size, row.name)
            return
        if row.name == "lines":
            # the layout of the first lines holds for all
            reader = row.reader()(head, options.for_reader(keep=options.keep))
            field = reader.column  # type: ignore[attr-defined]
    if row.name == "parquet":
        for begin, end, line, size in _row_groups(source, target):
            yield Range(number, "rows", begin, end, row.name, None, line, size)
        return
    # the first range has the header and comments before it
    first = target if row.name == "lines" else target * -(-HEAD // target)
    for start in (0, *range(first, source.size, target)):
        stop = min(source.size, start + (target if start else first))
        yield Range(number, "bytes", start, stop, row.name, field, None if start else 1)


def _row_groups(source: Identity, target: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield consecutive row groups of about the target size as stored: begin, end, first record, bytes."""
    from unidoku.arrow import pyarrow
    from unidoku.files.formats.columnar import import_parquet

    parquet, pa = import_parquet(), pyarrow()
    with ByteRange(source.url, 0, source.size, source.name) as content:
        try:
            data = parquet.ParquetFile(pa.PythonFile(content, "r")).metadata
        except (pa.ArrowException, OSError) as error:
            raise FormatError(
                f"not a Parquet file: {str(error).splitlines()[0]}", file=source.name
            ) from error
        start, held, rows, first = 0, 0, 0, 1
        for number in range(data.num_row_groups):
            group = data.row_group(number)
            size = sum(group.column(k).total_compressed_size for k in range(group.num_columns))
            if number > start and held + size > target:
                yield start, number, first, held
                start, held, first = number, 0, rows + 1
            held += size
            rows += group.num_rows
        yield start, data.num_row_groups, first, held
