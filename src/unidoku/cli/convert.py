"""``unidoku convert`` and ``unidoku dedupe``: puzzles from file to file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from unidoku.cli.craft import BARE, OUTPUT
from unidoku.cli.inputs import Input, PuzzleCommand, announce_standard_input, inputs_argument, refuse_empty
from unidoku.cli.options import QUIET, THREADS, apply, reading
from unidoku.cli.terminal import Display, counted, print_message, print_rejects
from unidoku.pipeline.convert import Converted, convert_file, dedupe_file

__all__ = ["convert", "dedupe"]


_options = apply(inputs_argument(), OUTPUT, BARE)


@click.command(cls=PuzzleCommand)
@_options
@THREADS
@reading()
@QUIET
@click.pass_context
def convert(ctx: click.Context, /, inputs: list[Input], **options: Any) -> None:
    """Write puzzles in another format.

    The suffixes of --output: .txt .sdm .csv .tsv .jsonl .sdk .ss .opensudoku .library (also with .gz .bz2 .xz
    .zst), .parquet, .arrow.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    ctx.exit(_run(convert_file, inputs, **options))


@click.command(cls=PuzzleCommand)
@_options
@click.option(
    "--symmetry", is_flag=True, help="Puzzles are equal too if a symmetry of the grid maps one to the other."
)
@reading()
@QUIET
@click.pass_context
def dedupe(ctx: click.Context, /, inputs: list[Input], **options: Any) -> None:
    """Write puzzles without duplicates.

    Two puzzles are equal if all their cells are; the first one is written. Formats are as for convert.
    Memory: up to 43 bytes per puzzle.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    ctx.exit(_run(dedupe_file, inputs, **options))


def _run(
    work: Callable[..., Converted],
    inputs: list[Input],
    *,
    output: str,
    bare: bool,
    quiet: bool,
    **options: Any,
) -> int:
    announce_standard_input(inputs)
    with Display(quiet=quiet, rows=output == "-") as display:
        done = work(inputs, output, carry=not bare, progress=display.progress, **options)
    refuse_empty(done.puzzles + done.duplicates + done.invalid, inputs)
    if not quiet:
        print_rejects(done.rejects, done.invalid)
        words = [counted(done.puzzles, "puzzle")]
        if done.memory:
            words.append(counted(done.duplicates, "duplicate"))
        words.append(f"{done.invalid:,} invalid")
        print_message(", ".join(words))
    return 1 if done.invalid else 0
