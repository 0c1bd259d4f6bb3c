"""Storage: local paths and fsspec URLs behind one small interface.

Reading: `stat`, `identify`, `ByteRange`, `read_range`. Writing: `atomic_write` and `atomic_path` for one
file, `open_folder` for a folder of files. A file appears under its name when it is complete and synced to
disk, or not at all.
"""

from __future__ import annotations

import errno
import io
import os
import re
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from unidoku.errors import InputError, MissingExtraError, UnidokuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager
    from typing import Any, BinaryIO, Protocol

    class Folder(Protocol):
        """What the parts of an output are kept in."""

        url: str

        def make(self, *, sweep: bool = True) -> None: ...
        def names(self) -> set[str]: ...
        def size(self, name: str) -> int: ...
        def write(self, name: str) -> AbstractContextManager[BinaryIO]: ...
        def write_path(self, name: str, *, durable: bool = False) -> AbstractContextManager[Path]: ...
        def link(self, name: str, target: Path) -> bool: ...
        def open(self, name: str) -> BinaryIO: ...
        def remove(self, names: Iterable[str]) -> None: ...
        def drop(self) -> None: ...


__all__ = [
    "ByteRange",
    "Identity",
    "atomic_path",
    "atomic_write",
    "identify",
    "is_remote",
    "list_files",
    "local_path",
    "open_folder",
    "read_range",
    "stat",
    "sweep",
]

_SAMPLE = 1 << 16
_BLOCK = 1 << 23  # asked of a remote store at once
_BUCKETS = {"s3", "s3a", "gs", "gcs"}  # stores that have buckets and no folders
_DRAFT = ".unidoku-"  # how the names of files begin that are being written
# what file systems call the mark of a file's version, the surest first
_STAMPS = tuple(
    "ETag etag md5Hash content_md5 generation LastModified last_modified updated mtime created".split()
)


def is_remote(url: str) -> bool:
    """Whether a name is a URL that only fsspec can open (``file://`` is not)."""
    scheme, colon, _ = url.partition("://")
    return bool(colon) and scheme not in {"file", "local"}


def local_path(url: str) -> Path:
    """The path of a plain name or of a ``file://`` URL."""
    for scheme in ("file://", "local://"):
        if url.startswith(scheme):
            from urllib.parse import unquote

            return Path(unquote(url[len(scheme) :]))
    return Path(url)


def _filesystem(url: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise MissingExtraError(f"{url} needs fsspec: pip install 'unidoku[remote]'") from error
    try:
        fs, path = url_to_fs(url)
    except ImportError as error:  # fsspec knows the scheme, its library is not there
        raise MissingExtraError(f"{url}: {error}") from error
    except ValueError as error:
        raise InputError(str(error), file=url) from error
    return fs, path


@dataclass(frozen=True, slots=True)
class Identity:
    """What makes an input the same input as before.

    Attributes
    ----------
    url : str
        Absolute path, or the URL as given.
    size : int
        Bytes.
    stamp : str
        Time of last change in nanoseconds, or the store's own version mark (an ETag).
    sample : str
        Hash of the first, the middle and the last 64 KiB.
    """

    url: str
    size: int
    stamp: str
    sample: str


def identify(url: str) -> Identity:
    """Look at an input without reading all of it.

    Raises
    ------
    InputError
        When it is not there or cannot be read.
    MissingExtraError
        When its scheme needs a library that is not installed.
    """
    size, stamp, where = stat(url)
    from hashlib import blake2b

    digest = blake2b(digest_size=16)
    for start in sorted({0, max(0, size // 2 - _SAMPLE // 2), max(0, size - _SAMPLE)}):
        digest.update(read_range(url, start, min(size, start + _SAMPLE)))
    return Identity(where, size, stamp, digest.hexdigest())


def stat(url: str) -> tuple[int, str, str]:
    """Size, stamp and full name of an input.

    Raises
    ------
    InputError
        When it is not there or is no file.
    """
    if not is_remote(url):
        path = local_path(url)
        try:
            status = path.stat()
        except OSError as error:
            raise InputError(error.strerror or str(error), file=url) from error
        if not path.is_file():
            raise InputError("not a plain file: only files and URLs can be cut into shards", file=url)
        return status.st_size, f"mtime:{status.st_mtime_ns}", str(path.absolute())
    fs, remote = _filesystem(url)
    try:
        info = fs.info(remote)
    except Exception as error:  # every file system raises its own
        raise InputError(_say(error), file=url) from error
    if info.get("type") == "directory" or info.get("size") is None:
        raise InputError("not a file of known size", file=url)
    stamp = next((f"{key}:{info[key]}" for key in _STAMPS if info.get(key)), "")
    return int(info["size"]), stamp, url


def _say(error: BaseException) -> str:
    if isinstance(error, FileNotFoundError):
        return "No such file"
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


class ByteRange(io.RawIOBase):
    """Bytes ``start`` to ``stop`` of an input, as a file of their own.

    Parameters
    ----------
    url : str
    start, stop : int
        Where it begins, and before which byte it ends.

    Raises
    ------
    InputError
        When the input cannot be opened.
    """

    def __init__(self, url: str, start: int, stop: int) -> None:
        super().__init__()
        self.name = url
        self._start = start
        self._stop = stop
        self._at = start
        self._file: BinaryIO | None = None
        if is_remote(url):
            # cat_file keeps no state: some file systems hand out one and the same object to all readers
            self._fs, self._path = _filesystem(url)
        else:
            try:
                self._file = local_path(url).open("rb", buffering=0)
            except OSError as error:
                raise InputError(_say(error), file=url) from error

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """It is."""
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        """Move to a position counted from the stretch's own beginning."""
        base = (self._start, self._at, self._stop)[whence]
        self._at = max(self._start, base + offset)
        return self._at - self._start

    def tell(self) -> int:
        """Position from the stretch's own beginning."""
        return self._at - self._start

    def readinto(self, buffer: Any) -> int:
        """Fill as much of the buffer as there is."""
        view = memoryview(buffer).cast("B")
        count = min(len(view), self._stop - self._at)
        if count <= 0:
            return 0
        if self._file is None:
            count = min(count, _BLOCK)
            try:
                piece = self._fs.cat_file(self._path, start=self._at, end=self._at + count)
            except Exception as error:  # every file system raises its own
                raise InputError(_say(error), file=self.name) from error
            count = len(piece)
            view[:count] = piece
        else:
            self._file.seek(self._at)
            try:
                count = self._file.readinto(view[:count])  # type: ignore[attr-defined]
            except OSError as error:
                raise InputError(_say(error), file=self.name) from error
        self._at += count
        return count

    def close(self) -> None:
        """Close the file below."""
        if self._file is not None:
            self._file.close()
        super().close()


def read_range(url: str, start: int, stop: int) -> bytes:
    """Bytes ``start`` to ``stop`` of an input; fewer where it ends before.

    Raises
    ------
    InputError
        When it cannot be read.
    """
    with ByteRange(url, start, stop) as stretch:
        return stretch.readall() or b""


class LocalFolder:
    """A folder of this machine; files appear in it whole or not at all."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.path = local_path(url)

    def make(self, *, sweep: bool = True) -> None:
        """Make the folder; with ``sweep`` remove what a killed run left half written."""
        self.path.mkdir(parents=True, exist_ok=True)
        for stale in self.path.glob(f"{_DRAFT}*") if sweep else ():
            stale.unlink(missing_ok=True)

    def names(self) -> set[str]:
        """The names of its files."""
        with suppress(FileNotFoundError), os.scandir(self.path) as entries:
            return {entry.name for entry in entries if not entry.name.startswith(".")}
        return set()

    def size(self, name: str) -> int:
        """Bytes of a file, -1 where there is none."""
        try:
            return (self.path / name).stat().st_size
        except OSError:
            return -1

    @contextmanager
    def write(self, name: str) -> Iterator[BinaryIO]:
        """Write a file; see `atomic_write`."""
        with _replaced(self.path / name) as temporary, temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())

    @contextmanager
    def write_path(self, name: str, *, durable: bool = False) -> Iterator[Path]:
        """Write a file through a temporary path; see `atomic_path`.

        Unless ``durable``, the new name is synced to disk by the next `write` only.
        """
        with _replaced(self.path / name, durable=durable) as temporary:
            yield temporary
            _sync(temporary)

    def link(self, name: str, target: Path) -> bool:
        """Give a file a second name outside the folder; whether the file system can do that."""
        with suppress(OSError), _replaced(target) as temporary:
            os.link(self.path / name, temporary)
            return True
        return False

    def open(self, name: str) -> BinaryIO:
        """Read a file."""
        return (self.path / name).open("rb")

    def remove(self, names: Iterable[str]) -> None:
        """Remove files, absent ones too."""
        for name in names:
            (self.path / name).unlink(missing_ok=True)

    def drop(self) -> None:
        """Remove the folder and the files in it."""
        if self.path.is_dir():
            for file in self.path.iterdir():
                file.unlink()
            self.path.rmdir()


@contextmanager
def _replaced(path: Path, *, durable: bool = True) -> Iterator[Path]:
    """A temporary name beside a path: renamed to it at the end, removed after an error."""
    from secrets import token_hex

    temporary = path.with_name(f"{_DRAFT}{token_hex(6)}-{path.name}")
    try:
        yield temporary
        temporary.replace(path)
        temporary.unlink(missing_ok=True)  # rename() does nothing when both names are links to one file
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    if durable and os.name == "posix":  # elsewhere a folder cannot be opened
        _sync(path.parent)


def sweep(url: str) -> None:
    """Remove what killed runs left half written of one local file."""
    from glob import escape

    path = local_path(url)
    for stale in path.parent.glob(f"{_DRAFT}{'?' * 12}-{escape(path.name)}"):
        stale.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _as_os_error(url: str) -> Iterator[None]:
    """Give what a file system raises of its own, such as a refused connection, a number and the place."""
    try:
        yield
    except Exception as error:
        if isinstance(error, UnidokuError) or getattr(error, "errno", None) is not None:
            raise
        kinds = {FileNotFoundError: errno.ENOENT, PermissionError: errno.EACCES}
        number = next((number for kind, number in kinds.items() if isinstance(error, kind)), errno.EIO)
        text = str(error) if isinstance(error, OSError) else ""
        raise OSError(number, text or _say(error), url) from error


class RemoteFolder:
    """A folder of an fsspec file system; its uploads become visible when they are committed."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.fs, self.path = _filesystem(url)

    def _at(self, name: str) -> str:
        return f"{self.path.rstrip('/')}/{name}"

    def make(self, *, sweep: bool = True) -> None:
        """Make the folder where the file system has such a thing; it never has half-written files."""
        names = {self.fs.protocol} if isinstance(self.fs.protocol, str) else self.fs.protocol
        if _BUCKETS.isdisjoint(names):  # there it would make the bucket, should its name be wrong
            with _as_os_error(self.url):
                self.fs.makedirs(self.path, exist_ok=True)

    def names(self) -> set[str]:
        """The names of its files."""
        self.fs.invalidate_cache(self.path)
        try:
            with _as_os_error(self.url):
                listing = self.fs.ls(self.path, detail=False)
        except FileNotFoundError:
            return set()
        return {str(entry).rstrip("/").rpartition("/")[2] for entry in listing}

    def size(self, name: str) -> int:
        """Bytes of a file, -1 where there is none."""
        try:
            with _as_os_error(self.url):
                return int(self.fs.size(self._at(name)))
        except FileNotFoundError:
            return -1

    @contextmanager
    def write(self, name: str) -> Iterator[BinaryIO]:
        """Upload a file; an error on the way leaves nothing behind."""
        # Closing would publish a half-written object; without autocommit only commit() does.
        with _as_os_error(f"{self.url.rstrip('/')}/{name}"):
            stream = self.fs.open(self._at(name), "wb", autocommit=False)
            try:
                yield stream
                stream.close()
            except BaseException:
                with suppress(Exception):
                    stream.discard()
                raise
            stream.commit()

    @contextmanager
    def write_path(self, name: str, *, durable: bool = False) -> Iterator[Path]:
        """Write a file through a temporary path of this machine; it is uploaded when it is complete."""
        import tempfile

        with tempfile.TemporaryDirectory(prefix="unidoku-") as here:
            path = Path(here) / name
            yield path
            with path.open("rb") as whole, self.write(name) as stream:
                while block := whole.read(_BLOCK):
                    stream.write(block)

    def link(self, name: str, target: Path) -> bool:
        """Not possible."""
        return False

    def open(self, name: str) -> BinaryIO:
        """Read a file."""
        with _as_os_error(f"{self.url.rstrip('/')}/{name}"):
            stream: BinaryIO = self.fs.open(self._at(name), "rb")
            return stream

    def remove(self, names: Iterable[str]) -> None:
        """Remove files, absent ones too."""
        for name in names:
            with suppress(FileNotFoundError), _as_os_error(self.url):
                self.fs.rm_file(self._at(name))

    def drop(self) -> None:
        """Remove the folder and the files in it."""
        with suppress(FileNotFoundError), _as_os_error(self.url):
            self.fs.rm(self.path, recursive=True)


def open_folder(url: str) -> Folder:
    """The folder of a path or URL.

    Raises
    ------
    MissingExtraError
        When its scheme needs a library that is not installed.
    """
    return RemoteFolder(url) if is_remote(url) else LocalFolder(url)


def list_files(name: str) -> list[tuple[str, str]]:
    """The files that a folder or a pattern stands for, in the order of their names.

    Numbers in names are ordered by value.

    Parameters
    ----------
    name : str
        A folder, or a pattern with ``*``, ``?``, ``[…]`` or ``**``; a path or a URL.

    Returns
    -------
    list of (str, str)
        The name of each file, and its path in the folder; the latter is empty for a file that the pattern
        matches itself. Links to folders are not followed.

    Raises
    ------
    InputError
        When a remote store cannot be asked.
    MissingExtraError
        When its scheme needs a library that is not installed.
    """
    if is_remote(name):
        return _list_remote(name)
    from glob import glob

    path = str(local_path(name))
    found: list[tuple[str, str]] = []
    for match in [path] if os.path.isdir(path) else sorted(glob(path, recursive=True), key=_natural):
        if not os.path.isdir(match):
            found.append((match, ""))
            continue
        for folder, folders, files in os.walk(match):
            folders.sort(key=_natural)
            found += [
                (os.path.join(folder, file), os.path.relpath(os.path.join(folder, file), match))
                for file in sorted(files, key=_natural)
            ]
    return found


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that orders the numbers in names by value."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]{1,18})", name)]


def _list_remote(url: str) -> list[tuple[str, str]]:
    """The same for a URL; a web server lists nothing."""
    fs, path = _filesystem(url)
    if url.startswith(("http://", "https://")):
        return []
    try:
        pattern = any(sign in path for sign in "*?[")
        found: list[tuple[str, str]] = []
        for match in sorted(fs.glob(path), key=_natural) if pattern else [path]:
            if not fs.isdir(match):
                # unlike a shell, some stores match hidden files too
                hidden = match.rpartition("/")[2].startswith(".")
                found += [(fs.unstrip_protocol(match), "")] if pattern and not hidden else []
                continue
            found += [
                (fs.unstrip_protocol(file), file[len(match.rstrip("/")) + 1 :])
                for file in sorted(fs.find(match), key=_natural)
            ]
    except Exception as error:  # every file system raises its own
        raise InputError(_say(error), file=url) from error
    return found


def _split(url: str) -> tuple[Folder, str]:
    """The folder and the name of a file."""
    if is_remote(url):
        parent, _, name = url.rpartition("/")
        return RemoteFolder(parent), name
    path = local_path(url)
    if path.is_symlink():
        path = Path(os.path.realpath(path))  # the link stays, its target is replaced
    return LocalFolder(str(path.parent)), path.name


@contextmanager
def atomic_write(url: str) -> Iterator[BinaryIO]:
    """Write a file as a binary stream; it appears, or replaces another, when it is complete.

    Parameters
    ----------
    url : str
        Path or URL.

    Raises
    ------
    OSError
        When it cannot be written; what had this name before is then unchanged.
    """
    folder, name = _split(url)
    with folder.write(name) as stream:
        yield stream


@contextmanager
def atomic_path(url: str) -> Iterator[Path]:
    """Write a file through a temporary local path; it appears, or replaces another, when it is complete.

    Parameters
    ----------
    url : str
        Path or URL.

    Raises
    ------
    OSError
        When it cannot be written; what had this name before is then unchanged.
    """
    folder, name = _split(url)
    with folder.write_path(name, durable=True) as path:
        yield path
