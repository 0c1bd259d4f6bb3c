"""What the commands that make puzzles from puzzles share: inputs, the output, the summary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from unidoku.cli.inputs import Input, PuzzleArgument, announce_standard_input, inputs_of
from unidoku.cli.options import TO, Number, apply, parts
from unidoku.cli.terminal import (
    INTERRUPTED,
    Display,
    cancelled_by_interrupt,
    counted,
    print_error,
    print_message,
    print_rejects,
)
from unidoku.errors import UnidokuError
from unidoku.parallel import Cancel
from unidoku.pipeline.convert import Converted

__all__ = ["COMMENT", "OUTPUT", "SEED", "input_output", "parts_of", "run", "split", "write"]

SEED = click.option(
    "--seed",
    type=Number(0, 2**64 - 1),
    default=0,
    show_default=True,
    metavar="S",
    help="The same seed gives the same output.",
)

COMMENT = click.option(
    "--comment",
    is_flag=True,
    help="Begin an output of lines or CSV with a comment that has the seed and the parameters.",
)

OUTPUT = apply(
    click.option(
        "--output",
        "-o",
        default="-",
        metavar="PATH",
        help="Write the puzzles to PATH, in the format of its suffix.  [default: standard output]",
    ),
    TO,
)
"""The output of a command whose arguments are all inputs."""

input_output = apply(
    click.argument("arguments", nargs=-1, metavar="[PUZZLE|FILE]... [OUTPUT]"),
    click.option(
        "--to",
        metavar="FORMAT",
        help="Write this format.  [default: by the suffix of OUTPUT; lines on standard output]",
    ),
    click.option("--bare", is_flag=True, help="Write only the puzzles, not the other columns of the input."),
    COMMENT,
    parts("Make the output in parts, and resume those that an earlier run with --resume left."),
)
"""The arguments and options of a command that writes puzzles."""


def parts_of(options: dict[str, Any]) -> dict[str, Any]:
    """Take the options of `parts` out of the options of a command; return those that are given."""
    found = {name: options.pop(name) for name in ("resume", "cluster", "shard_bytes")}
    return {name: value for name, value in found.items() if value}


def run(work: Callable[..., Converted], arguments: tuple[str, ...], *, bare: bool, **options: Any) -> int:
    """Write puzzles made of puzzles, as `write` does, by the arguments of a command."""
    return write(work, *split(arguments), carry=not bare, **options)


def split(arguments: tuple[str, ...]) -> tuple[list[Input], str]:
    """Return the inputs and the output: the last of several arguments, unless it is a puzzle."""
    inputs = inputs_of(arguments)
    if len(arguments) > 1 and not isinstance(inputs[-1], PuzzleArgument):
        return inputs_of(arguments[:-1]), arguments[-1]
    return inputs, "-"


def write(
    work: Callable[..., Converted], inputs: list[Input], output: str, *, quiet: bool = False, **options: Any
) -> int:
    """Write puzzles made of puzzles.

    Returns
    -------
    int
        The exit code.
    """
    announce_standard_input(inputs)
    cancel = Cancel()
    try:
        with Display(quiet=quiet, rows=output == "-") as display, cancelled_by_interrupt(cancel):
            done = work(inputs, output, progress=display.progress, cancel=cancel, **options)
    except UnidokuError as error:
        if error.summary is None or error.summary.resume is None:
            raise
        print_error(error)
        print_message(f"resume: {error.summary.resume}")
        return 2
    if not done.complete:
        print_message(f"stopped: {counted(done.puzzles, 'puzzle')} written")
        if done.resume is not None:
            print_message(f"resume: {done.resume}")
        return INTERRUPTED
    if not quiet:
        print_rejects(done.rejects, done.invalid)
        if output != "-":
            print_message(f"{counted(done.puzzles, 'puzzle')}, {done.invalid:,} invalid")
    return 1 if done.invalid else 0
