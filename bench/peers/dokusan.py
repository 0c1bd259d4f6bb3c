"""dokusan of PyPI: singles, and a backtracker in Python; it also explains steps."""

from __future__ import annotations

from dokusan.boards import BoxSize, Sudoku
from dokusan.exceptions import Unsolvable
from dokusan.solvers import backtrack
from solvers import Solver, one_by_one


def find(line: str) -> str:
    try:
        return str(backtrack(Sudoku.from_string(line.replace(".", "0"), box_size=BoxSize(3, 3))))
    except Unsolvable:
        return ""


def load() -> Solver:
    return Solver("dokusan", one_by_one(find), limits=(1,), remark="first solution only: compared at limit 1")
