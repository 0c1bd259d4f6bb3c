"""Compressed input, recognised by content: gzip, bz2, xz, zstd, each with any number of members."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from unidoku.errors import InputError, MissingExtraError

__all__ = ["Bounds", "Counted", "Unpacked", "detect", "unpack"]

PIECE = 1 << 16  # compressed bytes read, and bytes decompressed, at once: they stay in the cache


class Counted:
    """A raw stream that counts what was read, can look ahead and names the file in its errors."""

    def __init__(self, raw: Any, name: str) -> None:
        self.name = name
        self.position = 0
        self._raw = raw
        self._head = b""
        self._readinto = getattr(raw, "readinto", None)

    def peek(self, count: int) -> bytes:
        """The next bytes; fewer only at the end."""
        while len(self._head) < count:
            piece = self._read(count - len(self._head))
            if not piece:
                break
            self._head += piece
        return self._head[:count]

    def readinto(self, view: memoryview) -> int:
        """Fill at least a part of the view; 0 at the end."""
        if self._head:
            count = min(len(self._head), len(view))
            view[:count] = self._head[:count]
            self._head = self._head[count:]
            self.position += count
            return count
        if self._readinto is None:
            piece = self._read(len(view))
            count = len(piece)
            view[:count] = piece
        else:
            try:
                count = self._readinto(view) or 0
            except OSError as error:
                raise InputError(
                    f"{error.strerror or error} after {self.position} bytes", file=self.name
                ) from error
        self.position += count
        return count

    def read(self, count: int) -> bytes:
        """Some of the next bytes; none at the end."""
        piece, self._head = (self._head, b"") if self._head else (self._read(count), b"")
        self.position += len(piece)
        return piece

    def _read(self, count: int) -> bytes:
        try:
            return bytes(self._raw.read(count) or b"")
        except OSError as error:
            raise InputError(
                f"{error.strerror or error} after {self.position} bytes", file=self.name
            ) from error


class _Inflate:
    """The decompressor of ISA-L, three times as fast, or zlib's, with the ways of the other three."""

    def __init__(self) -> None:
        try:
            from isal import isal_zlib as zlib
        except ImportError:
            import zlib  # type: ignore[no-redef]

        self._zlib = zlib.decompressobj(wbits=31)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return bool(self._zlib.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._zlib.unused_data)

    def decompress(self, data: bytes, max_length: int) -> bytes:
        piece: bytes = self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)
        self.needs_input = len(piece) < max_length and not self._zlib.unconsumed_tail
        return piece


def _bz2() -> Any:
    from bz2 import BZ2Decompressor

    return BZ2Decompressor()


def _xz() -> Any:
    from lzma import FORMAT_XZ, LZMADecompressor

    return LZMADecompressor(format=FORMAT_XZ)


def _zstd() -> Any:
    try:
        from compression.zstd import ZstdDecompressor  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        try:
            from backports.zstd import ZstdDecompressor
        except ImportError as error:
            raise MissingExtraError(
                "zstd-compressed input needs a decoder: pip install 'unidoku[zstd]'"
            ) from error
    return ZstdDecompressor()


_DECODERS: dict[str, Callable[[], Any]] = {"gzip": _Inflate, "bz2": _bz2, "xz": _xz, "zstd": _zstd}


def detect(head: bytes) -> str | None:
    """The kind of compression that begins with these bytes, if any."""
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    if head.startswith(b"BZh") and head[4:10] in {b"1AY&SY", b"\x17rE8P\x90"}:
        return "bz2"
    if head.startswith(b"\xfd7zXZ\x00"):
        return "xz"
    if head.startswith(b"\x28\xb5\x2f\xfd") or (head[1:4] == b"\x2a\x4d\x18" and head[0] & 0xF0 == 0x50):
        return "zstd"
    return None


FREE = 1 << 30  # bytes that may be decompressed whatever the ratio


class Bounds(NamedTuple):
    """How much may come out of a compressed input.

    Attributes
    ----------
    ratio : float or None
        Decompressed to compressed bytes at most, asked once a gibibyte has been decompressed. Puzzle
        files have 3 to 10.
    size : int or None
        Decompressed bytes at most.
    """

    ratio: float | None = 1000.0
    size: int | None = None


def unpack(stream: Counted, kind: str, bounds: Bounds | None = None) -> Unpacked:
    """The decompressed form of a stream."""
    return Unpacked(stream, kind, bounds or Bounds())


class Unpacked:
    """The concatenated content of all members of a compressed stream, in constant memory.

    Raises
    ------
    MissingExtraError
        For zstd, without a decoder.
    """

    def __init__(self, stream: Counted, kind: str, bounds: Bounds) -> None:
        self._bounds = bounds
        self._stream = stream
        self._kind = kind
        self._new = _DECODERS[kind]
        try:
            self._decoder: Any = self._new()
        except MissingExtraError as error:
            error.file = stream.name
            raise
        self._input = b""
        self._made = 0

    def readinto(self, view: memoryview) -> int:
        """Fill at least a part of the view; 0 at the end.

        Raises
        ------
        InputError
            When the data are corrupt or end early; all that came before has been handed out.
        """
        while True:
            if self._decoder.eof and not self._next_member():
                return 0
            ended = False
            if not self._input and self._decoder.needs_input:
                self._input = self._stream.read(PIECE)
                ended = not self._input
            piece = self._decode(min(len(view), PIECE))
            if piece:
                view[: len(piece)] = piece
                self._made += len(piece)
                self._check()
                return len(piece)
            if ended and not self._decoder.eof:
                raise self._error("the data end early")

    def _check(self) -> None:
        """Stop where more comes out than puzzles would make."""
        ratio, size = self._bounds
        if size is not None and self._made > size:
            raise self._error(f"more than {size} bytes decompressed (the bound can be raised)")
        if ratio is not None and self._made > FREE and self._made > ratio * max(self._stream.position, 1):
            raise self._error(f"more than {ratio:g} times the compressed size (the bound can be raised)")

    def _decode(self, count: int) -> bytes:
        data, self._input = self._input, b""
        try:
            piece: bytes = self._decoder.decompress(data, count)
        except Exception as error:  # each library has its own
            raise self._error(f"corrupt data ({error})") from error
        if self._decoder.eof:
            self._input = self._decoder.unused_data
        return piece

    def _next_member(self) -> bool:
        """Begin the next member; False at the end."""
        while True:
            # Zeros may fill up a tape block (gzip) or a multiple of four bytes (xz).
            self._input = self._input.lstrip(b"\0") if self._kind in {"gzip", "xz"} else self._input
            if self._input:
                break
            self._input = self._stream.read(PIECE)
            if not self._input:
                return False
        while len(self._input) < 10:
            more = self._stream.read(PIECE)
            if not more:
                break
            self._input += more
        if detect(self._input[:16]) != self._kind:
            raise self._error("something else follows the compressed data")
        self._decoder = self._new()
        return True

    def _error(self, what: str) -> InputError:
        place = f"near byte {self._stream.position} of the file, {self._made} bytes decompressed"
        return InputError(f"{self._kind}: {what}, {place}", file=self._stream.name)
