"""``unidoku bench`` and ``unidoku info``: the speed of this machine, and what is installed on it."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import puzzles_of
from unidoku.cli.options import NOT_EMPTY, command, common
from unidoku.cli.terminal import print_json, print_message, table
from unidoku.options import Option
from unidoku.tasks.columns import MAX_TIMED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unidoku.tasks.bench import BenchmarkReport


_SECONDS = Option(
    "Take about S seconds for the whole run.", above=0, metavar="S", name="seconds", kind=float, default=10
)
_LIMIT = Option(
    f"Stop at N solutions of a puzzle, 1 to {MAX_TIMED}.",
    least=1,
    most=MAX_TIMED,
    name="limit",
    kind=int,
    default=2,
)
_JSON = common("as_json", help="Print one JSON object.")


@command(_JSON, examples=("unidoku info", "unidoku info --json"), argument=None)
def info(*, as_json: bool) -> int:
    """Show version, processor, instruction sets, compiler and threads."""
    from unidoku import kernel

    facts = kernel.facts()
    if as_json:
        print_json(facts)
        return 0
    for name, fact in facts.items():
        click.echo(f"{name:10} {' '.join(fact) if isinstance(fact, list) else fact}")
    return 0


@command(
    _SECONDS,
    _LIMIT,
    "threads",
    *NOT_EMPTY,
    _JSON,
    examples=("unidoku bench --seconds 5", "unidoku bench puzzles.txt --limit 1 --json"),
    argument=click.Argument(["values"], nargs=-1, metavar="[PUZZLE|FILE]..."),
)
def bench(
    values: tuple[str, ...], *, seconds: float, limit: int, threads: int | None, as_json: bool, **reading: Any
) -> int:
    """Measure the speed of this machine, in puzzles per second.

    The puzzles are random images of the first puzzles of the inputs, or of the bundled sample. Each
    instruction set is measured in batches and with one puzzle per call. The textbook backtracker is then
    compared with the instruction set in use, on the puzzles that it finishes: of an easy and a middle set,
    or of the inputs. Every answer is checked.

    The exit code is 0, or 2 after an error or a wrong answer.
    """
    from unidoku.tasks.bench import PUZZLES, run

    puzzles = puzzles_of(values, PUZZLES, **reading) if values else None
    if sys.stderr.isatty():
        print_message(f"measuring for about {seconds:g} seconds")
    report = run(puzzles, seconds=seconds, limit=limit, threads=threads)
    if as_json:
        print_json(asdict(report))
    else:
        click.echo("\n".join(_lines(report, "the inputs" if values else "the bundled sample")))
    return 0


def _lines(report: BenchmarkReport, source: str) -> Iterator[str]:
    """Return the lines of a report."""
    facts = report.machine
    isa = facts["isa"]
    yield facts["processor"]
    yield f"instruction set {isa}, {facts['compiler']}, Python {facts['python']}, unidoku {facts['version']}"
    yield f"{report.puzzles:,} puzzles, made of {report.different:,} of {source} by random symmetries"
    yield f"counting solutions up to {report.limit}, best of the runs"
    yield ""
    used = next(row for row in report.rows if row.isa == isa)  # its batch on one thread
    speeds = [["kernel", "call", "threads", "puzzles/s", "CPU us", "ratio"]]
    for row in report.rows:
        numbers = (row.per_second, 1e6 * row.processor_seconds, used.per_second / row.per_second)
        speeds.append([row.isa, row.call, str(row.threads), *map(_figures, numbers)])
    yield from table(speeds, "kernel", "call")
    yield ""
    yield f"ratio: speed of {isa}, batch, 1 thread / speed of the row"
    yield ""
    yield "the textbook backtracker (unidoku.naive), counting solutions up to 2, and"
    yield f"{isa}, the same puzzles: processor time per puzzle, and ratio to each call"
    yield ""
    beside = [["puzzles", "finished", "naive ms", "batch ratio", "single ratio"]]
    for each in report.comparisons:
        found = (each.seconds and 1e3 * each.seconds, each.ratio, each.single_ratio)
        shown = ("" if value is None else _figures(value) for value in found)
        beside.append([each.set, f"{each.puzzles:,}", *shown])
    yield from table(beside, "puzzles")
    for each in report.comparisons:
        if each.cut_off:
            began = each.puzzles + each.cut_off
            cut_off = f"{each.set}: {each.cut_off} of {began} cut off after {each.limit:.2g} s"
            yield f"{cut_off}; ratio at least {_figures(each.at_least or 0)}"


def _figures(number: float) -> str:
    """Return a number with three significant digits."""
    return f"{float(f'{number:.3g}'):,.15g}"
