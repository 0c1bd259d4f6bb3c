"""Measure the numerical-analysis method: classifications, and diagnoses.

pytest bench/test_method.py
"""

from __future__ import annotations

import random
from functools import partial

import numpy as np
import pytest
from match import Pair
from puzzle_sets import few_clues_lines
from report import Row

from unidoku import Cancel, check, solve
from unidoku.craft._diagnosis import diagnose
from unidoku.method._rules import classes_of, run_classify


@pytest.fixture(scope="module")
def puzzles():
    return few_clues_lines()


@pytest.fixture(scope="module")
def easy(puzzles):
    """Return the puzzles that need no presets, as rows of 0..9."""
    text = np.frombuffer("".join(puzzles).encode(), dtype=np.uint8).reshape(-1, 81)
    rows = np.where(text == ord("."), 0, text - 48).astype(np.uint8)
    classes = classes_of(run_classify(rows, presets=1000, cancel=Cancel()))
    return rows[classes < 4]


def test_puzzles_without_presets(measure, options, easy):
    row = Row("classes of the method", "unidoku", "batch", 1, limit=0, puzzles=len(easy))
    work = partial(run_classify, easy, presets=1000, cancel=Cancel())
    measure(Pair(row, work, None, len(easy), seconds=options["seconds"]))


@pytest.mark.parametrize(
    ("name", "change"),
    [("proper", 0), ("one clue less", -1), ("two clues less", -2), ("one wrong clue", 1)],
)
def test_diagnoses(measure, options, puzzles, name, change):
    """Beside the check of the same puzzles."""
    draw = random.Random(3)
    changed = [change_of(puzzle, change, draw) for puzzle in puzzles[:: len(puzzles) // 98][:20]]

    def work():
        for text in changed:
            diagnose(text)

    def checks():
        for text in changed * 100:
            check(text)

    row = Row(f"diagnoses: {name}", "unidoku", "single", limit=0, puzzles=len(changed))
    measure(Pair(row, work, checks, 100 * len(changed), seconds=options["seconds"]))


def change_of(puzzle, change, draw):
    """Remove some clues, or add a wrong one."""
    solution, cells = solve(puzzle).line, list(puzzle)
    clues = [k for k in range(81) if cells[k] != "."]
    for k in draw.sample(clues, max(0, -change)):
        cells[k] = "."
    if change > 0:
        k = draw.choice([k for k in range(81) if k not in clues])
        cells[k] = draw.choice([d for d in "123456789" if d != solution[k]])
    return "".join(cells)
