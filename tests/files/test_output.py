"""The bytes of an output: complete or as before, named as the user named it, on every kind of target."""

import io
import os
import sys
from contextlib import suppress

import pytest
from example_puzzles import UNIQUE as A

import unidoku
from unidoku.errors import OutputError, UnidokuError
from unidoku.files.output import OutputFile
from unidoku.tasks import Convert


def fail_after_writing(path):
    with OutputFile(str(path)) as file:
        file.write(b"aft")
        file.write(b"er\nmore")
        raise KeyError


def test_after_an_error_what_was_written_has_another_name(tmp_path):
    path, partial = tmp_path / "o.txt", tmp_path / "o.txt.partial"
    path.write_text("before")
    partial.write_text("a long rest of an earlier run")
    with pytest.raises(KeyError) as caught:
        fail_after_writing(path)
    assert path.read_text() == "before"
    assert partial.read_text() == "after\nmore"
    assert caught.value.__notes__ == [f"the output is as it was; what has been done is in {partial}"]
    with OutputFile(str(path)) as file:
        file.write(b"anew")
    assert path.read_text() == "anew"
    assert [each.name for each in tmp_path.iterdir()] == ["o.txt"]


def test_an_output_without_content_leaves_nothing(tmp_path):
    with suppress(KeyError), OutputFile(str(tmp_path / "o.csv")):
        raise KeyError
    assert list(tmp_path.iterdir()) == []


def test_the_target_of_a_link_is_replaced(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "deep" / "o.csv")
    with OutputFile(str(tmp_path / "link")) as stream:
        stream.write(b"1")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "deep" / "o.csv").read_bytes() == b"1"


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
def test_an_interrupt_at_the_very_end_keeps_all(tmp_path, monkeypatch):
    """While the complete file is synced to disk."""
    real = os.fsync

    def fsync(handle):
        monkeypatch.setattr(os, "fsync", real)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(KeyboardInterrupt):
        unidoku.run(Convert(), io.BytesIO(f"{A}\n".encode()), tmp_path / "o.txt")
    assert (tmp_path / "o.txt.partial").read_text() == f"{A}\n"
    assert not (tmp_path / "o.txt").exists()


def test_a_url_appears_when_it_is_complete():
    memory = pytest.importorskip("fsspec").filesystem("memory")
    url = "memory://output/o.txt"
    with pytest.raises(KeyError):
        fail_after_writing(url)
    assert not memory.exists("/output/o.txt")
    assert memory.cat_file("/output/o.txt.partial") == b"after\nmore"
    with OutputFile(url) as file:
        file.write(b"text")
    assert memory.cat_file("/output/o.txt") == b"text"


def test_what_an_interrupted_run_would_replace_is_no_input(tmp_path):
    (tmp_path / "o.txt.partial").write_text(f"{A}\n")
    with pytest.raises(OutputError, match=r"o.txt.partial: is an input; this run would overwrite it"):
        unidoku.run(Convert(), tmp_path / "o.txt.partial", tmp_path / "o.txt")
    outputs = [tmp_path / "o.txt", tmp_path / "o.txt.partial"]
    with pytest.raises(OutputError, match=r"o.txt.partial: is written twice"):
        unidoku.split_file(tmp_path / "in.txt", outputs, to="txt")


def test_standard_output_comes_after_what_was_printed(capfdbinary):
    print("first")
    with OutputFile("-") as file:
        file.write(b"second\n")
    assert capfdbinary.readouterr().out == b"first\nsecond\n"


def test_closed_standard_output(monkeypatch):
    closed = io.StringIO()
    closed.close()
    for stdout in (None, closed):
        monkeypatch.setattr(sys, "stdout", stdout)
        with pytest.raises(UnidokuError, match="standard output is closed"):
            OutputFile("-").__enter__()


@pytest.mark.parametrize("name", ["o.txt", "o.arrow", "o.csv.gz", "file:o.txt"])
def test_what_cannot_be_opened_is_named_and_nothing_is_left(tmp_path, name):
    pytest.importorskip("pyarrow")
    path = tmp_path / "none" / name.removeprefix("file:")
    path = path.as_uri() if name.startswith("file:") else str(path)
    with pytest.raises(UnidokuError, match=f"^{path}: cannot write: No such file"), OutputFile(path):
        pass
    with pytest.raises(UnidokuError, match=f"^{path}: cannot write: No such file"):
        unidoku.run(Convert(), io.BytesIO(A.encode()), path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("name", ["o.txt", "o.csv.gz", "o.parquet", "o.arrow", "o.sdk"])
def test_a_full_disk_names_the_output_of_a_conversion(tmp_path, name):
    pytest.importorskip("pyarrow")
    (tmp_path / name).symlink_to("/dev/full")
    with pytest.raises(UnidokuError, match=f"^{tmp_path / name}: cannot write: No space left on device"):
        unidoku.run(Convert(), io.BytesIO(f"{A}\n".encode() * 5000), tmp_path / name)
