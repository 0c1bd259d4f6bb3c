"""The book's statements about its worked puzzle (tables 2.2-A and 2.2-B), on a similar puzzle.

The book's own puzzle is not in the text at hand. This one has 24 givens as well, and was found by search.
"""

import itertools
import re

import pytest
from cases import in_turn
from example_puzzles import BOOK as PUZZLE
from method_checker import check

import unidoku
from unidoku import Grid, method
from unidoku.method import _record as module
from unidoku.method._record import UNITS_OF


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
    assert record.book_class == 1
    assert check(PUZZLE, [event.as_dict() for event in record.events]) == record.solution


def test_the_formulas_of_the_docstring():
    row, column = (re.search(rf"``{name} = ([^`\n]*)``", module.__doc__)[1] for name in ("II", "JJ"))
    for cell in range(1, 82):
        assert (eval(row, {"I": cell}), eval(column, {"I": cell})) == (
            module.row_of(cell),
            module.column_of(cell),
        )


@pytest.mark.parametrize(("cell", "value", "mark"), [(1, 8, "⊙G"), (9, 7, "⊙G"), (3, 6, "⊙"), (2, 5, "⊙I")])
def test_the_conversions_of_the_book(record, cell, value, mark):
    event, _ = conversion(record, cell)
    assert (event.digit, event.mark) == (value, mark)


@pytest.mark.parametrize(("cell", "digit", "mark"), [(3, 1, "J39"), (3, 3, "I7"), (2, 4, "G12")])
def test_the_marks_of_the_book(record, cell, digit, mark):
    assert record.after(-1).mark(cell, digit) == mark


OTHER = ".....9.....4...1.82..7..4.55.......3..15...7.4........12..53..9...9..2...38.6...."


@in_turn
@pytest.mark.parametrize(
    ("puzzle", "units", "cells"),
    [
        (PUZZLE, ("box", "row", "column"), [1, 29, 30]),
        (PUZZLE, ("row", "column", "box"), [1, 30, 53, 59, 77]),
        (OTHER, ("row", "column", "box"), [7, 65, 71, 73]),
    ],
)
def test_table_a_is_the_first_part_of_table_b(puzzle, units, cells):
    """Its events are of the record, and an independent checker accepts it; its marks are those of table B.

    In table B another value may have zeroed a component before its own cell did.
    """
    record = method.explain(puzzle, method.Order(units=units))
    table_a, table_b = record.first_table(), record.after(-1)
    later_events = iter(table_b.events)
    assert all(event in later_events for event in table_a.events)  # in this order
    check(puzzle, [event.as_dict() for event in table_a.events])
    assert sorted(table_a.conversions()) == cells
    for cell, digit in itertools.product(range(1, 82), range(1, 10)):
        if mark := table_a.mark(cell, digit):
            assert mark == table_b.mark(cell, digit) or (mark == "*" and table_b.mark(cell, digit))
    for cell, event in table_a.conversions().items():
        assert event is table_b.conversions()[cell]


def test_table_a_has_all_of_table_b_that_the_givens_justify():
    """The zeroing is complete, and it justifies no further conversion of the record."""
    record = method.explain(PUZZLE)
    table = record.first_table()
    zeroing = [event for event in table.events if event.kind == "zero"]
    assert {(event.cell, event.digit) for event in zeroing} == {
        (peer, digit)
        for (cell, digit), peer in itertools.product(enumerate(Grid(PUZZLE).cells, 1), range(1, 82))
        if digit and not Grid(PUZZLE)[peer - 1] and set(UNITS_OF[cell]) & set(UNITS_OF[peer])
    }
    for event in record.events:
        if event.kind == "convert" and event not in table.events:
            with pytest.raises(AssertionError):
                check(PUZZLE, [other.as_dict() for other in (*zeroing, event)])


def test_table_a_where_theorem_4_comes_before_the_first_zeroing():
    """The ninth cell of the row has its value, and zeros, before the eight givens zero anything."""
    table = method.explain("12345678." + "." * 72).first_table()
    assert table.state.NA[8] == 9
    assert table.conversions()[9].mark == "④I"
    assert [table.mark(9, digit) for digit in range(1, 10)] == [*"********", ""]
    assert sum(event.rule == "theorem1" for event in table.events) == 8 * 12


def test_the_components_that_a_conversion_leaves_are_zero(record):
    _, replay = conversion(record, 1)
    components = [digit for digit in replay.state.components(1) if digit != 8]
    replay.seek(len(record.events))
    assert [replay.mark(1, digit) for digit in components] == ["*"] * len(components)
