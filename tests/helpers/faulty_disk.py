"""A disk on which one call fails, or on which the process dies."""

from __future__ import annotations

import builtins
import errno
import io
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import Any
from unittest import mock

import pytest

from unidoku.errors import UnidokuError

FUNCTIONS = (
    *(
        "close",
        "copy_file_range",
        "fsync",
        "ftruncate",
        "link",
        "listdir",
        "mkdir",
        "open",
        "remove",
        "rename",
    ),
    *("replace", "rmdir", "scandir", "stat", "unlink"),
)
METHODS = ("close", "read", "readall", "readinto", "write")


_DEAD: list[BaseException] = []  # their tracebacks keep alive what a dead process does not clean up


class Death(BaseException):
    """The process ends here: nothing after it reaches the disk."""


class FaultyDisk:
    """Counts the calls that reach the disk; one of them goes wrong.

    Parameters
    ----------
    fault : {"once", "on", "death"}
        Whether one call fails, all calls from there on fail, or the process dies.
    at : int or None
        Number of the call; None lets all succeed.
    """

    def __init__(self, fault: str = "once", at: int | None = None) -> None:
        self.fault = fault
        self.at = at
        self.calls = 0
        self.log: list[str] = []
        self.open: set[int] = set()
        self.error: BaseException | None = None

    def call(self, name: str, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """Make a call, or let it go wrong."""
        number = self.calls
        self.calls += 1
        self.log.append(f"{name} {args[:2]}")
        if self.at is not None and (number == self.at or (number > self.at and self.fault != "once")):
            if name.endswith("close"):  # also a close that fails closes
                function(*args, **options)
                self.open.discard(args[0] if args else -1)
            if self.fault == "death":
                raise Death(self.log[self.at])
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(args[0]) if args else None)
        if name == "os.fsync":
            return None  # only the order of the calls matters here
        found = function(*args, **options)
        if name == "os.open":
            self.open.add(found)
        elif name == "os.close":
            self.open.discard(args[0])
        return found

    @contextmanager
    def mounted(self) -> Iterator[FaultyDisk]:
        """Use this disk for all files; a process that dies ends the block."""
        pa = pytest.importorskip("pyarrow")
        real_open = builtins.open

        def opened(file: Any, mode: str = "r", *args: Any, **options: Any) -> Any:
            if isinstance(file, int):
                return real_open(file, mode, *args, **options)
            return FaultyFile(self, self.call("open", real_open, file, mode, *args, **options))

        def arrow_file(path: str, mode: str) -> Any:
            return pa.PythonFile(opened(path, mode, buffering=0), mode[0])

        with mock.patch.multiple(builtins, open=opened), mock.patch.object(io, "open", opened):
            patches = [
                mock.patch.object(os, name, self._wrapped(f"os.{name}", getattr(os, name)))
                for name in FUNCTIONS
                if hasattr(os, name)
            ]
            patches.append(mock.patch.object(pa, "OSFile", arrow_file))
            patches.append(mock.patch.object(sys, "unraisablehook"))
            for patch in patches:
                patch.start()
            try:
                yield self
            except (Death, OSError, UnidokuError) as error:
                self.error = error
                _DEAD.append(error)
            finally:
                for patch in patches:
                    patch.stop()
                for handle in self.open:  # the system closes the files of a dead process
                    with suppress(OSError):
                        os.close(handle)

    def _wrapped(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **options: Any) -> Any:
            return self.call(name, function, *args, **options)

        return wrapped


class FaultyFile:
    """An open file of a `FaultyDisk`."""

    def __init__(self, disk: FaultyDisk, file: Any) -> None:
        self._disk = disk
        self._file = file

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._file, name)
        return self._disk._wrapped(name, found) if name in METHODS else found

    def __enter__(self) -> FaultyFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._file)


class Inline:
    """An executor that does the work at once, so that the order of calls is the same in every run."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        """Do it."""
        future: Future[Any] = Future()
        try:
            future.set_result(function(*args, **options))
        except BaseException as error:
            future.set_exception(error)
        return future
