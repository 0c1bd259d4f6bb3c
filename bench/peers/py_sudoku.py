"""py-sudoku of PyPI: a backtracker in Python, for boards of any size."""

from __future__ import annotations

from solvers import Solver, one_by_one
from sudoku import Sudoku


def board(line: str) -> Sudoku:
    return Sudoku(
        3, 3, board=[[int(c) if c != "." else None for c in line[k : k + 9]] for k in range(0, 81, 9)]
    )


def find(line: str) -> str:
    solved = board(line).solve()
    return "".join(str(value or "") for row in solved.board for value in row)


def tell(line: str, limit: int) -> int:
    """Let it look for two different solutions, and if there are none, for one: it has no other way."""
    puzzle = board(line)
    return 2 if puzzle.has_multiple_solutions() else int(puzzle.solve().board[0][0] is not None)


def load() -> Solver:
    return Solver("py-sudoku", one_by_one(find, tell))
