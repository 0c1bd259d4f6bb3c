"""The plain model of the scale se121 against ratings by Sudoku Explainer itself."""

from __future__ import annotations

from pathlib import Path

import pytest
import rating_model

KNOWN = Path(__file__).parents[1] / "known" / "se121.txt"


def known_ratings(path: Path) -> list[tuple[str, tuple[int, ...]]]:
    lines = [line.split() for line in path.read_text().splitlines() if not line.startswith("#")]
    return [
        (puzzle, tuple(round(float(part) * 10) for part in rating.split("/"))) for puzzle, rating in lines
    ]


def different(known: list[tuple[str, tuple[int, ...]]]) -> dict[str, object]:
    own = [(puzzle, rating, rating_model.ratings(puzzle)) for puzzle, rating in known]
    return {puzzle: (rating, found) for puzzle, rating, found in own if rating != found}


def test_model_agrees_with_the_original():
    known = [row for row in known_ratings(KNOWN) if row[1][0] <= 73]
    assert len(known) > 35
    assert different(known) == {}


@pytest.mark.slow
def test_model_agrees_with_the_original_on_long_chains():
    known = [row for row in known_ratings(KNOWN) if row[1][0] > 73]
    assert max(rating for _, (rating, _, _) in known) == 89
    assert different(known) == {}


@pytest.mark.slow
def test_model_agrees_with_the_original_on_real_lists(shared_data):
    known = [row for row in known_ratings(shared_data / "se121-ratings.txt") if row[1][0] <= 89]
    assert len(known) > 600
    assert different(known[::10]) == {}  # all take a quarter of an hour
