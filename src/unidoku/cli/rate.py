"""``unidoku rate``: steps, highest guess level, class and solutions of every puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.command import command
from unidoku.cli.craft import parts_of, write
from unidoku.cli.inputs import inputs_argument, rate_inputs
from unidoku.cli.options import PARTS, READING, ROW_FORMATS, Number, options

if TYPE_CHECKING:
    from unidoku.cli.inputs import Input

__all__ = ["STEP_LIMIT", "rate"]

STEP_LIMIT = 10_000_000
"""unidoku.native.steps.levels.STEP_LIMIT, which is compiled."""


@command(
    "rate",
    "unidoku rate puzzles.txt -o rated.csv",
    "unidoku rate puzzles.txt --columns puzzle,class --to jsonl",
)
@inputs_argument()
@options(
    *("output", "to", "columns", "budget", *PARTS, "threads", *READING),
    to=ROW_FORMATS,
    columns={
        "of": "file, line, puzzle, steps, solutions, biggest_level, first_steps, first_level, class, "
        "complete, or columns of the input",
        "absent": "line, steps to class",
    },
    budget={
        "of": "steps of a puzzle; inf: no bound",
        "metavar": "STEPS",
        "type": Number(1, unbounded="inf"),
        "default": STEP_LIMIT,
        "absent": f"{STEP_LIMIT:,}",
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
    budget: int | None,
    **options: Any,
) -> None:
    """Rate the difficulty of each puzzle.

    A row per puzzle: its line; the steps of the step engine to the end of the whole search, the solutions
    and the highest guess level in it; the steps to the first solution and the highest level up to then, as
    SudokuSolver's author states the difficulty (all with a "+" if the step limit ended the search before);
    the class in the numerical-analysis method (1 theorems, 2 extended zeroing, 3 subsets, 4 presets; - for a
    puzzle with no or several solutions).

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    from unidoku.rating import write_ratings

    step_limit = budget or 0  # no limit
    if in_parts := parts_of(options):
        if columns is not None:
            raise click.UsageError("--columns takes none of --resume, --cluster and --shard-bytes.")
        from unidoku.craft.changes import Rate
        from unidoku.craft.files import change_file

        ctx.exit(write(change_file, inputs, output, change=Rate(step_limit), to=to, **in_parts, **options))
    names = None if columns is None else [name.strip() for name in columns.split(",")]
    ctx.exit(
        rate_inputs(write_ratings, inputs, output, to=to, columns=names, step_limit=step_limit, **options)
    )
