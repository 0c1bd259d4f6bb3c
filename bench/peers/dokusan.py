"""dokusan from PyPI."""

from __future__ import annotations

from peers import Absent, Solver, one_by_one


def load() -> Solver:
    try:
        from dokusan.boards import BoxSize, Sudoku
        from dokusan.solvers import backtrack
    except ImportError:
        raise Absent("dokusan is not installed") from None

    def solve(line: str) -> str:
        return str(backtrack(Sudoku.from_string(line.replace(".", "0"), box_size=BoxSize(3, 3))))

    return Solver("dokusan", one_by_one(solve), most=10)
