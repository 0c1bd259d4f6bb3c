"""Work within a time limit in an asyncio program: ``python examples/timeout.py SECONDS PUZZLE ...``.

A thread does not end when the task that waits for it times out or is cancelled; a `unidoku.Cancel` ends it.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import unidoku

T = TypeVar("T")


async def within(seconds: float, work: Callable[[unidoku.Cancel], T]) -> T:
    """Return what `work` returns in a thread, or raise TimeoutError; in both cases the thread has ended."""
    cancel = unidoku.Cancel()
    thread = asyncio.create_task(asyncio.to_thread(work, cancel))
    try:
        async with asyncio.timeout(seconds):
            return await asyncio.shield(thread)
    finally:
        cancel.set()  # also if this task is cancelled
        await asyncio.wait([thread])
        thread.exception()  # it is known that the flag has ended the work


def rate(puzzle: str, cancel: unidoku.Cancel) -> unidoku.Rating:
    """Rate a puzzle; for the hardest ones it takes many seconds."""
    return unidoku.rate(puzzle, cancel=cancel)


async def main(seconds: float, puzzles: list[str]) -> None:
    """Print the ratings of puzzles, one after the other, each within so many seconds."""
    for puzzle in puzzles:
        try:
            print(await within(seconds, partial(rate, puzzle)))
        except TimeoutError:
            print(f"not rated within {seconds} seconds")
        except unidoku.InvalidPuzzleError as error:
            print(error)


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]), sys.argv[2:]))
