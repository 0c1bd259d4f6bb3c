"""``unidoku print``: sheets of puzzles for paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.command import command, take
from unidoku.cli.inputs import each_puzzle, inputs_argument
from unidoku.cli.options import READING, options
from unidoku.cli.streams import open_text

if TYPE_CHECKING:
    from unidoku.cli.inputs import Input
    from unidoku.files.base import PuzzleRecord
    from unidoku.view.sheets import Printed

_BELOW = 9.0  # rating; what is harder takes seconds


@command(
    "unidoku print puzzles.txt -o sheets.html --title 'Rainy Sunday' --solutions",
    "unidoku print puzzles.txt -o forms.html --blank --paper letter",
)
@inputs_argument
@options(
    *("output", "solutions", "per_page", "candidates", "paper", "title", "blank", "arrangement"),
    *("few_digits", "bare", *READING),
)
def print(
    inputs: list[Input],
    *,
    output: str,
    per_page: str,
    solutions: bool,
    bare: bool,
    **options: Any,
) -> int:
    """Write puzzles as an HTML page that is ready to print.

    Open the page in a browser and print it, or save it as PDF. Above each puzzle stand its number, its name
    (from a column name or title of the input), its difficulty and its rating, as rate gives them, up to 9.0;
    with --bare only the number. A puzzle without exactly one solution has no solution printed.
    """
    from unidoku.grid import Grid
    from unidoku.rating.se121 import rate_many
    from unidoku.single import check, solve
    from unidoku.verdict import Verdict
    from unidoku.view.sheets import Printed, sheets

    if not options["blank"] and (options["few_digits"] or options["arrangement"] != "123456789"):
        raise click.UsageError("--arrangement and --few-digits need --blank.")
    if sorted(options["arrangement"]) != sorted("123456789"):
        raise click.BadParameter("give the digits 1 to 9 in any order", param_hint="'--arrangement'")
    puzzles: list[Printed] = []

    def keep(puzzle: PuzzleRecord, several: bool) -> None:
        grid = Grid(puzzle.cells)
        solution = solve(grid) if solutions and check(grid) is Verdict.UNIQUE else None
        puzzles.append(Printed(grid, "".join(puzzle.extra.values()), solution=solution))

    with open_text(output, inputs) as page:
        code = each_puzzle(inputs, keep, names=not bare, **take(options, READING))
        if not bare:
            ratings = rate_many([each.grid for each in puzzles], below=_BELOW)
            puzzles = [one._replace(rating=each) for one, each in zip(puzzles, ratings, strict=True)]
        for piece in sheets(puzzles, per_page=int(per_page), **options):
            click.echo(piece.encode(), page, nl=False)
    return code
