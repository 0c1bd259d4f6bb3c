"""How far a run is, for progress bars."""

from __future__ import annotations

import os
import time
from stat import S_ISREG
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from unidoku.files.inputs import Input

INTERVAL = 0.1
"""Least number of seconds between two calls of a progress callback."""


class Progress(NamedTuple):
    """How far a run is.

    Attributes
    ----------
    done, total : int
        Bytes of the inputs as stored, or the puzzles of `generate_file`; ``total`` is 0 if it is not known.
    puzzles : int
    seconds : float
    earlier : int
        Puzzles among these that earlier runs of a resumed job had done.
    """

    done: int
    total: int
    puzzles: int
    seconds: float
    earlier: int = 0


class Meter:
    """Calls back about ten times a second with how far a run is: ``position()``, in bytes and in puzzles."""

    def __init__(
        self,
        callback: Callable[[Progress], None] | None,
        total: int,
        position: Callable[[], tuple[int, int]],
        earlier: int = 0,
    ) -> None:
        self._callback = callback
        self._total = total
        self._position = position
        self._earlier = earlier
        self._began = time.perf_counter()
        self._called = self._began - INTERVAL

    def report(self, *, last: bool = False) -> None:
        """Call back if it is time, or for the last time."""
        now = time.perf_counter()
        if self._callback is not None and (last or now - self._called >= INTERVAL):
            self._called = now
            done, puzzles = self._position()
            self._callback(Progress(done, self._total, puzzles, now - self._began, self._earlier))


def stored_bytes(inputs: Iterable[Input]) -> int:
    """Bytes of all inputs; 0 if the size of one is not known."""
    total = 0
    for each in inputs:
        try:
            status = os.stat(each)  # type: ignore[arg-type]
        except (OSError, TypeError, ValueError):
            return 0
        if not S_ISREG(status.st_mode):
            return 0
        total += status.st_size
    return total
