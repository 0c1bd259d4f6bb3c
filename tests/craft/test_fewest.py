"""The fewest clues of a puzzle: against all minimal puzzles within it, and bounds."""

import numpy as np
import pytest
from example_puzzles import UNIQUE as PUZZLE

import unidoku
from unidoku.craft.generate import generate, random_grids
from unidoku.craft.minimize import are_minimal, fewest_clues, minimal_puzzles
from unidoku.errors import InvalidPuzzleError
from unidoku.kernel import solve_proposals
from unidoku.native.clues.fewest import Fewest


def with_more_clues(puzzle, extra, seed):
    cells = np.frombuffer(unidoku.Grid(puzzle).cells, np.uint8).copy()
    solution = np.frombuffer(unidoku.solve(puzzle).cells, np.uint8)
    more = np.random.default_rng(seed).choice(np.flatnonzero(cells == 0), extra, replace=False)
    cells[more] = solution[more]
    return cells


@pytest.mark.parametrize("seed", range(6))
def test_against_all_minimal_puzzles(seed):
    whole = with_more_clues(generate(1, seed=seed)[0], 6, seed)
    found = fewest_clues(whole)
    assert found.complete
    assert found.grid.clue_count == min(grid.clue_count for grid in minimal_puzzles(whole))
    cells = np.frombuffer(found.grid.cells, np.uint8)
    assert ((cells == whole) | (cells == 0)).all()
    assert are_minimal(cells[None]).all()
    assert unidoku.solve(found.grid) == unidoku.solve(whole)


def test_the_search_itself_finds_the_fewest():
    # the search starts from the whole puzzle, not from minimal ones
    for seed in range(4):
        whole = with_more_clues(generate(1, seed=seed)[0], 6, seed)
        solution = np.frombuffer(unidoku.solve(whole).cells, np.uint8)
        search, row = Fewest(solution, whole, whole, 10**6), np.empty(81, np.uint8)
        solve_proposals(search, 1)
        search.best(row)
        assert search.complete
        assert np.count_nonzero(row) == search.at_least == fewest_clues(whole).at_least


def test_17_clues_are_found_among_more():
    puzzle = "...8.1..........435............7.8........1...2..3....6......75..34........2..6.."
    assert unidoku.check(puzzle) is unidoku.Verdict.UNIQUE
    found = fewest_clues(with_more_clues(puzzle, 12, 1))
    assert found.grid.clue_count == found.at_least == 17


def test_budget():
    full = random_grids(1, 5)[0]
    found = fewest_clues(full, budget=5000, seed=0)
    assert not found.complete
    assert 7 <= found.at_least < found.grid.clue_count < 25
    assert are_minimal(np.frombuffer(found.grid.cells, np.uint8)[None]).all()
    assert fewest_clues(full, budget=50, seed=0).at_least <= found.at_least
    assert fewest_clues(full, budget=5000, seed=0) == found


def test_a_minimal_puzzle_is_unchanged():
    small = unidoku.minimize(PUZZLE)
    found = fewest_clues(small)
    assert (found.grid, found.at_least) == (small, small.clue_count)


def test_errors():
    with pytest.raises(InvalidPuzzleError, match="proper"):
        fewest_clues("." * 81)


def test_native_search_refuses_what_does_not_fit():
    cells = np.frombuffer(unidoku.Grid(PUZZLE).cells, np.uint8)
    solution = np.frombuffer(unidoku.solve(PUZZLE).cells, np.uint8)
    with pytest.raises(ValueError, match="81 cells"):
        Fewest(solution[:80], cells, cells, 10)
    for bad in ((cells, cells, cells), (solution, solution % 9 + 1, cells), (solution, cells, solution)):
        with pytest.raises(ValueError, match="differs from"):
            Fewest(*bad, 10)
    search, row = Fewest(solution, cells, cells, 10), np.empty(81, np.uint8)
    with pytest.raises(ValueError, match="81 bytes"):
        search.propose(row[:80])
    with pytest.raises(ValueError, match="81 bytes"):
        search.best(row[:80])
    assert search.propose(row) == 1
    with pytest.raises(ValueError, match="too small"):
        search.learn(solution, solution[:80])
    assert not row.any()  # the first question is about no clue at all
    with pytest.raises(ValueError, match="does not belong"):
        search.learn(np.where(cells > 0, solution, solution % 9 + 1), solution)
