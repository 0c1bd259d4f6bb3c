"""The command `print`: puzzles on pages of paper, or one as a picture or as text.

`unidoku.view.sheets` lays out the pages, `unidoku.view.svg` draws the pictures.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import click
from click.core import ParameterSource

from unidoku import kernel
from unidoku.arguments import seed_of
from unidoku.cli.command import Command
from unidoku.cli.inputs import each_puzzle
from unidoku.cli.outcome import Outcome
from unidoku.cli.report_formats import format_option, take
from unidoku.cli.run import run_report
from unidoku.cli.terminal import open_text, print_some, refuse_terminal
from unidoku.craft.generate import generate
from unidoku.errors import DIAGNOSE, InvalidPuzzleError, StoppedError, UnidokuError
from unidoku.grid import Grid
from unidoku.method.form import refuse_arrangement
from unidoku.method.rules import refuse_clashes
from unidoku.options import LANG, POSITIVE, READING, Option, choice, option, options_of, shared
from unidoku.rating.ratings import rate_many
from unidoku.rating.scale import REASONS
from unidoku.runner.summary import MAX_MESSAGES, Summary
from unidoku.table.batch import PuzzleRecord
from unidoku.task import Report
from unidoku.tasks.generate import CLUES, DIFFICULTY, SYMMETRY
from unidoku.tasks.shared_options import CELLS, SEED, SOLUTIONS, UNITS
from unidoku.tasks.single import check, solve
from unidoku.view.sheets import PAPERS, PER_PAGE, PrintedPuzzle, sheets
from unidoku.view.svg import svg, text

_BELOW = 9.0  # the largest rating on pages: the search for harder steps takes seconds

_PAGES = ("--to html",)
_BOOKLET = ("--generate",)
BOOKLET = tuple(option.replace(needs=_BOOKLET) for option in (DIFFICULTY, CLUES, SYMMETRY))
"""The options for the new puzzles of a booklet."""


SHEETS = (
    Option(
        "per_page",
        "Put this number of puzzles on a page.",
        type=click.Choice([*PER_PAGE]),
        show_default="6, and 1 with --blank and --worked",
        needs=_PAGES,
    ),
    Option("paper", "Lay out the pages for this paper.", type=choice(PAPERS), default="a4", needs=_PAGES),
    Option("title", "Put this title on every page.", show_default="Sudoku", needs=_PAGES),
)
"""The options of printed puzzles."""

_FORM = ("--blank", "--worked")


def step_of(text: str) -> str | int:
    """Parse the step of the method after which a form is printed: first, end or a number."""
    if text in {"first", "end"}:
        return text
    if not text.isdecimal():
        raise click.BadParameter(f"{text[:40]!r} is not first, end or a whole number from 0 on")
    return int(text)


def arrangement_of(text: str) -> str:
    """Check the digits of the small cells."""
    try:
        refuse_arrangement(text)
    except UnidokuError as error:
        raise click.BadParameter(str(error)) from None
    return text


PAGE = (
    SOLUTIONS,
    *SHEETS,
    Option(
        "blank",
        "Print the expansion form of the book, with inputs or without: nine small cells in every open cell.",
        default=False,
    ),
    Option(
        "worked",
        "Fill in the form: first, as in the book's table 2.2-A; end, as in 2.2-B; or after STEP conversions.",
        type=step_of,
        metavar="first|end|STEP",
    ),
    UNITS.replace(needs=("--worked",)),
    Option(
        "digits",
        "Digits in all small cells, in a few (cells 1, 5 and 9), or none.",
        type=choice(["all", "few", "none"]),
        default="all",
        needs=_FORM,
    ),
    Option(
        "arrangement",
        "Give the small cells these digits: the top, then down the two sides.",
        type=arrangement_of,
        metavar="DIGITS",
        default="123456789",
        needs=_FORM,
    ),
    Option(
        "heading",
        "Print above a puzzle its rating, its technique too, only its difficulty, or its number alone.",
        type=choice(["rating", "technique", "difficulty", "number"]),
        default="rating",
    ),
    LANG,
    Option(
        "generated",
        "Print N new puzzles and their solutions; --difficulty, --clues, --symmetry, --seed say which.",
        type=POSITIVE,
        flags=("--generate",),
    ),
    SEED.replace(needs=_BOOKLET),
    *BOOKLET,
)
"""The options of pages."""

_FORMATS = ("html", "svg", "text")


@dataclass(frozen=True)
class Board(Report):
    """A puzzle as a picture or as text."""

    formats: ClassVar[tuple[str, ...]] = _FORMATS[1:]
    candidates: bool = option(False, "Write the candidates of the empty cells too.")
    names: str = shared(
        CELLS,
        help="Name cells by row and column (rc), 1 to 81 (numbers), both or none.",
        type=choice(["rc", "numbers", "both", "none"]),
        default="rc",
        needs=("--to svg",),
    )
    size: int = option(400, "Make a picture N pixels wide and high.", POSITIVE, needs=("--to svg",))

    def svg(self, cells: str) -> str:
        """Return the picture."""
        labels = None if self.names == "none" else self.names
        return svg(cells, candidates=self.candidates, labels=labels, size=self.size)

    def text(self, cells: str, title: str) -> Iterator[str]:
        """Yield the grid, drawn with characters."""
        if title:
            yield title
        yield text(cells, candidates=self.candidates)


def print_puzzles(
    inputs: list[Any],
    *,
    output: str,
    to: str,
    names: str,
    size: int,
    solutions: bool,
    heading: str,
    generated: int | None,
    seed: int | None,
    as_json: bool,
    **options: Any,
) -> Outcome:
    """Write puzzles as a page that is ready to print, or one as a picture or as text.

    Open the HTML page in a browser and print it, or save it as PDF. Above each puzzle are its number, its
    title (a column title of the input), its difficulty and its rating, up to 9.0. A puzzle without exactly
    one solution has no solution printed, and a note names it.
    """
    if as_json and output == "-":
        raise click.UsageError("--json prints the summary of a page or picture; it needs --output PATH.")
    request, reading = take(options, [option.name for option in BOOKLET]), take(options, READING)
    if to != "html":
        board = {"candidates": options["candidates"], "names": names, "size": size}
        return run_report(Board, inputs=inputs, output=output, to=to, as_json=as_json, **board, **reading)
    refuse_terminal(output, "an HTML page")
    source = click.get_current_context().get_parameter_source
    if generated is not None and inputs != ["-"]:
        raise click.UsageError("--generate takes no inputs.")
    puzzles: list[PrintedPuzzle] = []
    improper: list[UnidokuError] = []
    seed = None if generated is None else seed_of(seed)
    summary = Summary(isa=kernel.isa())

    def add(puzzle: PuzzleRecord, _: str) -> None:
        grid = Grid(puzzle.cells)
        if options["worked"] is not None:
            refuse_clashes(grid)
        verdict = check(grid)
        if not verdict:
            reason = f"{REASONS[verdict]}; {DIAGNOSE}"
            improper.append(InvalidPuzzleError(reason, file=puzzle.source, line=puzzle.line))
        solution = solve(grid) if solutions and verdict else None
        puzzles.append(PrintedPuzzle(grid, "".join(puzzle.extra.values()), solution=solution))

    with open_text(output, inputs, summary) as file:
        if generated is not None:
            grids = map(Grid, generate(generated, seed=seed, **request))
            puzzles = [PrintedPuzzle(grid, solution=solve(grid)) for grid in grids]
            summary.puzzles = summary.written = generated
        elif options["blank"] and source("inputs") is ParameterSource.DEFAULT:
            heading, puzzles = "none", [PrintedPuzzle(Grid("." * 81))]
        else:
            each_puzzle(inputs, add, summary, names=heading != "number", **reading)
            if summary.failures or not puzzles:
                raise StoppedError  # the output is not complete, or has nothing
            print_some("improper", improper[:MAX_MESSAGES], len(improper))
        if heading not in {"number", "none"}:
            ratings = rate_many([puzzle.grid for puzzle in puzzles], below=_BELOW)
            puzzles = [
                puzzle if rating.reason else puzzle._replace(rating=rating)
                for puzzle, rating in zip(puzzles, ratings, strict=True)
            ]
        for piece in sheets(puzzles, heading=heading, **options):
            click.echo(piece.encode(), file, nl=False)
    fields = {"improper": len(improper)} if generated is None else {"seed": seed}
    return Outcome(summary, fields=fields, seed=seed)


COMMAND = Command(
    print_puzzles,
    examples=(
        "unidoku print puzzles.txt -o sheets.html --title Sunday --solutions",
        "unidoku print quiz.txt --size 1000 -o board.svg",
    ),
    options=(
        *options_of(Board),
        *(option if option.needs or option is LANG else option.replace(needs=_PAGES) for option in PAGE),
        "output",
        format_option(*_FORMATS),
        *READING,
    ),
)
