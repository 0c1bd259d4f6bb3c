"""The beginning of a content, by which its format is recognised."""

from __future__ import annotations

from enum import Enum, auto
from functools import cached_property

from unidoku.cell import VALUES
from unidoku.native.text.scan import separated_cells

__all__ = ["HEAD", "Fit", "Head", "holds_puzzle", "is_puzzle", "is_puzzle_line"]

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
        self.content = content.removeprefix(b"\xef\xbb\xbf")

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
