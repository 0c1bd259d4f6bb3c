"""How long a piece of work takes, in processor time and in wall time."""

from __future__ import annotations

from time import perf_counter, process_time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Seconds", "alternate", "measured", "user_seconds"]


class Seconds(NamedTuple):
    """Time of a call.

    Attributes
    ----------
    processor : float
        Processor time of this process, on all its threads.
    wall : float
        The time that passed.
    """

    processor: float
    wall: float


def measured(work: Callable[[], object]) -> Seconds:
    """Processor time and wall time that a call takes."""
    begin, wall = process_time(), perf_counter()
    work()
    return Seconds(process_time() - begin, perf_counter() - wall)


def user_seconds(work: Callable[[], object]) -> float:
    """Processor time that a call takes in this process, on all its threads."""
    return measured(work).processor


def alternate(
    works: Sequence[Callable[[], object]], seconds: float, *, least: int = 1, most: int = 1000
) -> list[list[Seconds]]:
    """Times of several pieces of work, run in turn, so that other load on the machine meets all of them.

    Parameters
    ----------
    works : sequence of callable
    seconds : float
        No new round begins after this time.
    least, most : int, optional
        Bounds of the number of rounds; `least` are run however long they take.

    Returns
    -------
    list of list of Seconds
        For each work, the time of each of its runs.
    """
    found: list[list[Seconds]] = [[] for _ in works]
    end = perf_counter() + seconds
    rounds = 0
    while rounds < least or (rounds < most and perf_counter() < end):
        for work, times in zip(works, found, strict=True):
            times.append(measured(work))
        rounds += 1
    return found
