"""Columns of an input beside puzzles made of its own: ratings are left out, solutions of images move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from unidoku import kernel
from unidoku.compat import np
from unidoku.table.column import Column

if TYPE_CHECKING:
    from numpy.typing import NDArray

SOLUTION_COLUMNS = ("solution", "second_solution", "prediction", "answer", "answers")
"""Columns that are transformed with their puzzles; letter case does not matter."""

RATING_COLUMNS = (
    *("er", "ep", "ed", "technique", "difficulty", "at_least", "card", "rating", "ratings"),
    *("steps", "level", "level_step", "first_steps", "first_level", "first_level_step", "class"),
)
"""Columns that may differ for a new puzzle, so it does not get them; letter case does not matter.

A search looks at cells and digits in their order, and the first of several steps counts.
"""


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
    rating_columns = RATING_COLUMNS + (() if _are_titles(columns) else ("name",))
    return {name: column for name, column in columns.items() if name.lower() not in rating_columns}


def beside_names(columns: Mapping[str, Column]) -> dict[str, Column]:
    """Return other columns of rows with the names of steps: titles under ``name`` are under ``title``."""
    title = "title"
    while title in columns:
        title += "_"
    is_title = _are_titles(columns)
    return {title if is_title and name == "name" else name: column for name, column in columns.items()}


def _are_titles(columns: Mapping[str, Column]) -> bool:
    """Return whether a column ``name`` has titles: names of steps have ``technique`` beside them."""
    return "technique" not in map(str.lower, columns)


def _transform_grids(column: Column, numbers: NDArray[np.int64]) -> Column:
    """Transform the grids of 81 cells in a column; other texts stay as they are."""
    strings = column.as_strings()
    text, starts, ends = strings.values
    rows = np.flatnonzero(ends - starts == 81)
    grids = np.frombuffer(text, np.uint8)[starts[rows, None] + np.arange(81)]
    is_cell = np.isin(np.arange(256), np.frombuffer(b".0123456789", np.uint8))
    is_grid = is_cell[grids].all(axis=1)
    rows, grids = rows[is_grid], grids[is_grid]
    images = np.empty_like(grids)
    native = kernel.isa_module(package="symmetry")
    native.transform(
        grids.reshape(-1), np.arange(0, grids.size, 81), numbers[rows], images.reshape(-1), zero=48
    )
    order = np.arange(len(strings))
    order[rows] = ~np.arange(len(rows))
    return replace(strings.merge(Column(images), order), states=strings.states)
