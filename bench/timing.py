"""How long a piece of work takes."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, process_time


def user_seconds(work: Callable[[], object]) -> float:
    """Processor time that a call takes in this process, on all its threads."""
    begin = process_time()
    work()
    return process_time() - begin


def both_seconds(work: Callable[[], object]) -> tuple[float, float]:
    """Processor time on all threads of this process, and the time that passes."""
    begin, wall = process_time(), perf_counter()
    work()
    return process_time() - begin, perf_counter() - wall
