"""Buffer pools: reuse, bounds, foreign buffers."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, strategies as st

from unidoku.run.buffers import BufferPool, rounded


@given(st.integers(0, 1 << 40))
def test_sizes_are_rounded_up_a_little(size):
    assert size <= rounded(size) <= size + max(1 << 12, size // 8 + 1)
    assert rounded(rounded(size)) == rounded(size)


@pytest.mark.parametrize("size", [0, 1, 5000, 1_000_000])
def test_a_released_buffer_is_reused(size):
    pool = BufferPool()
    one, two = pool.allocate(size), pool.allocate(size)
    assert one is not two
    assert min(len(one), len(two)) >= size
    pool.release(one)
    assert pool.allocate(len(one)) is one
    assert pool.allocate(len(one)) is not one


def test_foreign_buffers_are_ignored():
    pool = BufferPool()
    for other in (b"bytes", bytearray(5001), bytearray(), None):
        pool.release(other)
    assert len(pool.allocate(5001)) == rounded(5001)


def test_free_buffers_are_bounded_by_the_peak_in_use():
    pool = BufferPool()
    for size in range(1, 40):
        pair = [pool.allocate(100_000 * size) for _ in range(2)]
        for buffer in pair:
            pool.release(buffer)
        waiting = sum(len(one) for some in pool._free.values() for one in some)
        assert 2 * len(pair[0]) <= waiting <= 4 * len(pair[0])
    assert pool.allocate(3_900_000) in pair


def test_a_buffer_is_not_used_twice_at_once():
    pool = BufferPool()

    def lend(number):
        for _ in range(300):
            buffer = pool.allocate(4096 * (1 + number % 2))
            buffer[:] = bytes([number]) * len(buffer)
            assert buffer == bytes([number]) * len(buffer)
            pool.release(buffer)

    with ThreadPoolExecutor(6) as executor:
        list(executor.map(lend, range(6)))
