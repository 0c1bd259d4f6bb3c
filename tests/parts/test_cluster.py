"""Dask clusters on this machine: worker processes, one of which is killed."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import part_inputs
import pytest
from command import run

from unidoku import check_file
from unidoku.errors import InputError, MissingExtraError
from unidoku.run.cluster import Cluster


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
def test_wrong_addresses(wrong: str) -> None:
    with pytest.raises(InputError, match=r"expected local:N, tcp://HOST:PORT or tls://HOST:PORT"):
        Cluster(wrong)


def test_tls_without_certificates_is_a_clear_error() -> None:
    pytest.importorskip("distributed", reason="clusters need Dask distributed")
    with pytest.raises(InputError, match=r"^tls://127.0.0.1:1: no Dask cluster: .*TLS"):
        Cluster("tls://127.0.0.1:1")


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"unidoku\[dask\]"):
        Cluster("local:1")


@pytest.mark.slow
def test_a_worker_killed_in_mid_run_loses_nothing(source: Path, tmp_path: Path, wanted: bytes) -> None:
    distributed = pytest.importorskip("distributed", reason="clusters need Dask distributed")
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address="127.0.0.1:0",
    ) as cluster:
        pids = [worker.pid for worker in cluster.workers.values()]
        parts, killed = tmp_path / "there.csv.parts", []

        def progress(_: Any) -> None:
            done = len(list(parts.glob("*.json")))
            if done >= 5 and not killed:
                killed.append(done)
                os.kill(pids[0], signal.SIGKILL)

        check_file(
            source,
            output=tmp_path / "there.csv",
            part_bytes=3000,
            cluster=cluster.scheduler_address,
            progress=progress,
        )
    assert len(set(pids)) == 2
    assert killed
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
        address = cluster.scheduler_address
        for more in (["--resume"], []):
            where = ["--part-bytes", 50_000, "--output", tmp_path / "o.csv", "--cluster", address, *more]
            done = run("check", source, "--json", *where, code=1)
            assert json.loads(done.stdout)["puzzles"] == wanted.count(b"\n") - 1
            assert (tmp_path / "o.csv").read_bytes() == wanted


def test_a_scheduler_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="clusters need Dask distributed")
    import socket

    monkeypatch.setattr("unidoku.run.cluster.PATIENCE", 0.2)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # not listening
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(InputError, match="no Dask cluster"):
            Cluster(address)


def test_a_part_that_fails_on_a_cluster(source: Path, tmp_path: Path) -> None:
    """The error comes back as it is; complete parts are kept, and taken over here."""
    pytest.importorskip("distributed", reason="clusters need Dask distributed")
    (tmp_path / "b.txt.gz").write_bytes(b"\x1f\x8b\x08\x00nonsense")
    errors: list[object] = []
    output = tmp_path / "o.txt"
    options: dict[str, Any] = {
        "output": output,
        "part_bytes": 50_000,
        "on_failure": errors.append,
    }
    summary = check_file([source, tmp_path / "b.txt.gz"], cluster="local:1", **options)
    assert [str(error).partition(": ")[0] for error in errors] == [f"{tmp_path}/b.txt.gz"]
    there = output.read_bytes()
    assert summary.puzzles == there.count(b"\n")
    check_file([source, tmp_path / "b.txt.gz"], **options)
    assert output.read_bytes() == there
