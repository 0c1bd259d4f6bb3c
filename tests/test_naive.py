"""The textbook backtracker and its correction."""

from __future__ import annotations

import pytest

from unidoku import naive

UNIQUE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
# Two pairs of 1 and 2 in two rows and two columns of two boxes may change places.
TWO = "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179"


def board_of(line: str) -> naive.Board:
    return [list(line[9 * row : 9 * row + 9]) for row in range(9)]


def line_of(board: naive.Board) -> str:
    return "".join(map("".join, board))


def has_unique_solution_as_published(board: naive.Board) -> bool:
    """What the article's logic comes to: it solves the copy that it has just filled."""
    copy = [list(row) for row in board]
    return naive.solve_sudoku(copy) and not naive.solve_sudoku(copy)


def test_solves_in_place():
    board = board_of(UNIQUE)
    assert naive.solve_sudoku(board)
    assert line_of(board) == SOLVED


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


def test_the_published_version_never_says_yes():
    assert not has_unique_solution_as_published(board_of(UNIQUE))
    assert not has_unique_solution_as_published(board_of(TWO))
    assert naive.has_unique_solution(board_of(UNIQUE))


@pytest.mark.parametrize("limit", [0, 1, 2, 3, 10, 500])
def test_limit(limit):
    assert naive.count_solutions(board_of("." * 81), limit) == limit
    assert naive.count_solutions(board_of(TWO), limit) == min(limit, 2)


def test_is_valid():
    board = board_of(UNIQUE)
    assert not naive.is_valid(board, 0, 2, "5")  # row and box
    assert not naive.is_valid(board, 0, 2, "8")  # column
    assert not naive.is_valid(board, 0, 2, "6")  # box
    assert naive.is_valid(board, 0, 2, "4")
