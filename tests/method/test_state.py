"""Cell numbers, units, and the arrays of a state."""

import numpy as np
from example_puzzles import UNIQUE as PUZZLE

from unidoku import method
from unidoku.grid import Grid
from unidoku.method.state import State


def test_expansion():
    grid = Grid(PUZZLE)
    state = State(grid.cells)
    given = np.frombuffer(grid.cells, dtype=np.uint8)
    assert (np.array(state.NA) == given).all()
    assert [int(k) for k in state.KH if k] == list(range(1, 31))
    assert (np.where(given, 1, 9) == state.MMK).all()
    for cell in range(1, 82):
        value = int(given[cell - 1])
        expected = (value,) if value else tuple(range(1, 10))
        assert state.components(cell) == expected


def test_nak_and_mmk_stay_one():
    record = method.explain(PUZZLE)
    replay = record.replay()
    for event in replay:
        state = replay.state
        cell = event.cell - 1
        standing = int(np.count_nonzero(state.NAK[:, cell]))
        assert state.MMK[cell] == (1 if state.NA[cell] else standing)
        if event.kind == "zero":
            assert state.NAK[event.digit - 1, cell] == 0
    assert (np.count_nonzero(replay.state.NAK, axis=0) == 1).all()
    assert (replay.state.NAK.sum(axis=0) == replay.state.NA).all()
