"""``unidoku verify``: predicted solutions of puzzles."""

from __future__ import annotations

import json
from typing import Any

import click

from unidoku.cli.craft import parts_of, write
from unidoku.cli.inputs import PuzzleCommand, announce_standard_input, inputs_of
from unidoku.cli.options import JSON, QUIET, THREADS, parts, reading
from unidoku.cli.terminal import counted
from unidoku.files.overlap import refuse_overlap

__all__ = ["command"]

_COLUMNS = {
    "line": "int64",
    "solved": "bool",
    "wrong_cells": "int16",
    "broken_houses": "uint8",
    "changed_clues": "uint8",
    "empty_cells": "uint8",
}


@click.command("verify", cls=PuzzleCommand, short_help="Compare predicted solutions with their puzzles.")
@click.argument("puzzles")
@click.argument("predictions", required=False)
@click.option(
    "--prediction",
    metavar="COLUMN",
    default="solution",
    show_default=True,
    help="The column of predictions in PUZZLES, where PREDICTIONS is omitted.",
)
@click.option(
    "--output", "-o", metavar="PATH", help="Write what is wrong in each prediction to PATH, as a table."
)
@parts(
    "Write the puzzles with the errors of their predictions and all columns to PATH, in parts, and resume "
    "those that an earlier run with --resume left; without totals."
)
@THREADS
@reading()
@JSON
@QUIET
@click.pass_context
def command(
    ctx: click.Context,
    /,
    puzzles: str,
    predictions: str | None,
    *,
    output: str | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Verify predicted solutions: those in PREDICTIONS, in the order of PUZZLES, or those of a column.

    A prediction is right if it is a full grid by the rules and keeps all clues. The table has, per row,
    the cells that differ from the only solution (-1 if there is none), the rows, columns and boxes
    without all nine digits, the clues changed and the cells left empty.

    The exit code is 0 if every prediction is right, 1 if not, 2 after an error; in parts, 1 only if a record
    is not a puzzle.
    """
    from unidoku.craft.files import change_file
    from unidoku.craft.predictions import Verify, verify_file
    from unidoku.pipeline.tables import open_table

    if in_parts := parts_of(options):
        if predictions is not None or output is None:
            raise click.UsageError("--resume, --cluster and --shard-bytes need --output and no PREDICTIONS.")
        change, source = Verify(options.pop("prediction")), inputs_of([puzzles])
        ctx.exit(write(change_file, source, output, change=change, quiet=quiet, **in_parts, **options))
    inputs = [inputs_of([each])[0] for each in (puzzles, predictions) if each is not None]
    refuse_overlap(inputs, [output])
    announce_standard_input(inputs)
    found = verify_file(*inputs, **options)
    totals = dict.fromkeys(("predictions", "solved", "wrong_cells", "broken_houses", "changed_clues"), 0)
    table = None if output is None else open_table(output, _COLUMNS)
    try:
        for part in found:
            result = part.result
            totals["predictions"] += len(result)
            for name in list(totals)[1:]:
                totals[name] += int(getattr(result, name).clip(0).sum())
            if table is not None:
                columns = [part.lines.tolist(), *(getattr(result, each).tolist() for each in [*_COLUMNS][1:])]
                table.write([dict(zip(_COLUMNS, row, strict=True)) for row in zip(*columns, strict=True)])
    finally:
        if table is not None:
            table.close()
    if as_json:
        click.echo(json.dumps(totals))
    elif not quiet:
        click.echo(f"{counted(totals['predictions'], 'prediction')}, {totals['solved']:,} right")
        if totals["solved"] < totals["predictions"]:
            click.echo(
                f"wrong cells: {totals['wrong_cells']:,}; broken houses: {totals['broken_houses']:,}; "
                f"changed clues: {totals['changed_clues']:,}"
            )
    ctx.exit(0 if totals["solved"] == totals["predictions"] else 1)
