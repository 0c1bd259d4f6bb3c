"""``unidoku bench`` and ``unidoku info``: the speed of this machine, and what is installed on it."""

from __future__ import annotations

import math
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from unidoku.arguments import MAX_TIMED
from unidoku.cli.inputs import announce_standard_input, inputs_of
from unidoku.cli.options import READING, command, number, options
from unidoku.cli.terminal import cannot_encode, console_for, counted, print_json, print_message, print_some

if TYPE_CHECKING:
    from rich.table import Table

    from unidoku.benchmark import BenchmarkReport
    from unidoku.errors import UnidokuError

_BAR = 8  # columns of the longest bar
_SHOWN = 3  # invalid records that are named


@command("unidoku info", "unidoku info --json")
@options("as_json")
def info(*, as_json: bool) -> int:
    """Show version, processor, instruction sets, compiler and threads."""
    from unidoku import kernel

    facts = kernel.facts()
    if as_json:
        print_json(facts)
        return 0
    lock = "" if facts["gil"] else ", no global interpreter lock"
    shown = {
        "processor": facts["processor"],
        "instruction set": facts["isa"],
        "usable": " ".join(facts["usable"]),
        "compiled": " ".join(facts["compiled"]),
        "compiler": facts["compiler"],
        "threads": facts["threads"],
        "python": f"{facts['python']}{lock} on {facts['platform']}",
    }
    click.echo(f"unidoku {facts['version']}")
    for name, fact in shown.items():
        click.echo(f"{name:16} {fact}")
    return 0


@command("unidoku bench --seconds 5", "unidoku bench puzzles.txt --limit 1 --json")
@click.argument("values", nargs=-1, metavar="[PUZZLE|FILE]...")
@options(
    *("seconds", "limit", "threads", *READING, "as_json"),
    limit={"of": f", 1 to {MAX_TIMED}", "type": number(1, MAX_TIMED), "default": 2},
)
def bench(values: tuple[str, ...], *, seconds: float, as_json: bool, **options: Any) -> int:
    """Measure the speed of this machine, in puzzles per second.

    The puzzles are random images of the first puzzles of the inputs, or of the bundled sample. Each
    instruction set is measured in batches and with one puzzle per call. The textbook backtracker is then
    compared with the instruction set in use, on the puzzles that it finishes: of an easy and a middle set,
    or of the inputs. Every answer is checked.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error or a wrong answer.
    """
    from unidoku.benchmark import run

    inputs = inputs_of(values) if values else None
    announce_standard_input(inputs or ())
    if sys.stderr.isatty():
        print_message(f"measuring for about {seconds:g} seconds")
    rejects: list[UnidokuError] = []
    del options["empty"]  # no puzzle is an error
    report = run(inputs, seconds=seconds, on_failure=rejects.append, **options)
    print_some("invalid", rejects[:_SHOWN], len(rejects), "lines")
    if as_json:
        print_json(asdict(report))
    else:
        _print(report)
    return 1 if rejects else 0


def _print(report: BenchmarkReport) -> None:
    """Print a report as a table with bars."""
    facts = report.machine
    puzzles = counted(report.puzzles, "puzzle")
    source = "the bundled sample" if report.source == "sample" else report.source
    console = console_for(sys.stdout)
    if not console.is_terminal:
        console.width = 80
    parts = [
        facts["processor"],
        f"instruction set {facts['isa']}, Python {facts['python']}, unidoku {facts['version']}",
        f"{puzzles}, made of {report.different:,} of {source} by random symmetries",
        f"counting solutions up to {report.limit}, best of the runs",
        "",
        _speeds(report),
        "",
        f"ratio: speed of {facts['isa']}, batch, 1 thread / speed of the row",
        "bars: speed, on a logarithmic scale",
        "",
        "the textbook backtracker (unidoku.naive), counting solutions up to 2, and",
        f"{facts['isa']}, the same puzzles: processor time per puzzle, and ratio to each call",
        "",
        _comparisons(report),
    ]
    for part in parts:
        console.print(part)
    for each in report.comparisons:
        if each.cut_off:
            console.print(
                f"{each.set}: {each.cut_off} of {each.puzzles + each.cut_off} cut off after "
                f"{each.limit:.2g} s; ratio at least {_figures(each.at_least or 0)}"
            )


def _speeds(report: BenchmarkReport) -> Table:
    """Return the table of the instruction sets."""
    full = "#" if cannot_encode(sys.stdout, "█─") else "█"
    speeds = [row.per_second for row in report.rows]
    lowest = math.log10(min(speeds))
    span = max(math.log10(max(speeds)) - lowest, 1.0)
    used = next(row for row in report.rows if row.isa == report.machine["isa"])  # its batch on one thread
    table = _table("kernel", "call", ">threads", ">puzzles/s", ">median", ">CPU us", ">ratio", "")
    for row in report.rows:
        ratio = used.per_second / row.per_second
        numbers = (row.per_second, row.median_per_second, 1e6 * row.processor_seconds, ratio)
        bar = full * (1 + round((_BAR - 1) * (math.log10(row.per_second) - lowest) / span))
        style = "bold" if row.isa == report.machine["isa"] else ""
        table.add_row(row.isa, row.call, str(row.threads), *map(_figures, numbers), bar, style=style)
    return table


def _comparisons(report: BenchmarkReport) -> Table:
    """Return the table of the backtracker."""
    table = _table("puzzles", ">finished", ">naive ms", ">batch ratio", ">single ratio")
    for each in report.comparisons:
        found = (each.seconds and 1e3 * each.seconds, each.ratio, each.single_ratio)
        shown = ("" if value is None else _figures(value) for value in found)
        table.add_row(each.set, f"{each.puzzles:,}", *shown)
    return table


def _table(*headings: str) -> Table:
    """Return a table with these columns, those with ``>`` to the right, in what the terminal can print."""
    from rich.box import ASCII2, SIMPLE_HEAD
    from rich.table import Table

    box = ASCII2 if cannot_encode(sys.stdout, "█─") else SIMPLE_HEAD
    table = Table(box=box, padding=(0, 1, 0, 0), show_edge=False)
    for heading in headings:
        right = heading.startswith(">")
        table.add_column(heading[right:], justify="right" if right else "left", no_wrap=True)
    return table


def _figures(number: float) -> str:
    """Return a number with three significant digits."""
    if number >= 100:
        digits = 10 ** (len(str(int(number))) - 3)
        return f"{round(number / digits) * digits:,}"
    return f"{number:.3g}" if number < 10 else f"{number:.1f}"
