"""Hints: mistakes first, then the next step from the player's marks; all steps of a position."""

from __future__ import annotations

import json
import re
from dataclasses import asdict

import pytest
from cases import in_turn
from command import run
from drawing import colored
from example_puzzles import MULTIPLE, NONE, UNIQUE
from known_ratings import TABLE
from sample_steps import samples
from sentence_checker import cells, step_faults
from step_checker import HOUSES

import unidoku
from unidoku import InvalidPuzzleError, all_steps, hint, steps
from unidoku.rating._deduction import position_of
from unidoku.rating._sentences import Sentences
from unidoku.rating._steps import deductions_in, hint_of, path_of

SOLUTION = unidoku.solve(UNIQUE).line
EMPTY_CELL = UNIQUE.index(".")
HOUSE = r"(row|column|box) ([1-9])"


def hardest(below: float) -> str:
    return max((puzzle for puzzle, row in TABLE.items() if row[0] < 10 * below), key=TABLE.__getitem__)


def wrong_digit(cell: int) -> str:
    return str(int(SOLUTION[cell]) % 9 + 1)


def test_a_hint_is_plain_values():
    suggestion = hint(UNIQUE)
    assert json.loads(json.dumps(asdict(suggestion))) == asdict(suggestion) | {"links": []}
    assert (suggestion.technique, suggestion.rating, suggestion.placements) == (
        "hidden single",
        1.2,
        ["r1c6=8"],
    )
    reason = "the other empty cells see the 8 in r3c3 or r5c4"
    sentence = f"Hidden single: in box 2 the digit 8 fits only in r1c6: {reason}."
    assert suggestion.sentence == str(suggestion) == sentence
    assert suggestion.houses == {"house": ["box 2"]}
    assert (suggestion.puzzle, suggestion.before, len(suggestion.marks)) == (UNIQUE, UNIQUE, 729)
    assert hint(UNIQUE, lang="zh").where == "看第2宫。"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_first_two_levels_name_one_house_of_the_pattern(lang):
    """For each technique they name one house, and no cell."""
    say = Sentences(lang)
    for step in samples()[:: 1 if lang == "en" else 4]:
        suggestion = hint_of(step.before, step, lang)
        name = say.houses([step.area])
        assert suggestion.where == say.say("where", place=name)
        assert suggestion.which == say.say("which", name=say.name(step), rating=step.rating)
        assert suggestion.what == say.say("what", name=say.name(step), rating=step.rating, place=name)
        if lang == "en":
            assert re.fullmatch(f"Look at {HOUSE}[.]", suggestion.where)
            kind, number = re.search(f"look at {HOUSE}[.]", suggestion.what).groups()
            assert step.area == {"row": 0, "column": 9, "box": 18}[kind] + int(number) - 1
        assert cells(suggestion.where + suggestion.which + suggestion.what) == []
        pattern_cells = {cell for cells in step.cells.values() for cell in cells} or {step.placements[0][0]}
        pattern_cells |= set(HOUSES[step.houses["house"][0]]) if "house" in step.houses else set()
        assert pattern_cells & set(HOUSES[step.area]), suggestion


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_pattern_comes_without_the_conclusion(lang):
    """The pattern names only its own cells."""
    for step in samples():
        suggestion = hint_of(step.before, step, lang)
        pattern_cells = {cell for cells in step.cells.values() for cell in cells}
        if step.chains:
            pattern_cells = {end.cell for link in step.links for end in (link.holds, link.follows)}
            pattern_cells -= {cell for cell, _ in step.placements + step.eliminations}
        solved_cells = {cell for cell, _ in step.placements}
        assert set(step.pattern) <= pattern_cells - solved_cells
        assert {*cells(suggestion.pattern)} <= {*step.pattern}
        assert cells(suggestion.pattern) or solved_cells or step.kind == "house", suggestion
        assert "remove" not in suggestion.pattern.partition("(" if lang == "en" else "。")[2]


@in_turn
@pytest.mark.parametrize("below", [5.0, 7.0, 9.0])
def test_a_hint_is_the_next_step(below):
    for step in steps(hardest(below)):
        suggestion = hint(step.before, step.marks)
        assert suggestion.technique == step.technique
        assert suggestion.placements == step.placements
        assert {*suggestion.eliminations} == {*step.eliminations, *step.further_eliminations}


def test_a_wrong_digit_is_the_first_hint():
    filled = UNIQUE[:EMPTY_CELL] + wrong_digit(EMPTY_CELL) + UNIQUE[EMPTY_CELL + 1 :]
    suggestion = hint(UNIQUE, filled=filled)
    assert (suggestion.technique, suggestion.rating, suggestion.placements) == (None, None, [])
    assert suggestion.sentence == f"These digits are wrong: r1c3={wrong_digit(EMPTY_CELL)}."
    assert suggestion.what == suggestion.pattern == "A digit in box 1 is wrong."
    assert suggestion.where == "There is a mistake in box 1."
    assert colored(suggestion._repr_svg_()) == {"red": {EMPTY_CELL}}


def test_of_several_wrong_digits_the_first_says_where():
    cells = [EMPTY_CELL, UNIQUE.rindex(".")]
    filled = [*UNIQUE]
    for cell in cells:
        filled[cell] = wrong_digit(cell)
    suggestion = hint(UNIQUE, filled="".join(filled))
    assert suggestion.where == "There is a mistake in box 1."
    assert colored(suggestion._repr_svg_()) == {"red": {*cells}}


def test_a_mark_that_excludes_the_solution_is_named():
    digit = int(SOLUTION[EMPTY_CELL])
    wrong_digits = [value for value in unidoku.Grid(UNIQUE).candidates(EMPTY_CELL) if value != digit]
    suggestion = hint(UNIQUE, {EMPTY_CELL: wrong_digits})
    assert suggestion.wrong_marks == ["r1c3"]
    assert suggestion.sentence == "These cells lack the pencil mark of their digit: r1c3."
    assert colored(suggestion._repr_svg_()) == {"red": {EMPTY_CELL}}
    with pytest.raises(InvalidPuzzleError, match=r"exclude the solution; unidoku\.hint shows which do"):
        all_steps(UNIQUE, {"r1c3": wrong_digits})


def test_a_cell_without_marks_has_all_that_its_peers_leave():
    position = position_of(unidoku.Grid(UNIQUE), {40: [5]})
    assert position.candidates(40) == (5,)
    assert all(position.candidates(c) == unidoku.Grid(UNIQUE).candidates(c) for c in range(81) if c != 40)


def test_a_full_grid_needs_no_hint():
    assert hint(SOLUTION) is None
    assert hint(UNIQUE, filled=SOLUTION) is None
    assert all_steps(SOLUTION) == []


def test_bad_input():
    for ask in [hint, all_steps]:
        for arguments, reason in [
            ((MULTIPLE,), "several solutions"),
            ((NONE,), "no solution"),
            ((UNIQUE[:80],), "expected 81 cells, found 80"),
            ((UNIQUE, "1" * 728), "expected 729 pencil marks, found 728"),
            ((UNIQUE, "2" + "." * 728), "found '2' in r1c1"),
            ((UNIQUE, " ".join(UNIQUE.replace(".", "0"))), "expected 729 pencil marks"),
            (
                (UNIQUE, [1, 2]),
                r"expected 729 pencil marks as numbers or truth values, found list of shape \(2,\)",
            ),
            ((UNIQUE, [[1], [2, 3]]), "found rows of different lengths"),
            ((UNIQUE, ["x"] * 729), "found list of shape .* and type <U1"),
        ]:
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
            deductions = deductions_in(step.before)
            assert [deduction.rating for deduction in deductions] == sorted(
                deduction.rating for deduction in deductions
            )
            keys = {(deduction.placements, deduction.eliminations) for deduction in deductions}
            assert (step.placements, step.whole().eliminations) in keys
            assert deductions[0].rating <= step.rating
            for deduction in deductions[:40]:
                assert step_faults(deduction) == [], deduction


def test_a_pattern_rules_out_all_that_sees_both_ends():
    """The Skyscraper of HoDoKu's page is one hint with four candidates, of which the path removes one."""
    puzzle = "697.....2..1972.63..3..679.912...6.737426.95.8657.9.241486932757.9.24..6..68.7..9"
    removed = ["r1c7=1", "r1c8=1", "r3c4=1", "r3c5=1"]
    step = steps(puzzle)[0]
    assert (step.name, step.eliminations, step.further_eliminations) == (
        "Skyscraper",
        removed[:1],
        removed[1:],
    )
    assert step.sentence.endswith("remove 1 from r1c7; that also rules out 1 in r1c8, r3c4 and r3c5.")
    assert hint(puzzle).eliminations == removed
    (listed,) = (step for step in all_steps(puzzle) if step.name == "Skyscraper")
    assert (listed.eliminations, listed.further_eliminations) == (removed, [])
    columns = ["--to", "jsonl", "--columns", "eliminations"]
    assert json.loads(run("hint", "-", *columns, stdin=puzzle).stdout) == {"eliminations": removed}
    columns[-1] += ",further_eliminations"
    row = run("steps", "-", *columns, stdin=puzzle).stdout.splitlines()[0]
    assert json.loads(row) == {"eliminations": removed[:1], "further_eliminations": removed[1:]}


def test_the_set_of_a_rectangle_excludes_in_each_house_that_its_cells_share():
    puzzle = "...5.1..46...2...75...9...1...31..4.4.5..2.......5.8...92.8......3...........3.12"
    step = next(step for step in steps(puzzle) if step.kind == "type 3")
    assert (step.eliminations, step.further_eliminations) == (["r6c3=9"], ["r4c6=9"])
    assert "In box 4 and row 4 that cell together with r4c1" in step.sentence
    assert hint(step.before, step.marks).eliminations == ["r4c6=9", "r6c3=9"]


def test_what_a_pattern_rules_out_is_false():
    """Each further candidate sees both ends, both groups of a ring, or all cells of a naked set."""
    kinds = set()
    for puzzle in [puzzle for puzzle, row in TABLE.items() if row[0] < 90][::2]:
        solution = unidoku.solve(puzzle).line
        for step in path_of(puzzle).deductions:
            for cell, digit in step.further_eliminations:
                assert solution[cell] != str(digit), step
                assert digit in step.before.candidates(cell)
            assert not {*step.further_eliminations} & {*step.eliminations}
            assert step.whole().further_eliminations == ()
            kinds |= {step.technique} if step.further_eliminations else set()
    assert kinds >= {"naked pair", "forcing X-chain", "forcing chain", "XY-cycle"}


def test_a_conclusion_of_chains_is_listed_once():
    step = steps("6.83.....5..2..6.........14.......3....1.3......6..4923...7..2...5..87....95.6...")[11]
    chains = [chain for chain in all_steps(step.before, step.marks) if chain.links]
    assert len({(*chain.placements, *chain.eliminations) for chain in chains}) == len(chains) > 40


def test_all_hidden_singles_are_among_all_steps():
    grid = unidoku.Grid(UNIQUE)
    singles = set()
    for house in HOUSES:
        for digit in range(1, 10):
            places = [cell for cell in house if digit in grid.candidates(cell)]
            if len(places) == 1:
                singles.add(f"r{places[0] // 9 + 1}c{places[0] % 9 + 1}={digit}")
    placements = {step.placements[0] for step in all_steps(UNIQUE) if step.technique == "hidden single"}
    assert placements == singles


def test_only_without_an_easier_step_the_next_harder_one_is_listed():
    step = next(step for step in steps(hardest(9.0)) if step.rating >= 8.0)
    assert [hard_step.rating for hard_step in all_steps(step.before, step.marks)] == [step.rating]
