"""The textbook backtracker and its correction."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from cases import in_turn
from example_puzzles import SOLUTION as SOLVED, UNIQUE

from unidoku import Grid, InvalidPuzzleError, naive

TWO = "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179"
"""Two pairs of 1 and 2 may change places."""


def board_of(line: str) -> list[list[str]]:
    return [list(line[9 * row : 9 * row + 9]) for row in range(9)]


def line_of(board: list[list[str]]) -> str:
    return "".join(map("".join, board))


def test_solves_in_place():
    board = board_of(UNIQUE)
    assert naive.solve_sudoku(board)
    assert line_of(board) == SOLVED


def test_two_claims_of_the_article():
    """A digit without a continuation proves nothing about the puzzle; a full grid proves no uniqueness."""
    board = board_of(UNIQUE)
    row, column = divmod(UNIQUE.index("."), 9)
    candidates = [digit for digit in "123456789" if naive.is_valid(board, row, column, digit)]
    wrong_digits = [digit for digit in candidates if digit != SOLVED[UNIQUE.index(".")]]
    assert wrong_digits
    for digit in wrong_digits:
        board[row][column] = digit
        assert naive.count_solutions(board) == 0
    assert naive.has_unique_solution(board_of(UNIQUE))
    assert naive.solve_sudoku(board_of("." * 81))
    assert not naive.has_unique_solution(board_of("." * 81))


def test_no_solution_leaves_the_board():
    line = "12345678." + "." * 17 + "9" + "." * 54
    board = board_of(line)
    assert not naive.solve_sudoku(board)
    assert line_of(board) == line


@in_turn
@pytest.mark.parametrize(
    ("line", "count", "unique"),
    [
        (UNIQUE, 1, True),
        (SOLVED, 1, True),
        (TWO, 2, False),
        ("11" + "." * 79, 0, False),
        ("." * 81, 2, False),
    ],
)
def test_counts_to_two(line, count, unique):
    board = board_of(line)
    assert naive.count_solutions(board) == count
    assert naive.has_unique_solution(board) is unique
    assert line_of(board) == line


ROWS = [UNIQUE[9 * row : 9 * row + 9] for row in range(9)]
FORMS = {
    "text": UNIQUE,
    "zeros": UNIQUE.replace(".", "0"),
    "bytes": UNIQUE.encode(),
    "rows": ROWS,
    "tuple": tuple(ROWS),
    "board": board_of(UNIQUE),
    "board with zeros": board_of(UNIQUE.replace(".", "0")),
    "numbers": [[*map(int, row.replace(".", "0"))] for row in ROWS],
    "none": [[cell if cell != "." else None for cell in row] for row in ROWS],
    "array": np.array([[*map(int, row.replace(".", "0"))] for row in ROWS]),
    "grid": Grid(UNIQUE),
}


@in_turn
@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_grid_is_a_board(form):
    """A list of lists is filled, with cells of its kind."""
    board, before = FORMS[form], repr(FORMS[form])
    assert naive.has_unique_solution(board)
    assert naive.is_valid(board, 0, 2, "4")
    assert naive.is_valid(board, 0, 2, 4)
    assert not naive.is_valid(board, 0, 2, 5)
    assert repr(board) == before
    if form in {"board", "board with zeros", "numbers", "none"}:
        board = copy.deepcopy(board)
        assert naive.solve_sudoku(board)
        assert {type(cell) for row in board for cell in row} == {int if form == "numbers" else str}
        assert Grid(board).line == SOLVED
    else:
        with pytest.raises(TypeError, match="list of nine lists"):
            naive.solve_sudoku(board)


@in_turn
@pytest.mark.parametrize(
    "function",
    [naive.solve_sudoku, naive.count_solutions, naive.has_unique_solution, naive.compare_with_article],
)
def test_other_boards_are_refused_with_the_message_of_a_grid(function):
    for board in ([["12"] * 9] * 9, ["." * 9] * 8, ["." * 8] * 9, UNIQUE[:80]):
        with pytest.raises(InvalidPuzzleError) as of_grid:
            Grid(board)
        with pytest.raises(InvalidPuzzleError) as caught:
            function(board)
        assert str(caught.value) == str(of_grid.value)


def of_article(board: list[list[str]]) -> tuple[bool, int]:
    """The verdict of the article's program, and its states, written down after its text."""
    states = 0

    def solve() -> bool:
        nonlocal states
        states += 1
        for row in range(9):
            for col in range(9):
                if board[row][col] == ".":
                    for num in "123456789":
                        if naive._is_valid(board, row, col, num):
                            board[row][col] = num
                            if solve():
                                return True
                            board[row][col] = "."
                    return False
        return True

    return (not solve() if solve() else False), states


@in_turn
@pytest.mark.parametrize(("line", "right"), [(UNIQUE, False), (SOLVED, False), (TWO, True), ("." * 81, True)])
def test_the_article_is_wrong_where_there_is_one_solution(line, right):
    found = naive.compare_with_article(line)
    assert (found.article, found.article_states) == of_article(board_of(line))
    assert found.corrected is naive.has_unique_solution(line)
    assert (found.article == found.corrected) is right
    assert found.corrected_states >= found.article_states - 1


def test_one_search_times_both_programs_and_ends_in_time():
    """The program of the article ends at the first solution, the corrected one later; neither guesses."""
    found, article_seconds, corrected_seconds = naive.try_article(UNIQUE)
    assert found == naive.compare_with_article(UNIQUE)
    assert 0 < article_seconds <= corrected_seconds
    slow = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
    stopped, _, _ = naive.try_article(slow, timeout=0)
    assert (stopped.article, stopped.corrected) == (None, None)
    assert stopped.article_states == stopped.corrected_states < 1000


@in_turn
@pytest.mark.parametrize("limit", [1, 3, 500])
def test_limit(limit):
    assert naive.count_solutions(board_of("." * 81), limit) == limit
    assert naive.count_solutions(board_of(TWO), limit) == min(limit, 2)


def test_is_valid():
    board = board_of(UNIQUE)
    assert not naive.is_valid(board, 0, 2, "5")  # row and box
    assert not naive.is_valid(board, 0, 2, "8")  # column
    assert not naive.is_valid(board, 0, 2, "6")  # box
    assert naive.is_valid(board, 0, 2, "4")
