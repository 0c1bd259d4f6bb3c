"""The first hard steps of puzzles against those that Sudoku Explainer itself finds."""

from pathlib import Path

import pytest

import unidoku
from unidoku.cell import candidate_name
from unidoku.rating.deduction import position_of
from unidoku.rating.steps import walk

KNOWN = [
    line.split()
    for line in (Path(__file__).parents[1] / "known" / "first_steps.txt").read_text().splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("puzzle", "rating", "removed"), KNOWN)
def test_the_first_step_with_inner_chains(puzzle, rating, removed):
    step = next(step for step in walk(position_of(unidoku.Grid(puzzle))) if step.rating >= 9.5)
    assert step.rating == float(rating)
    assert sorted(map(candidate_name, step.eliminations)) == removed.split(",")
