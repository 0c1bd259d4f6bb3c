"""``unidoku verify``: predicted solutions of puzzles."""

from __future__ import annotations

import json
from typing import Any

import click

from unidoku.cli.command import command
from unidoku.cli.craft import parts_of, write
from unidoku.cli.inputs import Input, announce_standard_input, inputs_argument, inputs_of, refuse_empty
from unidoku.cli.options import PARTS, READING, options
from unidoku.cli.terminal import counted

__all__ = ["verify"]

_COLUMNS = {
    "file": "string",
    "line": "int64",
    "solved": "bool",
    "wrong_cells": "int16",
    "broken_houses": "uint8",
    "changed_clues": "uint8",
    "empty_cells": "uint8",
    "reason": "string",
}


@command(
    "verify",
    "unidoku verify predicted.csv -o wrong.csv",
    "unidoku verify puzzles.txt --predictions solved.txt --json",
)
@inputs_argument()
@options(
    *("predictions", "prediction", "output", *PARTS, "threads", *READING, "as_json", "quiet"),
    output={"default": None, "absent": "no table"},
)
@click.pass_context
def verify(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    predictions: str | None,
    output: str | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Compare predicted solutions with their puzzles.

    The predictions are in a column of the inputs, or in a file of their own. A prediction is 81 cells, a JSON
    list of 81 cells or of 9 rows, or a text with such a grid in it; of several grids the last one. It is
    right if it is a full grid by the rules and keeps all clues. A missing or malformed prediction is wrong;
    its row has the reason, and its cells are not in the totals.

    The output is a table. With --resume, --cluster or --shard-bytes it has the puzzles and all their columns
    too, and no totals are printed. It has, per row, the cells that differ from the only solution (-1 if there
    is none), the rows, columns and boxes without all nine digits, the clues changed and the cells left empty.

    The exit code is 0 if every prediction is right, 1 if not, 2 after an error; in parts, 1 only if a record
    is not a puzzle.
    """
    from unidoku.craft.files import change_file
    from unidoku.craft.predictions import Verify, verify_file
    from unidoku.files.inputs import are_several, expand
    from unidoku.files.overlap import refuse_overlap
    from unidoku.run.tables import open_table

    if in_parts := parts_of(options):
        if predictions is not None or output is None:
            raise click.UsageError(
                "--resume, --cluster and --shard-bytes need --output and no --predictions."
            )
        change = Verify(options.pop("prediction"))
        ctx.exit(write(change_file, inputs, output, change=change, quiet=quiet, **in_parts, **options))
    given = None if predictions is None else inputs_of([predictions])[0]
    refuse_overlap([*inputs, given], [output])
    announce_standard_input([*inputs, *([] if given is None else [given])])
    found = verify_file(inputs, given, **options)
    columns = _COLUMNS if are_several(expand(inputs)) else {k: v for k, v in _COLUMNS.items() if k != "file"}
    totals = dict.fromkeys(
        ("predictions", "solved", "malformed", "wrong_cells", "broken_houses", "changed_clues"), 0
    )
    table = None if output is None else open_table(output, columns)
    try:
        for part in found:
            result = part.result
            totals["predictions"] += len(result)
            totals["malformed"] += len(part.reasons)
            read = [row for row in range(len(result)) if row not in part.reasons]
            for name in ("solved", "wrong_cells", "broken_houses", "changed_clues"):
                totals[name] += int(getattr(result, name)[read].clip(0).sum())
            if table is not None:
                names = [*_COLUMNS][2:-1]
                values = zip(
                    part.lines.tolist(), *(getattr(result, each).tolist() for each in names), strict=True
                )
                rows = [
                    dict(zip(_COLUMNS, (part.source, *row, part.reasons.get(k)), strict=True))
                    for k, row in enumerate(values)
                ]
                table.write([{name: row[name] for name in columns if row[name] is not None} for row in rows])
    finally:
        if table is not None:
            table.close()
    refuse_empty(totals["predictions"], inputs)
    if as_json:
        click.echo(json.dumps(totals))
    elif not quiet:
        click.echo(f"{counted(totals['predictions'], 'prediction')}, {totals['solved']:,} right")
        if totals["solved"] < totals["predictions"]:
            click.echo(
                f"missing or malformed: {totals['malformed']:,}; wrong cells: {totals['wrong_cells']:,}; "
                f"broken houses: {totals['broken_houses']:,}; changed clues: {totals['changed_clues']:,}"
            )
    ctx.exit(0 if totals["solved"] == totals["predictions"] else 1)
