"""Opening an input: a path, ``-`` or a binary file object; compressed or not, by content."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, BinaryIO

from unidoku.errors import InputError

if TYPE_CHECKING:
    from unidoku.files.compression import Bounds

__all__ = ["Source", "open_source"]


class Source:
    """A named stream of bytes, decompressed.

    Attributes
    ----------
    name : str
        For messages; ``-`` is called ``<stdin>``.
    path : str or None
        The file, where it is one.
    compression : str or None
        ``gzip``, ``bz2``, ``xz``, ``zstd`` or none.
    size : int or None
        Bytes of the file as stored, where that is known.
    line : int
        How many physical lines (or records) lie behind; not 0 to begin with where the source is a stretch
        out of the middle of a file. Readers of lines keep it up to date.
    field : int, optional
        In which field the lines have their puzzle (0: where they begin), when that is known already.
    head : bytes, optional
        The first bytes of the file, where the source is a stretch out of its middle.
    groups : sequence of int, optional
        Which row groups of a Parquet file are meant; all where it is None.
    file : object, optional
        The whole input as a seekable file, for formats that need one and inputs that have no path.
    """

    def __init__(
        self,
        raw: Any,
        name: str,
        *,
        path: str | None = None,
        owned: bool = True,
        bounds: Bounds | None = None,
    ) -> None:
        from unidoku.files.compression import Counted, detect, unpack

        self.name = name
        self.path = path
        self._raw = raw
        self._owned = owned
        self._counted = Counted(raw, name)
        self.size = _size(raw)
        self.compression = detect(self._counted.peek(16))
        self._stream: Any = (
            unpack(self._counted, self.compression, bounds) if self.compression else self._counted
        )
        self.line = 0
        self.field: int | None = None
        self.head: bytes | None = None
        self.groups: Any = None
        self.file: Any = None
        self._head = b""
        self._failure: Exception | None = None
        self._ended = False

    @property
    def position(self) -> int:
        """Bytes of the file as stored that have been read."""
        return self._counted.position

    def reached(self, position: int) -> None:
        """Tell how far a reader has come that opens the file itself."""
        self._counted.position = position

    def peek(self, count: int) -> bytes:
        """The next bytes (fewer only at the end or before a failure), without taking them."""
        while len(self._head) < count and self._failure is None and not self._ended:
            piece = bytearray(count - len(self._head))
            try:
                got = self._stream.readinto(memoryview(piece))
            except InputError as error:
                # It is raised when reading gets there.
                self._failure = error
                break
            if not got:
                self._ended = True
                break
            self._head += piece[:got]
        return self._head[:count]

    def readinto(self, view: memoryview) -> int:
        """Fill the view; less than asked only at the end, 0 when nothing is left.

        Raises
        ------
        InputError
            When the input cannot be read or decompressed further; what came before has been handed out.
        """
        filled = min(len(self._head), len(view))
        if filled:
            view[:filled] = self._head[:filled]
            self._head = self._head[filled:]
        while filled < len(view) and not self._ended:
            if self._failure is not None:
                if filled:
                    break
                raise self._failure
            try:
                got = self._stream.readinto(view[filled:])
            except InputError as error:
                self._failure = error
                continue
            if not got:
                # A terminal would ask for a second end of input.
                self._ended = True
                break
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
    """Open a path, ``-`` for standard input, or take a binary file object; a `Source` is taken as it is.

    Raises
    ------
    InputError
        When it cannot be opened.
    MissingExtraError
        When it is compressed with zstd and no decoder is installed.
    """
    if isinstance(source, Source):
        return source
    if not isinstance(source, str | os.PathLike):
        return Source(source, str(getattr(source, "name", "<stream>")), owned=False, bounds=bounds)
    path = os.fspath(source)
    if path == "-":
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


def _size(raw: Any) -> int | None:
    try:
        return os.fstat(raw.fileno()).st_size or None
    except (OSError, AttributeError, ValueError):
        return None
