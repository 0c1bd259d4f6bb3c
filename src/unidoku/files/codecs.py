"""Codecs: gzip, bz2, xz and zstd.

Inputs are recognised by content and have any number of members.  Of outputs each piece becomes a separate
member, so that the workers compress; the kernel is faster than any codec, so the settings are fast ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any, BinaryIO

from unidoku.errors import MissingExtraError


def _gzip_file(stored: BinaryIO) -> Any:
    """Open with ISA-L, three times as fast, or zlib."""
    try:
        from isal.igzip import IGzipFile as GzipFile
    except ImportError:
        from gzip import GzipFile  # type: ignore[assignment]

    opened: Any = GzipFile
    return opened(fileobj=stored, mode="rb")


def _zstd_library() -> Any:
    """Import the standard library's module for zstd, or the package that has it for older versions."""
    for name in ("compression.zstd", "backports.zstd"):
        with suppress(ImportError):
            return import_module(name)
    raise MissingExtraError(
        "zstd needs Python 3.14 or the package backports.zstd: pip install backports.zstd"
    )


_OPENERS: dict[str, tuple[bytes, Callable[[BinaryIO], Any]]] = {
    "gzip": (rb"\x1f\x8b", _gzip_file),
    "bz2": (rb"BZh.(?:1AY&SY|\x17rE8P\x90)", lambda stored: import_module("bz2").BZ2File(stored)),
    "xz": (rb"\xfd7zXZ\0", lambda stored: import_module("lzma").LZMAFile(stored)),
    "zstd": (rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", lambda stored: _zstd_library().ZstdFile(stored)),
}
"""Kind of compression: a pattern of the first bytes, and what opens a file with them."""


def detect(head: bytes) -> str | None:
    """Return the kind of compression that begins with these bytes, if any."""
    return next((kind for kind, (magic, _) in _OPENERS.items() if re.match(magic, head, re.DOTALL)), None)


def open_compressed(kind: str, stored: BinaryIO) -> Any:
    """Open the content of a compressed file."""
    return _OPENERS[kind][1](stored)


Encoder = Callable[[Any], bytes]

LITERALS = 1002  # zstd's literalCompressionMode, so numbered since 2018; Python has no name for it


def encoder(kind: str, *, lines: bool) -> Encoder:
    """Return the function that compresses pieces of an output; `lines` says that these are mostly puzzles."""
    chosen = partial(_zstd, lines=True) if kind == "zstd" and lines else _ENCODERS[kind]
    chosen(b"")  # an error says that its library is missing
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
