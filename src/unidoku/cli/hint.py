"""``unidoku hint``: the next step of a position, and all steps of files as rows."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.command import command
from unidoku.cli.inputs import each_puzzle, inputs_argument, only_puzzle
from unidoku.cli.options import READING, ROW_FORMATS, options
from unidoku.cli.terminal import must_be_ascii

if TYPE_CHECKING:
    from unidoku.cli.inputs import Input
    from unidoku.files.puzzles import Puzzle
    from unidoku.rating.step import Language

__all__ = ["hint"]

_ASCII = str.maketrans({"≠": "<>", "→": "->", "⇒": "=>"})


@command(
    "hint",
    "unidoku hint puzzles.txt --to jsonl",
    "unidoku hint puzzles.txt -o steps.parquet",
)
@inputs_argument()
@options(
    *("depth", "pencil", "placed", "output", "to", "budget", "ascii_only", "lang", *READING),
    to=ROW_FORMATS,
    budget="N candidates from which chains are followed",
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
    output: str,
    to: str | None,
    budget: int | None,
    ascii_only: bool,
    lang: Language,
    **reading: Any,
) -> None:
    """Give the next step of a puzzle; for files, all steps as rows.

    For one PUZZLE: a mistake in --placed or --pencil-marks, else the next step, as Sudoku Explainer takes it.

    For files, or with --to or --output: a row for each step of each puzzle, with the number of the puzzle,
    file and line, puzzle, number of the step, technique, rating, placements and eliminations (r4c2=7, spaces
    between), the links of chains, the position before the step (81 cells, 729 pencil marks) and the sentence.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    from unidoku.rating.hints import hint as hint_of

    puzzle = only_puzzle(inputs)
    if puzzle is not None and to is None and output == "-":
        found = hint_of(puzzle, pencil, placed=placed, lang=lang, budget=budget)
        text = found.text(depth) if found else _FULL[lang]
        plain = ascii_only or must_be_ascii(lang, sys.stdout)
        click.echo(text.translate(_ASCII) if plain else text)
        return
    for name, value in (("--pencil-marks", pencil), ("--placed", placed)):
        if value is not None:
            raise click.UsageError(f"{name} is for one PUZZLE, without --to and --output.")
    ctx.exit(_write_steps(inputs, output, to, budget, lang, **reading))


_FULL = {"en": "The grid is full and right.", "zh": "全部填对。"}


def _write_steps(
    inputs: list[Input], output: str, to: str | None, budget: int | None, lang: Language, **reading: Any
) -> int:
    """Write a row per step."""
    from unidoku.files.overlap import refuse_overlap
    from unidoku.rating.path import STEP_COLUMNS, step_rows, steps
    from unidoku.run.tables import open_table

    refuse_overlap(inputs, [output])
    number = 0
    with open_table(output, STEP_COLUMNS, to=to, options={"scale": "se121", "budget": budget}) as table:

        def write(puzzle: Puzzle, several: bool) -> None:
            nonlocal number
            number += 1
            place = {"number": number, "file": puzzle.source, "line": puzzle.line}
            rows = step_rows(steps(puzzle.cells, budget=budget), lang)
            table.write([{**place, **row} for row in rows])

        return each_puzzle(inputs, write, **reading)
