"""Crosshatching of singles: the colored digits exclude all other cells, or all other digits."""

from __future__ import annotations

from example_puzzles import UNIQUE

import unidoku
from unidoku.cell import HOUSES, PEERS
from unidoku.rating._steps import path_of
from unidoku.view._step import look


def singles(technique):
    puzzles = unidoku.lines(unidoku.generate(60, seed=1, difficulty="medium"))
    path_steps = [step for puzzle in puzzles for step in path_of(puzzle).deductions]
    return [step for step in path_steps if step.technique == technique]


def cells_of_color(step, color):
    return {cell for cell, cell_color in look(step)[0].items() if cell_color == color}


def test_the_hint_of_the_readme():
    step = path_of(UNIQUE).deductions[0]
    assert cells_of_color(step, "orange") == {20, 39}  # r3c3 and r5c4
    assert cells_of_color(step, "green") == {5}
    assert cells_of_color(step, "yellow") == {*HOUSES[2], *HOUSES[12]} - {20, 39}
    assert cells_of_color(step, "gray") == {4, 13, 14}


def test_digits_exclude_the_other_cells_of_a_house():
    steps = singles("hidden single")
    for step in steps:
        ((cell, digit),) = step.placements
        excluders = cells_of_color(step, "orange")
        assert all(step.before.values[excluder] == digit for excluder in excluders)
        for peer in {*HOUSES[step.houses["house"][0]]} - {cell}:
            is_open = not step.before.values[peer]
            assert not is_open or excluders & PEERS[peer] or digit not in step.before.candidates(peer)
    assert len(steps) > 1000


def test_digits_exclude_the_other_digits_of_a_cell():
    steps = singles("naked single")
    for step in steps:
        ((cell, digit),) = step.placements
        excluders = cells_of_color(step, "orange")
        peer_digits = {step.before.values[place] for place in PEERS[cell]} - {0}
        assert {step.before.values[place] for place in excluders} == peer_digits
        assert len(excluders) == len(peer_digits) <= 8
        assert excluders <= set(PEERS[cell])
        assert digit not in peer_digits
    assert len(steps) > 20
