"""The capability `solve` as lines: the first solution of each puzzle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from unidoku.column import Column
from unidoku.options import option
from unidoku.tasks.check import Check, answer_columns, solved
from unidoku.verdict import VERDICTS

if TYPE_CHECKING:
    from unidoku.files.base import Need
    from unidoku.puzzles import Batch


@dataclass(frozen=True, eq=False, repr=False)
class Solve(Check):
    """Print the first solution of each puzzle.

    A line per puzzle: 81 digits, "none" if there is no solution, "invalid" if the record is no puzzle.
    Formats other than txt have the columns of check. On a terminal, the solution of one PUZZLE is drawn. A
    note says if one PUZZLE has several solutions; for files, use check.

    The exit code is 0 if every puzzle has a solution, 1 if not, 2 after an error.
    """

    name: ClassVar[str] = "solve"
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku solve puzzles.txt -o solved.txt",
        "unidoku solve puzzles.txt --to csv",
    )
    lines: ClassVar[tuple[str, ...]] = ("solution",)  # pyright: ignore[reportIncompatibleMethodOverride]
    for_invalid: ClassVar[Mapping[str, Any]] = {
        "verdict": "invalid",
        "solution": "invalid",
    }
    limit: int | None = option(1, "Stop at N solutions of a puzzle.", least=1)

    def work(self, batch: Batch, need: Need) -> dict[str, Any] | None:
        """Find the first solutions."""
        found = solved(batch, need, limit=self.limit, budget=self.budget, grids=True)
        if found is None:
            return None
        solutions = Column.grids(found.solutions, batch.zero, (found.verdicts, VERDICTS))
        return answer_columns(found, batch) | {"solution": solutions}
