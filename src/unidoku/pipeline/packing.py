"""How outputs are compressed.

The kernel is faster than any of this, so the settings are those that hold it up least.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from unidoku.errors import MissingExtraError

__all__ = ["PACKS", "Pack", "packing_of", "split"]

Pack = Callable[[Any], bytes]

_OF_PARQUET = ("brotli", "gzip", "lz4", "snappy", "zstd")
_LINES = ("txt", "sdm")
_LITERALS = 1002  # zstd's literalCompressionMode, so numbered since 2018; Python has no name for it


def split(path: str) -> tuple[str, Pack | None]:
    """Form and compression that the ending of a path asks for; ``-`` stands for plain lines.

    Raises
    ------
    MissingExtraError
        For zstd, without an encoder.
    """
    if path == "-":
        return "txt", None
    stem, dot, last = path.lower().rpartition(".")
    pack = PACKS.get(dot + last)
    if pack is None:
        return last, None
    form = stem.rpartition(".")[2]
    if pack is _zstd:
        pack = _zstd_of_lines if form in _LINES else _zstd
        try:
            pack(b"")
        except ImportError as error:
            raise MissingExtraError(
                "zstd-compressed output needs an encoder: pip install 'unidoku[zstd]'", file=path
            ) from error
    return form, pack


def packing_of(path: str) -> str:
    """The compression that a name like ``out.zstd.parquet`` asks for, or ``none``."""
    stem, _, suffix = path.lower().rpartition(".")
    word = stem.rpartition(".")[2]
    return word if suffix == "parquet" and word in _OF_PARQUET else "none"


def _gzip(text: Any) -> bytes:
    try:
        from isal.isal_zlib import compress  # five times as fast, for less
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
    """Without a look at matches so short that chance makes them: faster than level 1, and not larger."""
    return _zstd_with(text, hash_log=10, min_match=7)


def _zstd_of_lines(text: Any) -> bytes:
    """For lines of digits and dots, in which little repeats, but some characters are frequent.

    Half the time of level 1; puzzles become a seventh smaller, puzzles with their solutions a seventh larger.
    """
    try:
        return _zstd_with(text, literals=1, hash_log=8, min_match=7, target_length=256)
    except ValueError:  # a library that does not know the literals' setting
        return _zstd(text)


def _zstd_with(text: Any, literals: int | None = None, **settings: int) -> bytes:
    try:
        from compression.zstd import (  # type: ignore[import-not-found, unused-ignore]
            CompressionParameter,
            compress,
        )
    except ImportError:
        from backports.zstd import CompressionParameter, compress
    options: dict[int, int] = {CompressionParameter.compression_level: 1}
    options |= {getattr(CompressionParameter, name): value for name, value in settings.items()}
    if literals is not None:
        options[_LITERALS] = literals
    packed: bytes = compress(text, options=options)
    return packed


# Each piece becomes a member of its own: all four formats allow that, and the workers compress.
PACKS: dict[str, Pack] = {".gz": _gzip, ".bz2": _bz2, ".xz": _xz, ".zst": _zstd}
