"""``unidoku canonical``: canonical forms of puzzles."""

from __future__ import annotations

from typing import Any

import click

from unidoku.cli.craft import puzzles_to_puzzles, write
from unidoku.cli.inputs import Input, PuzzleCommand
from unidoku.cli.options import QUIET, THREADS, reading

__all__ = ["command"]


@click.command("canonical", cls=PuzzleCommand, short_help="Write the canonical forms of puzzles.")
@puzzles_to_puzzles
@click.option(
    "--form",
    type=click.Choice(["minlex", "solution"]),
    default="minlex",
    show_default=True,
    help="minlex: the smallest image; solution: the smallest image whose solution is the smallest image of "
    "the solution, for proper puzzles.",
)
@THREADS
@reading()
@QUIET
@click.pass_context
def command(ctx: click.Context, /, inputs: list[Input], *, output: str, **options: Any) -> None:
    """Write the canonical forms of puzzles: the same for all puzzles that a symmetry maps to each other.

    Solution columns are transformed too.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    from unidoku.craft.files import canonical_file

    ctx.exit(write(canonical_file, inputs, output, **options))
