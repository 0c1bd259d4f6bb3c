"""The capability `check`: the verdicts of puzzles in files, and the bundled sample.

`unidoku.check`, for one puzzle, is in `unidoku.tasks.single`, and `check_many`, for puzzles in memory, in
`unidoku.tasks.check_many`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from unidoku.kernel import Solved
from unidoku.options import PARTS, RUNNING, Option, common, option
from unidoku.task import Need, ResultBatch, Task
from unidoku.tasks.columns import CELL_ERRORS, count_lines
from unidoku.verdict import VERDICTS, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    from unidoku.batch import Batch
    from unidoku.files.inputs import Input
    from unidoku.options import OptionFields
    from unidoku.runner.sink import Sink
    from unidoku.runner.summary import Summary

SAMPLE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "sample.txt")
"""Path of the bundled sample: puzzles with none, one and several solutions, each followed by their number."""

_ANSWER = {
    "verdict": ("words", f"{', '.join(VERDICTS[:-1])} or {VERDICTS[-1]}"),
    "count": ("uint64", "the number of solutions that were found"),
    "complete": ("bool", "whether these are all, or as many as the limit"),
    "solution": ("cells", "the first solution"),
}


class Search(Task):
    """What the tasks that search for solutions have in common."""

    columns: ClassVar[Mapping[str, tuple[str, str]]] = _ANSWER
    shown: ClassVar[tuple[str, ...]] = ("line", "puzzle", *_ANSWER, "reason", "file")
    for_invalid: ClassVar[Mapping[str, Any]] = {"verdict": str(Verdict.INVALID), "solved": False}
    numbered: ClassVar[bool] = False

    def counts(self, results: ResultBatch) -> dict[str, int]:
        """Count the puzzles by verdict, and by the answers."""
        from unidoku.native.text.render import tally

        columns = results.columns
        verdicts, complete = (
            getattr(columns[name], "values", columns[name]) for name in ("verdict", "complete")
        )
        none, unique, multiple, unknown = tally(verdicts, len(verdicts))
        counts = {"unique": unique, "multiple": multiple, "none": none, "unknown": unknown}
        counts["cut_off"] = bytes(complete).count(0)
        if "solved" in columns:
            from unidoku.tasks.answers import answer_counts

            counts |= answer_counts(results)
        return counts

    def wrong(self, results: ResultBatch) -> Mapping[int, str]:
        """Return the first puzzles whose given answer is wrong."""
        if "solved" not in results.columns:
            return {}
        from unidoku.tasks.answers import wrong_answers

        return wrong_answers(results)


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
    limit : int or None
        Largest number of solutions to count for each puzzle; None counts all.
    budget : int or None
        Largest number of guesses for each puzzle, after which its verdict is ``unknown``; None sets no bound.
    """

    name: ClassVar[str] = "check"
    lines: ClassVar[tuple[str, ...]] = ("puzzle", "verdict", "count", "solution", "file")
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku check puzzles.txt",
        "unidoku check puzzles.txt -o verdicts.csv --only none,multiple,invalid",
    )
    command_options: ClassVar[tuple[Option, ...]] = (
        Option(
            "Check the sample that is part of unidoku, and the numbers of solutions in it; the exit code is "
            "0 if all is right.",
            name="sample",
            kind=bool,
            default=False,
        ),
    )
    common_options: ClassVar[tuple[str | Option, ...]] = (
        common("output", default=None, absent="no rows"),
        *("to", "columns", "only", "keep", *PARTS, *RUNNING, "as_json"),
    )
    limit: int | None = option(
        2, "Stop at N solutions of a puzzle; all: count them all.", least=1, unbounded="all"
    )
    budget: int | None = option(
        None,
        "End the search of a puzzle after this many guesses; its verdict may then be unknown.",
        least=1,
        metavar="GUESSES",
        absent="no bound",
    )

    def to_json(self) -> dict[str, Any]:
        """Return the name and the parameters, also those that are not given."""
        return {"command": self.name, "limit": self.limit, "budget": self.budget}

    def work(self, batch: Batch, need: Need) -> dict[str, Any] | None:
        """Count the solutions."""
        grids = "solution" in need.columns
        found = solved(batch, need, limit=self.limit, budget=self.budget, grids=grids)
        if found is None:
            return None
        if not need.columns:  # a run that only counts needs no columns, and so no NumPy
            return {"verdict": found.verdicts, "complete": found.complete}
        return answer_columns(found, batch)

    @staticmethod
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
        """Print the counts of verdicts, or that of one puzzle."""
        from click import UsageError

        from unidoku.cli.inputs import shown_puzzle
        from unidoku.cli.run import asks_rows, exit_code, output_of_rows, print_found, run_all
        from unidoku.runner.task import run

        if sample:
            if inputs != ["-"] or output or asks_rows(options):
                raise UsageError("--sample takes no inputs and writes no rows.")
            inputs = [SAMPLE]
        rows = output_of_rows(output, options, as_json=as_json)
        more = " (--only invalid -o PATH writes all of them)"
        is_one = shown_puzzle(inputs, rows, options) is not None
        kind = _CheckSample if sample else Check
        checking = partial(run, kind(limit, budget))
        done = run_all(checking, inputs, rows, quiet=quiet, more=more, **options)
        lines = _counts(done, speed=not sample)
        if is_one:
            lines = [verdict for verdict in VERDICTS if getattr(done, verdict)]
        print_found(done, done.as_dict(), lines, rows, as_json=as_json, quiet=quiet)
        return exit_code(done) or int(not (done.all_right if sample else done.all_unique))


@dataclass(frozen=True, eq=False, repr=False)
class _CheckSample(Check):
    """Check the bundled sample; compare the numbers of solutions with those in it."""

    columns: ClassVar[Mapping[str, tuple[str, str]]] = {**_ANSWER, **CELL_ERRORS}
    verifies: ClassVar[bool] = True
    numbered: ClassVar[bool] = True

    def work(self, batch: Batch, need: Need) -> dict[str, Any] | None:
        """Count the solutions, and compare the numbers."""
        from unidoku.tasks.answers import compared, given

        found = solved(batch, need, limit=self.limit, budget=self.budget, grids=False)
        if found is None:
            return None
        return answer_columns(found, batch) | compared(batch, need, given(batch), found, self.limit or 0)


def _counts(done: Summary, *, speed: bool) -> list[str]:
    """Return the counts as lines, with the time if there is enough work for a speed."""
    fields = done.as_dict()
    del fields["files"]
    if not speed:
        del fields["seconds"], fields["puzzles_per_second"]
    if not fields.pop("complete"):
        fields["counts cut off"] = done.cut_off
    return count_lines(fields)


def solved(batch: Batch, need: Need, *, limit: int | None, budget: int | None, grids: bool) -> Solved | None:
    """Count the solutions of a batch's puzzles; None if the run was cancelled."""
    from unidoku.counting import solve

    n = len(batch)
    each = memoryview(bytearray(10 * n))
    grid = memoryview(bytearray(81 * n)) if grids else None
    out = Solved(each[: 8 * n].cast("Q"), each[8 * n : 9 * n], each[9 * n :], grid)
    bounds: dict[str, Any] = {"limit": limit or 0, "budget": budget or 0, "stop": need.cancel.flag}
    return out if solve(batch, out, **bounds) else None


def answer_columns(found: Solved, batch: Batch) -> dict[str, Any]:
    """Return verdicts, numbers of solutions and solutions, if there are any, as columns."""
    import numpy as np

    from unidoku.column import AT_LEAST, TEXT, Cells, Column

    complete = np.frombuffer(found.complete, np.bool_)
    states = None if complete.all() else np.where(complete, np.uint8(TEXT), np.uint8(AT_LEAST))
    columns = {
        "verdict": Column(np.frombuffer(found.verdicts, np.uint8), VERDICTS, type="words"),
        "count": Column(np.frombuffer(found.counts, np.uint64), states=states),
        "complete": Column(complete),
    }
    if found.solutions is not None:
        digits = np.frombuffer(found.solutions, np.uint8)
        solution = Cells(digits, np.arange(0, len(digits), 81), batch.empty_code)
        columns["solution"] = Column(solution, states=digits[::81] > 0)
    return columns


def check_file(
    inputs: Input | Iterable[Input],
    output: str | os.PathLike[str] | Sink | None = None,
    *,
    limit: int | None = 2,
    budget: int | None = None,
    **options: Unpack[OptionFields],
) -> Summary:
    """Determine the verdict of every puzzle in some files.

    Parameters
    ----------
    inputs, output, **options
        As for `unidoku.run`.
    limit, budget
        As for `unidoku.tasks.Check`.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError, ValueError
        As for `unidoku.run`.
    """
    from unidoku.runner.task import run

    return run(Check(limit, budget), inputs, output, **options)
