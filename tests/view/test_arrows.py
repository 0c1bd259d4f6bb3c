"""Arrows between candidates: they touch the circles around both digits, and are bent to the left."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from unidoku.view.svg import Link, arrows_of, center_of


def points(path: str) -> np.ndarray:
    return np.array(re.findall(r"([-\d.]+) ([-\d.]+)", path), float)


PLACES = [(cell, digit) for cell in range(81) for digit in range(1, 10)]
LINKS = [tuple(random.Random(seed).sample(PLACES, 2)) for seed in range(50)]
LINKS += [((40, one), (40, two)) for one, two in ((1, 4), (4, 1), (1, 2), (2, 1), (5, 9), (6, 5), (9, 1))]


@pytest.mark.parametrize(("start", "end"), LINKS)
def test_an_arrow_touches_both_circles_and_bends_to_the_left(start, end):
    [(_, line, head)] = arrows_of([Link(start, end)])
    one, other = (np.array(center_of(*place)) for place in (start, end))
    first, middle, last = points(line)
    tip, *back = points(head)
    assert np.linalg.norm(first - one) == pytest.approx(5.5, abs=0.1)
    assert np.linalg.norm(tip - other) == pytest.approx(5.5, abs=0.1)
    assert np.linalg.norm(last - other) == pytest.approx(6.5, abs=0.1)
    assert np.linalg.norm(tip - first) > 5
    along, bend = (other - one) / np.linalg.norm(other - one), middle - (one + other) / 2
    assert np.dot(bend, along) == pytest.approx(0, abs=0.1)
    assert bend[0] * along[1] - bend[1] * along[0] == pytest.approx(8, abs=0.1)
    assert all(np.linalg.norm(corner - other) > 8 for corner in back)


def test_a_link_to_itself_has_no_arrow():
    assert list(arrows_of([Link((0, 1), (0, 1))])) == []
