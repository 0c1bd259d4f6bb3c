"""``unidoku convert`` and ``unidoku dedupe``: puzzles from file to file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from unidoku.pipeline.convert import Converted, convert_file, dedupe_file

__all__ = ["convert", "dedupe"]


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What both commands take."""
    for decorate in reversed(
        (
            click.argument("source", metavar="IN"),
            click.argument("output", metavar="OUT"),
            click.option("--format", metavar="NAME", help="IN's format.  [default: by suffix and content]"),
            click.option("--column", metavar="COLUMN", help="The column that holds the puzzle."),
            click.option("--strict", is_flag=True, help="Only one empty symbol in a puzzle."),
            click.option("--bare", is_flag=True, help="Only the puzzles, nothing of what comes with them."),
            click.option(
                "--max-ratio",
                default=1000.0,
                show_default=True,
                metavar="R",
                help="Give up a compressed IN when, after 1 GiB, more than R times its size came out.",
            ),
            click.option("--max-size", type=int, metavar="BYTES", help="Decompress at most so many bytes."),
            click.option("--quiet", is_flag=True, help="No summary, no invalid records shown."),
        )
    ):
        command = decorate(command)
    return command


@click.command()
@_options
@click.pass_context
def convert(ctx: click.Context, /, source: str, output: str, **options: Any) -> None:
    """Write the puzzles of IN to OUT, in the format of OUT's suffix.

    .txt .sdm .csv .jsonl .sdk .ss .opensudoku .library (also with .gz .bz2 .xz .zst), .parquet, .arrow;
    - is standard input or output. The exit code is 1 when a record was no puzzle.
    """
    ctx.exit(_do(convert_file, source, output, **options))


@click.command()
@_options
@click.pass_context
def dedupe(ctx: click.Context, /, source: str, output: str, **options: Any) -> None:
    """Write the puzzles of IN to OUT, each only the first time it comes.

    Two puzzles are the same when all cells are equal. The formats are those of convert. Memory: up to 43
    bytes a puzzle.
    """
    ctx.exit(_do(dedupe_file, source, output, **options))


def _do(
    work: Callable[..., Converted], source: str, output: str, *, bare: bool, quiet: bool, **options: Any
) -> int:
    done = work(source, output, carry=not bare, **options)
    if not quiet:
        for reject in done.rejects:
            click.echo(f"invalid: {reject}", err=True)
        words = [f"{done.puzzles:,} puzzles"]
        if done.memory:
            words.append(f"{done.duplicates:,} duplicates")
        words.append(f"{done.invalid:,} invalid")
        click.echo(", ".join(words), err=True)
    return 1 if done.invalid else 0
