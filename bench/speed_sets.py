"""The sets of puzzles on which solvers are compared: bundled, or made from a seed."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from unidoku._compat import np
from unidoku._table.forms import read_cells
from unidoku.craft._generate import generate
from unidoku.tasks._search import SAMPLE
from unidoku.tasks._speed import random_images

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEED = 1

_EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"  # newspaper
_HARD = (  # made for people or against simple searches; from the literature
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....",
    "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1",
    ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...",
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
)


@dataclass(frozen=True)
class PuzzleSet:
    """Puzzles of one kind: from where they are, and how many solutions each has."""

    name: str
    source: str
    rows: Callable[[int], NDArray[np.uint8]]
    """Return a number of puzzles, cells 0 to 9; images of some puzzles are of the first ones in turn."""
    counts: Callable[[int], NDArray[np.uint64] | None] = lambda _: None
    """Return the numbers of solutions of these, by another source than the kernels; 2 may be more."""


def image_set(
    name: str, source: str, puzzles: Callable[[], NDArray[np.uint8]], solutions: int | None = 1
) -> PuzzleSet:
    """Return the set of the images of some puzzles, which all have the same number of solutions, if known."""

    @lru_cache(1)
    def rows(number: int) -> NDArray[np.uint8]:
        return random_images(np.resize(puzzles(), (number, 81)))

    def counts(number: int) -> NDArray[np.uint64] | None:
        return None if solutions is None else np.full(number, solutions, np.uint64)

    return PuzzleSet(name, source, rows, counts)


def few_clues() -> NDArray[np.uint8]:
    """Return the bundled puzzles with 17 clues."""
    path = os.path.join(os.path.dirname(SAMPLE), "17clue.txt")
    return read_cells(np.loadtxt(path, "S81", comments="#"))[0]


def _without_a_clue() -> NDArray[np.uint8]:
    """Return puzzles with several solutions: no puzzle has fewer than 17 clues and one solution."""
    rows = few_clues().copy()
    order = np.random.default_rng(SEED).random(rows.shape)
    rows[np.arange(len(rows)), np.where(rows > 0, order, -1).argmax(axis=1)] = 0
    return rows


@lru_cache(1)
def _generate(number: int) -> NDArray[np.uint8]:
    return generate(number, seed=SEED, minimal=True)


_ROYLE = "Gordon Royle's list, Creative Commons Attribution 2.5"

SETS = {
    each.name: each
    for each in (
        image_set("easy", "images of one newspaper puzzle with 30 clues", lambda: read_cells([_EASY])[0]),
        PuzzleSet(
            "middle",
            "minimal puzzles that unidoku generates (seed 1), 24 clues on average",
            _generate,
            lambda number: np.ones(number, np.uint64),
        ),
        image_set(
            "hard",
            "images of six puzzles that are hard for people or for simple searches",
            lambda: read_cells(list(_HARD))[0],
        ),
        image_set("17clue", f"images of 500 puzzles of 17 clues ({_ROYLE})", few_clues),
        image_set(
            "several", "those of 17clue without one clue: several solutions", _without_a_clue, solutions=2
        ),
    )
}
"""The sets that need nothing beside the package."""
