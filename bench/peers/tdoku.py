"""tdoku, the fastest other solver, as the shared library that UNIDOKU_TDOKU names."""

from __future__ import annotations

import ctypes
import os

from peers import Absent, Solver, Work


def load() -> Solver:
    path = os.environ.get("UNIDOKU_TDOKU", "")
    if not path:
        raise Absent("UNIDOKU_TDOKU names no shared library of tdoku")
    try:
        solve = ctypes.CDLL(path).TdokuSolverDpllTriadSimd
    except (OSError, AttributeError) as error:
        raise Absent(f"UNIDOKU_TDOKU: {error}") from None
    solve.argtypes = [
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.c_uint32,
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_size_t),
    ]
    solve.restype = ctypes.c_size_t

    def prepare(lines: list[str]) -> Work:
        puzzles = [line.replace("0", ".").encode() for line in lines]
        grids = [ctypes.create_string_buffer(82) for _ in lines]
        calls = list(zip(puzzles, grids, strict=True))
        guesses = ctypes.c_size_t()

        def run(limit: int = 2) -> int:
            total = 0
            for puzzle, grid in calls:
                solve(puzzle, limit, 0, grid, guesses)
                total += guesses.value
            return total

        def answers() -> list[str]:
            run(1)  # with limit 2 it does not keep a solution
            return [grid.value.decode()[:81] for grid in grids]

        return Work(run, answers, run)

    return Solver("tdoku", prepare)
