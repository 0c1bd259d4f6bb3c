"""Columns of an input beside puzzles made of its own: ratings are left out, solutions of images move."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from unidoku import kernel
from unidoku.cell import SYMBOLS
from unidoku.native.text.columns import pack
from unidoku.table.column import Column, Strings

SOLUTION_COLUMNS = ("solution", "second_solution", "prediction", "answer", "answers")
"""Columns that are transformed with their puzzles; letter case does not matter."""

RATING_COLUMNS = (
    *("er", "ep", "ed", "technique", "difficulty", "at_least", "rating", "ratings"),
    *("steps", "level", "level_step", "first_steps", "first_level", "first_level_step", "class"),
)
"""Columns that may differ for a new puzzle, so it does not get them; letter case does not matter.

A search looks at cells and digits in their order, and the first of several steps counts.
"""

_CODES = np.frombuffer(SYMBOLS.encode(), np.uint8)
_IS_CELL = np.isin(np.arange(256), np.frombuffer(b".0123456789", np.uint8))


def moved_solutions(columns: Mapping[str, Column], symmetries: Column) -> dict[str, Column]:
    """Return other columns of images: the grids in columns of solutions are transformed.

    A row without a symmetry is no puzzle; its values stay as they are.
    """
    numbers = np.where(symmetries.has_value(), symmetries.values, 0)
    return {
        name: _transform_grids(column, numbers) if name.lower() in SOLUTION_COLUMNS else column
        for name, column in columns.items()
    }


def without_ratings(columns: Mapping[str, Column]) -> dict[str, Column]:
    """Return the columns that puzzles made of others may have in common with these: all but ratings."""
    return {name: column for name, column in columns.items() if name.lower() not in RATING_COLUMNS}


def _transform_grids(column: Column, numbers: NDArray[np.int64]) -> Column:
    """Transform the grids of 81 cells in a column; other texts stay as they are."""
    texts = column.as_strings()
    content, begins, stops = texts.values
    begins = np.asarray(begins, np.int64)
    sizes = np.asarray(stops, np.int64) - begins
    ends = np.cumsum(sizes)
    starts = ends - sizes
    text = np.empty(int(sizes.sum()), np.uint8)
    pack(content, begins, begins + sizes, text)
    rows = np.flatnonzero(sizes == 81)
    places = starts[rows, None] + np.arange(81)
    is_grid = _IS_CELL[text[places]].all(axis=1)
    rows, places = rows[is_grid], places[is_grid]
    if rows.size:
        images = np.empty(places.shape, np.uint8)
        native = kernel.form(package="symmetry")
        native.transform(text, starts[rows], numbers[rows], images.reshape(-1), zero=48)
        text[places] = _CODES[images]
    return Column(Strings(text, starts, ends), states=texts.states)
