"""Dask clusters on this machine: worker processes, one of which is killed."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import shard_inputs
from command import run

from unidoku import CheckOptions
from unidoku.errors import InputError, MissingExtraError
from unidoku.shards.cluster import connect, parse_cluster
from unidoku.shards.driver import Outcome
from unidoku.shards.executors import Workers, local_threads
from unidoku.shards.job import Job

CSV = CheckOptions()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.txt"
    path.write_bytes(shard_inputs.text(8000))
    return path


@pytest.fixture
def wanted(source: Path, tmp_path: Path) -> bytes:
    """What a run of this process writes."""
    job = Job([str(source)], str(tmp_path / "here.csv"), CSV, 10_000)
    assert job.run(lambda: local_threads(2, 9)).complete
    return (tmp_path / "here.csv").read_bytes()


def test_addresses() -> None:
    assert parse_cluster("local:2") == ("local", 2)
    assert parse_cluster("dask://127.0.0.1:8786") == ("dask", "tcp://127.0.0.1:8786")
    for wrong in (
        "local",
        "local:0",
        "local:x",
        "dask://host",
        "tcp://host:1",
        "dask://a b:1",
        "tls://host",
        "",
    ):
        with pytest.raises(InputError, match=r"expected local:N, dask://HOST:PORT or tls://HOST:PORT"):
            parse_cluster(wrong)
    assert parse_cluster("tls://127.0.0.1:8786/") == ("dask", "tls://127.0.0.1:8786")


def test_tls_without_certificates_is_a_clear_error() -> None:
    pytest.importorskip("distributed", reason="clusters need Dask distributed")
    with (
        pytest.raises(InputError, match=r"^tls://127.0.0.1:1: TLS needs certificates"),
        connect("tls://127.0.0.1:1"),
    ):
        pass


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"unidoku\[dask\]"), connect("local:1"):
        pass


@pytest.mark.slow
def test_a_worker_killed_in_mid_run_loses_nothing(source: Path, tmp_path: Path, wanted: bytes) -> None:
    pytest.importorskip("distributed", reason="clusters need Dask distributed")
    pids: list[int] = []
    killed: list[int] = []

    @contextmanager
    def engine() -> Iterator[Workers]:
        with connect("local:2") as ready:
            pids.extend(ready.executor._client.run(os.getpid).values())  # type: ignore[attr-defined]
            yield ready

    def progress(outcome: Outcome) -> None:
        if len(outcome.commits) >= 5 and not killed:
            killed.append(len(outcome.commits))
            os.kill(pids[0], signal.SIGKILL)

    job = Job([str(source)], str(tmp_path / "there.csv"), CSV, 10_000)
    report = job.run(engine, progress=progress)
    assert len(set(pids)) == 2
    assert killed[0] < len(job.plan.shards) > 50
    assert report.complete
    assert report.skipped == 0
    assert (tmp_path / "there.csv").read_bytes() == wanted


def test_the_command_on_a_running_cluster(source: Path, tmp_path: Path, wanted: bytes) -> None:
    distributed = pytest.importorskip("distributed", reason="clusters need Dask distributed")
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address="127.0.0.1:0",
    ) as cluster:
        address = cluster.scheduler_address.replace("tcp://", "dask://")
        for more in (["--resume"], []):
            where = ["--shard-bytes", 50_000, "--output", tmp_path / "o.csv", "--cluster", address, *more]
            done = run("check", source, "--json", *where, code=1)
            assert json.loads(done.stdout)["puzzles"] == wanted.count(b"\n") - 1
            assert (tmp_path / "o.csv").read_bytes() == wanted


def test_a_scheduler_that_does_not_answer(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="clusters need Dask distributed")
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # not listening
        address = f"dask://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(InputError, match="the scheduler does not answer"), connect(address, patience=0.2):
            pass
