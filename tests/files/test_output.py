"""The bytes of an output: complete or as before, named as the user named it, on every kind of target."""

import io
import os
import subprocess
import sys

import pytest
from command import started
from example_puzzles import UNIQUE as A

import unidoku
from unidoku.errors import UnidokuError
from unidoku.files.output import OutputFile


def fail_after_writing(path, **options):
    with OutputFile(str(path), **options).open() as file:
        file.write(b"after")
        raise KeyError


def test_an_atomic_output_appears_at_the_end(tmp_path):
    path = tmp_path / "o.txt"
    path.write_text("before")
    with OutputFile(str(path), atomic=True).open() as file:
        file.write(b"after")
        assert path.read_text() == "before"
    assert path.read_text() == "after"


def test_an_atomic_output_is_discarded_after_an_error(tmp_path):
    path = tmp_path / "o.txt"
    path.write_text("before")
    with pytest.raises(KeyError):
        fail_after_writing(path, atomic=True)
    assert path.read_text() == "before"
    assert [each.name for each in tmp_path.iterdir()] == ["o.txt"]


def test_another_output_keeps_what_was_written(tmp_path):
    path = tmp_path / "o.txt"
    with pytest.raises(KeyError):
        fail_after_writing(path)
    assert path.read_text() == "after"


def test_a_url_is_always_atomic():
    memory = pytest.importorskip("fsspec").filesystem("memory")
    url = "memory://output/o.txt"
    with pytest.raises(KeyError):
        fail_after_writing(url)
    assert not memory.exists("/output/o.txt")
    with OutputFile(url).open() as file:
        file.write(b"text")
    assert memory.cat_file("/output/o.txt") == b"text"


def test_standard_output_comes_after_what_was_printed(capfdbinary):
    print("first")
    with OutputFile("-", atomic=True).open() as file:
        assert not file.atomic
        file.write(b"second\n")
    assert capfdbinary.readouterr().out == b"first\nsecond\n"


def test_closed_standard_output(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(UnidokuError, match="standard output is closed"):
        OutputFile("-")


@pytest.mark.parametrize("name", ["o.txt", "o.arrow", "o.csv.gz"])
@pytest.mark.parametrize("atomic", [False, True])
def test_what_cannot_be_opened_is_named_and_nothing_is_left(tmp_path, name, atomic):
    pytest.importorskip("pyarrow")
    path = str(tmp_path / "none" / name)
    opened = OutputFile.arrow if name.endswith("arrow") else OutputFile.open
    with pytest.raises(UnidokuError, match=f"^{path}: cannot write: No such file"):
        opened(OutputFile(path, atomic=atomic))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("name", ["o.txt", "o.csv.gz", "o.parquet", "o.arrow", "o.sdk"])
def test_a_full_disk_names_the_output_of_a_conversion(tmp_path, name):
    pytest.importorskip("pyarrow")
    (tmp_path / name).symlink_to("/dev/full")
    with pytest.raises(UnidokuError, match=f"^{tmp_path / name}: cannot write: No space left on device"):
        unidoku.convert_file(io.BytesIO(f"{A}\n".encode() * 5000), tmp_path / name)


@pytest.mark.skipif(os.name != "posix", reason="pipes are closed in another way here")
@pytest.mark.parametrize(
    "command",
    [
        ["check", "--output", "-", "--quiet"],
        ["convert", "-", "--quiet"],
        ["dedupe", "-", "--quiet"],
        ["solve", "--quiet"],
        ["rate"],
    ],
)
def test_a_closed_pipe_ends_every_command_quietly(tmp_path, command):
    rows = f"{A}\n" * 20_000 if command[0] == "rate" else "".join(f"{A[:-5]}{i:05d}\n" for i in range(60_000))
    (tmp_path / "in.txt").write_text(rows)
    with (
        (tmp_path / "in.txt").open("rb") as source,
        (tmp_path / "messages").open("wb") as messages,
        started(*command, stdin=source, stdout=subprocess.PIPE, stderr=messages) as process,
    ):
        assert process.stdout.read(50)
        process.stdout.close()
        process.wait(60)
    assert "Traceback" not in (tmp_path / "messages").read_text()
    assert "error" not in (tmp_path / "messages").read_text()
