"""``unidoku convert`` and ``unidoku dedupe``: puzzles from file to file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from unidoku.cli.inputs import PuzzleCommand, announce_standard_input, inputs_of
from unidoku.cli.options import QUIET, THREADS, apply, reading
from unidoku.cli.terminal import Display, counted, print_message, print_rejects
from unidoku.pipeline.convert import Converted, convert_file, dedupe_file

__all__ = ["convert", "dedupe"]


_options = apply(
    click.argument("arguments", nargs=-1, metavar="[PUZZLE|FILE]... [OUTPUT]"),
    click.option(
        "--to",
        metavar="FORMAT",
        help="Write this format: txt, sdm, csv, tsv, jsonl, sdk, ss, opensudoku, library, parquet, arrow.  "
        "[default: by the suffix of OUTPUT]",
    ),
    click.option("--bare", is_flag=True, help="Write only the puzzles, not the other columns of the input."),
)


@click.command(cls=PuzzleCommand)
@_options
@THREADS
@reading()
@QUIET
@click.pass_context
def convert(ctx: click.Context, /, arguments: tuple[str, ...], **options: Any) -> None:
    """Write puzzles to OUTPUT, in the format of its suffix.

    .txt .sdm .csv .tsv .jsonl .sdk .ss .opensudoku .library (also with .gz .bz2 .xz .zst), .parquet,
    .arrow; - is standard input or output. With --to, OUTPUT may be omitted after at most one input: the
    puzzles go to standard output.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    ctx.exit(_run(convert_file, arguments, **options))


@click.command(cls=PuzzleCommand)
@_options
@click.option(
    "--symmetry", is_flag=True, help="Puzzles are equal too if a symmetry of the grid maps one to the other."
)
@reading()
@QUIET
@click.pass_context
def dedupe(ctx: click.Context, /, arguments: tuple[str, ...], **options: Any) -> None:
    """Write puzzles to OUTPUT without duplicates.

    Two puzzles are equal if all their cells are; the first one is written. OUTPUT and formats are as for
    convert. Memory: up to 43 bytes per puzzle.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    ctx.exit(_run(dedupe_file, arguments, **options))


def _run(
    work: Callable[..., Converted],
    arguments: tuple[str, ...],
    *,
    to: str | None,
    bare: bool,
    quiet: bool,
    **options: Any,
) -> int:
    if to is not None and len(arguments) < 2:
        names, output = list(arguments), "-"
    elif len(arguments) < 2:
        raise click.UsageError("Missing OUTPUT, or --to FORMAT for standard output.")
    else:
        *names, output = arguments
    inputs = inputs_of(names)
    announce_standard_input(inputs)
    with Display(quiet=quiet, rows=output == "-") as display:
        done = work(inputs, output, to=to, carry=not bare, progress=display.progress, **options)
    if not quiet:
        print_rejects(done.rejects, done.invalid)
        words = [counted(done.puzzles, "puzzle")]
        if done.memory:
            words.append(counted(done.duplicates, "duplicate"))
        words.append(f"{done.invalid:,} invalid")
        print_message(", ".join(words))
    return 1 if done.invalid else 0
