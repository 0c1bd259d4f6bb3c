"""Compare the textbook backtracker with the kernel, puzzle by puzzle.

    pytest bench/test_naive.py

A group of the table is one puzzle.  Both count its solutions up to 2 in one call, in processor time.  The
means over many puzzles, also for many puzzles per call of the kernel, are those of ``unidoku bench``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from puzzle_sets import named_set

import unidoku
from unidoku import naive

EACH = 4  # puzzles of a set
LINES = {
    f"{name} {k + 1}": line
    for name in ("easy", "middle")
    for k, line in enumerate((named_set(name, EACH) or [])[:EACH])
}


@pytest.fixture(params=LINES)
def line(request, benchmark):
    benchmark.group = request.param
    benchmark.extra_info["puzzle"] = LINES[request.param]
    return LINES[request.param]


@pytest.mark.benchmark(timer=process_time, min_rounds=1, warmup=False)
def test_backtracker(benchmark, line):
    board = [list(line[k : k + 9]) for k in range(0, 81, 9)]
    assert benchmark(naive.count_solutions, board, 2) == 1


@pytest.mark.benchmark(timer=process_time)
def test_check(benchmark, line):
    assert benchmark(unidoku.check, line) is unidoku.Verdict.UNIQUE
