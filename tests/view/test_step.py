"""Pictures of steps and sheets for a class: what they show, and that the key has every answer."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from command import run
from drawing import colored
from sample_steps import samples

import unidoku
from unidoku.cell import candidate_of
from unidoku.rating._answers import answers
from unidoku.rating._deduction import position_of
from unidoku.rating._steps import deductions_in, hint_of, path_of
from unidoku.view._step import class_sheet, legend, look, picture
from unidoku.view._svg import TEXTURES

SKYSCRAPER = "697.....2..1972.63..3..679.912...6.737426.95.8657.9.241486932757.9.24..6..68.7..9"
NEXT = "6....3..12..4.......37.28....2.4.7..1......6.........99...7...6.6.2....5.5..96..."


def test_a_skyscraper_shows_its_four_cells_alike_and_what_goes():
    hint = unidoku.hint(SKYSCRAPER)
    step = path_of(SKYSCRAPER).deductions[0]
    cells, roles, lines = look(step)
    pattern = {(5, 1), (26, 1), (41, 1), (44, 1)}
    assert cells == dict.fromkeys([cell for cell, _ in pattern], "blue")
    assert {place for place, role in roles.items() if role == "end"} == {(5, 1), (26, 1)}
    assert {*roles} == pattern
    assert [(line.dashed, line.head) for line in lines] == [(False, False), (True, False), (False, False)]
    root = ElementTree.fromstring(picture(hint))
    struck = [element for element in root.iter() if element.get("class") == "removed"]
    assert len(struck) == len(hint.eliminations) == 4
    assert colored(picture(hint))["blue"] == {5, 26, 41, 44}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_legend_has_each_sign_of_a_picture(lang):
    for step in samples():
        hint = hint_of(step.before, step, lang)
        cells, roles, lines = look(step)
        drawn, texts = zip(*legend(hint, lang), strict=True)
        assert len(drawn) == len({*cells.values()}) + len({*roles.values()}) + len(
            {(line.dashed, line.head) for line in lines}
        ) + bool(hint.eliminations), step
        assert len({*texts}) == len(texts), texts


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_picture_can_have_its_legend(lang):
    hint = unidoku.hint(SKYSCRAPER, lang=lang)
    root = ElementTree.fromstring(picture(hint, lang=lang, with_legend=True))
    texts = [element.text for element in root.iter() if element.get("class") == "key"]
    assert texts == [words for _, words in legend(hint, lang)]
    width, height = map(float, root.get("viewBox").split()[2:])
    assert float(root.get("height")) / float(root.get("width")) == pytest.approx(height / width, rel=1e-3)
    assert "key" not in {element.get("class") for element in ElementTree.fromstring(picture(hint)).iter()}


def test_colors_that_can_be_together_differ_without_color():
    """Blue and gray have no texture; they are far apart in lightness."""
    assert {"green", "yellow", "orange", "purple", "red"} == TEXTURES.keys()
    assert len({path for _, path in TEXTURES.values()}) == len(TEXTURES)


def test_the_answers_are_those_of_the_list_of_steps_and_every_naked_set():
    found = answers(position_of(unidoku.Grid(SKYSCRAPER)), "Skyscraper")
    assert [step.eliminations for step in found] == [
        tuple(map(candidate_of, unidoku.hint(SKYSCRAPER).eliminations))
    ]
    names = ("Skyscraper", "2-String Kite", "Turbot Fish", "W-Wing", "Naked Pair")
    solution, listed, every = unidoku.solve(NEXT).line, 0, 0
    for before in {step.before for step in path_of(NEXT).deductions if step.rating >= 3}:
        steps = deductions_in(before)
        for name in names:
            own = answers(before, name)
            conclusions = {step.eliminations for step in own}
            assert conclusions >= {step.eliminations for step in steps if step.name == name}
            assert all(solution[cell] != str(digit) for removed in conclusions for cell, digit in removed)
            assert all(step.further_eliminations == () for step in own)
            every += len(conclusions)
            listed += sum(step.name == name for step in steps)
    assert every >= listed > 0


def test_a_sheet_has_an_example_exercises_and_a_key(tmp_path):
    puzzles = tmp_path / "puzzles.txt"
    run("generate", "-n", 30, "--where", "uses=x-wing", "--seed", 1, "-o", puzzles, code=0)
    run("hint", puzzles, "--technique", "x-wing", "-o", tmp_path / "class.html", code=0)
    page = (tmp_path / "class.html").read_text("utf-8")
    assert "Find the X-Wing in each position. Which candidates can be removed?" in page
    assert page.count('class="answer"') == 4
    assert page.count('class="unidoku-board" role="img"') == 9
    run("hint", puzzles, "--technique", "x-wing", "-o", tmp_path / "class.pdf", "--lang", "zh", code=0)
    assert (tmp_path / "class.pdf").read_bytes().startswith(b"%PDF")


def test_the_key_says_that_each_of_several_answers_is_right():
    step = path_of(SKYSCRAPER).deductions[0]
    hint = hint_of(step.before, step)
    sheet = class_sheet(hint, [(step.before, [hint, hint])], "en")
    ((number, _, lines),) = sheet["key"]
    assert (number, lines) == (
        "1",
        ["2 patterns, each of them a right answer:", hint.sentence, hint.sentence],
    )
