"""The symmetries of Sudoku, applied to lines of 81 characters."""

from __future__ import annotations

from random import Random


def moved(line: str, random: Random) -> str:
    """Return a random image of a puzzle: bands, stacks, rows, columns, transposition, digits."""
    digits = random.sample("123456789", 9)
    relabel = dict(zip("123456789", digits, strict=True))
    rows, columns = (
        [3 * band + k for band in random.sample(range(3), 3) for k in random.sample(range(3), 3)]
        for _ in range(2)
    )
    turned = random.random() < 0.5
    cells = [(c, r) if turned else (r, c) for r in rows for c in columns]
    return "".join(relabel.get(line[9 * r + c], line[9 * r + c]) for r, c in cells)


def with_clues(line: str, number: int, random: Random) -> str:
    """Return the line with this number of its 81 symbols, at random."""
    clues = set(random.sample(range(81), number))
    return "".join(symbol if cell in clues else "." for cell, symbol in enumerate(line))
