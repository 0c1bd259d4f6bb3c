"""Reuse buffers: allocating the pages of a new buffer often costs more than the work on it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from unidoku.native import cpu

SHARED = ("counts", "verdicts", "complete", "solutions", "scanner")
"""The keys of a worker's scratch whose buffers every reader can use."""

_GRAIN = 1 << 12  # bytes


def rounded(size: int) -> int:
    """Round the size of a buffer up, by at most an eighth, so that it can be reused for similar sizes."""
    step = max(_GRAIN, 1 << max(0, size.bit_length() - 4))
    return max(step, -(-size // step) * step)


class BufferPool:
    """Free buffers, and scratches of workers that have ended; threads may share a pool.

    There are at most as many free buffers as were once in use at the same time.
    """

    def __init__(self) -> None:
        self._free: list[bytearray] = []
        self._scratches: list[dict[str, Any]] = []

    def allocate(self, size: int) -> bytearray:
        """Return a buffer of at least `size` bytes with undefined content."""
        with suppress(IndexError):
            while True:
                buffer = self._free.pop()
                if len(buffer) >= size:  # a smaller one is dropped
                    cpu.spoil(buffer)
                    return buffer
        return bytearray(rounded(size))

    def release(self, buffer: object) -> None:
        """Return a buffer of `allocate` to the pool; an object that is no bytearray is ignored."""
        if isinstance(buffer, bytearray):
            self._free.append(buffer)

    def scratch(self) -> dict[str, Any]:
        """Return the scratch of a worker that has ended, or an empty one."""
        try:
            return self._scratches.pop()
        except IndexError:
            return {}

    def leave(self, scratch: dict[str, Any]) -> None:
        """Keep the reusable buffers of a worker that ends."""
        self._scratches.append({key: scratch[key] for key in SHARED if key in scratch})
