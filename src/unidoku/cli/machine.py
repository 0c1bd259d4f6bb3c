"""``unidoku bench`` and ``unidoku info``: the speed of this machine, and what is installed on it."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

import click

from unidoku.cli.inputs import puzzles_of
from unidoku.cli.options import NOT_EMPTY, common
from unidoku.cli.tasks import by_hand
from unidoku.cli.terminal import print_json, print_message

_JSON = common("as_json", help="Print one JSON object.")


@by_hand("info", _JSON, argument=None)
def info(*, as_json: bool) -> int:
    """Print the facts."""
    from unidoku import kernel

    facts = kernel.facts()
    if as_json:
        print_json(facts)
        return 0
    for name, fact in facts.items():
        click.echo(f"{name:10} {' '.join(fact) if isinstance(fact, list) else fact}")
    return 0


@by_hand(
    "bench",
    "threads",
    *NOT_EMPTY,
    _JSON,
    argument=click.Argument(["values"], nargs=-1, metavar="[PUZZLE|FILE]..."),
)
def bench(
    values: tuple[str, ...], *, seconds: float, limit: int, threads: int | None, as_json: bool, **reading: Any
) -> int:
    """Measure, and print the report."""
    from unidoku.tasks.speed import PUZZLES, run

    puzzles = puzzles_of(values, PUZZLES, **reading) if values else None
    if sys.stderr.isatty():
        print_message(f"measuring for about {seconds:g} seconds")
    report = run(puzzles, seconds=seconds, limit=limit, threads=threads)
    if as_json:
        print_json(asdict(report))
    else:
        click.echo(report)
    return 0
