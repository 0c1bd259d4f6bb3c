"""An allocation that fails gives a clear error, leaves outputs alone, and the process usable."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import failing_memory
import pytest
import sample_calls
from command import run

import unidoku


@pytest.mark.skipif(
    "UNIDOKU_FAIL_ALLOC" not in os.environ, reason="needs a build with UNIDOKU_FAIL_ALLOC=1 (.ci/garbage)"
)
@pytest.mark.parametrize("name", sample_calls.CALLS)
def test_each_allocation_of_a_native_module(name: str) -> None:
    command = [sys.executable, failing_memory.__file__, "allocations", name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert int(done.stdout) > 0


LINUX = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the address space of Linux")


@LINUX
@pytest.mark.slow
@pytest.mark.parametrize("name", sample_calls.LIMITED)
def test_a_call_with_little_memory(name: str) -> None:
    """It is right, or an error; outputs are as they were, and the next call is right."""
    command = [sys.executable, failing_memory.__file__, "limits", name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


COMMANDS = [
    "check in.csv -o out.csv",
    "solve in.csv -o out.txt",
    "rate in.csv -o out.jsonl",
    "check in.jsonl -o out.csv.gz",
]
# Libraries may end the process for these.
ENDED = [
    f"draw {sample_calls.EASY} -o out.png",
    "check in.csv -o out.parquet",
    "check in.parquet -o out.csv",
    "convert in.csv -o out.arrow",
]


@LINUX
@pytest.mark.slow
@pytest.mark.parametrize("extra", [0, 4 << 20, 13 << 20, 20 << 20])
@pytest.mark.parametrize("arguments", [*COMMANDS, *ENDED])
def test_a_command_with_little_memory(tmp_path: Path, arguments: str, extra: int) -> None:
    """It is right, or ends with an error; PyArrow may end the process; outputs are as they were.

    Where memory ends depends on the machine and on the versions of all libraries, and so does what the error
    says; some of them, such as hashlib, print more before it.
    """
    rows = [f"{puzzle},{k}" for k, puzzle in enumerate(sample_calls.PUZZLES * 500)]
    (tmp_path / "in.csv").write_text("\n".join(["puzzle,id", *rows, ""]))
    for name in ("in.jsonl", "in.parquet"):
        unidoku.convert_file(tmp_path / "in.csv", tmp_path / name)
    output = tmp_path / arguments.rsplit(maxsplit=1)[-1]
    output.write_text("before")
    command = [sys.executable, failing_memory.__file__, "command", str(extra), *arguments.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    if done.returncode in {0, 1}:
        size = output.stat().st_size
        run(*arguments.split(), cwd=tmp_path)
        assert size == output.stat().st_size
        return
    assert output.read_text() == "before"
    assert f'File "{Path(unidoku.__file__).parent}' not in done.stderr  # a traceback of ours
    if arguments in ENDED and done.returncode in {-signal.SIGABRT, 127}:
        return
    assert done.returncode == 2, done.stderr
    assert any(line.startswith("error: ") for line in done.stderr.splitlines()[-3:]), done.stderr
