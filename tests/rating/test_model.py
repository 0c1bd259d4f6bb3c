"""The plain model of the scale se121 against ratings by Sudoku Explainer itself."""

from __future__ import annotations

import pytest
import rating_model
from known_ratings import ONE_OF_EACH, Row, read


def different(known: dict[str, Row]) -> dict[str, object]:
    own = {puzzle: rating_model.ratings(puzzle) for puzzle in known}
    return {puzzle: (rating, own[puzzle]) for puzzle, rating in known.items() if rating != own[puzzle]}


def test_model_agrees_with_the_original():
    known = {puzzle: row for puzzle, row in ONE_OF_EACH.items() if row[0] <= 73}
    assert len(known) > 35
    assert different(known) == {}


@pytest.mark.slow
def test_model_agrees_with_the_original_on_long_chains():
    known = {puzzle: row for puzzle, row in ONE_OF_EACH.items() if 73 < row[0] <= 89}
    hardest = max(known, key=lambda puzzle: known[puzzle][0])
    assert known[hardest][0] == 89
    assert different(dict([*known.items()][::2]) | {hardest: known[hardest]}) == {}  # all take minutes


@pytest.mark.slow
def test_model_agrees_with_the_original_on_real_lists(shared_data):
    every = read(shared_data / "se121-ratings.txt")
    known = {puzzle: row for puzzle, row in every.items() if row[0] <= 89}
    assert len(known) > 600
    assert different(dict([*known.items()][::10])) == {}  # all take a quarter of an hour
