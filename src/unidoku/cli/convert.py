"""``unidoku convert`` and ``unidoku dedupe``: puzzles from file to file."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import PuzzleCommand, announce_standard_input, inputs_of
from unidoku.cli.options import QUIET, THREADS, apply, reading
from unidoku.cli.terminal import print_message, print_rejects
from unidoku.pipeline.convert import Converted, convert_file, dedupe_file

if TYPE_CHECKING:
    from unidoku.cli.inputs import Input

__all__ = ["convert", "dedupe"]


def _source(ctx: click.Context, parameter: click.Parameter, value: str) -> Input:
    (found,) = inputs_of([value])
    return found


_options = apply(
    click.argument("source", metavar="PUZZLE|FILE", callback=_source),
    click.argument("output", metavar="OUTPUT"),
    click.option("--bare", is_flag=True, help="Write only the puzzles, nothing that comes with them."),
)


@click.command(cls=PuzzleCommand)
@_options
@THREADS
@reading()
@QUIET
@click.pass_context
def convert(ctx: click.Context, /, source: Input, output: str, **options: Any) -> None:
    """Write puzzles in the format of OUTPUT's suffix.

    .txt .sdm .csv .jsonl .sdk .ss .opensudoku .library (also with .gz .bz2 .xz .zst), .parquet, .arrow;
    - is standard input or output.

    The exit code is 0, or 1 if a record is no puzzle, 2 after an error.
    """
    ctx.exit(_run(convert_file, source, output, **options))


@click.command(cls=PuzzleCommand)
@_options
@reading()
@QUIET
@click.pass_context
def dedupe(ctx: click.Context, /, source: Input, output: str, **options: Any) -> None:
    """Write puzzles without duplicates, in the format of OUTPUT's suffix.

    Two puzzles are equal if all their cells are; the first one is written. The formats are those of
    convert. Memory: up to 43 bytes per puzzle.

    The exit code is 0, or 1 if a record is no puzzle, 2 after an error.
    """
    ctx.exit(_run(dedupe_file, source, output, **options))


def _run(
    work: Callable[..., Converted], source: Input, output: str, *, bare: bool, quiet: bool, **options: Any
) -> int:
    announce_standard_input([source])
    done = work(source, output, carry=not bare, **options)
    if not quiet:
        print_rejects(done.rejects, done.invalid)
        words = [f"{done.puzzles:,} puzzles"]
        if done.memory:
            words.append(f"{done.duplicates:,} duplicates")
        words.append(f"{done.invalid:,} invalid")
        print_message(", ".join(words))
    return 1 if done.invalid else 0
