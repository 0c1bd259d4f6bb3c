"""Compressed outputs: readable by anybody, and as small as they should be."""

import bz2
import gzip
import lzma
import random
import sys

import pytest

from unidoku.errors import MissingExtraError
from unidoku.pipeline import packing

try:
    from compression import zstd
except ImportError:
    zstd = pytest.importorskip("backports.zstd")

UNPACK = {".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress, ".zst": zstd.decompress}


@pytest.fixture(scope="module")
def lines():
    """Puzzles of 25 clues that nobody needs to solve."""
    chance = random.Random(5)
    rows = [
        "".join(chance.choice("123456789") if chance.random() < 0.3 else "." for _ in range(81))
        for _ in range(4000)
    ]
    return "".join(f"{row}\n" for row in rows).encode()


@pytest.mark.parametrize("form", ["txt", "sdm", "csv", "jsonl"])
@pytest.mark.parametrize("ending", UNPACK)
def test_every_packing_is_undone_by_others(lines, form, ending):
    found, pack = packing.split(f"a/b.c/x.{form}{ending.upper()}")
    assert found == form
    assert UNPACK[ending](pack(memoryview(lines))) == lines
    assert UNPACK[ending](pack(lines) + pack(b"more")) == lines + b"more"


def test_other_endings_are_no_packing():
    assert packing.split("x.txt") == ("txt", None)
    assert packing.split("x.gz.txt") == ("txt", None)
    assert packing.split("-") == ("txt", None)


def test_lines_are_packed_better_than_with_level_1(lines):
    _, pack = packing.split("x.txt.zst")
    assert len(pack(lines)) < len(zstd.compress(lines, 1))


def test_a_library_without_the_setting_for_literals(lines, monkeypatch):
    monkeypatch.setattr(packing, "_LITERALS", 9999)
    _, pack = packing.split("x.txt.zst")
    assert zstd.decompress(pack(lines)) == lines


def test_gzip_without_the_fast_library(lines, monkeypatch):
    monkeypatch.setitem(sys.modules, "isal", None)
    monkeypatch.setitem(sys.modules, "isal.isal_zlib", None)
    _, pack = packing.split("x.csv.gz")
    assert gzip.decompress(pack(lines)) == lines


def test_zstd_without_an_encoder(monkeypatch):
    monkeypatch.setitem(sys.modules, "backports.zstd", None)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    with pytest.raises(MissingExtraError, match=r"x.txt.zst: .*unidoku\[zstd\]"):
        packing.split("x.txt.zst")


@pytest.mark.parametrize(
    ("name", "packed"),
    [("x.parquet", "none"), ("x.zstd.parquet", "zstd"), ("X.LZ4.Parquet", "lz4"), ("x.zstd.arrow", "none")],
)
def test_parquet_says_it_in_the_middle(name, packed):
    assert packing.packing_of(name) == packed
