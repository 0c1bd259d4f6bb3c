"""The command `bench`: the speed of this machine; `unidoku.tasks.speed` measures it."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

import click

from unidoku.arguments import MAX_TIMED
from unidoku.cli.command import Command
from unidoku.cli.inputs import puzzles_of
from unidoku.cli.run import CommandResult, check_suffix
from unidoku.cli.terminal import open_text, print_json, print_message
from unidoku.files.inputs import Inputs, refuse_empty
from unidoku.files.output import refuse_outputs
from unidoku.options import READING, TABLE, Option, complete_file
from unidoku.tasks.speed import PUZZLES, run
from unidoku.words import language, say


def bench(
    inputs: tuple[str, ...],
    *,
    seconds: float,
    limit: int,
    threads: int | None,
    program: str | None,
    output: str,
    as_json: bool,
    **reading: Any,
) -> CommandResult:
    """Measure the speed of this machine, in processor time of a puzzle.

    The puzzles are random images of the first puzzles of the inputs, or of the bundled sample. Each
    instruction set is measured with many puzzles per call, the one in use with one per call too. The textbook
    backtracker is then compared with it, on the puzzles that it has time for: of an easy and a middle set,
    or of the inputs. Every answer is checked. Of inputs it also prints how many guesses are typical, and
    which puzzles take the most.

    The suffix of --output says what is written: a picture (.svg), a table (.txt) or all figures (.json).

    The exit code is 0, or 2 after an error or a wrong answer.
    """
    suffix = check_suffix(output, ".svg", ".json", ".txt")
    refuse_outputs(Inputs(inputs), [output])
    puzzles = None
    if inputs:
        puzzles = [puzzle.cells for puzzle in puzzles_of(inputs, PUZZLES, **reading)]
        refuse_empty(len(puzzles), inputs)
    if sys.stderr.isatty():
        print_message(say("measuring for about {seconds} seconds", seconds=f"{seconds:g}"))
    report = run(puzzles, seconds=seconds, limit=limit, threads=threads, program=program)
    text = "\n".join(report.lines(language()))
    if output == "-":
        return CommandResult(text=[text], rows=[asdict(report)])
    with open_text(output, ()) as file:
        if suffix == ".json":
            print_json(asdict(report), file)
        else:
            print(report.svg(language()) if suffix == ".svg" else text, file=file)
    return CommandResult(rows=[asdict(report)])


COMMAND = Command(
    bench,
    examples=(
        "unidoku bench --seconds 5",
        "unidoku bench puzzles.txt --limit 1 -o speed.svg",
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
        Option(
            "program",
            "Measure this solver too: it reads a puzzle on each line, and prints for each the number of "
            "solutions, up to --limit, or a solution.",
            flags=("--with",),
            metavar="COMMAND",
            show_default=False,
        ),
        "threads",
        TABLE["output"].replace(
            help="Write a picture, table or all figures to this file or URL, by its suffix."
        ),
        *READING,
    ),
    argument=click.Argument(["inputs"], nargs=-1, metavar="[PUZZLE|FILE]...", shell_complete=complete_file),
)
