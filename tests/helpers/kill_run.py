"""Kills runs at random moments again and again, until they are done; run as a program of its own.

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
from contextlib import suppress
from importlib import import_module
from typing import Any

from unidoku import check_file


def forked(task: dict[str, Any]) -> tuple[int, int]:
    """Resume a run in a child; its process id, and a pipe with a byte for each step and its modules."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    done = False
    try:
        for name in ("replace", "unlink"):
            setattr(os, name, announced(getattr(os, name), writing))
        done = check_file(**task, resume=True, threads=2).complete
        os.write(writing, "\n".join(["", *sys.modules]).encode())
    finally:
        os._exit(0 if done else 1)


def announced(function: Any, pipe: int) -> Any:
    """A function that writes a byte after each call."""

    def call(*args: Any, **options: Any) -> Any:
        function(*args, **options)
        os.write(pipe, b".")

    return call


def ended(child: int, pipe: int) -> bool:
    """Whether a child ended by itself, in good order; a failure ends this program."""
    _, status = os.waitpid(child, 0)
    os.close(pipe)
    if not os.WIFSIGNALED(status) and os.WEXITSTATUS(status):
        sys.exit("the run failed by itself")
    return not os.WIFSIGNALED(status)


def undisturbed(task: dict[str, Any]) -> int:
    """Make an output; the number of steps. What the child imported, the later ones find."""
    child, pipe = forked(task)
    with os.fdopen(os.dup(pipe), "rb") as stream:
        steps, *modules = stream.read().decode().split("\n")
    ended(child, pipe)
    for name in modules:
        with suppress(ImportError):
            import_module(name)
    return len(steps)


def main() -> None:
    """Arguments: those of `check_file` as JSON, a folder, a name, and how many kills there are to be.

    The output of this name is made in folders of the given one, until there were so many kills.
    """
    task = json.loads(sys.argv[1])
    folder, name, wanted = sys.argv[2], sys.argv[3], int(sys.argv[4])
    rng = random.Random(name)
    runs = kills = 0

    def output() -> dict[str, Any]:
        os.mkdir(f"{folder}/run{runs}")
        return {**task, "output": f"{folder}/run{runs}/{name}"}

    steps = undisturbed(output())
    while kills < wanted:
        runs += 1
        here, pause, done = output(), 0.0, False
        while not done:
            child, pipe = forked(here)
            began, seen, last = time.perf_counter(), 0, rng.randrange(steps)
            while seen < last and os.read(pipe, 1):
                seen += 1
            pause = (time.perf_counter() - began) / seen if seen else pause
            time.sleep(rng.random() * pause)
            os.kill(child, signal.SIGKILL)
            done = ended(child, pipe)
            kills += not done


if __name__ == "__main__":
    main()
