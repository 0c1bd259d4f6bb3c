"""Measure the step engine: whole searches, compared with the plain Python model of the tests.

    pytest bench/test_steps.py -s

Every answer is checked in the warm-up. The ratio is by processor time, both sides in turn, best of several,
so that other load on the machine has little effect.
"""

from __future__ import annotations

import array
import sys
import threading
from pathlib import Path

import pytest
from step_model import Model

sys.path.insert(0, str(Path(__file__).parent))

from puzzle_sets import few_clues_lines

from unidoku.native.steps import search_cells
from unidoku.stepper import Session
from unidoku.tasks.speed import alternate

QUIZ = "005300000800000020070010500400005300010070006003200080060500009004000030000009700"


@pytest.fixture(scope="module")
def puzzles():
    """Every tenth puzzle with 17 clues, or the whole bundled sample."""
    lines = few_clues_lines()
    return lines[:: 1 + len(lines) // 5000]


class Batch:
    """Puzzles ready for `search_cells`."""

    def __init__(self, puzzles):
        self.count = len(puzzles)
        self.text = "".join(puzzles).encode()
        self.starts = array.array("q", range(0, 81 * self.count, 81))
        self.steps = array.array("Q", bytes(8 * self.count))
        self.solutions = array.array("Q", bytes(8 * self.count))
        self.biggest_level = bytearray(self.count)
        self.level_step = array.array("Q", bytes(8 * self.count))
        self.first_steps = array.array("Q", bytes(8 * self.count))
        self.first_level = bytearray(self.count)
        self.first_level_step = array.array("Q", bytes(8 * self.count))
        self.outcomes = bytearray(self.count)

    def run(self):
        search_cells(
            self.text,
            self.starts,
            steps=self.steps,
            solutions=self.solutions,
            biggest_level=self.biggest_level,
            level_step=self.level_step,
            first_steps=self.first_steps,
            first_level=self.first_level,
            first_level_step=self.first_level_step,
            outcomes=self.outcomes,
        )


def model_searches(puzzles):
    models = [Model(puzzle) for puzzle in puzzles]
    for model in models:
        model.run_until(10**9)
    return models


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
    few = puzzles[:: 1 + len(puzzles) // 40]
    batch.run()
    rated = {puzzle: batch.steps[number] for number, puzzle in enumerate(puzzles)}
    for model, puzzle in zip(model_searches(few), few, strict=True):
        assert (model.steps, model.solutions) == (rated[puzzle], 1)
    times = alternate([batch.run, lambda: model_searches(few)], 3, least=5)[:, :, 0].min(axis=0)
    native = times[0] / sum(batch.steps)
    plain = times[1] / sum(rated[puzzle] for puzzle in few)
    print(
        f"\n{batch.count} puzzles: native {1e9 * native:.0f} ns a step, "
        f"{batch.count / times[0]:.0f} puzzles a second; "
        f"plain model {1e6 * plain:.0f} us a step; ratio {plain / native:.0f}"
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

    alone, both = alternate([in_turn, together], 1, least=3)[:, :, 1].min(axis=0)
    print(f"\ntwo threads are {alone / both:.2f} times as fast as one")
