"""Make the sample that ships with the package: puzzles of all three verdicts, from a seed.

    python tools/make_sample.py > src/unidoku/data/sample.txt

Full grids come from a randomised search; clues are taken away while the solution stays unique, then more
of them (several solutions) or one is changed (none, mostly without a direct clash). The number of
solutions stands behind each puzzle; tests count them by another program, up to 50.
"""

from __future__ import annotations

import random
import sys

import numpy as np

from unidoku import Verdict, check_many

SEED = 20261120
UNIQUE, MULTIPLE, NONE = 2400, 1000, 600


def full_grids(rng: random.Random, count: int) -> np.ndarray:
    """Random full grids, by a search of its own: the kernel only judges here."""
    return np.array([full_grid(rng) for _ in range(count)], np.uint8)


def full_grid(rng: random.Random) -> list[int]:
    cells = [0] * 81
    # per cell: the bits of the digits its row, column and box hold
    taken = [0] * 27
    houses = [(c // 9, 9 + c % 9, 18 + c // 27 * 3 + c % 9 // 3) for c in range(81)]

    def fill(empty: list[int]) -> bool:
        if not empty:
            return True

        def room(cell: int) -> int:
            row, column, box = houses[cell]
            return 511 & ~(taken[row] | taken[column] | taken[box])

        cell = min(empty, key=lambda cell: room(cell).bit_count())
        rest = [other for other in empty if other != cell]
        for digit in rng.sample(range(1, 10), 9):
            bit = 1 << digit - 1
            if room(cell) & bit:
                cells[cell] = digit
                for house in houses[cell]:
                    taken[house] |= bit
                if fill(rest):
                    return True
                for house in houses[cell]:
                    taken[house] ^= bit
        return False

    fill(rng.sample(range(81), 81))
    return cells


def proper_puzzles(rng: random.Random, grids: np.ndarray) -> np.ndarray:
    """Take clues away in a random order, each puzzle down to a number of its own or to minimality."""
    puzzles = grids.copy()
    floors = [rng.choice((17, 17, 24, 26, 28, 30, 34, 40)) for _ in puzzles]
    orders = [rng.sample(range(81), 81) for _ in puzzles]
    for step in range(81):
        tried = puzzles.copy()
        for row, order, floor in zip(tried, orders, floors, strict=True):
            if np.count_nonzero(row) > floor:
                row[order[step]] = 0
        unique = check_many(tried, solutions=False).verdict == "unique"
        puzzles[unique] = tried[unique]
    return puzzles


def with_fewer_clues(rng: random.Random, puzzles: np.ndarray) -> np.ndarray:
    fewer = puzzles.copy()
    for row in fewer:
        for cell in rng.sample(list(np.flatnonzero(row)), rng.choice((1, 1, 2, 3, 5))):
            row[cell] = 0
    return fewer


def with_a_changed_clue(rng: random.Random, puzzles: np.ndarray) -> np.ndarray:
    changed = puzzles.copy()
    for row in changed:
        cell = rng.choice(list(np.flatnonzero(row)))
        row[cell] = rng.choice([digit for digit in range(1, 10) if digit != row[cell]])
    return changed


def pick(rows: np.ndarray, verdict: Verdict, count: int) -> list[tuple[str, int]]:
    rows = rows[check_many(rows, solutions=False).verdict == verdict][:count]
    if len(rows) < count:
        raise SystemExit(f"only {len(rows)} puzzles of verdict {verdict}")
    counts = check_many(rows, limit=None, solutions=False).count
    return [("".join(".123456789"[v] for v in row), int(n)) for row, n in zip(rows, counts, strict=True)]


def main() -> None:
    rng = random.Random(SEED)
    proper = proper_puzzles(rng, full_grids(rng, UNIQUE))
    tight = proper[np.count_nonzero(proper, axis=1) < 30]
    sample = [
        *pick(proper, Verdict.UNIQUE, UNIQUE),
        *pick(with_fewer_clues(rng, tight), Verdict.MULTIPLE, MULTIPLE),
        *pick(with_a_changed_clue(rng, proper), Verdict.NONE, NONE),
    ]
    rng.shuffle(sample)
    out = sys.stdout
    out.write("# The sample of unidoku, made by tools/make_sample.py; free for any use.\n")
    out.write("puzzle\texpected_count\n")
    for line, count in sample:
        out.write(f"{line}\t{count}\n")


if __name__ == "__main__":
    main()
