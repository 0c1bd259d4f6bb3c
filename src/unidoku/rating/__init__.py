"""Rate the difficulty of puzzles: steps, guess levels and classes."""

from __future__ import annotations

from unidoku.rating.measure import Measures as Measures, rate_many as rate_many
from unidoku.rating.rate import (
    RATING_COLUMNS as RATING_COLUMNS,
    Rated as Rated,
    Rating as Rating,
    rate_files as rate_files,
    write_ratings as write_ratings,
)

__all__ = ["RATING_COLUMNS", "Measures", "Rated", "Rating", "rate_files", "rate_many", "write_ratings"]
