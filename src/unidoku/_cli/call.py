"""A call of a command, and the way from it to what is drawn, printed or written.

`Call.answer` draws or answers the only puzzle of a call, or writes the rows of its task. `Call.report`
writes the report of each puzzle.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain, islice
from typing import Any, Generic, TypeAlias, TypeVar

import click

from unidoku import kernel
from unidoku._cli.inputs import (
    Input,
    announce_standard_input,
    each_of,
    lone_puzzle,
    print_advice,
    with_diagnosis,
    worked_on,
)
from unidoku._cli.run import WHOLE, CommandResult, is_seed_fresh, report_format, run_with_progress
from unidoku._cli.terminal import (
    IMPROPER,
    NOTE,
    amount,
    is_shown_on_terminal,
    open_text,
    print_error,
    print_report,
    print_some,
    refuse_terminal,
)
from unidoku._compat import view
from unidoku._options import READING, Options, Show
from unidoku._table.batch import PuzzleRecord
from unidoku._words import say
from unidoku.errors import InvalidPuzzleError, Message, StoppedError, UnidokuError
from unidoku.files._formats import format_named
from unidoku.files._inputs import Inputs, read_puzzles, refuse_empty
from unidoku.runner._run import run
from unidoku.runner._summary import MAX_MESSAGES, Counts, Summary

_OF_ROWS = ("to", "columns", "where", "only", "rejects", "resume", "overwrite", "cluster")


Showing: TypeAlias = Callable[[Any, bytes | str], CommandResult | None]
"""A function that shows one puzzle by a task; None if its row says more."""

About = TypeVar("About")
Own = TypeVar("Own")


class Call(Generic[About, Own]):
    """A call of a command: what it does, with which inputs and options, and what is shown.

    Attributes
    ----------
    about : Task, View or None
        The task or the report, with its parameters.
    own : CommandOptions or None
        The options that only the command has.
    is_one : bool
        Whether ``--json`` prints the row of the only puzzle, without a summary.
    inputs : list of Input
        An input that was opened to look at its puzzles is replaced by the open file.
    output : str, tuple of str or None
        A path, or several if the command has several outputs; ``-`` is standard output.
    options : Options
        How the inputs are read, and rows are written.
    show : Show
    shows : mapping of str to callable
        Functions that show one puzzle, by how: see `Command`.
    """

    def __init__(
        self,
        about: About,
        *,
        own: Own,
        inputs: list[Input],
        output: str | tuple[str, ...] | None,
        options: Options,
        show: Show,
        shows: Mapping[str, Showing],
    ) -> None:
        self.about: About = about
        self.own: Own = own
        self.inputs: list[Input] = inputs
        self.output: str | tuple[str, ...] | None = output
        self.options: Options = options
        self.show: Show = show
        self.shows: Mapping[str, Showing] = shows
        self.is_one: bool = False

    @property
    def path(self) -> str:
        """The output of a command that always has one."""
        return str(self.output)

    @property
    def reading(self) -> dict[str, Any]:
        """How the inputs are read, as arguments of functions that read."""
        reading = {name: getattr(self.options, name) for name in READING}
        return {**reading, "has_positions": getattr(self.about, "takes_positions", False)}

    @property
    def asks_rows(self) -> bool:
        """Whether an option says how rows are written, or which."""
        return any(getattr(self.options, name) is not None for name in _OF_ROWS[:4])

    @cached_property
    def puzzle(self) -> bytes | str | None:
        """The puzzle of inputs that hold no other; None if its row goes to a file."""
        return self.only_puzzle() if self.output in {"-", None} else None

    def only_puzzle(self) -> bytes | str | None:
        """Return the puzzle of inputs that hold no other; None if an option is about rows."""
        if any(getattr(self.options, name) for name in _OF_ROWS):
            return None
        return lone_puzzle(self.inputs, self.show, self.reading, has_rows=self.output is not None)

    @cached_property
    def picture(self) -> str:
        """The format of the picture or page that the output's name requests; empty if the task draws none."""
        to = report_format(os.path.splitext(self.path)[1], WHOLE)
        if _drawing(self.about, to) is None:
            return ""
        if self.asks_rows or self.options.rejects:
            text = (
                "{output} is a picture and has no rows; omit --to, --columns, --where, --only and --rejects"
            )
            raise click.UsageError(Message(text, output=self.output))
        return to

    @cached_property
    def rows(self) -> tuple[str | tuple[str, ...] | None, Options]:
        """Where rows go, if an option asks for them, and how they are written.

        With ``--json`` they are JSON lines on standard output, if they do not go to a file.
        """
        to = self.options.to
        if self.show.json and self.output in {None, "-"}:
            if to is not None and format_named(to)[0].name != "jsonl":
                text = "--json prints JSON lines, not {to}; to also write {to}, add --output PATH"
                raise click.UsageError(Message(text, to=to))
            return "-", replace(self.options, to="jsonl")
        if self.output is None and self.asks_rows:
            return "-", self.options
        return self.output, self.options

    def write(self, page: str | bytes, to: str = "") -> None:
        """Write a page, or a picture, which can become a PNG, to the output."""
        with open_text(self.path, Inputs(self.inputs)) as file:
            click.echo(bytes_of(page, to), file, nl=False)

    def run(self, work: Callable[..., Summary] = run, *, names_wrong: bool = True) -> Summary:
        """Write the rows of the task, by `unidoku.run` or other work, and show the progress."""
        self.is_one = self.show.json and self.puzzle is not None
        if self.options.resume and getattr(self.about, "seed", None) is not None and is_seed_fresh():
            raise click.UsageError(Message("--resume needs the seed of the first run; add --seed S"))
        output, options = self.rows
        work = partial(work, self.about)
        return run_with_progress(work, self.inputs, output, options, self.show, names_wrong=names_wrong)

    def told(
        self,
        summary: Summary,
        lines: Iterable[str] = (),
        notes: Iterable[str] = (),
        *,
        is_right: bool = True,
        seed: int | None = None,
        rows: Iterable[object] = (),
        **fields: object,
    ) -> CommandResult:
        """Return the result of a run: its counts in words, and the fields of its summary.

        Next to rows on standard output the counts are notes. A fresh seed is printed if anything was written
        with it, even after an error.
        """
        if self.rows[0] == "-":
            lines, notes = (), (*lines, *notes)
        if seed is not None:
            fields = {"seed": seed, **fields}
        shown: dict[str, Any] = {"seed": seed if summary.written else None, "rows": rows}
        if not self.is_one:
            shown["fields"] = fields
        return CommandResult(summary, is_right, counts=lines, notes=notes, **shown)

    def answer(self, tell: Callable[[Summary], CommandResult] | None = None) -> CommandResult:
        """Draw or answer the only puzzle; otherwise write the rows of the task and tell their counts."""
        if self.picture:
            self.options = replace(self.options, to=self.picture)
            return self.report()
        puzzle, way = self.puzzle, "text"
        if is_shown_on_terminal("-"):
            way = "terminal"
        if self.show.json:
            way = "json"
        show = self.shows.get(way, self.shows.get("text"))
        if puzzle is not None and show is not None:
            try:
                found = show(self, puzzle)
            except InvalidPuzzleError as error:
                raise with_diagnosis(error) from None
            if found is not None:
                return found
        return (tell or self.counted)(self.run())

    def counted(self, summary: Summary) -> CommandResult:
        """Tell the counts of puzzles if the output is a file, and always with `Task.report_counts`."""
        task: Any = self.about
        notes = list[str]()
        rare = [amount(number, name) for name in task.rare_counts if (number := getattr(summary, name))]
        if summary.complete and any((task.report_counts is not None, self.output != "-", rare)):
            texts = [amount(summary.written, "puzzle")]
            if not task.replaces and (summary.written > summary.puzzles or self.options.conditions()):
                texts = [amount(summary.puzzles - summary.invalid, "puzzle"), amount(summary.written, "row")]
            counts = task.report_counts or ()
            texts += [*(amount(getattr(summary, name), name.removesuffix("s")) for name in counts), *rare]
            if self.inputs:
                texts.append(say("{n} invalid", n=f"{summary.invalid:,}"))
            notes.append(say(", ").join(texts))
        return self.told(summary, notes=notes, seed=getattr(task, "seed", None))

    def report(self) -> CommandResult:
        """Write the report of each puzzle to the output."""
        shown: Any = self.about
        to = str(self.options.to)
        is_whole = to in WHOLE
        if is_whole:
            refuse_terminal(self.path, f"--to {to}")
        if is_shown_on_terminal(self.path):
            shown = shown.on_terminal()
        render: Any = _drawing(shown, to)
        are_right, summary = True, Summary(isa=kernel.isa())

        def write(puzzle: PuzzleRecord, title: str) -> None:
            nonlocal are_right
            if is_whole and title:
                text = "a page or picture shows one puzzle, but the inputs have several; type 81 characters"
                raise click.UsageError(Message(text))
            subject = shown.subject(puzzle.subject)
            are_right &= shown.is_right(subject)
            if is_whole:
                click.echo(bytes_of(render(subject), to), file, nl=False)
            else:
                print_report(render(subject, title), file)

        position = None
        if shown.takes_positions:
            position = lone_puzzle(self.inputs, self.show, self.reading)
        sources = Inputs(self.inputs)  # before the output is there, which a pattern may match
        with open_text(self.path, sources, summary) as file:
            self.each_noted(sources, summary, write, seconds=self.options.puzzle_timeout, position=position)
            if summary.failures or not summary.written:
                raise StoppedError
        self.is_one = self.output == "-" and summary.complete and (summary.puzzles, summary.invalid) == (1, 0)
        return CommandResult(summary, are_right, fields=None if self.is_one else {})

    def each_noted(
        self,
        sources: Inputs,
        summary: Summary,
        work: Callable[[PuzzleRecord, str], None],
        *,
        seconds: float | None = None,
        names: bool | str = False,
        position: object = None,
    ) -> int:
        """Do the work of a command puzzle by puzzle, and count them; print an error for each other record.

        ``work`` is called with each puzzle, and with a line that names it if there are several. Return how
        many puzzles have a note; the first notes are printed.
        """
        about: Any = self.about
        noted, tallies = list[UnidokuError](), dict[str | None, Counts]()

        def work_on(puzzle: PuzzleRecord, title: str) -> None:
            work(puzzle, title)
            if note := about.note(puzzle.cells):
                noted.append(with_diagnosis(note.at(puzzle.source, puzzle.line)))

        records: Generator[PuzzleRecord | UnidokuError] = read_puzzles(sources, names=names, **self.reading)
        if isinstance(position, str):
            sources.entries[0].close()
            records = (PuzzleRecord(1, text) for text in [position])
        announce_standard_input(sources.entries)
        began = time.perf_counter()
        try:
            with closing(records):
                first_two = list(islice(records, 2))
                for record in chain(first_two, records):
                    if isinstance(record, PuzzleRecord):
                        counts = worked_on(record, work_on, seconds, is_one=len(first_two) == 1)
                    elif isinstance(record, InvalidPuzzleError):
                        print_error(record)
                        counts = Counts(file=record.file, puzzles=1, invalid=1, reasons={record.code: 1})
                    else:
                        print_error(record)
                        counts = Counts(file=record.file)
                        summary.fail(record)
                    tallies.setdefault(counts.file, Counts(file=counts.file)).add(counts)
                    summary.add(counts)
                    if counts.puzzles:
                        summary.file, summary.line = counts.file, record.line
        finally:
            summary.files, summary.seconds = [*tallies.values()], time.perf_counter() - began
        print_advice(summary)
        if not summary.failures:
            refuse_empty(summary.puzzles, sources.entries)
        print_some(IMPROPER, noted[:MAX_MESSAGES], len(noted))
        return len(noted)

    def puzzles(self) -> Iterator[PuzzleRecord]:
        """Yield the puzzles of the inputs; the first record that is none is an error."""
        return each_of(self.inputs, self.reading)

    def note(self, error: InvalidPuzzleError) -> None:
        """Print an error as a note, with the command that shows why."""
        print_some(NOTE, [with_diagnosis(error)], 1)


def _drawing(about: Any, to: str) -> Callable[..., Any] | None:
    """Return the method that draws a format: for a PNG a picture, or else a PDF; None if there is none."""
    names = {"png": ("png", "svg", "pdf")}.get(to, (to,))
    return next((getattr(about, name) for name in names if hasattr(about, name)), None)


def bytes_of(page: str | bytes, to: str = "") -> bytes:
    """Return the content of a page; an SVG or a PDF can become a PNG."""
    if page and to.endswith("png"):
        page = view("pdf.png", page)
    return page if isinstance(page, bytes) else page.encode()
