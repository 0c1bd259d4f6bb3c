"""Compressed input, recognised by content: gzip, bz2, xz, zstd, each with any number of members."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, NamedTuple

from unidoku.errors import InputError, MissingExtraError, UnidokuError, naming
from unidoku.native.text.scan import count_lines

__all__ = ["Bounds", "Counted", "InputCost", "Unpacked", "detect", "zstd_library"]

PIECE = 1 << 16  # compressed bytes read, and bytes decompressed, at once: they stay in the cache
STEP = 1 << 8  # compressed bytes given to a new decoder: what a short member leaves over is copied


class Counted:
    """A raw stream that counts the bytes read, and names the file in its errors."""

    def __init__(self, raw: Any, name: str) -> None:
        self.name = name
        self.position = 0
        self._raw = raw
        # At the end of a terminal's input, read() would wait for a second Ctrl-D.
        self._read_once = getattr(raw, "read1", raw.read)
        self._readinto = getattr(raw, "readinto1", None) or getattr(raw, "readinto", None)

    def readinto(self, view: memoryview) -> int:
        """Fill at least a part of the view; 0 at the end."""
        if self._readinto is None:
            piece = self.read(len(view))
            view[: len(piece)] = piece
            return len(piece)
        with self._errors():
            count = self._readinto(view) or 0
        self.position += count
        return count

    def read(self, count: int) -> bytes:
        """Return some of the next bytes; none at the end."""
        with self._errors():
            piece = bytes(self._read_once(count) or b"")
        self.position += len(piece)
        return piece

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except UnidokuError:
            raise
        except OSError as error:
            message = f"{error.strerror or error} after {self.position} bytes"
            raise InputError(message, file=self.name) from error


class _Inflate:
    """The decompressor of ISA-L, three times as fast, or zlib's, with the interface of the other decoders."""

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


def zstd_library() -> Any:
    """Import the standard library's module for zstd, or the package that has it for older versions.

    Raises
    ------
    MissingExtraError
        There is neither.
    """
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
    "zstd": lambda: zstd_library().ZstdDecompressor(),
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


MEMBER_COSTS = {"zstd": 1 << 15}  # bytes that can be decompressed in the time that a new member takes
MEMBER_COST = 1 << 13  # the same for the other codecs
LINE_COST = 1 << 9  # the same for a line that is too short for a puzzle
COUNTED_FROM = 20  # times the compressed size; puzzle files have 3 to 10, their lines need no counting


class Bounds(NamedTuple):
    """Limits of the work caused by a compressed input.

    The cost of an input is the number of decompressed bytes, plus 8,192 (zstd: 32,768) for each compressed
    member, plus 512 for each line beyond one in 82 bytes. Formats that are parsed in Python add 4,096 for
    each line or element that belongs to no puzzle.

    Attributes
    ----------
    ratio : float or None
        Cost per compressed byte at most, checked once the cost exceeds ``free``. Puzzle files have 3 to 10.
    size : int or None
        Decompressed bytes at most.
    free : int
        Cost that every input may have, however small it is.
    """

    ratio: float | None = 1000.0
    size: int | None = None
    free: int = 1 << 30


class InputCost:
    """Adds up the cost of one input, also over all members of an archive, and enforces the bounds.

    Parameters
    ----------
    bounds : Bounds
    stored : callable
        Returns how many bytes of the input as stored have been read.
    """

    def __init__(self, bounds: Bounds, stored: Callable[[], int]) -> None:
        self._bounds = bounds
        self._stored = stored
        self._bytes = 0
        self._members = 0
        self._lines = 0
        self._other = 0

    def count(self, piece: bytes) -> None:
        """Add decompressed bytes.

        Raises
        ------
        InputError
            When a bound is exceeded; so do the other methods.
        """
        self._bytes += len(piece)
        if self._bytes > COUNTED_FROM * self._stored():
            self._lines += max(0, count_lines(piece, 0, len(piece)) - len(piece) // 82)
        size = self._bounds.size
        if size is not None and self._bytes > size:
            raise InputError(f"more than {size} bytes decompressed (max_size, --max-size, sets the bound)")
        self._check()

    def count_member(self, kind: str) -> None:
        """Add a member of a compressed file."""
        self._members += MEMBER_COSTS.get(kind, MEMBER_COST)
        self._check()

    def count_rows(self, rows: int) -> None:
        """Add rows of a columnar file, which compresses its columns itself."""
        self._bytes += 82 * rows
        self._check()

    def count_work(self, cost: int) -> None:
        """Add the cost of parsing something that is not a puzzle."""
        self._other += cost
        self._check()

    def _check(self) -> None:
        ratio = self._bounds.ratio
        if ratio is None:
            return
        costs = {
            "decompressed bytes": self._bytes,
            "members": self._members,
            "short lines": self._lines * LINE_COST,
            "lines or elements without a puzzle": self._other,
        }
        cost = sum(costs.values())
        if cost > max(self._bounds.free, ratio * self._stored()):
            most = max(costs, key=lambda name: costs[name])
            raise InputError(
                f"costs more than {ratio:g} times its compressed size, mainly by its {most} "
                "(max_ratio, --max-ratio, sets the bound)"
            )


class Unpacked:
    """The concatenated content of all members of a compressed stream, in constant memory.

    Parameters
    ----------
    stream : Counted
    kind : {"gzip", "bz2", "xz", "zstd"}
    cost : InputCost
    head : bytes
        What has been read of the stream.

    Raises
    ------
    MissingExtraError
        For zstd, without a decoder.
    """

    def __init__(self, stream: Counted, kind: str, cost: InputCost, head: bytes) -> None:
        self._cost = cost
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
        """Fill at least a part of the view; 0 at the end.

        Raises
        ------
        InputError
            When the data are corrupt or end early, or a bound is exceeded; all that came before has been
            handed out.
        """
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
                self._charge(self._cost.count, piece)
                return len(piece)
            if ended and not self._decoder.eof:
                raise self._error("the data end early")

    def _decode(self, data: memoryview, count: int) -> bytes:
        try:
            piece: bytes = self._decoder.decompress(data, count)
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
        self._charge(self._cost.count_member, self._kind)
        return True

    def _charge(self, count: Callable[[Any], None], what: Any) -> None:
        try:
            count(what)
        except InputError as error:
            raise self._error(error.message) from None

    def _error(self, what: str) -> InputError:
        place = f"near byte {self._stream.position} of the file, {self._made} bytes decompressed"
        return InputError(f"{self._kind}: {what}, {place}", file=self._stream.name)
