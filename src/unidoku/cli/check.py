"""``unidoku check`` and ``unidoku verify``: the verdict for every puzzle, and predicted solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.command import command
from unidoku.cli.inputs import announce_standard_input, inputs_argument, inputs_of, only_puzzle
from unidoku.cli.options import PARTS, READING, ROW_FORMATS, options
from unidoku.cli.run import exit_code, print_stopped, run_all
from unidoku.cli.terminal import counted, print_error, print_json, print_message, print_rejects
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from unidoku.cli.inputs import Input
    from unidoku.run.sample import SampleSink
    from unidoku.run.summary import Summary


@command(
    "unidoku check puzzles.txt",
    "unidoku check puzzles.txt -o verdicts.csv --only none,multiple,invalid",
)
@inputs_argument
@options(
    *("limit", "budget", "threads", "output", "to", "columns", "only", "keep", "invalid", *PARTS, "verify"),
    *("sample", *READING, "by_file", "as_json", "quiet"),
    limit={"of": "; all: count them all", "default": 2},
    budget={"of": "guesses for a puzzle; beyond it, the verdict may be unknown", "metavar": "GUESSES"},
    output={"default": None, "absent": "no rows"},
    to=ROW_FORMATS,
    columns={
        "of": "file, line, puzzle, verdict, count, complete, solution, reason; with --verify also solved, "
        "wrong_cells, broken_houses, changed_clues, empty_cells; or columns of the input",
        "absent": "all; puzzle, verdict, count and solution for txt",
    },
)
def check(
    inputs: list[Input],
    *,
    output: str | None,
    sample: bool,
    by_file: bool,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> int:
    """Check which puzzles have exactly one solution.

    Each puzzle gets a verdict: none, unique (one solution), multiple, invalid (not a puzzle), or unknown
    (the budget ended the search). Of one PUZZLE, the verdict is printed.

    --output gets a row per puzzle: .txt, .csv, .jsonl (also with .gz .bz2 .xz .zst), .parquet, .arrow; a
    folder gets a file per part.

    The exit code is 0 if every puzzle is unique (and, with --verify, no given answer is wrong), 1 if not,
    2 after an error, 130 after Ctrl-C.
    """
    from unidoku.checking import check_file

    asks_rows = any(options[name] is not None for name in ("to", "columns", "only"))
    known: SampleSink | None = None
    if sample:
        if inputs != ["-"] or output or asks_rows:
            raise click.UsageError("--sample takes no inputs and writes no rows.")
        from unidoku.run.sample import SAMPLE, SampleSink

        inputs, known = [SAMPLE], SampleSink()
    if output is None and asks_rows:
        if as_json:
            print_message("note: with --json, rows are written only to an --output PATH")
        else:
            output = "-"
    done = run_all(check_file, inputs, known or output, quiet=quiet, **options)
    if not quiet:
        print_rejects(done.rejects, done.invalid, more=" (--invalid PATH writes all of them)")
        for mismatch in done.mismatches:
            print_message(f"wrong: {mismatch}")
        if done.wrong > len(done.mismatches):
            print_message(f"wrong: {done.wrong - len(done.mismatches):,} more answers")
    print_stopped(done)
    if done.puzzles or not done.failures:
        if as_json:
            print_json(done.as_dict())
        elif done.puzzles and not quiet and only_puzzle(inputs, output, by_file):
            click.echo(next(verdict for verdict in Verdict if getattr(done, str(verdict))))
        elif not quiet:
            # Rows on standard output are for the next program; the counts then go to standard error.
            click.echo("\n".join(_counts(done, by_file=by_file)), err=output == "-")
    if code := exit_code(done):
        return code
    if known is None:
        return 0 if done.all_unique and not done.wrong else 1
    if known.wrong:
        some = ", ".join(map(str, known.wrong[:10]))
        number = f"{len(known.wrong):,}"
        print_error(f"verdicts that differ from the recorded ones: {number}, of puzzles {some} …")
        return 1
    if not quiet and not as_json:
        click.echo("all verdicts match")
    return 0


def _counts(done: Summary, *, by_file: bool) -> list[str]:
    """Return the counts as lines, and a table with a row per file."""
    fields = done.as_dict()
    files = fields.pop("files")
    if not fields.pop("complete"):
        fields["counts cut off"] = done.cut_off
    fields |= {f"{name} answers": count for name, count in fields.pop("verified", {}).items()}
    lines = [f"{name.replace('_', ' '):18} {_figure(value)}" for name, value in fields.items()]
    if not by_file or not files:
        return lines
    for row in files:
        row.update(row.pop("verified", {}))
        row["file"] = row.pop("file")  # the last column
    table = [[*files[0]], *([_figure(value) for value in row.values()] for row in files)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    widths[-1] = 0
    table = [[text.rjust(width) for text, width in zip(row, widths, strict=True)] for row in table]
    return [*lines, "", *map("  ".join, table)]


def _figure(value: Any) -> str:
    """Return a number with separators, a text as it is."""
    if isinstance(value, float):
        return f"{value:,.3f}" if value < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


@command(
    "unidoku verify predicted.csv -o wrong.csv",
    "unidoku verify puzzles.txt --predictions solved.txt --json",
)
@inputs_argument
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
def verify(
    inputs: list[Input],
    *,
    predictions: str | None,
    output: str | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> int:
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
    from unidoku.commands import verify_file

    if any(options[name] for name in PARTS) and (predictions is not None or output is None):
        raise click.UsageError("--resume, --cluster and --part-bytes need --output and no --predictions.")
    if predictions is not None:
        options["predictions"] = inputs_of([predictions])[0]
        announce_standard_input([options["predictions"]])
    done = run_all(verify_file, inputs, output, quiet=quiet, **options)
    print_stopped(done)
    if done.puzzles or not done.failures:
        names = ("malformed", "wrong_cells", "broken_houses", "changed_clues")
        totals = {name: getattr(done, name) for name in names}
        if as_json:
            print_json({"predictions": done.puzzles, "solved": done.right, **totals})
        elif not quiet:
            lines = [f"{counted(done.puzzles, 'prediction')}, {done.right:,} right"]
            if done.right < done.puzzles:
                shown = (f"{name.replace('_', ' ')}: {total:,}" for name, total in totals.items())
                lines.append(f"missing or {'; '.join(shown)}")
            click.echo("\n".join(lines), err=output == "-")
    return exit_code(done) or int(done.right < done.puzzles)
