"""Compressed outputs: readable by other programs, and small enough."""

import gzip
import random
import sys
from types import SimpleNamespace

import packing
import pytest

from unidoku.files import codecs
from unidoku.files.formats import output_format

zstd = packing.zstd()


@pytest.fixture(scope="module")
def lines():
    """Random puzzles of 25 clues, which are not solved."""
    chance = random.Random(5)
    rows = [
        "".join(chance.choice("123456789") if chance.random() < 0.3 else "." for _ in range(81))
        for _ in range(4000)
    ]
    return "".join(f"{row}\n" for row in rows).encode()


def encoder_of(name):
    return output_format(name, rows=False).encode


@pytest.mark.parametrize("ending", packing.UNPACK)
def test_every_compression_is_undone_by_others(lines, ending):
    name = f"a/b.c/x.sdm{ending.upper()}"
    assert output_format(name, rows=False).ending == f".sdm{ending}"
    encode = encoder_of(name)
    assert packing.UNPACK[ending](encode(memoryview(lines))) == lines
    assert packing.UNPACK[ending](encode(lines) + encode(b"more")) == lines + b"more"


@pytest.mark.parametrize("name", ["x.txt", "x.gz.txt", "-"])
def test_other_names_are_not_compressed(name):
    assert encoder_of(name) is None


def test_lines_are_compressed_better_than_with_level_1(lines):
    assert len(encoder_of("x.txt.zst")(lines)) < len(zstd.compress(lines, 1))


def test_a_library_without_the_setting_for_literals(lines, monkeypatch):
    def compress(text, options):
        if codecs.LITERALS in options:
            raise ValueError("unknown parameter")
        return zstd.compress(text, options=options)

    older = SimpleNamespace(CompressionParameter=zstd.CompressionParameter, compress=compress)
    monkeypatch.setitem(sys.modules, zstd.__name__, older)
    assert zstd.decompress(encoder_of("x.txt.zst")(lines)) == lines


def test_gzip_without_the_fast_library(lines, monkeypatch):
    monkeypatch.setitem(sys.modules, "isal", None)
    monkeypatch.setitem(sys.modules, "isal.isal_zlib", None)
    assert gzip.decompress(encoder_of("x.csv.gz")(lines)) == lines
