"""The expansion form, and the picture of the numbers of the cells."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from cases import in_turn
from command import run
from example_puzzles import BOOK as PUZZLE, UNIQUE
from gallery import keep

from unidoku import Grid, method
from unidoku._words import table
from unidoku.method._form import expansion_form, numbers_of_cells
from unidoku.view._explain import explain

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
GRID = Grid(UNIQUE)
OPEN = {cell for cell, value in enumerate(GRID, 1) if not value}
SIDE = 60


BOX_FIRST = method.Order(units=("box", "row", "column"))
UNITS = ("--units", "box,row,column")


def replay_after(step):
    """The replay of a record after a step."""
    return method.explain(PUZZLE, BOX_FIRST).after(step)


PICTURES = {
    "numbering.svg": numbers_of_cells(),
    "form.svg": expansion_form(PUZZLE),
    "form-worked.svg": expansion_form(replay_after(-1)),
}


def texts(svg, kind):
    """The texts of a class, by cell: place in the cell and text."""
    texts_of_cells = {}
    for node in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):
        if node.get("class") == kind:
            x, y = float(node.get("x")), float(node.get("y"))
            cell = 9 * int(y // SIDE) + int(x // SIDE) + 1
            texts_of_cells.setdefault(cell, []).append((x % SIDE, y % SIDE, node.text))
    return texts_of_cells


def small_cells(svg):
    """The rectangles of the small cells, by cell."""
    rectangles = {}
    for node in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}path"):
        if node.get("class") == "small":
            for part in node.get("d").split("M")[1:]:
                place, _, tail = part.partition("h")
                x, y = map(int, place.split())
                width, _, tail = tail.partition("v")
                height = tail.partition("h")[0]
                cell = 9 * (y // SIDE) + x // SIDE + 1
                rectangles.setdefault(cell, []).append((x % SIDE, y % SIDE, int(width), int(height)))
    return rectangles


@in_turn
@pytest.mark.parametrize("step", [0, 1, 20, -1])
def test_the_form_filled_in(step):
    """Every mark of the record stands in the small cell of its digit; values and givens stand in the room."""
    replay = replay_after(step)
    svg, givens = expansion_form(replay), Grid(PUZZLE).cells
    how = {e.cell: e.mark for e in replay.events[: replay.position] if e.kind == "convert"}
    record_texts, values = {}, {}
    for cell, clue in enumerate(givens, 1):
        if clue:
            continue
        value = int(replay.state.NA[cell - 1])
        if value:
            values[cell] = str(value)
        for digit in range(1, 10):
            text = replay.mark(cell, digit) or str(digit)
            record_texts[cell, digit] = how[cell] if digit == value else text
    cells, form_texts = small_cells(svg), {}
    texts_of_kinds = [texts(svg, kind) for kind in ("mark", "digit", "conversion")]
    for kind in texts_of_kinds:
        for cell, entries in kind.items():
            for x, y, text in entries:
                for digit, (left, top, width, height) in zip("123456789", cells[cell], strict=True):
                    if left < x < left + width and top < y < top + height:
                        assert (cell, int(digit)) not in form_texts
                        form_texts[cell, int(digit)] = text
    assert form_texts == record_texts
    assert {cell: entries[0][2] for cell, entries in texts(svg, "found").items()} == values
    assert set(texts(svg, "given")) == {cell for cell, clue in enumerate(givens, 1) if clue}


def test_the_page_of_a_record_has_both_tables():
    page, record = explain(PUZZLE, method="book").page(), method.explain(PUZZLE)
    for form, caption in ((record.first_table(), "form.first"), (record.after(-1), "form.last")):
        assert expansion_form(form, title=table("en")["method"][caption]) in page


def test_the_command_prints_table_a():
    """The zeroing by the givens, the conversions that it justifies, and nothing that follows."""
    page = run("print", PUZZLE, "--worked", "first", *UNITS, code=0).stdout
    svg = page[page.index("<svg") : page.index("</svg>") + 6]
    assert svg == expansion_form(method.explain(PUZZLE, BOX_FIRST).first_table(), title="Puzzle 1")
    conversions = {cell: entries[0][2] for cell, entries in texts(svg, "conversion").items()}
    assert conversions == {1: "⊙G", 29: "⊙G", 30: "⊙G"}
    assert {cell: entries[0][2] for cell, entries in texts(svg, "found").items()}[1] == "8"
    assert sum(text == "*" for _, _, text in texts(svg, "mark")[1]) == 5


def test_the_numbers_of_every_cell():
    svg = numbers_of_cells()
    assert {cell: entries[0][2] for cell, entries in texts(svg, "cell").items()} == {
        cell: str(cell) for cell in range(1, 82)
    }
    units = {cell: " ".join(text for _, _, text in entries) for cell, entries in texts(svg, "of").items()}
    assert units[39] == "II=5 JJ=3 KG=4"  # the book: cell 39 is in column 3
    boxes = {(row, column): 3 * (row // 3) + column // 3 + 1 for row in range(9) for column in range(9)}
    assert units == {
        9 * row + column + 1: f"II={row + 1} JJ={column + 1} KG={box}" for (row, column), box in boxes.items()
    }


@in_turn
@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_of_the_documentation(name):
    if not IMAGES.is_dir():
        pytest.skip("the folder docs is not here")
    keep(name, PICTURES[name])
    assert (IMAGES / name).read_text(encoding="utf-8") == PICTURES[name]
