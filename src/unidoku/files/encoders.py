"""Compression of outputs: each piece becomes a separate member, so that the workers compress.

The kernel is faster than any of these codecs, so the settings are the fastest ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from unidoku.errors import naming
from unidoku.files.compression import zstd_library

__all__ = ["Encoder", "encoder"]

Encoder = Callable[[Any], bytes]

LITERALS = 1002  # zstd's literalCompressionMode, so numbered since 2018; Python has no name for it


def encoder(kind: str, path: str, *, lines: bool) -> Encoder:
    """Return the function that compresses pieces of an output.

    Parameters
    ----------
    kind : {"gzip", "bz2", "xz", "zstd"}
    path : str
        The output, for the error.
    lines : bool
        Whether the output is mostly puzzles and solutions, for which zstd has a special setting.

    Raises
    ------
    MissingExtraError
        For zstd, when no encoder is installed.
    """
    chosen = _zstd_of_lines if kind == "zstd" and lines else _ENCODERS[kind]
    with naming(path):
        chosen(b"")
    return chosen


def _gzip(text: Any) -> bytes:
    try:
        from isal.isal_zlib import compress  # five times as fast, for a slightly larger output
    except ImportError:
        from zlib import compress
    return compress(text, 1, wbits=31)


def _bz2(text: Any) -> bytes:
    import bz2

    return bz2.compress(text)


def _xz(text: Any) -> bytes:
    import lzma

    return lzma.compress(text, preset=1)


def _zstd(text: Any) -> bytes:
    """Ignore matches that are so short that they are random: faster than level 1, and not larger."""
    return _zstd_with(text, hash_log=10, min_match=7)


def _zstd_of_lines(text: Any) -> bytes:
    """For lines of digits and dots, in which little repeats, but some characters are frequent.

    Half the time of level 1; puzzles become a seventh smaller, puzzles with their solutions a seventh larger.
    """
    try:
        return _zstd_with(text, literals=1, hash_log=8, min_match=7, target_length=256)
    except ValueError:  # a library without the setting for literals
        return _zstd(text)


def _zstd_with(text: Any, literals: int | None = None, **settings: int) -> bytes:
    zstd = zstd_library()
    settings["compression_level"] = 1
    options = {getattr(zstd.CompressionParameter, name): value for name, value in settings.items()}
    if literals is not None:
        options[LITERALS] = literals
    packed: bytes = zstd.compress(text, options=options)
    return packed


_ENCODERS: dict[str, Encoder] = {"gzip": _gzip, "bz2": _bz2, "xz": _xz, "zstd": _zstd}
