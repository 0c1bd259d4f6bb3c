"""Folders of parts in a store of objects: a real S3 server on this machine."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from command import run, wait_for

import unidoku
from unidoku import check_file
from unidoku.craft._generate import generate
from unidoku.errors import OutputError, ResumeError
from unidoku.runner import _parts as parts
from unidoku.tasks._check import Check

LINES = unidoku.lines(generate(300, seed=8))
PART = 96  # records


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Start the server; return its address and its process. Its libraries take a second to import."""
    pytest.importorskip("s3fs", reason="a store needs s3fs, and that aiohttp 3.12", exc_type=ImportError)
    pytest.importorskip("moto.server", reason="an S3 server needs moto[s3] and flask-cors")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(partial(_listens, port), process)
        yield f"http://127.0.0.1:{port}", process
    finally:
        process.kill()
        process.wait()


def _listens(port: int) -> bool:
    """Return whether a server listens on a port."""
    with socket.socket() as client:
        return not client.connect_ex(("127.0.0.1", port))


@pytest.fixture
def store(server: tuple[str, Any], monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return the file system of an empty bucket, with parts of 96 lines, three batches each."""
    import s3fs

    monkeypatch.setenv("AWS_ENDPOINT_URL", server[0])
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "id")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "key")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setattr(parts, "MEGABYTE", PART * 82 // 64)
    monkeypatch.setattr(Check, "batch_size", 32)
    s3fs.S3FileSystem.clear_instance_cache()
    found = s3fs.S3FileSystem()
    if found.exists("bucket"):
        found.rm("bucket", recursive=True)
    found.mkdir("bucket")
    yield found
    s3fs.S3FileSystem.clear_instance_cache()


@pytest.fixture
def puzzles(tmp_path: Path) -> str:
    path = tmp_path / "puzzles.txt"
    path.write_text("".join(f"{line}\n" for line in [*LINES[:100], "bad", *LINES[100:]]))
    return str(path)


def contents(store: Any, folder: str) -> dict[str, bytes]:
    """Return the bytes of the parts of a folder."""
    store.invalidate_cache()
    names = (name for name in store.ls(folder, detail=False) if name.endswith((".csv", ".parquet")))
    return {name.rpartition("/")[2]: store.cat_file(name) for name in names}


@pytest.mark.parametrize("to", ["csv", "parquet"])
def test_a_folder_in_a_store_has_the_parts_of_one_on_disk(store, puzzles, tmp_path, to):
    there = check_file(puzzles, "s3://bucket/out/", to=to)
    here = check_file(puzzles, f"{tmp_path}/out/", to=to)
    assert there.puzzles == here.puzzles == 301
    found = {path.name: path.read_bytes() for path in (tmp_path / "out").glob(f"*.{to}")}
    assert contents(store, "bucket/out") == found
    assert len(found) == 4
    assert not [name for name in store.ls("bucket/out", detail=False) if "partial" in name]


def test_a_resumed_run_makes_only_what_is_missing(store, puzzles):
    check_file(puzzles, "s3://bucket/out/", to="csv")
    before = contents(store, "bucket/out")
    store.rm_file("bucket/out/part-0000-000001.csv")
    store.pipe_file("bucket/out/part-0000-000002.csv", b"damaged")
    summary = check_file(puzzles, "s3://bucket/out/", to="csv", resume=True)
    assert (summary.puzzles, summary.earlier) == (301, 301 - 2 * PART)
    assert contents(store, "bucket/out") == before
    with pytest.raises(OutputError, match="remove them with --overwrite"):
        check_file(puzzles, "s3://bucket/out/", to="csv", part_size=1000)
    with pytest.raises(ResumeError, match="part_size"):
        check_file(puzzles, "s3://bucket/out/", to="csv", part_size=1000, resume=True)
    overwritten = check_file(puzzles, "s3://bucket/out/", to="csv", overwrite=True)
    assert (overwritten.puzzles, overwritten.earlier) == (301, 0)
    assert contents(store, "bucket/out") == before


def test_an_error_or_a_stop_leaves_no_part_that_is_cut(store, puzzles):
    cancel = unidoku.Cancel()

    def stop(progress: Any) -> None:
        if progress.puzzles > PART:
            cancel.set()

    summary = check_file(puzzles, "s3://bucket/out/", to="csv", progress=stop, cancel=cancel, threads=1)
    assert not summary.is_finished
    kept = contents(store, "bucket/out")
    assert set(kept) < {f"part-0000-{part:06d}.csv" for part in range(4)}
    whole = check_file(puzzles, "s3://bucket/out/", to="csv", resume=True)
    assert whole.puzzles == 301
    assert contents(store, "bucket/out").items() >= kept.items()


PROGRAM = """
import sys, time, unidoku
from unidoku.runner import _parts as parts
from unidoku.tasks._check import Check
parts.MEGABYTE, Check.batch_size = 96 * 82 // 64, 32
unidoku.check_file(sys.argv[1], "s3://bucket/out/", to="csv", resume=len(sys.argv) > 2, threads=1,
                   progress=lambda _: time.sleep(0.02))
"""


@pytest.mark.slow
def test_killed_and_resumed(store, puzzles, tmp_path):
    whole = check_file(puzzles, "s3://bucket/whole/", to="csv")
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, puzzles])
    while not store.exists("bucket/out/part-0000-000000.json"):  # killed within the second part
        store.invalidate_cache()
        assert process.poll() is None
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    subprocess.run([sys.executable, "-c", PROGRAM, puzzles, "resume"], check=True)
    assert contents(store, "bucket/out") == contents(store, "bucket/whole")
    assert sum(text.count(b"\n") - 1 for text in contents(store, "bucket/out").values()) == whole.puzzles


@pytest.mark.slow
def test_a_store_that_does_not_answer_for_a_while(store, server, puzzles):
    """The run waits, and nothing is lost or there twice."""
    check_file(puzzles, "s3://bucket/whole/", to="csv")
    halted = list[threading.Timer]()

    def halt(progress: Any) -> None:
        if progress.puzzles > PART and not halted:
            os.kill(server[1].pid, signal.SIGSTOP)
            halted.append(threading.Timer(10, os.kill, (server[1].pid, signal.SIGCONT)))
            halted[0].start()

    summary = check_file(puzzles, "s3://bucket/out/", to="csv", progress=halt, threads=1)
    halted[0].join()
    assert summary.puzzles == 301
    assert contents(store, "bucket/out") == contents(store, "bucket/whole")


def test_a_store_that_cannot_be_reached(store, puzzles, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")  # nobody listens
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    type(store).clear_instance_cache()
    outcome = run("check", puzzles, "-o", "s3://bucket/out/", "--to", "csv")
    assert outcome.returncode == 2
    assert "s3://bucket/out" in outcome.stderr
    assert "Traceback" not in outcome.stderr
