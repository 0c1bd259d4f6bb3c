"""Search for the solutions of puzzles in batches: verdicts, numbers and solutions as columns."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, cast

from unidoku.compat import np
from unidoku.counting import solve
from unidoku.kernel import SearchOutputs
from unidoku.native.text.columns import ABSENT, AT_LEAST, TEXT
from unidoku.native.text.render import tally
from unidoku.table.batch import Batch
from unidoku.task import ColumnWords, ResultBatch, Task, Work, native_column, record_columns, spans
from unidoku.threads import Cancel
from unidoku.verdict import VERDICTS

SAMPLE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "sample.txt")
"""Path of the sample: puzzles with none, one and several solutions, each followed by their number."""

SEARCH_COLUMNS = {
    "verdict": ("words", f"{', '.join(VERDICTS[:-1])} or {VERDICTS[-1]}"),
    "count": ("uint64", "the number of solutions that were found"),
    "complete": ("bool", "whether these are all, or as many as the limit"),
}
"""Columns of a search without its solutions."""

ANSWER = {**SEARCH_COLUMNS, "solution": ("cells", "the first solution")}


class Search(Task):
    """A task that searches for solutions of each puzzle, up to a limit and with a budget of guesses."""

    columns: ClassVar[Mapping[str, tuple[str, str]]] = ANSWER
    column_words: ClassVar[Mapping[str, ColumnWords]] = {
        "verdict": {verdict: verdict for verdict in VERDICTS}
    }
    default_columns: ClassVar[tuple[str, ...]] = ("line", "puzzle", *ANSWER, "reason", "file")
    summary_counts: ClassVar[tuple[str, ...]] = ("unique", "multiple", "none", "unknown", "cut_off")
    limit = cast("int | None", 2)  # no fields, if a task does not make them its options
    budget = cast("int | None", None)

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Search for the solutions."""
        yield self.search(batch, work, cancel)[1]

    def few_rows(self, batch: Batch, work: Work, cancel: Cancel) -> tuple[ResultBatch, dict[str, Any]] | None:
        """Search for the solutions; return the columns as the renderer takes them."""
        if type(self).work is not Search.work or not batch.empty_code:
            return None
        outputs, results = self.search(batch, work, cancel, columns=False)
        return results, _few_columns(outputs, batch, (work.for_people and self.line_columns) or ())

    def search(
        self, batch: Batch, work: Work, cancel: Cancel, *, grids: bool = False, columns: bool = True
    ) -> tuple[SearchOutputs, ResultBatch]:
        """Search for the solutions of a batch; return the outputs, all with `grids`, and the results.

        A run that only counts needs no columns, and so no NumPy; nor do `few_rows`.
        """
        n = len(batch)
        buffer = memoryview(bytearray(10 * n))
        solutions = memoryview(bytearray(81 * n)) if grids or "solution" in work.columns else None
        outputs = SearchOutputs(buffer[: 8 * n].cast("Q"), buffer[8 * n : 9 * n], buffer[9 * n :], solutions)
        if not solve(batch, outputs, limit=self.limit or 0, budget=self.budget or 0, stop=cancel.flag):
            cancel.raise_if_set()
        counts: dict[str, int] = dict(
            zip(("none", "unique", "multiple", "unknown"), tally(outputs.verdicts, n), strict=True)
        )
        counts["cut_off"] = bytes(outputs.complete).count(0)
        made = _columns(outputs, batch) if work.columns and columns else {}
        return outputs, ResultBatch(batch, made, counts=counts)


def _columns(outputs: SearchOutputs, batch: Batch) -> dict[str, Any]:
    """Return verdicts, numbers of solutions and, if requested, solutions as columns."""
    from unidoku.table.column import Column

    complete = np.frombuffer(outputs.complete, np.bool_)
    states = None if complete.all() else np.where(complete, np.uint8(TEXT), np.uint8(AT_LEAST))
    columns = {
        "verdict": Column(np.frombuffer(outputs.verdicts, np.uint8), VERDICTS, is_dictionary=True),
        "count": Column(np.frombuffer(outputs.counts, np.uint64), states=states),
        "complete": Column(complete),
    }
    if outputs.solutions is not None:
        digits = np.frombuffer(outputs.solutions, np.uint8)
        is_solved = digits[::81] > 0
        if batch.empty_code:
            columns["solution"] = Column.of_puzzles(digits, np.arange(0, len(digits), 81), is_solved)
        else:
            columns["solution"] = Column(digits.reshape(-1, 81), states=is_solved)
    return columns


def _few_columns(outputs: SearchOutputs, batch: Batch, line_columns: tuple[str, ...]) -> dict[str, Any]:
    """Return what `Column.native` returns for each column of a search, made without arrays."""
    n, complete = len(batch), bytes(outputs.complete)
    states = None if all(complete) else bytes(TEXT if flag else AT_LEAST for flag in complete)
    columns = record_columns(batch, range(n)) | {
        "verdict": ("words", n, (outputs.verdicts, *spans(VERDICTS)), None),
        "count": ("unsigned", n, (outputs.counts,), states),
        "complete": ("flags", n, (outputs.complete,), None),
        "reason": native_column("string", [None] * n, ABSENT),
    }
    if outputs.solutions is not None:
        digits = bytes(outputs.solutions).decode()
        grids: list[str | None] = [
            digits[begin : begin + 81] if digits[begin] != "\0" else None for begin in range(0, 81 * n, 81)
        ]
        if "solution" in line_columns and "verdict" not in line_columns:  # which stands in for it
            grids = [grid or VERDICTS[code] for grid, code in zip(grids, outputs.verdicts, strict=True)]
        columns["solution"] = native_column("string", grids)
    return columns
