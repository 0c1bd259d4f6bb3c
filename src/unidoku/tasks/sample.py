"""The bundled sample of puzzles, and its check: the numbers of solutions are in it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from unidoku.table.batch import Batch
from unidoku.task import Need
from unidoku.tasks.answers import WithAnswers, compare_answers, read_answers
from unidoku.tasks.columns import CELL_ERRORS
from unidoku.tasks.search import Search, answer_columns, search

SAMPLE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "sample.txt")
"""Path of the sample: puzzles with none, one and several solutions, each followed by their number."""


@dataclass(frozen=True, eq=False, repr=False)
class CheckSample(WithAnswers, Search):
    """Check the sample, and compare the numbers of solutions."""

    name: ClassVar[str] = "check"
    columns: ClassVar[Mapping[str, tuple[str, str]]] = {**Search.columns, **CELL_ERRORS}
    limit: int | None = 2
    budget: int | None = None

    def work(self, batch: Batch, need: Need) -> dict[str, Any] | None:
        """Count the solutions, and compare the numbers."""
        outputs = search(batch, need, limit=self.limit, budget=self.budget, grids=False)
        if outputs is None:
            return None
        return answer_columns(outputs, batch) | compare_answers(
            batch, need, read_answers(batch), outputs, self.limit or 0
        )
