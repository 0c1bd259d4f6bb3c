"""The command `print`: puzzles on pages of paper; `unidoku.view.sheets` lays them out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from unidoku.declared import Declared
from unidoku.options import READING, Option
from unidoku.shown import shown_by
from unidoku.tasks.columns import (
    BELOW,
    CANDIDATES,
    CLUES,
    DIFFICULTY,
    LANG,
    SEED,
    SHEETS,
    SOLUTIONS,
    SYMMETRY,
    WORKED,
    Printed,
    seed_for,
)

if TYPE_CHECKING:
    from unidoku.batch import PuzzleRecord

_BOOKLET = ("--generate",)
BOOKLET = tuple(each._replace(needs=_BOOKLET) for each in (DIFFICULTY, CLUES, SYMMETRY))
"""What is asked of the new puzzles of a booklet."""


class Print(Declared):
    """Write puzzles as an HTML page that is ready to print.

    Open the page in a browser and print it, or save it as PDF. Above each puzzle are its number, its name
    (from a column name or title of the input), its difficulty and its rating, as rate gives them, up to 9.0;
    with --heading number, only the number. A puzzle without exactly one solution has no solution printed, and
    a note names it. --generate makes a booklet of new puzzles.
    """

    name: ClassVar[str] = "print"
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku print puzzles.txt -o sheets.html --title 'Rainy Sunday' --solutions",
        "unidoku print --generate 24 --difficulty easy --heading difficulty -o booklet.html",
    )
    command_options: ClassVar[tuple[Option, ...]] = (
        SOLUTIONS,
        *SHEETS,
        CANDIDATES,
        Option(
            "Print the expansion form of the numerical-analysis method: nine small cells in every open cell.",
            name="blank",
            kind=bool,
            default=False,
        ),
        WORKED,
        Option(
            "Give the small cells these digits, the top from left to right, then down the two sides; with "
            "--blank or --worked.",
            metavar="DIGITS",
            name="arrangement",
            default="123456789",
            needs=("--blank", "--worked"),
        ),
        Option(
            "Put above each puzzle its number, name, difficulty and rating; all but its rating (difficulty); "
            "or only its number (number).",
            choices=("rating", "difficulty", "number"),
            name="heading",
            default="rating",
        ),
        LANG,
        Option(
            "Print N new puzzles and their solutions instead of puzzles of inputs; --difficulty, --clues, "
            "--symmetry and --seed say which.",
            least=1,
            flags=("--generate",),
            name="generated",
            kind=int,
        ),
        SEED._replace(needs=_BOOKLET),
        *BOOKLET,
    )
    common_options: ClassVar[tuple[str | Option, ...]] = ("output", *READING)

    @staticmethod
    def command(
        inputs: list[Any],
        *,
        output: str,
        solutions: bool,
        heading: str,
        generated: int | None,
        seed: int | None,
        **options: Any,
    ) -> int:
        """Write a page of puzzles, or of new ones."""
        import click

        from unidoku.cli.inputs import each_puzzle
        from unidoku.cli.options import take
        from unidoku.cli.run import print_seed, values_checked
        from unidoku.cli.terminal import Messages, check_suffix, open_text, print_some, refuse_terminal
        from unidoku.craft.generate import generate
        from unidoku.errors import DIAGNOSE, InvalidPuzzleError, UnidokuError
        from unidoku.grid import Grid
        from unidoku.rating.se121 import REASONS, rate_many
        from unidoku.run.summary import SHOWN
        from unidoku.tasks.single import check, solve

        refuse_terminal(output, "an HTML page")
        sheets = shown_by(Printed, "page")
        puzzles: list[Printed] = []
        improper: list[UnidokuError] = []

        def keep(puzzle: PuzzleRecord, _: str) -> None:
            grid = Grid(puzzle.cells)
            verdict = check(grid)
            if not verdict:
                reason = f"{REASONS[verdict]}; {DIAGNOSE}"
                improper.append(InvalidPuzzleError(reason, file=puzzle.source, line=puzzle.line))
            solution = solve(grid) if solutions and verdict else None
            puzzles.append(Printed(grid, "".join(puzzle.extra.values()), solution=solution))

        check_suffix(output, ".html", ".htm", more="; open it in a browser to print it, or to save it as PDF")
        booklet = [each.name for each in BOOKLET]
        request, reading = take(options, booklet), take(options, READING)
        drawn = None
        if generated is not None:
            if inputs != ["-"]:
                raise click.UsageError("--generate takes no inputs.")
            chosen, drawn = seed_for(seed)
            with values_checked():
                made = generate(generated, seed=chosen, **request)
            puzzles += [Printed(grid, solution=solve(grid)) for grid in map(Grid, made)]
        with open_text(output, inputs) as file:
            code = 0 if generated else each_puzzle(inputs, keep, names=heading != "number", **reading)
            print_some("note", improper[:SHOWN], len(improper), "puzzles without exactly one solution")
            if heading != "number":
                ratings = rate_many([each.grid for each in puzzles], below=BELOW)
                puzzles = [
                    one._replace(rating=each or None) for one, each in zip(puzzles, ratings, strict=True)
                ]
            with values_checked():
                for piece in sheets(puzzles, ratings=heading == "rating", **options):
                    click.echo(piece.encode(), file, nl=False)
        print_seed(drawn, Messages(options["lang"]))
        return code
