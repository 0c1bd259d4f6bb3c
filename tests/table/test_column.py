"""Columns: buffers of places, texts of numbers."""

from __future__ import annotations

from array import array
from itertools import permutations

import numpy as np
import pytest
from cases import in_turn

from unidoku._native.text.render import render
from unidoku._table.column import Column, buffer_of
from unidoku.runner._results import typed_column


@in_turn
@pytest.mark.parametrize("first", [0, 3, 81, 81 * 8192])
@pytest.mark.parametrize("step", [1, 81, 90, -81])
@pytest.mark.parametrize("count", [0, 1, 5, 8192, (1 << 16) + 1])
def test_a_range_of_places_is_a_buffer_of_its_numbers(first, step, count):
    places = range(first, first + step * count, step)
    buffer = buffer_of(places)
    assert memoryview(buffer).format == "q"
    assert list(buffer) == list(places)


@in_turn
@pytest.mark.parametrize("kind", ["float16", "float32", "float64"])
def test_the_text_of_a_number_does_not_depend_on_the_numbers_around_it(kind):
    """0.0 and -0.0 are equal, but not the same number."""
    for values in [*permutations([-0.0, 0.0, 1.5, float("nan")]), [0.0] * 3, [-0.0] * 3]:
        array = np.array(values, kind)
        texts = Column(array).as_strings().to_list()
        assert [*map(str, texts)] == [str(None if np.isnan(value) else value) for value in array], values


def test_rows_without_a_value_need_no_words():
    column = typed_column("technique", "words", None).take(array("q", [-1, -1]))
    assert column.to_list() == [None, None]
    assert bytes(render("csv", 2, [("technique", column.native())])) == b'""\n""\n'
