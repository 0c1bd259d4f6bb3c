"""Machine: Measure the processor time of a puzzle on this machine.

The command `bench`: the speed of this machine; `unidoku.tasks._speed` measures it.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any

import click

from unidoku._cli.call import Call
from unidoku._cli.command import Command
from unidoku._cli.inputs import puzzles_of
from unidoku._cli.run import CommandResult, check_suffix
from unidoku._cli.terminal import print_message
from unidoku._options import READING, TABLE, CommandOptions, Real, Whole, complete_file, option
from unidoku._words import language, say
from unidoku.files._inputs import Inputs, refuse_empty
from unidoku.files._output import refuse_outputs
from unidoku.tasks._speed import MOST_TIMED, PUZZLES, measure_speed


def bench(call: Call[None, _BenchOptions]) -> CommandResult:
    """Measure the processor time of a puzzle on this machine.

    The puzzles are random symmetric copies of the first input puzzles, or of the bundled sample. Each
    instruction set is measured with many puzzles per call, and the set in use also with one puzzle per call.
    Every answer is checked.

    The textbook backtracker is compared on the puzzles that it has time for: an easy and a middle set, or the
    inputs. For inputs, bench also prints how many guesses are typical, and which puzzles need the most.

    The suffix of --output selects a picture (.svg), a table (.txt) or all figures (.json).

    The exit code is 0, 1 if the solver of --with gives a wrong answer, or 2 after an error.
    """
    own, output = call.own, call.path
    suffix = check_suffix(output, ".svg", ".json", ".txt")
    refuse_outputs(Inputs(call.inputs), [output])
    puzzles = None
    if call.inputs:
        puzzles = [puzzle.cells for puzzle in puzzles_of(call.inputs, PUZZLES, call.reading)]
        refuse_empty(len(puzzles), call.inputs)
    if sys.stderr.isatty():
        print_message(say("measuring for about {seconds} seconds", seconds=f"{own.seconds:g}"))
    bounds: dict[str, Any] = {"seconds": own.seconds, "limit": own.limit, "threads": call.options.threads}
    report = measure_speed(puzzles, program=own.program, **bounds)
    text, is_right = "\n".join(report.lines(language())), not any(row.remark for row in report.rows)
    row = asdict(report)
    if output == "-":
        return CommandResult(is_right=is_right, text=[text], rows=[row])
    pages = {".svg": lambda: report.svg(language()), ".json": lambda: json.dumps(row, ensure_ascii=False)}
    call.write(pages.get(suffix, lambda: text)() + "\n")
    return CommandResult(is_right=is_right, rows=[row])


class _BenchOptions(CommandOptions):
    seconds: float = option(10, "Run for about S seconds in all.", Real(0), metavar="S")
    limit: int = option(2, "Stop at N solutions of a puzzle.", Whole(1, MOST_TIMED))
    program: str | None = option(
        None,
        "Also measure this solver. It reads a puzzle per line, and prints a number of solutions (up to "
        "--limit) or a solution for each.",
        flags=("--with",),
        metavar="COMMAND",
        show_default=False,
    )


COMMAND = Command(
    bench,
    examples=(
        "unidoku bench --seconds 5",
        "unidoku bench puzzles.txt --limit 1 -o speed.svg",
    ),
    own=_BenchOptions,
    options=(
        "threads",
        TABLE["output"].replace(
            help="Write a picture, table or all figures to this file or URL, by its suffix."
        ),
        *READING,
    ),
    argument=click.Argument(["inputs"], nargs=-1, metavar="[PUZZLE|FILE]...", shell_complete=complete_file),
)
