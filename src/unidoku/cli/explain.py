"""``unidoku explain``: how a person solves a puzzle, step by step, in words."""

from __future__ import annotations

import json
import sys
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import click

from unidoku.cli.command import command
from unidoku.cli.inputs import heading, inputs_argument
from unidoku.cli.options import READING, TABLE, WORDS, options
from unidoku.cli.pages import page_of, records_in, write_records
from unidoku.cli.terminal import must_be_ascii, print_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from unidoku.cli.inputs import Input
    from unidoku.files.puzzles import Puzzle
    from unidoku.method.report import Line
    from unidoku.rating.path import Steps
    from unidoku.rating.step import Language
    from unidoku.view.player import Playback

__all__ = ["explain"]

T = TypeVar("T")


_BOOK = (
    *("matrices", "every_step", "marks", "numbering", "no_grids", "names"),
    *("theorems", "units", "sweep", "no_extended", "no_subsets", "presets"),
)
"""The options of the book's method only."""

_ASCII = str.maketrans({"≠": "<>", "→": "->", "⇒": "=>"})


@command(
    "explain",
    "unidoku explain puzzles.txt --to html -o explained/",
    "unidoku explain puzzles.txt --method book --no-grids",
)
@inputs_argument()
@options(
    *("method", "output", "to", "full", "matrices", "every_step", "marks", "numbering", "no_grids"),
    *(*WORDS, "theorems", "units", "sweep", "no_extended", "no_subsets", "presets", *READING),
    to=records_in("text", "json", "html", "library"),
    every_step="grids and matrices after it",
)
@click.pass_context
def explain(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    method: str,
    **options: Any,
) -> None:
    """Explain each puzzle, step by step.

    The steps are those that Sudoku Explainer takes, from the easiest technique on. A puzzle with no or
    several solutions has none: diagnose tells more about it. JSON is an object per puzzle.

    --method book explains by the numerical-analysis method. On a terminal the text has one line per
    conversion, rule and preset; --full, --matrices, --every-step, --marks and --no-grids print the full text
    there. A puzzle with several solutions is explained up to the point where presets would begin. --to
    library has the singles and locked candidates as lines of a HoDoKu library. The last twelve options but
    those for reading are for this method only.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    if method == "book":
        ctx.exit(_explain_by_book(inputs, **options))
    for name in _BOOK:
        if ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            raise click.UsageError(f"{TABLE[name].flags.split()[0]} is for --method book.")
        del options[name]
    if options["to"] == "library":
        raise click.UsageError("--to library is for --method book.")
    ctx.exit(_explain_by_steps(inputs, **options))


def _explain_by_steps(
    inputs: list[Input], *, to: str, full: bool | None, ascii_only: bool, lang: Language, **options: Any
) -> int:
    """Write the steps of Sudoku Explainer."""
    from unidoku.method.report import Line
    from unidoku.rating.path import steps
    from unidoku.rating.report import Sentences
    from unidoku.view.steps import WORDS as PAGE_WORDS, play_steps, summary

    say = Sentences(lang)

    short = not full if full is not None else options["output"] == "-" and sys.stdout.isatty()

    def played(cells: str, size: int | None = None) -> Playback:
        return play_steps(steps(cells), lang=lang, size=size)

    def lines(path: Steps, sink: TextIO) -> Iterator[Line]:
        for step in path:
            text = say.sentence(step) if short else say.whole(step)
            if ascii_only or must_be_ascii(lang, sink):
                text = text.translate(_ASCII)
            yield Line("step", text.replace("\n", "\n    "))
        yield Line("end", summary(path, lang))

    def write(puzzle: Puzzle, sink: TextIO, several: bool) -> None:
        path = steps(puzzle.cells)
        if to == "json":
            er, ep, ed = path.rating
            data = {"puzzle": puzzle.cells, "er": er, "ep": ep, "ed": ed}
            data["steps"] = [step.as_dict(lang) for step in path]
            click.echo(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), sink)
            return
        heading_line = [Line("title", f"# {heading(puzzle)}")] if several else []
        print_lines(chain(heading_line, lines(path, sink)), sink)

    options |= {"to": to, "title": PAGE_WORDS[lang]["title"], "lang": lang}
    return write_records(inputs, write, page_of(played), **options)


def _explain_by_book(
    inputs: list[Input],
    *,
    to: str,
    output: str,
    full: bool | None,
    matrices: bool,
    every_step: bool,
    marks: bool,
    numbering: bool,
    no_grids: bool,
    ascii_only: bool,
    lang: str,
    names: str,
    theorems: str,
    units: str,
    sweep: bool,
    no_extended: bool,
    no_subsets: bool,
    presets: int,
    **options: Any,
) -> int:
    """Write the records of the numerical-analysis method."""
    from unidoku.files.formats.library import format_line
    from unidoku.method.library import library_lines
    from unidoku.method.report import Line, Words, report
    from unidoku.method.rules import Order, explain as record_of

    details = matrices or every_step or marks or no_grids
    if full is False and details:
        raise click.UsageError(
            "--short prints no grids: omit --matrices, --every-step, --marks and --no-grids."
        )
    to_terminal = output == "-" and sys.stdout.isatty()
    short = not full if full is not None else to_terminal and not details
    order = Order(
        _in_order(theorems, {"2": 2, "3": 3, "4": 4}, "324", "--theorems"),
        _in_order(units, {"I": "row", "J": "column", "G": "box"}, "GIJ", "--units"),
        sweep=sweep,
        extended=not no_extended,
        subsets=not no_subsets,
    )

    def played(cells: str, size: int | None = None) -> Playback:
        from unidoku.view.explain import play_record

        return play_record(record_of(cells, order, presets=presets), lang=lang, size=size)

    page = page_of(played)

    def write(puzzle: Puzzle, sink: TextIO, several: bool) -> None:
        record = record_of(puzzle.cells, order, presets=presets)
        if to == "json":
            data = record.as_dict(matrices=matrices)
            click.echo(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), sink)
        elif to == "library":
            for line in library_lines(record):
                click.echo(format_line(line), sink)
        else:
            heading_line = [Line("title", f"# {heading(puzzle)}")] if several else []
            lines = report(
                record,
                lang=lang,
                names=names,
                ascii_only=ascii_only or must_be_ascii(lang, sink),
                matrices=matrices,
                every_step=every_step,
                marks=marks,
                numbering=numbering,
                pictures=not no_grids,
                short=short,
            )
            print_lines(chain(heading_line, lines), sink)

    options |= {"to": to, "output": output}
    title = Words(lang).say("title")
    return write_records(inputs, write, page, title=title, lang=lang, **options)


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
