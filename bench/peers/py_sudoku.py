"""py-sudoku from PyPI."""

from __future__ import annotations

from peers import Absent, Solver, one_by_one


def load() -> Solver:
    try:
        from sudoku import Sudoku
    except ImportError:
        raise Absent("py-sudoku is not installed") from None

    def solve(line: str) -> str:
        rows = [[int(c) if c in "123456789" else None for c in line[k : k + 9]] for k in range(0, 81, 9)]
        board = Sudoku(3, 3, board=rows).solve().board
        return "".join(str(value) for row in board for value in row)

    return Solver("py-sudoku", one_by_one(solve), most=10)
