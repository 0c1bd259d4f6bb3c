"""A Parquet or Arrow file that another process shortens while it is read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow")
from damaged_arrow import write_table  # noqa: E402

# Empty grids, of which 300 solutions are counted, take long enough for the file to be cut while it is read.
RUN = """
import os, sys
import unidoku
from unidoku.errors import UnidokuError

count, *paths = sys.argv[1:]
for path in paths:
    size = os.path.getsize(path)

    def shorten(progress):
        if os.path.getsize(path) == size:
            os.truncate(path, size // 2)

    try:
        unidoku.check_file(path, threads=2, limit=300, progress=shorten)
    except UnidokuError as error:
        print(type(error).__name__, error.file == path, 0 < error.summary.puzzles < int(count))
"""


def test_a_file_cut_short_during_a_run_is_an_error(tmp_path: Path) -> None:
    count = 20_000
    table = pa.table({"puzzle": ["." * 81] * count, "id": range(count)})
    paths = [tmp_path / f"in{suffix}" for suffix in (".parquet", ".arrow", ".arrows")]
    for path in paths:
        write_table(path, table, 500)
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(count), *paths], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    for line in done.stdout.splitlines():
        kind, named, partly = line.split()
        assert (kind in {"InputError", "FormatError"}, named, partly) == (True, "True", "True")
    assert len(done.stdout.splitlines()) == len(paths)
