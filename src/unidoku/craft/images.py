"""The columns of an input beside images of its puzzles: what is transformed too, and what is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unidoku.cell import SYMBOLS
from unidoku.craft.transform import transform_many
from unidoku.files.base import Column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unidoku.threads import Cancel

SOLUTION_COLUMNS = ("solution", "witness", "prediction", "answer", "answers")
"""Columns that are transformed with their puzzles; letter case does not matter."""

RATING_COLUMNS = (
    *("er", "ep", "ed", "technique", "difficulty", "at_least", "rating", "ratings", "guesses"),
    *("steps", "level", "first_steps", "first_level", "class"),
)
"""Columns that may differ for an image, so it does not get them; letter case does not matter.

A search looks at cells and digits in their order, and the first of several hints counts.
"""

_CODES = np.frombuffer(SYMBOLS.encode(), np.uint8)
_IS_CELL = np.isin(np.arange(256), np.frombuffer(b".0123456789", np.uint8))


def image_columns(
    columns: Sequence[Column], numbers: NDArray[np.int64], cancel: Cancel | None = None
) -> list[Column]:
    """Return the columns of images; `numbers` are those of the elements, one for each row."""
    return [
        _moved(column, numbers, cancel) if _plain(column) in SOLUTION_COLUMNS else column
        for column in columns
        if _plain(column) not in RATING_COLUMNS
    ]


def _plain(column: Column) -> str:
    """Return the name of a column, without what says that it came with the input."""
    name = column.name.lower()
    while name.startswith("given_"):
        name = name.removeprefix("given_")
    return name


def _moved(column: Column, numbers: NDArray[np.int64], cancel: Cancel | None) -> Column:
    """Transform the grids of 81 cells in a column; other texts stay as they are."""
    begins = np.asarray(column.starts, np.int64)
    sizes = np.asarray(column.ends, np.int64) - begins
    ends = np.cumsum(sizes)
    starts = ends - sizes
    source = np.repeat(begins - starts, sizes) + np.arange(int(sizes.sum()))
    text = np.frombuffer(column.text, np.uint8)[source]
    rows = np.flatnonzero(sizes == 81)
    places = starts[rows, None] + np.arange(81)
    whole = _IS_CELL[text[places]].all(axis=1)
    rows, places = rows[whole], places[whole]
    if rows.size:
        text[places] = _CODES[transform_many(text[places], numbers[rows], threads=1, cancel=cancel)]
    return Column(column.name, text.tobytes(), starts, ends)
