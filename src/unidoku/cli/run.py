"""How commands with files run: inputs, progress, interruption, the messages at the end, the exit code."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import announce_standard_input, refuse_empty
from unidoku.cli.terminal import (
    INTERRUPTED,
    Display,
    cancelled_by_interrupt,
    counted,
    print_error,
    print_message,
    print_resume,
    print_some,
)
from unidoku.errors import OutputError, UnidokuError
from unidoku.run.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from unidoku.cli.inputs import Input


def run_inputs(
    work: Callable[..., Summary],
    inputs: Sequence[Input],
    output: Any,
    *,
    empty: bool,
    quiet: bool = False,
    goes_on: bool = False,
    at_once: bool = False,
    **settings: Any,
) -> Summary:
    """Do the work of a command with files, with a progress bar; Ctrl-C cancels in good order.

    A run that ``goes_on`` prints the error of an input that cannot be read, and takes the next one. One that
    ends ``at_once`` at Ctrl-C keeps nothing of its output.
    """
    announce_standard_input(inputs)
    ending = nullcontext() if at_once else cancelled_by_interrupt()
    with Display(quiet=quiet, rows=output == "-") as display, ending as cancel:
        if goes_on:
            settings["on_failure"] = display.failed
        done = work(inputs, output, empty=empty, progress=display.progress, cancel=cancel, **settings)
    if done.complete and not done.failures:
        refuse_empty(done.puzzles, inputs, empty=empty)
    return done


def run_all(
    work: Callable[..., Summary],
    inputs: Sequence[Input],
    output: Any,
    *,
    quiet: bool = False,
    more: str | None = "",
    **settings: Any,
) -> Summary:
    """Do the work over all inputs that can be read; the failures are printed, and in the summary.

    Invalid records are printed too, unless ``more`` is None; else it says where further ones are.
    """
    try:
        done = run_inputs(work, inputs, output, quiet=quiet, goes_on=True, **settings)
    except UnidokuError as error:
        if not isinstance(error.summary, Summary):
            raise
        print_error(error)
        done = error.summary
        done.failures.append(error)
    if more is not None and not quiet:
        print_some("invalid", done.rejects, done.invalid, f"lines{more}")
        print_some("wrong", done.mismatches, done.wrong, "answers")
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
    return done


def exit_code(done: Summary) -> int:
    """Return the exit code of a run: 2 after a failure, 130 after Ctrl-C, else 0."""
    return 2 if done.failures else 0 if done.complete else INTERRUPTED


def write(
    work: Callable[..., Summary],
    inputs: Sequence[Input],
    output: str,
    *,
    quiet: bool = False,
    at_once: bool = False,
    counts: Sequence[str] = ("puzzles", "invalid"),
    **options: Any,
) -> int:
    """Write what is made of puzzles, without their other columns if ``bare``; return the exit code.

    The message at the end has the numbers of ``counts``.
    """
    if "bare" in options:
        options["carry"] = not options.pop("bare")
    done = run_inputs(work, inputs, output, quiet=quiet, at_once=at_once, **options)
    if not done.complete:
        print_message(f"stopped: {counted(done.written, 'puzzle')} written")
        print_resume(done)
        return INTERRUPTED
    if not quiet:
        print_some("invalid", done.rejects, done.invalid, "lines")
        if done.cut_off:
            print_message(f"the budget is used up: {counted(done.cut_off, 'puzzle')} may have fewer clues")
        if at_once or output != "-":
            invalid, duplicates = f"{done.invalid:,} invalid", counted(done.duplicates, "duplicate")
            texts = {"puzzles": counted(done.written, "puzzle"), "duplicates": duplicates, "invalid": invalid}
            print_message(", ".join(texts[name] for name in counts))
    return min(done.invalid, 1)


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


@contextmanager
def values_checked() -> Iterator[None]:
    """Make values that the API refuses a wrong use of the command."""
    try:
        yield
    except UnidokuError:
        raise
    except ValueError as error:
        raise click.UsageError(str(error)) from None
