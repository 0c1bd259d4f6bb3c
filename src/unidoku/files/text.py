"""What readers of text share: the signs of a format, texts in messages, and the refusal of UTF-16."""

from __future__ import annotations

from enum import Enum, auto
from functools import cached_property

from unidoku.cell import EMPTY_SYMBOLS, OTHER_SIZE, VALUES
from unidoku.errors import FormatError
from unidoku.native.text.scan import separated_cells

BOM = b"\xef\xbb\xbf"
EMPTIES = " ".join(EMPTY_SYMBOLS)
KEPT = 4096  # bytes of a bad line in outputs
_SAMPLE = 4096  # bytes that show whether a file is text
_FEWEST = 64  # of them: a few wrong bytes are a wrong line of a text
_CONTROLS = bytes(code for code in (*range(32), 127) if code not in b"\t\n\f\r")
HEAD = 1 << 16  # bytes that choose a format by its content
LINES = 100  # significant lines looked at
_SYMBOLS = frozenset("".join(VALUES).encode())
_SEPARATORS = frozenset(b' \t,;:#|"')


class Fit(Enum):
    """Whether a content is of a format."""

    NO = auto()
    MAYBE = auto()
    """It could also be of another format."""
    YES = auto()


class Head:
    """The first bytes of a content, decompressed, and their lines."""

    def __init__(self, content: bytes) -> None:
        self.content = content.removeprefix(BOM)

    @cached_property
    def lines(self) -> list[bytes]:
        """The first lines that are neither blank nor comments; never one that is cut off."""
        found: list[bytes] = []
        pieces = self.content.splitlines(keepends=True)
        if len(pieces) > 1 and not pieces[-1].endswith((b"\n", b"\r")):
            pieces.pop()
        for piece in pieces:
            line = piece.strip()
            if line and line[:1] not in (b"#", b";") and not line.startswith(b"//"):
                found.append(line)
                if len(found) == LINES:
                    break
        return found

    @property
    def first(self) -> bytes:
        """The first such line; empty if there is none."""
        return self.lines[0] if self.lines else b""


def is_puzzle(field: bytes) -> bool:
    """Return whether these are 81 cells."""
    return len(field) == 81 and _SYMBOLS.issuperset(field)


def is_puzzle_line(line: bytes) -> bool:
    """Return whether a line begins with the cells or pencil marks of a puzzle."""
    for width in (81, 729):
        ends = len(line) == width or (len(line) > width and line[width] in _SEPARATORS)
        if ends and _SYMBOLS.issuperset(line[:width]):
            return True
    return separated_cells(line) is not None


def holds_puzzle(line: bytes) -> bool:
    """Return whether some field of a line is a puzzle."""
    fields = line.replace(b",", b" ").replace(b";", b" ").split()
    return any(is_puzzle(field.strip(b'"')) for field in fields)


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
