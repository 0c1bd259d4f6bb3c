"""Output files that appear when they are complete and synced to disk, or not at all.

Each run writes to a file of its own, so that runs with the same output leave the whole of one of them.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from stat import S_IFDIR, S_IFMT, S_IFREG
from types import TracebackType
from typing import Any, Self

from unidoku.errors import ArgumentError, Message, OutputError, UnidokuError, escape
from unidoku.files._codecs import COMPRESSIONS, open_compressed, without_compression
from unidoku.files._storage import (
    LOCAL,
    PARTIAL,
    filesystem,
    is_object_store,
    is_remote,
    is_stream,
    local_path,
    writing,
)

_PIECE = 1 << 19  # bytes of one write; larger writes wait for new pages of the system


def partial_name(output: str) -> str:
    """Return the name of the file that has the rows of an interrupted run."""
    return f"{_target(output)}{PARTIAL}"


def _target(output: str) -> str:
    """Return the name of the file that is replaced: of a link its target, not the link."""
    return os.path.realpath(local_path(output)) if os.path.islink(local_path(output)) else output


def _lock(file: Any) -> bool:
    """Lock a file, if the system can; return whether nobody else has."""
    with suppress(ImportError, OSError):
        from fcntl import LOCK_EX, LOCK_NB, flock  # Windows has none: there an open file cannot be removed

        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            return False
    return True


def remove_partial(folder: str, name: re.Pattern[str]) -> None:
    """Remove the files of killed runs in a local folder whose outputs have such names."""
    for file in os.listdir(folder):
        output = re.sub(rf"(?:\.[0-9a-f]{{8}})?{re.escape(PARTIAL)}\Z", "", file)
        if output != file and name.fullmatch(output):
            path = os.path.join(folder, file)
            with suppress(OSError):
                with open(path, "rb") as opened:
                    is_free = _lock(opened)
                if is_free:
                    os.remove(path)


def has_older(partial: str) -> bool:
    """Return whether an older output exists next to the rows of an unfinished run."""
    with suppress(Exception):  # each file system has its own
        fs, path = filesystem(partial)
        return bool(fs.exists(path.removesuffix(PARTIAL)))
    return False


def folder_of(output: str) -> str:
    """Return the options that write the parts of an output to a folder."""
    stem, suffix = os.path.splitext(without_compression(output)[0])
    return f"-o {stem}/ --to {suffix[1:]}" if suffix else f"-o {stem}/"


class OutputFile(io.RawIOBase):
    """An output as a context manager.

    The bytes go to a file that no other run has, compressed according to the suffix.  At the end it is synced
    to disk and renamed; until then, an older output stays.  After an error or Ctrl-C it gets the name of
    `partial_name`, unless it is empty.  Bytes for standard output, devices and pipes are written at once.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.partial_path: str | None = None  # has the rows of a run, after an error
        self.is_cut: bool = False  # because a write failed
        self.is_part = False  # of a folder: what an error leaves of it is made again
        self.is_stream: bool = is_stream(path)  # which has no positions
        self._kind = COMPRESSIONS.get(without_compression(path)[1])
        self.needs_end: bool = self._kind is not None  # whether no byte can be read without the last
        self._pending = bytearray()  # blocks of one size make the compressed bytes reproducible
        self._size = 0  # bytes, before they are compressed
        self._whole = 0  # of these up to the last `flush`: whole rows
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
        self._size += view.nbytes
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
        """Flush uncompressed bytes to the system; they end with a whole row."""
        if self._file is not None and self._kind is None and not self._file.closed:
            with self.errors():
                self._file.flush()
            self._whole = self._size

    @contextmanager
    def _partial_file(self) -> Iterator[Any]:
        """Open a file that no other run has; at the end, sync it and rename it to the output."""
        fs, path = filesystem(_target(self.path))
        own = f"{path}.{os.urandom(4).hex()}{PARTIAL}"
        file = fs.open(own, "xb" if fs is LOCAL else "wb")  # not all stores know "x"
        if fs is LOCAL:
            _lock(file)  # until it is closed, or its process ends
        try:
            yield file
            if fs is LOCAL:
                os.fsync(file.fileno())
            file.close()
            fs.mv(own, path)
            with suppress(Exception):  # of a run before, if it is there; docs/outputs.md says that it goes
                fs.rm_file(f"{path}{PARTIAL}")
        except BaseException as error:
            is_of_input = isinstance(error, UnidokuError) and not isinstance(error, OutputError)
            self.is_cut = isinstance(error, OSError) and not is_of_input
            with suppress(Exception):  # the first error is the one to report
                file.close()
                if self.is_cut and fs is LOCAL and not self.needs_end:
                    os.truncate(own, self._whole)
                    self._size = self._whole
                if not self._size or (self.is_cut and self.needs_end):
                    fs.rm_file(own)
                else:
                    fs.mv(own, f"{path}{PARTIAL}")
                    self.partial_path = partial_name(self.path)
            raise

    @contextmanager
    def _object(self) -> Iterator[Any]:
        """Open an object of a store, which appears when it is closed; after an error it never does."""
        fs, path = filesystem(self.path)
        file = fs.open(path, "wb")
        try:
            yield file
            file.close()
        except BaseException:
            file.closed = True  # or the collector of objects would close it
            with suppress(Exception):
                file.discard()  # what is uploaded
            raise

    def __enter__(self) -> Self:
        with self.errors(), ExitStack() as opened:  # an error removes the files created here
            if self.path == "-":
                if sys.stdout is None or sys.stdout.closed:
                    raise OutputError(Message("cannot write: standard output is closed"), file="<stdout>")
                sys.stdout.flush()  # earlier prints come first
                self._file = sys.stdout.buffer
                opened.callback(self._file.flush)
            elif self.is_stream:
                self._file = opened.enter_context(LOCAL.open(local_path(self.path), "wb"))
            elif self.is_part and is_object_store(self.path):
                self._file = opened.enter_context(self._object())
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
        if error is not None:
            with suppress(Exception):  # the first error is reported
                self._stack.__exit__(kind, error, trace)
            self._add_note(error)
            return
        try:
            with self.errors():
                self._stack.__exit__(None, None, None)
        except UnidokuError as own:
            self._add_note(own)
            raise

    def _add_note(self, error: BaseException) -> None:
        """Say in an error where the rows are, unless there are none, or they are made again."""
        if self.is_part:
            return
        note = Message("the finished rows are in {name}", name=self.partial_path)
        if self.is_cut and self.needs_end:
            text = (
                "no rows are kept, because this format needs its end; to keep rows, type {options} --resume"
            )
            note = Message(text, options=folder_of(self.path))
        elif self.partial_path is None:
            return
        if has_older(partial_name(self.path)):
            older = Message("the output is unchanged")
            note = Message("{reason}; {advice}", reason=older, advice=note)
        error.add_note(note)


def _escaped_text(data: Any) -> bytes:
    """Return text with an escape sequence in place of each character that is not printable."""
    text = bytes(data).decode("utf-8", "backslashreplace")
    return re.sub(r"[^\n\t]+", lambda piece: escape(piece[0]), text).encode()


def is_folder(output: str) -> bool:
    """Return whether an output is a folder of parts."""
    if not output:
        raise ArgumentError(Message("the name of the output is empty; write a path"))
    if "\0" in output:  # no file system can have it
        raise OutputError(Message("cannot write: the name has a NUL byte; choose another name"), file=output)
    return output.endswith("/") or os.path.isdir(local_path(output))


def refuse_outputs(
    inputs: Iterable[object], files: Iterable[str | bytes | os.PathLike[str]] = (), folder: str | None = None
) -> None:
    """Refuse outputs that would overwrite an input or each other, and a folder that contains an input."""
    outputs: dict[object, str] = {}  # and the partial files next to them
    for file in map(os.fsdecode, files):
        if is_folder(file):
            raise OutputError(Message("cannot write: Is a directory"), file=file)
        for name in (file,) if file == "-" else (file, partial_name(file)):
            key = _file_key(name, sys.stdout)
            if key in outputs:
                twice = Message("two outputs would be written to this file; choose different files")
                raise OutputError(twice, file=name)
            if key is not None:
                outputs[key] = name
    if not outputs and folder is None:
        return
    for source in inputs:
        try:
            key = _file_key(source, sys.stdin)
        except UnidokuError:
            continue  # reported when it is opened
        if key in outputs:
            raise OutputError(Message("this output is also an input; choose another file"), file=outputs[key])
        if folder is not None and _is_in(str(source), folder):
            text = "the input {source} is inside this output folder; choose another folder"
            raise OutputError(Message(text, source=source), file=folder)


def _is_in(source: str, folder: str) -> bool:
    """Return whether an input is a file in a folder of this machine."""
    if is_remote(source):
        return False
    path, root = (os.path.join(os.path.realpath(local_path(name)), "") for name in (source, folder))
    return os.path.normcase(path).startswith(os.path.normcase(root))


def _file_key(file: object, standard: object) -> object:
    """Return a key shared by all names of a file, or None for pipes and devices; ``-`` is `standard`."""
    if isinstance(file, str | os.PathLike) and (name := os.fspath(file)) != "-":
        if is_remote(name):
            return filesystem(name)
        try:
            status = os.stat(local_path(name))
        except (OSError, ValueError):
            return os.path.realpath(local_path(name))
    else:
        stream: Any = standard if file == "-" else file
        try:
            status = os.fstat(stream.fileno())
        except (AttributeError, OSError, ValueError):
            return None
    if S_IFMT(status.st_mode) not in {S_IFREG, S_IFDIR}:
        return None
    return status.st_dev, status.st_ino
