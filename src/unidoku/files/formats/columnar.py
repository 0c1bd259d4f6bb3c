"""What the readers of Parquet and of Arrow files share: batches out of Arrow arrays.

The kernel reads Arrow's own buffers; other columns go to an Arrow output as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from typing import Any

import numpy as np

from unidoku.arrow import Piece, describe_reject, pieces, pyarrow, text_of, without_views
from unidoku.errors import FormatError, InputError, UnidokuError, naming
from unidoku.files.base import Batch, Column, Reader, ReadOptions, Reject, puzzle_column
from unidoku.files.source import Source
from unidoku.files.text import KEPT, escape

__all__ = ["ArrowColumn", "ColumnarReader", "named_errors"]

_SPOOLED = 1 << 20  # bytes copied at once from an input that is not a file


class ArrowColumn(Column):
    """A carried column that is an Arrow array; it is converted to text only for text outputs."""

    def __init__(self, name: str, array: Any) -> None:
        self.name = name
        self.array = array
        self.kind = "string"

    def renamed(self, name: str) -> ArrowColumn:
        """Return the same column under another name."""
        return ArrowColumn(name, self.array)

    def at(self, places: Any) -> ArrowColumn:
        """Return the values of some puzzles, given as an array of numbers."""
        return ArrowColumn(self.name, self.array.take(pyarrow().array(places)))

    @cached_property
    def _text(self) -> tuple[Any, Any, Any]:
        pa = pyarrow()
        try:
            strings = self.array.cast(pa.large_string())
        except pa.ArrowException:
            # Lists, structs, bytes that are not UTF-8: as Python shows them.
            values = [None if value is None else str(value) for value in self.array.to_pylist()]
            strings = pa.array(values, pa.large_string())
        if strings.null_count:
            strings = strings.fill_null("")
        _, offsets, text = strings.buffers()
        if not len(strings) or offsets is None:
            none = np.zeros(len(strings), np.int64)
            return b"", none, none
        places = np.frombuffer(offsets, np.int64)[strings.offset : strings.offset + len(strings) + 1]
        return b"" if text is None else memoryview(text).cast("B"), places[:-1], places[1:]

    @property
    def text(self) -> Any:
        """All values as one text; null is empty."""
        return self._text[0]

    @property
    def starts(self) -> Any:
        """Where each begins."""
        return self._text[1]

    @property
    def ends(self) -> Any:
        """Where each ends."""
        return self._text[2]


class ColumnarReader(Reader):
    """A reader of a file that PyArrow opens; the puzzles are in column number `index`."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        with named_errors(source), ExitStack() as stack:
            head = source.peek(6)
            self.file = _seekable_file(source)
            stack.callback(self.file.close)
            self.opened, names = self.open(head)
            self.index = puzzle_column(names, options.column)
            stack.pop_all()

    def open(self, head: bytes) -> tuple[Any, list[str]]:
        """Open the file that begins with these bytes; return it with the names of its columns."""
        raise NotImplementedError

    def batch(self, record: Any, first: int) -> Batch:
        """Make a batch of rows that are `first` records after the beginning."""
        array = record.column(self.index)
        found = list(pieces(array))
        if len(found) > 1:
            # Views into several buffers; a batch has one.
            array = without_views(array)
            found = list(pieces(array))
        piece = found[0] if found else Piece(0, 0, b"", np.empty(0, np.int64), np.empty(0, np.int64), [], [])
        rejects = []
        for before, row, code, extra in piece.rejects:
            text = text_of(array, row)
            expected, what = describe_reject(code, extra, text)
            shown = text[:KEPT].encode("utf-8", "backslashreplace")
            rejects.append(Reject(before, first + row + 1, 1, shown, expected=expected, found=what))
        others = []
        if self.options.carries:
            rows = pyarrow().array(piece.rows) if rejects else None
            for number, (name, other) in enumerate(zip(record.schema.names, record.columns, strict=True)):
                if number != self.index:
                    whole = without_views(other)
                    others.append(ArrowColumn(name, whole if rows is None else whole.take(rows)))
        return Batch(
            self.source.name,
            piece.text,
            piece.starts,
            piece.rows + (first + 1),
            marked=piece.marked,
            rejects=rejects,
            columns=others,
        )


@contextmanager
def named_errors(source: Source) -> Iterator[None]:
    """Convert PyArrow's errors to our own, with the name of the file."""
    pa = pyarrow()
    try:
        with naming(source.name):
            yield
    except UnidokuError:
        raise
    except pa.ArrowInvalid as error:
        raise FormatError(
            f"expected Arrow or Parquet data: {_first_line(error)}", file=source.name
        ) from error
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        raise InputError(_first_line(error), file=source.name) from error


def _first_line(error: BaseException) -> str:
    # PyArrow quotes what it finds in a damaged file.
    return escape((str(error).splitlines() or [type(error).__name__])[0][:1000])


def _seekable_file(source: Source) -> Any:
    """Return a file in which PyArrow can seek: the source's own, or a temporary copy of a stream.

    It is never mapped into memory: the process would be killed (SIGBUS) if another one shortened the file.
    """
    pa = pyarrow()
    if source.path is not None:
        return pa.OSFile(source.path)
    if source.seekable():
        source.seek(0)
        return pa.PythonFile(source, "r")
    import shutil
    import tempfile

    spool = tempfile.TemporaryFile()  # noqa: SIM115 - closed by the reader
    try:
        shutil.copyfileobj(source, spool, _SPOOLED)
        spool.seek(0)
    except BaseException:
        spool.close()
        raise
    return pa.PythonFile(spool, "r")
