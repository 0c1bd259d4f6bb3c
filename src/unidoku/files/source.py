"""Inputs as files of bytes: local paths, URLs, standard input and open files, decompressed by content."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from stat import S_ISREG
from typing import Any, BinaryIO

from unidoku.errors import InputError, UnidokuError, naming
from unidoku.files.codecs import detect, open_compressed
from unidoku.files.storage import filesystem, is_pattern, is_remote, local_path, reading

RATIO = 1000
"""Largest ratio of decompressed to stored bytes of an input; files of puzzles have 3 to 10."""

FREE = 1 << 30
"""Decompressed bytes that an input of any size may have."""

PIECE = 1 << 16
"""Bytes of one read, except into buffers."""

PUZZLE_BYTES = 82
"""Size of a puzzle where work is measured in bytes: a line of 81 cells."""

_DECODE_BYTES = (
    1 << 14
)  # bytes decompressed at once: ISA-L loses as many before the end of a file that is cut off


class Source(io.RawIOBase):
    """A named file of bytes, with `peek`; an `InputError` comes after all readable bytes.

    Attributes
    ----------
    name : str
    size : int or None
        Stored bytes of the file, if known.
    path : str or None
        The local file with the same bytes, which can be opened again.
    kind : str
        Kind of compression; ``"archive"`` for a member of an archive; empty for a stored file.
    line : int
        Physical lines (or records) read, counted by readers.
    failure : InputError or None
        The error after the last readable byte.
    """

    def __init__(
        self,
        file: Any,
        name: str,
        *,
        origin: Source | None = None,
        kind: str = "",
        path: str | None = None,
        close_file: bool = True,
    ) -> None:
        self.name, self.kind, self.path = name, kind, path
        self.size: int | None = None
        self.line = 0
        self.failure: InputError | None = None
        self._file = file
        self._close_file = close_file
        self._origin = origin  # the stored file
        self._begin = origin.position if origin is not None and kind == "archive" else 0
        self._count = 0  # bytes read from the file
        self._decompressed = 0  # bytes
        self._head = b""  # read ahead
        self._at_end = False
        # At the end of a terminal's input, readinto() would wait for a second Ctrl-D.
        self._readinto = getattr(file, "readinto1", None) or getattr(file, "readinto", None)
        self._start: int | None = None  # the first position, where it can be moved
        if origin is None:
            with suppress(AttributeError, OSError, TypeError, ValueError):
                status = os.fstat(file.fileno())
                self.size = status.st_size if S_ISREG(status.st_mode) else None
            with suppress(AttributeError, OSError, ValueError):
                self._start = int(file.tell()) if file.seekable() else None
        if self.size is None:
            self.path = None  # a pipe is read once

    @property
    def position(self) -> int:
        """Stored bytes of the file, or of its archive, that have been returned."""
        return self.tell() if self._origin is None else max(0, self._origin.position - self._begin)

    def archive_kind(self) -> str | None:
        """Return ``"zip"``, ``"tar"`` or None, by the first bytes; ``.npz`` is no archive."""
        head = self.peek(512)
        if not self.name.lower().endswith(".npz") and head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
            return "zip"
        return "tar" if head[257:262] == b"ustar" else None

    def expand(self, count: int) -> None:
        """Count decompressed bytes; raise an `InputError` if the input becomes too large."""
        if self._origin is not None:  # all members of an archive together
            self._origin.expand(count)
            return
        self._decompressed += count
        if self._decompressed > max(FREE, RATIO * max(self._count, self.size or 0)):
            raise InputError(f"decompressed to more than {RATIO} times its size", file=self.name)

    def advance(self, position: int, decompressed: int) -> None:
        """Set the position of a format that decompresses itself, and count the bytes since the last call."""
        self._count, self._head = position, b""
        self.expand(decompressed)

    def peek(self, count: int) -> bytes:
        """Return the next bytes without consuming them; fewer only at the end or before a failure."""
        while len(self._head) < count and (piece := self._read(max(PIECE, count) - len(self._head))):
            self._head += piece
        return self._head[:count]

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer; return fewer bytes only before the end or an `InputError`."""
        view = memoryview(buffer).cast("B")
        filled = min(len(self._head), len(view))
        view[:filled], self._head = self._head[:filled], self._head[filled:]
        while filled < len(view) and (count := self._fill(view[filled:])):
            filled += count
        if not filled and len(view) and self.failure is not None:
            raise self.failure
        return filled

    def _read(self, size: int) -> bytes:
        piece = bytearray(size)
        return bytes(memoryview(piece)[: self._fill(memoryview(piece))])

    def _fill(self, view: memoryview) -> int:
        """Read at least one byte into a view; return 0 at the end or at a `failure`."""
        if self._at_end:  # a terminal would ask for a second end of input
            return 0
        try:
            if self.kind:
                view = view[:_DECODE_BYTES]
            if self._readinto is not None:
                count = self._readinto(view) or 0
            else:
                piece = self._file.read(len(view)) or b""
                count = len(piece)
                view[:count] = piece
            self._count += count
            if self._origin is not None:
                self._origin.expand(count)
        except MemoryError:
            raise
        except UnidokuError as error:
            count, self.failure = 0, InputError(error.message, file=error.file or self.name)
        except Exception as error:  # each library and file system has its own
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            if self.kind:
                reason = f"{'corrupt data' if self.kind == 'archive' else self.kind}: {reason}"
            else:
                reason = f"{reason} after {self._count} bytes"
            self.failure = InputError(reason, file=self.name)
            self.failure.__cause__ = error
            count = 0
        self._at_end = not count
        return count

    def fileno(self) -> int:
        """Return the descriptor of the file."""
        return int(self._file.fileno())

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return whether it can be read at any position: no stream, no compressed file."""
        return self._start is not None

    def tell(self) -> int:
        """Return the position in decompressed bytes."""
        return self._count - len(self._head)

    def seek(self, offset: int, whence: int = 0) -> int:
        """Move from the beginning or the end; only forwards from the beginning if not seekable."""
        if self._start is not None:
            position = self._file.seek(offset + (self._start if whence == 0 else 0), whence)
            self._count, self._head = int(position) - self._start, b""
            self.failure, self._at_end = None, False
        while self.tell() < offset and self.read(min(offset - self.tell(), PIECE)):
            pass
        return self.tell()

    def close(self) -> None:
        """Close the file, if it was opened here, and its stored file."""
        if self._close_file:
            self._file.close()
        if self._origin is not None and self.kind != "archive":
            self._origin.close()
        super().close()


def decompress(stored: Source) -> Source:
    """Decompress a stored file if it is compressed."""
    with naming(stored.name):
        kind = detect(stored.peek(16))
        if kind is None:
            return stored
        content = open_compressed(kind, io.BufferedReader(stored, PIECE))
    return Source(content, stored.name, origin=stored, kind=kind)


def open_source(source: str | os.PathLike[str] | BinaryIO | Source) -> Source:
    """Open a path, a URL, standard input (``-``) or an open file; a `Source` is returned as it is."""
    if isinstance(source, Source):
        return source
    if not isinstance(source, str | os.PathLike):
        name = str(getattr(source, "name", "<stream>"))
        if isinstance(source, io.TextIOBase):
            raise InputError("expected a file open in binary mode, found one in text mode", file=name)
        if getattr(source, "closed", False):
            raise InputError("the file is closed", file=name)
        return decompress(Source(source, name, close_file=False))
    name = path = os.fspath(source)
    if path == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed", file="<stdin>")
        return decompress(Source(sys.stdin.buffer, "<stdin>", close_file=False))
    if "://" in name:
        if is_remote(name):
            fs, remote = filesystem(name)
            with reading(name):
                return decompress(Source(fs.open(remote, "rb"), name))
        path = str(local_path(name))
    try:
        file = open(path, "rb", buffering=0)  # noqa: SIM115
    except (OSError, ValueError) as error:
        local_path(path)  # an error if this cannot be a name at all
        reason = getattr(error, "strerror", None) or str(error)
        if os.path.isdir(path):
            reason = "the folder has no file of a known format"
        elif is_pattern(path) and not os.path.exists(path):
            reason = "no file matches the pattern"
        raise InputError(reason, file=name) from error
    stored = Source(file, name, path=path)
    try:
        return decompress(stored)
    except BaseException:
        stored.close()
        raise
