"""Pictures: every option shows in well-formed SVG, and no text of the caller leaves its place."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from example_puzzles import UNIQUE as PUZZLE

from unidoku import Grid, InvalidPuzzleError, method, solve, view
from unidoku.stepper import Session
from unidoku.view.svg import COLORS, INKS

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*args, **options):
    root = ElementTree.fromstring(view.svg(*args, **options))
    assert root.tag == f"{SVG}svg"
    return root


def elements(root, tag, kind):
    """The elements with a tag and a class."""
    return [each for each in root.iter(f"{SVG}{tag}") if kind in (each.get("class") or "").split()]


def texts(root, kind):
    return [each.text for each in elements(root, "text", kind)]


def test_clues_and_found_digits_are_distinguished():
    assert texts(drawn(PUZZLE), "given") == [c for c in PUZZLE if c != "."]
    root = drawn(solve(PUZZLE), givens=PUZZLE)
    assert len(texts(root, "given")) == 30
    assert len(texts(root, "found")) == 51


def test_candidates_from_the_grid_a_mapping_or_an_array():
    grid = Grid(PUZZLE)
    expected = [str(digit) for cell in range(81) for digit in grid.candidates(cell)]
    assert texts(drawn(PUZZLE, candidates=True), "mark") == expected
    mapping = {f"r{cell // 9 + 1}c{cell % 9 + 1}": grid.candidates(cell) for cell in range(81)}
    assert texts(drawn(PUZZLE, candidates=mapping), "mark") == expected
    array = np.array([[d in grid.candidates(c) for d in range(1, 10)] for c in range(81)])
    assert texts(drawn(PUZZLE, candidates=array.reshape(9, 9, 9)), "mark") == expected
    assert texts(drawn(PUZZLE), "mark") == []


def test_struck_out_candidates():
    root = drawn(PUZZLE, candidates=True, removed=["r1c3=4", ("r1c4", 2), (5, 8)])
    assert texts(root, "removed") == ["4", "2", "8"]
    assert len(elements(root, "path", "strike")) == 3
    assert "4" not in texts(root, "mark")[:2]


def test_shapes_around_candidates():
    root = drawn(PUZZLE, candidates=True, roles={"r1c3=4": "on", (3, 2): "pattern"})
    found = [(each.get("data-color"), each[0]) for each in elements(root, "g", "role")]
    kinds = [(color, shape.tag.removeprefix(SVG)) for color, shape in found]
    assert kinds == [("green", "circle"), ("blue", "rect")]
    assert elements(root, "g", "role")[0].get("transform") == "translate(88.33 20)"


@pytest.mark.parametrize("place", ["r2c4=5", "R2C4=5", (12, 5), ("r2c4", 5)])
def test_a_filled_candidate_lies_in_the_middle_of_its_cell(place):
    (rect,) = [e for e in drawn(PUZZLE, fill={place: "green"}).iter(f"{SVG}rect") if e.get("data-color")]
    x, y, width, height = (float(rect.get(name)) for name in ("x", "y", "width", "height"))
    assert (x + width / 2, y + height / 2, width) == pytest.approx((140, 60, 35 / 3), abs=0.01)


def test_links():
    links = [("r1c3=1", "r1c7=1"), ("r1c7=1", "r9c7=1", "purple", True), ("r1c1=1", "r1c1=1")]
    arrows = elements(drawn(PUZZLE, links=links), "g", "link")  # an arrow to itself has no length
    assert [each.find(f"{SVG}path").get("stroke-dasharray") for each in arrows] == [None, "4 3"]
    assert [each.get("data-color") for each in arrows] == ["link", "purple"]
    start, middle = arrows[0].find(f"{SVG}path").get("d").lstrip("M").split("Q")
    assert float(middle.split()[1]) < float(start.split()[1])  # bent to the left of its direction


def test_a_title_is_escaped():
    bad = '"></svg><script>alert(1)</script>'
    root = drawn(PUZZLE, title=bad)
    assert [e.tag for e in root.iter() if "script" in e.tag] == []
    assert root.find(f"{SVG}title").text == bad


def test_a_screen_reader_reads_title_and_rows():
    root = drawn(PUZZLE)
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text == "Sudoku with 30 clues"
    rows = "Row 1: 5 3 empty empty 7 empty empty empty empty. Row 2: 6 "
    assert root.find(f"{SVG}desc").text.startswith(rows)
    chinese = drawn(PUZZLE, lang="zh")
    assert chinese.find(f"{SVG}title").text == "已知30个数的数独"
    assert chinese.find(f"{SVG}desc").text.startswith("第1行：5 3 空 空 7 空 空 空 空。 第2行：6 ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fill": {81: "red"}}, "invalid cell 81"),
        ({"removed": ["r1c1"]}, "invalid candidate 'r1c1'"),
        ({"roles": {"r1c3=4": "x"}}, "invalid role 'x'"),
    ],
)
def test_values_that_are_not_cells_are_refused(options, message):
    with pytest.raises((ValueError, InvalidPuzzleError), match=message):
        view.svg(PUZZLE, **options)


def test_searches_draw_their_state():
    session = Session(PUZZLE)
    session.step()
    root = drawn(session)
    assert len(texts(root, "given")) == 30
    assert texts(root, "mark") == [str(d) for digits in session.candidates.values() for d in digits]
    record = method.explain(PUZZLE)
    root = drawn(record.state(0))
    assert len(texts(root, "mark")) == 9 * 51
    assert len(texts(drawn(record.state()), "found")) == 51
    assert record._repr_svg_().startswith("<svg")


def test_labels():
    assert texts(drawn(PUZZLE, labels="numbers"), "label") == [str(n) for n in range(1, 82)]
    assert sorted(texts(drawn(PUZZLE, labels="rc"), "label")) == sorted(2 * "123456789")


def test_pencil_marks_leave_room_for_the_number_of_a_cell():
    tops = {
        labels: min(float(mark.get("y")) for mark in elements(drawn(PUZZLE, **marks), "text", "mark"))
        for labels in (None, "numbers", "both")
        for marks in [{"candidates": True, "labels": labels}]
    }
    assert tops["both"] == tops["numbers"] > tops[None]


def test_colors_by_day_and_by_night():
    style = drawn(PUZZLE, fill={0: "yellow"}).find(f"{SVG}style").text
    day, night = style.split("@media (prefers-color-scheme:dark)")
    for light, dark in (COLORS["yellow"], INKS["ink"][:2]):
        assert light in day
        assert dark in night
        assert light not in night
