"""The ratings of the puzzles of a file, as columns."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku.errors import FormatError
from unidoku.files.base import Column, file_column
from unidoku.many import cells_of_text, flat
from unidoku.native.steps.levels import STEP_LIMIT
from unidoku.rating.measure import measure
from unidoku.rating.se121 import DIFFICULTIES, MARKS, TECHNIQUES, rate_many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unidoku.files.base import Batch
    from unidoku.kernel import Cancel
    from unidoku.rating.se121 import Ratings

__all__ = ["RATING_COLUMNS", "rating_columns", "scale_columns", "value_column", "with_ratings", "word_column"]

_PLACE = ("file", "line")
_OF_PROPER = ("er", "ep", "ed", "technique", "difficulty")
_SCALE = (*_OF_PROPER, "at_least", "reason")
_SEARCH = ("steps", "solutions", "level", "first_steps", "first_level", "class", "complete")

RATING_COLUMNS = (*_PLACE, *_SCALE, *_SEARCH)
"""The columns that can be asked for, besides those of the input."""

_TENTHS = ("", *(str(tenths / 10) for tenths in range(1, 201)))
_WORDS = ("", *DIFFICULTIES)


def rating_columns(
    batch: Batch,
    names: Sequence[str],
    *,
    below: float | None = None,
    budget: int | None = None,
    threads: int = 1,
    cancel: Cancel | None = None,
) -> list[Column]:
    """Rate the puzzles of a batch, and return the columns with these names."""
    n = len(batch.starts)
    plain = np.setdiff1d(np.arange(n), batch.marked)
    cells = cells_of_text(batch.text, np.asarray(batch.starts, np.int64)[plain], batch.zero)
    found: dict[str, Column] = {}
    if any(name in _SCALE for name in names):
        settings: dict[str, Any] = {"below": below, "budget": budget, "threads": threads, "cancel": cancel}
        rated = rate_many(cells, errors="invalid", **settings)
        found |= {column.name: column for column in scale_columns(rated, plain, n)}
    if any(name in _SEARCH for name in names):
        found |= {column.name: column for column in _search_columns(cells, plain, n, budget)}
    if "line" in names:
        found["line"] = value_column("line", np.asarray(batch.lines, np.int64))
    if "file" in names:
        found["file"] = file_column(batch)
    found = {column.name: column for column in reversed(batch.columns)} | found
    missing = [name for name in names if name not in found]
    if missing and n:
        has = ", ".join([*RATING_COLUMNS, *(column.name for column in batch.columns)])
        raise FormatError(f"no column {missing[0]!r}; choose from: {has}", file=batch.source)
    return [found[name] for name in names if name in found]


def with_ratings(batch: Batch, threads: int = 1, cancel: Cancel | None = None) -> Batch:
    """Return a batch of new puzzles with their ratings, instead of those of the puzzles they were made of."""
    others = [column for column in batch.columns if column.name not in _SCALE]
    columns = rating_columns(batch, _OF_PROPER, threads=threads, cancel=cancel)
    return replace(batch, columns=[*columns, *others])


def scale_columns(rated: Ratings, rows: NDArray[np.int64], n: int) -> list[Column]:
    """Return ratings as columns of n rows, of which `rows` were rated; the others have pencil marks."""
    reasons = ["", MARKS, *dict.fromkeys(rated.reasons.values())]
    why = np.ones(n, np.int64)
    why[rows] = 0
    for row, reason in rated.reasons.items():
        why[rows[row]] = reasons.index(reason)

    def spread(codes: NDArray[Any]) -> NDArray[Any]:
        every = np.zeros(n, codes.dtype)
        every[rows] = codes
        return every

    return [
        *(word_column(name, _TENTHS, spread(getattr(rated, name)), "double") for name in ("er", "ep", "ed")),
        word_column("technique", TECHNIQUES, spread(rated.techniques)),
        word_column("difficulty", _WORDS, spread(rated.difficulties)),
        word_column(
            "at_least", ("", "false", "true"), spread(np.where(rated.er > 0, 1 + rated.at_least, 0)), "bool"
        ),
        word_column("reason", reasons, why),
    ]


def _search_columns(
    cells: NDArray[np.uint8], rows: NDArray[np.int64], n: int, budget: int | None
) -> list[Column]:
    """Return what the step engine measures, and the class, as columns of n rows."""
    measured = measure(*flat(cells), 0, STEP_LIMIT if budget is None else budget)
    columns = []
    for name in _SEARCH:
        values = measured.classes if name == "class" else getattr(measured, name)
        known = np.zeros(n, np.bool_)
        known[rows] = values > 0 if name == "class" else True
        every: NDArray[Any] = np.zeros(n, np.bool_ if name == "complete" else np.int64)
        every[rows] = values
        columns.append(value_column(name, np.ma.masked_array(every, ~known)))
    return columns


def word_column(name: str, words: Sequence[str], codes: NDArray[Any], kind: str = "string") -> Column:
    """Return a column with the word of each code."""
    texts = [word.encode() for word in words]
    ends = np.cumsum([len(text) for text in texts])
    starts = ends - [len(text) for text in texts]
    return Column(name, b"".join(texts), starts[codes], ends[codes], kind=kind)


def value_column(name: str, values: NDArray[Any]) -> Column:
    """Return a column of values; a masked one is empty."""
    texts = [
        b"" if value is None else (str(value).lower() if isinstance(value, bool) else str(value)).encode()
        for value in values.tolist()
    ]
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    starts = np.append(np.zeros(1, np.int64), ends)[:-1]
    kind = "string" if values.dtype.kind == "U" else values.dtype.name
    return Column(name, b"".join(texts), starts, ends, kind=kind)
