"""What the commands that make puzzles from puzzles share: inputs, the output, the summary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.command import take
from unidoku.cli.inputs import accepts_empty, announce_standard_input, refuse_empty
from unidoku.cli.options import PARTS
from unidoku.cli.terminal import (
    INTERRUPTED,
    Display,
    cancelled_by_interrupt,
    counted,
    print_error,
    print_message,
    print_rejects,
)
from unidoku.errors import UnidokuError
from unidoku.threads import Cancel

if TYPE_CHECKING:
    from collections.abc import Callable

    from unidoku.run.summary import Summary

__all__ = ["parts_of", "report", "used_seed", "write"]


def parts_of(options: dict[str, Any]) -> dict[str, Any]:
    """Take the options for parts out of the options of a command; return those that are given."""
    return {name: value for name, value in take(options, PARTS).items() if value}


def used_seed(seed: int | None, *, quiet: bool = False, resume: bool = False) -> int:
    """Return the seed of a command: that of the option, else a fresh one, which is printed."""
    if seed is not None:
        return seed
    if resume:
        raise click.UsageError("--resume needs --seed: another seed is another run.")
    from unidoku.craft.seeds import fresh_seed

    seed = fresh_seed()
    if not quiet:
        print_message(f"seed: {seed}")
    return seed


def write(
    work: Callable[..., Summary],
    inputs: list[Any],
    output: str,
    *,
    bare: bool = False,
    may_be_empty: bool = False,
    quiet: bool = False,
    **options: Any,
) -> int:
    """Write puzzles made of puzzles, without their other columns if ``bare``; return the exit code."""
    announce_standard_input(inputs)
    cancel = Cancel()
    options["empty"] = may_be_empty or accepts_empty()
    try:
        with Display(quiet=quiet, rows=output == "-") as display, cancelled_by_interrupt(cancel):
            done = work(inputs, output, carry=not bare, progress=display.progress, cancel=cancel, **options)
    except UnidokuError as error:
        if error.summary is None or error.summary.resume is None:
            raise
        print_error(error)
        print_message(f"resume: {error.summary.resume}")
        return 2
    if not done.complete:
        print_message(f"stopped: {counted(done.written, 'puzzle')} written")
        if done.resume is not None:
            print_message(f"resume: {done.resume}")
        return INTERRUPTED
    if not may_be_empty:
        refuse_empty(done.puzzles, inputs)
    return report(done, quiet=quiet, summary=output != "-")


def report(done: Summary, *, quiet: bool, summary: bool, duplicates: bool = False) -> int:
    """Print the invalid records and, if asked for, the counts; return the exit code."""
    if not quiet:
        print_rejects(done.rejects, done.invalid)
        if summary:
            more = [counted(done.duplicates, "duplicate")] if duplicates else []
            print_message(", ".join([counted(done.written, "puzzle"), *more, f"{done.invalid:,} invalid"]))
    return 1 if done.invalid else 0
