"""A flag that is set at the n-th look at it, not at a time, so that a test can stop a call at every place."""

from __future__ import annotations

import threading
from collections.abc import Callable
from struct import pack_into, unpack_from
from typing import Any

from unidoku import Cancel, SearchStoppedError

NEVER = 1 << 40


class StopAt(Cancel):
    """A `Cancel` that native code (``_native/stop.pxd``) and Python count down: set after so many looks."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.flag = bytearray(9)
        pack_into("=BQ", self.flag, 0, 2, looks)
        self._begin = looks

    @property
    def looks(self) -> int:
        """How often it was looked at and not set."""
        return self._begin - unpack_from("=Q", self.flag, 1)[0]

    def __bool__(self) -> bool:
        if self.flag[0] == 2:
            left = unpack_from("=Q", self.flag, 1)[0]
            pack_into("=BQ", self.flag, 0, 2 if left else 1, max(0, left - 1))
        return self.flag[0] == 1


def stopped_at(looks: int, call: Callable[[Cancel], Any]) -> Any:
    """Return what a call returns that is stopped after so many looks; None if it raises that it was stopped.

    In another thread than the main one: there work with one thread gets the caller's flag itself.
    """
    results: list[Any] = []

    def run() -> None:
        try:
            results.append(call(StopAt(looks)))
        except SearchStoppedError:
            results.append(None)
        except BaseException as error:
            results.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if isinstance(results[0], BaseException):
        raise results[0]
    return results[0]


def looks_of(call: Callable[[Cancel], Any]) -> int:
    """Return how often a whole call looks at its flag."""
    flags = []
    stopped_at(NEVER, lambda stop: flags.append(stop) or call(stop))
    return int(flags[0].looks)
