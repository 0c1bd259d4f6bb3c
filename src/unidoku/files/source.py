"""An open input (a path, ``-``, a URL or a file object), decompressed by content."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from stat import S_ISREG
from threading import Lock
from typing import Any, BinaryIO, NamedTuple

from unidoku.errors import InputError, UnidokuError, naming
from unidoku.files.codecs import detect, new_decoder

RATIO = 1000
"""The most decompressed bytes for each byte of a compressed input; files of puzzles have 3 to 10."""

FREE = 1 << 30
"""Decompressed bytes that every input may have, however small it is."""

PIECE = 1 << 16
"""Bytes read, and decompressed, at once: they stay in the cache."""

PUZZLE_BYTES = 82
"""What a puzzle counts as where work is measured in bytes: a line of 81 cells."""

_STEP = 1 << 8  # compressed bytes given to a new decoder: what a short member leaves over is copied


class Range(NamedTuple):
    """Which part of an input is read at once; a run in parts makes one part of the output of it.

    Its `kind` says what is counted from `start` to `stop`: ``bytes`` (a line belongs to the range of its
    first byte), ``rows`` (row groups of a Parquet file), ``numbers`` (of an input of numbers), or ``whole``.
    """

    input: int = 0
    """Number of the input in the plan of a run."""
    kind: str = "whole"
    start: int = 0
    stop: int = 0
    size: int = 0
    """About how many bytes to read."""
    format: str | None = None
    """Name of the format; None where the input has to show it, such as an archive."""
    field: int | None = None
    """The field of each line that holds the puzzle (0: a puzzle begins with its line), if it is known."""
    line: int | None = 1
    """Number of the first line or record; None if the lines before must be counted."""


def changed_error(name: str, before: int, now: int) -> InputError:
    """Return the error of a file that has changed, by the bytes that it had and has."""
    how = f"it had {before:,} bytes, now {now:,}" if now != before else "it was written again"
    return InputError(f"has changed while it was read: {how}", file=name)


class Source(io.RawIOBase):
    """A named stream of bytes, decompressed.

    The raw file is at `path`, where it is a local one, or a member of an `archive`, which may have `packed`
    it; it is closed with the source if it is `owned`. The bytes may be a `part` of a file, whose first bytes
    are then its `beginning`: the header and the signs of the format. If it is compressed, it may become
    `max_size` bytes.
    """

    def __init__(
        self,
        raw: Any,
        name: str,
        *,
        path: str | None = None,
        owned: bool = True,
        max_size: int | None = None,
        part: Range | None = None,
        beginning: bytes | None = None,
        archive: Source | None = None,
        packed: bool = False,
    ) -> None:
        self.name = name
        self._raw = raw
        # At the end of a terminal's input, readinto() would wait for a second Ctrl-D.
        self._read_raw = getattr(raw, "readinto1", None) or getattr(raw, "readinto", None)
        self._stored = 0  # bytes read as stored
        self._owned = owned
        self._archive = archive
        self._packed = packed
        self._begin = 0 if archive is None else archive.position
        self._start: int | None = None
        with suppress(AttributeError, OSError, ValueError):
            self._start = int(raw.tell()) if archive is None and raw.seekable() else None
        self._file = path
        self._closing = Lock()
        self._state = self._file_state()
        self._changed: InputError | None = None
        self.size = self._state[0] if self._state else None
        """Bytes of the file as stored, where that is known."""
        head = b""
        while len(head) < 16 and (piece := self._take(16 - len(head))):
            head += piece
        self.compression = detect(head)
        self.path = path if self.compression is None and self._state is not None else None
        """Where the same bytes are in a local file, which can be opened again."""
        self._max_size = max_size
        self._expanded = 0  # decompressed bytes, those of all members included
        self._pieces: Iterator[bytes] | None = None
        self._room = 0
        if self.compression is not None:
            with naming(name):
                decoder = new_decoder(self.compression)
            self._pieces, head = self._unpacked(decoder, head), b""
        self.part = part or Range()
        self.beginning = beginning
        self.line = (self.part.line or 1) - 1
        """Physical lines (or records) read, those before the part included; readers of lines keep it."""
        self._head = memoryview(head)  # what is read and not yet handed out
        self._given = 0
        self.failure: InputError | None = None
        """Why nothing comes after what has been handed out, where that is not the end."""
        self._ended = False

    @property
    def position(self) -> int:
        """Bytes of the file (of the archive, if it is a member) as stored that have been read."""
        return self._stored if self._archive is None else self._archive.position - self._begin

    @property
    def handed_out(self) -> int:
        """Bytes of the file as stored that have been handed out; of what is compressed, in proportion."""
        behind = len(self._head)
        return self.position * self._given // (self._given + behind) if behind else self.position

    def _file_state(self) -> tuple[int, int] | None:
        """Size and time of the last change of a plain file; None for another input."""
        # A reader may have closed it, and its descriptor may then be that of another file.
        with self._closing, suppress(AttributeError, OSError, TypeError, ValueError):
            status = os.stat(self._file) if self._raw.closed else os.fstat(self._raw.fileno())  # type: ignore
            if S_ISREG(status.st_mode):
                return status.st_size, status.st_mtime_ns
        return None

    def changed(self) -> InputError | None:
        """Return an error, always the same, if the file has changed since it was opened."""
        now = self._file_state()
        if self._changed is not None or now is None or self._state is None or now == self._state:
            return self._changed
        self._changed = changed_error(self.name, self._state[0], now[0])
        return self._changed

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
        size = self._max_size
        if self._expanded > (max(FREE, RATIO * self.position) if size is None else size):
            bound = f"{RATIO} times its size" if size is None else f"{size} bytes"
            raise InputError(f"decompressed to more than {bound} (max_size, --max-size, sets the bound)")

    def reached(self, position: int, expanded: int) -> None:
        """Count what a format reads and decompresses itself: up to this position, this many bytes more."""
        self._stored, self._head = position, memoryview(b"")
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
            self._given = self._stored = at - self._start
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
                if self._pieces is None:
                    got = self._take_into(room)
                else:
                    self._room = len(room)
                    piece = next(self._pieces, b"")
                    got = len(piece)
                    room[:got] = piece
            except InputError as error:
                self.failure, got = error, 0
            self._ended = not got  # a terminal would ask for a second end of input
            filled += got
        return filled

    def _take(self, count: int) -> bytes:
        """Return some of the next bytes as stored; none at the end."""
        view = memoryview(bytearray(count))
        return bytes(view[: self._take_into(view)])

    def _take_into(self, view: memoryview) -> int:
        """Fill at least a part of the view with the bytes as stored; 0 at the end."""
        is_member = self._archive is not None
        try:
            if self._read_raw is not None and not is_member:
                count = self._read_raw(view) or 0
            else:
                # of a damaged member, read1() returns more than readinto1()
                piece = self._raw.read1(min(len(view), PIECE)) if is_member else self._raw.read(len(view))
                count = len(piece or b"")
                view[:count] = piece or b""
            if self._packed:
                self.expand(count)
        except UnidokuError as error:
            error.file = error.file or self.name
            raise
        except OSError as error:
            what = f"{error.strerror or error} after {self._stored} bytes"
            raise InputError(f"corrupt data ({error})" if is_member else what, file=self.name) from error
        except Exception as error:
            if not is_member or isinstance(error, MemoryError):
                raise
            raise InputError(f"corrupt data ({error})", file=self.name) from error
        self._stored += count
        return count

    def _unpacked(self, decoder: Any, begin: bytes) -> Iterator[bytes]:
        """Yield the content of all members of a compressed stream in constant memory; `begin` has been read.

        A piece has at most ``_room`` bytes, so that an `InputError` comes after all good content.
        """
        kind = str(self.compression)
        piece, at, step = begin, 0, _STEP  # the compressed bytes from `at` on are still to be decoded
        made, needs_input = 0, True

        def fault(what: str) -> InputError:
            place = f"near byte {self._stored} of the file, {made} bytes decompressed"
            return InputError(f"{kind}: {what}, {place}", file=self.name)

        while True:
            while not decoder.eof:
                data, ended = memoryview(b""), False
                if needs_input:
                    if at == len(piece):
                        piece, at = self._take(PIECE), 0
                        ended = not piece
                    data = memoryview(piece)[at : at + step]
                    at += len(data)
                    step = min(2 * step, PIECE)
                room = min(self._room, PIECE)
                try:
                    found = decoder.decompress(data, room)
                except MemoryError:
                    raise
                except Exception as error:  # each library has its own
                    raise fault(f"corrupt data ({error})") from error
                # zlib also leaves the input for whose content there was no room
                left = decoder.unused_data if decoder.eof else getattr(decoder, "unconsumed_tail", b"")
                at -= len(left)
                needs_input = getattr(decoder, "needs_input", bool(left) or len(found) < room)
                if found:
                    made += len(found)
                    try:
                        self.expand(len(found))
                    except InputError as error:
                        raise fault(error.message) from None
                    yield found
                elif ended and not decoder.eof:
                    raise fault("the data end early")
            while True:
                if kind in {"gzip", "xz"} and piece[at : at + 1] == b"\0":
                    # Zeros may fill up a tape block (gzip) or a multiple of four bytes (xz).
                    piece, at = piece[at:].lstrip(b"\0"), 0
                if at < len(piece):
                    break
                piece, at = self._take(PIECE), 0
                if not piece:
                    return
            while len(piece) - at < 16 and (more := self._take(PIECE)):
                piece, at = piece[at:] + more, 0
            if detect(piece[at : at + 16]) != kind:
                raise fault("something else follows the compressed data")
            decoder, step, needs_input = new_decoder(kind), _STEP, True

    def close(self) -> None:
        """Close what was opened here."""
        with self._closing:  # a worker may ask for its state
            if self._owned:
                self._raw.close()
        super().close()


def open_source(source: str | os.PathLike[str] | BinaryIO | Source, max_size: int | None = None) -> Source:
    """Open a path, a URL, standard input (``-``) or an open file; a `Source` is returned as it is."""
    if isinstance(source, Source):
        return source
    if not isinstance(source, str | os.PathLike):
        name = str(getattr(source, "name", "<stream>"))
        if isinstance(source, io.TextIOBase):
            raise InputError("expected a file open in binary mode, found one in text mode", file=name)
        if getattr(source, "closed", False):
            raise InputError("the file is closed", file=name)
        return Source(source, name, owned=False, max_size=max_size)
    path = os.fspath(source)
    if path == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed", file="<stdin>")
        return Source(sys.stdin.buffer, "<stdin>", owned=False, max_size=max_size)
    if "://" in path:
        from unidoku.files.storage import ByteRange, stat

        return Source(ByteRange(path, 0, stat(path)[0]), path, max_size=max_size)
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
        raise InputError(reason, file=path) from error
    try:
        return Source(raw, path, path=path, max_size=max_size)
    except BaseException:
        raw.close()
        raise
