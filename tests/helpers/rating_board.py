"""Houses, peers and candidates for the plain model of the scale se121: sets and lists, nothing of unidoku."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

from counting import BOXES, COLUMNS, ROWS

HOUSES = BOXES + COLUMNS + ROWS  # the order of scans over all houses


def box_of(cell: int) -> list[int]:
    return BOXES[cell // 27 * 3 + cell % 9 // 3]


def column_of(cell: int) -> list[int]:
    return COLUMNS[cell % 9]


def row_of(cell: int) -> list[int]:
    return ROWS[cell // 9]


def houses_of(cell: int) -> list[list[int]]:
    """The three houses of a cell in house order: box, row, column."""
    return [box_of(cell), row_of(cell), column_of(cell)]


def unique(items: list[int]) -> list[int]:
    return list(dict.fromkeys(items))


# Peers in order: the cells of the box, of the row, of the column, each once.
PEERS = [
    unique([other for house in houses_of(cell) for other in house if other != cell]) for cell in range(81)
]
PEER_SETS = [set(peers) for peers in PEERS]


def common_peers(cells: list[int]) -> set[int]:
    return set.intersection(*(PEER_SETS[cell] for cell in cells))


def subsets(items: list, size: int) -> list[tuple]:
    """The subsets of a size in Gosper's order: ascending as binary numbers whose bits are the positions."""
    positions = combinations(range(len(items)), size)
    return [tuple(items[p] for p in chosen) for chosen in sorted(positions, key=lambda c: c[::-1])]


@dataclass
class Step:
    """One step: what it is called, how hard it is, what it places or removes."""

    technique: str
    rating: float
    place: tuple[int, int] | None = None  # cell, digit
    removed: dict[int, set[int]] = field(default_factory=dict)  # by cell

    @property
    def tenths(self) -> int:
        """The printed rating, truncated after adding 0.05, in tenths."""
        return int((self.rating + 0.05) * 10)


class Board:
    """Digits of filled cells (0: empty) and the candidates of the empty ones."""

    def __init__(self, puzzle: str) -> None:
        self.value = [0] * 81
        self.candidates = [set(range(1, 10)) for _ in range(81)]
        for cell, symbol in enumerate(puzzle):
            if symbol in "123456789":
                self.place(cell, int(symbol))

    def place(self, cell: int, digit: int) -> None:
        self.value[cell] = digit
        self.candidates[cell] = set()
        for peer in PEERS[cell]:
            self.candidates[peer].discard(digit)

    def apply(self, step: Step) -> None:
        for cell, digits in step.removed.items():
            self.candidates[cell] -= digits
        if step.place:
            self.place(*step.place)

    def empty(self, house: list[int]) -> list[int]:
        return [cell for cell in house if not self.value[cell]]

    def places(self, house: list[int], digit: int) -> list[int]:
        return [cell for cell in house if digit in self.candidates[cell]]

    def holding(self, cells: list[int] | set[int], digits: set[int]) -> dict[int, set[int]]:
        """Those of the candidates that the cells have: what a step removes."""
        return {cell: hit for cell in sorted(cells) if (hit := self.candidates[cell] & digits)}

    @property
    def filled(self) -> bool:
        return all(self.value)
