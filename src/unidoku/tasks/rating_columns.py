"""Columns of ratings, for rated and for new puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unidoku.errors import InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.kernel import verdict_of
from unidoku.rating.names import names_of, technique_of
from unidoku.rating.scale import BEGINNER, BEGINNER_CLUES, BEGINNER_ER, DIFFICULTIES, REASONS, rate
from unidoku.task import ColumnWords, Work
from unidoku.threads import Cancel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.table.column import Column

RATINGS = {
    "er": ("float64", "rating of the hardest step"),
    "ep": ("float64", "rating of the hardest step up to the first digit placed"),
    "ed": ("float64", "rating of the first step"),
    "technique": ("string", "technique of the hardest step"),
    "name": ("string", "what people call it, such as Skyscraper"),
    "difficulty": ("string", "the word for er: easy, medium, hard, expert or extreme"),
}
"""Columns of the rating of a puzzle, which images of it need not share."""


RATING_WORDS: dict[str, ColumnWords] = {
    "technique": technique_of,
    "difficulty": {difficulty: difficulty for difficulty in DIFFICULTIES},
    "name": names_of,
}
"""The words of these columns, the same in every language."""

RATING_REQUESTS = {f"difficulty={BEGINNER}": f"er=1-{BEGINNER_ER},clues={BEGINNER_CLUES}-"}
"""What the request for the easiest puzzles means of a row; see `unidoku.craft.request`."""


def refuse_improper(cells: bytes, cancel: Cancel) -> None:
    """Refuse one puzzle, 81 values, that is not proper, with the reason of its row."""
    verdict = verdict_of(cells, cancel=cancel)
    cancel.raise_if_set()
    if verdict in REASONS:
        raise InvalidPuzzleError(str(REASONS[verdict]))


def rating_row(puzzle: bytes, columns: frozenset[str], cancel: Cancel) -> dict[str, Any]:
    """Rate one new puzzle, 81 values; return its values of `RATINGS` by name, none if none is written."""
    if columns.isdisjoint(RATINGS):
        return {}
    rating = rate(Grid(puzzle), cancel=cancel)
    return {name: getattr(rating, name) for name in RATINGS}


def rating_columns(puzzles: NDArray[Any], work: Work, cancel: Cancel) -> dict[str, Column]:
    """Rate new puzzles, uint8[n, 81]; return the columns of `RATINGS`, none if none is written."""
    if work.columns.isdisjoint(RATINGS):
        return {}
    from unidoku.rating.ratings import rate_columns  # not at the top: the words need no NumPy

    columns, _ = rate_columns(puzzles, threads=work.threads, cancel=cancel)
    return {name: columns[name] for name in RATINGS}
