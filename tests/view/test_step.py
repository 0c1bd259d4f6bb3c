"""Pictures of steps and sheets for a class: what they show, and that the key has every answer."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from drawing import colored
from sample_steps import samples

import unidoku
from unidoku.rating.steps import hint_of, path_of
from unidoku.view.step import look, picture, signs
from unidoku.view.svg import TEXTURES

SKYSCRAPER = "697.....2..1972.63..3..679.912...6.737426.95.8657.9.241486932757.9.24..6..68.7..9"


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
        drawn, texts = zip(*signs(hint, lang), strict=True)
        assert len(drawn) == len({*cells.values()}) + len({*roles.values()}) + len(
            {(line.dashed, line.head) for line in lines}
        ) + bool(hint.eliminations), step
        assert len({*texts}) == len(texts), texts


def test_colors_that_can_be_together_differ_without_color():
    """Blue and gray have no texture; they are far apart in lightness."""
    assert {"green", "yellow", "orange", "purple", "red"} == TEXTURES.keys()
    assert len({path for _, path in TEXTURES.values()}) == len(TEXTURES)
