"""Jobs: started, resumed, refused, ended early."""

from __future__ import annotations

import errno
import gzip
import json
import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import shard_inputs

from unidoku import Cancel, CheckOptions, check_file
from unidoku.errors import InputError, OutputError, ResumeError, UnidokuError
from unidoku.files import atomic, storage
from unidoku.files.atomic import open_folder
from unidoku.shards.driver import Outcome
from unidoku.shards.executors import Shared, Workers, local_threads
from unidoku.shards.job import Job, Report
from unidoku.shards.manifest import MANIFEST, committed, total
from unidoku.shards.plan import PartFormat, Shard, plan_shards
from unidoku.shards.process import Failure, attempt, process_shard


def pool() -> AbstractContextManager[Workers]:
    return local_threads(2, 9)


@contextmanager
def without_pause() -> Iterator[Workers]:
    with pool() as workers:
        yield replace(workers, pause=0)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.txt"
    path.write_bytes(shard_inputs.text(600))
    return path


def make(
    inputs: list[Path], output: Path, target: int = 4000, *, resume: bool = False, **options: Any
) -> Report:
    suffix = options.pop("suffix", ".parquet")
    job = Job([str(path) for path in inputs], str(output), CheckOptions(**options), target, suffix=suffix)
    return job.run(pool, resume=resume)


def problems(report: Report) -> str:
    return "\n".join(map(str, report.problems))


def interrupt_after(job: Job, shards: int) -> None:
    """Run a job and end it with Ctrl-C after some shards."""

    def progress(outcome: Outcome) -> None:
        if len(outcome.commits) >= shards:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        job.run(lambda: local_threads(1, 9), progress=progress)


@pytest.mark.parametrize("suffix", [".txt", ".csv", ".jsonl", ".csv.gz", ".jsonl.xz", ".txt.bz2"])
def test_many_shards_give_the_bytes_of_one(source: Path, tmp_path: Path, suffix: str) -> None:
    whole, parts = tmp_path / f"whole{suffix}", tmp_path / f"parts{suffix}"
    one, many = make([source], whole, 1 << 30), make([source], parts)
    assert one.shards == 1
    assert many.shards > 10
    assert one.summary.counts(verified=True) == many.summary.counts(verified=True)
    assert read(whole) == read(parts)
    if ".csv" in suffix:
        assert read(parts).count(b"verdict") == 1
    assert sorted(os.listdir(tmp_path)) == sorted(
        [
            "in.txt",
            *(f"{name}{suffix}" for name in ("whole", "parts")),
        ]
    )


def read(path: Path) -> bytes:
    import bz2
    import lzma

    opener = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}.get(path.suffix, open)
    with opener(path, "rb") as stream:
        data = stream.read()
    assert isinstance(data, bytes)
    return data


def test_line_numbers_are_those_of_the_file(source: Path, tmp_path: Path) -> None:
    output = tmp_path / "o.jsonl"
    make([source], output, 500)
    lines = source.read_bytes().splitlines()
    rows = [json.loads(row) for row in output.read_text().splitlines()]
    assert len(rows) > 500
    for row in rows:
        assert lines[row["line"] - 1].decode().startswith(row["puzzle"][:81])


def test_the_manifest_describes_an_unfinished_output(source: Path, tmp_path: Path) -> None:
    job = Job([str(source)], str(tmp_path / "o.csv"), CheckOptions(), 4000)
    interrupt_after(job, 5)
    manifest = json.loads((tmp_path / "o.csv.parts" / MANIFEST).read_text())
    assert manifest["inputs"][0]["url"] == str(source)
    assert manifest["options"]["stage"]["limit"] == 2
    assert manifest["shards"] == [shard.id for shard in job.plan.shards]
    assert job.run(pool, resume=True).complete
    assert sorted(os.listdir(tmp_path)) == ["in.txt", "o.csv"]


def test_interrupted_and_resumed(source: Path, tmp_path: Path) -> None:
    output = tmp_path / "o.csv"
    make([source], tmp_path / "whole.csv")
    job = Job([str(source)], str(output), CheckOptions(), 4000)
    interrupt_after(job, 5)
    assert not output.exists()
    earlier = committed(job.plan, open_folder(job.parts))
    assert 5 <= len(earlier) < len(job.plan.shards)
    report = make([source], output, resume=True)
    assert report.skipped == len(earlier)
    assert 0 < report.summary.earlier == total(earlier.values())["puzzles"] < report.summary.puzzles
    every = report.summary.counts(verified=True)
    assert [each.counts(verified=True) for each in report.summary.files] == [every]
    assert output.read_bytes() == (tmp_path / "whole.csv").read_bytes()
    again = make([source], output, resume=True)  # nothing remains that could be resumed
    assert again.complete
    assert again.skipped == again.summary.earlier == 0
    assert output.read_bytes() == (tmp_path / "whole.csv").read_bytes()


@pytest.mark.parametrize("name", ["o.csv", "folder"])
def test_killed_when_the_output_is_complete(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    output = tmp_path / name
    if name == "folder":
        output.mkdir()
    job = Job([str(source)], str(output), CheckOptions(), 4000, suffix=".csv")
    with monkeypatch.context() as patch:
        patch.setattr(job, "_clean", refuse)
        with pytest.raises(KeyboardInterrupt):
            job.run(pool)
    commit_names = sorted(Path(job.parts).glob("part-*.json"))
    commit_names[0].unlink()  # the removal had begun
    monkeypatch.setattr("unidoku.shards.process.Run", refuse)
    report = job.run(pool, resume=True)
    assert report.complete
    assert report.summary.puzzles == report.summary.earlier > 500
    every = report.summary.counts(verified=True)
    assert [each.counts(verified=True) for each in report.summary.files] == [every]
    if name == "folder":
        assert sorted(os.listdir(output)) == sorted(job.files[-report.shards :])
    else:
        assert sorted(os.listdir(tmp_path)) == ["in.txt", name]


@pytest.mark.parametrize("name", ["o.csv", "folder"])
def test_a_complete_output_that_is_gone_is_made_again(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    output = tmp_path / name
    if name == "folder":
        output.mkdir()
    job = Job([str(source)], str(output), CheckOptions(), 4000, suffix=".csv")
    with monkeypatch.context() as patch:
        patch.setattr(job, "_clean", refuse)
        with pytest.raises(KeyboardInterrupt):
            job.run(pool)
    gone = output if name == "o.csv" else min(output.glob("part-*.csv"))
    content = gone.read_bytes()
    gone.unlink()
    assert job.run(pool, resume=True).complete
    assert gone.read_bytes() == content


def refuse(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_the_speed_is_that_of_the_resumed_run(source: Path, tmp_path: Path) -> None:
    output = tmp_path / "o.csv"
    job = Job([str(source)], str(output), CheckOptions(), 4000)
    interrupt_after(job, 5)
    summary = check_file(source, output=output, shard_bytes=4000, resume=True)
    assert 0 < summary.earlier < summary.puzzles
    speed = (summary.puzzles - summary.earlier) / summary.seconds
    assert summary.puzzles_per_second == pytest.approx(speed)
    assert summary.files[0].puzzles == summary.puzzles


def test_resume_without_a_beginning_begins(source: Path, tmp_path: Path) -> None:
    assert make([source], tmp_path / "o.csv", resume=True).complete


def test_without_resume_it_starts_again(source: Path, tmp_path: Path) -> None:
    output = tmp_path / "o.csv"
    interrupt_after(Job([str(source)], str(output), CheckOptions(), 4000), 5)
    report = make([source], output)
    assert report.complete
    assert report.skipped == 0


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("limit", "begun with limit 2, now it is 7"),
        ("only", r'begun with only unset, now it is \["none"\]'),
        ("another input", "its inputs were in.txt, now other.txt"),
        ("more inputs", "its inputs were in.txt, now in.txt, in.txt"),
        ("content", "content of .*in.txt has changed"),
        ("time", "time of last change of .*in.txt has changed"),
        ("growth", "size of .*in.txt has changed"),
        ("shards", "its shards have 4000 bytes, now 5000"),
        ("messages", "begun with invalid false, now it is true"),
        ("version", "begun by unidoku 0.0.0.other"),
    ],
)
def test_other_options_or_another_input_are_refused(
    source: Path, tmp_path: Path, what: str, said: str
) -> None:
    output = tmp_path / "o.csv"
    interrupt_after(Job([str(source)], str(output), CheckOptions(), 4000), 5)
    inputs, target, options = [source], 4000, {}
    stamp = source.stat().st_mtime_ns
    if what == "limit":
        options = {"limit": 7}
    elif what == "only":
        options = {"only": ("none",)}
    elif what == "another input":
        inputs = [source.rename(tmp_path / "other.txt")]
    elif what == "more inputs":
        inputs = [source, source]
    elif what == "content":
        source.write_bytes(b"1" + source.read_bytes()[1:])
        os.utime(source, ns=(stamp, stamp))
    elif what == "time":
        os.utime(source, ns=(1, 1))
    elif what == "growth":
        with source.open("ab") as stream:
            stream.write(b"\n")
    elif what == "shards":
        target = 5000
    elif what == "version":
        manifest = tmp_path / "o.csv.parts" / MANIFEST
        manifest.write_text(manifest.read_text().replace('"unidoku": "', '"unidoku": "0.0.0.other'))
    before = sorted(os.listdir(tmp_path / "o.csv.parts"))
    messages = str(tmp_path / "invalid.txt") if what == "messages" else None
    job = Job(list(map(str, inputs)), str(output), CheckOptions(**options), target, invalid=messages)
    with pytest.raises(ResumeError, match=said):
        job.run(pool, resume=True)
    assert sorted(os.listdir(tmp_path / "o.csv.parts")) == before


def test_a_full_disk(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "o.csv"
    make([source], tmp_path / "whole.csv")
    with monkeypatch.context() as patch:
        full = FullAfter(9)
        for name in ("write", "write_path"):  # commit records, and parts
            patch.setattr(atomic.LocalFolder, name, full.wrap(getattr(atomic.LocalFolder, name)))
        report = make([source], output)
    assert not report.complete
    assert 0 < report.done < report.shards
    assert "No space left on device" in problems(report)
    assert not output.exists()
    names = os.listdir(tmp_path / "o.csv.parts")
    assert sum(name.endswith(".json") for name in names) == report.done + 1
    assert not [name for name in names if name.startswith(".unidoku-")]
    assert make([source], output, resume=True).complete
    assert output.read_bytes() == (tmp_path / "whole.csv").read_bytes()


class FullAfter:
    """A disk with room for some files and half of the next; the manifest always has room."""

    def __init__(self, files: int) -> None:
        self.files = files

    def wrap(self, original: Any) -> Any:
        """A method of `LocalFolder` that writes a file, on this disk."""

        @contextmanager
        def write(folder: atomic.LocalFolder, name: str) -> Iterator[Any]:
            with original(folder, name) as file:
                yield file
                self.files -= name != MANIFEST
                if self.files < 0 and name != MANIFEST:
                    raise OSError(errno.ENOSPC, "No space left on device")

        return write


def test_an_input_that_vanishes_fails_alone(source: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_bytes(shard_inputs.text(300, 2))
    job = Job([str(source), str(other)], str(tmp_path / "o.csv"), CheckOptions(), 4000)
    other.unlink()
    report = job.run(without_pause)
    assert not report.complete
    assert report.done == sum(shard.source.url == str(source) for shard in job.plan.shards)
    assert "other.txt: No such file" in problems(report)
    assert not (tmp_path / "o.csv").exists()


def test_a_file_that_grows_is_named(source: Path, tmp_path: Path) -> None:
    job = Job([str(source)], str(tmp_path / "o.csv"), CheckOptions(), 4000)
    with source.open("ab") as stream:
        stream.write(b"more\n")
    report = job.run(pool)
    assert not report.complete
    assert "in.txt: has changed since the run began" in problems(report)


def test_a_truncated_gzip_is_named(source: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.txt.gz"
    broken.write_bytes(gzip.compress(source.read_bytes())[:-500])
    report = make([broken, source], tmp_path / "o.txt")
    assert not report.complete
    assert report.done == report.shards - 1
    assert "broken.txt.gz: gzip: the data end early" in problems(report)
    # what could be read is there, before and after the damage
    make([source], tmp_path / "whole.txt")
    whole, got = ((tmp_path / name).read_bytes() for name in ("whole.txt", "o.txt"))
    assert report.written
    assert len(got) > len(whole) + 10_000
    assert got.endswith(whole)
    assert whole.startswith(got[: -len(whole)])


def test_a_second_run_is_refused(source: Path, tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    output = tmp_path / "o.csv"
    job = Job([str(source)], str(output), CheckOptions(), 4000)
    with job._locked(), pytest.raises(OutputError, match=r"o\.csv: another run is writing it"):
        make([source], output)


def test_input_and_output_must_differ(source: Path) -> None:
    with pytest.raises(OutputError, match="is an input; it cannot be the output too"):
        make([source], source)


def test_a_folder_keeps_its_parts(source: Path, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    report = make([source], folder, suffix=".jsonl")
    names = sorted(os.listdir(folder))
    assert len(names) == report.shards
    make([source], tmp_path / "whole.jsonl")
    joined = b"".join((folder / name).read_bytes() for name in names)
    assert joined == (tmp_path / "whole.jsonl").read_bytes()
    (folder / names[3]).write_bytes(b"changed by somebody")
    assert make([source], folder, suffix=".jsonl").complete
    assert b"".join((folder / name).read_bytes() for name in names) == joined
    assert sorted(os.listdir(folder)) == names


def test_from_and_to_another_file_system(source: Path, tmp_path: Path) -> None:
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe_file("/job/in.txt", source.read_bytes())
    job = Job(["memory://job/in.txt"], "memory://job/out.csv", CheckOptions(), 4000)
    assert job.run(pool).complete
    make([source], tmp_path / "o.csv")
    assert memory.cat_file("/job/out.csv") == (tmp_path / "o.csv").read_bytes()
    assert sorted(memory.ls("/job", detail=False)) == [
        "/job/in.txt",
        "/job/out.csv",
    ]


def test_a_cancelled_run_leaves_what_is_done_before_the_first_gap(source: Path, tmp_path: Path) -> None:
    make([source], tmp_path / "whole.txt")
    whole = (tmp_path / "whole.txt").read_bytes()
    output = tmp_path / "o.txt"
    cancel = Cancel()

    def progress(outcome: Outcome) -> None:
        if len(outcome.commits) >= 3:
            cancel.set()

    job = Job([str(source)], str(output), CheckOptions(), 4000)
    report = job.run(lambda: local_threads(2, 9), progress=progress, cancel=cancel)
    assert report.interrupted
    assert not report.complete
    assert 3 <= report.done < report.shards
    part = output.read_bytes()
    assert part.endswith(b"\n")
    assert whole.startswith(part)
    assert part.count(b"\n") == report.summary.puzzles
    assert make([source], output, resume=True).skipped == report.done
    assert output.read_bytes() == whole


def test_rows_after_a_gap_wait_for_the_run_that_closes_it(source: Path, tmp_path: Path) -> None:
    make([source], tmp_path / "whole.txt")
    whole = (tmp_path / "whole.txt").read_bytes()
    output, cancel = tmp_path / "o.txt", Cancel()
    job = Job([str(source)], str(output), CheckOptions(), 4000)
    third, others = job.plan.shards[2].id, threading.Semaphore(0)

    def work(shard: Shard, *settings: Any, **more: Any) -> Any:
        if shard.id == third:
            assert all(others.acquire(timeout=60) for _ in range(4))
            cancel.set()
            return Failure(UnidokuError("interrupted"), fatal=True, interrupted=True)
        commit = attempt(shard, *settings, **{**more, "cancel": None})
        others.release()
        return commit

    report = job.run(lambda: local_threads(6, 9), cancel=cancel, work=work)
    assert report.interrupted
    assert report.done >= 4  # also parts behind the third one
    part = output.read_bytes()
    assert whole.startswith(part)
    assert part.count(b"\n") == report.summary.puzzles
    assert make([source], output, resume=True).complete
    assert output.read_bytes() == whole


def test_a_url_is_an_input_without_an_output_too(source: Path) -> None:
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe_file("/plain/in.txt", source.read_bytes())
    memory.pipe_file("/plain/in.txt.gz", gzip.compress(source.read_bytes()))
    here = check_file(source)
    for url in ("memory://plain/in.txt", "memory://plain/in.txt.gz", source.as_uri()):
        there = check_file(url)
        assert (there.puzzles, there.unique, there.invalid) == (here.puzzles, here.unique, here.invalid)


def test_a_cluster_needs_an_output(source: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be run on a cluster: .* an output that is a file"):
        check_file(source, cluster="local:2")


def test_a_file_that_grows_while_it_is_read(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = Job([str(source)], str(tmp_path / "o.csv"), CheckOptions(), 4000)
    original = storage.ByteRange.readinto

    def growing(self: storage.ByteRange, buffer: Any) -> int:
        if self.tell() == 0 and self._start > 40_000:  # some shards are done by then
            with source.open("ab") as stream:
                stream.write(b"more\n")
        return original(self, buffer)

    monkeypatch.setattr(storage.ByteRange, "readinto", growing)
    report = job.run(pool)
    assert not report.complete
    assert 0 < report.done < report.shards
    assert "in.txt: has changed since the run began" in problems(report)


def test_parts_are_synced_while_other_shards_are_solved(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = Shared(threading.Semaphore(1))
    free = []

    def sync(handle: int) -> None:
        free.append(shared.turns.acquire(blocking=False))
        if free[-1]:
            shared.turns.release()

    monkeypatch.setattr(os, "fsync", sync)
    plan = plan_shards([str(source)], 4000, format=PartFormat(".csv", invalid=True))
    process_shard(plan.shards[0], plan.options, plan.format, str(tmp_path), shared=shared)
    assert len(free) > 2
    assert all(free)
