"""Compare the textbook backtracker with the kernel, puzzle by puzzle.

    pytest bench/test_naive.py -s

Both count the solutions of a puzzle up to 2, in processor time: the backtracker in one call, the kernel in a
thousand, both in turn, best of several.  The means over many puzzles, also for many puzzles per call of the
kernel, are those of ``unidoku bench``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from puzzle_sets import named_set

import unidoku
from unidoku.tasks.speed import alternate, count_naive

EACH = 4  # puzzles of a set
CALLS = 1000  # of the kernel at a time
LINES = {
    f"{name} {k + 1}": line
    for name in ("easy", "middle")
    for k, line in enumerate((named_set(name, EACH) or [])[:EACH])
}


@pytest.mark.parametrize("name", LINES)
def test_ratio(benchmark, name):
    line = LINES[name]

    def kernel():
        for _ in range(CALLS):
            unidoku.check(line)

    assert unidoku.check(line) is unidoku.Verdict.UNIQUE
    assert count_naive(line) == 1
    times = alternate([kernel, lambda: count_naive(line)], 0.5, least=3)[:, :, 0].min(axis=0)
    check, backtracker = times[0] / CALLS, times[1]
    benchmark.extra_info |= {"puzzle": line, "backtracker": backtracker, "ratio": backtracker / check}
    print(
        f"\n{name}: check {1e9 * check:.0f} ns, backtracker {1e3 * backtracker:.1f} ms, "
        f"ratio {backtracker / check:,.0f}"
    )
    benchmark.pedantic(kernel, rounds=5)
