"""The capability `check`: the verdicts of puzzles in files.

`unidoku.check`, for one puzzle, is in `unidoku.tasks.single`, and `check_many`, for puzzles in memory, in
`unidoku.tasks.check_many`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from click import UsageError

from unidoku.cli.command import Command
from unidoku.cli.inputs import single_puzzle
from unidoku.cli.run import asks_rows, exit_code, output_of_rows, print_counts, run_all
from unidoku.cli.terminal import language
from unidoku.files.inputs import Input
from unidoku.options import COUNT, PARTS, RUNNING, TABLE, CountOrAll, Option, option
from unidoku.runner.run import run
from unidoku.runner.summary import Summary
from unidoku.runner.writer import Writer
from unidoku.tasks.search import Search, print_answer
from unidoku.tasks.tables import count_lines, label
from unidoku.verdict import VERDICTS


@dataclass(frozen=True, eq=False, repr=False)  # a check starts faster without unused methods
class Check(Search):
    """Check which puzzles have exactly one solution.

    Each puzzle gets a verdict: none, unique (one solution), multiple, invalid (not a puzzle), or unknown
    (the budget ended the search). For one PUZZLE, the verdict is printed.

    --output gets a row per puzzle: .txt, .csv, .jsonl (also with .gz .bz2 .xz .zst), .parquet, .arrow; a
    folder gets a file per part.

    The exit code is 0 if every puzzle is unique, 1 if not, 2 after an error, 130 after Ctrl-C.

    Parameters
    ----------
    limit, budget
        As for `unidoku.check_many`.
    """

    lines: ClassVar[tuple[str, ...]] = ("puzzle", "verdict", "count", "solution", "file")
    limit: int | None = option(2, "Stop at N solutions of a puzzle; all: count them all.", CountOrAll())
    budget: int | None = option(
        None,
        "End the search of a puzzle after this many guesses; its verdict may then be unknown.",
        COUNT,
        metavar="GUESSES",
        show_default="no bound",
    )


def _counts(summary: Summary, *, speed: bool) -> list[str]:
    """Format the counts as lines, with the time and the speed if requested."""
    fields = summary.as_dict()
    del fields["files"]
    if not speed:
        del fields["seconds"], fields["puzzles_per_second"]
    if not fields.pop("complete"):
        fields["counts cut off"] = summary.cut_off
    return count_lines(fields, language())


def check_file(
    inputs: Input | Iterable[Input],
    output: str | os.PathLike[str] | Writer | None = None,
    *,
    limit: int | None = 2,
    budget: int | None = None,
    **options: Any,
) -> Summary:
    """Determine the verdict of every puzzle in some files.

    Parameters
    ----------
    inputs, output, **options
        As for `unidoku.run`.
    limit, budget
        As for `unidoku.check_many`.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError, ValueError
        As for `unidoku.run`.
    """
    return run(Check(limit, budget), inputs, output, **options)


def command(
    inputs: list[Any],
    *,
    output: str | None,
    limit: int | None,
    budget: int | None,
    sample: bool,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> int:
    """Print the counts of verdicts, or the verdict of one puzzle."""
    task: Search = Check(limit, budget)
    if sample:
        from unidoku.tasks.sample import SAMPLE, CheckSample  # not at the top: they need NumPy

        if inputs != ["-"] or output or asks_rows(options):
            raise UsageError("--sample takes no inputs and writes no rows.")
        inputs, task = [SAMPLE], CheckSample(limit, budget)
    puzzle = single_puzzle(inputs, output, options)
    if puzzle is not None and as_json:
        answer = print_answer(puzzle, limit=limit, budget=budget)
        return exit_code(is_right=answer.verdict == "unique")
    rows, options = output_of_rows(output, options, as_json=as_json and not sample)
    summary = run_all(
        partial(run, task), inputs, rows, quiet=quiet, invalid_advice="write invalid", **options
    )
    lines = _counts(summary, speed=not sample)
    if puzzle is not None:
        lines = [label(verdict, language()) for verdict in VERDICTS if getattr(summary, verdict)]
    print_counts(summary, summary.as_dict(), lines, rows, as_json=as_json, quiet=quiet)
    return exit_code(summary, is_right=summary.all_right if sample else summary.all_unique)


COMMAND = Command(
    Check,
    examples=(
        "unidoku check puzzles.txt",
        "unidoku check puzzles.txt -o verdicts.csv --only none,multiple,invalid",
    ),
    function=command,
    options=(
        Option(
            "sample",
            "Check the sample that is part of unidoku, and the numbers of solutions in it; the exit code is "
            "0 if all is right.",
            default=False,
        ),
        TABLE["output"].replace(default=None, show_default="no rows"),
        *("to", "columns", "where", "only", "keep", *PARTS, *RUNNING),
    ),
)
