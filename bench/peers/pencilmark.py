"""pencilmark of PyPI: it solves proper puzzles, of variants too, and says why another one is not."""

from __future__ import annotations

import pencilmark
from solvers import Solver, one_by_one


def tell(line: str, limit: int) -> int:
    try:
        pencilmark.solve(pencilmark.from_string(line))
    except pencilmark.NoSolution:
        return 0
    except pencilmark.NotUnique:
        return 2
    return 1


def load() -> Solver:
    remark = "always tests for a second solution: compared at limit 2"
    return Solver("pencilmark", one_by_one(None, tell), limits=(2,), remark=remark)
