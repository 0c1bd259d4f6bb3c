"""``unidoku link``: links that open puzzles on web sites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.command import command
from unidoku.cli.inputs import each_puzzle, inputs_argument
from unidoku.cli.options import READING, options
from unidoku.cli.streams import open_text
from unidoku.links import SITES

if TYPE_CHECKING:
    from unidoku.cli.inputs import Input
    from unidoku.files.base import PuzzleRecord
    from unidoku.view.links import Site


@command("unidoku link puzzles.txt --site fpuzzles", "unidoku link puzzles.txt --every-step -o steps.txt")
@inputs_argument
@options(
    *("site", "candidates", "every_step", "output", *READING),
    site={"type": click.Choice(SITES), "default": SITES[0]},
    every_step="a link to the position before each step of explain, with its candidates, and a sentence",
)
def link(
    inputs: list[Input], *, site: Site, candidates: bool, every_step: bool, output: str, **options: Any
) -> int:
    """Print a link for each puzzle that opens it on a web site.

    sudokuwiki, fpuzzles and sudokupad show candidates. Nothing is sent anywhere. Links of these sites can
    also be given wherever a puzzle is expected.
    """
    from unidoku.grid import Grid
    from unidoku.links import CANDIDATE_SITES
    from unidoku.view.links import link as link_of, step_links

    if every_step and site not in CANDIDATE_SITES:
        raise click.UsageError(f"--every-step needs a site with candidates: {', '.join(CANDIDATE_SITES)}.")

    def write(puzzle: PuzzleRecord, several: bool) -> None:
        if every_step:
            from unidoku.method import explain

            for url, text in step_links(explain(puzzle.cells), site=site):
                click.echo(f"{url}\t{text}".encode(), sink)
            return
        grid = Grid(puzzle.cells)
        marks = {cell: grid.candidates(cell) for cell in range(81)} if candidates else None
        click.echo(link_of(grid.cells, site=site, candidates=marks), sink)

    with open_text(output, inputs) as sink:
        return each_puzzle(inputs, write, **options)
