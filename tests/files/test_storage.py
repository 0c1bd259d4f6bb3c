"""Folders whose files are complete or absent, on this machine and in another file system."""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from typing import Any

import pytest

import unidoku
from unidoku.errors import InputError, MissingExtraError, OutputError, UnidokuError
from unidoku.files.output import Folder, OutputFile
from unidoku.files.storage import is_remote, stat


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
    with OutputFile(f"{place.name}/{name}") as stream:
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
    place.remove(["b"])
    assert place.names() == set()


@pytest.mark.parametrize("url", ["nothere", "memory://nothere/at/all", "file:///nothere"])
def test_absent_inputs_are_named(url: str, tmp_path: Path) -> None:
    if is_remote(url):
        pytest.importorskip("fsspec")
    with pytest.raises(InputError, match=r"(?i)nothere.*no such file"):
        stat(url)
    failures: list[UnidokuError] = []
    unidoku.check_file(url, tmp_path / "o.csv", on_failure=failures.append)
    assert len(failures) == 1


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
    with pytest.raises(OutputError, match=f"memory://store/a/b: cannot write: {message}"):
        put(place, "b", b"1")
    with pytest.raises(OSError, match=message) as caught:
        place.open("b")
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
    with pytest.raises(InputError, match="damaged"), OutputFile("memory://store/a/b"):
        raise InputError("damaged")
