"""What readers of text share: texts in messages, and the refusal of UTF-16."""

from __future__ import annotations

from unidoku.cell import EMPTY_SYMBOLS, OTHER_SIZE
from unidoku.errors import FormatError

__all__ = ["BOM", "EMPTIES", "KEPT", "check_text", "escape", "other_size", "shown"]

BOM = b"\xef\xbb\xbf"
EMPTIES = " ".join(EMPTY_SYMBOLS)
KEPT = 4096  # bytes of a bad line in outputs
_SAMPLE = 4096  # bytes that show whether a file is text
_FEWEST = 64  # of them: a few wrong bytes are a wrong line of a text
_CONTROLS = bytes(code for code in (*range(32), 127) if code not in b"\t\n\f\r")


def shown(text: str, width: int = 40) -> str:
    """`text` for a message: shortened, control characters escaped."""
    short = text if len(text) <= width else text[: width - 1] + "…"
    return ascii(short) if not short.isprintable() else repr(short)


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
    """Refuse UTF-16, UTF-32 and what is no text at all, which no reader of text reads."""
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
