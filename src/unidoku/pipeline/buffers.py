"""Buffer pools: allocating the pages of a new buffer often costs more than the work on it."""

from __future__ import annotations

import threading
from typing import Any

__all__ = ["SHARED", "BufferPool", "rounded"]

SHARED = ("counts", "verdicts", "complete", "solutions", "scanner")
"""The keys of a worker's scratch whose buffers serve any reader."""

_GRAIN = 1 << 12  # bytes


def rounded(size: int) -> int:
    """The size of a buffer for `size` bytes: up to an eighth larger, so that it fits again."""
    step = max(_GRAIN, 1 << max(0, size.bit_length() - 4))
    return max(step, -(-size // step) * step)


class BufferPool:
    """Free buffers, and scratches of workers that have ended; any number of threads may share a pool.

    The free buffers have at most twice as many bytes as were ever taken at the same time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._free: dict[int, list[bytearray]] = {}  # by size; the size used last comes last
        self._free_bytes = 0
        self._taken_bytes = 0
        self._most_taken = 0
        self._scratches: list[dict[str, Any]] = []

    def take(self, size: int) -> bytearray:
        """A buffer of at least `size` bytes with undefined content."""
        size = rounded(size)
        with self._lock:
            self._taken_bytes += size
            self._most_taken = max(self._most_taken, self._taken_bytes)
            buffers = self._free.get(size)
            if buffers:
                self._free_bytes -= size
                return buffers.pop()
        return bytearray(size)

    def give(self, buffer: object) -> None:
        """Give back what `take` returned; any other object is ignored."""
        if not isinstance(buffer, bytearray) or len(buffer) != rounded(len(buffer)):
            return
        with self._lock:
            self._taken_bytes -= len(buffer)
            self._free_bytes += len(buffer)
            self._free[len(buffer)] = [*self._free.pop(len(buffer), ()), buffer]
            while self._free_bytes > 2 * self._most_taken:
                oldest = next(iter(self._free))
                self._free_bytes -= oldest * len(self._free.pop(oldest))

    def scratch(self) -> dict[str, Any]:
        """A scratch for a new worker: that of a worker that has ended, or an empty one."""
        try:
            return self._scratches.pop()
        except IndexError:
            return {}

    def leave(self, scratch: dict[str, Any]) -> None:
        """Keep the buffers of a worker that ends, if other workers can use them."""
        self._scratches.append({key: scratch[key] for key in SHARED if key in scratch})
