"""The bundled sample of puzzles, and its check: the numbers of solutions are in it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from unidoku.table.batch import Batch
from unidoku.task import ResultBatch, Work
from unidoku.tasks.comparison import ANSWER_COUNTS, CELL_ERRORS, compare_answers
from unidoku.tasks.search import Search
from unidoku.threads import Cancel

SAMPLE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "sample.txt")
"""Path of the sample: puzzles with none, one and several solutions, each followed by their number."""


@dataclass(frozen=True, eq=False, repr=False)
class CheckSample(Search):
    """Check the sample, and compare the numbers of solutions."""

    columns: ClassVar[Mapping[str, tuple[str, str]]] = {**Search.columns, **CELL_ERRORS}
    summary_counts: ClassVar[tuple[str, ...]] = (*Search.summary_counts, *ANSWER_COUNTS)
    limit: int | None = 2
    budget: int | None = None

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Count the solutions, and compare the numbers."""
        outputs, results = self.search(batch, work, cancel)
        compare_answers(results, cancel, None, outputs, self.limit or 0)
        yield results
