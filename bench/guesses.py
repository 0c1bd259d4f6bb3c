"""Compare the guesses that unidoku counts for tdoku with those of tdoku itself, puzzle by puzzle.

    UNIDOKU_TDOKU=libtdoku_shared.so python bench/guesses.py [set …]

The sets are 17clue, top1465, hard and generated.  It prints the number of unequal puzzles of each set, which
must be 0, and the processor time of both.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time

import numpy as np
from puzzle_sets import hard_set, puzzle_lines, sample_lines

import unidoku


def guesses_of_tdoku(lines: list[str]) -> list[int]:
    """Return the guesses that tdoku makes to its first solution."""
    solve = ctypes.CDLL(os.environ["UNIDOKU_TDOKU"]).TdokuSolverDpllTriadSimd
    solve.restype = ctypes.c_size_t
    solve.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_void_p]
    guesses, solution = ctypes.c_size_t(), ctypes.create_string_buffer(96)
    found = []
    for line in lines:
        solve(line.replace("0", ".").encode(), 1, 0, solution, ctypes.byref(guesses))
        found.append(guesses.value)
    return found


def named(name: str) -> list[str]:
    """Return the puzzles of a set."""
    if name == "generated":
        return [unidoku.Grid(row).line for row in unidoku.generate(10_000, seed=5)]
    return (hard_set(2000) if name == "hard" else puzzle_lines(name)) or sample_lines()


def main() -> None:
    """Compare the sets that the command line names."""
    unequal = 0
    for name in sys.argv[1:] or ["17clue", "top1465", "hard", "generated"]:
        lines = named(name)
        begin = time.process_time()
        theirs = guesses_of_tdoku(lines)
        middle = time.process_time()
        ours = unidoku.guesses_many(lines, threads=1).tdoku
        end = time.process_time()
        wrong = int(np.count_nonzero(ours != np.array(theirs, np.uint64)))
        unequal += wrong
        times = [1e6 * seconds / len(lines) for seconds in (middle - begin, end - middle)]
        speed = f"tdoku {times[0]:.1f} us, ours {times[1]:.1f} us a puzzle"
        print(f"{name:10} {len(lines):6} puzzles, {wrong} unequal; {speed}")
    sys.exit(unequal > 0)


if __name__ == "__main__":
    main()
