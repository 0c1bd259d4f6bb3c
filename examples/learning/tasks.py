"""Tasks by index and seed, in the form of procedural reasoning data sets, and the score of an answer.

    tasks = SudokuTasks(1000, seed=7, difficulty="hard")
    item = tasks[3]             # {"question": ..., "answer": ..., "metadata": {...}}
    tasks.score_answer(text, item)

Item k depends on the seed, k and the request alone, so it is the same on every machine, in any order.  Every
puzzle has exactly one solution, and the number of clues and the difficulty are exactly as asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from layouts import Layout, prompt

import unidoku


@dataclass(frozen=True)
class SudokuTasks:
    """A data set of `size` tasks.

    Attributes
    ----------
    size : int
    seed : int
    clues : int or None
        The number of clues of every puzzle.
    difficulty : str or None
        As `unidoku.generate` takes it: easy, medium, hard, expert or extreme; or beginner.
    layout : {"line", "rows", "boxes"}
        How the question shows the puzzle.
    """

    size: int
    seed: int = 0
    clues: int | None = None
    difficulty: Literal["beginner", "easy", "medium", "hard", "expert", "extreme"] | None = None
    layout: Layout = "rows"

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self[index] for index in range(self.size))

    def __getitem__(self, index: int) -> dict[str, Any]:
        index = range(self.size)[index]
        [state] = np.random.SeedSequence([self.seed, index]).generate_state(1, np.uint32)
        asked = {"clues": self.clues, "difficulty": self.difficulty}
        request: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
        puzzle = unidoku.generate(seed=int(state), **request)
        solution = unidoku.solve(puzzle)
        rating = unidoku.rate(puzzle)
        assert solution is not None
        return {
            "question": prompt(puzzle, self.layout),
            "answer": solution.line,
            "metadata": {
                "source_dataset": "unidoku",
                "source_index": index,
                "puzzle": puzzle.line,
                "clues": 81 - puzzle.line.count("."),
                "er": rating.er,
                "technique": rating.technique,
                "difficulty": rating.difficulty,
            },
        }

    def score_answer(self, answer: object, entry: dict[str, Any]) -> float:
        """Return the score of an answer, 0 to 1: 1 for a solution of the puzzle; see `unidoku.verify`."""
        return unidoku.verify(entry["metadata"]["puzzle"], answer).score
