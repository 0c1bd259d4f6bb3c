"""Redundant clues removed: against the plain method, by seed, and all minimal puzzles against all subsets."""

import numpy as np
import pytest
from example_puzzles import UNIQUE as PUZZLE
from forms import FORMS, force

import unidoku
from unidoku import Verdict
from unidoku.craft.generate import random_grids
from unidoku.craft.minimize import (
    are_minimal,
    minimize,
    minimize_many,
    reduce_clues,
)
from unidoku.craft.seeds import words

MASK = 2**64 - 1


def shuffled(items, seed):
    """The order that the native module draws: Fisher and Yates with SplitMix64."""
    items = list(items)
    for k in range(len(items) - 1, 0, -1):
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        word = ((seed ^ seed >> 30) * 0xBF58476D1CE4E5B9) & MASK
        word = ((word ^ word >> 27) * 0x94D049BB133111EB) & MASK
        word ^= word >> 31
        other = (word >> 32) * (k + 1) >> 32
        items[k], items[other] = items[other], items[k]
    return items


def plain(cells, seed, fewest=0, units=range(81)):
    """Drop units one by one where one solution remains."""
    row = bytearray(cells)
    order = []
    for cell in range(81):
        if row[cell] and units[cell] not in order:
            order.append(units[cell])
    for unit in shuffled(order, seed):
        less = bytearray(0 if units[k] == unit else row[k] for k in range(81))
        if sum(map(bool, less)) >= fewest and unidoku.check(bytes(less)) is Verdict.UNIQUE:
            row = less
    return bytes(row)


CELLS = list(range(81))
MIRRORED = [min(k, 80 - k) for k in CELLS]


@pytest.mark.parametrize(
    ("fewest", "units"), [([0] * 6, CELLS), ([81, 60, 40, 30, 26, 17], CELLS), ([0] * 6, MIRRORED)]
)
def test_reduction_equals_the_simple_method(fewest, units):
    grids = random_grids(6, 3)
    seeds = words(4, 0, 6)
    reduced = reduce_clues(grids, grids, seeds, np.array(fewest), np.array(units, np.uint8))
    wanted = [
        plain(grid.tobytes(), int(seed), most, units)
        for grid, seed, most in zip(grids, seeds, fewest, strict=True)
    ]
    assert [bytes(row) for row in reduced] == wanted
    if any(fewest):
        assert np.count_nonzero(reduced, axis=1)[:4].tolist() == fewest[:4]
    elif units is CELLS:
        assert are_minimal(reduced).all()


def test_minimize_one(top1465):
    small = minimize(PUZZLE, seed=7)
    assert unidoku.solve(small) == unidoku.solve(PUZZLE)
    assert all(clue in (0, whole) for clue, whole in zip(small, unidoku.Grid(PUZZLE), strict=True))
    assert are_minimal(np.frombuffer(small.cells, np.uint8)[None]).all()
    assert minimize(PUZZLE, seed=7) == small
    assert len({minimize(PUZZLE, seed=seed) for seed in range(10)}) > 1
    assert minimize(small, seed=1) == small


@pytest.mark.parametrize("isa", FORMS)
def test_minimize_many(isa, monkeypatch):
    rows = random_grids(3000, 8)
    rows[:, :5] = 0
    rows = rows[unidoku.check_many(rows).verdict == Verdict.UNIQUE]
    wanted = minimize_many(rows, seed=3, threads=1).puzzle
    force(monkeypatch, isa)
    assert (minimize_many(rows, seed=3, threads=3).puzzle == wanted).all()
    assert unidoku.check_many(wanted).unique == len(rows)
    assert are_minimal(wanted[:500]).all()
    text = [unidoku.Grid(row).line for row in rows[:20]]
    assert (minimize_many(text, seed=3).puzzle == wanted[:20]).all()
