"""The capability `count` as lines: the number of solutions of each puzzle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from unidoku.arguments import MAX_COUNT
from unidoku.column import Column
from unidoku.options import option
from unidoku.tasks.check import Check, answer_columns, solved

if TYPE_CHECKING:
    from unidoku.files.base import Need
    from unidoku.puzzles import Batch


@dataclass(frozen=True, eq=False, repr=False)
class Count(Check):
    """Print the number of solutions of each puzzle.

    A line per puzzle: the number, "960+" if the budget ended the count at 960, or "invalid" if the
    record is no puzzle.
    """

    name: ClassVar[str] = "count"
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku count puzzles.txt --limit 1000",
        "unidoku count puzzles.txt --budget 10000 -o counts.txt",
    )
    lines: ClassVar[tuple[str, ...]] = ("count",)  # pyright: ignore[reportIncompatibleMethodOverride]
    for_invalid: ClassVar[Mapping[str, Any]] = {
        "verdict": "invalid",
        "count": "invalid",
    }
    limit: int | None = option(
        None, "Stop at N solutions of a puzzle.", least=1, absent="all", unbounded="all"
    )
    budget: int | None = option(
        None,
        "Bound on the work: guesses for a puzzle.",
        least=1,
        metavar="GUESSES",
        absent="no bound",
    )

    def work(self, batch: Batch, need: Need) -> dict[str, Any] | None:
        """Count the solutions; puzzles with more than 64 bits can count are then counted one at a time."""
        found = solved(batch, need, limit=self.limit, budget=self.budget, grids=False)
        if found is None:
            return None
        columns = answer_columns(found, batch)
        if MAX_COUNT in found.counts:  # all that fits in 64 bits: or more
            columns["count"] = Column.values_of(
                f"{number}{'' if complete else '+'}" if number < MAX_COUNT else str(_exact(puzzle, need))
                for puzzle, number, complete in zip(batch.texts(), found.counts, found.complete, strict=True)
            )
        return columns


def _exact(puzzle: str, need: Need) -> int:
    from unidoku import single

    return single.count(puzzle, cancel=need.cancel)
