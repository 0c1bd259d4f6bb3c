"""Codecs: gzip, bz2, xz and zstd.

Inputs are recognised by content and have any number of members.  Of outputs each piece becomes a separate
member, so that the workers compress; the kernel is faster than any codec, so the settings are fast ones.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any

from unidoku.errors import MissingExtraError


def _inflate() -> Any:
    """Return the decompressor of ISA-L, three times as fast, or zlib's."""
    try:
        from isal import isal_zlib as zlib
    except ImportError:
        import zlib  # type: ignore[no-redef]

    return zlib.decompressobj(wbits=31)


def _zstd_library() -> Any:
    """Import the standard library's module for zstd, or the package that has it for older versions."""
    for name in ("compression.zstd", "backports.zstd"):
        with suppress(ImportError):
            return import_module(name)
    raise MissingExtraError(
        "zstd needs Python 3.14 or the package backports.zstd: pip install backports.zstd"
    )


_DECODERS: dict[str, Callable[[], Any]] = {
    "gzip": _inflate,
    "bz2": lambda: import_module("bz2").BZ2Decompressor(),
    "xz": lambda: import_module("lzma").LZMADecompressor(),
    "zstd": lambda: _zstd_library().ZstdDecompressor(),
}


def new_decoder(kind: str) -> Any:
    """Return a decompressor for one member, as the module ``bz2`` has it; zlib's has no ``needs_input``."""
    return _DECODERS[kind]()


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
