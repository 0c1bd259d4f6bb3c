"""Checks of outputs before anything is created: unwritable places, overlap with inputs, foreign files."""

from __future__ import annotations

import errno
import os
import posixpath
import sys
from pathlib import Path, PurePosixPath
from stat import S_ISDIR, S_ISREG

from unidoku.errors import OutputError, UnidokuError
from unidoku.files.storage import filesystem, is_remote, is_special, local_path, protocols

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any


def refuse_foreign(foreign: Iterable[str], folder: str, what: str) -> None:
    """Refuse a folder that holds foreign files; `what` says of which kind they are."""
    if names := sorted(foreign):
        shown = ", ".join(map(repr, names[:3])) + (", …" if len(names) > 3 else "")
        raise OutputError(
            f"the folder holds files that {what} ({shown}); move them or choose another output", file=folder
        )


def refuse_unwritable(url: str) -> None:
    """Refuse, before anything is created, an output in a folder that does not exist or cannot be written."""
    if is_remote(url):
        filesystem(url)
        return
    path = Path(os.path.realpath(local_path(url)))
    if is_special(path):
        return
    number = 0
    if not path.parent.exists():
        number = errno.ENOENT
    elif not path.parent.is_dir():
        number = errno.ENOTDIR
    elif not os.access(path if path.is_dir() else path.parent, os.W_OK | os.X_OK):
        number = errno.EACCES
    if number:
        raise OutputError(f"cannot write: {os.strerror(number)}", file=url)


def refuse_overlap(
    inputs: Iterable[object], files: Iterable[object] = (), folders: Iterable[str] = ()
) -> None:
    """Refuse outputs that are an input, hold an input, or are one another.

    Two names are the same place when they are one file (device and inode: hard links, symbolic links), one
    resolved path or one normalised URL.
    """
    written: dict[object, str] = {}
    owned: dict[object, str] = {}
    for folder in folders:
        owned |= dict.fromkeys(_keys(folder, writing=True)[0], folder)
    for file in files:
        if not isinstance(file, str | os.PathLike):
            continue
        name = str(os.fspath(file))
        keys, parents = _keys(name, writing=True)
        if not written.keys().isdisjoint(keys):
            raise OutputError("is written twice; choose different files for different outputs", file=name)
        if around := [owned[key] for key in keys | parents if key in owned]:
            raise OutputError(f"lies in {around[0]}, which this run writes", file=name)
        written |= dict.fromkeys(keys, name)
    for each in inputs:
        try:
            keys, parents = _keys(each)
        except UnidokuError:
            continue  # reported when it is opened
        if same := [found[key] for key in keys for found in (written, owned) if key in found]:
            raise OutputError("is an input; it cannot be the output too", file=same[0])
        if around := [owned[key] for key in parents if key in owned]:
            raise OutputError(f"the input {each} lies in this folder, which the run writes", file=around[0])


def _keys(place: object, *, writing: bool = False) -> tuple[set[object], set[object]]:
    """Return the keys of a file or folder, and those around it; names with a common key are one place."""
    stream: Any = place
    if isinstance(place, str | os.PathLike):
        name = str(os.fspath(place))
        if name != "-":
            keys, *parents = _places(name)
            if "::" in name:  # "zip://a::file:///b.zip" is in the file
                keys |= next(_places(name.rpartition("::")[2]))
            return keys, set().union(*parents)
        stream = sys.stdout if writing else sys.stdin
    try:
        return _inode_keys(os.fstat(stream.fileno())), set()
    except (AttributeError, OSError, ValueError, TypeError):
        return set(), set()


def _places(url: str) -> Iterator[set[object]]:
    """Yield the keys of a file or folder, then those of each folder around it."""
    path = url
    if is_remote(url):
        fs, path = filesystem(url)
        if protocols(fs).isdisjoint({"file", "local"}):
            options = tuple(sorted((key, repr(value)) for key, value in fs.storage_options.items()))
            remote = PurePosixPath(posixpath.normpath(path))
            for folder in (remote, *remote.parents):
                yield {(type(fs).__name__, options, folder)}
            return
    local = Path(os.path.realpath(local_path(path)))
    for each in (local, *local.parents):
        try:
            keys = _inode_keys(each.stat())
        except (OSError, ValueError):
            yield {each}  # it does not exist
        else:
            yield {each, *keys} if keys else keys


def _inode_keys(status: os.stat_result) -> set[object]:
    # Devices and pipes may be read and written at once.
    regular = S_ISREG(status.st_mode) or S_ISDIR(status.st_mode)
    return {("inode", status.st_dev, status.st_ino)} if regular and status.st_ino else set()
