"""Measures of many puzzles: the step engine, and the totals of the book's method."""

from types import SimpleNamespace

import numpy as np

import unidoku
from unidoku import Cancel
from unidoku._native.steps import STEP_LIMIT
from unidoku.method._record import CONVERSIONS, ZEROINGS
from unidoku.method._rules import classes_of, run_classify
from unidoku.rating._measure import measure


def measured(puzzles, step_limit=STEP_LIMIT):
    """The measures of puzzles, by column."""
    return SimpleNamespace(**measure(unidoku.cells(puzzles), step_limit, cancel=Cancel()))


def classified(puzzles, presets=1000):
    """The class of proper puzzles, and what the method did with each."""
    totals = run_classify(unidoku.cells(puzzles), presets=presets, cancel=Cancel())
    solved = totals["status"] == 0
    return SimpleNamespace(
        book_class=classes_of(totals),
        conversions=np.stack([totals[name] for name in CONVERSIONS], axis=1),
        zeroings=np.stack([totals[name] for name in ZEROINGS], axis=1),
        presets=np.where(solved, totals["presets"], 0),
        solved=solved,
        **{name: totals[name] for name in ("deepest_level", "rounds", "saved")},
    )
