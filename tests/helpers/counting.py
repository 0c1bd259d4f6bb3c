"""The houses, the rules to check a grid by, and a plain counter of solutions: nothing is of unidoku."""

from __future__ import annotations

ROWS = [[9 * r + c for c in range(9)] for r in range(9)]
COLUMNS = [[9 * r + c for r in range(9)] for c in range(9)]
BOXES = [[27 * (b // 3) + 3 * (b % 3) + 9 * (k // 3) + k % 3 for k in range(9)] for b in range(9)]
HOUSES = [*ROWS, *COLUMNS, *BOXES]
PEERS = [{other for house in HOUSES if cell in house for other in house} - {cell} for cell in range(81)]


def clues_of(line: str) -> list[int]:
    return ["123456789".find(symbol) + 1 for symbol in line]


def is_solution_of(solution: str, line: str) -> bool:
    """Whether a filled grid obeys the rules and keeps the clues."""
    return all(len({solution[cell] for cell in house} & set("123456789")) == 9 for house in HOUSES) and all(
        clue in (0, int(digit)) for clue, digit in zip(clues_of(line), solution, strict=True)
    )


def count_by_masks(line: str, limit: int) -> int:
    """Backtracking on masks of candidates: hidden singles first, otherwise the cell with the fewest."""
    masks, empty = [0x1FF] * 81, set(range(81))
    for cell, digit in enumerate(clues_of(line)):
        if digit and not _fill(masks, empty, cell, 1 << digit - 1):
            return 0
    return _count(masks, empty, limit)


def _fill(masks: list[int], empty: set[int], cell: int, bit: int) -> bool:
    """Fill a cell; whether it may have the digit, and all its peers still have a candidate."""
    if not masks[cell] & bit:
        return False
    empty.remove(cell)
    masks[cell] = 0
    for peer in PEERS[cell] & empty:
        masks[peer] &= ~bit
        if not masks[peer]:
            return False
    return True


def _count(masks: list[int], empty: set[int], left: int) -> int:
    if not empty:
        return 1
    cell = min(empty, key=lambda each: masks[each].bit_count())
    free = masks[cell]
    if free.bit_count() > 1:
        for house in HOUSES:
            once = twice = 0
            for each in house:
                twice |= once & masks[each]
                once |= masks[each]
            if single := once & ~twice:
                free = single & -single
                cell = next(each for each in house if masks[each] & free)
                break
    found = 0
    while free and found < left:
        bit = free & -free
        free ^= bit
        after, rest = masks.copy(), empty.copy()
        if _fill(after, rest, cell, bit):
            found += _count(after, rest, left - found)
    return found
