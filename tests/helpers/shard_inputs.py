"""Puzzle files of every kind of line, made from one grid."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from example_puzzles import SOLUTION as SOLVED

from unidoku import CheckOptions
from unidoku.shards.executors import local_threads
from unidoku.shards.job import Job


def puzzle(rng: random.Random) -> str:
    """A puzzle with a verdict that is not known beforehand."""
    digits = rng.sample("123456789", 9)
    cells = [digits[int(digit) - 1] for digit in SOLVED]
    if rng.random() < 0.2:
        cells[rng.randrange(81)] = rng.choice("123456789")  # mostly a clash
    keep = rng.randrange(24, 60)
    for cell in rng.sample(range(81), 81 - keep):
        cells[cell] = "."
    return "".join(cells)


@cache
def text(count: int, seed: int = 1) -> bytes:
    """Lines: puzzles mostly, some with remainders, some no puzzles, comments, blanks, all line ends."""
    rng = random.Random(seed)
    lines = []
    for _ in range(count):
        kind = rng.random()
        if kind < 0.9:
            line = puzzle(rng)
        elif kind < 0.93:
            line = puzzle(rng) + rng.choice([" 7.1", "\tx", ",,", "#" + "long " * 100])
        elif kind < 0.95:
            line = puzzle(rng)[: rng.randrange(1, 81)]
        elif kind < 0.97:
            line = "# " + "comment " * rng.randrange(20)
        else:
            line = ""
        lines.append(line + ("\n" if rng.random() < 0.9 else rng.choice(["\r\n", "\r"])))
    return "".join(lines).encode()


def killed(source: Path, output: Path, suffix: str = ".csv") -> Job:
    """A job that was killed after some parts."""
    job = Job([str(source)], str(output), CheckOptions(), 4000, suffix=suffix)

    def progress(outcome: object) -> None:
        if len(outcome.commits) >= 3:  # type: ignore[attr-defined]
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        job.run(lambda: local_threads(1, 9), progress=progress)
    return job
