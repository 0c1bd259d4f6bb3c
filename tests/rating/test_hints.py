"""Hints: mistakes first, then the next step from what the player sees; all steps of a position."""

from __future__ import annotations

import numpy as np
import pytest
import step_checker
from example_puzzles import MULTIPLE, NONE, UNIQUE
from known_ratings import TABLE

import unidoku
from unidoku import InvalidPuzzleError, SearchStoppedError, all_steps, hint, steps
from unidoku.rating.step import position_of

SOLUTION = unidoku.solve(UNIQUE).line
FIRST = UNIQUE.index(".")


def hardest(below: float) -> str:
    return max((puzzle for puzzle, row in TABLE.items() if row[0] < 10 * below), key=TABLE.__getitem__)


def wrong(cell: int) -> str:
    return str(int(SOLUTION[cell]) % 9 + 1)


def test_the_three_depths():
    found = hint(UNIQUE)
    assert found.step == steps(UNIQUE)[0]
    assert found.where == "Look at box 2."
    assert found.what == "Hidden single (rated 1.2): look at box 2."
    assert found.whole == str(found) == str(found.step)
    assert found._repr_svg_().startswith("<svg")
    assert hint(UNIQUE, lang="zh").where == "看第2宫。"


@pytest.mark.parametrize("below", [4.0, 5.0, 7.0, 8.0, 9.0])
def test_where_and_what_do_not_give_the_step_away(below):
    for step in steps(hardest(below)):
        found = hint(step.before.line, step.before.marks)
        assert found.step.technique == step.technique
        assert (found.step.placements, found.step.eliminations) == (step.placements, step.eliminations)
        for cell, digit in step.eliminations:
            assert f"{digit} from r{cell // 9 + 1}c{cell % 9 + 1}" not in found.where + found.what


def test_a_wrong_digit_is_the_first_hint():
    placed = UNIQUE[:FIRST] + wrong(FIRST) + UNIQUE[FIRST + 1 :]
    found = hint(UNIQUE, placed=placed)
    assert (found.step, found.wrong_digits) == (None, ((FIRST, int(wrong(FIRST))),))
    assert found.whole == f"These digits are wrong: r1c3={wrong(FIRST)}."
    assert found.what == "A digit in box 1 is wrong."
    assert found.where == "There is a mistake in box 1."
    assert SOLUTION[FIRST] not in found.whole.partition(":")[2].replace("r1c3", "")
    assert 'data-color="red"' in found._repr_svg_()


def test_a_mark_that_excludes_the_solution_is_named():
    digit = int(SOLUTION[FIRST])
    others = [other for other in unidoku.Grid(UNIQUE).candidates(FIRST) if other != digit]
    found = hint(UNIQUE, {FIRST: others})
    assert found.wrong_marks == (FIRST,)
    assert found.whole == "These cells lack the pencil mark of their digit: r1c3."
    with pytest.raises(InvalidPuzzleError, match=r"exclude the solution; unidoku\.hint says which"):
        all_steps(UNIQUE, {"r1c3": others})
    both = hint(UNIQUE, {FIRST: others}, placed=UNIQUE[:-1] + UNIQUE[-1])
    assert both.wrong_marks == (FIRST,)


def test_marks_in_every_form_give_the_same_position():
    position = steps(hardest(7.5))[20].before
    table = np.array([mark != "." for mark in position.marks]).reshape(81, 9)
    mapping = {cell: position.candidates(cell) for cell in range(81)}
    forms = [position.marks, position.marks.encode(), table, table.reshape(9, 9, 9), mapping]
    grid = unidoku.Grid(position.line)
    assert {position_of(grid, form).masks for form in forms} == {position.masks}


def test_a_cell_without_marks_has_all_that_its_peers_leave():
    position = position_of(unidoku.Grid(UNIQUE), {40: [5]})
    assert position.candidates(40) == (5,)
    assert all(position.candidates(c) == unidoku.Grid(UNIQUE).candidates(c) for c in range(81) if c != 40)


def test_a_full_grid_needs_no_hint():
    assert hint(SOLUTION) is None
    assert hint(UNIQUE, placed=SOLUTION) is None
    assert all_steps(SOLUTION) == []


@pytest.mark.parametrize("ask", [hint, all_steps])
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((MULTIPLE,), "several solutions"),
        ((NONE,), "no solution"),
        ((UNIQUE[:80],), "expected 81 cells, found 80"),
        ((UNIQUE, "1" * 728), "expected 729 pencil marks, found 728"),
        ((UNIQUE, "2" + "." * 728), "found '2' in r1c1"),
        ((UNIQUE, {0: [10]}), "found 10 in r1c1"),
        ((UNIQUE, np.zeros(81)), r"not ndarray of shape \(81,\)"),
    ],
)
def test_bad_input(ask, arguments, reason):
    with pytest.raises(InvalidPuzzleError, match=reason):
        ask(*arguments)


def test_the_placed_digits_must_have_the_clues():
    with pytest.raises(InvalidPuzzleError, match="the clue 5 in r1c1 is not among the placed digits"):
        hint(UNIQUE, placed="." + UNIQUE[1:])


def test_all_steps_are_proved_and_contain_the_next_one():
    for below in (4.6, 6.6, 7.2):
        for step in steps(hardest(below)):
            if step.rating < 2.6:
                continue
            found = all_steps(step.before.line, step.before.marks)
            solution = list(unidoku.solve(step.before.line).cells)
            before = [set(step.before.candidates(cell)) for cell in range(81)]
            assert [each.rating for each in found] == sorted(each.rating for each in found)
            keys = {(each.placements, each.eliminations) for each in found}
            assert (step.placements, step.eliminations) in keys
            assert found[0].rating <= step.rating
            for each in found[:40]:
                place = each.placements[0] if each.placements else None
                assert not step_checker.faults(before, solution, each.technique, place, each.eliminations)


def test_all_hidden_singles_are_among_all_steps():
    grid = unidoku.Grid(UNIQUE)
    expected = set()
    for house in step_checker.HOUSES:
        for digit in range(1, 10):
            own = [cell for cell in house if digit in grid.candidates(cell)]
            if len(own) == 1:
                expected.add((own[0], digit))
    found = {each.placements[0] for each in all_steps(UNIQUE) if each.technique == "hidden single"}
    assert found == expected


def test_only_without_an_easier_step_the_next_harder_one_is_listed():
    puzzle = hardest(9.0)
    step = next(step for step in steps(puzzle) if step.rating >= 8.0)
    found = all_steps(step.before.line, step.before.marks)
    assert len(found) == 1
    assert found[0].rating == step.rating
    with pytest.raises(SearchStoppedError):
        all_steps(step.before.line, step.before.marks, budget=3)
