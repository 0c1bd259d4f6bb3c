"""Ended by a signal at any moment: the earlier output stays, and what is done is valid beside it."""

from __future__ import annotations

import csv
import gzip
import io
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest
from command import started
from example_puzzles import SOLUTION, UNIQUE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file, each whole."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.name.startswith("o.csv.gz") else data).decode()
    assert text.endswith("\n")
    found = list(csv.DictReader(io.StringIO(text), strict=True))
    assert all(None not in row and None not in row.values() for row in found)
    return found


@pytest.mark.parametrize("name", ["o.csv", "o.csv.gz"])
@pytest.mark.parametrize("trials", [3, pytest.param(40, marks=pytest.mark.slow)])
def test_a_signal_at_any_moment(tmp_path: Path, name: str, trials: int) -> None:
    source, output, partial = tmp_path / "c.csv", tmp_path / name, tmp_path / f"{name}.partial"
    lines = [f"{number},{UNIQUE},{SOLUTION}\n" for number in range(30_000)]
    source.write_text("id,puzzle,solution\n" + "".join(lines))
    rng = random.Random(f"{name} {trials}")
    ended = kept = 0
    while ended < trials:
        output.write_text("what was there before\n")
        partial.unlink(missing_ok=True)
        number = rng.choice(SIGNALS)
        command = ["transform", source, "-n", "10", "--seed", "1", "-o", output]
        with started(*command, stderr=subprocess.PIPE) as process:
            while not list(tmp_path.glob(".unidoku-*")) and process.poll() is None:
                time.sleep(0.001)
            time.sleep(rng.random() * 0.5)
            process.send_signal(number)
            errors = process.communicate(timeout=60)[1]
        assert b"Traceback" not in errors
        if output.read_bytes() != b"what was there before\n":  # it was complete before the signal
            assert len(rows(output)) == 10 * len(lines)
            assert not partial.exists()
            continue
        assert process.returncode == 128 + number, errors
        ended += 1
        if partial.exists():
            found = rows(partial)
            assert [row["id"] for row in found] == [str(each // 10) for each in range(len(found))]
            assert partial.name.encode() in errors
            kept += 1
        assert {each.name for each in tmp_path.iterdir()} <= {source.name, output.name, partial.name}
    assert kept or trials < 10
