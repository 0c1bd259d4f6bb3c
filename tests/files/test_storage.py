"""Folders whose files are complete or absent, on this machine and in another file system."""

from __future__ import annotations

import errno
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import unidoku
from unidoku.errors import InputError, MissingExtraError, OutputError, UnidokuError
from unidoku.files import output as writer
from unidoku.files.output import Folder, OutputFile
from unidoku.files.source import Source
from unidoku.files.storage import ByteRange, identify, is_remote, read_range, stat


@pytest.fixture
def memory() -> Any:
    """An empty file system in memory."""
    found = pytest.importorskip("fsspec").filesystem("memory")
    found.store.clear()
    return found


@pytest.fixture(params=["local", "file", "memory"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Folder:
    path = tmp_path / "deep" / "er"
    if request.param == "memory":
        request.getfixturevalue("memory")
    found = Folder({"local": str(path), "file": path.as_uri()}.get(request.param, "memory://places/deep/er"))
    found.make()
    return found


def put(place: Folder, name: str, data: bytes) -> None:
    with place.write(name) as stream:
        stream.write(data)


def test_files_come_and_go(place: Folder) -> None:
    assert place.names() == set()
    put(place, "a", b"123")
    put(place, "b", b"")
    assert place.names() == {"a", "b"}
    with place.open("a") as stream:
        assert stream.read() == b"123"
    put(place, "a", b"4")
    with place.open("a") as stream:
        assert stream.read() == b"4"
    place.remove(["a", "never there"])
    assert place.names() == {"b"}
    place.remove_if_empty()
    assert place.names() == {"b"}
    place.remove(["b"])
    place.remove_if_empty()
    place.remove_if_empty()
    assert place.names() == set()


def test_appending_without_the_kernels_help(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    big = os.urandom(3 << 20)
    (tmp_path / "part").write_bytes(big)
    for name in ("one", "two"):
        with OutputFile(str(tmp_path / name)) as file, (tmp_path / "part").open("rb") as part:
            file.write(b"head\n")
            file.append(part)
        assert (tmp_path / name).read_bytes() == b"head\n" + big
        monkeypatch.setattr(os, "copy_file_range", refuse, raising=False)


def test_a_byte_range_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(bytes(range(100)))
    path = str(tmp_path / "f")
    with ByteRange(path, 10, 30) as part:
        assert Source(part, "named", path=path, owned=False).path == path  # so a format may open it itself
        part.seek(0)
        assert part.read(5) == bytes(range(10, 15))
        assert part.tell() == 5
        assert part.seek(-2, 1) == 3
        assert part.readall() == bytes(range(13, 30))
        assert part.read(1) == b""
        assert part.seek(0, 2) == 20
        assert part.seek(0) == 0
        assert part.readable()
        assert part.seekable()
        assert part.read() == bytes(range(10, 30))


def test_identity_sees_a_change_in_the_middle(tmp_path: Path) -> None:
    path = tmp_path / "f"
    data = bytearray(1 << 20)
    path.write_bytes(data)
    before = identify(str(path))
    data[1 << 19] = 1
    path.write_bytes(data)
    os.utime(path, ns=(0, int(before.version.removeprefix("mtime:"))))
    after = identify(str(path))
    assert (after.size, after.version) == (before.size, before.version)
    assert after.sample != before.sample


def test_a_server_without_ranges_sends_whole_files(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"".join(b"%81d\n" % k for k in range(3000))
    with memory.open("/store/a.txt", "wb") as file:
        file.write(content)

    def whole(self: Any, path: str, start: int, end: int) -> bytes:
        return content

    monkeypatch.setattr(type(memory), "cat_file", whole)
    assert read_range("memory://store/a.txt", 1000, 2000) == content[1000:2000]
    assert read_range("memory://store/a.txt", 0, len(content)) == content
    done = unidoku.check_file("memory://store/a.txt", "memory://store/o.csv", part_bytes=10_000)
    assert (done.puzzles, done.failed) == (3000, 0)


@pytest.mark.parametrize("url", ["nothere", "memory://nothere/at/all", "file:///nothere"])
def test_absent_inputs_are_named(url: str, tmp_path: Path) -> None:
    if is_remote(url):
        pytest.importorskip("fsspec")
    with pytest.raises(InputError, match=r"(?i)nothere.*no such file"):
        stat(url)
    with pytest.raises(InputError, match=r"(?i)nothere.*no such file"):
        read_range(url, 0, 1)
    failures: list[UnidokuError] = []
    unidoku.check_file(url, tmp_path / "o.csv", on_failure=failures.append)
    assert len(failures) == 1


@pytest.mark.parametrize("error", [OSError("out of order"), OSError(errno.EIO, "out of order")])
def test_an_error_without_a_number_keeps_its_text(monkeypatch: pytest.MonkeyPatch, error: OSError) -> None:
    def refuse(*_: object, **__: object) -> os.stat_result:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", refuse)
        with pytest.raises(InputError) as caught:
            stat("puzzles.txt")
    assert str(caught.value) == "puzzles.txt: out of order"


def test_an_unknown_scheme_is_named() -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(InputError, match="nosuchscheme"):
        stat("nosuchscheme://a/b")


@pytest.mark.parametrize("url", ["ftp://localhost:1/a.txt", "zip://a.txt::/nothere.zip"])
def test_storage_that_cannot_be_opened_is_named(url: str) -> None:
    pytest.importorskip("fsspec")
    for call in (stat, lambda url: unidoku.check_file("in.txt", url, to="csv")):
        with pytest.raises(UnidokuError, match=f"^{url}: (.*Connection refused|No such file)"):
            call(url)


def test_without_fsspec_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    for call in (stat, unidoku.check_file):
        with pytest.raises(MissingExtraError, match=r"^memory://a/b: a URL needs .*unidoku\[remote\]"):
            call("memory://a/b")


def test_without_a_schemes_library_it_is_named() -> None:
    pytest.importorskip("fsspec")
    if find_spec("s3fs"):
        pytest.skip("s3fs is installed")
    for call in (stat, unidoku.check_file):
        with pytest.raises(MissingExtraError, match=r"^s3://bucket/key: [^:]*s3fs"):
            call("s3://bucket/key")


def test_no_bucket_is_created(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    Folder("memory://folder/a").make()
    monkeypatch.setattr(type(memory), "protocol", ("s3", "s3a"))
    place = Folder("memory://notmade/a")
    place.make()
    assert memory.isdir("/folder/a")
    assert not memory.exists("/notmade")
    put(place, "b", b"1")
    assert place.names() == {"b"}


REFUSED = [
    (RuntimeError("refused"), errno.EIO, "RuntimeError: refused"),  # as botocore's own errors
    (FileNotFoundError("The bucket does not exist"), errno.ENOENT, "The bucket does not exist"),
    (PermissionError("Access Denied"), errno.EACCES, "Access Denied"),
    (OSError(errno.ENOSPC, "No space left on device"), errno.ENOSPC, "No space left on device"),
]


@pytest.mark.parametrize(("error", "number", "message"), REFUSED)
def test_errors_of_a_store_have_a_number_and_the_url(
    memory: Any, monkeypatch: pytest.MonkeyPatch, error: Exception, number: int, message: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(type(memory), "open", refuse)
    place = Folder("memory://store/a")
    for call in (lambda: put(place, "b", b"1"), lambda: place.open("b")):
        with pytest.raises(OSError, match=message) as caught:
            call()
        assert caught.value.errno == number
        assert caught.value is error or caught.value.filename == "memory://store/a/b"


@pytest.mark.parametrize("url", ["http://a.example/o.csv", "HTTPS://a.example/b", "github://a:b@c/o.csv"])
def test_a_web_server_is_refused_before_the_work(url: str) -> None:
    with pytest.raises(OutputError, match=f"^{url}: cannot write: this kind of storage can be read, but not"):
        unidoku.check_file("sample.txt", url, to="csv")


def test_storage_that_cannot_be_written(memory: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(type(memory), "open", refuse)
    (tmp_path / "in.txt").write_text("." * 81)
    with pytest.raises(OutputError, match=r"o\.csv: cannot write: this kind of storage can be read, but"):
        unidoku.check_file(tmp_path / "in.txt", "memory://o.csv")


def test_the_error_of_the_writer_is_not_replaced() -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(InputError, match="damaged"), Folder("memory://store/a").write("b"):
        raise InputError("damaged")


def test_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows."""
    monkeypatch.setattr(writer, "fcntl", None)
    with writer.lock_folder(str(tmp_path / "parts")), writer.lock_folder(str(tmp_path / "parts")):
        pass
    with OutputFile(str(tmp_path / "o.csv")) as stream:
        stream.write(b"1")
    assert sorted(os.listdir(tmp_path)) == ["o.csv", "parts"]


def test_a_folder_that_is_removed_while_it_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run that had the lock removes the folder just before this run gets the lock."""
    fcntl = pytest.importorskip("fcntl")
    folder = tmp_path / "parts"
    folder.mkdir()
    real, calls = fcntl.flock, []

    def flock(handle: int, how: int) -> None:
        if not calls:
            folder.rmdir()
        calls.append(handle)
        real(handle, how)

    monkeypatch.setattr(fcntl, "flock", flock)
    with writer.lock_folder(str(folder)):
        assert folder.is_dir()
    assert len(calls) == 2
