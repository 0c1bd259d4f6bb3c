"""Work within a time limit in an asyncio program: ``python examples/timeout.py SECONDS PUZZLE ...``.

A thread does not end when the task that waits for it times out or is cancelled; `unidoku.aio.call` ends it.
"""

from __future__ import annotations

import asyncio
import sys

import unidoku
from unidoku import aio


async def main(seconds: float, puzzles: list[str]) -> None:
    """Print the ratings of puzzles, one after the other, each within so many seconds."""
    for puzzle in puzzles:
        try:
            print(await aio.call(unidoku.rate, puzzle, timeout=seconds))
        except TimeoutError:  # also an OSError: put it before an `except OSError`
            print(f"not rated within {seconds} seconds")
        except unidoku.InvalidPuzzleError as error:
            print(error)


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]), sys.argv[2:]))
