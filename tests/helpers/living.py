"""Number of living threads, including threads unknown to `threading`."""

from __future__ import annotations

import sys
import time


def threads() -> int:
    """Count the living threads."""
    return len(sys._current_frames())


def ends(before: int) -> bool:
    """Return whether there soon are no more than before; a finished worker lives on for a moment."""
    end = time.monotonic() + 300
    while threads() > before and time.monotonic() < end:
        time.sleep(0.001)
    return threads() <= before
