"""``unidoku explain``: the numerical-analysis method, step by step, in words."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO

    from rich.console import Console

    from unidoku.method.report import Line

__all__ = ["command", "console_for", "must_be_ascii", "print_lines", "read_puzzle"]

# What a line is about -> how it looks where colour is.
STYLES = {
    "title": "bold",
    "order": "dim",
    "zero": "dim",
    "convert": "green",
    "extended": "cyan",
    "subset": "cyan",
    "dry": "bold",
    "preset": "yellow",
    "contradiction": "red",
    "retract": "magenta",
    "matrix": "bold",
    "end": "bold",
}


@click.command("explain")
@click.argument("puzzle")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html", "library"]),
    default="text",
    show_default=True,
    help="library: singles and locked candidates as HoDoKu's library lines.",
)
@click.option("--matrices", is_flag=True, help="Show NA, KH, MMK and NAK wherever nothing converts.")
@click.option("--marks", is_flag=True, help="Draw the grids with the mark of every zero (118 columns wide).")
@click.option("--no-grids", is_flag=True, help="Leave the pencil-mark grids out.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Marks and lines in ASCII.")
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Language.")
@click.option("--theorems", default="432", show_default=True, help="The theorems as they are looked for.")
@click.option(
    "--units", default="IJG", show_default=True, help="Rows I, columns J, boxes G as they are searched."
)
@click.option("--early", is_flag=True, help="Look for theorem 4 before a conversion is zeroed out.")
@click.option("--sweep", is_flag=True, help="After a conversion go on from there, not from the beginning.")
@click.option("--no-extended", is_flag=True, help="Without extended zeroing.")
@click.option("--no-subsets", is_flag=True, help="Without subsets.")
@click.option("--presets", type=click.IntRange(0), default=10_000, show_default=True, help="Presets allowed.")
def command(
    puzzle: str,
    *,
    form: str,
    matrices: bool,
    marks: bool,
    no_grids: bool,
    ascii_only: bool,
    lang: str,
    theorems: str,
    units: str,
    early: bool,
    sweep: bool,
    no_extended: bool,
    no_subsets: bool,
    presets: int,
) -> None:
    """Work PUZZLE by the numerical-analysis method and say why, step by step.

    PUZZLE is 81 cells, or - to read it from standard input. A puzzle with several solutions is explained up
    to where presets would begin.
    """
    from unidoku.method.report import report
    from unidoku.method.rules import Order, explain

    record = explain(
        read_puzzle(puzzle),
        Order(
            _theorems(theorems),
            _units(units),
            early=early,
            sweep=sweep,
            extended=not no_extended,
            subsets=not no_subsets,
        ),
        presets=presets,
    )
    if form == "json":
        click.echo(json.dumps(record.as_dict(), ensure_ascii=False, separators=(",", ":")).encode())
        return
    if form == "library":
        from unidoku.files.readers.library import format_line
        from unidoku.method.library import library_lines

        for line in library_lines(record):
            click.echo(format_line(line))
        return
    lines = report(
        record,
        lang=lang,
        ascii_only=ascii_only or (form == "text" and must_be_ascii(lang)),
        matrices=matrices,
        marks=marks,
        pictures=not no_grids,
    )
    if form == "html":
        click.echo(_page(lines).encode())
    else:
        print_lines(lines, console_for(sys.stdout), STYLES)


def _theorems(text: str) -> tuple[int, int, int]:
    if sorted(text) != ["2", "3", "4"]:
        raise click.BadParameter("2, 3 and 4 in some order, for example 324", param_hint="--theorems")
    first, second, third = (int(t) for t in text)
    return first, second, third


def _units(text: str) -> tuple[str, str, str]:
    names = {"I": "row", "J": "column", "G": "box"}
    if sorted(text.upper()) != sorted(names):
        raise click.BadParameter("I, J and G in some order, for example GIJ", param_hint="--units")
    first, second, third = (names[unit] for unit in text.upper())
    return first, second, third


def read_puzzle(puzzle: str) -> str:
    """The argument, or standard input where it is ``-``."""
    return sys.stdin.read() if puzzle == "-" else puzzle


def must_be_ascii(lang: str) -> bool:
    """Whether standard output cannot take the marks (Chinese is written in any case)."""
    if lang != "en":
        return False
    try:
        "⊙④━·".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return True
    return False


def console_for(file: TextIO) -> Console:
    """A console that has colour where the terminal has it and ``NO_COLOR`` does not forbid it."""
    from rich.console import Console

    return Console(file=file, highlight=False, markup=False, emoji=False, soft_wrap=not file.isatty())


def print_lines(lines: Iterable[Line], console: Console, styles: dict[str, str]) -> None:
    """Write lines in their styles; on a terminal long ones hang under their beginning."""
    from rich.padding import Padding
    from rich.text import Text

    for line in lines:
        text = Text(line.text.lstrip(), style=styles.get(line.kind, ""))
        indent = len(line.text) - len(text)
        if line.kind == "picture":
            console.print(Text(line.text), no_wrap=True, crop=False, overflow="ignore")
        elif console.is_terminal:
            console.print(Padding(text, (0, 0, 0, indent), expand=False))
        else:
            console.print(Text(line.text, style=text.style))


def _page(lines: Iterable[Line]) -> str:
    """The report as an HTML page of its own."""
    from rich.console import Console

    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        console = Console(file=nowhere, record=True, highlight=False, width=160)
        print_lines(lines, console, STYLES)
        return console.export_html(clear=False)
