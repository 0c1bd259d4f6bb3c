"""Cells and houses, against the rules of the game and the native tables."""

import counting
import numpy as np
import pytest

from unidoku import Grid
from unidoku.cell import (
    HOUSE_NAMES,
    HOUSES,
    HOUSES_OF,
    PEERS,
    candidate_of,
    cell_name,
    cell_number,
)


def test_houses_and_peers():
    assert [list(house) for house in HOUSES] == counting.HOUSES
    assert [set(peers) for peers in PEERS] == counting.PEERS
    assert [HOUSE_NAMES[k] for k in (0, 8, 9, 26)] == ["row 1", "row 9", "column 1", "box 9"]
    for cell, houses in enumerate(HOUSES_OF):
        assert set(houses) == {house for house in range(27) if cell in HOUSES[house]}


def test_names_and_numbers():
    assert [cell_name(cell) for cell in (0, 8, 9, 80)] == ["r1c1", "r1c9", "r2c1", "r9c9"]
    for cell in range(81):
        assert cell_number(cell_name(cell)) == cell_number(cell) == cell_number(np.int64(cell)) == cell
    assert candidate_of("r4c2=7") == candidate_of(("R4C2", 7)) == candidate_of((28, 7)) == (28, 7)


def test_an_invalid_cell():
    for cell in [-1, 81, "r0c1", "r1c10", "5", "", (1, 1), 3.0, None]:
        with pytest.raises(ValueError, match="invalid cell"):
            cell_number(cell)


def test_an_invalid_candidate():
    for candidate in ["r1c1", "r1c1=0", "r1c1=x", "r1c1=10", (1, 0), (1, 10), 5, (1, 2, 3)]:
        with pytest.raises(ValueError, match="invalid candidate"):
            candidate_of(candidate)


def test_native_code_has_the_same_houses():
    """A digit twice in a house has no solution; in two cells without a common house, it has."""
    import unidoku

    for cell in range(81):
        values = bytearray(81)
        values[cell] = 5
        for second_cell in range(81):
            if second_cell != cell:
                pair = bytearray(values)
                pair[second_cell] = 5
                verdict = unidoku.check(Grid(bytes(pair)), budget=1)
                assert (verdict is unidoku.Verdict.NONE) == (second_cell in PEERS[cell])
