"""What the commands that make puzzles from puzzles share: inputs, the output, the summary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from unidoku.cli.inputs import Input, announce_standard_input, inputs_argument, refuse_empty
from unidoku.cli.options import Number, apply, parts
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

__all__ = ["BARE", "COMMENT", "OUTPUT", "SEED", "parts_of", "puzzles_to_puzzles", "used_seed", "write"]

SEED = click.option(
    "--seed",
    type=Number(0, 2**64 - 1),
    metavar="S",
    help="The same seed gives the same output.  [default: a fresh seed, printed to standard error]",
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
        help="Write the puzzles to this file or URL, in the format of its suffix.  "
        "[default: standard output, one per line]",
    ),
    click.option(
        "--to",
        metavar="FORMAT",
        help="Write this format: txt, sdm, csv, tsv, jsonl, sdk, ss, opensudoku, library, parquet, arrow.  "
        "[default: by the suffix of --output]",
    ),
)
"""The output of a command that writes puzzles."""

BARE = click.option(
    "--bare", is_flag=True, help="Write only the puzzles, not the other columns of the input."
)

puzzles_to_puzzles = apply(
    inputs_argument(),
    OUTPUT,
    BARE,
    COMMENT,
    parts("Make the output in parts, and resume those that an earlier run with --resume left."),
)
"""The arguments and options of a command that makes puzzles of puzzles."""


def parts_of(options: dict[str, Any]) -> dict[str, Any]:
    """Take the options of `parts` out of the options of a command; return those that are given."""
    found = {name: options.pop(name) for name in ("resume", "cluster", "shard_bytes")}
    return {name: value for name, value in found.items() if value}


def used_seed(seed: int | None, *, quiet: bool = False, resume: bool = False) -> int:
    """Return the seed of a command: that of the option, else a fresh one, which is printed.

    Raises
    ------
    click.UsageError
        A run is to be resumed, and no seed is given.
    """
    if seed is not None:
        return seed
    if resume:
        raise click.UsageError("--resume needs --seed: another seed is another run.")
    from unidoku.craft.seeds import fresh_seed

    seed = fresh_seed()
    if not quiet:
        print_message(f"seed: {seed}")
    return seed


def write(
    work: Callable[..., Converted],
    inputs: list[Input],
    output: str,
    *,
    bare: bool = False,
    may_be_empty: bool = False,
    quiet: bool = False,
    **options: Any,
) -> int:
    """Write puzzles made of puzzles, without their other columns if ``bare``.

    Unless the output may be empty, no puzzle at all is an error.

    Returns
    -------
    int
        The exit code.
    """
    announce_standard_input(inputs)
    cancel = Cancel()
    try:
        with Display(quiet=quiet, rows=output == "-") as display, cancelled_by_interrupt(cancel):
            done = work(inputs, output, carry=not bare, progress=display.progress, cancel=cancel, **options)
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
    if not may_be_empty:
        refuse_empty(done.puzzles + done.invalid, inputs)
    if not quiet:
        print_rejects(done.rejects, done.invalid)
        if output != "-":
            print_message(f"{counted(done.puzzles, 'puzzle')}, {done.invalid:,} invalid")
    return 1 if done.invalid else 0
