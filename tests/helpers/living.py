"""Number of living threads, including threads unknown to `threading`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TypeVar

LEFT_SECONDS = 60.0
"""After which what has not ended is left: a test that passes waits for milliseconds."""
Left = TypeVar("Left")


def threads() -> int:
    """Count the living threads."""
    return len(sys._current_frames())


def soon(left: Callable[[], Left]) -> Left:
    """Return what is left when nothing more ends, or nothing: a finished worker lives on for a moment."""
    end = time.monotonic() + LEFT_SECONDS
    while (rest := left()) and time.monotonic() < end:
        time.sleep(0.001)
    return rest


def ends(before: int) -> bool:
    """Return whether there soon are no more than before."""
    return not soon(lambda: threads() > before)
