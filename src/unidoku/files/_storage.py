"""File systems: fsspec's for URLs, and one with the same methods for local paths.

Callers use their methods within `reading` or `writing`, which handle exceptions of any kind.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from stat import S_IFDIR, S_IFMT, S_IFREG
from types import SimpleNamespace
from typing import Any

from unidoku._arguments import near
from unidoku._compat import fsspec
from unidoku.errors import InputError, Message, OutputError, UnidokuError, arrow_errors, naming

_LOCAL_SCHEMES = ("file", "local")  # schemes of URLs that are local paths
ABSENT = Message("No such file or directory")
_KNOWN = {
    "Permission denied": Message("Permission denied"),
    "Is a directory": Message("Is a directory"),
    "Not a directory": Message("Not a directory"),
    "No space left on device": Message("No space left on device"),
    "Read-only file system": Message("Read-only file system"),
    "File name too long": Message("File name too long"),
}
"""Messages of operating systems about errors, which have a translation."""
_MOST_NAMES = 10_000  # of a folder that are looked at for a name near another
_NEAR = 0.8  # of two names that may be one with a typo
_OBJECT_STORES = {"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "oss", "r2"}
"""The schemes of stores whose objects appear whole, when they are closed, and have no folders."""
PARTIAL = ".partial"
"""The suffix of the rows of a run that is not finished."""
WEB = ("http://", "https://")
"""The beginnings of URLs whose servers list nothing."""


def _list_local(folder: str, **_: object) -> list[dict[str, str]]:
    """Return the entries of a folder as fsspec does, without links to folders and without pipes.

    A file without a suffix and without a size may be one of the system, as in ``/proc``: reading can wait.
    A link without a suffix that leads to nothing is left out.
    """
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            has_suffix = "." in entry.name
            with suppress(OSError):  # a link to itself, or through a folder that cannot be searched
                if entry.is_file():
                    if has_suffix or entry.stat().st_size:
                        found.append({"name": entry.path, "type": "file"})
                    continue
                if entry.is_dir():
                    if not entry.is_symlink():
                        found.append({"name": entry.path, "type": "directory"})
                    continue
            if has_suffix and not is_special(entry.path):  # a link to nothing: opening it says so
                found.append({"name": entry.path, "type": "file"})
    return found


def _match_local(pattern: str) -> list[str]:
    """Return what a pattern matches."""
    from glob import glob  # not at the top: few inputs are patterns

    return glob(pattern, recursive=True)


LOCAL = SimpleNamespace(
    sep=os.sep,
    exists=os.path.exists,
    glob=_match_local,
    info=lambda path: {"size": os.path.getsize(path), "mtime": os.stat(path).st_mtime_ns},
    isdir=os.path.isdir,
    ls=_list_local,
    makedirs=os.makedirs,
    mv=os.replace,
    open=partial(open, buffering=0),
    rm_file=os.remove,
    unstrip_protocol=str,
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
    if not url or ".." in url:  # above a link to a folder is another one
        return url
    return os.path.normpath(url)


def filesystem(url: str) -> tuple[Any, str]:
    """Return the file system of a name or URL, and the path in it."""
    if not is_remote(url):
        return LOCAL, local_path(url)
    with reading(url):
        fs, path = fsspec().url_to_fs(url)  # some connect; some need a library that is not installed
        return fs, path


def is_object_store(url: str) -> bool:
    """Return whether a URL belongs to a store whose objects appear whole, when they are closed."""
    return url.partition("://")[0].lower() in _OBJECT_STORES and is_remote(url)


def is_stream(name: str) -> bool:
    """Return whether a name belongs to a standard stream, a device, a pipe or a socket."""
    return name == "-" or is_special(name)


def is_special(url: str) -> bool:
    """Return whether a name belongs to a device, a pipe or a socket."""
    try:
        mode = os.stat(local_path(url)).st_mode
    except (OSError, ValueError):
        return False
    return S_IFMT(mode) not in {S_IFREG, S_IFDIR}


@contextmanager
def reading(file: str, problem: str | None = None) -> Iterator[None]:
    """Convert the exceptions of libraries and file systems to `InputError`."""
    try:
        with naming(file):
            yield
    except UnidokuError:
        raise
    except MemoryError as error:  # a damaged file may ask for too much
        raise InputError(Message("there is not enough memory to read it"), file=file) from error
    except Exception as error:
        message = describe(error)
        if problem is not None:
            message = Message("{problem} ({error})", problem=problem, error=error)
        raise _with_number(InputError(message, file=file), error) from error


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
            Message("cannot write: this kind of storage is read-only; choose another output"), file=file
        ) from error
    except Exception as error:
        failure = OutputError(Message("cannot write: {reason}", reason=describe(error)), file=file)
        raise _with_number(failure, error) from error


def _with_number(failure: OSError, error: Exception) -> OSError:
    """Return an error with the number of the system's error that it is about, if there is one."""
    failure.errno = getattr(error, "errno", None)
    return failure


def describe(error: BaseException) -> str:
    """Return the reason of an exception of a library or a file system, in one line."""
    if isinstance(error, FileNotFoundError):  # of a store it has only the path
        if error.__cause__ is None:
            return ABSENT
        return describe(error.__cause__)
    if isinstance(error, TimeoutError) and not error.args:
        return Message("timed out")
    reason = error.strerror if isinstance(error, OSError) else None
    if reason and type(error).__str__ is OSError.__str__:
        return _KNOWN.get(reason, reason)
    if status := getattr(error, "status", None):  # the answer of a server, as aiohttp raises it
        return f"HTTP {status} {getattr(error, 'message', '')}".strip()
    text, *_ = str(error).strip().splitlines() or [""]
    return text[:1000] or type(error).__name__


def names_near(path: str) -> list[str]:
    """Return the files of a folder that the path of one which is not there may mean."""
    folder, name = os.path.split(path)
    try:
        with os.scandir(folder or ".") as entries:
            others = (entry.name for entry in islice(entries, _MOST_NAMES))
            names = {other.lower(): other for other in others if not other.endswith(PARTIAL)}
    except OSError:
        return []
    word = name.lower()
    found = [key for key in names if key.startswith(f"{word}.")] or near(word, names, _NEAR)
    return [os.path.join(folder, names[key]) for key in sorted(found)[:3] if names[key] != name]


def has_wildcard(name: str) -> bool:
    """Return whether a name may be a pattern."""
    return any(sign in name for sign in "*?[")
