"""The steps of many puzzles as columns: equal to `steps` puzzle by puzzle, with reasons for missing paths."""

from __future__ import annotations

import pickle
import random
from itertools import islice

import numpy as np
import pytest
from example_puzzles import MULTIPLE, NONE, SOLUTION, UNIQUE
from known_ratings import ONE_OF_EACH
from sample_steps import walk

import unidoku
from unidoku import Grid, InvalidPuzzleError, steps_many
from unidoku._table.puzzles import Puzzles
from unidoku.rating._deduction import position_of
from unidoku.rating._paths import ALL, first_steps
from unidoku.rating._steps import path_of, steps_of

FIELDS = ("technique", "kind", "rating", "placements", "eliminations")


def puzzles_of_all_classes(number: int) -> list[str]:
    """New puzzles, and one of every rating up to 9.0, in any order."""
    generated = unidoku.lines(unidoku.generate(number, seed=11))
    puzzles = [*generated, *(puzzle for puzzle, (er, _, _) in ONE_OF_EACH.items() if er <= 90)]
    random.Random(1).shuffle(puzzles)
    return puzzles


@pytest.mark.parametrize("number", [15, pytest.param(120, marks=pytest.mark.slow)])
def test_paths_have_the_steps_of_hints(number):
    """A hint looks for each step anew; a batch goes on from the last step."""
    puzzles = puzzles_of_all_classes(number)
    deductions = first_steps(Puzzles.of(puzzles).batch, ALL).deductions()
    for puzzle in puzzles:
        path = [*walk(position_of(Grid(puzzle)))]
        assert [*islice(deductions, len(path))] == path
    assert not [*deductions]


def test_the_columns_are_the_steps():
    puzzles = puzzles_of_all_classes(30)
    columns = steps_many(puzzles, threads=3)
    rows = iter(columns)
    techniques = set()
    for number, puzzle in enumerate(puzzles):
        path = path_of(puzzle).deductions
        for k, (deduction, step) in enumerate(zip(path, steps_of(path), strict=True), 1):
            row = next(rows)
            assert row.step == k
            assert [getattr(row, name) for name in FIELDS] == [getattr(step, name) for name in FIELDS]
            assert Grid(row.before).line == step.before
            assert tuple(row.candidates) == deduction.before.masks
            techniques.add(step.technique)
        assert np.count_nonzero(columns.source_rows == number) == len(path)
    assert len(techniques) > 27
    assert [*steps_many(puzzles, threads=1)] == [*pickle.loads(pickle.dumps(columns))] == [*columns]


def test_puzzles_without_steps_have_a_reason():
    columns = steps_many(["12", MULTIPLE, "0" * 81, NONE, SOLUTION, "1" * 81, UNIQUE], errors="invalid")
    assert columns.reasons == {
        0: "expected 81 cells, found 2",
        1: "several solutions",
        2: "several solutions",
        3: "no solution",
        4: "no cell is empty",
        5: "no solution",
    }
    assert np.bincount(columns.source_rows, minlength=7).tolist() == [0, 0, 0, 0, 0, 0, 51]
    assert {row.reason for row in columns} == {None}
    with pytest.raises(InvalidPuzzleError, match="expected 81 cells") as caught:
        steps_many([UNIQUE, "12"])
    assert caught.value.index == 1
    assert len(steps_many([])) == 0
