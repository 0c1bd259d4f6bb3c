"""sudokum of PyPI: wave function collapse in Python, with random tries."""

from __future__ import annotations

import random

from solvers import Solver, one_by_one
from sudokum import solve

TRIES = 10_000  # a tenth of them, its default, gives hard puzzles up


def find(line: str) -> str:
    random.seed(line)  # so that each run tries the same
    cells = [int(c) if c != "." else 0 for c in line]
    found, grid = solve([cells[k : k + 9] for k in range(0, 81, 9)], max_try=TRIES)
    return "".join(str(value) for row in grid for value in row) if found else ""


def load() -> Solver:
    return Solver("sudokum", one_by_one(find), limits=(1,), remark="first solution only: compared at limit 1")
