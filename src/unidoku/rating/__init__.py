"""Ratings of puzzles: on the scale of Sudoku Explainer, by the step engine, and by the book's classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unidoku.rating.measure import measure_many as measure_many

__all__ = ["measure_many"]


if not TYPE_CHECKING:  # or every name would be one of the module

    def __getattr__(name: str) -> object:
        """Import `measure_many` on first use: the steps of one puzzle need no NumPy."""
        if name in __all__:
            from unidoku.rating import measure

            return getattr(measure, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
