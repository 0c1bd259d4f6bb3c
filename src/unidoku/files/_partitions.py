"""Partitions of large files: lines, or row groups of Parquet, that workers read at the same time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from unidoku.errors import UnidokuError, naming
from unidoku.files._chunks import Partition, Reading
from unidoku.files._recognition import open_reader
from unidoku.files._source import open_source


def divide(name: str, settings: Reading, size: int) -> list[Partition]:
    """Return the partitions of a file, of about `size` bytes; none if it can only be read as a whole."""
    with suppress(UnidokuError), open_source(name) as source, naming(name):  # an error comes when it is read
        if source.archive_kind() is None:
            return open_reader(source, settings).partitions(size)
    return []


def count_lines(settings: Reading, partition: Partition) -> int | None:
    """Return how many lines a partition has; None if one of its ends may be within a record."""
    with open_source(partition.file) as source, naming(partition.file):
        return open_reader(source, settings).lines_in(partition)


def numbered(partitions: Sequence[Partition], lines: Mapping[Partition, int | None]) -> list[Partition]:
    """Return partitions with the lines before each one; none if an end may be within a record."""
    found, line = list[Partition](), 0
    for partition in partitions:
        if partition.line is not None:
            line = partition.line
        found.append(partition._replace(line=line))
        if partition is not partitions[-1]:
            count = lines.get(partition, 0)
            if count is None:
                return []
            line += count
    return found
