"""Parquet files, read row group by row group through PyArrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from unidoku.arrow import pyarrow
from unidoku.files.base import Batch, Chunk, Reader, ReadOptions, puzzle_column
from unidoku.files.formats.columnar import batch_of, named_errors, seekable_file
from unidoku.files.source import Source

__all__ = ["ParquetReader", "import_parquet"]

ROWS_MOST = 1 << 18  # a row group with more rows is decoded by the reading thread in batches
ROWS = 12_500  # of a batch: a mebibyte of puzzles


class ParquetReader(Reader):
    """Row groups of a Parquet file; small ones are decoded by the workers."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        import_parquet()
        with named_errors(source), ExitStack() as stack:
            self._file = seekable_file(source)
            stack.callback(self._file.close)
            self.parquet = self.open()
            schema = self.parquet.schema_arrow
            self.index = puzzle_column(schema.names, options.column)
            indices = range(len(schema.names)) if options.carries else [self.index]
            self.names = [schema.names[i] for i in indices]
            self.index = self.names.index(schema.names[self.index])
            rows = [self.parquet.metadata.row_group(i).num_rows for i in range(self.parquet.num_row_groups)]
            stack.pop_all()
        self._firsts = np.cumsum([0, *rows]).tolist()
        self._rows = rows
        self.groups = range(len(rows)) if source.part.groups is None else source.part.groups

    def open(self) -> Any:
        """Open the file for the calling thread."""
        parquet = import_parquet()
        return parquet.ParquetFile(self.source.path or self._file, memory_map=False)

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Read on; see `Reader`."""
        size, total = self.source.size or 0, max(1, self._firsts[-1])
        with closing(self._file):
            for group in self.groups:
                shared = self.source.path is not None
                if shared:
                    self.source.reached(size * self._firsts[group + 1] // total)
                    self.source.expand(82 * self._rows[group])
                if shared and self._rows[group] <= ROWS_MOST:
                    yield GroupChunk(self, group)
                else:
                    yield from self.group_batches(group, self.parquet, max(1, min(ROWS, target() // 82)))

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
                batch = self._batch(record.columns, record.schema.names, first)
            first += record.num_rows
            yield batch

    def _batch(self, columns: Sequence[Any], names: Sequence[str], first: int) -> Batch:
        index = list(names).index(self.names[self.index])
        return batch_of(self.source.name, columns, names, index, first=first, carry=self.options.carries)


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
                kept = scratch["parquet"] = (self.reader, self.reader.open())
        return self.reader.group_batches(self.group, kept[1])


def import_parquet() -> Any:
    """PyArrow's Parquet module."""
    pyarrow()
    from pyarrow import parquet  # type: ignore[import-untyped, import-not-found, unused-ignore]

    return parquet
