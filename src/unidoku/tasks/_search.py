"""Search for the solutions of puzzles in batches: verdicts, numbers and solutions as columns."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, cast

from unidoku._columns import REASON, ColumnSpec
from unidoku._native.text.columns import AT_LEAST, MISSING, TEXT
from unidoku._native.text.render import tally
from unidoku._table.batch import Batch
from unidoku._task import ResultBatch, Task, Work, timed_out
from unidoku._threads import Cancel
from unidoku._verdict import VERDICTS
from unidoku.counting import solve
from unidoku.errors import Reason, SearchStoppedError
from unidoku.kernel import SearchOutputs

SAMPLE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "sample.txt")
"""Path of the sample: puzzles with none, one and several solutions, each followed by their number."""

SEARCH_COLUMNS = {
    "verdict": ColumnSpec(
        "words", f"{', '.join(VERDICTS[:-1])} or {VERDICTS[-1]}", {verdict: verdict for verdict in VERDICTS}
    ),
    "count": ColumnSpec("uint64", "the number of solutions that were found"),
    "complete": ColumnSpec("bool", "whether the count is exact up to the limit"),
}
"""Columns of a search without its solutions."""

ANSWER = {**SEARCH_COLUMNS, "solution": ColumnSpec("cells", "the first solution")}

_COUNT_STATES, _GRID_STATES = bytes([AT_LEAST, TEXT]).ljust(256, b"\0"), bytes([MISSING, *[TEXT] * 255])
"""States by the byte of ``complete``, and by the first digit of a solution."""


class Search(Task):
    """A task that searches for solutions of each puzzle, up to a limit and with a budget of guesses."""

    columns: ClassVar[Mapping[str, ColumnSpec]] = ANSWER
    default_columns: ClassVar[tuple[str, ...]] = ("line", "puzzle", *ANSWER, *REASON, "file")
    tells_partial: ClassVar[bool] = True
    summary_counts: ClassVar[tuple[str, ...]] = ("unique", "multiple", "none", "unknown", "cut_off")
    limit = cast("int | None", 2)  # no fields, if a task does not make them its options
    budget = cast("int | None", None)

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Search for the solutions."""
        yield self.search(batch, work, cancel)[1]

    def search(
        self, batch: Batch, work: Work, cancel: Cancel, *, grids: bool = False
    ) -> tuple[SearchOutputs, ResultBatch]:
        """Search for the solutions of a batch; return the outputs and the results.

        With `grids` the outputs have the solutions in any case, as cells 0 to 9.
        """
        n = len(batch)
        buffer = memoryview(bytearray(10 * n))
        solutions = None
        if grids or "solution" in work.columns:
            solutions = memoryview(bytearray(81 * n))
        outputs = SearchOutputs(buffer[: 8 * n].cast("Q"), buffer[8 * n : 9 * n], buffer[9 * n :], solutions)
        reasons: dict[int, Reason] = {}
        zero = 0 if grids else batch.empty_code
        limits = {"limit": self.limit or 0, "budget": self.budget or 0}
        if not solve(batch, outputs, **limits, zero_out=zero, stop=cancel.flag):
            if work.seconds is None:
                raise SearchStoppedError(0, "results")
            reasons = {row: timed_out(work.seconds) for row in range(n) if not outputs.complete[row]}
        counts: dict[str, int] = dict(
            zip(("none", "unique", "multiple", "unknown"), tally(outputs.verdicts, n), strict=True)
        )
        counts["cut_off"] = bytes(outputs.complete).count(0)
        columns = dict[str, Any]()
        if work.columns:
            from unidoku._table.column import (  # not at the top: a run that only counts needs none
                CellValues,
                Column,
            )

            complete = bytes(outputs.complete)
            states = complete.translate(_COUNT_STATES) if 0 in complete else None
            columns["verdict"] = Column(outputs.verdicts, VERDICTS, is_dictionary=True)
            columns["count"] = Column(outputs.counts, states=states)
            columns["complete"] = Column(outputs.complete.cast("?"))
            if solutions is not None:
                grids_of = CellValues(solutions, range(0, 81 * n, 81), zero)
                has_solution = bytes(solutions[::81]).translate(_GRID_STATES)
                columns["solution"] = Column(grids_of, states=has_solution)
        return outputs, ResultBatch(batch, columns, reasons=reasons, counts=counts)
