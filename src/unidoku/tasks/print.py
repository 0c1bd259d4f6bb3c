"""The declaration of `print`: puzzles on pages of paper; `unidoku.view.sheets` lays them out."""

from __future__ import annotations

from typing import ClassVar

from unidoku.options import Option
from unidoku.task import Declared
from unidoku.tasks.columns import (
    CANDIDATES,
    CLUES,
    DIFFICULTY,
    LANG,
    SEED,
    SHEETS,
    SOLUTIONS,
    SYMMETRY,
    WORKED,
)

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
