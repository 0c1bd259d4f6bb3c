"""Death at any moment: the output equals the undisturbed one byte for byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import scale_inputs
import scale_kill

from unidoku.scale.engines import threads_here
from unidoku.scale.job import Job
from unidoku.scale.options import Options

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs fork and SIGKILL")
TARGET = 8000


def content(output: Path) -> dict[str, bytes]:
    """All bytes of a file, or of a folder's files."""
    if output.is_dir():
        return {str(file.relative_to(output)): file.read_bytes() for file in sorted(output.rglob("*"))}
    return {"": output.read_bytes()}


def undisturbed(inputs: list[str], output: Path, suffix: str) -> dict[str, bytes]:
    output.parent.mkdir()
    if "." not in output.name:
        output.mkdir()
    job = Job(inputs, str(output), Options(suffix=suffix), TARGET)
    assert job.run(lambda: threads_here(2, 9)).complete
    assert len(job.plan.shards) > 30
    return content(output)


def disturbed(inputs: list[str], output: Path, suffix: str, seed: int, longest: float) -> int:
    """Make an output with as many deaths as it takes; how many."""
    output.parent.mkdir()
    if "." not in output.name:
        output.mkdir()
    task = {
        "inputs": inputs,
        "output": str(output),
        "options": {"suffix": suffix},
        "target": TARGET,
        "longest": longest,
        "seed": seed,
    }
    done = subprocess.run(
        [sys.executable, scale_kill.__file__, json.dumps(task)], check=True, capture_output=True, text=True
    )
    return int(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "suffix", "deaths"),
    [
        ("o.csv", ".csv", 200),
        ("o.txt", ".txt", 60),
        ("o.jsonl.gz", ".jsonl.gz", 60),
        ("o", ".jsonl", 40),
        ("o.parquet", ".parquet", 40),
    ],
)
def test_killed_at_random_moments(tmp_path: Path, name: str, suffix: str, deaths: int) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    inputs = []
    for number in range(3):
        path = tmp_path / f"in{number}.txt"
        path.write_bytes(scale_inputs.text(1500, number))
        inputs.append(str(path))
    wanted = undisturbed(inputs, tmp_path / "whole" / name, suffix)
    died = seed = 0
    while died < deaths:
        output = tmp_path / f"run{seed}" / name
        died += disturbed(inputs, output, suffix, seed, 0.12 if suffix == ".parquet" else 0.08)
        assert content(output) == wanted
        assert sorted(os.listdir(output.parent)) == [name, f"{name}.manifest.json"]
        seed += 1
    assert seed < deaths  # runs that were killed more than once
