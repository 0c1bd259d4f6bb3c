"""Check: Check which puzzles have exactly one solution.

The capability `check`: the verdicts of puzzles in files.

`unidoku.check`, for one puzzle, is in `unidoku.tasks._single`, and `check_many`, for puzzles in memory, in
`unidoku.tasks._check_many`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from click import UsageError

from unidoku._cli.call import Call
from unidoku._cli.command import Command
from unidoku._cli.run import CommandResult, run_with_progress
from unidoku._columns import REASON
from unidoku._options import (
    PARTS,
    POSITIVE,
    POSITIVE_OR_ALL,
    RUNNING,
    SEARCHING,
    TABLE,
    CommandOptions,
    option,
)
from unidoku._verdict import VERDICTS
from unidoku._words import language
from unidoku.errors import Message
from unidoku.files._inputs import Input
from unidoku.runner._run import run
from unidoku.runner._summary import Summary
from unidoku.runner._writer import Writer
from unidoku.tasks._search import SAMPLE, SEARCH_COLUMNS, Search
from unidoku.tasks._shared import SOLUTIONS, answer_counts, count_lines, examined, label


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
        return ("line", "puzzle", *SEARCH_COLUMNS, *self._solution, *REASON, "file")

    @property
    def line_columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """The columns of plain lines, in which the solution is before the file."""
        return ("puzzle", "verdict", "count", *self._solution, "file")

    @property
    def _solution(self) -> list[str]:
        """The column of solutions, if they are requested."""
        return ["solution"] if self.solutions else []


_LINES = ("puzzles", "unique", "multiple", "none", "invalid", "unknown")
"""The counts that are printed first."""


def _tell(call: Call[Check, _CheckOptions], summary: Summary) -> CommandResult:
    """Tell the counts, or the verdict of one puzzle; of the sample, also whether its numbers are right."""
    is_sample = call.own.sample
    if not is_sample and call.puzzle is not None:
        words = [label(verdict, language()) for verdict in VERDICTS if getattr(summary, verdict)]
        return call.told(summary, words, is_right=summary.all_unique)
    names, right, is_right = ["seconds", "puzzles_per_second"], dict[str, Any](), summary.all_unique
    if is_sample:
        names, right = [], answer_counts(summary, "right", "wrong", "missing")
        is_right = summary.all_right
    fields = summary.as_dict()
    counts = {name: fields[name] for name in (*_LINES, *names, "isa", "threads")}
    if summary.cut_off:
        counts["counts cut off"] = summary.cut_off
    counts |= right
    return call.told(summary, count_lines(counts, language()), is_right=is_right)


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


class _CheckOptions(CommandOptions):
    sample: bool = option(
        False, "Check the bundled sample, and its numbers of solutions. The exit code is 0 if they are right."
    )
    solutions: bool = SOLUTIONS.field()


def command(call: Call[Check, _CheckOptions]) -> CommandResult:
    """Print the counts of verdicts, or the verdict of one puzzle."""
    options, is_printed = call.options, call.output in {None, "-"}
    if call.own.sample:
        from unidoku.tasks._verify import CheckSample  # not at the top: it needs NumPy

        if call.inputs != ["-"] or call.output or call.asks_rows:
            text = "--sample checks bundled puzzles and writes no rows; omit inputs and --output"
            raise UsageError(Message(text))
        work = partial(run, CheckSample(call.about.limit, call.about.budget))
        return _tell(call, run_with_progress(work, [SAMPLE], None, options, call.show))
    call.about = replace(call.about, solutions=call.own.solutions or (call.show.json and is_printed))
    if isinstance(call.puzzle, str):
        from unidoku.grid import Grid  # not at the top: a check of files starts faster

        Grid(call.puzzle)  # refuses a position that its clues do not give
    return call.answer(partial(_tell, call))


COMMAND = Command(
    Check,
    examples=(
        "unidoku check puzzles.txt",
        "unidoku check puzzles.txt -o verdicts.csv --only none,multiple,invalid",
    ),
    function=command,
    own=_CheckOptions,
    options=(
        TABLE["output"].replace(default=None, show_default="no rows"),
        "to",
        TABLE["columns"].replace(show_default="all but solution; for txt puzzle, verdict, count"),
        *("where", "only", "keep", *PARTS, *SEARCHING, *RUNNING),
    ),
    shows={"json": examined(lambda answer: answer.verdict == "unique")},
)
