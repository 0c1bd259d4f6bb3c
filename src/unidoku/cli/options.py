"""Options that several commands have, with the bounds of their values."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from unidoku.arguments import MAX_COUNT, MAX_THREADS, positive_ratio

__all__ = [
    "ALLOW_EMPTY",
    "EVERY_FILTER",
    "JSON",
    "QUIET",
    "ROWS",
    "TEXT",
    "THREADS",
    "WORDS",
    "Number",
    "Range",
    "Ratio",
    "apply",
    "choice",
    "parts",
    "reading",
]

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Any], Any]


ALLOW_EMPTY = "unidoku.allow_empty"
"""The key of the option --allow-empty in the context of a command."""


class Number(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A whole number from ``low`` to ``high``, by default the highest that the kernel counts."""

    name = "number"

    def __init__(self, low: int, high: int = MAX_COUNT) -> None:
        self.low = low
        self.high = high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number; an error for anything else."""
        try:
            number = int(str(value)[:40])
        except ValueError:
            self.fail(f"{str(value)[:40]!r} is not a whole number", param, ctx)
        if not self.low <= number <= self.high:
            self.fail(f"{str(value)[:40]} is not in the range from {self.low} to {self.high}", param, ctx)
        return number


class Range(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A whole number, or the least and the greatest: ``24-28``."""

    name = "range"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Return the least and the greatest number."""
        least, _, most = str(value)[:40].partition("-")
        try:
            return int(least), int(most or least)
        except ValueError:
            self.fail(f"{str(value)[:40]!r} is not a number or a range such as 24-28", param, ctx)


class Ratio(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A number above 0; ``inf`` means no limit."""

    name = "ratio"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float | None:
        """Return the number, None for ``inf``."""
        try:
            ratio = float(value)
            return None if ratio == math.inf else positive_ratio("the ratio", ratio)
        except ValueError:
            self.fail(f"{str(value)[:40]!r} is not a number above 0 (inf: no bound)", param, ctx)


def apply(*decorators: Decorator) -> Callable[[Command], Command]:
    """Several decorators as one; ``--help`` lists their options in the order given."""

    def decorate(command: Command) -> Command:
        for each in reversed(decorators):
            command = each(command)
        return command

    return decorate


def choice(*names: str, values: Sequence[str], help: str, default: str | None = None) -> Decorator:
    """Return an option with a few values.

    Parameters
    ----------
    *names : str
        The option, and the parameter of the command.
    values : sequence of str
    help : str
    default : str, optional
        By default the first value.
    """
    kind = click.Choice(values)
    return click.option(*names, type=kind, default=default or values[0], show_default=True, help=help)


ROWS = apply(
    click.option(
        "--output",
        "-o",
        default="-",
        metavar="PATH",
        help="Write the rows to this file or URL, in the format of its suffix.  [default: standard output]",
    ),
    click.option("--to", metavar="FORMAT", help="Write this format: txt, csv, tsv, jsonl, parquet, arrow."),
)
"""The output of a command that writes a table."""

TEXT = click.option(
    "--output",
    "-o",
    default="-",
    metavar="PATH",
    help="Write to this file or URL.  [default: standard output]",
)
"""The output of a command that writes text of one kind."""

THREADS = click.option(
    "--threads",
    type=Number(1, MAX_THREADS),
    metavar="N",
    help=f"Use N worker threads, 1 to {MAX_THREADS}.  [default: one per available core]",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
EVERY_FILTER = click.option(
    "--every-filter", is_flag=True, help='Print "No shrink happened" for a filter that finds nothing.'
)
QUIET = click.option(
    "--quiet", is_flag=True, help="Print no summary, no progress bar and no messages about invalid records."
)


def parts(resume: str) -> Callable[[Command], Command]:
    """Return the options of a command whose output can be made in parts.

    Parameters
    ----------
    resume : str
        The help of ``--resume``.
    """
    return apply(
        click.option("--resume", is_flag=True, help=resume),
        click.option(
            "--cluster",
            metavar="WHERE",
            help="Run on a Dask cluster: local:N (N processes here), dask://HOST:PORT or tls://HOST:PORT.  "
            "[default: threads]",
        ),
        click.option(
            "--shard-bytes",
            type=Number(1),
            metavar="BYTES",
            help="Split the inputs into parts of about this size, at least 1.  "
            "[default: 4 to 64 MiB, by the size of the inputs]",
        ),
    )


WORDS = apply(
    click.option("--ascii", "ascii_only", is_flag=True, help="Print marks and lines in ASCII."),
    choice(
        "--cells",
        "names",
        values=["numbers", "rc"],
        help="Call the cells 1 to 81 (numbers) or r1c1 (rc) in the text; pages have a switch.",
    ),
    choice("--lang", values=["en", "zh"], help="Print English (en) or Chinese (zh)."),
)
"""How a report is written: the symbols, the names of the cells, the language."""


def reading(option: str = "--format") -> Callable[[Command], Command]:
    """Return the options for reading inputs.

    Parameters
    ----------
    option : str
        The option that names the format of the inputs.
    """
    return apply(
        click.option(
            option,
            "format",
            metavar="NAME",
            help="Read the inputs as this format.  [default: recognized by suffix and content]",
        ),
        click.option(
            "--column",
            metavar="COLUMN",
            help="Take the puzzle from this column: a name, or a number from 1.  [default: recognized]",
        ),
        click.option(
            "--allow-empty",
            is_flag=True,
            expose_value=False,
            callback=lambda ctx, _, value: ctx.meta.update({ALLOW_EMPTY: value}),
            help="Accept inputs without any puzzle, which are an error else.",
        ),
        click.option(
            "--strict", is_flag=True, help="Accept only one symbol for empty cells within a puzzle."
        ),
        click.option(
            "--max-ratio",
            type=Ratio(),
            default=1000.0,
            metavar="R",
            help="Stop reading a compressed input that becomes more than R times its size (checked after the "
            "first GiB); inf: no bound.  [default: 1000]",
        ),
        click.option(
            "--max-size",
            type=Number(1),
            metavar="BYTES",
            help="Stop reading a compressed input after this many bytes, at least 1.  [default: no bound]",
        ),
    )
