"""How commands run: inputs, progress, interruption, outputs, the messages at the end, the exit code."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import announce_standard_input, each_puzzle, refuse_empty
from unidoku.cli.options import suffixes_of, take
from unidoku.cli.terminal import (
    INTERRUPTED,
    Display,
    Messages,
    cancelled_by_interrupt,
    check_suffix,
    open_text,
    print_error,
    print_json,
    print_message,
    print_report,
    print_resume,
    print_some,
    refuse_terminal,
)
from unidoku.errors import OutputError, UnidokuError
from unidoku.options import common, options_of
from unidoku.runner.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from unidoku.batch import PuzzleRecord
    from unidoku.cli.inputs import Input
    from unidoku.declared import Report
    from unidoku.options import Option
    from unidoku.task import Task


def run_all(
    work: Callable[..., Summary],
    inputs: Sequence[Input],
    output: Any,
    *,
    quiet: bool = False,
    more: str | None = "",
    words: Messages | None = None,
    **settings: Any,
) -> Summary:
    """Do the work of a command with files, with a progress bar; Ctrl-C cancels in good order.

    The error of an input that cannot be read is printed, and the next one taken; the failures are in the
    summary. Invalid records are printed too, unless ``more`` is None; it says where further ones are.
    """
    if to := settings.get("to"):
        from unidoku.files.formats import is_columnar  # not at the top: a check starts faster

        if is_columnar(to):
            refuse_terminal(output, f"--to {to}")
    announce_standard_input(inputs)
    try:
        with Display(quiet=quiet, rows=output == "-") as display, cancelled_by_interrupt() as cancel:
            running = {"progress": display.progress, "on_failure": display.failed, "cancel": cancel}
            done = work(inputs, output, empty=not inputs, **running, **settings)
        if done.complete and not done.failures:
            refuse_empty(done.puzzles, inputs)
    except UnidokuError as error:
        if not isinstance(error.summary, Summary):
            raise
        print_error(error)
        done = error.summary
        done.failures.append(error)
        done.partial.clear()  # said with the error
    if more is not None and not quiet:
        print_some("invalid", done.rejects, done.invalid, f"lines{more}")
        print_some("wrong", done.mismatches, done.wrong, "answers")
    words = words or Messages()
    say = words.say
    number = done.puzzles if inputs else done.written  # without inputs, attempts are counted
    if not done.complete and (number or not done.failures):
        message = say("stopped", puzzles=words.counted(number, "puzzle")) if number else say("none")
        if number and inputs and done.resume is None:
            lost = any(isinstance(error, OutputError) for error in done.failures)
            message += say("up to", file=done.file, line=done.line)
            if output == "-":
                message += say("lost" if lost else "written")
        print_message(message)
    for name in done.partial:
        print_message(say("kept", name=name))
    print_resume(done)
    return done


def exit_code(done: Summary) -> int:
    """Return the exit code of a run: of its failures, 130 after Ctrl-C, 1 for a bad record, else 0."""
    if done.failures:
        return max(error.exit_code for error in done.failures)
    if not done.complete:
        return INTERRUPTED
    return int(done.invalid + done.without_result > 0)


def write(
    task: Task,
    inputs: Sequence[Input],
    output: str,
    *,
    work: Callable[..., Summary] | None = None,
    quiet: bool,
    drawn: int | None,
    as_json: bool = False,
    **options: Any,
) -> int:
    """Write what a task makes of puzzles, by `unidoku.run` or other work; return the exit code.

    The numbers of puzzles are printed where the output is a file, and always if the task tells further
    counts; that of rows too, if there are more and they are no puzzles. A seed that was ``drawn`` for the
    command is printed if anything was written with it, an error or not.  With ``as_json`` the summary is
    printed, and rows go to a file only.
    """
    from unidoku.runner.task import run  # not at the top: the help starts faster

    if drawn is not None and options.get("resume"):
        raise click.UsageError("--resume needs --seed: another seed is another run.")
    target = None if as_json and output == "-" else output
    words = Messages(getattr(task, "lang", "en"))
    done = run_all(partial(work or run, task), inputs, target, quiet=quiet, words=words, **options)
    if as_json:
        if done.puzzles or not done.failures:
            print_json(_written(done, task.report_counts or ()))
    elif (
        done.complete
        and not done.failures
        and not quiet
        and (task.report_counts is not None or output != "-")
    ):
        texts = [words.counted(done.written, "puzzle")]
        if done.written > done.puzzles and not task.replaces:
            of = words.counted(done.puzzles - done.invalid, "puzzle")
            texts = [of, words.counted(done.written, "row")]
        texts += [
            words.counted(getattr(done, name), name.removesuffix("s")) for name in task.report_counts or ()
        ]
        if inputs:
            texts.append(words.say("invalid", n=f"{done.invalid:,}"))
        print_message(words.say("list").join(texts))
    if done.written:
        print_seed(drawn, words, quiet=quiet)
    return exit_code(done)


def asks_rows(options: Mapping[str, Any]) -> bool:
    """Return whether an option says how rows are written, or which."""
    return any(options.get(name) is not None for name in ("to", "columns", "only"))


def output_of_rows(output: str | None, options: Mapping[str, Any], *, as_json: bool) -> str | None:
    """Return where rows go of a command that writes them only if an option asks for them."""
    if output is None and asks_rows(options):
        output = "-"
    if output == "-" and as_json:
        print_message("note: with --json, rows are written only to an --output PATH")
        return None
    return output


def print_found(
    done: Summary,
    fields: dict[str, Any],
    lines: Iterable[str],
    output: str | None,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print what a run found, as a JSON object or in lines; nothing after an error before any puzzle."""
    if done.failures and not done.puzzles:
        return
    if as_json:
        print_json(fields)
    elif not quiet:
        # Rows on standard output are for the next program; the counts then go to standard error.
        click.echo("\n".join(lines), err=output == "-")


def _written(done: Summary, report_counts: Sequence[str]) -> dict[str, Any]:
    """Return what a run has written, and the counts that its task tells, as a JSON object."""
    names = ("puzzles", "invalid", "written", *report_counts)
    every, files = done.as_dict(), done.files
    found = {name: getattr(done, name) for name in names}
    found |= {name: every[name] for name in ("seconds", "puzzles_per_second", "threads")}
    found["complete"] = done.complete and not done.failures
    found["files"] = [{"file": each.file, **{name: getattr(each, name) for name in names}} for each in files]
    return found


def print_seed(drawn: int | None, words: Messages, *, quiet: bool = False) -> None:
    """Print the seed that was drawn for a command, after what was made with it; None: an option gave one."""
    if drawn is not None and not quiet:
        print_message(words.say("seed", seed=drawn))


@contextmanager
def values_checked() -> Iterator[None]:
    """Turn an argument that the API refuses into a usage error; other errors have their own class."""
    try:
        yield
    except UnidokuError as error:
        if type(error) is not UnidokuError:
            raise
        said = str(error)
        raise click.UsageError(f"{said[:1].upper()}{said[1:]}.") from None


_WHOLE = ("html", "svg")
"""The formats of which a file holds one puzzle, and which a terminal cannot show."""


def formats(*names: str) -> Option:
    """Return the option ``--to`` of a report with these formats."""
    said = ", ".join(names)
    absent = names[0]
    if absent in _WHOLE:
        absent = f"{_first_readable(names)} on a terminal and {absent} elsewhere"
    return common("to", said, choices=names, absent=f"by the suffix of --output, otherwise {absent}")


def _first_readable(names: Sequence[str]) -> str:
    return next(each for each in names if each not in _WHOLE)


def format_of(output: str, names: Sequence[str]) -> str:
    """Return the format that the name of an output says, otherwise the first one that fits there."""
    known = {suffix: each for each in names for suffix in suffixes_of(each)}
    more = ", or --to FORMAT" if len(names) > 1 else ""
    if suffix := check_suffix(output, *known, more=more):
        return known[suffix]
    return _first_readable(names) if output == "-" and sys.stdout.isatty() else names[0]


def run_report(
    kind: type[Report], *, inputs: list[Input], output: str, to: str | None = None, **given: Any
) -> int:
    """Write the report of each puzzle to an output; return the exit code."""
    values = take(given, (each.name for each in options_of(kind)))
    with values_checked():
        report = kind(**values)
    to = to or format_of(output, report.formats)
    if to in _WHOLE:
        refuse_terminal(output, f"--to {to}")
    if output == "-" and sys.stdout.isatty():
        report = report.on_terminal()
    lang = values.get("lang", "en")
    said = getattr(report, to)
    are_right = True

    def found(cells: str) -> Any:
        nonlocal are_right
        each = report.of(cells)
        are_right &= report.is_right(each)
        return each

    drawn = False

    def write(puzzle: PuzzleRecord, title: str) -> None:
        nonlocal drawn
        if to not in _WHOLE:
            lines = said(found(puzzle.cells), title)
            print_report(lines, sink, lang=lang)
            return
        if title:
            what = "page" if to == "html" else "picture"
            raise click.UsageError(f"A {what} shows one puzzle; the inputs have several.")
        click.echo(said(found(puzzle.cells)).encode(), sink, nl=False)
        drawn = True

    with values_checked(), open_text(output, inputs) as sink:
        code = each_puzzle(inputs, write, **given) or int(not are_right)
        if to in _WHOLE and not drawn:
            click.get_current_context().exit(code)  # an empty file is no picture
        return code
