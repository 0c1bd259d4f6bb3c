"""Storage: local paths and fsspec URLs behind one small interface.

Reading: `stat`, `identify`, `ByteRange`, `read_range`.  Writing: `atomic_write` and `atomic_path` for one
file, `open_folder` for a folder of files.  A file appears under its name when it is complete and synced to
disk, or not at all.

While a file is written it has a temporary name, ``.unidoku-<12 hexadecimal digits>-<name>``.  For a single
file the digits are a hash of its path, and the writer holds a lock on it: the next writer of that file uses
the same temporary name, so what a killed process left is overwritten.  In a folder every attempt has random
digits; `Folder.temporaries` finds those of given names.
"""

from __future__ import annotations

import errno
import io
import os
import re
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from unidoku.errors import InputError, MissingExtraError, UnidokuError, needs_extra

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, BinaryIO, TypeAlias

    Folder: TypeAlias = "LocalFolder | RemoteFolder"
    """A folder of files that appear complete or not at all."""


__all__ = [
    "ByteRange",
    "Identity",
    "atomic_path",
    "atomic_write",
    "discard_temporary",
    "filesystem",
    "identify",
    "is_remote",
    "is_special",
    "list_files",
    "local_path",
    "lock_folder",
    "open_folder",
    "open_parent",
    "protocols",
    "read_range",
    "stat",
]

_SAMPLE = 1 << 16
_BLOCK = 1 << 23  # bytes of one request to a remote store
_BUCKETS = {"s3", "s3a", "gs", "gcs"}  # stores that have buckets and no folders
_TEMPORARY = re.compile(r"\.unidoku-[0-9a-f]{12}-(.+)", re.DOTALL)
_LONGEST = 200  # bytes of a file's name in its temporary name; file systems allow 255 in all
# The keys under which file systems give the version of a file, the most reliable first.
_VERSIONS = tuple(
    "ETag etag md5Hash content_md5 generation LastModified last_modified updated mtime created".split()
)


def is_remote(url: str) -> bool:
    """Return whether a name is a URL that only fsspec can open (``file://`` is not)."""
    scheme, colon, _ = url.partition("://")
    return bool(colon) and scheme.lower() not in {"file", "local"}


def local_path(url: str) -> Path:
    """Return the path of a plain name or of a ``file://`` URL."""
    scheme, colon, rest = url.partition("://")
    if colon and scheme.lower() in {"file", "local"}:
        from urllib.request import url2pathname

        return Path(url2pathname(rest.removeprefix("localhost") if rest.startswith("localhost/") else rest))
    return Path(url)


def is_special(path: Path) -> bool:
    """Return whether a path is a device, a pipe or a socket, and not a file or folder."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not S_ISREG(mode) and not S_ISDIR(mode)


def filesystem(url: str) -> tuple[Any, str]:
    """Return the fsspec file system of a URL, and the path in it.

    Raises
    ------
    InputError
        The scheme is unknown.
    MissingExtraError
        The scheme needs a library that is not installed.
    """
    with needs_extra("remote", f"{url} needs fsspec"):
        from fsspec.core import url_to_fs
    try:
        fs, path = url_to_fs(url)
    except ImportError as error:  # fsspec knows the scheme, but its library is not installed
        raise MissingExtraError(f"{url}: {error}") from error
    except ValueError as error:
        raise InputError(str(error), file=url) from error
    return fs, path


@dataclass(frozen=True, slots=True)
class Identity:
    """An input, and what shows that its content has not changed.

    Attributes
    ----------
    name : str
        The name given by the user, for messages.
    url : str
        Absolute path, or the URL as given.
    size : int
        Bytes.
    version : str
        Time of the last change in nanoseconds, or the version that the store gives (an ETag).
    sample : str
        Hash of the first, the middle and the last 64 KiB.
    """

    name: str = field(compare=False)
    url: str
    size: int
    version: str
    sample: str


def identify(url: str) -> Identity:
    """Describe an input without reading all of it.

    Raises
    ------
    InputError
        The input does not exist or cannot be read.
    MissingExtraError
        The scheme of the URL needs a library that is not installed.
    """
    size, version, full = stat(url)
    from hashlib import blake2b

    digest = blake2b(digest_size=16)
    for start in sorted({0, max(0, size // 2 - _SAMPLE // 2), max(0, size - _SAMPLE)}):
        digest.update(read_range(url, start, min(size, start + _SAMPLE)))
    return Identity(url, full, size, version, digest.hexdigest())


def stat(url: str, name: str | None = None) -> tuple[int, str, str]:
    """Size in bytes, version and full name of a file.

    Parameters
    ----------
    url : str
    name : str, optional
        What messages call it; default `url`.

    Raises
    ------
    InputError
        It does not exist or is not a file.
    """
    name = name or url
    if not is_remote(url):
        path = local_path(url)
        try:
            status = path.stat()
        except OSError as error:
            raise InputError(error.strerror or str(error), file=name) from error
        if not path.is_file():
            raise InputError("not a plain file; only files and URLs can be cut into shards", file=name)
        return status.st_size, f"mtime:{status.st_mtime_ns}", str(path.absolute())
    fs, remote = filesystem(url)
    try:
        info = fs.info(remote)
    except Exception as error:  # file systems raise their own exceptions
        raise InputError(_describe(error), file=name) from error
    if info.get("type") == "directory" or info.get("size") is None:
        raise InputError("not a file of known size", file=name)
    version = next((f"{key}:{info[key]}" for key in _VERSIONS if info.get(key)), "")
    return int(info["size"]), version, url


def _describe(error: BaseException) -> str:
    if isinstance(error, FileNotFoundError):
        return "No such file"
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


class ByteRange(io.RawIOBase):
    """The bytes ``start`` to ``stop`` of an input as a file.

    Parameters
    ----------
    url : str
    start, stop : int
        Positions of the first byte and of the byte after the last.
    name : str, optional
        What messages call the input; default `url`.

    Raises
    ------
    InputError
        The input cannot be opened.
    """

    def __init__(self, url: str, start: int, stop: int, name: str | None = None) -> None:
        super().__init__()
        self.name = name or url
        self._start = start
        self._stop = stop
        self._at = start
        self._file: BinaryIO | None = None
        if is_remote(url):
            # cat_file has no state: some file systems give one and the same object to all readers
            self._fs, self._path = filesystem(url)
        else:
            try:
                self._file = local_path(url).open("rb", buffering=0)
            except OSError as error:
                raise InputError(_describe(error), file=self.name) from error

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        """Move to a position counted from the beginning of the range."""
        base = (self._start, self._at, self._stop)[whence]
        self._at = max(self._start, base + offset)
        return self._at - self._start

    def readinto(self, buffer: Any) -> int:
        """Read into the buffer, up to its size or the end."""
        view = memoryview(buffer).cast("B")
        count = min(len(view), self._stop - self._at)
        if count <= 0:
            return 0
        try:
            if self._file is None:
                end = self._at + min(count, _BLOCK)
                piece = self._fs.cat_file(self._path, start=self._at, end=end)
                count = len(piece)
                view[:count] = piece
            else:
                self._file.seek(self._at)
                count = self._file.readinto(view[:count])  # type: ignore[attr-defined]
        except Exception as error:  # file systems raise their own exceptions
            raise InputError(_describe(error), file=self.name) from error
        self._at += count
        return count

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
        super().close()


def read_range(url: str, start: int, stop: int, name: str | None = None) -> bytes:
    """Return the bytes ``start`` to ``stop`` of an input; fewer if it ends before.

    Parameters
    ----------
    url, start, stop, name
        As for `ByteRange`.

    Raises
    ------
    InputError
        It cannot be read.
    """
    with ByteRange(url, start, stop, name) as part:
        return part.readall() or b""


class LocalFolder:
    """A folder of this machine."""

    def __init__(self, url: str, name: str | None = None) -> None:
        self.url = url
        self.name = (name or url).rstrip("/") or "/"
        self.path = local_path(url)

    def make(self) -> None:
        """Make the folder if it does not exist."""
        self.path.mkdir(parents=True, exist_ok=True)

    def names(self) -> set[str]:
        """Return the names of all that is in it; empty if it does not exist."""
        with suppress(FileNotFoundError):
            return set(os.listdir(self.path))
        return set()

    def temporaries(self, names: Iterable[str]) -> set[str]:
        """Return the temporary names, in this folder, of some file names."""
        tails = {_tail(name) for name in names}
        matches = ((name, _TEMPORARY.fullmatch(name)) for name in self.names())
        return {name for name, match in matches if match is not None and match[1] in tails}

    def size(self, name: str) -> int:
        """Bytes of a file, -1 if it does not exist."""
        try:
            return (self.path / name).stat().st_size
        except OSError:
            return -1

    @contextmanager
    def write(self, name: str) -> Iterator[BinaryIO]:
        """Write a file as a binary stream."""
        with _replacing(self.path / name) as temporary, temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())

    @contextmanager
    def write_path(self, name: str) -> Iterator[Path]:
        """Write a file through a temporary path.

        The content is synced to disk, the new name only by the next `write`.
        """
        with _replacing(self.path / name, durable=False) as temporary:
            yield temporary
            _sync(temporary)

    def move(self, name: str, target: str) -> bool:
        """Make a file the file `target`, which it replaces; whether the file system can do that."""
        if is_remote(target):
            return False
        path = Path(os.path.realpath(local_path(target)))
        if is_special(path):
            return False
        try:
            (self.path / name).replace(path)
        except OSError:
            return False
        _sync_folder(path.parent)
        return True

    def open(self, name: str) -> BinaryIO:
        """Read a file."""
        return (self.path / name).open("rb")

    def remove(self, names: Iterable[str]) -> None:
        """Remove files; absent ones are not an error."""
        for name in names:
            (self.path / name).unlink(missing_ok=True)

    def remove_if_empty(self) -> None:
        """Remove the folder unless there is something in it."""
        with suppress(OSError):
            self.path.rmdir()


class RemoteFolder:
    """A folder of an fsspec file system; an upload becomes visible when it is committed."""

    def __init__(self, url: str, name: str | None = None) -> None:
        self.url = url
        self.name = (name or url).rstrip("/")
        self.fs, self.path = filesystem(url)

    def _at(self, name: str) -> str:
        return f"{self.path.rstrip('/')}/{name}"

    def make(self) -> None:
        """Make the folder if it does not exist and the file system has folders."""
        if _BUCKETS.isdisjoint(protocols(self.fs)):  # there it would make a bucket if the name is wrong
            with _as_os_error(self.url):
                self.fs.makedirs(self.path, exist_ok=True)

    def names(self) -> set[str]:
        """Return the names of all that is in it; empty if it does not exist."""
        self.fs.invalidate_cache(self.path)
        try:
            with _as_os_error(self.url):
                listing = self.fs.ls(self.path, detail=False)
        except FileNotFoundError:
            return set()
        names = (str(entry).rstrip("/") for entry in listing)
        # some stores list the folder itself as an empty file
        return {name.rpartition("/")[2] for name in names if name != self.path.rstrip("/")}

    def temporaries(self, names: Iterable[str]) -> set[str]:
        """None: an upload that is not committed has no name."""
        return set()

    def size(self, name: str) -> int:
        """Bytes of a file, -1 if it does not exist."""
        try:
            with _as_os_error(self.url):
                return int(self.fs.size(self._at(name)))
        except FileNotFoundError:
            return -1

    @contextmanager
    def write(self, name: str) -> Iterator[BinaryIO]:
        """Upload a file; after an error nothing is uploaded."""
        # Closing would publish an incomplete object; without autocommit only commit() does.
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
    def write_path(self, name: str) -> Iterator[Path]:
        """Write a file through a temporary path of this machine; it is uploaded when it is complete."""
        import tempfile

        with tempfile.TemporaryDirectory(prefix="unidoku-") as here:
            path = Path(here) / name
            yield path
            with path.open("rb") as complete, self.write(name) as stream:
                while block := complete.read(_BLOCK):
                    stream.write(block)

    def move(self, name: str, target: str) -> bool:
        """Not possible."""
        return False

    def open(self, name: str) -> BinaryIO:
        """Read a file."""
        with _as_os_error(f"{self.url.rstrip('/')}/{name}"):
            stream: BinaryIO = self.fs.open(self._at(name), "rb")
            return stream

    def remove(self, names: Iterable[str]) -> None:
        """Remove files; absent ones are not an error."""
        for name in names:
            with suppress(FileNotFoundError), _as_os_error(self.url):
                self.fs.rm_file(self._at(name))

    def remove_if_empty(self) -> None:
        """Remove the folder unless there is something in it."""
        if _BUCKETS.isdisjoint(protocols(self.fs)):
            with suppress(Exception):  # rmdir refuses a folder that has files
                if not self.names():
                    self.fs.rmdir(self.path)


def open_folder(url: str, name: str | None = None) -> Folder:
    """Return the folder of a path or URL.

    Parameters
    ----------
    url : str
    name : str, optional
        What messages call it; default `url`.

    Raises
    ------
    MissingExtraError
        The scheme of the URL needs a library that is not installed.
    """
    return RemoteFolder(url, name) if is_remote(url) else LocalFolder(url, name)


def open_parent(url: str) -> tuple[Folder, str]:
    """Return the folder of a file, and the name of the file in it.

    Raises
    ------
    MissingExtraError
        The scheme of the URL needs a library that is not installed.
    """
    if not is_remote(url):
        path = local_path(url)
        return LocalFolder(str(path.parent)), path.name
    name = url.rpartition("/")[2]
    return RemoteFolder(url.removesuffix(name)), name


def list_files(name: str) -> list[tuple[str, str]]:
    """Return the files in a folder, or matched by a pattern, in the order of their names.

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
        A remote store cannot be listed.
    MissingExtraError
        The scheme of the URL needs a library that is not installed.
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
    """Return a key that orders the numbers in names by value."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]{1,18})", name)]


def _list_remote(url: str) -> list[tuple[str, str]]:
    """Return the files of a URL; a web server lists nothing."""
    fs, path = filesystem(url)
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
    except Exception as error:  # file systems raise their own exceptions
        raise InputError(_describe(error), file=url) from error
    return found


def protocols(fs: Any) -> set[str]:
    """Return the URL schemes of an fsspec file system."""
    return {fs.protocol} if isinstance(fs.protocol, str) else set(fs.protocol)


@contextmanager
def _as_os_error(url: str) -> Iterator[None]:
    """Turn the exceptions of a file system, such as a refused connection, into OSError with a number."""
    try:
        yield
    except Exception as error:
        if isinstance(error, UnidokuError) or getattr(error, "errno", None) is not None:
            raise
        kinds = {FileNotFoundError: errno.ENOENT, PermissionError: errno.EACCES}
        number = next((number for kind, number in kinds.items() if isinstance(error, kind)), errno.EIO)
        text = str(error) if isinstance(error, OSError) else ""
        raise OSError(number, text or _describe(error), url) from error


def _temporary(path: Path, digits: str) -> Path:
    return path.with_name(f".unidoku-{digits}-{_tail(path.name)}")


def _tail(name: str) -> str:
    """Return the part of a file's name that is in its temporary name."""
    return os.fsdecode(os.fsencode(name)[-_LONGEST:])


def _hash(path: Path) -> str:
    from hashlib import blake2b

    return blake2b(os.fsencode(os.path.realpath(path)), digest_size=6).hexdigest()


@contextmanager
def _replacing(path: Path, digits: str | None = None, *, durable: bool = True) -> Iterator[Path]:
    """Provide a temporary path, renamed to `path` at the end, removed after an error."""
    from secrets import token_hex

    temporary = _temporary(path, digits or token_hex(6))
    try:
        yield temporary
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    if durable:
        _sync_folder(path.parent)


def _sync_folder(path: Path) -> None:
    if os.name == "posix":  # elsewhere a folder cannot be opened
        _sync(path, os.O_RDONLY)


def _sync(path: Path, flags: int = os.O_RDWR) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _locked(path: Path, opened: Callable[[Path], int]) -> int | None:
    """Return a descriptor of a file or folder that this process has locked; None if another holds the lock.

    Parameters
    ----------
    path : Path
    opened : callable
        Opens it; a `FileNotFoundError` is propagated.
    """
    assert fcntl is not None  # the callers ask
    while True:
        handle = opened(path)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Its name may have been removed or given to another file before the lock was held.
            if os.path.samestat(os.fstat(handle), os.lstat(path)):
                return handle
        except BlockingIOError:
            os.close(handle)
            return None
        except FileNotFoundError:
            pass
        except OSError as error:
            if error.errno not in {errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}:
                os.close(handle)
                raise
            return handle  # a file system without locks
        os.close(handle)


def _open_left(path: Path) -> int:
    """Open a temporary file that a killed process left.

    Its name is known beforehand, so in a folder that others can write it may be a trap: a link to a file that
    would then be overwritten.
    """
    handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    status = os.fstat(handle)
    if S_ISREG(status.st_mode) and status.st_nlink == 1 and status.st_uid == os.geteuid():
        return handle
    os.close(handle)
    raise FileExistsError(errno.EEXIST, f"the temporary file {path.name} is of another user", str(path))


def _open_temporary(path: Path) -> int:
    while True:
        try:
            return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            with suppress(FileNotFoundError):
                return _open_left(path)


@contextmanager
def _single(path: Path) -> Iterator[Path]:
    """Provide the temporary path of a single file, which no other process writes at the same time."""
    if is_special(path):
        yield path
        return
    if fcntl is None:
        with _replacing(path) as temporary:
            yield temporary
        return
    digits = _hash(path)
    handle = _locked(_temporary(path, digits), _open_temporary)
    if handle is None:
        raise BlockingIOError(errno.EAGAIN, "another process is writing it", str(path))
    try:
        with _replacing(path, digits) as temporary:
            os.ftruncate(handle, 0)
            yield temporary
    finally:
        os.close(handle)


@contextmanager
def atomic_path(url: str) -> Iterator[Path]:
    """Write a file through a temporary local path; it appears, or replaces another, when it is complete.

    The target of a symbolic link is replaced, not the link; devices and pipes are never replaced but written
    to.

    Raises
    ------
    OSError
        The file cannot be written, or another process is writing it; a file of this name is unchanged.
    """
    if is_remote(url):
        folder, name = open_parent(url)
        with folder.write_path(name) as temporary:
            yield temporary
        return
    path = Path(os.path.realpath(local_path(url)))
    with _single(path) as temporary:
        yield temporary
        if temporary != path:
            _sync(temporary)


@contextmanager
def atomic_write(url: str) -> Iterator[BinaryIO]:
    """Write a file as `atomic_path` does, as a binary stream; at a URL it is uploaded piece by piece."""
    if is_remote(url):
        folder, name = open_parent(url)
        with folder.write(name) as stream:
            yield stream
        return
    with atomic_path(url) as temporary, temporary.open("wb") as stream:
        yield stream


def discard_temporary(url: str) -> None:
    """Remove what a killed process left of a single file, unless another process is writing it."""
    if is_remote(url) or fcntl is None:
        return
    path = Path(os.path.realpath(local_path(url)))
    temporary = _temporary(path, _hash(path))
    with suppress(FileNotFoundError, FileExistsError):
        handle = _locked(temporary, _open_left)
        if handle is not None:
            try:
                temporary.unlink()
            finally:
                os.close(handle)


@contextmanager
def lock_folder(url: str) -> Iterator[bool]:
    """Make a folder if it does not exist, and lock it; whether no other process holds the lock.

    Folders of URLs and file systems without locks are not locked.

    Raises
    ------
    OSError
        The folder cannot be made or opened.
    """
    if is_remote(url):
        open_folder(url).make()
        yield True
        return
    path = local_path(url)
    handle = None
    for _ in range(100):
        with suppress(FileExistsError):
            path.mkdir()
        if fcntl is None:
            break
        with suppress(FileNotFoundError):  # removed since by the process that had the lock
            handle = _locked(path.resolve(), lambda folder: os.open(folder, os.O_RDONLY))
            break
    try:
        yield handle is not None or fcntl is None
    finally:
        if handle is not None:
            os.close(handle)
