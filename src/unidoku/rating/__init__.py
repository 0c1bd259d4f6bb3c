"""Rate puzzles: on the scale of Sudoku Explainer, by the step engine, and by the book's classes."""

from __future__ import annotations

from unidoku.rating.measure import Measures as Measures, measure_many as measure_many
from unidoku.rating.se121 import Rating as Rating, Ratings as Ratings, rate as rate, rate_many as rate_many

__all__ = ["Measures", "Rating", "Ratings", "measure_many", "rate", "rate_many"]
