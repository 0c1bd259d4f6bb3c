"""Ratings of puzzles: on the scale of Sudoku Explainer, by the step engine, and by the book's classes."""

import sys

from unidoku.lazy import CalledModule, lazy

_HOMES = {
    "DIFFICULTIES": "unidoku.rating.scale",
    "NAMES": "unidoku.rating.names",
    "SCALE": "unidoku.rating.scale",
    "TECHNIQUES": "unidoku.rating.names",
}

__all__, __getattr__, __dir__ = lazy(__name__, _HOMES)
sys.modules[__name__].__class__ = CalledModule
