"""Every public function that can take long has ``cancel``, and a `Cancel` ends it: one table."""

from __future__ import annotations

import asyncio
import inspect
import io
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import in_turn
from example_puzzles import EIGHT, MULTIPLE, SOLUTION, UNIQUE
from known_ratings import HARDEST
from public import FUNCTIONS

import unidoku
from unidoku import (
    Cancel,
    SearchStoppedError,
    Transformation,
    UnidokuError,
    aio,
    counting,
    kernel,
    method,
    tasks,
)
from unidoku._table import arrow
from unidoku._table.forms import read_cells
from unidoku.method._rules import run_classify
from unidoku.rating._measure import measure
from unidoku.stepper import Session
from unidoku.tasks import _keys as keys

HARD = next(puzzle for puzzle, row in HARDEST.items() if row == (117, 117, 112))
MANY = ["1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"] * 20_000
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


def consumed(iterator: Iterator[Any]) -> int:
    return sum(1 for _ in iterator)


CALLS = {
    "all_steps": lambda c: unidoku.all_steps(UNIQUE, cancel=c),
    "audit_files": lambda c: unidoku.learning.audit_files(Endless(), cancel=c),
    "canonical": lambda c: unidoku.canonical(UNIQUE, cancel=c),
    "canonical_many": lambda c: unidoku.craft.canonical_many(MANY, cancel=c),
    "cells": lambda c: unidoku.cells([UNIQUE], cancel=c),
    "check": lambda c: unidoku.check(UNIQUE, cancel=c),
    "check_file": lambda c: unidoku.check_file(Endless(), cancel=c),
    "check_many": lambda c: unidoku.check_many(MANY, cancel=c),
    "count": lambda c: unidoku.count(MULTIPLE, budget=2**60, cancel=c),
    "count_many": lambda c: unidoku.count_many([SPARSE] * 1000, limit=10**8, budget=2**60, cancel=c),
    "diagnose": lambda c: unidoku.diagnose(SPARSE, limit=10**8, cancel=c),
    "examine": lambda c: unidoku.examine(MULTIPLE, limit=None, budget=2**60, cancel=c),
    "explain": lambda c: unidoku.explain(HARD, cancel=c),
    "generate": lambda c: unidoku.generate(10**6, cancel=c),
    "hint": lambda c: unidoku.hint(UNIQUE, cancel=c),
    "lines": lambda c: unidoku.lines([UNIQUE], cancel=c),
    "minimal_puzzles": lambda c: consumed(unidoku.craft.minimal_puzzles(SOLUTION, cancel=c)),
    "minimize": lambda c: unidoku.minimize(SOLUTION, cancel=c),
    "minimize_many": lambda c: unidoku.craft.minimize_many([SOLUTION] * 20_000, cancel=c),
    "neighbours": lambda c: consumed(unidoku.neighbours(UNIQUE, remove=3, add=2, cancel=c)),
    "rate": lambda c: unidoku.rate(HARD, cancel=c),
    "rate_many": lambda c: unidoku.rate_many([HARD] * 100, cancel=c),
    "read": lambda c: consumed(unidoku.read(Endless(), cancel=c)),
    "run": lambda c: unidoku.run(tasks.Rate(), Endless(), cancel=c),
    "run_many": lambda c: unidoku.run_many(tasks.Rate(), [HARD] * 100, cancel=c),
    "solutions": lambda c: consumed(unidoku.solutions(MULTIPLE, cancel=c)),
    "solve": lambda c: unidoku.solve(UNIQUE, cancel=c),
    "solve_many": lambda c: unidoku.solve_many(MANY, cancel=c),
    "split_file": lambda c: unidoku.learning.split_file(Endless(), _outputs(), cancel=c),
    "steps": lambda c: unidoku.steps(HARD, cancel=c),
    "steps_many": lambda c: unidoku.steps_many([HARD] * 100, cancel=c),
    "trace": lambda c: consumed(unidoku.stepper.trace(MULTIPLE, cancel=c)),
    "transform": lambda c: unidoku.transform(UNIQUE, Transformation.rotation(), cancel=c),
    "transform_many": lambda c: unidoku.craft.transform_many([UNIQUE] * 20_000, Transformation(), cancel=c),
    "verify": lambda c: unidoku.verify(EIGHT, "1" * 81, cancel=c),
    "verify_many": lambda c: unidoku.verify_many(MANY, ["1" * 81] * len(MANY), cancel=c),
}
"""The public functions of `unidoku`."""

OTHERS = {
    "Session.run": lambda c: Session(HARD).run(cancel=c),
    "Session.run_until": lambda c: Session(HARD).run_until(10**6, cancel=c),
    "Session.stream": lambda c: consumed(Session(MULTIPLE).stream(solutions=None, cancel=c)),
    "Session.why": lambda c: _failed().why(cancel=c),
    "Solutions": lambda c: counting.Solutions(SPARSE, cancel=c),
    "Solutions.take": lambda c: counting.Solutions(EIGHT).take([0] * 10**5, cancel=c),
    "Solutions.sample": lambda c: counting.Solutions(EIGHT).sample(count=10, cancel=c),
    "method.explain": lambda c: method.explain(HARD, cancel=c),
    "rating.measure": lambda c: measure(unidoku.cells([MULTIPLE] * 100), cancel=c),
    "run_classify": lambda c: run_classify(unidoku.cells([HARD] * 10_000), presets=1000, cancel=c),
}
"""Others that take long: of classes and of modules."""

SHORT = {"link", "formats"}
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


def test_every_public_function_has_a_flag():
    assert FUNCTIONS.keys() == {*CALLS, *SHORT}
    for name in CALLS:
        parameters = inspect.signature(FUNCTIONS[name]).parameters
        assert "cancel" in parameters or "options" in parameters  # of `unidoku.run`
        assert ("timeout" in parameters) == ("cancel" in parameters)


@in_turn
@pytest.mark.parametrize("name", [*CALLS, *OTHERS])
def test_a_flag_that_is_set_ends_the_call(name):
    """`test_interrupts` has calls that take minutes, and a flag that is set while they are at work."""
    cancel = Cancel()
    cancel.set()
    assert ends_early((CALLS | OTHERS)[name], cancel)


@pytest.mark.slow
@pytest.mark.parametrize(
    "call",
    [
        lambda **o: unidoku.count(MULTIPLE, budget=2**60, **o),
        lambda **o: unidoku.rate(HARD, **o),
        lambda **o: unidoku.diagnose(SPARSE, limit=10**8, **o),
        lambda **o: unidoku.check_many(MANY * 100, **o),
        lambda **o: consumed(unidoku.solutions(MULTIPLE, **o)),
        lambda **o: unidoku.run(tasks.Rate(), Endless(), **o),
        lambda **o: consumed(Session(MULTIPLE).stream(solutions=None, **o)),
    ],
)
def test_a_timeout_ends_the_call(call):
    """In the same way as a flag; both are a mistake, and so is no number of seconds."""
    assert ends_early(lambda _: call(timeout=0.05), Cancel())
    assert ends_early(lambda cancel: call(cancel=cancel), Cancel(timeout=0.05))
    with pytest.raises(UnidokuError, match="cancel and timeout cannot be combined"):
        call(cancel=Cancel(), timeout=1)
    for wrong in (-1, float("nan")):
        with pytest.raises(UnidokuError, match="timeout must be at least 0 seconds"):
            call(timeout=wrong)
    with pytest.raises(TypeError, match="timeout must be a number"):
        call(timeout="1")


def test_rows_that_are_not_done_have_a_reason():
    for function in (unidoku.check_many, unidoku.count_many, unidoku.solve_many):
        assert function([UNIQUE] * 9, timeout=0).reasons == dict.fromkeys(range(9), "cancelled")
        assert not function([UNIQUE] * 9, budget=1, cancel=Cancel()).reasons


def test_a_call_within_its_time_is_whole():
    assert unidoku.check(UNIQUE, timeout=1000) is unidoku.Verdict.UNIQUE
    assert unidoku.solve(UNIQUE, timeout=1000).line == SOLUTION
    assert unidoku.count(EIGHT, timeout=1000) == 8
    assert unidoku.rate_many([UNIQUE], timeout=1000).er.tolist() == [1.2]


def test_a_flag_is_set_in_time_and_not_before():
    """Flags of other times, of which one is forgotten, do not hold it up."""
    late = Cancel(timeout=1000)
    for _ in range(100):
        Cancel(timeout=0.001)
    soon = Cancel(timeout=0.02)
    while not soon:
        time.sleep(0.001)
    assert not late
    assert Cancel(timeout=0)


def test_time_without_a_processor_does_not_count(monkeypatch):
    """A thousand seconds that pass at once are a wait of the whole process, not work."""
    slow = Cancel(timeout=1000)
    soon = Cancel(timeout=0.02)
    monkeypatch.setattr("unidoku._threads.monotonic", lambda: time.monotonic() + 1000)
    after = Cancel(timeout=0.05)
    while not after:
        time.sleep(0.001)
    assert soon
    assert not slow


def test_a_wrong_call_in_an_event_loop_says_what_is_wrong():
    for arguments, options, error in [
        ((unidoku.check, UNIQUE), {"timeout": "1"}, "timeout must be a number, not '1'"),
        ((unidoku.check, UNIQUE), {"timeout": -1}, "timeout must be at least 0 seconds"),
        ((unidoku.view.link, UNIQUE), {}, "function must be a function that takes cancel"),
        ((UNIQUE,), {}, "function must be a function that takes cancel"),
    ]:
        with pytest.raises((TypeError, UnidokuError), match=error):
            asyncio.run(aio.call(*arguments, **options))


@pytest.mark.slow
def test_many_puzzles_that_are_not_done_say_so():
    """A puzzle that is not complete has a reason, and only such a one; so has a row that is no puzzle."""
    cancel = Cancel()
    timer = threading.Timer(0.05, cancel.set)
    timer.start()
    result = unidoku.check_many(MANY * 100, threads=2, cancel=cancel)
    timer.cancel()
    left = [row for row, is_complete in enumerate(result.complete.tolist()) if not is_complete]
    assert [*result.reasons] == left


def test_a_call_in_an_event_loop_ends_with_its_thread():
    flags = []

    def slow(*, cancel):
        flags.append(cancel)
        while not cancel:
            time.sleep(0.001)
        raise SearchStoppedError(0)

    async def main():
        assert await aio.call(unidoku.rate, UNIQUE, below=4.5, timeout=1000) == unidoku.rate(UNIQUE)
        with pytest.raises(unidoku.InvalidPuzzleError):
            await aio.call(unidoku.check, "x")
        before = threading.active_count()
        with pytest.raises(TimeoutError, match=r"slow has taken longer than 0\.01 seconds$"):
            await aio.call(slow, timeout=0.01)
        with pytest.raises(TimeoutError):
            await aio.call(unidoku.count, MULTIPLE, budget=2**60, timeout=0.01)
        task = asyncio.ensure_future(aio.call(slow))
        while len(flags) < 2:
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert all(flags)
        assert threading.active_count() <= before + 1  # an idle one of the loop

    asyncio.run(main())


def test_a_call_in_an_event_loop_has_its_time_from_the_begin_of_its_work():
    """It waits for the only thread for longer than its time."""
    may_end = threading.Event()

    def wait(*, cancel):
        may_end.wait()

    async def main():
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        first = asyncio.ensure_future(aio.call(wait))
        calls = [asyncio.ensure_future(aio.call(unidoku.check, UNIQUE, timeout=0.5)) for _ in range(100)]
        await asyncio.sleep(0.6)
        may_end.set()
        assert await asyncio.gather(*calls, first) == ["unique"] * 100 + [None]

    unidoku.check(UNIQUE, cancel=Cancel())
    asyncio.run(main())


def test_the_first_call_in_an_event_loop_imports_before_its_time():
    """NumPy and the kernels, which a function for many puzzles imports otherwise."""
    program = """
import asyncio, sys
from unidoku import aio, kernel

def modules(*, cancel):
    return {*sys.modules}

found = asyncio.run(aio.call(modules, timeout=100))
needed = {"numpy", "unidoku.counting", "unidoku._table.column", "unidoku._table.puzzles"}
needed |= {f"unidoku._native.{package}.{kernel.isa()}" for package in ("lanes", "rating")}
sys.exit(", ".join(needed - found) or 0)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_call_in_an_event_loop_returns_a_result_that_is_ready():
    """The loop is busy until after the time of the call."""
    has_begun, may_end = threading.Event(), threading.Event()

    def ready(*, cancel):
        has_begun.set()
        may_end.wait()
        return "ready"

    async def main():
        call = asyncio.ensure_future(aio.call(ready, timeout=0.5))
        while not has_begun.is_set():
            await asyncio.sleep(0.001)
        may_end.set()
        time.sleep(0.6)
        assert await call == "ready"

    asyncio.run(main())


def test_a_call_in_an_event_loop_returns_what_is_whole_when_its_time_is_over():
    """A partial result is a timeout, even if the function would return it by itself."""
    whole = [
        lambda: unidoku.check(UNIQUE),
        lambda: unidoku.solve(UNIQUE),
        lambda: unidoku.check_many([UNIQUE]),
        lambda: unidoku.rate_many([UNIQUE]),
        lambda: unidoku.check_file(io.BytesIO(f"{UNIQUE}\n".encode())),
    ]
    partial = [
        lambda: unidoku.check(SPARSE, budget=1),
        lambda: unidoku.examine(SPARSE, limit=100, budget=1),
        lambda: unidoku.check_many([UNIQUE], timeout=0),
        lambda: unidoku.rate_many([UNIQUE], timeout=0),
        lambda: unidoku.check_file(Endless(), timeout=0),
    ]

    def late(call, *, cancel):
        result = call()
        while not cancel:
            time.sleep(0.001)
        return result

    async def main():
        for call in whole:
            assert await aio.call(late, call, timeout=0.01)
        for call in partial:
            with pytest.raises(TimeoutError):
                await aio.call(late, call, timeout=0.01)

    asyncio.run(main())


CHAINS = "...675.9..59......21..4..3.5........1.....8.6.3.....4....5..2.....2..98348......."
"""Rated 7.2."""


class Native:
    """A native module or object: a flag is set as soon as the n-th of its calls that look at a flag ends."""

    calls = 0
    last = 0
    flag = Cancel()

    def __init__(self, target: Any) -> None:
        self.target = target

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.target, name)
        if isinstance(value, type):
            return lambda *args, **options: Native(value(*args, **options))
        if not callable(value):
            return value

        def call(*args: Any, **options: Any) -> Any:
            result = value(*args, **options)
            Native.calls += options.get("stop") is not None
            if Native.calls == Native.last:
                Native.flag.set()
            return result

        return call


WHOLE = {
    "all_steps": lambda c: unidoku.all_steps(UNIQUE, cancel=c),
    "canonical": lambda c: unidoku.canonical(UNIQUE, cancel=c),
    "canonical_many": lambda c: unidoku.craft.canonical_many([UNIQUE], cancel=c).puzzle.tolist(),
    "check": lambda c: unidoku.check(UNIQUE, cancel=c),
    "check_many": lambda c: unidoku.check_many([UNIQUE], cancel=c).verdict.tolist(),
    "count": lambda c: unidoku.count(SPARSE, threads=2, cancel=c),
    "diagnose": lambda c: unidoku.diagnose(UNIQUE, cancel=c),
    "diagnose, several": lambda c: unidoku.diagnose(EIGHT, cancel=c),
    "examine": lambda c: unidoku.examine(EIGHT, limit=8, cancel=c),
    "generate": lambda c: unidoku.generate(seed=1, cancel=c),
    "generate, er": lambda c: unidoku.generate(2, seed=1, er=(3, 7), threads=1, cancel=c).tolist(),
    "generate, steps": lambda c: unidoku.generate(seed=1, steps=(40, 70), effort=(0, 900), cancel=c),
    "hint": lambda c: unidoku.hint(CHAINS, cancel=c),
    "minimize": lambda c: unidoku.minimize(UNIQUE, seed=1, cancel=c),
    "minimize_many": lambda c: unidoku.craft.minimize_many([UNIQUE], seed=1, cancel=c).puzzle.tolist(),
    "rate": lambda c: unidoku.rate(CHAINS, cancel=c),
    "rate_many": lambda c: unidoku.rate_many([CHAINS] * 9, threads=1, cancel=c).er.tolist(),
    "solutions": lambda c: [*unidoku.solutions(EIGHT, cancel=c)],
    "Solutions": lambda c: counting.Solutions(SPARSE, cancel=c).count,
    "Solutions.take": lambda c: counting.Solutions(EIGHT).take([1, 2], cancel=c).tolist(),
    "solve": lambda c: unidoku.solve(UNIQUE, cancel=c),
    "steps": lambda c: [*unidoku.steps(CHAINS, cancel=c)],
    "steps_many": lambda c: unidoku.steps_many([CHAINS], cancel=c).rating.tolist(),
    "verify": lambda c: unidoku.verify(EIGHT, "1" * 81, cancel=c),
    "verify_many": lambda c: unidoku.verify_many([EIGHT], ["1" * 81], cancel=c).correct.tolist(),
}


@in_turn
@pytest.mark.parametrize("name", WHOLE)
def test_what_native_work_has_finished_is_returned(name, monkeypatch):
    """The flag is set when the last native work of the call has ended, and before Python goes on.

    Calls that then work on in Python, such as `explain`, look at the flag there.
    """
    natives = {
        package: Native(kernel.isa_module(package=package))
        for package in ("lanes", "rating", "symmetry", "count", "effort")
    }
    monkeypatch.setattr(kernel, "isa_module", lambda _=None, package="lanes": natives[package])
    monkeypatch.setitem(kernel._modules, "lanes", natives["lanes"])
    monkeypatch.setattr(Native, "calls", 0)
    whole = WHOLE[name](Cancel())
    monkeypatch.setattr(Native, "last", Native.calls)
    monkeypatch.setattr(Native, "calls", 0)
    monkeypatch.setattr(Native, "flag", Cancel())
    assert WHOLE[name](Native.flag) == whole
    assert Native.flag


def test_a_first_call_looks_at_its_flag_before_it_imports_numpy():
    """NumPy takes longer to import than most calls take."""
    program = f"""
import sys
import unidoku
from unidoku import craft
cancel = unidoku.Cancel(timeout=0)
one, move = "{UNIQUE}", unidoku.Transformation.rotation()
one_puzzle = "all_steps canonical diagnose explain hint minimize rate solve steps"
for function, *values in [
    *((getattr(unidoku, name), one) for name in one_puzzle.split()),
    (unidoku.transform, one, move),
    (unidoku.verify, one, one),
    (unidoku.cells, [one]),
    (unidoku.lines, [one]),
    (unidoku.verify_many, [one], [one]),
    (craft.canonical_many, [one]),
    (craft.minimize_many, [one]),
    (craft.transform_many, [one], move),
]:
    try:
        function(*values, cancel=cancel)
    except unidoku.SearchStoppedError:
        assert "numpy" not in sys.modules, function
    else:
        raise AssertionError(function)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_count_that_is_cancelled_before_prepares_nothing(monkeypatch):
    def no_sum(*_, **__):
        raise AssertionError("a sum is prepared")

    monkeypatch.setattr(unidoku.counting, "sum_of", no_sum)
    cancel = Cancel()
    cancel.set()
    for count in (unidoku.count, unidoku.counting.Solutions):
        with pytest.raises(SearchStoppedError):
            count("." * 81, cancel=cancel)


class Flag(bytearray):
    """The byte of a `Cancel`: it counts how often Python reads it, and is set after `limit` times."""

    polls = 0
    limit = 10**9

    def __getitem__(self, place: Any) -> Any:
        self.polls += 1
        return int(self.polls > self.limit)


def counted(limit: int = 10**9) -> Cancel:
    cancel = Cancel()
    cancel.flag = Flag(1)
    cancel.flag.limit = limit
    return cancel


ROWS = 60_000
FORMS = {
    "int64": lambda: np.zeros((ROWS, 81), np.int64),
    "uint8": lambda: np.zeros((ROWS, 81), np.uint8),
    "-1 for empty": lambda: np.where(np.arange(81) == 5, 3, np.full((1000, 1), -1)),
    "ASCII": lambda: np.full((ROWS, 81), ord(".")),
    "S81": lambda: np.full(ROWS, b"." * 81),
    "U1": lambda: np.full((ROWS, 81), "."),
    "U81": lambda: np.full(ROWS, "." * 81),
    "lines": lambda: b"." * 81 + (b"\n" + b"." * 81) * (ROWS - 1),
    "uneven lines": lambda: (b"." * 81 + b"\n") * ROWS + b"." * 81 + b"\r\n",
    "list": lambda: ["." * 81] * ROWS,
}


@in_turn
@pytest.mark.parametrize("form", FORMS)
def test_many_rows_are_converted_some_at_a_time(form):
    """Whatever their form: the flag is looked at after every 8,192 rows, on average."""
    function = unidoku.cells if form < "U" else unidoku.lines
    cancel, rows = counted(), FORMS[form]()
    function(rows, cancel=cancel)
    assert cancel.flag.polls >= ROWS // 8192
    with pytest.raises(SearchStoppedError):
        function(rows, cancel=counted(cancel.flag.polls // 2))


COLUMNS = {
    "views": lambda pa, lines: pa.array(lines, pa.string_view()),
    "bytes": lambda pa, lines: pa.array(lines, pa.binary()),
    "chunks": lambda pa, lines: pa.chunked_array([lines[:10_000], lines[10_000:]]),
    "dictionary": lambda pa, lines: pa.array(lines).dictionary_encode(),
    "runs": lambda pa, lines: import_module("pyarrow.compute").run_end_encode(pa.array(lines)),
    "lists": lambda pa, lines: pa.ListArray.from_arrays(
        np.cumsum([0, *map(len, lines)], dtype=np.int32),
        np.frombuffer("".join(lines).encode(), np.uint8) - ord("0"),
    ),
    "words of bytes": lambda pa, lines: pa.array(lines, pa.binary()).dictionary_encode(),
}


@in_turn
@pytest.mark.parametrize("kind", COLUMNS)
def test_arrow_columns_are_converted_some_rows_at_a_time(kind):
    pa = pytest.importorskip("pyarrow")
    count = 20_000
    lines = [f"{row:05}{UNIQUE[5:]}".replace(".", "0") for row in range(count)]
    lines[count - 2] += "1"
    if kind == "lists":
        lines[count - 2] = lines[count - 2][:80]
    column, cancel = COLUMNS[kind](pa, lines), counted()
    reason = "expected 81 cells, found " + ("80" if kind == "lists" else "82")
    expected, _ = read_cells(lines, errors="invalid")
    actual, reasons = read_cells(column, errors="invalid", cancel=cancel)
    assert np.array_equal(actual, expected)
    assert reasons == {count - 2: reason}
    assert cancel.flag.polls >= count // 8192
    half = counted(cancel.flag.polls // 2)
    actual, _ = read_cells(column, errors="invalid", cancel=half)
    assert 0 < half.flag.polls < cancel.flag.polls
    assert len(actual) == count
    assert not actual[-1].any()


def test_texts_of_arrow_are_validated_some_at_a_time():
    pa = pytest.importorskip("pyarrow")
    text = pa.array(["." * 81] * (3 << 17))
    table = pa.table({"a": text, "b": pa.chunked_array([text[:9], text[9:]])})
    for data, pieces in [(text, 3), (pa.chunked_array([text]), 3), (table, 7), (text.dictionary_encode(), 1)]:
        cancel = counted()
        assert arrow.validate(data, cancel) is data
        assert cancel.flag.polls == pieces


def test_columns_are_made_when_one_is_read():
    """Not at the end of a call that a flag ended: there may be millions of rows."""
    rows = [UNIQUE, "x"]
    for result in [unidoku.check_many(rows, errors="invalid"), unidoku.check_many(rows[:1], cancel=Cancel())]:
        assert callable(result._made)
        assert result[0].count == 1
        assert not callable(result._made)


def endless_names(cancel: Cancel) -> Iterator[str]:
    """Names of files; after a few of them the flag is set."""
    for number in range(100):
        if number == 10:
            cancel.set()
        yield f"missing-{number}.txt"
    raise AssertionError("the flag is not looked at")


@in_turn
@pytest.mark.parametrize("name", ["read", "run", "audit_files", "check_file", "split_file"])
def test_inputs_are_listed_some_at_a_time(name):
    cancel = Cancel()
    calls = {
        "read": lambda: consumed(unidoku.read(endless_names(cancel), cancel=cancel)),
        "run": lambda: unidoku.run(tasks.Count(), endless_names(cancel), cancel=cancel),
        "audit_files": lambda: unidoku.learning.audit_files(endless_names(cancel), cancel=cancel),
        "check_file": lambda: unidoku.check_file(endless_names(cancel), cancel=cancel),
        "split_file": lambda: unidoku.learning.split_file(endless_names(cancel), _outputs(), cancel=cancel),
    }
    assert ends_early(lambda _: calls[name](), cancel)


def test_keys_are_compared_some_at_a_time():
    number = 4 * keys.FEW
    rows = np.random.default_rng(1).integers(1, 256, (number, 16), np.uint8)
    cancel = counted()
    assert keys.matches(rows.tobytes(), keys.Places(), cancel) == {}
    assert cancel.flag.polls >= number // keys.FEW
    with pytest.raises(SearchStoppedError):
        keys.matches(rows.tobytes(), keys.Places(), counted(2))
