"""The capability `check`: the verdicts of puzzles in files.

`unidoku.check`, for one puzzle, is in `unidoku.tasks.single`, and `check_many`, for puzzles in memory, in
`unidoku.tasks.check_many`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from click import UsageError

from unidoku.cli.command import Command
from unidoku.cli.inputs import single_puzzle
from unidoku.cli.run import CommandResult, asks_rows, from_options, output_of_rows, run_with_progress
from unidoku.errors import Message
from unidoku.files.inputs import Input
from unidoku.options import PARTS, POSITIVE, POSITIVE_OR_ALL, RUNNING, SEARCHING, TABLE, Option, option
from unidoku.runner.run import run
from unidoku.runner.summary import Summary
from unidoku.runner.writer import Writer
from unidoku.tasks.search import SAMPLE, Search
from unidoku.tasks.shared import SOLUTIONS, answer_counts, count_lines, label
from unidoku.verdict import VERDICTS
from unidoku.words import language


class Check(Search):
    """Check which puzzles have exactly one solution.

    Each puzzle gets a verdict: none, unique (one solution), multiple, invalid (not a puzzle), or unknown
    (the budget ended the search). For one PUZZLE, the verdict is printed.

    --output writes a row per puzzle, and with --solutions its solution. The suffix selects the format: .txt,
    .csv, .jsonl (also with .gz .bz2 .xz .zst), .parquet or .arrow. An output folder gets several files.

    The exit code is 0 if every puzzle is unique, 1 if not, 2 after an error, 130 after Ctrl-C.

    Parameters
    ----------
    limit, budget
        As for `unidoku.check_many`.
    solutions : bool
        Whether the rows have the solutions if no columns are named.
    """

    limit: int | None = option(2, "Stop at N solutions of a puzzle; all: count them all.", POSITIVE_OR_ALL)
    budget: int | None = option(
        None,
        "End the search of a puzzle after this many guesses; its verdict may then be unknown.",
        POSITIVE,
        metavar="GUESSES",
        show_default="no limit",
    )
    solutions: bool = True

    @property
    def default_columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """The columns of a search; solutions only if they are requested."""
        if self.solutions:
            return Search.default_columns
        return tuple(name for name in Search.default_columns if name != "solution")

    @property
    def line_columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """The columns of plain lines, in which the solution is before the file."""
        return ("puzzle", "verdict", "count", *(["solution"] if self.solutions else []), "file")


_LINES = ("puzzles", "unique", "multiple", "none", "invalid", "unknown")
"""The counts that are printed first."""


def _counts(summary: Summary, *, sample: bool) -> list[str]:
    """Format the counts as lines: with the counts of answers for a sample, otherwise with time and speed."""
    fields, names = summary.as_dict(), () if sample else ("seconds", "puzzles_per_second")
    counts = {name: fields[name] for name in (*_LINES, *names, "isa", "threads")}
    if summary.cut_off:
        counts["counts cut off"] = summary.cut_off
    if sample:
        answers = answer_counts(summary, "right", "wrong", "missing")
    else:
        answers = {}
    return count_lines(counts | answers, language())


def check_file(
    inputs: Input | Iterable[Input],
    output: str | os.PathLike[str] | Writer | None = None,
    *,
    limit: int | None = 2,
    budget: int | None = None,
    **options: Any,
) -> Summary:
    r"""Check the puzzles of files: count the verdicts, and write a row for each puzzle.

    Parameters
    ----------
    inputs, output, **options
        As for `unidoku.run`.
    limit, budget
        As for `unidoku.check_many`.

    Returns
    -------
    Summary
        Its ``unique``, ``multiple``, ``none``, ``unknown`` and ``invalid`` are the counts.

    Raises
    ------
    UnidokuError, ValueError
        As for `unidoku.run`.

    Examples
    --------
    >>> import io
    >>> puzzle = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> summary = check_file(io.BytesIO(puzzle + b"\n" + 81 * b"."))
    >>> summary.puzzles, summary.unique, summary.multiple
    (2, 1, 1)
    """
    return run(Check(limit, budget), inputs, output, **options)


def _asks_invalid(options: Mapping[str, Any]) -> bool:
    """Return whether invalid records are asked for, in no named format or columns."""
    if options["to"] or options["columns"]:
        return False
    return "invalid" in (options["only"] or ())


def command(
    inputs: list[Any],
    *,
    output: str | None,
    sample: bool,
    solutions: bool,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> CommandResult:
    """Print the counts of verdicts, or the verdict of one puzzle."""
    asked = from_options(Check, options)
    task: Search = replace(asked, solutions=solutions or as_json)
    if sample:
        from unidoku.tasks.verify import CheckSample  # not at the top: it needs NumPy

        if inputs != ["-"] or output or asks_rows(options):
            raise UsageError(
                Message("--sample checks bundled puzzles and writes no rows; omit inputs and --output")
            )
        inputs, task = [SAMPLE], CheckSample(asked.limit, asked.budget)
    puzzle = single_puzzle(inputs, output, options)
    if puzzle is not None and as_json:
        from unidoku.tasks.examine import answer_to  # not at the top: only --json needs it

        answer = answer_to(puzzle, limit=asked.limit, budget=asked.budget)
        return CommandResult(rows=[asdict(answer)], is_right=answer.verdict == "unique")
    if isinstance(puzzle, str):
        from unidoku.grid import Grid  # not at the top: a check of files starts faster

        Grid(puzzle)  # refuses a position that its clues do not give
    if output is None and not as_json and _asks_invalid(options):
        options["to"] = "csv"  # it says where a record is, and what is next to it
    rows, options = output_of_rows(output, options, as_json=as_json and not sample)
    summary = run_with_progress(partial(run, task), inputs, rows, quiet=quiet, **options)
    lines = _counts(summary, sample=sample)
    if puzzle is not None:
        lines = [label(verdict, language()) for verdict in VERDICTS if getattr(summary, verdict)]
    return CommandResult(
        summary,
        is_right=summary.all_right if sample else summary.all_unique,
        text=() if rows == "-" else lines,
        notes=lines if rows == "-" else (),
        fields={},
    )


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
            "Check the bundled sample, and its numbers of solutions. The exit code is 0 if they are right.",
            default=False,
        ),
        SOLUTIONS,
        TABLE["output"].replace(default=None, show_default="no rows"),
        "to",
        TABLE["columns"].replace(show_default="all but solution; for txt puzzle, verdict, count"),
        *("where", "only", "keep", *PARTS, *SEARCHING, *RUNNING),
    ),
)
