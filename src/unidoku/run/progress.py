"""How far a run is, for progress bars."""

from __future__ import annotations

import os
import time
from stat import S_ISREG
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from unidoku.files.base import Attempts
    from unidoku.files.inputs import Input
    from unidoku.files.source import Source

INTERVAL = 0.1
"""Least number of seconds between two calls of a progress callback."""


class Progress(NamedTuple):
    """How far a run is.

    Attributes
    ----------
    done, total : int
        Bytes of the inputs as stored; ``total`` is 0 if it is not known.
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


class ProgressMeter:
    """Adds up how far one run is, and calls back at the first puzzles, then about ten times a second."""

    def __init__(self, callback: Callable[[Progress], None] | None, inputs: Iterable[Input] = ()) -> None:
        self.puzzles = 0
        self._callback = callback
        self._began = time.perf_counter()
        self._called = -INTERVAL
        self._total = 0 if callback is None else _stored_bytes(inputs)
        self._passed = 0  # bytes of the inputs before the current one
        self._source: Source | Attempts | None = None

    def opened(self, source: Source | Attempts) -> None:
        """Follow the reading of the next input."""
        if self._source is not None:
            self._passed += self._source.position
        self._source = source

    def count(self, puzzles: int) -> None:
        """Add puzzles that are done."""
        self.puzzles += puzzles
        if self._callback is not None and time.perf_counter() - self._called >= INTERVAL:
            self.report()

    def report(self) -> None:
        """Call back now."""
        if self._callback is not None:
            self._called = time.perf_counter()
            done = self._passed + (self._source.position if self._source is not None else 0)
            self._callback(Progress(done, self._total, self.puzzles, self._called - self._began))


def _stored_bytes(inputs: Iterable[Input]) -> int:
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
