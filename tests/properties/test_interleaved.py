"""Right answers whatever was called before: solvers, buffers and threads are used again from call to call."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random

import calls
import pytest
from forms import FORMS
from fuzzing import FACTOR, SEED, examples
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule
from judging import SHARED, pool, text_of

import unidoku
from unidoku import kernel


@pytest.mark.parametrize("isa", FORMS)
def test_any_call_after_any_other(isa):
    """All public functions mixed at random, in one thread and in three, in a process of its own."""
    program = Path(calls.__file__)
    given = {**os.environ, "UNIDOKU_ISA": isa, "PYTHONPATH": str(Path(unidoku.__file__).parents[1])}
    for seed in range(SEED + 1, SEED + FACTOR + 1):
        done = subprocess.run(
            [sys.executable, "-W", "error", program, str(seed), "1000"],
            env=given,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{seed=}\n{done.stderr}"


@pytest.mark.parametrize("isa", FORMS)
@pytest.mark.parametrize("limit", [1, 2, 5])
def test_a_hard_puzzle_after_another(isa, limit):
    """Each of them alone is searched by several lanes of one solver, which the next one uses again."""
    some = [known for known in puzzles() if known.line in SHARED]
    for known in [*some, *reversed(some), *some]:
        counts, grids = bytearray(8), (bytearray(81), bytearray(81))
        verdict = bytearray(1)
        assert kernel.form(isa).solve_cells(
            known.line.encode(),
            bytes(8),
            limit=limit,
            counts=counts,
            verdicts=verdict,
            solutions=grids[0],
            witnesses=grids[1],
        )
        texts = [text_of(bytes(cells)) for cells in grids]
        known.judge(limit, int.from_bytes(counts, sys.byteorder), verdict[0], True, texts)


puzzles = cache(lambda: pool(0, 24))  # few, so that those of which lanes share parts meet
some_puzzle = st.integers(0, 23).map(lambda k: puzzles()[k])
some_budget = st.one_of(st.none(), st.sampled_from(calls.BUDGETS))
some_limit = st.sampled_from(calls.LIMITS)
some_threads = st.integers(1, 3)


class Session(RuleBasedStateMachine):
    """A process that calls unidoku; iterators over solutions stay open meanwhile."""

    def __init__(self):
        super().__init__()
        self.open = []

    @rule(known=some_puzzle, budget=some_budget)
    def check(self, known, budget):
        calls.check(known, budget=budget)

    @rule(known=some_puzzle, budget=some_budget)
    def solve(self, known, budget):
        calls.solve(known, budget=budget)

    @rule(known=some_puzzle, limit=some_limit, budget=some_budget)
    def count(self, known, limit, budget):
        calls.count(known, limit, budget=budget)

    @rule(known=some_puzzle, limit=some_limit, budget=some_budget)
    def examine(self, known, limit, budget):
        calls.examine(known, limit, budget=budget)

    @rule(
        some=st.lists(some_puzzle, min_size=1, max_size=40),
        limit=some_limit,
        threads=some_threads,
        budget=some_budget,
        form=st.sampled_from(["list", "bytes", "array"]),
        wrong=st.booleans(),
        witnesses=st.booleans(),
    )
    def check_many(self, some, limit, threads, **options):
        calls.check_many(some, limit, threads=threads, **options)

    @rule(some=st.lists(some_puzzle, min_size=1, max_size=40), limit=some_limit, threads=some_threads)
    def stopped(self, some, limit, threads):
        cancel = unidoku.Cancel()
        cancel.set()
        calls.check_many(some, limit, threads=threads, cancel=cancel)

    @rule(known=some_puzzle)
    def open_iterator(self, known):
        self.open.append(calls.Iteration(known))

    @rule(which=st.integers(0, 9), number=st.integers(1, 5))
    def advance_iterator(self, which, number):
        if self.open:
            self.open[which % len(self.open)].advance(number)

    @rule(which=st.integers(0, 9))
    def close_iterator(self, which):
        if self.open:
            self.open.pop(which % len(self.open))

    @rule(seed=st.integers(0, 1 << 20), kind=st.sampled_from(calls.RARE))
    def something_else(self, seed, kind):
        kind(calls.Caller(puzzles(), Random(seed)))


TestSession = Session.TestCase
TestSession.settings = examples(10, stateful_step_count=30)
