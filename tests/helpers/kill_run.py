"""Kills a run at random moments again and again, until it is done; run as a program of its own.

It forks, so that a killed child costs milliseconds, and so must not have threads of its own.  The child
writes a byte to a pipe after each rename and each removal of a file: the parent kills it after a random
number of these, plus a random part of the time between two.  So the kills fall into all phases of the run, on
a slow machine as on a fast one.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from importlib import import_module
from typing import Any

from unidoku import check_file

MOST = 60  # steps that a child may make


def make(task: dict[str, Any], pipe: int) -> bool:
    """Resume the run; a byte for each step."""
    for name in ("replace", "unlink"):
        setattr(os, name, announced(getattr(os, name), pipe))
    return check_file(**task, resume=True, threads=2).complete


def announced(function: Any, pipe: int) -> Any:
    """A function that writes a byte after each call."""

    def call(*args: Any, **options: Any) -> Any:
        function(*args, **options)
        os.write(pipe, b".")

    return call


def main() -> None:
    """Arguments: those of `check_file` as JSON, and a seed. Prints the number of kills."""
    task = json.loads(sys.argv[1])
    rng = random.Random(int(sys.argv[2]))
    if task["output"].endswith(".parquet"):
        for name in ("pyarrow.parquet", "unidoku.run.arrowsink"):
            import_module(name)  # once, not in every child
    kills = 0
    pause = 0.0
    for _ in range(3000):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            done = False
            try:
                done = make(task, writing)
            finally:
                os._exit(0 if done else 1)
        os.close(writing)
        began, steps = time.perf_counter(), 0
        wanted = rng.randrange(MOST)
        while steps < wanted and os.read(reading, 1):
            steps += 1
        pause = (time.perf_counter() - began) / steps if steps else pause
        time.sleep(rng.random() * pause)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        os.close(reading)
        if os.WIFSIGNALED(status):
            kills += 1
        elif os.WEXITSTATUS(status) == 0:
            break
        else:
            sys.exit("the run failed by itself")
    else:
        sys.exit("the run never came to its end")
    print(kills)


if __name__ == "__main__":
    main()
