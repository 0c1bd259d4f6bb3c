"""Columns: the same values in Python, as text and in Arrow, for any selection of rows."""

import json

import numpy as np
import pyarrow as pa
import pytest

from unidoku.native.text.columns import JSON, MISSING, PUZZLE, TEXT
from unidoku.native.text.render import render
from unidoku.table.column import Column, Strings

FIRST, SECOND = "1" * 81, "." + "2" * 80
WORDS = ("none", "unique")


def strings(text, ends, states=None):
    ends = np.array(ends)
    return Column(Strings(text, np.append(0, ends[:-1]), ends), states=states and np.array(states, np.uint8))


COLUMNS = {
    "numbers": (Column(np.array([5, 6, 7]), states=np.array([True, False, True])), [5, None, 7]),
    "negative numbers": (Column(np.array([5, -6, 7])), [5, -6, 7]),
    "flags": (Column(np.array([True, False, True])), [True, False, True]),
    "fractions": (
        Column(np.array([0.5, np.nan, 2.0]), states=np.array([True, False, True])),
        [0.5, None, 2.0],
    ),
    "categories": (
        Column(np.array([1, 0, 1], np.uint8), WORDS, is_dictionary=True),
        ["unique", "none", "unique"],
    ),
    "strings": (strings(b"a1b", [1, 2, 2], [TEXT, JSON, MISSING]), ["a", 1, None]),
    "puzzles": (Column.of_puzzles((FIRST + SECOND).encode(), [0, 81, 0]), [FIRST, SECOND, FIRST]),
    "puzzles and texts": (
        strings((SECOND.replace(".", "0") + "x").encode(), [81, 82, 82], [PUZZLE, TEXT, MISSING]),
        [SECOND, "x", None],
    ),
    "cells": (
        Column(np.array([[1] * 81, [0] * 81, [3] * 81], np.uint8), states=np.array([True, False, True])),
        [FIRST, None, "3" * 81],
    ),
    "lists": (Column.of_lists(Column(np.array([1, 2, 3])), np.array([0, 2, 2, 3])), [[1, 2], [], [3]]),
    "lists of categories": (
        Column.of_lists(Column(np.array([1, 0]), WORDS, is_dictionary=True), np.array([0, 2, 2, 2])),
        [[*WORDS[::-1]], [], []],
    ),
    "rows of numbers": (Column(np.array([[1, 2], [3, 4], [5, 6]])), [[1, 2], [3, 4], [5, 6]]),
}


def in_json(column):
    """The values of a column in JSON lines."""
    text = bytes(render("jsonl", len(column), [("x", column.native())]))
    return [json.loads(line)["x"] for line in text.splitlines()]


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("rows", [[0, 1, 2], [2, 0, 0, 1], [-1, 2, -1, 0], [-1, -1], []])
def test_selected_rows_have_the_same_values_everywhere(name, rows):
    column, values = COLUMNS[name]
    selection, selected_values = (
        column.take(np.array(rows, int)),
        [values[k] if k >= 0 else None for k in rows],
    )
    assert [len(selection), *selection.has_value()] == [
        len(rows),
        *(value is not None for value in selected_values),
    ]
    assert selection.to_list() == in_json(selection) == selection.as_strings().to_list() == selected_values
    reversed_selection = selection.take(np.array([*range(len(rows) - 1, -1, -1), -1]))
    assert reversed_selection.to_list() == in_json(reversed_selection) == [*selected_values[::-1], None]


@pytest.mark.parametrize("name", sorted({*COLUMNS} - {"strings"}))
@pytest.mark.parametrize("rows", [[2, 0, 0, 1], [-1, 2, -1, 0], [-1, -1]])
def test_selected_rows_in_arrow(name, rows):
    column, values = COLUMNS[name]
    selected_values = [values[k] if k >= 0 else None for k in rows]
    assert column.take(np.array(rows)).to_arrow().to_pylist() == selected_values
    arrow = Column(pa.array(values)).take(np.array(rows))
    assert arrow.to_list() == in_json(arrow) == selected_values


@pytest.mark.parametrize("name", COLUMNS)
def test_missing_values_come_from_another_column(name):
    column, values = COLUMNS[name]
    merged = column.take(np.array([1, -1, 0])).fallback(Column.of([None, "x", "y"]))
    merged_values = [values[1], "x", values[0]]
    if isinstance(values[0], list):  # in text
        merged_values = [value if isinstance(value, str) else [*value] for value in merged_values]
    assert merged.to_list() == in_json(merged) == merged_values
    assert merged.has_value().tolist() == [value is not None for value in merged_values]


def test_two_columns_are_interleaved():
    letters, texts = strings(b"abc", [1, 2, 3]), Column.of(["x", None])
    assert letters.merge(texts, np.array([~0, 0, 1, ~1, 2])).to_list() == ["x", "a", "b", None, "c"]
    assert letters.merge(None, np.array([~0, 0])).to_list() == [None, "a"]


@pytest.mark.parametrize(("name", "fill"), [("numbers", 9), ("flags", False), ("categories", 0)])
def test_a_negative_row_may_have_a_value(name, fill):
    column, values = COLUMNS[name]
    value = WORDS[fill] if name == "categories" else fill
    assert column.take(np.array([-1, 0]), fill).to_list() == [value, values[0]]


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_are_joined(name):
    column, values = COLUMNS[name]
    joined = Column.join([column, column.take(np.array([], int)), column.take(np.array([2, -1])), column])
    joined_values = [*values, values[2], None, *values]
    assert joined.to_list() == in_json(joined) == joined_values


def test_texts_of_some_rows():
    assert Column.sparse({2: "c", 0: "a"}, 4).to_list() == ["a", None, "c", None]
    assert Column.constant("a", 2).to_list() == ["a", "a"]
