"""``unidoku check``: the verdict for every puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.command import command, take
from unidoku.cli.inputs import inputs_argument, only_puzzle
from unidoku.cli.options import PARTS, READING, ROW_FORMATS, options
from unidoku.cli.run import RunOutcome, print_stopped, run_inputs
from unidoku.cli.terminal import print_error, print_message, print_rejects
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from unidoku.cli.inputs import Input
    from unidoku.run.sample import SampleSink
    from unidoku.run.summary import Summary

__all__ = ["check"]


def _verdicts(ctx: click.Context, parameter: click.Parameter, value: str | None) -> list[Verdict] | None:
    """``--only none,unique`` as verdicts."""
    if value is None:
        return None
    chosen = []
    for word in value.split(","):
        try:
            chosen.append(Verdict[word.strip().upper()])
        except KeyError:
            known = ", ".join(str(verdict) for verdict in Verdict)
            raise click.BadParameter(f"invalid verdict {word.strip()!r}; choose from: {known}") from None
    return chosen


@command(
    "check",
    "unidoku check puzzles.txt",
    "unidoku check puzzles.txt -o verdicts.csv --only none,multiple,invalid",
)
@inputs_argument()
@options(
    *("limit", "budget", "threads", "output", "to", "only", "keep", "invalid", *PARTS, "verify", "sample"),
    *(*READING, "by_file", "as_json", "quiet"),
    limit={"of": "; all: count them all", "default": 2},
    budget={"of": "guesses for a puzzle; beyond it, the verdict may be unknown", "metavar": "GUESSES"},
    output={"default": None, "absent": "no rows"},
    to=ROW_FORMATS,
    only={"callback": _verdicts},
)
@click.pass_context
def check(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    limit: int | None,
    only: list[Verdict] | None,
    sample: bool,
    as_json: bool,
    by_file: bool,
    quiet: bool,
    output: str | None,
    to: str | None,
    **options: Any,
) -> None:
    """Check which puzzles have exactly one solution.

    Each puzzle gets a verdict: none, unique (one solution), multiple, invalid (not a puzzle), or unknown
    (the budget ended the search). Of one PUZZLE, the verdict is printed.

    --output gets a row per puzzle: .txt, .csv, .jsonl (also with .gz .bz2 .xz .zst), .parquet, .arrow; a
    folder gets a file per part.

    The exit code is 0 if every puzzle is unique (and, with --verify, no given answer is wrong), 1 if not,
    2 after an error, 130 after Ctrl-C.
    """
    known: SampleSink | None = None
    if sample:
        if inputs != ["-"] or output or to or only is not None:
            raise click.UsageError("--sample takes no inputs and writes no rows.")
        from unidoku.run.sample import SAMPLE, SampleSink

        inputs, known = [SAMPLE], SampleSink()
    if output is None and (to or only is not None):
        if as_json:
            print_message("note: with --json, rows are written only to an --output PATH")
        else:
            output = "-"
    from unidoku.run.options import CheckOptions

    settings = take(options, ("invalid", "threads", *PARTS))
    checking = CheckOptions(limit=limit, only=only, **options)  # type: ignore[arg-type]
    outcome = run_inputs(inputs, known or output, checking, quiet=quiet, to=to, **settings)
    summary = outcome.summary
    if summary is not None:
        # Rows on standard output are for the next program; the summary then goes to standard error.
        asked = output is None and not by_file and only_puzzle(inputs) is not None
        _print_summary(
            outcome,
            summary,
            as_json=as_json,
            by_file=by_file,
            quiet=quiet,
            to_stderr=output == "-",
            asked=asked,
        )
    code = outcome.code
    if not code and known is not None:
        code = _compare_sample(known, quiet=quiet or as_json)
    elif not code:
        code = 0 if summary is not None and summary.all_unique and not summary.wrong else 1
    ctx.exit(code)


def _compare_sample(known: SampleSink, *, quiet: bool) -> int:
    """Print whether the verdicts of the sample match; the exit code."""
    if known.wrong:
        some = ", ".join(map(str, known.wrong[:10]))
        number = f"{len(known.wrong):,}"
        print_error(f"verdicts that differ from the recorded ones: {number}, of puzzles {some} …")
        return 1
    if not quiet:
        click.echo("all verdicts match")
    return 0


def _print_summary(
    outcome: RunOutcome,
    summary: Summary,
    *,
    as_json: bool,
    by_file: bool,
    quiet: bool,
    to_stderr: bool,
    asked: bool,
) -> None:
    """Print invalid records, wrong answers, how far a stopped run came, and the counts, if there are any.

    Of the one puzzle that is asked about, print the verdict instead of the counts.
    """
    if not quiet:
        print_rejects(summary.rejects, summary.invalid, more=" (--invalid PATH writes all of them)")
        for mismatch in summary.mismatches:
            print_message(f"wrong: {mismatch}")
        if summary.wrong > len(summary.mismatches):
            print_message(f"wrong: {summary.wrong - len(summary.mismatches):,} more answers")
    print_stopped(summary, outcome.failures)
    if outcome.failures and not summary.puzzles:
        return
    if as_json:
        from json import dumps

        click.echo(dumps(summary.as_dict()))
    elif asked and summary.puzzles and not quiet:
        click.echo(next(verdict for verdict in Verdict if getattr(summary, str(verdict))))
    elif not quiet:
        fields = summary.as_dict()
        files = fields.pop("files")
        if not fields.pop("complete"):
            fields["counts cut off"] = summary.cut_off
        fields |= {f"{name} answers": count for name, count in fields.pop("verified", {}).items()}
        for name, value in fields.items():
            click.echo(f"{name.replace('_', ' '):18} {_figure(value)}", err=to_stderr)
        if by_file:
            _print_files(files, to_stderr=to_stderr)


def _print_files(files: list[dict[str, Any]], *, to_stderr: bool) -> None:
    """Print a table with a row per file."""
    if not files:
        return
    rows = [{**row, **row.pop("verified", {})} for row in files]
    names = [name for name in rows[0] if name != "file"]
    widths = {name: max(len(name), *(len(_figure(row[name])) for row in rows)) for name in names}
    click.echo("", err=to_stderr)
    click.echo("  ".join([*(name.rjust(widths[name]) for name in names), "file"]), err=to_stderr)
    for row in rows:
        cells = [_figure(row[name]).rjust(widths[name]) for name in names]
        click.echo("  ".join([*cells, row["file"]]), err=to_stderr)


def _figure(value: Any) -> str:
    """Return a number with separators, a text as it is."""
    if isinstance(value, float):
        return f"{value:,.3f}" if value < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
