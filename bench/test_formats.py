"""The cost of each format: the kernel's time as a share of the time from file to verdict.

    pytest bench/test_formats.py -s                          # 2 million puzzles
    UNIDOKU_BENCH_LINES=10000000 pytest bench/test_formats.py -s

Two threads; processor time of all threads, and wall time; both sides in turn, best of several. An output is
compared with the kernel that returns solutions. The set "17clue" is the easiest for the kernel, so the
hardest for the formats.

An output is measured twice: as a stream ("->"), and as ``check --output`` makes it ("=>"): in parts, each
synced to disk, with counted lines. The wall time of the second is mostly that of the disk.
"""

from __future__ import annotations

import gzip
import os
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from puzzle_sets import named_set, permuted
from test_files import THREADS, KernelAlone

import unidoku
from unidoku import check_file
from unidoku.options import Options
from unidoku.runner.writer import open_writer
from unidoku.tasks import Convert
from unidoku.tasks.check import Check
from unidoku.tasks.speed import alternate

pytest.importorskip("pyarrow")

LINES = int(os.environ.get("UNIDOKU_BENCH_LINES", "2000000"))
FAR = 40_000  # lines, 3 MB
DIGITS = ["123456789", "987654321", "246813579", "192837465", "531978642"]


@pytest.fixture(scope="module", params=["17clue", "top1465", "sample"])
def folder(request, tmp_path_factory):
    """Write the puzzles in every format; repetitions are too far apart for a compressor."""
    lines = named_set(request.param, 0)
    if lines is None:
        pytest.skip(f"no {request.param} puzzles beside the repository")
    folder = tmp_path_factory.mktemp("formats")
    moved = [permuted(lines, seed) for seed in range(-(-FAR // len(lines)))]
    block = ("\n".join(line for each in moved for line in each) + "\n").encode()
    size = block.count(b"\n")
    with (folder / "in.txt").open("wb") as file:
        for turn in range(-(-LINES // size)):
            file.write(block.translate(bytes.maketrans(b"123456789", DIGITS[turn % 5].encode())))
    text = (folder / "in.txt").read_bytes()
    (folder / "in.txt.gz").write_bytes(gzip.compress(text, 6))
    _zstd(text, folder / "in.txt.zst")
    _parquet(folder, "none")
    _parquet(folder, "zstd")
    unidoku.run(Convert(), folder / "in.txt", folder / "in.csv")
    yield folder
    shutil.rmtree(folder)


def _zstd(text, path):
    try:
        from compression import zstd
    except ImportError:
        zstd = pytest.importorskip("backports.zstd")
    path.write_bytes(zstd.compress(text, 3))


def _parquet(folder, packing):
    import pyarrow.parquet as pq

    if packing == "none":
        unidoku.run(Convert(), folder / "in.txt", folder / "none.parquet")
    else:
        table = pq.read_table(folder / "none.parquet")
        pq.write_table(table, folder / f"{packing}.parquet", compression=packing, row_group_size=1 << 17)


INPUTS = ["in.txt", "in.csv", "in.txt.zst", "in.txt.gz", "none.parquet", "zstd.parquet"]


OUTPUTS = [
    ("in.txt", "out.txt"),
    ("in.txt", "out.txt.zst"),
    ("in.txt.zst", "out.txt.zst"),
    ("in.txt", "out.parquet"),
    ("none.parquet", "out.parquet"),
    ("zstd.parquet", "out.parquet"),
]


@pytest.mark.parametrize("name", INPUTS)
def test_input(folder, name):
    alone = KernelAlone(folder / "in.txt")
    _tell(name, alone, lambda: check_file(folder / name, threads=THREADS))


@pytest.mark.parametrize("arrow", ["->", "=>"])
@pytest.mark.parametrize(("name", "output"), OUTPUTS)
def test_output(folder, name, output, arrow):
    alone = KernelAlone(folder / "in.txt", solutions=True)
    target = folder / output

    def before():
        if target.is_dir():
            shutil.rmtree(target)
        else:
            target.unlink(missing_ok=True)
        os.sync()

    def whole():
        writer = open_writer(str(target), Check(), Options()) if arrow == "->" else target
        return check_file(folder / name, threads=THREADS, output=writer)

    _tell(f"{name} {arrow} {output}", alone, whole, before)
    before()


def _tell(what, alone, whole, before=lambda: None):
    def checked():
        assert whole().unique == alone.count

    times = []
    for _ in range(3):
        before()
        times.append(alternate([checked, alone.run], 0).ravel())
    cpu, wall, kernel_cpu, kernel_wall = (
        min(column) * 1e9 / alone.count for column in zip(*times, strict=True)
    )
    print(
        f"\n{what}, {alone.count:,} puzzles:"
        f" share of processor time {kernel_cpu / cpu:.2f} ({kernel_cpu:.0f} of {cpu:.0f} ns a puzzle),"
        f" of the time that passes {kernel_wall / wall:.2f} ({kernel_wall:.0f} of {wall:.0f} ns)"
    )
