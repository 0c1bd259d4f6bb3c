"""Reuse buffers: allocating the pages of a new buffer often costs more than the work on it."""

from __future__ import annotations

import threading
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

    The total size of free buffers is at most twice the peak size of buffers in use.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._free: dict[int, list[bytearray]] = {}  # by size, the most recently used size last
        self._free_bytes = 0
        self._used_bytes = 0
        self._peak_bytes = 0
        self._scratches: list[dict[str, Any]] = []

    def allocate(self, size: int) -> bytearray:
        """Return a buffer of at least `size` bytes with undefined content."""
        size = rounded(size)
        with self._lock:
            self._used_bytes += size
            self._peak_bytes = max(self._peak_bytes, self._used_bytes)
            buffers = self._free.get(size)
            if buffers:
                self._free_bytes -= size
                buffer = buffers.pop()
                cpu.spoil(buffer)
                return buffer
        return bytearray(size)

    def release(self, buffer: object) -> None:
        """Return a buffer of `allocate` to the pool; any other object is ignored."""
        if not isinstance(buffer, bytearray) or len(buffer) != rounded(len(buffer)):
            return
        with self._lock:
            self._used_bytes -= len(buffer)
            self._free_bytes += len(buffer)
            self._free[len(buffer)] = [*self._free.pop(len(buffer), ()), buffer]
            while self._free_bytes > 2 * self._peak_bytes:
                oldest = next(iter(self._free))
                self._free_bytes -= oldest * len(self._free.pop(oldest))

    def scratch(self) -> dict[str, Any]:
        """Return the scratch of a worker that has ended, or an empty one."""
        try:
            return self._scratches.pop()
        except IndexError:
            return {}

    def leave(self, scratch: dict[str, Any]) -> None:
        """Keep the reusable buffers of a worker that ends."""
        self._scratches.append({key: scratch[key] for key in SHARED if key in scratch})
