"""``unidoku neighbours``: proper puzzles that differ in a few clues."""

from __future__ import annotations

from typing import Any

import click

from unidoku.cli.inputs import Input, PuzzleCommand, announce_standard_input, inputs_argument
from unidoku.cli.options import THREADS, Number, reading

__all__ = ["command"]


@click.command("neighbours", cls=PuzzleCommand, short_help="Print the proper puzzles near a puzzle.")
@inputs_argument()
@click.option(
    "--remove", type=Number(0, 81), default=1, show_default=True, metavar="N", help="Remove N clues."
)
@click.option("--add", type=Number(0, 81), default=1, show_default=True, metavar="M", help="Add M clues.")
@THREADS
@reading()
@click.pass_context
def command(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    remove: int,
    add: int,
    threads: int | None,
    **options: Any,
) -> None:
    """Print the proper puzzles that puzzles become when N clues are removed and M added.

    No two puzzles printed are images of each other under the symmetry group.

    The exit code is 0, or 2 after an error.
    """
    from unidoku.craft.neighbours import neighbours_many
    from unidoku.errors import UnidokuError
    from unidoku.files.puzzles import read_puzzles
    from unidoku.grid import Grid

    announce_standard_input(inputs)
    puzzles = []
    for puzzle in read_puzzles(inputs, **options):
        if isinstance(puzzle, UnidokuError):
            raise puzzle
        puzzles.append(puzzle.cells)
    try:
        for rows in neighbours_many(puzzles, remove, add, threads=threads):
            for row in rows:
                click.echo(Grid(row).line)
    except UnidokuError:
        raise
    except ValueError as error:
        raise click.UsageError(str(error)) from None
