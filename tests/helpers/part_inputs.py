"""Puzzle files of every kind of line, made from one grid."""

from __future__ import annotations

import os
import random
import re
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from example_puzzles import SOLUTION as SOLVED

from unidoku import Cancel, Summary, check_file

PLAN = "unidoku-plan.json"
"""The name of the plan in a folder of parts."""


def puzzle(rng: random.Random) -> str:
    """A puzzle whose verdict is not known beforehand."""
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
    """Lines: mostly puzzles, some with a rest; other lines, comments, blanks; every kind of line end."""
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


def stopped(source: Path | list[Path], output: Path | str, parts: int = 3, **options: Any) -> Summary:
    """Make some parts of an output, and cancel the run."""
    real, made, cancel = os.replace, [], Cancel()

    def replace(old: Any, new: Any) -> None:
        real(old, new)
        made.extend([new] if re.match(r"part-.*\.json", Path(new).name) else [])
        if len(made) == parts:
            cancel.set()

    settings = {"resume": True, "part_bytes": 4000, "threads": 1, "cancel": cancel, **options}
    with mock.patch.object(os, "replace", replace):
        summary = check_file(source, output=output, **settings)
    assert not summary.complete
    return summary
