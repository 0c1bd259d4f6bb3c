"""``unidoku verify``: predicted solutions of puzzles."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.command import command, names_of, take
from unidoku.cli.inputs import Input, announce_standard_input, inputs_argument, inputs_of
from unidoku.cli.options import PARTS, READING, ROW_FORMATS, options
from unidoku.cli.run import print_stopped, run_inputs
from unidoku.cli.terminal import counted

if TYPE_CHECKING:
    from unidoku.run.summary import Summary

__all__ = ["verify"]


@command(
    "verify",
    "unidoku verify predicted.csv -o wrong.csv",
    "unidoku verify puzzles.txt --predictions solved.txt --json",
)
@inputs_argument()
@options(
    *(
        "predictions",
        "prediction",
        "output",
        "to",
        "columns",
        *PARTS,
        "threads",
        *READING,
        "as_json",
        "quiet",
    ),
    output={"default": None, "absent": "no table"},
    to=ROW_FORMATS,
    columns={
        "of": "file, line, puzzle, solved, wrong_cells, broken_houses, changed_clues, empty_cells, reason, "
        "or columns of the input",
        "absent": "all but puzzle",
    },
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

    The output is a table. It has, per row, the cells that differ from the only solution (-1 if there is
    none), the rows, columns and boxes without all nine digits, the clues changed and the cells left empty. A
    record that is no puzzle is a wrong row with a reason.

    The exit code is 0 if every prediction is right, 1 if not, 2 after an error, 130 after Ctrl-C.
    """
    from unidoku.files.options import InputOptions
    from unidoku.files.overlap import refuse_overlap
    from unidoku.run.options import RunOptions
    from unidoku.run.verify import Side, Verify

    settings = take(options, ("to", "threads", *PARTS))
    if any(settings.get(name) for name in PARTS) and (predictions is not None or output is None):
        raise click.UsageError("--resume, --cluster and --part-bytes need --output and no --predictions.")
    column, chosen = options.pop("prediction"), names_of(options.pop("columns"))
    side = None
    if predictions is not None:
        given = inputs_of([predictions])[0]
        refuse_overlap([*inputs, given], [output])
        announce_standard_input([given])
        side = Side(given, InputOptions(**options))
    run = RunOptions(stage=Verify(column, side), columns=chosen, **options)
    outcome = run_inputs(inputs, output, run, quiet=quiet, **settings)
    summary = outcome.summary
    if summary is not None:
        print_stopped(summary, outcome.failures)
        if summary.puzzles or not outcome.failures:
            _print_totals(summary, as_json=as_json, quiet=quiet, to_stderr=output == "-")
    ctx.exit(outcome.code or int(summary is None or summary.right < summary.puzzles))


def _print_totals(summary: Summary, *, as_json: bool, quiet: bool, to_stderr: bool) -> None:
    totals = {"predictions": summary.puzzles, "solved": summary.right}
    names = ("malformed", "wrong_cells", "broken_houses", "changed_clues")
    totals |= {name: getattr(summary, name) for name in names}
    if as_json:
        click.echo(json.dumps(totals))
    elif not quiet:
        click.echo(
            f"{counted(totals['predictions'], 'prediction')}, {totals['solved']:,} right", err=to_stderr
        )
        if totals["solved"] < totals["predictions"]:
            click.echo(
                f"missing or malformed: {totals['malformed']:,}; wrong cells: {totals['wrong_cells']:,}; "
                f"broken houses: {totals['broken_houses']:,}; changed clues: {totals['changed_clues']:,}",
                err=to_stderr,
            )
