"""``unidoku link``: links that open puzzles on web sites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import PuzzleCommand, each_puzzle, inputs_argument
from unidoku.cli.options import TEXT, choice, reading
from unidoku.cli.streams import open_text
from unidoku.files.overlap import refuse_overlap
from unidoku.links import SITES

if TYPE_CHECKING:
    from unidoku.cli.inputs import Input
    from unidoku.files.puzzles import Puzzle

__all__ = ["command"]


@click.command("link", cls=PuzzleCommand)
@inputs_argument()
@choice("--to", "site", values=SITES, help="Print links to this site.")
@click.option(
    "--candidates",
    is_flag=True,
    help="Include the candidates of the empty cells (sudokuwiki, fpuzzles, sudokupad).",
)
@click.option(
    "--steps",
    "each_step",
    is_flag=True,
    help="Print a link and a sentence for each step of explain: the position before it, with its candidates.",
)
@TEXT
@reading("--format")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    site: str,
    candidates: bool,
    each_step: bool,
    output: str,
    **options: Any,
) -> None:
    """Print a link for each puzzle that opens it on a web site.

    Nothing is sent anywhere. Links of these sites can also be given wherever a puzzle is expected.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    from unidoku.grid import Grid
    from unidoku.links import CANDIDATE_SITES
    from unidoku.view.links import link

    if each_step and site not in CANDIDATE_SITES:
        raise click.UsageError(f"--steps needs a site with candidates: {', '.join(CANDIDATE_SITES)}.")

    def print_steps(puzzle: Puzzle, several: bool) -> None:
        from unidoku.method import explain
        from unidoku.view.links import step_links

        for url, text in step_links(explain(puzzle.cells), site):
            click.echo(f"{url}\t{text}".encode(), sink)

    def print_link(puzzle: Puzzle, several: bool) -> None:
        grid = Grid(puzzle.cells)
        marks = {cell: grid.candidates(cell) for cell in range(81)} if candidates else None
        click.echo(link(grid.cells, site, candidates=marks), sink)

    refuse_overlap(inputs, [output])
    with open_text(output) as sink:
        code = each_puzzle(inputs, print_steps if each_step else print_link, **options)
    ctx.exit(code)
