"""Verified answers: right or wrong against a plain model, filled, correct and kept cells, and the score."""

import random
from dataclasses import astuple

import numpy as np
import pytest
from counting import HOUSES
from example_puzzles import CLASH, EIGHT, SOLUTION, TEN, UNIQUE, changed

import unidoku
from unidoku import Grid, learning
from unidoku.craft._generate import generate
from unidoku.craft._verification import verify, verify_many
from unidoku.errors import InvalidPuzzleError


def plain(puzzle, grid):
    """Solved, broken houses, changed clues and empty cells."""
    broken = sum({grid[k] for k in house} != set(range(1, 10)) for house in HOUSES)
    wrong = sum(clue not in (0, value) for clue, value in zip(puzzle, grid, strict=True))
    return broken == wrong == 0, broken, wrong, list(grid).count(0)


def test_model():
    puzzles = generate(400, seed=1)
    draw = np.random.default_rng(0)
    grids = unidoku.check_many(puzzles).solution.copy()
    right = grids.copy()
    for k, grid in enumerate(grids):
        cells = draw.permutation(81)[: k % 9]
        grid[cells] = draw.integers(0, 10, len(cells))
    verification = verify_many(puzzles, grids, threads=2)
    models = [plain(p, g) for p, g in zip(puzzles.tolist(), grids.tolist(), strict=True)]
    assert verification.solved.tolist() == [m[0] for m in models]
    assert verification.broken_houses.tolist() == [m[1] for m in models]
    assert verification.changed_clues.tolist() == [m[2] for m in models]
    assert verification.empty_cells.tolist() == [m[3] for m in models]
    assert verification.wrong_cells.tolist() == np.count_nonzero(grids != right, axis=1).tolist()
    assert 0 < verification.solved.sum() < 400


def test_houses_of_each_kind():
    for cell in [
        lambda row, column: column + 1,  # only rows are right
        lambda row, column: row + 1,
        lambda row, column: row % 3 * 3 + column % 3 + 1,  # only boxes
        lambda row, column: (row + column) % 9 + 1,  # rows and columns
        lambda row, column: (row // 3 + row % 3 * 3 + column) % 9 + 1,  # all
        *(lambda row, column, digit=digit: digit for digit in range(10)),
    ]:
        grid = [cell(row, column) for row in range(9) for column in range(9)]
        found = verify("." * 81, grid)
        assert (found.solved, found.broken_houses, found.changed_clues, found.empty_cells) == plain(
            [0] * 81, grid
        )


def test_puzzles_without_and_with_several_solutions():
    grid = unidoku.solve("." * 81).line
    swapped = unidoku.Transformation(digits=(2, 1, *range(3, 10)))(grid).line
    puzzles = ["." * 81, "." * 81, "." * 81, "11" + "." * 79]
    verification = verify_many(puzzles, [grid, swapped, "." * 81, grid])
    assert verification.solved.tolist() == [True, True, False, False]
    assert verification.wrong_cells.tolist() == [0, 0, -1, -1]
    assert verification.broken_houses.tolist() == [0, 0, 27, 0]


def test_forms_and_errors():
    puzzles = generate(3, seed=1)
    lines = unidoku.lines(puzzles)
    solutions = unidoku.check_many(puzzles).solution
    assert verify_many(lines, solutions + 48).solved.all()
    assert verify_many("\n".join(lines).encode(), unidoku.lines(solutions)).solved.all()
    assert len(verify_many([], [])) == 0
    with pytest.raises(ValueError, match="3 puzzles need 3 predictions, not 2"):
        verify_many(lines, solutions[:2])
    with pytest.raises(InvalidPuzzleError, match="row 1"):
        verify_many([lines[0], "#" * 81], solutions[:2])


OPEN = [cell for cell, symbol in enumerate(UNIQUE) if symbol == "."]
CLUE = next(cell for cell in range(81) if cell not in OPEN)
EMPTY = "." * 81


def verify_both_ways(puzzle, answer):
    """The verification by both functions, which agree."""
    verification = unidoku.verify(puzzle, answer)
    assert unidoku.verify_many([puzzle, UNIQUE, puzzle], [answer, SOLUTION, answer])[2] == astuple(
        verification
    )
    return verification


def wrong_digit(cell):
    """A digit that the solution does not have in the cell."""
    return "1" if SOLUTION[cell] != "1" else "2"


def test_shares_of_cells_and_clues():
    for puzzle, answer, filled, correct, kept_clues, score in [
        (UNIQUE, SOLUTION, 51, 51, 30, 1),
        (UNIQUE, changed(SOLUTION, {OPEN[0]: wrong_digit(OPEN[0])}), 51, 50, 30, 50 / 51),
        (UNIQUE, changed(SOLUTION, {OPEN[0]: ".", OPEN[1]: "."}), 49, 49, 30, 49 / 51),
        (UNIQUE, changed(SOLUTION, {CLUE: "."}), 51, 51, 29, 29 / 30),
        (UNIQUE, UNIQUE, 0, 0, 0, 0),  # a copy is no answer
        (EMPTY, SOLUTION, 81, 81, 0, 1),  # any completion of several is right
        (changed(EMPTY, {0: "5"}), SOLUTION, 80, 80, 1, 1),
        (EMPTY, changed(EMPTY, {0: "5", 1: "3"}), 2, 2, 0, 2 / 81),  # some of very many solutions has both
        (EMPTY, changed(EMPTY, {0: "5", 1: "5"}), 2, -1, 0, 0),  # no solution has both: unknown
        (CLASH, SOLUTION, 79, -1, 0, 0),
        (changed(SOLUTION, {0: wrong_digit(0)}), SOLUTION, 0, -1, 80, 0),
        (SOLUTION, SOLUTION, 0, 0, 81, 1),
        (SOLUTION, changed(SOLUTION, {0: wrong_digit(0)}), 0, 0, 80, 80 / 81),
    ]:
        verification = verify_both_ways(puzzle, answer)
        assert (verification.filled, verification.correct, verification.kept_clues) == (
            filled,
            correct,
            kept_clues,
        )
        assert verification.score == pytest.approx(score)


def test_several_solutions_are_compared_with_the_best_one():
    for puzzle in (EIGHT, TEN.replace("0", ".")):
        solutions = [grid.line for grid in unidoku.solutions(puzzle)]
        assert len(solutions) > 1
        cells = [cell for cell in range(81) if puzzle[cell] == "."]
        rng = random.Random(len(cells))
        for _ in range(20):
            changes = {cell: rng.choice("123456789.") for cell in rng.sample(cells, 3)}
            answer = changed(solutions[0], changes)
            best = max(sum(answer[cell] == line[cell] for cell in cells) for line in solutions)
            verification = verify_both_ways(puzzle, answer)
            assert verification.correct == best
            assert verification.score == pytest.approx(best / len(cells))
            assert (verification.score == 1) == verification.solved == (answer in solutions)


def test_the_answer_in_its_tag():
    for text, whole, tag in [
        (f"<answer>{UNIQUE}</answer> or {SOLUTION}", 1, 0),
        (f"{UNIQUE} <answer>{SOLUTION}</answer>", 1, 1),
        (f"<answer>{SOLUTION}", 1, 1),
        (f"<answer>{SOLUTION}</answer><answer>none</answer>", 1, 0),
        (f"<answer>no</answer><Answer>\n{Grid(SOLUTION)}\n</Answer>", 1, 1),
        (f"<think><answer>{SOLUTION}</answer></think> no", 0, 0),
        (f"<think>x</think><answer></answer>{SOLUTION}", 1, 0),
        (SOLUTION, 1, 1),
        (f"It is {SOLUTION}.", 1, 1),
    ]:
        assert [verify(UNIQUE, text).score == 1, verify(UNIQUE, text, answer="tag").score == 1] == [
            whole,
            tag,
        ]
        assert (verify_many([UNIQUE], [text], answer="tag").score[0] == 1) == tag
        assert learning.reward_function("solved")([None], [text], puzzle=[UNIQUE]) == [tag]
        with pytest.raises(unidoku.UnidokuError, match="invalid answer"):
            verify(UNIQUE, text, answer="tags")
