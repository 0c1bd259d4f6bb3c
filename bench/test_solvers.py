"""Compare unidoku with other solvers on each set: the first solution, and whether there is another.

    pytest bench/test_solvers.py --benchmark-json=FILE.json        python -m bench FILE.json -o FILE.html

docs/benchmarks.md says which solvers there are, and how to install and build them.
"""

from __future__ import annotations

from functools import cache

import pytest
from match import SIZE, match_of
from peers import LOADERS, NATIVE, Absent, load
from puzzle_sets import large_sets, sets
from report import Row
from solvers import Solver, unidoku_solver
from speed_sets import SETS

from unidoku import kernel

OURS = {f"unidoku {isa}": unidoku_solver(isa) for isa in kernel.usable()}
"""Many puzzles a call, with each instruction set."""
ONE_CALL = "one call"
LIMITS = (2, 1)


@cache
def solver_of(name: str) -> Solver | str:
    """Return a solver, or why it is not there."""
    if name == ONE_CALL:
        return unidoku_solver(kernel.isa(), "single")
    try:
        return OURS.get(name) or load(name)
    except Absent as reason:
        return str(reason)


def cases():
    """All solvers on the sets that are always there; the compiled ones on the large lists."""
    for name in SETS:
        yield from ((name, solver) for solver in (*OURS, ONE_CALL, *LOADERS))
    for name in large_sets():
        yield from ((name, solver) for solver in (*OURS, ONE_CALL, *NATIVE))


@pytest.mark.filterwarnings("ignore:Exception ignored in:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize(("name", "other"), list(cases()))
def test_solver(measure, options, name, other, limit):
    """A solver that is cut off while it frees an object, as Z3, says so in a warning."""
    solver = solver_of(other)
    if isinstance(solver, str):
        call = "batch" if other in NATIVE else "single"
        measure(Row(name, other, call, limit=limit, remark=solver), absent=True)
    puzzle_set = sets()[name]
    size = 50_000 if name == "all 17clue" else SIZE
    measure(match_of(puzzle_set, solver, limit, size, **options), again=True)
