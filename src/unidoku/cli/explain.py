"""``unidoku explain``: the numerical-analysis method, step by step, in words."""

from __future__ import annotations

import json
import sys
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import click

from unidoku.cli.inputs import PuzzleCommand, heading, inputs_argument
from unidoku.cli.options import WORDS, Number, choice, reading
from unidoku.cli.pages import OUTPUT, page_of, write_records
from unidoku.cli.terminal import must_be_ascii, print_lines

if TYPE_CHECKING:
    from typing import TextIO

    from unidoku.cli.inputs import Input
    from unidoku.files.puzzles import Puzzle
    from unidoku.view.player import Playback

__all__ = ["command"]

T = TypeVar("T")


@click.command("explain", cls=PuzzleCommand)
@inputs_argument()
@choice(
    "--format",
    "form",
    values=["text", "json", "html", "library"],
    help="Print text, JSON (an object per puzzle), a page (html), or the singles and "
    "locked candidates as lines of a HoDoKu library.",
)
@OUTPUT
@click.option(
    "--full/--short",
    default=None,
    help="Print every zeroing with its reasons and the grids, or one line per step.  [default: short on a "
    "terminal, full elsewhere]",
)
@click.option(
    "--matrices",
    is_flag=True,
    help="Show the matrices NA, KH, MMK and NAK where nothing converts; in JSON after every step.",
)
@click.option("--every-step", is_flag=True, help="Show grids and matrices after every step.")
@click.option("--marks", is_flag=True, help="Show the mark of every zero in the grids (118 columns wide).")
@click.option("--numbering", is_flag=True, help="First show the numbers I, II, JJ and KG of every cell.")
@click.option("--no-grids", is_flag=True, help="Omit the grids of pencil marks.")
@WORDS
@click.option(
    "--theorems",
    default="423",
    show_default=True,
    metavar="ORDER",
    help="Look for the theorems in this order; 4 in front saves the zeroing of the ninth cell.",
)
@click.option(
    "--units",
    default="IJG",
    show_default=True,
    metavar="ORDER",
    help="Search rows (I), columns (J) and boxes (G) in this order.",
)
@click.option(
    "--sweep", is_flag=True, help="Continue the search at a conversion, and start again only at the end."
)
@click.option("--no-extended", is_flag=True, help="Do not use extended zeroing.")
@click.option("--no-subsets", is_flag=True, help="Do not use subsets.")
@click.option(
    "--presets",
    type=Number(0),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Stop after N presets; 0: use none.",
)
@reading("--input-format")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    form: str,
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
) -> None:
    """Explain each puzzle by the numerical-analysis method.

    On a terminal the text has one line per conversion, rule and preset. --full, --matrices, --every-step,
    --marks and --no-grids print the full text there.

    A puzzle with several solutions is explained up to the point where presets would begin.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    from unidoku.files.formats.library import format_line
    from unidoku.method.library import library_lines
    from unidoku.method.report import Line, Words, report
    from unidoku.method.rules import Order, explain

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

        return play_record(explain(cells, order, presets=presets), lang=lang, size=size)

    page = page_of(played)

    def write(puzzle: Puzzle, sink: TextIO, several: bool) -> None:
        record = explain(puzzle.cells, order, presets=presets)
        if form == "json":
            data = record.as_dict(matrices=matrices)
            click.echo(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), sink)
        elif form == "library":
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

    options |= {"form": form, "output": output}
    title = Words(lang).say("title")
    ctx.exit(write_records(inputs, write, page, title=title, lang=lang, **options))


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
