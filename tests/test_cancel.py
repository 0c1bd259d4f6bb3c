"""Every public function that can take long has ``cancel``, and a `Cancel` ends it: one table."""

from __future__ import annotations

import inspect
import io
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from example_puzzles import EIGHT, MULTIPLE, SOLUTION, UNIQUE
from known_ratings import HARDEST

import unidoku
from unidoku import Cancel, SearchStoppedError, Session, Transformation, counting, method, rating, tasks

HARD = next(puzzle for puzzle, row in HARDEST.items() if row == (117, 117, 112))
MANY = ["1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"] * 200_000
SPARSE = ".....5.8....6.1.4...........1.5........1.6...3.......5.3.....61........4........."
"""Many solutions, which take many guesses."""


class Endless(io.RawIOBase):
    """A file of puzzles without an end."""

    name = "endless.txt"
    place = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        line, phase = f"{UNIQUE}\n".encode(), self.place % 82
        buffer[:] = (line * (len(buffer) // 82 + 2))[phase : phase + len(buffer)]
        self.place += len(buffer)
        return len(buffer)


class Call(NamedTuple):
    """A call with a flag."""

    short: Callable[[Cancel], Any] | None = None
    """With a flag that is set before; None if no puzzle is known for which it takes long."""
    long: Callable[[Cancel], Any] | None = None
    """With arguments for which it takes seconds at least; None if there are none."""


def both(call: Callable[[Cancel], Any]) -> Call:
    return Call(call, call)


def consumed(iterator: Iterator[Any]) -> int:
    return sum(1 for _ in iterator)


CALLS = {
    "all_steps": Call(lambda c: unidoku.all_steps(UNIQUE, cancel=c)),
    "audit_files": both(lambda c: unidoku.audit_files(Endless(), cancel=c)),
    "canonical": Call(lambda c: unidoku.canonical(UNIQUE, cancel=c)),
    "canonical_many": both(lambda c: unidoku.canonical_many(MANY, cancel=c)),
    "cells": Call(lambda c: unidoku.cells([UNIQUE], cancel=c)),
    "check": Call(),
    "check_file": both(lambda c: unidoku.check_file(Endless(), cancel=c)),
    "check_many": both(lambda c: unidoku.check_many(MANY * 10, cancel=c)),
    "count": both(lambda c: unidoku.count(MULTIPLE, budget=2**60, cancel=c)),
    "count_many": both(lambda c: unidoku.count_many([SPARSE] * 1000, limit=10**8, budget=2**60, cancel=c)),
    "diagnose": both(lambda c: unidoku.diagnose(SPARSE, limit=10**8, cancel=c)),
    "examine": both(lambda c: unidoku.examine(MULTIPLE, limit=None, budget=2**60, cancel=c)),
    "explain": both(lambda c: unidoku.explain(HARD, cancel=c)),
    "generate": both(lambda c: unidoku.generate(10**6, cancel=c)),
    "hint": Call(lambda c: unidoku.hint(UNIQUE, cancel=c)),
    "lines": Call(lambda c: unidoku.lines([UNIQUE], cancel=c)),
    "minimize": Call(lambda c: unidoku.minimize(SOLUTION, cancel=c)),
    "minimize_many": both(lambda c: unidoku.minimize_many([SOLUTION] * 200_000, cancel=c)),
    "neighbours": both(lambda c: consumed(unidoku.neighbours(UNIQUE, remove=3, add=2, cancel=c))),
    "rate": both(lambda c: unidoku.rate(HARD, cancel=c)),
    "rate_many": both(lambda c: unidoku.rate_many([HARD] * 100, cancel=c)),
    "read": both(lambda c: consumed(unidoku.read(Endless(), cancel=c))),
    "run": both(lambda c: unidoku.run(tasks.Rate(), Endless(), cancel=c)),
    "run_many": both(lambda c: unidoku.run_many(tasks.Rate(), [HARD] * 100, cancel=c)),
    "solutions": both(lambda c: consumed(unidoku.solutions(MULTIPLE, cancel=c))),
    "solve": Call(),
    "solve_many": both(lambda c: unidoku.solve_many(MANY * 10, cancel=c)),
    "split_file": both(lambda c: unidoku.split_file(Endless(), _outputs(), cancel=c)),
    "steps": both(lambda c: unidoku.steps(HARD, cancel=c)),
    "steps_many": both(lambda c: unidoku.steps_many([HARD] * 100, cancel=c)),
    "trace": both(lambda c: consumed(unidoku.trace(MULTIPLE, cancel=c))),
    "transform": Call(lambda c: unidoku.transform(UNIQUE, Transformation.rotation(), cancel=c)),
    "transform_many": both(
        lambda c: unidoku.transform_many([UNIQUE] * 3_000_000, Transformation(), cancel=c)
    ),
    "verify": Call(lambda c: unidoku.verify(EIGHT, "1" * 81, cancel=c)),
    "verify_many": both(lambda c: unidoku.verify_many(MANY, ["1" * 81] * len(MANY), cancel=c)),
}
"""The public functions of `unidoku`."""

OTHERS = {
    "Session.run": Call(lambda c: Session(HARD).run(cancel=c)),
    "Session.run_until": Call(lambda c: Session(HARD).run_until(10**6, cancel=c)),
    "Session.stream": both(lambda c: consumed(Session(MULTIPLE).stream(solutions=None, cancel=c))),
    "Session.why": Call(lambda c: _failed().why(cancel=c)),
    "Solutions": Call(lambda c: counting.Solutions(SPARSE, cancel=c)),
    "Solutions.take": both(lambda c: counting.Solutions(EIGHT).take([0] * 10**7, cancel=c)),
    "Solutions.sample": Call(lambda c: counting.Solutions(EIGHT).sample(count=10, cancel=c)),
    "method.explain": Call(lambda c: method.explain(HARD, cancel=c)),
    "method.classify_many": both(lambda c: method.classify_many([HARD] * 100_000, cancel=c)),
    "rating.measure_many": both(lambda c: rating.measure_many([MULTIPLE] * 100, cancel=c)),
}
"""Others that take long: of classes and of modules."""

SHORT = {"link"}
"""Functions without a flag: they take microseconds whatever they get."""


def _failed() -> Session:
    session = Session(HARD)
    session.run()
    return session


def _outputs() -> list[Path]:
    folder = Path(tempfile.mkdtemp())
    return [folder / "a.txt", folder / "b.txt"]


def ends_early(call: Callable[[Cancel], Any], cancel: Cancel) -> bool:
    """Whether a call says that it was ended: by its error, or by a result that is not complete."""
    try:
        outcome = call(cancel)
    except SearchStoppedError:
        return True
    complete = getattr(outcome, "complete", None)
    if complete is None:
        return bool(getattr(outcome, "reasons", None)) or outcome is unidoku.Verdict.UNKNOWN
    return not np.all(complete)


@pytest.mark.parametrize(
    "name", sorted(name for name in unidoku.__all__ if inspect.isroutine(getattr(unidoku, name)))
)
def test_every_public_function_has_a_flag(name):
    assert (name in CALLS) != (name in SHORT)
    if name in SHORT:
        return
    parameters = inspect.signature(getattr(unidoku, name)).parameters
    assert "cancel" in parameters or "options" in parameters  # of `unidoku.run`


@pytest.mark.parametrize("name", [name for name, call in (CALLS | OTHERS).items() if call.short])
def test_a_flag_that_is_set_ends_the_call(name):
    cancel = Cancel()
    cancel.set()
    assert ends_early((CALLS | OTHERS)[name].short, cancel)


@pytest.mark.parametrize("name", [name for name, call in (CALLS | OTHERS).items() if call.long])
def test_a_flag_that_is_set_later_ends_the_call(name):
    cancel = Cancel()
    timer = threading.Timer(0.1, cancel.set)
    timer.start()
    try:
        assert ends_early((CALLS | OTHERS)[name].long, cancel)
        assert cancel
    finally:
        timer.cancel()
