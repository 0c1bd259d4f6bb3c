"""Minimal puzzles: no redundant clue remains, and a seed determines the result."""

import numpy as np
import pytest
from example_puzzles import UNIQUE as PUZZLE, changed
from forms import FORMS, force

import unidoku
from unidoku import Verdict
from unidoku.craft.generate import random_grids
from unidoku.craft.minimize import are_minimal, minimize, minimize_many


def test_minimize_one():
    small = minimize(PUZZLE, seed=7)
    assert unidoku.solve(small) == unidoku.solve(PUZZLE)
    assert all(clue in (0, whole) for clue, whole in zip(small, unidoku.Grid(PUZZLE), strict=True))
    assert are_minimal(np.frombuffer(small.cells, np.uint8)[None]).all()
    clues = [cell for cell in range(81) if small[cell]]
    assert not any(unidoku.check(changed(small.line, {cell: "."})) for cell in clues)
    assert not are_minimal(np.frombuffer(unidoku.Grid(PUZZLE).cells, np.uint8)[None]).any()
    assert minimize(PUZZLE, seed=7) == small
    assert len({minimize(PUZZLE, seed=seed) for seed in range(10)}) > 1
    assert minimize(small, seed=1) == small


@pytest.mark.parametrize("isa", FORMS)
def test_minimize_many(isa, monkeypatch):
    rows = random_grids(3000, 8)
    rows[:, :5] = 0
    rows = rows[unidoku.check_many(rows).verdict == Verdict.UNIQUE]
    puzzles = minimize_many(rows, seed=3, threads=1).puzzle
    force(monkeypatch, isa)
    assert (minimize_many(rows, seed=3, threads=3).puzzle == puzzles).all()
    assert unidoku.check_many(puzzles).unique == len(rows)
    assert are_minimal(puzzles[:500]).all()
    text = [unidoku.Grid(row).line for row in rows[:20]]
    assert (minimize_many(text, seed=3).puzzle == puzzles[:20]).all()
