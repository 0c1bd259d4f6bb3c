"""The book's statements about its worked puzzle (tables 2.2-A and 2.2-B), on a similar puzzle.

The book's own puzzle is not in the text at hand. This one has 24 givens as well, and was found by search.
"""

import pytest
from command import run
from example_puzzles import BOOK as PUZZLE
from method_checker import check

import unidoku
from unidoku import method


@pytest.fixture(scope="module")
def record():
    return method.explain(PUZZLE, method.Order(units=("box", "row", "column")))


def conversion(record, cell):
    """The conversion of a cell and a replay positioned just before it."""
    number = next(n for n, e in enumerate(record.events) if e.kind == "convert" and e.cell == cell)
    replay = record.replay()
    replay.seek(number)
    return record.events[number], replay


def test_24_givens_and_one_solution(record):
    assert 81 - PUZZLE.count(".") == 24
    assert unidoku.count(PUZZLE) == 1
    assert record.difficulty == 1
    assert check(PUZZLE, [event.as_dict() for event in record.events]) == record.solution


@pytest.mark.parametrize(("cell", "value", "mark"), [(1, 8, "⊙G"), (9, 7, "⊙G"), (3, 6, "⊙"), (2, 5, "⊙I")])
def test_the_conversions_of_the_book(record, cell, value, mark):
    event, _ = conversion(record, cell)
    assert (event.digit, event.mark) == (value, mark)


def test_the_order_of_units_is_an_option():
    command = ("explain", "--method", "book", PUZZLE, "--units", "box,row,column", "--short")
    text = run(*command, code=0).stdout.splitlines()
    assert text[1] == "1. cell 1 = 8 ⊙G: the only place for 8 in box 1"
    assert "names a word twice" in run(*command, "--units", "row,row,box", code=2).stderr


@pytest.mark.parametrize(("cell", "digit", "mark"), [(3, 1, "J39"), (3, 3, "I7"), (2, 4, "G12")])
def test_the_marks_of_the_book(record, cell, digit, mark):
    assert record.after(-1).mark(cell, digit) == mark


def test_table_a_has_the_first_zeroing_and_its_conversions():
    """An independent checker accepts the events; the zeroing is the same as the engine's."""
    for puzzle, cells in (
        (PUZZLE, [1, 4, 29, 30, 53, 59, 72, 77]),
        (
            ".....9.....4...1.82..7..4.55.......3..15...7.4........12..53..9...9..2...38.6....",
            [7, 15, 65, 71, 73],
        ),
    ):
        record = method.explain(puzzle)
        table = record.first_table()
        zeroing = record.events[: record.step_ends[0]]
        assert table.events[: len(zeroing)] == zeroing
        assert [event.cell for event in table.events if event.kind == "convert"] == cells
        check(puzzle, [event.as_dict() for event in table.events])
        assert {event.rule for event in table.events if event.kind == "zero"} == {"theorem1", "own"}


def test_the_zeroing_of_table_a_is_complete_where_theorem_4_comes_first():
    table = method.explain("12345678." + "." * 72).first_table()
    assert table.state.NA[8] == 9
    assert table.conversions()[9].mark == "④I"
    assert sum(event.rule == "theorem1" for event in table.events) == 8 * 13


def test_the_components_that_a_conversion_leaves_are_zero(record):
    _, replay = conversion(record, 1)
    components = [digit for digit in replay.state.components(1) if digit != 8]
    replay.seek(len(record.events))
    assert [replay.mark(1, digit) for digit in components] == ["*"] * len(components)
