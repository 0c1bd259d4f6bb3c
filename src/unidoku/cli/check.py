"""``unidoku check``: the verdict for every puzzle of some files."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from unidoku.errors import UnidokuError
from unidoku.pipeline import Cancel, Progress, Summary, check_file
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from unidoku.cli.progress import Bar
    from unidoku.pipeline.sample import SampleSink

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
            raise click.BadParameter(f"{word.strip()!r} is no verdict; there are {known}") from None
    return chosen


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "--limit",
    default=2,
    show_default=True,
    type=click.IntRange(min=0),
    metavar="N",
    help="Count up to N solutions a puzzle; 0 counts all.",
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="Worker threads.  [default: the cores this process may use]",
)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    metavar="NODES",
    help="Guesses a puzzle may cost; then its verdict is unknown.",
)
@click.option(
    "--output",
    metavar="PATH",
    help="Write a row per puzzle: .txt, .csv, .jsonl, also with .gz .bz2 .xz .zst, or .parquet, .arrow; "
    "- is standard output.",
)
@click.option(
    "--only",
    callback=_verdicts,
    metavar="VERDICTS",
    help="Write only rows with these verdicts (none,unique,multiple,unknown,invalid).",
)
@click.option("--solutions", is_flag=True, help="Without --output: write the rows to standard output.")
@click.option("--resume", is_flag=True, help="Go on with an --output that an earlier run left unfinished.")
@click.option(
    "--cluster", metavar="WHERE", help="Let a Dask cluster do it: local:N (processes) or dask://HOST:PORT."
)
@click.option(
    "--shard-bytes",
    type=click.IntRange(min=1),
    metavar="N",
    help="Bytes of input that make one part of the output.  [default: 4 to 64 MiB]",
)
@click.option("--invalid", metavar="PATH", help="Write a message for every invalid line.")
@click.option(
    "--format", "format_name", metavar="NAME", help="The inputs' format.  [default: by suffix and content]"
)
@click.option(
    "--column", metavar="COLUMN", help="The field that holds the puzzle: a number from 1, or a name."
)
@click.option("--strict", is_flag=True, help="Only one empty symbol in a puzzle.")
@click.option("--keep", is_flag=True, help="Write back what else stands in each line.")
@click.option(
    "--sample",
    is_flag=True,
    help="Check the sample that comes with unidoku; the exit code is 0 when every verdict is the known one.",
)
@click.option(
    "--max-ratio",
    default=1000.0,
    show_default=True,
    metavar="R",
    help="Give up a compressed input when, after 1 GiB, more than R times its size came out.",
)
@click.option("--max-size", type=int, metavar="BYTES", help="Decompress at most so many bytes of an input.")
@click.option(
    "--verify",
    is_flag=True,
    help="Compare with the answers that the input gives in a column solution, solutions, answer, expected "
    "or expected_count; a wrong answer makes the exit code 1, an absent one does not.",
)
@click.option("--by-file", is_flag=True, help="Also print the counts of each file (--json always has them).")
@click.option("--json", "as_json", is_flag=True, help="The summary as one JSON object.")
@click.option("--quiet", is_flag=True, help="No summary, no progress bar, no invalid lines shown.")
@click.pass_context
def check(
    ctx: click.Context,
    /,
    files: tuple[str, ...],
    *,
    limit: int,
    only: list[Verdict] | None,
    solutions: bool,
    sample: bool,
    as_json: bool,
    by_file: bool,
    quiet: bool,
    output: str | None,
    format_name: str | None,
    **options: Any,
) -> None:
    """Give every puzzle of the FILEs (or standard input) its verdict.

    A puzzle has no solution (none), exactly one (unique) or several (multiple). The exit code is 0 when
    every puzzle is unique (and, with --verify, no given answer is wrong), 1 when that is not so, 2 when
    something could not be read or written.
    """
    known: SampleSink | None = None
    if sample:
        if files or output or solutions or only is not None:
            raise click.UsageError("--sample takes no files and writes no rows.")
        from unidoku.pipeline.sample import SAMPLE, SampleSink

        files, known = (SAMPLE,), SampleSink()
    if output is None and (solutions or only is not None):
        if as_json:
            click.echo("note: with --json, rows are written only to an --output PATH", err=True)
        else:
            output = "-"
    cancel = Cancel()
    watch = _Watch(quiet)
    failures: list[UnidokuError] = []

    def failed(error: UnidokuError) -> None:
        watch.stop()
        failures.append(error)
        click.echo(f"error: {error}", err=True)

    restore = _stop_on_interrupt(cancel)
    summary: Summary | None
    try:
        summary = check_file(
            files or "-",
            limit=limit or None,
            output=known or output,
            only=only,
            format=format_name,
            progress=watch.progress,
            on_failure=failed,
            cancel=cancel,
            **options,
        )
    except UnidokuError as error:
        watch.stop()
        click.echo(f"error: {error}", err=True)
        failures.append(error)
        summary = getattr(error, "summary", None)
    finally:
        watch.stop()
        restore()
    if summary is not None:
        # Rows on standard output are for the next program; the summary then goes beside them.
        _report(summary, as_json=as_json, by_file=by_file, quiet=quiet, beside=output == "-")
    if failures:
        ctx.exit(2)
    if summary is not None and not summary.complete:
        ctx.exit(130)
    if known is not None:
        ctx.exit(_compared(known, quiet=quiet or as_json))
    ctx.exit(0 if summary is not None and summary.all_unique and not summary.wrong else 1)


def _compared(known: SampleSink, *, quiet: bool) -> int:
    """Tell whether the sample's verdicts came out; the exit code."""
    if known.wrong:
        numbers = ", ".join(map(str, known.wrong[:10]))
        click.echo(
            f"error: {len(known.wrong):,} verdicts are not the known ones: puzzles {numbers} …", err=True
        )
        return 1
    if not quiet:
        click.echo("every verdict is the known one")
    return 0


class _Watch:
    """The progress bar, which appears when a run takes longer than a moment."""

    PATIENCE = 0.7  # seconds

    def __init__(self, quiet: bool) -> None:
        self.wanted = not quiet and sys.stderr.isatty()
        self.bar: Bar | None = None

    def progress(self, progress: Progress) -> None:
        """Show how far the run is."""
        if self.wanted and progress.seconds > self.PATIENCE:
            if self.bar is None:
                from unidoku.cli.progress import Bar

                self.bar = Bar()
            self.bar.show(progress)

    def stop(self) -> None:
        """Leave the terminal to others."""
        if self.bar is not None:
            self.bar.stop()
            self.bar = None


def _stop_on_interrupt(cancel: Cancel) -> Callable[[], None]:
    """Let the first Ctrl-C end the run in good order, the second at once; returns the way back."""

    def handler(number: int, frame: FrameType | None) -> None:
        if cancel or cancel.reading:
            raise KeyboardInterrupt
        cancel.set()

    try:
        before = signal.signal(signal.SIGINT, handler)
    except ValueError:  # not the main thread
        return lambda: None

    def restore() -> None:
        signal.signal(signal.SIGINT, before)

    return restore


def _report(summary: Summary, *, as_json: bool, by_file: bool, quiet: bool, beside: bool) -> None:
    """Invalid lines and summary."""
    if not quiet:
        for reject in summary.rejects:
            click.echo(f"invalid: {reject}", err=True)
        hidden = summary.invalid - len(summary.rejects)
        if hidden > 0:
            click.echo(f"invalid: {hidden:,} more lines (--invalid PATH takes them all)", err=True)
        for mismatch in summary.mismatches:
            click.echo(f"wrong: {mismatch}", err=True)
        if summary.wrong > len(summary.mismatches):
            click.echo(f"wrong: {summary.wrong - len(summary.mismatches):,} more answers", err=True)
    if not summary.complete:
        place = f"{summary.file}, line {summary.line}" if summary.file is not None else "the beginning"
        click.echo(
            f"stopped: {summary.puzzles:,} puzzles are done, up to {place}; everything before is counted and "
            "written, nothing after it",
            err=True,
        )
    if summary.resume is not None:
        click.echo(f"resume: {summary.resume}", err=True)
    if as_json:
        from json import dumps

        click.echo(dumps(summary.as_dict()))
    elif not quiet:
        fields = summary.as_dict()
        files = fields.pop("files")
        fields |= {f"{name} answers": count for name, count in fields.pop("verified", {}).items()}
        for name, value in fields.items():
            click.echo(f"{name.replace('_', ' '):18} {_figure(value)}", err=beside)
        if by_file:
            _report_files(files, beside=beside)


def _report_files(files: list[dict[str, Any]], *, beside: bool) -> None:
    """A table with a row per file."""
    if not files:
        return
    rows = [{**row, **row.pop("verified", {})} for row in files]
    names = [name for name in rows[0] if name != "file"]
    widths = {name: max(len(name), *(len(_figure(row[name])) for row in rows)) for name in names}
    click.echo("", err=beside)
    click.echo("  ".join([*(name.rjust(widths[name]) for name in names), "file"]), err=beside)
    for row in rows:
        click.echo(
            "  ".join([*(_figure(row[name]).rjust(widths[name]) for name in names), row["file"]]), err=beside
        )


def _figure(value: Any) -> str:
    """A number for people."""
    if isinstance(value, float):
        return f"{value:,.3f}" if value < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
