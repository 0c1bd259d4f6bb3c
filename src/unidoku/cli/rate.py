"""``unidoku rate``: steps, biggest guess level, class and solutions of every puzzle."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import PuzzleCommand, announce_standard_input, inputs_argument
from unidoku.cli.options import THREADS, Number, reading
from unidoku.cli.terminal import print_error
from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.native.steps.levels import STEP_LIMIT

if TYPE_CHECKING:
    from unidoku.cli.inputs import Input

__all__ = ["command"]


@click.command("rate", cls=PuzzleCommand)
@inputs_argument()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per puzzle.")
@click.option(
    "--steps",
    type=Number(0),
    default=STEP_LIMIT,
    show_default=True,
    metavar="N",
    help="Stop rating a puzzle after N steps; 0: no limit.",
)
@THREADS
@reading()
@click.pass_context
def command(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    as_json: bool,
    threads: int | None,
    steps: int,
    format: str | None,
    column: str | None,
    **_: Any,
) -> None:
    """Rate the difficulty of each puzzle.

    A row per puzzle: its line; the steps of the step engine to the end of the whole search, the solutions
    and the biggest guess level in it; the class in the numerical-analysis method (1 theorems, 2 extended
    zeroing, 3 subsets, 4 presets; - for a puzzle with no or several solutions).

    The exit code is 0, or 1 if a record is no puzzle, 2 after an error.
    """
    from unidoku.files.base import ReadOptions
    from unidoku.pipeline.rate import rate_files

    announce_standard_input(inputs)
    found = rate_files(
        inputs, threads=threads, step_limit=steps, format_name=format, options=ReadOptions(column=column)
    )
    several = len(inputs) > 1
    code = 0
    if not as_json:
        click.echo(
            "\t".join([*(["file"] if several else []), "line", "steps", "solutions", "level", "class"])
        )
    for one in found:
        if isinstance(one, UnidokuError):
            print_error(one)
            code = max(code, 1 if isinstance(one, InvalidPuzzleError) else 2)
        elif as_json:
            data = one.as_dict()
            click.echo(json.dumps({"file": one.source, **data} if several else data, separators=(",", ":")))
        else:
            more = "" if one.complete else "+"
            fields = [
                one.line,
                f"{one.steps}{more}",
                f"{one.solutions}{more}",
                f"{one.biggest_level}{more}",
                one.difficulty or "-",
            ]
            click.echo("\t".join(map(str, [one.source, *fields] if several else fields)))
    ctx.exit(code)
