"""Where bytes are: local paths and fsspec URLs behind one small interface. `output` writes files there."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from glob import glob
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any

from unidoku.errors import InputError, MissingExtraError, UnidokuError, naming, needs_extra

BLOCK = 1 << 23
"""Bytes of one request to a remote store."""

_SAMPLE = 1 << 16
# The keys under which file systems give the version of a file, the most reliable first.
_VERSIONS = tuple(
    "ETag etag md5Hash content_md5 generation LastModified last_modified updated mtime created".split()
)


def is_remote(url: str) -> bool:
    """Return whether a name is a URL that needs fsspec; ``file://`` does not."""
    scheme, colon, _ = url.partition("://")
    return bool(colon) and scheme.lower() not in {"file", "local"}


def local_path(url: str) -> Path:
    """Return the path of a plain name or of a ``file://`` URL."""
    try:
        is_name = b"\0" not in os.fsencode(url)
    except UnicodeEncodeError:
        is_name = False
    if not is_name:
        raise InputError("this cannot be the name of a file", file=ascii(url))
    scheme, colon, rest = url.partition("://")
    if colon and scheme.lower() in {"file", "local"}:
        from urllib.request import url2pathname

        return Path(url2pathname(rest.removeprefix("localhost") if rest.startswith("localhost/") else rest))
    return Path(url)


def is_special(path: Path) -> bool:
    """Return whether a path is a device, a pipe or a socket."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not S_ISREG(mode) and not S_ISDIR(mode)


def filesystem(url: str) -> tuple[Any, str]:
    """Return the fsspec file system of a URL, and the path in it."""
    with reading(url):  # some connect
        with needs_extra("remote", "a URL needs fsspec"):
            from fsspec.core import url_to_fs
        try:
            fs, path = url_to_fs(url)
        except ImportError as error:  # fsspec knows the scheme, but its library is not installed
            raise MissingExtraError(str(error), file=url) from error
        except ValueError as error:
            raise InputError(str(error), file=url) from error
    return fs, path


def stat(url: str) -> tuple[int, str]:
    """Return the size of a file in bytes, and its version."""
    if not is_remote(url):
        path = local_path(url)
        try:
            status = path.stat()
        except OSError as error:
            raise InputError(error.strerror or str(error), file=url) from error
        if not path.is_file():
            raise InputError("not a plain file", file=url)
        return status.st_size, f"mtime:{status.st_mtime_ns}"
    fs, remote = filesystem(url)
    with reading(url):
        info = fs.info(remote)
    if info.get("type") == "directory" or info.get("size") is None:
        raise InputError("not a file of known size", file=url)
    version = next((f"{key}:{info[key]}" for key in _VERSIONS if info.get(key)), "")
    return int(info["size"]), version


@contextmanager
def reading(file: str, problem: str | None = None) -> Iterator[None]:
    """Convert the exceptions of libraries and file systems to `InputError`."""
    try:
        with naming(file):
            yield
    except (UnidokuError, MemoryError):
        raise
    except Exception as error:
        raise InputError(describe(error) if problem is None else f"{problem} ({error})", file=file) from error


def describe(error: BaseException) -> str:
    """Describe an exception of a file system."""
    if isinstance(error, FileNotFoundError):
        return "No such file"
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def is_pattern(name: str) -> bool:
    """Return whether a name has a wildcard."""
    return any(sign in name for sign in "*?[")


def list_files(name: str) -> Iterator[tuple[str, str]]:
    """Yield the files of a folder or a pattern in the order of their names, with numbers by value.

    Each comes with its path in the folder, or an empty one if the pattern itself matches it.  Links to
    folders are not followed; pipes and devices are skipped.  Web servers list nothing.  The name of an
    existing file is no pattern.
    """
    if is_remote(name):
        if not name.startswith(("http://", "https://")):
            with reading(name):
                yield from _list_remote(*filesystem(name))
        return
    path = str(local_path(name))
    is_folder = os.path.isdir(path)
    if not is_folder and (os.path.exists(path) or not is_pattern(name)):
        return
    for match in [path] if is_folder else sorted(glob(path, recursive=True), key=_natural):
        if not os.path.isdir(match):
            yield match, ""
            continue
        for folder, folders, files in os.walk(match):
            folders.sort(key=_natural)
            for file in sorted(files, key=_natural):
                full = os.path.join(folder, file)
                if not is_special(Path(full)):  # a pipe would wait for a writer
                    yield full, os.path.relpath(full, match)


def _natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key with the numbers of a name by value."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]{1,18})", name)]


def _list_remote(fs: Any, path: str) -> Iterator[tuple[str, str]]:
    for match in sorted(fs.glob(path), key=_natural) if is_pattern(path) else [path]:
        if fs.isdir(match):
            for file in sorted(fs.find(match), key=_natural):
                yield fs.unstrip_protocol(file), file[len(match.rstrip("/")) + 1 :]
        elif is_pattern(path) and not match.rpartition("/")[2].startswith("."):
            # unlike a shell, some stores match hidden files too
            yield fs.unstrip_protocol(match), ""


def protocols(fs: Any) -> set[str]:
    """Return the URL schemes of an fsspec file system."""
    return {fs.protocol} if isinstance(fs.protocol, str) else set(fs.protocol)
