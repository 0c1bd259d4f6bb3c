"""Every call to the disk fails in turn, and the process dies at every call.

Afterwards no file of others has changed, and the same command gives the undisturbed bytes and leaves nothing
else, with and without ``--resume``.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import shard_inputs
from faulty_disk import FaultyDisk, Inline

from unidoku import CheckOptions, convert_file, dedupe_file
from unidoku.errors import InputError
from unidoku.shards import process
from unidoku.shards.executors import Workers
from unidoku.shards.job import Job, Report

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="counts the calls of a POSIX system"),
    # A process that dies closes no files.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

JOBS = {
    "o.txt": {"invalid": True},
    "o.csv.gz": {"invalid": True},
    "o.jsonl.zst": {},
    "o.parquet": {"invalid": True},
    "o.arrow": {},
    "folder/": {"suffix": ".csv"},
    "o.csv": {"target": 1 << 20},  # one part, which becomes the output
    "p.txt": {"target": 1 << 20},
}
FAULTS = ["once", "on", "death"]
FOREIGN = [
    "o.csv.bak",
    ".unidoku-0123456789ab-o.csv",
    ".unidoku-0123456789ab-i.txt",
    "o.txt.tmp",
    "part-1.csv",
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in" / "in.txt"
    path.parent.mkdir()
    path.write_bytes(shard_inputs.text(30))
    return path


@contextmanager
def inline() -> Iterator[Workers]:
    yield Workers(Inline(), width=1)


class Case:
    """One job in a folder of its own, beside files of others."""

    def __init__(self, source: Path, folder: Path, name: str) -> None:
        options = dict(JOBS[name])
        self.target = options.pop("target", 600)
        self.wants_invalid = options.pop("invalid", False)
        self.suffix = options.pop("suffix", ".parquet")
        self.source, self.folder, self.name = source, folder, name
        folder.mkdir()
        for other in FOREIGN:
            (folder / other).write_bytes(b"precious")
        if not name.endswith(("/", ".parquet")):
            (folder / name).write_bytes(b"an earlier output")

    def run(self, resume: bool = False) -> Report:
        invalid = str(self.folder / "i.txt") if self.wants_invalid else None
        output = f"{self.folder}/{self.name}"
        job = Job(
            [str(self.source)], output, CheckOptions(), self.target, invalid=invalid, suffix=self.suffix
        )  # type: ignore[arg-type]
        return job.run(inline, resume=resume)

    def content(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        }

    def check_foreign(self) -> None:
        content = self.content()
        assert all(content.get(name) == b"precious" for name in FOREIGN)


def survives(source: Path, tmp_path: Path, name: str, fault: str, step: int) -> None:
    """Let the calls of one job go wrong, every one or every few."""
    whole = Case(source, tmp_path / "whole", name)
    with FaultyDisk().mounted() as disk:
        assert whole.run().complete
    whole.check_foreign()
    wanted = whole.content()
    assert disk.calls > 60
    before = source.read_bytes()
    # Other calls for each fault, so that together they are all calls.
    numbers = range((sum(name.encode()) + FAULTS.index(fault)) % step, disk.calls, step)
    for number, resume in zip(numbers, itertools.cycle([True, False, True]), strict=False):
        case = Case(source, tmp_path / str(number), name)
        with FaultyDisk(fault, number).mounted() as disk:
            case.run()
        case.check_foreign()
        report = case.run(resume)
        assert report.complete, (number, disk.log[number], report.problems)
        assert case.content() == wanted, (number, disk.log[number])
        assert source.read_bytes() == before


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_PAUSE", 0)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", JOBS)
def test_some_calls_go_wrong(source: Path, tmp_path: Path, name: str, fault: str) -> None:
    survives(source, tmp_path, name, fault, 101)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", JOBS)
def test_many_calls_go_wrong(source: Path, tmp_path: Path, name: str, fault: str) -> None:
    survives(source, tmp_path, name, fault, 3)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("suffix", [".txt", ".csv.gz", ".arrow", ".parquet", ".sdk"])
@pytest.mark.parametrize("command", [convert_file, dedupe_file])
@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_a_conversion_is_complete_or_did_not_happen(
    source: Path, tmp_path: Path, *, command: object, suffix: str, fault: str, step: int
) -> None:
    lines = [line for line in source.read_text().splitlines() if len(line) == 81]
    source.write_text("\n".join(lines * 2) + "\n")
    output, other = tmp_path / "in" / f"o{suffix}", tmp_path / "in" / f".unidoku-0123456789ab-o{suffix}"
    with FaultyDisk().mounted() as disk:
        command(source, output)  # type: ignore[operator]
    wanted, before = output.read_bytes(), source.read_bytes()
    other.write_bytes(b"precious")
    for number in range(step // 2, disk.calls, step):
        output.write_bytes(b"an earlier output")
        with FaultyDisk(fault, number).mounted() as disk:
            command(source, output)  # type: ignore[operator]
        if not isinstance(disk.error, InputError):  # what could be read of a damaged input is kept
            assert output.read_bytes() in (b"an earlier output", wanted), disk.log[number]
        command(source, output)  # type: ignore[operator]
        assert output.read_bytes() == wanted
        assert source.read_bytes() == before
        assert other.read_bytes() == b"precious"
        assert sorted(os.listdir(tmp_path / "in")) == sorted(["in.txt", output.name, other.name]), disk.log[
            number
        ]
