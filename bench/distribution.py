"""Measure the distribution of the puzzles and grids of ``generate`` where all outcomes can be listed.

    python bench/distribution.py

Minimal puzzles: all those within a puzzle with some redundant clues, their exact probabilities over all
orders of removal, and how often each is drawn.  Full grids: how many minimal puzzles a second are made from
default and from uniform grids.
"""

from __future__ import annotations

import argparse
from itertools import permutations
from time import perf_counter

import numpy as np

import unidoku
from unidoku.craft._minimize import reduce_clues
from unidoku.craft._seeds import random_bits

SMALL = 9  # redundant clues of the small puzzles: 362,880 orders


def loose_clues(puzzle: np.ndarray) -> np.ndarray:
    """Return the clues that can be removed one at a time; all others are in every minimal puzzle."""
    clues = np.flatnonzero(puzzle)
    less = np.repeat(puzzle[None], len(clues), axis=0)
    less[np.arange(len(clues)), clues] = 0
    return clues[unidoku.check_many(less).verdict == "unique"]


def exact_probabilities(puzzle: np.ndarray) -> dict[int, float]:
    """Return the minimal puzzles within a puzzle, by the redundant clues that they keep, and their
    probabilities.

    Every order of the redundant clues is tried; clues are removed in this order if the puzzle stays proper.
    """
    loose = loose_clues(puzzle)
    sets = np.arange(1 << len(loose))
    rows = np.repeat(puzzle[None], len(sets), axis=0)
    for k, cell in enumerate(loose):
        rows[sets >> k & 1 == 0, cell] = 0
    proper = unidoku.check_many(rows).verdict == "unique"
    orders = np.array(list(permutations(range(len(loose)))), np.int64)
    kept = np.full(len(orders), len(sets) - 1)
    for step in range(len(loose)):
        less = kept & ~(1 << orders[:, step])
        kept = np.where(proper[less], less, kept)
    found, counts = np.unique(kept, return_counts=True)
    return dict(zip(found.tolist(), (counts / len(orders)).tolist(), strict=True))


def drawn(puzzle: np.ndarray, count: int, seed: int) -> dict[int, int]:
    """Count how often each minimal puzzle is drawn."""
    loose = loose_clues(puzzle)
    clues = np.repeat(puzzle[None], count, axis=0)
    puzzles = reduce_clues(clues.reshape(-1), random_bits(seed, 0, count))
    rows = np.frombuffer(puzzles, np.uint8).reshape(-1, 81)
    kept = ((rows[:, loose] != 0) << np.arange(len(loose))).sum(axis=1)
    return dict(zip(*(each.tolist() for each in np.unique(kept, return_counts=True)), strict=True))


def chi_square(probabilities: dict[int, float], counts: dict[int, int]) -> tuple[float, int]:
    """Return the statistic of the counts and its degrees of freedom."""
    assert set(counts) <= set(probabilities)
    total = sum(counts.values())
    pairs = [(total * p, counts.get(key, 0)) for key, p in probabilities.items()]
    return sum((seen - wanted) ** 2 / wanted for wanted, seen in pairs), len(pairs) - 1


def small_puzzles(count: int, loose: int = SMALL) -> list[np.ndarray]:
    """Make puzzles with a number of redundant clues."""
    found: list[np.ndarray] = []
    seed = 0
    while len(found) < count:
        seed += 1
        rows = unidoku.generate(4096, seed=seed, clues=(28, 33))
        rows_of, cells = np.nonzero(rows)
        less = rows[rows_of]
        less[np.arange(len(less)), cells] = 0
        proper = unidoku.check_many(less).verdict == "unique"
        counts = np.bincount(rows_of[proper], minlength=len(rows))
        found += list(rows[counts == loose])
    return found[:count]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--puzzles", type=int, default=50, help="puzzles with nine redundant clues")
    parser.add_argument("--draws", type=int, default=40_000, help="minimal puzzles drawn from each")
    parser.add_argument("--grids", type=int, default=20_000, help="full grids of each kind")
    options = parser.parse_args()
    spreads, gaps, total, freedom = [], [], 0.0, 0
    share: dict[int, list[float]] = {}
    for number, puzzle in enumerate(small_puzzles(options.puzzles)):
        exact = exact_probabilities(puzzle)
        statistic, degrees = chi_square(exact, drawn(puzzle, options.draws, number))
        total, freedom = total + statistic, freedom + degrees
        spreads.append(max(exact.values()) / min(exact.values()))
        sizes = {key: key.bit_count() for key in exact}
        least = min(sizes.values())
        gaps.append(np.mean(list(sizes.values())) - sum(exact[key] * size for key, size in sizes.items()))
        for key, size in sizes.items():
            share.setdefault(size - least, []).append(exact[key] * len(exact))
    print(
        f"{options.puzzles} puzzles with {SMALL} redundant clues, {options.draws:,} minimal puzzles from each"
    )
    print(f"draws against exact probabilities: chi-square {total:.0f} on {freedom} degrees of freedom")
    print(f"likeliest / least likely: median {np.median(spreads):.1f}, largest {max(spreads):.1f}")
    print(f"mean clues below those of all minimal puzzles: {np.mean(gaps):.2f}")
    for more, values in sorted(share.items()):
        print(f"  {more} clues more than the fewest: {np.mean(values):.2f} times as likely as uniform")
    for solution in (None, "uniform"):
        began = perf_counter()
        unidoku.generate(options.grids, seed=5, solution=solution, threads=1)
        seconds = perf_counter() - began
        name = solution or "default"
        print(f"{name} grids: {options.grids / seconds:,.0f} minimal puzzles a second and thread")


if __name__ == "__main__":
    main()
