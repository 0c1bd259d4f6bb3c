"""``unidoku canonical``: canonical forms of puzzles."""

from __future__ import annotations

from typing import Any

import click

from unidoku.cli.command import command
from unidoku.cli.craft import write
from unidoku.cli.inputs import Input, inputs_argument
from unidoku.cli.options import PARTS, PUZZLE_FORMATS, READING, options

__all__ = ["canonical"]


@command(
    "canonical",
    "unidoku canonical puzzles.txt -o canonical.txt",
    "unidoku canonical puzzles.txt --form solution --to csv",
)
@inputs_argument()
@options(
    *("output", "to", "bare", "comment", *PARTS, "form", "threads", *READING, "quiet"),
    to=PUZZLE_FORMATS,
)
@click.pass_context
def canonical(ctx: click.Context, /, inputs: list[Input], *, output: str, **options: Any) -> None:
    """Write the canonical forms of puzzles.

    The form is the same for all puzzles that a symmetry maps to each other. Solution columns are transformed
    too.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    from unidoku.commands import canonical_file

    ctx.exit(write(canonical_file, inputs, output, **options))
