"""The minlex form of a puzzle in plain Python: all orders of columns, row by row."""

from functools import cache
from itertools import permutations

THREES = list(permutations(range(3)))
LINES = [
    [3 * band + k for band, order in zip(bands, (a, b, c), strict=True) for k in order]
    for bands in THREES
    for a in THREES
    for b in THREES
    for c in THREES
]


@cache
def minlex(cells):
    """Return the least image of 81 numbers 0 to 9, and the number of ways to reach it.

    Ways are geometric: relabellings of digits that do not occur are not counted.
    """
    rows = [tuple(cells[9 * k : 9 * k + 9]) for k in range(9)]
    grids = [rows, list(zip(*rows, strict=True))]
    states = [(grid, columns, (), {0: 0}) for grid in grids for columns in LINES]
    image = []
    for number in range(9):
        best, survivors = None, []
        for grid, columns, row_order, labels in states:
            band = row_order[-1] // 3 if number % 3 else None
            for row in range(9):
                if row in row_order or band not in (None, row // 3):
                    continue
                new = dict(labels)
                text = []
                for column in columns:
                    digit = grid[row][column]
                    text.append(new.setdefault(digit, len(new)))
                    if best is not None and len(text) <= 9 and text > best[: len(text)]:
                        break
                else:
                    if best is None or text < best:
                        best, survivors = text, []
                    survivors.append((grid, columns, (*row_order, row), new))
        states = survivors
        image += best
    return image, len(states)
