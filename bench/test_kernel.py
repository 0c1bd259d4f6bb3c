"""Measure the kernel for each instruction set and data set, and its peers.

    pytest bench/test_kernel.py

Absent solvers are skipped by name; python -m bench prints the ratios.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from peers import NAMES, Absent, load
from puzzle_sets import named_set

import unidoku


@pytest.fixture(scope="module", params=["17clue", "top1465", "sample", "easy"])
def lines(request):
    found = named_set(request.param, 10_000)
    if found is None:
        pytest.skip(f"no puzzle file for {request.param} beside the repository; sample stands for it")
    return found


@pytest.mark.benchmark(timer=process_time)
@pytest.mark.parametrize("name", NAMES)
def test_many_puzzles(benchmark, lines, name):
    try:
        solver = load(name)
    except Absent as reason:
        pytest.skip(f"{name}: {reason}")
    if solver.most and len(lines) != 10_000:
        pytest.skip(f"{name}: only timed on easy puzzles")
    some = lines[: solver.most]
    work = solver.prepare(some)
    work.run()
    assert all(map(solver.is_right, some[:500], work.answers()))
    guesses = work.guesses()
    benchmark.extra_info.update(puzzles=len(some), guesses_per_puzzle=guesses and guesses / len(some))
    benchmark(work.run)


@pytest.mark.benchmark(timer=process_time)
@pytest.mark.parametrize("function", [unidoku.check, unidoku.solve])
def test_one_puzzle_a_call(benchmark, function):
    some = named_set("easy", 1000)
    benchmark(lambda: [function(line) for line in some])


@pytest.mark.benchmark(timer=process_time)
@pytest.mark.parametrize("threads", [1, 2])
def test_check_many(benchmark, lines, threads):
    some = lines * (1 + 100_000 // len(lines))
    text = "\n".join(some).encode()
    assert unidoku.check_many(text).unique == len(some)
    benchmark(unidoku.check_many, text, threads=threads)
