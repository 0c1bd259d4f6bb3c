"""What several tasks have: columns of ratings and of errors in answers, and where answers are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unidoku.options import Option
from unidoku.words import table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.column import Column
    from unidoku.files.base import Need
    from unidoku.rating.se121 import Ratings

RATINGS = {
    "er": ("float64", "rating of the hardest step"),
    "ep": ("float64", "rating of the hardest step up to the first digit placed"),
    "ed": ("float64", "rating of the first step"),
    "technique": ("string", "technique of the hardest step"),
    "difficulty": ("string", "what the puzzle needs: easy, medium, hard, expert or extreme"),
}
"""The columns that a puzzle with a rating has; an image of the puzzle may have another one."""


CELL_ERRORS = {
    "solved": ("bool", "whether the answer is right"),
    "wrong_cells": ("int16", "cells that differ from the only solution, -1 if there is none"),
    "broken_houses": ("uint8", "rows, columns and boxes without all nine digits"),
    "changed_clues": ("uint8", "clues that the answer changes"),
    "empty_cells": ("uint8", "cells that the answer leaves empty"),
}
"""The columns of a comparison with a given answer; see `unidoku.VerifyResult`."""

NUMBERS = ("expected", "expected_count")
"""Columns of answers where a text shorter than a grid is a number of solutions."""

ANSWERS = ("prediction", "answer", "solution", "solutions", *NUMBERS, "a")
"""Columns of answers; the first that is there counts."""

ANSWER_GRIDS = ", ".join(name for name in ANSWERS if name not in NUMBERS)

PREDICTION = Option(
    "Take the predictions from this column of the inputs.",
    absent=f"the first of {ANSWER_GRIDS}",
    metavar="COLUMN",
    name="prediction",
    optional=True,
)
"""The option of what compares answers."""


def rating_columns(rated: Ratings, lang: str = "en") -> dict[str, Column]:
    """Return ratings as columns: those of `RATINGS`, and ``at_least``."""
    from dataclasses import replace

    columns = rated._table()
    for name in ("technique", "difficulty"):
        words = tuple(rating_word(word, lang) for word in columns[name].words or ())
        columns[name] = replace(columns[name], words=words)
    return columns


def rating_word(word: str, lang: str) -> str:
    """Return what a technique or difficulty is called in rows: in English as the scale calls it."""
    words = {} if lang == "en" else {**table(lang)["techniques"], **table(lang)["difficulties"]}
    return words.get(word, word)


def ratings_of(puzzles: NDArray[Any], need: Need, lang: str = "en") -> dict[str, Column]:
    """Return the columns of `RATINGS` for new puzzles, uint8[n, 81]; none if they are not asked for."""
    from unidoku.rating.se121 import rate_many

    if need.columns.isdisjoint(RATINGS):
        return {}
    rated = rate_many(puzzles, errors="invalid", threads=need.threads(), cancel=need.cancel)
    columns = rating_columns(rated, lang)
    return {name: columns[name] for name in RATINGS}


def scaled(about: dict[str, Any]) -> dict[str, Any]:
    """Add the scale of the ratings to what a task says of itself."""
    from unidoku.rating.se121 import SCALE

    return {**about, "scale": SCALE}
