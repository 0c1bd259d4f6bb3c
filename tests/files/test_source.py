"""Opening inputs: plain and compressed, whole and broken."""

import gzip
import io
import random
from functools import cache

import pytest
from packing import PACK

from unidoku.errors import InputError
from unidoku.files.source import open_source

RANDOM = random.Random(1)
TEXT = bytes(RANDOM.choices(b"123456789....\n", k=700_001))


@cache
def packed_text(kind):
    return PACK[kind](TEXT)


def read_all(source, step=65_537):
    """Everything, in steps; each but the last is full."""
    out = bytearray()
    piece = bytearray(step)
    while got := source.readinto(memoryview(piece)):
        out += piece[:got]
        if got < step:
            assert source.readinto(memoryview(piece)) == 0
            break
    return bytes(out)


@pytest.mark.parametrize("step", [1, 7, 4096, 1_000_000])
def test_plain(tmp_path, step):
    path = tmp_path / "a.txt"
    text = TEXT[:5000]
    path.write_bytes(text)
    with open_source(path) as source:
        assert source.kind == ""
        assert source.peek(10) == text[:10]
        assert source.peek(100) == text[:100]
        assert read_all(source, step) == text
        assert source.position == len(text)


@pytest.mark.parametrize("kind", PACK)
@pytest.mark.parametrize("cuts", [(), (100,), (1, 2, 3, 300_000)])
def test_compressed_with_any_number_of_members(tmp_path, kind, cuts):
    path = tmp_path / "named.txt"  # content decides, not the name
    ends = [*cuts, len(TEXT)]
    members = [PACK[kind](TEXT[a:b]) for a, b in zip([0, *cuts], ends, strict=True)]
    path.write_bytes(b"".join(members))
    with open_source(path) as source:
        assert source.kind == kind
        assert source.peek(50) == TEXT[:50]
        assert read_all(source) == TEXT
        assert source.position == path.stat().st_size


@pytest.mark.parametrize("kind", PACK)
def test_empty_members(kind):
    packed = PACK[kind](b"")
    with open_source(io.BytesIO(packed + packed + PACK[kind](b"abc") + packed)) as source:
        assert source.kind == kind
        assert read_all(source) == b"abc"


def test_zeros_after_the_last_member_are_padding():
    with open_source(io.BytesIO(packed_text("gzip") + bytes(512))) as source:
        assert read_all(source) == TEXT


@pytest.mark.parametrize("kind", PACK)
@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_truncated(kind, share):
    packed = packed_text(kind)
    packed = packed[: max(12, int(len(packed) * share))]
    got = bytearray()
    piece = bytearray(1000)

    def read():
        with open_source(io.BytesIO(packed)) as source:
            while count := source.readinto(memoryview(piece)):
                got.extend(piece[:count])

    with pytest.raises(InputError, match=f"{kind}: Compressed file ended before the end-of-stream") as caught:
        read()
    assert caught.value.file == "<stream>"
    assert TEXT.startswith(bytes(got))
    if share == 0.99:
        assert len(got) > len(TEXT) // 4


@pytest.mark.parametrize("kind", PACK)
def test_corrupt(kind):
    packed = bytearray(packed_text(kind))
    for i in range(len(packed) // 2, len(packed) // 2 + 40):
        packed[i] ^= 0x5A
    with (
        open_source(io.BytesIO(bytes(packed))) as source,
        pytest.raises(InputError, match=f"^<stream>: {kind}: "),
    ):
        read_all(source)


def test_high_ratios_stay_small():
    import tracemalloc

    packed = gzip.compress(bytes(50_000_000), 1)
    piece = memoryview(bytearray(1 << 16))
    tracemalloc.start()
    with open_source(io.BytesIO(packed)) as source:
        total = 0
        while got := source.readinto(piece):
            total += got
        peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert total == 50_000_000
    assert peak < 4_000_000


def test_a_read_error_comes_after_all_readable_bytes():
    class Broken(io.RawIOBase):
        done = 0

        def readable(self):
            return True

        def readinto(self, view):
            if self.done == 20:
                raise OSError(5, "Input/output error")
            count = min(len(view), 20 - self.done)
            self.done += count
            view[:count] = b"x" * count
            return count

        name = "disk.txt"

    source = open_source(Broken())
    piece = bytearray(100)
    assert source.readinto(memoryview(piece)) == 20
    with pytest.raises(InputError, match=r"^disk[.]txt: Input/output error"):
        source.readinto(memoryview(piece))
