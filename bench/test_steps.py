"""Measure the step engine: whole searches, compared with the plain Python model of the tests.

    pytest bench/test_steps.py -s

Every answer is checked in the warm-up. The ratio is by user CPU time, both sides in turn, best of several, so
that other load on the machine has little effect.
"""

from __future__ import annotations

import array
import os
import sys
import threading
from pathlib import Path
from time import perf_counter

import pytest
from step_model import Model

sys.path.insert(0, str(Path(__file__).parent))

from puzzle_sets import few_clues_lines

from unidoku.native.steps import rate_cells
from unidoku.stepper import Session

QUIZ = "005300000800000020070010500400005300010070006003200080060500009004000030000009700"


@pytest.fixture(scope="module")
def puzzles():
    """Every tenth puzzle."""
    return few_clues_lines()[::10]


class Batch:
    """Puzzles ready for `rate_cells`."""

    def __init__(self, puzzles):
        self.count = len(puzzles)
        self.text = "".join(puzzles).encode()
        self.starts = array.array("q", range(0, 81 * self.count, 81))
        self.steps = array.array("Q", bytes(8 * self.count))
        self.solutions = array.array("Q", bytes(8 * self.count))
        self.biggest_level = bytearray(self.count)
        self.first_steps = array.array("Q", bytes(8 * self.count))
        self.first_level = bytearray(self.count)
        self.outcomes = bytearray(self.count)

    def run(self):
        rate_cells(
            self.text,
            self.starts,
            steps=self.steps,
            solutions=self.solutions,
            biggest_level=self.biggest_level,
            first_steps=self.first_steps,
            first_level=self.first_level,
            outcomes=self.outcomes,
        )


def model_searches(puzzles):
    models = [Model(puzzle) for puzzle in puzzles]
    for model in models:
        model.run_until(10**9)
    return models


def user_time(work):
    before = os.times().user
    begin = perf_counter()
    work()
    return os.times().user - before, perf_counter() - begin


def test_batch(benchmark, puzzles):
    """Puzzles a second on one thread."""
    batch = Batch(puzzles)
    batch.run()
    assert set(batch.solutions) == {1}
    benchmark.extra_info["mean steps"] = sum(batch.steps) / batch.count
    benchmark.pedantic(batch.run, rounds=5)
    if benchmark.stats:  # not with --benchmark-disable
        benchmark.extra_info["puzzles a second"] = batch.count / benchmark.stats.stats.min


def test_published_quiz_silent(benchmark):
    """Run the whole search of the published quiz, 284 steps, through a session."""

    def search():
        session = Session(QUIZ, listening=False)
        session.run()
        session.run()
        return session

    assert search().steps == 284
    benchmark(search)


def test_ratio_to_the_plain_model(puzzles):
    batch = Batch(puzzles)
    few = puzzles[:: len(puzzles) // 40]
    batch.run()
    rated = {puzzle: batch.steps[number] for number, puzzle in enumerate(puzzles)}
    for model, puzzle in zip(model_searches(few), few, strict=True):
        assert (model.steps, model.solutions) == (rated[puzzle], 1)
    native, plain = [], []
    for _ in range(3):
        native.append(user_time(batch.run)[0] / sum(batch.steps))
        plain.append(user_time(lambda: model_searches(few))[0] / sum(rated[puzzle] for puzzle in few))
    print(
        f"\n{batch.count} puzzles: native {1e9 * min(native):.0f} ns a step, "
        f"{batch.count / (min(native) * sum(batch.steps)):.0f} puzzles a second; "
        f"plain model {1e6 * min(plain):.0f} us a step; ratio {min(plain) / min(native):.0f}"
    )


def test_two_threads_against_one(puzzles):
    """Compare two batches on two threads with the same two in turn: the GIL is released."""
    batches = [Batch(puzzles), Batch(puzzles)]

    def together():
        threads = [threading.Thread(target=batch.run) for batch in batches]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def in_turn():
        for batch in batches:
            batch.run()

    in_turn()
    alone, both = [], []
    for _ in range(3):
        alone.append(user_time(in_turn)[1])
        both.append(user_time(together)[1])
    print(f"\ntwo threads are {min(alone) / min(both):.2f} times as fast as one")
