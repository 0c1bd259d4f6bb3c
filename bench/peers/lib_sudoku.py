"""lib_sudoku of PyPI: a solver in Rust."""

from __future__ import annotations

from lib_sudoku import solve
from solvers import Solver, one_by_one

VALUES = bytes.maketrans(b".123456789", bytes(range(10)))


def find(line: str) -> str:
    try:
        return "".join(map(str, solve(bytearray(line.encode().translate(VALUES)))))
    except ValueError:
        return ""


def load() -> Solver:
    return Solver(
        "lib_sudoku", one_by_one(find), limits=(1,), remark="first solution only: compared at limit 1"
    )
