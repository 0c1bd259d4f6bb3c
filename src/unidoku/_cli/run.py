"""Runs of commands: formats of reports, progress, interruption, messages at the end, outcomes, exit codes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from itertools import chain, islice
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from unidoku._cli.inputs import (
    REPORT_SUFFIXES,
    Input,
    announce_standard_input,
    print_advice,
)
from unidoku._cli.terminal import (
    INTERRUPTED,
    INVALID,
    LEFT_OUT,
    NOTE,
    WRONG,
    cancelled_by_interrupt,
    in_words,
    print_error,
    print_json,
    print_message,
    print_report,
    print_some,
    refuse_terminal,
    stop_message,
)
from unidoku._options import TABLE, Option, Options, Show
from unidoku._task import timed_out
from unidoku._words import say, translatable
from unidoku.errors import FormatError, Message, UnidokuError, naming
from unidoku.files._formats import format_named, suffix_of
from unidoku.files._output import has_older, is_folder
from unidoku.files._roles import quote
from unidoku.files._storage import is_stream
from unidoku.runner._summary import MAX_MESSAGES, Summary

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from unidoku._options import Progress
    from unidoku._words import Line


WHOLE = ("html", "svg", "pdf", "png")
"""The formats that hold one puzzle in a file, and that a terminal cannot show."""

JSON = ("json", "jsonl")
"""The formats of ``--json``."""


def format_option(*names: str, of_folder: Sequence[str] = ()) -> Option:
    """Return the option ``--to`` of a report with these formats; its value is always one of them.

    The files of a folder have other formats.
    """
    readable = next(name for name in names if name not in WHOLE)
    of_json = report_format("jsonl", names)
    suffixes = list(chain.from_iterable(map(REPORT_SUFFIXES.__getitem__, names)))
    preference = names[0]
    if readable != preference:
        preference = f"{readable} on a terminal and {names[0]} elsewhere"

    def usual(output: str, choices: Sequence[str], *, is_json: bool) -> str:
        """Return the format of an output if the command line names none."""
        if choices is of_folder:
            return choices[0]
        if suffix := check_suffix(output, *suffixes, advice=Message("; for another name, add --to FORMAT")):
            return suffix
        if is_json:
            return of_json
        return readable if sys.stdout.isatty() else choices[0]

    def choose(context: click.Context, _: click.Parameter, word: str | None) -> str:
        output = context.params["output"]
        choices = of_folder if of_folder and is_folder(output) else names
        is_json = bool(of_json) and context.params["json"] and output == "-"
        chosen = report_format(word or usual(output, choices, is_json=is_json), choices)
        if not chosen:
            text = "{word} is not one of {choices}."
            raise click.BadParameter(Message(text, word=repr(word), choices=", ".join(choices)))
        if is_json and chosen not in JSON:
            text = "--json prints JSON, not {name}; to also write {name}, add --output PATH"
            raise click.UsageError(Message(text, name=chosen))
        return chosen

    help = f"Write this format: {', '.join(names)}."
    default = f"by the suffix of --output, otherwise {preference}"
    return TABLE["to"].replace(help=help, show_default=default, callback=choose)


def report_format(word: str, names: Iterable[str]) -> str:
    """Return the format that a word or a suffix names, in any case; empty for any other."""
    suffix = f".{word.lower().removeprefix('.')}"
    return next((name for name in names if suffix in (f".{name}", *REPORT_SUFFIXES[name])), "")


def check_suffix(output: str, *suffixes: str, advice: str = "") -> str:
    """Return the suffix of an output's name, which must be known; none of standard output and devices."""
    if is_stream(output):
        return ""
    with naming(output):
        return suffix_of(output, suffixes, advice)


def timed_out_error(seconds: float) -> UnidokuError:
    """Return the error about the one puzzle of a command whose time is over."""
    return UnidokuError(Message("{reason}; --timeout SECONDS allows more time", reason=timed_out(seconds)))


class Display:
    """The progress of a run on standard error: a bar on a terminal, elsewhere a line at times.

    The bar appears after a moment, a line each half a minute.  On a terminal, ``rows`` on standard output
    would mix with a bar.
    """

    PATIENCE = 0.7  # seconds before the bar appears
    DRAWING, LINE = 0.1, 30.0  # seconds between two drawings, and between two lines
    ECHO = 4  # columns left free: what the terminal echoes (^C) must not wrap, or the bar is not erased

    def __init__(self, *, quiet: bool = False, rows: bool = False) -> None:
        self.has_bar: bool = sys.stderr.isatty()
        self.is_silent: bool = quiet or (self.has_bar and rows and sys.stdout.isatty())
        self.bar: Bar | None = None
        self._began = time.perf_counter()
        self._pause = self.DRAWING if self.has_bar else self.LINE
        self._next = self._began + max(self.PATIENCE, self._pause)
        self._drawing = Lock()

    def progress(self, progress: Progress) -> None:
        """Show how far the run is; the ``progress`` callback of the API."""
        speed = (progress.puzzles - progress.earlier) / max(progress.seconds, 1e-9)
        fields = {"n": f"{progress.puzzles:,}", "speed": f"{speed:,.0f}"}
        self._draw(
            translatable("{n} puzzles, {speed} per second"), fields, progress.done, progress.total or None
        )

    def part(self, part: float) -> None:
        """Show the completed fraction of one long count; the callback of `unidoku.count`, from any thread."""
        self._draw(translatable("counting"), {}, part, 1)

    def pages(self, boards: int) -> None:
        """Show that boards are set on pages; how far it is nobody knows."""
        self._draw(translatable("laying out {n} boards"), {"n": f"{boards:,}"}, 0, None)

    def _draw(self, text: str, fields: Mapping[str, str], amount: float, total: float | None) -> None:
        """Draw the bar, ten times a second, or print a line; without a known total there is no end.

        The text is made only if it is shown: the words take 3 ms to read.
        """
        with self._drawing:
            now = time.perf_counter()
            if self.is_silent or now < self._next:
                return
            self._next = now + self._pause
            text = say(text, **fields)
            if not self.has_bar:
                if total and amount:
                    left = (now - self._began) * (total - amount) / amount
                    time_left = timedelta(seconds=round(left))
                    text += f", {amount / total:.0%}" + say(", {time} left", time=time_left)
                print_message(say("progress: {text}", text=text))
                return
            if self.bar is None:
                # imported only when it is needed: it is slow
                from rich.console import Console
                from rich.progress import Progress as Bar

                console = Console(stderr=True)
                console.width -= min(self.ECHO, console.width - 1)
                self.bar = Bar(console=console, transient=True, auto_refresh=False)
                self.bar.start()
                self.bar.add_task("", total=None)
            self.bar.update(self.bar.task_ids[0], completed=amount, total=total, description=text)
            self.bar.refresh()

    def failed(self, error: UnidokuError) -> None:
        """Print an error; the ``on_failure`` callback of the API."""
        self.stop()
        print_error(error)

    def stop(self, *_: object) -> None:
        """Remove the bar, before anything else is printed."""
        if self.bar is not None:
            self.bar.stop()
            self.bar = None

    def __enter__(self) -> Display:
        return self

    __exit__ = stop


class CommandResult(NamedTuple):
    """The result of a command apart from its output: in words, or with ``--json`` as objects.

    Counts are not printed after an error before any puzzle.
    """

    summary: Summary = Summary()
    """The counts of its run; they decide the exit code."""
    is_right: bool = True
    """Whether it found nothing else for which the exit code is 1."""
    text: Iterable[str | Line] = ()
    """Lines for standard output: the result of one puzzle."""
    counts: Iterable[str] = ()
    """Lines with counts for standard output."""
    notes: Iterable[str] = ()
    """Counts for standard error, where rows are on standard output or in a file."""
    rows: Iterable[object] = ()
    """Objects for standard output, a line each: the result of one puzzle, or findings."""
    fields: Mapping[str, Any] | None = None
    """Values that the command adds to the object of the summary; None if the rows say everything."""
    seed: int | None = None
    """The seed with which something was made; it is printed if it is a fresh one."""

    def exit_code(self, *, exit_zero: bool) -> int:
        """Return the exit code of the command, by the rule of docs/files.md."""
        summary = self.summary
        if summary.failures:
            return max(error.exit_code for error in summary.failures)
        if not summary.is_finished:
            return INTERRUPTED
        is_right = self.is_right and not summary.invalid + summary.without_result
        return int(not (is_right or exit_zero))


def print_outcome(outcome: CommandResult, show: Show) -> None:
    """Print the outcome of a command."""
    summary, quiet = outcome.summary, show.quiet
    if show.json:
        for row in outcome.rows:
            print_json(row, sys.stdout)
        if outcome.fields is not None:
            print_json({"summary": {**summary.as_dict(), **outcome.fields}}, sys.stdout)
    else:
        print_report(outcome.text, sys.stdout)
        if not quiet and (summary.puzzles or not summary.failures):
            print_report(outcome.counts, sys.stdout)
            for note in outcome.notes:
                print_message(note)
    if not quiet and outcome.seed is not None and is_seed_fresh():
        print_message(say("seed: {seed}", seed=outcome.seed))


def is_seed_fresh() -> bool:
    """Return whether the seed of the command was drawn: no option gave one."""
    return click.get_current_context().get_parameter_source("seed") is ParameterSource.DEFAULT


def run_with_progress(
    work: Callable[..., Summary],
    inputs: Sequence[Input],
    output: Any,
    options: Options,
    show: Show,
    *,
    names_wrong: bool = True,
) -> Summary:
    """Do the work of a command with files, and show its progress; Ctrl-C cancels in good order.

    If an input cannot be read, the error is printed and the run goes on with the next input; the summary
    lists the failures. Invalid records are printed, and if requested also wrong answers.
    """
    with suppress(FormatError):  # the run refuses an unknown format
        if options.to and format_named(options.to)[0].columnar:
            refuse_terminal(output, f"--to {options.to}")
    announce_standard_input(inputs)
    try:
        with Display(quiet=show.quiet, rows=output == "-") as display, cancelled_by_interrupt() as cancel:
            running = {"progress": display.progress, "on_failure": display.failed, "cancel": cancel}
            settings = {**options.keywords(), **running}
            summary = work(inputs, output, empty=show.empty_ok or not inputs, **settings)
    except UnidokuError as error:
        if not isinstance(error.summary, Summary):
            raise
        print_error(error)
        summary = error.summary
        summary.failures.append(error)
        summary.partial.clear()  # said with the error
    if not show.quiet:
        for text in _columns_taken(summary):
            print_message(text)
        print_some(NOTE, summary.notes, len(summary.notes))
        print_some(
            INVALID, summary.rejects, summary.invalid, translatable(" (--rejects PATH writes all of them)")
        )
        if summary.omissions:
            print_some(LEFT_OUT, summary.omissions, summary.without_result)
        if names_wrong:
            counts = summary.task_counts
            print_some(WRONG, summary.mismatches, counts.get("wrong", 0) + counts.get("no_grid", 0))
        print_advice(summary)
    number = summary.puzzles if inputs else summary.written  # without inputs, attempts are counted
    if not summary.is_finished and (number or not summary.failures):
        if not inputs or summary.resume is not None:
            message = stop_message(number)
        else:
            message = stop_message(number, summary.file, summary.line)
            if output == "-" and summary.failures:
                message += say(", but the output is incomplete")
        print_message(message)
    for name in summary.partial:
        text = say("the finished rows are in {name}", name=name)
        if has_older(name):
            text = say("the output is unchanged; the finished rows are in {name}", name=name)
        print_message(text)
    if summary.resume is not None:
        print_message(say("resume: {how}", how=in_words(summary.resume)))
    return summary


_TAKEN = {
    "puzzles": translatable("puzzles in {names}"),
    "solutions": translatable("solutions in {names}"),
    "answers": translatable("answers in {names}"),
}


def _columns_taken(summary: Summary) -> Iterator[str]:
    """Yield the role of each column of the inputs, unless ``puzzle`` is the only one."""
    taken = dict[str, Any]()
    for file in summary.files:
        if len(file.columns) > 1 or file.columns.get("puzzles", ["puzzle"]) != ["puzzle"]:
            texts = (
                say(_TAKEN[role], names=", ".join(map(quote, names))) for role, names in file.columns.items()
            )
            taken.setdefault(say(", ").join(texts), file.file)
    for text, first in islice(taken.items(), MAX_MESSAGES):
        yield text if len(taken) == 1 else say("{file}: {text}", file=first, text=text)
