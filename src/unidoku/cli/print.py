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
    from unidoku.files.puzzles import Puzzle
    from unidoku.view.sheets import Printed

__all__ = ["print"]


@command(
    "print",
    "unidoku print puzzles.txt -o sheets.html --per-page 6 --solutions",
    "unidoku print puzzles.txt -o forms.html --blank --paper letter",
)
@inputs_argument()
@options(
    *(
        "output",
        "solutions",
        "per_page",
        "candidates",
        "paper",
        "title",
        "blank",
        "arrangement",
        "few_digits",
    ),
    *READING,
)
@click.pass_context
def print(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    output: str,
    per_page: str,
    solutions: bool,
    blank: bool,
    arrangement: str,
    few_digits: bool,
    **options: Any,
) -> None:
    """Write puzzles as an HTML page that is ready to print.

    Open the page in a browser and print it, or save it as PDF. A puzzle without exactly one solution has no
    solution printed.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    from unidoku.grid import Grid
    from unidoku.single import check, solve
    from unidoku.verdict import Verdict
    from unidoku.view.sheets import Printed, sheets

    if not blank and (few_digits or arrangement != "123456789"):
        raise click.UsageError("--arrangement and --few-digits need --blank.")
    if sorted(arrangement) != sorted("123456789"):
        raise click.BadParameter("give the digits 1 to 9 in any order", param_hint="'--arrangement'")
    puzzles: list[Printed] = []

    def keep(puzzle: Puzzle, several: bool) -> None:
        grid = Grid(puzzle.cells)
        solution = solve(grid) if solutions and check(grid) is Verdict.UNIQUE else None
        puzzles.append(Printed(grid, solution=solution))

    with open_text(output, inputs) as page:
        code = each_puzzle(inputs, keep, **take(options, READING))
        form: dict[str, Any] = {"blank": blank, "arrangement": arrangement, "few_digits": few_digits}
        for piece in sheets(puzzles, per_page=int(per_page), **form, **options):
            page.write(piece)
    ctx.exit(code)
