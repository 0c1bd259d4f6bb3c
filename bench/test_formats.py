"""What a format costs: file to verdict in each, as a share of the kernel's own rate.

    pytest bench/test_formats.py -s                          # 2 million puzzles
    UNIDOKU_BENCH_LINES=10000000 pytest bench/test_formats.py -s

CPU time of all threads, both sides in turn, best of several. A share of 0.6 means that the kernel has 60 %
of the processor's time. Set "17clue" is the easiest for the kernel, so the hardest for the formats.
"""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from puzzle_sets import puzzle_set
from test_files import THREADS, KernelAlone, best

from unidoku import check_file, convert_file
from unidoku.pipeline.sinks import open_sink

pytest.importorskip("pyarrow")

LINES = int(os.environ.get("UNIDOKU_BENCH_LINES", "2000000"))
DIGITS = ["123456789", "987654321", "246813579", "192837465", "531978642"]


@pytest.fixture(scope="module", params=["17clue", "top1465"])
def folder(request, tmp_path_factory):
    """The puzzles in every format; digits are renamed so that blocks repeat late."""
    lines = puzzle_set(request.param)
    if lines is None:
        pytest.skip(f"no {request.param} puzzles beside the repository")
    folder = tmp_path_factory.mktemp("formats")
    count = LINES if request.param == "17clue" else LINES // 5
    block = ("\n".join(lines) + "\n").encode()
    with (folder / "in.txt").open("wb") as file:
        for turn in range(-(-count // len(lines))):
            file.write(block.translate(bytes.maketrans(b"123456789", DIGITS[turn % 5].encode())))
    text = (folder / "in.txt").read_bytes()
    (folder / "in.txt.gz").write_bytes(gzip.compress(text, 6))
    _zstd(text, folder / "in.txt.zst")
    _parquet(folder, "none")
    _parquet(folder, "zstd")
    convert_file(folder / "in.txt", folder / "in.csv")
    yield folder
    for path in folder.iterdir():
        path.unlink()


def _zstd(text, path):
    try:
        from compression import zstd
    except ImportError:
        zstd = pytest.importorskip("backports.zstd")
    path.write_bytes(zstd.compress(text, 3))


def _parquet(folder, packing):
    import pyarrow.parquet as pq

    if packing == "none":
        convert_file(folder / "in.txt", folder / "none.parquet")
    else:
        table = pq.read_table(folder / "none.parquet")
        pq.write_table(table, folder / f"{packing}.parquet", compression=packing, row_group_size=1 << 17)


INPUTS = ["in.txt", "in.csv", "in.txt.zst", "in.txt.gz", "none.parquet", "zstd.parquet"]


@pytest.mark.parametrize(
    ("name", "output"),
    [
        *((name, None) for name in INPUTS),
        ("in.txt", "out.txt"),
        ("in.txt.zst", "out.txt.zst"),
        ("none.parquet", "out.parquet"),
        ("zstd.parquet", "out.parquet"),
    ],
)
def test_share(folder, name, output):
    alone = KernelAlone(folder / "in.txt")

    def whole():
        # The sink itself: parts and restart are another matter.
        sink = open_sink(output and folder / output)
        done = check_file(folder / name, threads=THREADS, output=sink)
        assert done.unique == alone.count

    ours, theirs = best([whole, alone.run], rounds=3)
    each = 1e9 / alone.count
    what = f"{name} -> {output}" if output else name
    print(
        f"\n{what}, {alone.count:,} puzzles: share {theirs / ours:.2f} "
        f"({ours * each:.0f} and {theirs * each:.0f} ns a puzzle)"
    )
