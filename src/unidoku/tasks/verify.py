"""The task `verify`: a comparison of answers with the puzzles.

The functions in memory are in `unidoku.craft.verification`; `unidoku.tasks.comparison` compares the
answers of files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from unidoku.cli.command import Command
from unidoku.cli.inputs import single_puzzle
from unidoku.cli.outcome import Outcome
from unidoku.cli.run import output_of_rows, run_with_progress
from unidoku.cli.terminal import language
from unidoku.options import PARTS, RUNNING, TABLE, shared
from unidoku.runner.run import run
from unidoku.table.batch import Batch
from unidoku.task import ResultBatch, Task, Work
from unidoku.tasks.comparison import (
    ANSWER_COUNTS,
    CELL_ERRORS,
    FAULTS,
    OF_ANSWERS,
    PREDICTION,
    compare_answers,
)
from unidoku.tasks.tables import answer_counts, count_lines
from unidoku.threads import Cancel


@dataclass(frozen=True)
class Verify(Task):
    """Compare predicted solutions with their puzzles.

    The predictions are in a column of the inputs. A prediction is 81 cells, a JSON list of 81 cells or of 9
    rows, or a text with such a grid in it; of several grids the last one counts, and thoughts are no answer:
    a text begins after its last </think>. It is right if it is a full grid by the rules and keeps all clues,
    missing if it is empty, no_grid if there is a text without a grid, such as a refusal, and otherwise wrong.

    The output is a table with a row per record. The rows of predictions that are not right have a reason. If
    there is a grid, they also have the other columns.

    The exit code is 0 if every puzzle has a right prediction, 1 if not, 2 after an error, 130 after Ctrl-C.

    Parameters
    ----------
    prediction : str, optional
        Their column; by default the first of ``prediction``, ``answer``, ``solution``, ``solutions``, ``a``.
    """

    columns: ClassVar[Mapping[str, tuple[str, str]]] = CELL_ERRORS
    default_columns: ClassVar[tuple[str, ...]] = ("line", "puzzle", *CELL_ERRORS, "reason", "file")
    summary_counts: ClassVar[tuple[str, ...]] = ANSWER_COUNTS
    prediction: str | None = shared(PREDICTION)

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Compare the answers."""
        results = ResultBatch(batch)
        compare_answers(results, cancel, self.prediction)
        yield results


def command(
    inputs: list[Any],
    *,
    output: str | None,
    prediction: str | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> Outcome:
    """Print the counts of right and wrong predictions."""
    is_one = as_json and single_puzzle(inputs, output, options) is not None
    rows, options = output_of_rows(output, options, as_json=as_json)
    verifying = partial(run, Verify(prediction))
    summary = run_with_progress(verifying, inputs, rows, quiet=quiet, names_wrong=False, **options)
    counts = {name: getattr(summary, name) for name in ("puzzles", "invalid", *FAULTS)}
    lines = count_lines(counts | answer_counts(summary, *OF_ANSWERS), language())
    return Outcome(
        summary,
        is_right=summary.all_right,
        text=() if rows == "-" else lines,
        notes=lines if rows == "-" else (),
        fields=None if is_one else {},
    )


COMMAND = Command(
    Verify,
    group="Check",
    examples=(
        "unidoku verify predicted.csv -o wrong.csv",
        "unidoku verify predicted.csv --prediction prediction --json",
    ),
    function=command,
    options=(
        TABLE["output"].replace(default=None, show_default="no rows"),
        *("to", "columns", "where"),
        *(TABLE[name].replace(needs=("--output",)) for name in PARTS),
        *RUNNING,
    ),
)
