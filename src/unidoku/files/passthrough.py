"""Columns of the input, from the fields that a scanner of text finds beside the puzzles."""

from __future__ import annotations

from typing import Any

from unidoku.compat import np
from unidoku.files.chunks import Field, Spans
from unidoku.table.column import Column, in_one_text


def columns_of(text: bytearray, fields: list[Field], order: Any) -> dict[str, Column]:
    """Return a column for each field, with the values of all records where `order` interleaves them."""
    puzzles = {name: _column(text, spans) for name, spans, _ in fields}
    if order is None:
        return puzzles
    rejects = {name: _column(text, spans) for name, _, spans in fields if spans is not None}
    strings = in_one_text(*puzzles.values(), *rejects.values())
    rejects = dict(zip(rejects, strings[len(puzzles) :], strict=True))
    rows = np.asarray(order)
    return {
        name: column.merge(rejects.get(name), rows) for name, column in zip(puzzles, strings, strict=False)
    }


def _column(text: bytearray, values: Spans | list[Any]) -> Column:
    """Return a column of spans in a text, or of a list of values."""
    return Column.of(values) if isinstance(values, list) else Column.of_text(text, *values)
