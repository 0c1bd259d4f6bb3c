"""Ratings on the scale se121 against a table made with Sudoku Explainer, and the steps behind them."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pytest
from example_puzzles import MULTIPLE, NONE, UNIQUE
from known_ratings import HARDEST, TABLE, read_ratings
from rating_engine import engine, rated, ratings_of
from step_checker import DIGITS, PEERS

import unidoku
from unidoku import InvalidPuzzleError, kernel, rate
from unidoku.craft._transform import random_numbers, transform_many
from unidoku.rating._names import TECHNIQUES
from unidoku.rating._ratings import rate_many
from unidoku.rating._steps import path_of, steps


def tuples(ratings) -> list[tuple[int, int, int]]:
    columns = (
        np.nan_to_num(10 * column).round().astype(int) for column in (ratings.er, ratings.ep, ratings.ed)
    )
    return list(zip(*(column.tolist() for column in columns), strict=True))


def replay(puzzle, steps):
    """Apply the steps to plain sets of candidates and check each against the solution; return the cells."""
    solution = unidoku.solve(puzzle).cells
    cells = list(unidoku.Grid(puzzle).cells)
    candidates = [set() if cells[a] else DIGITS - {cells[b] for b in PEERS[a]} for a in range(81)]
    for step in steps:
        assert step.placements or step.eliminations
        for cell, digit in step.eliminations:
            assert digit in candidates[cell]
            assert digit != solution[cell]
            candidates[cell] -= {digit}
        for cell, digit in step.placements:
            assert digit in candidates[cell]
            assert digit == solution[cell]
            cells[cell] = digit
            candidates[cell] = set()
            for peer in PEERS[cell]:
                candidates[peer] -= {digit}
    return cells


def test_the_table_agrees_with_sudoku_explainer():
    ratings = rate_many(list(TABLE), threads=2)
    assert tuples(ratings) == list(TABLE.values())
    assert not ratings.reasons
    assert not ratings.at_least.any()
    # each of these is the hardest technique of some puzzle in the table
    assert {*ratings.technique} >= {*TECHNIQUES[1:33]} - {"direct claiming"}


@pytest.mark.parametrize("isa", kernel.usable())
def test_every_instruction_set_agrees(isa):
    outputs = rated(engine(isa), list(TABLE), below=90)
    assert ratings_of(outputs) == [tuple(min(part, 90) for part in row) for row in TABLE.values()]
    assert outputs["outcomes"].tolist() == [3 if row[0] >= 90 else 0 for row in TABLE.values()]


def test_the_path_is_true_and_gives_the_rating():
    for puzzle in [puzzle for puzzle, row in TABLE.items() if row[0] < 90]:
        path = path_of(puzzle).deductions
        assert replay(puzzle, path) == list(unidoku.solve(puzzle).cells)
        ratings = [round(10 * step.rating) for step in path]
        first_placement = next(k for k, step in enumerate(path) if step.placements)
        assert (max(ratings), max(ratings[: first_placement + 1]), ratings[0]) == TABLE[puzzle]
        assert {step.technique for step in path} <= set(TECHNIQUES[1:])


def test_order_does_not_matter_up_to_xyz_wings(top1465):
    puzzles = [puzzle for puzzle in top1465[:150] if unidoku.check(puzzle)]
    easy = np.flatnonzero(rate_many(puzzles, below=4.5).er < 4.5)
    puzzles = [puzzles[k] for k in easy]
    assert len(puzzles) > 10
    rates = tuples(rate_many(puzzles))
    for puzzle, (er, ep, ed) in zip(puzzles, rates, strict=True):
        ratings = [round(10 * step.rating) for step in steps(puzzle)]
        assert max(ratings) == er
        assert ratings[0] == ed
        assert ed <= ep <= er
    images = transform_many(puzzles, random_numbers(len(puzzles), 5)).puzzle
    assert tuples(rate_many(images)) == rates


def test_below_is_a_cap():
    puzzles = list(TABLE)
    ratings = rate_many(puzzles, below=7.1)
    assert tuples(ratings) == [tuple(min(part, 71) for part in row) for row in TABLE.values()]
    assert ratings.at_least.tolist() == [row[0] >= 71 for row in TABLE.values()]
    assert {ratings.technique[row] for row in np.flatnonzero(ratings.at_least)} == {None}
    hardest = max(TABLE, key=lambda puzzle: TABLE[puzzle][0])
    capped = rate(hardest, below=6.0)
    assert (capped.er, capped.at_least, capped.technique) == (6.0, True, None)


def test_a_puzzle_alone_is_rated_as_among_others():
    for puzzle in list(TABLE)[::9]:
        for options in ({}, {"below": 2.0}, {"below": 5.0}, {"below": 9.5}):
            batch_rating = rate_many([puzzle], **options)[0]
            single_rating = asdict(rate(puzzle, **options))
            assert single_rating == {name: getattr(batch_rating, name) for name in single_rating}


def test_rows_without_a_rating_have_a_reason():
    ratings = rate_many([UNIQUE, MULTIPLE, NONE, UNIQUE[:80]], errors="invalid")
    assert ratings.reasons == {
        1: "several solutions",
        2: "no solution",
        3: "expected 81 cells, found 80",
    }
    assert [(row.er, row.technique, row.difficulty, row.at_least) for row in ratings] == [
        (1.2, "hidden single", "easy", False),
        *[(None, None, None, None)] * 3,
    ]
    assert np.isnan(ratings.er[1:]).all()
    for puzzle, reason in ((MULTIPLE, "several solutions"), (NONE, "no solution")):
        with pytest.raises(InvalidPuzzleError, match=reason):
            rate(puzzle)
        with pytest.raises(InvalidPuzzleError, match=reason):
            steps(puzzle)


def test_a_full_grid_has_no_rating():
    full = unidoku.solve(UNIQUE)
    with pytest.raises(InvalidPuzzleError, match="no cell is empty"):
        rate(full)
    assert rate_many([UNIQUE, full, *[UNIQUE] * 20, "1" * 81]).reasons == {
        1: "no cell is empty",
        22: "no solution",
    }


@pytest.mark.parametrize(
    ("puzzle", "row"),
    [
        pytest.param(puzzle, row, marks=[pytest.mark.slow] if row[0] > 116 else [])
        for puzzle, row in HARDEST.items()
    ],
)
def test_inner_cycles_rest_on_their_reversed_chains_too(puzzle, row):
    assert tuples(rate_many([puzzle])) == [row]


# Ratings by Sudoku Explainer where the published list of hard puzzles differs (docs/rating.md).
WRONG_IN_THE_LIST = {
    "1.......7.2.4...6...3...5...9..4........62.4....9..8....5.....3.6.2...8.7....1...": (115, 115, 101),
}


@pytest.mark.parametrize(
    ("least", "below", "step"), [(0, 90, 1), pytest.param(90, 116, 3, marks=pytest.mark.slow)]
)
def test_the_real_ratings_agree(shared_data, least, below, step):
    """The hardest take seconds each, so only some are rated: a third of these, and two above."""
    rows = read_ratings(shared_data / "se121-ratings.txt") | WRONG_IN_THE_LIST
    band = [(puzzle, row) for puzzle, row in rows.items() if least <= row[0] < below]
    rows = dict(band[::step])
    ratings = dict(zip(rows, tuples(rate_many(list(rows))), strict=True))
    assert ratings == rows


def test_faults_of_the_original_are_kept():
    """Two images of one puzzle, which it rates otherwise; raters that correct it rate them the same."""
    first = "......2..4.....61...3..4....8.7.3........5....6....1....5.....3........7.2..6...."
    image = "...7.6.9.9.....5.....8.....51......4...6....73............1........5.3....7.....8"
    assert unidoku.canonical(first) == unidoku.canonical(image)
    assert (rate(first).card, rate(image).card) == ("4.6/1.2/1.2", "6.6/1.2/1.2")


def test_the_list_of_faults_of_the_original(shared_data):
    """Puzzles where raters that correct them differ."""
    lines = (shared_data / "rating-quirks.txt").read_text().splitlines()
    assert [f"{puzzle} {rate(puzzle).card}" for puzzle, _ in map(str.split, lines)] == lines
