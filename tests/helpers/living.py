"""Living threads, including threads unknown to `threading`, and processes."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

LEFT_SECONDS = 60.0
"""After which what has not ended is left: a test that passes waits for milliseconds."""
Left = TypeVar("Left")
_TRACKER = "multiprocessing.resource_tracker"  # serves all processes


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


def processes(parent: int) -> dict[int, str]:
    """Return the processes that one has started and not waited for, as Linux tells: their commands."""
    found = dict[int, str]()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                command = (folder / "cmdline").read_text()
                found |= {int(folder.name): command} if _TRACKER not in command else {}
    return found
