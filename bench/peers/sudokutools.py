"""sudokutools of PyPI: exact cover by dancing links in Python; all solutions lazily."""

from __future__ import annotations

from itertools import islice

from solvers import Solver, one_by_one
from sudokutools.solve import dlx
from sudokutools.sudoku import Sudoku


def find(line: str) -> str:
    found = next(dlx(Sudoku.decode(line.replace(".", "0"))), None)
    return "" if found is None else "".join(str(found.encode()).split())


def tell(line: str, limit: int) -> int:
    return sum(1 for _ in islice(dlx(Sudoku.decode(line.replace(".", "0"))), limit))


def load() -> Solver:
    return Solver("sudokutools", one_by_one(find, tell))
