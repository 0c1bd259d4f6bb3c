"""File systems: those of fsspec for URLs, and one with the same methods for local paths."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from glob import glob
from itertools import islice
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from types import SimpleNamespace
from typing import Any

from unidoku.arguments import near
from unidoku.compat import fsspec
from unidoku.errors import InputError, Message, OutputError, UnidokuError, arrow_errors, naming

_LOCAL_SCHEMES = ("file", "local")  # schemes of URLs that are local paths
ABSENT = Message("No such file or directory")
_KNOWN = {
    errno.EACCES: Message("Permission denied"),
    errno.EISDIR: Message("Is a directory"),
    errno.ENOTDIR: Message("Not a directory"),
    errno.ENOSPC: Message("No space left on device"),
    errno.EROFS: Message("Read-only file system"),
    errno.ENAMETOOLONG: Message("File name too long"),
}
"""What operating systems say of errors, by their number."""
_MOST_NAMES = 10_000  # of a folder that are looked at for a name near another
_NEAR = 0.8  # of two names that may be one with a typo
_WEB = ("http://", "https://")


def _list_local(folder: str, **_: object) -> list[dict[str, str]]:
    """Return the entries of a folder as fsspec does, without links to folders."""
    with os.scandir(folder) as entries:
        return [
            {"name": entry.path, "type": "directory" if entry.is_dir() else "file"}
            for entry in entries
            if not (entry.is_symlink() and entry.is_dir())
        ]


LOCAL = SimpleNamespace(
    sep=os.sep,
    exists=os.path.exists,
    glob=partial(glob, recursive=True),
    info=lambda path: {"size": os.path.getsize(path), "mtime": os.stat(path).st_mtime_ns},
    isdir=os.path.isdir,
    ls=_list_local,
    mv=os.replace,
    open=partial(open, buffering=0),
    rm_file=os.remove,
    unstrip_protocol=str,
)
"""The methods of an fsspec file system that are used here, for local paths."""


class FileSystem:
    """A file system whose exceptions, of any kind, become an `InputError` or `OutputError` with a name."""

    def __init__(self, methods: Any, name: str) -> None:
        self.methods = methods
        self.is_local = methods is LOCAL
        self.is_web = name.startswith(_WEB)  # which lists nothing
        self._name = name

    def open(self, path: str, mode: str = "rb") -> Any:
        """Open a file."""
        with (reading if mode == "rb" else writing)(self._name):
            return self.methods.open(path, mode)

    def info(self, path: str) -> dict[str, Any]:
        """Return the size of a file, and what changes when it is written again."""
        with reading(self._name):
            return {**self.methods.info(path)}

    def exists(self, path: str) -> bool:
        """Return whether there is a file or a folder."""
        with reading(self._name):
            return bool(self.methods.exists(path))

    def isdir(self, path: str) -> bool:
        """Return whether it is a folder."""
        with reading(self._name):
            return not self.is_web and bool(self.methods.isdir(path))

    def ls(self, folder: str) -> list[tuple[str, bool]]:
        """Return the paths in a folder, and which are folders."""
        with reading(self._name):
            entries = self.methods.ls(folder, detail=True)
            paths = [(entry["name"].rstrip("/"), entry["type"] == "directory") for entry in entries]
            return [entry for entry in paths if entry[0] != folder.rstrip("/")]  # some list the folder too

    def glob(self, pattern: str) -> list[str]:
        """Return the paths that a pattern matches."""
        with reading(self._name):
            return [] if self.is_web else [*self.methods.glob(pattern)]

    def url(self, path: str) -> str:
        """Return the name of a path in messages."""
        with reading(self._name):
            return str(self.methods.unstrip_protocol(path))

    def mv(self, path: str, target: str) -> None:
        """Rename a file."""
        with writing(self._name):
            self.methods.mv(path, target)

    def rm(self, path: str) -> None:
        """Remove a file."""
        with writing(self._name):
            self.methods.rm_file(path)


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


def filesystem(url: str, name: str | None = None) -> tuple[FileSystem, str]:
    """Return the file system of a name or URL, and the path in it; errors have the URL, or another name."""
    name = name or url
    if not is_remote(url):
        with reading(name):
            return FileSystem(LOCAL, name), local_path(url)
    with reading(name):
        methods, path = fsspec().url_to_fs(url)  # some connect; others need a library that is not installed
    return FileSystem(methods, name), path


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
        if problem is None:
            raise InputError(describe(error), file=file) from error
        message = Message("{problem} ({error})", problem=problem, error=error)
        raise InputError(message, file=file) from error


@contextmanager
def reading_by_library(file: str, problem: str | None = None) -> Iterator[None]:
    """Convert exceptions as `reading` does; a damaged file may ask a library for too much memory."""
    try:
        with reading(file, problem):
            yield
    except MemoryError as error:
        raise InputError(Message("there is too little memory to read it"), file=file) from error


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
            Message("cannot write: this kind of storage can be read, but not written"), file=file
        ) from error
    except Exception as error:
        raise OutputError(Message("cannot write: {reason}", reason=describe(error)), file=file) from error


def describe(error: BaseException) -> str:
    """Return the reason of an exception of a library or a file system, in one line."""
    if isinstance(error, FileNotFoundError):  # of a store it has the path alone
        return ABSENT if error.__cause__ is None else describe(error.__cause__)
    if isinstance(error, ImportError):
        return Message("a library is missing: {reason}", reason=error)
    if isinstance(error, TimeoutError) and not error.args:
        return Message("timed out")
    if isinstance(error, OSError) and type(error).__str__ is OSError.__str__ and error.strerror:
        known = _KNOWN.get(error.errno or 0, error.strerror)
        return known if known == error.strerror else error.strerror
    text, *_ = str(error).strip().splitlines() or [""]
    return text[:1000] or type(error).__name__


def names_near(path: str) -> list[str]:
    """Return the files of a folder that the path of one which is not there may mean."""
    folder, name = os.path.split(path)
    try:
        with os.scandir(folder or ".") as entries:
            names = {entry.name.lower(): entry.name for entry in islice(entries, _MOST_NAMES)}
    except OSError:
        return []
    word = name.lower()
    found = [key for key in names if key.startswith(f"{word}.")] or near(word, names, _NEAR)
    return [os.path.join(folder, names[key]) for key in sorted(found)[:3]]


def has_wildcard(name: str) -> bool:
    """Return whether a name may be a pattern."""
    return any(sign in name for sign in "*?[")
