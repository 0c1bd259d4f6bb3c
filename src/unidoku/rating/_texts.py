"""Lists of cells, candidates and houses in the words of a language."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TypeAlias

from unidoku._words import Texts
from unidoku.cell import candidate_name, cell_name

Candidate: TypeAlias = tuple[int, int]


class StepTexts(Texts):
    """The texts of ratings in one language, with lists for their fields."""

    def __init__(self, lang: str = "en") -> None:
        super().__init__("rating", lang)

    def join(self, items: Iterable[object], conjunction: str = "and") -> str:
        """Return the items as a list."""
        *items, end = [*map(str, items)] or [""]
        return self.say(conjunction, some=self.words["comma"].join(items), last=end) if items else end

    def cells(self, cells: Collection[int], conjunction: str = "and") -> str:
        """Return the names of cells as a list."""
        return self.join(map(cell_name, cells), conjunction)

    def candidates(self, candidates: Iterable[Candidate], conjunction: str = "and") -> str:
        """Return the names of candidates as a list."""
        return self.join(map(candidate_name, candidates), conjunction)

    def houses(self, houses: Sequence[int]) -> str:
        """Return the names of houses of one kind as a list."""
        if len(houses) == 1:
            return self.house(houses[0])
        numbers = self.join([house % 9 + 1 for house in houses], "numbers")
        return self.say(("rows", "columns", "boxes")[houses[0] // 9], n=numbers)
