"""Outputs on every kind of target: replaced when complete, otherwise unchanged; never an input."""

import errno
import gzip
import io
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import fsspec
import pytest
from command import run, wait_for
from example_puzzles import UNIQUE as A
from readback import contents

import unidoku
from unidoku import check_file
from unidoku.errors import OutputError, UnidokuError
from unidoku.files._output import OutputFile
from unidoku.learning import split_file
from unidoku.tasks import Convert

TEXT = f"{A}\n" * 3


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text(TEXT)
    return path


def fail_after_writing(path):
    with OutputFile(str(path)) as file:
        file.write(b"aft")
        file.write(b"er\nmore")
        raise KeyError


def test_after_an_error_the_partial_output_has_another_name(tmp_path):
    path, partial = tmp_path / "o.txt", tmp_path / "o.txt.partial"
    path.write_text("before")
    partial.write_text("a long rest of an earlier run")
    with pytest.raises(KeyError) as caught:
        fail_after_writing(path)
    assert contents(tmp_path) == {"o.txt": b"before", "o.txt.partial": b"after\nmore"}
    assert caught.value.__notes__ == [f"the output is unchanged; the finished rows are in {partial}"]
    with OutputFile(str(path)) as file:
        file.write(b"anew")
    assert contents(tmp_path) == {"o.txt": b"anew"}


@contextmanager
def full_disk(size: int):
    """Let this process write files of this size only."""
    import resource  # not on Windows

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.skipif(os.name == "nt", reason="no limit of sizes")
@pytest.mark.parametrize(
    "name",
    ["o.txt", "o.jsonl", "o.csv.gz", "o.opensudoku", "o.parquet", "o.npz"],
)
def test_after_a_full_disk_the_message_and_the_counts_say_what_can_be_read(tmp_path, monkeypatch, name):
    """The copy of the rows has the rows that are counted, or no row is counted and the message says so."""
    monkeypatch.chdir(tmp_path)
    # images are not compressed to nothing
    images = unidoku.craft.transform_many([A] * 20_000, range(20_000)).puzzle
    (tmp_path / "in.txt").write_text("".join(f"{line}\n" for line in unidoku.lines(images)))
    with full_disk(51_200), pytest.raises(OutputError) as caught:
        unidoku.run(Convert(), "in.txt", name)
    (note,), written = caught.value.__notes__, caught.value.summary.written
    partial = tmp_path / f"{name}.partial"
    assert (caught.value.summary.complete, caught.value.errno) == (False, errno.EFBIG)
    if partial.exists():
        assert note == f"the finished rows are in {partial.name}"
    else:
        assert note.startswith(
            "no rows are kept, because this format needs its end; to keep rows, type -o o/"
        )
    if name in {"o.txt", "o.jsonl"}:
        format = "lines" if name == "o.txt" else name[2:]
        assert unidoku.check_file(partial, format=format).puzzles == written > 0
    else:
        assert written == 0
    assert partial.exists() == (name in {"o.txt", "o.jsonl"})


@pytest.mark.skipif(os.name == "nt", reason="no limit of sizes")
def test_after_a_full_disk_a_folder_is_continued(tmp_path):
    lines = "".join(f"{line}\n" for line in unidoku.lines(unidoku.generate(2000, seed=1)))
    (tmp_path / "one.txt").write_text(lines[:820])
    (tmp_path / "two.txt").write_text(lines)
    words = ("convert", "one.txt", "two.txt", "-o", "o/", "--to", "csv")
    with full_disk(20_480):
        result = run(*words, cwd=tmp_path, code=2)
    assert result.stderr.splitlines() == [
        "error: o/part-0001-000000.csv: cannot write: File too large",
        "stopped: 10 puzzles done",
        "resume: the finished parts are in o; the same command with --resume continues",
    ]
    run(*words, "--resume", cwd=tmp_path, code=0)
    assert sum(map(len, unidoku.read(tmp_path / "o", column="puzzle"))) == 2010


@pytest.mark.parametrize("name", ["o.csv", "o.parquet", "o.npz", "o.sdk", "o.jsonl.gz", "link.csv"])
def test_of_two_runs_the_last_one_leaves_all_its_rows(tmp_path, name):
    """Another run begins and ends while the first one waits for its input."""
    (tmp_path / "link.csv").symlink_to(tmp_path / "o.csv")
    target = tmp_path / name.replace("link", "o")

    class Input(io.BytesIO):
        def readinto(self, buffer):
            if not self.tell():
                unidoku.run(Convert(), io.BytesIO(f"{A}\n".encode()), target)
                assert sum(map(len, unidoku.read(target))) == 1
            return super().readinto(buffer)

    unidoku.run(Convert(), Input(TEXT.encode()), tmp_path / name)
    assert sum(map(len, unidoku.read(target))) == 3
    assert not [*tmp_path.glob("*.partial")]


def test_the_partial_output_of_a_killed_run_is_no_obstacle(tmp_path):
    command = [sys.executable, "-m", "unidoku", "convert", "-", "--from", "lines", "-o", "o.csv"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, cwd=tmp_path) as process:
        wait_for(lambda: [*tmp_path.glob("*.partial")], process)
        process.kill()
    (partial,) = contents(tmp_path)
    assert partial.startswith("o.csv.")
    run("convert", A, "-o", "o.csv", cwd=tmp_path)
    assert contents(tmp_path)["o.csv"] == f"puzzle\n{A}\n".encode()


@pytest.mark.skipif(os.name == "nt", reason="links and pipes of POSIX")
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_link_or_pipe_with_the_name_of_the_partial_file_is_not_followed(source, tmp_path, kind):
    victim, partial = tmp_path / "victim", tmp_path / "o.txt.partial"
    victim.write_text("mine")
    os.mkfifo(partial) if kind == "pipe" else partial.symlink_to(victim)
    unidoku.run(Convert(), source, tmp_path / "o.txt")
    with pytest.raises(KeyError):
        fail_after_writing(tmp_path / "o.txt")
    assert victim.read_text() == "mine"
    assert (tmp_path / "o.txt").read_text() == TEXT
    assert partial.read_text() == "after\nmore"


def test_the_file_of_a_run_is_a_new_one(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "urandom", bytes)
    (tmp_path / "victim").write_text("mine")
    (tmp_path / "o.txt.00000000.partial").symlink_to(tmp_path / "victim")
    with pytest.raises(OutputError, match="cannot write: File exists"):
        unidoku.run(Convert(), [A], tmp_path / "o.txt")
    assert contents(tmp_path) == {"victim": b"mine", "o.txt.00000000.partial": b"mine"}


def test_runs_at_the_same_time_leave_a_whole_output(tmp_path):
    """Four threads write the same output: what is there is that of one of them."""
    texts = [f"{k}" * 100_000 for k in range(4)]

    def write(number: int) -> None:
        for _ in range(60):
            with OutputFile(str(tmp_path / "o.txt")) as file:
                file.write(texts[number].encode())
            assert (tmp_path / "o.txt").read_text() in texts

    with ThreadPoolExecutor(4) as pool:
        for result in [pool.submit(write, number) for number in range(4)]:
            result.result()
    assert [*contents(tmp_path)] == ["o.txt"]


def test_a_url_appears_when_it_is_complete():
    memory = fsspec.filesystem("memory")
    url = "memory://output/o.txt"
    with pytest.raises(KeyError):
        fail_after_writing(url)
    assert not memory.exists("/output/o.txt")
    assert memory.cat_file("/output/o.txt.partial") == b"after\nmore"
    with OutputFile(url) as file:
        file.write(b"text")
    assert memory.find("/output") == ["/output/o.txt"]
    assert memory.cat_file("/output/o.txt") == b"text"


def test_an_output_without_content_leaves_nothing(tmp_path):
    with suppress(KeyError), OutputFile(str(tmp_path / "o.csv")):
        raise KeyError
    assert contents(tmp_path) == {}


def test_the_target_of_a_link_is_replaced(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "deep" / "o.csv")
    with OutputFile(str(tmp_path / "link")) as file:
        file.write(b"1")
    assert (tmp_path / "link").is_symlink()
    assert contents(tmp_path / "deep") == {"o.csv": b"1"}


def test_an_interrupt_at_the_very_end_keeps_all(source, tmp_path, monkeypatch):
    """While the complete file is synced to disk."""

    def fsync(handle):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(KeyboardInterrupt):
        unidoku.run(Convert(), source, tmp_path / "o.txt")
    assert contents(tmp_path) == {"o.txt.partial": TEXT.encode(), "t.txt": TEXT.encode()}


def test_gzip_without_the_fast_library(source, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "isal", None)
    monkeypatch.setitem(sys.modules, "isal.igzip", None)
    unidoku.run(Convert(), source, tmp_path / "o.txt.gz")
    content = (tmp_path / "o.txt.gz").read_bytes()
    assert gzip.decompress(content) == TEXT.encode()
    assert content[3:8] == bytes(5), "no name, no time"


def test_standard_output_comes_after_earlier_text(capfdbinary):
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
def test_an_output_that_cannot_be_opened_is_named_and_leaves_nothing(source, tmp_path, name):
    path = tmp_path / "none" / name.removeprefix("file:")
    path = path.as_uri() if name.startswith("file:") else str(path)
    with pytest.raises(OutputError, match=f"^{path}: cannot write: No such file"):
        unidoku.run(Convert(), source, path)
    assert [*contents(tmp_path)] == ["t.txt"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("name", ["o.txt", "o.csv.gz", "o.parquet", "o.arrow", "o.sdk"])
def test_a_full_disk_names_the_output(tmp_path, name):
    (tmp_path / name).symlink_to("/dev/full")
    with pytest.raises(OutputError, match=f"^{tmp_path / name}: cannot write: No space left on device"):
        unidoku.run(Convert(), io.BytesIO(f"{A}\n".encode() * 5000), tmp_path / name)


def test_an_input_by_any_other_name_is_not_overwritten(source, tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "symbolic.txt").symlink_to(source)
    (tmp_path / "around").symlink_to(tmp_path, target_is_directory=True)
    os.link(source, tmp_path / "hard.txt")
    names = [
        tmp_path / name for name in ("t.txt", "sub/../t.txt", "symbolic.txt", "around/t.txt", "hard.txt")
    ]
    url = source.as_uri()
    for name in (*names, url, url.replace("file://", "FILE://localhost"), url.replace("file:", "local:")):
        for pair in ([source, name], [name, source]):
            with pytest.raises(OutputError, match="this output is also an input; choose another file"):
                check_file(*pair)
    assert source.read_text() == TEXT


def test_an_input_with_the_name_of_the_partial_file(source, tmp_path):
    partial = tmp_path / "o.txt.partial"
    partial.write_text(TEXT)
    with pytest.raises(
        OutputError, match=r"o\.txt\.partial: this output is also an input; choose another file"
    ):
        check_file(partial, tmp_path / "o.txt")
    with pytest.raises(OutputError, match=r"o\.txt\.partial: two outputs would"):
        split_file(source, [tmp_path / "o.txt", partial], to="txt")


def test_an_input_that_is_a_url():
    fsspec.filesystem("memory").pipe_file("/a/t.txt", TEXT.encode())
    with pytest.raises(OutputError, match="is also an input"):
        check_file("memory:///a/t.txt", "memory://a/t.txt")


def test_an_input_in_a_folder_that_the_run_writes(source, tmp_path):
    (tmp_path / "sub").mkdir()
    with pytest.raises(OutputError, match=r"the input .*/t\.txt is inside this output folder"):
        check_file(source, f"{tmp_path}/sub/../")


def test_a_url_does_not_lie_in_the_current_folder(tmp_path, monkeypatch):
    fsspec.filesystem("memory").pipe_file("/a/t.txt", TEXT.encode())
    monkeypatch.chdir(tmp_path)
    check_file("memory://a/t.txt", "./")
    assert (tmp_path / "plan.json").exists()


def test_two_outputs_in_one_file(source, tmp_path):
    (tmp_path / "link.txt").symlink_to(tmp_path / "s.txt")
    for name in ("s.txt", "./s.txt", "link.txt"):
        with pytest.raises(OutputError, match="two outputs would"):
            split_file(source, [tmp_path / "s.txt", f"{tmp_path}/{name}"])
    with pytest.raises(OutputError, match="cannot write: Is a directory"):
        split_file(source, [tmp_path / "s.txt", tmp_path], to="txt")
    assert not (tmp_path / "s.txt").exists()


@pytest.mark.skipif(os.name == "nt", reason="devices and redirections of a POSIX shell")
def test_standard_streams(source):
    check_file("/dev/null", "/dev/null", to="csv", empty=True)  # a device may be both
    assert not os.path.isfile("/dev/null")
    for words in ("convert - -o t.txt < t.txt", "convert t.txt >> t.txt", "solve < t.txt >> t.txt"):
        command = f"{sys.executable} -m unidoku {words}"
        process = subprocess.run(
            command, shell=True, check=False, capture_output=True, text=True, cwd=source.parent
        )
        assert process.returncode == 2, command
        assert "is also an input" in process.stderr
        assert source.read_text() == TEXT
