"""Buffer pools: reuse, bounds, foreign buffers."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, strategies as st

from unidoku.files.base import BufferPool, rounded


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
    for other in (b"bytes", None):  # which are not its own
        pool.release(other)
    assert len(pool.allocate(5001)) == rounded(5001)


def test_a_larger_buffer_serves_and_smaller_ones_are_dropped():
    pool = BufferPool()
    large, *small = (pool.allocate(size) for size in (900_000, 5000, 5000))
    for buffer in (large, *small):
        pool.release(buffer)
    assert pool.allocate(10_000) is large
    assert pool.allocate(10) not in small


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
