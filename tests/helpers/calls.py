"""Random calls of unidoku's functions in one process, each answer judged.

As a program: ``calls.py SEED CALLS`` makes so many calls, a part of them in several threads at once.
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
from judging import MOST, Known, pool, text_of

import unidoku
from unidoku import Cancel, SearchStoppedError, Verdict, counting, method

EMPTY = "." * 81
HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."

SIZES = (1, 1, 2, 3, 4, 5, 9, 10, 11, 16, 17, 31, 33, 40, 64, 130)
LIMITS = (1, 2, 2, 2, 3, 7, MOST)
BUDGETS = (1, 2, 5, 20, 100, 1000)


def check(known: Known, *, budget: int | None = None, cancel: Cancel | None = None) -> None:
    verdict = unidoku.check(known.line, **_given(budget=budget, cancel=cancel))
    known.judge_verdict(verdict, complete=verdict != Verdict.UNKNOWN)
    assert budget is not None or cancel is not None or verdict != Verdict.UNKNOWN


def solve(known: Known, *, budget: int | None = None, cancel: Cancel | None = None) -> None:
    try:
        grid = unidoku.solve(known.line, **_given(budget=budget, cancel=cancel))
    except SearchStoppedError:
        assert budget is not None or cancel is not None
        return
    assert (grid is None) == (known.count == 0)
    if grid is not None:
        known.judge_grid(grid.line, 0)


def count(
    known: Known, limit: int | None, *, budget: int | None = None, cancel: Cancel | None = None
) -> None:
    try:
        found = unidoku.count(known.line, limit=limit, **_given(budget=budget, cancel=cancel))
    except SearchStoppedError as error:
        assert budget is not None or cancel is not None
        found = error.count
        assert found <= known.count or known.count == MOST
        return
    assert found == known.count if limit is None else found == known.expected(limit)


def examine(known: Known, limit: int, *, budget: int | None = None, cancel: Cancel | None = None) -> None:
    answer = unidoku.examine(known.line, limit=limit, budget=budget, cancel=cancel)
    assert answer.complete or budget is not None or cancel is not None
    grids = [answer.solution, answer.second_solution]
    known.judge(limit, answer.count, Verdict(answer.verdict), answer.complete, grids[: max(limit, 1)])


class Iteration:
    """An iterator over solutions that is advanced between other calls."""

    def __init__(self, known: Known) -> None:
        self.known, self.found, self.more = known, unidoku.solutions(known.line), True
        self.seen: set[str] = set()

    def advance(self, number: int) -> None:
        for grid in islice(self.found, number):
            self.known.judge_grid(grid.line, len(self.seen))
            assert grid.line not in self.seen
            self.seen.add(grid.line)
            number -= 1
        if number:
            assert len(self.seen) == self.known.count
        assert len(self.seen) <= self.known.count or self.known.count == MOST


def check_many(
    some: list[Known],
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
    lines = [known.line for known in some]
    rows: Any = lines
    if form == "bytes":
        rows = "\n".join(lines).encode()
    elif form == "array":
        rows = np.frombuffer("".join(lines).replace(".", "0").encode(), np.uint8).reshape(-1, 81) - 48
    if wrong:
        rows = [*lines, "no puzzle"]
    more = _given(cancel=cancel, budget=budget, errors="invalid" if wrong else None)
    result = unidoku.check_many(
        rows, limit=limit, threads=threads, solutions=solutions, second_solutions=second_solutions, **more
    )
    assert len(result) == len(some) + wrong
    if wrong:
        assert result.verdict[-1] == Verdict.INVALID
        assert len(some) in result.reasons
    asked = [getattr(result, name) for name in ("solution", "second_solution") if name in dir(result)]
    assert len(asked) == solutions + second_solutions
    for k, known in enumerate(some):
        found = int(result.count[k]), int(result.verdict[k]), bool(result.complete[k])
        assert found[2] or budget is not None or cancel is not None
        assert found[2] or cancel is None or budget is not None or not any(grids[k].any() for grids in asked)
        texts = [None if grids is None else text_of(grids[k].tobytes()) for grids in asked]
        if not found[2] and cancel is not None:  # no grids of what a stop left unfinished
            known.judge(limit, *found)
        elif solutions:
            known.judge(limit, *found, texts)
        else:
            known.judge(limit, *found)
            assert not texts or (texts[0] is not None) == (found[0] > 1)
            if texts and texts[0] is not None:
                known.judge_grid(texts[0], 1)


def _given(**arguments: Any) -> dict[str, Any]:
    """The arguments that are not None: a call without any takes another way than one with defaults."""
    return {name: value for name, value in arguments.items() if value is not None}


class Caller:
    """Makes random calls with the puzzles of a pool."""

    def __init__(self, puzzles: list[Known], random: Random) -> None:
        self.puzzles, self.random = puzzles, random
        self.proper = [known for known in puzzles if known.count == 1]
        self.few = [known for known in puzzles if known.count < MOST]
        self.open: list[Iteration] = []

    def call(self) -> None:
        kinds: list[tuple[int, Callable[[], None]]] = [
            (20, self.one),
            (8, self.many),
            (1, self.many_at_once),
            (2, self.iterate),
            (2, self.stopped),
            (1, self.rare),
        ]
        self.random.choices([kind for _, kind in kinds], [weight for weight, _ in kinds])[0]()

    def pick(self, number: int) -> list[Known]:
        return self.random.choices(self.puzzles, k=number)

    def one(self) -> None:
        (known,) = self.pick(1)
        budget = self.random.choice((None, None, self.random.choice(BUDGETS)))
        kind = self.random.randrange(5)
        if kind == 0:
            check(known, budget=budget)
        elif kind == 1:
            solve(known, budget=budget)
        elif kind == 2:
            count(known, self.random.choice(LIMITS), budget=budget)
        elif kind == 3:
            examine(known, self.random.choice(LIMITS), budget=budget)
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
        """More rows than one task of a thread has, of few puzzles."""
        some = self.pick(8)
        check_many([self.random.choice(some) for _ in range(3000)], threads=2, form="bytes")

    def iterate(self) -> None:
        if len(self.open) < 4:
            self.open.append(Iteration(*self.pick(1)))
        self.random.choice(self.open).advance(self.random.choice((1, 2, 3)))
        if self.random.random() < 0.3:
            self.open.pop(self.random.randrange(len(self.open)))

    def stopped(self) -> None:
        """Calls that a flag ends, before they begin or in their midst."""
        cancel = Cancel()
        timer = threading.Timer(self.random.random() / 1000, cancel.set)
        if self.random.random() < 0.5:
            cancel.set()
        else:
            timer.start()
        (known,) = self.pick(1)
        kind = self.random.randrange(5)
        if kind == 0:
            check(known, cancel=cancel)
        elif kind == 1:
            solve(known, cancel=cancel)
        elif kind == 2:
            examine(known, self.random.choice((1, 2)), cancel=cancel)
        else:
            some = self.pick(self.random.choice(SIZES))
            check_many(
                some, limit=self.random.choice(LIMITS), threads=self.random.choice((1, 2)), cancel=cancel
            )
        timer.cancel()

    def rare(self) -> None:
        """A call of another function, which returns the same as the first time."""
        name = self.random.choice(list(RARE))
        found = str(RARE[name]())
        assert FIRST.setdefault(name, found) == found, name


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
    """Make calls in this thread, then in three at once, then again in this one."""
    puzzles = pool(seed)
    callers = [Caller(puzzles, Random(f"{seed}-{k}")) for k in range(4)]

    def make(caller: Caller) -> None:
        for _ in range(calls // 5):
            caller.call()

    make(callers[0])
    with ThreadPoolExecutor(3) as threads:
        for done in [threads.submit(make, caller) for caller in callers[1:]]:
            done.result()
    make(callers[0])


if __name__ == "__main__":
    run(int(sys.argv[1]), int(sys.argv[2]))
