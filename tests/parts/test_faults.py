"""Every call to the disk fails in turn, and the process or the machine crashes at every call.

Afterwards no file of others has changed, and the same command gives the undisturbed bytes and leaves nothing
else, with and without ``--resume``.
"""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import part_inputs
import pytest
from faulty_disk import FAULTS, FaultyDisk
from readback import contents

from unidoku import Summary, check_file, convert_file, dedupe_file

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="counts the calls of a POSIX system"),
    # A process that crashes closes no files.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

ONE = 1 << 20  # bytes of a part that is the whole input
RUNS: dict[str, dict[str, Any]] = {
    "o.txt": {},
    "o.csv.gz": {},
    "o.jsonl.zst": {},
    "o.parquet": {},
    "o.arrow": {},
    "o.arrows": {},
    "folder/": {"to": "csv"},
    "p.txt": {"target": ONE},
    "p.arrow": {"target": ONE},
    "memory://o.txt": {},
    "memory://o.parquet": {},
}
FOREIGN = [
    "o.csv.bak",
    ".unidoku-0123456789ab-o.csv",
    "o.txt.tmp",
    "part-1.csv",
]
FEW = 67
"""In the quick tests, one of this number of calls goes wrong, and each case has one of the faults."""


def cases(few: int, *values: Iterable[Any]) -> list[Any]:
    """Combinations of values with a fault, and with the number of calls of which one goes wrong.

    In the slow tests every call fails, once or with all later ones, and at every call the process or the
    machine crashes: each fault takes every second call, and the next one the others.
    """
    combined = list(product(*values))
    quick = [(*case, FAULTS[number % len(FAULTS)], few) for number, case in enumerate(combined)]
    every = [pytest.param(*case, fault, 2, marks=pytest.mark.slow) for case in combined for fault in FAULTS]
    return quick + every


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in" / "in.txt"
    path.parent.mkdir()
    path.write_bytes(part_inputs.text(8))
    return path


@pytest.fixture
def thread() -> Iterator[ThreadPoolExecutor]:
    """A thread other than the main one: a run in it starts no threads, which cost time."""
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture(autouse=True)
def same_calls() -> Iterator[None]:
    """Let each run make the same calls: what a crashed one left is not collected during a later one."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the temporary files that a crashed run leaves be removed with the files of the test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


class Case:
    """One run in an emptied folder, beside files of others."""

    def __init__(self, source: Path, folder: Path, name: str) -> None:
        self.source, self.folder, self.name = source, folder, name
        self.remote = name.startswith("memory://")
        settings = RUNS[name]
        self.target = settings.get("target", 600)
        self.to = settings.get("to")
        if self.remote:
            self.store().clear()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for other in FOREIGN:
            self.put(other, b"precious")
        if not name.endswith(("/", ".parquet")):
            self.put(name.rpartition("/")[2], b"an earlier output")

    def store(self) -> dict[str, Any]:
        """What is in the memory of fsspec."""
        from fsspec.implementations.memory import MemoryFileSystem

        return MemoryFileSystem.store

    def put(self, name: str, data: bytes) -> None:
        """Make a file beside the output."""
        if self.remote:
            from fsspec.implementations.memory import MemoryFileSystem

            MemoryFileSystem().pipe_file(f"/{name}", data)
        else:
            (self.folder / name).write_bytes(data)

    def run(self, disk: FaultyDisk, *, resume: bool = False) -> Summary | None:
        """Make the output in parts, one after the other; None if an exception or a crash ended it."""
        output = self.name if self.remote else f"{self.folder}/{self.name}"
        with disk.mounted():
            return check_file(
                self.source,
                output=output,
                to=self.to,
                part_bytes=self.target,
                threads=1,
                resume=resume,
            )
        return None

    def content(self) -> dict[str, bytes | None]:
        """All files and folders beside the output."""
        if self.remote:
            return {name: file.getvalue() for name, file in self.store().items()}
        return contents(self.folder)

    def save(self) -> Callable[[], None]:
        """A function that brings back what is here now."""
        if self.remote:
            kept = dict(self.store())

            def restore_store() -> None:
                self.store().clear()
                self.store().update(kept)

            return restore_store
        saved = self.folder.with_name("saved")
        shutil.copytree(self.folder, saved)

        def restore() -> None:
            shutil.rmtree(self.folder)
            saved.rename(self.folder)

        return restore

    def check_foreign(self) -> None:
        """Make sure that the files of others are as they were."""
        content = self.content()
        assert all(content.get(f"/{name}" if self.remote else name) == b"precious" for name in FOREIGN)


@pytest.mark.parametrize(("name", "fault", "step"), cases(FEW, RUNS))
def test_a_run_survives(source, tmp_path, thread, *, name, fault, step):
    thread.submit(survive, source, tmp_path, name=name, fault=fault, step=step).result()


def survive(source: Path, tmp_path: Path, *, name: str, fault: str, step: int) -> None:
    """Let the calls of one run go wrong, every one or every few."""
    for _ in range(2):  # the first run imports modules
        case = Case(source, tmp_path / "out", name)
        recorded = FaultyDisk()
        assert case.run(recorded) is not None, recorded.error
    case.check_foreign()
    wanted = case.content()
    before = source.read_bytes()
    for number in numbers(name, fault, step, recorded.calls):
        case = Case(source, tmp_path / "out", name)
        disk = FaultyDisk(fault, number)
        case.run(disk)
        where = recorded.log[number]
        assert disk.log[number].split()[0] == where.split()[0]  # the call that was to go wrong did
        case.check_foreign()
        restore = case.save() if number % 3 == 0 else None
        finish(case, wanted, where, resume=True)
        if restore is not None:
            restore()
            finish(case, wanted, where, resume=False)
        assert source.read_bytes() == before


def numbers(name: str, fault: str, step: int, calls: int) -> range:
    """The calls that go wrong: others for each fault, so that also a few are of many kinds."""
    return range((sum(name.encode()) + FAULTS.index(fault)) % step, calls, step)


def finish(case: Case, wanted: dict[str, bytes | None], where: str, *, resume: bool) -> None:
    """Run it again, now without a fault."""
    disk = FaultyDisk()
    assert case.run(disk, resume=resume) is not None, (where, disk.error)
    assert case.content() == wanted, where


@pytest.mark.parametrize(
    ("command", "suffix", "fault", "step"),
    cases(5, [convert_file, dedupe_file], [".txt", ".csv.gz", ".arrow", ".parquet", ".sdk"]),
)
def test_a_conversion_is_atomic(source, tmp_path, thread, *, command, suffix, fault, step):
    thread.submit(convert, source, tmp_path, command=command, suffix=suffix, fault=fault, step=step).result()


def convert(
    source: Path, tmp_path: Path, *, command: Callable[..., object], suffix: str, fault: str, step: int
) -> None:
    """Let the calls of one conversion go wrong, every one or every few."""
    lines = [line for line in source.read_text().splitlines() if len(line) == 81]
    source.write_text("\n".join(lines * 2) + "\n")
    output = tmp_path / "in" / f"o{suffix}"

    def run(disk: FaultyDisk) -> BaseException | None:
        with disk.mounted():
            command(source, output)
        return disk.error

    for _ in range(2):  # the first run imports modules
        output.write_bytes(b"an earlier output")
        recorded = FaultyDisk()
        assert run(recorded) is None
    wanted, before = output.read_bytes(), source.read_bytes()
    for number in numbers(suffix, fault, step, recorded.calls):
        output.write_bytes(b"an earlier output")
        disk = FaultyDisk(fault, number)
        run(disk)
        where = recorded.log[number]
        assert disk.log[number].split()[0] == where.split()[0]
        assert output.read_bytes() in (b"an earlier output", wanted), where
        if (kept := Path(f"{output}.partial")).exists():
            assert output.read_bytes() == b"an earlier output"
            kept.unlink()
        assert run(FaultyDisk()) is None
        assert output.read_bytes() == wanted
        assert source.read_bytes() == before
        assert sorted(os.listdir(tmp_path / "in")) == sorted(["in.txt", output.name]), where
