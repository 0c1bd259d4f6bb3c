"""The threads of Python that are alive, also those that `threading` does not count."""

from __future__ import annotations

import sys
import time


def threads() -> int:
    """How many there are."""
    return len(sys._current_frames())


def ends(before: int) -> bool:
    """Whether there soon are no more than before; a worker is awaited a moment before its end."""
    end = time.monotonic() + 300
    while threads() > before and time.monotonic() < end:
        time.sleep(0.001)
    return threads() <= before
