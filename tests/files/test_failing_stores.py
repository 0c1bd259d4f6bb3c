"""File systems and servers that fail: one line with a name and a reason, and the other inputs are read."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import fsspec
import fsspec.asyn
import pytest
from command import run_process, summary_of
from example_puzzles import UNIQUE

import unidoku
from unidoku.errors import InputError, UnidokuError

TEXT = f"{UNIQUE}\n" * 2
fsspec.asyn.get_loop()  # its thread is the process's, and no test leaves it


class StoreError(Exception):
    """What a library raises of its own."""


class StatusError(Exception):
    """The answer of a server, as `aiohttp` has it."""

    status = 429


def with_cause(error: Exception, cause: Exception) -> Exception:
    """Return an exception raised from another."""
    error.__cause__ = cause
    return error


ERRORS = {
    "own": (StoreError("the bucket\nis gone"), "the bucket"),
    "key": (KeyError("bucket"), "'bucket'"),
    "empty": (StoreError(), "StoreError"),
    "time": (TimeoutError(), "timed out"),
    "system": (OSError(28, "No space left"), "No space left"),
    "status": (with_cause(FileNotFoundError("a"), StatusError()), "HTTP 429"),
    "hidden": (with_cause(FileNotFoundError("a"), StoreError("no route")), "no route"),
}
"""Exceptions of a file system, and what the message has of each."""


class FailingFile:
    """An open file whose method of a name fails."""

    def __init__(self, file: Any, method: str, error: Exception) -> None:
        self._file, self._method, self._error = file, method, error

    def __getattr__(self, name: str) -> Any:
        if name != self._method:
            return getattr(self._file, name)
        return self._fail

    def _fail(self, *_: object) -> None:
        self._file.close()
        raise self._error


@pytest.fixture
def memory() -> Iterator[Any]:
    """Return an empty file system in memory."""
    filesystem = fsspec.filesystem("memory")
    filesystem.store.clear()
    yield filesystem
    filesystem.store.clear()


@pytest.fixture
def local(tmp_path: Path) -> Path:
    path = tmp_path / "local.txt"
    path.write_text(TEXT)
    return path


def outcome(*names: object, **options: Any) -> tuple[int, list[str]]:
    """Return the puzzles that a run has read, and its messages."""
    failures: list[UnidokuError] = []
    summary = unidoku.check_file([*names], on_failure=failures.append, **options)
    assert [*map(str, summary.failures)] == [*map(str, failures)]
    assert all(isinstance(error, UnidokuError) for error in failures)
    return summary.puzzles, [*map(str, failures)]


CALLS = [  # methods that fail, and the input
    ("open", "memory://a/1.txt"),
    ("isdir open", "memory://a/1.txt"),
    ("exists open", "memory://a/*.txt"),
    ("glob", "memory://a/*.txt"),
    ("ls", "memory://a/"),
    ("unstrip_protocol open", "memory://a/"),
    ("read", "memory://a/1.txt"),
    ("readinto", "memory://a/1.txt"),
    ("close", "memory://a/1.txt"),
    ("seekable", "memory://a/1.zip"),
    ("seek", "memory://a/1.zip"),
]
FAILING = [
    (call, name)
    for number, call in enumerate(CALLS)
    for place, name in enumerate(ERRORS)
    if (number + place) % 3 == 0
]
"""Two or three errors of each method, and three or four methods with each error."""


@pytest.mark.parametrize(("call", "name"), FAILING)
def test_a_method_that_fails(
    memory: Any, local: Path, monkeypatch: pytest.MonkeyPatch, call: tuple[str, str], name: str
) -> None:
    (method, url), (error, reason) = call, ERRORS[name]
    memory.pipe_file("/a/1.txt", TEXT.encode())
    memory.pipe_file("/a/1.zip", b"PK\x05\x06" + bytes(18))

    def fail(*_: object, **__: object) -> None:
        raise error

    if method in {"read", "readinto", "close", "seekable", "seek"}:
        really = type(memory).open
        names = {"readinto": "readinto1", "read": "readinto1"}

        def open_failing(*arguments: object, **options: object) -> FailingFile:
            return FailingFile(really(*arguments, **options), names.get(method, method), error)

        monkeypatch.setattr(type(memory), "open", open_failing)
    for each in method.split():
        if hasattr(memory, each):
            monkeypatch.setattr(type(memory), each, fail)
    count, messages = outcome(local, url, local)
    assert count - 2 * (method == "close") == 4
    assert len(messages) == 1
    assert messages[0].replace(":///", "://").startswith(url.rstrip("/"))
    assert reason in messages[0]
    assert "\n" not in messages[0]


def test_a_folder_in_a_store_that_cannot_be_listed(
    memory: Any, local: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("/a/1.txt", "/a/b/2.txt", "/a/c/3.txt", "/a/.d/4.txt"):
        memory.pipe_file(name, TEXT.encode())
    really = type(memory).ls

    def ls(self: Any, path: str, **options: Any) -> Any:
        if path.endswith(("/b", "/.d")):
            raise StoreError("Forbidden")
        return really(self, path, **options)

    monkeypatch.setattr(type(memory), "ls", ls)
    assert outcome("memory://a/", local) == (6, ["memory:///a/b: Forbidden"])


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="permissions as on POSIX, not of root")
def test_a_local_folder_that_cannot_be_listed(tmp_path: Path, local: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "1.txt").write_text(TEXT)
    (tmp_path / "a" / "b").chmod(0)
    assert outcome(tmp_path / "a", local) == (4, [f"{tmp_path}/a/b: Permission denied"])
    (tmp_path / "a" / "b").chmod(0o700)


def test_the_size_in_a_plan_is_not_needed(
    memory: Any, local: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.pipe_file("/a/1.txt", TEXT.encode())

    def fail(*_: object, **__: object) -> None:
        raise StoreError

    monkeypatch.setattr(type(memory), "info", fail)
    assert outcome("memory://a/1.txt", local, output=f"{tmp_path}/out/", to="csv") == (4, [])


class Handler(BaseHTTPRequestHandler):
    """A server whose answers have the status in their path."""

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        status = int(self.path[1:4])
        content = TEXT.encode() if status == 200 else b""
        if status == 999:  # ends without an answer
            self.close_connection = True
            return
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", self.path if status == 302 else "ftp://127.0.0.1:1/a.txt")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    do_GET = do_HEAD


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Return the address of a server of this machine."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("401.csv", "HTTP 401 Unauthorized"),
        ("403.txt", "HTTP 403 Forbidden"),
        ("404.txt", "HTTP 404 Not Found"),
        ("404.txt?a=[1]", "HTTP 404 Not Found"),
        ("410.txt", "HTTP 410 Gone"),
        ("429.txt", "HTTP 429 Too Many Requests"),
        ("500.txt", "HTTP 500 Internal Server Error"),
        ("503.txt", "HTTP 503 Service Unavailable"),
        ("599.txt", "HTTP 599"),
        ("302.txt", "302.txt"),
        ("307.txt", "307.txt"),  # to FTP: aiohttp 3.9 does not name the place
        ("999.txt", "disconnected"),
    ],
)
def test_a_server_that_refuses(server: str, local: Path, path: str, reason: str) -> None:
    url = f"{server}/{path}"
    count, messages = outcome(local, url, f"{server}/200.txt")
    assert (count, len(messages)) == (4, 1)
    assert messages[0].startswith(f"{url}: ")
    assert reason in messages[0]
    with pytest.raises(InputError) as error:
        [*unidoku.read(url)]
    assert str(error.value) == messages[0]
    with pytest.raises(InputError):
        unidoku.learning.audit_files(url)


def test_no_connection(local: Path) -> None:
    url = "http://127.0.0.1:1/a.txt"
    result = run_process("check", "--json", url, local, code=2)
    assert result.stderr.startswith(f"error: {url}: Cannot connect to host 127.0.0.1:1 ")
    assert result.stderr.count("\n") == 1
    assert summary_of(result)["puzzles"] == 2
