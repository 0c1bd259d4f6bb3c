"""``unidoku print``: sheets of puzzles for paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import PuzzleCommand, each_puzzle, inputs_argument
from unidoku.cli.options import TEXT, choice, reading
from unidoku.cli.streams import open_text
from unidoku.files.overlap import refuse_overlap

if TYPE_CHECKING:
    from unidoku.cli.inputs import Input
    from unidoku.files.puzzles import Puzzle
    from unidoku.view.sheets import Printed

__all__ = ["command"]


@click.command("print", cls=PuzzleCommand)
@inputs_argument()
@TEXT
@choice("--per-page", values=["1", "2", "4", "6"], default="4", help="Number of puzzles on a page.")
@click.option("--solutions", is_flag=True, help="Print the solutions at the end.")
@click.option("--candidates", is_flag=True, help="Print the candidates of the empty cells.")
@click.option(
    "--blank",
    is_flag=True,
    help="Print the expansion form of the numerical-analysis method: nine small cells in every open cell.",
)
@click.option(
    "--arrangement",
    default="123456789",
    show_default=True,
    metavar="DIGITS",
    help="With --blank: the digits of the small cells, the top from left to right, then down the two sides.",
)
@click.option("--few-digits", is_flag=True, help="With --blank: print the digits in cells 1, 5 and 9 only.")
@choice("--paper", values=["a4", "letter"], help="Lay out the pages for this paper.")
@click.option("--title", default="Sudoku", show_default=True, metavar="TEXT", help="Title of the page.")
@reading("--format")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    output: str,
    per_page: str,
    solutions: bool,
    candidates: bool,
    blank: bool,
    arrangement: str,
    few_digits: bool,
    paper: str,
    title: str,
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
    refuse_overlap(inputs, [output])
    puzzles: list[Printed] = []

    def keep(puzzle: Puzzle, several: bool) -> None:
        grid = Grid(puzzle.cells)
        solution = solve(grid) if solutions and check(grid) is Verdict.UNIQUE else None
        puzzles.append(Printed(grid, solution=solution))

    code = each_puzzle(inputs, keep, **options)
    with open_text(output) as page:
        for piece in sheets(
            puzzles,
            per_page=int(per_page),
            candidates=candidates,
            blank=blank,
            arrangement=arrangement,
            few_digits=few_digits,
            paper=paper,
            title=title,
        ):
            page.write(piece)
    ctx.exit(code)
