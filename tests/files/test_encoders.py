"""Compressed outputs: readable by other programs, the same for all sizes of writes."""

import gzip
import sys

import packing
import pytest

from unidoku.files.output import OutputFile

LINES = "".join(f"{number:081d}\n" for number in range(8000)).encode()


def compress(path, size=1 << 30):
    """Write the lines to a file in pieces of this size; return its bytes."""
    with OutputFile(str(path)) as file:
        for begin in range(0, len(LINES), size):
            file.write(memoryview(LINES)[begin : begin + size])
    return path.read_bytes()


@pytest.mark.parametrize("ending", packing.UNPACK)
def test_every_compression_is_undone_by_others(tmp_path, ending):
    content = compress(tmp_path / f"x.sdm{ending.upper()}")
    assert packing.UNPACK[ending](content) == LINES
    assert content == compress(tmp_path / f"y.sdm{ending}", 99_999)


def test_gzip_without_the_fast_library(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "isal", None)
    monkeypatch.setitem(sys.modules, "isal.igzip", None)
    assert gzip.decompress(compress(tmp_path / "x.csv.gz")) == LINES
