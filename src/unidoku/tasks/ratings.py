"""Columns of ratings, for rated and for new puzzles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from unidoku.rating.scale import DIFFICULTIES, TECHNIQUES, rate_columns
from unidoku.table.batch import Batch
from unidoku.table.column import Column
from unidoku.threads import Cancel
from unidoku.words import table

RATINGS = {
    "er": ("float64", "rating of the hardest step"),
    "ep": ("float64", "rating of the hardest step up to the first digit placed"),
    "ed": ("float64", "rating of the first step"),
    "technique": ("string", "technique of the hardest step"),
    "difficulty": ("string", "the word for er: easy, medium, hard, expert or extreme"),
}
"""Columns of the rating of a puzzle, which images of it need not share."""


def rating_words(lang: str = "en") -> dict[str, dict[str, str]]:
    """Return the words of techniques and difficulties that may be typed, and those of the language."""
    kinds = {"technique": TECHNIQUES[1:], "difficulty": DIFFICULTIES}
    texts = {name: [(word, translate_word(word, lang)) for word in words] for name, words in kinds.items()}
    return {name: dict(pairs) | {text: text for _, text in pairs} for name, pairs in texts.items()}


def translate_ratings(ratings: dict[str, Column], lang: str) -> dict[str, Column]:
    """Translate the techniques and difficulties in columns of ratings."""
    columns = dict(ratings)
    for name in ("technique", "difficulty"):
        words = tuple(translate_word(word, lang) for word in columns[name].categories or ())
        columns[name] = replace(columns[name], categories=words)
    return columns


def translate_word(word: str, lang: str) -> str:
    """Translate a technique or difficulty; English ones stay as the scale has them."""
    words = {} if lang == "en" else {**table(lang)["techniques"], **table(lang)["difficulties"]}
    return words.get(word, word)


def rating_columns(
    puzzles: NDArray[Any], batch: Batch, cancel: Cancel, lang: str = "en"
) -> dict[str, Column]:
    """Rate new puzzles of a batch, uint8[n, 81]; return the columns of `RATINGS`, none if none is written."""
    if batch.outputs.isdisjoint(RATINGS):
        return {}
    columns, _ = rate_columns(puzzles, threads=batch.threads, cancel=cancel)
    columns = translate_ratings(columns, lang)
    return {name: columns[name] for name in RATINGS}
