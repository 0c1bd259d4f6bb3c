"""Folders whose files are complete or absent, on this machine and in another file system."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

import pytest

from unidoku.errors import InputError, MissingExtraError
from unidoku.files import atomic
from unidoku.files.atomic import atomic_path, atomic_write, discard_temporary, open_folder
from unidoku.files.storage import ByteRange, identify, is_remote, read_range, stat
from unidoku.shards.assemble import assemble


@pytest.fixture(params=["local", "file", "memory"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> atomic.Folder:
    if request.param == "memory":
        fs = pytest.importorskip("fsspec").filesystem("memory")
        fs.store.clear()
        found = open_folder("memory://places/deep/er")
    else:
        path = tmp_path / "deep" / "er"
        found = open_folder(str(path) if request.param == "local" else path.as_uri())
    found.make()
    return found


def put(place: atomic.Folder, name: str, data: bytes) -> None:
    with place.write(name) as stream:
        stream.write(data)


def test_files_come_and_go(place: atomic.Folder) -> None:
    assert place.names() == set()
    put(place, "a", b"123")
    put(place, "b", b"")
    assert place.names() == {"a", "b"}
    assert (place.size("a"), place.size("b"), place.size("c")) == (3, 0, -1)
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


def test_an_error_keeps_the_existing_output(tmp_path: Path) -> None:
    place = open_folder(str(tmp_path))
    put(place, "a", b"before")

    def fail() -> None:
        with place.write("a") as stream:
            stream.write(b"half")
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        fail()
    assert os.listdir(tmp_path) == ["a"]
    assert (tmp_path / "a").read_bytes() == b"before"


def test_temporaries_of_given_names(tmp_path: Path) -> None:
    long = "x" * 250
    mine = {".unidoku-0123456789ab-part-1.csv", f".unidoku-0123456789ab-{'x' * 200}"}
    others = {
        ".unidoku-0123456789ab-part-2.csv",
        ".unidoku-0123456789AB-part-1.csv",
        ".unidoku-0123-part-1.csv",
        "x.unidoku-0123456789ab-part-1.csv",
        ".unidoku-notes",
        "part-1.csv",
    }
    for name in mine | others:
        (tmp_path / name).write_bytes(b"")
    assert open_folder(str(tmp_path)).temporaries(["part-1.csv", long]) == mine


def test_a_killed_writers_file_is_taken_over(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    output = tmp_path / "o.csv"
    with atomic_path(str(output)) as temporary:
        left = temporary.name
    assert os.listdir(tmp_path) == ["o.csv"]
    (tmp_path / left).write_bytes(b"a long rest of a killed process")
    foreign = tmp_path / ".unidoku-0123456789ab-o.csv"
    foreign.write_bytes(b"of somebody else")
    with atomic_write(str(output)) as stream:
        stream.write(b"new")
    assert output.read_bytes() == b"new"
    assert sorted(os.listdir(tmp_path)) == [foreign.name, "o.csv"]
    (tmp_path / left).write_bytes(b"another rest")
    discard_temporary(str(output))
    assert sorted(os.listdir(tmp_path)) == [foreign.name, "o.csv"]


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    output = str(tmp_path / "o.csv")
    with atomic_write(output) as stream:
        stream.write(b"first")
        with pytest.raises(OSError, match="another process is writing it"), atomic_write(output):
            pass
        discard_temporary(output)
    assert (tmp_path / "o.csv").read_bytes() == b"first"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "deep" / "o.csv")
    with atomic_write(str(tmp_path / "link")) as stream:
        stream.write(b"1")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "deep" / "o.csv").read_bytes() == b"1"


def test_names_as_long_as_the_file_system_allows(tmp_path: Path) -> None:
    output = tmp_path / ("x" * 251 + ".csv")
    with atomic_write(str(output)) as stream:
        stream.write(b"1")
    assert os.listdir(tmp_path) == [output.name]


@pytest.mark.parametrize("target", ["out.txt", "memory://assembled/out.txt"])
def test_parts_are_joined_in_order(place: atomic.Folder, tmp_path: Path, target: str) -> None:
    if is_remote(target):
        pytest.importorskip("fsspec")
    else:
        target = str(tmp_path / target)
    big = os.urandom(3 << 20)
    for name, data in (("1", b"one\n"), ("2", b""), ("3", big)):
        put(place, name, data)
    assemble(place, ["3", "1", "2"], target, b"head\n")
    wanted = b"head\n" + big + b"one\n"
    assert read_range(target, 0, len(wanted) + 1) == wanted


def test_joining_without_the_kernels_help(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "copy_file_range", refuse, raising=False)
    place = open_folder(str(tmp_path / "parts"))
    place.make()
    put(place, "1", b"one\n")
    put(place, "2", b"two\n")
    assemble(place, ["1", "2"], str(tmp_path / "out"))
    assert (tmp_path / "out").read_bytes() == b"one\ntwo\n"


@pytest.mark.parametrize("moves", [True, False])
def test_a_single_part_becomes_the_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: bool
) -> None:
    if not moves:
        monkeypatch.setattr(atomic.LocalFolder, "move", lambda *_: False)
    place = open_folder(str(tmp_path / "parts"))
    place.make()
    put(place, "1", b"one\n")
    output = tmp_path / "out"
    output.write_bytes(b"earlier")
    assemble(place, ["1"], str(output), keep_parts=False)
    assert place.names() == (set() if moves else {"1"})
    assert output.read_bytes() == b"one\n"
    assert sorted(os.listdir(tmp_path)) == ["out", "parts"]


def test_a_single_part_that_is_needed_is_kept(tmp_path: Path) -> None:
    place = open_folder(str(tmp_path / "parts"))
    place.make()
    put(place, "1", b"one\n")
    assemble(place, ["1"], str(tmp_path / "out"))
    assemble(place, ["1"], str(tmp_path / "headed"), b"head\n", keep_parts=False)
    assert not (tmp_path / "out").samefile(tmp_path / "parts" / "1")
    assert (tmp_path / "headed").read_bytes() == b"head\none\n"


def test_a_byte_range_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(bytes(range(100)))
    with ByteRange(str(tmp_path / "f"), 10, 30) as part:
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


@pytest.mark.parametrize("url", ["nothere", "memory://nothere/at/all", "file:///nothere"])
def test_absent_inputs_are_named(url: str) -> None:
    if is_remote(url):
        pytest.importorskip("fsspec")
    with pytest.raises(InputError, match=r"(?i)nothere.*no such file"):
        stat(url)
    with pytest.raises(InputError, match=r"(?i)nothere.*no such file"):
        read_range(url, 0, 1)


def test_an_unknown_scheme_is_named() -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(InputError, match="nosuchscheme"):
        stat("nosuchscheme://a/b")


def test_without_fsspec_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "fsspec.core", None)
    with pytest.raises(MissingExtraError, match=r"unidoku\[remote\]"):
        stat("memory://a/b")


def test_without_a_schemes_library_it_is_named() -> None:
    pytest.importorskip("fsspec")
    if __import__("importlib.util", fromlist=["util"]).find_spec("s3fs"):
        pytest.skip("s3fs is installed")
    with pytest.raises(MissingExtraError, match="s3fs"):
        stat("s3://bucket/key")


def test_no_bucket_is_created(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.store.clear()
    open_folder("memory://folder/a").make()
    monkeypatch.setattr(type(memory), "protocol", ("s3", "s3a"))
    place = open_folder("memory://notmade/a")
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
    monkeypatch: pytest.MonkeyPatch, error: Exception, number: int, message: str
) -> None:
    memory = pytest.importorskip("fsspec").filesystem("memory")

    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(type(memory), "open", refuse)
    place = open_folder("memory://store/a")
    for call in (lambda: put(place, "b", b"1"), lambda: place.open("b")):
        with pytest.raises(OSError, match=message) as caught:
            call()
        assert caught.value.errno == number
        assert caught.value is error or caught.value.filename == "memory://store/a/b"


def test_the_error_of_the_writer_is_not_replaced() -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(InputError, match="damaged"), open_folder("memory://store/a").write("b"):
        raise InputError("damaged")


def test_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows."""
    monkeypatch.setattr(atomic, "fcntl", None)
    with atomic.lock_folder(str(tmp_path / "parts")) as free, atomic.lock_folder(str(tmp_path / "parts")):
        assert free
    with atomic_write(str(tmp_path / "o.csv")) as stream:
        stream.write(b"1")
    discard_temporary(str(tmp_path / "o.csv"))
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
    with atomic.lock_folder(str(folder)) as free:
        assert free
        assert folder.is_dir()
    assert len(calls) == 2


@pytest.mark.parametrize("trap", ["symbolic link", "hard link", "folder", "pipe"])
def test_a_temporary_name_that_is_a_trap(tmp_path: Path, trap: str) -> None:
    """The name is predictable: an attacker may put a link to a file of the victim there."""
    pytest.importorskip("fcntl")
    output, victim = tmp_path / "o.csv", tmp_path / "victim"
    with atomic_path(str(output)) as temporary:
        pass
    output.unlink()
    victim.write_bytes(b"precious")
    if trap == "symbolic link":
        temporary.symlink_to(victim)
    elif trap == "hard link":
        os.link(victim, temporary)
    elif trap == "folder":
        temporary.mkdir()
    else:
        os.mkfifo(temporary)
    discard_temporary_quietly(output)
    with pytest.raises(OSError), atomic_write(str(output)) as stream:  # noqa: PT011
        stream.write(b"1")
    assert victim.read_bytes() == b"precious"
    assert sorted(os.listdir(tmp_path)) == [temporary.name, "victim"]


def discard_temporary_quietly(output: Path) -> None:
    with suppress(OSError):
        discard_temporary(str(output))
