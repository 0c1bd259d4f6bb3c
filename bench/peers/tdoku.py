"""tdoku, the fastest other solver, as the shared library that UNIDOKU_TDOKU names; called from C.

UNIDOKU_TDOKU is built for this processor; UNIDOKU_TDOKU_AVX2, for AVX2 (``cmake -DARCH=haswell``), is
compared with our kernel for AVX2.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from peers import Absent, Solver, Work

LOOP = """
#include <stddef.h>
#include <stdint.h>
#include <time.h>
typedef size_t (*Solve)(const char *, size_t, uint32_t, char *, size_t *);
size_t loop(Solve solve, const char *puzzles, size_t n, size_t limit, char *grids) {
  size_t total = 0, guesses;
  for (size_t k = 0; k < n; k++) {
    solve(puzzles + 82 * k, limit, 0, grids + 82 * k, &guesses);
    total += guesses;
  }
  return total;
}
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}
void minimize(_Bool (*one)(_Bool, _Bool, char *), char *puzzles, size_t n) {
  for (size_t k = 0; k < n; k++) one(0, 0, puzzles + 82 * k);
}
/* seconds of each call, and of the clock */
void each(Solve solve, const char *puzzles, size_t n, double *best) {
  char grid[82];
  size_t guesses;
  for (size_t k = 0; k <= n; k++) {
    double begin = now();
    if (k < n) solve(puzzles + 82 * k, 2, 0, grid, &guesses);
    double seconds = now() - begin;
    if (seconds < best[k]) best[k] = seconds;
  }
}
"""


@cache
def folder() -> Path:
    made = tempfile.mkdtemp(prefix="unidoku-bench-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


def compiled(name: str, text: str, flags: list[str]) -> ctypes.CDLL:
    """Compile C code to a library."""
    compiler = os.environ.get("CC", "gcc").split()
    if shutil.which(compiler[0]) is None:
        raise Absent(f"no {compiler[0]} to compile C code with")
    source, library = folder() / f"{name}.c", folder() / f"{name}.so"
    source.write_text(text)
    subprocess.run(
        [*compiler, "-std=gnu11", *flags, "-shared", "-fPIC", str(source), "-o", str(library)], check=True
    )
    return ctypes.CDLL(str(library))


def open_library(
    function: str = "TdokuSolverDpllTriadSimd", isa: str = ""
) -> tuple[ctypes.CDLL, ctypes.c_void_p]:
    """Return the loops over puzzles, and the address of the function that they call."""
    variable = "_".join(["UNIDOKU_TDOKU", *([isa.upper()] if isa else [])])
    path = os.environ.get(variable, "")
    if not path:
        raise Absent(f"{variable} names no shared library of tdoku")
    try:
        called = getattr(ctypes.CDLL(path), function)
    except (OSError, AttributeError) as error:
        raise Absent(f"{variable}: {error}") from None
    code = compiled("tdoku-loop", LOOP, ["-O2"])
    code.loop.restype = ctypes.c_size_t
    return code, ctypes.cast(called, ctypes.c_void_p)


def joined(lines: list[str]) -> bytes:
    return "\0".join(line.replace("0", ".") for line in lines).encode() + b"\0"


def load(isa: str = "") -> Solver:
    code, solve = open_library(isa=isa)

    def prepare(lines: list[str], limit: int = 2) -> Work:
        n, puzzles = len(lines), joined(lines)
        grids = ctypes.create_string_buffer(82 * n)

        def run(limit: int = limit) -> int:
            return int(code.loop(solve, puzzles, ctypes.c_size_t(n), ctypes.c_size_t(limit), grids))

        def answers() -> list[str]:
            run(1)  # with limit 2 it does not keep a solution
            return [grids.raw[82 * k : 82 * k + 81].decode() for k in range(n)]

        return Work(run, answers, run)

    return Solver(f"tdoku {isa}".strip(), prepare)


def latencies() -> Callable[[list[str]], list[float]]:
    """Return a function that calls tdoku once for each puzzle and returns the seconds of each call."""
    code, solve = open_library()

    def measure(lines: list[str]) -> list[float]:
        n = len(lines)
        best = np.full(n + 1, np.inf)
        code.each(solve, joined(lines), ctypes.c_size_t(n), ctypes.c_void_p(best.ctypes.data))
        return (best[:n] - best[n]).tolist()

    return measure


def minimizer() -> Callable[[list[str]], list[str]]:
    """Return a function that removes the redundant clues of puzzles, in random orders."""
    code, minimize = open_library("TdokuMinimize")

    def run(lines: list[str]) -> list[str]:
        puzzles = ctypes.create_string_buffer(joined(lines))
        code.minimize(minimize, puzzles, ctypes.c_size_t(len(lines)))
        return puzzles.raw.decode().split("\0")[: len(lines)]

    return run
