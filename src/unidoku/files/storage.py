"""File systems: those of fsspec for URLs, and one with the same methods for local paths."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from glob import glob
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from types import SimpleNamespace
from typing import Any

from unidoku.compat import fsspec
from unidoku.errors import (
    InputError,
    OutputError,
    UnidokuError,
    arrow_errors,
    naming,
)

_LOCAL_SCHEMES = ("file", "local")  # schemes of URLs that are local paths


LOCAL = SimpleNamespace(
    sep=os.sep,
    exists=os.path.exists,
    glob=partial(glob, recursive=True),
    info=lambda path: {"size": os.path.getsize(path), "mtime": os.stat(path).st_mtime_ns},
    isdir=os.path.isdir,
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
        fs, path = fsspec().url_to_fs(url)  # some connect; others need a library that is not installed
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
