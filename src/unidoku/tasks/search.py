"""Search for the solutions of puzzles in batches: verdicts, numbers and solutions as columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from unidoku.counting import solve
from unidoku.kernel import Solved
from unidoku.native.text.render import tally
from unidoku.table.batch import Batch
from unidoku.task import ResultBatch, Task
from unidoku.threads import Cancel
from unidoku.verdict import VERDICTS

ANSWER = {
    "verdict": ("words", f"{', '.join(VERDICTS[:-1])} or {VERDICTS[-1]}"),
    "count": ("uint64", "the number of solutions that were found"),
    "complete": ("bool", "whether these are all, or as many as the limit"),
    "solution": ("cells", "the first solution"),
}


class Search(Task):
    """A task that searches for solutions."""

    columns: ClassVar[Mapping[str, tuple[str, str]]] = ANSWER
    default_columns: ClassVar[tuple[str, ...]] = ("line", "puzzle", *ANSWER, "reason", "file")


def search(
    batch: Batch, cancel: Cancel, *, limit: int | None, budget: int | None = None, grids: bool
) -> tuple[Solved, ResultBatch]:
    """Count the solutions of the puzzles of a batch; return the outputs, and the results."""
    n = len(batch)
    buffer = memoryview(bytearray(10 * n))
    solutions = memoryview(bytearray(81 * n)) if grids else None
    outputs = Solved(buffer[: 8 * n].cast("Q"), buffer[8 * n : 9 * n], buffer[9 * n :], solutions)
    bounds: dict[str, Any] = {"limit": limit or 0, "budget": budget or 0, "stop": cancel.flag}
    if not solve(batch, outputs, **bounds):
        cancel.raise_if_set()
    counts: dict[str, int] = dict(
        zip(("none", "unique", "multiple", "unknown"), tally(outputs.verdicts, n), strict=True)
    )
    counts["cut_off"] = bytes(outputs.complete).count(0)
    # a run that only counts needs no columns, and so no NumPy
    columns = _columns(outputs, batch) if batch.outputs else {}
    return outputs, ResultBatch(batch, columns, counts=counts)


def _columns(outputs: Solved, batch: Batch) -> dict[str, Any]:
    """Return verdicts, numbers of solutions and, if requested, solutions as columns."""
    import numpy as np

    from unidoku.table.column import AT_LEAST, TEXT, Cells, Column

    complete = np.frombuffer(outputs.complete, np.bool_)
    states = None if complete.all() else np.where(complete, np.uint8(TEXT), np.uint8(AT_LEAST))
    columns = {
        "verdict": Column(np.frombuffer(outputs.verdicts, np.uint8), VERDICTS, is_dictionary=True),
        "count": Column(np.frombuffer(outputs.counts, np.uint64), states=states),
        "complete": Column(complete),
    }
    if outputs.solutions is not None:
        digits = np.frombuffer(outputs.solutions, np.uint8)
        cells = Cells(digits, np.arange(0, len(digits), 81), batch.empty_code)
        solution = cells if batch.empty_code else digits.reshape(-1, 81)
        columns["solution"] = Column(solution, states=digits[::81] > 0)
    return columns
