"""Hints: mistakes first, then the next step from what the player sees; all steps of a position."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
import pytest
from drawing import colored
from example_puzzles import MULTIPLE, NONE, UNIQUE
from known_ratings import TABLE
from sample_steps import samples
from sentence_checker import cells, step_faults
from step_checker import HOUSES

import unidoku
from unidoku import InvalidPuzzleError, SearchStoppedError, all_steps, hint, steps
from unidoku.rating.scale import TECHNIQUES
from unidoku.rating.sentences import Sentences
from unidoku.rating.step import STAGES, Hint, position_of
from unidoku.view.explain import picture

SOLUTION = unidoku.solve(UNIQUE).line
FIRST = UNIQUE.index(".")


def hardest(below: float) -> str:
    return max((puzzle for puzzle, row in TABLE.items() if row[0] < 10 * below), key=TABLE.__getitem__)


def wrong(cell: int) -> str:
    return str(int(SOLUTION[cell]) % 9 + 1)


HOUSE = r"(row|column|box) ([1-9])"


def test_the_stages():
    found = hint(UNIQUE)
    assert found.step == steps(UNIQUE)[0]

    assert found.whole == str(found) == str(found.step)
    assert [found.text(stage) for stage in STAGES] == [found.where, found.what, found.pattern, found.whole]
    assert found._repr_svg_() == picture(found) == found.step._repr_svg_()
    assert hint(UNIQUE, lang="zh").where == "看第2宫。"
    for ask in (found.text, partial(picture, found)):
        with pytest.raises(ValueError, match="invalid stage 'all'; choose from: where, what, pattern, whole"):
            ask("all")


def test_every_technique_has_a_sample():
    assert {step.technique for step in samples()} == set(TECHNIQUES[1:])


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_where_and_what_name_one_house_of_the_pattern(lang):
    """They are as vague for each technique: one house, and no cell."""
    say = Sentences(lang)
    for step in samples():
        found = Hint(step.before, step, lang=lang)
        name = say.houses([found.area])
        assert found.where == say.say("where", place=name)
        assert found.what == say.say("what", name=say.name(step), rating=step.rating, place=name)
        if lang == "en":
            assert re.fullmatch(f"Look at {HOUSE}[.]", found.where)
            kind, number = re.search(f"look at {HOUSE}[.]", found.what).groups()
            assert found.area == {"row": 0, "column": 9, "box": 18}[kind] + int(number) - 1
        assert cells(found.where + found.what) == []
        own = {cell for cells in step.cells.values() for cell in cells} or {step.placements[0][0]}
        own |= set(HOUSES[step.houses["house"][0]]) if "house" in step.houses else set()
        assert own & set(HOUSES[found.area]), repr(step)
        for stage in ("where", "what"):
            assert colored(picture(found, stage)) == {"gray": set(HOUSES[found.area])}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_pattern_comes_without_the_conclusion(lang):
    """It names and colors cells of the pattern only."""
    for step in samples():
        found = Hint(step.before, step, lang=lang)
        own = {cell for cells in step.cells.values() for cell in cells}
        if step.chains:
            own = {end.cell for link in step.links for end in (link.holds, link.follows)}
            own -= {cell for cell, _ in step.placements + step.eliminations}
        placed = {cell for cell, _ in step.placements}
        assert {*cells(found.pattern)} <= own - placed, repr(step)
        assert cells(found.pattern) or placed or step.kind == "house", repr(step)
        text = found.pattern.partition("(" if lang == "en" else "。")[2]
        assert "remove" not in text
        drawn = picture(found, "pattern")
        house = set(HOUSES[found.area])
        expected = {"gray": house - set(step.pattern), "blue": set(step.pattern)}
        assert colored(drawn) == {color: cells for color, cells in expected.items() if cells}
        assert set(step.pattern) <= own - placed
        assert {*cells(found.pattern)} <= {*step.pattern}
        assert 'class="role"' not in drawn
        assert 'class="link' not in drawn
        filled = 81 - step.before.values.count(0)
        assert drawn.count('class="given"') + drawn.count('class="found"') == filled


@pytest.mark.parametrize("below", [4.0, 5.0, 7.0, 8.0, 9.0])
def test_a_hint_is_the_next_step(below):
    for step in steps(hardest(below)):
        found = hint(step.before.line, step.before.marks)
        assert found.step.technique == step.technique
        assert (found.step.placements, found.step.eliminations) == (step.placements, step.eliminations)


def test_the_area_is_the_first_house_of_the_pattern():
    areas = [(step.area, step.houses.get("house") or step.houses.get("base")) for step in samples()]
    several = [(area, houses) for area, houses in areas if houses and len(houses) > 1]
    assert several
    assert all(area == houses[0] for area, houses in several)


@pytest.mark.parametrize("cell", [cell for cell, clue in enumerate(UNIQUE) if clue == "."][:9])
def test_a_wrong_digit_is_found_whether_it_is_too_high_or_too_low(cell):
    for digit in {"1", "9"} - {SOLUTION[cell]}:
        placed = UNIQUE[:cell] + digit + UNIQUE[cell + 1 :]
        assert hint(UNIQUE, filled=placed).wrong_digits == ((cell, int(digit)),)


def test_a_wrong_digit_is_the_first_hint():
    placed = UNIQUE[:FIRST] + wrong(FIRST) + UNIQUE[FIRST + 1 :]
    found = hint(UNIQUE, filled=placed)
    assert (found.step, found.wrong_digits) == (None, ((FIRST, int(wrong(FIRST))),))
    assert found.whole == f"These digits are wrong: r1c3={wrong(FIRST)}."
    assert found.what == "A digit in box 1 is wrong."
    assert found.where == "There is a mistake in box 1."
    assert found.pattern == found.what
    assert SOLUTION[FIRST] not in found.whole.partition(":")[2].replace("r1c3", "")
    assert colored(found._repr_svg_()) == {"red": {FIRST}}
    assert colored(picture(found, "what")) == {"gray": set(HOUSES[18])}


def test_a_mark_that_excludes_the_solution_is_named():
    digit = int(SOLUTION[FIRST])
    others = [other for other in unidoku.Grid(UNIQUE).candidates(FIRST) if other != digit]
    found = hint(UNIQUE, {FIRST: others})
    assert found.wrong_marks == (FIRST,)
    assert found.whole == "These cells lack the pencil mark of their digit: r1c3."
    with pytest.raises(InvalidPuzzleError, match=r"exclude the solution; unidoku\.hint says which"):
        all_steps(UNIQUE, {"r1c3": others})
    both = hint(UNIQUE, {FIRST: others}, filled=UNIQUE[:-1] + UNIQUE[-1])
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
        ((UNIQUE, {0: [10]}), "found 10 in r1c1"),
        ((UNIQUE, np.zeros(81)), r"not ndarray of shape \(81,\)"),
    ],
)
def test_bad_input(ask, arguments, reason):
    with pytest.raises(InvalidPuzzleError, match=reason):
        ask(*arguments)


def test_the_placed_digits_must_have_the_clues():
    with pytest.raises(InvalidPuzzleError, match="the clue 5 in r1c1 is not among the filled digits"):
        hint(UNIQUE, filled="." + UNIQUE[1:])


def test_all_steps_are_proved_and_contain_the_next_one():
    for below in (4.6, 6.6, 7.2):
        for step in steps(hardest(below)):
            if step.rating < 2.6:
                continue
            found = all_steps(step.before.line, step.before.marks)
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
