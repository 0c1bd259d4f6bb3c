"""Pictures: the effect of each option, and escaped texts."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from cases import in_turn
from example_puzzles import UNIQUE as PUZZLE

from unidoku import Grid, InvalidPuzzleError, method, solve, view
from unidoku.stepper import Session
from unidoku.view._svg import COLORS, INKS

SVG = "{http://www.w3.org/2000/svg}"


def root_of(*args, **options):
    root = ElementTree.fromstring(view.svg(*args, **options))
    assert root.tag == f"{SVG}svg"
    return root


def elements(root, tag, kind):
    """The elements with a tag and a class."""
    return [element for element in root.iter(f"{SVG}{tag}") if kind in (element.get("class") or "").split()]


def texts(root, kind):
    return [element.text for element in elements(root, "text", kind)]


def test_clues_and_filled_digits_are_distinguished():
    assert texts(root_of(PUZZLE), "given") == [c for c in PUZZLE if c != "."]
    root = root_of(solve(PUZZLE), givens=PUZZLE)
    assert len(texts(root, "given")) == 30
    assert len(texts(root, "found")) == 51
    assert root.find(f"{SVG}title").text == "Sudoku with 30 clues"


def test_candidates_from_the_grid_a_mapping_or_an_array():
    grid = Grid(PUZZLE)
    candidate_texts = [str(digit) for cell in range(81) for digit in grid.candidates(cell)]
    assert texts(root_of(PUZZLE, candidates=True), "mark") == candidate_texts
    mapping = {f"r{cell // 9 + 1}c{cell % 9 + 1}": grid.candidates(cell) for cell in range(81)}
    assert texts(root_of(PUZZLE, candidates=mapping), "mark") == candidate_texts
    array = np.array([[d in grid.candidates(c) for d in range(1, 10)] for c in range(81)])
    assert texts(root_of(PUZZLE, candidates=array.reshape(9, 9, 9)), "mark") == candidate_texts
    assert texts(root_of(PUZZLE), "mark") == []


def test_struck_out_candidates():
    root = root_of(PUZZLE, candidates=True, removed=["r1c3=4", ("r1c4", 2), (5, 8)])
    assert texts(root, "removed") == ["4", "2", "8"]
    assert len(elements(root, "path", "strike")) == 3
    assert "4" not in texts(root, "mark")[:2]
    assert texts(root_of(PUZZLE, removed=["r1c3=4"]), "removed") == ["4"]


def test_shapes_around_candidates():
    root = root_of(PUZZLE, candidates=True, roles={"r1c3=4": "on", (3, 2): "pattern"})
    shapes = [(element.get("data-color"), element[0]) for element in elements(root, "g", "role")]
    kinds = [(color, shape.tag.removeprefix(SVG)) for color, shape in shapes]
    assert kinds == [("green", "circle"), ("blue", "rect")]
    assert elements(root, "g", "role")[0].get("transform") == "translate(88.33 20)"


@in_turn
@pytest.mark.parametrize("place", ["r2c4=5", "R2C4=5", (12, 5), ("r2c4", 5)])
def test_a_filled_candidate_lies_in_the_middle_of_its_cell(place):
    (rect,) = [e for e in root_of(PUZZLE, fill={place: "green"}).iter(f"{SVG}rect") if e.get("data-color")]
    x, y, width, height = (float(rect.get(name)) for name in ("x", "y", "width", "height"))
    assert (x + width / 2, y + height / 2, width) == pytest.approx((140, 60, 35 / 3), abs=0.01)


def test_links():
    links = [("r1c3=1", "r1c7=1"), ("r1c7=1", "r9c7=1", "purple", True), ("r1c1=1", "r1c1=1")]
    arrows = elements(root_of(PUZZLE, links=links), "g", "link")  # an arrow to itself has no length
    assert [arrow.find(f"{SVG}path").get("stroke-dasharray") for arrow in arrows] == [None, "4 3"]
    assert [arrow.get("data-color") for arrow in arrows] == ["link", "purple"]
    start, middle = arrows[0].find(f"{SVG}path").get("d").lstrip("M").split("Q")
    assert float(middle.split()[1]) < float(start.split()[1])  # bent to the left of its direction


def test_a_title_is_escaped():
    bad = '"></svg><script>alert(1)</script>'
    root = root_of(PUZZLE, title=bad)
    assert [e.tag for e in root.iter() if "script" in e.tag] == []
    assert root.find(f"{SVG}title").text == bad


def test_a_screen_reader_reads_title_and_rows():
    root = root_of(PUZZLE)
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text == "Sudoku with 30 clues"
    rows = "Row 1: 5 3 empty empty 7 empty empty empty empty. Row 2: 6 "
    assert root.find(f"{SVG}desc").text.startswith(rows)
    chinese = root_of(PUZZLE, lang="zh")
    assert chinese.find(f"{SVG}title").text == "已知30个数的数独"
    assert chinese.find(f"{SVG}desc").text.startswith("第1行：5 3 空 空 7 空 空 空 空。 第2行：6 ")


@in_turn
@pytest.mark.parametrize(
    ("options", "message"),
    [
        *(
            ({"fill": {cell: "red"}}, "invalid cell")
            for cell in (81, -1, "r0c1", "r1c10", "5", "", 3.0, None)
        ),
        *(
            ({"removed": [candidate]}, "invalid candidate")
            for candidate in ("r1c1", "r1c1=0", "r1c1=x", "r1c1=10", (1, 0), (1, 10), 5, (1, 2, 3))
        ),
        ({"roles": {"r1c3=4": "x"}}, "invalid role 'x'"),
    ],
)
def test_values_that_are_not_cells_are_refused(options, message):
    with pytest.raises((ValueError, InvalidPuzzleError), match=message):
        view.svg(PUZZLE, **options)


def test_searches_draw_their_state():
    session = Session(PUZZLE)
    session.step()
    root = root_of(session)
    assert len(texts(root, "given")) == 30
    assert texts(root, "mark") == [str(d) for digits in session.candidates.values() for d in digits]
    record = method.explain(PUZZLE)
    root = root_of(record.state(0))
    assert len(texts(root, "mark")) == 9 * 51
    assert len(texts(root_of(record.state()), "found")) == 51
    assert record._repr_svg_().startswith("<svg")


def test_labels():
    assert texts(root_of(PUZZLE, labels="numbers"), "label") == [str(n) for n in range(1, 82)]
    assert sorted(texts(root_of(PUZZLE, labels="rc"), "label")) == sorted(2 * "123456789")


def test_pencil_marks_leave_room_for_the_number_of_a_cell():
    tops = {
        labels: min(float(mark.get("y")) for mark in elements(root_of(PUZZLE, **marks), "text", "mark"))
        for labels in (None, "numbers", "both")
        for marks in [{"candidates": True, "labels": labels}]
    }
    assert tops["both"] == tops["numbers"] > tops[None]


def test_colors_by_day_and_by_night():
    style = root_of(PUZZLE, fill={0: "yellow"}).find(f"{SVG}style").text
    day, night = style.split("@media (prefers-color-scheme:dark)")
    for light, dark in (COLORS["yellow"][:2], INKS["ink"][:2]):
        assert light in day
        assert dark in night
        assert light not in night
