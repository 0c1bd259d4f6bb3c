"""``unidoku link``: links that open puzzles on web sites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import PuzzleCommand, each_puzzle, inputs_argument
from unidoku.cli.options import reading
from unidoku.links import SITES

if TYPE_CHECKING:
    from unidoku.cli.inputs import Input
    from unidoku.files.puzzles import Puzzle

__all__ = ["command"]


@click.command("link", cls=PuzzleCommand)
@inputs_argument()
@click.option(
    "--to",
    "site",
    type=click.Choice(SITES),
    default=SITES[0],
    show_default=True,
    help="Print links to this site.",
)
@click.option(
    "--candidates",
    is_flag=True,
    help="Include the candidates of the empty cells (sudokuwiki, fpuzzles, sudokupad).",
)
@reading("--format")
@click.pass_context
def command(
    ctx: click.Context, /, inputs: list[Input], *, site: str, candidates: bool, **options: Any
) -> None:
    """Print a link for each puzzle that opens it on a web site.

    Nothing is sent anywhere. Links of these sites can also be given wherever a puzzle is expected.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    from unidoku.grid import Grid
    from unidoku.links import link

    def print_link(puzzle: Puzzle, several: bool) -> None:
        grid = Grid(puzzle.cells)
        marks = {cell: grid.candidates(cell) for cell in range(81)} if candidates else None
        click.echo(link(grid.cells, site, candidates=marks))

    ctx.exit(each_puzzle(inputs, print_link, **options))
