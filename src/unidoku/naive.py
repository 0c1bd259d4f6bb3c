"""The textbook backtracking solver, as a baseline.

It is the program of an article by 王大神 (Wang Dashen), who asks to be named wherever it is used:
如何快速判断数独是否有且仅有唯一解 ("How to tell quickly whether a Sudoku has exactly one solution",
大神网的AI博客; its date is not given, the articles before and after it are of 10 October 2023).

There are two corrections.  The article's ``has_unique_solution`` searches a second time from the board that
it has just filled, and so answers ``False`` for every board with a solution; here the search continues after
the first solution and stops at the second.  Clues that clash are looked for before a search, which does not
compare them.  All else keeps the article's form, so that it is as fast as the article; it also takes every
puzzle that `unidoku.Grid` takes, such as a text of 81 characters or zeros for empty cells, which the article
takes for clues.  `compare_with_article` shows where the correction matters.

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

The board of the article is a list of nine lists of one-character strings, ``'1'`` to ``'9'``, and ``'.'`` for
an empty cell.  A hard puzzle can take minutes.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from unidoku.arguments import whole_number
from unidoku.grid import Grid, PuzzleLike

Board: TypeAlias = list[list[str]]

__all__ = [
    "Comparison",
    "compare_with_article",
    "count_solutions",
    "has_unique_solution",
    "is_valid",
    "solve_sudoku",
]


class Comparison(NamedTuple):
    """The article's program and its correction on one puzzle.

    A state is a board that the search has before it: the puzzle, and each board with one digit more.

    Attributes
    ----------
    article, corrected : bool
        Whether the puzzle has exactly one solution, as each program says.
    article_states, corrected_states : int
        How many states each program visits.
    """

    article: bool
    corrected: bool
    article_states: int
    corrected_states: int


def is_valid(board: PuzzleLike, row: int, col: int, num: str | int) -> bool:
    """Test whether a digit is absent from the row, the column and the box of a cell.

    Parameters
    ----------
    board : Grid, str, bytes, array or nested list
        The board, as `unidoku.Grid` accepts it; cell (row, col) itself should be empty.
    row, col : int
        The cell, 0..8 each.
    num : str or int
        The digit, ``'1'`` to ``'9'`` or 1 to 9.
    """
    return _is_valid(_copy(board), row, col, str(num))


def _is_valid(board: Board, row: int, col: int, num: str) -> bool:
    """Test whether a digit may stand in a cell, as the article does."""
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


def solve_sudoku(board: list[list[Any]]) -> bool:
    """Fill a board in place with the first solution, cell by cell and digit by digit.

    Parameters
    ----------
    board : list of list
        Nine rows of nine cells, as `unidoku.Grid` accepts them.  Digits are written as strings, or as numbers
        if the board has numbers.

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
        It is not a list of lists, so that it cannot be filled.
    """
    copy = _copy(board)
    if not isinstance(board, list) or len(board) != 9 or not all(isinstance(row, list) for row in board):
        raise TypeError(
            "only a list of nine lists can be filled: [list(line[k:k+9]) for k in range(0, 81, 9)]"
        )
    if _count(copy, 1) != 1:
        return False
    has_numbers = any(isinstance(cell, int) for row in board for cell in row)
    for row, digits in zip(board, copy, strict=True):
        row[:] = map(int, digits) if has_numbers else digits
    return True


def count_solutions(board: PuzzleLike, limit: int = 2) -> int:
    """Count the solutions of a board up to a limit; the board is not changed.

    Parameters
    ----------
    board : Grid, str, bytes, array or nested list
        As `unidoku.Grid` accepts it.
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
    limit = whole_number("limit", limit, 1)
    return 0 if Grid(board).clashes() else _count(_copy(board), limit)


def has_unique_solution(board: PuzzleLike) -> bool:
    """Test whether a board, as for `count_solutions`, has exactly one solution; the board is not changed.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> has_unique_solution(puzzle)
    True
    """
    return count_solutions(board, 2) == 1


def compare_with_article(board: PuzzleLike) -> Comparison:
    """Compare the article's ``has_unique_solution`` with the corrected one; the board is not changed.

    Parameters
    ----------
    board
        As for `count_solutions`.

    Returns
    -------
    Comparison
        The article's verdict is wrong for each puzzle with exactly one solution: it searches the board that
        it has filled, which is one state more, and finds the solution again.  It is right if there is no
        solution, or several.  Clues that clash can take it hours; the corrected one looks at them first.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> compare_with_article(puzzle)
    Comparison(article=False, corrected=True, article_states=4210, corrected_states=4632)
    """
    copy, states = _copy(board), [0]
    article = _count(copy, 1, states) == 1 and _count(copy, 1, states) != 1
    article_states, states[0] = states[0], 0
    corrected = not Grid(board).clashes() and _count(_copy(board), 2, states) == 1
    return Comparison(article, corrected, article_states, states[0])


def _copy(board: PuzzleLike) -> Board:
    """Copy a board to lists."""
    line = Grid(board).line
    return [list(line[k : k + 9]) for k in range(0, 81, 9)]


def _count(board: Board, limit: int, states: list[int] | None = None) -> int:
    """Count solutions, and states; at the limit the board keeps the last one, otherwise it is as before."""
    if states is not None:
        states[0] += 1
    for row in range(9):
        for col in range(9):
            if board[row][col] == ".":
                total = 0
                for num in map(str, range(1, 10)):
                    if _is_valid(board, row, col, num):
                        board[row][col] = num
                        total += _count(board, limit - total, states)
                        if total == limit:
                            return total
                        board[row][col] = "."
                return total
    return 1
