"""The stages that write a line of text per puzzle: the first solution, or the number of solutions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from unidoku.arguments import MAX_COUNT
from unidoku.run.check import WORDS, counts_of, solve_batch
from unidoku.run.rows import Made, Rows, text_column
from unidoku.run.stage import Stage
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unidoku.files.base import Batch
    from unidoku.run.stage import Need

__all__ = ["Count", "Solve"]


@dataclass(frozen=True, slots=True)
class Solve(Stage):
    """The first solution of each puzzle, as a line of text; the verdict where there is none."""

    name: ClassVar[str] = "solve"
    columns: ClassVar[Mapping[str, str]] = {"solution": "string"}
    numbered = False
    atomic: ClassVar[bool] = False

    def __call__(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows | None:
        """Solve; see `Stage`."""
        found = solve_batch(batch, scratch, limit=1, budget=0, solutions=True, stop=need.cancel.flag)
        if found is None:
            return None
        buffers = (found.solutions, batch.zero, found.verdicts, *WORDS)
        solution = Made("solution", "string", "grids", buffers)
        return Rows(
            batch, {"solution": solution}, {"solution": _invalid("solution")}, counts_of(batch, found)
        )


@dataclass(frozen=True, slots=True)
class Count(Stage):
    """The number of solutions, as a line of text."""

    name: ClassVar[str] = "count"
    columns: ClassVar[Mapping[str, str]] = {"count": "uint64"}
    numbered = False
    atomic: ClassVar[bool] = False
    limit: int | None = None
    budget: int | None = None

    def __call__(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows | None:
        """Count; see `Stage`."""
        limit, budget = self.limit or 0, self.budget or 0
        found = solve_batch(
            batch, scratch, limit=limit, budget=budget, solutions=False, stop=need.cancel.flag
        )
        if found is None:
            return None
        count: Any = Made("count", "uint64", "counts", (found.counts, found.complete))
        if MAX_COUNT in found.counts:  # all that fits in 64 bits: or more
            from unidoku import single

            texts = []
            for puzzle, number, complete in zip(batch.texts(), found.counts, found.complete, strict=True):
                fits = number < MAX_COUNT
                text = f"{number}{'' if complete else '+'}" if fits else str(single.count(puzzle))
                texts.append(text.encode())
            count = text_column("count", texts)
        return Rows(batch, {"count": count}, {"count": _invalid("count")}, counts_of(batch, found))


def _invalid(name: str) -> Made:
    """Return a column that says ``invalid``."""
    return Made(name, "string", "same", (str(Verdict.INVALID).encode(),))
