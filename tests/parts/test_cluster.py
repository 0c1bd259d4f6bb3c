"""Dask clusters on this machine: worker processes, one of which is killed."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import part_inputs
import pytest
from command import run

import unidoku
from unidoku import check_file
from unidoku.errors import InputError, MissingExtraError, UnidokuError


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for a cluster as long as a slow machine needs."""
    monkeypatch.setattr("unidoku.run.parts.PATIENCE", 300.0)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.txt"
    path.write_bytes(part_inputs.text(8000))
    return path


@pytest.fixture
def wanted(source: Path, tmp_path: Path) -> bytes:
    """What a run of this process writes."""
    check_file(source, output=tmp_path / "here.csv")
    return (tmp_path / "here.csv").read_bytes()


@pytest.mark.parametrize("wrong", ["local", "local:0", "local:x", "host:1", "nowhere", ""])
def test_wrong_addresses(source, tmp_path, wrong):
    with pytest.raises(InputError, match=r"expected local:N, tcp://HOST:PORT or tls://HOST:PORT"):
        check_file(source, tmp_path / "o.csv", cluster=wrong)


def test_tls_without_certificates_is_a_clear_error(source, tmp_path):
    pytest.importorskip("distributed", reason="clusters need Dask distributed")
    with pytest.raises(InputError, match=r"^tls://127.0.0.1:1: no Dask cluster: .*TLS"):
        check_file(source, tmp_path / "o.csv", cluster="tls://127.0.0.1:1")


def test_without_dask_the_extra_is_named(source, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"unidoku\[dask\]"):
        check_file(source, tmp_path / "o.csv", cluster="local:1")


def started_cluster(workers: int) -> Any:
    """A cluster of processes on this machine."""
    distributed = pytest.importorskip("distributed", reason="clusters need Dask distributed")
    place = {"dashboard_address": "127.0.0.1:0", "worker_dashboard_address": "127.0.0.1:0"}
    return distributed.LocalCluster(n_workers=workers, threads_per_worker=1, host="127.0.0.1", **place)


@pytest.mark.slow
def test_a_worker_killed_in_mid_run_loses_nothing(source, tmp_path, wanted):
    with started_cluster(2) as cluster:
        pids = [worker.pid for worker in cluster.workers.values()]
        parts, killed = tmp_path / "there.csv.parts", list[int]()

        def progress(_: Any) -> None:
            if killed:
                return
            end = time.monotonic() + 300
            while len(list(parts.glob("*.json"))) < 5 and time.monotonic() < end:
                time.sleep(0.01)  # what the workers have made meanwhile is still theirs
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

        place = {"output": tmp_path / "there.csv", "cluster": cluster.scheduler_address}
        check_file(source, part_bytes=3000, progress=progress, **place)
    assert len(set(pids)) == 2
    assert killed
    assert (tmp_path / "there.csv").read_bytes() == wanted


def test_the_command_on_a_running_cluster(source, tmp_path, wanted):
    with started_cluster(1) as cluster:
        where = ["--output", tmp_path / "o.csv", "--cluster", cluster.scheduler_address]
        for more in (["--resume"], []):
            done = run("check", source, "--json", "--part-bytes", 50_000, *where, *more, code=1)
            assert json.loads(done.stdout)["puzzles"] == wanted.count(b"\n") - 1
            assert (tmp_path / "o.csv").read_bytes() == wanted


def test_a_scheduler_that_does_not_answer(source, tmp_path, monkeypatch):
    pytest.importorskip("distributed", reason="clusters need Dask distributed")
    import socket

    monkeypatch.setattr("unidoku.run.parts.PATIENCE", 0.2)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # not listening
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(InputError, match="no Dask cluster"):
            check_file(source, tmp_path / "o.csv", cluster=address)


def test_a_worker_that_ends_while_it_starts(source, tmp_path, monkeypatch):
    def start(**_: Any) -> None:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(LocalCluster=start))
    with pytest.raises(InputError, match=r"^local:2: no Dask cluster: Nanny failed to start\.$"):
        check_file(source, tmp_path / "o.csv", cluster="local:2")
    assert [path.name for path in tmp_path.iterdir()] == [source.name]


def test_a_part_that_fails_on_a_cluster(source, tmp_path):
    """The error comes back as it is; complete parts are kept, and taken over here."""
    pytest.importorskip("distributed", reason="clusters need Dask distributed")
    (tmp_path / "b.txt.gz").write_bytes(b"\x1f\x8b\x08\x00nonsense")
    errors: list[object] = []
    output = tmp_path / "o.txt"
    options: dict[str, Any] = {"output": output, "part_bytes": 50_000, "on_failure": errors.append}
    summary = check_file([source, tmp_path / "b.txt.gz"], cluster="local:1", **options)
    assert [str(error).partition(": ")[0] for error in errors] == [f"{tmp_path}/b.txt.gz"]
    output = tmp_path / "o.txt.partial"
    there = output.read_bytes()
    assert summary.puzzles == there.count(b"\n")
    check_file([source, tmp_path / "b.txt.gz"], **options)
    assert output.read_bytes() == there


class Later:
    """A future of a cluster that works only when a result is requested."""

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        self.function, self.arguments = function, arguments

    def result(self) -> Any:
        return self.function(*(each.result() if isinstance(each, Later) else each for each in self.arguments))

    def exception(self) -> Exception | None:
        try:
            self.result()
        except Exception as error:
            return error
        return None


class Client:
    """A client of such a cluster, in place of Dask's."""

    cancelled: ClassVar[list[Later]] = []

    def __init__(self, address: str, timeout: float) -> None:
        self.cancelled.clear()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def wait_for_workers(self, count: int, timeout: float) -> None:
        pass

    def nthreads(self) -> dict[str, int]:
        return {"worker": 1}

    def submit(self, function: Callable[..., Any], *arguments: Any, pure: bool, retries: int) -> Later:
        return Later(function, *arguments)

    def cancel(self, futures: list[Later]) -> None:
        self.cancelled.extend(futures)


class Completed:
    """Completes the futures one by one, in order."""

    def __init__(self, futures: dict[Later, Any]) -> None:
        self.left = list(futures)

    def is_empty(self) -> bool:
        return not self.left

    def next_batch(self, block: bool) -> list[Later]:
        return [self.left.pop(0)]


def test_a_fatal_error_ends_a_run_on_a_cluster(source, tmp_path, wanted, monkeypatch):
    """No part is made after a full disk; the rest of the work is cancelled, and done by the next run."""
    real, made = os.replace, list[str]()

    def replace(old: Any, new: Any) -> None:
        name = Path(new).name
        if name.startswith("part-"):
            made.append(name[:11])
        if name.startswith("part-000002"):
            raise OSError(errno.ENOSPC, "No space left on device")
        real(old, new)

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Client, as_completed=Completed))
    monkeypatch.setattr(os, "replace", replace)
    output, errors = tmp_path / "o.csv", list[object]()
    options: dict[str, Any] = {"output": output, "part_bytes": 50_000, "on_failure": errors.append}
    summary = check_file(source, cluster="tcp://nowhere:1", **options)
    assert [str(error) for error in errors] == [f"{output}: cannot write: No space left on device"]
    assert sorted({*made}) == ["part-000000", "part-000001", "part-000002"]
    assert f"2 of {len(Client.cancelled)} parts are done" in (summary.resume or "")
    assert len(Client.cancelled) > 3
    assert not output.exists()
    monkeypatch.undo()
    check_file(source, resume=True, **options)
    assert output.read_bytes() == wanted


def test_a_worker_with_another_version_is_refused(source, tmp_path, monkeypatch):
    """No part is of another version than the plan says."""
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Client, as_completed=Completed))
    monkeypatch.setattr("unidoku.run.part.__version__", "0.0.9")  # of the worker alone
    there = {"output": tmp_path / "o.csv", "cluster": "tcp://nowhere:1"}
    message = f"the worker has unidoku 0.0.9, the run unidoku {unidoku.__version__}"
    with pytest.raises(UnidokuError, match=f"{re.escape(message)}$"):
        check_file(source, part_bytes=50_000, **there)
    assert [path.name for path in tmp_path.iterdir()] == [source.name]
