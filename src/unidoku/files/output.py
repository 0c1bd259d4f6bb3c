"""Output files that appear when they are complete and synced to disk, or not at all.

`refuse_outputs` checks names before anything is created.  `Folder` is a folder of such files.
"""

from __future__ import annotations

import errno
import os
import posixpath
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from types import TracebackType
from typing import Any, BinaryIO, Self

from unidoku.errors import OutputError, UnidokuError, writing
from unidoku.files.codecs import COMPRESSIONS, open_compressed, without_compression
from unidoku.files.storage import BLOCK, describe, filesystem, is_remote, is_special, local_path, protocols

_BUCKETS = {"s3", "s3a", "gs", "gcs"}  # stores that have buckets and no folders
_SOURCES = {"http", "https", "github", "gist", "tar", "libarchive"}  # schemes of what cannot be written
_ONLY_READ = "this kind of storage can be read, but not written"
_PIECE = 1 << 19  # bytes of one write; larger ones wait for new pages of the system


class Folder:
    """A local folder or one of an fsspec file system."""

    def __init__(self, url: str) -> None:
        self.name = url.rstrip("/") or "/"
        self._path = local_path(url)
        self._fs: Any = None
        if is_remote(url):
            self._fs, path = filesystem(url)
            self._remote = path.rstrip("/")
            self._is_bucket = not _BUCKETS.isdisjoint(protocols(self._fs))

    def make(self) -> None:
        """Make the folder, unless it exists or the store has no folders."""
        if self._fs is None:
            self._path.mkdir(parents=True, exist_ok=True)
        elif not self._is_bucket:  # a wrong name would make a bucket
            with _as_os_error(self.name):
                self._fs.makedirs(self._remote, exist_ok=True)

    def names(self) -> set[str]:
        """Return the names of its files and folders; none if it does not exist."""
        try:
            if self._fs is None:
                return set(os.listdir(self._path))
            self._fs.invalidate_cache(self._remote)
            with _as_os_error(self.name):
                listing = self._fs.ls(self._remote, detail=False)
        except FileNotFoundError:
            return set()
        names = (str(entry).rstrip("/") for entry in listing)
        # some stores list the folder itself as an empty file
        return {name.rpartition("/")[2] for name in names if name != self._remote}

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading."""
        if self._fs is None:
            return (self._path / name).open("rb")
        with _as_os_error(f"{self.name}/{name}"):
            stream: BinaryIO = self._fs.open(f"{self._remote}/{name}", "rb")
            return stream

    def remove(self, names: Iterable[str]) -> None:
        """Remove files; ignore absent ones."""
        for name in names:
            with suppress(FileNotFoundError), _as_os_error(self.name):
                if self._fs is None:
                    (self._path / name).unlink()
                else:
                    self._fs.rm_file(f"{self._remote}/{name}")


@contextmanager
def _as_os_error(url: str) -> Iterator[None]:
    """Convert exceptions of a file system, such as a refused connection, to OSError with a number."""
    try:
        yield
    except Exception as error:
        if isinstance(error, UnidokuError | MemoryError) or getattr(error, "errno", None) is not None:
            raise
        kinds = {FileNotFoundError: errno.ENOENT, PermissionError: errno.EACCES}
        number = next((number for kind, number in kinds.items() if isinstance(error, kind)), errno.EIO)
        text = (str(error) if isinstance(error, OSError) else "") or describe(error)
        raise OSError(number, _ONLY_READ if isinstance(error, NotImplementedError) else text, url) from error


def _upload(file: Path, url: str) -> None:
    """Upload a file, which appears when it is complete."""
    fs, path = filesystem(url)
    with _as_os_error(url), file.open("rb") as content:
        # Closing would publish an incomplete object; without autocommit only commit() does.
        stream = fs.open(path, "wb", autocommit=False)
        try:
            while block := content.read(BLOCK):
                stream.write(block)
            stream.close()
        except BaseException:
            with suppress(Exception):
                stream.discard()
            raise
        stream.commit()


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def partial_name(output: str) -> str:
    """Return the name of the file with the rows of an interrupted run."""
    if not is_remote(output) and (path := local_path(output)).is_symlink():
        output = os.path.realpath(path)  # beside the file that would have been replaced
    return f"{output}.partial"


class OutputFile:
    """An output as a context manager; entering it creates the file.

    The bytes go to a file with the name of `partial_name`, compressed according to the suffix.  At the end it
    is synced to disk and renamed; until then, an older output stays.  After an error or Ctrl-C it keeps the
    partial name, unless it is empty.  A URL is uploaded at the end, with the same two names.  Bytes for
    standard output, devices and pipes are written at once.

    Attributes
    ----------
    path : str
    partial_path : str or None
        The file with the rows of a run, after an error.
    is_stream : bool
        Whether it is standard output, a device or a pipe, which have no positions.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.partial_path: str | None = None
        self.is_stream = path == "-"
        self._kind = COMPRESSIONS.get(without_compression(path)[1])
        self._pending = bytearray()  # blocks of one size make the compressed bytes reproducible
        self._size = 0  # bytes before compression
        self._stack = ExitStack()
        self._file: Any = None

    def errors(self) -> AbstractContextManager[None]:
        """Add the name of the output to system errors."""
        return writing("<stdout>" if self.path == "-" else self.path)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Append bytes."""
        view = memoryview(data)
        self._size += len(view)
        try:
            if self._kind is not None:
                self._pending += view
                while len(self._pending) >= _PIECE:
                    self._file.write(self._pending[:_PIECE])
                    del self._pending[:_PIECE]
                return
            while view:
                # A raw file may take less than it is given.
                view = view[self._file.write(view[:_PIECE]) :]
        except Exception:  # not around it all: a context takes time in each batch
            with self.errors(), _as_os_error(self.path):
                raise

    def flush(self) -> None:
        """Flush uncompressed bytes to the system."""
        if self._file is not None and self._kind is None:
            with self.errors():
                self._file.flush()

    def readable(self) -> bool:
        """Return False."""
        return False

    def writable(self) -> bool:
        """Return True."""
        return True

    isatty = seekable = readable

    @property
    def closed(self) -> bool:
        """Whether the file is closed."""
        return bool(self._file.closed)

    @contextmanager
    def _appearing(self) -> Iterator[Path]:
        """Provide the path to write to; at the end, rename its file to the output."""
        name, remote = partial_name(self.path), is_remote(self.path)
        path = local_path(self.path)
        if not remote and is_special(path):
            self.is_stream = True
            yield path
            return
        path = Path(os.path.realpath(path))  # the target of a link is replaced, not the link
        with ExitStack() as stack:
            if remote:
                from tempfile import TemporaryDirectory  # not at the top: it imports all compressions

                partial = Path(stack.enter_context(TemporaryDirectory(prefix="unidoku-"))) / "output"
            elif path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
            else:
                partial = local_path(name)
            try:
                yield partial
                if remote:
                    _upload(partial, self.path)
                else:
                    _sync(partial)
                    partial.replace(path)
            except BaseException:
                with suppress(OSError):  # the first error is the one to report
                    if self._size:
                        if remote:
                            _upload(partial, name)
                        self.partial_path = name
                    else:
                        partial.unlink()
                raise

    def __enter__(self) -> Self:
        with self.errors(), ExitStack() as opened:  # an error removes what is created here
            if self.path == "-":
                if sys.stdout is None or sys.stdout.closed:
                    raise OutputError("cannot write: standard output is closed", file="<stdout>")
                sys.stdout.flush()  # earlier prints come first
                self._file = sys.stdout.buffer
            else:
                path = opened.enter_context(self._appearing())
                self._file = opened.enter_context(path.open("wb", buffering=0))
            if self._kind is not None:
                self._file = opened.enter_context(open_compressed(self._kind, self._file, "wb"))
                opened.callback(lambda: self._file.write(self._pending))
            self._stack = opened.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            with suppress(OSError):  # the error of the caller is the one to report
                self._stack.__exit__(kind, error, trace)
            if self.partial_path is not None:
                error.add_note(f"the output is as it was; what has been done is in {self.partial_path}")
            return
        with self.errors(), _as_os_error(self.path):
            if self.path == "-":
                self.flush()
            self._stack.__exit__(None, None, None)


def refuse_outputs(
    inputs: Iterable[object], files: Iterable[object] = (), folders: Iterable[str] = ()
) -> None:
    """Refuse outputs that are or contain an input, that are the same file, or that cannot be written."""
    names = [str(os.fspath(file)) for file in files if isinstance(file, str | os.PathLike)]
    folders = list(folders)
    for name in (*names, *folders):
        if name.partition("://")[0].lower() in _SOURCES and is_remote(name):
            raise OutputError(f"cannot write: {_ONLY_READ}", file=name)
    outputs: dict[object, str] = {}
    partials: dict[object, str] = {}
    for name in names:
        key = _file_key(name, sys.stdout)
        if key in outputs:
            raise OutputError("is written twice; choose different files for different outputs", file=name)
        if key is not None:
            outputs[key] = name
        if name != "-":
            partials[_file_key(partial_name(name))] = partial_name(name)
    if clashes := [name for key, name in partials.items() if key in outputs]:
        raise OutputError("is written; an interrupted run would need this name too", file=clashes[0])
    for source in inputs:
        try:
            key = _file_key(source, sys.stdin)
        except UnidokuError:
            continue  # reported when it is opened
        if key is not None and key in outputs:
            raise OutputError("is an input; it cannot be the output too", file=outputs[key])
        if key is not None and key in partials:
            message = "is an input; this run would replace it: choose another output"
            raise OutputError(message, file=partials[key])
        for folder in folders:
            if isinstance(source, str | os.PathLike) and _is_inside(os.fspath(source), folder):
                raise OutputError(
                    f"the input {source} lies in this folder, which the run writes", file=folder
                )
    for name in (*names, *folders):
        if name != "-":
            _refuse_unwritable(name)


def _refuse_unwritable(url: str) -> None:
    """Refuse an output in a missing or read-only folder."""
    if is_remote(url):
        filesystem(url)
        return
    if is_special(local_path(url)):
        return
    path = Path(os.path.realpath(local_path(url)))
    number = 0
    if not path.parent.exists():
        number = errno.ENOENT
    elif not path.parent.is_dir():
        number = errno.ENOTDIR
    elif not os.access(path if path.is_dir() else path.parent, os.W_OK | os.X_OK):
        number = errno.EACCES
    if number:
        raise OutputError(f"cannot write: {os.strerror(number)}", file=url)


def _file_key(file: object, standard: object = None) -> object:
    """Return a key shared by all names of a file; None for pipes and devices; ``-`` is `standard`."""
    if isinstance(file, str | os.PathLike) and (name := str(os.fspath(file))) != "-":
        if is_remote(name):
            fs, path = filesystem(name)
            return fs, posixpath.normpath(path)
        path = os.path.realpath(local_path(name))
        try:
            status = os.stat(path)
        except (OSError, ValueError):
            return path  # it does not exist
    else:
        stream: Any = standard if file == "-" else file
        try:
            status = os.fstat(stream.fileno())
        except (AttributeError, OSError, ValueError, TypeError):
            return None
    is_stored = S_ISREG(status.st_mode) or S_ISDIR(status.st_mode)
    return (status.st_dev, status.st_ino) if is_stored else None


def _is_inside(name: str, folder: str) -> bool:
    """Return whether a local file is in a local folder."""
    if is_remote(name) or is_remote(folder) or name == "-":
        return False
    return Path(os.path.realpath(local_path(folder))) in Path(os.path.realpath(local_path(name))).parents
