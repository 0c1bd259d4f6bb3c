"""``unidoku console``: the SudokuSolver 2.6 shell."""

from __future__ import annotations

import sys
from io import TextIOWrapper

import click

__all__ = ["command"]


@click.command("console")
@click.argument("quiz", required=False, metavar="[FILE|PUZZLE]")
@click.option("--no-time", is_flag=True, help="Omit the run time, so that two outputs can be compared.")
def command(quiz: str | None, no_time: bool) -> None:
    """Run the SudokuSolver 2.6 shell.

    FILE holds a quiz to load first: nine lines of nine digits, 0 for an empty cell. A PUZZLE of 81 cells
    is loaded as it is.

    An empty order (or help, or ?) lists the orders; bye (or quit, or exit) ends the shell.
    """
    from unidoku.stepper.console import Console

    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    console = Console(time=not no_time)
    if quiz is not None:
        console.obey(f"load-quiz {quiz}")
    console.run()
