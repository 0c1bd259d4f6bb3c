"""Members of zip and tar archives as sources: streamed, never extracted to disk, in constant memory."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from unidoku.errors import FormatError, InputError
from unidoku.files.source import BorrowedFile, Source

if TYPE_CHECKING:
    from tarfile import TarInfo
    from zipfile import ZipFile, ZipInfo

__all__ = ["archive_kind", "tar_members", "zip_members"]

BLOCK = 512  # bytes of a tar header; members are padded to a multiple of it
HEADER_MAX = 1 << 20  # bytes of an extended tar header
DIRECTORY_MAX = 1 << 26  # bytes of the central directory of a zip archive
MEMBER_COST = 1 << 14  # bytes that can be decompressed in the time that a member takes
_EXTENDED = (b"x", b"X", b"g", b"L", b"K")  # types of tar headers that describe the next member

Member = tuple[str, Callable[[], Source]]
"""Name, and the function that opens it; to be read and closed before the next member is asked for."""


def archive_kind(source: Source) -> str | None:
    """``"zip"``, ``"tar"`` or None, by the first bytes."""
    head = source.peek(BLOCK)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    return "tar" if head[257:262] == b"ustar" else None


def _open(archive: Source, name: str, raw: Any, stored: Callable[[int], int]) -> Source:
    """Return a member as a separate source; the work it causes is counted for the archive."""
    source = Source(raw, f"{archive.name}!{name}", cost=archive.cost, stored=stored)
    if archive_kind(source) is not None:
        raise FormatError("an archive inside an archive is not read", file=source.name)
    return source


def _printable(name: str) -> str:
    return name if name.isprintable() else ascii(name)[1:-1]


# zip


class _ZipBytes(BorrowedFile):
    """The archive as zipfile reads it: whole reads, counted, and of bounded length."""

    def __init__(self, borrowed: BorrowedFile) -> None:
        super().__init__(borrowed, 0)
        self.size = self.seek(0, 2)
        self.count = 0

    def read(self, size: int = -1) -> bytes:
        """Return `size` bytes, or all the rest if negative; fewer only at the end."""
        size = self.size - self.tell() if size < 0 else size
        if size > DIRECTORY_MAX:
            raise InputError(f"the directory of the zip archive has more than {DIRECTORY_MAX} bytes")
        data = bytearray()
        while len(data) < size:
            piece = super().read(size - len(data))
            if not piece:
                break
            data += piece
        self.count += len(data)
        return bytes(data)


class _ZipMember(io.RawIOBase):
    """The decompressed bytes of a member; the library's errors become `InputError`."""

    def __init__(self, stream: Any, name: str, archive: Source, file: _ZipBytes) -> None:
        super().__init__()
        self._stream = stream
        self._name = name
        self._archive = archive
        self._file = file

    def readinto(self, buffer: Any) -> int:
        """Fill at least a part of the buffer; 0 at the end."""
        view = memoryview(buffer)
        try:
            piece: bytes = self._stream.read1(len(view))
        except Exception as error:  # zlib, lzma, bz2 and zipfile each raise their own
            raise InputError(f"corrupt data ({error})", file=self._name) from error
        # overlapping members are read several times, but stored once
        self._archive.reached(min(self._file.count, self._file.size))
        try:
            self._archive.cost.count(piece)
        except InputError as error:
            raise InputError(error.message, file=self._name) from None
        view[: len(piece)] = piece
        return len(piece)


def zip_members(archive: Source) -> Iterator[Member]:
    """List the members of a zip archive, folders excluded.

    Raises
    ------
    InputError
        When the archive is damaged, is a stream, or costs more than it may.
    """
    import zipfile

    borrowed = archive.seekable()
    if borrowed is None:
        raise InputError("a zip archive is read from a file only, not from a stream")
    file = _ZipBytes(borrowed)
    try:
        opened = zipfile.ZipFile(file)
    except InputError:
        raise
    except Exception as error:  # a damaged directory raises BadZipFile, ValueError, struct.error …
        raise InputError(f"corrupt zip archive ({error})") from error
    with opened:
        for info in opened.infolist():
            archive.cost.count_work(MEMBER_COST)
            if info.filename and not info.filename.endswith("/"):
                name = _printable(info.filename)
                yield name, partial(_open_zipped, archive, opened, file, info, name)


def _open_zipped(archive: Source, opened: ZipFile, file: _ZipBytes, info: ZipInfo, name: str) -> Source:
    full = f"{archive.name}!{name}"
    try:
        stream = opened.open(info)
    except Exception as error:  # encrypted, an unknown method, a damaged header
        raise InputError(f"cannot be read ({error})", file=full) from error
    begin = min(file.count, file.size)
    member = _ZipMember(stream, full, archive, file)
    return _open(archive, name, member, lambda _: max(0, min(file.count, file.size) - begin))


# tar


class _TarMember(io.RawIOBase):
    """The bytes of a member, read from the archive's own stream."""

    def __init__(self, archive: Source, size: int) -> None:
        super().__init__()
        self.left = size
        self._archive = archive

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer; partly only at the end."""
        view = memoryview(buffer)
        count = min(len(view), self.left)
        if count:
            _fill(self._archive, view[:count])
            self.left -= count
        return count


def tar_members(archive: Source) -> Iterator[Member]:
    """List the regular files of a tar archive, as they are reached in the stream.

    The header blocks are parsed by the standard library. Its `TarFile` is not used: it keeps all members in
    memory, reads extended headers of any size, and takes a damaged header for the end.

    Raises
    ------
    InputError
        When the archive is damaged, ends early, has a sparse file, or costs more than it may.
    """
    extended: dict[str, str] = {}
    while (info := _next_header(archive)) is not None:
        archive.count_work(MEMBER_COST)
        if info.type in _EXTENDED:
            extended.update(_extended(archive, info))
            continue
        if info.type == b"S" or any(key.startswith("GNU.sparse") for key in extended):
            raise InputError(f"a sparse file in a tar archive is not read: {_printable(info.name)}")
        size = _number(extended.get("size", info.size)) if info.isreg() else 0
        name = _printable(extended.get("path", info.name))
        extended = {}
        member = _TarMember(archive, size)
        if info.isreg():
            yield name, partial(_open_tarred, archive, name, member)
        _skip(archive, member.left + -size % BLOCK)


def _open_tarred(archive: Source, name: str, member: _TarMember) -> Source:
    begin = archive.position
    return _open(archive, name, member, lambda _: archive.position - begin)


def _next_header(archive: Source) -> TarInfo | None:
    """Return the next header block; None at the end mark, or where the input ends."""
    from tarfile import HeaderError, TarInfo

    block = bytearray(BLOCK)
    count = archive.readinto(memoryview(block))
    if not count or not any(block):
        return None
    try:
        return TarInfo.frombuf(bytes(block[:count]), "utf-8", "surrogateescape")
    except (HeaderError, ValueError) as error:
        raise InputError(f"corrupt tar archive ({error})") from error


def _extended(archive: Source, info: TarInfo) -> dict[str, str]:
    """Fields of an extended header for the next member, by the names of the pax format."""
    if not 0 <= info.size <= HEADER_MAX:
        raise InputError(f"an extended header of the tar archive has more than {HEADER_MAX} bytes")
    data = bytearray(info.size + -info.size % BLOCK)
    _fill(archive, memoryview(data))
    text = bytes(data[: info.size])
    if info.type == b"L":
        return {"path": text.rstrip(b"\0").decode("utf-8", "surrogateescape")}
    return dict(_records(text)) if info.type in (b"x", b"X") else {}


def _records(text: bytes) -> Iterator[tuple[str, str]]:
    """Yield the records ``length key=value`` of a pax header."""
    at = 0
    while at < len(text):
        end = text.find(b" ", at, at + 20)
        length = _number(text[at:end].decode("latin-1")) if end > at else 0
        record = text[end + 1 : at + length - 1]
        key, equal, value = record.partition(b"=")
        if length <= end + 1 - at or at + length > len(text) or not equal:
            raise InputError("corrupt tar archive (bad extended header)")
        yield key.decode("utf-8", "surrogateescape"), value.decode("utf-8", "surrogateescape")
        at += length


def _number(text: str | int) -> int:
    """Return a size, from 0."""
    try:
        number = int(text) if len(str(text)) < 20 else -1
    except ValueError:
        number = -1
    if number < 0:
        raise InputError("corrupt tar archive (bad size)")
    return number


def _fill(archive: Source, view: memoryview) -> None:
    """Fill the view exactly."""
    if archive.readinto(view) < len(view):
        raise InputError("the tar archive ends early", file=archive.name)


def _skip(archive: Source, count: int) -> None:
    space = memoryview(bytearray(min(count, 1 << 16)))
    while count:
        piece = space[: min(count, len(space))]
        _fill(archive, piece)
        count -= len(piece)
