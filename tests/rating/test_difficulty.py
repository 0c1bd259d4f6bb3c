"""Words for the difficulty: ranges of ER."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from cases import in_turn
from counting import BOXES, HOUSES, PEERS
from known_ratings import ONE_OF_EACH, TABLE

from unidoku import generate, lines, rate, rate_many, steps
from unidoku.craft._request import Request
from unidoku.rating._scale import DIFFICULTIES, difficulty_of


@pytest.fixture(scope="module")
def puzzles_by_word() -> dict[str, list[str]]:
    """Some puzzles for each word."""
    puzzles = [*dict.fromkeys([*ONE_OF_EACH, *TABLE, *lines(generate(400, seed=3))])]
    words: dict[str, list[str]] = {word: [] for word in DIFFICULTIES}
    for puzzle, word in zip(puzzles, rate_many(puzzles, below=9.0).difficulty, strict=True):
        words[word].append(puzzle)
    assert all(len(group) > 15 for group in words.values())
    return {word: group[:: max(1, len(group) // 20)] for word, group in words.items()}


def test_the_ranges_follow_one_another():
    bounds = [*DIFFICULTIES.values()]
    assert (bounds[0][0], bounds[-1][1]) == (1.0, 20.0)
    assert all(high < low for (_, high), (low, _) in pairwise(bounds))


def test_the_word_of_an_er():
    for er, word in [
        *((er, "easy") for er in (1.0, 1.7, 2.3)),
        *((er, "medium") for er in (2.5, 3.2, 4.0)),
        *((er, "hard") for er in (4.2, 6.9)),
        *((er, "expert") for er in (7.0, 7.9)),
        *((er, "extreme") for er in (8.0, 20.0)),
    ]:
        assert difficulty_of(er) == word
        assert Request(difficulty=word, er=er).steps.er[:2] == (er, er)


def test_the_word_is_the_same_for_one_and_for_many_and_for_steps(puzzles_by_word):
    for word, puzzles in puzzles_by_word.items():
        for puzzle in puzzles[:5]:
            path = steps(puzzle)
            assert rate(puzzle).difficulty == path.difficulty == word


@in_turn
@pytest.mark.parametrize("word", DIFFICULTIES)
def test_puzzles_are_made_by_the_word_of_rate(word):
    puzzles = generate(20, seed=5, difficulty=word)
    assert set(rate_many(puzzles).difficulty) == {word}


def test_a_lower_bound_has_the_word_of_the_bound(puzzles_by_word):
    for word in ("hard", "expert", "extreme"):
        ratings = rate_many(puzzles_by_word[word], below=2.6)
        assert ratings.at_least.all()
        assert set(ratings.difficulty) == {"medium"}


def test_beginners_need_box_singles_and_last_cells():
    puzzles = generate(40, seed=1, difficulty="beginner")
    assert 30 <= np.count_nonzero(puzzles, axis=1).min() <= np.count_nonzero(puzzles, axis=1).max() <= 36
    for puzzle in lines(puzzles):
        cells = [*puzzle]
        while "." in cells:
            cell, digit = last_cell_or_box_single(cells)
            cells[cell] = digit
    assert set(rate_many(puzzles).difficulty) == {"easy"}


def last_cell_or_box_single(cells: list[str]) -> tuple[int, str]:
    """Return the only empty cell of a house, or the only place of a digit in a box."""
    for house in HOUSES:
        if [cells[cell] for cell in house].count(".") == 1:
            values = {cells[cell] for cell in house}
            return next(cell for cell in house if cells[cell] == "."), ({*"123456789"} - values).pop()
    for box, digit in product(BOXES, "123456789"):
        places = [c for c in box if cells[c] == "." and digit not in {cells[p] for p in PEERS[c]}]
        if len(places) == 1 and digit not in {cells[cell] for cell in box}:
            return places[0], digit
    raise AssertionError("no step of a beginner")


def test_beginners_may_have_more_clues():
    rows = generate(5, seed=1, difficulty="Beginner", clues=(28, 45), symmetry="180")
    assert np.count_nonzero(rows, axis=1).min() >= 30
    fewest = generate(2, seed=1, difficulty="beginner", clues=(24, 30))
    assert set(np.count_nonzero(fewest, axis=1)) == {30}
    pattern = np.flatnonzero(rows[0])
    pattern_rows = generate(2, seed=1, difficulty="beginner", pattern=pattern)
    assert all((np.flatnonzero(row) == pattern).all() for row in pattern_rows)
