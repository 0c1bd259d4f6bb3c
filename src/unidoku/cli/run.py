"""Runs of commands: progress, interruption, outputs, messages at the end, exit codes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import click
from click.core import ParameterSource

from unidoku.cli.inputs import (
    Input,
    announce_standard_input,
    each_puzzle,
    print_advice,
    refuse_empty,
    single_puzzle,
    with_diagnosis,
)
from unidoku.cli.options import WHOLE, take
from unidoku.cli.terminal import (
    INTERRUPTED,
    Display,
    Messages,
    cancelled_by_interrupt,
    open_text,
    print_error,
    print_json,
    print_message,
    print_report,
    print_some,
    refuse_terminal,
)
from unidoku.errors import InvalidPuzzleError, OutputError, StoppedError, UnidokuError
from unidoku.files.formats import format_named, is_columnar
from unidoku.files.output import folder_of, has_older
from unidoku.options import EXIT_ZERO, options_of
from unidoku.runner.run import run
from unidoku.runner.summary import Summary
from unidoku.table.batch import PuzzleRecord
from unidoku.task import Report, Task


def run_all(
    work: Callable[..., Summary],
    inputs: Sequence[Input],
    output: Any,
    *,
    quiet: bool = False,
    interval: float = 0,
    invalid_advice: str | None = "",
    **settings: Any,
) -> Summary:
    """Do the work of a command with files, and show its progress; Ctrl-C cancels in good order.

    The error of an input that cannot be read is printed, and the next one taken; the failures are in the
    summary. Invalid records are printed too, unless ``invalid_advice`` is None, with this message after many.
    """
    to = settings.get("to")
    if to and is_columnar(to):
        refuse_terminal(output, f"--to {to}")
    announce_standard_input(inputs)
    try:
        display = Display(0 if quiet else interval, bar=not quiet, rows=output == "-")
        with display, cancelled_by_interrupt() as cancel:
            running = {"progress": display.progress, "on_failure": display.failed, "cancel": cancel}
            summary = work(inputs, output, empty=not inputs, **running, **settings)
        if summary.complete and not summary.failures:
            refuse_empty(summary.puzzles, inputs)
    except UnidokuError as error:
        if not isinstance(error.summary, Summary):
            raise
        print_error(error)
        summary = error.summary
        summary.failures.append(error)
        summary.partial.clear()  # said with the error
    if invalid_advice is not None and not quiet:
        print_some("note", summary.notes, len(summary.notes))
        print_some("invalid", summary.rejects, summary.invalid, invalid_advice)
        if summary.omissions:
            print_some("left out", summary.omissions, summary.without_result)
        print_some("wrong", summary.mismatches, summary.wrong + summary.no_grid)
        print_advice(summary)
    words = Messages()
    say = words.say
    number = summary.puzzles if inputs else summary.written  # without inputs, attempts are counted
    if not summary.complete and (number or not summary.failures):
        message = say("stopped", puzzles=words.counted(number, "puzzle")) if number else say("none")
        if number and inputs and summary.resume is None:
            is_lost = any(isinstance(error, OutputError) for error in summary.failures)
            message += say("up to", file=summary.file, line=summary.line)
            if output == "-":
                message += say("lost" if is_lost else "written")
        print_message(message)
    for name in summary.partial:
        print_message(say("kept" if has_older(name) else "begun", name=name))
    if not summary.complete and number and settings.get("resume") is not None and summary.partial:
        print_message(say("parts", options=folder_of(output)))
    if summary.resume is not None:
        print_message(say("resume", how=summary.resume))
    return summary


def exit_code(summary: Summary | None = None, *, is_right: bool = True) -> int:
    """Return the exit code of a run by the rule of docs/files.md; not `is_right` is 1 where no other is."""
    summary = summary or Summary()
    if summary.failures:
        return max(error.exit_code for error in summary.failures)
    if not summary.complete:
        return INTERRUPTED
    context = click.get_current_context(silent=True)
    if context is not None and context.meta.get(EXIT_ZERO):
        return 0
    return int(summary.invalid + summary.without_result > 0 or not is_right)


def write(
    task: Task,
    inputs: Sequence[Input],
    output: str,
    *,
    work: Callable[..., Summary] | None = None,
    quiet: bool,
    as_json: bool,
    is_one: bool,
    **options: Any,
) -> int:
    """Write the rows of a task, by `unidoku.run` or other work; return the exit code.

    The numbers of puzzles are printed where the output is a file, and always with `Task.report_counts`; the
    number of rows too, if there are more and they are no puzzles. A fresh seed is printed if anything was
    written with it, an error or not. With ``as_json`` the summary is printed as an object, unless the rows of
    a single puzzle (``is_one``) are the whole result.
    """
    seed = getattr(task, "seed", None)
    if seed is not None and is_seed_fresh() and options.get("resume"):
        raise click.UsageError("--resume needs --seed: another seed is another run.")
    target, options = output_of_rows(output, options, as_json=as_json)
    summary = run_all(partial(work or run, task), inputs, target, quiet=quiet, **options)
    if as_json:
        if not (is_one and output == "-"):
            further = ("without_result",) if task.has_reasons else ()
            counts = counts_written(summary, (*(task.report_counts or ()), *further))
            if not inputs:  # but numbers, which only make attempts
                counts = {"attempts": counts["puzzles"]} | counts
                del counts["puzzles"], counts["invalid"], counts["files"]
            if seed is not None:
                counts["seed"] = seed
            print_summary(summary, counts)
    elif (
        summary.complete
        and not summary.failures
        and not quiet
        and (task.report_counts is not None or output != "-")
    ):
        has_rows = summary.written > summary.puzzles or any(map(options.get, ("where", "only")))
        print_message(_counts_message(summary, task, invalid=bool(inputs), rows=has_rows))
    if summary.written:
        print_seed(seed, quiet=quiet)
    return exit_code(summary)


def _counts_message(summary: Summary, task: Task, *, invalid: bool, rows: bool) -> str:
    """Return the counts of a run in words, with the numbers of `rows` and of `invalid` records if asked."""
    words = Messages()
    texts = [words.counted(summary.written, "puzzle")]
    if rows and not task.replaces:
        texts = [
            words.counted(summary.puzzles - summary.invalid, "puzzle"),
            words.counted(summary.written, "row"),
        ]
    for name in task.report_counts or ():
        texts.append(words.counted(getattr(summary, name), name.removesuffix("s")))
    if invalid:
        texts.append(words.say("invalid", n=f"{summary.invalid:,}"))
    return words.say("list").join(texts)


def asks_rows(options: Mapping[str, Any]) -> bool:
    """Return whether an option says how rows are written, or which."""
    return any(options.get(name) is not None for name in ("to", "columns", "where", "only"))


def output_of_rows(
    output: str | None, options: dict[str, Any], *, as_json: bool
) -> tuple[str | None, dict[str, Any]]:
    """Return where rows go, None if no option asks for them, and the options with which they are written.

    With ``--json`` they are JSON lines on standard output, if they do not go to a file.
    """
    if as_json and output in {None, "-"}:
        to = options.get("to")
        if to is not None and format_named(to)[0].name != "jsonl":
            raise click.UsageError(f"--json writes JSON lines; --to {to} with --json needs --output PATH.")
        return "-", {**options, "to": "jsonl"}
    return "-" if output is None and asks_rows(options) else output, options


def print_counts(
    summary: Summary,
    fields: dict[str, Any],
    lines: Iterable[str],
    output: str | None,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the counts of a run, as its summary or in lines; nothing after an error before any puzzle."""
    if as_json:
        print_summary(summary, fields)
    elif not quiet and (summary.puzzles or not summary.failures):
        # Rows on standard output are for the next program; the counts then go to standard error.
        click.echo("\n".join(lines), err=output == "-")


def print_summary(summary: Summary, fields: Mapping[str, Any]) -> None:
    """Print the summary of a run as the last line of JSON; nothing after an error before any puzzle."""
    if summary.puzzles or not summary.failures:
        print_json({"summary": fields})


def counts_written(summary: Summary, task_counts: Sequence[str] = ()) -> dict[str, Any]:
    """Return the numbers of puzzles and rows of a run as a JSON object, with more of its counts."""
    names = ("puzzles", "invalid", "written", *task_counts)
    facts, is_complete = summary.as_dict(), summary.complete and not summary.failures
    return {
        **{name: getattr(summary, name) for name in names},
        **{name: facts[name] for name in ("seconds", "puzzles_per_second", "threads")},
        "complete": is_complete,
        "files": [
            {"file": file.file, **{name: getattr(file, name) for name in names}} for file in summary.files
        ],
    }


def is_seed_fresh() -> bool:
    """Return whether the seed of the command was drawn: no option gave one."""
    return click.get_current_context().get_parameter_source("seed") is ParameterSource.DEFAULT


def print_seed(seed: int | None, *, quiet: bool = False) -> None:
    """Print the seed of a command after its rows, if it has one and it is fresh."""
    if seed is not None and is_seed_fresh() and not quiet:
        print_message(Messages().say("seed", seed=seed))


def run_report(
    kind: type[Report],
    *,
    inputs: list[Input],
    output: str,
    to: str,
    as_json: bool,
    **options: Any,
) -> int:
    """Write the report of each puzzle to an output; return the exit code."""
    values = take(options, (option.name for option in options_of(kind)))
    report = kind(**values)
    if to in WHOLE:
        refuse_terminal(output, f"--to {to}")
    if output == "-" and sys.stdout.isatty():
        report = report.on_terminal()
    render, is_whole = getattr(report, to), to in WHOLE
    are_right, is_drawn, summary, code = True, False, Summary(), 0

    def write(puzzle: PuzzleRecord, title: str) -> None:
        nonlocal are_right, is_drawn
        if is_whole and title:
            what = "page" if to == "html" else "picture"
            raise click.UsageError(f"A {what} shows one puzzle; the inputs have several.")
        subject = report.subject(puzzle.cells)
        are_right &= report.is_right(subject)
        if is_whole:
            click.echo(render(subject).encode(), file, nl=False)
            is_drawn = True
        else:
            print_report(render(subject, title), file)

    with open_text(output, inputs) as file:
        summary = each_puzzle(inputs, write, **options)
        code = exit_code(summary, is_right=are_right)
        if summary.failures or (is_whole and not is_drawn):
            raise StoppedError  # the output is not complete, or would be an empty picture
    is_one = summary.puzzles == 1 and not (summary.invalid or summary.failures)
    if as_json and not (is_one and output == "-"):
        print_summary(summary, counts_reported(summary))
    return code


def write_picture(
    draw: Callable[[bytes | str], str], inputs: list[Input], output: str, options: Mapping[str, Any]
) -> int:
    """Write the picture or page of the one puzzle of the inputs to a file; return the exit code."""
    if asks_rows(options):
        raise click.UsageError(f"{output} holds a picture, no rows: leave out --to, --columns and --only.")
    puzzle = single_puzzle(inputs, "-", options)
    if puzzle is None:
        raise click.UsageError("A picture shows one puzzle; the inputs have several, or none.")
    try:
        picture = draw(puzzle)
    except InvalidPuzzleError as error:
        raise with_diagnosis(error) from None
    with open_text(output, inputs) as file:
        click.echo(picture.encode(), file, nl=False)
    return exit_code()


def counts_reported(summary: Summary) -> dict[str, Any]:
    """Return the counts of a command that takes puzzle by puzzle, as a JSON object."""
    names = ("puzzles", "invalid", "without_result")
    return {name: getattr(summary, name) for name in names} | {"complete": not summary.failures}
