"""Output files that appear when they are complete and synced to disk, or not at all.

A run locks what it writes, so that no other one writes the same; the lock ends with the process.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from types import TracebackType
from typing import Any, Self

from unidoku.errors import Message, OutputError, UnidokuError, escape
from unidoku.files.codecs import COMPRESSIONS, open_compressed, without_compression
from unidoku.files.storage import LOCAL, filesystem, is_remote, is_special, local_path, writing

_PARTIAL = ".partial"
_LOCK = ".lock"  # in a folder of parts
_RENAMES_OPEN = os.name != "nt"  # whether an open file can be renamed and removed
_BYTE = 1 << 62  # that is locked on Windows, where a locked one cannot be read
_PIECE = 1 << 19  # bytes of one write; larger ones wait for new pages of the system


def partial_name(output: str) -> str:
    """Return the name of the file that becomes the output; it has the rows of an interrupted run."""
    if not is_remote(output) and os.path.islink(path := local_path(output)):
        output = os.path.realpath(path)  # the target of a link is replaced, not the link
    return f"{output}{_PARTIAL}"


def has_older(partial: str) -> bool:
    """Return whether there is an older output beside the rows of an unfinished run."""
    fs, path = filesystem(partial)
    with suppress(UnidokuError):
        return fs.exists(path.removesuffix(_PARTIAL))
    return False


def folder_of(output: str) -> str:
    """Return the options that write the parts of an output to a folder."""
    stem, suffix = os.path.splitext(without_compression(output)[0])
    return f"-o {stem}/ --to {suffix[1:]}" if suffix else f"-o {stem}/"


def open_alone(path: str, output: str) -> Any:
    """Open a local file to write it anew, and lock it; an error if another run writes this output.

    File systems without locks refuse none.
    """
    while True:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        with ExitStack() as stack:
            file = stack.enter_context(os.fdopen(descriptor, "wb", buffering=0))
            if not _lock(descriptor):
                message = Message(
                    "other run",
                    "another run is writing this output: wait for its end, or choose another name",
                )
                raise OutputError(message, file=output)
            # Since it was opened, a run may have ended, and renamed or removed it.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), os.stat(path)):
                    file.truncate()
                    stack.pop_all()
                    return file


def _lock(descriptor: int) -> bool:
    """Lock an open file up to its end; return False if it is locked already, by this process too."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:  # this file system has no locks
        return True
    return True


@contextmanager
def lock_folder(folder: str) -> Iterator[None]:
    """Lock a folder that is there; an error if another run writes it."""
    lock = os.path.join(local_path(folder), _LOCK)
    with writing(folder):
        file = open_alone(lock, folder)
    try:
        yield
    finally:
        if not _RENAMES_OPEN:
            file.close()
        with file, suppress(OSError):
            os.remove(lock)  # before it is unlocked: no other run has it then


class OutputFile(io.RawIOBase):
    """An output as a context manager; entering it creates the file, or refuses one that another run writes.

    The bytes go to a file with the name of `partial_name`, compressed according to the suffix.  At the end it
    is synced to disk and renamed; until then, an older output stays.  After an error or Ctrl-C it keeps the
    partial name, unless it is empty.  Bytes for standard output, devices and pipes are written at once.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.partial_path: str | None = None  # has the rows of a run, after an error
        self.is_stream = path == "-" or is_special(path)  # which has no positions
        self._kind = COMPRESSIONS.get(without_compression(path)[1])
        self._pending = bytearray()  # blocks of one size make the compressed bytes reproducible
        self._is_empty = True
        self._is_terminal = False  # which would obey escape sequences
        self._stack = ExitStack()
        self._file: Any = None

    def errors(self) -> AbstractContextManager[None]:
        """Add the name of the output to errors of writing."""
        return writing("<stdout>" if self.path == "-" else self.path)

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: Any) -> int:
        """Append bytes."""
        view = memoryview(_escaped_text(data) if self._is_terminal else data)
        self._is_empty = self._is_empty and not view
        try:
            if self._kind is not None:
                self._pending += view
                while len(self._pending) >= _PIECE:
                    self._file.write(self._pending[:_PIECE])
                    del self._pending[:_PIECE]
            else:
                remainder = view
                while remainder:  # a raw file may take less than it is given
                    remainder = remainder[self._file.write(remainder[:_PIECE]) :]
        except Exception:  # not around it all: a context takes time in each batch
            with self.errors():
                raise
        return memoryview(data).nbytes

    def flush(self) -> None:
        """Flush uncompressed bytes to the system."""
        if self._file is not None and self._kind is None and not self._file.closed:
            with self.errors():
                self._file.flush()

    @contextmanager
    def _partial_file(self) -> Iterator[Any]:
        """Open the partial file; at the end, sync it and rename it to the output."""
        name = partial_name(self.path)
        fs, path = filesystem(name, self.path)
        is_local = fs.is_local
        file = open_alone(path, self.path) if is_local else fs.open(path, "wb")
        closes_last = is_local and _RENAMES_OPEN  # it is locked until it has its last name
        try:
            try:
                yield file
                if is_local:
                    os.fsync(file.fileno())
                if not closes_last:
                    file.close()
                fs.mv(path, path.removesuffix(_PARTIAL))
            except BaseException:
                with suppress(Exception):  # the first error is the one to report
                    if not closes_last:
                        file.close()
                    if self._is_empty:
                        fs.rm(path)
                    else:
                        self.partial_path = name
                raise
        finally:
            file.close()

    def __enter__(self) -> Self:
        with self.errors(), ExitStack() as opened:  # an error removes the files created here
            if self.path == "-":
                if sys.stdout is None or sys.stdout.closed:
                    raise OutputError(
                        Message("stdout closed", "cannot write: standard output is closed"), file="<stdout>"
                    )
                sys.stdout.flush()  # earlier prints come first
                self._file = sys.stdout.buffer
            elif self.is_stream:
                self._file = opened.enter_context(LOCAL.open(local_path(self.path), "wb"))
            else:
                self._file = opened.enter_context(self._partial_file())
            self._is_terminal = self._kind is None and self.is_stream and self._file.isatty()
            if self._kind is not None:
                self._file = opened.enter_context(open_compressed(self._kind, self._file, "wb"))
                opened.callback(lambda: self._file.write(self._pending))
            self._stack = opened.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(Exception) if error is not None else self.errors():  # the first error is reported
            if self.path == "-":
                self.flush()
            self._stack.__exit__(kind, error, trace)
        if error is not None and self.partial_path is not None:
            note = Message("done in", "what has been done is in {name}", name=self.partial_path)
            if has_older(self.partial_path):
                older = Message("as it was", "the output is as it was")
                note = Message("and", "{reason}; {advice}", reason=older, advice=note)
            error.add_note(note)


def _escaped_text(data: Any) -> bytes:
    """Return text with an escape sequence in place of each character that is not printable."""
    text = bytes(data).decode("utf-8", "backslashreplace")
    return re.sub(r"[^\n\t]+", lambda piece: escape(piece[0]), text).encode()


def refuse_nul(output: str) -> None:
    """Refuse a name that no file system can have."""
    if "\0" in output:
        raise OutputError(Message("nul", "cannot write: the name has a NUL byte"), file=output)


def is_folder(output: str) -> bool:
    """Return whether an output is a folder of parts."""
    if not output:
        raise UnidokuError(Message("empty name", "the name of the output is empty"))
    refuse_nul(output)
    return output.endswith("/") or (not is_remote(output) and os.path.isdir(local_path(output)))


def refuse_outputs(
    inputs: Iterable[object], files: Iterable[str | bytes | os.PathLike[str]] = (), folder: str | None = None
) -> None:
    """Refuse outputs that would overwrite an input or each other, and a folder that contains an input."""
    outputs: dict[object, str] = {}  # and the partial files beside them
    for file in [os.fsdecode(file) for file in files]:
        refuse_nul(file)
        if file != "-" and os.path.isdir(local_path(file)):
            raise OutputError(Message("write folder", "cannot write: Is a directory"), file=file)
        for name in (file,) if file == "-" else (file, partial_name(file)):
            key = _file_key(name, sys.stdout)
            if key in outputs:
                raise OutputError(
                    Message(
                        "written twice", "is written twice; choose different files for different outputs"
                    ),
                    file=name,
                )
            if key is not None:
                outputs[key] = name
    for source in inputs:
        try:
            key = _file_key(source, sys.stdin)
        except UnidokuError:
            continue  # reported when it is opened
        if key in outputs:
            raise OutputError(
                Message("overwrites input", "is an input; this run would overwrite it"), file=outputs[key]
            )
        if folder is not None and isinstance(source, str | os.PathLike) and not is_remote(os.fspath(source)):
            path = os.path.realpath(local_path(os.fspath(source)))
            if Path(path).is_relative_to(os.path.realpath(local_path(folder))):
                raise OutputError(
                    Message(
                        "input inside",
                        "the input {source} lies in this folder, which the run writes",
                        source=source,
                    ),
                    file=folder,
                )


def _file_key(file: object, standard: object) -> object:
    """Return a key shared by all names of a file; None for pipes and devices; ``-`` is `standard`."""
    if isinstance(file, str | os.PathLike) and (name := os.fspath(file)) != "-":
        if is_remote(name):
            fs, place = filesystem(name)
            return fs.methods, place
        path = os.path.realpath(local_path(name))
        if not os.path.exists(path):
            return path
        status = os.stat(path)
    else:
        stream: Any = standard if file == "-" else file
        try:
            status = os.fstat(stream.fileno())
        except (AttributeError, OSError, ValueError):
            return None
    is_stored = S_ISREG(status.st_mode) or S_ISDIR(status.st_mode)
    return (status.st_dev, status.st_ino) if is_stored else None
