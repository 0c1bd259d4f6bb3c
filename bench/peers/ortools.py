"""CP-SAT of OR-tools: 81 variables and 27 constraints "all different"; one thread."""

from __future__ import annotations

from ortools.sat.python import cp_model
from solvers import Solver, one_by_one


def model_of(line: str) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    model = cp_model.CpModel()
    cells = [
        model.new_constant(int(c)) if c != "." else model.new_int_var(1, 9, f"r{k // 9}c{k % 9}")
        for k, c in enumerate(line)
    ]
    for k in range(9):
        row, column = 3 * (k // 3), 3 * (k % 3)
        model.add_all_different(cells[9 * k : 9 * k + 9])
        model.add_all_different(cells[k::9])
        model.add_all_different(cells[9 * (row + i) + column + j] for i in range(3) for j in range(3))
    return model, cells


def solver_of() -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return solver


def find(line: str) -> str:
    model, cells = model_of(line)
    solver = solver_of()
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return ""
    return "".join(str(solver.value(cell)) for cell in cells)


class Count(cp_model.CpSolverSolutionCallback):
    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit, self.found = limit, 0

    def on_solution_callback(self) -> None:
        self.found += 1
        if self.found == self.limit:
            self.stop_search()


def tell(line: str, limit: int) -> int:
    solver, count = solver_of(), Count(limit)
    solver.parameters.enumerate_all_solutions = True
    solver.solve(model_of(line)[0], count)
    return count.found


def load() -> Solver:
    return Solver("OR-tools CP-SAT", one_by_one(find, tell))
