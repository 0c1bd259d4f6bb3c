"""The characters of a puzzle."""

from __future__ import annotations

__all__ = ["CELL", "EMPTY_SYMBOLS"]

EMPTY_SYMBOLS = ".0*_-xX?"
"""Every character that stands for an empty cell."""

CELL = f"a digit or an empty cell ({' '.join(EMPTY_SYMBOLS)})"
"""What a character of a puzzle is, for error messages."""
