"""Minimal puzzles: no redundant clue remains, and a seed determines the result."""

import numpy as np
import pytest
from example_puzzles import UNIQUE as PUZZLE, changed
from forms import FORMS, force

import unidoku
from unidoku import Cancel, SearchStoppedError, Verdict, kernel
from unidoku.craft.generate import random_grids
from unidoku.craft.minimize import are_minimal, minimize, minimize_many, reduce_clues
from unidoku.craft.request import Request
from unidoku.native.clues.reduction import order_of


def test_minimize_one():
    small = minimize(PUZZLE, seed=7)
    assert unidoku.solve(small) == unidoku.solve(PUZZLE)
    assert all(clue in (0, whole) for clue, whole in zip(small, unidoku.Grid(PUZZLE), strict=True))
    assert are_minimal(np.frombuffer(small.cells, np.uint8)[None]).all()
    clues = [cell for cell in range(81) if small[cell]]
    assert not any(unidoku.check(changed(small.line, {cell: "."})) for cell in clues)
    assert not are_minimal(np.frombuffer(unidoku.Grid(PUZZLE).cells, np.uint8)[None]).any()
    assert minimize(PUZZLE, seed=7) == small
    assert len({minimize(PUZZLE, seed=seed) for seed in range(10)}) > 1
    assert minimize(small, seed=1) == small


@pytest.mark.parametrize("isa", FORMS)
def test_minimize_many(isa, monkeypatch):
    rows = random_grids(3000, 8)
    rows[:, :5] = 0
    rows = rows[unidoku.check_many(rows).verdict == Verdict.UNIQUE]
    puzzles = minimize_many(rows, seed=3, threads=1).puzzle
    force(monkeypatch, isa)
    assert (minimize_many(rows, seed=3, threads=3).puzzle == puzzles).all()
    assert unidoku.check_many(puzzles).unique == len(rows)
    assert are_minimal(puzzles[:500]).all()
    text = [unidoku.Grid(row).line for row in rows[:20]]
    assert (minimize_many(text, seed=3).puzzle == puzzles[:20]).all()
    for few in (1, 3, 5, 8):  # few puzzles are reduced one by one
        assert (minimize_many(rows[:few], seed=3).puzzle == puzzles[:few]).all()
    assert list(minimize(text[0], seed=3)) == puzzles[0].tolist()


@pytest.mark.parametrize("isa", FORMS)
@pytest.mark.parametrize("symmetry", ["none", "180", "full"])
def test_clues_removed_one_by_one_and_together(isa, symmetry):
    """Few puzzles and many: also in sets of cells, and with a least number of clues."""
    units = Request(symmetry=symmetry).units
    grids = random_grids(20, 5)
    seeds = np.arange(20, dtype=np.uint64)
    for least in (0, 30, 78):
        fewest = np.full(20, least)
        together = reduce_clues(grids, grids, seeds, fewest, units)
        alone = [reduce_clues(grids[[k]], grids[[k]], seeds[[k]], fewest[[k]], units)[0] for k in range(20)]
        assert np.array_equal(together, alone)
        assert (np.count_nonzero(together, axis=1) >= least).all()
    kernel_of = kernel.isa_module(isa)
    for k in range(5):
        puzzle, grid = bytearray(grids[k]), grids[k].tobytes()
        assert kernel_of.remove_clues(puzzle, order_of(grid, units, k), units)
        expected = reduce_clues(grids, grids, seeds, None, units)[k]
        assert puzzle == expected.tobytes()


def test_one_by_one_a_cancel_ends_the_work():
    cancel = Cancel()
    cancel.set()
    with pytest.raises(SearchStoppedError):
        reduce_clues(random_grids(1, 5), random_grids(1, 5), np.zeros(1, np.uint64), cancel=cancel)


def test_buffers_of_another_size_are_refused():
    native, right = kernel.lanes(), bytearray(81)
    for cells, units in ((bytearray(80), right), (right, bytes(82))):
        with pytest.raises(ValueError, match="81 bytes"):
            native.remove_clues(cells, b"", units)
        with pytest.raises(ValueError, match="81 bytes"):
            order_of(cells, units, 0)
    with pytest.raises(ValueError, match="range"):
        order_of(right, bytes([81] * 81), 0)
