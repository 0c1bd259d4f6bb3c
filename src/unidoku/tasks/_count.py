"""Check: Print the number of solutions of each puzzle.

The command `count`: the numbers of solutions of puzzles in files.

`unidoku.count` is in `unidoku.tasks._single`, `unidoku.count_many` in `unidoku.tasks._check_many`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from unidoku._arguments import MAX_COUNT
from unidoku._cli.call import Call
from unidoku._cli.command import Command
from unidoku._cli.run import CommandResult, Display, timed_out_error
from unidoku._cli.terminal import cancelled_by_interrupt, print_message
from unidoku._columns import REASON, ColumnSpec
from unidoku._options import POSITIVE, POSITIVE_OR_ALL, option
from unidoku._table.batch import Batch
from unidoku._task import ResultBatch, Work
from unidoku._threads import Cancel
from unidoku._verdict import Verdict
from unidoku._words import say
from unidoku.errors import SearchStoppedError
from unidoku.grid import Grid
from unidoku.runner._summary import Summary
from unidoku.tasks._search import SEARCH_COLUMNS, Search
from unidoku.tasks._shared import examined
from unidoku.tasks._single import count


class Count(Search):
    """Print the number of solutions of each puzzle.

    Each puzzle gets a line: the number, "960+" if the budget ended the count at 960, or "invalid" if the
    record is not a puzzle.

    Parameters
    ----------
    limit, budget
        As for `unidoku.count_many`.
    """

    columns: ClassVar[Mapping[str, ColumnSpec]] = SEARCH_COLUMNS
    default_columns: ClassVar[tuple[str, ...]] = ("line", "puzzle", *SEARCH_COLUMNS, *REASON, "file")
    line_columns: ClassVar[tuple[str, ...]] = ("count",)
    limit: int | None = option(None, "Stop at N solutions of a puzzle.", POSITIVE_OR_ALL, show_default="all")
    budget: int | None = option(
        None,
        "End the count of a puzzle after this many guesses.",
        POSITIVE,
        metavar="GUESSES",
        show_default="no limit",
    )

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Count the solutions; for people, recount puzzles with more than 64 bits can hold one by one."""
        outputs, results = self.search(batch, work, cancel)
        if work.for_people and results.columns and MAX_COUNT in outputs.counts:  # perhaps more
            from unidoku._table.column import Column  # not at the top: a run that only counts needs no NumPy

            results.columns["count"] = Column.of(
                f"{number}{'' if complete else '+'}"
                if number < MAX_COUNT or results.reasons
                else str(count(puzzle, cancel=cancel))
                for puzzle, number, complete in zip(
                    batch.puzzles().to_list(), outputs.counts, outputs.complete, strict=True
                )
            )
        yield results


def show(call: Call[Count, None], puzzle: bytes | str) -> CommandResult | None:
    """Count the solutions of one puzzle by all threads, if all are to be counted."""
    if not call.about.limit is call.about.budget is None:
        return None
    seconds = call.options.puzzle_timeout
    with (
        Display(quiet=call.show.quiet) as display,
        cancelled_by_interrupt() as cancel,
        cancel.limited(seconds) as stop,
    ):
        try:
            number = count(puzzle, threads=call.options.threads, cancel=stop, progress=display.part)
        except SearchStoppedError as error:
            if seconds is not None and not cancel:
                display.failed(timed_out_error(seconds))
                return CommandResult(text=[f"{error.count}+"], is_right=False)
            display.stop()
            print_message(say("stopped: not all solutions were counted"))
            return CommandResult(Summary(is_finished=False))
    if not number and not call.show.quiet:
        from unidoku.rating._scale import (
            improper_error,  # not at the top: a puzzle with a solution starts faster
        )

        call.note(improper_error(Grid(puzzle), Verdict.NONE))
    return CommandResult(text=[str(number)])


def command(call: Call[Count, None]) -> CommandResult:
    """Write a line for each puzzle; count the solutions of one puzzle by all threads."""
    return call.answer(call.told)


COMMAND = Command(
    Count,
    examples=(
        "unidoku count puzzles.txt --limit 1000",
        "unidoku count puzzles.txt --budget 10000 -o counts.csv",
    ),
    function=command,
    shows={"json": examined(lambda answer: True), "text": show},
)
