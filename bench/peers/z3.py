"""Z3: 81 integers and 27 constraints "distinct"; a second solution is one that differs from the first."""

from __future__ import annotations

import z3
from solvers import Solver, one_by_one

CELLS = [z3.Int(f"r{k // 9}c{k % 9}") for k in range(81)]


def solver_of(line: str) -> z3.Solver:
    solver = z3.Solver()
    for k, c in enumerate(line):
        solver.add(int(c) == CELLS[k] if c != "." else z3.And(CELLS[k] >= 1, CELLS[k] <= 9))
    for k in range(9):
        row, column = 3 * (k // 3), 3 * (k % 3)
        solver.add(z3.Distinct(CELLS[9 * k : 9 * k + 9]))
        solver.add(z3.Distinct(CELLS[k::9]))
        solver.add(z3.Distinct([CELLS[9 * (row + i) + column + j] for i in range(3) for j in range(3)]))
    return solver


def values(solver: z3.Solver) -> list[int]:
    model = solver.model()
    return [model[cell].as_long() for cell in CELLS]


def find(line: str) -> str:
    solver = solver_of(line)
    return "".join(map(str, values(solver))) if solver.check() == z3.sat else ""


def tell(line: str, limit: int) -> int:
    solver, found = solver_of(line), 0
    while found < limit and solver.check() == z3.sat:
        found += 1
        solver.add(z3.Or([cell != value for cell, value in zip(CELLS, values(solver), strict=True)]))
    return found


def load() -> Solver:
    return Solver("Z3", one_by_one(find, tell))
