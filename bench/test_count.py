"""Count all solutions: each instruction set, compared with the search.

    pytest bench/test_count.py
    python bench/test_count.py     prints medians and ratios

The puzzles are random clues of uniform random solutions; the program has more of them.
"""

from __future__ import annotations

import array
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import perf_counter

import pytest

sys.path.insert(0, str(Path(__file__).parent))


from unidoku import counting, kernel
from unidoku.grid import Grid

MANY = ".....6....59.....82....8....45........3........6..3.54...325..6.................."
CLUES = (0, 4, 6, 9, 11, 13, 15, 17, 20)
EACH = 5  # puzzles of each number of clues


def puzzles_with(clues: int, number: int = EACH) -> list[str]:
    random = Random(clues)
    lines = []
    for cells in counting.Solutions("." * 81).sample(count=number, seed=clues).tolist():
        kept = set(random.sample(range(81), clues))
        lines.append("".join(str(digit) if k in kept else "." for k, digit in enumerate(cells)))
    return lines if clues else lines[:1]


def by_sum(isa: str) -> Callable[[str], int]:
    def count(puzzle: str) -> int:
        whole = counting.sum_of(Grid(puzzle).cells, isa=isa)
        whole.work()
        return whole.total()

    return count


def by_search(puzzle: str) -> int:
    counts = array.array("Q", [0])
    kernel.isa_module().solve_cells(puzzle.encode(), array.array("q", [0]), limit=0, counts=counts)
    return counts[0]


def counters() -> dict[str, Callable[[str], int]]:
    return {isa: by_sum(isa) for isa in kernel.usable()}


@pytest.mark.parametrize("clues", CLUES[::4])
@pytest.mark.parametrize("name", kernel.NAMES)
def test_sum(benchmark, name, clues):
    some = counters()
    if name not in some:
        pytest.skip(f"no {name} here")
    lines = puzzles_with(clues, 2)
    benchmark.pedantic(lambda: [some[name](line) for line in lines], rounds=3)


@pytest.mark.parametrize("threads", [1, 2])
def test_threads(benchmark, threads):
    lines = puzzles_with(6, 3)
    benchmark.pedantic(
        lambda: [counting.count_solutions(Grid(line).cells, threads=threads) for line in lines], rounds=3
    )


def test_random_grids(benchmark):
    every = counting.Solutions("." * 81)
    benchmark.pedantic(lambda: every.sample(count=1000, seed=1), rounds=3, warmup_rounds=1)


def best_times(some: dict[str, Callable[[str], int]], line: str, turns: int = 3) -> dict[str, float]:
    """Best time of each counter, run in turn; they must agree."""
    best = dict.fromkeys(some, float("inf"))
    for _ in range(turns):
        answers = set()
        for name, count in some.items():
            begin = perf_counter()
            answers.add(count(line))
            best[name] = min(best[name], perf_counter() - begin)
        assert len(answers) == 1, f"{line}: {answers}"
    return best


def main() -> None:
    some = counters()
    print(
        f"{'clues':>9} {'solutions':>9}"
        + "".join(f" {name:>10}" for name in some)
        + "  milliseconds (median)"
    )
    for clues in CLUES:
        times = [best_times(some, line) for line in puzzles_with(clues)]
        numbers = [some[kernel.isa()](line) for line in puzzles_with(clues)]
        medians = [statistics.median(each[name] for each in times) for name in some]
        print(
            f"{clues:9} {statistics.median(numbers):9.1e}" + "".join(f" {1e3 * t:10.2f}" for t in medians),
            flush=True,
        )
    times = best_times(some, MANY)
    print(
        f"{'MANY':>9} {148_357_268:9.1e}" + "".join(f" {1e3 * t:10.2f}" for t in times.values()), flush=True
    )
    line = puzzles_with(20, 12)[-1]
    pair = {"sum": by_sum(kernel.isa()), "search": by_search}
    best = best_times(pair, line, turns=2)
    print(
        f"{pair['sum'](line):,} solutions: the search takes {best['search'] / best['sum']:.0f} times as long"
    )


if __name__ == "__main__":
    main()
