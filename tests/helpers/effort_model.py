"""Effort by plain sets, from its definition in docs/rating.md alone; nothing is shared with the engine."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from counting import NAMED_HOUSES

_HOUSES = [frozenset(house) for house in NAMED_HOUSES.values()]
_PEERS = [frozenset().union(*(house for house in _HOUSES if cell in house)) - {cell} for cell in range(81)]


class _ContradictionError(Exception):
    """A cell without a candidate, a digit without a place, or two equal digits in a house."""


class Model:
    """The candidates of the open cells, and the digits of the others."""

    def __init__(self, candidates: dict[int, set[int]], digits: dict[int, int]) -> None:
        self.candidates, self.digits = candidates, digits

    @classmethod
    def of(cls, puzzle: str) -> Model:
        """Return the candidates that the clues leave."""
        grid = cls({cell: {*range(1, 10)} for cell in range(81)}, {})
        grid.fill({(cell, int(symbol)) for cell, symbol in enumerate(puzzle) if symbol in "123456789"})
        return grid

    def line(self) -> str:
        return "".join(str(self.digits.get(cell, ".")) for cell in range(81))

    def marks(self) -> str:
        """The candidates, nine a cell; a filled cell has its digit."""
        sets = [self.candidates.get(cell, {self.digits.get(cell)}) for cell in range(81)]
        return "".join(str(digit) if digit in digits else "." for digits in sets for digit in range(1, 10))

    def close(self, words: list[str]) -> None:
        """Apply singles, locked candidates and pairs, as far as they are named, until nothing changes."""
        singles = {"hidden-single": self.hidden_singles, "naked-single": self.naked_singles}
        others = {"locked-candidates": self.locked, "pairs": self.pairs}
        while True:
            if found := next(
                (found for word in words if word in singles and (found := singles[word]())), None
            ):
                self.fill({*list(found)[:1]})
            elif gone := next((gone for word in words if word in others and (gone := others[word]())), None):
                for cell, digit in gone:
                    self.candidates[cell].discard(digit)
            else:
                return

    def fill(self, found: set[tuple[int, int]]) -> None:
        """Write digits into cells."""
        for cell, digit in found:
            if digit not in self.candidates.pop(cell, ()):
                raise _ContradictionError
            self.digits[cell] = digit
            for peer in _PEERS[cell] & self.candidates.keys():
                self.candidates[peer].discard(digit)

    def places(self, house: frozenset[int], digit: int) -> set[int]:
        return {cell for cell in house if digit in self.candidates.get(cell, ())}

    def hidden_singles(self) -> set[tuple[int, int]]:
        found = set()
        for house in _HOUSES:
            for digit in range(1, 10):
                places = self.places(house, digit)
                if len(places) == 1:
                    found.add((places.pop(), digit))
        return found

    def naked_singles(self) -> set[tuple[int, int]]:
        return {(cell, *digits) for cell, digits in self.candidates.items() if len(digits) == 1}

    def check(self) -> None:
        """Raise an error for a contradiction."""
        if not all(self.candidates.values()):
            raise _ContradictionError
        for house in _HOUSES:
            lacking = {*range(1, 10)} - {self.digits.get(cell) for cell in house}
            if any(not self.places(house, digit) for digit in lacking):
                raise _ContradictionError

    def locked(self) -> set[tuple[int, int]]:
        gone = set()
        for house in _HOUSES:
            for digit in range(1, 10):
                if places := self.places(house, digit):
                    others = [other for other in _HOUSES if places <= other]
                    gone |= {(cell, digit) for other in others for cell in self.places(other, digit) - places}
        return gone

    def pairs(self) -> set[tuple[int, int]]:
        gone = set()
        for house in _HOUSES:
            open_cells = house & self.candidates.keys()
            for two in combinations(open_cells, 2):
                a, b = (self.candidates[cell] for cell in two)
                if a == b and len(a) == 2:
                    gone |= {(cell, digit) for digit in a for cell in self.places(house, digit) - {*two}}
            for digits in combinations(range(1, 10), 2):
                first, second = (self.places(house, digit) for digit in digits)
                if first == second and len(first) == 2:
                    gone |= {(cell, digit) for cell in first for digit in self.candidates[cell] - {*digits}}
        return gone

    def refuted(self) -> set[tuple[int, int]]:
        choices = {(cell, digit) for cell, digits in self.candidates.items() for digit in digits}
        return {choice for choice in choices if self._is_refuted(choice)}

    def _is_refuted(self, choice: tuple[int, int]) -> bool:
        trial = Model({cell: {*digits} for cell, digits in self.candidates.items()}, {**self.digits})
        found = {choice}
        try:
            while found:
                trial.fill(found)
                trial.check()
                found = trial.naked_singles() | trial.hidden_singles()
        except _ContradictionError:
            return True
        return False


@cache
def effort(puzzle: str) -> int | None:
    """Return the effort of a proper puzzle of 81 characters."""
    grid, total = Model.of(puzzle), 0
    while left := len(grid.candidates):
        if found := grid.hidden_singles():
            total += left
            grid.fill(found)
        elif found := grid.naked_singles():
            total += 2 * left
            grid.fill(found)
        else:
            passes = ((4, grid.locked), (4, grid.pairs), (8, grid.refuted))
            cost, removed = next(((cost, gone) for cost, find in passes if (gone := find())), (0, None))
            if removed is None:
                return None
            total += cost * left
            for cell, digit in removed:
                grid.candidates[cell].discard(digit)
    return total
