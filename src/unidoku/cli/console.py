"""``unidoku console``: the SudokuSolver 2.6 shell."""

from __future__ import annotations

import sys
from io import TextIOWrapper

import click

from unidoku.cli.command import command
from unidoku.cli.options import options


@command("unidoku console", "unidoku console quiz.txt --no-time")
@click.argument("quiz", required=False, metavar="[FILE|PUZZLE]")
@options("no_time", "every_filter")
def console(quiz: str | None, *, no_time: bool, every_filter: bool) -> int:
    """Run the SudokuSolver 2.6 shell.

    FILE holds a quiz to load first: nine lines of nine cells or one line of 81, with or without blanks, 0 or
    a dot for an empty cell. A PUZZLE of 81 cells is loaded as it is.

    An empty order lists the orders of SudokuSolver 2.6, help those beyond; bye ends the shell.
    """
    from unidoku.stepper.console import Console

    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    shell = Console(time=not no_time, every_filter=every_filter)
    if quiz is not None:
        shell.obey(f"load-quiz {quiz}")
    shell.run()
    return 0
