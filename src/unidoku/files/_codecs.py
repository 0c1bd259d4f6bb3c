"""Compressed files as file objects: gzip, bz2, xz and zstd.

Inputs are recognised by content and have any number of members.  The kernel is faster than any codec, so
outputs are compressed with fast settings.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from typing import Any

from unidoku import _compat as compat

COMPRESSIONS = {".gz": "gzip", ".bz2": "bz2", ".xz": "xz", ".zst": "zstd"}
"""Kind of compression by suffix, for outputs."""

_MAGIC = (
    rb"(?P<gzip>\x1f\x8b)|(?P<bz2>BZh.(?:1AY&SY|\x17rE8P\x90))|(?P<xz>\xfd7zXZ\0)"
    rb"|(?P<zstd>\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18)"
)
"""Pattern of the first bytes, with a group for each kind of compression."""

LITERALS = 1002  # zstd's literalCompressionMode, so numbered since 2018; Python has no name for it


@lru_cache(64)  # the same name, again and again
def without_compression(name: str) -> tuple[str, str]:
    """Split the lower-case name of a file into the name without compression and its suffix."""
    name = name.lower().rstrip("/")
    for suffix in COMPRESSIONS:
        if name.endswith(suffix):
            return name.removesuffix(suffix), suffix
    return name, ""


def detect(head: bytes) -> str | None:
    """Return the kind of compression by the first bytes, or None."""
    match = re.match(_MAGIC, head, re.DOTALL)
    return match.lastgroup if match else None


def open_compressed(kind: str, file: Any, mode: str = "rb") -> Any:
    """Wrap a file to decompress its content (``rb``) or to compress its output (``wb``)."""
    if kind == "gzip":
        return compat.gzip()(fileobj=file, mode=mode, compresslevel=1, filename="", mtime=0)
    if kind == "bz2":
        return import_module("bz2").BZ2File(file, mode)
    if kind == "xz":
        return import_module("lzma").LZMAFile(file, mode, preset=1 if mode == "wb" else None)
    zstd = compat.zstd()
    if mode == "rb":
        return zstd.ZstdFile(file)
    # In digits and dots little repeats, but some characters are frequent: this takes half the time of level 1
    # for puzzles, and matches that are so short that they are random are ignored.
    name = zstd.CompressionParameter
    options = {name.compression_level: 1, name.hash_log: 10, name.min_match: 7, name.checksum_flag: 1}
    with suppress(ValueError):  # a library without the setting for literals
        return zstd.ZstdFile(file, mode, options={**options, LITERALS: 1, name.target_length: 256})
    return zstd.ZstdFile(file, mode, options=options)
