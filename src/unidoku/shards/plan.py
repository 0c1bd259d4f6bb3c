"""The plan of a check: its inputs cut into shards, before they are read."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import asdict, dataclass, replace
from functools import partial

from unidoku.errors import InputError, UnidokuError
from unidoku.files.formats import choose_format
from unidoku.files.head import HEAD
from unidoku.files.source import Source
from unidoku.files.storage import ByteRange, Identity, identify
from unidoku.run.options import RunOptions
from unidoku.shards.parquet import row_groups

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


__all__ = ["Plan", "Shard", "plan_shards", "target_for"]

BY_LINES = frozenset({"lines", "csv", "tdoku", "stevehjohn", "exchange", "gsf"})
"""Formats with a record per line, which can be cut at any line end."""
_SMALLEST = 1 << 22
_LARGEST = 1 << 26


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of one input that is checked at once.

    Attributes
    ----------
    id : str
        Its number in the order of the output, and a hash of all that its result depends on.
    source : Identity
        The input.
    input : int
        Number of the input in the plan.
    kind : str
        ``bytes``: the lines whose first byte is among the bytes ``start`` to ``stop``; ``rows``: row
        groups ``start`` to ``stop`` of a Parquet file; ``whole``: everything.
    start, stop : int
    format : str
        Name of the reader.
    field : int or None
        The field of each line that holds the puzzle, as found at the beginning of the input.
    first_line : int or None
        Physical number of the first line (or record), from 1; None until the shards before are counted.
    """

    id: str
    source: Identity
    input: int
    kind: str
    start: int
    stop: int
    format: str
    field: int | None
    first_line: int | None = dataclasses.field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class PartFormat:
    """How parts are written.

    Attributes
    ----------
    suffix : str
        The format, as the end of a file name: ``.parquet``, ``.csv``, ``.jsonl.gz``, …
    header : bool
        Whether each part has a header of its own, as in a folder of CSV files.
    invalid : bool
        Whether messages about invalid lines are written beside each part.
    """

    suffix: str = ".parquet"
    header: bool = True
    invalid: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole job: the same inputs and options always give the same plan.

    Attributes
    ----------
    inputs : tuple of Identity
    shards : tuple of Shard
        In the order of the output.
    options : RunOptions
    format : PartFormat
    target_bytes : int
    version : str
        Version of unidoku.
    """

    inputs: tuple[Identity, ...]
    shards: tuple[Shard, ...]
    options: RunOptions
    format: PartFormat
    target_bytes: int
    version: str


def target_for(total: int) -> int:
    """Bytes that a shard should have, from the bytes of all inputs.

    About thirty shards keep one machine busy to the end.  A crash loses the shards in progress, so they have
    at most 64 MiB.  The size depends on the inputs alone, so that a resumed run cuts them the same way.
    """
    return min(_LARGEST, max(_SMALLEST, total // 32))


def plan_shards(
    inputs: Sequence[str],
    target_bytes: int | None = None,
    options: RunOptions | None = None,
    format: PartFormat | None = None,
    *,
    on_failure: Callable[[UnidokuError], None] | None = None,
) -> Plan:
    """Cut inputs into frozen shards.

    Parameters
    ----------
    inputs : sequence of str
        Paths or fsspec URLs; not standard input.
    target_bytes : int, optional
        About how large a shard should be; default 4 to 64 MiB, depending on the size of the inputs.
        A compressed file is one shard, however large.
    options : RunOptions, optional
    format : PartFormat, optional
    on_failure : callable, optional
        Called with the error of an input that does not exist or cannot be read; it then has no shards.
        Without it, the error is raised.

    Raises
    ------
    InputError
        An input does not exist, cannot be read, or is standard input.
    FormatError
        The format of an input cannot be recognised.
    MissingExtraError
        A URL or a format needs a library that is not installed.
    """
    from unidoku import __version__

    if "-" in inputs:
        raise InputError(
            "standard input cannot be cut into shards or read again; save it in a file first",
            file="<stdin>",
        )
    if target_bytes is not None and target_bytes < 1:
        raise ValueError("target_bytes must be at least 1")
    options, format = options or RunOptions(), format or PartFormat()
    known: list[Identity] = []
    for url in inputs:
        try:
            known.append(identify(url))
        except InputError as error:
            if on_failure is None:
                raise
            on_failure(error)
            known.append(Identity(url, url, -1, "missing", ""))
    target = target_bytes or target_for(sum(max(0, source.size) for source in known))
    shards: list[Shard] = []
    for index, source in enumerate(known):
        if source.size < 0:
            continue
        try:
            cuts = list(_cuts(source, index, target, options))
        except UnidokuError as error:
            if on_failure is None:
                raise
            on_failure(error)
            continue
        for cut in cuts:
            number = len(shards)
            fields = {name: getattr(cut, name) for name in _READ}
            identity = asdict(source)
            if not format.invalid:  # messages about invalid lines name the input
                del identity["name"]
            what = [number, identity, fields, options.to_json(), asdict(format), __version__]
            digest = hashlib.blake2b(json.dumps(what, sort_keys=True).encode(), digest_size=6).hexdigest()
            shards.append(replace(cut, id=f"{number:06d}-{digest}"))
    return Plan(tuple(known), tuple(shards), options, format, target, __version__)


_READ = ("kind", "start", "stop", "format", "field", "first_line")  # what a shard reads of its input


def _cuts(source: Identity, index: int, target: int, options: RunOptions) -> Iterator[Shard]:
    """Yield the shards of one input, without ids."""
    number = None
    cut = partial(Shard, "", source, index)
    with (
        ByteRange(source.url, 0, source.size, source.name) as content,
        Source(content, source.name) as head,
    ):
        row = choose_format(head, options.format)
        packed = head.compression is not None or source.size == 0
        if packed or row.name not in BY_LINES | {"parquet"}:
            yield cut("whole", 0, source.size, row.name, None, 1)
            return
        if row.name == "lines":
            # the layout of the first lines holds for all
            reader = row.reader()(head, options.for_reader(keep=options.keep))
            number = reader.column  # type: ignore[attr-defined]
        elif row.name == "csv" and (b'"' in head.peek(HEAD) or source.size <= target):
            # quoted fields may contain line ends; QuoteGuard finds those that come later
            yield cut("whole", 0, source.size, row.name, None, 1)
            return
    if row.name == "parquet":
        for begin, end, line in _row_groups(source, target):
            yield cut("rows", begin, end, row.name, None, line)
        return
    # the first shard has the header and comments before it
    first = target if row.name == "lines" else target * -(-HEAD // target)
    for start in (0, *range(first, source.size, target)):
        stop = min(source.size, start + (target if start else first))
        yield cut("bytes", start, stop, row.name, number, None if start else 1)


def _row_groups(source: Identity, target: int) -> Iterator[tuple[int, int, int]]:
    """Yield consecutive row groups of about the target size as stored: begin, end and first record."""
    start, held, rows, first = 0, 0, 0, 1
    groups = row_groups(source)
    for number, (count, size) in enumerate(groups):
        if number > start and held + size > target:
            yield start, number, first
            start, held, first = number, 0, rows + 1
        held += size
        rows += count
    yield start, len(groups), first
