"""A disk on which one call fails, or at one call of which the process crashes."""

from __future__ import annotations

import builtins
import errno
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any
from unittest import mock

import pytest

from unidoku.errors import UnidokuError

FAULTS = ("once", "always", "crash", "outage")
FUNCTIONS = tuple(
    "close copy_file_range fsync ftruncate link listdir mkdir open "
    "remove rename replace rmdir scandir stat unlink".split()
)
METHODS = ("close", "read", "readall", "readinto", "write")
REMOTE = ("cat_file", "info", "ls", "makedirs", "rm_file", "rmdir")
UPLOAD = ("close", "commit", "discard", "write")


_CRASHES: list[BaseException] = []  # their tracebacks keep alive what a crashed process does not clean up


class Crash(BaseException):
    """The process ends here: nothing after it reaches the disk."""


class FaultyDisk:
    """Counts the calls that reach the disk; one of them goes wrong.

    Parameters
    ----------
    fault : {"once", "always", "crash", "outage"}
        Whether one call fails, it and all later calls fail, the process crashes, or the whole machine does:
        then also the content is lost that is not synced to disk.
    at : int or None
        Number of the call; None lets all succeed.

    Attributes
    ----------
    log : list of str
        The calls made, each with its first arguments.
    error : BaseException or None
        What ended the block.
    """

    def __init__(self, fault: str = "once", at: int | None = None) -> None:
        assert fault in FAULTS
        self.fault = fault
        self.at = at
        self.log: list[str] = []
        self.close = os.close  # the real one, even while the disk is mounted
        self.open: set[int] = set()
        self.unsynced: dict[int, int] = {}  # inode -> a descriptor of the file
        self.error: BaseException | None = None

    @property
    def calls(self) -> int:
        """The number of calls made."""
        return len(self.log)

    def call(self, name: str, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """Make a call, or let it go wrong."""
        number = self.calls
        self.log.append(f"{name} {args[:2]}")
        if self.at is not None and (number == self.at or (number > self.at and self.fault != "once")):
            if name.endswith("close"):  # also a close that fails closes
                function(*args, **options)
                self.open.discard(args[0] if args else -1)
            if self.fault in ("crash", "outage"):
                raise Crash(self.log[self.at])
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(args[0]) if args else None)
        if name == "os.fsync":  # that it is called is what matters
            self._synced(os.fstat(args[0]).st_ino)
            return None
        found = function(*args, **options)
        if name == "os.open":
            self.open.add(found)
            if args[1] & os.O_CREAT:
                self._written(found)
        elif name == "os.close":
            self.open.discard(args[0])
        elif name == "open" and not isinstance(found, io.BufferedReader) and found.writable():
            self._written(found.fileno())
        return found

    def _written(self, handle: int) -> None:
        """Remember that a file has content that is not synced to disk."""
        inode = os.fstat(handle).st_ino
        if self.fault == "outage" and inode not in self.unsynced:
            self.unsynced[inode] = os.dup(handle)

    def _synced(self, inode: int) -> None:
        if inode in self.unsynced:
            self.close(self.unsynced.pop(inode))

    @contextmanager
    def mounted(self) -> Iterator[FaultyDisk]:
        """Use this disk for all files; a crash ends the block."""
        pa = pytest.importorskip("pyarrow")
        memory = pytest.importorskip("fsspec.implementations.memory")
        real_open, real_truncate = builtins.open, os.ftruncate

        def opened(file: Any, mode: str = "r", *args: Any, **options: Any) -> Any:
            if isinstance(file, int):
                return real_open(file, mode, *args, **options)
            return FaultyFile(self, self.call("open", real_open, file, mode, *args, **options))

        def arrow_file(path: str, mode: str) -> Any:
            return pa.PythonFile(opened(path, mode, buffering=0), mode[0])

        fs = memory.MemoryFileSystem

        def upload(self: Any, path: str, mode: str = "rb", *args: Any, **options: Any) -> Any:
            """As in an object store, what is uploaded has no name before it is committed."""
            if mode == "wb" and not options["autocommit"]:
                return memory.MemoryFile(self, self._strip_protocol(path))
            return fs_open(self, path, mode, *args, **options)

        fs_open = fs._open
        patches = [
            mock.patch.object(fs, "_open", self.wrapped("remote.open", upload)),
            *(mock.patch.object(owner, "open", opened) for owner in (builtins, io)),
            *self._wrapped_all("os", os, FUNCTIONS),
            *self._wrapped_all("remote", fs, REMOTE),
            *self._wrapped_all("upload", memory.MemoryFile, UPLOAD),
            mock.patch.object(pa, "OSFile", arrow_file),
            mock.patch.object(sys, "unraisablehook"),
        ]
        try:
            with ExitStack() as stack:
                for patch in patches:
                    stack.enter_context(patch)
                yield self
        except (Crash, OSError, UnidokuError) as error:
            self.error = error
            _CRASHES.append(error)
        finally:
            for handle in self.unsynced.values():
                if self.error is not None:
                    real_truncate(handle, 0)
                self.close(handle)
            for handle in self.open:  # the system closes the files of a crashed process
                with suppress(OSError):
                    self.close(handle)

    def _wrapped_all(self, kind: str, owner: Any, names: tuple[str, ...]) -> list[Any]:
        return [
            mock.patch.object(owner, name, self.wrapped(f"{kind}.{name}", getattr(owner, name)))
            for name in names
            if hasattr(owner, name)
        ]

    def wrapped(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function whose calls are calls of this disk."""

        def wrapper(*args: Any, **options: Any) -> Any:
            return self.call(name, function, *args, **options)

        return wrapper


class FaultyFile:
    """An open file of a `FaultyDisk`."""

    def __init__(self, disk: FaultyDisk, file: Any) -> None:
        self._disk = disk
        self._file = file

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._file, name)
        return self._disk.wrapped(name, found) if name in METHODS else found

    def __enter__(self) -> FaultyFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._file)
