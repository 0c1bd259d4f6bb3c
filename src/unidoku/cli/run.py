"""How commands with files run: inputs, progress, interruption, the messages at the end, the exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import accepts_empty, announce_standard_input, refuse_empty
from unidoku.cli.terminal import (
    INTERRUPTED,
    Display,
    cancelled_by_interrupt,
    counted,
    print_error,
    print_message,
    print_rejects,
    print_resume,
)
from unidoku.errors import OutputError, UnidokuError
from unidoku.threads import Cancel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unidoku.cli.inputs import Input
    from unidoku.run.summary import Summary


def run_inputs(
    work: Callable[..., Summary],
    inputs: Sequence[Input],
    output: Any,
    *,
    quiet: bool = False,
    goes_on: bool = False,
    **settings: Any,
) -> Summary:
    """Do the work of a command with files, with a progress bar; Ctrl-C cancels in good order.

    A run that ``goes_on`` prints the error of an input that cannot be read, and takes the next one.
    """
    announce_standard_input(inputs)
    cancel = Cancel()
    with Display(quiet=quiet, rows=output == "-") as display, cancelled_by_interrupt(cancel):
        if goes_on:
            settings["on_failure"] = display.failed
        return work(inputs, output, progress=display.progress, cancel=cancel, **settings)


def run_all(work: Callable[..., Summary], inputs: Sequence[Input], output: Any, **settings: Any) -> Summary:
    """Do the work over all inputs that can be read; the failures are printed, and in the summary."""
    try:
        done = run_inputs(work, inputs, output, goes_on=True, empty=accepts_empty(), **settings)
        if done.complete and not done.failures:
            refuse_empty(done.puzzles, inputs)
    except UnidokuError as error:
        if error.summary is None:
            raise
        print_error(error)
        done = error.summary
        done.failures.append(error)
    return done


def exit_code(done: Summary) -> int:
    """Return the exit code of a run: 2 after a failure, 130 after Ctrl-C, else 0."""
    return 2 if done.failures else 0 if done.complete else INTERRUPTED


def print_stopped(done: Summary) -> None:
    """Print how far a stopped run came, and how to resume it."""
    if not done.complete:
        message = (
            f"stopped: {done.puzzles:,} puzzles are done" if done.puzzles else "stopped: no puzzle is done"
        )
        if done.puzzles and done.resume is None:
            lost = any(isinstance(error, OutputError) for error in done.failures)
            written = ", but the output is not complete" if lost else " and written, nothing after it"
            message += f", up to {done.file}, line {done.line}; everything before it is counted{written}"
        print_message(message)
    print_resume(done)


def write(
    work: Callable[..., Summary],
    inputs: Sequence[Any],
    output: str,
    *,
    bare: bool = False,
    may_be_empty: bool = False,
    quiet: bool = False,
    **options: Any,
) -> int:
    """Write what is made of puzzles, without their other columns if ``bare``; return the exit code."""
    options["empty"] = may_be_empty or accepts_empty()
    done = run_inputs(work, inputs, output, quiet=quiet, carry=not bare, **options)
    if not done.complete:
        print_message(f"stopped: {counted(done.written, 'puzzle')} written")
        print_resume(done)
        return INTERRUPTED
    if not may_be_empty:
        refuse_empty(done.puzzles, inputs)
    return print_written(done, quiet=quiet, summary=output != "-")


def print_written(done: Summary, *, quiet: bool, summary: bool, duplicates: bool = False) -> int:
    """Print the invalid records and, if asked for, the counts; return the exit code."""
    if not quiet:
        print_rejects(done.rejects, done.invalid)
        if summary:
            more = [counted(done.duplicates, "duplicate")] if duplicates else []
            print_message(", ".join([counted(done.written, "puzzle"), *more, f"{done.invalid:,} invalid"]))
    return 1 if done.invalid else 0


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
