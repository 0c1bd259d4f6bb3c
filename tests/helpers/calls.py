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


def check(puzzle: CountedPuzzle, *, budget: int | None = None, cancel: Cancel | None = None) -> None:
    verdict = unidoku.check(puzzle.line, **without_none(budget=budget, cancel=cancel))
    puzzle.judge_verdict(verdict, complete=verdict != Verdict.UNKNOWN)
    assert budget is not None or cancel is not None or verdict != Verdict.UNKNOWN


def solve(puzzle: CountedPuzzle, *, budget: int | None = None, cancel: Cancel | None = None) -> None:
    try:
        grid = unidoku.solve(puzzle.line, **without_none(budget=budget, cancel=cancel))
    except SearchStoppedError:
        assert budget is not None or cancel is not None
        return
    assert (grid is None) == (puzzle.count == 0)
    if grid is not None:
        puzzle.judge_grid(grid.line, 0)


def count(
    puzzle: CountedPuzzle, limit: int | None, *, budget: int | None = None, cancel: Cancel | None = None
) -> None:
    try:
        total = unidoku.count(puzzle.line, limit=limit, **without_none(budget=budget, cancel=cancel))
    except SearchStoppedError as error:
        assert budget is not None or cancel is not None
        total = error.count
        assert total <= puzzle.count or puzzle.count == MOST
        return
    assert total == puzzle.count if limit is None else total == puzzle.capped_count(limit)


def examine(
    puzzle: CountedPuzzle, limit: int, *, budget: int | None = None, cancel: Cancel | None = None
) -> None:
    answer = unidoku.examine(puzzle.line, limit=limit, budget=budget, cancel=cancel)
    assert answer.complete or budget is not None or cancel is not None
    grids = [answer.solution, answer.second_solution]
    puzzle.judge(limit, answer.count, Verdict(answer.verdict), answer.complete, grids[: max(limit, 1)])


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
    threads: int = 1,
    budget: int | None = None,
    cancel: Cancel | None = None,
    form: str = "list",
    wrong: bool = False,
    solutions: bool = True,
    second_solutions: bool = True,
) -> None:
    lines = [puzzle.line for puzzle in puzzles]
    rows: Any = lines
    if form == "bytes":
        rows = "\n".join(lines).encode()
    elif form == "array":
        rows = np.frombuffer("".join(lines).replace(".", "0").encode(), np.uint8).reshape(-1, 81) - 48
    if wrong:
        rows = [*lines, "no puzzle"]
    options = without_none(cancel=cancel, budget=budget, errors="invalid" if wrong else None)
    result = unidoku.check_many(
        rows, limit=limit, threads=threads, solutions=solutions, second_solutions=second_solutions, **options
    )
    assert len(result) == len(puzzles) + wrong
    if wrong:
        assert result.verdict[-1] == Verdict.INVALID
        assert len(puzzles) in result.reasons
    columns = [getattr(result, name) for name in ("solution", "second_solution") if name in dir(result)]
    assert len(columns) == solutions + second_solutions
    for k, puzzle in enumerate(puzzles):
        answer = int(result.count[k]), int(result.verdict[k]), bool(result.complete[k])
        assert answer[2] or budget is not None or cancel is not None
        assert (
            answer[2] or cancel is None or budget is not None or not any(grids[k].any() for grids in columns)
        )
        texts = [None if grids is None else text_of(grids[k].tobytes()) for grids in columns]
        if not answer[2] and cancel is not None:  # an unfinished puzzle has no grids
            puzzle.judge(limit, *answer)
        elif solutions:
            puzzle.judge(limit, *answer, texts)
        else:
            puzzle.judge(limit, *answer)
            assert not texts or (texts[0] is not None) == (answer[0] > 1)
            if texts and texts[0] is not None:
                puzzle.judge_grid(texts[0], 1)


def without_none(**arguments: Any) -> dict[str, Any]:
    """Drop arguments that are None: a call without options takes another path."""
    return {name: value for name, value in arguments.items() if value is not None}


class Caller:
    """Random calls with the puzzles of a pool."""

    def __init__(self, puzzles: list[CountedPuzzle], random: Random) -> None:
        self.puzzles, self.random = puzzles, random
        self.proper = [puzzle for puzzle in puzzles if puzzle.count == 1]
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

    def single(self) -> None:
        (puzzle,) = self.pick(1)
        budget = self.random.choice((None, None, self.random.choice(BUDGETS)))
        kind = self.random.randrange(5)
        if kind == 0:
            check(puzzle, budget=budget)
        elif kind == 1:
            solve(puzzle, budget=budget)
        elif kind == 2:
            count(puzzle, self.random.choice(LIMITS), budget=budget)
        elif kind == 3:
            examine(puzzle, self.random.choice(LIMITS), budget=budget)
        else:
            count(self.random.choice(self.few), None)

    def many(self) -> None:
        check_many(
            self.pick(self.random.choice(SIZES)),
            limit=self.random.choice(LIMITS),
            threads=self.random.choice((1, 1, 2, 3)),
            budget=self.random.choice((None, None, None, self.random.choice(BUDGETS))),
            form=self.random.choice(("list", "bytes", "array")),
            wrong=self.random.random() < 0.1,
            solutions=self.random.random() < 0.9,
            second_solutions=self.random.random() < 0.6,
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
        (puzzle,) = self.pick(1)
        kind = self.random.randrange(5)
        if kind == 0:
            check(puzzle, cancel=cancel)
        elif kind == 1:
            solve(puzzle, cancel=cancel)
        elif kind == 2:
            examine(puzzle, self.random.choice((1, 2)), cancel=cancel)
        else:
            puzzles = self.pick(self.random.choice(SIZES))
            check_many(
                puzzles, limit=self.random.choice(LIMITS), threads=self.random.choice((1, 2)), cancel=cancel
            )
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
