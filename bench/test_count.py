"""Count all solutions: each instruction set, compared with the search.

    pytest bench/test_count.py

The puzzles are random clues of uniform random solutions.
"""

from __future__ import annotations

import array
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import pytest
from match import Pair
from report import Row

from unidoku import counting, kernel
from unidoku.grid import Grid

CLUES = (0, 4, 6, 9, 11, 13, 15, 17, 20)
EACH = 5  # puzzles of each number of clues


def puzzles_with(clues: int, number: int = EACH) -> list[str]:
    random = Random(clues)
    lines = []
    for cells in counting.Solutions("." * 81).sample(count=number, seed=clues).tolist():
        kept = set(random.sample(range(81), clues))
        lines.append("".join(str(digit) if k in kept else "." for k, digit in enumerate(cells)))
    return lines if clues else lines[:1]


def by_sum(isa: str) -> Callable[[str], int]:
    def count(puzzle: str) -> int:
        whole = counting.sum_of(Grid(puzzle).cells, isa=isa)
        whole.work()
        return whole.total()

    return count


def by_search(puzzle: str) -> int:
    counts = array.array("Q", [0])
    kernel.isa_module().solve_cells(puzzle.encode(), array.array("q", [0]), limit=0, counts=counts)
    return counts[0]


@pytest.mark.parametrize("clues", CLUES[::4])
@pytest.mark.parametrize("name", [*kernel.usable(), "search"])
def test_sum(measure, options, name, clues):
    """The sum of each instruction set beside that of the best one; the search where it ends."""
    lines = puzzles_with(clues, 2)
    solver = "search" if name == "search" else f"unidoku {name}"
    row = Row(f"all solutions of {clues} clues", solver, "single", limit=0, puzzles=len(lines))
    if name == "search" and clues < 20:
        measure(replace(row, puzzles=0, remark="the search takes years"))
    some = {"search": by_search} if name == "search" else {name: by_sum(name)}
    best = by_sum(kernel.isa())
    for line in lines:
        assert some[name](line) == best(line)
    beside = None if name == kernel.isa() else partial(every, best, lines)
    measure(Pair(row, partial(every, some[name], lines), beside, seconds=options["seconds"]))


def test_random_grids(measure, options):
    solutions = counting.Solutions("." * 81)
    row = Row("random grids", "unidoku", "batch", limit=0, puzzles=1000)
    measure(Pair(row, lambda: solutions.sample(count=1000, seed=1), seconds=options["seconds"]))


def every(count: Callable[[str], int], lines: list[str]) -> list[int]:
    return [count(line) for line in lines]
