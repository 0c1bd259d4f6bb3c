"""``unidoku convert`` and ``unidoku dedupe``: puzzles from file to file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.command import command
from unidoku.cli.craft import report
from unidoku.cli.inputs import (
    Input,
    accepts_empty,
    announce_standard_input,
    inputs_argument,
    refuse_empty,
)
from unidoku.cli.options import PUZZLE_FORMATS, READING, options
from unidoku.cli.terminal import Display

if TYPE_CHECKING:
    from collections.abc import Callable

    from unidoku.run.summary import Summary

__all__ = ["convert", "dedupe"]


@command(
    "convert",
    "unidoku convert puzzles.txt -o puzzles.jsonl",
    "unidoku convert --from lines --to csv < puzzles.txt",
)
@inputs_argument()
@options("output", "to", "bare", "threads", *READING, "quiet", to=PUZZLE_FORMATS)
@click.pass_context
def convert(ctx: click.Context, /, inputs: list[Input], **options: Any) -> None:
    """Write puzzles in another format.

    The suffixes of --output: .txt .sdm .csv .tsv .jsonl .sdk .ss .opensudoku .library (also with .gz .bz2 .xz
    .zst), .parquet, .arrow.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    from unidoku.commands import convert_file

    ctx.exit(_run(convert_file, inputs, **options))


@command(
    "dedupe",
    "unidoku dedupe puzzles.txt -o different.txt",
    "unidoku dedupe puzzles.txt --by canonical --to csv",
)
@inputs_argument()
@options(
    *("output", "to", "bare", "by", *READING, "quiet"),
    to=PUZZLE_FORMATS,
    by={"type": click.Choice(["puzzle", "canonical"])},
)
@click.pass_context
def dedupe(ctx: click.Context, /, inputs: list[Input], *, by: str, **options: Any) -> None:
    """Write puzzles without duplicates.

    The first puzzle of each class is written. Formats are as for convert. Memory: up to 43 bytes per puzzle.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    from unidoku.commands import dedupe_file

    ctx.exit(_run(dedupe_file, inputs, by=by, **options))


def _run(
    work: Callable[..., Summary],
    inputs: list[Input],
    *,
    output: str,
    bare: bool,
    quiet: bool,
    **options: Any,
) -> int:
    announce_standard_input(inputs)
    with Display(quiet=quiet, rows=output == "-") as display:
        common = {"progress": display.progress, "empty": accepts_empty()}
        done = work(inputs, output, carry=not bare, **common, **options)
    refuse_empty(done.puzzles, inputs)
    return report(done, quiet=quiet, summary=True, duplicates="by" in options)
