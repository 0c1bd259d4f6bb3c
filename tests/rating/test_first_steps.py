"""First hard steps of puzzles, against Sudoku Explainer."""

from pathlib import Path

import pytest
from sample_steps import walk

import unidoku
from unidoku.cell import candidate_name
from unidoku.rating._deduction import position_of

FIRST_STEPS = [
    line.split()
    for line in (Path(__file__).parents[1] / "known" / "first_steps.txt").read_text().splitlines()
    if not line.startswith("#")
]


@pytest.mark.slow
def test_the_first_step_with_inner_chains():
    for puzzle, rating, eliminations in FIRST_STEPS:
        step = next(step for step in walk(position_of(unidoku.Grid(puzzle))) if step.rating >= 9.5)
        assert step.rating == float(rating), puzzle
        assert sorted(map(candidate_name, step.eliminations)) == eliminations.split(","), puzzle
