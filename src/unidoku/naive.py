"""The textbook backtracker that everyone writes first: the baseline.

It is the program of a widely read article on telling whether a puzzle has exactly one solution, with one
correction. There, ``has_unique_solution`` solves a copy of the board and then asks ``solve_sudoku`` to solve
*the same copy* again. That copy is full by then, so the second call succeeds at once and the answer is
``False`` for every board that has a solution at all. Here the second question is asked of the search, not
of its result: it goes on past the first solution and stops at the second.

A board is a list of nine lists of nine one-character strings, ``'1'`` to ``'9'`` and ``'.'`` for an empty
cell. Use it to check other solvers and to see what a fast one is worth; hard puzzles take it minutes.
"""

from __future__ import annotations

__all__ = ["Board", "count_solutions", "has_unique_solution", "is_valid", "solve_sudoku"]

Board = list[list[str]]


def is_valid(board: Board, row: int, col: int, num: str) -> bool:
    """Whether ``num`` stands nowhere yet in the row, the column and the box of a cell.

    Parameters
    ----------
    board : list of list of str
        The board; cell (row, col) itself is looked at too, so it should be empty.
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
    if any(board[i][col] == num for i in range(9)):
        return False
    top, left = 3 * (row // 3), 3 * (col // 3)
    return all(board[i][j] != num for i in range(top, top + 3) for j in range(left, left + 3))


def solve_sudoku(board: Board) -> bool:
    """Fill ``board`` in place with the first solution, cell by cell and digit by digit.

    Returns
    -------
    bool
        False when there is none; the board is then as it was. Clues that clash are not noticed where the
        search never has to place the digit again; use :func:`has_unique_solution` or the real engine.
    """
    for row in range(9):
        for col in range(9):
            if board[row][col] == ".":
                for num in map(str, range(1, 10)):
                    if is_valid(board, row, col, num):
                        board[row][col] = num
                        if solve_sudoku(board):
                            return True
                        board[row][col] = "."
                return False
    return True


def count_solutions(board: Board, limit: int = 2) -> int:
    """Count the solutions of ``board`` up to ``limit``; the board is left as it was.

    Returns
    -------
    int
        At most ``limit``; 0 where two clues clash.
    """
    for row in range(9):
        for col in range(9):
            num = board[row][col]
            if num != ".":
                board[row][col] = "."
                fits = is_valid(board, row, col, num)
                board[row][col] = num
                if not fits:
                    return 0
    return _count(board, limit)


def _count(board: Board, limit: int) -> int:
    for row in range(9):
        for col in range(9):
            if board[row][col] == ".":
                found = 0
                for num in map(str, range(1, 10)):
                    if found < limit and is_valid(board, row, col, num):
                        board[row][col] = num
                        found += _count(board, limit - found)
                        board[row][col] = "."
                return found
    return 1 if limit > 0 else 0


def has_unique_solution(board: Board) -> bool:
    """Whether ``board`` has exactly one solution; the board is left as it was.

    The well-known version answers ``False`` for every solvable board, because it asks for a second solution
    of the board that it has just filled. This one counts to two.

    Examples
    --------
    >>> line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> has_unique_solution([list(line[9 * r : 9 * r + 9]) for r in range(9)])
    True
    """
    return count_solutions(board, 2) == 1
