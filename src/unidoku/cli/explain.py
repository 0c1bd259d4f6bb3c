"""``unidoku explain``: the numerical-analysis method, step by step, in words."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import PuzzleCommand, each_puzzle, heading, inputs_argument
from unidoku.cli.options import WORDS, Number, reading
from unidoku.cli.pages import OUTPUT, PLAY, browse_first, one_page, write_folder, writes_folder
from unidoku.cli.streams import open_text
from unidoku.cli.terminal import console_for, must_be_ascii, print_lines
from unidoku.files.overlap import refuse_overlap

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO

    from unidoku.cli.inputs import Input
    from unidoku.files.puzzles import Puzzle
    from unidoku.method.record import Record
    from unidoku.method.report import Line
    from unidoku.view.player import Playback

__all__ = ["command"]


@click.command("explain", cls=PuzzleCommand)
@inputs_argument()
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html", "library"]),
    default="text",
    show_default=True,
    help="Print text, JSON (an object per puzzle), a page (html), or the singles and "
    "locked candidates as lines of a HoDoKu library.",
)
@OUTPUT
@PLAY
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
@click.option("--no-grids", is_flag=True, help="Omit the grids of pencil marks.")
@WORDS
@click.option(
    "--theorems",
    default="432",
    show_default=True,
    metavar="ORDER",
    help="Look for the theorems in this order.",
)
@click.option(
    "--units",
    default="IJG",
    show_default=True,
    metavar="ORDER",
    help="Search rows (I), columns (J) and boxes (G) in this order.",
)
@click.option("--early", is_flag=True, help="Look for theorem 4 after each conversion, before its zeroing.")
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
    output: str | None,
    rating: str | None,
    playing: bool,
    full: bool | None,
    matrices: bool,
    every_step: bool,
    marks: bool,
    no_grids: bool,
    ascii_only: bool,
    lang: str,
    names: str,
    theorems: str,
    units: str,
    early: bool,
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
    from unidoku.method.report import Line, Words, report
    from unidoku.method.rules import Order, explain

    details = matrices or every_step or marks or no_grids
    if full is False and details:
        raise click.UsageError(
            "--short prints no grids: omit --matrices, --every-step, --marks and --no-grids."
        )
    to_terminal = output in {None, "-"} and sys.stdout.isatty()
    short = not full if full is not None else to_terminal and not details
    order = Order(
        _theorems(theorems),
        _units(units),
        early=early,
        sweep=sweep,
        extended=not no_extended,
        subsets=not no_subsets,
    )

    if playing:
        from unidoku.view.explain import play_record

        def played(cells: str) -> Playback:
            return play_record(explain(cells, order, presets=presets), lang=lang)

        ctx.exit(browse_first(inputs, form, output, played, **options))
    if writes_folder(form, output, rating):
        from unidoku.view.explain import play_record
        from unidoku.view.folder import PAGE_SIZE
        from unidoku.view.player import player_page

        def page(cells: str, index: str) -> str:
            record = explain(cells, order, presets=presets)
            return player_page(play_record(record, lang=lang, size=PAGE_SIZE), index=index)

        assert output is not None
        title = Words(lang).say("title")
        ctx.exit(write_folder(inputs, output, page, title=title, lang=lang, rating=rating, **options))

    def lines_of(record: Record) -> Iterable[Line]:
        return report(
            record,
            lang=lang,
            names=names,
            ascii_only=ascii_only or (form == "text" and must_be_ascii(lang, sink)),
            matrices=matrices,
            every_step=every_step,
            marks=marks,
            pictures=not no_grids,
            short=short,
        )

    def print_record(puzzle: Puzzle, several: bool) -> None:
        one_page(form, several)
        record = explain(puzzle.cells, order, presets=presets)
        if form == "json":
            click.echo(
                json.dumps(
                    record.as_dict(matrices=matrices), ensure_ascii=False, separators=(",", ":")
                ).encode(),
                sink,
            )
        elif form == "library":
            _print_library(record, sink)
        elif form == "html":
            from unidoku.view.explain import explain_page

            click.echo(explain_page(record, lang=lang).encode(), sink)
        else:
            console = console_for(sink)
            if several:
                print_lines([Line("title", f"# {heading(puzzle)}")], console)
            print_lines(lines_of(record), console)

    refuse_overlap(inputs, [output])
    with open_text(output) as sink:
        code = each_puzzle(inputs, print_record, **options)
    ctx.exit(code)


def _print_library(record: Record, sink: TextIO) -> None:
    from unidoku.files.readers.library import format_line
    from unidoku.method.library import library_lines

    for line in library_lines(record):
        click.echo(format_line(line), sink)


def _theorems(text: str) -> tuple[int, int, int]:
    if sorted(text) != ["2", "3", "4"]:
        raise click.BadParameter(
            f"invalid order {text!r}; expected 2, 3 and 4 in any order, for example 324",
            param_hint="--theorems",
        )
    first, second, third = (int(t) for t in text)
    return first, second, third


def _units(text: str) -> tuple[str, str, str]:
    names = {"I": "row", "J": "column", "G": "box"}
    if sorted(text.upper()) != sorted(names):
        raise click.BadParameter(
            f"invalid order {text!r}; expected I, J and G in any order, for example GIJ", param_hint="--units"
        )
    first, second, third = (names[unit] for unit in text.upper())
    return first, second, third
