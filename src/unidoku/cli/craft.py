"""What the commands that make puzzles from puzzles share: inputs, the output, the summary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from unidoku.cli.inputs import PuzzleArgument, announce_standard_input, inputs_of
from unidoku.cli.options import Number, apply
from unidoku.cli.terminal import counted, print_message, print_rejects
from unidoku.pipeline.convert import Converted

__all__ = ["SEED", "input_output", "run"]

SEED = click.option(
    "--seed",
    type=Number(0, 2**64 - 1),
    default=0,
    show_default=True,
    metavar="S",
    help="The same seed gives the same output.",
)

input_output = apply(
    click.argument("arguments", nargs=-1, metavar="[PUZZLE|FILE]... [OUTPUT]"),
    click.option(
        "--to",
        metavar="FORMAT",
        help="Write this format.  [default: by the suffix of OUTPUT; lines on standard output]",
    ),
    click.option("--bare", is_flag=True, help="Write only the puzzles, not the other columns of the input."),
)
"""The arguments and options of a command that writes puzzles."""


def run(
    work: Callable[..., Converted],
    arguments: tuple[str, ...],
    *,
    to: str | None,
    bare: bool,
    quiet: bool,
    **options: Any,
) -> int:
    """Write puzzles made of puzzles; the last of several arguments is the output, unless it is a puzzle.

    Returns
    -------
    int
        The exit code.
    """
    inputs = inputs_of(arguments)
    output = "-"
    if len(arguments) > 1 and not isinstance(inputs[-1], PuzzleArgument):
        inputs, output = inputs_of(arguments[:-1]), arguments[-1]
    announce_standard_input(inputs)
    done = work(inputs, output, to=to, carry=not bare, **options)
    if not quiet:
        print_rejects(done.rejects, done.invalid)
        if output != "-":
            print_message(f"{counted(done.puzzles, 'puzzle')}, {done.invalid:,} invalid")
    return 1 if done.invalid else 0
