"""Properties of any puzzle: against independent solvers, alone and in a batch."""

from counting import count_by_masks
from example_puzzles import SOLUTION
from fuzzing import examples
from hypothesis import given, strategies as st
from moving import moved

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


@examples(15)
@given(boards())
def test_counts_agree_with_an_independent_counter(board):
    model_count = count_by_masks(board, 50)
    for isa in kernel.usable():
        counts = bytearray(8)
        kernel.isa_module(isa).solve_cells(board.encode(), bytes(8), limit=50, counts=counts)
        assert int.from_bytes(counts, "little") == model_count


@examples(10)
@given(boards(min_clues=42, max_clues=70))
def test_the_naive_backtracker_agrees(board):
    rows = [list(board[k : k + 9]) for k in range(0, 81, 9)]
    assert Verdict(naive.count_solutions(rows)) is unidoku.check(board)
    assert naive.has_unique_solution(rows) == (unidoku.check(board) is Verdict.UNIQUE)
