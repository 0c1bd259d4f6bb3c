"""The book's numbering: 36 results, 64 groups, 2,304 puzzles."""

import numpy as np
import pytest

import unidoku
from unidoku.craft._minimize import are_minimal
from unidoku.craft._series import RESULTS, TRANSFORMATIONS, Series
from unidoku.craft._transform import Transformation
from unidoku.errors import UnidokuError


@pytest.fixture(scope="module")
def series():
    return Series.generate(seed=3)


def test_transformations():
    assert len(set(TRANSFORMATIONS)) == 64
    assert TRANSFORMATIONS[0] == Transformation()
    assert TRANSFORMATIONS[1].digits == tuple(range(9, 0, -1))
    assert TRANSFORMATIONS[32] == Transformation.bands((1, 0, 2))


def test_numbers_of_the_book(series):
    assert RESULTS * 64 == len(series) == 2304
    places = [(group, place) for group in range(1, 65) for place in range(1, 37)]
    assert [series.position(number) for number in range(1, 2305)] == places
    assert [series.number(*position) for position in places] == list(range(1, 2305))
    for group, place in ((0, 1), (65, 1), (-1, 1), (1, 0), (1, 37)):
        with pytest.raises(UnidokuError, match=r"(group must be 1 to 64|place must be 1 to 36), not"):
            series.number(group, place)


def test_puzzles(series):
    rows = series.rows()
    assert unidoku.check_many(rows).unique == 2304
    assert len(np.unique(rows, axis=0)) == 2304
    assert are_minimal(rows[:36]).all()
    for number in (1, 36, 37, 1000, 2304):
        puzzle = series.puzzle(number)
        assert puzzle.cells == bytes(rows[number - 1])
        assert series.find(puzzle) == number
        group, place = series.position(number)
        assert TRANSFORMATIONS[group - 1](series.puzzle(place)) == puzzle
    assert series.find("." * 81) is None
