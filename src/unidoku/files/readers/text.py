"""What readers of text share: buffers of whole lines, texts in messages, the refusal of UTF-16."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unidoku.cell import EMPTY_SYMBOLS, OTHER_SIZE
from unidoku.errors import FormatError, InputError
from unidoku.files.base import Chunk, Reader

if TYPE_CHECKING:
    from unidoku.files.base import ReadOptions
    from unidoku.files.source import Source

__all__ = [
    "BOM",
    "EMPTIES",
    "KEPT",
    "TextChunk",
    "TextReader",
    "check_text",
    "describe",
    "escape",
    "excerpt",
    "other_size",
    "shown",
]

BOM = b"\xef\xbb\xbf"

EMPTIES = " ".join(EMPTY_SYMBOLS)
SHOWN = 40  # characters of a bad line in messages
KEPT = 4096  # bytes of a bad line in outputs
_SAMPLE = 4096  # bytes that show whether a file is text
_FEWEST = 64  # of them: a few wrong bytes are a wrong line of a text
_CONTROLS = bytes(code for code in (*range(32), 127) if code not in b"\t\n\f\r")


def shown(text: str, width: int = 40) -> str:
    """`text` for a message: shortened, control characters escaped."""
    short = text if len(text) <= width else text[: width - 1] + "…"
    return ascii(short) if not short.isprintable() else repr(short)


def describe(here: bytes) -> str:
    """Return the character these bytes begin with, in quotes."""
    if not here:
        return "the end of the line"
    if here[0] == 0:
        return "a NUL byte"
    text = here.decode("utf-8", "ignore")
    if text and here.startswith(text[0].encode()):
        return f"'{escape(text[0])}'"
    return f"the byte 0x{here[0]:02x}"


def excerpt(line: memoryview, at: int) -> str:
    """Return the line around a place, in quotes: shortened, control characters escaped."""
    begin = 0 if at < SHOWN else at - SHOWN // 2
    text = bytes(line[begin : begin + SHOWN]).decode("utf-8", "backslashreplace")
    return f"'{'…' * (begin > 0)}{escape(text)}{'…' * (begin + SHOWN < len(line))}'"


def escape(text: str) -> str:
    """Return the text with everything unprintable as an escape sequence."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def other_size(text: str) -> str:
    """Return a remark for messages if a text is a 16 x 16 puzzle or a row of one, else an empty text."""
    whole = len(text) == 256 and all(symbol.isalnum() or symbol in EMPTY_SYMBOLS for symbol in text)
    row = len(text) == 16 and all(symbol in "123456789ABCDEFGabcdefg" + EMPTY_SYMBOLS for symbol in text)
    return f" ({OTHER_SIZE})" if whole or row else ""


def check_text(head: bytes, name: str) -> None:
    """Refuse UTF-16, UTF-32 and what is no text at all, which no reader of text reads.

    Raises
    ------
    FormatError
        Naming UTF-16, UTF-32 or binary data.
    """
    kind = None
    if head.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        kind = "UTF-32"
    elif head.startswith((b"\xff\xfe", b"\xfe\xff")):
        kind = "UTF-16"
    else:
        some = head[:512]
        half = len(some) // 2
        zeros = sorted((some[0::2].count(0), some[1::2].count(0)))
        if half >= 4 and zeros[0] == 0 and zeros[1] >= half * 0.9:
            kind = "UTF-16"
    if kind is None and _is_binary(head[:_SAMPLE]):
        kind = "binary data"
    if kind is not None:
        raise FormatError(f"expected UTF-8 or ASCII text, found {kind}", file=name)


def _is_binary(some: bytes) -> bool:
    """Return whether a third of some bytes are control characters, or no UTF-8."""
    printed = some.decode("utf-8", "ignore").encode().translate(None, _CONTROLS)
    return len(some) >= _FEWEST and 3 * len(printed) < 2 * len(some)


class TextReader(Reader):
    """A reader whose chunks are whole lines (or records) in buffers that are used again."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        self._free: list[bytearray] = []

    def _take(self, size: int) -> bytearray:
        """Return a buffer of at least `size` bytes, with any content."""
        while self._free:
            buffer = self._free.pop()
            if len(buffer) >= size:
                return buffer
        # A little more, so that it fits the next time too.
        return bytearray(size + min(size, 1 << 16))

    def give(self, buffer: bytearray) -> None:
        """Keep a buffer for another chunk."""
        self._free.append(buffer)

    def _fill(self, buffer: bytearray, rest: bytes, size: int) -> tuple[int, bool, InputError | None]:
        """Fill the first `size` bytes of a buffer with the rest of the chunk before and what follows.

        Returns
        -------
        end : int
            The end of the text in the buffer.
        final : bool
            Whether the input has ended.
        failure : InputError or None
            Why it cannot be read further.
        """
        end = len(rest)
        with memoryview(buffer) as view:
            view[:end] = rest
            try:
                end += self.source.readinto(view[end:size])
                if end < size:
                    # Less than requested: the end, or the last bytes before a failure.
                    end += self.source.readinto(view[end:size])
            except InputError as error:
                return end, False, error
        return end, end < size, None


@dataclass(slots=True)
class TextChunk(Chunk):
    """Whole lines or records: bytes ``begin`` to ``end`` of a buffer, after `line` lines of the input."""

    reader: Any  # a TextReader
    buffer: bytearray
    begin: int
    end: int
    line: int

    def release(self) -> None:
        """Return the buffer to the reader."""
        self.reader.give(self.buffer)
