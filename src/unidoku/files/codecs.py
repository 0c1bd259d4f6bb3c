"""Codecs: gzip, bz2, xz and zstd.

Inputs are recognised by content and have any number of members.  Of outputs each piece becomes a separate
member, so that the workers compress; the kernel is faster than any codec, so the settings are fast ones.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any

from unidoku.errors import InputError, MissingExtraError, UnidokuError, naming

PIECE = 1 << 16  # compressed bytes read, and bytes decompressed, at once: they stay in the cache
STEP = 1 << 8  # compressed bytes given to a new decoder: what a short member leaves over is copied


class Stored:
    """The bytes of an input as stored: counts those read, and names the file in errors."""

    def __init__(self, raw: Any, name: str) -> None:
        self.name = name
        self.position = 0
        self._raw = raw
        # At the end of a terminal's input, readinto() would wait for a second Ctrl-D.
        self._readinto = getattr(raw, "readinto1", None) or getattr(raw, "readinto", None)

    def readinto(self, view: memoryview) -> int:
        """Fill at least a part of the view; 0 at the end."""
        try:
            if self._readinto is not None:
                count = self._readinto(view) or 0
            else:
                piece = self._raw.read(len(view)) or b""
                count = len(piece)
                view[:count] = piece
        except UnidokuError:
            raise
        except OSError as error:
            message = f"{error.strerror or error} after {self.position} bytes"
            raise InputError(message, file=self.name) from error
        self.position += count
        return count

    def read(self, count: int) -> bytes:
        """Return some of the next bytes; none at the end."""
        view = memoryview(bytearray(count))
        return bytes(view[: self.readinto(view)])


class _Inflate:
    """The decompressor of ISA-L, three times as fast, or zlib's, with the interface of the other decoders."""

    def __init__(self) -> None:
        try:
            from isal import isal_zlib as zlib
        except ImportError:
            import zlib  # type: ignore[no-redef]

        self._zlib = zlib.decompressobj(wbits=31)
        self.needs_input = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._zlib, name)  # eof and unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        piece: bytes = self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)
        self.needs_input = len(piece) < max_length and not self._zlib.unconsumed_tail
        return piece


def _zstd_library() -> Any:
    """Import the standard library's module for zstd, or the package that has it for older versions."""
    for name in ("compression.zstd", "backports.zstd"):
        with suppress(ImportError):
            return import_module(name)
    raise MissingExtraError(
        "zstd needs Python 3.14 or the package backports.zstd: pip install backports.zstd"
    )


_DECODERS: dict[str, Callable[[], Any]] = {
    "gzip": _Inflate,
    "bz2": lambda: import_module("bz2").BZ2Decompressor(),
    "xz": lambda: import_module("lzma").LZMADecompressor(),
    "zstd": lambda: _zstd_library().ZstdDecompressor(),
}


def detect(head: bytes) -> str | None:
    """Return the kind of compression that begins with these bytes, if any."""
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    if head.startswith(b"BZh") and head[4:10] in {b"1AY&SY", b"\x17rE8P\x90"}:
        return "bz2"
    if head.startswith(b"\xfd7zXZ\x00"):
        return "xz"
    if head.startswith(b"\x28\xb5\x2f\xfd") or (head[1:4] == b"\x2a\x4d\x18" and head[0] & 0xF0 == 0x50):
        return "zstd"
    return None


class Unpacked:
    """The content of all members of a compressed stream in constant memory; its `head` has been read.

    ``expand(count)`` counts decompressed bytes, and raises an `InputError` if there are too many.
    """

    def __init__(self, stream: Stored, kind: str, expand: Callable[[int], None], head: bytes) -> None:
        self._expand = expand
        self._stream = stream
        self._kind = kind
        self._new = _DECODERS[kind]
        with naming(stream.name):
            self._decoder: Any = self._new()
        self._piece = head  # compressed bytes, of which those from _at on are still to be decoded
        self._at = 0
        self._step = STEP
        self._made = 0

    def readinto(self, view: memoryview) -> int:
        """Fill at least a part of the view; 0 at the end, and an `InputError` after all good content."""
        while True:
            if self._decoder.eof and not self._next_member():
                return 0
            ended = False
            data = memoryview(b"")
            if self._decoder.needs_input:
                if self._at == len(self._piece):
                    self._piece, self._at = self._stream.read(PIECE), 0
                    ended = not self._piece
                data = memoryview(self._piece)[self._at : self._at + self._step]
                self._at += len(data)
                self._step = min(2 * self._step, PIECE)
            piece = self._decode(data, min(len(view), PIECE))
            if piece:
                view[: len(piece)] = piece
                self._made += len(piece)
                try:
                    self._expand(len(piece))
                except InputError as error:
                    raise self._error(error.message) from None
                return len(piece)
            if ended and not self._decoder.eof:
                raise self._error("the data end early")

    def _decode(self, data: memoryview, count: int) -> bytes:
        try:
            piece: bytes = self._decoder.decompress(data, count)
        except MemoryError:
            raise
        except Exception as error:  # each library has its own
            raise self._error(f"corrupt data ({error})") from error
        if self._decoder.eof:
            self._at -= len(self._decoder.unused_data)
        return piece

    def _next_member(self) -> bool:
        """Begin the next member; False at the end."""
        while True:
            if self._kind in {"gzip", "xz"} and self._piece[self._at : self._at + 1] == b"\0":
                # Zeros may fill up a tape block (gzip) or a multiple of four bytes (xz).
                self._piece, self._at = self._piece[self._at :].lstrip(b"\0"), 0
            if self._at < len(self._piece):
                break
            self._piece, self._at = self._stream.read(PIECE), 0
            if not self._piece:
                return False
        while len(self._piece) - self._at < 16:
            more = self._stream.read(PIECE)
            if not more:
                break
            self._piece, self._at = self._piece[self._at :] + more, 0
        if detect(self._piece[self._at : self._at + 16]) != self._kind:
            raise self._error("something else follows the compressed data")
        self._decoder = self._new()
        self._step = STEP
        return True

    def _error(self, what: str) -> InputError:
        place = f"near byte {self._stream.position} of the file, {self._made} bytes decompressed"
        return InputError(f"{self._kind}: {what}, {place}", file=self._stream.name)


Encoder = Callable[[Any], bytes]

LITERALS = 1002  # zstd's literalCompressionMode, so numbered since 2018; Python has no name for it


def encoder(kind: str, path: str, *, lines: bool) -> Encoder:
    """Return the function that compresses pieces of an output; `lines` says that these are mostly puzzles."""
    chosen = partial(_zstd, lines=True) if kind == "zstd" and lines else _ENCODERS[kind]
    with naming(path):
        chosen(b"")
    return chosen


def _gzip(text: Any) -> bytes:
    try:
        from isal.isal_zlib import compress  # five times as fast, for a slightly larger output
    except ImportError:
        from zlib import compress
    return compress(text, 1, wbits=31)


def _zstd(text: Any, *, lines: bool = False) -> bytes:
    """Compress faster than level 1, not larger; `lines` of puzzles in half the time, a seventh smaller."""
    zstd = _zstd_library()
    name = zstd.CompressionParameter
    # Matches that are so short that they are random are ignored.
    options = {name.compression_level: 1, name.hash_log: 10, name.min_match: 7}
    if lines:
        # In digits and dots little repeats, but some characters are frequent.
        finer = options | {LITERALS: 1, name.hash_log: 8, name.target_length: 256}
        with suppress(ValueError):  # a library without the setting for literals
            return bytes(zstd.compress(text, options=finer))
    return bytes(zstd.compress(text, options=options))


_ENCODERS: dict[str, Encoder] = {
    "gzip": _gzip,
    "bz2": lambda text: import_module("bz2").compress(text),
    "xz": lambda text: import_module("lzma").compress(text, preset=1),
    "zstd": _zstd,
}
