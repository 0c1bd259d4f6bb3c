"""Opening one input: a path, ``-``, a URL or a binary file object; decompressed by content."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from unidoku.errors import InputError, naming

if TYPE_CHECKING:
    from unidoku.files.compression import Bounds, InputCost

__all__ = ["BorrowedFile", "Slice", "Source", "open_source"]


@dataclass(frozen=True, slots=True)
class Slice:
    """Which part of a file a reader is to read, where that is not the whole file.

    Attributes
    ----------
    first_line : int
        Physical number of the first line (or record), from 1.
    field : int or None
        Which field of the lines holds the puzzle (0: a puzzle begins with its line), where that is known
        from the beginning of the file.
    head : bytes or None
        The first bytes of the file, where the slice begins later: the header and the signs of the format.
    groups : sequence of int or None
        Row groups of a Parquet file; None: all.
    """

    first_line: int = 1
    field: int | None = None
    head: bytes | None = None
    groups: range | None = None


class Source:
    """A named stream of bytes, decompressed.

    Parameters
    ----------
    raw : binary file
        Needs ``readinto`` or ``read``.
    name : str
    path : str, optional
    owned : bool
        Whether closing the source closes ``raw``.
    bounds : Bounds, optional
        How much work the input may cause if it is compressed.
    part : Slice, optional
        What the bytes are, where they are not a whole file.
    cost : InputCost, optional
        Counts the work where the source is a member of an archive; instead of ``bounds``.
    stored : callable, optional
        Maps the bytes read from ``raw`` to bytes of the file as stored.

    Attributes
    ----------
    name : str
        For messages; ``-`` is called ``<stdin>``.
    path : str or None
        The local file, where it is one.
    compression : str or None
        ``gzip``, ``bz2``, ``xz``, ``zstd`` or none.
    size : int or None
        Bytes of the file as stored, where that is known.
    part : Slice
    line : int
        How many physical lines (or records) have been read, those before the slice included. Readers of
        lines keep it up to date.
    cost : InputCost
    """

    def __init__(
        self,
        raw: Any,
        name: str,
        *,
        path: str | None = None,
        owned: bool = True,
        bounds: Bounds | None = None,
        part: Slice | None = None,
        cost: InputCost | None = None,
        stored: Callable[[int], int] | None = None,
    ) -> None:
        from unidoku.files.compression import Bounds, Counted, InputCost, Unpacked, detect

        self.name = name
        self.path = path
        self._raw = raw
        self._owned = owned
        self._stored = stored
        self._start = _position(raw)
        self._counted = Counted(raw, name)
        self.size = _size(raw)
        head = b""
        while len(head) < 16 and (piece := self._counted.read(16 - len(head))):
            head += piece
        self.compression = detect(head)
        self.cost = cost or InputCost(bounds or Bounds(), lambda: self.position)
        self._stream: Any = self._counted
        if self.compression is not None:
            self._stream, head = Unpacked(self._counted, self.compression, self.cost, head), b""
        self.part = part or Slice()
        self.line = self.part.first_line - 1
        self._head = memoryview(head)  # what is read and not yet handed out
        self._failure: Exception | None = None
        self._ended = False

    @property
    def position(self) -> int:
        """Bytes of the file as stored that have been read."""
        position = self._counted.position
        return position if self._stored is None else self._stored(position)

    def seekable(self) -> BorrowedFile | None:
        """Return the input as a file that can be read at any position; None for streams and compressed files.

        It is for formats that need such a file; reading it moves the position of the source.
        """
        if self.compression is not None or self._start is None:
            return None
        return BorrowedFile(self._raw, self._start)

    def count_work(self, cost: int) -> None:
        """Count what is parsed and is not a puzzle towards the bounds, if the input is compressed.

        Raises
        ------
        InputError
            When the input costs more than it may.
        """
        if self.compression is not None or self._stored is not None:
            with naming(self.name):
                self.cost.count_work(cost)

    def reached(self, position: int) -> None:
        """Set the position; for readers that open the file themselves."""
        self._counted.position = position

    def peek(self, count: int) -> bytes:
        """Return the next bytes, without consuming them; fewer only at the end or before a failure."""
        if len(self._head) < count:
            head = bytearray(count)
            filled = self._fill(memoryview(head))
            self._head = memoryview(bytes(head[:filled]))
        return bytes(self._head[:count])

    def readinto(self, view: memoryview) -> int:
        """Fill the view; partly only at the end, 0 if nothing is left.

        Raises
        ------
        InputError
            When the input cannot be read or decompressed further; what came before has been handed out.
        """
        filled = self._fill(view)
        if not filled and len(view) and self._failure is not None:
            raise self._failure
        return filled

    def _fill(self, view: memoryview) -> int:
        """Fill the view; partly only at the end or before a failure, which is kept."""
        filled = min(len(self._head), len(view))
        view[:filled] = self._head[:filled]
        self._head = self._head[filled:]
        while filled < len(view) and not self._ended:
            try:
                got = self._stream.readinto(view[filled:])
            except InputError as error:
                self._failure, got = error, 0
            self._ended = not got  # a terminal would ask for a second end of input
            filled += got
        return filled

    def close(self) -> None:
        """Close what was opened here."""
        if self._owned:
            self._raw.close()

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_source(source: str | os.PathLike[str] | BinaryIO | Source, bounds: Bounds | None = None) -> Source:
    """Open one input; see `unidoku.files.inputs` for folders, patterns and archives.

    Parameters
    ----------
    source : path, binary file or Source
        ``-`` is standard input; a URL is opened by fsspec; a `Source` is returned as it is.
    bounds : Bounds, optional
        How much work a compressed input may cause.

    Raises
    ------
    InputError
        When it cannot be opened.
    MissingExtraError
        When it is compressed with zstd and no decoder is installed, or a URL needs a missing library.
    """
    if isinstance(source, Source):
        return source
    if not isinstance(source, str | os.PathLike):
        return Source(source, str(getattr(source, "name", "<stream>")), owned=False, bounds=bounds)
    path = os.fspath(source)
    if path == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed", file="<stdin>")
        return Source(sys.stdin.buffer, "<stdin>", owned=False, bounds=bounds)
    if "://" in path:
        from unidoku.files.storage import ByteRange, stat

        return Source(ByteRange(path, 0, stat(path)[0]), path, bounds=bounds)
    try:
        raw = open(path, "rb", buffering=0)  # noqa: SIM115
    except OSError as error:
        raise InputError(error.strerror or str(error), file=path) from error
    try:
        return Source(raw, path, path=path, bounds=bounds)
    except BaseException:
        raw.close()
        raise


class BorrowedFile(io.RawIOBase):
    """A file object from its present position on; closing it leaves the object open.

    Parameters
    ----------
    raw : binary file
    start : int
        Where it begins in ``raw``.
    """

    def __init__(self, raw: Any, start: int) -> None:
        super().__init__()
        self._raw = raw
        self._start = start
        raw.seek(start)

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        """Move as files do."""
        return int(self._raw.seek(offset + (self._start if whence == 0 else 0), whence)) - self._start

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer, or a part of it."""
        view = memoryview(buffer).cast("B")
        piece = self._raw.read(len(view)) or b""
        view[: len(piece)] = piece
        return len(piece)


def _position(raw: Any) -> int | None:
    """Return the position in a seekable file; None if it cannot seek."""
    try:
        return int(raw.tell()) if raw.seekable() else None
    except (AttributeError, OSError, ValueError):
        return None


def _size(raw: Any) -> int | None:
    try:
        return os.fstat(raw.fileno()).st_size or None
    except (OSError, AttributeError, ValueError):
        return None
