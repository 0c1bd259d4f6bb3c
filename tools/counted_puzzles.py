"""Writes tests/known/counted.txt: puzzles with exactly so many solutions, from two to several thousand.

Full grids at random, clues taken away at random; for each number wanted the first puzzle met that has it.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import unidoku

WANTED = [*range(2, 31), 36, 42, 50, 64, 77, 100, 128, 173, 200, 256, 300, 404, 500, 640, 777, 1000, 1280]
WANTED += [1500, 2000, 2500, 3000, 4000, 5000, 6000]
SEED = 20261120


def full_grid(random: Random) -> str:
    """A filled grid: the first row and some further cells at random, the rest by the solver."""
    while True:
        cells = random.sample("123456789", 9) + ["."] * 72
        for cell in random.sample(range(9, 81), 9):
            cells[cell] = random.choice("123456789")
        solution = unidoku.solve("".join(cells))
        if solution is not None:
            return solution.line


def main() -> None:
    random = Random(SEED)
    found: dict[int, str] = {}
    left = set(WANTED)
    # beyond 1000 take what lies within 5 % of the number wanted
    while left:
        cells = list(full_grid(random))
        for cell in random.sample(range(81), 81):
            cells[cell] = "."
            line = "".join(cells)
            number = unidoku.count(line, limit=7000)
            if number >= 7000:
                break
            for wanted in sorted(left):
                if number == wanted or (wanted >= 300 and abs(number - wanted) < wanted / 20):
                    found[number] = line
                    left.discard(wanted)
                    break
    target = Path(__file__).parents[1] / "tests" / "known" / "counted.txt"
    lines = [f"{line} {number}" for number, line in sorted(found.items())]
    head = "# puzzle, number of its solutions; made by tools/counted_puzzles.py"
    target.write_text("\n".join([head, *lines, ""]))


if __name__ == "__main__":
    main()
