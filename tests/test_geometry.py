"""The houses, against the rules of the game."""

from __future__ import annotations

from unidoku.geometry import HOUSE_NAMES, HOUSES, HOUSES_OF, PEERS
from unidoku.method import checker, state


def test_every_kind_of_house_covers_the_grid():
    for first in (0, 9, 18):
        assert sorted(cell for house in HOUSES[first : first + 9] for cell in house) == list(range(81))
    assert all(len(house) == 9 and list(house) == sorted(house) for house in HOUSES)
    assert [HOUSE_NAMES[k] for k in (0, 8, 9, 26)] == ["row 1", "row 9", "column 1", "box 9"]
    assert HOUSES[20] == (6, 7, 8, 15, 16, 17, 24, 25, 26)
    assert all(cell in HOUSES[house] for cell in range(81) for house in HOUSES_OF[cell])


def test_peers_share_a_house():
    for cell, peers in enumerate(PEERS):
        assert len(peers) == 20
        assert peers == {
            other
            for other in range(81)
            if other != cell and any(cell in house and other in house for house in HOUSES)
        }


def test_the_checker_s_own_table_says_the_same():
    """It is a second definition on purpose."""
    for house, name in enumerate(HOUSE_NAMES):
        assert checker._CELLS_OF[name] == {cell + 1 for cell in HOUSES[house]}
        assert state.unit_name(house + 1) == name
