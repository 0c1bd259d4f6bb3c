"""The bytes of one output: a path, a URL or standard output. What rows look like is not known here."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from unidoku.errors import OutputError, UnidokuError, cannot_write
from unidoku.files.atomic import atomic_path, atomic_write
from unidoku.files.storage import is_remote, is_special, local_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType
    from typing import Any, BinaryIO, Self

    from typing_extensions import Buffer

_COPIED = 1 << 30  # bytes copied at once within a file system
_PIECE = 1 << 19  # bytes written at once; the system must first make the pages that larger ones ask for


class OutputFile:
    """A file that is being written.

    As a context manager it is closed at the end. After an error, an atomic output is discarded: there is what
    was there before. Any other output keeps what has been written.

    Outputs at a URL are always `atomic`, standard output, devices and pipes never. The `draft` of an upload
    is a temporary local file; without, it is uploaded piece by piece, and some stores show it incomplete.
    If the caller renames or discards the file itself, its bytes are written to `local`.
    """

    def __init__(
        self, path: str, *, atomic: bool = False, draft: bool = True, local: Path | None = None
    ) -> None:
        self.path = path
        self.local = local
        self._stack = ExitStack()
        self._file: Any = None
        if local is not None:
            self.atomic = True
            return
        self.atomic = path != "-" and (is_remote(path) or (atomic and not is_special(local_path(path))))
        if path == "-":
            if sys.stdout is None or sys.stdout.closed:
                raise OutputError("cannot write: standard output is closed", file="<stdout>")
            sys.stdout.flush()  # earlier prints come first
            self._file = sys.stdout.buffer
            return
        with self.errors():
            if is_remote(path) and not draft:
                self._file = self._stack.enter_context(atomic_write(path))
            else:
                self.local = self._stack.enter_context(atomic_path(path)) if self.atomic else local_path(path)

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Add the name of the output to system errors; a closed pipe stays a `BrokenPipeError`."""
        try:
            yield
        except (BrokenPipeError, UnidokuError):
            raise
        except OSError as error:
            plain = error
            if error.errno and "Detail: [errno" in str(error):  # PyArrow hides the reason in its own message
                plain = OSError(error.errno, os.strerror(error.errno))
            raise cannot_write(plain, "<stdout>" if self.path == "-" else self.path) from error

    def open(self) -> Self:
        """Open it for `write`."""
        if self._file is None and self.local is not None:
            self._file = self._opened(self.local.open, "wb", buffering=0)
        return self

    def arrow(self) -> Any:
        """It as a file of PyArrow, which writes large pieces faster than Python does."""
        from unidoku.arrow import pyarrow

        pa = pyarrow()
        if self.local is None:
            return pa.PythonFile(self, "w")
        return self._opened(pa.OSFile, str(self.local), "wb")

    def _opened(self, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """Open a file with a function; it is closed with this file."""
        with self.errors():
            try:
                return self._stack.enter_context(function(*args, **options))
            except OSError as error:
                self._stack.__exit__(type(error), error, error.__traceback__)
                raise

    def write(self, data: Buffer) -> None:
        """Append bytes."""
        view = memoryview(data)
        with self.errors():
            try:
                while view:
                    # A raw file may take less than it is given.
                    view = view[self._file.write(view[:_PIECE]) :]
            except OSError:
                raise
            except Exception as error:  # remote file systems raise their own exceptions
                raise OSError(errno.EIO, f"{type(error).__name__}: {error}") from error

    def append(self, part: BinaryIO) -> None:
        """Append another file; within one file system its bytes do not pass through this process."""
        with self.errors():
            if self.local is not None and hasattr(os, "copy_file_range"):
                with suppress(OSError):  # part is not a local file, or on another file system
                    while os.copy_file_range(part.fileno(), self._file.fileno(), _COPIED):
                        pass
                    part.seek(os.lseek(part.fileno(), 0, os.SEEK_CUR))
            while block := part.read(_PIECE):
                self.write(block)

    def flush(self) -> None:
        """Hand everything to the system."""
        with self.errors():
            if self._file is not None:
                self._file.flush()

    @property
    def closed(self) -> bool:
        """Whether nothing can be written any more."""
        return self._file is None or bool(self._file.closed)

    def close(self) -> None:
        """Finish it; an atomic output appears."""
        self.__exit__(None, None, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            with suppress(OSError):  # the error of the caller is the one to report
                self._stack.__exit__(kind, error, trace)
            return
        with self.errors():
            if self.path == "-":
                self.flush()
            self._stack.__exit__(None, None, None)
