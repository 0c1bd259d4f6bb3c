"""File systems: those of fsspec for URLs, and one with the same methods for local paths."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from glob import glob
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any

from unidoku.errors import (
    InputError,
    MissingExtraError,
    OutputError,
    UnidokuError,
    arrow_errors,
    naming,
    needs_extra,
)

_LOCAL = ("file", "local")  # schemes of URLs that are local paths


class LocalFiles:
    """The methods of an fsspec file system that are used here, for local paths."""

    sep = os.sep
    exists = staticmethod(os.path.exists)
    isdir = staticmethod(os.path.isdir)
    makedirs = staticmethod(os.makedirs)
    mv = staticmethod(os.replace)
    rm_file = staticmethod(os.remove)
    unstrip_protocol = staticmethod(str)

    @staticmethod
    def open(path: str, mode: str) -> Any:
        """Open a file without a buffer."""
        return open(path, mode, buffering=0)

    @staticmethod
    def glob(pattern: str) -> list[str]:
        """Return the files and folders that a pattern matches."""
        return glob(pattern, recursive=True)

    @staticmethod
    def walk(path: str) -> Iterator[tuple[str, list[str], list[str]]]:
        """Walk over a folder, without pipes, which would wait for a writer, and devices."""
        for folder, folders, files in os.walk(path):
            yield folder, folders, [file for file in files if not is_special(os.path.join(folder, file))]

    @staticmethod
    def ls(path: str, detail: bool) -> list[str]:
        """Return the names of the files and folders in a folder."""
        return os.listdir(path)

    @staticmethod
    def info(path: str) -> dict[str, Any]:
        """Return the size and the time of a file."""
        status = os.stat(path)
        return {"size": status.st_size, "mtime": status.st_mtime_ns}

    @staticmethod
    def invalidate_cache() -> None:
        """Do nothing: there is no cache."""


def is_remote(url: str) -> bool:
    """Return whether a name is a URL that needs fsspec; ``file://`` does not."""
    scheme, colon, _ = url.partition("://")
    return bool(colon) and scheme.lower() not in _LOCAL


def local_path(url: str) -> str:
    """Return the path of a plain name or of a ``file://`` URL."""
    scheme, colon, path = url.partition("://")
    if colon and scheme.lower() in _LOCAL:
        from urllib.request import url2pathname  # not at the top: it imports much

        url = url2pathname(path.removeprefix("localhost"))
    return str(Path(url)) if url else ""


def filesystem(url: str) -> tuple[Any, str]:
    """Return the file system of a name or URL, and the path in it."""
    if not is_remote(url):
        return LocalFiles, local_path(url)
    with reading(url):  # some connect
        with needs_extra("remote", "a URL needs fsspec"):
            from fsspec.core import url_to_fs
        try:
            fs, path = url_to_fs(url)
        except ImportError as error:  # fsspec knows the scheme, but its library is not installed
            raise MissingExtraError(str(error)) from error
    return fs, path


def is_special(url: str) -> bool:
    """Return whether a name is that of a device, a pipe or a socket."""
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

    Of a folder only files are taken whose path in it `accepts`.  Links to folders are not followed.  Web
    servers list nothing.  The name of an existing file is no pattern.
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
            if fs is LocalFiles or not match.rpartition("/")[2].startswith("."):
                yield fs.unstrip_protocol(match)
            continue
        for folder, folders, files in fs.walk(match):
            folders.sort(key=_natural)
            for file in sorted(files, key=_natural):
                full = f"{folder.rstrip(fs.sep)}{fs.sep}{file}"
                if accepts(full[len(match.rstrip(fs.sep)) + 1 :]):
                    yield fs.unstrip_protocol(full)


def _natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key with the numbers of a name by value."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]{1,18})", name)]
