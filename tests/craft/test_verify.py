"""Predictions: against a plain model, in every form."""

import numpy as np
import pytest
from counting import HOUSES

import unidoku
from unidoku.craft.generate import generate
from unidoku.craft.verify import verify_many
from unidoku.errors import InvalidPuzzleError


def plain(puzzle, grid):
    """Solved, broken houses, changed clues and empty cells."""
    broken = sum({grid[k] for k in house} != set(range(1, 10)) for house in HOUSES)
    changed = sum(clue not in (0, value) for clue, value in zip(puzzle, grid, strict=True))
    return broken == changed == 0, broken, changed, list(grid).count(0)


def test_model():
    puzzles = generate(400, seed=1)
    random = np.random.default_rng(0)
    grids = unidoku.check_many(puzzles).solutions.copy()
    right = grids.copy()
    for k, grid in enumerate(grids):
        cells = random.permutation(81)[: k % 9]
        grid[cells] = random.integers(0, 10, len(cells))
    found = verify_many(puzzles, grids, threads=2)
    models = [plain(p, g) for p, g in zip(puzzles.tolist(), grids.tolist(), strict=True)]
    assert found.solved.tolist() == [m[0] for m in models]
    assert found.broken_houses.tolist() == [m[1] for m in models]
    assert found.changed_clues.tolist() == [m[2] for m in models]
    assert found.empty_cells.tolist() == [m[3] for m in models]
    assert found.wrong_cells.tolist() == np.count_nonzero(grids != right, axis=1).tolist()
    assert 0 < found.solved.sum() < 400
    assert repr(found) == f"<VerifyResult of 400 predictions: {found.solved.sum()} solved>"


def test_puzzles_without_and_with_several_solutions():
    grid = unidoku.solve("." * 81).line
    other = unidoku.Transformation(digits=(2, 1, *range(3, 10)))(grid).line
    puzzles = ["." * 81, "." * 81, "." * 81, "11" + "." * 79]
    found = verify_many(puzzles, [grid, other, "." * 81, grid])
    assert found.solved.tolist() == [True, True, False, False]
    assert found.wrong_cells.tolist() == [0, 0, -1, -1]
    assert found.broken_houses.tolist() == [0, 0, 27, 0]


def test_forms_and_errors():
    puzzles = generate(3, seed=1)
    lines = [unidoku.Grid(row).line for row in puzzles]
    solutions = unidoku.check_many(puzzles).solutions
    assert verify_many(lines, solutions + 48).solved.all()
    assert verify_many("\n".join(lines).encode(), [unidoku.Grid(s).line for s in solutions]).solved.all()
    assert len(verify_many([], [])) == 0
    with pytest.raises(ValueError, match="3 puzzles need 3 predictions, not 2"):
        verify_many(lines, solutions[:2])

    with pytest.raises(InvalidPuzzleError, match="row 1"):
        verify_many([lines[0], "#" * 81], solutions[:2])
