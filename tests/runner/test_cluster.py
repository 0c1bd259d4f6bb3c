"""Dask clusters on this machine: worker processes, some of which are killed."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from command import run, run_process, started, wait_for
from living import processes

import unidoku
from unidoku import check_file
from unidoku.craft._generate import generate
from unidoku.errors import InputError, MissingExtraError
from unidoku.runner import _cluster as cluster, _parts as parts

LINES = unidoku.lines(generate(50, seed=6))


@pytest.fixture
def inputs(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / f"{name}.txt" for name in "abc"]
    for number, path in enumerate(paths, 1):
        path.write_text("".join(f"{line}\n" for line in LINES * number))
    return paths


@pytest.fixture
def dask(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Set the timeouts of Dask for a slow machine."""
    monkeypatch.setattr("unidoku.runner._cluster.PATIENCE", 300.0)
    return pytest.importorskip("distributed", reason="clusters need Dask distributed")


SCHEDULER = """
import asyncio, sys
from distributed import Scheduler

async def main():
    async with Scheduler(host="127.0.0.1", port=0, dashboard_address="127.0.0.1:0") as scheduler:
        print(scheduler.address, flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""
WORKER = """
import asyncio, sys
from distributed import Worker

async def main():
    async with Worker(sys.argv[1], nthreads=1, dashboard=False) as worker:
        await worker.finished()

asyncio.run(main())
"""


@pytest.mark.slow
def test_a_scheduler_that_dies(inputs, tmp_path, dask, monkeypatch):
    """The run ends with an error, and what is done is kept."""
    import dask as settings

    inputs[2].write_text("".join(f"{line}\n" for line in LINES * 200))  # seconds of work
    processes, task = [], unidoku.tasks.Rate()
    try:
        scheduler = subprocess.Popen(
            [sys.executable, "-c", SCHEDULER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        processes.append(scheduler)
        address = scheduler.stdout.readline().strip()
        worker = [sys.executable, "-c", WORKER, address]
        processes.append(subprocess.Popen(worker, stderr=subprocess.DEVNULL))
        monkeypatch.setattr(cluster, "TICK", 0.01)
        with settings.config.set():

            def end_scheduler(_: object) -> None:
                """Kill it once the run has connected; from then on, seconds until Dask gives up."""
                settings.config.set({"distributed.comm.timeouts.connect": "1s"})
                dask.default_client()._timeout = 1
                scheduler.kill()

            with pytest.raises(
                InputError, match=f"^{address}: the connection to the cluster was lost"
            ) as caught:
                unidoku.run(task, inputs, f"{tmp_path}/o/", cluster=address, progress=end_scheduler)
    finally:
        for process in processes:
            process.kill()
            process.wait()
        scheduler.stdout.close()
    assert caught.value.exit_code == 2
    assert "the same command with --resume continues" in caught.value.summary.resume
    assert list((tmp_path / "o").glob("part-0000-*.json"))
    summary = unidoku.run(task, inputs, f"{tmp_path}/o/", resume=True)
    assert summary.earlier >= 50
    assert summary.puzzles == 50 * 203


@pytest.mark.parametrize("wrong", ["local", "local:0", "local:x", "host:1", "nowhere", ""])
def test_wrong_addresses(inputs, tmp_path, wrong):
    with pytest.raises(InputError, match=r"expected local:N, tcp://HOST:PORT or tls://HOST:PORT"):
        check_file(inputs, f"{tmp_path}/o/", cluster=wrong)


def test_without_dask_the_extra_is_named(inputs, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"unidoku\[dask\]"):
        check_file(inputs, f"{tmp_path}/o/", cluster="local:1")


def test_clusters_that_cannot_be_used(inputs, tmp_path, dask, monkeypatch):
    with pytest.raises(InputError, match=r"^tls://127.0.0.1:1: cannot connect to the Dask cluster: .*TLS"):
        check_file(inputs, f"{tmp_path}/o/", cluster="tls://127.0.0.1:1")
    monkeypatch.setattr("unidoku.runner._cluster.PATIENCE", 0.2)
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))  # not listening
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(InputError, match="cannot connect to the Dask cluster"):
            check_file(inputs, f"{tmp_path}/o/", cluster=address)


def test_a_client_that_failed_is_gone_before_the_next_one_starts(inputs, tmp_path, dask):
    """It closes itself when it is collected, and would wait for the next one, which would wait for it."""
    gc.disable()
    try:
        with pytest.raises(InputError, match="cannot connect to the Dask cluster"):
            check_file(inputs, f"{tmp_path}/o/", cluster="tls://127.0.0.1:1")
        assert dask.Client not in set(map(type, gc.get_objects()))
    finally:
        gc.enable()


@pytest.mark.slow
def test_workers_of_this_machine_count_all_and_name_failures(inputs, tmp_path, dask):
    """Parts and messages are the same as without a cluster; nothing else is printed."""
    (tmp_path / "bad.txt.gz").write_bytes(b"\x1f\x8b\x08\x00nonsense")
    files = [inputs[0], tmp_path / "bad.txt.gz", tmp_path / "gone.txt", *inputs[1:]]
    command = ["check", *files, "--to", "csv", "--json"]
    local_run = run("check", *files, "--to", "csv", "-o", f"{tmp_path}/here/", code=2)
    cluster_run = run_process(*command[:-1], "-o", f"{tmp_path}/there/", "--cluster", "local:2", code=2)
    assert sorted(messages(cluster_run.stderr)) == sorted(local_run.stderr.splitlines())
    assert "puzzles            300\n" in cluster_run.stdout
    here, there = (
        {p.name: p.read_bytes() for p in (tmp_path / name).iterdir()} for name in ("here", "there")
    )
    assert there == here


@pytest.mark.slow
def test_dask_is_as_before_after_a_run(inputs, tmp_path, dask):
    """Its settings, and the levels and handlers of its loggers; Dask itself would leave a handler."""
    from dask import config

    def state() -> tuple[str, dict[str, Any]]:
        names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
        loggers = map(logging.getLogger, names)
        return repr(config.config), {one.name: (one.level, one.handlers[:]) for one in loggers}

    settings, loggers = state()
    check_file(inputs, f"{tmp_path}/o/", to="csv", cluster="local:1")
    after, loggers_after = state()
    assert after == settings
    assert {name: loggers.get(name, (0, [])) for name in loggers_after} == loggers_after


def messages(stderr: str) -> list[str]:
    """Return the lines of standard error without the progress, which a slow machine prints."""
    return [line for line in stderr.splitlines() if not line.startswith("progress: ")]


@pytest.fixture
def killer(tmp_path: Path, dask: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let workers run code when they start, and kill them before inputs that meet a condition."""

    def write(preload: str, condition: str) -> None:
        script = tmp_path / "killer.py"
        script.write_text(
            "import os, signal, time\n"
            "from distributed import get_client\n"
            "from unidoku.runner import _parts as parts\n"
            "status = lambda dask_worker: dask_worker.process.status.name\n"
            "status.__module__ = '__main__'  # it goes to the nanny, which has no such module\n"
            f"FLAG = {str(tmp_path / 'killed')!r}\n"
            f"{preload}\n"
            "parts.real = real = getattr(parts, 'real', parts.make_parts)  # it may be loaded twice\n"
            "def make_parts(job, share, cancel):\n"
            "    name = share.name\n"
            f"    if {condition}:\n"
            "        open(FLAG, 'w').close()\n"
            "        open(f'{FLAG}.{os.path.basename(name)}', 'w').close()\n"
            "        while 'running' not in get_client().run(status, nanny=True).values():\n"
            "            time.sleep(0.05)  # without it Dask starts no other worker\n"
            "        os.kill(os.getpid(), signal.SIGKILL)\n"
            "    return real(job, share, cancel)\n"
            "parts.make_parts = make_parts\n"
        )
        monkeypatch.setenv("DASK_DISTRIBUTED__WORKER__PRELOAD", str(script))
        monkeypatch.setenv(
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "1"
        )  # of an input: three take long
        import_module("dask").config.refresh()

    yield write
    monkeypatch.undo()
    import_module("dask").config.refresh()


@pytest.mark.slow
def test_a_worker_that_is_killed_at_a_partition(inputs, tmp_path, killer, monkeypatch):
    """Another worker takes the partition: no row is lost, none is there twice, and Dask is as it was."""

    def state():
        loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
        get = import_module("dask").config.get
        return [get(name, None) for name in cluster._SETTINGS], [logger.level for logger in loggers]

    monkeypatch.setattr(parts, "MEGABYTE", 4100 // 64 + 1)
    inputs[0].write_text("".join(f"{line}\n" for line in LINES * 20))
    killer("", "share.part == 3 and not os.path.exists(FLAG)")
    before = state()
    summary = check_file(
        inputs[0], f"{tmp_path}/o/", to="csv", columns=["line", "verdict"], cluster="local:2"
    )
    assert (summary.puzzles, summary.unique) == (1000, 1000)
    assert state() == before
    assert (tmp_path / "killed").exists()
    found = [line for part in sorted(tmp_path.glob("o/*.csv")) for line in part.read_text().splitlines()[1:]]
    assert [int(line.split(",")[0]) for line in found] == [*range(1, 1001)]


@pytest.mark.slow
@pytest.mark.weekly
def test_an_input_whose_partitions_kill_workers_is_named_once(inputs, tmp_path, killer, monkeypatch, caplog):
    """Also if another input has failed before it; another worker takes an input that kills only one."""
    monkeypatch.setattr(parts, "MEGABYTE", 4100 // 64 + 1)
    inputs[0].write_text("".join(f"{line}\n" for line in LINES * 4))
    once = "name.endswith('c.txt') and not os.path.exists(f'{FLAG}.c.txt')"
    killer("", f"(name.endswith('a.txt') and share.part in (1, 3)) or ({once})")
    errors = list[str]()
    missing = tmp_path / "missing.txt"
    options = {"cluster": "local:1", "on_failure": lambda error: errors.append(str(error))}
    with caplog.at_level("INFO", "unidoku"):
        summary = check_file([missing, *inputs], f"{tmp_path}/o/", to="csv", **options)
    said = [record.getMessage() for record in caplog.records if record.name == "unidoku"]
    assert any(text.endswith("was lost; another one does its work again") for text in said)
    assert f"{inputs[2]}: 48 puzzles" in said
    assert [error.partition(": ")[0] for error in errors] == [str(missing), str(inputs[0])]
    assert errors[1] == f"{inputs[0]}: its worker was lost (KilledWorker)"
    assert (tmp_path / "killed.c.txt").exists()
    assert (summary.failed, 250 < summary.puzzles < 450) == (2, True)


@pytest.mark.slow
def test_a_worker_that_is_killed_and_cannot_be_started_again(inputs, tmp_path, killer, monkeypatch):
    """The run ends with the names of the inputs without a result."""
    killer("if os.path.exists(FLAG): os._exit(1)", "True")
    monkeypatch.setattr("unidoku.runner._cluster.LOSS", 1.0)
    errors = list[str]()
    check_file(
        inputs, f"{tmp_path}/o/", cluster="local:1", on_failure=lambda error: errors.append(str(error))
    )
    assert errors == [f"{path}: no worker is left" for path in inputs]


@pytest.mark.slow
@pytest.mark.parametrize("at_work", [False, True])
def test_ctrl_c_of_a_terminal_ends_all_in_good_order(inputs, tmp_path, dask, at_work):
    """The workers receive it too, even while they start."""
    inputs[0].write_text("".join(f"{line}\n" for line in LINES * 20_000))
    command = ["rate", *inputs, "-o", f"{tmp_path}/o/", "--to", "csv", "--cluster", "local:2"]
    with started(*command, stderr=subprocess.PIPE, start_new_session=True) as process:
        # the file of an input that a worker has done, or a process that is to become a worker
        wait_for(lambda: [*tmp_path.glob("o/part-0001*")] if at_work else processes(process.pid), process)
        os.killpg(process.pid, signal.SIGINT)
        errors = process.stderr.read().decode()
        assert process.wait(300) == 130
    assert "Traceback" not in errors
    assert 1 <= len(errors.splitlines()) <= 3, errors  # that it stopped; a note on the input, how to resume
