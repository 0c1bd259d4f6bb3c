"""Search for the solutions of puzzles in batches: verdicts, numbers and solutions as columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, ClassVar

from unidoku.cli.terminal import print_json
from unidoku.counting import solve
from unidoku.kernel import SearchOutputs
from unidoku.native.text.render import tally
from unidoku.table.batch import Batch
from unidoku.task import ResultBatch, Task
from unidoku.threads import Cancel, run_in_worker
from unidoku.verdict import VERDICTS

if TYPE_CHECKING:
    from unidoku.tasks.examine import Answer

COUNTS = {
    "verdict": ("words", f"{', '.join(VERDICTS[:-1])} or {VERDICTS[-1]}"),
    "count": ("uint64", "the number of solutions that were found"),
    "complete": ("bool", "whether these are all, or as many as the limit"),
}
"""Columns of a search without its solutions."""

ANSWER = {**COUNTS, "solution": ("cells", "the first solution")}


class Search(Task):
    """A task that searches for solutions of each puzzle, up to a limit and with a budget of guesses."""

    columns: ClassVar[Mapping[str, tuple[str, str]]] = ANSWER
    column_words: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "verdict": {verdict: verdict for verdict in VERDICTS}
    }
    default_columns: ClassVar[tuple[str, ...]] = ("line", "puzzle", *ANSWER, "reason", "file")
    limit: int | None
    budget: int | None = None

    def work(self, batch: Batch, cancel: Cancel) -> Iterator[ResultBatch]:
        """Search for the solutions."""
        yield self.search(batch, cancel)[1]

    def search(
        self, batch: Batch, cancel: Cancel, *, grids: bool = False
    ) -> tuple[SearchOutputs, ResultBatch]:
        """Search for the solutions of a batch; return the outputs, all with `grids`, and the results."""
        n = len(batch)
        buffer = memoryview(bytearray(10 * n))
        solutions = memoryview(bytearray(81 * n)) if grids or "solution" in batch.outputs else None
        outputs = SearchOutputs(buffer[: 8 * n].cast("Q"), buffer[8 * n : 9 * n], buffer[9 * n :], solutions)
        if not solve(batch, outputs, limit=self.limit or 0, budget=self.budget or 0, stop=cancel.flag):
            cancel.raise_if_set()
        counts: dict[str, int] = dict(
            zip(("none", "unique", "multiple", "unknown"), tally(outputs.verdicts, n), strict=True)
        )
        counts["cut_off"] = bytes(outputs.complete).count(0)
        # a run that only counts needs no columns, and so no NumPy
        columns = _columns(outputs, batch) if batch.outputs else {}
        return outputs, ResultBatch(batch, columns, counts=counts)


def print_answer(puzzle: bytes | str, **bounds: int | None) -> Answer:
    """Print the answer to one puzzle as JSON; Ctrl-C ends the search."""
    from unidoku.tasks.examine import examine  # not at the top: a check starts faster

    answer = run_in_worker(lambda cancel: examine(puzzle, cancel=cancel, **bounds), Cancel())
    print_json(asdict(answer))
    return answer


def _columns(outputs: SearchOutputs, batch: Batch) -> dict[str, Any]:
    """Return verdicts, numbers of solutions and, if requested, solutions as columns."""
    import numpy as np

    from unidoku.table.column import AT_LEAST, TEXT, Column

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
