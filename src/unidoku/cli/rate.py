"""``unidoku rate``: how hard every puzzle is for a person."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.command import command, names_of
from unidoku.cli.craft import parts_of, write
from unidoku.cli.inputs import inputs_argument, only_puzzle
from unidoku.cli.options import PARTS, READING, ROW_FORMATS, options

if TYPE_CHECKING:
    from unidoku.cli.inputs import Input

__all__ = ["rate"]


@command(
    "rate",
    "unidoku rate puzzles.txt -o rated.csv",
    "unidoku rate puzzles.txt --below 9.0 --columns er,difficulty --to jsonl",
)
@inputs_argument()
@options(
    *("output", "to", "columns", "below", "budget", *PARTS, "threads", *READING, "quiet"),
    to=ROW_FORMATS,
    columns={
        "of": "puzzle, file, line, er, ep, ed, technique, difficulty, at_least, reason, "
        "steps, solutions, level, first_steps, first_level, complete, class, or columns of the input",
        "absent": "puzzle, er, ep, ed, technique, difficulty, reason and, not for txt, columns of the input",
    },
    budget={
        "of": "for a puzzle, N candidates from which chains are followed, and N steps of the step engine",
        "absent": "none; 10,000,000 steps",
    },
)
@click.pass_context
def rate(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    output: str,
    to: str | None,
    columns: str | None,
    below: float | None,
    budget: int | None,
    **options: Any,
) -> None:
    """Rate the difficulty of each puzzle.

    A row per puzzle. The ratings are those of Sudoku Explainer (scale se121, docs/rating.md): er is the
    rating of the hardest step, ep of the hardest up to the first digit placed, ed of the first step;
    technique is that of the hardest step, difficulty a word: easy (er up to 1.5), medium (2.5), hard (4.4),
    expert (7.5), extreme. A puzzle with several or no solutions has a reason instead. On a terminal, the
    rating of one PUZZLE is a sentence.

    Other columns: steps, solutions and the highest guess level of the step engine, first_steps and
    first_level up to the first solution (complete is false if the budget ended the search before); class,
    that of the numerical-analysis method (1 theorems, 2 extended zeroing, 3 subsets, 4 presets).

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    from unidoku.commands import rate_file

    plain = output == "-" and to is None and columns is None and not options["column"]
    if plain and sys.stdout.isatty() and (puzzle := only_puzzle(inputs)) is not None:
        click.echo(_sentence(puzzle, below, budget))
        return
    settings: dict[str, Any] = {"to": to, "columns": names_of(columns), "below": below, "budget": budget}
    ctx.exit(write(rate_file, inputs, output, **settings, **parts_of(options), **options))


def _sentence(puzzle: bytes, below: float | None, budget: int | None) -> str:
    """Return the rating of one puzzle in words."""
    import unidoku

    found = unidoku.rate_many([puzzle], below=below, budget=budget)
    rating = found[0]
    if rating is None:
        return f"no rating: {found.reasons[0]}"
    values = [
        f"{name} {value}" + (" or more" if rating.at_least and value == below else "")
        for name, value in (("ER", rating.er), ("EP", rating.ep), ("ED", rating.ed))
    ]
    hardest = (
        f"at least {rating.difficulty}" if rating.at_least else f"{rating.technique}, {rating.difficulty}"
    )
    return f"{' / '.join(values)}, {hardest}"
