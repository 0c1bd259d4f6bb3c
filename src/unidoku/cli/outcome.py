"""What a command has done: how it is printed, and its exit code."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from unidoku.cli.terminal import INTERRUPTED, print_json, print_message, print_report
from unidoku.options import EXIT_ZERO
from unidoku.runner.summary import Summary
from unidoku.words import say

if TYPE_CHECKING:
    from unidoku.views import Line


class Outcome(NamedTuple):
    """What a command has done, beside its output: without ``--json`` in words, with it as objects.

    Words and objects about a summary are not printed after an error before any puzzle.
    """

    summary: Summary | None = None
    """The counts of its run, if it has one; they decide the exit code."""
    is_right: bool = True
    """Whether it found nothing else for which the exit code is 1."""
    text: Iterable[str | Line] = ()
    """Lines for standard output: the result of one puzzle, or with a summary its counts."""
    notes: Iterable[str] = ()
    """Counts for standard error, where rows are on standard output or in a file."""
    rows: Iterable[object] = ()
    """Objects for standard output, a line each: the result of one puzzle, or findings."""
    fields: Mapping[str, Any] | None = None
    """What the command adds to the object of the summary; None if the rows are all that is to be said."""
    seed: int | None = None
    """The seed with which something was made; it is printed if it is a fresh one."""


def print_outcome(outcome: Outcome, *, as_json: bool, quiet: bool = False) -> int:
    """Print an outcome; return the exit code of its command."""
    summary = outcome.summary
    has_counts = summary is None or bool(summary.puzzles or not summary.failures)
    if as_json:
        for row in outcome.rows:
            print_json(row)
        if summary is not None and outcome.fields is not None and has_counts:
            print_json({"summary": {**summary.as_dict(), **outcome.fields}})
    elif has_counts and not (quiet and summary is not None):
        print_report(outcome.text, sys.stdout)
        for note in outcome.notes:
            print_message(note)
    if outcome.seed is not None and is_seed_fresh() and not quiet:
        print_message(say("seed: {seed}", seed=outcome.seed))
    return exit_code(summary or Summary(), is_right=outcome.is_right)


def exit_code(summary: Summary, *, is_right: bool = True) -> int:
    """Return the exit code of a run by the rule of docs/files.md; not `is_right` is 1 where no other is."""
    if summary.failures:
        return max(error.exit_code for error in summary.failures)
    if not summary.complete:
        return INTERRUPTED
    context = click.get_current_context(silent=True)
    if context is not None and context.meta.get(EXIT_ZERO):
        return 0
    return int(summary.invalid + summary.without_result > 0 or not is_right)


def is_seed_fresh() -> bool:
    """Return whether the seed of the command was drawn: no option gave one."""
    return click.get_current_context().get_parameter_source("seed") is ParameterSource.DEFAULT
