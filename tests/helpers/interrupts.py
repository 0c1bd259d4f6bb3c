"""Calls that take minutes, of every public function and every command that can.

As a program, end each call by a signal and by a `Cancel`, and print how it ended.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import pkgutil
import signal
import tempfile
import threading
import time
from collections import deque
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import ClassVar

import numpy as np
from example_puzzles import NAMED as HARD, SOLUTION as FULL, UNIQUE as PUZZLE

import unidoku
from unidoku._cli import cli, command_names
from unidoku._columns import ColumnSpec
from unidoku._task import ResultBatch, Task
from unidoku.craft._transform import Transformation
from unidoku.view._sheets import PrintedPuzzle

EMPTY = "." * 81
DEEP = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
SPARSE = ".....5.8....6.1.4...........1.5........1.6...3.......5.3.....61........4........."
"""Many solutions, which take many guesses."""
BOUND = 600
"""Seconds until unfinished work is a failure, even on a slow machine."""
BEGUN = 0.05
"""Seconds of work before it is interrupted."""

FILES = {"empty.txt": EMPTY, "hard.txt": HARD, "easy.txt": PUZZLE, "full.txt": FULL}
EASY = ["easy.txt"] * 1000


class Endless(Task):
    """Wait for the flag."""

    columns: ClassVar[dict[str, ColumnSpec]] = {"zero": ColumnSpec("int64", "zero")}

    def work(self, batch, work, cancel):
        """Wait, and return zeros."""
        while not cancel:
            sum(range(1000))
        yield ResultBatch(batch, {"zero": np.zeros(len(batch), np.int64)})


def every(items):
    """Exhaust an iterator."""
    deque(items, maxlen=0)


def board():
    """Return a board for which the backtracker takes minutes."""
    return [[*DEEP[begin : begin + 9]] for begin in range(0, 81, 9)]


# A public function -> a call of it that takes minutes.
CALLS = {
    "unidoku.learning.audit_files": lambda call, options: call(
        [f"easy{k}.txt" for k in range(1000)], **options
    ),
    "unidoku.tasks._speed.measure_speed": lambda call, options: call(seconds=1000, **options),
    "unidoku.craft.canonical_many": lambda call, options: call([PUZZLE] * 3_000_000, threads=1, **options),
    "unidoku.check_file": lambda call, options: call("empty.txt", "o.csv", limit=None, **options),
    "unidoku.check_many": lambda call, options: call([EMPTY] * 100_000, limit=None, **options),
    "unidoku.count_many": lambda call, options: call([EMPTY] * 100_000, **options),
    "unidoku.count": lambda call, options: call(EMPTY, budget=2**60, **options),
    "unidoku.diagnose": lambda call, options: call(SPARSE, limit=10**8, **options),
    "unidoku.examine": lambda call, options: call(EMPTY, limit=None, budget=2**60, **options),
    "unidoku.explain": lambda call, options: call(HARD, **options),
    "unidoku.generate": lambda call, options: call(10**6, clues=20, **options),
    "unidoku.craft.minimize_many": lambda call, options: call([FULL] * 1_000_000, **options),
    "unidoku.naive.count_solutions": lambda call, options: call(
        [["."] * 9 for _ in range(9)], 10**9, **options
    ),
    "unidoku.naive.has_unique_solution": lambda call, options: call(board(), **options),
    "unidoku.naive.solve_sudoku": lambda call, options: call(board(), **options),
    "unidoku.neighbours": lambda call, options: every(call(PUZZLE, remove=3, add=3, **options)),
    "unidoku.rate": lambda call, options: call(HARD, **options),
    "unidoku.rate_many": lambda call, options: call([HARD] * 100, threads=1, **options),
    "unidoku.read": lambda call, options: every(call(["easy.txt"] * 10**6, **options)),
    "unidoku.run_many": lambda call, options: call(Endless(), [PUZZLE], **options),
    "unidoku.run": lambda call, options: call(Endless(), EASY, "o.csv", **options),
    "unidoku.solutions": lambda call, options: every(call(EMPTY, **options)),
    "unidoku.solve_many": lambda call, options: call([PUZZLE] * 10_000_000, threads=1, **options),
    "unidoku.learning.split_file": lambda call, options: call(EASY, ["a.txt", "b.txt"], **options),
    "unidoku.steps": lambda call, options: call(HARD, **options),
    "unidoku.steps_many": lambda call, options: call([HARD] * 100, threads=1, **options),
    "unidoku.stepper.trace": lambda call, options: every(call(EMPTY, **options)),
    "unidoku.craft.transform_many": lambda call, options: every(
        call([PUZZLE] * 100_000, Transformation.rotation(), threads=1, **options) for _ in range(1000)
    ),
    "unidoku.verify_many": lambda call, options: every(
        call([PUZZLE] * 100_000, [FULL] * 100_000, threads=1, **options) for _ in range(1000)
    ),
    "unidoku.view._sheets.Sheets": lambda call, options: every(
        call([PrintedPuzzle(unidoku.Grid(PUZZLE))] * 1_000_000, **options)
    ),
}

SHORT = {"console", "info"}
"""Commands that take no minutes; the console is tested in tests/cli."""

# A command -> arguments with which it takes minutes; of others many puzzles are written to a file.
COMMANDS = {
    **{name: f"{' '.join(EASY)} -o o.csv" for name in command_names() if name not in SHORT},
    "audit": " ".join(f"easy{k}.txt" for k in range(1000)),
    "bench": "--seconds 1000",
    "check": "empty.txt --limit all -o o.csv",
    "count": "empty.txt",
    "diagnose": "easy.txt",
    "explain": "easy.txt",
    "generate": "-n 1000000 --clues 20 -o o.txt",
    "hint": "hard.txt -o o.csv",
    "minimize": "full.txt -o o.txt",
    "neighbours": "easy.txt --remove 3 --add 3 -o o.txt",
    "print": "easy.txt -o o.html",
    "rate": "hard.txt -o o.csv",
    "solve": f"--all {EMPTY}",
    "split": f"{' '.join(EASY)} -o a.txt -o b.txt",
    "steps": "hard.txt -o o.csv",
    "trace": EMPTY,
    "transform": "easy.txt -n 100000 -o o.txt",
    "verify": f"{' answers.csv' * 1000} -o o.csv",
}


def takes_cancel(name):
    """Return whether a public function takes a `Cancel`."""
    return bool({"cancel", "fields", "options"} & inspect.signature(function(name)).parameters.keys())


def function(name):
    """Return a public function."""
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


def outcome_of(call, interrupt):
    """Make a call and interrupt it during its work; return its outcome."""
    over, interruption = threading.Event(), threading.Event()
    begin = time.process_time()

    def wait():
        while not over.is_set() and time.process_time() < begin + BEGUN:
            time.sleep(0.002)
        if not over.is_set():
            interruption.set()
            interrupt()
            while not over.wait(15):  # Python loses an interrupt while it destroys an object
                interrupt()

    thread = threading.Thread(target=wait)
    try:
        thread.start()
        call()
        outcome = "returned"
    except BaseException as error:
        outcome = type(error).__name__ if isinstance(error, unidoku.SearchStoppedError) else repr(error)
    over.set()
    with contextlib.suppress(KeyboardInterrupt):
        thread.join()
        time.sleep(0.01)
    return outcome if interruption.is_set() else f"{outcome} before it was interrupted"


def calls(way):
    """Yield the name of each call, the call, and its interrupt: a `Cancel`, or the signal of Ctrl-C."""
    ctrl_c = partial(os.kill, os.getpid(), signal.SIGINT)
    for name, call in CALLS.items():
        if way == "signal":
            yield name, partial(call, function(name), {}), ctrl_c
        elif takes_cancel(name):
            cancel = unidoku.Cancel()
            yield name, partial(call, function(name), {"cancel": cancel}), cancel.set
    for name, arguments in COMMANDS.items() if way == "signal" else ():
        yield name, partial(cli.main, [name, *arguments.split()], prog_name="unidoku"), ctrl_c


def import_all():
    """Import all modules: Python 3.11 may keep its lock for ever if Ctrl-C ends an import."""
    for module in pkgutil.walk_packages(unidoku.__path__, "unidoku."):
        if not module.name.endswith(("avx2", "avx512", "__main__")):  # not on every machine
            import_module(module.name)


def main():
    """Make all calls in a temporary folder; print a line for each."""
    import_all()
    out = os.fdopen(os.dup(1), "w")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, line in FILES.items():
            Path(name).write_text(f"{line}\n" * 20_000)
        Path("answers.csv").write_text("puzzle,solution\n" + f"{PUZZLE},{FULL}\n" * 20_000)
        for number in range(1000):  # files of different names
            Path(f"easy{number}.txt").symlink_to("easy.txt")
        every = [(way, *each) for way in ("signal", "cancel") for each in calls(way)]
        for way, name, call, interrupt in every:
            alarm = threading.Timer(BOUND, lambda: os._exit(1))
            alarm.start()
            outcome = outcome_of(call, interrupt)
            alarm.cancel()
            print(way, name, outcome, sep="\t", file=out, flush=True)


if __name__ == "__main__":
    main()
