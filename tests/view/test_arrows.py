"""Arrows run between the digits: none crosses the box of a shown digit but those at its ends."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import numpy as np
import pytest
from known_ratings import TABLE

from unidoku.rating.path import steps
from unidoku.view.svg import Link, routes

HALF = {"small": (3.2, 4.1), "big": (8.0, 10.0)}  # of a digit, in units of which a cell has 40


def center(cell: int, digit: int) -> tuple[float, float]:
    """Of a small digit: the three by three of a cell stand 2.5 units inside its edges."""
    row, column = divmod(digit - 1, 3)
    return cell % 9 * 40 + 2.5 + 35 / 6 * (2 * column + 1), cell // 9 * 40 + 2.5 + 35 / 6 * (2 * row + 1)


def outline(line: str, head: str) -> np.ndarray:
    """Points along an arrow, close to each other; a bend is drawn inside its corner."""
    points = []
    for path in (line, head.replace("Z", "")):
        corners = [np.array(pair, float) for pair in re.findall(r"([-\d.]+) ([-\d.]+)", path)]
        points += [np.linspace(one, two, 26) for one, two in pairwise(corners)]
    return np.concatenate(points)


def crossed(values, candidates, link, line, head) -> list[tuple[int, int]]:
    """The digits whose boxes an arrow passes through, except those at its ends."""
    shown, boxes = [], []
    for cell in range(81):
        if values[cell]:
            shown.append((cell, 0))
            boxes.append((cell % 9 * 40 + 20, cell // 9 * 40 + 20, *HALF["big"]))
            continue
        for digit in candidates.get(cell, ()):
            shown.append((cell, digit))
            boxes.append((*center(cell, digit), *HALF["small"]))
    places = np.array(boxes)
    apart = np.abs(outline(line, head)[:, None] - places[:, :2])
    hit = (apart < places[:, 2:]).all(axis=2).any(axis=0)
    return [shown[k] for k in np.flatnonzero(hit) if shown[k] not in {link.start, link.end}]


def ends_are_near(link, line) -> bool:
    corners = [tuple(map(float, pair)) for pair in re.findall(r"([-\d.]+) ([-\d.]+)", line)]
    return all(
        abs(x - px) < 10 and abs(y - py) < 10
        for (x, y), (px, py) in ((center(*link.start), corners[0]), (center(*link.end), corners[-1]))
    )


def test_arrows_of_chains_cross_no_digit():
    seen = 0
    for puzzle, row in list(TABLE.items())[::20]:
        if row[0] > 89:
            continue
        for step in steps(puzzle):
            links = [Link(link.start, link.end) for link in step.links[:40]]
            values, _, candidates = step.drawn_state()
            for link, line, head in routes(links, values, candidates):
                assert crossed(values, candidates, link, line, head) == [], (step, link)
                assert ends_are_near(link, line)
                seen += 1
    assert seen > 80


def test_a_straight_arrow_would_cross_digits():
    """A test of the test above: straight lines between the same candidates do cross digits."""
    rng = random.Random(4)
    candidates = {cell: range(1, 10) for cell in range(81)}
    hits = 0
    for _ in range(40):
        ends = [(rng.randrange(81), rng.randrange(1, 10)) for _ in range(2)]
        link = Link(*ends)
        (x, y), (x2, y2) = center(*link.start), center(*link.end)
        hits += bool(crossed(bytes(81), candidates, link, f"M{x} {y}L{x2} {y2}", ""))
    assert hits > 20


def test_long_arrows_leave_the_lines_of_boxes():
    """On a thick line an arrow would be hard to see."""
    candidates = {cell: range(1, 10) for cell in range(81)}
    links = [Link((65, 3), (3, 1)), Link((68, 9), (6, 7))]
    for _, line, _ in routes(links, bytes(81), candidates):
        corners = [tuple(map(float, pair)) for pair in re.findall(r"([-\d.]+) ([-\d.]+)", line)]
        for one, other in pairwise(corners):
            on_thick = any(a == b and a % 120 == 0 for a, b in zip(one, other, strict=True))
            assert not on_thick or abs(sum(one) - sum(other)) < 40


@pytest.mark.parametrize("seed", range(2))
def test_arrows_between_any_candidates_of_a_full_board(seed):
    rng = random.Random(seed)
    candidates = {cell: range(1, 10) for cell in range(81)}
    links = []
    for _ in range(30):
        start, end = (rng.randrange(81), rng.randrange(1, 10)), (rng.randrange(81), rng.randrange(1, 10))
        links.append(Link(start, end if rng.random() < 0.6 else (start[0], end[1])))
    found = list(routes(links, bytes(81), candidates))
    assert len(found) == len([link for link in links if link.start != link.end])
    for link, line, head in found:
        assert crossed(bytes(81), candidates, link, line, head) == [], link
        assert ends_are_near(link, line)


@pytest.mark.parametrize(("one", "two"), [(1, 4), (4, 1), (1, 2), (2, 1), (5, 8), (6, 5), (9, 8)])
def test_an_arrow_between_neighbours_is_beside_both(one, two):
    """It points from the one to the other, and touches the circles around them."""
    for digits in ({one, two}, range(1, 10)):
        link = Link((40, one), (40, two))
        ((_, line, head),) = routes([link], [0] * 81, {40: digits})
        (x, y), (x2, y2) = (tuple(map(float, pair)) for pair in re.findall(r"([-\d.]+) ([-\d.]+)", line))
        tip = np.array(re.findall(r"([-\d.]+) ([-\d.]+)", head)[0], float)
        moved = np.array([x2 - x, y2 - y]), np.subtract(center(*link.end), center(*link.start))
        assert np.dot(*moved) / np.prod(np.linalg.norm(moved, axis=1)) > 0.99
        assert np.linalg.norm(tip - center(*link.end)) == pytest.approx(5.5, abs=0.1)
        assert np.linalg.norm(np.array([x, y]) - center(*link.start)) == pytest.approx(5.5, abs=0.1)
        assert np.linalg.norm(tip - [x, y]) > 6
        if len(digits) == 2:
            assert not crossed([0] * 81, {40: digits}, link, line, head)
