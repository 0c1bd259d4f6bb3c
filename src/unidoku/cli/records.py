"""``unidoku explain``, ``diagnose`` and ``trace``: what is known of each puzzle, as text, JSON or pages."""

from __future__ import annotations

import json
import sys
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import click

from unidoku.cli.command import command, take
from unidoku.cli.inputs import accepts_empty, each_puzzle, inputs_argument, refuse_empty
from unidoku.cli.options import READING, TABLE, WORDS, number, options
from unidoku.cli.run import exit_code, run_inputs
from unidoku.cli.streams import open_text
from unidoku.cli.terminal import TO_ASCII, must_be_ascii, print_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TextIO

    from unidoku.cli.inputs import Input
    from unidoku.craft.diagnose import Diagnosis
    from unidoku.files.base import PuzzleRecord
    from unidoku.method.report import Line
    from unidoku.rating.step import Language
    from unidoku.view.player import Playback

T = TypeVar("T")

_BOOK = (
    *("matrices", "every_step", "marks", "numbering", "no_grids", "names"),
    *("theorems", "units", "sweep", "no_extended", "no_subsets", "presets"),
)
"""The options of the book's method only."""


def _formats(*formats: str) -> dict[str, Any]:
    """Return the settings of ``--to`` for records in these formats."""
    said = f"{', '.join(formats)}; with html and --output DIR/, a page per puzzle and an index.html"
    absent = f"by the suffix of --output, else {formats[0]}"
    return {"of": said, "type": click.Choice(formats), "callback": _by_suffix, "absent": absent}


def _by_suffix(ctx: click.Context, parameter: click.Parameter, to: str | None) -> str:
    """Return the format of the records: that of ``--to``, else of the output's name, else text."""
    assert isinstance(parameter.type, click.Choice)
    output = ctx.params["output"]
    named = "html" if output.endswith("/") else output.rpartition(".")[2]
    return to or (named if named in parameter.type.choices else "text")


def _write(
    inputs: Sequence[Input],
    write: Callable[[PuzzleRecord, TextIO, bool], None],
    page: Callable[[str, str | None], str],
    *,
    to: str,
    output: str,
    title: str,
    lang: str = "en",
    **reading: Any,
) -> int:
    """Write the record of each puzzle to an output, or a page of each to a folder; return the exit code."""
    if to == "html" and output != "-":
        from unidoku.view.folder import is_folder, write_pages

        if is_folder(output):
            settings = {"page": page, "title": title, "lang": lang, "empty": accepts_empty(), **reading}
            done = run_inputs(write_pages, inputs, output, goes_on=True, **settings)
            if done.complete and not done.failures:
                refuse_empty(done.puzzles, inputs)
            return exit_code(done) or min(done.invalid, 1)

    def write_one(puzzle: PuzzleRecord, several: bool) -> None:
        if to != "html":
            write(puzzle, sink, several)
        elif several:
            raise click.UsageError(
                "--to html takes one puzzle; the inputs have several: write a folder with --output DIR/."
            )
        else:
            click.echo(page(puzzle.cells, None).encode(), sink, nl=False)

    with open_text(output, inputs) as sink:
        return each_puzzle(inputs, write_one, **reading)


def _page_of(played: Callable[[str, int | None], Playback]) -> Callable[[str, str | None], str]:
    """Return the function that makes the page of a puzzle.

    ``played`` gives the record of a puzzle; with a number, as much as a page of so many characters has.
    A page of a folder is made for the index that lists it, a single page for None.
    """

    def page(cells: str, index: str | None) -> str:
        from unidoku.view.folder import PAGE_SIZE

        return played(cells, None if index is None else PAGE_SIZE).page(index=index)

    return page


def _heading(puzzle: PuzzleRecord) -> str:
    """Return the line that names a puzzle, for outputs about several puzzles."""
    return f"# {puzzle.source}:{puzzle.line} {puzzle.cells}"


def _print(
    lines: Iterable[Line], puzzle: PuzzleRecord, sink: TextIO, several: bool, *, lang: str, ascii_only: bool
) -> None:
    """Print the lines of a record."""
    from unidoku.method.report import Line

    if must_be_ascii(sink, lang, ascii_only):
        lines = (line._replace(text=line.text.translate(TO_ASCII)) for line in lines)
    print_lines(chain([Line("title", _heading(puzzle))] if several else [], lines), sink)


def _print_json(value: object, sink: TextIO) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(), sink)


@command(
    "unidoku explain puzzles.txt --to html -o explained/",
    "unidoku explain puzzles.txt --method book --no-grids",
)
@inputs_argument
@options(
    *("method", "output", "to", "full", "matrices", "every_step", "marks", "numbering", "no_grids"),
    *(*WORDS, "theorems", "units", "sweep", "no_extended", "no_subsets", "presets", *READING),
    to=_formats("text", "json", "html", "library"),
    every_step="grids and matrices after it",
)
def explain(inputs: list[Input], *, method: str, **options: Any) -> int:
    """Explain each puzzle, step by step.

    The steps are those that Sudoku Explainer takes, from the easiest technique on. A puzzle with no or
    several solutions has none: diagnose tells more about it. JSON is an object per puzzle.

    --method book explains by the numerical-analysis method. On a terminal the text has one line per
    conversion, rule and preset; --full, --matrices, --every-step, --marks and --no-grids print the full text
    there. A puzzle with several solutions is explained up to the point where presets would begin. --to
    library has the singles and locked candidates as lines of a HoDoKu library. The last twelve options but
    those for reading are for this method only.
    """
    if method == "book":
        return _explain_by_book(inputs, **options)
    ctx = click.get_current_context()
    for name in _BOOK:
        if ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            raise click.UsageError(f"{TABLE[name].flags.split()[0]} is for --method book.")
        del options[name]
    if options["to"] == "library":
        raise click.UsageError("--to library is for --method book.")
    return _explain_by_steps(inputs, **options)


def _is_short(full: bool | None, output: str) -> bool:
    """Return whether a report has one line per step: if asked to, and by default on a terminal."""
    return not full if full is not None else output == "-" and sys.stdout.isatty()


def _explain_by_steps(
    inputs: list[Input], *, full: bool | None, ascii_only: bool, lang: Language, **options: Any
) -> int:
    """Write the steps of Sudoku Explainer."""
    from unidoku.method.report import Line
    from unidoku.rating.path import steps
    from unidoku.rating.report import Sentences
    from unidoku.view.steps import WORDS as PAGE_WORDS, play_steps, summary

    words = Sentences(lang)
    say = words.sentence if _is_short(full, options["output"]) else words.whole

    def played(cells: str, size: int | None = None) -> Playback:
        return play_steps(steps(cells), lang=lang, size=size)

    def write(puzzle: PuzzleRecord, sink: TextIO, several: bool) -> None:
        path = steps(puzzle.cells)
        if options["to"] == "json":
            er, ep, ed = path.rating
            data = {"puzzle": puzzle.cells, "er": er, "ep": ep, "ed": ed}
            _print_json({**data, "steps": [step.as_dict(lang) for step in path]}, sink)
            return
        lines = chain(
            (Line("step", say(step).replace("\n", "\n    ")) for step in path),
            [Line("end", summary(path, lang))],
        )
        _print(lines, puzzle, sink, several, lang=lang, ascii_only=ascii_only)

    return _write(inputs, write, _page_of(played), title=PAGE_WORDS[lang]["title"], lang=lang, **options)


def _explain_by_book(
    inputs: list[Input], *, full: bool | None, ascii_only: bool, lang: str, no_grids: bool, **options: Any
) -> int:
    """Write the records of the numerical-analysis method."""
    from unidoku.files.formats.library import format_line
    from unidoku.method.library import library_lines
    from unidoku.method.report import Words, report
    from unidoku.method.rules import Order, explain as record_of

    shown = take(options, ("names", "matrices", "every_step", "marks", "numbering"))
    details = any(shown[name] for name in ("matrices", "every_step", "marks")) or no_grids
    if full is False and details:
        raise click.UsageError(
            "--short prints no grids: omit --matrices, --every-step, --marks and --no-grids."
        )
    short = _is_short(True if details else full, options["output"])
    order = Order(
        _in_order(options.pop("theorems"), {"2": 2, "3": 3, "4": 4}, "324", "--theorems"),
        _in_order(options.pop("units"), {"I": "row", "J": "column", "G": "box"}, "GIJ", "--units"),
        sweep=options.pop("sweep"),
        extended=not options.pop("no_extended"),
        subsets=not options.pop("no_subsets"),
    )
    record = partial(record_of, order=order, presets=options.pop("presets"))

    def played(cells: str, size: int | None = None) -> Playback:
        from unidoku.view.explain import play_record

        return play_record(record(cells), lang=lang, size=size)

    def write(puzzle: PuzzleRecord, sink: TextIO, several: bool) -> None:
        found = record(puzzle.cells)
        if options["to"] == "json":
            _print_json(found.as_dict(matrices=shown["matrices"]), sink)
        elif options["to"] == "library":
            for line in library_lines(found):
                click.echo(format_line(line), sink)
        else:
            lines = report(found, lang=lang, pictures=not no_grids, short=short, **shown)
            _print(lines, puzzle, sink, several, lang=lang, ascii_only=ascii_only)

    return _write(inputs, write, _page_of(played), title=Words(lang).say("title"), lang=lang, **options)


def _in_order(text: str, names: dict[str, T], example: str, option: str) -> tuple[T, T, T]:
    """Return what the letters of an option stand for, in its order."""
    if sorted(text.upper()) != sorted(names):
        expected = "{}, {} and {}".format(*names)
        raise click.BadParameter(
            f"invalid order {text!r}; expected {expected} in any order, for example {example}",
            param_hint=option,
        )
    first, second, third = (names[letter] for letter in text.upper())
    return first, second, third


@command(
    "unidoku diagnose puzzles.txt --to json",
    "unidoku diagnose puzzles.txt --to html -o diagnoses/",
)
@inputs_argument
@options(
    *("limit", "output", "to", *WORDS, *READING),
    limit={"of": ", at least 2", "type": number(2), "default": 1000},
    names={"default": "rc"},
    to=_formats("text", "json", "html"),
)
def diagnose(
    inputs: list[Input], *, limit: int, ascii_only: bool, lang: str, names: str, **options: Any
) -> int:
    """Explain why a puzzle does not have exactly one solution.

    Several solutions: two of them, and a few clues that leave only one. No solution: a smallest set of
    clues that contradict each other, and the chain that shows it. One solution: the redundant clues.

    The exit code is 0 if every puzzle has exactly one solution, 1 if not, 2 after an error.
    """
    from unidoku.craft.diagnose import diagnose as diagnosis_of
    from unidoku.method.report import Words
    from unidoku.verdict import Verdict
    from unidoku.view.diagnose import diagnose_page, report

    improper = False

    def diagnosed(cells: str) -> Diagnosis:
        nonlocal improper
        found = diagnosis_of(cells, limit=limit)
        improper |= found.verdict is not Verdict.UNIQUE
        return found

    def page(cells: str, index: str | None) -> str:
        return diagnose_page(diagnosed(cells), lang=lang, index=index)

    def write(puzzle: PuzzleRecord, sink: TextIO, several: bool) -> None:
        found = diagnosed(puzzle.cells)
        if options["to"] == "json":
            _print_json(found.as_dict(), sink)
        else:
            lines = report(found, lang=lang, names=names)
            _print(lines, puzzle, sink, several, lang=lang, ascii_only=ascii_only)

    code = _write(inputs, write, page, title=Words(lang).say("diagnose.title"), lang=lang, **options)
    return max(code, int(improper))


@command("unidoku trace puzzles.txt --budget 20", "unidoku trace puzzles.txt --to html -o searches/")
@inputs_argument
@options(
    *("output", "to", "mode", "every_filter", "budget", *READING),
    to=_formats("text", "jsonl", "html"),
    budget={"of": "steps of a puzzle", "metavar": "STEPS"},
)
def trace(inputs: list[Input], *, mode: int, every_filter: bool, budget: int | None, **options: Any) -> int:
    """Print every step of the search in each puzzle.

    The text has the messages that the console prints during the search, and the grid and the "Fine" line
    of each solution when it is found. JSON lines also have the events that the console does not print. A page
    shows the grid after every unit of work.
    """
    from unidoku.stepper.controller import Session, trace as trace_of
    from unidoku.stepper.events import QuizLoaded, SolutionFound
    from unidoku.stepper.report import lines, solution_lines

    def played(cells: str, size: int | None = None) -> Playback:
        from unidoku.view.trace import play_trace

        return play_trace(Session(cells, mode=mode), steps=budget, size=size)

    def texts(puzzle: PuzzleRecord, several: bool) -> Iterator[str]:
        events = trace_of(puzzle.cells, mode=mode, budget=budget)
        if options["to"] == "jsonl":
            heading = [QuizLoaded(0, 0, puzzle.cells)] if several else []
            for event in chain(heading, events):
                yield json.dumps(event.to_json(), separators=(",", ":"))
            return
        if several:
            yield _heading(puzzle)
        for event in events:
            if isinstance(event, SolutionFound):
                yield from solution_lines(event)
            else:
                yield from lines(event, every_filter=every_filter)

    def write(puzzle: PuzzleRecord, sink: TextIO, several: bool) -> None:
        sink.writelines(f"{text}\n" for text in texts(puzzle, several))

    return _write(inputs, write, _page_of(played), title="Searches, step by step", **options)
