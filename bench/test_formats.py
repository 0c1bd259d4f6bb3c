"""The cost of each format: from file to verdict, beside the kernel alone.

    pytest bench/test_formats.py                          # 2 million puzzles
    UNIDOKU_BENCH_LINES=10000000 pytest bench/test_formats.py

Two threads. An output is compared with the kernel that returns solutions. The set "17clue" is the easiest for
the kernel, so the hardest for the formats.

An output is measured twice: as a stream ("->"), and as ``check --output`` makes it ("=>"): in parts, each
synced to disk, with counted lines.
"""

from __future__ import annotations

import gzip
import os
import shutil
import threading

import pytest
from match import Pair
from puzzle_sets import named_set, permuted
from report import Row

import unidoku
from unidoku import check_file, kernel
from unidoku._native.text.scan import Scanner
from unidoku._options import Options
from unidoku.runner._writer import open_writer
from unidoku.tasks import Convert
from unidoku.tasks._check import Check

pytest.importorskip("pyarrow")

LINES = int(os.environ.get("UNIDOKU_BENCH_LINES", "2000000"))
THREADS = 2
PIECE = 25_000  # puzzles a kernel call, as in the pipeline
FAR = 40_000  # lines, 3 MB
DIGITS = ["123456789", "987654321", "246813579", "192837465", "531978642"]


class KernelAlone:
    """The same puzzles, in memory and found beforehand."""

    def __init__(self, path, solutions=False):
        self.solutions = solutions
        self.text = path.read_bytes()
        self.scanner = Scanner()
        self.count = self.scanner.scan(self.text, 0, len(self.text))
        self.starts = self.scanner.starts
        self.counts = memoryview(bytearray(8 * self.count)).cast("Q")
        self.verdicts = memoryview(bytearray(self.count))

    def run(self):
        pieces = iter(range(0, self.count, PIECE))
        lock = threading.Lock()

        def work():
            solutions = memoryview(bytearray(81 * PIECE)) if self.solutions else None
            while True:
                with lock:
                    begin = next(pieces, None)
                if begin is None:
                    return
                part = slice(begin, begin + PIECE)
                kernel.isa_module().solve_cells(
                    self.text,
                    self.starts[part],
                    counts=self.counts[part],
                    verdicts=self.verdicts[part],
                    solutions=solutions and solutions[: 81 * len(self.verdicts[part])],
                )

        threads = [threading.Thread(target=work) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert self.verdicts.tobytes().count(1) == self.count


def pair(name, solver, work, beside, number):
    """A work on the puzzles of a file beside another one, on two threads that share them."""
    row = Row(name, solver, "batch", THREADS, 0, puzzles=number // THREADS)
    return Pair(row, work, beside, number, seconds=0)


@pytest.fixture(scope="module", params=["17clue", "top1465", "sample"])
def folder(request, tmp_path_factory):
    """Write the puzzles in every format; repetitions are too far apart for a compressor."""
    lines = named_set(request.param, 2000)
    if lines is None:
        pytest.skip(f"no {request.param} puzzles beside the repository")
    folder = tmp_path_factory.mktemp(request.param, numbered=False)
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
def test_input(measure, folder, name):
    alone = KernelAlone(folder / "in.txt")

    def whole():
        assert check_file(folder / name, threads=THREADS).unique == alone.count

    measure(pair(f"{folder.name}, kernel 1", name, whole, alone.run, alone.count))


@pytest.mark.parametrize("arrow", ["->", "=>"])
@pytest.mark.parametrize(("name", "output"), OUTPUTS)
def test_output(measure, folder, name, output, arrow):
    alone = KernelAlone(folder / "in.txt", solutions=True)
    target = folder / output

    def whole():
        if target.is_dir():
            shutil.rmtree(target)
        else:
            target.unlink(missing_ok=True)
        writer = open_writer(str(target), Check(), Options()) if arrow == "->" else target
        assert check_file(folder / name, threads=THREADS, output=writer).unique == alone.count

    title = f"{folder.name}, kernel with solutions 1"
    measure(pair(title, f"{name} {arrow} {output}", whole, alone.run, alone.count))
