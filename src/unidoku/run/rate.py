"""The ratings beside new puzzles."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku.column import Column
from unidoku.files.base import Batch
from unidoku.parse_many import MARKS
from unidoku.rating.se121 import DIFFICULTIES, TECHNIQUES, Ratings, rate_many
from unidoku.threads import Cancel

if TYPE_CHECKING:
    from numpy.typing import NDArray

_OF_PROPER = {
    **dict.fromkeys(("er", "ep", "ed"), "double"),
    **dict.fromkeys(("technique", "difficulty"), "string"),
}
_SCALE = {**_OF_PROPER, "at_least": "bool", "reason": "string"}
_TENTHS = ("", *(str(tenths / 10) for tenths in range(1, 201)))
_WORDS = ("", *DIFFICULTIES)


def with_ratings(batch: Batch, threads: int, cancel: Cancel) -> Batch:
    """Return a batch of new puzzles with their ratings, instead of those of the puzzles they were made of."""
    n = len(batch.starts)
    rated = rate_many(batch.cells, errors="invalid", threads=threads, cancel=cancel)
    columns = _scale_columns(rated, np.arange(n), n)
    ratings = {name: columns[name].lay(batch.place) for name in _OF_PROPER}
    others = {name: column for name, column in batch.columns.items() if name not in _SCALE}
    return replace(batch, columns=ratings | others)


def _scale_columns(rated: Ratings, rows: NDArray[np.int64], n: int) -> dict[str, Column]:
    """Return ratings as columns of n rows, of which `rows` were rated; the others have pencil marks."""
    reasons: list[str | None] = [MARKS] * n
    for at, row in enumerate(rows.tolist()):
        reasons[row] = rated.reasons.get(at)

    known = ~np.isnan(rated.er)

    def tenths(ratings: NDArray[np.float64]) -> NDArray[Any]:
        found: NDArray[Any] = np.rint(10 * np.where(known, ratings, 0))
        return found

    def spread(values: NDArray[Any]) -> NDArray[Any]:
        every = np.zeros(n, values.dtype)
        every[rows] = values
        return every

    def words(codes: NDArray[Any], texts: tuple[str, ...], kind: str = "string") -> Column:
        codes = spread(codes.astype(np.uint8))
        return Column.coded(codes, texts, codes > 0, type=kind)

    return {
        **{name: words(tenths(getattr(rated, name)), _TENTHS, "double") for name in ("er", "ep", "ed")},
        "technique": words(rated.technique_codes, TECHNIQUES),
        "difficulty": words(rated.difficulty_codes, _WORDS),
        "at_least": Column.numbers(spread(rated.at_least), "bool", spread(known)),
        "reason": Column.values_of(reasons),
    }
