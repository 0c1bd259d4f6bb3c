"""Techniques 20 and 22 of the plain model of se121: aligned pair and triplet exclusion."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from rating_board import PEER_SETS, PEERS, Board, Step, subsets


def excluders(board: Board, cell: int, most: int) -> list[int]:
    return [peer for peer in PEERS[cell] if 2 <= len(board.candidates[peer]) <= most]


def possible(board: Board, base: tuple[int, ...], digits: tuple[int, ...], common: list[int]) -> bool:
    """Whether no two equal digits see each other and every common excluder keeps a candidate."""
    for i, j in combinations(range(len(base)), 2):
        if digits[i] == digits[j] and base[j] in PEER_SETS[base[i]]:
            return False
    return all(board.candidates[cell] - set(digits) for cell in common)


def exclude(board: Board, base: tuple[int, ...], common: list[int]) -> dict[int, set[int]]:
    """The candidates of base cells that are in no possible combination."""
    rest = [set(board.candidates[cell]) for cell in base]
    for digits in product(*(sorted(board.candidates[cell]) for cell in base)):
        if any(digit in left for digit, left in zip(digits, rest, strict=True)) and possible(
            board, base, digits, common
        ):
            for digit, left in zip(digits, rest, strict=True):
                left.discard(digit)
    return {cell: left for cell, left in zip(base, rest, strict=True) if left}


def base_cells(board: Board, most: int) -> tuple[list[int], dict[int, list[int]]]:
    around = {cell: excluders(board, cell, most) for cell in range(81) if len(board.candidates[cell]) > 1}
    return [cell for cell in around if around[cell]], around


def pair_exclusion(board: Board) -> Iterator[Step]:
    """Technique 20."""
    cells, around = base_cells(board, 2)
    for base in subsets(cells, 2):
        common = [cell for cell in around[base[0]] if cell in around[base[1]]]
        if len(common) > 1 and (removed := exclude(board, base, common)):
            yield Step(20, "aligned pair exclusion", 6.2, removed=removed)


def triplet_exclusion(board: Board) -> Iterator[Step]:
    """Technique 22: the third cell is an excluder of the first or of the second."""
    cells, around = base_cells(board, 3)
    for first, second in subsets(cells, 2):
        shared = [cell for cell in around[first] if cell in around[second]]
        if len(shared) < 2:
            continue
        for third in dict.fromkeys(around[first] + around[second]):
            if third in (first, second) or third not in cells:
                continue
            common = [cell for cell in shared if cell in around[third]]
            base = (first, second, third)
            if len(common) > 1 and (removed := exclude(board, base, common)):
                yield Step(22, "aligned triplet exclusion", 7.5, removed=removed)
