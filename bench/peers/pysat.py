"""python-sat: Glucose 4 over 729 variables; a second solution is one that differs from the first."""

from __future__ import annotations

from itertools import combinations

from pysat.solvers import Glucose4
from solvers import Solver, one_by_one


def variable(row: int, column: int, digit: int) -> int:
    return 81 * row + 9 * column + digit


def clauses() -> list[list[int]]:
    """Each cell and each house has each digit at least once, and at most once."""
    groups = [[variable(r, c, d) for d in range(1, 10)] for r in range(9) for c in range(9)]
    for d in range(1, 10):
        groups += [[variable(r, c, d) for c in range(9)] for r in range(9)]
        groups += [[variable(r, c, d) for r in range(9)] for c in range(9)]
        groups += [
            [variable(3 * b + i, 3 * s + j, d) for i in range(3) for j in range(3)]
            for b in range(3)
            for s in range(3)
        ]
    return groups + [[-a, -b] for group in groups for a, b in combinations(group, 2)]


RULES = clauses()


def solver_of(line: str) -> Glucose4:
    clues = [[9 * k + int(c)] for k, c in enumerate(line) if c != "."]
    return Glucose4(bootstrap_with=RULES + clues)


def find(line: str) -> str:
    with solver_of(line) as solver:
        if not solver.solve():
            return ""
        return "".join(str((value - 1) % 9 + 1) for value in solver.get_model() if value > 0)


def tell(line: str, limit: int) -> int:
    found = 0
    with solver_of(line) as solver:
        while found < limit and solver.solve():
            found += 1
            solver.add_clause([-value for value in solver.get_model() if value > 0])
    return found


def load() -> Solver:
    return Solver("python-sat", one_by_one(find, tell))
