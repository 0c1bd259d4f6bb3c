"""``unidoku bench``: the speed of the kernels, and of the textbook backtracker, on this machine."""

from __future__ import annotations

import json
import math
import sys
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.command import command
from unidoku.cli.inputs import announce_standard_input, inputs_of
from unidoku.cli.options import READING, Number, options
from unidoku.cli.terminal import console_for, counted, print_message, print_rejects

if TYPE_CHECKING:
    from rich.table import Table

    from unidoku.benchmark import BenchmarkReport
    from unidoku.errors import UnidokuError

__all__ = ["bench"]

_BAR = 8  # columns of the longest bar
_SHOWN = 3  # invalid records that are named
_LARGEST_LIMIT = 1000  # unidoku.benchmark.LARGEST_LIMIT, which would be slow to import


@command("bench", "unidoku bench --seconds 5", "unidoku bench puzzles.txt --limit 1 --json")
@click.argument("values", nargs=-1, metavar="[PUZZLE|FILE]...")
@options(
    *("seconds", "limit", "threads", *READING, "as_json"),
    limit={"of": f", 1 to {_LARGEST_LIMIT}", "type": Number(1, _LARGEST_LIMIT), "default": 2},
)
@click.pass_context
def bench(
    ctx: click.Context,
    /,
    values: tuple[str, ...],
    *,
    seconds: float | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Measure the speed of this machine, in puzzles per second.

    The puzzles are random images of the first puzzles of the inputs, or of the bundled sample. Each
    instruction set is measured in batches and with one puzzle per call. The textbook backtracker is then
    compared with the instruction set in use, on the puzzles that it finishes: of an easy and a middle set,
    or of the inputs. Every answer is checked.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error or a wrong answer.
    """
    from unidoku.benchmark import run

    if seconds is None:
        raise click.BadParameter("a finite number of seconds is needed", ctx, param_hint="'--seconds'")
    inputs = inputs_of(values) if values else None
    if inputs is not None:
        announce_standard_input(inputs)
    if sys.stderr.isatty():
        print_message(f"measuring for about {seconds:g} seconds")
    rejects: list[UnidokuError] = []
    report = run(inputs, seconds=seconds, on_failure=rejects.append, **options)
    print_rejects(rejects[:_SHOWN], len(rejects))
    if as_json:
        click.echo(json.dumps(report.as_dict()))
    else:
        _print(report)
    ctx.exit(1 if rejects else 0)


def _print(report: BenchmarkReport) -> None:
    """Print a report as a table with bars."""
    facts = report.machine
    puzzles = counted(report.puzzles, "puzzle")
    source = "the bundled sample" if report.source == "sample" else report.source
    console = console_for(sys.stdout)
    if not console.is_terminal:
        console.width = 80
    lines = [
        facts["processor"],
        f"instruction set {facts['isa']}, {counted(report.threads, 'thread')}, "
        f"Python {facts['python']}, unidoku {facts['version']}",
        f"{puzzles}, made of {report.different:,} of {source} by random symmetries",
        f"counting solutions up to {report.limit}, best of the runs; {report.seconds:.1f} seconds in all",
        "",
    ]
    for line in lines:
        console.print(line)
    console.print(_table(report))
    console.print()
    console.print(f"ratio: speed of {facts['isa']}, batch, 1 thread / speed of the row")
    console.print("bars: speed, on a logarithmic scale")
    console.print()
    console.print("the textbook backtracker (unidoku.naive), counting solutions up to 2, and")
    console.print(f"{facts['isa']}, the same puzzles: processor time per puzzle")
    console.print()
    console.print(_comparisons(report))
    for each in report.comparisons:
        if each.cut_off:
            console.print(
                f"{each.set}: {each.cut_off} of {each.puzzles + each.cut_off} cut off after "
                f"{each.limit:.2g} s; ratio at least {_figures(each.at_least or 0)}"
            )


def _table(report: BenchmarkReport) -> Table:
    full, table = _empty_table()
    for heading in ("kernel", "call"):
        table.add_column(heading, no_wrap=True)
    for heading in ("threads", "puzzles/s", "median", "CPU us", "ratio"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    speeds = [row.per_second for row in report.rows]
    lowest = math.log10(min(speeds))
    span = max(math.log10(max(speeds)) - lowest, 1.0)
    for row in report.rows:
        table.add_row(
            row.isa,
            row.call,
            str(row.threads),
            _figures(row.per_second),
            _figures(row.median_per_second),
            _figures(1e6 * row.processor_seconds),
            _figures(row.ratio),
            full * (1 + round((_BAR - 1) * (math.log10(row.per_second) - lowest) / span)),
            style="bold" if row.isa == report.machine["isa"] else "",
        )
    return table


def _comparisons(report: BenchmarkReport) -> Table:
    _, table = _empty_table()
    table.add_column("puzzles")
    for heading in ("finished", "naive ms", "batch us", "ratio", "single us", "ratio"):
        table.add_column(heading, justify="right", no_wrap=True)
    for each in report.comparisons:
        times = (each.seconds, 1e3), (each.batch_seconds, 1e6), (each.ratio, 1), (each.single_seconds, 1e6)
        table.add_row(
            each.set,
            f"{each.puzzles:,}",
            *("" if value is None else _figures(scale * value) for value, scale in times),
            "" if each.single_ratio is None else _figures(each.single_ratio),
        )
    return table


def _empty_table() -> tuple[str, Table]:
    """Return the character of bars and a table, both in what the terminal can print."""
    from rich.box import ASCII2, SIMPLE_HEAD
    from rich.table import Table

    try:
        "█─".encode(sys.stdout.encoding or "ascii")
        full, box = "█", SIMPLE_HEAD
    except UnicodeEncodeError:
        full, box = "#", ASCII2
    return full, Table(box=box, padding=(0, 1, 0, 0), show_edge=False)


def _figures(number: float) -> str:
    """Return a number with three significant digits."""
    if number >= 100:
        digits = 10 ** (len(str(int(number))) - 3)
        return f"{round(number / digits) * digits:,}"
    return f"{number:.3g}" if number < 10 else f"{number:.1f}"
