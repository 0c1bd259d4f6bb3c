"""Killed at any moment and resumed: the output equals the undisturbed one byte for byte."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import kill_run
import part_inputs
import pytest
from command import run_process, started
from readback import contents

from unidoku import check_file

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs fork and SIGKILL")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kills"), [("o.csv", 40), ("o.txt", 20), ("o.jsonl.gz", 20), ("o/", 20), ("o.parquet", 20)]
)
def test_killed_at_random_moments(tmp_path, name, kills):
    if name == "o.parquet":
        pytest.importorskip("pyarrow")
    paths = [tmp_path / f"in{number}.txt" for number in range(3)]
    for number, path in enumerate(paths):
        path.write_bytes(part_inputs.text(500, number))
    task = {"inputs": [str(path) for path in paths], "part_bytes": 8000}
    if name == "o/":
        task["to"] = "jsonl"
    (tmp_path / "whole").mkdir()
    check_file(**task, output=f"{tmp_path}/whole/{name}")
    wanted = contents(tmp_path / "whole")
    program = [sys.executable, kill_run.__file__, json.dumps(task), str(tmp_path), name, str(kills)]
    subprocess.run(program, check=True)
    runs = sorted(tmp_path.glob("run*"))
    assert len(runs) > 1
    for run in runs:
        assert contents(run) == wanted


check = partial(run_process, "check")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.txt"
    path.write_bytes(part_inputs.text(20_000))
    return path


def test_the_command_killed_and_resumed(source, tmp_path):
    whole, output = tmp_path / "whole.csv", tmp_path / "o.csv"
    small = ["--part-bytes", "20000"]
    first = check(source, "--output", whole, "--json", *small, code=1)
    command = ["check", source, "--output", output, *small, "--resume"]
    for parts in (3, 20, 50):
        killed = False
        while not killed:
            with started(*command, stdout=subprocess.DEVNULL) as process:
                while process.poll() is None and len(list(tmp_path.glob("o.csv.parts/part-*.json"))) < parts:
                    time.sleep(0.001)
            killed = not output.exists()
            if not killed:  # it was complete before the signal: begin anew
                output.unlink()
                shutil.rmtree(tmp_path / "o.csv.parts", ignore_errors=True)
        assert process.returncode == -signal.SIGKILL
    last = check(source, "--output", output, "--json", "--resume", *small, code=1)
    assert output.read_bytes() == whole.read_bytes()
    same = ("puzzles", "unique", "multiple", "none", "invalid", "unknown")
    counts, again = json.loads(first.stdout), json.loads(last.stdout)
    assert {key: counts[key] for key in same} == {key: again[key] for key in same}


def test_the_command_on_a_full_disk(source, tmp_path):
    resource = pytest.importorskip("resource")
    whole, output = tmp_path / "whole.csv", tmp_path / "o.csv"
    small = ["--part-bytes", "200000"]
    check(source, "--output", whole, *small, code=1)

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    full = check(source, "--output", output, "--resume", *small, preexec_fn=bounded, code=2)
    assert f"error: {output}: cannot write: File too large" in full.stderr
    assert "resume" not in full.stderr
    assert sorted(tmp_path.iterdir()) == [source, whole]
    check(source, "--output", output, "--resume", *small, code=1)
    assert output.read_bytes() == whole.read_bytes()
