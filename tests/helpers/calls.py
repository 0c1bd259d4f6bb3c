"""Random calls of unidoku's functions in one process, with judged answers.

As a program, ``calls.py SEED CALLS`` makes this number of calls, some in several threads at once.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from random import Random
from typing import Any

import numpy as np
from example_puzzles import SOLUTION, UNIQUE
from judging import MOST, CountedPuzzle, pool, text_of

import unidoku
from unidoku import Cancel, SearchStoppedError, Verdict, counting, method

EMPTY = "." * 81
HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."

SIZES = (1, 1, 2, 3, 4, 5, 9, 10, 11, 16, 17, 31, 33, 40, 64, 130)
LIMITS = (1, 2, 2, 2, 3, 7, MOST)
BUDGETS = (1, 2, 5, 20, 100, 1000)


def check(puzzle: CountedPuzzle, **options: Any) -> None:
    """Check a puzzle; the options, here and below, are a budget or a flag, which may end the search."""
    verdict = unidoku.check(puzzle.line, **options)
    puzzle.judge_verdict(verdict, complete=verdict != Verdict.UNKNOWN)
    assert options or verdict != Verdict.UNKNOWN


def solve(puzzle: CountedPuzzle, **options: Any) -> None:
    try:
        grid = unidoku.solve(puzzle.line, **options)
    except SearchStoppedError:
        assert options
        return
    assert (grid is None) == (puzzle.count == 0)
    if grid is not None:
        puzzle.judge_grid(grid.line, 0)


def count(puzzle: CountedPuzzle, limit: int | None, **options: Any) -> None:
    try:
        total = unidoku.count(puzzle.line, limit=limit, **options)
    except SearchStoppedError as error:
        assert options
        total = error.count
        assert total <= puzzle.count or puzzle.count == MOST
        return
    assert total == puzzle.capped_count(limit)


def examine(puzzle: CountedPuzzle, limit: int, **options: Any) -> None:
    answer = unidoku.examine(puzzle.line, limit=limit, **options)
    assert answer.complete or options
    grids = {0: answer.solution, 1: answer.second_solution}
    puzzle.judge(limit, answer.count, Verdict(answer.verdict), answer.complete, grids)


class Iteration:
    """An iterator over solutions, advanced between other calls."""

    def __init__(self, puzzle: CountedPuzzle) -> None:
        self.puzzle, self.solutions = puzzle, unidoku.solutions(puzzle.line)
        self.lines: set[str] = set()

    def advance(self, number: int) -> None:
        for grid in islice(self.solutions, number):
            self.puzzle.judge_grid(grid.line, len(self.lines))
            assert grid.line not in self.lines
            self.lines.add(grid.line)
            number -= 1
        if number:
            assert len(self.lines) == self.puzzle.count
        assert len(self.lines) <= self.puzzle.count or self.puzzle.count == MOST


def check_many(
    puzzles: list[CountedPuzzle],
    limit: int = 2,
    *,
    form: str = "list",
    wrong: bool = False,
    solutions: bool = True,
    second_solutions: bool = True,
    threads: int = 1,
    **options: Any,
) -> None:
    """Check puzzles, perhaps with a wrong row after them."""
    lines = [puzzle.line for puzzle in puzzles]
    rows: Any = lines
    if form == "bytes":
        rows = "\n".join(lines).encode()
    elif form == "array":
        rows = np.frombuffer("".join(lines).replace(".", "0").encode(), np.uint8).reshape(-1, 81) - 48
    if wrong:
        rows, options = [*lines, "no puzzle"], options | {"errors": "invalid"}
    columns = {"solutions": solutions, "second_solutions": second_solutions}
    result = unidoku.check_many(rows, limit=limit, threads=threads, **columns, **options)
    assert len(result) == len(puzzles) + wrong
    if wrong:
        assert result.verdict[-1] == Verdict.INVALID
        assert len(puzzles) in result.reasons
    assert [name[:-1] in dir(result) for name in columns] == [*columns.values()]
    for k, puzzle in enumerate(puzzles):
        answer = int(result.count[k]), int(result.verdict[k]), bool(result.complete[k])
        assert answer[2] or options
        grids = {
            place: text_of(getattr(result, name[:-1])[k].tobytes())
            for place, name in enumerate(columns)
            if columns[name]
        }
        if not answer[2] and "cancel" in options:  # an unfinished puzzle has no grids
            assert not any(grids.values())
            grids = {}
        puzzle.judge(limit, *answer, grids)


class Caller:
    """Random calls with the puzzles of a pool."""

    def __init__(self, puzzles: list[CountedPuzzle], random: Random) -> None:
        self.puzzles, self.random = puzzles, random
        self.few = [puzzle for puzzle in puzzles if puzzle.count < MOST]
        self.open: list[Iteration] = []

    def call(self) -> None:
        kinds: list[tuple[int, Callable[[], None]]] = [
            (20, self.single),
            (8, self.many),
            (1, self.many_at_once),
            (2, self.iterate),
            (2, self.interrupt),
            (1, self.rare),
        ]
        self.random.choices([kind for _, kind in kinds], [weight for weight, _ in kinds])[0]()

    def pick(self, number: int) -> list[CountedPuzzle]:
        return self.random.choices(self.puzzles, k=number)

    def budget(self) -> dict[str, int]:
        return {"budget": self.random.choice(BUDGETS)}

    def single(self) -> None:
        (puzzle,) = self.pick(1)
        options = self.random.choice(({}, {}, self.budget()))
        kind = self.random.randrange(5)
        if kind == 4:
            count(self.random.choice(self.few), None)
        elif kind > 1:
            (count, examine)[kind - 2](puzzle, self.random.choice(LIMITS), **options)
        else:
            (check, solve)[kind](puzzle, **options)

    def many(self) -> None:
        check_many(
            self.pick(self.random.choice(SIZES)),
            limit=self.random.choice(LIMITS),
            threads=self.random.choice((1, 1, 2, 3)),
            form=self.random.choice(("list", "bytes", "array")),
            wrong=self.random.random() < 0.1,
            solutions=self.random.random() < 0.9,
            second_solutions=self.random.random() < 0.6,
            **self.random.choice(({}, {}, {}, self.budget())),
        )

    def many_at_once(self) -> None:
        """Check more rows than one task of a thread has, of few puzzles."""
        puzzles = self.pick(8)
        check_many([self.random.choice(puzzles) for _ in range(3000)], threads=2, form="bytes")

    def iterate(self) -> None:
        if len(self.open) < 4:
            self.open.append(Iteration(*self.pick(1)))
        self.random.choice(self.open).advance(self.random.choice((1, 2, 3)))
        if self.random.random() < 0.3:
            self.open.pop(self.random.randrange(len(self.open)))

    def interrupt(self) -> None:
        """Cancel a call before or during its work."""
        cancel = Cancel()
        timer = threading.Timer(self.random.random() / 1000, cancel.set)
        if self.random.random() < 0.5:
            cancel.set()
        else:
            timer.start()
        (puzzle,), kind = self.pick(1), self.random.randrange(5)
        if kind < 2:
            (check, solve)[kind](puzzle, cancel=cancel)
        elif kind == 2:
            examine(puzzle, self.random.choice((1, 2)), cancel=cancel)
        else:
            puzzles, threads = self.pick(self.random.choice(SIZES)), self.random.choice((1, 2))
            check_many(puzzles, limit=self.random.choice(LIMITS), threads=threads, cancel=cancel)
        timer.cancel()

    def rare(self) -> None:
        """Call another function; it returns the same as the first time."""
        name = self.random.choice(list(RARE))
        text = str(RARE[name]())
        assert FIRST.setdefault(name, text) == text, name


RARE: dict[str, Callable[[], Any]] = {
    "rate": lambda: unidoku.rate(HARD),
    "steps": lambda: unidoku.steps(UNIQUE),
    "all_steps": lambda: unidoku.all_steps(UNIQUE),
    "canonical": lambda: unidoku.canonical(UNIQUE),
    "minimize": lambda: unidoku.minimize(UNIQUE, seed=1),
    "generate": lambda: unidoku.lines(unidoku.generate(2, seed=1, threads=1)),
    "trace": lambda: list(unidoku.trace(UNIQUE)),
    "diagnose": lambda: unidoku.diagnose(EMPTY),
    "explain": lambda: method.explain(UNIQUE).as_dict(),
    "take": lambda: counting.Solutions(SOLUTION[:40] + EMPTY[40:]).take([0, 5, 1]).tolist(),
}
"""Calls that take longer."""
FIRST: dict[str, str] = {}


def run(seed: int, calls: int) -> None:
    """Make calls in this thread, in three threads at once, and again in this one."""
    puzzles = pool(seed)
    callers = [Caller(puzzles, Random(f"{seed}-{k}")) for k in range(4)]

    def make(caller: Caller) -> None:
        for _ in range(calls // 5):
            caller.call()

    make(callers[0])
    with ThreadPoolExecutor(3) as threads:
        for future in [threads.submit(make, caller) for caller in callers[1:]]:
            future.result()
    make(callers[0])


if __name__ == "__main__":
    run(int(sys.argv[1]), int(sys.argv[2]))
