"""``unidoku console``: the SudokuSolver 2.6 shell."""

from __future__ import annotations

import sys
from io import TextIOWrapper

import click

__all__ = ["command"]


@click.command("console")
@click.argument("file", required=False)
@click.option("--no-time", is_flag=True, help="Leave the run time line out, so that outputs can be compared.")
def command(file: str | None, no_time: bool) -> None:
    """The SudokuSolver 2.6 shell; FILE is a quiz to load first.

    An empty order lists the orders.
    """
    from unidoku.stepper.console import Console

    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    console = Console(time=not no_time)
    if file is not None:
        console.obey(f"load-quiz {file}")
    console.run()
