"""``unidoku hint``: the next step of a position, and all steps of files as rows."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.command import command, names_of
from unidoku.cli.craft import parts_of, write
from unidoku.cli.inputs import inputs_argument, only_puzzle
from unidoku.cli.options import PARTS, READING, ROW_FORMATS, options
from unidoku.cli.terminal import must_be_ascii

if TYPE_CHECKING:
    from unidoku.cli.inputs import Input
    from unidoku.rating.step import Language

__all__ = ["hint"]

_ASCII = str.maketrans({"≠": "<>", "→": "->", "⇒": "=>"})


@command("hint", "unidoku hint puzzles.txt --to jsonl", "unidoku hint puzzles.txt -o steps.parquet")
@inputs_argument()
@options(
    *("depth", "pencil", "placed", "lang", "ascii_only", "output", "to", "columns", "budget"),
    *(*PARTS, "threads", *READING, "quiet"),
    to=ROW_FORMATS,
    columns={
        "of": "puzzle, file, line, step, technique, kind, rating, placements, eliminations, links, before, "
        "marks, text, reason, or columns of the input",
        "absent": "all",
    },
    budget={"of": "for a puzzle, N candidates from which chains are followed", "absent": "none"},
)
@click.pass_context
def hint(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    depth: str,
    pencil: str | None,
    placed: str | None,
    lang: Language,
    ascii_only: bool,
    output: str,
    to: str | None,
    columns: str | None,
    budget: int | None,
    **options: Any,
) -> None:
    """Give the next step of a puzzle; for files, all steps as rows.

    For one PUZZLE: a mistake in --placed or --pencil-marks, else the next step, as Sudoku Explainer takes it.

    For files, or with --to, --columns or --output: a row for each step of each puzzle, with its number,
    technique and rating; placements and eliminations (r4c2=7); the links of chains; the position before (81
    cells) and its pencil marks (729); the sentence. A puzzle with several or no solutions has a reason
    instead.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    from unidoku.commands import steps_file
    from unidoku.rating.hints import hint as hint_of

    puzzle = only_puzzle(inputs)
    if puzzle is not None and output == "-" and to is None and columns is None:
        found = hint_of(puzzle, pencil, placed=placed, lang=lang, budget=budget)
        text = found.text(depth) if found else _FULL[lang]
        plain = ascii_only or must_be_ascii(lang, sys.stdout)
        click.echo(text.translate(_ASCII) if plain else text)
        return
    for name, value in (("--pencil-marks", pencil), ("--placed", placed)):
        if value is not None:
            raise click.UsageError(f"{name} is for one PUZZLE, without --to, --columns and --output.")
    settings: dict[str, Any] = {"to": to, "columns": names_of(columns), "budget": budget, "lang": lang}
    ctx.exit(write(steps_file, inputs, output, **settings, **parts_of(options), **options))


_FULL = {"en": "The grid is full and right.", "zh": "全部填对。"}
