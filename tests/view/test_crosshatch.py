"""Crosshatching of singles: the colored digits exclude all other cells, or all other digits."""

from __future__ import annotations

from example_puzzles import UNIQUE

import unidoku
from unidoku.cell import HOUSES, PEERS
from unidoku.rating.steps import path_of
from unidoku.view.explain import look


def singles(technique):
    puzzles = unidoku.lines(unidoku.generate(60, seed=1, difficulty="medium"))
    every = [step for puzzle in puzzles for step in path_of(puzzle).deductions]
    return [step for step in every if step.technique == technique]


def colored(step, color):
    return {cell for cell, each in look(step)[0].items() if each == color}


def test_the_hint_of_the_readme():
    step = path_of(UNIQUE).deductions[0]
    assert colored(step, "orange") == {20, 39}  # r3c3 and r5c4
    assert colored(step, "green") == {5}
    assert colored(step, "yellow") == {*HOUSES[2], *HOUSES[12]} - {20, 39}
    assert colored(step, "gray") == {4, 13, 14}


def test_digits_exclude_the_other_cells_of_a_house():
    steps = singles("hidden single")
    for step in steps:
        ((cell, digit),) = step.placements
        excluders = colored(step, "orange")
        assert all(step.before.values[each] == digit for each in excluders)
        for other in {*HOUSES[step.houses["house"][0]]} - {cell}:
            is_open = not step.before.values[other]
            assert not is_open or excluders & PEERS[other] or digit not in step.before.candidates(other)
    assert len(steps) > 1000


def test_digits_exclude_the_other_digits_of_a_cell():
    steps = singles("naked single")
    for step in steps:
        ((cell, digit),) = step.placements
        excluders = colored(step, "orange")
        seen = {step.before.values[each] for each in PEERS[cell]} - {0}
        assert {step.before.values[each] for each in excluders} == seen
        assert len(excluders) == len(seen) <= 8
        assert excluders <= set(PEERS[cell])
        assert digit not in seen
    assert len(steps) > 20
