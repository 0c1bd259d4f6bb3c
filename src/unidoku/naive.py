"""The textbook backtracking solver, as a baseline.

This is the program of an article by 王大神 (Wang Dashen), who asks to be named wherever it is used:
如何快速判断数独是否有且仅有唯一解 ("How to tell quickly whether a Sudoku has exactly one solution",
大神网的AI博客).  Its date is not given; the articles before and after it are of 10 October 2023.

There are two corrections. The article's ``has_unique_solution`` searches a second time from the board that it
has just filled, and so answers ``False`` for every board with a solution. Here the search continues after the
first solution and stops at the second. Clues that clash are found before a search, because the search does
not compare them.

All else keeps the article's form, so that it is as fast as the article. It also accepts every puzzle that
`unidoku.Grid` accepts, such as a text of 81 characters, or zeros for empty cells, which the article reads as
clues. `compare_with_article` shows where the correction matters.

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

from math import inf
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from unidoku._arguments import whole_number
from unidoku._lazy import lazy, public
from unidoku.errors import WrongTypeError
from unidoku.grid import Grid, PuzzleLike

Board: TypeAlias = list[list[str]]

_STATES_A_LOOK = 256
"""The states, of some 20 microseconds each, between two looks at the clock."""

__all__ = [
    "Comparison",
    "compare_with_article",
    "count_solutions",
    "has_unique_solution",
    "is_valid",
    "solve_sudoku",
]
if not TYPE_CHECKING:
    _, __getattr__, _ = lazy(__name__, {})


class Comparison(NamedTuple):
    """The article's program and its correction on one puzzle.

    A state is a board that the search has before it: the puzzle, and each board with one digit more.

    Attributes
    ----------
    article, corrected : bool or None
        Whether the puzzle has exactly one solution, as each program says; None if its time was up before.
    article_states, corrected_states : int
        How many states each program visits.
    """

    article: bool | None
    corrected: bool | None
    article_states: int
    corrected_states: int


@public
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

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> is_valid(puzzle, 0, 2, 1), is_valid(puzzle, 0, 2, 5)
    (True, False)
    """
    return _is_valid(_copy(board), row, col, str(num))


def _is_valid(board: Board, row: int, col: int, num: str) -> bool:
    """Test whether a digit can be placed in a cell, as the article does."""
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


@public
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
        `board` cannot be read as a board.
    TypeError
        `board` is not a list of lists, so it cannot be filled.

    Examples
    --------
    >>> board = [["."] * 9 for _ in range(9)]
    >>> solve_sudoku(board), board[0]
    (True, ['1', '2', '3', '4', '5', '6', '7', '8', '9'])
    """
    copy = _copy(board)
    if not isinstance(board, list) or len(board) != 9 or not all(isinstance(row, list) for row in board):
        raise WrongTypeError(
            "a board must be a list of nine lists; write [list(line[k:k+9]) for k in range(0, 81, 9)]"
        )
    if _count(copy, 1) != 1:
        return False
    has_numbers = any(isinstance(cell, int) for row in board for cell in row)
    for row, digits in zip(board, copy, strict=True):
        row[:] = map(int, digits) if has_numbers else digits
    return True


@public
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
        `board` cannot be read as a board.
    ValueError
        `limit` is below 1.

    Examples
    --------
    >>> count_solutions("." * 81), count_solutions("." * 81, limit=5)
    (2, 5)
    """
    limit = whole_number("limit", limit, 1)
    if Grid(board).clashes():
        return 0
    return _count(_copy(board), limit)


@public
def has_unique_solution(board: PuzzleLike) -> bool:
    """Test whether a board has exactly one solution; the board is not changed.

    Parameters
    ----------
    board
        As for `count_solutions`.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> has_unique_solution(puzzle)
    True
    """
    return count_solutions(board, 2) == 1


@public
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
    found, _, _ = try_article(board)
    return found


def try_article(board: PuzzleLike, timeout: float = inf) -> tuple[Comparison, float, float]:
    """Run the article's program and the corrected one in one search; return also the seconds of each.

    The article's search ends at the first solution; then it searches the full board, which is one state, and
    finds the solution again. The corrected search goes on to a second solution.
    """
    search, clash = _Search(timeout), bool(Grid(board).clashes())
    number = search.count(_copy(board), 1 if clash else 2)
    states, seconds = search.first or (search.states, search.seconds())
    article = None if number is None and search.first is None else False
    article_states = states + (search.first is not None)
    if clash:  # the corrected program looks at the clues first
        return Comparison(article, False, article_states, 0), seconds, 0.0
    corrected = None if number is None else number == 1
    return Comparison(article, corrected, article_states, search.states), seconds, search.seconds()


class _TimeUpError(Exception):
    """The time of a search is up."""


class _Search:
    """A search that counts its states, notes its first solution, and ends when its time is up.

    Attributes
    ----------
    states : int
    first : tuple of int and float, or None
        The states up to the first solution, and the processor time.
    """

    def __init__(self, timeout: float) -> None:
        self.states = 0
        self.first: tuple[int, float] | None = None
        self._began, self._end = process_time(), monotonic() + timeout

    def seconds(self) -> float:
        """Return the processor time since the beginning."""
        return process_time() - self._began

    def count(self, board: Board, limit: int) -> int | None:
        """Count the solutions of a board up to a limit; None if the time was up."""
        try:
            return _count(board, limit, self)
        except _TimeUpError:
            return None

    def visit(self) -> None:
        """Count a state."""
        self.states += 1
        if self.states % _STATES_A_LOOK == 0 and monotonic() > self._end:
            raise _TimeUpError

    def find(self) -> None:
        """Note a solution."""
        self.first = self.first or (self.states, self.seconds())


def count_in_time(board: PuzzleLike, limit: int, seconds: float) -> tuple[int | None, float]:
    """Count the solutions of a board, None if the time was up; return also the processor time."""
    search = _Search(seconds)
    if Grid(board).clashes():
        return 0, search.seconds()
    return search.count(_copy(board), limit), search.seconds()


def _copy(board: PuzzleLike) -> Board:
    """Copy a board to lists."""
    line = Grid(board).line
    return [list(line[k : k + 9]) for k in range(0, 81, 9)]


def _count(board: Board, limit: int, search: _Search | None = None) -> int:
    """Count solutions; at the limit the board keeps the last one, otherwise it is as before."""
    if search is not None:
        search.visit()
    for row in range(9):
        for col in range(9):
            if board[row][col] == ".":
                total = 0
                for num in map(str, range(1, 10)):
                    if _is_valid(board, row, col, num):
                        board[row][col] = num
                        total += _count(board, limit - total, search)
                        if total == limit:
                            return total
                        board[row][col] = "."
                return total
    if search is not None:
        search.find()
    return 1
