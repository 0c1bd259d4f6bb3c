"""``unidoku split``: data sets split without leaks."""

from __future__ import annotations

from typing import Any

import click

from unidoku.cli.craft import BARE, COMMENT, SEED, used_seed
from unidoku.cli.inputs import Input, PuzzleCommand, announce_standard_input, inputs_argument, refuse_empty
from unidoku.cli.options import QUIET, THREADS, reading
from unidoku.cli.terminal import counted, print_message

__all__ = ["command"]


@click.command("split", cls=PuzzleCommand, short_help="Split puzzles into several files.")
@inputs_argument()
@click.option(
    "--output",
    "-o",
    "outputs",
    multiple=True,
    required=True,
    metavar="PATH",
    help="Write a part of the puzzles to this file or URL; give the option once for each part.",
)
@click.option(
    "--fractions",
    metavar="F,F,...",
    help="The fraction of the classes for each --output; the sum is 1.  [default: equal parts]",
)
@click.option(
    "--by",
    type=click.Choice(["canonical", "solution", "puzzle"]),
    default="canonical",
    show_default=True,
    help="Keep together: images of each other, puzzles whose solutions are images of each other, or equal "
    "puzzles.",
)
@SEED
@click.option("--to", metavar="FORMAT", help="Write this format.  [default: by the suffix of each --output]")
@BARE
@COMMENT
@THREADS
@reading()
@QUIET
def command(
    inputs: list[Input],
    *,
    outputs: tuple[str, ...],
    fractions: str | None,
    bare: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Write puzzles to several outputs, all puzzles of one class to the same.

    The output of a class depends on the class and the seed alone.

    The exit code is 0, or 2 after an error.
    """
    from unidoku.craft.split import split_file
    from unidoku.errors import UnidokuError

    options["seed"] = used_seed(options["seed"], quiet=quiet)
    announce_standard_input(inputs)
    try:
        parts = None if fractions is None else [float(each) for each in fractions.split(",")]
        counts = split_file(inputs, outputs, parts, carry=not bare, **options)
    except UnidokuError:
        raise
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    refuse_empty(sum(counts), inputs)
    if not quiet:
        for output, count in zip(outputs, counts, strict=True):
            print_message(f"{output}: {counted(count, 'puzzle')}")
