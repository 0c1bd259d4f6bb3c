"""What a run over one large file costs: processor time, wall time, memory and the size of its output.

    python bench/scale.py [ROWS …] [--folder DIR]      10,000,000 rows take 3 GB of disk

The file has 10,000 generated puzzles again and again.  `unidoku check` counts its verdicts, then writes them
as CSV, as a folder of parts, and as the same folder on one and two workers of Dask; the last two show what
dividing a file costs.  Each way is a process of its own, whose children are counted with it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import unidoku

PUZZLES = 10_000
WAYS = {
    "count": ["-q"],
    "CSV": ["-o", "out.csv"],
    "folder": ["-o", "out/"],
    "folder, local:1": ["-o", "out/", "--cluster", "local:1"],
    "folder, local:2": ["-o", "out/", "--cluster", "local:2"],
}
COUNTED = ["--exit-zero", "--threads", "1"]


def write_puzzles(path: Path, rows: int) -> None:
    """Write a file of so many lines, unless it is there."""
    if path.exists() and path.stat().st_size == 82 * rows:
        return
    block = "".join(f"{line}\n" for line in unidoku.lines(unidoku.generate(PUZZLES, seed=1))).encode()
    with path.open("wb") as file:
        for begin in range(0, rows, PUZZLES):
            file.write(block[: 82 * (rows - begin)])


def measure(folder: Path, rows: int, way: str) -> None:
    """Run one way in a folder, and print what it took."""
    command = [sys.executable, "-m", "unidoku", "check", f"{rows}.txt", *COUNTED, *WAYS[way]]
    begin = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall, processor = time.perf_counter() - begin, usage.ru_utime + usage.ru_stime
    assert process.returncode == 0, command
    written = sum(path.stat().st_size for path in folder.rglob("out*") if path.is_file())
    written += sum(path.stat().st_size for path in folder.glob("out/*"))
    print(
        f"{rows:>13,}  {way:<16} {processor:8.1f} {wall:8.1f} {1e6 * processor / rows:9.3f}"
        f" {usage.ru_maxrss / 1024:7.0f} {written / 1e6:8.0f}",
        flush=True,
    )
    shutil.rmtree(folder / "out", ignore_errors=True)
    (folder / "out.csv").unlink(missing_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("rows", nargs="*", type=int, default=[10**7])
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    print("         rows  way              processor    wall  us a row  MB peak  MB out")
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        for rows in arguments.rows:
            write_puzzles(folder / f"{rows}.txt", rows)
            for way in WAYS:
                measure(folder, rows, way)


if __name__ == "__main__":
    main()
