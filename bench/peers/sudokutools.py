"""sudokutools from PyPI, its dancing links."""

from __future__ import annotations

from peers import Absent, Solver, one_by_one


def load() -> Solver:
    try:
        from sudokutools.solve import dlx
        from sudokutools.sudoku import Sudoku
    except ImportError:
        raise Absent("sudokutools is not installed") from None

    def solve(line: str) -> str:
        return next(dlx(Sudoku.decode(line.replace(".", "0")))).encode()

    return Solver("sudokutools", one_by_one(solve), most=10)
