"""Right answers after any other calls, which use the same solvers, buffers and threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest
from counting import count_by_masks, is_solution_of
from example_puzzles import EIGHT, HARD, NONE, SHARED, SOLUTION, TEN, UNIQUE
from forms import BEST, force
from fuzzing import FACTOR, SEED
from moving import moved, with_clues

import unidoku
from unidoku import Cancel, SearchStoppedError, Verdict, counting, method

MOST = 20
"""Solutions are counted up to this number."""
EMPTY = "." * 81
SIZES = (1, 1, 2, 3, 4, 5, 9, 10, 11, 16, 17, 31, 33, 40, 64, 130)
LIMITS = (1, 2, 2, 2, 3, 7, MOST)
BUDGETS = (1, 2, 5, 20, 100, 1000)
OTHERS: list[Callable[[], Any]] = [
    lambda: unidoku.rate(HARD),
    lambda: unidoku.steps(UNIQUE),
    lambda: unidoku.all_steps(UNIQUE),
    lambda: unidoku.canonical(UNIQUE),
    lambda: unidoku.minimize(UNIQUE, seed=1),
    lambda: unidoku.lines(unidoku.generate(2, seed=1, threads=1)),
    lambda: list(unidoku.stepper.trace(UNIQUE)),
    lambda: unidoku.diagnose(EMPTY),
    lambda: method.explain(UNIQUE).as_dict(),
    lambda: counting.Solutions(SOLUTION[:40] + EMPTY[40:]).take([0, 5, 1]).tolist(),
]
"""Calls of other functions, with one result each."""


@cache
def pool(seed: int) -> dict[str, int]:
    """Return puzzles of every kind, each with its number of solutions by an independent counter."""
    random = Random(seed)
    lines = [TEN, SOLUTION, EMPTY]
    counted = {line: count_by_masks(line, MOST) for line in [*SHARED, UNIQUE, EIGHT, NONE]}
    images = {moved(line, random): counted[line] for line in [*SHARED, *SHARED, UNIQUE, EIGHT, NONE] * 4}
    lines += [
        with_clues(moved(SOLUTION, random), random.randint(*clues), random)
        for clues in [(22, 30), (12, 21), (35, 80)] * 6
    ]
    for _ in range(12):  # mostly without a solution
        line, cell = with_clues(moved(SOLUTION, random), random.randint(24, 34), random), random.randrange(81)
        lines.append(f"{line[:cell]}{random.choice('123456789')}{line[cell + 1 :]}")
    return counted | images | {line: count_by_masks(line, MOST) for line in lines}


class Caller:
    """Random calls with the puzzles of a pool; `first` has the first two solutions of each."""

    def __init__(self, puzzles: dict[str, int], first: dict[Any, Any], random: Random) -> None:
        self.puzzles, self.lines, self.first, self.random = puzzles, [*puzzles], first, random
        self.open: list[tuple[str, list[str], Iterator[unidoku.Grid]]] = []

    def same(self, key: Any, result: Any) -> None:
        """Check that a result is the one of the first time."""
        assert self.first.setdefault(key, result) == result, key

    def see(self, line: str, place: int, grid: str) -> None:
        """Check the first (0) or the second (1) solution of a puzzle."""
        assert (line, place) in self.first or is_solution_of(grid, line), line
        self.same((line, place), grid)

    def judge(self, line: str, limit: int, answer: Any) -> None:
        """Check an answer: a complete one has the right count, another one counts and claims no more."""
        number, about = self.puzzles[line], (line, limit, answer)
        if answer.complete:
            verdict_of_one = "unknown" if limit == 1 else "unique"  # a second solution was not searched for
            assert answer.count == min(number, limit), about
            assert answer.verdict == ("none", verdict_of_one, "multiple")[min(answer.count, 2)], about
        else:
            assert answer.count <= number or number == MOST, about
            assert answer.verdict == ("multiple" if answer.count > 1 else "unknown"), about
        for place, grid in enumerate((answer.solution, answer.second_solution)):
            assert grid is None or answer.count > place, about
            assert grid or not answer.complete or answer.count <= place, about
            if grid:
                self.see(line, place, grid)

    def single(self, **options: Any) -> None:
        """Ask for one puzzle in one of four ways; the options may end the search early."""
        line, limit = self.random.choice(self.lines), self.random.choice(LIMITS)
        number, kind = self.puzzles[line], self.random.randrange(4)
        if kind == 0:
            verdict = unidoku.check(line, **options)
            assert verdict is Verdict(min(number, 2)) or (options and verdict == Verdict.UNKNOWN)
        elif kind == 1:
            self.judge(line, limit, unidoku.examine(line, limit=limit, **options))
        else:
            try:
                if kind == 2:
                    grid = unidoku.solve(line, **options)
                    assert (grid is None) == (number == 0)
                    if grid:
                        self.see(line, 0, grid.line)
                else:
                    assert unidoku.count(line, limit=limit, **options) == min(number, limit)
            except SearchStoppedError:
                assert options

    def many(self, *, lines: list[str] | None = None, threads: int = 1, **options: Any) -> None:
        """Check puzzles in one of three forms."""
        lines = lines or self.random.choices(self.lines, k=self.random.choice(SIZES))
        numbers = np.frombuffer("".join(lines).replace(".", "0").encode(), np.uint8).reshape(-1, 81) - 48
        rows = self.random.choice([lines, "\n".join(lines).encode(), numbers, [*lines, "no puzzle"]])
        limit = self.random.choice(LIMITS)
        answers = unidoku.check_many(
            rows, limit=limit, threads=threads, second_solutions=True, errors="invalid", **options
        )
        wrong = [*range(len(lines), len(answers))]
        assert [*answers.reasons] == wrong or "cancel" in options
        for line, answer in zip(lines, answers, strict=False):
            assert answer.complete or options
            self.judge(line, limit, answer)

    def iterate(self) -> None:
        """Begin to list solutions, or list some more of a puzzle."""
        if len(self.open) < 4:
            line = self.random.choice(self.lines)
            self.open.append((line, [], unidoku.solutions(line)))
        line, lines, solutions = self.open.pop(self.random.randrange(len(self.open)))
        number = self.random.choice((1, 2, 3))
        lines += [grid.line for grid in islice(solutions, number)]
        assert len({*lines}) == len(lines)
        assert all(is_solution_of(grid, line) for grid in lines)
        assert len(lines) <= self.puzzles[line] or self.puzzles[line] == MOST
        for place, grid in enumerate(lines[:2]):
            self.same((line, place), grid)
        if self.random.random() < 0.7:
            self.open.append((line, lines, solutions))

    def cancelled(self) -> None:
        """Cancel a call before or during its work."""
        cancel = Cancel()
        timer = threading.Timer(self.random.choice((0, self.random.random() / 1000)), cancel.set)
        timer.start()
        self.random.choice((self.single, self.many))(cancel=cancel)
        timer.cancel()

    def call(self) -> None:
        """Make a call, with one in three of the first two kinds within a budget."""
        budget = {"budget": self.random.choice(BUDGETS)} if self.random.random() < 0.3 else {}
        kind = self.random.choices(range(6), (20, 8, 1, 2, 2, 1))[0]
        if kind == 0:
            self.single(**budget)
        elif kind == 1:
            self.many(threads=self.random.choice((1, 1, 2, 3)), **budget)
        elif kind == 2:  # more rows than one task of a thread has, of few puzzles
            self.many(lines=self.random.choices(self.random.choices(self.lines, k=8), k=3000), threads=2)
        elif kind == 3:
            self.iterate()
        elif kind == 4:
            self.cancelled()
        else:
            place = self.random.randrange(len(OTHERS))
            self.same(place, str(OTHERS[place]()))


@pytest.mark.hypothesis  # .ci/fuzz runs it with more seeds
@pytest.mark.parametrize("isa", BEST)
def test_random_sequences_of_calls(isa, monkeypatch):
    """In one thread, in three, and in the first one again."""
    force(monkeypatch, isa)
    for seed in range(SEED + 1, SEED + FACTOR + 1):
        first: dict[Any, Any] = {}
        callers = [Caller(pool(seed), first, Random(f"{seed}-{k}")) for k in range(4)]

        def make(caller: Caller) -> None:
            for _ in range(5):
                caller.call()

        make(callers[0])
        with ThreadPoolExecutor(3) as threads:
            for future in [threads.submit(make, caller) for caller in callers[1:]]:
                future.result()
        make(callers[0])
