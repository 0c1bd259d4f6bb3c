"""The textbook backtracking solver, as a baseline.

It is the program of an article by 王大神 (Wang Dashen), who asks to be named wherever it is used:
如何快速判断数独是否有且仅有唯一解 ("How to tell quickly whether a Sudoku has exactly one solution",
大神网的AI博客; its date is not given, the articles before and after it are of 10 October 2023).

There are three corrections.  The article's ``has_unique_solution`` searches a second time from the board that
it has just filled, and so answers ``False`` for every board with a solution; here the search continues after
the first solution and stops at the second.  Clues that clash are looked for before a search, which does not
compare them.  Cells other than digits and dots, such as ``'0'``, are refused; the article takes them for
clues.  All else keeps the article's form, so that it is as fast as the article.

Two claims of the article's fourth step are wrong.  "If no further digit can be filled in, the puzzle has no
solution or several": it only means that an earlier digit was wrong.  "If the whole grid is filled by the
rules, the puzzle has exactly one solution": it only means that it has at least one.

>>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
>>> board = [list(puzzle[9 * row : 9 * row + 9]) for row in range(9)]
>>> has_unique_solution(board), is_valid(board, 0, 2, "1")
(True, True)
>>> board[0][2] = "1"  # the first digit that is tried; later no digit can be filled in
>>> count_solutions(board)
0
>>> board = [["."] * 9 for row in range(9)]
>>> solve_sudoku([list(row) for row in board]), has_unique_solution(board)
(True, False)

A board is a list of nine rows, each a string of nine characters or a list of nine one-character strings:
``'1'`` to ``'9'``, and ``'.'`` for an empty cell.  Anything else, such as ``'0'`` or an integer, raises an
error.  A hard puzzle can take minutes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from unidoku.arguments import whole
from unidoku.errors import InvalidPuzzleError

Board: TypeAlias = list[list[str]]
AnyBoard: TypeAlias = Sequence[str | Sequence[str]]

__all__ = ["count_solutions", "has_unique_solution", "is_valid", "solve_sudoku"]

_CELLS = frozenset("123456789.")


def is_valid(board: AnyBoard, row: int, col: int, num: str) -> bool:
    """Test whether a digit is absent from the row, the column and the box of a cell.

    Parameters
    ----------
    board : list of list of str, or list of str
        The board; cell (row, col) itself should be empty.
    row, col : int
        The cell, 0..8 each.
    num : str
        The digit, ``'1'`` to ``'9'``.

    Returns
    -------
    bool
    """
    if num in board[row]:
        return False
    if num in [board[i][col] for i in range(9)]:
        return False
    start_row, start_col = 3 * (row // 3), 3 * (col // 3)
    for i in range(start_row, start_row + 3):
        for j in range(start_col, start_col + 3):
            if board[i][j] == num:
                return False
    return True


def solve_sudoku(board: Board) -> bool:
    """Fill a board in place with the first solution, cell by cell and digit by digit.

    Parameters
    ----------
    board : list of list of str

    Returns
    -------
    bool
        False if there is no solution; the board is then unchanged.  Some clashing clues are not detected; use
        :func:`has_unique_solution`.

    Raises
    ------
    InvalidPuzzleError
        It is not a board.
    TypeError
        Its rows are strings, which cannot be filled.
    """
    _copy(board)
    return _count(board, 1) == 1


def count_solutions(board: AnyBoard, limit: int = 2) -> int:
    """Count the solutions of a board up to a limit; the board is not changed.

    Parameters
    ----------
    board : list of list of str, or list of str
    limit : int
        Largest number of solutions to count.

    Returns
    -------
    int
        At most `limit`; 0 if two clues clash.

    Raises
    ------
    InvalidPuzzleError
        It is not a board.
    ValueError
        `limit` is below 1.
    """
    limit = whole("limit", limit, 1)
    copy = _copy(board)
    for row in range(9):
        for col in range(9):
            num, copy[row][col] = copy[row][col], "."
            if num != "." and not is_valid(copy, row, col, num):
                return 0
            copy[row][col] = num
    return _count(copy, limit)


def has_unique_solution(board: AnyBoard) -> bool:
    """Test whether a board has exactly one solution; the board is not changed.

    Parameters
    ----------
    board : list of list of str, or list of str

    Returns
    -------
    bool

    Raises
    ------
    InvalidPuzzleError
        It is not a board.

    Examples
    --------
    >>> line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> has_unique_solution([line[9 * r : 9 * r + 9] for r in range(9)])
    True
    """
    return count_solutions(board, 2) == 1


def _copy(board: AnyBoard) -> Board:
    """Copy a board to lists."""
    if isinstance(board, str) or len(board) != 9 or any(len(row) != 9 for row in board):
        raise InvalidPuzzleError("a board has nine rows of nine cells")
    copy = [list(row) for row in board]
    for number, cell in enumerate(cell for row in copy for cell in row):
        if not isinstance(cell, str) or cell not in _CELLS:
            place = f"row {number // 9 + 1}, column {number % 9 + 1}"
            raise InvalidPuzzleError(f"{place}: expected a string '1' to '9' or '.' (empty), found {cell!r}")
    return copy


def _count(board: Board, limit: int) -> int:
    """Count solutions; at the limit the board keeps the last one, otherwise it is as before."""
    for row in range(9):
        for col in range(9):
            if board[row][col] == ".":
                total = 0
                for num in map(str, range(1, 10)):
                    if is_valid(board, row, col, num):
                        board[row][col] = num
                        total += _count(board, limit - total)
                        if total == limit:
                            return total
                        board[row][col] = "."
                return total
    return 1
