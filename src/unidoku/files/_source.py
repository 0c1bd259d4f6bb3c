"""Inputs as files of bytes: local paths, URLs, standard input and open files, decompressed by content."""

from __future__ import annotations

import io
import os
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, getincrementaldecoder
from contextlib import suppress
from stat import S_ISREG
from typing import Any, BinaryIO

from unidoku._arguments import any_of
from unidoku.errors import InputError, Message, Reason, UnidokuError
from unidoku.files._codecs import detect, open_compressed
from unidoku.files._storage import ABSENT, LOCAL, WEB, describe, filesystem, has_wildcard, names_near, reading

RATIO = 1000
"""Largest ratio of decompressed to stored bytes of an input; files of puzzles have 3 to 10."""

FREE = 1 << 30
"""Decompressed bytes that an input of any size may have."""

PIECE = 1 << 16
"""Bytes of one read, except into buffers."""

PUZZLE_BYTES = 82
"""Size of a puzzle where work is measured in bytes: a line of 81 cells."""

_WIDE = (BOM_UTF16_BE, BOM_UTF16_LE)
_UTF16 = "UTF-16"
_DECODE_BYTES = 1 << 14  # at once: ISA-L loses as many before the end of a file that is cut off


class Source(io.RawIOBase):
    """A named file of bytes, with `peek`; an `InputError` comes after all readable bytes."""

    def __init__(
        self,
        file: Any,
        name: str,
        *,
        kind: str = "",
        path: str | None = None,
        stored: Source | None = None,
        owned: tuple[Any, ...] = (),
        format: Any = None,
    ) -> None:
        self.name = name
        self.format = format  # once it is chosen
        self.kind = kind  # of compression or archive
        self.path: str | None = None  # of a local file with the same bytes, which can be opened again
        self.failure: InputError | None = None  # after the last readable byte
        self._file = file
        self._stored = stored  # whose decompressed content, or member, is the file
        self._owned = owned  # files that are closed with this one
        self._count = 0  # bytes read from the file
        self._size = 0  # when it was opened
        if path is not None and S_ISREG((status := os.fstat(file.fileno())).st_mode):  # a pipe is read once
            self.path, self._size = path, status.st_size
        self._decompressed = 0  # bytes
        self._head = b""  # read ahead
        self._at_end = False
        # At the end of a terminal's input, readinto() would wait for a second Ctrl-D.
        self._readinto = getattr(file, "readinto1", getattr(file, "readinto", self._read_into))

    def _read_into(self, view: memoryview) -> int:
        """Read from a file that has nothing but `read`."""
        piece = memoryview(self._file.read(len(view)))
        view[: len(piece)] = piece
        return len(piece)

    @property
    def position(self) -> int:
        """Stored bytes of the file, or of its archive, that have been returned."""
        return self.tell() if self._stored is None else self._stored.position

    def archive_kind(self) -> str | None:
        """Return ``"zip"``, ``"tar"`` or None, by the first bytes; None for ``.npz``."""
        head = self.peek(512)
        if head.startswith((b"PK\x03\x04", b"PK\x05\x06")) and not self.name.lower().endswith(".npz"):
            return "zip"
        return "tar" if head[257:262] == b"ustar" else None

    def expand(self, count: int) -> None:
        """Count decompressed bytes; raise an `InputError` if the input becomes too large."""
        if self._stored is not None:  # all members of an archive together
            self._stored.expand(count)
            return
        self._decompressed += count
        if self._decompressed > max(FREE, RATIO * self._count):
            text = "decompressed to more than {ratio} times its size"
            raise InputError(Message(text, ratio=RATIO), file=self.name)

    def peek(self, count: int) -> bytes:
        """Return the next bytes without consuming them; fewer only at the end or before a failure."""
        pieces, size = [self._head], len(self._head)
        view = memoryview(bytearray(0 if self._at_end else PIECE))
        while size < count and not self._at_end:
            filled = self._fill(view[: max(PIECE, count) - size])
            pieces.append(bytes(view[:filled]))
            size += filled
        self._head = b"".join(pieces)
        return self._head[:count]

    def unread(self, content: bytes | bytearray) -> None:
        """Give the last bytes that were read back, as if they were not."""
        self._head = bytes(content) + self._head

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

    def _fill(self, view: memoryview) -> int:
        """Read at least one byte into a view; return 0 at the end or at a `failure`."""
        if self._at_end:  # a terminal would ask for a second end of input
            return 0
        count = 0
        try:
            size = self._readinto(view[:_DECODE_BYTES] if self.kind else view) or 0
            self._count += size
            if self._stored is not None:
                self._stored.expand(size)
            count = size
        except MemoryError:
            raise
        except UnidokuError as error:
            self.failure = InputError(error.message, file=error.file or self.name, line=error.line)
        except Exception as error:  # each library and file system has its own
            reason = describe(error)
            if self.kind:
                reason = Message("{name}: {message}", name=self.kind, message=reason)
            self.failure = InputError(reason, file=self.name)
            self.failure.__cause__ = error
        self._at_end = not count
        if not count and self.failure is None and self._count < self._size:
            text = "the file became shorter while it was read, from {n} to {found} bytes; read it again"
            self.failure = InputError(Message(text, n=self._size, found=self._count), file=self.name)
        return count

    def fileno(self) -> int:
        """Return the descriptor of the file."""
        return int(self._file.fileno())

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return whether it can be read at any position: no stream, no compressed file."""
        with reading(self.name):
            if self._stored is not None or not hasattr(self._file, "seekable"):
                return False
            return bool(self._file.seekable())

    def tell(self) -> int:
        """Return the position."""
        return self._count - len(self._head)

    def seek(self, offset: int, whence: int = 0) -> int:
        """Move from the beginning or the end."""
        try:
            with reading(self.name):
                self._count, self._head = self._file.seek(offset, whence), b""
        except InputError as error:  # which `zipfile` would hide
            self.failure = error
            raise
        self.failure, self._at_end = None, False
        return self._count

    def close(self) -> None:
        """Close the files that were opened for this one."""
        super().close()
        with reading(self.name):
            for file in self._owned:
                file.close()


class MemoryFile(io.RawIOBase):
    """Bytes as a file, without a copy of them."""

    def __init__(self, content: memoryview | bytes) -> None:
        self._rest = memoryview(content)

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer; return fewer bytes only at the end."""
        size = min(len(self._rest), len(buffer))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


class Section(io.RawIOBase):
    """The bytes of a source between two positions, as a file."""

    def __init__(self, source: Source, begin: int, end: int) -> None:
        self._source, self._end = source, end
        source.seek(begin)

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer; return fewer bytes only at the end."""
        view = memoryview(buffer).cast("B")
        return self._source.readinto(view[: self._end - self._source.tell()])


class _Utf8(io.RawIOBase):
    """A text in another encoding as UTF-8."""

    def __init__(self, file: io.RawIOBase, encoding: str, errors: str = "strict") -> None:
        self._file, self._encoding, self._is_strict = file, encoding, errors == "strict"
        self._decoder = getincrementaldecoder(encoding)(errors)
        self._rest = b""
        self._line = 1

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer, in part."""
        piece: bytes | None = b"-"
        while not self._rest and piece:
            piece = self._file.read(PIECE)
            try:
                self._rest = self._decoder.decode(piece or b"", self._is_strict and not piece).encode(
                    "utf-8", "replace"
                )
            except UnicodeError as error:
                line = self._line + getattr(error, "object", b"")[: getattr(error, "start", 0)].count(b"\n")
                reason = Message(
                    "{name}: {message}", name=self._encoding, message=getattr(error, "reason", error)
                )
                raise InputError(reason, line=line) from error
            self._line += self._rest.count(b"\n")
        size = min(len(self._rest), len(buffer))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


def decoded(source: Source, encoding: str, errors: str = "strict") -> Source:
    """Return a text in another encoding as one in UTF-8."""
    if source.kind == _UTF16:  # by its mark
        return source
    content = _Utf8(source, encoding, errors)
    return Source(content, source.name, kind=encoding, stored=source, owned=(source,))


def decompress(stored: Source) -> Source:
    """Decompress a stored file if it is compressed; decode it if it is UTF-16."""
    kind = detect(stored.peek(16))
    source = stored
    if kind is not None:
        content = open_compressed(kind, io.BufferedReader(stored, PIECE))
        source = Source(content, stored.name, kind=kind, stored=stored, owned=(content, stored))
    head = source.peek(4)
    if head.startswith(_WIDE) and head[2:] != b"\0\0":
        return decoded(source, _UTF16, "replace")
    return source


def open_source(source: str | os.PathLike[str] | BinaryIO | Source) -> Source:
    """Open a path, a URL, standard input (``-``) or an open file; a `Source` is returned as it is."""
    if isinstance(source, Source):
        return source
    if not isinstance(source, str | bytes | os.PathLike):
        if not hasattr(source, "read"):
            text = "expected a path, a URL or a binary file, found {kind}"
            raise InputError(Message(text, kind=type(source).__name__))
        name = str(getattr(source, "name", "<stream>"))
        if isinstance(source, io.TextIOBase):
            text = 'expected a file opened in binary mode, found text mode; open it with mode "rb"'
            raise InputError(Message(text), file=name)
        return decompress(Source(source, name))
    name = os.fsdecode(source)
    if name == "-":
        return decompress(Source(sys.stdin.buffer, "<stdin>"))
    fs, path = filesystem(name)
    try:
        with reading(name):
            file = fs.open(path, "rb")
    except InputError as error:
        if name.startswith(WEB):
            raise
        is_folder = False
        with suppress(Exception):  # the first error is the one to report
            is_folder = fs.isdir(path)
        with reading(name):  # if these fail, there are perhaps files
            if is_folder:
                for entry in fs.ls(path, detail=True):
                    fs.unstrip_protocol(entry["name"])
                error.message = Reason(error.code, "the folder has no file in a known format")
            elif has_wildcard(path) and error.message == ABSENT:
                fs.glob(path)
                error.message = Reason(error.code, "no file matches this pattern")
            elif len(name) == 81 and not name.strip("0123456789."):
                error.message = Reason(error.code, "no such file; for puzzles, call run_many or check_many")
            elif fs is LOCAL and error.message == ABSENT and (names := names_near(path)):
                text = "No such file or directory; did you mean {names}?"
                error.message = Reason(error.code, text, names=any_of(names))
        raise
    return decompress(Source(file, name, path=path if fs is LOCAL else None, owned=(file,)))
