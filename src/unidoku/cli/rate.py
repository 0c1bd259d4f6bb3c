"""``unidoku rate``: steps, highest guess level, class and solutions of every puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.craft import parts_of, write
from unidoku.cli.inputs import PuzzleCommand, inputs_argument, rate_inputs
from unidoku.cli.options import ROWS, THREADS, Number, parts, reading
from unidoku.native.steps.levels import STEP_LIMIT

if TYPE_CHECKING:
    from unidoku.cli.inputs import Input

__all__ = ["command"]


@click.command("rate", cls=PuzzleCommand)
@inputs_argument()
@ROWS
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per puzzle: --to jsonl.")
@click.option(
    "--columns",
    metavar="NAMES",
    help="Write these columns, separated by commas: file, line, puzzle, steps, solutions, biggest_level, "
    "first_steps, first_level, class, complete, or columns of the input.  [default: line, steps to class]",
)
@click.option(
    "--steps",
    "step_limit",
    type=Number(0),
    default=STEP_LIMIT,
    metavar="N",
    help=f"Stop rating a puzzle after N steps; 0: no limit.  [default: {STEP_LIMIT:,}]",
)
@parts(
    "Write the puzzles with their ratings and all columns to PATH, in parts, and resume those that an "
    "earlier run with --resume left."
)
@THREADS
@reading()
@click.pass_context
def command(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    output: str,
    to: str | None,
    as_json: bool,
    columns: str | None,
    step_limit: int,
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

    to = "jsonl" if as_json else to
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
