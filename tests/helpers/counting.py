"""Houses, a check of grids by the rules, a plain counter of solutions; independent of unidoku."""

from __future__ import annotations

ROWS = [[9 * r + c for c in range(9)] for r in range(9)]
COLUMNS = [[9 * r + c for r in range(9)] for c in range(9)]
BOXES = [[27 * (b // 3) + 3 * (b % 3) + 9 * (k // 3) + k % 3 for k in range(9)] for b in range(9)]
HOUSES = [*ROWS, *COLUMNS, *BOXES]
NAMED_HOUSES = {
    f"{kind} {number}": house
    for kind, houses in (("row", ROWS), ("column", COLUMNS), ("box", BOXES))
    for number, house in enumerate(houses, 1)
}
PEERS = [{peer for house in HOUSES if cell in house for peer in house} - {cell} for cell in range(81)]


def clues_of(line: str) -> list[int]:
    return ["123456789".find(symbol) + 1 for symbol in line]


def is_solution_of(solution: str, line: str) -> bool:
    """Return whether a filled grid obeys the rules and keeps the clues."""
    return all(len({solution[cell] for cell in house} & set("123456789")) == 9 for house in HOUSES) and all(
        clue in (0, int(digit)) for clue, digit in zip(clues_of(line), solution, strict=True)
    )


def count_by_masks(line: str, limit: int) -> int:
    """Count solutions by backtracking: hidden singles first, otherwise the tightest cell."""
    masks, empty = [0x1FF] * 81, set(range(81))
    for cell, digit in enumerate(clues_of(line)):
        if digit and not _fill(masks, empty, cell, 1 << digit - 1):
            return 0
    return _count(masks, empty, limit)


def _fill(masks: list[int], empty: set[int], cell: int, bit: int) -> bool:
    """Fill a cell; return whether the digit is possible and every peer keeps a candidate."""
    if not masks[cell] & bit:
        return False
    empty.remove(cell)
    masks[cell] = 0
    for peer in PEERS[cell] & empty:
        masks[peer] &= ~bit
        if not masks[peer]:
            return False
    return True


def _count(masks: list[int], empty: set[int], limit: int) -> int:
    if not empty:
        return 1
    cell = min(empty, key=lambda index: masks[index].bit_count())
    free = masks[cell]
    if free.bit_count() > 1:
        for house in HOUSES:
            once = twice = 0
            for index in house:
                twice |= once & masks[index]
                once |= masks[index]
            if single := once & ~twice:
                free = single & -single
                cell = next(index for index in house if masks[index] & free)
                break
    total = 0
    while free and total < limit:
        bit = free & -free
        free ^= bit
        masks_after, empty_after = masks.copy(), empty.copy()
        if _fill(masks_after, empty_after, cell, bit):
            total += _count(masks_after, empty_after, limit - total)
    return total
