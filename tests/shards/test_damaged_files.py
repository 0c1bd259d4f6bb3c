"""Manifests and commit records are validated as a whole."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import shard_inputs
from command import run

from unidoku import CheckOptions
from unidoku.errors import ResumeError
from unidoku.run.summary import COUNTS
from unidoku.shards.executors import local_threads
from unidoku.shards.job import Job
from unidoku.shards.manifest import MANIFEST, commit_name

Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.txt"
    path.write_bytes(shard_inputs.text(600))
    return path


@pytest.fixture
def job(source: Path, tmp_path: Path) -> Job:
    return shard_inputs.killed(source, tmp_path / "o.csv")


def refused(job: Job, resume: bool = True) -> str:
    """The message of a command that resumes the job; nothing may have changed."""
    parts = Path(job.parts)
    before = {path.name: path.read_bytes() for path in parts.iterdir()}
    arguments = ["check", job.plan.inputs[0].url, "--output", job.output, "--shard-bytes", "4000"]
    done = run(*arguments, *(["--resume"] if resume else []), code=2)
    assert not Path(job.output).exists()
    assert {path.name: path.read_bytes() for path in parts.iterdir()} == before
    return done.stderr


def put(**values: Any) -> Change:
    return lambda data: data.update(values)


def option(**values: Any) -> Change:
    return lambda data: data["options"].update(values)


def counts(**values: Any) -> Change:
    return lambda data: data["counts"].update(values)


NESTED = "[" * 100_000 + "]" * 100_000

BROKEN = [
    b"",
    b"{torn",
    b"null",
    b"[]",
    b"3",
    b'"x"',
    b"{}",
    b"\xff\xfe",
    NESTED.encode(),
    b"NaN",
    b"1" * 5000,
]


@pytest.mark.parametrize("content", BROKEN, ids=range(len(BROKEN)))
def test_invalid_manifests(job: Job, content: bytes) -> None:
    (Path(job.parts) / MANIFEST).write_bytes(content)
    for resume in (True, False):
        assert f"o.csv.parts/{MANIFEST}: not a manifest of unidoku: " in refused(job, resume)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("unidoku"),
        lambda data: data.pop("shards"),
        put(extra=1),
        put(unidoku=3),
        put(unidoku="\ud800"),
        put(inputs={}),
        put(inputs=[3]),
        put(inputs=[{"url": "x"}]),
        lambda data: data["inputs"][0].update(size=-2),
        lambda data: data["inputs"][0].update(size=2**63),
        lambda data: data["inputs"][0].update(sample=None),
        put(options=None),
        option(limit="2"),
        option(limit=0),
        option(limit=True),
        option(only=["some"]),
        option(only=["none"] * 6),
        lambda data: data["format"].update(suffix="/../../x"),
        lambda data: data["format"].update(suffix=".csv/../../x"),
        put(format=None),
        option(max_ratio="high"),
        option(strict=0),
        option(more=1),
        put(totals={}),
        put(totals=dict.fromkeys(COUNTS, 0)),
        put(by_input=[dict.fromkeys(COUNTS, 0)]),
        put(totals=dict.fromkeys(COUNTS, 0), by_input=[]),
        put(totals=dict.fromkeys(COUNTS, 1), by_input=[dict.fromkeys(COUNTS, 1)]),
        put(target_bytes=0),
        put(target_bytes=1.5),
        put(shards=None),
        put(shards=["../../../etc/passwd"]),
        put(shards=["000000-0123456789ab/../x"]),
        put(shards=[["000000-0123456789ab"]]),
    ],
)
def test_manifests_that_do_not_fit(job: Job, change: Change) -> None:
    path = Path(job.parts) / MANIFEST
    data = json.loads(path.read_bytes())
    change(data)
    path.write_text(json.dumps(data))
    for resume in (True, False):
        assert "not a manifest of unidoku: " in refused(job, resume)


def test_the_manifest_of_other_shards(job: Job) -> None:
    path = Path(job.parts) / MANIFEST
    data = json.loads(path.read_bytes())
    data["shards"][-1] = "000099-0123456789ab"
    path.write_text(json.dumps(data))
    assert "o.csv: cannot resume: its shards are others" in refused(job)


@pytest.mark.parametrize("content", BROKEN, ids=range(len(BROKEN)))
def test_invalid_commit_records(job: Job, content: bytes) -> None:
    name = commit_name(job.plan.shards[1].id)
    (Path(job.parts) / name).write_bytes(content)
    assert f"o.csv.parts/{name}: not the commit record of its part: " in refused(job)


@pytest.mark.parametrize(
    "change",
    [
        put(part="../../in.txt"),
        put(part="/etc/passwd"),
        put(part="part-other.csv"),
        put(part=None),
        put(id="000000-0123456789ab"),
        lambda data: data.pop("part"),
        put(extra=1),
        put(size=-1),
        put(size="big"),
        put(size=2**63),
        put(lines=1.0),
        put(lines=-1),
        put(counts=[]),
        counts(unique="many"),
        counts(unique=-1),
        counts(puzzles=10**9),
        counts(other=1),
        lambda data: data["counts"].pop("wrong"),
        put(last=None),
        put(columns="x"),
        put(columns=[1]),
        put(columns=["\udfff"]),
        put(rejects=[["message", 1]]),
        put(rejects=[[1, 1, 1]]),
        put(rejects=[["message", 1, 1]] * 21),
        put(mismatches=None),
        put(error="x"),
        put(error=["InputError", "x", "y", None]),
    ],
)
def test_commit_records_that_do_not_fit(job: Job, change: Change) -> None:
    path = Path(job.parts) / commit_name(job.plan.shards[1].id)
    data = json.loads(path.read_bytes())
    change(data)
    path.write_text(json.dumps(data))
    assert "not the commit record of its part: " in refused(job)


def test_the_record_of_another_shard(job: Job) -> None:
    first, second = (Path(job.parts) / commit_name(job.plan.shards[number].id) for number in (0, 1))
    first.write_bytes(second.read_bytes())
    assert "not the commit record of its part: id is not " in refused(job)


def test_without_resume_damaged_commit_records_are_removed(job: Job) -> None:
    (Path(job.parts) / commit_name(job.plan.shards[1].id)).write_bytes(b"{torn")
    assert job.run(lambda: local_threads(1, 9)).complete
    assert not Path(job.parts).exists()


def test_a_part_of_another_size_is_done_again(job: Job, tmp_path: Path) -> None:
    Job([job.plan.inputs[0].url], str(tmp_path / "whole.csv"), CheckOptions()).run(
        lambda: local_threads(1, 9)
    )
    part = Path(job.parts) / job.files[-len(job.plan.shards)]
    part.write_bytes(part.read_bytes() + b"more")
    report = job.run(lambda: local_threads(1, 9), resume=True)
    assert report.complete
    assert (tmp_path / "o.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


@pytest.mark.parametrize(
    ("begin", "message"),
    [
        (b"", r"has more than \d+ bytes"),
        (b'{"puzzles": ', "not a manifest of unidoku: it does not begin with a version"),  # not read further
    ],
)
def test_files_of_absurd_size(job: Job, begin: bytes, message: str) -> None:
    with (Path(job.parts) / MANIFEST).open("r+b") as stream:
        stream.write(begin)
        os.truncate(stream.fileno(), 1 << 32)
    with pytest.raises(ResumeError, match=message):
        job.run(lambda: local_threads(1, 9), resume=True)
