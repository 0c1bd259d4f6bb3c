"""Columns laid into rows: the same values in Python, as text and in Arrow."""

import json
from array import array

import numpy as np
import pytest

from unidoku.column import AT_LEAST, JSON, MISSING, TEXT, Cells, Column, Texts
from unidoku.native.text.render import render

FIRST, SECOND = "1" * 81, "." + "2" * 80
WORDS = ("none", "unique")
GRIDS = Column.grids(memoryview((FIRST + "2" * 81).encode() + bytes(81)), 48)
VERDICTS = Column(bytes([1, 1, 0]), WORDS, type="words")
COLUMNS = {
    "numbers": (Column([5, 6, 7], valid=[True, False, True]), [5, None, 7]),
    "a buffer": (Column(array("q", [5, -6, 7]), type="int64"), [5, -6, 7]),
    "flags": (Column(bytes([1, 0, 1]), type="bool"), [True, False, True]),
    "fractions": (
        Column(np.array([0.5, np.nan, 2.0]), valid=np.array([True, False, True])),
        [0.5, None, 2.0],
    ),
    "words": (Column(bytes([1, 0, 1]), WORDS, type="words"), ["unique", "none", "unique"]),
    "strings": (
        Column(np.array(["a", None, "c"], object), valid=np.array([True, False, True])),
        ["a", None, "c"],
    ),
    "texts": (
        Column(Texts(b"a1b", array("q", [0, 1, 2]), array("q", [1, 2, 3])), valid=b"\1\2\0"),
        ["a", 1, None],
    ),
    "puzzles": (Column(Cells((FIRST + SECOND).encode(), array("q", [0, 81, 0]))), [FIRST, SECOND, FIRST]),
    "grids": (GRIDS, [FIRST, "2" * 81, None]),
    "grids or words": (GRIDS.lay(array("q", [0, 1, ~2]), VERDICTS), [FIRST, "2" * 81, "none"]),
    "cells or nothing": (
        Column(np.array([[1] * 81, [0] * 81, [3] * 81], np.uint8), valid=np.array([True, False, True])),
        [FIRST, None, "3" * 81],
    ),
    "cells": (Column(np.array([[1] * 81, [0] + [2] * 80, [1] * 81], np.uint8)), [FIRST, SECOND, FIRST]),
    "lists": (Column(np.array([1, 2, 3]), offsets=np.array([0, 2, 2, 3])), [[1, 2], [], [3]]),
    "lists of words": (
        Column(np.array([1, 0]), WORDS, offsets=np.array([0, 2, 2, 2])),
        [[*WORDS[::-1]], [], []],
    ),
    "rows of numbers": (Column(np.array([[1, 2], [3, 4], [5, 6]])), [[1, 2], [3, 4], [5, 6]]),
}


def in_json(column):
    """The values of a column in JSON lines."""
    text = bytes(render("jsonl", len(column), [("x", column.native())]))
    return [json.loads(line)["x"] for line in text.splitlines()]


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("place", [[2, 0, 0, 1], [-1, 2, -1, 0], [-1, -1], []])
def test_a_column_has_the_same_values_wherever_it_is_laid(name, place):
    column, values = COLUMNS[name]
    laid, expected = column.lay(array("q", place)), [values[k] if k >= 0 else None for k in place]
    assert [len(laid), *laid.known()] == [len(place), *(value is not None for value in expected)]
    assert laid.to_list() == laid.in_rows().to_list() == laid.as_texts().to_list() == expected
    assert in_json(laid) == in_json(laid.in_rows()) == expected
    for others in ([], [-1]):
        twice = laid.lay(array("q", [*range(len(place) - 1, -1, -1), *others]))
        assert twice.to_list() == in_json(twice) == expected[::-1] + [None for _ in others]


@pytest.mark.parametrize("name", sorted({*COLUMNS} - {"texts"}))
@pytest.mark.parametrize("place", [[2, 0, 0, 1], [-1, 2, -1, 0], [-1, -1]])
def test_a_laid_column_in_arrow(name, place):
    pa = pytest.importorskip("pyarrow")
    column, values = COLUMNS[name]
    expected = [values[k] if k >= 0 else None for k in place]
    assert column.lay(array("q", place)).to_arrow().to_pylist() == expected
    arrow = Column(pa.array(values), type="arrow").lay(array("q", place))
    assert arrow.to_list() == in_json(arrow) == expected


@pytest.mark.parametrize("name", COLUMNS)
def test_rows_of_two_columns(name):
    column, values = COLUMNS[name]
    last = column.lay(array("q", [2]))
    for other, beside in ((last, values[2]), (Column.values_of(["x"]), "x")):
        laid = column.lay(array("q", [1, ~0, 0]), other.in_rows())
        assert laid.to_list() == in_json(laid) == laid.as_texts().to_list() == [values[1], beside, values[0]]
        # a row without a value stays one, whatever is beside the rows
        again = column.lay(array("q", [1, -1])).lay(array("q", [0, 1, ~0]), other.in_rows())
        assert again.to_list() == in_json(again) == [values[1], None, beside]
        assert again.known().tolist() == [value is not None for value in (values[1], None, beside)]


@pytest.mark.parametrize("name", ["grids", "grids or words", "cells", "cells or nothing", "puzzles"])
def test_a_row_without_a_grid_is_an_empty_line(name):
    column, values = COLUMNS[name]
    for each in (column, column.as_texts()):
        lines = bytes(render("txt", 3, [("x", each.native())])).decode().splitlines()
        assert lines == [value or "" for value in values]


def test_a_lower_bound_is_shown_in_lines_of_text():
    column = Column(array("Q", [3, 2, 0]), valid=bytes([AT_LEAST, TEXT, MISSING]), type="uint64")
    assert in_json(column) == column.to_list() == [3, 2, None]
    for each in (column.lay(array("q", [1, 0, 2])), column.lay(array("q", [1, 0, 2])).in_rows()):
        lines = bytes(render("txt", 3, [("x", each.native())]))
        assert lines == b"2\n3+\n\n"


def test_json_beside_texts_stays_json():
    column = Column(Texts(b"[1]", array("q", [0]), array("q", [3])), valid=bytes([JSON]))
    assert in_json(column.lay(array("q", [~0, 0]), Column.values_of(["a"])).in_rows()) == ["a", [1]]
