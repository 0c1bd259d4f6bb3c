"""Columns: buffers of places."""

from __future__ import annotations

import pytest

from unidoku.table.column import buffer_of


@pytest.mark.parametrize("first", [0, 3, 81, 81 * 8192])
@pytest.mark.parametrize("step", [1, 81, 90, -81])
@pytest.mark.parametrize("count", [0, 1, 5, 8192, (1 << 16) + 1])
def test_a_range_of_places_is_a_buffer_of_its_numbers(first, step, count):
    places = range(first, first + step * count, step)
    buffer = buffer_of(places)
    assert memoryview(buffer).format == "q"
    assert list(buffer) == list(places)
