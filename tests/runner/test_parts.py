"""Folders of parts: resuming, plans, joining."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import signal
import subprocess
import sys
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pytest
from command import run
from example_puzzles import UNIQUE
from packing import zip_of
from readback import decompress, rows_of

import unidoku
from unidoku import Cancel, check_file
from unidoku.craft._generate import generate
from unidoku.errors import InputError, OutputError, ResumeError, UnidokuError
from unidoku.runner import _parts as parts
from unidoku.tasks._check import Check

LINES = unidoku.lines(generate(300, seed=5))
PART = 96  # records
COUNT_FIELDS = ("puzzles", "unique", "multiple", "none", "invalid", "unknown", "failed")


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make parts of 96 lines, three batches each."""
    monkeypatch.setattr(parts, "MEGABYTE", PART * 82 // 64)
    monkeypatch.setattr(Check, "batch_size", 32)


@pytest.fixture
def inputs(tmp_path: Path) -> list[str]:
    """Write two files of puzzles, one with an invalid record, and a file of comments."""
    (tmp_path / "a.txt").write_text("\n".join([*LINES[:150], "bad", "." * 81, *LINES[150:], ""]))
    rows = [f"{k},{line}\n" for k, line in enumerate(LINES)]
    (tmp_path / "b.csv").write_text("".join(["id,puzzle\n", *rows]))
    (tmp_path / "c.txt").write_text("# nothing\n")
    return [str(tmp_path / name) for name in ("a.txt", "b.csv", "c.txt")]


def counts_of(summary: Any) -> list[list[int]]:
    tallies = (summary, *summary.files)
    return [
        [*(getattr(tally, name) for name in COUNT_FIELDS), *tally.task_counts.values()] for tally in tallies
    ]


def contents(folder: str | Path) -> dict[str, bytes]:
    """Return the bytes of all files of a folder except the plan, which names the inputs."""
    return {path.name: path.read_bytes() for path in Path(folder).iterdir() if path.name != parts.PLAN}


@pytest.mark.parametrize("to", ["txt", "csv", "jsonl", "txt.gz", "parquet", "arrow"])
def test_the_parts_together_are_the_whole(inputs, tmp_path, to):
    folder = tmp_path / f"out.{to}"  # whose name has the format
    folder.mkdir()
    whole = check_file([*inputs[:1], inputs[2]], tmp_path / f"whole.{to}")  # with a column ``file``, as parts
    summary = check_file([*inputs[:1], inputs[2]], folder)
    assert counts_of(summary) == counts_of(whole)
    assert [reject.line for reject in summary.rejects] == [151]
    names = sorted(path.name for path in folder.glob(f"*.{to}"))
    assert names == [f"part-0000-{k:06d}.{to}" for k in range(4)]
    if to.startswith("txt"):  # without a header
        content = b"".join(decompress(folder / name) for name in names)
        assert content == decompress(tmp_path / f"whole.{to}")
        return
    rows = [rows_of(folder / name) for name in names]
    reason = {"reason": None, "reason_code": None}
    assert [*chain(*rows)] == [reason | row for row in rows_of(tmp_path / f"whole.{to}")]
    assert [len(part) for part in rows] == [96, 96, 96, 14]


@pytest.mark.parametrize("to", ["csv", "jsonl", "arrow"])
def test_a_folder_is_joined(inputs, tmp_path, to):
    """Also where the first record of a part is no puzzle, or the only one."""
    lines = ["bad", *LINES[:95], *LINES[95:191], "bad", *LINES[191:286], "bad"]
    Path(inputs[0]).write_text("".join(f"{line}\n" for line in lines))
    check_file(inputs[0], f"{tmp_path}/out/", to=to)
    result = run("convert", f"{tmp_path}/out/", "-o", tmp_path / "one.parquet", code=1)
    assert "286 puzzles, 3 invalid" in result.stderr
    rows = rows_of(tmp_path / "one.parquet")
    assert [row["puzzle"] for row in rows] == lines
    assert [int(row["line"]) for row in rows] == [*range(1, 290)]


def test_rejects_overwrite_no_parts(inputs, tmp_path):
    check_file(inputs[0], f"{tmp_path}/out/", to="csv")
    before = contents(tmp_path / "out")
    for output, rejects in [("new", "out"), ("out", "out"), ("new", "new"), ("new", "new/bad")]:
        with pytest.raises(OutputError, match="choose another folder for invalid records"):
            check_file(inputs[0], f"{tmp_path}/{output}/", rejects=f"{tmp_path}/{rejects}/", to="csv")
    assert contents(tmp_path / "out") == before
    assert not (tmp_path / "new").exists()


def run_parts(inputs: list[str], output: str, count: int, **options: Any) -> Any:
    """Make this number of parts of an output, and cancel the run."""
    cancel, real, syncs = Cancel(), os.fsync, [0]

    def fsync(handle: int) -> None:
        real(handle)
        syncs[0] += 1  # the plan, then a part and its counts
        if syncs[0] > 2 * count:
            cancel.set()

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(os, "fsync", fsync)
        summary = check_file(inputs, output, resume=True, cancel=cancel, **options)
    assert not summary.complete
    return summary


@pytest.mark.parametrize(("to", "count"), [("txt", 1), ("csv", 3), ("jsonl", 5), ("parquet", 3)])
def test_a_stopped_run_is_resumed(inputs, tmp_path, to, count):
    whole = check_file(inputs, f"{tmp_path}/whole/", to=to)
    output = f"{tmp_path}/out/"
    partial = run_parts(inputs, output, count, to=to)
    assert 0 < partial.puzzles < whole.puzzles
    assert (
        partial.resume
        == f"the finished parts are in {tmp_path}/out; the same command with --resume continues"
    )
    part = tmp_path / "out" / f"part-0000-000000.{to}"
    mtime = part.stat().st_mtime_ns
    for earlier in (partial.puzzles, whole.puzzles):
        summary = check_file(inputs, output, to=to, resume=True)
        assert contents(output) == contents(tmp_path / "whole")
        assert counts_of(summary) == counts_of(whole)
        assert (summary.earlier, summary.resume) == (earlier, None)
        assert (summary.puzzles_per_second == 0) == (earlier == whole.puzzles)
        assert part.stat().st_mtime_ns == mtime


def test_a_part_without_its_counts_or_file_is_made_again(inputs, tmp_path):
    output = tmp_path / "out"
    check_file(inputs, f"{output}/", to="csv")
    whole = contents(output)
    (output / "part-0000-000001.json").unlink()
    (output / "part-0000-000001.csv").write_text("half")
    (output / "part-0001-000000.csv").unlink()
    check_file(inputs, f"{output}/", to="csv", resume=True)
    assert contents(output) == whole


@pytest.mark.parametrize("change", [{"limit": 3}, {"only": ["unique"]}, {"to": "jsonl"}, "less", "changed"])
def test_another_plan_is_refused(inputs, tmp_path, change):
    output, files, options = f"{tmp_path}/out/", [*inputs], {"to": "csv"}
    check_file(inputs, output, **options)
    before = contents(output)
    if change == "changed":
        os.utime(files[0], ns=(0, 0))
    elif isinstance(change, str):
        files = inputs[:2]
    else:
        options |= change
    message = r"out: the folder has the parts of (another run|a run with fewer inputs) \(plan\.json\)"
    # with --resume, an input that is gone keeps its parts (test_growing)
    for resume in (False, True)[: 1 if change == "less" else 2]:
        with pytest.raises(ResumeError, match=message):
            check_file(files, output, resume=resume, **options)
    assert contents(output) == before
    check_file(files, output, overwrite=True, **options)
    check_file(files, f"{tmp_path}/anew/", **options)
    assert contents(output) == contents(tmp_path / "anew")


@pytest.mark.parametrize("listed", [0, 1])
def test_a_stop_while_inputs_are_listed_is_no_list(inputs, tmp_path, monkeypatch, listed):
    """Neither are inputs missing, nor does a plan begin that has fewer."""
    list_files = unidoku.files._inputs._list_files

    def list_some(name):
        files = list_files(name)
        yield from islice(files, listed)
        cancel.set()
        yield from files

    monkeypatch.setattr(unidoku.files._inputs, "_list_files", list_some)
    pattern, output, cancel = str(tmp_path / "*.*"), tmp_path / "out", Cancel()
    assert not check_file(pattern, f"{output}/", to="csv", resume=True, cancel=cancel).complete
    assert not output.exists()
    whole = check_file(pattern, f"{output}/", to="csv", resume=True)
    plan, cancel = (output / parts.PLAN).read_bytes(), Cancel()
    summary = check_file(pattern, f"{output}/", to="csv", resume=True, cancel=cancel)
    assert whole.complete > summary.complete
    assert (output / parts.PLAN).read_bytes() == plan


def test_only_a_folder_of_a_run_is_overwritten(inputs, tmp_path):
    output = tmp_path / "out"
    output.mkdir()
    (output / "part-0000-000000.csv").write_text("mine")  # as other programs call theirs
    with pytest.raises(
        OutputError,
        match=r"out: the folder is not empty, and has no plan\.json of unidoku, or a damaged one; choose",
    ):
        check_file(inputs, output, to="csv", overwrite=True)
    assert contents(output) == {"part-0000-000000.csv": b"mine"}
    (output / "part-0000-000000.csv").unlink()
    (output / "plan.json.partial").write_text("of a run that was killed")
    check_file(inputs[0], output, to="csv")
    mine = ("mine.txt", "part-1.txt")  # no names of parts
    for name in mine:
        (output / name).write_text("mine")
    check_file(inputs[1], output, to="jsonl", overwrite=True)
    names = [*mine, *(f"part-0000-{k:06d}.{end}" for k in range(4) for end in ("json", "jsonl"))]
    assert sorted(contents(output)) == sorted(names)
    assert all(contents(output)[name] == b"mine" for name in mine)
    with pytest.raises(OutputError, match="is inside this output folder"):
        check_file(output, output)


@pytest.mark.parametrize("plan", ['{"a":1}', "{", "[]"])
@pytest.mark.parametrize("option", [{}, {"resume": True}, {"overwrite": True}])
def test_a_plan_of_another_program_is_left_alone(inputs, tmp_path, plan, option):
    output = tmp_path / "out"
    output.mkdir()
    files = {"plan.json": plan, "part-0000-000000.csv": "mine", "part-0000-000000.json": "{}"}
    for name, content in files.items():
        (output / name).write_text(content)
    with pytest.raises(OutputError, match=r"has no plan\.json of unidoku, or a damaged one"):
        check_file(inputs, output, to="csv", **option)
    assert {path.name: path.read_text() for path in output.iterdir()} == files


@pytest.mark.parametrize("option", [{}, {"resume": True}, {"overwrite": True}])
def test_a_damaged_plan_is_called_damaged(inputs, tmp_path, option):
    """Cut at any place, or with another value of any entry; nothing in the folder changes."""
    output = tmp_path / "out"
    check_file(inputs, f"{output}/", to="csv")
    text = (output / "plan.json").read_text()
    plan = json.loads(text)
    damaged = [text[:size] for size in (0, 1, len(text) // 2, len(text) - 2)]
    damaged += [json.dumps(plan | {name: value}) for name in plan for value in (None, 1, [[]], {"x": [1]})]
    for content in damaged:
        (output / "plan.json").write_text(content)
        before = contents(output)
        with pytest.raises(OutputError, match=r"has no plan\.json of unidoku, or a damaged one"):
            check_file(inputs, output, to="csv", **option)
        assert contents(output) == before
        assert (output / "plan.json").read_text() == content


@pytest.mark.parametrize(
    "arguments", [["nope.txt"], ["nope.txt", "--overwrite"], ["a.txt", "nope.txt", "--overwrite"]]
)
@pytest.mark.parametrize("option", [[], ["--column", "7"]])
def test_a_run_that_cannot_begin_changes_nothing(inputs, tmp_path, monkeypatch, arguments, option):
    monkeypatch.chdir(tmp_path)
    run("rate", "a.txt", "b.csv", "-o", "v1/", "--to", "csv", code=1)
    before = {path.name: path.read_bytes() for path in Path("v1").iterdir()}
    result = run("check", *arguments, *option, "-o", "v1/", code=2)
    assert "nope.txt: No such file" in result.stderr
    assert {path.name: path.read_bytes() for path in Path("v1").iterdir()} == before
    run("check", "nope.txt", "-o", "v2/", code=2)
    assert not Path("v2").exists()


def test_the_same_run_keeps_each_part_until_it_is_made_again(inputs, tmp_path):
    output, cancel = f"{tmp_path}/out/", Cancel()
    check_file(inputs, output, to="csv")
    before = contents(output)
    summary = check_file(inputs, output, to="csv", cancel=cancel, progress=lambda _: cancel.set())
    assert not summary.complete
    assert contents(output).items() >= before.items()
    assert check_file(inputs, output, to="csv").earlier == 0  # made anew
    assert contents(output) == before
    with pytest.raises(UnidokuError, match="choose one"):
        check_file(inputs, output, to="csv", resume=True, overwrite=True)


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("json", lambda text: b"[]"),
        ("json", lambda text: b"{}"),
        ("json", lambda text: b"[" * 100_000),
        ("json", lambda text: b"\xff"),
        ("json", lambda text: text[: len(text) // 2]),
        ("json", lambda text: text.replace(b'"size": ', b'"size": 1')),
        ("json", lambda text: b'{"size": 1, "files": 3}'),
        ("csv", lambda text: text[:-1]),
        ("csv", lambda text: b""),
        ("csv", lambda text: text + b"1"),
        ("csv", lambda text: text.replace(b"unique", b"XXXXXX", 1)),
    ],
)
def test_a_damaged_part_is_made_again(inputs, tmp_path, name, damage):
    output = tmp_path / "out"
    whole = check_file(inputs, f"{output}/", to="csv")
    before = contents(output)
    part = output / f"part-0001-000001.{name}"
    part.write_bytes(damage(part.read_bytes()))
    summary = check_file(inputs, f"{output}/", to="csv", resume=True)
    assert contents(output) == before
    assert counts_of(summary) == counts_of(whole)
    assert 0 < whole.puzzles - summary.earlier <= PART


def test_two_runs_may_write_one_folder(inputs, tmp_path):
    """The second one writes what the first one has begun: the same parts."""
    output, others = f"{tmp_path}/out/", list[Any]()

    def begin_another(_: object) -> None:
        if not others:
            others.append(check_file(inputs, output, to="csv", resume=True))

    summary = check_file(inputs, output, to="csv", progress=begin_another)
    alone = check_file(inputs, f"{tmp_path}/alone/", to="csv")
    assert counts_of(summary) == counts_of(others[0]) == counts_of(alone)
    assert contents(output) == contents(tmp_path / "alone")


@pytest.mark.parametrize("source", ["-", "pipe", "stream"])
def test_inputs_that_are_read_once(source, tmp_path):
    if source == "pipe":
        os.mkfifo(tmp_path / "pipe")
    input_source: Any = {"pipe": tmp_path / "pipe", "stream": io.BytesIO(b"")}.get(source, source)
    with pytest.raises(InputError, match="a folder of parts needs files or URLs"):
        check_file(input_source, f"{tmp_path}/out/", resume=True)
    assert not (tmp_path / "out").exists()


def test_a_failing_input_is_named_and_the_others_are_done(inputs, tmp_path):
    whole = gzip.compress("".join(f"{line}\n" for line in LINES).encode())
    (tmp_path / "cut.txt.gz").write_bytes(whole[: len(whole) // 2])
    members = {"bad.txt": b"\0\1\2" * 50, "good.txt": f"{UNIQUE}\n" * 400}
    (tmp_path / "d.zip").write_bytes(zip_of(members))
    files = [str(tmp_path / "gone.txt"), str(tmp_path / "cut.txt.gz"), str(tmp_path / "d.zip"), inputs[0]]
    result = run("check", *files, "--solutions", "-o", f"{tmp_path}/out/", "--to", "csv", code=2)
    errors = [line.partition(": ")[2] for line in result.stderr.splitlines() if line.startswith("error: ")]
    assert len(errors) == 3
    for file, error in zip(files, errors, strict=False):
        assert error.startswith(file)
    names = {name for name in contents(tmp_path / "out") if name.endswith(".csv")}
    assert {f"part-0003-{k:06d}.csv" for k in range(4)} <= names
    assert not any(name.startswith("part-0000") for name in names)
    with pytest.raises(InputError, match=r"gone\.txt"):
        check_file(files, f"{tmp_path}/out/", to="csv", resume=True)
    failures: list[UnidokuError] = []
    summary = check_file(files, f"{tmp_path}/out/", to="csv", resume=True, on_failure=failures.append)
    assert (summary.failed, len(failures)) == (3, 3)
    rows = sum(len(rows_of(tmp_path / "out" / name)) for name in names)
    assert summary.puzzles == sum(tally.puzzles for tally in summary.files) == rows


def test_the_progress_counts_bytes_and_puzzles(inputs, tmp_path):
    reports: list[Any] = []
    run_parts(inputs, f"{tmp_path}/out/", 2, to="csv")
    check_file(inputs, f"{tmp_path}/out/", to="csv", resume=True, progress=reports.append)
    report = reports[-1]
    assert report.total == sum(os.path.getsize(path) for path in inputs)
    assert (report.puzzles, report.earlier) == (602, 2 * PART)
    assert report.done <= report.total


PROGRAM = """
import os, signal, sys
from unidoku import check_file
from unidoku.runner import _parts as parts
from unidoku.tasks._check import Check

parts.MEGABYTE, Check.batch_size = 96 * 82 // 64, 32
count, folder, to, *inputs = sys.argv[1:]
left = int(count)

def profile(*_):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)

check_file(inputs[1], folder[:-1] + ".first/", to=to, resume=True)  # imports
sys.setprofile(profile)
check_file(inputs, folder, to=to, resume=True)
sys.setprofile(None)
print(int(count) - left)
"""


@pytest.mark.parametrize("to", [pytest.param("csv", marks=pytest.mark.slow), "parquet"])
def test_killed_at_random_moments(inputs, tmp_path, to):
    """By SIGKILL after some of the calls that a run has: the bytes equal an undisturbed run's."""
    Path(inputs[0]).write_text("".join(f"{line}\n" for line in LINES * 16))

    def killed_after(count: int, folder: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-c", PROGRAM, str(count), f"{tmp_path}/{folder}/", to, *inputs]
        return subprocess.run(command, capture_output=True, check=False)

    rng, calls = random.Random(to), int(killed_after(-1, "whole").stdout)
    count = rng.randrange(calls // 8, calls // 2)
    assert killed_after(count, "out").returncode == -signal.SIGKILL
    check_file(inputs, f"{tmp_path}/out/", to=to, resume=True)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")
