"""Compressed outputs: readable by other programs, small enough, and the same however they are written."""

import gzip
import random
import sys

import packing
import pytest

from unidoku.files.output import OutputFile


@pytest.fixture(scope="module")
def lines():
    """Random puzzles of 25 clues, which are not solved."""
    chance = random.Random(5)
    rows = [
        "".join(chance.choice("123456789") if chance.random() < 0.3 else "." for _ in range(81))
        for _ in range(8000)
    ]
    return "".join(f"{row}\n" for row in rows).encode()


@pytest.fixture
def packed(lines, tmp_path):
    """Write the lines to a file of this name in pieces of this size; return its bytes."""

    def write(name, size=1 << 30):
        with OutputFile(str(tmp_path / name)) as file:
            for begin in range(0, len(lines), size):
                file.write(memoryview(lines)[begin : begin + size])
        return (tmp_path / name).read_bytes()

    return write


@pytest.mark.parametrize("ending", packing.UNPACK)
def test_every_compression_is_undone_by_others(lines, packed, ending):
    content = packed(f"x.sdm{ending.upper()}")
    assert packing.UNPACK[ending](content) == lines
    assert content == packed(f"y.sdm{ending}", 99_999)


def test_other_names_are_not_compressed(lines, packed):
    assert packed("x.gz.txt") == lines


def test_gzip_without_the_fast_library(lines, packed, monkeypatch):
    monkeypatch.setitem(sys.modules, "isal", None)
    monkeypatch.setitem(sys.modules, "isal.igzip", None)
    assert gzip.decompress(packed("x.csv.gz")) == lines
