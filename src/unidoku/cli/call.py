"""A call of a command, and the way from it to what is drawn, printed or written.

`answer` draws or answers the only puzzle of a call, or writes the rows of its task. `report` writes the
report of each puzzle.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import click

from unidoku import kernel
from unidoku.cli.inputs import Input, each_of, each_puzzle, single_puzzle, with_diagnosis
from unidoku.cli.run import WHOLE, CommandResult, is_seed_fresh, run_with_progress
from unidoku.cli.terminal import (
    IMPROPER,
    Show,
    amount,
    is_shown_on_terminal,
    open_text,
    print_error,
    print_report,
    print_some,
    refuse_terminal,
)
from unidoku.compat import view
from unidoku.errors import InvalidPuzzleError, Message, StoppedError, UnidokuError
from unidoku.files.formats import format_named
from unidoku.files.inputs import Inputs
from unidoku.options import READING, Options
from unidoku.runner.run import run
from unidoku.runner.summary import MAX_MESSAGES, Counts, Summary
from unidoku.table.batch import PuzzleRecord
from unidoku.words import say

if TYPE_CHECKING:
    pass

_OF_ROWS = ("to", "columns", "where", "only", "rejects", "resume", "overwrite", "cluster")


class Call:
    """A call of a command: what it does, with which inputs and options, and what is shown.

    Attributes
    ----------
    about : Task, View or None
        The task or the report, with its parameters.
    own : CommandOptions or None
        The options that only the command has.
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
        about: Any,
        *,
        own: Any,
        inputs: list[Input],
        output: Any,
        options: Options,
        show: Show,
        shows: Mapping[str, Callable[[Any, Any], Any]],
    ) -> None:
        self.about: Any = about
        self.own: Any = own
        self.inputs: list[Input] = inputs
        self.output: Any = output
        self.options: Options = options
        self.show: Show = show
        self.shows: Mapping[str, Callable[[Any, Any], Any]] = shows

    @property
    def reading(self) -> dict[str, Any]:
        """How the inputs are read, as arguments of functions that read."""
        return {name: getattr(self.options, name) for name in READING}

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
        return single_puzzle(self.inputs, self.show, self.reading, has_rows=self.output is not None)

    @cached_property
    def rows(self) -> tuple[str | None, Options]:
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

    def run(self, work: Callable[..., Summary] = run, *, names_wrong: bool = True) -> Summary:
        """Write the rows of the task, by `unidoku.run` or other work, and show the progress."""
        if self.options.resume and getattr(self.about, "seed", None) is not None and is_seed_fresh():
            raise click.UsageError(Message("--resume needs the seed of the first run; add --seed S"))
        output, options = self.rows
        work = partial(work, self.about)
        return run_with_progress(work, self.inputs, output, options, self.show, names_wrong=names_wrong)

    def told(
        self, summary: Summary, lines: Sequence[str], notes: Sequence[str] = (), *, is_right: bool
    ) -> CommandResult:
        """Return the result of a run whose counts are its result; next to rows they are notes."""
        if self.rows[0] == "-":
            lines, notes = (), (*lines, *notes)
        return CommandResult(summary, is_right, lines, notes, fields={})


def counted(call: Call, summary: Summary) -> CommandResult:
    """Tell the counts of puzzles if the output is a file, and always with `Task.report_counts`.

    A fresh seed is printed if anything was written with it, even after an error. With ``--json`` the summary
    is an object, unless the rows of a single puzzle are the whole result.
    """
    task, notes = call.about, list[str]()
    rare = [amount(number, name) for name in task.rare_counts if (number := getattr(summary, name))]
    if summary.complete and any((task.report_counts is not None, call.output != "-", rare)):
        texts = [amount(summary.written, "puzzle")]
        has_rows = summary.written > summary.puzzles or call.options.where or call.options.only
        if has_rows and not task.replaces:
            texts = [amount(summary.puzzles - summary.invalid, "puzzle"), amount(summary.written, "row")]
        counts = task.report_counts or ()
        texts += [*(amount(getattr(summary, name), name.removesuffix("s")) for name in counts), *rare]
        if call.inputs:
            texts.append(say("{n} invalid", n=f"{summary.invalid:,}"))
        notes.append(say(", ").join(texts))
    seed = getattr(task, "seed", None)
    fields = None if call.puzzle is not None else {} if seed is None else {"seed": seed}
    return CommandResult(summary, notes=notes, fields=fields, seed=seed if summary.written else None)


def answer(call: Call, tell: Callable[[Call, Summary], CommandResult] = counted) -> CommandResult:
    """Draw or answer the only puzzle of a call; otherwise write the rows of its task and tell the counts."""
    draw = call.shows.get(os.path.splitext(call.output or "")[1].lower())
    if draw is not None:
        return _draw(call, draw)
    puzzle = call.puzzle
    if puzzle is not None:
        try:
            found = _shown(call, puzzle)
        except InvalidPuzzleError as error:
            raise with_diagnosis(error) from None
        if found is not None:
            return found
    summary = call.run()
    show_text = call.shows.get("text", call.shows.get("terminal"))
    has_reason = puzzle is not None and summary.without_result
    if has_reason and show_text and call.show.for_people:
        try:
            show_text(call.about, puzzle)
        except InvalidPuzzleError as error:  # it says what to type about the reason in the row
            print_error(with_diagnosis(error))
    return tell(call, summary)


def _shown(call: Call, puzzle: bytes | str) -> CommandResult | None:
    """Return what is shown of one puzzle as an object or as text; None if it is a row."""
    ways = ["terminal", "text"] if is_shown_on_terminal("-") else ["text"]
    if call.show.json:
        ways = ["json"]
    way = next((way for way in ways if way in call.shows), None)
    found = call.shows[way](call.about, puzzle) if way else None
    if way == "json":
        return as_result(found)
    if found is None:
        return None
    return CommandResult(text=[found] if isinstance(found, str) else found)


def as_result(found: Any) -> CommandResult:
    """Return the result that ``--json`` prints: a dataclass, a list of them, an object with JSON, or null."""
    if isinstance(found, CommandResult):
        return found
    if isinstance(found, list):
        row: Any = [*map(asdict, found)]
    elif hasattr(found, "to_json"):
        row = found.to_json()
    else:
        row = None if found is None else asdict(found)
    return CommandResult(rows=[row], is_right=getattr(found, "complete", True))  # of steps


def _draw(call: Call, draw: Callable[[Any, Any], str | bytes]) -> CommandResult:
    """Write the picture or page of the only puzzle, or of several, to a file."""
    if call.asks_rows or call.options.rejects:
        text = "{output} is a picture and has no rows; omit --to, --columns, --only and --rejects"
        raise click.UsageError(Message(text, output=call.output))
    puzzle: Any = call.only_puzzle()
    if puzzle is None:
        if call.output.lower().endswith((".svg", ".png")) or not getattr(call.about, "has_sheets", False):
            text = (
                "a picture shows one puzzle, but the inputs have several or none; type the 81 characters "
                "of one"
            )
            raise click.UsageError(Message(text))
        puzzle = (each.cells for each in each_of(call.inputs, **call.reading))
    try:
        picture = draw(call.about, puzzle)
    except InvalidPuzzleError as error:
        raise with_diagnosis(error) from None
    with open_text(call.output, Inputs(call.inputs)) as file:
        click.echo(bytes_of(picture, call.output.lower()), file, nl=False)
    return CommandResult()


def bytes_of(page: str | bytes, to: str = "") -> bytes:
    """Return the content of a page, or of a picture as SVG, which can become a PNG."""
    if to.endswith("png"):
        page = view("pdf.png", page)
    return page if isinstance(page, bytes) else page.encode()


def report(call: Call) -> CommandResult:
    """Write the report of each puzzle to the output."""
    to, shown = call.options.to or "", call.about
    if to in WHOLE:
        refuse_terminal(call.output, f"--to {to}")
    if is_shown_on_terminal(call.output):
        shown = shown.on_terminal()
    render, is_whole = getattr(shown, "svg" if to == "png" else to), to in WHOLE
    are_right, is_complete, summary = True, not is_whole, Summary(isa=kernel.isa())
    improper: list[UnidokuError] = []

    def write(puzzle: PuzzleRecord, title: str) -> None:
        nonlocal are_right, is_complete
        if is_whole and title:
            text = "a {what} shows one puzzle, but the inputs have several; type the 81 characters of one"
            what = Message("picture") if to in {"svg", "png"} else Message("page")
            raise click.UsageError(Message(text, what=what))
        subject = shown.subject(puzzle.cells)
        are_right &= shown.is_right(subject)
        if note := shown.note(subject):
            improper.append(with_diagnosis(note.at(puzzle.source, puzzle.line)))
        if is_whole:
            click.echo(bytes_of(render(subject), to), file, nl=False)
            is_complete = True
        else:
            print_report(render(subject, title), file)

    position = None
    if shown.takes_positions:
        position = single_puzzle(call.inputs, call.show, call.reading)
    sources = Inputs(call.inputs)  # before the output is there, which a pattern may match
    with open_text(call.output, sources, summary) as file:
        if isinstance(position, str):
            try:
                write(PuzzleRecord(1, position), "")
            except InvalidPuzzleError as error:
                raise with_diagnosis(error) from None
            summary.add(Counts(puzzles=1, written=1))
        else:
            each_puzzle(sources, write, summary, call.show, call.options.puzzle_timeout, **call.reading)
        if summary.failures or not is_complete:
            raise StoppedError
    print_some(IMPROPER, improper[:MAX_MESSAGES], len(improper))
    is_one = summary.complete and (summary.puzzles, summary.invalid) == (1, 0)
    says_everything = is_one and call.output == "-"
    return CommandResult(summary, are_right, fields=None if says_everything else {})
