"""Puzzles with independently counted solutions, and judges of unidoku's answers.

The number of solutions comes from `counting`, grids are judged by the rules and the clues: nothing here
asks unidoku.  Only the order of the search is taken from unidoku: of the grids that it gives for a puzzle as
the first and the second solution, all must be equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random
from types import MappingProxyType

from counting import HOUSES, count_by_masks, is_solution_of
from example_puzzles import EIGHT, NONE, SOLUTION, UNIQUE
from moving import moved, with_clues

MOST = 20
"""Solutions are counted up to this number."""

# Puzzles that several lanes search together, with many solutions and with few.
SHARED = (
    ".................1..2..3.4.......2...35....6.4...7.......8.2.5.1....4...7.....9..",
    "................12....34..5.....67....8.9.....21.........12.8.....5.....6.....3..",
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "98.7..6....5.....4.........7...9...6.4..3...........2.6...8..9..3..5........1....",
)


@dataclass(frozen=True)
class CountedPuzzle:
    """A puzzle, its number of solutions up to `MOST`, and its first solutions."""

    line: str
    count: int
    grids: dict[int, str] = field(default_factory=dict, compare=False)
    """The first (0) and the second (1) solution in the order of the search, once seen."""

    def capped_count(self, limit: int | None) -> int:
        """Return the number of solutions up to a limit of at most `MOST`."""
        assert limit is not None or self.count < MOST
        return self.count if limit is None else min(self.count, limit)

    def judge_grid(self, grid: str, place: int | None = None) -> None:
        """Judge a solution, the one at this place in the order of the search."""
        if place is not None and self.grids.get(place) == grid:
            return
        right = len(grid) == 81 and is_solution_of(grid, self.line)
        assert right, f"no solution of {self.line}: {grid}"
        if place is not None:
            assert self.grids.setdefault(place, grid) == grid, f"another solution {place} of {self.line}"

    def judge_verdict(self, verdict: int, complete: bool = True) -> None:
        """Judge the verdict of a search for two solutions."""
        self.judge(2, min(self.count, 2) if complete else 2 if verdict == 2 else 0, verdict, complete)

    def judge(
        self,
        limit: int | None,
        count: int,
        verdict: int,
        complete: bool,
        grids: Mapping[int, str | None] = MappingProxyType({}),
    ) -> None:
        """Judge an answer; `grids` are the solution (0) and the second solution (1), if requested."""
        about = f"{self.line}: {limit=} {count=} {verdict=} {complete=}"
        if complete:
            if limit is None and self.count == MOST:
                assert count >= MOST, about
            else:
                assert count == self.capped_count(limit), about
            verdict_of_one = 3 if limit == 1 else 1  # UNKNOWN: a second solution was not searched for
            assert verdict == (0, verdict_of_one, 2)[min(count, 2)], about
        else:
            assert count <= self.count or self.count == MOST, about
            assert verdict == (2 if count > 1 else 3), about
        for place, grid in grids.items():
            due = count > place and (limit is None or limit > place)
            assert not (complete and due and grid is None), f"no grid {place} of {about}"
            assert due or grid is None, f"a grid {place} too many of {about}"
            if grid is not None:
                self.judge_grid(grid, place)


_CODES = bytes(48 + byte if byte < 10 else byte for byte in range(256))


def text_of(cells: bytes | None) -> str | None:
    """Return a grid of 81 numbers or characters as text; None for none."""
    if cells is None or not any(cells):
        return None
    return cells.translate(_CODES).decode()


def _fewer(random: Random, low: int, high: int) -> str:
    return with_clues(moved(SOLUTION, random), random.randint(low, high), random)


def _contradictory(random: Random) -> str:
    """Return a puzzle with a wrong clue, but no two equal clues in a house."""
    while True:
        line = list(_fewer(random, 24, 34))
        cell = random.randrange(81)
        line[cell] = random.choice("123456789")
        clues = [[line[k] for k in house if line[k] != "."] for house in HOUSES]
        if all(len(set(digits)) == len(digits) for digits in clues):
            return "".join(line)


@cache
def pool(seed: int, size: int = 80) -> list[CountedPuzzle]:
    """Return puzzles of every kind: easy and hard, with no, one, several and very many solutions."""
    random = Random(seed)
    lines = [*SHARED, UNIQUE, SOLUTION, NONE, EIGHT, "." * 81]
    kinds = [
        lambda: moved(random.choice(SHARED), random),
        lambda: moved(random.choice(SHARED), random),
        lambda: moved(random.choice((UNIQUE, EIGHT)), random),
        lambda: _fewer(random, 22, 30),
        lambda: _fewer(random, 12, 21),
        lambda: _fewer(random, 35, 80),
        lambda: _contradictory(random),
        lambda: moved(NONE, random),
    ]
    lines += [kinds[k % len(kinds)]() for k in range(size - len(lines))]
    return [CountedPuzzle(line, count_by_masks(line, MOST)) for line in lines]
