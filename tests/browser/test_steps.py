"""The page of a path: the first step, the positions of shapes and arrows, the legend."""

from __future__ import annotations

import numpy as np
import pytest
from example_puzzles import CHAINS

from unidoku import explain, steps
from unidoku.cell import candidate_of

LOOP = "9.........53...8...8...49..1..5........2.1..3.3....45...2.........465..2...78.514"
BRANCHES = ".46..7..9.83..6...5.......6......5...7......4...4.362...8.....3..7.2..8.2..13...."

# The points of the arrows, the boxes of all visible small digits, and the centers of the shapes.
DRAWN = """() => {
    const matrix = document.querySelector('#board > svg').getScreenCTM();
    const at = (point) => { const p = point.matrixTransform(matrix); return [p.x, p.y]; };
    const along = (path) => Array.from({ length: 81 },
        (_, k) => at(path.getPointAtLength(path.getTotalLength() * k / 80)));
    const groups = [...document.querySelectorAll('.arrows g')];
    const arrows = groups.map((arrow) => [...arrow.children].flatMap(along));
    const digits = [...document.querySelectorAll('#board .mark, #board .removed')].map((mark) => {
        const size = mark.getBBox(), middle = size.x + size.width / 2, base = +mark.getAttribute('y');
        const a = at(new DOMPoint(middle - size.width / 2, base - 7.6));
        return [...a, ...at(new DOMPoint(middle + size.width / 2, base))];
    });
    const shapes = [...document.querySelectorAll('.shapes > *')].map((shape) => {
        const box = shape.getBoundingClientRect();
        return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    });
    return { arrows, digits, shapes };
}"""


def ends(points, box):
    """Whether an arrow begins or ends at a digit: near its center."""
    x, y, reach = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, 0.27 * WIDTH_OF_CELL
    return any(abs(px - x) < reach and abs(py - y) < reach for px, py in (points[0], points[81]))


WIDTH_OF_CELL = 55


def test_it_opens_at_the_first_step(open_page):
    page = open_page(explain(CHAINS).page())
    step = steps(CHAINS)[0]
    assert page.inner_text("#lines") == step.sentence
    assert page.inner_text("#status").startswith("Step 1 of ")
    assert not page.locator("#numbers").is_visible()
    page.keyboard.press("Home")
    assert page.inner_text("#note") == page.inner_text("#lines")
    assert (
        page.inner_text("#note") == f"Expert: {len(steps(CHAINS))} steps, the hardest a forcing chain (7.1)."
    )
    assert not page.locator("#ratings p").is_visible()
    page.click("#ratings summary")
    assert "ER 7.1 for the hardest step, EP 1.2 for the hardest one up to" in page.inner_text("#ratings p")
    page.keyboard.press("End")
    assert page.locator("#board .found, #board .given").count() == 81


@pytest.mark.parametrize("puzzle", [CHAINS, LOOP, BRANCHES])
def test_arrows_and_shapes_are_where_the_digits_are(open_page, puzzle):
    path = steps(puzzle)
    page = open_page(explain(puzzle).page(), width=1280)
    patterns = {"hidden single", "naked single", "pointing", "claiming"}
    for number, step in enumerate(path, 1):
        if f"{step.technique} {step.kind}" in patterns or step.technique in patterns:
            continue
        page.evaluate(f"go({number})")
        drawing = page.evaluate(DRAWN)
        assert len(drawing["arrows"]) == len(step.links)
        boxes = np.array(drawing["digits"])
        low, high = boxes[:, :2], boxes[:, 2:]
        for place in drawing["shapes"]:
            assert (np.abs(place - (low + high) / 2) < 1.5).all(axis=1).any(), step
        for points in drawing["arrows"]:
            assert sum(ends(points, box) for box in boxes) >= 2
        patterns.add(f"{step.technique} {step.kind}")
    assert len(patterns) > 6


def test_the_wrapped_lines_of_a_chain_hang(open_page):
    page = open_page(explain(BRANCHES).page(), width=390)
    page.locator("#all li:has(small) b").first.click()
    starts = page.locator("#lines small").first.evaluate("""(chain) => {
        const range = document.createRange();
        range.selectNodeContents(chain);
        return [...range.getClientRects()].map((line) => line.left);
    }""")
    assert len(starts) > 1
    assert all(x > starts[0] + 10 for x in starts[1:])


def test_the_legend_has_the_roles_of_the_step(open_page):
    path = steps(CHAINS)
    page = open_page(explain(CHAINS).page())
    number = next(k for k, step in enumerate(path, 1) if step.technique == "forcing chain")
    page.evaluate(f"go({number})")
    roles = {key.get_attribute("data-role") for key in page.locator("[data-role]").all() if key.is_visible()}
    assert roles == {"blue", "on", "off", "strong", "weak"} | (
        {"placed"} if path[number - 1].placements else {"gone"}
    )
    wing = next(k for k, step in enumerate(path, 1) if step.technique == "X-wing")
    page.evaluate(f"go({wing})")
    roles = {key.get_attribute("data-role") for key in page.locator("[data-role]").all() if key.is_visible()}
    assert roles == {"blue", "gray", "pattern", "gone"}
    removed = page.locator("#board .removed").count()
    assert removed == len(path[wing - 1].eliminations)


def test_a_click_names_the_step_that_removed_a_candidate(open_page):
    path = steps(CHAINS)
    number, step = next((k, s) for k, s in enumerate(path, 1) if s.technique == "X-wing")
    cell, digit = candidate_of(step.eliminations[0])
    page = open_page(explain(CHAINS).page())
    page.evaluate(f"go({number + 1})")
    page.evaluate(f"explain({cell}, {digit})")
    name = f"r{cell // 9 + 1}c{cell % 9 + 1}"
    explanation = page.inner_text("#why")
    assert explanation.startswith(f"Candidate {digit} of {name} was removed at {number}.")
    assert step.sentence in explanation
