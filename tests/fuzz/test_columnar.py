"""Damaged Arrow and Parquet files of every encoding give clear errors, and never end the process."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest
from fuzzing import FACTOR, SEED

import unidoku

pytest.importorskip("pyarrow", "19")
import columnar_files
from columnar_files import KINDS, ROWS, seeds

COUNT = 25 * FACTOR


@pytest.mark.parametrize("kind", KINDS)
def test_good_files(kind: str) -> None:
    """What is damaged below are files that can be read, with columns of many types."""
    assert len(seeds(kind)) > 45
    for content in seeds(kind):
        assert unidoku.check_file(io.BytesIO(content)).puzzles == ROWS


def test_damaged_files() -> None:
    # Memory is garbage before it is written and after it is freed, PyArrow's too.
    environment = {"MALLOC_PERTURB_": "165", "ARROW_DEFAULT_MEMORY_POOL": "system"}
    command = [sys.executable, columnar_files.__file__, str(SEED), str(COUNT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)
    *_, last = done.stdout.splitlines()
    assert done.returncode == 0, f"{last}: {done.returncode}\n{done.stderr[-3000:]}"
    assert last == f"{[*KINDS][-1]} {SEED + COUNT - 1}"
