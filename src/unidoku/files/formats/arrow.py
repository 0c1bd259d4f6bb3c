"""Arrow IPC files and streams (Feather 2), read record batch by record batch through PyArrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from typing import Any

from unidoku.arrow import pyarrow
from unidoku.errors import FormatError
from unidoku.files.base import Chunk
from unidoku.files.formats.columnar import ColumnarReader, named_errors

__all__ = ["ArrowReader", "record_batches"]


class ArrowReader(ColumnarReader):
    """Record batches of an Arrow IPC file or stream."""

    def open(self, head: bytes) -> tuple[Any, list[str]]:
        """Open the file or stream."""
        if head.startswith(b"FEA1"):
            raise FormatError("expected Arrow IPC (Feather version 2), found Feather version 1")
        ipc = pyarrow().ipc
        opened = (ipc.open_file if head.startswith(b"ARROW1") else ipc.open_stream)(self.file)
        return opened, opened.schema.names

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Read on; see `Reader`."""
        first = 0
        with closing(self.file):
            for record in self._records():
                begin = 0
                while begin < record.num_rows:
                    piece = record.slice(begin, max(1, target() // 82))
                    with named_errors(self.source):
                        batch = self.batch(piece, first + begin)
                    begin += piece.num_rows
                    yield batch
                first += record.num_rows

    def _records(self) -> Iterator[Any]:
        source = self.source
        records = record_batches(self.opened)
        for number in count(1):
            with named_errors(source):
                record = next(records, None)
                if record is None:
                    return
                # The content may be anything: offsets are not to be trusted unseen.
                record.validate(full=self.options.carries)
                if source.path is not None:
                    total = getattr(self.opened, "num_record_batches", None)
                    source.reached(
                        self.file.tell() if total is None else (source.size or 0) * number // total
                    )
                    source.expand(82 * record.num_rows)  # whose columns may be compressed
            yield record


def record_batches(opened: Any) -> Iterator[Any]:
    """Return the record batches of an open Arrow IPC file or stream."""
    if hasattr(opened, "num_record_batches"):
        return (opened.get_batch(number) for number in range(opened.num_record_batches))
    return iter(opened)
