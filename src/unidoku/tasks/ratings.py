"""Ratings as columns: of the tasks that rate, and of those that write new puzzles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from unidoku.column import Column
from unidoku.rating.scale import SCALE, rate_columns
from unidoku.task import Need
from unidoku.words import table

RATINGS = {
    "er": ("float64", "rating of the hardest step"),
    "ep": ("float64", "rating of the hardest step up to the first digit placed"),
    "ed": ("float64", "rating of the first step"),
    "technique": ("string", "technique of the hardest step"),
    "difficulty": ("string", "the word for er: easy, medium, hard, expert or extreme"),
}
"""The columns that a puzzle with a rating has; an image of the puzzle may have another one."""


def in_language(ratings: dict[str, Column], lang: str) -> dict[str, Column]:
    """Return columns of ratings with the techniques and difficulties in a language."""
    columns = dict(ratings)
    for name in ("technique", "difficulty"):
        words = tuple(rating_word(word, lang) for word in columns[name].categories or ())
        columns[name] = replace(columns[name], categories=words)
    return columns


def rating_word(word: str, lang: str) -> str:
    """Return what a technique or difficulty is called in rows: in English as the scale calls it."""
    words = {} if lang == "en" else {**table(lang)["techniques"], **table(lang)["difficulties"]}
    return words.get(word, word)


def rating_columns(puzzles: NDArray[Any], need: Need, lang: str = "en") -> dict[str, Column]:
    """Return the columns of `RATINGS` for new puzzles, uint8[n, 81]; none if they are not asked for."""
    if need.columns.isdisjoint(RATINGS):
        return {}
    columns, _ = rate_columns(puzzles, errors="invalid", threads=need.threads(), cancel=need.cancel)
    columns = in_language(columns, lang)
    return {name: columns[name] for name in RATINGS}


def with_scale(about: dict[str, Any]) -> dict[str, Any]:
    """Add the scale of the ratings to the description of a task."""
    return {**about, "scale": SCALE}
