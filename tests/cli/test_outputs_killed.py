"""Ended by a signal at any moment: the earlier output stays, and what was written is beside it."""

from __future__ import annotations

import gzip
import os
import random
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest
from command import end_by, run, started
from example_puzzles import SOLUTION, UNIQUE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
BEFORE = b"what was there before\n"


def new_size(folder: Path) -> int:
    """The size of the file that is being written; -1 if there is none."""
    with suppress(FileNotFoundError):  # it may get its own name just then
        return max((file.stat().st_size for file in folder.glob("*.partial")), default=-1)
    return -1


@pytest.mark.parametrize("name", ["o.csv", "o.csv.gz"])
@pytest.mark.parametrize("trials", [3, pytest.param(12, marks=pytest.mark.slow)])
def test_a_signal_at_any_moment(tmp_path, name, trials):
    """The moments are spread over the run by the size of the new file, not by the clock."""
    source, output, partial = tmp_path / "c.csv", tmp_path / name, tmp_path / f"{name}.partial"
    lines = [f"{number},{UNIQUE},{SOLUTION}\n" for number in range(10_000)]
    source.write_text("id,puzzle,solution\n" + "".join(lines))
    command = ["transform", source, "-n", "10", "--seed", "1", "-o", output]
    run(*command, code=0)
    whole = output.read_bytes()
    size = len(whole)
    rng = random.Random(f"{name} {trials}")
    ended = kept = 0
    while ended < trials:
        output.write_bytes(BEFORE)
        partial.unlink(missing_ok=True)
        number = SIGNALS[ended % len(SIGNALS)]
        moment = rng.random() * size * ended / trials
        with started(*command, stderr=subprocess.PIPE) as process:
            while process.poll() is None and new_size(tmp_path) < moment:
                time.sleep(0.001)
            code = end_by(number, process)
            errors = process.stderr.read()
        assert b"Traceback" not in errors
        if output.read_bytes() != BEFORE:  # it was complete before the signal
            assert output.read_bytes() == whole
            assert not partial.exists()
            continue
        assert code == 128 + number, errors
        ended += 1
        if partial.exists():
            content = gzip.decompress if name.endswith(".gz") else bytes
            assert content(whole).startswith(content(partial.read_bytes()))
            assert partial.name.encode() in errors
            kept += 1
        assert {each.name for each in tmp_path.iterdir()} <= {source.name, output.name, partial.name}
    assert kept
