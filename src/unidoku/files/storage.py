"""File systems: those of fsspec for URLs, and one with the same methods for local paths."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from glob import glob
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from types import SimpleNamespace
from typing import Any

from unidoku.errors import (
    InputError,
    OutputError,
    UnidokuError,
    arrow_errors,
    naming,
    needs_extra,
)

_LOCAL_SCHEMES = ("file", "local")  # schemes of URLs that are local paths


LOCAL = SimpleNamespace(
    sep=os.sep,
    exists=os.path.exists,
    glob=partial(glob, recursive=True),
    info=lambda path: {"size": os.path.getsize(path), "mtime": os.stat(path).st_mtime_ns},
    invalidate_cache=lambda: None,
    isdir=os.path.isdir,
    ls=lambda path, detail: os.listdir(path),
    makedirs=os.makedirs,
    mv=os.replace,
    open=partial(open, buffering=0),
    rm_file=os.remove,
    unstrip_protocol=str,
    walk=os.walk,
)
"""The methods of an fsspec file system that are used here, for local paths."""


def is_remote(url: str) -> bool:
    """Return whether a name is a URL that needs fsspec; ``file://`` does not."""
    scheme, colon, _ = url.partition("://")
    return bool(colon) and scheme.lower() not in _LOCAL_SCHEMES


def local_path(url: str) -> str:
    """Return the path of a plain name or of a ``file://`` URL."""
    scheme, colon, path = url.partition("://")
    if colon and scheme.lower() in _LOCAL_SCHEMES:
        from urllib.request import url2pathname  # not at the top: it imports much

        url = url2pathname(path.removeprefix("localhost"))
    return str(Path(url)) if url else ""


def filesystem(url: str) -> tuple[Any, str]:
    """Return the file system of a name or URL, and the path in it."""
    if not is_remote(url):
        return LOCAL, local_path(url)
    with reading(url):
        with needs_extra("remote", "a URL needs fsspec"):
            from fsspec.core import url_to_fs
        fs, path = url_to_fs(url)  # some connect; others need a library that is not installed
    return fs, path


def is_special(url: str) -> bool:
    """Return whether a name belongs to a device, a pipe or a socket."""
    try:
        mode = os.stat(local_path(url)).st_mode
    except (OSError, ValueError):
        return False
    return not S_ISREG(mode) and not S_ISDIR(mode)


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


@contextmanager
def writing(file: str) -> Iterator[None]:
    """Convert the exceptions of file systems to `OutputError`; a closed pipe stays a `BrokenPipeError`."""
    try:
        with arrow_errors(file):
            yield
    except (UnidokuError, MemoryError, BrokenPipeError):
        raise
    except NotImplementedError as error:
        raise OutputError(
            "cannot write: this kind of storage can be read, but not written", file=file
        ) from error
    except Exception as error:
        raise OutputError(f"cannot write: {describe(error)}", file=file) from error


def describe(error: BaseException) -> str:
    """Return the reason of an exception of a library or a file system."""
    if isinstance(error, FileNotFoundError):  # of a store it has the path alone
        return "No such file or directory"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def has_wildcard(name: str) -> bool:
    """Return whether a name may be a pattern."""
    return any(sign in name for sign in "*?[")


def list_files(name: str, accepts: Callable[[str], bool]) -> Iterator[str]:
    """Yield the files of a folder or a pattern in the order of their names, with numbers by value.

    Of a folder only files are taken whose path in it `accepts`, and no pipes, which would wait for a writer.
    Links to folders are not followed.  Web servers list nothing.  The name of an existing file is no pattern.
    """
    if name.startswith(("http://", "https://")):
        return
    fs, path = filesystem(name)
    matches = [path] if fs.isdir(path) else []
    if not matches and has_wildcard(path) and not fs.exists(path):
        matches = sorted(fs.glob(path), key=_natural)
    for match in matches:
        if not fs.isdir(match):
            # unlike a shell, some stores match hidden files too
            if fs is LOCAL or not match.rpartition("/")[2].startswith("."):
                yield fs.unstrip_protocol(match)
            continue
        for folder, folders, files in fs.walk(match):
            folders.sort(key=_natural)
            for file in sorted(files, key=_natural):
                full = f"{folder.rstrip(fs.sep)}{fs.sep}{file}"
                url = fs.unstrip_protocol(full)
                if accepts(full[len(match.rstrip(fs.sep)) + 1 :]) and not is_special(url):
                    yield url


def _natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key with the numbers of a name by value."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]{1,18})", name)]
