"""The textbook backtracker of unidoku."""

from __future__ import annotations

from peers import Solver, one_by_one
from unidoku import naive


def load() -> Solver:
    def solve(line: str) -> str:
        board = [list(line[k : k + 9]) for k in range(0, 81, 9)]
        naive.has_unique_solution(board)
        naive.solve_sudoku(board)
        return "".join("".join(row) for row in board)

    return Solver("naive backtracker", one_by_one(solve), most=10)
