"""Files that appear under their names when they are complete and synced to disk, or not at all.

`atomic_write` and `atomic_path` write one file, `open_folder` is a folder of such files.

While a file is written it has a temporary name, ``.unidoku-<12 hexadecimal digits>-<name>``.  For a single
file the digits are a hash of its path, and the writer holds a lock on it: the next writer of that file uses
the same temporary name, so what a killed process left is overwritten.  In a folder every attempt has random
digits; `Folder.temporaries` finds those of given names.
"""

from __future__ import annotations

import errno
import os
import re
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, TypeAlias

from unidoku.errors import UnidokuError
from unidoku.files.storage import BLOCK, describe, filesystem, is_remote, is_special, local_path, protocols

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import BinaryIO

__all__ = [
    "Folder",
    "atomic_path",
    "atomic_write",
    "discard_temporary",
    "lock_folder",
    "open_folder",
    "open_parent",
]

_BUCKETS = {"s3", "s3a", "gs", "gcs"}  # stores that have buckets and no folders
_TEMPORARY = re.compile(r"\.unidoku-[0-9a-f]{12}-(.+)", re.DOTALL)
_LONGEST = 200  # bytes of a file's name in its temporary name; file systems allow 255 in all


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
                while block := complete.read(BLOCK):
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


Folder: TypeAlias = LocalFolder | RemoteFolder


def open_folder(url: str, name: str | None = None) -> Folder:
    """Return the folder of a path or URL."""
    return RemoteFolder(url, name) if is_remote(url) else LocalFolder(url, name)


def open_parent(url: str) -> tuple[Folder, str]:
    """Return the folder of a file, and the name of the file in it."""
    if not is_remote(url):
        path = local_path(url)
        return LocalFolder(str(path.parent)), path.name
    name = url.rpartition("/")[2]
    return RemoteFolder(url.removesuffix(name)), name


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
        raise OSError(number, text or describe(error), url) from error


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
    """Return a descriptor of a file or folder that this process has locked; None if another has."""
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
