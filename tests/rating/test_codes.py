"""Rows of steps are read as native code lays them out."""

from __future__ import annotations

from array import array

from unidoku._native.rating.codes import ROW_LAYOUT
from unidoku.rating import _step_rows as step_rows


def test_rows_are_read_as_they_are_laid_out() -> None:
    sizes = {name: array(kind).itemsize for name, kind in step_rows._TYPES.items()} | {"before": 81}
    assert {*sizes, "size"} == {*ROW_LAYOUT}
    end = 0
    for name in sorted(sizes, key=ROW_LAYOUT.__getitem__):
        assert ROW_LAYOUT[name] == end, name
        end += sizes[name]
    assert end <= ROW_LAYOUT["size"] < end + 8
