"""An open input (a path, ``-``, a URL or a file object), decompressed by content."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from stat import S_ISREG
from typing import Any, BinaryIO

from unidoku.errors import InputError, UnidokuError, naming
from unidoku.files.codecs import detect, open_compressed

RATIO = 1000
"""The most decompressed bytes for each byte of a compressed input; files of puzzles have 3 to 10."""

FREE = 1 << 30
"""Decompressed bytes that every input may have, however small it is."""

PIECE = 1 << 16
"""Bytes read, and decompressed, at once: they stay in the cache."""

_DECODED = 1 << 14  # bytes decompressed at once: ISA-L loses as many before the end of a file that is cut off

PUZZLE_BYTES = 82
"""What a puzzle counts as where work is measured in bytes: a line of 81 cells."""


class Source(io.RawIOBase):
    """A named stream of bytes, decompressed.

    The raw file is at `path`, where it is a local one, or a member of an `archive`; it is closed with the
    source if it is `owned`.
    """

    def __init__(
        self,
        raw: Any,
        name: str,
        *,
        path: str | None = None,
        owned: bool = True,
        archive: Source | None = None,
    ) -> None:
        self.name = name
        self._raw = raw
        self._owned = owned
        self._archive = archive
        self._begin = 0 if archive is None else archive.position
        self._start: int | None = None
        with suppress(AttributeError, OSError, ValueError):
            self._start = int(raw.tell()) if archive is None and raw.seekable() else None
        self.size: int | None = None
        """Bytes of the file as stored, where that is known."""
        with suppress(AttributeError, OSError, TypeError, ValueError):
            status = os.fstat(raw.fileno())
            self.size = status.st_size if S_ISREG(status.st_mode) else None
        self._expanded = 0  # decompressed bytes, those of all members included
        self._stored = _Stored(raw, archive)
        with naming(name):
            head = self._stored.begin(16)
        self.compression = detect(head)
        self.path = path if self.compression is None and self.size is not None else None
        """Where the same bytes are in a local file, which can be opened again."""
        self._content: Any = None  # decompressed
        if self.compression is not None:
            with naming(name):
                self._content = open_compressed(self.compression, io.BufferedReader(self._stored, PIECE))
        self.line = 0
        """Physical lines (or records) read; readers of lines keep it."""
        self._head = memoryview(b"")  # what is read and not yet handed out
        self._given = 0
        self.failure: InputError | None = None
        """Why nothing comes after what has been handed out, where that is not the end."""
        self._ended = False

    @property
    def position(self) -> int:
        """Bytes of the file (of the archive, if it is a member) as stored that have been read."""
        return self._stored.count if self._archive is None else self._archive.position - self._begin

    @property
    def handed_out(self) -> int:
        """Bytes of the file as stored that have been handed out; of what is compressed, in proportion."""
        behind = len(self._head)
        return self.position * self._given // (self._given + behind) if behind else self.position

    def archive_kind(self) -> str | None:
        """``"zip"``, ``"tar"`` or None, by the first bytes."""
        head = self.peek(512)
        if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
            return "zip"
        return "tar" if head[257:262] == b"ustar" else None

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return whether it can be read at any position: not a stream or a compressed file."""
        return self.compression is None and self._start is not None

    def expand(self, count: int) -> None:
        """Count more decompressed bytes; an `InputError` says that the input becomes too large."""
        if self._archive is not None:  # its members together
            self._archive.expand(count)
            return
        self._expanded += count
        if self._expanded > max(FREE, RATIO * self.position):
            raise InputError(f"decompressed to more than {RATIO} times its size")

    def reached(self, position: int, expanded: int) -> None:
        """Count what a format reads and decompresses itself: up to this position, this many bytes more."""
        self._stored.count, self._head = position, memoryview(b"")
        self.expand(expanded)

    def peek(self, count: int) -> bytes:
        """Return the next bytes, without consuming them; fewer only at the end or before a failure."""
        if len(self._head) < count:
            head = bytearray(count)
            filled = self._fill(memoryview(head))
            self._head = memoryview(bytes(head[:filled]))
        return bytes(self._head[:count])

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer, partly only before the end or before an `InputError`; 0 if nothing is left."""
        view = memoryview(buffer).cast("B")
        filled = self._fill(view)
        self._given += filled
        if not filled and len(view) and self.failure is not None:
            raise self.failure
        return filled

    def tell(self) -> int:
        """Return the position, in decompressed bytes."""
        return self._given

    def seek(self, offset: int, whence: int = 0) -> int:
        """Move from the beginning or the end; only forwards, from the beginning, if it is not seekable."""
        if self._start is not None and self.seekable():
            at = int(self._raw.seek(offset + (self._start if whence == 0 else 0), whence))
            self._given = at - self._start
            self._stored.move(self._given)
            self._head, self.failure, self._ended = memoryview(b""), None, False
        while self._given < offset and self.read(min(offset - self._given, PIECE)):
            pass
        return self._given

    def _fill(self, view: memoryview) -> int:
        """Fill the view; partly only at the end or before a failure, which is kept."""
        filled = min(len(self._head), len(view))
        view[:filled] = self._head[:filled]
        self._head = self._head[filled:]
        while filled < len(view) and not self._ended:
            room = view[filled:]
            try:
                got = self._stored.readinto(room) if self._content is None else self._decompressed(room)
            except InputError as error:
                error.file = error.file or self.name
                self.failure, got = error, 0
            self._ended = not got  # a terminal would ask for a second end of input
            filled += got
        return filled

    def _decompressed(self, view: memoryview) -> int:
        """Fill a part of the view."""
        try:
            count = int(self._content.readinto1(view[:_DECODED]))
        except (UnidokuError, MemoryError):
            raise
        except Exception as error:  # each library has its own
            raise InputError(f"{self.compression}: {error}") from error
        self.expand(count)
        return count

    def close(self) -> None:
        """Close what was opened here."""
        if self._owned:
            self._raw.close()
        super().close()


class _Stored(io.RawIOBase):
    """The bytes of a source as they are stored, and the `count` of those that have been read."""

    def __init__(self, raw: Any, archive: Source | None) -> None:
        self.count = 0
        self._raw = raw
        self._archive = archive
        # At the end of a terminal's input, readinto() would wait for a second Ctrl-D.
        self._read = getattr(raw, "readinto1", None) or getattr(raw, "readinto", None)
        self._head = memoryview(b"")

    def begin(self, count: int) -> bytes:
        """Return the first bytes, which are read again after that; fewer if there are not more."""
        head = b""
        while len(head) < count and (piece := self.read(count - len(head))):
            head += piece
        self.move(0)
        self._head = memoryview(head)
        return head

    def move(self, position: int) -> None:
        """Say where the file is now."""
        self.count, self._head = position, memoryview(b"")

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill at least a part of the buffer; 0 at the end."""
        view = memoryview(buffer)
        if self._head:
            count = min(len(self._head), len(view))
            view[:count], self._head = self._head[:count], self._head[count:]
            self.count += count
            return count
        is_member = self._archive is not None
        try:
            if self._read is not None and not is_member:
                count = self._read(view) or 0
            else:
                # of a damaged member, read1() returns more than readinto1()
                piece = self._raw.read1(min(len(view), PIECE)) if is_member else self._raw.read(len(view))
                count = len(piece or b"")
                view[:count] = piece or b""
        except (UnidokuError, MemoryError):
            raise
        except Exception as error:  # each file system has its own
            what = f"{getattr(error, 'strerror', None) or error} after {self.count} bytes"
            raise InputError(f"corrupt data ({error})" if is_member else what) from error
        self.count += count
        if self._archive is not None:
            self._archive.expand(count)
        return count


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
        return Source(source, name, owned=False)
    path = os.fspath(source)
    if path == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed", file="<stdin>")
        return Source(sys.stdin.buffer, "<stdin>", owned=False)
    name = path
    if "://" in name:
        from unidoku.files.storage import filesystem, is_remote, local_path, reading

        if is_remote(name):
            fs, remote = filesystem(name)
            with reading(name):
                return Source(fs.open(remote, "rb"), name)
        path = str(local_path(name))
    try:
        raw = open(path, "rb", buffering=0)  # noqa: SIM115
    except (OSError, ValueError) as error:
        from unidoku.files.storage import is_pattern, local_path

        local_path(path)  # an error if this cannot be a name at all
        reason = getattr(error, "strerror", None) or str(error)
        if os.path.isdir(path):
            reason = "the folder has no file of a known format"
        elif is_pattern(path) and not os.path.exists(path):
            reason = "no file matches the pattern"
        raise InputError(reason, file=name) from error
    try:
        return Source(raw, name, path=path)
    except BaseException:
        raw.close()
        raise
