"""``unidoku split``: data sets split without leaks."""

from __future__ import annotations

from typing import Any

import click

from unidoku.cli.craft import COMMENT, SEED
from unidoku.cli.options import QUIET, THREADS, reading
from unidoku.cli.terminal import counted, print_message

__all__ = ["command"]


@click.command("split", short_help="Split a file of puzzles into several.")
@click.argument("source", metavar="IN")
@click.argument("outputs", nargs=-1, required=True, metavar="OUTPUT...")
@click.option(
    "--fractions",
    metavar="F,F,...",
    help="The part of the classes for each OUTPUT; the sum is 1.  [default: equal parts]",
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
@click.option("--to", metavar="FORMAT", help="Write this format.  [default: by the suffix of each OUTPUT]")
@click.option("--bare", is_flag=True, help="Write only the puzzles, not the other columns of the input.")
@COMMENT
@THREADS
@reading()
@QUIET
def command(
    source: str, outputs: tuple[str, ...], *, fractions: str | None, bare: bool, quiet: bool, **options: Any
) -> None:
    """Write the puzzles of IN to several OUTPUTs, all puzzles of one class to the same.

    The OUTPUT of a class depends on the class and the seed alone.

    The exit code is 0, or 2 after an error.
    """
    from unidoku.craft.split import split_file
    from unidoku.errors import UnidokuError

    try:
        parts = None if fractions is None else [float(each) for each in fractions.split(",")]
        counts = split_file(source, outputs, parts, carry=not bare, **options)
    except UnidokuError:
        raise
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if not quiet:
        for output, count in zip(outputs, counts, strict=True):
            print_message(f"{output}: {counted(count, 'puzzle')}")
