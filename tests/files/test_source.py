"""Opening inputs: plain and compressed, whole and broken."""

import gzip
import io
import os
import random
import tracemalloc
from functools import cache
from itertools import pairwise

import pytest
from cases import in_turn
from packing import PACK

import unidoku
from unidoku.errors import InputError
from unidoku.files._codecs import open_compressed
from unidoku.files._source import open_source

TEXT = random.Random(1).randbytes(400_001).translate((b"123456789....\n" * 19)[:256])


@cache
def packed_text(kind):
    return PACK[kind](TEXT)


def read_all(source, step=65_537, out=None):
    """Read a source in steps; `out` keeps the bytes before an error."""
    out, piece = bytearray() if out is None else out, bytearray(step)
    while size := source.readinto(piece):
        out += piece[:size]
    return bytes(out)


@pytest.mark.parametrize("step", [7, 4096, 1_000_000])
def test_plain(tmp_path, step):
    path = tmp_path / "a.txt"
    path.write_bytes(TEXT)
    with open_source(path) as source:
        assert source.peek(10) == TEXT[:10]
        assert source.peek(100_000) == TEXT[:100_000]
        assert source.position == 0
        assert read_all(source, step) == TEXT
        assert source.position == len(TEXT)


@pytest.mark.parametrize("kind", PACK)
@pytest.mark.parametrize("cuts", [(), (100,), (0, 3, 3, 300_000, len(TEXT))])
def test_compressed_with_any_number_of_members(tmp_path, kind, cuts):
    path = tmp_path / "named.txt"  # content decides, not the name
    members = [PACK[kind](TEXT[begin:end]) for begin, end in pairwise([0, *cuts, len(TEXT)])]
    path.write_bytes(b"".join(members))
    with open_source(path) as source:
        assert source.kind == kind
        assert source.peek(50) == TEXT[:50]
        assert read_all(source) == TEXT
        assert source.position == path.stat().st_size


def test_zeros_after_the_last_member_are_padding():
    assert read_all(open_source(io.BytesIO(packed_text("gzip") + bytes(512)))) == TEXT


@in_turn
@pytest.mark.parametrize("kind", PACK)
@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_the_text_before_the_end_of_a_truncated_file_is_read(kind, share):
    packed = packed_text(kind)
    source, text = open_source(io.BytesIO(packed[: max(12, int(len(packed) * share))])), bytearray()
    with pytest.raises(
        InputError, match=f"^<stream>: {kind}: Compressed file ended before the end-of-stream"
    ):
        read_all(source, 1000, text)
    assert TEXT.startswith(text)
    assert len(text) > len(TEXT) // 4 or share < 0.99


@pytest.mark.parametrize("suffix", [".txt", ".csv", ".jsonl"])
def test_a_file_that_ends_before_its_first_record(suffix, tmp_path):
    path = tmp_path / f"in{suffix}.gz"
    path.write_bytes(gzip.compress(b"id,puzzle\n")[:14])
    with pytest.raises(InputError, match=r"gz: gzip: Compressed file ended before"):
        unidoku.check_file(path)


@in_turn
@pytest.mark.parametrize("kind", PACK)
def test_corrupt(kind):
    packed = bytearray(packed_text(kind))
    for i in range(len(packed) // 2, len(packed) // 2 + 40):
        packed[i] ^= 0x5A
    with pytest.raises(InputError, match=f"^<stream>: {kind}: "):
        read_all(open_source(io.BytesIO(packed)))


def test_memory_does_not_grow_with_the_ratio():
    packed = gzip.compress(bytes(50_000_000), 1)
    piece, total = bytearray(1 << 16), 0
    tracemalloc.start()
    with open_source(io.BytesIO(packed)) as source:
        while size := source.readinto(piece):
            total += size
        peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert total == 50_000_000
    assert peak < 4_000_000


def test_a_read_error_comes_after_all_readable_bytes():
    class Broken(io.RawIOBase):
        name, position = "disk.txt", 0

        def readable(self):
            return True

        def readinto(self, view):
            if self.position == 20:
                raise OSError(5, "Input/output error")
            count = min(len(view), 20 - self.position)
            self.position += count
            view[:count] = b"x" * count
            return count

    source = open_source(Broken())
    assert source.readinto(bytearray(100)) == 20
    with pytest.raises(InputError, match=r"^disk[.]txt: Input/output error"):
        source.readinto(bytearray(100))


@in_turn
@pytest.mark.parametrize("at", [0.3, 0.5, 0.7])
def test_a_changed_byte_of_an_own_zst_is_found(at):
    packed = io.BytesIO()
    with open_compressed("zstd", packed, "wb") as file:
        file.write(TEXT)
    content = bytearray(packed.getvalue())
    content[int(at * len(content))] ^= 0x55
    with open_source(io.BytesIO(bytes(content))) as source:
        assert read_whole(source) is None


def read_whole(source):
    """Return the bytes of a source; None if it is broken."""
    try:
        content = read_all(source)
    except InputError:
        return None
    return None if source.failure is not None else content


def test_a_file_that_is_cut_while_it_is_read_is_an_error(tmp_path):
    path = tmp_path / "in.txt"
    path.write_bytes(TEXT)
    error = f"became shorter while it was read, from {len(TEXT)} to 350000 bytes"
    with open_source(path) as source:
        os.truncate(path, 350_000)
        with pytest.raises(InputError, match=error):
            read_all(source)
