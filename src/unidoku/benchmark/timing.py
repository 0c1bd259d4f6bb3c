"""Measure processor time and wall time."""

from __future__ import annotations

from time import perf_counter, process_time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Seconds", "alternate", "measured", "user_seconds"]


class Seconds(NamedTuple):
    """The time of a call, in seconds."""

    processor: float
    wall: float


def measured(work: Callable[[], object]) -> Seconds:
    """Measure processor time and wall time of a call."""
    begin, wall = process_time(), perf_counter()
    work()
    return Seconds(process_time() - begin, perf_counter() - wall)


def user_seconds(work: Callable[[], object]) -> float:
    """Measure the processor time of a call, over all threads of this process, in seconds."""
    return measured(work).processor


def alternate(
    works: Sequence[Callable[[], object]], seconds: float, *, least: int = 1, most: int = 1000
) -> list[list[Seconds]]:
    """Time several works in turn, so that other load on the machine affects all of them."""
    found: list[list[Seconds]] = [[] for _ in works]
    end = perf_counter() + seconds
    rounds = 0
    while rounds < least or (rounds < most and perf_counter() < end):
        for work, times in zip(works, found, strict=True):
            times.append(measured(work))
        rounds += 1
    return found
