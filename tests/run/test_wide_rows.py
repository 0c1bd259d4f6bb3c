"""Rows that are megabytes wide: they are written in slices, so memory does not grow with their number."""

import subprocess
import sys

import pytest
from example_puzzles import UNIQUE

import unidoku
from unidoku.tasks import Transform

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory in KiB")

PEAK = r"""
import re, sys, unidoku
from unidoku.tasks import Check, Transform

task, source, output = sys.argv[1:]
unidoku.run({"check": Check(), "transform": Transform(count=100, seed=1)}[task], source, output, threads=2)
# Not that of getrusage, which begins with the peak of the process that started this one.
print(re.search(r"VmHWM:\s+(\d+)", open("/proc/self/status").read())[1])
"""


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """A table of 15 MB with 15 rows."""
    path = tmp_path_factory.mktemp("wide") / "wide.csv"
    path.write_text("puzzle,note\n" + "".join(f"{UNIQUE},{k:010}{'x' * 1_000_000}\n" for k in range(15)))
    return path


@pytest.mark.parametrize(
    ("task", "name"),
    [
        ("check", "out.parquet"),
        ("check", "out.arrow"),
        ("transform", "out.csv"),
        ("transform", "out.parquet"),
    ],
)
def test_memory_is_bounded(wide, tmp_path, task, name):
    program = [sys.executable, "-c", PEAK, task, wide, tmp_path / name]
    done = subprocess.run(program, capture_output=True, check=True)
    assert int(done.stdout) < 300_000


def test_slices_are_all_rows_in_order(tmp_path):
    source, output = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("puzzle,note\n" + "".join(f"{UNIQUE},{k}{'x' * 1_000_000}\n" for k in range(2)))
    unidoku.run(Transform(count=20, seed=1), source, output)
    rows = output.read_text().splitlines()[1:]
    assert [row[row.index("x") - 1] for row in rows] == ["0"] * 20 + ["1"] * 20
