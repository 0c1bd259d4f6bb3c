"""The command `bench`: the speed of this machine; `unidoku.tasks.speed` measures it."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

import click

from unidoku.arguments import MAX_TIMED
from unidoku.cli.command import Command
from unidoku.cli.inputs import puzzles_of
from unidoku.cli.outcome import Outcome
from unidoku.cli.terminal import Messages, language, print_message
from unidoku.options import READING, Option
from unidoku.tasks.speed import PUZZLES, run


def bench(
    inputs: tuple[str, ...],
    *,
    seconds: float,
    limit: int,
    threads: int | None,
    as_json: bool,
    **reading: Any,
) -> Outcome:
    """Measure the speed of this machine, in puzzles per second.

    The puzzles are random images of the first puzzles of the inputs, or of the bundled sample. Each
    instruction set is measured in batches and with one puzzle per call. The textbook backtracker is then
    compared with the instruction set in use, on the puzzles that it has time for: of an easy and a middle
    set, or of the inputs. Every answer is checked.

    The exit code is 0, or 2 after an error or a wrong answer.
    """
    puzzles = [puzzle.cells for puzzle in puzzles_of(inputs, PUZZLES, **reading)] if inputs else None
    if sys.stderr.isatty():
        print_message(Messages().say("measuring", seconds=f"{seconds:g}"))
    report = run(puzzles, seconds=seconds, limit=limit, threads=threads)
    return Outcome(text=report.lines(language()), rows=[asdict(report)])


COMMAND = Command(
    bench,
    examples=(
        "unidoku bench --seconds 5",
        "unidoku bench puzzles.txt --limit 1 --json",
    ),
    options=(
        Option(
            "seconds",
            "Take about S seconds for the whole run.",
            type=click.FloatRange(0, min_open=True),
            metavar="S",
            default=10,
        ),
        Option("limit", "Stop at N solutions of a puzzle.", type=click.IntRange(1, MAX_TIMED), default=2),
        "threads",
        *READING,
    ),
    argument=click.Argument(["inputs"], nargs=-1, metavar="[PUZZLE|FILE]..."),
)
