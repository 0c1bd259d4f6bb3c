"""Find line beginnings in the middle of a file, and count lines."""

from __future__ import annotations

from unidoku.errors import FormatError, InputError
from unidoku.files.storage import ByteRange, read_range
from unidoku.native.text import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from unidoku.files.storage import Identity

__all__ = ["QuoteGuard", "count_lines", "line_start"]

WINDOW = 1 << 12  # bytes in which a line end is looked for
BLOCK = 1 << 20  # bytes in which lines are counted at once
_LF = 10
_CR = 13


class QuoteGuard(ByteRange):
    """A byte range of CSV that refuses quoted fields with line ends, which cannot be cut into ranges."""

    _open = False

    def readinto(self, buffer: Any) -> int:
        """Read into the buffer, up to its size or the end."""
        count = super().readinto(buffer)
        piece = bytes(memoryview(buffer).cast("B")[:count])
        if not self._open and b'"' not in piece:
            return count
        *ended, rest = piece.replace(b"\r", b"\n").split(b"\n")
        for line in ended:
            self._open ^= line.count(b'"') % 2 == 1
            if self._open:
                raise FormatError(
                    "a quoted field contains a line end, so the file cannot be cut; make it one part "
                    "with --part-bytes (or part_bytes) of at least its size",
                    file=self.name,
                )
        self._open ^= rest.count(b'"') % 2 == 1
        return count


def line_start(source: Identity, at: int, window_bytes: int = WINDOW) -> int:
    """Position of the first line that begins at or after ``at``; the size of the input if there is none.

    A line ends with LF, CR LF or a lone CR.
    """
    if at == 0:
        return 0
    position, stop = at - 1, source.size  # the byte before may end a line
    while position < stop:
        window = read_range(source.url, position, min(stop, position + window_bytes), source.name)
        if not window:
            return stop
        ends = [found for found in (window.find(b"\n"), window.find(b"\r")) if found >= 0]
        if ends:
            end = position + min(ends)
            after_cr = window[end - position : end - position + 1] == b"\r"
            if after_cr and read_range(source.url, end + 1, min(stop, end + 2), source.name) == b"\n":
                end += 1
            return min(stop, end + 1)
        position += len(window)
    return stop


def count_lines(source: Identity, start: int, stop: int, block_bytes: int = BLOCK) -> int:
    """Count the lines of an input that begin in its bytes ``start`` to ``stop``."""
    size = source.size
    first = max(0, start - 1)  # a line begins behind the end of another
    last = min(stop, size) - 1  # what ends with the last byte begins nothing here
    count = int(start == 0 < stop)
    buffer = bytearray(max(1, min(block_bytes, last - first)))
    with ByteRange(source.url, first, size, source.name) as content, memoryview(buffer) as view:
        left, after_cr = last - first, False
        while left > 0:
            got = content.readinto(view[: min(left, len(buffer))])
            if not got:
                raise InputError(f"ends after {first + content.tell()} of {size} bytes", file=source.name)
            left -= got
            count += scan.count_lines(buffer, 0, got)
            count -= buffer[got - 1] not in b"\r\n"  # a line that has not ended yet
            count -= after_cr and buffer[0] == _LF
            after_cr = buffer[got - 1] == _CR
        if after_cr and content.read(1) == b"\n":
            count -= 1
    return count
