"""Solvers that are compiled to a shared library: docs/benchmarks.md says how.

A library exports functions of C.  A line is 81 characters and one more; an empty cell is a dot.

``peer_solve(puzzles, n, limit, counts, grids, guesses)``
    Numbers of solutions of n lines up to the limit, uint64[n]; for limit 1 grids; perhaps their guesses.
``peer_generate(n, half_turn, puzzles)``, ``peer_canonical(puzzles, n, forms)``, ``peer_minimize(puzzles, n)``
    For bench/test_craft.py; only some libraries have them.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any

import numpy as np
from solvers import Answers, Solver, Work

from peers import Absent

NO_GUESSES = 2**64 - 1


def function(variable: str, name: str) -> Any:
    """Return a function of the library that a variable names."""
    path = os.environ.get(variable, "")
    if not path:
        raise Absent(f"{variable} names no shared library (docs/benchmarks.md)")
    try:
        return getattr(ctypes.CDLL(path), name)
    except (OSError, AttributeError) as error:
        raise Absent(f"{variable}: {error}") from None


def load(name: str, variable: str) -> Solver:
    solve = function(variable, "peer_solve")

    def work(lines: list[str], limit: int) -> tuple[Work, np.ndarray]:
        n, puzzles = len(lines), "\0".join([*lines, ""]).encode()
        counts, guesses = np.zeros(n, np.uint64), np.full(1, NO_GUESSES, np.uint64)
        grids = ctypes.create_string_buffer(82 * n)
        characters = np.frombuffer(grids, np.uint8).reshape(n, 82)
        sizes = ctypes.c_size_t(n), ctypes.c_size_t(limit)
        at = [ctypes.c_void_p(each.ctypes.data) for each in (counts, guesses)]

        def run() -> Answers:
            solve(puzzles, *sizes, at[0], grids, at[1])
            return Answers(counts, characters[:, :81] if limit == 1 else None)

        return run, guesses

    def guesses_of(lines: list[str], limit: int) -> tuple[float | None, None]:
        run, guesses = work(lines, limit)
        run()
        return None if guesses[0] == NO_GUESSES else float(guesses[0] / len(lines)), None

    isa = variable.removeprefix("UNIDOKU_TDOKU_").lower() if "TDOKU_" in variable else ""
    return Solver(name, lambda lines, limit: work(lines, limit)[0], "batch", isa=isa, guesses=guesses_of)
