"""Hints: mistakes first, then the next step from what the player sees; all steps of a position."""

from __future__ import annotations

import json
import re
from dataclasses import asdict

import pytest
from drawing import colored
from example_puzzles import MULTIPLE, NONE, UNIQUE
from known_ratings import TABLE
from sample_steps import samples
from sentence_checker import cells, step_faults
from step_checker import HOUSES

import unidoku
from unidoku import InvalidPuzzleError, all_steps, hint, steps
from unidoku.rating.deduction import position_of
from unidoku.rating.sentences import Sentences
from unidoku.rating.step import hint_of
from unidoku.rating.steps import deductions_in, path_of

SOLUTION = unidoku.solve(UNIQUE).line
FIRST = UNIQUE.index(".")
HOUSE = r"(row|column|box) ([1-9])"


def hardest(below: float) -> str:
    return max((puzzle for puzzle, row in TABLE.items() if row[0] < 10 * below), key=TABLE.__getitem__)


def wrong(cell: int) -> str:
    return str(int(SOLUTION[cell]) % 9 + 1)


def test_a_hint_is_plain_values():
    found = hint(UNIQUE)
    assert json.loads(json.dumps(asdict(found))) == asdict(found) | {"links": []}
    assert (found.technique, found.rating, found.placements) == ("hidden single", 1.2, ["r1c6=8"])
    assert found.sentence == str(found) == "Hidden single: in box 2 the digit 8 fits only in r1c6."
    assert found.houses == {"house": ["box 2"]}
    assert (found.puzzle, found.before, len(found.marks)) == (UNIQUE, UNIQUE, 729)
    assert hint(UNIQUE, lang="zh").where == "看第2宫。"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_where_and_what_name_one_house_of_the_pattern(lang):
    """They are as vague for each technique: one house, and no cell."""
    say = Sentences(lang)
    for step in samples():
        found = hint_of(step.before, step, lang)
        name = say.houses([step.area])
        assert found.where == say.say("where", place=name)
        assert found.what == say.say("what", name=say.name(step), rating=step.rating, place=name)
        if lang == "en":
            assert re.fullmatch(f"Look at {HOUSE}[.]", found.where)
            kind, number = re.search(f"look at {HOUSE}[.]", found.what).groups()
            assert step.area == {"row": 0, "column": 9, "box": 18}[kind] + int(number) - 1
        assert cells(found.where + found.what) == []
        own = {cell for cells in step.cells.values() for cell in cells} or {step.placements[0][0]}
        own |= set(HOUSES[step.houses["house"][0]]) if "house" in step.houses else set()
        assert own & set(HOUSES[step.area]), found


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_pattern_comes_without_the_conclusion(lang):
    """It names cells of the pattern only."""
    for step in samples():
        found = hint_of(step.before, step, lang)
        own = {cell for cells in step.cells.values() for cell in cells}
        if step.chains:
            own = {end.cell for link in step.links for end in (link.holds, link.follows)}
            own -= {cell for cell, _ in step.placements + step.eliminations}
        placed = {cell for cell, _ in step.placements}
        assert set(step.pattern) <= own - placed
        assert {*cells(found.pattern)} <= {*step.pattern}
        assert cells(found.pattern) or placed or step.kind == "house", found
        assert "remove" not in found.pattern.partition("(" if lang == "en" else "。")[2]


@pytest.mark.parametrize("below", [5.0, 7.0, 9.0])
def test_a_hint_is_the_next_step(below):
    for step in steps(hardest(below)):
        found = hint(step.before, step.marks)
        assert found.technique == step.technique
        assert (found.placements, found.eliminations) == (step.placements, step.eliminations)


def test_a_wrong_digit_is_the_first_hint():
    filled = UNIQUE[:FIRST] + wrong(FIRST) + UNIQUE[FIRST + 1 :]
    found = hint(UNIQUE, filled=filled)
    assert (found.technique, found.rating, found.placements) == (None, None, [])
    assert found.sentence == f"These digits are wrong: r1c3={wrong(FIRST)}."
    assert found.what == found.pattern == "A digit in box 1 is wrong."
    assert found.where == "There is a mistake in box 1."
    assert colored(found._repr_svg_()) == {"red": {FIRST}}


def test_a_mark_that_excludes_the_solution_is_named():
    digit = int(SOLUTION[FIRST])
    others = [other for other in unidoku.Grid(UNIQUE).candidates(FIRST) if other != digit]
    found = hint(UNIQUE, {FIRST: others})
    assert found.wrong_marks == ["r1c3"]
    assert found.sentence == "These cells lack the pencil mark of their digit: r1c3."
    assert colored(found._repr_svg_()) == {"red": {FIRST}}
    with pytest.raises(InvalidPuzzleError, match=r"exclude the solution; unidoku\.hint says which"):
        all_steps(UNIQUE, {"r1c3": others})


def test_a_cell_without_marks_has_all_that_its_peers_leave():
    position = position_of(unidoku.Grid(UNIQUE), {40: [5]})
    assert position.candidates(40) == (5,)
    assert all(position.candidates(c) == unidoku.Grid(UNIQUE).candidates(c) for c in range(81) if c != 40)


def test_a_full_grid_needs_no_hint():
    assert hint(SOLUTION) is None
    assert hint(UNIQUE, filled=SOLUTION) is None
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
    ],
)
def test_bad_input(ask, arguments, reason):
    with pytest.raises(InvalidPuzzleError, match=reason):
        ask(*arguments)


def test_the_digits_must_have_the_clues():
    with pytest.raises(InvalidPuzzleError, match="the clue 5 in r1c1 is not among the filled digits"):
        hint(UNIQUE, filled="." + UNIQUE[1:])


def test_all_steps_are_proved_and_contain_the_next_one():
    for below in (4.6, 6.6, 7.2):
        for step in path_of(hardest(below)).deductions:
            if step.rating < 2.6:
                continue
            found = deductions_in(step.before)
            assert [each.rating for each in found] == sorted(each.rating for each in found)
            keys = {(each.placements, each.eliminations) for each in found}
            assert (step.placements, step.eliminations) in keys
            assert found[0].rating <= step.rating
            for each in found[:40]:
                assert step_faults(each) == [], each


def test_all_hidden_singles_are_among_all_steps():
    grid = unidoku.Grid(UNIQUE)
    expected = set()
    for house in HOUSES:
        for digit in range(1, 10):
            own = [cell for cell in house if digit in grid.candidates(cell)]
            if len(own) == 1:
                expected.add(f"r{own[0] // 9 + 1}c{own[0] % 9 + 1}={digit}")
    found = {each.placements[0] for each in all_steps(UNIQUE) if each.technique == "hidden single"}
    assert found == expected


def test_only_without_an_easier_step_the_next_harder_one_is_listed():
    step = next(step for step in steps(hardest(9.0)) if step.rating >= 8.0)
    assert [each.rating for each in all_steps(step.before, step.marks)] == [step.rating]
