"""User CPU time of a piece of work."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time


def user_seconds(work: Callable[[], object]) -> float:
    """Processor time that a call takes in this process, on all its threads."""
    begin = process_time()
    work()
    return process_time() - begin
