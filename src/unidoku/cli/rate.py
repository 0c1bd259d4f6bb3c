"""``unidoku rate`` and ``unidoku hint``: how hard puzzles are for a person, and the next step."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.command import command
from unidoku.cli.inputs import inputs_argument, only_puzzle
from unidoku.cli.options import PARTS, ROW_FORMATS, RUNNING, options
from unidoku.cli.run import write
from unidoku.cli.terminal import TO_ASCII, must_be_ascii

if TYPE_CHECKING:
    from unidoku.cli.inputs import Input
    from unidoku.rating.step import Language

_FULL = {"en": "The grid is full and right.", "zh": "全部填对。"}


@command(
    "unidoku rate puzzles.txt -o rated.csv",
    "unidoku rate puzzles.txt --below 9.0 --columns er,difficulty --to jsonl",
)
@inputs_argument
@options(
    *("output", "to", "columns", "below", "budget", *PARTS, *RUNNING),
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
def rate(inputs: list[Input], *, output: str, **options: Any) -> int:
    """Rate the difficulty of each puzzle.

    A row per puzzle. The ratings are those of Sudoku Explainer (scale se121, docs/rating.md): er is the
    rating of the hardest step, ep of the hardest up to the first digit placed, ed of the first step;
    technique is that of the hardest step, difficulty a word: easy (er up to 1.5), medium (2.5), hard (4.4),
    expert (7.5), extreme. A puzzle with several or no solutions has a reason instead. On a terminal, the
    rating of one PUZZLE is a sentence.

    Other columns: steps, solutions and the highest guess level of the step engine, first_steps and
    first_level up to the first solution (complete is false if the budget ended the search before); class,
    that of the numerical-analysis method (1 theorems, 2 extended zeroing, 3 subsets, 4 presets).
    """
    from unidoku.commands import rate_file

    puzzle = only_puzzle(inputs, output != "-", options["to"], options["columns"], options["column"])
    if puzzle and sys.stdout.isatty():
        click.echo(_sentence(puzzle, options["below"], options["budget"]))
        return 0
    return write(rate_file, inputs, output, **options)


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


@command("unidoku hint puzzles.txt --to jsonl", "unidoku hint puzzles.txt -o steps.parquet")
@inputs_argument
@options(
    *("depth", "pencil", "placed", "lang", "ascii_only", "output", "to", "columns", "budget"),
    *(*PARTS, *RUNNING),
    to=ROW_FORMATS,
    columns={
        "of": "puzzle, file, line, step, technique, kind, rating, placements, eliminations, links, before, "
        "marks, text, reason, or columns of the input",
        "absent": "all",
    },
    budget={"of": "for a puzzle, N candidates from which chains are followed", "absent": "none"},
)
def hint(
    inputs: list[Input],
    *,
    depth: str,
    pencil: str | None,
    placed: str | None,
    lang: Language,
    ascii_only: bool,
    output: str,
    **options: Any,
) -> int:
    """Give the next step of a puzzle; for files, all steps as rows.

    For one PUZZLE: a mistake in --placed or --pencil-marks, else the next step, as Sudoku Explainer takes it.

    For files, or with --to, --columns or --output: a row for each step of each puzzle, with its number,
    technique and rating; placements and eliminations (r4c2=7); the links of chains; the position before (81
    cells) and its pencil marks (729); the sentence. A puzzle with several or no solutions has a reason
    instead.
    """
    from unidoku.commands import steps_file
    from unidoku.rating.hints import hint as hint_of

    if puzzle := only_puzzle(inputs, output != "-", options["to"], options["columns"]):
        found = hint_of(puzzle, pencil, placed=placed, lang=lang, budget=options["budget"])
        text = getattr(found, "whole" if depth == "step" else depth) if found else _FULL[lang]
        plain = must_be_ascii(sys.stdout, lang, ascii_only)
        click.echo(text.translate(TO_ASCII) if plain else text)
        return 0
    for name, value in (("--pencil-marks", pencil), ("--placed", placed)):
        if value is not None:
            raise click.UsageError(f"{name} is for one PUZZLE, without --to, --columns and --output.")
    return write(steps_file, inputs, output, lang=lang, **options)
