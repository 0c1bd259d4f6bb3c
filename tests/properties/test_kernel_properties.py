"""Properties of any puzzle: against independent solvers, alone and in a batch."""

from random import Random

import pytest
from counting import count_by_masks
from example_puzzles import SOLUTION
from fuzzing import examples
from hypothesis import given, strategies as st
from moving import moved, with_clues

import unidoku
from unidoku import Verdict, kernel, naive


@st.composite
def boards(draw, min_clues=22, max_clues=45):
    """A solvable board with some of its clues, sometimes with one changed."""
    random = draw(st.randoms(use_true_random=False))
    solution = moved(SOLUTION, random)
    clues = set(random.sample(range(81), draw(st.integers(min_clues, max_clues))))
    cells = [digit if k in clues else "." for k, digit in enumerate(solution)]
    if draw(st.booleans()):
        cells[random.choice(sorted(clues))] = random.choice("123456789")
    return "".join(cells)


@examples(30)
@given(boards())
def test_counts_agree_with_an_independent_counter(board):
    model_count = count_by_masks(board, 50)
    for isa in kernel.usable():
        counts = bytearray(8)
        kernel.isa_module(isa).solve_cells(board.encode(), bytes(8), limit=50, counts=counts)
        assert int.from_bytes(counts, "little") == model_count


@examples(20)
@given(boards(min_clues=42, max_clues=70))
def test_the_naive_backtracker_agrees(board):
    rows = [list(board[k : k + 9]) for k in range(0, 81, 9)]
    assert Verdict(naive.count_solutions(rows)) is unidoku.check(board)
    assert naive.has_unique_solution(rows) == (unidoku.check(board) is Verdict.UNIQUE)


@pytest.mark.parametrize("limit", [1, 2, 3, 10, 1000])
def test_answers_do_not_depend_on_the_other_puzzles(limit):
    """Alone, in a batch, shuffled, on any thread count: counts, solutions and witnesses are the same.

    The order of the search is known from `solutions`, which no lane shares: solution and witness are its
    first two.
    """
    random = Random(limit)
    lines = [with_clues(moved(SOLUTION, random), random.randrange(14, 32), random) for _ in range(150)]
    whole = unidoku.check_many(lines, limit=limit, second_solutions=True)
    order = Random(1).sample(range(150), 150)
    shuffled = unidoku.check_many([lines[k] for k in order], limit=limit, second_solutions=True, threads=2)
    for position, k in enumerate(order):
        alone = unidoku.check_many([lines[k]], limit=limit, second_solutions=True)
        grids = unidoku.solutions(lines[k])
        solution = next(grids).cells
        second_solution = next(grids, None) if limit > 1 else None
        for result, row in ((whole, k), (shuffled, position), (alone, 0)):
            assert result.count[row] == whole.count[k]
            assert result.verdict[row] == whole.verdict[k]
            assert result.solution[row].tobytes() == solution
            assert result.second_solution[row].tobytes() == (
                second_solution.cells if second_solution else bytes(81)
            )
