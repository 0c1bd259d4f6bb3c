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
"""The most decompressed bytes for each byte of a compressed input; files of puzzles have 3 to 10."""

FREE = 1 << 30
"""Decompressed bytes that every input may have, however small it is."""

PIECE = 1 << 16
"""Bytes read at once where they are not read in place."""

PUZZLE_BYTES = 82
"""What a puzzle counts as where work is measured in bytes: a line of 81 cells."""

_DECODED = 1 << 14  # bytes decompressed at once: ISA-L loses as many before the end of a file that is cut off


class Source(io.RawIOBase):
    """A named file of bytes that can be peeked at; an `InputError` comes after all that is readable.

    Attributes
    ----------
    name : str
    size : int or None
        Bytes of the file as stored, where that is known.
    path : str or None
        Where the same bytes are in a local file, which can be opened again.
    kind : str
        Kind of compression; ``"archive"`` for a member of one; empty for a file as it is stored.
    line : int
        Physical lines (or records) read; readers of lines keep it.
    failure : InputError or None
        Why nothing comes after what has been read, where that is not the end.
    """

    def __init__(
        self,
        file: Any,
        name: str,
        *,
        origin: Source | None = None,
        kind: str = "",
        path: str | None = None,
        owned: bool = True,
    ) -> None:
        self.name, self.kind, self.path = name, kind, path
        self.size: int | None = None
        self.line = 0
        self.failure: InputError | None = None
        self._file = file
        self._owned = owned  # it is closed with this
        self._origin = origin  # what it is decompressed from
        self._begin = origin.position if origin is not None and kind == "archive" else 0
        self._count = 0  # bytes read from the file
        self._expanded = 0  # decompressed bytes of this file
        self._head = b""  # read and not yet handed out
        self._ended = False
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
        """Bytes of the file (of the archive, if it is a member) as stored that have been handed out."""
        return self.tell() if self._origin is None else max(0, self._origin.position - self._begin)

    def archive_kind(self) -> str | None:
        """``"zip"``, ``"tar"`` or None, by the first bytes; a zip archive of arrays is a table."""
        head = self.peek(512)
        if not self.name.lower().endswith(".npz") and head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
            return "zip"
        return "tar" if head[257:262] == b"ustar" else None

    def expand(self, count: int) -> None:
        """Count more decompressed bytes; an `InputError` says that the input becomes too large."""
        if self._origin is not None:  # all members of an archive together
            self._origin.expand(count)
            return
        self._expanded += count
        if self._expanded > max(FREE, RATIO * max(self._count, self.size or 0)):
            raise InputError(f"decompressed to more than {RATIO} times its size", file=self.name)

    def reached(self, position: int, expanded: int) -> None:
        """Count what a format reads and decompresses itself: up to this position, this many bytes more."""
        self._count, self._head = position, b""
        self.expand(expanded)

    def peek(self, count: int) -> bytes:
        """Return the next bytes, without consuming them; fewer only at the end or before a failure."""
        while len(self._head) < count and (piece := self._read(max(PIECE, count) - len(self._head))):
            self._head += piece
        return self._head[:count]

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer, partly only before the end or before an `InputError`; 0 if nothing is left."""
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
        """Read at least a byte into a view; 0 at the end or before a failure, which is kept."""
        if self._ended:  # a terminal would ask for a second end of input
            return 0
        try:
            if self.kind:
                view = view[:_DECODED]
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
        self._ended = not count
        return count

    def fileno(self) -> int:
        """Return the descriptor of the file, if it has one."""
        return int(self._file.fileno())

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return whether it can be read at any position: not a stream or a compressed file."""
        return self._start is not None

    def tell(self) -> int:
        """Return the position, in decompressed bytes."""
        return self._count - len(self._head)

    def seek(self, offset: int, whence: int = 0) -> int:
        """Move from the beginning or the end; only forwards, from the beginning, if it is not seekable."""
        if self._start is not None:
            place = self._file.seek(offset + (self._start if whence == 0 else 0), whence)
            self._count, self._head = int(place) - self._start, b""
            self.failure, self._ended = None, False
        while self.tell() < offset and self.read(min(offset - self.tell(), PIECE)):
            pass
        return self.tell()

    def close(self) -> None:
        """Close what was opened here."""
        if self._owned:
            self._file.close()
        if self._origin is not None and self.kind != "archive":
            self._origin.close()
        super().close()


def decompressed(stored: Source) -> Source:
    """Return the content of a file as stored, which may be compressed."""
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
        return decompressed(Source(source, name, owned=False))
    name = path = os.fspath(source)
    if path == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed", file="<stdin>")
        return decompressed(Source(sys.stdin.buffer, "<stdin>", owned=False))
    if "://" in name:
        if is_remote(name):
            fs, remote = filesystem(name)
            with reading(name):
                return decompressed(Source(fs.open(remote, "rb"), name))
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
        return decompressed(stored)
    except BaseException:
        stored.close()
        raise
