"""Text of inputs: UTF-8, or else Windows-1252, line by line; binary data is refused."""

from __future__ import annotations

import codecs
from contextlib import suppress

from unidoku.errors import FormatError, Message
from unidoku.parse.text import decode_line

_SAMPLE = 4096  # bytes that show whether a file is text
_SAMPLE_MIN = 64  # bytes: a few wrong ones are a wrong line of a text
_CONTROLS = bytes(code for code in (*range(32), 127) if code not in b"\t\n\f\r")
_WIDE = (b"\xff\xfe\0\0", b"\0\0\xfe\xff")  # marks of UTF-32

OTHER_ENCODING = Message(
    "expected UTF-8 text, found another encoding, perhaps GB18030 or Shift JIS: save it as UTF-8"
)
"""The error for a text that is neither UTF-8 nor, for the most part, ASCII."""

LINE_LIMIT = 1 << 16
"""Largest number of bytes that are kept of a line; only JSON lines may be longer."""


def check_text(head: bytes) -> None:
    """Refuse UTF-32 and binary data: text with its mark, or a third of control characters."""
    sample = head[:_SAMPLE]
    printable = sample.decode("utf-8", "ignore").encode().translate(None, _CONTROLS)
    if head.startswith(_WIDE) or (len(sample) >= _SAMPLE_MIN and 3 * len(printable) < 2 * len(sample)):
        if sample.translate(None, _CONTROLS) == sample:
            raise FormatError(OTHER_ENCODING)
        raise FormatError(Message("expected UTF-8 or ASCII text, found UTF-16, UTF-32 or binary data"))


def utf8_of(content: bytes, *, is_cut: bool = False) -> tuple[bytes, int | None]:
    """Return whole lines as UTF-8, each decoded by `decode_line`, and the index of the first that was not.

    If they are cut, the last one may end within a character.
    """
    with suppress(UnicodeDecodeError):
        codecs.utf_8_decode(content, "strict", not is_cut)
        return content, None
    lines, first = [], None
    for number, line in enumerate(content.splitlines(keepends=True)):
        text = decode_line(line).encode()
        if first is None and text != line:
            first = number
        lines.append(text)
    return b"".join(lines), first
