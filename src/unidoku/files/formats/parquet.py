"""Parquet files, read row group by row group through PyArrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from unidoku.arrow import pyarrow
from unidoku.files.base import Batch, Chunk, ReadOptions
from unidoku.files.formats.columnar import ColumnarReader, named_errors
from unidoku.files.source import Source

__all__ = ["ParquetReader", "import_parquet"]

ROWS_MOST = 1 << 18  # a row group with more rows is decoded by the reading thread in batches
ROWS = 12_500  # of a batch: a mebibyte of puzzles


class ParquetReader(ColumnarReader):
    """Row groups of a Parquet file; small ones are decoded by the workers."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        self.names: list[str] | None = None  # all columns
        if not options.carries:
            self.names, self.index = [self.opened.schema_arrow.names[self.index]], 0
        with named_errors(source):
            data = self.opened.metadata
            self._rows = [data.row_group(number).num_rows for number in range(data.num_row_groups)]
        self._firsts = [0, *accumulate(self._rows)]

    def open(self, head: bytes = b"") -> tuple[Any, list[str]]:
        """Open the file, for the calling thread."""
        opened = import_parquet().ParquetFile(self.source.path or self.file, memory_map=False)
        return opened, opened.schema_arrow.names

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Read on; see `Reader`."""
        size, total = self.source.size or 0, max(1, self._firsts[-1])
        with closing(self.file):
            for group in self.source.part.groups or range(len(self._rows)):
                shared = self.source.path is not None
                if shared:
                    self.source.reached(size * self._firsts[group + 1] // total)
                    self.source.expand(82 * self._rows[group])
                if shared and self._rows[group] <= ROWS_MOST:
                    yield GroupChunk(self, group)
                else:
                    yield from self.group_batches(group, self.opened, max(1, min(ROWS, target() // 82)))

    def group_batches(self, group: int, parquet: Any, rows: int = ROWS) -> Iterator[Batch]:
        """One row group as batches of this number of rows."""
        first = self._firsts[group]
        with named_errors(self.source):
            records = parquet.iter_batches(rows, row_groups=[group], columns=self.names, use_threads=False)
        while True:
            with named_errors(self.source):
                record = next(records, None)
                if record is None:
                    return
                batch = self.batch(record, first)
            first += record.num_rows
            yield batch


@dataclass(slots=True)
class GroupChunk(Chunk):
    """A row group, decoded by the thread that solves it."""

    reader: ParquetReader
    group: int

    def batches(self, scratch: dict[str, Any]) -> Iterator[Batch]:
        """Decode the row group piece by piece, from the file as this thread has opened it."""
        kept = scratch.get("parquet")
        if kept is None or kept[0] is not self.reader:
            with named_errors(self.reader.source):
                kept = scratch["parquet"] = (self.reader, self.reader.open()[0])
        return self.reader.group_batches(self.group, kept[1])


def import_parquet() -> Any:
    """PyArrow's Parquet module."""
    pyarrow()
    from pyarrow import parquet  # type: ignore[import-untyped, import-not-found, unused-ignore]

    return parquet
