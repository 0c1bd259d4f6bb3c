"""The characters of a puzzle."""

from __future__ import annotations

__all__ = ["CELL", "EMPTY_SYMBOLS", "OTHER_SIZE"]

EMPTY_SYMBOLS = ".0*_-xX?"
"""Every character that stands for an empty cell."""

CELL = f"a digit or an empty cell ({' '.join(EMPTY_SYMBOLS)})"
"""The characters of a puzzle, for error messages."""

OTHER_SIZE = "a puzzle of size 16 x 16 is not supported, only 9 x 9"
"""The error for a puzzle of 256 cells."""
