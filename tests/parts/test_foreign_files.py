"""Files that a run did not make stay as they are, whatever their names."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import command
import part_inputs
import pytest
from part_inputs import PLAN
from readback import contents

from unidoku import Cancel, check_file
from unidoku.errors import FormatError, InputError, MissingExtraError, OutputError

run = partial(command.run, "check")


def test_an_input_in_the_output_folder(tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    pa = pytest.importorskip("pyarrow")
    lines = [line for line in part_inputs.text(50).decode().splitlines() if len(line) == 81]
    pq.write_table(pa.table({"puzzle": lines}), tmp_path / "part-1.parquet")
    before = contents(tmp_path)
    for output in (".", "./", str(tmp_path), tmp_path.as_uri() + "/"):
        done = run("part-1.parquet", "--output", output, cwd=tmp_path, code=2)
        assert "part-1.parquet lies in this folder" in done.stderr
        assert contents(tmp_path) == before


OTHERS = ["part-00000-spark.snappy.parquet", "part-notes.doc", ".hidden", "sub/deep.txt", PLAN + ".bak"]


@pytest.mark.parametrize("resume", [[], ["--resume"]])
@pytest.mark.parametrize(
    ("output", "folder", "name"),
    [*(("results/", "results", name) for name in OTHERS), ("o.txt", "o.txt.parts", "my.doc")],
)
def test_a_folder_with_files_of_others(source, tmp_path, *, output, folder, name, resume):
    path = tmp_path / folder / name
    path.parent.mkdir(parents=True)
    path.write_bytes(b"precious")
    before = contents(tmp_path)
    done = run(source, "--output", output, "--part-bytes", 4000, *resume, cwd=tmp_path, code=2)
    first = name.partition("/")[0]
    assert f"{folder}: the folder holds files that this run did not make ({first!r})" in done.stderr
    assert "resume" not in done.stderr
    assert contents(tmp_path) == before


def test_an_empty_folder_stays_a_folder_for_the_next_run(source, tmp_path):
    output = tmp_path / "results"
    output.mkdir()
    options: Any = {"to": "csv", "part_bytes": 4000}
    cancel = Cancel()
    cancel.set()
    assert not check_file(source, output=output, cancel=cancel, **options).complete
    assert output.is_dir()
    check_file(source, output=output, **options)
    assert list(output.glob("part-*.csv"))


def test_a_file_that_appears_during_the_run(source, tmp_path):
    foreign = tmp_path / "o.csv.parts" / "part-notes.doc"
    check_file(
        source,
        output=tmp_path / "o.csv",
        part_bytes=4000,
        progress=lambda _: foreign.write_bytes(b"precious"),
    )
    assert contents(tmp_path).keys() == {"in.txt", "o.csv", "o.csv.parts", "o.csv.parts/part-notes.doc"}
    assert foreign.read_bytes() == b"precious"


def test_an_input_under_the_name_of_a_plan(tmp_path):
    line = part_inputs.text(1).splitlines()[0]
    (tmp_path / "v.txt.parts").mkdir()
    (tmp_path / "v.txt.parts" / PLAN).write_bytes(line)
    before = contents(tmp_path)
    arguments = (f"v.txt.parts/{PLAN}", "--from", "lines", "--output", "v.txt", "--resume")
    assert "lies in this folder, which the run writes" in run(*arguments, cwd=tmp_path, code=2).stderr
    assert contents(tmp_path) == before


def test_a_run_without_resume_removes_only_what_an_earlier_run_made(source, tmp_path):
    output = tmp_path / "o.csv"
    part_inputs.stopped(source, output)
    other = tmp_path / "other.txt"
    other.write_bytes(part_inputs.text(300, 2))
    foreign = tmp_path / "o.csv.parts" / "part-000000-0123456789ab.csv"
    foreign.write_bytes(b"precious")
    before = contents(tmp_path)
    with pytest.raises(OutputError, match="did not make"):
        check_file(other, output=output, part_bytes=4000)
    assert contents(tmp_path) == before
    foreign.unlink()
    check_file(other, output=output, part_bytes=4000)
    assert sorted(os.listdir(tmp_path)) == ["in.txt", "o.csv", "other.txt"]


def test_temporary_files_of_others(source, tmp_path):
    output = tmp_path / "o.csv"
    names = [".unidoku-0123456789ab-o.csv", ".unidoku-0123456789ab-p.csv", ".unidoku-notes", "o.csv.tmp"]
    for name in names:
        (tmp_path / name).write_bytes(b"precious")
    part_inputs.stopped(source, output)
    parts = tmp_path / "o.csv.parts"
    last = max(parts.glob("part-*.csv")).name
    for name in (PLAN, last, last.replace(".csv", ".json")):
        (parts / f".unidoku-0123456789ab-{name}").write_bytes(b"rest of a killed worker")
    check_file(source, output=output, part_bytes=4000, resume=True)
    assert sorted(os.listdir(tmp_path)) == sorted([*names, "in.txt", "o.csv"])
    assert all((tmp_path / name).read_bytes() == b"precious" for name in names)


def test_a_finished_folder_of_another_input(source, tmp_path):
    output = tmp_path / "results.parquet"
    pytest.importorskip("pyarrow")
    check_file(source, output=output, resume=True)
    before = contents(output)
    assert {Path(name).suffix for name in before} == {".parquet"}
    check_file(source, output=output)  # the same run may replace its parts
    assert contents(output).keys() == before.keys()
    source.write_bytes(part_inputs.text(300, 2))
    with pytest.raises(OutputError, match="the folder holds files that this run did not make"):
        check_file(source, output=output)
    assert contents(output).keys() == before.keys()


def test_nothing_is_created_for_an_impossible_request(source, tmp_path, monkeypatch):
    before = contents(tmp_path)
    monkeypatch.chdir(tmp_path)
    for module in ("pyarrow", "compression.zstd", "backports.zstd", "compression"):
        monkeypatch.setitem(sys.modules, module, None)
    for output, options, error, message in (
        ("no/o.csv", {}, OutputError, r"^no/o\.csv: cannot write: No such file"),
        ("in.txt/o.csv", {}, OutputError, r"^in\.txt/o\.csv: cannot write: Not a directory"),
        ("o.nonsense", {}, FormatError, r"o\.nonsense"),
        ("o.csv", {"cluster": "nowhere"}, InputError, "nowhere"),
        ("o.parquet", {}, MissingExtraError, "PyArrow"),
        ("o.csv.zst", {}, MissingExtraError, r"pip install backports\.zstd"),
    ):
        with pytest.raises(error, match=message):
            check_file(source, output=output, **options)
        assert contents(tmp_path) == before


def test_an_output_is_not_replaced_when_no_input_can_be_read(tmp_path):
    files = {"o.csv": b"precious", "bad.gz": b"\x1f\x8b\x08\x00nonsense"}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    for output in (["o.csv"], ["o.csv", "--part-bytes", 100], ["p.csv"], ["results/"]):
        done = run("absent.txt", "bad.gz", "--output", *output, cwd=tmp_path, code=2)
        assert "absent.txt: No such file" in done.stderr
        assert "bad.gz: " in done.stderr
        assert "resume" not in done.stderr
        assert contents(tmp_path) == files


def test_messages_use_the_names_that_were_given(source, tmp_path):
    (tmp_path / "full").symlink_to("/dev/full")
    (tmp_path / "broken.txt.gz").write_bytes(b"\x1f\x8b\x08\x00nonsense")
    for arguments in (
        ["in.txt", "absent.txt", "--output", "o.csv"],
        ["broken.txt.gz", "in.txt", "--output", "p.csv"],
    ):
        done = run(*arguments, cwd=tmp_path, code=2)
        assert str(tmp_path) not in done.stderr
        assert ".unidoku-" not in done.stderr
        assert "in.txt:" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="needs named pipes")
@pytest.mark.parametrize(
    ("to", "first"),
    [("csv", b"line,"), ("arrow", b"\xff" * 4), ("arrows", b"\xff" * 4), ("parquet", b"PAR1")],
)
def test_a_pipe_is_written_not_replaced(source, tmp_path, to, first):
    if to != "csv":
        pytest.importorskip("pyarrow")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_bytes)
        done = check_file(source, output=pipe, to=to)
        (tmp_path / "o").write_bytes(read.result(100))
    assert pipe.is_fifo()
    assert (tmp_path / "o").read_bytes().startswith(first)
    assert check_file(tmp_path / "o", format=to.rstrip("s")).puzzles == done.puzzles > 0


def test_nothing_is_created_for_a_stream_that_cannot_be_written(source, tmp_path):
    before = contents(tmp_path)
    with source.open("rb") as stream, pytest.raises(OutputError, match="cannot write: No such file"):
        check_file(stream, output=tmp_path / "no" / "o.csv")
    assert contents(tmp_path) == before
