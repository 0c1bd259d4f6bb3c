"""Puzzles with a known number of solutions, recounted by independent means."""

from pathlib import Path

import pytest
from cases import in_turn
from counting import count_by_masks, is_solution_of
from forms import FORMS

import unidoku
from unidoku import kernel

TABLE = [
    (line.split()[0], int(line.split()[1]))
    for line in (Path(__file__).parent / "counted.txt").read_text().splitlines()
    if not line.startswith("#")
]
PUZZLES = [puzzle for puzzle, _ in TABLE]
NUMBERS = [number for _, number in TABLE]


@pytest.mark.parametrize("max_count", [500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_an_independent_counter_agrees_with_the_table(max_count):
    counts = {puzzle: number for puzzle, number in TABLE if number <= max_count}
    assert {puzzle: count_by_masks(puzzle, max_count + 1) for puzzle in counts} == counts


@in_turn
@pytest.mark.parametrize("limit", [None, 1, 2, 3, 17, 1000, 10_000])
def test_the_kernel_agrees_with_the_table(limit):
    counts = [min(number, limit or number) for number in NUMBERS]
    assert unidoku.check_many(PUZZLES, limit=limit).count.tolist() == counts
    assert [unidoku.count(puzzle, limit=limit) for puzzle in PUZZLES] == counts


def test_all_solutions_are_there_once():
    for puzzle, number in TABLE:
        lines = [grid.line for grid in unidoku.solutions(puzzle)]
        assert len(lines) == len(set(lines)) == number
        assert all(is_solution_of(line, puzzle) for line in lines[:300])


@pytest.mark.parametrize("isa", FORMS)
def test_every_form_finds_the_same_solutions_in_the_same_order(isa):
    for puzzle, number in TABLE:
        text = puzzle.encode()
        solutions = kernel.isa_module(isa).SolutionSearch(text).chunk(10_000)
        assert len(solutions) == 81 * number
        assert solutions == kernel.isa_module("base").SolutionSearch(text).chunk(10_000)
