"""Emerentius' Rust crate sudoku, as a shared library that UNIDOKU_RUST_SUDOKU names.

The library exports a C function, ``peer_solve(puzzles, n, limit, counts, grids)``, for ``const char *``, two
``size_t``, ``uint64_t *`` and ``char *``.  It reads n lines of 81 characters and one
separator, writes the numbers of solutions up to the limit (from ``solutions_count_up_to``), and, if `grids`
is not NULL, the first solutions at the same places.
"""

from __future__ import annotations

import ctypes
import os

import numpy as np

from peers import Absent, Solver, Work


def load() -> Solver:
    path = os.environ.get("UNIDOKU_RUST_SUDOKU", "")
    if not path:
        raise Absent("UNIDOKU_RUST_SUDOKU names no shared library")
    try:
        solve = ctypes.CDLL(path).peer_solve
    except (OSError, AttributeError) as error:
        raise Absent(f"UNIDOKU_RUST_SUDOKU: {error}") from None

    def prepare(lines: list[str], limit: int = 2) -> Work:
        n = len(lines)
        puzzles = "\n".join(lines).encode() + b"\n"
        counts = np.zeros(n, np.uint64)
        grids = ctypes.create_string_buffer(82 * n)

        def run(keep: object = None) -> None:
            at = ctypes.c_void_p(counts.ctypes.data)
            solve(puzzles, ctypes.c_size_t(n), ctypes.c_size_t(limit), at, keep)

        def answers() -> list[str]:
            run(grids)
            return [grids.raw[82 * k : 82 * k + 81].decode() for k in range(n)]

        return Work(run, answers)

    return Solver("sudoku (Rust)", prepare)
