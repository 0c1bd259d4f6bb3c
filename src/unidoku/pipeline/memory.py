"""Buffers that are used again: fresh pages cost more than most of what is done with them here."""

from __future__ import annotations

import threading
from typing import Any

__all__ = ["LASTING", "Memory", "rounded"]

LASTING = ("counts", "verdicts", "complete", "solutions", "scanner")
"""What a worker's scratch has that serves any reader."""

_FINEST = 1 << 12  # bytes


def rounded(size: int) -> int:
    """The size a buffer should have: up to an eighth more, so that it fits again."""
    step = max(_FINEST, 1 << max(0, size.bit_length() - 4))
    return max(step, -(-size // step) * step)


class Memory:
    """Buffers and workers' scratches waiting to be used again; any number of threads may share it.

    At most twice as many bytes wait as were once lent at the same time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._free: dict[int, list[bytearray]] = {}
        self._waiting = 0  # bytes
        self._lent = 0
        self._most = 0
        self._scratches: list[dict[str, Any]] = []

    def take(self, size: int) -> bytearray:
        """A buffer of at least so many bytes; what it holds means nothing."""
        size = rounded(size)
        with self._lock:
            self._lent += size
            self._most = max(self._most, self._lent)
            buffers = self._free.get(size)
            if buffers:
                self._waiting -= size
                return buffers.pop()
        return bytearray(size)

    def give(self, buffer: object) -> None:
        """Hand back what `take` gave; anything else is let go."""
        if not isinstance(buffer, bytearray) or len(buffer) != rounded(len(buffer)):
            return
        with self._lock:
            self._lent -= len(buffer)
            self._waiting += len(buffer)
            # sizes in the order of their last use
            self._free[len(buffer)] = [*self._free.pop(len(buffer), ()), buffer]
            while self._waiting > 2 * self._most:
                oldest = next(iter(self._free))
                self._waiting -= oldest * len(self._free.pop(oldest))

    def scratch(self) -> dict[str, Any]:
        """What a worker keeps from one item to the next: at first what another one has left."""
        try:
            return self._scratches.pop()
        except IndexError:
            return {}

    def leave(self, scratch: dict[str, Any]) -> None:
        """Take over what a worker that ends has kept, as far as others can use it."""
        self._scratches.append({key: scratch[key] for key in LASTING if key in scratch})
