"""Rows of megabytes, written in slices: memory does not grow with their number."""

import subprocess
import sys

import pytest
from example_puzzles import UNIQUE

import unidoku
from unidoku.tasks import Transform

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory in KiB")

PROGRAM = r"""
import re, sys, unidoku
from unidoku.tasks import Transform

unidoku.run(Transform(count=35, seed=1), *sys.argv[1:], threads=2)
# Not getrusage, whose peak begins with the parent process.
print(re.search(r"VmHWM:\s+(\d+)", open("/proc/self/status").read())[1])
"""


def test_memory_is_bounded(tmp_path):
    """Of two rows of a megabyte and 35 images of each, about 101 MB; without slices, 195 MB."""
    source = tmp_path / "wide.csv"
    source.write_text("puzzle,note\n" + "".join(f"{UNIQUE},{k}{'x' * 1_000_000}\n" for k in range(2)))
    program = [sys.executable, "-c", PROGRAM, source, tmp_path / "out.csv"]
    process = subprocess.run(program, capture_output=True, check=True)
    assert int(process.stdout) < 150_000


def test_slices_are_all_rows_in_order(tmp_path):
    source, output = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("puzzle,note\n" + "".join(f"{UNIQUE},{k}{'x' * 250_000}\n" for k in range(2)))
    unidoku.run(Transform(count=20, seed=1), source, output)
    rows = output.read_text().splitlines()[1:]
    assert [row[row.index("x") - 1] for row in rows] == ["0"] * 20 + ["1"] * 20
