"""Runs in parts: begun, stopped, resumed, refused."""

from __future__ import annotations

import errno
import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import part_inputs
import pytest
from command import run, started, wait_for
from part_inputs import PLAN
from readback import contents, unpacked

from unidoku import Cancel, Summary, check_file
from unidoku.errors import InputError, OutputError, ResumeError, UnidokuError
from unidoku.run import parts as runner


@pytest.fixture
def whole(source: Path, tmp_path: Path) -> bytes:
    """What a run without parts writes."""
    check_file(source, output=tmp_path / "whole.csv")
    content = (tmp_path / "whole.csv").read_bytes()
    (tmp_path / "whole.csv").unlink()
    return content


def make(
    source: Path | list[Path], output: Path | str, *, fails: bool = False, **options: Any
) -> tuple[Summary, str]:
    """Make an output in parts: the summary, and the messages of all errors."""
    errors: list[UnidokuError] = []
    settings = {"part_bytes": 4000, "threads": 2, **options}
    summary = check_file(source, output=output, on_failure=errors.append, **settings)
    assert bool(errors) == fails, errors
    return summary, "\n".join(map(str, errors))


def records(output: Path) -> list[Path]:
    return sorted(Path(f"{output}.parts").glob("part-*.json"))


def listing(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


@pytest.mark.parametrize("suffix", [".txt", ".csv", ".jsonl", ".csv.gz", ".jsonl.xz", ".txt.bz2"])
def test_parts_are_the_whole(source, tmp_path, suffix):
    whole, parts = tmp_path / f"whole{suffix}", tmp_path / f"parts{suffix}"
    one = check_file(source, output=whole)
    many, _ = make(source, parts)
    assert one.counts(verified=True) == many.counts(verified=True)
    assert unpacked(whole) == unpacked(parts)
    assert [str(each) for each in one.rejects] == [str(each) for each in many.rejects]
    assert (one.file, one.line) == (many.file, many.line)
    assert listing(tmp_path) == sorted(["in.txt", whole.name, parts.name])


def test_line_numbers_are_those_of_the_file(source, tmp_path):
    output = tmp_path / "o.jsonl"
    make(source, output, part_bytes=500)
    lines = source.read_bytes().splitlines()
    rows = [json.loads(row) for row in output.read_text().splitlines()]
    assert len(rows) > 500
    for row in rows:
        assert lines[row["line"] - 1].decode().startswith(row["puzzle"][:81])


def test_stopped_and_resumed(source, tmp_path, whole):
    output = tmp_path / "o.csv"
    stopped = part_inputs.stopped(source, output, 5)
    assert not output.exists()
    assert len(records(output)) == 5
    plan = json.loads((tmp_path / "o.csv.parts" / PLAN).read_text())
    parts = len(plan["ranges"])
    assert parts > 10
    assert stopped.resume == (
        f"{output} is not written: 5 of {parts} parts are done; run the same command with --resume to "
        f"continue from the parts in {output}.parts"
    )
    summary, _ = make(source, output, resume=True)
    assert summary.earlier == stopped.puzzles
    assert 0 < summary.earlier < summary.puzzles
    speed = (summary.puzzles - summary.earlier) / summary.seconds
    assert summary.puzzles_per_second == pytest.approx(speed)
    every = summary.counts(verified=True)
    assert [each.counts(verified=True) for each in summary.files] == [every]
    assert output.read_bytes() == whole
    assert listing(tmp_path) == ["in.txt", "o.csv"]
    again, _ = make(source, output, resume=True)  # nothing remains that could be resumed
    assert again.complete
    assert again.earlier == 0
    assert output.read_bytes() == whole


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_the_caller_too(source, tmp_path, whole, threads):
    output = tmp_path / "o.csv"

    def interrupt(now: Any) -> None:
        if records(output):
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as caught:
        make(source, output, progress=interrupt, threads=threads)
    assert not output.exists()
    (note,) = caught.value.__notes__
    assert note.startswith(f"{output} is not written: ")
    summary, _ = make(source, output, resume=True)
    assert summary.earlier > 0
    assert output.read_bytes() == whole


def test_resume_needs_no_extra(source, tmp_path, whole, monkeypatch):
    for module in ("fsspec", "distributed", "pyarrow"):
        monkeypatch.setitem(sys.modules, module, None)
    part_inputs.stopped(source, tmp_path / "o.csv")
    make(source, tmp_path / "o.csv", resume=True)
    assert (tmp_path / "o.csv").read_bytes() == whole


def written_again(source: Path, folder: Path) -> None:
    """With another content at the same time."""
    stamp = source.stat().st_mtime_ns
    source.write_bytes(b"1" + source.read_bytes()[1:])
    os.utime(source, ns=(stamp, stamp))


def change_plan(old: str, new: str) -> Callable[[Path, Path], None]:
    """Another plan, for which no part is done."""

    def change(source: Path, folder: Path) -> None:
        (folder / PLAN).write_text((folder / PLAN).read_text().replace(old, new))
        for path in folder.glob("part-*"):
            path.unlink()

    return change


CHANGES: list[tuple[dict[str, Any] | Callable[[Path, Path], object], str]] = [
    ({"limit": 7}, "the limit was 2, now it is 7"),
    ({"only": ("none",)}, 'the only was none, now it is ["none"]'),
    ({"part_bytes": 5000}, "the size of a part (--part-bytes) was 4000, now it is 5000"),
    ({"source": "other.txt"}, '/in.txt", now it is'),
    (change_plan('"file": false', '"file": true'), "the number of inputs was 1, now it is 2"),
    (written_again, "in.txt has been written again"),
    (lambda source, folder: os.utime(source, ns=(1, 1)), "in.txt has been written again"),
    (lambda source, folder: source.write_bytes(source.read_bytes() + b"\n"), "in.txt was "),
    (change_plan('"unidoku": "', '"unidoku": "0.0.0.other'), 'the version of unidoku was "0.0.0.other'),
    (change_plan('"inputs"', '"sources"'), "its plan is of another version, or has been changed"),
]


@pytest.mark.parametrize("is_read_first", [True, False])
def test_an_input_that_only_one_of_both_runs_can_read_is_named(source, tmp_path, is_read_first):
    names = [tmp_path / "b.txt", tmp_path / "away.txt"]
    first, then = names if is_read_first else reversed(names)
    shutil.copy(source, first)
    inputs = [source, names[0]]
    part_inputs.stopped(inputs, tmp_path / "o.csv", on_failure=lambda _: None)
    first.rename(then)
    with pytest.raises(ResumeError) as caught:
        make(inputs, tmp_path / "o.csv", resume=True)
    was, now = ("yes", "no") if is_read_first else ("no", "yes")
    said = f"cannot resume: whether {names[0]} can be read was {was}, now it is {now};"
    assert said in str(caught.value)


@pytest.mark.parametrize(("change", "said"), CHANGES, ids=[said for _, said in CHANGES])
def test_other_options_or_another_input_are_refused(source, tmp_path, change, said):
    output, folder = tmp_path / "o.csv", tmp_path / "o.csv.parts"
    part_inputs.stopped(source, output)
    inputs, options = [source], {}
    if callable(change):
        change(source, folder)
        inputs *= 2 if "number of inputs" in said else 1
    elif "source" in change:
        inputs = [source.rename(tmp_path / change["source"])]
    else:
        options = change
    before = contents(folder)
    with pytest.raises(ResumeError) as caught:
        make(inputs, output, resume=True, **options)
    assert "cannot resume: " in str(caught.value)
    assert said in str(caught.value)
    assert contents(folder) == before
    assert str(caught.value).endswith(f"to start again, remove {folder}")
    shutil.rmtree(folder)
    make(inputs, output, resume=True, **options)
    assert output.exists()


BROKEN = [
    b"",
    b"{torn",
    b"null",
    b"[]",
    b"3",
    b'"x"',
    b"{}",
    b"\xff\xfe",
    b"NaN",
    b"1" * 5000,
    b"[" * 100_000,
]


@pytest.mark.parametrize("resume", [["--resume"], []])
def test_a_damaged_plan_is_an_error(source, tmp_path, resume):
    part_inputs.stopped(source, tmp_path / "o.csv")
    folder = tmp_path / "o.csv.parts"
    for content in BROKEN:
        (folder / PLAN).write_bytes(content)
        before = contents(folder)
        done = run("check", source, "-o", tmp_path / "o.csv", "--part-bytes", "4000", *resume, code=2)
        assert f"o.csv.parts/{PLAN}: not the plan of a run in parts, or damaged" in done.stderr
        assert contents(folder) == before
        assert not (tmp_path / "o.csv").exists()


def counted(record: Path) -> int:
    """The number of puzzles in the record of a part."""
    digest, part = map(json.loads, record.read_bytes().splitlines())
    assert len(digest) == 32
    found = part["summary"]["puzzles"]
    assert isinstance(found, int)
    return found


def change_counts(data: bytes) -> bytes:
    """The record of a part with another number of puzzles."""
    return data.replace(b'"puzzles": ', b'"puzzles": 1')


@pytest.mark.parametrize(
    "damage", [*(lambda data, content=content: content for content in BROKEN), change_counts]
)
def test_a_part_with_a_damaged_record_is_made_again(source, tmp_path, whole, damage):
    output = tmp_path / "o.csv"
    part_inputs.stopped(source, output, 4)
    second = records(output)[1]
    second.write_bytes(damage(second.read_bytes()))
    earlier = sum(map(counted, records(output)[2:]))
    summary, _ = make(source, output, resume=True)
    assert earlier < summary.earlier < 2 * earlier  # three of four
    assert output.read_bytes() == whole


def edited(part: Any, place: tuple[str, ...], value: Any) -> Any:
    """A JSON object with another value, or none, at a place."""
    name, *rest = place
    if rest:
        return {**part, name: edited(part[name], tuple(rest), value)}
    return {key: each for key, each in part.items() if key != name} | ({} if value is ... else {name: value})


FIELDS = ["class", "file", "size", "checksum", "lines", "columns", "summary"]
FIELDS += ["summary.class", "summary.files", "summary.puzzles", "summary.failures"]
CLASSES = [{"class": "Part"}, {"class": "naming"}, {"class": ["x"]}]
OTHER = [..., None, -(10**400), 1.5, "x" * 10**6, [[]], {}, *CLASSES]


@pytest.mark.parametrize("field", FIELDS)
def test_a_forged_record_is_made_again(source, tmp_path, whole, field):
    """Each field missing, of another type, huge; with the right digest."""
    place = tuple(field.split("."))
    output = tmp_path / "o.csv"
    stopped = part_inputs.stopped(source, output, len(OTHER))
    for record, value in zip(records(output), OTHER, strict=True):
        part = json.loads(record.read_bytes().splitlines()[1])
        text = json.dumps(edited(part, place, value)).encode()
        digest = json.dumps(blake2b(text, digest_size=16).hexdigest()).encode()
        record.write_bytes(digest + b"\n" + text)
    summary, _ = make(source, output, resume=True)
    assert summary.earlier < stopped.puzzles
    assert output.read_bytes() == whole


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def swap(path: Path) -> None:
    """With another part of the same size."""
    (other,) = path.parent.glob("part-000002-*.csv")
    size = min(path.stat().st_size, other.stat().st_size)
    first, second = path.read_bytes(), other.read_bytes()
    path.write_bytes(second[:size] + first[size:])
    other.write_bytes(first[:size] + second[size:])


def append(path: Path) -> None:
    with path.open("ab") as stream:
        stream.write(b"more\n")


def exchange_record(path: Path) -> None:
    """With that of another part."""
    (first,) = path.parent.glob("part-000000-*.json")
    path.with_suffix(".json").write_bytes(first.read_bytes())


DAMAGES = {
    "a flipped bit": flip,
    "longer": append,
    "gone": Path.unlink,
    "record of another part": exchange_record,
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "other verdicts": lambda path: path.write_bytes(path.read_bytes().replace(b",unique,", b",invali,")),
    "another part": swap,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_part_that_was_changed_is_made_again(source, tmp_path, whole, damage):
    output = tmp_path / "o.csv"
    part_inputs.stopped(source, output, 4)
    DAMAGES[damage](records(output)[1].with_suffix(".csv"))
    make(source, output, resume=True)
    assert output.read_bytes() == whole
    assert listing(tmp_path) == ["in.txt", "o.csv"]


@pytest.mark.parametrize("resumed", [True, False])
def test_a_finished_folder_that_is_made_again_keeps_its_parts(source, tmp_path, resumed):
    """Until each of them is made again; one that was changed is."""
    output = f"{tmp_path}/o/"
    make(source, output, to="jsonl")
    folder = Path(output)
    before = contents(folder)
    assert len(before) > 10
    check_file(source, output=tmp_path / "whole.jsonl")
    assert b"".join(before.values()) == (tmp_path / "whole.jsonl").read_bytes()
    stop = Cancel()
    stop.set()
    make(source, output, to="jsonl", cancel=stop)
    assert contents(folder) == before
    part_inputs.stopped(source, output, 3, resume=False, to="jsonl")
    found = contents(folder)
    assert before.items() <= found.items()
    assert PLAN in found
    (folder / max(before)).write_bytes(b"changed by somebody")
    make(source, folder, to="jsonl", resume=resumed)
    assert contents(folder) == before


@pytest.mark.parametrize("fatal", [True, False])
def test_errors_of_writing_end_the_run_and_those_of_reading_do_not(
    source, tmp_path, whole, monkeypatch, fatal
):
    output, real, failed = tmp_path / "o.csv", os.replace, []

    def replace(old: Any, new: Any) -> None:
        if Path(new).name.startswith("part-000002-"):
            failed.append(new)
            if fatal:
                raise OSError(errno.ENOSPC, "No space left on device")
            raise InputError("the store does not answer")
        real(old, new)

    monkeypatch.setattr(os, "replace", replace)
    summary, errors = make(source, output, fails=True, threads=1, resume=True)
    said = f"{output}: cannot write: No space left" if fatal else "the store does not answer"
    assert said in errors
    assert len(failed) == 1
    parts = len(json.loads((tmp_path / "o.csv.parts" / PLAN).read_text())["ranges"])
    assert len(records(output)) == (2 if fatal else parts - 1)
    assert summary.puzzles == sum(counted(each) for each in records(output))
    assert f"{len(records(output))} of {parts} parts are done" in (summary.resume or "")
    assert summary.complete  # it was not interrupted
    assert not output.exists()
    monkeypatch.undo()
    make(source, output, resume=True)
    assert output.read_bytes() == whole


def test_an_input_that_vanishes_fails_alone(source, tmp_path, monkeypatch):
    other, last = tmp_path / "other.txt", tmp_path / "p.txt"
    for path in (other, last):
        path.write_bytes(part_inputs.text(300, 2))
    real = os.replace

    def replace(old: Any, new: Any) -> None:
        other.unlink(missing_ok=True)  # after the plan is made
        real(old, new)

    monkeypatch.setattr(os, "replace", replace)
    summary, errors = make([source, other, last], tmp_path / "o.csv", fails=True, resume=True)
    assert errors == f"{other}: No such file or directory"  # once, not for each part
    plan = json.loads((tmp_path / "o.csv.parts" / PLAN).read_text())
    assert len(records(tmp_path / "o.csv")) == sum(cut[0] != 1 for cut in plan["ranges"])
    assert [each.puzzles > 0 for each in summary.files] == [True, False, True]
    assert not (tmp_path / "o.csv").exists()


@pytest.mark.parametrize("resume", [True, False])
def test_an_input_that_is_gone_is_named_and_its_parts_stay(source, tmp_path, resume):
    part_inputs.stopped(source, tmp_path / "o.csv")
    before = contents(tmp_path / "o.csv.parts")
    source.unlink()
    with pytest.raises(InputError, match=r"in\.txt: No such file"):
        check_file(source, tmp_path / "o.csv", resume=resume, part_bytes=4000)
    assert contents(tmp_path / "o.csv.parts") == before


@pytest.mark.parametrize("names", [["absent.txt", "in.txt"], ["in.txt", "absent.txt"]])
def test_a_missing_input_is_reported_and_the_others_are_kept(source, tmp_path, whole, names):
    summary, errors = make([tmp_path / name for name in names], tmp_path / "o.csv", fails=True)
    assert errors == f"{tmp_path}/absent.txt: No such file or directory"
    assert [each.file for each in summary.files] == [f"{tmp_path}/{name}" for name in names]
    assert summary.partial == [f"{tmp_path}/o.csv.partial"]
    assert (tmp_path / "o.csv.partial").read_bytes().count(b"\n") == whole.count(b"\n")
    assert listing(tmp_path) == ["in.txt", "o.csv.partial"]


def test_a_folder_keeps_the_parts_of_what_can_be_read(source, tmp_path):
    (tmp_path / "a.txt").write_bytes(bytes(1000))
    summary, errors = make([tmp_path / "a.txt", source], f"{tmp_path}/o/", fails=True, to="csv")
    assert errors == f"{tmp_path}/a.txt: expected UTF-8 or ASCII text, found binary data"
    assert summary.partial == [f"{tmp_path}/o"]
    assert PLAN in listing(tmp_path / "o")


@pytest.mark.parametrize("when", ["before", "while"])
def test_an_input_that_changes_is_named(source, tmp_path, monkeypatch, when):
    output, real = tmp_path / "o.csv", os.replace

    def change() -> None:
        with source.open("ab") as stream:
            stream.write(b"more\n")

    def replace(old: Any, new: Any) -> None:
        name = Path(new).name
        if name == PLAN if when == "before" else name.startswith("part-") and name.endswith(".json"):
            change()
        real(old, new)

    monkeypatch.setattr(os, "replace", replace)
    summary, errors = make(source, output, fails=True, resume=True)
    size = f"{len(part_inputs.text(600)):,}"
    assert f"{source}: has changed while it was read: it had {size} bytes, now " in errors
    assert (summary.resume is None) == (when == "before")
    assert not (tmp_path / "o.csv").exists()


def test_the_damage_of_an_input_is_reported_after_a_restart_too(source, tmp_path):
    """The damaged part is done: it has the rows before the damage, and its record the error."""
    broken = tmp_path / "broken.txt.gz"
    broken.write_bytes(gzip.compress(source.read_bytes())[:-500])
    _, once = make([broken, source], tmp_path / "once.txt", fails=True)
    assert "broken.txt.gz: gzip: the data end early" in once
    output = tmp_path / "o.txt"
    part_inputs.stopped([broken, source], output, 3)
    first = records(output)[0]
    stamp = first.stat().st_mtime_ns
    assert "the data end early" in first.read_text()
    made: list[int] = []

    def progress(_: object) -> None:
        if first.exists():
            made.append(first.stat().st_mtime_ns)

    summary, again = make([broken, source], output, fails=True, resume=True, progress=progress)
    assert set(made) == {stamp}
    assert again == once
    assert summary.resume is None
    check_file(source, output=tmp_path / "whole.txt")
    rows, whole = (tmp_path / "o.txt.partial").read_bytes(), (tmp_path / "whole.txt").read_bytes()
    assert rows == (tmp_path / "once.txt.partial").read_bytes()
    assert not output.exists()
    assert len(rows) > len(whole) + 10_000
    assert not Path(f"{output}.parts").exists()


def test_a_part_that_is_stopped_within_is_not_done(tmp_path):
    """It has some of its rows only, without an error, and must not count as done."""
    source, output = tmp_path / "in.txt", tmp_path / "o.txt"
    source.write_text(f"{part_inputs.SOLVED}\n" * 2000 + "." * 81 + "\n")
    cancel = Cancel()

    def progress(_: object) -> None:
        third = any("part-000002" in name for name in listing(Path(f"{output}.parts")))
        if third and len(records(output)) == 2:  # puzzles count before their part is done
            cancel.set()

    timer = threading.Timer(200, cancel.set)
    timer.start()
    stopped = check_file(
        source,
        output=output,
        limit=None,
        budget=2**60,  # with a budget, solutions are counted one by one: this search does not end
        resume=True,
        part_bytes=82 * 1000,
        progress=progress,
        cancel=cancel,
        threads=2,
    )
    timer.cancel()
    assert not stopped.complete
    assert len(records(output)) == 2
    assert stopped.puzzles == 2000 == stopped.unique
    assert "2 of 3 parts" in (stopped.resume or "")
    assert not output.exists()


@pytest.mark.parametrize("name", ["o.csv", "folder"])
def test_killed_while_it_is_cleaned_up(source, tmp_path, whole, monkeypatch, name):
    output = tmp_path / name
    options: dict[str, Any] = {"resume": True}
    if name == "folder":
        output.mkdir()
        options["to"] = "csv"
    removed: list[str] = []
    real = os.unlink

    def unlink(path: Any, *args: Any, **more: Any) -> None:
        if len(removed) == 5:
            raise KeyboardInterrupt
        removed.append(Path(path).name)
        real(path, *args, **more)

    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", unlink)
        with pytest.raises(KeyboardInterrupt):
            make(source, output, **options)
    assert all(each.endswith(".json") for each in removed)  # a part without its record does not exist
    make(source, output, **options)
    if name == "folder":
        parts = [each.read_bytes() for each in sorted(output.iterdir())]
        head = parts[0].split(b"\n")[0] + b"\n"
        assert head + b"".join(part.removeprefix(head) for part in parts) == whole
    else:
        assert output.read_bytes() == whole
        assert listing(tmp_path) == ["in.txt", name]


def test_two_runs_of_one_output(source, tmp_path):
    pytest.importorskip("fcntl")
    hard = tmp_path / "hard.txt"
    hard.write_text(("." * 81 + "\n") * 3)
    output = tmp_path / "o.csv"
    command = ["check", hard, "-o", output, "--resume", "--limit", "all"]
    command += ["--budget", 2**60]  # with one, solutions are counted one by one: this run does not end
    with started(*command, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        wait_for((tmp_path / "o.csv.parts" / PLAN).exists, process)
        for resume in (True, False):
            with pytest.raises(OutputError, match=r"o\.csv: cannot write: another run is writing it"):
                check_file(source, output=output, part_bytes=4000, resume=resume)
    check_file(source, output=output, part_bytes=4000)  # the lock is gone with the process
    assert listing(tmp_path) == ["hard.txt", "in.txt", "o.csv"]


@pytest.mark.parametrize("name", ["o.csv", "o/"])
def test_a_link_to_nowhere_is_no_folder_of_parts(source, tmp_path, name):
    (tmp_path / ("o" if name == "o/" else "o.csv.parts")).symlink_to("nowhere")
    with pytest.raises(OutputError, match="cannot write: File exists"):
        check_file(source, output=f"{tmp_path}/{name}", to="csv", resume=True)


def test_from_and_to_another_file_system(source, whole):
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe_file("/job/in.txt", source.read_bytes())
    make("memory://job/in.txt", "memory://job/out.csv", resume=True)  # type: ignore[arg-type]
    assert memory.cat_file("/job/out.csv") == whole
    assert sorted(memory.ls("/job", detail=False)) == ["/job/in.txt", "/job/out.csv"]


def test_a_store_that_fails_for_a_time(source, tmp_path, monkeypatch):
    """The input is not damaged, so its range must not count as done."""
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe_file("/store/in.txt", source.read_bytes())
    inputs: list[Any] = [source, "memory://store/in.txt"]
    check_file(inputs, output=tmp_path / "whole.csv")
    output, real = tmp_path / "o.csv", type(memory).cat_file

    def cat_file(self: Any, path: str, start: int, end: int, **more: Any) -> bytes:
        if end - start > 20_000 and Path(f"{output}.parts", PLAN).exists():
            raise OSError(errno.ETIMEDOUT, "Connection timed out")
        data: bytes = real(self, path, start, end, **more)
        return data

    monkeypatch.setattr(type(memory), "cat_file", cat_file)
    summary, errors = make(inputs, output, fails=True, resume=True, threads=1, part_bytes=1 << 20)
    assert "Connection timed out" in errors
    assert "1 of 2 parts are done" in (summary.resume or "")
    assert not output.exists()
    monkeypatch.undo()
    make(inputs, output, resume=True, part_bytes=1 << 20)
    assert output.read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_lines_that_cannot_be_counted_for_a_time(source, tmp_path, whole, monkeypatch):
    real, failed = runner.count_lines, []

    def count(*given: Any) -> int:
        failed.append(given)
        if len(failed) == 1:
            raise InputError("the store does not answer")
        return real(*given)

    monkeypatch.setattr(runner, "count_lines", count)
    make(source, tmp_path / "o.csv")
    assert (tmp_path / "o.csv").read_bytes() == whole


def test_an_archive_is_one_part(source, tmp_path):
    archive = tmp_path / "in.tar"
    with tarfile.open(archive, "w") as tar:
        for name in ("a.txt", "b.txt"):
            tar.add(source, name)
    check_file([archive, source], output=tmp_path / "whole.csv")
    part_inputs.stopped([archive, source], tmp_path / "o.csv", 2)
    summary, _ = make([archive, source], tmp_path / "o.csv", resume=True)
    assert (tmp_path / "o.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    names = [f"{archive}!a.txt", f"{archive}!b.txt", str(source)]
    assert [(each.file, each.puzzles) for each in summary.files if each.puzzles] == [
        (name, summary.puzzles // 3) for name in names
    ]


def test_what_cannot_be_made_in_parts(source, tmp_path):
    with source.open("rb") as stream:
        for given, output in (
            (stream, tmp_path / "o.csv"),
            ("-", tmp_path / "o.csv"),
            (source, None),
            (source, "-"),
        ):
            with pytest.raises(InputError, match="be made in parts: --resume, --cluster and"):
                check_file(given, output=output, resume=True)
    with pytest.raises(OutputError, match="is an input; it cannot be the output too"):
        make(source, source)


@pytest.mark.skipif(os.name == "nt", reason="needs named pipes")
def test_a_pipe_with_a_name_is_no_part_of_a_run_in_parts(tmp_path):
    """It can be read once, and is not replaced."""
    pipe, few = tmp_path / "pipe", tmp_path / "few.txt"
    os.mkfifo(pipe)
    few.write_text(f"{'.' * 81}\n")
    before = listing(tmp_path)
    with open(pipe, "r+b", buffering=0):  # so that nobody waits for the other end
        for output in (tmp_path / "o.csv", f"{tmp_path}/o/"):
            with pytest.raises(InputError, match=r"pipe: not a plain file; only files and URLs can be cut"):
                check_file(pipe, output=output, to="csv", part_bytes=1000)
        with pytest.raises(InputError, match="be made in parts: --resume, --cluster and"):
            check_file(few, output=pipe, to="csv", resume=True)
    assert listing(tmp_path) == before


def test_progress_covers_all_parts(source, tmp_path):
    seen: list[Any] = []
    part_inputs.stopped(source, tmp_path / "o.csv", 5)
    summary, _ = make(source, tmp_path / "o.csv", resume=True, progress=seen.append)
    seen = [each for each in seen if not each.phase]  # before the parts are joined
    assert seen[-1].done == seen[-1].total == source.stat().st_size
    assert (seen[-1].puzzles, seen[-1].earlier) == (summary.puzzles, summary.earlier)
    assert [each.done for each in seen] == sorted(each.done for each in seen)
