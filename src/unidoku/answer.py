"""The answer for one puzzle."""

from __future__ import annotations

from dataclasses import dataclass

from unidoku.grid import Grid
from unidoku.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a search for the solutions of one puzzle.

    Attributes
    ----------
    verdict : Verdict
    count : int
        Solutions found, at most the limit.
    complete : bool
        True if all solutions were counted or the limit was reached: `count` is exact up to the limit.  False
        if the budget or a `Cancel` ended the search: `count` is a lower bound.
    solution : Grid or None
        The first solution in the order of the search.
    witness : Grid or None
        The second solution, which proves that the puzzle is not unique.
    reason : str or None
        Why a row is not a puzzle (verdict INVALID).
    """

    verdict: Verdict
    count: int
    complete: bool
    solution: Grid | None = None
    witness: Grid | None = None
    reason: str | None = None

    def __str__(self) -> str:
        """Draw the first solution under the verdict."""
        several = f", {self.count_text} solutions" if self.count > 1 else ""
        head = f"{self.verdict}{several}{f': {self.reason}' if self.reason else ''}"
        return f"{head}\n{self.solution}" if self.solution else head

    @property
    def count_text(self) -> str:
        """The count as text outputs show it: ``960``, or ``960+`` if it is a lower bound."""
        return f"{self.count}" if self.complete else f"{self.count}+"
