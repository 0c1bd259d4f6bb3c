"""Ratings of puzzles: on the scale of Sudoku Explainer, by the step engine, and by the book's classes."""

from __future__ import annotations

from unidoku.rating.measure import measure_many as measure_many

__all__ = ["measure_many"]
