"""Measure the step engine: whole searches, compared with the plain Python model of the tests.

    pytest bench/test_steps.py

Every answer is checked before.
"""

from __future__ import annotations

import array
import threading

import pytest
from match import Pair
from puzzle_sets import few_clues_lines
from report import Row
from step_model import Model

from unidoku._native.steps import search_cells
from unidoku.stepper import Session

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


def test_batch_beside_the_plain_model(measure, options, puzzles):
    batch = Batch(puzzles)
    few = puzzles[:: 1 + len(puzzles) // 40]
    batch.run()
    assert set(batch.solutions) == {1}
    rated = {puzzle: batch.steps[number] for number, puzzle in enumerate(puzzles)}
    for model, puzzle in zip(model_searches(few), few, strict=True):
        assert (model.steps, model.solutions) == (rated[puzzle], 1)
    own = Batch(few)
    row = Row("SudokuSolver's search", "model in Python", "batch", limit=0, puzzles=len(few))
    measure(Pair(row, lambda: model_searches(few), own.run, seconds=options["seconds"]))


@pytest.mark.parametrize("threads", [1, 2])
def test_batch(measure, options, puzzles, threads):
    """The same batch on each thread: the GIL is released."""
    batches = [Batch(puzzles) for _ in range(threads)]

    def together():
        others = [threading.Thread(target=batch.run) for batch in batches]
        for thread in others:
            thread.start()
        for thread in others:
            thread.join()

    row = Row("SudokuSolver's search", "unidoku", "batch", threads, limit=0, puzzles=len(puzzles))
    beside = None if threads == 1 else batches[0].run
    measure(Pair(row, together, beside, len(puzzles), seconds=options["seconds"]))


def test_published_quiz_silent(measure, options):
    """Run the whole search of the published quiz, 284 steps, through a session."""

    def search():
        session = Session(QUIZ, listening=False)
        session.run()
        session.run()
        return session

    assert search().steps == 284
    row = Row("the published quiz", "unidoku", "single", limit=0, puzzles=1)
    measure(Pair(row, search, seconds=options["seconds"]))
