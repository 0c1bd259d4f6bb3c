"""Bytes as text: UTF-8, UTF-16 with its mark, or Windows-1252, which older programs write."""

from __future__ import annotations

import codecs
from contextlib import suppress
from functools import cache
from typing import TypeGuard


def decode_text(data: bytes) -> str:
    """Decode a text: UTF-16 with its mark, or as `decode_line`; a mark of UTF-8 is removed."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        with suppress(UnicodeDecodeError):
            return data.decode("utf-16")
    return decode_line(data).removeprefix("\ufeff")


def decode_line(line: bytes, *, is_cut: bool = False) -> str:
    """Decode a line of UTF-8, or else of Windows-1252, which older programs write.

    If it is cut, it may end within a character.
    """
    try:
        return codecs.utf_8_decode(line, "strict", not is_cut)[0]
    except UnicodeDecodeError:
        return codecs.charmap_decode(line, "strict", _cp1252())[0]  # pyright: ignore[reportArgumentType]


@cache
def _cp1252() -> str:
    """Return the characters of Windows-1252; five bytes have none, and are read as Latin-1."""
    return "".join(bytes([code]).decode("cp1252", "ignore") or chr(code) for code in range(256))


def lines_of(data: bytes) -> list[bytes]:
    """Split bytes into lines, which end with LF, CRLF or a lone CR; UTF-16 becomes UTF-8."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        data = decode_text(data).encode("utf-8", "surrogatepass")
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


def is_bytes(puzzle: object) -> TypeGuard[bytes | bytearray | memoryview]:
    """Return whether an object is bytes, or a view of such: of larger items it is an array."""
    if isinstance(puzzle, memoryview):
        return puzzle.itemsize == 1
    return isinstance(puzzle, bytes | bytearray)
