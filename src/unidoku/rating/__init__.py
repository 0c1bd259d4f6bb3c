"""Ratings of puzzles: on the scale of Sudoku Explainer, by the step engine, and by the book's classes."""

import sys

from unidoku._lazy import CalledModule, lazy

_HOMES = {
    "DIFFICULTIES": "unidoku.rating._scale",
    "NAMES": "unidoku.rating._names",
    "SCALE": "unidoku.rating._scale",
    "TECHNIQUES": "unidoku.rating._names",
}

__all__, __getattr__, __dir__ = lazy(__name__, _HOMES)
sys.modules[__name__].__class__ = CalledModule
