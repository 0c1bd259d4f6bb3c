"""Compressed data and archives, made with the standard library and the library of Zstandard."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import pytest


def zstd() -> Any:
    """Return the module of Zstandard, or skip the test."""
    return pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


PACK = {
    "gzip": gzip.compress,
    "bz2": lambda data: bz2.compress(data, 1),
    "xz": lambda data: lzma.compress(data, preset=0),
    "zstd": lambda data: bytes(zstd().compress(data)),
}
"""Compressors by the name of the compression."""

UNPACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.decompress,
    ".bz2": bz2.decompress,
    ".xz": lzma.decompress,
    ".zst": lambda data: bytes(zstd().decompress(data)),
}
"""Decompressors by the suffix of a file."""


def zip_of(members: Mapping[str, bytes | str], **options: Any) -> bytes:
    """Return a zip archive of these members; a name that ends with a slash is a folder's."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", **options) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def tar_of(
    members: Mapping[str, bytes], mode: str = "w", kind: int = tarfile.PAX_FORMAT, link: str | None = None
) -> bytes:
    """Return a tar archive of these members and of a symbolic link to the first one."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode, format=kind) as archive:  # type: ignore[call-overload]
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        if link is not None:
            info = tarfile.TarInfo(link)
            info.type, info.linkname = tarfile.SYMTYPE, next(iter(members))
            archive.addfile(info)
    return out.getvalue()
