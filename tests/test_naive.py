"""The textbook backtracker and its correction."""

from __future__ import annotations

import pytest
from example_puzzles import SOLUTION as SOLVED, UNIQUE

from unidoku import InvalidPuzzleError, naive

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


def test_rows_that_are_strings():
    """The published program accepts strings where it copies the board."""
    board = [UNIQUE[9 * row : 9 * row + 9] for row in range(9)]
    original = list(board)
    assert naive.has_unique_solution(board)
    assert naive.count_solutions(tuple(board), 5) == 1
    assert naive.is_valid(board, 0, 2, "4")
    assert board == original
    with pytest.raises(TypeError):
        naive.solve_sudoku(board)


@pytest.mark.parametrize("function", [naive.solve_sudoku, naive.count_solutions, naive.has_unique_solution])
@pytest.mark.parametrize(
    ("board", "message"),
    [
        (board_of(UNIQUE.replace(".", "0")), "row 1, column 3: .* found '0'"),
        ([[*map(int, row)] for row in board_of(UNIQUE.replace(".", "0"))], "column 1: .* found 5"),
        ([[c if c != "." else None for c in row] for row in board_of(UNIQUE)], "column 3: .* found None"),
        ([[c if c != "." else "" for c in row] for row in board_of(UNIQUE)], "column 3: .* found ''"),
        ([["12"] * 9] * 9, "found '12'"),
        (UNIQUE, "nine rows of nine cells"),
        (["." * 9] * 8, "nine rows of nine cells"),
        (["." * 8] * 9, "nine rows of nine cells"),
    ],
)
def test_other_cells_are_refused_not_answered(function, board, message):
    """Zeros are not empty cells for this program: it would find no empty cell, and give a wrong answer."""
    with pytest.raises(InvalidPuzzleError, match=message):
        function(board)


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
