"""The words for the difficulty: what a puzzle needs, in any order of the steps."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
import rating_model
from known_ratings import ONE_OF_EACH, TABLE
from rating_board import BOXES, Board

import unidoku
from unidoku import generate, kernel, lines, rate, rate_many, steps
from unidoku.craft.transform import random_numbers, transform_many
from unidoku.method import classify_many
from unidoku.rating.se121 import DIFFICULTIES

SINGLES = [rating_model.hidden_singles, rating_model.naked_singles]
SUBSETS = [
    *SINGLES,
    rating_model.intersections,
    *(find("", 0, size) for size in (2, 3) for find in (rating_model.naked_sets, rating_model.hidden_sets)),
]
# what the steps of easy and medium puzzles are; direct steps are these with a hidden single
BASIC = ("single", "pointing", "claiming", "pair", "triplet")
WORDS = [*DIFFICULTIES]


def fill(puzzle: str, producers: list[rating_model.Producer]) -> bool:
    """Whether the techniques fill the puzzle."""
    board = Board(puzzle)
    while step := next((step for find in producers for step in find(board)), None):
        board.apply(step)
    return board.filled


@pytest.fixture(scope="module")
def known() -> dict[str, list[str]]:
    """Some puzzles for each word."""
    puzzles = [*dict.fromkeys([*ONE_OF_EACH, *TABLE, *lines(generate(400, seed=3)), *near()])]
    words: dict[str, list[str]] = {word: [] for word in DIFFICULTIES}
    for puzzle, word in zip(puzzles, rate_many(puzzles, below=9.0).difficulty, strict=True):
        words[word].append(puzzle)
    assert all(len(some) > 15 for some in words.values())
    return {word: some[:: max(1, len(some) // 20)] for word, some in words.items()}


def near() -> list[str]:
    """Puzzles for which the rating does not decide: X-wings, hidden pairs and triplets."""
    return lines(generate(30, seed=4, rating=(3.2, 4.0)))


def test_easy_puzzles_need_singles_alone(known):
    assert all(fill(puzzle, SINGLES) for puzzle in known["easy"])


def test_medium_puzzles_need_locked_candidates_pairs_or_triplets(known):
    for puzzle in known["medium"]:
        assert not fill(puzzle, SINGLES)
        assert fill(puzzle, SUBSETS)


def test_hard_puzzles_need_a_fish_a_wing_a_rectangle_or_such(known):
    for puzzle in known["hard"]:
        assert not fill(puzzle, SUBSETS)
        path = steps(puzzle)
        assert max(step.rating for step in path) <= 6.9
        assert any(not step.technique.endswith(BASIC) for step in path)
        assert not any(step.technique in ("forcing chain", "XY-cycle") for step in path)


def test_expert_puzzles_need_chains(known):
    for puzzle in known["expert"]:
        hardest = max(steps(puzzle), key=lambda step: step.rating)
        assert 7.0 <= hardest.rating <= 7.9
        assert hardest.links or hardest.technique == "aligned triplet exclusion"


def test_extreme_puzzles_need_a_step_of_8_or_more(known):
    for puzzle in known["extreme"]:
        assert max(step.rating for step in steps(puzzle)) >= 8.0


def test_the_ratings_of_each_word(known):
    for word, (lowest, highest) in DIFFICULTIES.items():
        found = rate_many(known[word], below=9.0)
        assert set(found.difficulty) == {word}
        assert lowest <= found.er.min() <= found.er.max() <= highest
        assert [rating.difficulty for rating in found] == found.difficulty


def test_the_classes_of_the_book_agree():
    """Theorems 1 to 4 are the singles, extended zeroing locked candidates; its subsets go up to four."""
    puzzles = generate(3000, seed=6)
    words, classes = rate_many(puzzles).difficulty_codes, classify_many(puzzles).classes
    assert ((words == 1) == (classes == 1)).all()
    assert set(classes[words == 2].tolist()) == {2, 3}
    assert set(classes[words > 2].tolist()) <= {3, 4}


def groups(isa: str, puzzles: np.ndarray, **options: bool) -> list[int]:
    """The groups of techniques that are enough for some puzzles on an instruction set."""
    engine, n = import_module(f"unidoku.native.rating.{isa}"), len(puzzles)
    text, starts = puzzles.reshape(-1), 81 * np.arange(n)
    er, ep, ed = np.zeros((3, n), np.int16)
    techniques, outcomes, found = np.full((3, n), 77, np.uint8)
    ratings = {"er": er, "ep": ep, "ed": ed, "techniques": techniques, "outcomes": outcomes}
    engine.rate_cells(text, starts, zero=0, below=50, **ratings, **options)
    engine.group_cells(text, starts, zero=0, er=er, outcomes=outcomes, groups=found)
    return found.tolist()


@pytest.mark.parametrize("isa", kernel.usable())
@pytest.mark.parametrize("count", [0, 1, 9, 31, 70, 3000])
def test_every_instruction_set_gives_the_same_words_one_by_one_and_together(isa, count):
    puzzles = generate(count, seed=count)
    words = rate_many(puzzles).difficulty_codes.tolist()
    assert groups(isa, puzzles) == [min(word, 3) for word in words]
    assert groups(isa, puzzles[::-1].copy(), lanes=False)[::-1] == [min(word, 3) for word in words]
    assert [WORDS.index(str(rate(row).difficulty)) + 1 for row in puzzles[:9]] == words[:9]


def test_images_have_the_same_word():
    """Up to 6.9 the order of the steps does not matter, or hardly ever."""
    puzzles = generate(2000, seed=7, clues=(24, 28))
    images = transform_many(puzzles, random_numbers(len(puzzles), 8))
    assert rate_many(images).difficulty == rate_many(puzzles).difficulty


@pytest.mark.parametrize("below", [1.2, 2.0, 2.6, 3.2, 4.4, 7.0, 7.9])
def test_easy_and_medium_are_known_below_any_rating(known, below):
    for word in ("easy", "medium"):
        assert set(rate_many(known[word], below=below).difficulty) == {word}
    for word in ("hard", "expert", "extreme"):
        found = rate_many(known[word], below=below)
        at_least = "hard" if below < 7.0 else "expert" if word != "hard" else "hard"
        assert set(np.array(found.difficulty)[found.at_least].tolist()) <= {at_least}


def test_the_word_of_pencil_marks_is_that_of_the_position(known):
    for word in WORDS[:3]:
        for puzzle in known[word][:5]:
            first = steps(puzzle)[0]
            assert rate(first.before.marks).difficulty == word
    hard = steps(known["hard"][0])
    last = max(k for k, step in enumerate(hard) if not step.technique.endswith(BASIC))
    assert rate(hard[last].after.marks).difficulty in ("easy", "medium")


def test_steps_have_the_same_word(known):
    for word, puzzles in known.items():
        assert {steps(puzzle).difficulty for puzzle in puzzles[:10]} == {word}
    assert steps(unidoku.solve(known["easy"][0])).difficulty is None


def test_beginners_need_box_singles_and_last_cells():
    puzzles = generate(40, seed=1, difficulty="beginner")
    assert 30 <= np.count_nonzero(puzzles, axis=1).min() <= np.count_nonzero(puzzles, axis=1).max() <= 36
    for puzzle in lines(puzzles):
        board = Board(puzzle)
        while not board.filled:
            board.place(*next(last_cell_or_box_single(board)))
    assert set(rate_many(puzzles).difficulty) == {"easy"}


def last_cell_or_box_single(board: Board):
    for step in rating_model.hidden_singles(board):
        cell, digit = step.place
        if step.technique == "last cell" or any(board.places(box, digit) == [cell] for box in BOXES):
            yield step.place


def test_beginners_may_have_more_clues():
    more = generate(5, seed=1, difficulty="Beginner", clues=(28, 45), symmetry="180")
    assert np.count_nonzero(more, axis=1).min() >= 30
    pattern = np.flatnonzero(more[0])
    same = generate(2, seed=1, difficulty="beginner", pattern=pattern)
    assert all((np.flatnonzero(row) == pattern).all() for row in same)
