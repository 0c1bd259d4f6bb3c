"""Measure one puzzle per call: `unidoku.check` from Python, and tdoku from C.

    python bench/single.py [set …]        sets: 17clue top1465 easy several

Microseconds per call, median and mean over the puzzles of a set, each puzzle at its best of several rounds;
the time of an empty measurement is subtracted.  Calls from Python include all overhead of Python.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from statistics import fmean, median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parent))

from peers import Absent
from peers.tdoku import latencies
from puzzle_sets import named_set

from unidoku import check, kernel

MOST = 2000
ROUNDS = 5


def main() -> None:
    for name in sys.argv[1:] or ["17clue", "top1465", "easy", "several"]:
        lines = named_set(name, MOST)
        if lines is None:
            print(f"{name:9} not there (../shared/data)")
            continue
        lines = lines[:MOST]
        for solver, seconds in best_times(lines).items():
            print(
                f"{name:9} {solver:16} median {1e6 * median(seconds):7.3f}   mean {1e6 * fmean(seconds):7.3f}"
            )


def best_times(lines: list[str]) -> dict[str, list[float]]:
    """Measure seconds of each puzzle for each solver, run in turn, the best of several rounds."""
    solvers = {f"check, {isa}": from_python(isa) for isa in kernel.usable()}
    try:
        solvers["tdoku, C call"] = latencies()
    except Absent as reason:
        print(f"tdoku skipped: {reason}", file=sys.stderr)
    best = dict.fromkeys(solvers, [float("inf")] * len(lines))
    for _ in range(ROUNDS):
        for solver, measure in solvers.items():
            best[solver] = [min(pair) for pair in zip(best[solver], measure(lines), strict=True)]
    return best


def medians(lines: list[str]) -> dict[str, float]:
    """Return the median seconds of each solver."""
    return {solver: median(seconds) for solver, seconds in best_times(lines).items()}


def from_python(isa: str) -> Callable[[list[str]], list[float]]:
    def measure(lines: list[str]) -> list[float]:
        kernel.use(isa)
        found = []
        for line in lines:
            begin = perf_counter()
            check(line)
            found.append(perf_counter() - begin)
        clock = float("inf")
        for _ in range(100):
            begin = perf_counter()
            clock = min(clock, perf_counter() - begin)
        return [seconds - clock for seconds in found]

    return measure


if __name__ == "__main__":
    main()
