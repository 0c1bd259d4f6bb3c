"""A plain counter of solutions that shares nothing with the kernel, and the rules to check a grid by."""

from __future__ import annotations

HOUSES = [
    *[[9 * r + c for c in range(9)] for r in range(9)],
    *[[9 * r + c for r in range(9)] for c in range(9)],
    *[[27 * (b // 3) + 3 * (b % 3) + 9 * (k // 3) + k % 3 for k in range(9)] for b in range(9)],
]


def clues_of(line: str) -> list[int]:
    return ["123456789".find(symbol) + 1 for symbol in line]


def is_solution_of(solution: str, line: str) -> bool:
    """Whether a filled grid obeys the rules and keeps the clues."""
    return all(len({solution[cell] for cell in house} & set("123456789")) == 9 for house in HOUSES) and all(
        clue in (0, int(digit)) for clue, digit in zip(clues_of(line), solution, strict=True)
    )


def count_by_masks(line: str, limit: int) -> int:
    """Backtracking on three masks of used digits, fewest candidates first."""
    rows, columns, boxes, empty = [0] * 9, [0] * 9, [0] * 9, []
    for cell, digit in enumerate(clues_of(line)):
        r, c = divmod(cell, 9)
        b = r // 3 * 3 + c // 3
        if not digit:
            empty.append((r, c, b))
            continue
        bit = 1 << digit
        if (rows[r] | columns[c] | boxes[b]) & bit:
            return 0
        rows[r] |= bit
        columns[c] |= bit
        boxes[b] |= bit

    def count(left: int) -> int:
        if not empty:
            return 1
        best, free = 0, 0
        fewest = 10
        for place, (r, c, b) in enumerate(empty):
            mask = 0x3FE & ~(rows[r] | columns[c] | boxes[b])
            size = mask.bit_count()
            if size < fewest:
                best, free, fewest = place, mask, size
                if size < 2:
                    break
        r, c, b = empty[best]
        empty[best] = empty[-1]
        empty.pop()
        found = 0
        while free and found < left:
            bit = free & -free
            free ^= bit
            rows[r] ^= bit
            columns[c] ^= bit
            boxes[b] ^= bit
            found += count(left - found)
            rows[r] ^= bit
            columns[c] ^= bit
            boxes[b] ^= bit
        empty.append((r, c, b))
        empty[best], empty[-1] = empty[-1], empty[best]
        return found

    return count(limit)
